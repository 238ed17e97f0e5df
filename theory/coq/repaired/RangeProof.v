(** * Proof of the range of Theorem A *)
From Coq Require Import Reals Lra Lia.
From FPS.repaired Require Import Setting Drift DriftRecursion TheoremA Range TheoremADescent RangeScaling
  RangeGrowth RangeCore.
From FPS.repaired Require Import Corollary1Proof.
Open Scope R_scope.

Lemma u_of_nonneg gamma mu L P_b P_n B nu steps : range_constants gamma mu L P_b P_n B nu steps ->
  0 <= u_of gamma mu L steps.
Proof.
  intros (ga & kept & HL & _ & _ & _ & _ & some). pose proof (total_weight_pos gamma mu steps kept some).
  unfold u_of.
  apply Rmult_le_pos; [apply Rmult_le_pos|]; lra.
Qed.
Lemma below_one s : 0 <= s -> (s < 1 <-> s ^ 2 < 1).
Proof. intros Hs. split; intros H; [nra|]. apply Rnot_le_lt. intro. nra. Qed.
(** With θ = A/A' ≤ 1: D(A) ≥ √θ D(A'), so that F(A) ≥ √θ F(A') and N(A) ≥ θ N(A'). *)
Lemma D_at_shrinks G B s A : 0 <= s <= 1 -> 0 <= A -> s * D_at G B A <= D_at G B (s ^ 2 * A).
Proof.
  intros [Hs Hs1] HA. unfold D_at. pose proof (pow2_ge_0 G). pose proof (pow2_ge_0 B).
  assert (Hss : s ^ 2 <= 1) by nra.
  rewrite <- sqrt_scaled by (auto; nra). apply sqrt_le_1_alt. nra.
Qed.
Lemma allows_smaller gamma mu L P_b P_n b sigma G B nu steps s rho K A : range_constants gamma mu L P_b P_n B
  nu steps ->
  0 <= rho -> 0 <= K -> 0 <= s <= 1 -> 0 <= A ->
  allows gamma mu L P_b P_n b sigma G B nu steps rho K A ->
  allows gamma mu L P_b P_n b sigma G B nu steps rho K (s ^ 2 * A).
Proof.
  intros constants Hrho HK Hs HA H. pose proof (u_of_nonneg _ _ _ _ _ _ _ _ constants) as Hu.
  destruct constants as (ga & kept & HL & Pb & Pn & HB & Hnu & some).
  destruct (inner_of_is steps) as (k & Hk & Hin).
  pose proof (D_at_shrinks G B s A Hs HA) as HD. assert (HD0 : 0 <= D_at G B A) by apply sqrt_pos.
  assert (Hss : forall y, (s * y) ^ 2 <= y ^ 2).
  { intros y. replace ((s * y) ^ 2) with (s ^ 2 * y ^ 2) by ring. pose proof (pow2_ge_0 y).
    assert (s ^ 2 <= 1) by nra. nra. }
  assert (HsD : 0 <= s * D_at G B A) by (apply Rmult_le_pos; lra).
  assert (HN : forall t, 0 <= N_of gamma mu L P_b P_n b sigma G B nu steps t)
    by (intros t; now apply N_nonneg).
  unfold allows in *. apply (star_ext _ _ _ _ _ (fun x => Hin _ _ _ x (HN A))) in H.
  eapply star_ext; [intros x; symmetry; apply Hin, HN|].
  refine (star_shrinks k rho _ K _ _ _ _ s A ltac:(lra) Hrho Hu HK Hs HA _ _ _ _ _ H);
    try (now apply F_nonneg); try (now apply N_nonneg).
  - unfold F_of. rewrite <- F_scaled by (auto; lra). apply F_mono; auto.
  - unfold N_of. rewrite <- sqrt_scaled by (try lra; now apply N_nonneg).
    rewrite <- N_scaled by (auto; lra). apply sqrt_le_1_alt, N_mono; auto.
Qed.

Theorem excluded_is_upward_closed : Excluded_Is_Upward_Closed.
Proof.
  intros gamma mu L P_b P_n b sigma G B nu steps constants rho K A A' Hrho HK HA HAA Hex Hall. apply Hex.
  destruct (Req_dec A' 0) as [H0|H0]; [replace A with A' by lra; exact Hall|].
  assert (HA' : 0 < A') by lra. set (s := sqrt (A / A')).
  assert (Hq : 0 <= A / A' <= 1).
  { split; [apply Rmult_le_pos; [auto|left; now apply Rinv_0_lt_compat]|].
    apply Rmult_le_reg_r with A'; [auto|]. replace (A / A' * A') with A by (field; lra). lra. }
  replace A with (s ^ 2 * A') by (unfold s; rewrite pow2_sqrt by lra; field; lra).
  apply allows_smaller; auto; [|lra]. split; [apply sqrt_pos|]. rewrite <- sqrt_1. apply sqrt_le_1_alt. lra.
Qed.

Theorem growth_of_f_and_n : Growth_Of_F_And_N.
Proof.
  intros gamma mu L P_b P_n b sigma G B nu steps constants.
  destruct (F_from_above gamma mu L P_b P_n b sigma G B nu steps constants) as (C & HC & HF).
  destruct (N_from_above gamma mu L P_b P_n b sigma G B nu steps constants) as (C' & HC' & HN).
  exists (C + C'). intros t Ht. specialize (HF t Ht). specialize (HN t Ht).
  pose proof (F_from_below gamma mu L P_b P_n b sigma G B nu steps constants t Ht).
  pose proof (N_from_below gamma mu L P_b P_n b sigma G B nu steps constants t Ht). repeat split; lra.
Qed.

Section Range.
Variables gamma mu L P_b P_n b sigma G B nu : R.
Variable steps : nat.
Hypothesis constants : range_constants gamma mu L P_b P_n B nu steps.
Variables rho K : R.
Hypotheses (Hrho : 0 <= rho) (HK : 0 <= K).
Local Notation phi := (root_alpha gamma mu L P_b P_n B steps).
Local Notation n := (n_limit gamma mu L P_b P_n B nu steps).
Local Notation uu := (u_of gamma mu L steps).
Lemma limits_nonneg : 0 <= phi /\ 0 <= n.
Proof.
  destruct constants as (ga & kept & HL & Pb & Pn & HB & Hnu & some).
  split; [now apply F_nonneg|now apply N_nonneg].
Qed.
Lemma N_of_nonneg t : 0 <= N_of gamma mu L P_b P_n b sigma G B nu steps t.
Proof. destruct constants as (ga & kept & HL & Pb & Pn & HB & Hnu & some). now apply N_nonneg. Qed.
Lemma F_of_nonneg t : 0 <= F_of gamma mu L P_b P_n b sigma G B steps t.
Proof. destruct constants as (ga & kept & HL & Pb & Pn & HB & Hnu & some). now apply F_nonneg. Qed.

Lemma bound_needs_range : gives_a_bound gamma mu L P_b P_n b sigma G B nu steps rho K ->
  in_range gamma mu L P_b P_n B nu steps.
Proof.
  intros [A0 H]. pose proof (u_of_nonneg _ _ _ _ _ _ _ _ constants) as Hu.
  destruct limits_nonneg as [Hphi Hn].
  destruct (inner_of_is steps) as (k & Hk & Hin).
  assert (Hall : forall x, 0 <= x -> Rabs (x - 1) <= phi -> inner_of steps 0 uu n x < 1 - phi ^ 2).
  { intros x Hx Hnear. apply Rnot_le_lt. intros Hle. set (A := Rmax A0 0 + 1). rewrite Hin in Hle by auto.
    pose proof (Rmax_l A0 0). pose proof (Rmax_r A0 0). assert (HA : 0 <= A) by (unfold A; lra).
    apply (H A); [unfold A; lra|exact HA|]. unfold allows.
    eapply star_ext; [intros y; symmetry; apply Hin, N_of_nonneg|].
    refine (star_everywhere k rho uu K _ n _ phi A x ltac:(lra) Hrho Hu HK HA Hphi (N_of_nonneg A) Hn _ _ Hx
      Hnear Hle);
      [exact (F_from_below _ _ _ _ _ _ _ _ _ _ _ constants A HA)|exact
        (N_from_below _ _ _ _ _ _ _ _ _ _ _ constants A HA)]. }
  split; [|exact Hall]. apply Rnot_le_lt. intros Hle.
  assert (H1 : 1 <= phi) by (apply Rnot_lt_le; intro; nra).
  assert (H0 : inner_of steps 0 uu n 0 < 1 - phi ^ 2).
  { apply Hall; [lra|]. rewrite Rminus_0_l, Rabs_Ropp, Rabs_R1. exact H1. }
  rewrite Hin in H0 by auto. unfold inner_k in H0. assert (0 <= uu * n) by (apply Rmult_le_pos; auto). lra.
Qed.
Lemma range_gives_bound : in_range gamma mu L P_b P_n B nu steps ->
  gives_a_bound gamma mu L P_b P_n b sigma G B nu steps rho K.
Proof.
  intros [Hphi1 Hall]. pose proof (u_of_nonneg _ _ _ _ _ _ _ _ constants) as Hu.
  destruct limits_nonneg as [Hphi Hn].
  destruct (inner_of_is steps) as (k & Hk & Hin).
  assert (Hlt : phi < 1) by now apply below_one.
  destruct (gap k uu n phi ltac:(lra) Hu Hn Hphi Hphi1) as (g & Hg & Hgap).
  { intros x Hx Hnear. rewrite <- Hin by auto. now apply Hall. }
  destruct (growth_of_f_and_n gamma mu L P_b P_n b sigma G B nu steps constants) as (C & HC).
  assert (HC0 : 0 <= C). { destruct (HC 0 ltac:(lra)) as [[H1 H2] _]. rewrite sqrt_0 in *. lra. }
  set (far := far k rho uu K C (sqrt n)). exists (Rmax 1 ((far / g) ^ 2)). intros A HA HA0 Hallow.
  pose proof (Rmax_l 1 ((far / g) ^ 2)) as H1. pose proof (Rmax_r 1 ((far / g) ^ 2)) as H2.
  destruct (HC A HA0) as [[_ HF] [_ HN]]. unfold allows in Hallow.
  apply (star_ext _ _ _ _ _ (fun x => Hin _ _ _ x (N_of_nonneg A))) in Hallow.
  pose proof (star_bounded k rho uu K _ n _ phi C g A Hk Hrho Hu HK ltac:(lra) (conj Hphi Hlt) (N_of_nonneg A)
    Hn HC0 Hg
    (F_of_nonneg A) HF HN Hgap Hallow) as Hb. fold far in Hb.
  assert (Hs : sqrt A <= far / g).
  { apply Rmult_le_reg_l with g; [auto|]. replace (g * (far / g)) with far by (field; lra). exact Hb. }
  pose proof (sqrt_pos A). pose proof (pow2_sqrt A HA0).
  assert (sqrt A ^ 2 <= (far / g) ^ 2) by (apply pow_incr; lra). lra.
Qed.
End Range.

Theorem range_of_theorem_a : Range_Of_Theorem_A.
Proof.
  intros gamma mu L P_b P_n b sigma G B nu steps constants rho K Hrho HK. split.
  - now apply bound_needs_range.
  - now apply range_gives_bound.
Qed.

Theorem range_of_one_step : Range_Of_One_Step.
Proof.
  intros gamma mu L P_b P_n b sigma G B nu constants rho K Hrho HK s n.
  pose proof (range_of_theorem_a _ _ _ _ _ b sigma G _ _ _ constants rho K Hrho HK) as HR. rewrite HR.
  clear HR.
  destruct constants as (ga & kept & HL & Pb & Pn & HB & Hnu & _).
  unfold in_range, root_alpha, n_limit, u_of, inner_of.
  rewrite F_one, N_one. change (Nat.eqb 1 1) with true. cbv beta iota.
  assert (Hs : bias_bound P_b 0 B = s).
  { unfold bias_bound, s. replace (P_b * B ^ 2 + 0 ^ 2) with (B ^ 2 * P_b) by ring.
    rewrite sqrt_scaled by auto. ring. }
  assert (Hs0 : 0 <= s) by (apply Rmult_le_pos; [apply sqrt_pos|auto]).
  replace (nu * noise_bound P_n 0 B) with n by (unfold n, noise_bound; ring). rewrite Hs.
  replace (L * gamma * total_weight gamma mu 1) with (L * gamma) by (unfold total_weight, omega; simpl; ring).
  unfold inner_one. set (v := L * gamma). split.
  - intros [H1 H2]. assert (Hs1 : s < 1) by now apply below_one. split; [exact Hs1|].
    pose proof (H2 (1 - s) ltac:(lra) ltac:(apply Rabs_le; lra)) as Ha.
    pose proof (H2 (1 + s) ltac:(lra) ltac:(apply Rabs_le; lra)) as Hb.
    replace (L * (n + (1 - s) ^ 2) * gamma) with (v * (n + (1 - s) ^ 2)) by (unfold v; ring).
    replace (L * (n + (1 + s) ^ 2) * gamma) with (v * (n + (1 + s) ^ 2)) by (unfold v; ring). split; lra.
  - intros (H1 & H2 & H3).
    replace (L * (n + (1 - s) ^ 2) * gamma) with (v * (n + (1 - s) ^ 2)) in H2 by (unfold v; ring).
    replace (L * (n + (1 + s) ^ 2) * gamma) with (v * (n + (1 + s) ^ 2)) in H3 by (unfold v; ring).
    split; [exact (proj1 (below_one s Hs0) H1)|]. intros x Hx Hnear. pose proof (Rle_abs (x - 1)).
    pose proof (Rle_abs (- (x - 1))) as H'. rewrite Rabs_Ropp in H'.
    assert (Hl : (1 - s) ^ 2 <= x ^ 2) by (apply pow_incr; lra).
    assert (Hh : x ^ 2 <= (1 + s) ^ 2) by (apply pow_incr; lra).
    destruct (Rle_dec v 1) as [Hv|Hv].
    + assert (0 <= (1 - v) * (x ^ 2 - (1 - s) ^ 2)) by (apply Rmult_le_pos; lra). lra.
    + assert (0 <= (v - 1) * ((1 + s) ^ 2 - x ^ 2)) by (apply Rmult_le_pos; lra). lra.
Qed.

Theorem range_of_one_step_without_relative_noise : Range_Of_One_Step_Without_Relative_Noise.
Proof.
  intros gamma mu L P_b b sigma G B nu constants rho K Hrho HK.
  pose proof (range_of_one_step _ _ _ _ _ b sigma G _ _ constants rho K Hrho HK) as HR. cbv zeta in HR.
  rewrite HR. clear HR.
  destruct constants as (ga & kept & HL & Pb & Pn & HB & Hnu & _).
  assert (Hs : sqrt (P_b * B ^ 2) = sqrt P_b * B) by (rewrite Rmult_comm, sqrt_scaled by auto; ring).
  rewrite Hs.
  assert (Hs0 : 0 <= sqrt P_b * B) by (apply Rmult_le_pos; [apply sqrt_pos|auto]).
  assert (HP : P_b * B ^ 2 = (sqrt P_b * B) ^ 2) by (rewrite Rpow_mult_distr, pow2_sqrt by auto; ring).
  rewrite HP.
  set (s := sqrt P_b * B) in *. replace (nu * 0 * B ^ 2) with 0 by ring.
  assert (Hv : 0 <= L * gamma) by (apply Rmult_le_pos; lra). set (v := L * gamma) in *.
  replace (L * (0 + (1 - s) ^ 2) * gamma) with (v * (1 - s) * (1 - s)) by (unfold v; ring).
  replace (L * (0 + (1 + s) ^ 2) * gamma) with (v * (1 + s) * (1 + s)) by (unfold v; ring).
  replace (L * (1 + s) * gamma) with (v * (1 + s)) by (unfold v; ring). split.
  - intros (H1 & _ & H3). split; [exact (proj1 (below_one s Hs0) H1)|].
    apply Rmult_lt_reg_r with (1 + s); lra.
  - intros (H1 & H2). assert (s < 1) by now apply below_one. split; [lra|]. split.
    + apply Rmult_lt_compat_r; [lra|]. assert (0 <= v * s) by (apply Rmult_le_pos; lra). lra.
    + apply Rmult_lt_compat_r; lra.
Qed.

Theorem range_of_two_steps : Range_Of_Two_Steps.
Proof.
  intros gamma L b sigma G nu constants rho K Hrho HK.
  pose proof (range_of_theorem_a _ _ _ _ _ b sigma G _ _ _ constants rho K Hrho HK) as HR. rewrite HR.
  clear HR.
  destruct constants as (ga & kept & HL & _ & _ & _ & Hnu & _). set (v := L * gamma).
  assert (Hv : 0 <= v) by (apply Rmult_le_pos; lra).
  assert (HF : root_alpha gamma 0 L 0 0 1 2 = v / 2).
  { assert (H0 : forall h, bias_bound 0 0 h = 0)
      by (intros h; unfold bias_bound; replace (0 * h ^ 2 + 0 ^ 2) with 0 by ring; apply sqrt_0).
    assert (Hd : drift_step gamma 0 L 0 0 0 0 1 0 = gamma).
    { unfold drift_step, noise_bound. rewrite H0.
      transitivity (sqrt (gamma ^ 2)); [f_equal; ring|apply sqrt_pow2; lra]. }
    unfold root_alpha, F_at. cbn [sum drift]. rewrite Hd, !H0. unfold share, total_weight, omega. simpl.
    unfold v. field. }
  assert (HN : n_limit gamma 0 L 0 0 1 nu 2 = 0) by (unfold n_limit, N_at, noise_bound; simpl; ring).
  assert (Hu : u_of gamma 0 L 2 = 2 * v) by (unfold u_of, total_weight, omega, v; simpl; ring).
  unfold in_range, inner_of. rewrite HF, HN, Hu. change (Nat.eqb 2 1) with false. cbv beta iota.
  unfold inner_many. rewrite sqrt_0.
  assert (Hr : v < sqrt 3 - 1 <-> v ^ 2 + 2 * v < 2).
  { pose proof (pow2_sqrt 3 ltac:(lra)) as H3. pose proof (sqrt_pos 3). split; intros; [nra|].
    apply Rnot_le_lt. intro. nra. }
  rewrite Hr. split.
  - intros [H1 H2]. specialize (H2 (1 + v / 2) ltac:(lra) ltac:(apply Rabs_le; lra)).
    assert (H3 : (1 + v / 2) * (v ^ 2 + 2 * v - 2) < 0) by lra. apply Rnot_le_lt. intro. nra.
  - intros H. assert (v < 1) by (apply Rnot_le_lt; intro; nra). split; [nra|]. intros x Hx Hnear.
    pose proof (Rle_abs (x - 1)). assert (Hh : x ^ 2 <= (1 + v / 2) ^ 2) by (apply pow_incr; lra).
    assert (Hend : (2 * v - 1) * (1 + v / 2) ^ 2 < 1 - (v / 2) ^ 2) by nra.
    destruct (Rle_dec (2 * v) 1) as [D|D].
    + assert (0 <= (1 - 2 * v) * x ^ 2) by (apply Rmult_le_pos; [lra|apply pow2_ge_0]). nra.
    + assert (0 <= (2 * v - 1) * ((1 + v / 2) ^ 2 - x ^ 2)) by (apply Rmult_le_pos; lra). lra.
Qed.
