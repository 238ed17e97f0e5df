(** * Lemma 1 of the paper: its statement and two steps of its proof are false

    Lemma 1 says that top-k of the sketched model leaves ‖w − w̃‖² ≤ (1/c + ((k+1)^{1−2p} − d^{1−2p})/(2p−1))
    W for any w in R^d. Its proof uses (Σ_j‖g_j‖)² ≤ ‖Σ_j g_j‖² and Σ_{i=k+1}^d i^{−2p} ≤ ((k+1)^{1−2p} −
    d^{1−2p})/(2p−1). *)
From Coq Require Import Reals.
From FPS.tools Require Import Result.
From FPS.paper Require Import Setting.
Open Scope R_scope.

(** The triangle inequality goes the other way: ‖Σ_j g_j‖² is at most (Σ_j‖g_j‖)². *)
Definition Triangle_inequality : result := forall d n (g : nat -> Rd d),
  ‖(vsum n g)‖² <= (sum n (fun j => ‖(g j)‖)) ^ 2.

(** In every dimension there are two gradients for which the paper's step (Σ_j‖g_j‖)² ≤ ‖Σ_j g_j‖² fails. *)
Definition Reversed_triangle_inequality_fails : result := forall d, (1 <= d)%nat -> exists g : nat -> Rd d,
  ‖(vsum 2 g)‖² < (sum 2 (fun j => ‖(g j)‖)) ^ 2.

(** Σ_{i=k+1}^d i^{−2p} *)
Definition tail_sum (p : R) (k d : nat) : R := sum (d - k) (fun j => Rpower (INR (k + j) + 1) (- (2 * p))).

(** The tail Σ_{i=k+1}^d i^{−2p} is larger than the number that Lemma 1 puts above it, for every real p > 1/2
    and every k ≤ d. *)
Definition Tail_exceeds_its_bound : result := forall p k d, 1 / 2 < p -> (1 <= d)%nat -> (k <= d)%nat ->
  tail p (INR k) (INR d) < tail_sum p k d.

(** Lemma 1 for any model, where it is easiest: w̃ keeps the k largest coordinates of w without an error of
    the sketch, nothing is random, and a negative tail counts as 0. *)
Definition Lemma_1_for_any_model (c p : R) : Prop := forall d k (w w_top : Rd d) W,
  (1 <= k <= d)%nat -> ‖w‖² <= W -> is_top d k w w_top ->
  ‖(w - w_top)‖² <= lemma_1_bound c (Rmax 0 (tail p (INR k) (INR d))) W.

(** "For any iterate w in R^d" is false for every p and every c > 2: take w = (1, 1), k = 1, W = 2. *)
Definition Lemma_1_fails_for_some_model : result := forall c p, 2 < c -> ~ Lemma_1_for_any_model c p.
