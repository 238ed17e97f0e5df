(** * Theorem B: Lemma 2' for the run, Euclidean; the local steps are not sketched *)
From Coq Require Import Reals Lra Lia.
From FPS.repaired Require Import DriftProof.
From FPS.sketch_space.theorem_b Require Export SeminormLemmas.
Open Scope R_scope.

Section Drift.
Variables (r : run) (k : table r).
Hypothesis ok : assumptions_B r k.
Local Notation S_ := (drift (gamma r) (mu r) (L r) (P_b r) (P_n r) (b r) (sigma r) (D_B r)).
Local Notation H_ := (slope (gamma r) (mu r) (L r) (P_b r) (P_n r) (b r) (sigma r) (D_B r)).
Local Notation Y_ := (Y_ r k ok). Local Notation gr := (gr r k ok). Local Notation gr0 := (gr0 r k ok).
Local Notation be := (be r k ok). Local Notation ze := (ze r k ok).

Lemma D_nonneg : 0 <= D_B r. Proof. apply sqrt_pos. Qed.
Lemma constants_fine : drift_constants (gamma r) (mu r) (L r) (P_b r) (P_n r) (D_B r).
Proof.
  unfold drift_constants. pose proof (gamma_pos_B r k ok). pose proof (A4_B r k ok).
  pose proof (L_nonneg r k ok).
  pose proof (P_b_B r k ok). pose proof (P_n_B r k ok). pose proof D_nonneg. repeat split; lra.
Qed.
Lemma gradient_near e : ‖(gr e - gr0)‖ <= L r * ‖(Y_ e)‖.
Proof.
  apply L2_le; [apply (L_nonneg r k ok)|]. intros [t [m o]] [Ht [Hm Ho]]. cbn in *.
  apply (lipschitz r k ok m); auto.
Qed.
Lemma gradient_le e : ‖(gr e)‖ <= D_B r + L r * ‖(Y_ e)‖.
Proof.
  rewrite (same_norm _ (gr e) (gr0 + (gr e - gr0))%V) by (intro; expand; ring).
  pose proof (minkowski _ gr0 (gr e - gr0)%V). pose proof (gradient_near e).
  assert (‖gr0‖ = D_B r) by reflexivity. lra.
Qed.
Lemma bias_le e : (e < Es r)%nat -> ‖(be e)‖² <= P_b r * ‖(gr e)‖² + b r ^ 2.
Proof.
  intros He. rewrite !L2_inner, <- E_affine by apply L2_int.
  apply E_mono; [apply L2_int|apply int_affine, L2_int|].
  intros [t [m o]] [Ht [Hm Ho]]. apply (bias_V r k ok t m e o); auto. repeat split; auto.
Qed.
Lemma noise_le e : (e < Es r)%nat -> ‖(ze e)‖² <= P_n r * ‖(gr e)‖² + sigma r ^ 2.
Proof.
  intros He. rewrite !L2_inner, <- E_affine by apply L2_int. rewrite !everything_is.
  apply avg_mono; [apply T_pos|]. intros t Ht. apply avg_mono; [apply M_pos|]. intros m Hm.
  rewrite E_affine by exact (L2_int (gr e) (gr e) t Ht m Hm). apply (noise_V r k ok t m e).
  repeat split; auto.
Qed.
(** The noise of step e is orthogonal to what is known before it. *)
Lemma noise_orthogonal e (U : L2 (everything r)) : (e < Es r)%nat ->
  (forall t m, (t < T r)%nat -> (m < M r)%nat -> known r (past r t m e) (fun o => at_ U (t, (m, o)))) ->
    ⟨ze e, U⟩ = 0.
Proof.
  intros He HU. rewrite L2_inner. apply everything_zero; intros t m Ht Hm.
  apply (mean_zero r k ok t m e (fun o => at_ U (t, (m, o)))); auto; [repeat split; auto|].
  exact (proj2_sig U t Ht m Hm).
Qed.
Lemma drift_le e : (e <= Es r)%nat -> ‖(Y_ e)‖ <= S_ e.
Proof.
  apply (drift_in_any_space _ _ _ _ _ _ _ _ constants_fine (L2 (everything r)) Y_ gr be ze (Es r));
    auto using gradient_le, bias_le, noise_le.
  - apply L2_same; intros [t [m o]] _ w. unfold SeminormLemmas.Y_, moved, at_; simpl; expand; ring.
  - intros j Hj. apply L2_same; intros [t [m o]] _ w. symmetry. apply (moved_step r t m j o w).
  - intros j Hj; split; apply noise_orthogonal; auto; intros t m Ht Hm o o' p; cbn.
    + apply (moved_known r k ok t m j); auto; lia.
    + rewrite (local_known r k ok t m j Ht Hm ltac:(lia) o o' p), (bias_known r k ok t m j) with (o' := o');
        auto.
      repeat split; auto.
Qed.
Lemma gradient_square e : (e < Es r)%nat -> ‖(gr e)‖² <= H_ e ^ 2.
Proof.
  intros He. pose proof (norm_nonneg _ (gr e)). pose proof (gradient_le e).
  pose proof (drift_le e ltac:(lia)).
  pose proof (L_nonneg r k ok). assert (‖(gr e)‖ <= H_ e) by (unfold slope; nra). rewrite <- norm_square. nra.
Qed.
End Drift.
