(** * Proof of Lemma 1'(b): a sum of powers lies below an integral, and (a) does the rest *)
From Coq Require Import Reals Lra Lia Bool.
From FPS.residual Require Import PowerLaw SketchResidualProof SortingLemmas.
Open Scope R_scope.

(** (x+1)^{-q} is below its integral over [x, x+1] (mean value theorem). *)
Lemma power_step q x : 1 < q -> 0 < x ->
  Rpower (x + 1) (- q) <= (Rpower x (1 - q) - Rpower (x + 1) (1 - q)) / (q - 1).
Proof.
  intros Hq Hx.
  destruct (MVT_cor2 (fun y => Rpower y (1 - q)) (fun y => (1 - q) * Rpower y (1 - q - 1)) x (x +
    1) ltac:(lra))
    as [y [Hy [Hy1 Hy2]]].
  { intros y Hy. apply derivable_pt_lim_power. lra. }
  replace (1 - q - 1) with (- q) in Hy by ring.
  assert (Hle : Rpower (x + 1) (- q) <= Rpower y (- q)).
  { rewrite !Rpower_Ropp. apply Rinv_le_contravar; [apply exp_pos|]. apply Rle_Rpower_l; lra. }
  apply Rmult_le_reg_l with (q - 1); [lra|].
  replace ((q - 1) * ((Rpower x (1 - q) - Rpower (x + 1) (1 - q)) / (q - 1))) with
    (Rpower x (1 - q) - Rpower (x + 1) (1 - q)) by (field; lra). nra.
Qed.
(** x^{-q} is convex: the mean of its values at x − y and x + y is not below its value at x. *)
Lemma power_convex q x y : 0 < q -> 0 <= y < x ->
  2 * Rpower x (- q) <= Rpower (x - y) (- q) + Rpower (x + y) (- q).
Proof.
  intros Hq Hy. set (A := Rpower (x - y) (- (q / 2))). set (B := Rpower (x + y) (- (q / 2))).
  assert (Half : forall z, Rpower z (- q) = Rpower z (- (q / 2)) * Rpower z (- (q / 2))).
  { intros z. rewrite <- Rpower_plus. f_equal. field. }
  assert (HAB : Rpower x (- q) <= A * B).
  { unfold A, B. rewrite Rpower_mult_distr by lra. rewrite Half, Rpower_mult_distr by lra.
    rewrite !Rpower_Ropp. apply Rinv_le_contravar; [apply exp_pos|]. apply Rle_Rpower_l; nra. }
  rewrite (Half (x - y)), (Half (x + y)). fold A B. pose proof (pow2_ge_0 (A - B)). nra.
Qed.
(** x^{-q} is below its integral over [x − ½, x + ½]. *)
Lemma power_step_midpoint q x : 1 < q -> 1 / 2 < x ->
  Rpower x (- q) <= (Rpower (x - / 2) (1 - q) - Rpower (x + / 2) (1 - q)) / (q - 1).
Proof.
  intros Hq Hx. set (g h := Rpower (x - h) (1 - q) - Rpower (x + h) (1 - q)).
  set (g' h := (1 - q) * Rpower (x - h) (1 - q - 1) * (0 - 1) - (1 - q) * Rpower (x + h) (1 - q - 1) * (0 +
    1)).
  destruct (MVT_cor2 g g' 0 (/ 2) ltac:(lra)) as [y [Hy [Hy1 Hy2]]].
  { intros h Hh. apply derivable_pt_lim_minus.
    - apply (derivable_pt_lim_comp (fun h => x - h) (fun z => Rpower z (1 - q))).
      + apply derivable_pt_lim_minus; [apply derivable_pt_lim_const|apply derivable_pt_lim_id].
      + apply derivable_pt_lim_power. lra.
    - apply (derivable_pt_lim_comp (fun h => x + h) (fun z => Rpower z (1 - q))).
      + apply derivable_pt_lim_plus; [apply derivable_pt_lim_const|apply derivable_pt_lim_id].
      + apply derivable_pt_lim_power. lra. }
  assert (Hg0 : g 0 = 0) by (unfold g; rewrite Rminus_0_r, Rplus_0_r; ring). rewrite Hg0 in Hy.
  unfold g' in Hy.
  replace (1 - q - 1) with (- q) in Hy by ring. pose proof (power_convex q x y ltac:(lra) ltac:(lra)).
  change (Rpower x (- q) <= g (/ 2) / (q - 1)). apply Rmult_le_reg_l with (q - 1); [lra|].
  replace ((q - 1) * (g (/ 2) / (q - 1))) with (g (/ 2)) by (field; lra). nra.
Qed.
(** Steps add up. *)
Lemma telescope (a F : nat -> R) k n : (forall i, (k <= i < k + n)%nat -> a i <= F i - F (i + 1)%nat) ->
  sum n (fun i => a (k + i)%nat) <= F k - F (k + n)%nat.
Proof.
  intros H. induction n as [|n IH]; [simpl; rewrite Nat.add_0_r; lra|].
  cbn [sum]. pose proof (H (k + n)%nat ltac:(lia)). replace (k + S n)%nat with (k + n + 1)%nat by lia.
  pose proof (IH ltac:(intros; apply H; lia)). lra.
Qed.

Section Tail.
Variables (d k : nat) (p : R) (v : Rd d) (S : coordinates).
Hypothesis p_large : 1 / 2 < p.
Hypothesis law : power_law d p v.
Hypothesis S_top : top d k S v.
Lemma tail_by_powers :
  tau v S ^ 2 <= ‖v‖² * sum (d - k) (fun i => Rpower (INR (k + i + 1)) (- (2 * p))).
Proof.
  destruct law as [order [Hs Hp]]. rewrite (tail_of_the_order_holds d k v order S Hs S_top).
  rewrite <- sum_scale. apply sum_mono; intros i Hi. specialize (Hp (k + i)%nat ltac:(lia)).
  replace (- (2 * p)) with (- p + - p) by ring. rewrite Rpower_plus, <- norm_square.
  rewrite <- (Rabs_pos_eq (_ ^ 2)) by apply pow2_ge_0. rewrite <- RPow_abs.
  pose proof (Rabs_pos (v (order (k + i)%nat))). set (x := Rpower _ _) in *. nra.
Qed.
Lemma tail_by_steps (F : R -> R) (least : nat) : (least <= k)%nat ->
  (forall i, (least <= i)%nat -> Rpower (INR (i + 1)) (- (2 * p)) <= F (INR i) - F (INR (i + 1))) ->
  tau v S ^ 2 <= ‖v‖² * (F (INR k) - F (INR d)).
Proof.
  intros Hl HF. apply Rle_trans with (1 := tail_by_powers). apply Rmult_le_compat_l; [apply inner_nonneg|].
  pose proof (top_k_below d k S v S_top). replace (INR d) with (INR (k + (d - k))) by (f_equal; lia).
  apply (telescope (fun i => Rpower (INR (i + 1)) (- (2 * p))) (fun i => F (INR i))).
  intros i Hi. apply HF. lia.
Qed.
End Tail.

Theorem some_order_sorts : Some_Order_Sorts.
Proof. intros d v. apply some_order_sorts_below. Qed.

Theorem tail_of_the_order : Tail_Of_The_Order.
Proof.
  intros d k v order S Hs HS. split; [now apply (top_k_below d k S v)|now apply tail_of_the_order_holds].
Qed.

Theorem power_law_tail : Power_Law_Tail.
Proof.
  intros d k p v S Hk Hp Hv HS.
  pose proof (tail_by_steps d k p v S Hv HS (fun x => Rpower x (1 - 2 * p) / (2 * p - 1)) 1 Hk) as H.
  unfold tail_integral. unfold Rdiv in *. rewrite Rmult_minus_distr_r. apply H.
  intros i Hi. rewrite plus_INR. simpl (INR 1).
  pose proof (power_step (2 * p) (INR i) ltac:(lra) ltac:(apply lt_0_INR; lia)). unfold Rdiv in *. lra.
Qed.

Theorem power_law_tail_by_midpoints : Power_Law_Tail_By_Midpoints.
Proof.
  intros d k p v S Hp Hv HS.
  pose proof (tail_by_steps d k p v S Hv HS (fun x => Rpower (x +
    / 2) (1 - 2 * p) / (2 * p - 1)) 0 ltac:(lia)) as H.
  unfold tail_midpoint, tail_integral. unfold Rdiv in *. rewrite Rmult_minus_distr_r. apply H.
  intros i _. rewrite plus_INR. simpl (INR 1). pose proof (pos_INR i).
  pose proof (power_step_midpoint (2 * p) (INR i + 1) ltac:(lra) ltac:(lra)) as K.
  replace (INR i + 1 - / 2) with (INR i + / 2) in K by field. unfold Rdiv in *. lra.
Qed.

Lemma residual_with_tail_le c t t' W : 0 < c -> 0 <= t <= t' -> 0 <= W ->
  residual_with_tail c t W <= residual_with_tail c t' W.
Proof.
  intros Hc Ht HW. apply Rmult_le_compat_r; [auto|]. apply Rplus_le_compat_l, pow_incr.
  assert (0 < 2 / sqrt c) by (apply Rdiv_lt_0_compat; [lra|now apply sqrt_lt_R0]). lra.
Qed.
Lemma tau_below_norm d (v : Rd d) S : 0 <= tau v S <= ‖v‖.
Proof.
  split; [apply norm_nonneg|]. apply sqrt_le_1_alt. rewrite restrict_square. simpl. apply sum_mono.
  intros i _.
  destruct (outside S i); simpl; nra.
Qed.

Theorem residual_by_tail : Residual_By_Tail.
Proof.
  intros d k c W v vhat Shat Sstar Hk Hc HS HS' He HW. pose proof (tau_below_norm d v Sstar) as Ht.
  assert (Hk0 : 0 < INR k) by (apply lt_0_INR; lia). pose proof (norm_nonneg _ v) as Nv.
  assert (Rck : 0 < sqrt (c * INR k)) by (apply sqrt_lt_R0; nra).
  assert (Rc : 0 < sqrt c) by now apply sqrt_lt_R0. assert (Rk : 0 < sqrt (INR k)) by now apply sqrt_lt_R0.
  pose proof (residual_by_largest_error d k v vhat Shat Sstar _ HS HS' He) as H.
  unfold residual_by_largest in H.
  assert (H1 : INR k * (‖v‖ / sqrt (c * INR k)) ^ 2 = 1 / c * (‖v‖ * ‖v‖)).
  { replace ((‖v‖ / sqrt (c * INR k)) ^ 2) with (‖v‖ * ‖v‖ / (sqrt (c * INR k) * sqrt (c * INR k)))
      by (field; lra).
    rewrite sqrt_sqrt by nra. field; lra. }
  assert (H2 : 2 * sqrt (INR k) * (‖v‖ / sqrt (c * INR k)) = 2 / sqrt c * ‖v‖) by (rewrite sqrt_mult by lra;
    field; lra).
  rewrite H1, H2 in H. apply Rle_trans with (1 := H).
  assert (H3 : tau v Sstar = tau v Sstar / ‖v‖ * ‖v‖).
  { destruct (Req_dec ‖v‖ 0) as [E|E]; [rewrite E in *; lra|field; auto]. }
  unfold residual_with_tail. set (t := tau v Sstar / ‖v‖) in *. rewrite H3.
  replace (1 / c * (‖v‖ * ‖v‖) + (t * ‖v‖ + 2 / sqrt c * ‖v‖) ^ 2) with ((1 / c + (t +
    2 / sqrt c) ^ 2) * (‖v‖ * ‖v‖)) by ring.
  rewrite norm_square. apply Rmult_le_compat_l; [|auto]. pose proof (pow2_ge_0 (t + 2 / sqrt c)).
  assert (0 < 1 / c) by (apply Rdiv_lt_0_compat; lra). lra.
Qed.

Theorem residual_under_power_law : Residual_Under_Power_Law.
Proof.
  intros d k c p W v vhat Shat Sstar Hk Hc Hp Hv HS HS' He HW.
  apply Rle_trans with (1 := residual_by_tail d k c W v vhat Shat Sstar Hk Hc HS HS' He HW).
  pose proof (tau_below_norm d v Sstar) as Ht. pose proof (inner_nonneg _ v) as Nv2.
  apply residual_with_tail_le; [auto| |lra]. destruct (Req_dec ‖v‖ 0) as [E|E].
  - rewrite E in Ht. replace (tau v Sstar) with 0 by lra. unfold Rdiv. rewrite Rmult_0_l.
    pose proof (sqrt_pos (tail_integral (INR k) (INR d) p)). lra.
  - assert (Hn : 0 < ‖v‖) by lra. split; [apply Rmult_le_pos; [lra|left; now apply Rinv_0_lt_compat]|].
    rewrite <- (sqrt_square (tau v Sstar / ‖v‖)) by (apply Rmult_le_pos; [lra|left;
      now apply Rinv_0_lt_compat]).
    apply sqrt_le_1_alt. pose proof (power_law_tail d k p v Sstar Hk Hp Hv HS') as H.
    rewrite <- norm_square in H.
    apply Rmult_le_reg_r with (‖v‖ * ‖v‖); [nra|].
    replace (tau v Sstar / ‖v‖ * (tau v Sstar / ‖v‖) * (‖v‖ * ‖v‖)) with (tau v Sstar ^ 2) by (field; lra).
    lra.
Qed.
