(** * Proof of Lemma 1'(d)

    At least h rows are off by at least y = |v̂_i − v_i|. Such a row either has a coordinate of S in the
    bucket of i, or its other visitors sum up to at least y. Counting collisions over all rows gives hy ≤
    ϑ(sy + ‖v outside S‖_1). *)
From Coq Require Import Reals Lra Lia Bool.
From FPS.residual Require Import AdaptiveHash HashRowsLemmas SortingLemmas.
Open Scope R_scope.

Section OneRow.
Variables (d : nat) (w : row) (v : Rd d) (S : coordinates) (i : nat) (y : R).
Hypothesis i_small : (i < d)%nat.
Hypothesis quiet : forall c, noise w c = 0.
Hypothesis y_nonneg : 0 <= y.
(** What a visitor of the bucket of i counts for: y if it is in S, its size otherwise *)
Definition charge (l : nat) : R := ind (S l) * y + ind (outside S l) * Rabs (v l).
Lemma charge_nonneg l : 0 <= charge l.
Proof.
  unfold charge. pose proof (ind_nonneg (S l)). pose proof (ind_nonneg (outside S l)).
  pose proof (Rabs_pos (v l)). nra.
Qed.
Lemma row_charge : ind (at_most y (Rabs (row_error w v i))) * y <=
  sum d (fun l => ind (collides w i l) * charge l).
Proof.
  assert (Hpos : forall l, (l < d)%nat -> 0 <= ind (collides w i l) * charge l).
  { intros l _. apply Rmult_le_pos; [apply ind_nonneg|apply charge_nonneg]. }
  destruct (at_most y (Rabs (row_error w v i))) eqn:E; simpl (ind _); [|rewrite Rmult_0_l;
    now apply sum_nonneg].
  apply at_most_true in E. rewrite Rmult_1_l. set (heavy l := collides w i l && S l).
  destruct (some_place_or_none (fun l => if heavy l then 1 else 0)%nat d 1) as [[l [Hl Hh]]|Hno].
  - apply Rle_trans with (ind (collides w i l) * charge l);
      [|now apply (sum_ge_term d (fun l => ind (collides w i l) * charge l))].
    unfold charge, outside, heavy in *. destruct (collides w i l), (S l); simpl in *; try discriminate. lra.
  - apply Rle_trans with (1 := E). rewrite row_error_is, quiet, Rmult_0_r, Rplus_0_r by auto.
    apply Rle_trans with (1 := sum_Rabs _ _). apply sum_mono; intros l Hl. specialize (Hno l Hl).
    unfold heavy in Hno.
    rewrite !Rabs_mult, !pm_abs. unfold charge, outside.
    destruct (collides w i l), (S l); simpl in *; rewrite ?Rabs_R0, ?Rabs_R1; try lra. congruence.
Qed.
End OneRow.

Theorem median_of_any_vector : Median_Of_Any_Vector.
Proof.
  intros d J theta s w v S i m Hi Hq Hc Hs Hh Hm. set (y := Rabs (m - v i)).
  assert (Hy : 0 <= y) by apply Rabs_pos.
  set (h := INR (half_up J)).
  assert (Hth : INR theta * INR s < h) by (unfold h; rewrite <- mult_INR; now apply lt_INR).
  assert (H1 : h * y <= sum J (fun j => sum d (fun l => ind (collides (w j) i l) * charge d v S y l))).
  { apply Rle_trans with (sum J (fun j => y * ind (at_most y (Rabs (row_error (w j) v i))))).
    - rewrite sum_scale, Rmult_comm. apply Rmult_le_compat_l; [auto|].
      apply (median_off_either_side J _ m (v i) Hm).
    - apply sum_mono; intros j Hj. rewrite Rmult_comm. apply row_charge; auto. }
  assert (H2 : h * y <= INR theta * (INR s * y + l1 (restrict (outside S) v))).
  { apply Rle_trans with (1 := H1). rewrite sum_swap. rewrite <- Hs. unfold size, l1.
    rewrite (Rmult_comm _ y), <- sum_scale, <- sum_add, <- sum_scale. apply sum_mono; intros l Hl.
    rewrite (sum_ext J _ (fun j => charge d v S y l * ind (collides (w j) i l))) by (intros; ring).
    rewrite sum_scale. replace (y * ind (S l) + Rabs (restrict (outside S) v l)) with (charge d v S y l).
    - rewrite Rmult_comm. apply Rmult_le_compat_r; [now apply charge_nonneg|now apply Hc].
    - unfold charge, restrict, outside. destruct (S l); simpl; rewrite ?Rmult_0_l, ?Rmult_1_l, ?Rabs_R0;
        ring. }
  unfold adaptive_bound. fold h. apply Rmult_le_reg_r with (h - INR theta * INR s); [lra|].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

(** The value in the middle of the sorted list; a shift makes all numbers positive, so that sizes are
    values. *)
Theorem some_median : Some_Median.
Proof.
  intros J x. set (shift := sum J (fun j => Rabs (x j))).
  destruct (some_order_sorts_below (fun j => x j + shift) J) as [order [Hb [Hi Hs]]].
  assert (Hpos : forall j, (j < J)%nat -> Rabs (x j + shift) = x j + shift).
  { intros j Hj. apply Rabs_pos_eq. pose proof (Rle_abs (- x j)) as H. rewrite Rabs_Ropp in H.
    pose proof (sum_ge_term J (fun j => Rabs (x j)) j (fun j _ => Rabs_pos _) Hj). simpl in *.
    fold shift in H0. lra. }
  assert (Hdown : forall i j, (i <= j < J)%nat -> x (order j) <= x (order i)).
  { intros i j Hij. pose proof (Hs i j Hij) as H. rewrite !Hpos in H by (apply Hb; lia). lra. }
  assert (Hh : (half_up J <= J /\ J <= 2 * half_up J /\ 2 * half_up J <= J + 1)%nat).
  { unfold half_up. pose proof (Nat.div_mod (J + 1) 2 ltac:(lia)).
    pose proof (Nat.mod_upper_bound (J + 1) 2 ltac:(lia)). lia. }
  exists (x (order (half_up J - 1)%nat)). set (m := x _).
  assert (Count : forall D F, (forall i, (i < J)%nat -> F i = true -> D (order i) = true) ->
    size J F <= size J D).
  { intros D F H. unfold size. rewrite <- (sum_permuted J order Hb Hi (fun i => ind (D i))).
    apply sum_mono; intros i Hij.
    specialize (H i Hij). destruct (F i); [rewrite (H eq_refl); lra|apply ind_nonneg]. }
  split.
  - pose proof (Count (fun j => at_most (x j) m) (outside (fun i => Nat.ltb i (half_up J - 1)))) as H.
    rewrite size_outside, first_size in H by lia.
    assert (INR (2 * (half_up J - 1)) <= INR J) by (apply le_INR; lia). rewrite mult_INR in H0.
    simpl (INR 2) in H0.
    enough (INR J - INR (half_up J - 1) <= size J (fun j => at_most (x j) m)) by lra. apply H.
    intros i Hij Hl. apply negb_true_iff, Nat.ltb_ge in Hl. apply at_most_true, Hdown. lia.
  - pose proof (Count (fun j => at_most m (x j)) (fun i => Nat.ltb i (half_up J))) as H.
    rewrite first_size in H by lia.
    assert (INR J <= INR (2 * half_up J)) by (apply le_INR; lia). rewrite mult_INR in H0. simpl (INR 2) in H0.
    enough (INR (half_up J) <= size J (fun j => at_most m (x j))) by lra. apply H.
    intros i Hij Hl. apply Nat.ltb_lt in Hl. apply at_most_true, Hdown. lia.
Qed.
