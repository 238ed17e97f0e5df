(** * Lemmas for the range of Theorem A: F and √N stay within a constant of √α√t and √n√t *)
From Coq Require Import Reals Lra Lia.
From FPS.repaired Require Import Setting Drift DriftRecursion DriftClosedForms TheoremA TheoremADescent Range
  RangeScaling.
Open Scope R_scope.

Section Growth.
Variables gamma mu L P_b P_n b sigma G B nu : R.
Variable steps : nat.
Hypothesis constants : range_constants gamma mu L P_b P_n B nu steps.
Local Notation F_ := (F_of gamma mu L P_b P_n b sigma G B steps).
Local Notation N_ := (N_of gamma mu L P_b P_n b sigma G B nu steps).
Local Notation phi := (root_alpha gamma mu L P_b P_n B steps).
Local Notation n := (n_limit gamma mu L P_b P_n B nu steps).
Local Notation sh := (share gamma mu steps).
Local Notation H_ b sigma D e := (slope gamma mu L P_b P_n b sigma D e).
Let w := Rabs G + Rabs b + Rabs sigma.

Lemma D_at_bounds t : 0 <= t -> 0 <= B -> B * sqrt t <= D_at G B t <= B * sqrt t + Rabs G.
Proof.
  intros Ht HB. unfold D_at. pose proof (sqrt_pos t) as Hs. pose proof (pow2_sqrt t Ht) as Hs2.
  assert (0 <= B * sqrt t) by (apply Rmult_le_pos; lra). split.
  - apply square_le; [apply sqrt_pos|]. rewrite sqrt_sqrt;
      [|pose proof (pow2_ge_0 G); pose proof (pow2_ge_0 B); nra].
    pose proof (pow2_ge_0 G). nra.
  - replace (G ^ 2 + B ^ 2 * t) with (B ^ 2 * sqrt t ^ 2 + Rabs G ^ 2) by (rewrite Hs2, pow2_abs; ring).
    eapply Rle_trans; [apply root_of_sum; auto using pow2_ge_0, Rabs_pos|]. rewrite sqrt_pow2; lra.
Qed.
Lemma root_alpha_scaled t : F_at gamma mu L P_b P_n 0 0 steps (B * sqrt t) = phi * sqrt t.
Proof.
  destruct constants as (ga & kept & HL & Pb & Pn & HB & Hnu & some). pose proof (sqrt_pos t).
  unfold root_alpha. rewrite (Rmult_comm (F_at _ _ _ _ _ _ _ _ _)), <- F_scaled by auto. f_equal; ring.
Qed.
Lemma n_scaled t : 0 <= t -> sqrt (N_at nu gamma mu L P_b P_n 0 0 steps (B * sqrt t)) = sqrt n * sqrt t.
Proof.
  intros Ht. destruct constants as (ga & kept & HL & Pb & Pn & HB & Hnu & some). pose proof (sqrt_pos t).
  assert (HN : 0 <= n) by now apply N_nonneg.
  rewrite (Rmult_comm (sqrt n)), <- (sqrt_scaled (sqrt t) n) by auto.
  unfold n_limit. rewrite <- N_scaled by auto. f_equal. f_equal; ring.
Qed.
(** From below *)
Lemma F_from_below t : 0 <= t -> phi * sqrt t <= F_ t.
Proof.
  intros Ht. destruct constants as (ga & kept & HL & Pb & Pn & HB & Hnu & some). rewrite <- root_alpha_scaled.
  pose proof (sqrt_pos t). pose proof (pow2_ge_0 b). pose proof (pow2_ge_0 sigma).
  apply F_mono; auto; try (rewrite pow_i by lia; lra); [apply Rmult_le_pos; lra|now apply D_at_bounds].
Qed.
Lemma N_from_below t : 0 <= t -> sqrt n * sqrt t <= sqrt (N_ t).
Proof.
  intros Ht. destruct constants as (ga & kept & HL & Pb & Pn & HB & Hnu & some). rewrite <- n_scaled by auto.
  pose proof (sqrt_pos t). pose proof (pow2_ge_0 b). pose proof (pow2_ge_0 sigma). apply sqrt_le_1_alt.
  apply N_mono; auto; try (rewrite pow_i by lia; lra); [apply Rmult_le_pos; lra|now apply D_at_bounds].
Qed.
(** From above: one constant for all steps *)
Lemma slope_from_above : exists k, 0 <= k /\ forall e t, (e < steps)%nat -> 0 <= t ->
  0 <= H_ b sigma (D_at G B t) e <= H_ 0 0 (B * sqrt t) e + k /\
  drift gamma mu L P_b P_n b sigma (D_at G B t) e <= drift gamma mu L P_b P_n 0 0 (B * sqrt t) e + k.
Proof.
  destruct constants as (ga & kept & HL & Pb & Pn & HB & Hnu & _). generalize steps. intros n0.
  assert (Hw : 0 <= w) by (unfold w; pose proof (Rabs_pos G); pose proof (Rabs_pos b);
    pose proof (Rabs_pos sigma); lra).
  induction n0 as [|n0 (k & Hk & IH)]; [exists 0; split; [lra|]; intros; lia|].
  destruct (drift_above gamma mu L P_b P_n ga kept HL Pb Pn n0) as (c & Hc & Hd).
  assert (Hcw : 0 <= c * w) by (apply Rmult_le_pos; lra).
  assert (HLc : 0 <= L * (c * w)) by (apply Rmult_le_pos; lra).
  exists (k + (w + c * w + L * (c * w))). split; [lra|]. intros e t He Ht.
  destruct (Nat.eq_dec e n0) as [->|Hne]; [|destruct (IH e t ltac:(lia) Ht); lra].
  destruct (D_at_bounds t Ht HB) as [D1 D2]. pose proof (sqrt_pos t).
  assert (D0 : 0 <= B * sqrt t) by (apply Rmult_le_pos; lra).
  pose proof (drift_mono gamma mu L P_b P_n b b sigma sigma (D_at G B t) (B * sqrt t + Rabs G) n0
    (fine gamma mu L P_b P_n ga kept HL Pb Pn _ (Rle_trans _ _ _ D0 D1)) D2 ltac:(lra) ltac:(lra)) as H1.
  specialize (Hd b sigma (B * sqrt t) (Rabs G) D0 (Rabs_pos G)). fold w in Hd. unfold slope.
  pose proof (drift_nonneg gamma mu L P_b P_n b sigma (D_at G B t) n0) as H2.
  assert (H3 : drift gamma mu L P_b P_n b sigma (D_at G B t) n0 <= drift gamma mu L P_b P_n 0 0 (B * sqrt t)
    n0 + c * w) by lra.
  assert (Rabs G <= w) by (unfold w; pose proof (Rabs_pos b); pose proof (Rabs_pos sigma); lra).
  split; [split|lra].
  - assert (0 <= L * drift gamma mu L P_b P_n b sigma (D_at G B t) n0) by (apply Rmult_le_pos; lra). lra.
  - apply Rmult_le_compat_l with (r := L) in H3; lra.
Qed.
Lemma F_from_above : exists C, 0 <= C /\ forall t, 0 <= t -> F_ t <= phi * sqrt t + C.
Proof.
  destruct slope_from_above as (k & Hk & H).
  destruct constants as (ga & kept & HL & Pb & Pn & HB & Hnu & some).
  pose proof (sqrt_pos P_b) as Rb. pose proof (Rabs_pos b) as Ab.
  assert (Hlk : 0 <= L * k) by (apply Rmult_le_pos; lra).
  assert (Hbk : 0 <= sqrt P_b * k) by (apply Rmult_le_pos; lra).
  exists (L * k + sqrt P_b * k + Rabs b). split; [lra|]. intros t Ht. rewrite <- root_alpha_scaled.
  replace (L * k + sqrt P_b * k + Rabs b) with ((L * k + sqrt P_b * k + Rabs b) * sum steps sh)
    by (rewrite shares_sum by auto; ring).
  unfold F_of, F_at. rewrite <- sum_scale, <- sum_add. apply sum_mono; intros e He.
  destruct (H e t He Ht) as [[H0 H1] H2]. pose proof (share_nonneg gamma mu steps e kept some) as Hs.
  rewrite (Rmult_comm (L * k + _ + _)), <- Rmult_plus_distr_l. apply Rmult_le_compat_l; [auto|].
  apply Rmult_le_compat_l with (r := L) in H2; [|auto]. set (h' := H_ b sigma (D_at G B t) e) in *.
  set (h := H_ 0 0 (B * sqrt t) e) in *.
  assert (B1 : bias_bound P_b b h' <= sqrt P_b * h' + Rabs b)
    by (unfold bias_bound; rewrite <- (pow2_abs b); now apply root_of_sum).
  assert (B0 : sqrt P_b * h <= bias_bound P_b 0 h).
  { apply square_le; [apply bias_nonneg|]. unfold bias_bound.
    rewrite sqrt_sqrt by (pose proof (pow2_ge_0 h); nra).
    pose proof (sqrt_sqrt P_b Pb) as HP. replace (sqrt P_b * h * (sqrt P_b * h))
      with (sqrt P_b * sqrt P_b * h ^ 2) by ring.
    rewrite HP. lra. }
  apply Rmult_le_compat_l with (r := sqrt P_b) in H1; [|auto]. lra.
Qed.
(** √N is the length of a vector with one coordinate a step, so a constant in each coordinate adds a constant.
    *)
Lemma N_from_above : exists C, 0 <= C /\ forall t, 0 <= t -> sqrt (N_ t) <= sqrt n * sqrt t + C.
Proof.
  destruct slope_from_above as (k & Hk & H).
  destruct constants as (ga & kept & HL & Pb & Pn & HB & Hnu & some).
  pose proof (sqrt_pos P_n) as Rn. pose proof (Rabs_pos sigma) as As. pose proof (sqrt_pos nu) as Rnu.
  set (a := sqrt P_n * k + Rabs sigma). set (Y := (fun e => sh e * a) : Rd steps).
  exists (sqrt nu * ‖Y‖). split; [apply Rmult_le_pos; [auto|apply norm_nonneg]|]. intros t Ht.
  rewrite <- n_scaled by auto.
  set (X := (fun e => sh e * (sqrt P_n * H_ 0 0 (B * sqrt t) e)) : Rd steps).
  assert (HX : N_at nu gamma mu L P_b P_n 0 0 steps (B * sqrt t) = nu * ‖X‖²).
  { unfold N_at. f_equal. simpl. apply sum_ext; intros e _. unfold X, noise_bound.
    pose proof (sqrt_sqrt P_n Pn) as HP. transitivity (sh e ^ 2 *
      (sqrt P_n * sqrt P_n * H_ 0 0 (B * sqrt t) e ^ 2)); [|ring].
    rewrite HP. ring. }
  assert (HXY : N_ t <= nu * ‖(X + Y)‖²).
  { unfold N_of, N_at. apply Rmult_le_compat_l; [auto|]. simpl. apply sum_mono; intros e He. unfold X, Y.
    destruct (H e t He Ht) as [[H0 H1] _]. set (h' := H_ b sigma (D_at G B t) e) in *.
    set (h := H_ 0 0 (B * sqrt t) e) in *.
    replace ((sh e * (sqrt P_n * h) + sh e * a) * (sh e * (sqrt P_n * h) + sh e * a))
      with (sh e ^ 2 * (sqrt P_n * h + a) ^ 2)
      by ring.
    apply Rmult_le_compat_l; [apply pow2_ge_0|].
    rewrite <- (pow2_sqrt (noise_bound P_n sigma h')) by now apply noise_nonneg.
    apply pow_incr. split; [apply sqrt_pos|]. apply Rle_trans with (sqrt P_n * h' + Rabs sigma).
    - unfold noise_bound. rewrite <- (pow2_abs sigma). now apply root_of_sum.
    - apply Rmult_le_compat_l with (r := sqrt P_n) in H1; [|auto]. unfold a. lra. }
  apply sqrt_le_1_alt in HXY. rewrite HX. rewrite sqrt_mult in HXY |- * by (auto using inner_nonneg).
  change (sqrt ‖(X + Y)‖²) with ‖(X + Y)‖ in HXY. change (sqrt ‖X‖²) with ‖X‖.
  pose proof (minkowski _ X Y) as HM. apply Rmult_le_compat_l with (r := sqrt nu) in HM; [|auto]. lra.
Qed.
End Growth.
