(** * Proof of Corollary B3: Theorem B, and the numbers of Corollary 2 *)
From Coq Require Import Reals Lra Lia.
From FPS.repaired Require Import DriftRecursion Corollary2Numbers Corollary2Weights Corollary2Errors
  Corollary2Proof.
From FPS.sketch_space Require Import TableSetting ConstantsB ConstantsBProof CorollaryB3 TheoremBProof.
From FPS.sketch_space.theorem_b Require Import DriftLemmas DescentLemmas.
Open Scope R_scope.

Section Scaled.
Variables (r : run) (k : table r).
Hypothesis ok : assumptions_B r k.
Hypothesis small : scaled r k.
Local Notation F1 := (F_at (gamma r) (mu r) (L r) (P_b r) (P_n r) (b r) (sigma r) (Es r) (D_B r)).
Local Notation N1 := (N_at (nu_M k) (gamma r) (mu r) (L r) (P_b r) (P_n r) (b r) (sigma r) (Es r) (D_B r)).
Lemma nu_M_nonneg : 0 <= nu_M k.
Proof. destruct (nu_is r k ok) as [->|[-> _]]; [lra|]. left; apply Rinv_0_lt_compat, lt_0_INR, M_pos. Qed.
(** With the scale of C, F and N are at most those of Theorem A. *)
Lemma F_nonneg : 0 <= F_B r k.
Proof.
  apply sum_nonneg; intros e _. apply Rmult_le_pos; [apply (sh_nonneg r k ok)|].
  pose proof (drift_nonneg (gamma r) (mu r) (L r) (P_b r) (P_n r) (b r) (sigma r) (D_B r) e) as HS.
  pose proof (ell_M_nonneg r k ok). apply Rplus_le_le_0_compat; apply Rmult_le_pos; auto; apply sqrt_pos.
Qed.
Lemma F_scaled : F_B r k <= F1.
Proof.
  destruct small as (_ & _ & He & Hb & _). apply sum_mono; intros e _.
  apply Rmult_le_compat_l; [apply (sh_nonneg r k ok)|].
  pose proof (drift_nonneg (gamma r) (mu r) (L r) (P_b r) (P_n r) (b r) (sigma r) (D_B r) e) as HS.
  set (S_ := drift _ _ _ _ _ _ _ _ _) in *. set (h := bias_bound _ _ _).
  assert (0 <= h) by apply sqrt_pos.
  assert (sqrt (Lam_b k) <= 1) by (rewrite <- sqrt_1; apply sqrt_le_1_alt; auto).
  assert (ell_M k * S_ <= L r * S_) by (apply Rmult_le_compat_r; auto). nra.
Qed.
Lemma N_scaled : N_B r k <= N1.
Proof.
  destruct small as (_ & _ & _ & _ & Hn). apply Rmult_le_compat_l; [apply nu_M_nonneg|].
  apply sum_mono; intros e _.
  apply Rmult_le_compat_l; [apply pow2_ge_0|]. set (h := slope _ _ _ _ _ _ _ _ _).
  pose proof (noise_nonneg (P_n r) (sigma r) h (P_n_B r k ok)). nra.
Qed.
Lemma N1_nonneg : 0 <= N1.
Proof. apply N_nonneg; [apply nu_M_nonneg|apply (P_n_B r k ok)]. Qed.
(** 2ρx − x² + u(x + √N)² grows with u and N. *)
Lemma inner_grows rho u u' N N' x : 0 <= u -> u <= u' -> N <= N' -> 0 <= x ->
  inner_many rho u N x <= inner_many rho u' N' x.
Proof.
  intros Hu Huu HN Hx. unfold inner_many. pose proof (sqrt_le_1_alt _ _ HN). pose proof (sqrt_pos N).
  assert ((x + sqrt N) ^ 2 <= (x + sqrt N') ^ 2) by (apply pow_incr; lra).
  pose proof (pow2_ge_0 (x + sqrt N)). nra.
Qed.
Lemma u_scaled : u_B r k <= L r * gamma r * Ebar r.
Proof.
  destruct small as (_ & HL & _). pose proof (gamma_Ebar_pos r k ok). unfold u_B, u_of.
  replace (L r * gamma r * Ebar r) with (gamma r * Ebar r * L r) by ring. apply Rmult_le_compat_l; lra.
Qed.

Variables (B R2 : R).
Hypothesis several : (2 <= Es r)%nat.
Hypothesis B_one : 1 <= B.
Hypothesis D_le : D_B r ^ 2 <= G r ^ 2 + B ^ 2 * A_M r k.
Hypothesis rho_le : rho_B r k ^ 2 <= L r ^ 2 * R2.
Hypothesis conditions : corollary2_conditions (gamma r) (mu r) (L r) (P_b r) (P_n r) B (nu_M k) (INR (Es r)).
Let ga := gamma_pos_B r k ok.
Let kept := A4_B r k ok.
Let Pb := P_b_B r k ok.
Let Pn := P_n_B r k ok.
Let HD := D_nonneg r.
Let Lp : 0 < L r. Proof. now destruct small. Qed.
Let cb := c_b (P_b r).
Let cc := c_all (P_b r) (P_n r).
Let n := INR (Es r) - 1.
Let g := L r * gamma r.
Let Q := 1 - P_b r * B ^ 2.
Let Q_pos : 0 < Q. Proof. unfold Q. destruct conditions. lra. Qed.
(** F² and 2uN, with D² replaced by its bound *)
Lemma F_part : F_B r k ^ 2 <= (1 + Q / 5) * (P_b r * (G r ^ 2 + B ^ 2 * A_M r k) + b r ^ 2) + (1 + 5 / Q) *
  (64 / 49 * (8 / 9 * (g * cb * n * cc) ^ 2 * (G r ^ 2 + B ^ 2 * A_M r k)
              + 16 / 9 * (g * cb * n) ^ 2 * b r ^ 2
              + 8 / 3 * (cb ^ 2 * g ^ 2 * n) * sigma r ^ 2)).
Proof.
  apply Rle_trans with (F1 ^ 2); [apply pow_incr; split; [apply F_nonneg|apply F_scaled]|].
  rewrite (F_abs _ _ _ _ _ _ _ _ _ (constants_fine r k ok)).
  eapply Rle_trans; [apply (F_square (gamma r) (mu r) (L r) (P_b r) (P_n r) (Rabs (b r)) (Rabs (sigma r)) B
    (nu_M k)
    (D_B r) (Es r)); auto using Rabs_pos|].
  fold Q cb cc n g. rewrite !pow2_abs. assert (0 < 5 / Q) by (apply Rdiv_lt_0_compat; lra).
  apply Rplus_le_compat; apply Rmult_le_compat_l; try lra.
  - apply Rplus_le_compat_r, Rmult_le_compat_l; auto.
  - apply Rmult_le_compat_l; [lra|]. apply Rplus_le_compat_r, Rplus_le_compat_r, Rmult_le_compat_l; auto.
    pose proof (pow2_ge_0 (g * cb * n * cc)). lra.
Qed.
Lemma N_part : 2 * (L r * gamma r * Ebar r) * N1 <=
  g * nu_M k * (45 / 16 * P_n r * (G r ^ 2 + B ^ 2 * A_M r k) + 5 / 8 * b r ^ 2 + 21 / 8 * sigma r ^ 2).
Proof.
  rewrite (N_abs _ _ _ _ _ _ _ _ _ _ (constants_fine r k ok)).
  eapply Rle_trans; [apply (noise_small (gamma r) (mu r) (L r) (P_b r) (P_n r) (Rabs (b r)) (Rabs (sigma r)) B
    (nu_M k)
    (D_B r) (Es r)); auto using Rabs_pos, nu_M_nonneg|].
  rewrite !pow2_abs. fold g. apply Rmult_le_compat_l;
    [apply Rmult_le_pos; [unfold g; nra|apply nu_M_nonneg]|].
  apply Rplus_le_compat_r, Rplus_le_compat_r, Rmult_le_compat_l; [lra|auto].
Qed.
Lemma Ebar_large : 3 / 4 * INR (Es r) <= Ebar r.
Proof. exact (Ebar_ge _ _ _ _ _ _ _ _ kept several conditions). Qed.
Lemma inner_part x : 0 <= x ->
  inner_many (rho_B r k) (u_B r k) (N_B r k) x <= 2 * (L r ^ 2 * R2) + 2 * (L r * gamma r * Ebar r) * N1.
Proof.
  intros Hx. apply Rle_trans with (inner_many (rho_B r k) (L r * gamma r * Ebar r) N1 x).
  { apply inner_grows; auto using u_nonneg, u_scaled, N_scaled. }
  pose proof (u_small _ _ _ _ _ _ _ _ ga Lp kept Pb several B_one conditions) as Hu.
  change (total_weight (gamma r) (mu r) (Es r)) with (Ebar r) in Hu.
  eapply Rle_trans; [apply inner_le_quarter; [|apply N1_nonneg]|lra].
  pose proof (u_nonneg r k ok). pose proof u_scaled. lra.
Qed.
Lemma bound_measured : A_M r k <= bound_B3 (gamma r) (L r) (P_b r) (P_n r) (b r) (sigma r) (G r) B (nu_M k)
  (Delta_B r k) (Theta_B r k) R2 (INR (Es r)) (Ebar r) (INR (T r)).
Proof.
  destruct (theorem_b r k ok) as [x [Hx [_ H]]]. pose proof (inner_part x Hx) as Hi. pose proof F_part as HF.
  pose proof N_part as HN. pose proof (n_one _ several) as Hn. pose proof (cb_one (P_b r)) as Hcb.
  pose proof (cc_one (P_b r) (P_n r)) as Hcc. pose proof (g_pos _ _ ga Lp) as Hg.
  fold n cb cc g in Hn, Hcb, Hcc, Hg.
  pose proof nu_M_nonneg as Hnu. destruct conditions as (HQ & Hc1 & Hc2 & _).
  assert (HA : 0 <= A_M r k) by apply (inner_nonneg _ (a r k ok)).
  eapply Rle_trans; [apply (solved (A_M r k) (start_B r k) (F_B r k ^ 2) (L r ^ 2 * R2)
    (2 * (L r * gamma r * Ebar r) * N1) (P_b r) B (G r ^ 2) (b r ^ 2) (sigma r ^ 2) (g * cb * n) cc
      (cb ^ 2 * g ^ 2 * n)
    (g * nu_M k) (P_n r))|]; auto using pow2_ge_0.
  - apply Rmult_le_pos; [apply Rmult_le_pos|]; lra.
  - apply Rmult_le_pos; [apply Rmult_le_pos; apply pow2_ge_0|lra].
  - apply Rmult_le_pos; lra.
  - apply Rle_trans with (2 := Hc1). right. unfold g, cb, cc, n. ring.
  - apply Rle_trans with (2 := Hc2). right. unfold g. ring.
  - lra.
  - right. unfold bound_B3, corollary2_bound, start_B, start_part, optimisation. fold n cb cc. unfold g, Rdiv.
    ring.
Qed.
End Scaled.

Theorem corollary_b3_measured : Corollary_B3_Measured.
Proof.
  intros r k B R2 ok small several B1 D_le rho_le conditions. split; [|now apply bound_measured].
  now apply (Ebar_large r k ok B).
Qed.
Theorem corollary_b3 : Corollary_B3.
Proof.
  intros r k kappa ok small several Hm Hsm Hsq H3 Hk HA HB HB0 conditions.
  assert (Hs : 0 < sqrt kappa) by now apply sqrt_lt_R0. pose proof (sqrt_sqrt kappa (Rlt_le _ _ Hk)) as Hs2.
  apply corollary_b3_measured; auto.
  - apply Rmult_le_reg_r with (sqrt kappa); [auto|].
    replace (B r / sqrt kappa * sqrt kappa) with (B r) by (field; lra). rewrite Rmult_1_l.
    apply square_le; [auto|]. simpl in HB. lra.
  - replace (G r ^ 2 + (B r / sqrt kappa) ^ 2 * A_M r k) with (G r ^ 2 + B r ^ 2 * A_M r k / kappa).
    + now apply d_from_a3.
    + set (q := sqrt kappa) in *. clearbody q. rewrite <- Hs2. field. lra.
  - pose proof (rho_from_lambda r k 1 ok) as H. rewrite sqrt_1, Rmult_1_l in H. rewrite <- Rpow_mult_distr.
    apply pow_incr. split; [apply sqrt_pos|]. destruct small as (HL & _).
    apply H; auto; [lra|]. intros. rewrite Rmult_1_l. auto.
Qed.
