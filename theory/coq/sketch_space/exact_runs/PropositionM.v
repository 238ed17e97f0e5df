(** * Proposition M: with the median the table itself can grow for ever, and a stable step can be unstable

    Two coordinates, three rows of one bucket, signs (+,+), (+,−), (+,+). All coordinates are read out (k =
    d), the loss is f(w) = ‖w − wstar‖²/2, the table is empty at the start, devices take one local step
    without noise. The sketch loses nothing: S is injective. The first coordinate is numbered 0 here and the
    second 1; p and m stand for the sum and the difference of the two coordinates of the minimiser. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result.
From FPS.sketch_space.tables Require Import HashSketch.
Open Scope R_scope.

Definition hash_M : hash := {| d := 2; J := 3; buckets := 1; bucket := fun _ _ => O;
  sign := fun j i => match j, i with 1%nat, 1%nat => -1 | _, _ => 1 end |}.
Definition identity_matrix (i j : nat) : R := if Nat.eqb i j then 1 else 0.
Definition run_M (gamma : R) (wstar : nat -> R) := fps_run hash_M 2 gamma identity_matrix wstar empty.
Definition p (wstar : nat -> R) : R := wstar 0%nat + wstar 1%nat.
Definition m (wstar : nat -> R) : R := wstar 0%nat - wstar 1%nat.
(** ‖∇f(w)‖² = ‖w − wstar‖² *)
Definition gradient_square (wstar w : nat -> R) : R :=
  (w 0%nat - wstar 0%nat) ^ 2 + (w 1%nat - wstar 1%nat) ^ 2.

(** The hash is a proper one and its sketch is injective, so nothing is lost by sketching. *)
Definition Sketch_M_Is_Injective : result := well_formed hash_M /\
  forall g h, (forall j, (j < 3)%nat -> sketch_of hash_M g j 0%nat = sketch_of hash_M h j 0%nat) ->
  g 0%nat = h 0%nat /\ g 1%nat = h 1%nat.

(** Runs exist for every learning rate, every minimiser and every read-out, so what follows is not empty. *)
Definition Runs_M_Exist : result := forall gamma wstar read, exists s w, run_M gamma wstar read s w.

(** L_A = 4/3: it is the largest eigenvalue of A = S^T S/3, taken along (1, 1). So 2/L_A = 3/2. *)
Definition Edge_M : result :=
  (forall g, sum 3 (fun j => sketch_of hash_M g j 0%nat ^ 2) / 3 <= 4 / 3 * (g 0%nat ^ 2 + g 1%nat ^ 2)) /\
  sum 3 (fun j => sketch_of hash_M (fun _ => 1) j 0%nat ^ 2) / 3 = 4 / 3 * (1 ^ 2 + 1 ^ 2).

(** With the median the middle row of the table is γ t (wstar_1 − wstar_2): it grows without bound at every
    learning rate γ, unless the two coordinates of the minimiser are equal. *)
Definition Median_Table_Grows : result := forall gamma wstar s w,
  run_M gamma wstar (median_readout hash_M) s w -> forall t, s t 1%nat 0%nat = gamma * INR t * m wstar.

(** With the median both coordinates of w̃_t are p/2 (1 − (1 − 2γ)^t), and ‖∇f(w̃_t)‖² = m²/2 +
    p²/2 (1 − 2γ)^{2t}. *)
Definition Median_Broadcast : result := forall gamma wstar s w,
  run_M gamma wstar (median_readout hash_M) s w -> forall t,
  w t 0%nat = p wstar / 2 * (1 - (1 - 2 * gamma) ^ t) /\ w t 1%nat = w t 0%nat /\
  gradient_square wstar (w t) = m wstar ^ 2 / 2 + p wstar ^ 2 / 2 * ((1 - 2 * gamma) ^ t) ^ 2.

(** For 0 < γ < 1 the median's broadcast settles at (p/2, p/2), where ‖∇f‖² is m²/2 and not zero. *)
Definition Median_Limit : result := forall gamma wstar s w,
  run_M gamma wstar (median_readout hash_M) s w -> 0 < gamma < 1 ->
  Un_cv (fun t => w t 0%nat) (p wstar / 2) /\ Un_cv (fun t => w t 1%nat) (p wstar / 2) /\
  Un_cv (fun t => gradient_square wstar (w t)) (m wstar ^ 2 / 2).

(** For every γ > 1 the median's broadcast is unbounded (if p is not zero), although the mean is stable up to
    3/2. *)
Definition Median_Diverges : result := forall gamma wstar s w,
  run_M gamma wstar (median_readout hash_M) s w -> 1 < gamma -> p wstar <> 0 ->
  forall K, exists t, K < Rabs (w t 0%nat).

(** With the mean the broadcast converges to the minimiser for every 0 < γ < 3/2 = 2/L_A. *)
Definition Mean_Converges : result := forall gamma wstar s w,
  run_M gamma wstar (mean_readout hash_M) s w -> 0 < gamma < 3 / 2 ->
  Un_cv (fun t => w t 0%nat) (wstar 0%nat) /\ Un_cv (fun t => w t 1%nat) (wstar 1%nat).

(** Beyond 3/2 the mean diverges too (if p is not zero): 3/2 is the edge of the mean exactly. *)
Definition Mean_Diverges_Beyond_The_Edge : result := forall gamma wstar s w,
  run_M gamma wstar (mean_readout hash_M) s w -> 3 / 2 < gamma -> p wstar <> 0 ->
  forall K, exists t, K < Rabs (w t 0%nat + w t 1%nat).
