(** * Proof of Corollary 2 *)
From Coq Require Import Reals Lra Lia.
From FPS.repaired Require Import Setting Drift DriftRecursion TheoremA Corollary2 TheoremADescent
  TheoremAErrors
  TheoremAProof Corollary1Proof Corollary2Numbers Corollary2Weights Corollary2Errors.
Open Scope R_scope.

(** F and N depend on b and σ through their squares. *)
Lemma drift_abs gamma mu L P_b P_n b sigma D e : drift_constants gamma mu L P_b P_n D ->
  drift gamma mu L P_b P_n b sigma D e = drift gamma mu L P_b P_n (Rabs b) (Rabs sigma) D e.
Proof. intros H. apply Rle_antisym; apply drift_mono; auto; rewrite ?pow2_abs; lra. Qed.
Lemma F_abs gamma mu L P_b P_n b sigma steps D : drift_constants gamma mu L P_b P_n D ->
  F_at gamma mu L P_b P_n b sigma steps D = F_at gamma mu L P_b P_n (Rabs b) (Rabs sigma) steps D.
Proof.
  intros H. apply sum_ext; intros e _. unfold slope, bias_bound. now rewrite <- drift_abs, pow2_abs.
Qed.
Lemma N_abs nu gamma mu L P_b P_n b sigma steps D : drift_constants gamma mu L P_b P_n D ->
  N_at nu gamma mu L P_b P_n b sigma steps D = N_at nu gamma mu L P_b P_n (Rabs b) (Rabs sigma) steps D.
Proof.
  intros H. unfold N_at. f_equal. apply sum_ext; intros e _. unfold slope, noise_bound.
  now rewrite <- drift_abs, pow2_abs.
Qed.
Lemma nu_nonneg r : assumptions r -> 0 <= nu r.
Proof. intros ok. destruct (A2_nu r ok) as [->|[-> _]]; [lra|]. left; apply Rinv_0_lt_compat, lt_0_INR, M_pos.
Qed.
Lemma N_nonneg nu gamma mu L P_b P_n b sigma steps D : 0 <= nu -> 0 <= P_n ->
  0 <= N_at nu gamma mu L P_b P_n b sigma steps D.
Proof.
  intros Hnu HP. unfold N_at. apply Rmult_le_pos; [auto|]. apply sum_nonneg; intros e _.
  apply Rmult_le_pos; [apply pow2_ge_0|now apply noise_nonneg].
Qed.
(** 2ρx − x² + u(x+√N)² ≤ 2ρ² + 2uN for u ≤ 1/4 *)
Lemma inner_le_quarter rho u N x : 0 <= u <= 1 / 4 -> 0 <= N ->
  inner_many rho u N x <= 2 * rho ^ 2 + 2 * u * N.
Proof.
  intros [Hu0 Hu] HN. unfold inner_many. pose proof (pow2_sqrt N HN) as Hs. set (s := sqrt N) in *.
  pose proof (pow2_ge_0 (x - s)). pose proof (pow2_ge_0 (x - 2 * rho)).
  assert (u * (x + s) ^ 2 <= u * (2 * x ^ 2 + 2 * N)) by (apply Rmult_le_compat_l; [auto|nra]).
  assert (u * x ^ 2 <= 1 / 4 * x ^ 2) by (apply Rmult_le_compat_r; [apply pow2_ge_0|auto]). nra.
Qed.

Theorem corollary_2 : Corollary_2.
Proof.
  intros r ok several B_one small.
  pose proof (gamma_pos r ok) as ga. pose proof (L_pos r ok) as Lp. pose proof (A4 r ok) as kept.
  pose proof (P_b_nonneg r ok) as Pb. pose proof (P_n_nonneg r ok) as Pn. pose proof (nu_nonneg r ok) as Hnu.
  split; [exact (Ebar_ge _ _ _ _ _ _ _ _ kept several small)|].
  assert (HD : 0 <= D_of_A r) by apply sqrt_pos.
  assert (fine : drift_constants (gamma r) (mu r) (L r) (P_b r) (P_n r) (D_of_A r))
    by (unfold drift_constants; repeat split; lra).
  destruct (theorem_a r ok) as [x [Hx [_ H]]].
  pose proof (inner_le_quarter (rho r) (u r) (N r (D_of_A r)) x) as Hpsi.
  pose proof (u_small _ _ _ _ _ _ _ _ ga Lp kept Pb several B_one small) as Hu. change (u r <= 1 / 4) in Hu.
  pose proof (F_square _ _ _ _ _ _ _ _ _ _ _ ga Lp kept Pb Pn several B_one HD (Rabs_pos (b r))
    (Rabs_pos (sigma r)) small) as HF.
  pose proof (noise_small _ _ _ _ _ _ _ _ _ _ _ ga Lp kept Pb Pn several B_one HD Hnu (Rabs_pos (b r))
    (Rabs_pos (sigma r)) small) as HN.
  cbv zeta in HF. rewrite <- F_abs in HF by auto. rewrite <- N_abs in HN by auto. rewrite !pow2_abs in HF, HN.
  fold (F r (D_of_A r)) in HF. fold (N r (D_of_A r)) in HN.
  change (L r * gamma r * total_weight _ _ _) with (u r) in HN.
  rewrite (D_square r ok) in HF, HN.
  specialize (Hpsi (conj (u_nonneg r ok) Hu) (N_nonneg _ _ _ _ _ _ _ _ _ _ Hnu Pn)).
  rewrite (rho_square r ok) in Hpsi.
  pose proof (n_one _ several) as Hn. pose proof (cb_one (P_b r)) as Hcb.
  pose proof (cc_one (P_b r) (P_n r)) as Hcc.
  pose proof (g_pos _ _ ga Lp) as Hg. destruct small as (HQ & Hc1 & Hc2 & _).
  set (n := INR (Es r) - 1) in *. set (cb := c_b (P_b r)) in *. set (cc := c_all (P_b r) (P_n r)) in *.
  set (g := L r * gamma r) in *.
  eapply Rle_trans; [apply (solved (A r) (K r) (F r (D_of_A r) ^ 2) (L r ^ 2 * R2 r)
    (2 * u r * N r (D_of_A r)) (P_b r) (B r)
    (G r ^ 2) (b r ^ 2) (sigma r ^ 2) (g * cb * n) cc (cb ^ 2 * g ^ 2 * n) (g * nu r) (P_n r))|];
    auto using pow2_ge_0, A_nonneg.
  - apply Rmult_le_pos; [apply Rmult_le_pos|]; lra.
  - apply Rmult_le_pos; [apply Rmult_le_pos; apply pow2_ge_0|lra].
  - apply Rmult_le_pos; lra.
  - lra.
  - apply Rle_trans with (2 := Hc1). right. unfold g. ring.
  - apply Rle_trans with (2 := Hc2). right. unfold g. ring.
  - lra.
  - right. unfold corollary2_bound, K, optimisation. fold n cb cc. unfold g, Rdiv. ring.
Qed.
