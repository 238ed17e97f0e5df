(** * Lemma 1'(b): vectors whose sizes follow a power law

    |v|_(i) is the i-th largest of the |v_i|, and the power law says |v|_(i) ≤ i^{-p} ‖v‖ with a real
    p > 1/2. Here an order σ lists the coordinates by size, so |v|_(i+1) = |v_{σ(i)}| with i counted from 0.
    τ_k² is the sum of the squares from the (k+1)-th largest on. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result.
From FPS.residual Require Export SketchResidual.
Open Scope R_scope.

(** σ is a permutation of the numbers below d, and lists the coordinates of v from the largest |v_i| to the
    smallest. *)
Definition sorts (d : nat) (order : nat -> nat) (v : Rd d) : Prop :=
  (forall i, (i < d)%nat -> (order i < d)%nat) /\
  (forall i j, (i < d)%nat -> (j < d)%nat -> order i = order j -> i = j) /\
  (forall i j, (i <= j < d)%nat -> Rabs (v (order j)) <= Rabs (v (order i))).

(** |v|_(i) ≤ i^{-p} ‖v‖ for i = 1, …, d *)
Definition power_law (d : nat) (p : R) (v : Rd d) : Prop :=
  exists order, sorts d order v /\
    forall i, (i < d)%nat -> Rabs (v (order i)) <= Rpower (INR (i + 1)) (- p) * ‖v‖.

(** (k^{1−2p} − d^{1−2p})/(2p−1), and the sharper ((k+½)^{1−2p} − (d+½)^{1−2p})/(2p−1) *)
Definition tail_integral (k d p : R) : R := (Rpower k (1 - 2 * p) - Rpower d (1 - 2 * p)) / (2 * p - 1).
Definition tail_midpoint (k d p : R) : R := tail_integral (k + / 2) (d + / 2) p.
(** [1/c + (t + 2/√c)²] W, with t = τ_k/‖v‖ *)
Definition residual_with_tail (c t W : R) : R := (1 / c + (t + 2 / sqrt c) ^ 2) * W.
(** [1/c + (√tail + 2/√c)²] W *)
Definition lemma1_repaired (c k d p W : R) : R := residual_with_tail c (sqrt (tail_integral k d p)) W.

(** Every vector can be sorted. *)
Definition Some_Order_Sorts : result := forall d (v : Rd d), exists order, sorts d order v.

(** τ_k² is the sum of the squares of the sorted coordinates from the (k+1)-th on, whichever top-k set and
    whichever order is taken. *)
Definition Tail_Of_The_Order : result := forall d k (v : Rd d) order Sstar,
  sorts d order v -> top d k Sstar v ->
  (k <= d)%nat /\ tau v Sstar ^ 2 = sum (d - k) (fun i => v (order (k + i)%nat) ^ 2).

(** Under the power law, τ_k² ≤ ‖v‖² (k^{1−2p} − d^{1−2p})/(2p−1). *)
Definition Power_Law_Tail : result := forall d k p (v : Rd d) Sstar,
  (1 <= k)%nat -> 1 / 2 < p -> power_law d p v -> top d k Sstar v ->
  tau v Sstar ^ 2 <= ‖v‖² * tail_integral (INR k) (INR d) p.

(** The same with the midpoint rule, which also covers k = 0:
    τ_k² ≤ ‖v‖² ((k+½)^{1−2p} − (d+½)^{1−2p})/(2p−1). *)
Definition Power_Law_Tail_By_Midpoints : result := forall d k p (v : Rd d) Sstar,
  1 / 2 < p -> power_law d p v -> top d k Sstar v ->
  tau v Sstar ^ 2 <= ‖v‖² * tail_midpoint (INR k) (INR d) p.

(** If |v̂_i − v_i| ≤ ‖v‖/√(ck) on Ŝ ∪ S* and ‖v‖² ≤ W, then ‖r‖² ≤ [1/c + (τ_k/‖v‖ + 2/√c)²] W. If ‖v‖ = 0
    then τ_k = 0, and τ_k/‖v‖ reads 0. *)
Definition Residual_By_Tail : result := forall d k c W (v vhat : Rd d) Shat Sstar,
  (1 <= k)%nat -> 0 < c -> top d k Shat vhat -> top d k Sstar v ->
  (forall i, (i < d)%nat -> union Shat Sstar i = true -> Rabs (vhat i - v i) <= ‖v‖ / sqrt (c * INR k)) ->
  ‖v‖² <= W ->
  ‖(left_behind v vhat Shat)‖² <= residual_with_tail c (tau v Sstar / ‖v‖) W.

(** With the power law in addition: ‖r‖² ≤ [1/c + (√((k^{1−2p} − d^{1−2p})/(2p−1)) + 2/√c)²] W. *)
Definition Residual_Under_Power_Law : result := forall d k c p W (v vhat : Rd d) Shat Sstar,
  (1 <= k)%nat -> 0 < c -> 1 / 2 < p -> power_law d p v -> top d k Shat vhat -> top d k Sstar v ->
  (forall i, (i < d)%nat -> union Shat Sstar i = true -> Rabs (vhat i - v i) <= ‖v‖ / sqrt (c * INR k)) ->
  ‖v‖² <= W ->
  ‖(left_behind v vhat Shat)‖² <= lemma1_repaired c (INR k) (INR d) p W.
