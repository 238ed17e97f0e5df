(** * Lemmas for Corollary 2: F² and 2uN under its conditions *)
From Coq Require Import Reals Lra Lia.
From FPS.repaired Require Import Setting Drift TheoremA Corollary2 DriftRecursion DriftClosedForms
  TheoremADescent
  Corollary2Numbers Corollary2Weights.
Open Scope R_scope.

Section Errors.
Variables gamma mu L P_b P_n b sigma B nu D : R.
Variable steps : nat.
Hypotheses (ga : 0 < gamma) (Lp : 0 < L) (kept : 0 <= gamma * mu <= 1) (Pb : 0 <= P_b) (Pn : 0 <= P_n).
Hypotheses (several : (2 <= steps)%nat) (B_one : 1 <= B) (HD : 0 <= D) (nu_nonneg : 0 <= nu).
Hypotheses (b_nonneg : 0 <= b) (sigma_nonneg : 0 <= sigma).
Hypothesis small : corollary2_conditions gamma mu L P_b P_n B nu (INR steps).
Let cb := c_b P_b.
Let cc := c_all P_b P_n.
Let n := INR steps - 1.
Let g := L * gamma.
Let W := total_weight gamma mu steps.
Let sh e := share gamma mu steps e.
Let S_ := drift gamma mu L P_b P_n b sigma D.
Let H_ e := D + L * S_ e.
Let F_ := F_at gamma mu L P_b P_n b sigma steps D.
Let N_ := N_at nu gamma mu L P_b P_n b sigma steps D.
Lemma n_one : 1 <= n.
Proof. exact (n_one steps several). Qed.
Lemma cb_one : 1 <= cb.
Proof. exact (cb_one P_b). Qed.
Lemma cc_one : 1 <= cc.
Proof. exact (cc_one P_b P_n). Qed.
Lemma g_pos : 0 < g.
Proof. exact (g_pos gamma L ga Lp). Qed.
Lemma step_c : 8 * g * n * cc <= 1.
Proof. exact (step_c gamma mu L P_b P_n B nu steps ga Lp Pb several B_one small). Qed.
Lemma EP : 0 < W.
Proof. exact (EP gamma mu steps kept several). Qed.
Lemma sh_nonneg : forall e, 0 <= sh e.
Proof. exact (sh_nonneg gamma mu steps kept several). Qed.
Lemma sh_sum : sum steps sh = 1.
Proof. exact (sh_sum gamma mu steps kept several). Qed.
Lemma share_le : forall e, sh e <= / W.
Proof. exact (share_le gamma mu steps kept several). Qed.
Lemma mean_e : sum steps (fun e => sh e * INR e) <= 2 / 3 * n.
Proof. exact (mean_e gamma mu L P_b P_n B nu steps kept several small). Qed.
Lemma mean_e2 : sum steps (fun e => sh e * INR e ^ 2) <= 2 / 3 * n ^ 2.
Proof. exact (mean_e2 gamma mu L P_b P_n B nu steps kept several small). Qed.
Lemma mean_root : forall s, s * s = 2 / 3 * n -> 0 < s -> sum steps (fun e => sh e * sqrt (INR e)) <= s.
Proof. exact (mean_root gamma mu L P_b P_n B nu steps kept several small). Qed.
Lemma constants : drift_constants gamma mu L P_b P_n D.
Proof. unfold drift_constants. repeat split; lra. Qed.

Lemma S_le e : (e < steps)%nat -> S_ e <= 8 / 7 * gamma * (INR e * (cc * D + b) + sqrt (INR e) * sigma).
Proof.
  intros He. pose proof (closed gamma mu L P_b P_n b sigma D constants e b_nonneg) as H.
  unfold S_. apply Rle_trans with (1 := H).
  set (NN := sqrt (noise_bound P_n sigma D)). set (AA := c_b P_b * D + b).
  assert (Hk : (1 + kappa gamma L P_b P_n) ^ e <= 8 / 7).
  { apply growth; [apply kappa_nonneg; lra|]. unfold kappa. fold cc.
    assert (INR e <= n).
    { unfold n. assert (H0 : INR (e + 1) <= INR steps) by (apply le_INR; lia). rewrite plus_INR in H0.
      simpl in H0; lra. }
    pose proof step_c. unfold g in *. pose proof cc_one.
    assert (0 <= gamma * L * cc) by (apply Rmult_le_pos; nra).
    pose proof (pos_INR e). nra. }
  assert (HN : NN <= sqrt P_n * D + sigma) by (apply root_of_sum; auto).
  assert (0 <= NN) by apply sqrt_pos.
  pose proof (pos_INR e) as He0. pose proof (root_le e) as Hre. pose proof (sqrt_pos (INR e)) as Hr0.
  pose proof (sqrt_pos P_n) as Rn. pose proof cb_one as Hcb.
  assert (HAA : 0 <= AA) by (unfold AA; fold cb; nra).
  assert (HI : INR e * AA + sqrt (INR e) * NN
          <= INR e * (cc * D + b) + sqrt (INR e) * sigma).
  { unfold AA, cc, c_all. assert (0 <= sqrt P_n * D) by nra.
    assert (sqrt (INR e) * (sqrt P_n * D) <= INR e * (sqrt P_n * D)) by nra. nra. }
  assert (0 <= INR e * AA + sqrt (INR e) * NN) by nra.
  rewrite !Rmult_assoc. apply Rmult_le_compat.
  - apply pow_le. pose proof (kappa_nonneg gamma L P_b P_n (Rlt_le _ _ ga) (Rlt_le _ _ Lp)). lra.
  - nra.
  - auto.
  - nra.
Qed.

(** F ≤ √(P_bD²+b²) + c_b L Σ(ω_e/Ē)S_e *)
Lemma F_le s : s * s = 2 / 3 * n -> 0 < s ->
  F_ <= bias_bound P_b b D + 8 / 7 * (g * cb) * (2 / 3 * n * (cc * D + b) + s * sigma).
Proof.
  intros Hs Hs0. pose proof cb_one as Hcb. pose proof g_pos as Hg. pose proof cc_one as Hcc.
  apply Rle_trans with (sum steps (fun e => bias_bound P_b b D * sh e +
     8 / 7 * (g * cb) * ((cc * D + b) * (sh e * INR e) + sigma * (sh e * sqrt (INR e))))).
  - apply sum_mono; intros e He. pose proof (sh_nonneg e) as Hw.
    replace (bias_bound P_b b D * sh e + 8 / 7 * (g * cb) *
      ((cc * D + b) * (sh e * INR e) + sigma * (sh e * sqrt (INR e)))) with
      (sh e * (bias_bound P_b b D + L * cb * (8 / 7 * gamma * (INR e * (cc * D + b) + sqrt (INR e) * sigma))))
      by (unfold g; ring).
    apply Rmult_le_compat_l; [auto|]. pose proof (S_le e He) as HS.
    assert (HS0 : 0 <= S_ e) by apply drift_nonneg.
    assert (HLS : 0 <= L * S_ e) by nra.
    pose proof (root_around P_b D (L * S_ e) b Pb HD HLS) as Hb.
    unfold slope. fold S_. fold (bias_bound P_b b D) (bias_bound P_b b (D + L * S_ e)) in Hb.
    change (drift gamma mu L P_b P_n b sigma D e) with (S_ e).
    apply Rle_trans with (bias_bound P_b b D + L * cb * S_ e); [unfold cb, c_b; lra|].
    apply Rplus_le_compat_l, Rmult_le_compat_l; [nra|auto].
  - rewrite sum_add, !sum_scale, sum_add, !sum_scale, sh_sum. pose proof mean_e as H1.
    pose proof (mean_root s Hs Hs0) as H2.
    assert (0 <= g * cb) by nra. assert (0 <= cc * D + b) by nra.
    assert ((cc * D + b) * sum steps (fun e => sh e * INR e) + sigma * sum steps
      (fun e => sh e * sqrt (INR e))
      <= 2 / 3 * n * (cc * D + b) + s * sigma) by nra.
    nra.
Qed.
Lemma F_square : let Q := 1 - P_b * B ^ 2 in
  F_ ^ 2 <= (1 + Q / 5) * (P_b * D ^ 2 + b ^ 2) + (1 + 5 / Q) *
    (64 / 49 * (8 / 9 * (g * cb * n * cc) ^ 2 * D ^ 2 + 16 / 9 * (g * cb * n) ^ 2 * b ^ 2 + 8 / 3 *
      (cb ^ 2 * g ^ 2 * n) * sigma ^ 2)).
Proof.
  intros Q. assert (HQ : 0 < Q) by (unfold Q; destruct small; lra). pose proof n_one as Hn.
  set (s := sqrt (2 / 3 * n)). assert (Hs : s * s = 2 / 3 * n) by (apply sqrt_sqrt; lra).
  assert (Hs0 : 0 < s) by (apply sqrt_lt_R0; lra).
  pose proof (F_le s Hs Hs0) as HF.
  assert (HF0 : 0 <= F_). { apply sum_nonneg; intros e _. apply Rmult_le_pos; [apply sh_nonneg|].
    assert (0 <= S_ e) by apply drift_nonneg. pose proof (bias_nonneg P_b b (H_ e)).
    unfold slope. change (drift gamma mu L P_b P_n b sigma D e) with (S_ e). fold (H_ e). nra. }
  set (X := bias_bound P_b b D) in *.
  assert (HX : X ^ 2 = P_b * D ^ 2 + b ^ 2).
  { now apply bias_square. }
  set (x := 8 / 7 * (g * cb) * (2 / 3 * n * (cc * D))).
  set (y := 8 / 7 * (g * cb) * (2 / 3 * n * b)). set (z := 8 / 7 * (g * cb) * (s * sigma)).
  assert (HF' : F_ <= X + (x + y + z)) by (unfold x, y, z; lra).
  rewrite <- HX.
  replace (64 / 49 * (8 / 9 * (g * cb * n * cc) ^ 2 * D ^ 2 + 16 / 9 * (g * cb * n) ^ 2 * b ^ 2 + 8 / 3 *
    (cb ^ 2 * g ^ 2 * n) * sigma ^ 2))
    with (2 * x ^ 2 + 4 * y ^ 2 + 4 * z ^ 2).
  - apply Rle_trans with ((X + (x + y + z)) ^ 2); [apply pow_incr; lra|].
    apply Rle_trans with ((1 + Q / 5) * X ^ 2 + (1 + 5 / Q) * (x + y + z) ^ 2).
    + assert (H0 : 0 <= Q / 5 * (X - 5 / Q * (x + y + z)) ^ 2) by (apply Rmult_le_pos; [lra|apply pow2_ge_0]).
      replace (Q / 5 * (X - 5 / Q * (x + y + z)) ^ 2) with
        (Q / 5 * X ^ 2 - 2 * X * (x + y + z) + 5 / Q * (x + y + z) ^ 2) in H0 by (field; lra). nra.
    + apply Rplus_le_compat_l, Rmult_le_compat_l; [assert (0 < 5 / Q) by (apply Rdiv_lt_0_compat; lra); lra|].
      pose proof (pow2_ge_0 (x - (y + z))). pose proof (pow2_ge_0 (y - z)). nra.
  - unfold x, y, z. replace (4 * (8 / 7 * (g * cb) * (s * sigma)) ^ 2) with
      (4 * (64 / 49) * (g * cb) ^ 2 * (s * s) * sigma ^ 2) by field. rewrite Hs. field.
Qed.

(** 2uN ≤ γLν[(45/16)P_nD² + (5/8)b² + (21/8)σ²] *)
Lemma slope_square : sum steps (fun e => sh e * H_ e ^ 2) <=
  45 / 32 * D ^ 2 + 5 / 16 * (b ^ 2 + sigma ^ 2) / cc ^ 2.
Proof.
  pose proof cc_one as Hcc. pose proof g_pos as Hg. pose proof n_one as Hn. pose proof step_c as Hst.
  set (m := (b + sigma) / cc). assert (Hm0 : 0 <= m) by (unfold m, Rdiv; apply Rmult_le_pos;
    [lra|left; apply Rinv_0_lt_compat; lra]).
  assert (Hm : cc * m = b + sigma) by (unfold m; field; lra).
  set (y := D + m). assert (Hy0 : 0 <= y) by (unfold y; lra).
  assert (Hy : cc * y = cc * D + b + sigma) by (unfold y; rewrite Rmult_plus_distr_l, Hm; ring).
  set (k := 8 / 7 * (g * cc) * y). assert (Hk0 : 0 <= k) by (unfold k; apply Rmult_le_pos; [nra|auto]).
  apply Rle_trans with (sum steps (fun e => D ^ 2 * sh e +
    (2 * D * k * (sh e * INR e) + k ^ 2 * (sh e * INR e ^ 2)))).
  - apply sum_mono; intros e He. pose proof (sh_nonneg e) as Hw. pose proof (S_le e He) as HS.
    assert (HS0 : 0 <= S_ e) by apply drift_nonneg.
    pose proof (pos_INR e) as He0. pose proof (root_le e) as Hre.
    assert (HH : H_ e <= D + k * INR e).
    { unfold H_. apply Rplus_le_compat_l.
      apply Rle_trans with (L * (8 / 7 * gamma * (INR e * (cc * y)))).
      - apply Rmult_le_compat_l; [lra|]. apply Rle_trans with (1 := HS). apply Rmult_le_compat_l; [nra|].
        rewrite Hy. nra.
      - right. unfold k, g. ring. }
    assert (HH0 : 0 <= H_ e) by (unfold H_; nra).
    replace (D ^ 2 * sh e + (2 * D * k * (sh e * INR e) + k ^ 2 * (sh e * INR e ^ 2)))
      with (sh e * (D + k * INR e) ^ 2) by ring.
    apply Rmult_le_compat_l; [auto|]. apply pow_incr; lra.
  - rewrite sum_add, sum_scale, sum_add, !sum_scale, sh_sum. pose proof mean_e as H1.
    pose proof mean_e2 as H2.
    assert (HDk : 0 <= 2 * D * k) by nra. assert (Hk2 : 0 <= k ^ 2) by apply pow2_ge_0.
    apply Rle_trans with (D ^ 2 * 1 + (2 * D * k * (2 / 3 * n) + k ^ 2 * (2 / 3 * n ^ 2))); [nra|].
    assert (Hkn : k * n <= y / 7).
    { unfold k. replace (8 / 7 * (g * cc) * y * n) with (y / 7 * (8 * g * n * cc)) by field. nra. }
    assert (Hkn0 : 0 <= k * n) by nra.
    replace (D ^ 2 * 1 + (2 * D * k * (2 / 3 * n) + k ^ 2 * (2 / 3 * n ^ 2))) with
      (D ^ 2 + 4 / 3 * D * (k * n) + 2 / 3 * (k * n) ^ 2) by field.
    apply Rle_trans with (D ^ 2 + 4 / 3 * D * (y / 7) + 2 / 3 * (y / 7) ^ 2); [nra|].
    assert (Hm2 : m ^ 2 <= 2 * ((b ^ 2 + sigma ^ 2) / cc ^ 2)).
    { unfold m. replace (((b + sigma) / cc) ^ 2) with ((b + sigma) ^ 2 / cc ^ 2) by (field; lra).
      replace (2 * ((b ^ 2 + sigma ^ 2) / cc ^ 2)) with ((2 * (b ^ 2 + sigma ^ 2)) / cc ^ 2) by (field; lra).
      unfold Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; nra|].
      pose proof (pow2_ge_0 (b - sigma)). nra. }
    unfold y. unfold Rdiv in *. pose proof (pow2_ge_0 (D - m)). pose proof (pow2_ge_0 m).
    pose proof (pow2_ge_0 D). nra.
Qed.
Lemma noise_small : 2 * (L * gamma * W) * N_ <= g * nu *
  (45 / 16 * P_n * D ^ 2 + 5 / 8 * b ^ 2 + 21 / 8 * sigma ^ 2).
Proof.
  pose proof slope_square as HH. pose proof cc_one as Hcc. pose proof g_pos as Hg.
  pose proof nu_nonneg as Hnu.
  pose proof EP as HE.
  assert (Hc2 : P_n <= cc ^ 2).
  { unfold cc, c_all. pose proof cb_one as Hcb. unfold cb in Hcb. pose proof (sqrt_pos P_n).
    pose proof (sqrt_sqrt P_n Pn). nra. }
  assert (HN : W * N_ <= nu * (P_n * sum steps (fun e => sh e * H_ e ^ 2) + sigma ^ 2 * 1)).
  { rewrite <- sh_sum, <- !sum_scale, <- sum_add. unfold N_, N_at.
    rewrite <- Rmult_assoc, (Rmult_comm W), Rmult_assoc.
    apply Rmult_le_compat_l; [auto|]. rewrite <- sum_scale. apply sum_mono; intros e _.
    pose proof (sh_nonneg e) as Hw. pose proof (share_le e) as Hle.
    assert (Hone : W * sh e <= 1).
    { apply Rmult_le_compat_l with (r := W) in Hle; [|lra]. rewrite Rinv_r in Hle; lra. }
    pose proof (pow2_ge_0 (H_ e)). pose proof (pow2_ge_0 sigma).
    assert (0 <= P_n * H_ e ^ 2 + sigma ^ 2) by nra.
    replace (P_n * (sh e * H_ e ^ 2) + sigma ^ 2 * sh e) with (1 * (sh e * (P_n * H_ e ^ 2 + sigma ^ 2)))
      by ring.
    change (share gamma mu steps e ^ 2 * noise_bound P_n sigma (slope gamma mu L P_b P_n b sigma D e))
      with (sh e ^ 2 * (P_n * H_ e ^ 2 + sigma ^ 2)).
    replace (W * (sh e ^ 2 * (P_n * H_ e ^ 2 + sigma ^ 2))) with
      (W * sh e * (sh e * (P_n * H_ e ^ 2 + sigma ^ 2))) by ring.
    apply Rmult_le_compat_r; [nra|auto]. }
  replace (2 * (L * gamma * W) * N_) with (2 * g * (W * N_)) by (unfold g; ring).
  assert (HP : P_n * sum steps (fun e => sh e * H_ e ^ 2) <=
     45 / 32 * P_n * D ^ 2 + 5 / 16 * (b ^ 2 + sigma ^ 2)).
  { apply Rle_trans with (P_n * (45 / 32 * D ^ 2 + 5 / 16 * (b ^ 2 + sigma ^ 2) / cc ^ 2));
      [apply Rmult_le_compat_l; auto|].
    assert (P_n * (5 / 16 * (b ^ 2 + sigma ^ 2) / cc ^ 2) <= 5 / 16 * (b ^ 2 + sigma ^ 2)); [|lra].
    apply Rmult_le_reg_l with (cc ^ 2); [nra|].
    replace (cc ^ 2 * (P_n * (5 / 16 * (b ^ 2 + sigma ^ 2) / cc ^ 2)))
      with (P_n * (5 / 16 * (b ^ 2 + sigma ^ 2))) by (field; lra).
    apply Rmult_le_compat_r; [|auto]. pose proof (pow2_ge_0 b). pose proof (pow2_ge_0 sigma). lra. }
  assert (0 <= g * nu) by nra. nra.
Qed.

End Errors.
