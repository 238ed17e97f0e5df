(** * Proof of Corollary 1 *)
From Coq Require Import Reals Lra Lia.
From FPS.repaired Require Import Setting Drift DriftRecursion TheoremA Corollary1 TheoremAErrors
  TheoremAProof.
Open Scope R_scope.

Lemma D_square r : assumptions r -> D_of_A r ^ 2 = G r ^ 2 + B r ^ 2 * A r.
Proof.
  intros ok. unfold D_of_A, D_at. apply pow2_sqrt.
  pose proof (A_nonneg r ok). pose proof (pow2_ge_0 (G r)). pose proof (pow2_ge_0 (B r)). nra.
Qed.
Lemma rho_square r : assumptions r -> rho r ^ 2 = L r ^ 2 * R2 r.
Proof. intros ok. unfold rho. rewrite Rpow_mult_distr. f_equal. apply pow2_sqrt, (R2_nonneg r ok). Qed.

(** F and N for one local step *)
Lemma share_one gamma mu : share gamma mu 1 0 = 1.
Proof. unfold share, total_weight, omega. simpl. field. Qed.
Lemma F_one gamma mu L P_b P_n b sigma D : F_at gamma mu L P_b P_n b sigma 1 D = bias_bound P_b b D.
Proof. unfold F_at, slope. cbn [sum drift]. rewrite share_one. replace (D + L * 0) with D by ring. ring. Qed.
Lemma N_one nu gamma mu L P_b P_n b sigma D : N_at nu gamma mu L P_b P_n b sigma 1 D = nu * noise_bound P_n
  sigma D.
Proof. unfold N_at, slope. cbn [sum drift]. rewrite share_one. replace (D + L * 0) with D by ring. ring. Qed.
Lemma Ebar_one r : Es r = 1%nat -> Ebar r = 1.
Proof. intros one. unfold Ebar, weight. rewrite one. simpl. ring. Qed.

Theorem corollary_1 : Corollary_1.
Proof.
  intros r ok one [Hstep Hrho]. destruct (theorem_a_one_step r ok one) as [x [Hx [_ H]]].
  unfold F, N, K, optimisation, inner_one, u in H.
  rewrite one, F_one, N_one, (Ebar_one r one), !Rmult_1_r in H.
  rewrite bias_square in H by apply (P_b_nonneg r ok). unfold noise_bound in H.
  rewrite (D_square r ok) in H. unfold corollary1_bound. rewrite <- (rho_square r ok).
  set (p := rho r) in *. set (c := 1 - L r * gamma r).
  (* ρ²/(1−u) − (2ρx − (1−u)x²) = (1−u)(x − ρ/(1−u))² *)
  assert (Hsq : 2 * p * x - c * x ^ 2 <= p ^ 2 / c).
  { assert (Hc : 0 < c) by (unfold c; lra).
    assert (H0 : 0 <= c * (x - p / c) ^ 2) by (apply Rmult_le_pos; [lra|apply pow2_ge_0]).
    replace (c * (x - p / c) ^ 2) with (p ^ 2 / c - (2 * p * x - c * x ^ 2)) in H0 by (field; lra). lra. }
  assert (Hpos : 0 < rho_1 (gamma r) (L r) (P_b r) (P_n r) (B r) (nu r)) by (unfold rho_1; lra).
  apply Rmult_le_reg_l with (1 := Hpos). rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra.
  unfold rho_1. unfold c in Hsq at 1. lra.
Qed.
