(** * Lemmas for the closed forms of the drift recursion *)
From Coq Require Import Reals Lra Lia.
From FPS.repaired Require Import Setting Drift DriftRecursion.
Open Scope R_scope.

Lemma root_of_squares_le x y c : 0 <= c -> x ^ 2 + y ^ 2 <= c ^ 2 -> sqrt (x ^ 2 + y ^ 2) <= c.
Proof. intros Hc H. rewrite <- (sqrt_pow2 c Hc). now apply sqrt_le_1_alt. Qed.
Lemma root_of_sum p x y : 0 <= p -> 0 <= x -> 0 <= y -> sqrt (p * x ^ 2 + y ^ 2) <= sqrt p * x + y.
Proof.
  intros Hp Hx Hy. pose proof (sqrt_pos p). pose proof (sqrt_sqrt p Hp).
  replace (p * x ^ 2) with ((sqrt p * x) ^ 2) by (rewrite Rpow_mult_distr; simpl; nra).
  assert (0 <= sqrt p * x) by nra. apply root_of_squares_le; nra.
Qed.
(** √(p(x+y)² + z²) ≤ √(px² + z²) + √p y: the root grows with slope at most √p. *)
Lemma root_around p x y z : 0 <= p -> 0 <= x -> 0 <= y ->
  sqrt (p * (x + y) ^ 2 + z ^ 2) <= sqrt (p * x ^ 2 + z ^ 2) + sqrt p * y.
Proof.
  intros Hp Hx Hy. pose proof (sqrt_pos p) as R0. pose proof (sqrt_sqrt p Hp) as R2.
  set (k := sqrt (p * x ^ 2 + z ^ 2)). assert (Hk0 : 0 <= k) by apply sqrt_pos.
  assert (Hk : k * k = p * x ^ 2 + z ^ 2) by (apply sqrt_sqrt; nra).
  assert (Hx' : sqrt p * x <= k) by (apply square_le; [auto|nra]). assert (0 <= sqrt p * y) by nra.
  rewrite <- (sqrt_pow2 (k + sqrt p * y)) by lra. apply sqrt_le_1_alt.
  replace (p * (x + y) ^ 2 + z ^ 2) with (k * k + 2 * (sqrt p * x) * (sqrt p * y) + (sqrt p * y) ^ 2)
    by (rewrite Hk; revert R2; generalize (sqrt p); intros q <-; ring).
  nra.
Qed.
Lemma kappa_nonneg gamma L P_b P_n : 0 <= gamma -> 0 <= L -> 0 <= kappa gamma L P_b P_n.
Proof.
  intros. unfold kappa, c_all, c_b. pose proof (sqrt_pos P_b). pose proof (sqrt_pos P_n).
  repeat apply Rmult_le_pos; lra.
Qed.

Section Closed.
Variables gamma mu L P_b P_n b sigma D : R.
Hypothesis fine : drift_constants gamma mu L P_b P_n D.
Let S_ := drift gamma mu L P_b P_n b sigma D.
Let kap := kappa gamma L P_b P_n.
Let NN := sqrt (noise_bound P_n sigma D).   (* 𝒩 = √(P_n D² + σ²) *)

Lemma noise_root : 0 <= NN /\ NN * NN = P_n * D ^ 2 + sigma ^ 2.
Proof.
  destruct fine as (_ & _ & _ & _ & Hn & HD). split; [apply sqrt_pos|]. apply sqrt_sqrt.
  now apply noise_nonneg.
Qed.
(** The noise of a gradient of norm D + y is at most (𝒩 + √P_n y)². *)
Lemma noise_around y : 0 <= y -> noise_bound P_n sigma (D + y) <= (NN + sqrt P_n * y) ^ 2.
Proof.
  intros Hy. destruct fine as (_ & _ & _ & _ & Hn & HD). pose proof (root_around P_n D y sigma Hn HD Hy) as H.
  fold (noise_bound P_n sigma D) in H. fold NN in H.
  rewrite <- (pow2_sqrt (noise_bound P_n sigma (D + y))) by now apply noise_nonneg.
  apply pow_incr. split; [apply sqrt_pos|exact H].
Qed.
(** One step, for any x ≥ 0 that bounds the bias at D: the part that does not grow with s, and the rest. *)
Lemma step_split x s : 0 <= s -> 0 <= x ->
  (forall y, 0 <= y -> bias_bound P_b b (D + y) <= x + sqrt P_b * y) ->
  drift_step gamma mu L P_b P_n b sigma D s <= sqrt ((s + gamma * (D + x)) ^ 2 + (gamma * NN) ^ 2) + kap * s.
Proof.
  intros Hs Hx Hbias. destruct noise_root as [HN0 HN]. pose proof fine as (ga & Hmu & HL & Hb0 & Hn0 & HD).
  pose proof (sqrt_pos P_b) as Rb. pose proof (sqrt_pos P_n) as Rn. assert (HLs : 0 <= L * s) by nra.
  specialize (Hbias (L * s) HLs). pose proof (bias_nonneg P_b b (D + L * s)) as Hbias0.
  pose proof (noise_around (L * s) HLs) as Hnoise.
  set (p := gamma * L * c_b P_b * s). set (w := gamma * (sqrt P_n * (L * s))).
  assert (Hp : 0 <= p) by (unfold p, c_b; apply Rmult_le_pos; [apply Rmult_le_pos; [nra|lra]|lra]).
  assert (Hw : 0 <= w) by (unfold w; apply Rmult_le_pos; [lra|nra]).
  assert (Hk : kap * s = p + w) by (unfold kap, kappa, c_all, p, w; ring).
  set (X := s + gamma * (D + x)). assert (HX : 0 <= X) by (unfold X; nra).
  set (Z := sqrt (X ^ 2 + (gamma * NN) ^ 2)). assert (HZ0 : 0 <= Z) by apply sqrt_pos.
  assert (HZ : Z * Z = X ^ 2 + (gamma * NN) ^ 2) by (apply sqrt_sqrt; nra).
  assert (HgN : 0 <= gamma * NN) by nra.
  assert (HZX : X <= Z) by (apply square_le; nra). assert (HZN : gamma * NN <= Z) by (apply square_le; nra).
  assert (H1 : 0 <= (1 - gamma * mu) * s + gamma * (D + L * s + bias_bound P_b b (D + L * s)) <= X + p).
  { split; [assert (0 <= D + L * s) by lra; nra|]. unfold X, p, c_b. nra. }
  assert (H2 : gamma ^ 2 * noise_bound P_n sigma (D + L * s) <= (gamma * NN + w) ^ 2).
  { unfold w. replace ((gamma * NN + gamma * (sqrt P_n * (L * s))) ^ 2)
      with (gamma ^ 2 * (NN + sqrt P_n * (L * s)) ^ 2) by ring.
    apply Rmult_le_compat_l; [apply pow2_ge_0|auto]. }
  unfold drift_step. rewrite Hk, <- (sqrt_pow2 (Z + (p + w))) by lra. apply sqrt_le_1_alt.
  clear Hnoise HN Hbias Hbias0 Hk. apply Rle_trans with ((X + p) ^ 2 + (gamma * NN + w) ^ 2).
  - apply Rplus_le_compat; [apply pow_incr; lra|exact H2].
  - assert (X * p <= Z * p) by nra. assert (gamma * NN * w <= Z * w) by nra. assert (0 <= p * w) by nra. nra.
Qed.

(** The step of both inductions: what holds for s = S_e and the bound w γ·old carries over to w(1+κ)γ·new. *)
Lemma induction_step x s w old new : 1 <= w -> 0 <= s -> 0 <= x ->
  (forall y, 0 <= y -> bias_bound P_b b (D + y) <= x + sqrt P_b * y) ->
  s <= w * gamma * old -> 0 <= old -> old <= new -> (old + (D + x)) ^ 2 + NN ^ 2 <= new ^ 2 ->
  drift_step gamma mu L P_b P_n b sigma D s <= w * (1 + kap) * gamma * new.
Proof.
  intros Hw Hs Hx Hbias HS Hold Hmono Hsq. apply Rle_trans with (1 := step_split x s Hs Hx Hbias).
  destruct noise_root as [HN0 _]. pose proof fine as (ga & _ & HL & _ & _ & HD).
  pose proof (kappa_nonneg gamma L P_b P_n ga HL) as Hk. fold kap in Hk.
  assert (HwG : gamma <= w * gamma) by nra.
  assert (Hroot : sqrt ((s + gamma * (D + x)) ^ 2 + (gamma * NN) ^ 2) <= w * gamma * new).
  { apply root_of_squares_le; [apply Rmult_le_pos; [apply Rmult_le_pos; lra|lra]|].
    apply Rle_trans with ((w * gamma) ^ 2 * ((old + (D + x)) ^ 2 + NN ^ 2)).
    - replace ((w * gamma) ^ 2 * ((old + (D + x)) ^ 2 + NN ^ 2))
        with ((w * gamma * old + w * gamma * (D + x)) ^ 2 + (w * gamma * NN) ^ 2) by ring.
      assert (gamma * (D + x) <= w * gamma * (D + x)) by (apply Rmult_le_compat_r; lra).
      assert (gamma * NN <= w * gamma * NN) by (apply Rmult_le_compat_r; lra).
      assert (0 <= gamma * (D + x)) by (apply Rmult_le_pos; lra). assert (0 <= gamma * NN) by nra.
      apply Rplus_le_compat; apply pow_incr; lra.
    - replace ((w * gamma * new) ^ 2) with ((w * gamma) ^ 2 * new ^ 2) by ring.
      apply Rmult_le_compat_l; [apply pow2_ge_0|auto]. }
  assert (kap * s <= kap * (w * gamma * new)).
  { apply Rmult_le_compat_l; [auto|]. apply Rle_trans with (1 := HS). apply Rmult_le_compat_l; nra. }
  lra.
Qed.

(** S_e ≤ (1+κ)^e γ [e(c_b D + b) + √e 𝒩] *)
Lemma closed e : 0 <= b -> S_ e <= (1 + kap) ^ e * gamma * (INR e * (c_b P_b * D + b) + sqrt (INR e) * NN).
Proof.
  intros Hb. destruct noise_root as [HN0 _]. pose proof fine as (ga & _ & HL & Pb0 & _ & HD).
  pose proof (kappa_nonneg gamma L P_b P_n ga HL) as Hk. fold kap in Hk. pose proof (sqrt_pos P_b) as Rb.
  assert (HA : 0 <= c_b P_b * D + b) by (unfold c_b; nra). unfold S_.
  induction e as [|e IH]; [simpl; rewrite sqrt_0; lra|].
  cbn [drift]. rewrite S_INR. set (n := INR e) in *. assert (Hn : 0 <= n) by apply pos_INR.
  set (k := sqrt n) in *. set (k1 := sqrt (n + 1)). set (a := c_b P_b * D + b) in *.
  assert (Hk0 : 0 <= k) by apply sqrt_pos. assert (Hk2 : k * k = n) by now apply sqrt_sqrt.
  assert (Hk10 : 0 <= k1) by apply sqrt_pos. assert (Hk12 : k1 * k1 = n + 1) by (apply sqrt_sqrt; lra).
  assert (Hkk : k <= k1) by (apply square_le; lra). assert (HkN : k * NN <= k1 * NN) by nra.
  replace ((1 + kap) ^ S e) with ((1 + kap) ^ e * (1 + kap)) by (simpl; ring).
  apply (induction_step (sqrt P_b * D + b) _ _ (n * a + k * NN)); auto using drift_nonneg; try nra.
  - apply pow_R1_Rle; lra.
  - intros y Hy. pose proof (root_of_sum P_b (D + y) b). unfold bias_bound. lra.
  - replace (D + (sqrt P_b * D + b)) with a by (unfold a, c_b; ring).
    replace ((n * a + k * NN + a) ^ 2 + NN ^ 2) with (((n + 1) * a) ^ 2 + 2 * ((n + 1) * a) * (k * NN) +
      (k * k + 1) * NN ^ 2)
      by ring.
    replace (((n + 1) * a + k1 * NN) ^ 2) with (((n + 1) * a) ^ 2 + 2 * ((n + 1) * a) * (k1 * NN) + k1 * k1 *
      NN ^ 2) by ring.
    rewrite Hk2, Hk12. assert (0 <= (n + 1) * a) by nra. nra.
Qed.
(** S_e ≤ (1+κ)^e γ e √((D + √(P_bD²+b²))² + 𝒩²) *)
Lemma linear e : S_ e <= (1 + kap) ^ e * gamma * (INR e * sqrt ((D + bias_bound P_b b D) ^ 2 + NN ^ 2)).
Proof.
  destruct noise_root as [HN0 _]. pose proof fine as (ga & _ & HL & Pb0 & _ & HD).
  pose proof (kappa_nonneg gamma L P_b P_n ga HL) as Hk. fold kap in Hk.
  pose proof (bias_nonneg P_b b D) as Hb.
  set (a := D + bias_bound P_b b D). assert (Ha : 0 <= a) by (unfold a; lra).
  set (q := sqrt (a ^ 2 + NN ^ 2)). assert (Hq0 : 0 <= q) by apply sqrt_pos.
  assert (Hq : q * q = a ^ 2 + NN ^ 2) by (apply sqrt_sqrt; nra).
  assert (Haq : a <= q) by (apply square_le; nra).
  unfold S_; induction e as [|e IH]; [simpl; lra|].
  cbn [drift]. rewrite S_INR. set (n := INR e) in *. assert (Hn : 0 <= n) by apply pos_INR.
  replace ((1 + kap) ^ S e) with ((1 + kap) ^ e * (1 + kap)) by (simpl; ring).
  apply (induction_step (bias_bound P_b b D) _ _ (n * q)); auto using drift_nonneg; try nra.
  - apply pow_R1_Rle; lra.
  - intros y Hy. now apply root_around.
  - fold a. assert (0 <= n * q) by nra. nra.
Qed.
(** S_e² ≤ 2(1+κ)^{2e} γ² e² [(1 + P_b + P_n/2)D² + b² + σ²/2] *)
Lemma square e : S_ e ^ 2 <= drift_squared 2 gamma L P_b P_n b sigma D e.
Proof.
  pose proof (linear e) as H. assert (H0 : 0 <= S_ e) by apply drift_nonneg.
  pose proof fine as (ga & _ & HL & Pb0 & Pn0 & HD). destruct noise_root as [_ HN].
  pose proof (bias_square P_b b D Pb0) as HB. set (x := bias_bound P_b b D) in *.
  set (q := sqrt ((D + x) ^ 2 + NN ^ 2)) in *.
  assert (Hq : q ^ 2 = (D + x) ^ 2 + NN ^ 2) by (apply pow2_sqrt; apply Rplus_le_le_0_compat;
    apply pow2_ge_0).
  assert (Hq2 : q ^ 2 <= 2 * ((1 + P_b + P_n / 2) * D ^ 2 + b ^ 2 + sigma ^ 2 / 2)).
  { rewrite Hq. pose proof (pow2_ge_0 (D - x)). nra. }
  apply Rle_trans with (((1 + kap) ^ e * gamma * (INR e * q)) ^ 2); [apply pow_incr; lra|].
  unfold drift_squared. fold kap.
  replace (((1 + kap) ^ e * gamma * (INR e * q)) ^ 2) with
    ((1 + kap) ^ (2 * e) * gamma ^ 2 * INR e ^ 2 * q ^ 2)
    by (rewrite (Nat.mul_comm 2 e), pow_mult; ring).
  assert (Hp : 0 <= (1 + kap) ^ (2 * e) * gamma ^ 2 * INR e ^ 2).
  { pose proof (kappa_nonneg gamma L P_b P_n ga HL). fold kap in H1.
    apply Rmult_le_pos; [apply Rmult_le_pos; [apply pow_le; lra|]|]; apply pow2_ge_0. }
  apply Rle_trans with (1 := Rmult_le_compat_l _ _ _ Hp Hq2). right; ring.
Qed.
End Closed.
