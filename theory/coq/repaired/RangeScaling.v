(** * Lemmas for the range of Theorem A: F and N are monotone, homogeneous, and grow like √t and t *)
From Coq Require Import Reals Lra Lia.
From FPS.repaired Require Import Setting Drift DriftRecursion DriftClosedForms TheoremA TheoremADescent Range.
Open Scope R_scope.

Lemma sqrt_scaled s x : 0 <= s -> 0 <= x -> sqrt (s ^ 2 * x) = s * sqrt x.
Proof. intros Hs Hx. rewrite sqrt_mult, sqrt_pow2; auto using pow2_ge_0. Qed.
Lemma bias_scaled P_b b s h : 0 <= P_b -> 0 <= s -> bias_bound P_b (s * b) (s * h) = s * bias_bound P_b b h.
Proof.
  intros HP Hs. unfold bias_bound. rewrite <- sqrt_scaled; auto.
  - f_equal. ring.
  - pose proof (pow2_ge_0 h). pose proof (pow2_ge_0 b). nra.
Qed.
Lemma noise_scaled P_n sigma s h : noise_bound P_n (s * sigma) (s * h) = s ^ 2 * noise_bound P_n sigma h.
Proof. unfold noise_bound. ring. Qed.

Section Scaling.
Variables gamma mu L P_b P_n : R.
Variable steps : nat.
Hypotheses (ga : 0 < gamma) (kept : 0 <= gamma * mu <= 1) (HL : 0 <= L) (Pb : 0 <= P_b) (Pn : 0 <= P_n).
Hypothesis some : (0 < steps)%nat.
Local Notation S_ b sigma D e := (drift gamma mu L P_b P_n b sigma D e).
Local Notation H_ b sigma D e := (slope gamma mu L P_b P_n b sigma D e).
Local Notation F_ b sigma D := (F_at gamma mu L P_b P_n b sigma steps D).
Local Notation N_ nu b sigma D := (N_at nu gamma mu L P_b P_n b sigma steps D).
Local Notation sh := (share gamma mu steps).
Lemma fine D : 0 <= D -> drift_constants gamma mu L P_b P_n D.
Proof. intros. unfold drift_constants. repeat split; lra. Qed.
Lemma sh_nonneg e : 0 <= sh e.
Proof. now apply share_nonneg. Qed.

(** Homogeneous: all errors times s *)
Lemma drift_scaled b sigma D s e : 0 <= s -> S_ (s * b) (s * sigma) (s * D) e = s * S_ b sigma D e.
Proof.
  intros Hs. induction e as [|e IH]; simpl; [ring|]. rewrite IH. unfold drift_step. set (y := S_ b sigma D e).
  replace (s * D + L * (s * y)) with (s * (D + L * y)) by ring. rewrite bias_scaled, noise_scaled by auto.
  rewrite <- sqrt_scaled; auto.
  - f_equal. ring.
  - apply Rplus_le_le_0_compat; [apply pow2_ge_0|].
    apply Rmult_le_pos; [apply pow2_ge_0|now apply noise_nonneg].
Qed.
Lemma slope_scaled b sigma D s e : 0 <= s -> H_ (s * b) (s * sigma) (s * D) e = s * H_ b sigma D e.
Proof. intros Hs. unfold slope. rewrite drift_scaled by auto. ring. Qed.
Lemma F_scaled b sigma D s : 0 <= s -> F_ (s * b) (s * sigma) (s * D) = s * F_ b sigma D.
Proof.
  intros Hs. unfold F_at. rewrite <- sum_scale. apply sum_ext; intros e _.
  rewrite slope_scaled, bias_scaled, drift_scaled by auto. ring.
Qed.
Lemma N_scaled nu b sigma D s : 0 <= s -> N_ nu (s * b) (s * sigma) (s * D) = s ^ 2 * N_ nu b sigma D.
Proof.
  intros Hs. unfold N_at. rewrite <- Rmult_assoc, (Rmult_comm (s ^ 2)), Rmult_assoc. f_equal.
  rewrite <- sum_scale. apply sum_ext; intros e _.
  rewrite slope_scaled, noise_scaled by auto. ring.
Qed.

(** Monotone in D, |b| and |σ| *)
Lemma slope_mono b b' sigma sigma' D D' e : 0 <= D -> D <= D' -> b ^ 2 <= b' ^ 2 -> sigma ^ 2 <= sigma' ^ 2 ->
  0 <= H_ b sigma D e <= H_ b' sigma' D' e.
Proof.
  intros HD H1 H2 H3. unfold slope. pose proof (drift_mono gamma mu L P_b P_n b b' sigma sigma' D D' e
    (fine D HD) H1 H2 H3).
  pose proof (drift_nonneg gamma mu L P_b P_n b sigma D e). nra.
Qed.
Lemma F_mono b b' sigma sigma' D D' : 0 <= D -> D <= D' -> b ^ 2 <= b' ^ 2 -> sigma ^ 2 <= sigma' ^ 2 ->
  F_ b sigma D <= F_ b' sigma' D'.
Proof.
  intros HD H1 H2 H3. apply sum_mono; intros e _. apply Rmult_le_compat_l; [apply sh_nonneg|].
  pose proof (drift_mono gamma mu L P_b P_n b b' sigma sigma' D D' e (fine D HD) H1 H2 H3).
  destruct (slope_mono b b' sigma sigma' D D' e HD H1 H2 H3). apply Rplus_le_compat; [nra|].
  apply sqrt_le_1_alt. assert (H_ b sigma D e ^ 2 <= H_ b' sigma' D' e ^ 2) by (apply pow_incr; lra). nra.
Qed.
Lemma N_mono nu b b' sigma sigma' D D' : 0 <= nu -> 0 <= D -> D <= D' -> b ^ 2 <= b' ^ 2 ->
  sigma ^ 2 <= sigma' ^ 2 ->
  N_ nu b sigma D <= N_ nu b' sigma' D'.
Proof.
  intros Hnu HD H1 H2 H3. apply Rmult_le_compat_l; [auto|]. apply sum_mono; intros e _.
  apply Rmult_le_compat_l; [apply pow2_ge_0|]. destruct (slope_mono b b' sigma sigma' D D' e HD H1 H2 H3).
  unfold noise_bound. assert (H_ b sigma D e ^ 2 <= H_ b' sigma' D' e ^ 2) by (apply pow_incr; lra). nra.
Qed.
Lemma F_nonneg b sigma D : 0 <= F_ b sigma D.
Proof.
  apply sum_nonneg; intros e _. apply Rmult_le_pos; [apply sh_nonneg|].
  pose proof (drift_nonneg gamma mu L P_b P_n b sigma D e).
  pose proof (bias_nonneg P_b b (H_ b sigma D e)). nra.
Qed.
Lemma N_nonneg nu b sigma D : 0 <= nu -> 0 <= N_ nu b sigma D.
Proof.
  intros Hnu. apply Rmult_le_pos; [auto|]. apply sum_nonneg; intros e _.
  apply Rmult_le_pos; [apply pow2_ge_0|now apply noise_nonneg].
Qed.

(** Errors that do not grow with D add a constant: the length of (x+p, y+q) is at most that of (x, y) plus p +
    q. *)
Lemma root_add x y p q : 0 <= x -> 0 <= y -> 0 <= p -> 0 <= q ->
  sqrt ((x + p) ^ 2 + (y + q) ^ 2) <= sqrt (x ^ 2 + y ^ 2) + (p + q).
Proof.
  intros Hx Hy Hp Hq. set (z := sqrt (x ^ 2 + y ^ 2)). assert (Hz0 : 0 <= z) by apply sqrt_pos.
  assert (Hz : z * z = x ^ 2 + y ^ 2) by (apply sqrt_sqrt; nra).
  assert (x <= z) by (apply square_le; nra). assert (y <= z) by (apply square_le; nra).
  apply root_of_squares_le; [lra|]. assert (x * p <= z * p) by nra. assert (y * q <= z * q) by nra. nra.
Qed.
(** One step: what grows with s and h, and a constant times w. All that is asked of w is that it bounds what
    was added. *)
Lemma step_above b sigma s s' h h' c k w : 0 <= s -> 0 <= h -> 0 <= s' -> 0 <= h' -> 0 <= c -> 0 <= k ->
  s' <= s + c * w -> h' <= h + k * w -> Rabs b <= w -> Rabs sigma <= w ->
  sqrt (((1 - gamma * mu) * s' + gamma * (h' + bias_bound P_b b h')) ^ 2 + gamma ^ 2 * noise_bound P_n sigma
    h') <=
  sqrt (((1 - gamma * mu) * s + gamma * (h + bias_bound P_b 0 h)) ^ 2 + gamma ^ 2 * noise_bound P_n 0 h)
  + (c + gamma * (k + sqrt P_b * k + 1) + gamma * (sqrt P_n * k + 1)) * w.
Proof.
  intros Hs Hh Hs' Hh' Hc Hk Ss Sh Ab As. pose proof (sqrt_pos P_b) as Rb. pose proof (sqrt_pos P_n) as Rn.
  assert (Hw : 0 <= w) by (pose proof (Rabs_pos b); lra).
  assert (B1 : bias_bound P_b b h' <= sqrt P_b * h' + w).
  { unfold bias_bound. rewrite <- (pow2_abs b). pose proof (root_of_sum P_b h' (Rabs b) Pb Hh' (Rabs_pos b)).
    lra. }
  assert (N1 : sqrt (noise_bound P_n sigma h') <= sqrt P_n * h' + w).
  { unfold noise_bound. rewrite <- (pow2_abs sigma).
    pose proof (root_of_sum P_n h' (Rabs sigma) Pn Hh' (Rabs_pos sigma)). lra. }
  assert (B0 : bias_bound P_b 0 h = sqrt P_b * h).
  { unfold bias_bound. replace (P_b * h ^ 2 + 0 ^ 2) with (h ^ 2 * P_b) by ring. rewrite sqrt_scaled by auto.
    ring. }
  assert (N0 : gamma ^ 2 * noise_bound P_n 0 h = (gamma * (sqrt P_n * h)) ^ 2).
  { unfold noise_bound. rewrite !Rpow_mult_distr, pow2_sqrt by auto. ring. }
  assert (M1 : sqrt P_b * h' <= sqrt P_b * (h + k * w)) by (apply Rmult_le_compat_l; lra).
  assert (M2 : sqrt P_n * h' <= sqrt P_n * (h + k * w)) by (apply Rmult_le_compat_l; lra).
  assert (Px : 0 <= sqrt P_b * h) by (apply Rmult_le_pos; lra).
  assert (Py : 0 <= sqrt P_n * h) by (apply Rmult_le_pos; lra).
  assert (Pcw : 0 <= c * w) by (apply Rmult_le_pos; lra).
  assert (Pkw : 0 <= k * w) by (apply Rmult_le_pos; lra).
  assert (Pbk : 0 <= sqrt P_b * (k * w)) by (apply Rmult_le_pos; lra).
  assert (Pnk : 0 <= sqrt P_n * (k * w)) by (apply Rmult_le_pos; lra).
  pose proof (bias_nonneg P_b b h') as Hb'. rewrite B0, N0.
  set (x := (1 - gamma * mu) * s + gamma * (h + sqrt P_b * h)). set (y := gamma * (sqrt P_n * h)).
  set (p := c * w + gamma * (k * w + sqrt P_b * (k * w) + w)). set (q := gamma * (sqrt P_n * (k * w) + w)).
  assert (X1 : 0 <= (1 - gamma * mu) * s' + gamma * (h' + bias_bound P_b b h') <= x + p).
  { split; [apply Rplus_le_le_0_compat; apply Rmult_le_pos; lra|]. unfold x, p.
    assert ((1 - gamma * mu) * s' <= (1 - gamma * mu) * (s + c * w)) by (apply Rmult_le_compat_l; lra).
    assert (0 <= gamma * mu * (c * w)) by (apply Rmult_le_pos; lra).
    assert (gamma * (h' + bias_bound P_b b h') <= gamma * (h + k * w + (sqrt P_b * (h + k * w) + w)))
      by (apply Rmult_le_compat_l; lra). lra. }
  assert (Y1 : gamma ^ 2 * noise_bound P_n sigma h' <= (y + q) ^ 2).
  { rewrite <- (pow2_sqrt (noise_bound P_n sigma h')), <- Rpow_mult_distr by now apply noise_nonneg.
    pose proof (sqrt_pos (noise_bound P_n sigma h')). apply pow_incr. split; [apply Rmult_le_pos; lra|].
    unfold y, q. rewrite <- Rmult_plus_distr_l. apply Rmult_le_compat_l; lra. }
  eapply Rle_trans; [|eapply Rle_trans; [apply (root_add x y p q)|]].
  - apply sqrt_le_1_alt. apply Rplus_le_compat; [apply pow_incr; exact X1|exact Y1].
  - unfold x. apply Rplus_le_le_0_compat; apply Rmult_le_pos; lra.
  - unfold y. apply Rmult_le_pos; lra.
  - unfold p. apply Rplus_le_le_0_compat; [lra|apply Rmult_le_pos; lra].
  - unfold q. apply Rmult_le_pos; lra.
  - unfold p, q. right. ring.
Qed.
Lemma drift_above e : exists c, 0 <= c /\ forall b sigma D d, 0 <= D -> 0 <= d ->
  S_ b sigma (D + d) e <= S_ 0 0 D e + c * (d + Rabs b + Rabs sigma).
Proof.
  induction e as [|e [c [Hc IH]]]; [exists 0; split; [lra|]; intros; simpl; lra|].
  assert (HLc : 0 <= L * c) by (apply Rmult_le_pos; lra). pose proof (sqrt_pos P_b) as Rb.
  pose proof (sqrt_pos P_n) as Rn.
  exists (c + gamma * ((1 + L * c) + sqrt P_b * (1 + L * c) + 1) + gamma * (sqrt P_n * (1 + L * c) + 1)).
  split.
  - assert (0 <= sqrt P_b * (1 + L * c)) by (apply Rmult_le_pos; lra).
    assert (0 <= sqrt P_n * (1 + L * c)) by (apply Rmult_le_pos; lra).
    repeat apply Rplus_le_le_0_compat; try apply Rmult_le_pos; lra.
  - intros b sigma D d HD Hd. specialize (IH b sigma D d HD Hd). pose proof (Rabs_pos b).
    pose proof (Rabs_pos sigma).
    pose proof (drift_nonneg gamma mu L P_b P_n b sigma (D + d) e) as H1.
    pose proof (drift_nonneg gamma mu L P_b P_n 0 0 D e) as H2. cbn [drift]. apply step_above; try lra.
    + apply Rplus_le_le_0_compat; [lra|apply Rmult_le_pos; lra].
    + apply Rplus_le_le_0_compat; [lra|apply Rmult_le_pos; lra].
    + apply Rmult_le_compat_l with (r := L) in IH; lra.
Qed.
End Scaling.
