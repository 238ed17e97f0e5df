(** * The error of a row, and what a median says of the rows *)
From Coq Require Import Reals Lra Lia Bool.
From FPS.residual Require Export HashRows TopSetsLemmas.
Open Scope R_scope.

Lemma pm_square s : pm s * pm s = 1.
Proof. destruct s; simpl; ring. Qed.
Lemma pm_abs s : Rabs (pm s) = 1.
Proof. destruct s; simpl; [apply Rabs_R1|rewrite Rabs_left; lra]. Qed.
(** Δ_i = Σ_l [l collides with i] ± v_l ± noise *)
Lemma row_error_is d (w : row) (v : Rd d) i : (i < d)%nat ->
  row_error w v i = sum d (fun l => ind (collides w i l) * (pm (sign w i) * pm (sign w l) * v l))
    + pm (sign w i) * noise w (bucket w i).
Proof.
  intros Hi. unfold row_error, estimate, content. rewrite Rmult_plus_distr_l.
  enough (H : pm (sign w i) * sum d (fun l => ind (Nat.eqb (bucket w l) (bucket w i)) * (pm (sign w l) * v
    l)) =
    sum d (fun l => ind (collides w i l) * (pm (sign w i) * pm (sign w l) * v l)) + v i) by lra.
  rewrite <- (sum_pick d i v Hi), <- sum_scale, <- sum_add. apply sum_ext; intros l _. unfold collides.
  destruct (Nat.eqb_spec l i) as [->|Hl]; simpl.
  - rewrite Nat.eqb_refl. simpl. transitivity (pm (sign w i) * pm (sign w i) * v i); [ring|rewrite pm_square;
      ring].
  - ring.
Qed.

(** The size of a set is a whole number. *)
Lemma size_whole d S : exists n, (n <= d)%nat /\ size d S = INR n.
Proof.
  induction d as [|d [n [Hn IH]]]; [exists O; split; [lia|reflexivity]|]. unfold size in *. cbn [sum].
  rewrite IH.
  destruct (S d); [exists (Datatypes.S n); rewrite S_INR|exists n]; simpl; split; try lia; ring.
Qed.
Lemma size_at_least_one d S : 0 < size d S -> 1 <= size d S.
Proof.
  destruct (size_whole d S) as [n [_ ->]]. intros H. destruct n as [|n]; [simpl in H; lra|].
  rewrite S_INR. pose proof (pos_INR n). lra.
Qed.
Lemma half_of_rows J S : INR J <= 2 * size J S -> INR (half_up J) <= size J S.
Proof.
  destruct (size_whole J S) as [n [_ ->]]. intros H. apply le_INR. replace 2 with (INR 2) in H by reflexivity.
  rewrite <- mult_INR in H. apply INR_le in H. unfold half_up.
  apply Nat.lt_succ_r. apply Nat.div_lt_upper_bound; lia.
Qed.
Lemma at_most_true x y : at_most x y = true <-> x <= y.
Proof. unfold at_most. destruct (Rle_dec x y); split; auto; discriminate. Qed.
(** If the median is off by y, then h rows are off by at least y, all to the same side. *)
Lemma median_off J x m c : median J x m ->
  (c <= m /\ INR (half_up J) <= size J (fun j => at_most (Rabs (m - c)) (x j - c))) \/
  (m <= c /\ INR (half_up J) <= size J (fun j => at_most (Rabs (m - c)) (c - x j))).
Proof.
  intros [H1 H2]. apply half_of_rows in H1, H2. destruct (Rle_or_lt c m) as [Hm|Hm].
  - left. split; [auto|]. apply Rle_trans with (1 := H2). apply size_le. intros j Hj.
    apply at_most_true in Hj.
    apply at_most_true. rewrite Rabs_pos_eq; lra.
  - right. split; [lra|]. apply Rle_trans with (1 := H1). apply size_le. intros j Hj.
    apply at_most_true in Hj.
    apply at_most_true. rewrite Rabs_left; lra.
Qed.
(** In any case h rows are off by at least as much as the median. *)
Lemma median_off_either_side J x m c : median J x m ->
  INR (half_up J) <= size J (fun j => at_most (Rabs (m - c)) (Rabs (x j - c))).
Proof.
  intros H. destruct (median_off J x m c H) as [[_ K]|[_ K]]; apply Rle_trans with (1 := K); apply size_le;
    intros j Hj; apply at_most_true in Hj; apply at_most_true.
  - pose proof (Rle_abs (x j - c)). lra.
  - pose proof (Rle_abs (- (x j - c))). rewrite Rabs_Ropp in H0. lra.
Qed.
