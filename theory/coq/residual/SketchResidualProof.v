(** * Proof of Lemma 1'(a)

    C = S* \ Ŝ is what the read-out misses, Q = Ŝ \ S* what it takes instead: ‖r‖² = ‖Δ̂_Ŝ‖² + τ_k² + ‖v_C‖²
    − ‖v_Q‖², and ‖v_C‖ ≤ ‖v_Q‖ + ‖Δ̂_Q‖ + ‖Δ̂_C‖ because v̂ is larger on Q than on C. *)
From Coq Require Import Reals Lra Lia Bool.
From FPS.residual Require Import SketchResidual TopSetsLemmas.
Open Scope R_scope.

Section Residual.
Variables (d k : nat) (v vhat : Rd d) (Shat Sstar : coordinates).
Hypothesis Shat_top : top d k Shat vhat.
Hypothesis Sstar_top : top d k Sstar v.
Let C : coordinates := fun i => Sstar i && negb (Shat i).
Let Q : coordinates := fun i => Shat i && negb (Sstar i).
Let err : Rd d := (vhat - v)%V.
Let U := union Shat Sstar.

Lemma same_size : size d C = size d Q.
Proof.
  destruct Shat_top as [H1 _], Sstar_top as [H2 _]. unfold size in *.
  assert (H : sum d (fun i => ind (C i)) + sum d (fun i => ind (Shat i)) =
              sum d (fun i => ind (Q i)) + sum d (fun i => ind (Sstar i))).
  { rewrite <- !sum_add. apply sum_ext; intros i _. unfold C, Q, ind.
    destruct (Shat i), (Sstar i); simpl; ring. }
  lra.
Qed.
Lemma estimate_larger : ‖(restrict C vhat)‖² <= ‖(restrict Q vhat)‖².
Proof.
  rewrite !restrict_square. apply (exchange d C Q (fun i => vhat i ^ 2)).
  - intros i j Hi Hj HC HQ. apply andb_true_iff in HC, HQ. destruct HC as [_ HC], HQ as [HQ _].
    apply negb_true_iff in HC. rewrite <- !Rsqr_pow2. apply Rsqr_le_abs_1. now apply (proj2 Shat_top).
  - intros; apply pow2_ge_0.
  - rewrite same_size; lra.
Qed.
Lemma missed_norm : ‖(restrict C v)‖ <= ‖(restrict Q v)‖ + (‖(restrict Q err)‖ + ‖(restrict C err)‖).
Proof.
  assert (H1 : ‖(restrict C v)‖ <= ‖(restrict C vhat)‖ + ‖(restrict C err)‖).
  { rewrite (same_norm _ (restrict C v) (restrict C vhat + (-1) *: restrict C err)%V).
    - rewrite <- (norm_opp _ (restrict C err)). apply minkowski.
    - intro w; simpl; apply sum_ext; intros i _. unfold restrict, err; simpl; ring. }
  assert (H2 : ‖(restrict Q vhat)‖ <= ‖(restrict Q v)‖ + ‖(restrict Q err)‖).
  { rewrite (same_norm _ (restrict Q vhat) (restrict Q v + restrict Q err)%V); [apply minkowski|].
    intro w; simpl; apply sum_ext; intros i _. unfold restrict, err; simpl; ring. }
  assert (H3 : ‖(restrict C vhat)‖ <= ‖(restrict Q vhat)‖) by (apply sqrt_le_1_alt, estimate_larger). lra.
Qed.
Lemma residual_square : ‖(left_behind v vhat Shat)‖² =
  ‖(restrict Shat err)‖² + (tau v Sstar ^ 2 + ‖(restrict C v)‖² - ‖(restrict Q v)‖²).
Proof.
  unfold tau. simpl (_ ^ 2). rewrite Rmult_1_r, norm_square, !restrict_square.
  change ‖(left_behind v vhat Shat)‖² with (sum d (fun i => left_behind v vhat Shat i * left_behind v vhat
    Shat i)).
  match goal with |- _ = ?a + (?b + ?c - ?e) => replace (a + (b + c - e)) with (a + b + c + (-1) * e)
    by ring end.
  rewrite <- sum_scale, <- !sum_add. apply sum_ext; intros i _.
  unfold left_behind, restrict, outside, err, C, Q; simpl.
  destruct (Shat i), (Sstar i); unfold ind; simpl; ring.
Qed.
Lemma tail_step y : ‖(restrict Q err)‖ + ‖(restrict C err)‖ <= y ->
  ‖(left_behind v vhat Shat)‖² <= ‖(restrict Shat err)‖² + (tau v Sstar + y) ^ 2.
Proof.
  intros Hy. rewrite residual_square. pose proof missed_norm as HC.
  pose proof (norm_nonneg _ (restrict Q v)). pose proof (norm_nonneg _ (restrict C v)).
  pose proof (norm_nonneg _ (restrict Q err)). pose proof (norm_nonneg _ (restrict C err)).
  assert (Ht : ‖(restrict Q v)‖ <= tau v Sstar).
  { apply sqrt_le_1_alt, restrict_le. intro i; unfold Q, outside. destruct (Shat i), (Sstar i); auto. }
  rewrite <- !norm_square. nra.
Qed.

Lemma by_l2 : ‖(left_behind v vhat Shat)‖² <= residual_by_l2 ‖(restrict U err)‖ (tau v Sstar).
Proof.
  unfold residual_by_l2. set (t := tau v Sstar). set (n := ‖(restrict U err)‖).
  assert (H : ‖(restrict Shat err)‖² <= n ^ 2).
  { replace (n ^ 2) with (n * n) by ring. unfold n. rewrite norm_square. apply restrict_le.
    intro i; unfold U, union; intros ->; reflexivity. }
  apply Rle_trans with (‖(restrict Shat err)‖² + (t + sqrt 2 * n) ^ 2); [|lra].
  apply tail_step. pose proof (norm_nonneg _ (restrict Q err)). pose proof (norm_nonneg _ (restrict C err)).
  assert (0 <= n) by apply norm_nonneg. pose proof (sqrt_pos 2). pose proof (sqrt_sqrt 2 ltac:(lra)) as H4.
  apply square_le; [nra|].
  assert (H5 : ‖(restrict Q err)‖² + ‖(restrict C err)‖² <= ‖(restrict U err)‖²).
  { rewrite !restrict_square, <- sum_add. apply sum_mono; intros i _. pose proof (pow2_ge_0 (err i)).
    unfold U, union, C, Q, ind. destruct (Shat i), (Sstar i); simpl; lra. }
  rewrite <- !norm_square in H5. fold n in H5.
  replace (sqrt 2 * n * (sqrt 2 * n)) with (sqrt 2 * sqrt 2 * (n * n)) by ring.
  rewrite H4. pose proof (pow2_ge_0 (‖(restrict Q err)‖ - ‖(restrict C err)‖)). nra.
Qed.

Section LargestError.
Variable eta : R.
Hypothesis eta_nonneg : 0 <= eta.
Hypothesis largest : forall i, (i < d)%nat -> U i = true -> Rabs (vhat i - v i) <= eta.
Lemma error_square (S : coordinates) : (forall i, S i = true -> U i = true) ->
  ‖(restrict S err)‖² <= size d S * eta ^ 2.
Proof.
  intros HS. rewrite restrict_square. unfold size. rewrite Rmult_comm, <- sum_scale.
  apply sum_mono; intros i Hi.
  specialize (largest i Hi). specialize (HS i). destruct (S i); simpl (ind _); [|lra].
  specialize (largest (HS eq_refl)).
  rewrite Rmult_1_l, Rmult_1_r. rewrite <- !Rsqr_pow2. apply Rsqr_le_abs_1. rewrite (Rabs_pos_eq eta) by auto.
  replace (err i) with (vhat i - v i); [auto|unfold err; simpl; ring].
Qed.
Lemma error_norm (S : coordinates) : (forall i, S i = true -> U i = true) -> size d S <= INR k ->
  ‖(restrict S err)‖ <= sqrt (INR k) * eta.
Proof.
  intros H1 H2. pose proof (sqrt_pos (INR k)). pose proof (sqrt_sqrt (INR k) (pos_INR k)) as Hk.
  apply square_le; [nra|]. rewrite norm_square. apply Rle_trans with (1 := error_square S H1).
  replace (sqrt (INR k) * eta * (sqrt (INR k) * eta)) with (sqrt (INR k) * sqrt (INR k) * eta ^ 2) by ring.
  rewrite Hk. apply Rmult_le_compat_r; [apply pow2_ge_0|auto].
Qed.
Lemma by_largest : ‖(left_behind v vhat Shat)‖² <= residual_by_largest (INR k) eta (tau v Sstar).
Proof.
  unfold residual_by_largest. destruct Shat_top as [Hk _], Sstar_top as [Hk' _].
  apply Rle_trans with (‖(restrict Shat err)‖² + (tau v Sstar + 2 * sqrt (INR k) * eta) ^ 2).
  - apply tail_step.
    assert (‖(restrict Q err)‖ <= sqrt (INR k) * eta).
    { apply error_norm; [intro i; unfold Q, U, union; destruct (Shat i), (Sstar i); auto|].
      rewrite <- Hk. apply size_le. intro i; unfold Q. destruct (Shat i); auto. }
    assert (‖(restrict C err)‖ <= sqrt (INR k) * eta).
    { apply error_norm; [intro i; unfold C, U, union; destruct (Shat i), (Sstar i); auto|].
      rewrite <- Hk'. apply size_le. intro i; unfold C. destruct (Sstar i); auto. }
    lra.
  - apply Rplus_le_compat_r. rewrite <- Hk. apply error_square.
    intro i; unfold U, union; intros ->; reflexivity.
Qed.
End LargestError.
End Residual.

Theorem residual_by_l2_error : Residual_By_L2_Error.
Proof. intros d k v vhat Shat Sstar H H'. now apply (by_l2 d k). Qed.

(** A bound η < 0 on all errors says that there is no coordinate in U, so k = 0 and η does not matter. *)
Theorem residual_by_largest_error : Residual_By_Largest_Error.
Proof.
  intros d k v vhat Shat Sstar eta H H' He. destruct (Rle_or_lt 0 eta) as [H0|H0]; [now apply by_largest|].
  assert (Hno : forall i, (i < d)%nat -> union Shat Sstar i = false).
  { intros i Hi. destruct (union Shat Sstar i) eqn:E; [|reflexivity].
    pose proof (He i Hi E). pose proof (Rabs_pos (vhat i - v i)). lra. }
  assert (Hk : INR k = 0).
  { destruct H as [H _]. rewrite <- H. unfold size.
    rewrite (sum_ext d _ (fun _ => 0)); [rewrite sum_const; ring|].
    intros i Hi. pose proof (Hno i Hi) as E. unfold union in E. apply orb_false_iff in E.
    now rewrite (proj1 E). }
  pose proof (by_largest d k v vhat Shat Sstar H H' 0 ltac:(lra)) as K. unfold residual_by_largest in *.
  rewrite Hk, sqrt_0 in *. replace (0 * eta ^ 2 + (tau v Sstar + 2 * 0 * eta) ^ 2) with
    (0 * 0 ^ 2 + (tau v Sstar + 2 * 0 * 0) ^ 2) by ring.
  apply K. intros i Hi E. rewrite (Hno i Hi) in E. discriminate.
Qed.
