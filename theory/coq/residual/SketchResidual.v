(** * Lemma 1'(a): what top-k of an estimate leaves behind

    v is the exact vector and v̂ any estimate of it. Ŝ is a top-k set of |v̂|, S* one of |v|. The read-out w̃
    is v̂ on Ŝ and 0 elsewhere, r = v − w̃ is the residual, and τ_k is the ℓ2 norm of v outside S*. No chance
    is involved: both bounds hold for every v and v̂. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result.
From FPS.residual Require Export TopSets.
Open Scope R_scope.

(** r = v − w̃ *)
Definition left_behind {d : nat} (v vhat : Rd d) (Shat : coordinates) : Rd d := (v - restrict Shat vhat)%V.
(** τ_k *)
Definition tau {d : nat} (v : Rd d) (Sstar : coordinates) : R := ‖(restrict (outside Sstar) v)‖.

(** kη² + (τ_k + 2√k η)² *)
Definition residual_by_largest (k eta tau_k : R) : R := k * eta ^ 2 + (tau_k + 2 * sqrt k * eta) ^ 2.
(** δ² + (τ_k + √2 δ)² *)
Definition residual_by_l2 (delta tau_k : R) : R := delta ^ 2 + (tau_k + sqrt 2 * delta) ^ 2.

(** If |v̂_i − v_i| ≤ η for every i in Ŝ ∪ S*, then ‖r‖² ≤ kη² + (τ_k + 2√k η)². *)
Definition Residual_By_Largest_Error : result := forall d k (v vhat : Rd d) Shat Sstar eta,
  top d k Shat vhat -> top d k Sstar v ->
  (forall i, (i < d)%nat -> union Shat Sstar i = true -> Rabs (vhat i - v i) <= eta) ->
  ‖(left_behind v vhat Shat)‖² <= residual_by_largest (INR k) eta (tau v Sstar).

(** With δ = ‖(v̂ − v)_U‖ and U = Ŝ ∪ S*: ‖r‖² ≤ δ² + (τ_k + √2 δ)². *)
Definition Residual_By_L2_Error : result := forall d k (v vhat : Rd d) Shat Sstar,
  top d k Shat vhat -> top d k Sstar v ->
  ‖(left_behind v vhat Shat)‖² <=
  residual_by_l2 ‖(restrict (union Shat Sstar) (vhat - v))‖ (tau v Sstar).
