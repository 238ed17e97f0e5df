(** * Proof of Proposition F

    v moves by s(w⋆ − w̃_t) in round t, so mean_t w̃_t − w⋆ = (v_0 − v_T)/(sT): if v grows slower than T, the
    broadcasts average to w⋆. Each of them is sparse, and sparse vectors with that average stay
    away from w⋆. *)
From Coq Require Import Reals Lra Lia Bool.
From FPS.residual Require Import TopSetsLemmas FloorLemmas.
Open Scope R_scope.

Lemma inner_with_null (V : space) (x z : V) : ‖x‖² = 0 -> ⟨x, z⟩ = 0.
Proof. intros H. pose proof (cauchy_schwarz_square V x z). rewrite H in H0. nra. Qed.
(** Smoothness with the constant of the quadratic leaves one gradient. *)
Lemma quadratic_gradient (V : space) L (l : V -> R) grad centre const : smooth L l grad ->
  (forall x, l x = L / 2 * ‖(x - centre)‖² + const) -> forall x z, ⟨grad x, z⟩ = L * (⟨x, z⟩ - ⟨centre, z⟩).
Proof.
  intros Hs Hq x z.
  assert (H : forall a, a = 1 \/ a = -1 -> a * (L * (⟨x, z⟩ - ⟨centre, z⟩) - ⟨grad x, z⟩) <= 0).
  { intros a Ha. pose proof (smooth_above x (x + a *: z)%V Hs) as H. rewrite !Hq in H.
    assert (Hn : same (x + a *: z - x)%V (a *: z)%V) by (intro y; expand; ring).
    rewrite (same_square _ _ _ Hn), (inner_sym _ (grad x)), Hn in H.
    replace ‖(x + a *: z - centre)‖² with (‖(x - centre)‖² + 2 * a * (⟨x, z⟩ - ⟨centre, z⟩)
      + a * a * ‖z‖²) in H.
    - rewrite square_scale, inner_scale, (inner_sym _ z (grad x)) in H. destruct Ha; subst a; lra.
    - expand. rewrite (inner_sym _ z x), (inner_sym _ z centre), (inner_sym _ centre x). ring. }
  pose proof (H 1 ltac:(auto)). pose proof (H (-1) ltac:(auto)). lra.
Qed.

Section Floor.
Variables (r : run) (n d k : nat) (e : nat -> V r) (centre : nat -> V r) (const : nat -> R).
Hypothesis given : floor_assumptions r n d k e centre const.
Let w := w_star r centre.
Let s := pull r.
Let shrink (j : nat) := L r / (L r + mu r) * (1 - (1 - gamma r * (L r + mu r)) ^ j).

Lemma sum_nonzero : L r + mu r <> 0.
Proof.
  intro H. apply (moves _ _ _ _ _ _ _ given). rewrite H, Rmult_0_r, Rminus_0_r. apply pow1.
Qed.
Lemma pull_nonzero : s <> 0.
Proof.
  pose proof (curved _ _ _ _ _ _ _ given). pose proof (moves _ _ _ _ _ _ _ given) as Hm.
  pose proof sum_nonzero.
  unfold s, pull. apply Rmult_integral_contrapositive. split; [|lra].
  apply Rmult_integral_contrapositive. split; [lra|now apply Rinv_neq_0_compat].
Qed.
Lemma grad_is m x z : (m < M r)%nat -> ⟨grad r m x, z⟩ = L r * (⟨x, z⟩ - ⟨centre m, z⟩).
Proof.
  intros Hm. apply (quadratic_gradient _ (L r) (loss r m) (grad r m) (centre m) (const m)).
  - now apply (gradients _ _ _ _ _ _ _ given).
  - intros y. now apply (quadratic _ _ _ _ _ _ _ given).
Qed.
Lemma grad_f_is x z : ⟨grad_f r x, z⟩ = L r * (⟨x, z⟩ - ⟨w, z⟩).
Proof.
  unfold grad_f, w, w_star. rewrite !inner_vmean.
  rewrite (avg_ext _ _ (fun m => L r * ⟨x, z⟩ + (- L r) * ⟨centre m, z⟩)).
  - rewrite avg_add, !avg_scale, (avg_const _ (M_pos r)). ring.
  - intros m Hm. rewrite grad_is by auto. ring.
Qed.
Lemma grad_f_same x : same (grad_f r x) (L r *: (x - w))%V.
Proof. intro z. rewrite grad_f_is. expand. ring. Qed.

Section Outcome.
Variable o : Omega r.
Lemma local_is t m j z : (t < n)%nat -> (m < M r)%nat -> (j <= Es r)%nat ->
  ⟨local r t m j o, z⟩ = ⟨broadcast r t o, z⟩ - shrink j * (⟨broadcast r t o, z⟩ - ⟨centre m, z⟩).
Proof.
  intros Ht Hm. induction j as [|j IH]; intros Hj; [unfold shrink; simpl; ring|]. cbn [local]. expand.
  rewrite grad_is, (inner_with_null _ (beta r t m j o)), (inner_with_null _ (zeta r t m j o)), IH by
    (auto with arith || (now apply (no_bias _ _ _ _ _ _ _ given);
      lia) || (now apply (no_noise _ _ _ _ _ _ _ given); lia) || lia).
  unfold shrink. simpl (_ ^ S j). pose proof sum_nonzero. field. auto.
Qed.
Lemma exact_step t z : (t < n)%nat ->
  ⟨exact r (S t) o, z⟩ = ⟨exact r t o, z⟩ - s * (⟨broadcast r t o, z⟩ - ⟨w, z⟩).
Proof.
  intros Ht. cbn [exact]. rewrite inner_add, inner_vmean. unfold w, w_star. rewrite inner_vmean.
  rewrite (avg_ext _ _ (fun m => - s * ⟨broadcast r t o, z⟩ + s * ⟨centre m, z⟩)).
  - rewrite avg_add, !avg_scale, (avg_const _ (M_pos r)). ring.
  - intros m Hm. unfold moved. expand. rewrite local_is by auto. change (shrink (Es r)) with s. ring.
Qed.
Lemma exact_sum j z : (j <= n)%nat ->
  ⟨exact r j o - v0 r o, z⟩ = - s * sum j (fun t => ⟨broadcast r t o, z⟩ - ⟨w, z⟩).
Proof.
  intros Hj. expand. induction j as [|j IH]; [simpl; ring|]. rewrite exact_step by lia. cbn [sum].
  specialize (IH ltac:(lia)). lra.
Qed.
Lemma exact_by_gradients j : (j <= n)%nat ->
  same ((- s / L r) *: vsum j (fun t => grad_f r (broadcast r t o)))%V (exact r j o - v0 r o)%V.
Proof.
  intros Hj z. rewrite exact_sum, inner_scale, inner_vsum by auto. pose proof (curved _ _ _ _ _ _ _ given).
  rewrite (sum_ext j _ (fun t => L r * (⟨broadcast r t o, z⟩ - ⟨w, z⟩))) by (intros; apply grad_f_is).
  rewrite sum_scale. field. lra.
Qed.
Lemma mean_broadcast : (0 < n)%nat ->
  ‖(vmean n (fun t => broadcast r t o) - w)‖ = ‖(exact r n o - v0 r o)‖ / (Rabs s * INR n).
Proof.
  intros Hn. pose proof (INR_pos n Hn). pose proof pull_nonzero as Hs.
  rewrite (same_norm _ _ ((/ (- s * INR n)) *: (exact r n o - v0 r o))%V).
  - rewrite norm_scale, Rabs_inv, Rabs_mult, Rabs_Ropp, (Rabs_pos_eq (INR n)) by lra. unfold Rdiv. ring.
  - intro z. rewrite inner_scale, exact_sum by auto. rewrite inner_add, inner_scale, inner_vmean. unfold avg.
    rewrite (sum_ext n (fun t => ⟨broadcast r t o, z⟩ - ⟨w, z⟩) (fun t => ⟨broadcast r t o, z⟩ + (-1) * ⟨w,
      z⟩)) by (intros; ring).
    rewrite sum_add, sum_const. field. lra.
Qed.
(** The floor for one outcome *)
Lemma floor_of_outcome : (0 < n)%nat -> may (chance r) o ->
  floor_of r d k e centre - floor_remainder (L r) (INR d) (INR k) (norm1 d e w) ‖w‖
    (‖(exact r n o - v0 r o)‖ / (Rabs s * INR n)) <= avg n (fun t => ‖(grad_f r (broadcast r t o))‖²).
Proof.
  intros Hn Ho. pose proof (some_kept _ _ _ _ _ _ _ given) as Hk. assert (0 < INR k) by now apply lt_0_INR.
  pose proof (sparse_average (V r) d k e (basis _ _ _ _ _ _ _ given) Hk n (fun t => broadcast r t o) w Hn)
    as H1.
  rewrite mean_broadcast in H1 by auto.
  rewrite (avg_ext n _ (fun t => L r ^ 2 * ‖(broadcast r t o - w)‖²)).
  - rewrite avg_scale. unfold floor_of, floor_level, floor_remainder, soft_sparsity. fold w.
    replace (L r ^ 2 * ‖w‖² * (norm1 d e w ^ 2 / ‖w‖² / INR k - 1)) with
      (L r ^ 2 * (norm1 d e w ^ 2 / INR k - ‖w‖²)).
    + rewrite Rmult_assoc, <- Rmult_minus_distr_l. apply Rmult_le_compat_l; [apply pow2_ge_0|].
      apply H1. intros t Ht. now apply (sparse_broadcasts _ _ _ _ _ _ _ given).
    + destruct (Req_dec ‖w‖² 0) as [E|E]; [|field; repeat split; auto; lra].
      pose proof (norm1_by_norm (V r) d e (basis _ _ _ _ _ _ _ given) w) as K.
      replace ‖w‖ with 0 in K by (unfold norm; now rewrite E, sqrt_0). pose proof (norm1_nonneg (V r) d e w).
      replace (norm1 d e w) with 0 by lra. rewrite E. unfold Rdiv. ring.
  - intros t _. rewrite (same_square _ _ _ (grad_f_same _)), square_scale. ring.
Qed.
End Outcome.

Lemma sq_exact j : (j <= n)%nat -> sq (chance r) (fun o => exact r j o - v0 r o)%V.
Proof.
  intros Hj. eapply sq_same; [intro o; apply exact_by_gradients; auto|]. apply sq_scale, sq_vsum.
  intros t Ht. apply (square_integrable _ _ _ _ _ _ _ given). lia.
Qed.
Lemma int_growth : int (chance r) (fun o => ‖(exact r n o - v0 r o)‖²).
Proof. apply sq_inner; apply sq_exact; auto. Qed.

Lemma int_gradient t : (t < n)%nat -> int (chance r) (fun o => ‖(grad_f r (broadcast r t o))‖²).
Proof. intros Ht. apply sq_inner; now apply (square_integrable _ _ _ _ _ _ _ given). Qed.
Let mean_square o := avg n (fun t => ‖(grad_f r (broadcast r t o))‖²).
Lemma int_mean_square : int (chance r) mean_square.
Proof. apply int_scale, int_sum. apply int_gradient. Qed.
Lemma E_mean_square :
  chance r mean_square = avg n (fun t => chance r (fun o => ‖(grad_f r (broadcast r t o))‖²)).
Proof.
  unfold mean_square, avg. rewrite E_scale by (apply int_sum, int_gradient). f_equal.
  apply E_sum, int_gradient.
Qed.
Let K := L r ^ 2 * (2 * (sqrt (INR d) * norm1 d e w / INR k + ‖w‖)).
Lemma K_nonneg : 0 <= K.
Proof.
  unfold K. apply Rmult_le_pos; [apply pow2_ge_0|]. apply Rmult_le_pos; [lra|].
  assert (0 < INR k) by (apply lt_0_INR; exact (some_kept _ _ _ _ _ _ _ given)).
  apply Rplus_le_le_0_compat; [|apply norm_nonneg]. apply Rmult_le_pos; [|left; now apply Rinv_0_lt_compat].
  apply Rmult_le_pos; [apply sqrt_pos|apply norm1_nonneg].
Qed.
Let c := Rabs s * INR n.
Lemma c_pos : (0 < n)%nat -> 0 < c.
Proof. intros Hn. apply Rmult_lt_0_compat; [apply Rabs_pos_lt, pull_nonzero|now apply INR_pos]. Qed.

(** ‖x‖ ≤ (a + ‖x‖²/a)/2 has a mean even where ‖x‖ is not known to have one. *)
Lemma floor_with_split a : (0 < n)%nat -> 0 < a ->
  floor_of r d k e centre <= chance r mean_square +
    K / c / 2 * (a + chance r (fun o => ‖(exact r n o - v0 r o)‖²) / a).
Proof.
  intros Hn Ha. pose proof (c_pos Hn) as Hc. pose proof K_nonneg as HK.
  assert (HKc : 0 <= K / c) by (apply Rmult_le_pos; [auto|left; now apply Rinv_0_lt_compat]).
  set (q := fun o => K / c / 2 / a * ‖(exact r n o - v0 r o)‖² + K / c / 2 * a).
  replace (K / c / 2 * (a + chance r (fun o => ‖(exact r n o - v0 r o)‖²) / a)) with (chance r q).
  - rewrite <- E_add by (apply int_mean_square || apply int_affine, int_growth).
    rewrite <- (E_const (chance r) (floor_of r d k e centre)). apply E_mono.
    + apply int_const.
    + apply int_add; [apply int_mean_square|apply int_affine, int_growth].
    + intros o Ho. pose proof (floor_of_outcome o Hn Ho) as H. unfold floor_remainder in H. fold K c in H.
      change (avg n (fun t => ‖(grad_f r (broadcast r t o))‖²)) with (mean_square o) in H.
      assert (Hy : K * (‖(exact r n o - v0 r o)‖ / c) <= q o); [|lra].
      unfold q. rewrite <- norm_square. set (x := ‖(exact r n o - v0 r o)‖).
      replace (K / c / 2 / a * (x * x) + K / c / 2 * a) with (K * (x / c) + K / c * ((x - a) ^ 2 / (2 * a)))
        by (field; lra).
      assert (0 <= (x - a) ^ 2 / (2 * a)); [|nra].
      apply Rmult_le_pos; [apply pow2_ge_0|left; apply Rinv_0_lt_compat; lra].
  - unfold q. rewrite E_affine by apply int_growth. field. lra.
Qed.
Lemma floor_of_rounds : (0 < n)%nat ->
  floor_of r d k e centre - K * (rms r (fun o => exact r n o - v0 r o)%V / c) <= chance r mean_square.
Proof.
  intros Hn. pose proof (c_pos Hn) as Hc. pose proof K_nonneg as HK. set (D := rms r _).
  assert (HD : 0 <= chance r (fun o => ‖(exact r n o - v0 r o)‖²)).
  { apply E_nonneg; [apply int_growth|intros; apply inner_nonneg]. }
  assert (H : floor_of r d k e centre <= chance r mean_square + 2 * (K / c / 2) * D).
  { apply best_split; [|apply sqrt_pos|].
    - apply Rmult_le_pos; [|lra]. apply Rmult_le_pos; [auto|left; now apply Rinv_0_lt_compat].
    - intros a Ha. replace (D ^ 2) with (chance r (fun o => ‖(exact r n o - v0 r o)‖²));
        [now apply floor_with_split|].
      unfold D, rms. simpl (_ ^ 2). now rewrite Rmult_1_r, sqrt_sqrt. }
  replace (K * (D / c)) with (2 * (K / c / 2) * D) by (field; lra). lra.
Qed.

(** In mean square, v_n − v_0 is at most v_n and v_0 together. *)
Lemma growth_split : sq (chance r) (v0 r) ->
  rms r (fun o => exact r n o - v0 r o)%V <= rms r (exact r n) + rms r (v0 r).
Proof.
  intros H0.
  assert (Hn : sq (chance r) (exact r n)).
  { apply (sq_same _ (fun o => (exact r n o - v0 r o) + v0 r o)%V); [intros o z; expand; ring|].
    apply sq_add; [apply sq_exact; auto|auto]. }
  pose proof (minkowski (L2 (chance r)) (exist _ _ Hn) (scale (s := L2 (chance r)) (-1) (exist _ _ H0))) as H.
  rewrite norm_opp in H. exact H.
Qed.
End Floor.

Theorem usual_coordinates : Usual_Coordinates.
Proof.
  intros d. assert (H : forall (x : Rd d) i, (i < d)%nat -> ⟨x, unit_vector d i⟩ = x i).
  { intros x i Hi. simpl. rewrite <- (sum_pick d i x Hi). apply sum_ext; intros j _. unfold unit_vector.
    rewrite Nat.eqb_sym. destruct (Nat.eqb j i); simpl; ring. }
  split; [|exact H]. intros x y. change ⟨x, y⟩ with (sum d (fun i => x i * y i)).
  apply sum_ext; intros i Hi. now rewrite !H.
Qed.

Theorem minimum_is_the_mean_centre : Minimum_Is_The_Mean_Centre.
Proof.
  intros r n d k e centre const H w. set (s := w_star r centre). unfold f.
  transitivity (avg (M r) (fun m => loss r m s + L r / 2 * (‖(w - s)‖² + 2 * (⟨s, w - s⟩ + (-1) * ⟨centre m,
    w - s⟩)))).
  - apply avg_ext; intros m Hm. rewrite (quadratic _ _ _ _ _ _ _ H m w Hm),
      (quadratic _ _ _ _ _ _ _ H m s Hm).
    assert (E : ‖(w - centre m)‖² = ‖(w - s)‖² + 2 * ⟨w - s, s - centre m⟩ + ‖(s - centre m)‖²).
    { rewrite <- square_sum. apply same_square. intro z. expand. ring. }
    rewrite E, (inner_sym _ (w - s)%V (s - centre m)%V), (inner_add _ s), inner_scale. ring.
  - rewrite avg_add, avg_scale, avg_add, avg_scale, avg_add, avg_scale, !(avg_const _ (M_pos r)),
      <- inner_vmean.
    fold (w_star r centre). fold s. ring.
Qed.

Theorem floor_for_every_t : Floor_For_Every_T.
Proof.
  intros r d k e centre const H w. pose proof (floor_of_rounds r (T r) d k e centre const H (T_pos r)) as K.
  rewrite (E_mean_square r (T r) d k e centre const H) in K. exact K.
Qed.

Theorem floor_in_the_limit : Floor_In_The_Limit.
Proof.
  intros r d k e centre const H H0 Hcv eps He. set (w := w_star r centre).
  set (K := L r ^ 2 * (2 * (sqrt (INR d) * norm1 d e w / INR k + ‖w‖))).
  pose proof (K_nonneg r 1 d k e centre const (H 1%nat)) as HK. change (0 <= K) in HK.
  assert (Hs : 0 < Rabs (pull r)) by (apply Rabs_pos_lt, (pull_nonzero r 1 d k e centre const (H 1%nat))).
  set (a := eps * Rabs (pull r) / (K + 1) / 2). assert (Ha : 0 < a) by (unfold a;
    repeat apply Rdiv_lt_0_compat; nra).
  destruct (Hcv a Ha) as [N1 HN1]. destruct (archimed_cor1 (a / (rms r (v0 r) + 1))) as [N2 [HN2 HN2']].
  { apply Rdiv_lt_0_compat; [auto|]. assert (0 <= rms r (v0 r)) by apply sqrt_pos. lra. }
  exists (N1 + N2)%nat. intros n some Hn. pose proof (INR_pos n some) as Hn0.
  pose proof (floor_of_rounds r n d k e centre const (H n) some) as F. fold w K in F.
  rewrite (E_mean_square r n d k e centre const (H n)) in F. change (A (with_rounds r n some)) with
    (avg n (fun t => chance r (fun o => ‖(grad_f r (broadcast r t o))‖²))).
  pose proof (growth_split r n d k e centre const (H n) H0) as G.
  set (D := rms r (fun o => exact r n o - v0 r o)%V) in *.
  assert (G1 : rms r (exact r n) / INR n < a).
  { pose proof (HN1 n ltac:(lia)) as G1. unfold R_dist in G1. rewrite Rminus_0_r in G1.
    apply Rle_lt_trans with (2 := G1). apply Rle_abs. }
  assert (Hr0 : 0 <= rms r (v0 r)) by apply sqrt_pos.
  assert (G2 : rms r (v0 r) / INR n < a).
  { assert (/ INR n <= / INR N2) by (apply Rinv_le_contravar; [apply lt_0_INR; lia|apply le_INR; lia]).
    apply Rle_lt_trans with ((rms r (v0 r) + 1) * / INR N2).
    - unfold Rdiv. apply Rmult_le_compat; [auto|left; now apply Rinv_0_lt_compat|lra|auto].
    - apply Rmult_lt_compat_l with (r := rms r (v0 r) + 1) in HN2; [|lra].
      replace ((rms r (v0 r) + 1) * (a / (rms r (v0 r) + 1))) with a in HN2 by (field; lra). exact HN2. }
  assert (G3 : K * (D / (Rabs (pull r) * INR n)) <= eps); [|lra].
  assert (G4 : D / INR n <= 2 * a).
  { apply Rle_trans with ((rms r (exact r n) + rms r (v0 r)) / INR n); [|unfold Rdiv in *; lra].
    apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|auto]. }
  replace (K * (D / (Rabs (pull r) * INR n))) with (K / Rabs (pull r) * (D / INR n)) by (field; lra).
  apply Rle_trans with (K / Rabs (pull r) * (2 * a)).
  - apply Rmult_le_compat_l; [|auto]. apply Rmult_le_pos; [auto|left; now apply Rinv_0_lt_compat].
  - unfold a. replace (K / Rabs (pull r) * (2 * (eps * Rabs (pull r) / (K + 1) / 2))) with (eps * (K / (K +
      1))) by (field; lra).
    rewrite <- (Rmult_1_r eps) at 2. apply Rmult_le_compat_l; [lra|].
    apply Rmult_le_reg_r with (K + 1); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.
