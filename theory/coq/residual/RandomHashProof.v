(** * Proof of Lemma 1'(c), second moments *)
From Coq Require Import Reals Lra Lia Bool.
From FPS.residual Require Import RandomHash RandomRowLemmas.
Open Scope R_scope.

Theorem uniform_buckets_collide : Uniform_Buckets_Collide.
Proof.
  intros V I P K a b Ha H. unfold Pr.
  assert (HE : forall o, sum K (fun c => ind (Nat.eqb (a o) c && Nat.eqb (b o) c)) =
    ind (Nat.eqb (a o) (b o))).
  { intros o. rewrite <- (sum_pick K (a o) (fun c => ind (Nat.eqb c (b o))) (Ha o)).
    apply sum_ext; intros c _.
    rewrite (Nat.eqb_sym (a o)), (Nat.eqb_sym (b o)).
    destruct (Nat.eqb c (a o)), (Nat.eqb c (b o)); simpl; ring. }
  rewrite <- (E_same P _ _ HE), (E_sum P K (fun c o => ind (Nat.eqb (a o) c && Nat.eqb (b o) c)))
    by (intros c Hc; now apply H).
  rewrite (sum_ext K _ (fun _ => / INR K ^ 2)) by (intros c Hc; now apply H). rewrite sum_const.
  destruct K as [|K]; [exfalso|field; apply not_0_INR; lia].
  assert (P (fun _ => 1) <= P (fun _ => 0)) by (apply E_mono; try apply int_const; intros o _;
    specialize (Ha o); lia).
  rewrite !E_const in H0. lra.
Qed.

Theorem independent_signs_are_coins : Independent_Signs_Are_Coins.
Proof.
  intros V I P d w Hev Hfair Hun Hind.
  assert (Hb : forall D : (nat -> nat) -> bool, int P (fun o => ind (D (bucket (w o)))))
    by exact (fun D => Hev (fun x _ => D x)).
  assert (Zero : forall (D : (nat -> nat) -> bool) (psi : (nat -> bool) -> R),
    int P (fun o => psi (sign (w o))) ->
    P (fun o => psi (sign (w o))) = 0 -> P (fun o => ind (D (bucket (w o))) * psi (sign (w o))) = 0).
  { intros D psi Hi H0. destruct (Hind (fun x => ind (D x)) psi (Hb D) Hi) as [_ H]. rewrite H, H0. ring. }
  assert (One : forall F : (nat -> bool) -> bool, int P (fun o => pm (F (sign (w o))))).
  { intros F. apply (int_same P (fun o => 2 * ind (F (sign (w o))) + -1)).
    - intros o. destruct (F (sign (w o))); simpl; ring.
    - apply int_affine. exact (Hev (fun _ x => F x)). }
  split.
  - intros l a D Hl _. apply (Zero (fun x => D (x l) (x a)) (fun x => pm (x l)));
      [exact (One (fun x => x l))|auto].
  - intros l m a D Hl Hm _ Hne. apply (Zero (fun x => D (x l) (x m) (x a)) (fun x => pm (x l) * pm (x m)));
      [|auto].
    apply (int_same P (fun o => pm (Bool.eqb (sign (w o) l) (sign (w o) m)))).
    + intros o. destruct (sign (w o) l), (sign (w o) m); simpl; ring.
    + exact (One (fun x => Bool.eqb (x l) (x m))).
Qed.

Theorem a_row_is_unbiased : A_Row_Is_Unbiased.
Proof. intros V I P d columns K sigma2 w v i H Hi. now apply (error_mean P d columns K sigma2). Qed.

Theorem second_moment_of_a_row : Second_Moment_Of_A_Row.
Proof.
  intros V I P d columns K sigma2 w v i H Hi. unfold row_second_moment, others. rewrite <- others_sum by auto.
  now apply (error_second_moment P d columns K sigma2).
Qed.

Section Rows.
Context {V : space} {I : Type}.
Variables (P : mean V I) (d columns : nat) (K sigma2 : R) (J : nat) (w : nat -> I ->
  row) (v : Rd d) (i : nat).
Hypothesis some_rows : (0 < J)%nat.
Hypothesis i_small : (i < d)%nat.
Hypothesis rows : forall j, (j < J)%nat -> random_row P d columns K sigma2 (w j).
Let e j o := row_error (w j o) v i.
Let bound := row_second_moment K (others v i) sigma2.
Lemma int_square j : (j < J)%nat -> int P (fun o => e j o ^ 2).
Proof. intros Hj. exact (proj1 (second_moment_of_a_row _ _ P d columns K sigma2 (w j) v i (rows j Hj)
  i_small)). Qed.
Lemma square_small j : (j < J)%nat -> P (fun o => e j o ^ 2) <= bound.
Proof. intros Hj. exact (proj2 (second_moment_of_a_row _ _ P d columns K sigma2 (w j) v i (rows j Hj)
  i_small)). Qed.
Lemma sum_of_squares : P (fun o => sum J (fun j => e j o ^ 2)) <= INR J * bound.
Proof.
  rewrite (E_sum P J (fun j o => e j o ^ 2)) by apply int_square. rewrite <- sum_const.
  apply sum_mono. apply square_small.
Qed.

Section Mean.
Hypothesis apart : forall j j', (j < J)%nat -> (j' < J)%nat -> j <> j' -> independent P (w j) (w j').
Lemma int_and_mean j : (j < J)%nat -> int P (e j) /\ P (e j) = 0.
Proof. intros Hj. exact (a_row_is_unbiased _ _ P d columns K sigma2 (w j) v i (rows j Hj) i_small). Qed.
Lemma product j j' : (j < J)%nat -> (j' < J)%nat -> int P (fun o => e j o * e j' o) /\
  P (fun o => e j o * e j' o) = ind (Nat.eqb j' j) * P (fun o => e j o ^ 2).
Proof.
  intros Hj Hj'. destruct (Nat.eqb_spec j' j) as [->|Hne]; simpl ind.
  - assert (H : forall o, e j o ^ 2 = e j o * e j o) by (intros; ring).
    split; [now apply (int_same P _ _ H), int_square|rewrite (E_same P _ _ H); ring].
  - destruct (int_and_mean j Hj) as [H1 H2], (int_and_mean j' Hj') as [H3 H4].
    destruct (apart j j' Hj Hj' ltac:(auto) (fun x => row_error x v i) (fun x => row_error x v i) H1 H3) as
      [H5 H6].
    split; [exact H5|]. change (P (fun o => e j o * e j' o) = P (e j) * P (e j')) in H6. rewrite H6, H2. ring.
Qed.
Lemma mean_error o : / INR J * / INR J * sum J (fun j => sum J (fun j' => e j o * e j' o)) =
  (avg J (fun j => estimate (w j o) v i) - v i) ^ 2.
Proof.
  assert (H : avg J (fun j => estimate (w j o) v i) - v i = / INR J * sum J (fun j => e j o)).
  { transitivity (avg J (fun j => estimate (w j o) v i) - avg J (fun _ => v i)); [now rewrite avg_const|].
    replace (avg J (fun j => estimate (w j o) v i) - avg J (fun _ => v i)) with
      (avg J (fun j => estimate (w j o) v i) + (-1) * avg J (fun _ => v i)) by ring.
    rewrite <- avg_scale, <- avg_add. unfold avg. f_equal. apply sum_ext; intros j _. unfold e, row_error.
    ring. }
  rewrite H. set (a := sum J (fun j => e j o)).
  rewrite (sum_ext J _ (fun j => a * e j o)); [rewrite sum_scale; fold a; ring|].
  intros j _. rewrite sum_scale. unfold a. ring.
Qed.
Lemma mean_small : P (fun o => (avg J (fun j => estimate (w j o) v i) - v i) ^ 2) <= bound / INR J.
Proof.
  assert (Hin : forall j, (j < J)%nat -> int P (fun o => sum J (fun j' => e j o * e j' o))).
  { intros j Hj. apply int_sum. intros j' Hj'. now apply product. }
  rewrite <- (E_same P _ _ mean_error), E_scale by now apply int_sum.
  rewrite (E_sum P J (fun j o => sum J (fun j' => e j o * e j' o))) by auto.
  rewrite (sum_ext J _ (fun j => P (fun o => e j o ^ 2))).
  - rewrite <- (E_sum P J (fun j o => e j o ^ 2)) by apply int_square. pose proof sum_of_squares.
    pose proof (INR_pos J some_rows). replace (bound / INR J) with (/ INR J * / INR J * (INR J * bound))
      by (field; lra).
    apply Rmult_le_compat_l; [|auto]. apply Rmult_le_pos; left; now apply Rinv_0_lt_compat.
  - intros j Hj. rewrite (E_sum P J (fun j' o => e j o * e j' o)) by (intros j' Hj'; now apply product).
    rewrite (sum_ext J _ (fun j' => ind (Nat.eqb j' j) * P (fun o => e j o ^ 2))) by (intros j' Hj';
      now apply product).
    now apply (sum_pick J j (fun _ => P (fun o => e j o ^ 2))).
Qed.
End Mean.

(** h rows are off by at least as much as the median. *)
Lemma median_square m o : median J (fun j => estimate (w j o) v i) m ->
  INR (half_up J) * (m - v i) ^ 2 <= sum J (fun j => e j o ^ 2).
Proof.
  intros Hm. pose proof (median_off_either_side J _ m (v i) Hm) as H.
  apply Rle_trans with (size J (fun j => at_most (Rabs (m - v i)) (Rabs (estimate (w j o) v i - v i))) * (m -
    v i) ^ 2).
  - apply Rmult_le_compat_r; [apply pow2_ge_0|exact H].
  - unfold size. rewrite Rmult_comm, <- sum_scale. apply sum_mono; intros j _. fold (row_error (w j o) v i).
    fold (e j o).
    destruct (at_most _ _) eqn:E; simpl ind; [|rewrite Rmult_0_r; apply pow2_ge_0].
    apply at_most_true in E. rewrite Rmult_1_r, <- !Rsqr_pow2. now apply Rsqr_le_abs_1.
Qed.
Lemma half_up_pos : 0 < INR (half_up J).
Proof. apply lt_0_INR. unfold half_up. apply Nat.div_str_pos. lia. Qed.
Lemma median_small med : (forall o, may P o -> median J (fun j => estimate (w j o) v i) (med o)) ->
  int P (fun o => (med o - v i) ^ 2) -> P (fun o => (med o - v i) ^ 2) <= INR J / INR (half_up J) * bound.
Proof.
  intros Hmed Hint. pose proof half_up_pos as Hh. apply Rmult_le_reg_l with (INR (half_up J)); [auto|].
  rewrite <- E_scale by auto. apply Rle_trans with (P (fun o => sum J (fun j => e j o ^ 2))).
  - apply E_mono; [now apply int_scale|apply int_sum, int_square|]. intros o Ho.
    now apply median_square, Hmed.
  - apply Rle_trans with (1 := sum_of_squares). right. field. lra.
Qed.
End Rows.

Theorem second_moment_of_the_mean : Second_Moment_Of_The_Mean.
Proof. intros V I P d columns K sigma2 J w v i HJ Hi Hw Hj. now apply (mean_small P d columns). Qed.

Theorem second_moment_of_the_median : Second_Moment_Of_The_Median.
Proof. intros V I P d columns K sigma2 J w v i med HJ Hi Hw Hm Hint.
now apply (median_small P d columns K sigma2 J w). Qed.
