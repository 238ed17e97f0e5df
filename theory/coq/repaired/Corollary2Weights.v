(** * Lemmas for Corollary 2: its conditions on γ, and means with the weights ω_e/Ē *)
From Coq Require Import Reals Lra Lia.
From FPS.repaired Require Import Setting Drift TheoremA Corollary2 TheoremADescent Corollary2Numbers.
Open Scope R_scope.

Section Weights.
Variables gamma mu L P_b P_n B nu : R.
Variable steps : nat.
Hypotheses (ga : 0 < gamma) (Lp : 0 < L) (kept : 0 <= gamma * mu <= 1) (Pb : 0 <= P_b).
Hypotheses (several : (2 <= steps)%nat) (B_one : 1 <= B).
Hypothesis small : corollary2_conditions gamma mu L P_b P_n B nu (INR steps).
Let cb := c_b P_b.
Let cc := c_all P_b P_n.
Let n := INR steps - 1.   (* E − 1 *)
Let g := L * gamma.
Let W := total_weight gamma mu steps.   (* Ē *)
Let sh e := share gamma mu steps e.

Lemma n_one : 1 <= n.
Proof. unfold n. assert (2 <= INR steps) by (apply (le_INR 2); auto). lra. Qed.
Lemma cb_one : 1 <= cb.
Proof. unfold cb, c_b. pose proof (sqrt_pos P_b). lra. Qed.
Lemma cc_one : 1 <= cc.
Proof. unfold cc, c_all. pose proof cb_one. unfold cb in *. pose proof (sqrt_pos P_n). lra. Qed.
Lemma g_pos : 0 < g. Proof. unfold g. nra. Qed.
Lemma step_h : 8 * (g * cb * n) * cc * B <= 1 - P_b * B ^ 2.
Proof. unfold g. destruct small as (_ & H & _). apply Rle_trans with (2 := H). fold cc cb n. right; ring. Qed.
Lemma step_c : 8 * g * n * cc <= 1.
Proof.
  pose proof step_h. pose proof n_one. pose proof cb_one. pose proof cc_one. pose proof g_pos.
  assert (0 <= P_b * B ^ 2) by (pose proof (pow2_ge_0 B); nra).
  assert (0 <= g * n * cc) by (apply Rmult_le_pos; [apply Rmult_le_pos|]; lra).
  assert (1 <= cb * B) by nra. nra.
Qed.
Lemma step_one : 8 * g * n <= 1.
Proof.
  pose proof step_c. pose proof n_one. pose proof cc_one. pose proof g_pos.
  assert (0 <= g * n) by (apply Rmult_le_pos; lra). nra.
Qed.

(** ** Weights *)
Lemma weight_le_one e : omega gamma mu steps e <= 1.
Proof.
  unfold omega. apply Rle_trans with (1 ^ (steps - 1 - e)); [apply pow_incr|rewrite pow1; lra]. lra.
Qed.
Lemma Ebar_le : W <= INR steps.
Proof.
  unfold W, total_weight. rewrite <- (Rmult_1_r (INR steps)), <- sum_const.
  apply sum_mono; intros; apply weight_le_one.
Qed.
Lemma Ebar_ge : 3 / 4 * INR steps <= W.
Proof.
  apply Rle_trans with (sum steps (fun e => 1 + (- (gamma * mu)) * (n + (-1) * INR e))).
  - rewrite sum_add, sum_scale, sum_add, sum_scale, sum_e, !sum_const. fold n.
    replace (INR steps) with (n + 1) by (unfold n; ring). pose proof n_one.
    assert (gamma * mu * n <= 1 / 2) by (destruct small as (_ & _ & _ & H3); fold n in H3; lra). nra.
  - apply sum_mono; intros e He. unfold omega.
    apply Rle_trans with (2 := bernoulli _ (steps - 1 - e) kept).
    rewrite minus_INR, minus_INR by lia. simpl (INR 1). unfold n. right; ring.
Qed.
Lemma u_small : L * gamma * W <= 1 / 4.
Proof.
  fold g. pose proof Ebar_le. pose proof step_one. pose proof n_one. pose proof g_pos.
  replace (INR steps) with (n + 1) in * by (unfold n; ring). nra.
Qed.
Lemma EP : 0 < W.
Proof. apply total_weight_pos; [exact kept|lia]. Qed.
Lemma sh_nonneg e : 0 <= sh e.
Proof. apply share_nonneg; [exact kept|lia]. Qed.
Lemma sh_sum : sum steps sh = 1.
Proof. apply shares_sum; [exact kept|lia]. Qed.
Lemma share_le e : sh e <= / W.
Proof.
  unfold sh, share, Rdiv. fold W. rewrite <- (Rmult_1_l (/ W)) at 2.
  apply Rmult_le_compat_r; [|apply weight_le_one].
  left; apply Rinv_0_lt_compat, EP.
Qed.
Lemma mean_le (X : nat -> R) c : (forall e, 0 <= X e) -> sum steps X <= c * (3 / 4 * INR steps) -> 0 <= c ->
  sum steps (fun e => sh e * X e) <= c.
Proof.
  intros HX Hs Hc. pose proof Ebar_ge. pose proof EP as HE.
  apply Rle_trans with (/ W * sum steps X).
  - rewrite <- sum_scale. apply sum_mono; intros e _. apply Rmult_le_compat_r; [auto|apply share_le].
  - apply Rmult_le_reg_l with W; [auto|]. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra. nra.
Qed.
Lemma mean_e : sum steps (fun e => sh e * INR e) <= 2 / 3 * n.
Proof.
  pose proof n_one. apply mean_le; [intros; apply pos_INR| |lra]. rewrite sum_e.
  replace (INR steps) with (n + 1) by (unfold n; ring). nra.
Qed.
Lemma mean_e2 : sum steps (fun e => sh e * INR e ^ 2) <= 2 / 3 * n ^ 2.
Proof.
  pose proof n_one. apply mean_le; [intros; apply pow2_ge_0| |nra]. rewrite sum_e2.
  replace (INR steps) with (n + 1) by (unfold n; ring). nra.
Qed.
Lemma mean_root s : s * s = 2 / 3 * n -> 0 < s -> sum steps (fun e => sh e * sqrt (INR e)) <= s.
Proof.
  intros Hs Hs0. pose proof mean_e as He. pose proof sh_sum as H1.
  apply Rle_trans with (sum steps (fun e => / (2 * s) * (sh e * INR e) + s / 2 * sh e)).
  - apply sum_mono; intros e _. pose proof (sh_nonneg e). pose proof (root_tangent s e Hs0).
    replace (/ (2 * s) * (sh e * INR e) + s / 2 * sh e) with (sh e * (INR e / (2 * s) + s / 2))
      by (field; lra).
    nra.
  - rewrite sum_add, !sum_scale, H1. rewrite <- Hs in He.
    assert (0 < / (2 * s)) by (apply Rinv_0_lt_compat; lra).
    apply Rle_trans with (/ (2 * s) * (s * s) + s / 2 * 1); [nra|]. right; field; lra.
Qed.

End Weights.
