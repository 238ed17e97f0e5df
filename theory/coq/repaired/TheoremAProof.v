(** * Proof of Theorem A *)
From Coq Require Import Reals Lra Lia.
From FPS.repaired Require Import Setting Drift TheoremA TheoremACore TheoremADescent TheoremAErrors.
Open Scope R_scope.

Theorem theorem_a_measured : Theorem_A_Measured.
Proof. intros r ok D rho HD HDb Hr Hrb. split; [now apply star_of_run|now apply star_of_run_one_step]. Qed.

Theorem measured_values_are_smaller : Measured_Values_Are_Smaller.
Proof.
  intros r ok. split; [|now apply gradient_moves_little].
  unfold D_of_A, D_at. rewrite pow2_sqrt; [now apply measured_D2_le|].
  pose proof (A_nonneg r ok). pose proof (pow2_ge_0 (G r)). pose proof (pow2_ge_0 (B r)). nra.
Qed.

Lemma rho_nonneg r : assumptions r -> 0 <= rho r.
Proof. intros ok. apply Rmult_le_pos; [apply Rlt_le, (L_pos r ok)|apply sqrt_pos]. Qed.

Theorem theorem_a : Theorem_A.
Proof.
  intros r ok. destruct (measured_values_are_smaller r ok).
  apply (theorem_a_measured r ok (D_of_A r) (rho r)); auto using rho_nonneg. apply sqrt_pos.
Qed.

Theorem theorem_a_one_step : Theorem_A_One_Step.
Proof.
  intros r ok HE. destruct (measured_values_are_smaller r ok).
  apply (theorem_a_measured r ok (D_of_A r) (rho r)); auto using rho_nonneg. apply sqrt_pos.
Qed.

Theorem star_is_an_explicit_inequality : Star_Is_An_Explicit_Inequality.
Proof.
  intros rho u N K F A Hrho Hu HN HF HA. split; apply star_explicit; auto.
  - pose proof (sqrt_pos N). nra.
  - intros x. unfold inner_many. pose proof (sqrt_sqrt N HN) as H. revert H. generalize (sqrt N); intros s H.
    rewrite <- H. ring.
  - intros x. unfold inner_one. ring.
Qed.
