(** * Proof of Lemma 1'(c), failure probability

    One row: either a coordinate of S collides with i, or the error is that of v outside S, and Chebyshev
    bounds it. The median: h rows are off to the same side, and turning the sign of i turns the error, so
    each side has q/2. *)
From Coq Require Import Reals Lra Lia Bool.
From FPS.residual Require Import RandomRowLemmas BinomialLemmas.
Open Scope R_scope.

Lemma exceeds_true x y : exceeds x y = true <-> y < x.
Proof.
  unfold exceeds, at_most. destruct (Rle_dec x y); simpl; split; intros; try discriminate; try reflexivity;
    lra.
Qed.
Lemma exceeds_false x y : exceeds x y = false <-> x <= y.
Proof.
  unfold exceeds, at_most. destruct (Rle_dec x y); simpl; split; intros; try discriminate; try reflexivity;
    lra.
Qed.

Section OneRow.
Context {V : space} {I : Type}.
Variables (P : mean V I) (d columns : nat) (K sigma2 : R) (w : I ->
  row) (v : Rd d) (i : nat) (y : R) (S : coordinates).
Hypothesis given : random_row P d columns K sigma2 w.
Hypothesis i_small : (i < d)%nat.
Hypothesis y_pos : 0 < y.
Let rest : Rd d := restrict (outside S) v.
Let q := row_failure K (size d S) ‖rest‖² sigma2 y.

(** If no coordinate of S collides with i, then the row cannot tell v from v outside S. *)
Lemma same_error r : (forall l, (l < d)%nat -> S l = true -> collides r i l = false) ->
  row_error r v i = row_error r rest i.
Proof.
  intros H. rewrite !row_error_is by auto. f_equal. apply sum_ext; intros l Hl. specialize (H l Hl).
  unfold rest, restrict, outside. destruct (S l); simpl; [rewrite H by auto|]; simpl; ring.
Qed.
Let hits o := sum d (fun l => ind (S l) * ind (collides (w o) i l)).
Lemma failure_split o :
  ind (exceeds (Rabs (row_error (w o) v i)) y) <= hits o + / y ^ 2 * row_error (w o) rest i ^ 2.
Proof.
  assert (Hy : 0 < / y ^ 2) by (apply Rinv_0_lt_compat; nra).
  assert (Hpos : forall l, (l < d)%nat -> 0 <= ind (S l) * ind (collides (w o) i l)).
  { intros; apply Rmult_le_pos; apply ind_nonneg. }
  assert (Hh : 0 <= hits o) by now apply sum_nonneg. pose proof (pow2_ge_0 (row_error (w o) rest i)) as He.
  destruct (exceeds _ _) eqn:E; simpl ind; [|nra]. apply exceeds_true in E.
  destruct (some_place_or_none (fun l => if S l && collides (w o) i l then 1 else 0)%nat d 1) as [[l [Hl
    Hc]]|Hno].
  - pose proof (sum_ge_term d _ l Hpos Hl) as Hg. cbv beta in Hg. fold (hits o) in Hg.
    destruct (S l), (collides (w o) i l); simpl in Hc; try discriminate. simpl in Hg. nra.
  - rewrite same_error in E.
    + assert (1 <= / y ^ 2 * row_error (w o) rest i ^ 2); [|lra].
      apply Rmult_le_reg_l with (y ^ 2); [nra|]. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_r, Rmult_1_l by nra.
      rewrite <- !Rsqr_pow2. apply Rsqr_le_abs_1. rewrite (Rabs_pos_eq y) by lra. lra.
    + intros l Hl HS. specialize (Hno l Hl). rewrite HS in Hno. destruct (collides (w o) i l); [|reflexivity].
      exfalso. now apply Hno.
Qed.
Lemma hits_mean : int P hits /\ P hits <= size d S / K.
Proof.
  pose proof (K_pos _ _ _ _ _ _ given) as HK. assert (0 < / K) by now apply Rinv_0_lt_compat.
  pose proof (collision_rare P d columns K sigma2 w i given i_small) as Hc.
  assert (Hl : forall l, (l < d)%nat -> int P (fun o => ind (S l) * ind (collides (w o) i l))).
  { intros l Hl. apply int_scale, Hc. auto. }
  split; [now apply int_sum|]. unfold hits. rewrite (E_sum P d (fun l o => ind (S l) * ind (collides (w o) i
    l))) by auto.
  unfold size, Rdiv. rewrite Rmult_comm, <- sum_scale. apply sum_mono; intros l Hl'.
  rewrite E_scale by now apply Hc.
  pose proof (proj2 (Hc l Hl')) as H1. unfold Pr in H1. destruct (S l); simpl ind; [|lra].
  rewrite Rmult_1_l, Rmult_1_r. apply Rle_trans with (1 := H1). destruct (negb (Nat.eqb l i)); simpl; lra.
Qed.
Lemma rest_second_moment : int P (fun o => row_error (w o) rest i ^ 2) /\
  P (fun o => row_error (w o) rest i ^ 2) <= ‖rest‖² / K + sigma2.
Proof.
  destruct (error_second_moment P d columns K sigma2 w i given i_small rest) as [H1 H2]. split; [exact H1|].
  apply Rle_trans with (1 := H2). apply Rplus_le_compat_r. rewrite others_sum by auto.
  apply Rmult_le_compat_r.
  - left. apply Rinv_0_lt_compat, (K_pos _ _ _ _ _ _ given).
  - pose proof (pow2_ge_0 (rest i)). lra.
Qed.
Lemma row_fails : int P (fun o => ind (exceeds (Rabs (row_error (w o) v i)) y)) ->
  Pr P (fun o => exceeds (Rabs (row_error (w o) v i)) y) <= q.
Proof.
  intros Hint. unfold Pr, q, row_failure. apply Rmin_glb.
  - rewrite <- (E_const P 1). apply E_mono; [auto|apply int_const|]. intros o _.
    destruct (exceeds _ _); simpl; lra.
  - destruct hits_mean as [H1 H2], rest_second_moment as [H3 H4].
    apply Rle_trans with (P (fun o => hits o + / y ^ 2 * row_error (w o) rest i ^ 2)).
    + apply E_mono; [auto|apply int_add; [auto|now apply int_scale]|]. intros o _. apply failure_split.
    + rewrite E_add, E_scale by (auto; now apply int_scale). apply Rplus_le_compat; [auto|].
      unfold Rdiv at 1. rewrite (Rmult_comm _ (/ y ^ 2)). apply Rmult_le_compat_l; [|auto].
      left. apply Rinv_0_lt_compat. nra.
Qed.

(** Turning the sign of i turns the error. *)
Lemma turned_error r : row_error (turned i r) v i = - row_error r v i.
Proof.
  assert (Hi : sign (turned i r) i = negb (sign r i)) by (simpl; now rewrite Nat.eqb_refl).
  assert (Hpm : forall x, pm (negb x) = - pm x) by (intros []; simpl; ring).
  rewrite !row_error_is, Hi, Hpm by auto. simpl (noise _). simpl (bucket _).
  replace (sum d (fun l => ind (collides (turned i r) i l) * (- pm (sign r i) * pm (sign (turned i r) l) * v
    l)))
    with (-1 * sum d (fun l => ind (collides r i l) * (pm (sign r i) * pm (sign r l) * v l))); [ring|].
  rewrite <- sum_scale. apply sum_ext; intros l _. change (collides (turned i r) i l) with (collides r i l).
  unfold collides. simpl (sign (turned i r) l). destruct (Nat.eqb l i); simpl; ring.
Qed.
Lemma one_side_fails : free_sign P i w -> int P (fun o => ind (exceeds (row_error (w o) v i) y)) ->
  int P (fun o => ind (exceeds (- row_error (w o) v i) y)) /\
  Pr P (fun o => exceeds (row_error (w o) v i) y) <= q / 2 /\
  Pr P (fun o => exceeds (- row_error (w o) v i) y) <= q / 2.
Proof.
  intros Hfree Hint. destruct (Hfree (fun r => exceeds (row_error r v i) y) Hint) as [H1 H2].
  assert (HE : forall o, ind (exceeds (row_error (turned i (w o)) v i) y) =
    ind (exceeds (- row_error (w o) v i) y)).
  { intros o. now rewrite turned_error. }
  pose proof (int_same P _ _ HE H1) as H3. unfold Pr in *. rewrite (E_same P _ _ HE) in H2.
  assert (HS : forall o, ind (exceeds (row_error (w o) v i) y) + ind (exceeds (- row_error (w o) v i) y) =
    ind (exceeds (Rabs (row_error (w o) v i)) y)).
  { intros o. set (e := row_error (w o) v i). unfold Rabs. destruct (Rcase_abs e) as [He|He].
    - replace (exceeds e y) with false by (symmetry; apply exceeds_false; lra). simpl. ring.
    - replace (exceeds (- e) y) with false by (symmetry; apply exceeds_false; lra). simpl. ring. }
  pose proof (row_fails (int_same P _ _ HS (int_add P _ _ Hint H3))) as Hq. unfold Pr in Hq.
  rewrite <- (E_same P _ _ HS), E_add, H2 in Hq by auto. rewrite H2. split; [exact H3|lra].
Qed.
Lemma q_unit : 0 <= sigma2 -> 0 <= q <= 1.
Proof.
  intros Hs. unfold q, row_failure. split; [|apply Rmin_l]. pose proof (K_pos _ _ _ _ _ _ given) as HK.
  assert (0 < / K) by now apply Rinv_0_lt_compat. assert (0 < / y ^ 2) by (apply Rinv_0_lt_compat; nra).
  pose proof (size_nonneg d S). pose proof (inner_nonneg _ rest). apply Rmin_glb; [lra|]. unfold Rdiv.
  apply Rplus_le_le_0_compat; [nra|]. apply Rmult_le_pos; [|lra]. apply Rplus_le_le_0_compat; [nra|auto].
Qed.
(** There is a bucket, and the second moment of its noise is at most σ_c². *)
Lemma sigma2_nonneg : 0 <= sigma2.
Proof.
  destruct (noise_square_in_bucket P d columns K sigma2 w i given i_small) as [H1 H2].
  apply Rle_trans with (2 := H2). apply E_nonneg; [auto|]. intros; apply pow2_ge_0.
Qed.
End OneRow.

Theorem failure_of_a_row : Failure_Of_A_Row.
Proof. intros V I P d columns K sigma2 w v i y S H Hi Hy Hint. now apply (row_fails P d columns). Qed.

(** A median that is off by more than y leaves h rows that are off by more than y. *)
Lemma median_exceeds J x m c y : median J x m -> y < Rabs (m - c) ->
  INR (half_up J) <= size J (fun j => exceeds (x j - c) y) \/ INR (half_up J) <=
    size J (fun j => exceeds (- (x j - c)) y).
Proof.
  intros H Hy. destruct (median_off J x m c H) as [[_ K]|[_ K]]; [left|right]; apply Rle_trans with (1 := K);
    apply size_le; intros j Hj; apply at_most_true in Hj; apply exceeds_true; lra.
Qed.

(** A number that is 1 if h rows have an event, never negative, and has a mean of at most P(Bin(J, r) ≥ h) *)
Lemma many_rows {V : space} {I : Type} (P : mean V I) J w (D : row -> bool) h r : independent_rows P J w ->
  0 <= r <= 1 ->
  (forall j, (j < J)%nat -> int P (fun o => ind (D (w j o))) /\ P (fun o => ind (D (w j o))) <= r) ->
  exists A : I -> R, int P A /\ P A <= binomial_tail J h r /\
    forall o, 0 <= A o /\ (INR h <= size J (fun j => D (w j o)) -> A o = 1).
Proof.
  intros Hrows Hr H. exists (fun o => at_least 0 J h (fun j => ind (D (w j o)))).
  destruct (many_events P J w D Hrows (fun j Hj => proj1 (H j Hj)) h r Hr (fun j Hj => proj2 (H j Hj))) as
    [H1 H2].
  split; [exact H1|split; [exact H2|]]. intros o. split.
  - apply at_least_unit. intros j. destruct (D (w j o)); simpl; lra.
  - intros Hh. now apply (at_least_counts J 0 h (fun j => D (w j o))).
Qed.
Lemma event_at_most_one {V : space} {I : Type} (P : mean V I) (D : I -> bool) : int P (fun o => ind (D o)) ->
  P (fun o => ind (D o)) <= 1.
Proof.
  intros H. rewrite <- (E_const P 1). apply E_mono; [auto|apply int_const|]. intros o _.
  destruct (D o); simpl; lra.
Qed.

Theorem failure_of_the_median : Failure_Of_The_Median.
Proof.
  intros V I P d columns K sigma2 J w v i y S med Hi Hy Hw Hrows Hfree Hev Hmed Hint.
  set (q := row_failure K (size d S) ‖(restrict (outside S) v)‖² sigma2 y). unfold median_failure, Pr.
  destruct (Nat.eq_dec J 0) as [->|HJ].
  { change (half_up 0) with O. rewrite binomial_total. pose proof (event_at_most_one P _ Hint). lra. }
  pose proof (Hw O ltac:(lia)) as Hw0.
  pose proof (q_unit P d columns K sigma2 (w O) v y S Hw0 Hy (sigma2_nonneg P d columns K sigma2 (w O) i Hw0
    Hi)) as Hq.
  fold q in Hq.
  assert (Hside : forall j, (j < J)%nat -> int P (fun o => ind (exceeds (- row_error (w j o) v i) y)) /\
    Pr P (fun o => exceeds (row_error (w j o) v i) y) <= q / 2
      /\ Pr P (fun o => exceeds (- row_error (w j o) v i) y) <= q / 2).
  { intros j Hj. apply (one_side_fails P d columns K sigma2); auto. }
  destruct (many_rows P J w (fun r => exceeds (row_error r v i) y) (half_up J) (q / 2) Hrows ltac:(lra)) as
    [A [A1 [A2 A3]]].
  { intros j Hj. split; [now apply Hev|now apply Hside]. }
  destruct (many_rows P J w (fun r => exceeds (- row_error r v i) y) (half_up J) (q / 2) Hrows ltac:(lra)) as
    [B [B1 [B2 B3]]].
  { intros j Hj. split; now apply Hside. }
  apply Rle_trans with (P (fun o => A o + B o)); [|rewrite E_add by auto; lra].
  apply E_mono; [auto|now apply int_add|]. intros o Ho. destruct (A3 o) as [A4 A5], (B3 o) as [B4 B5].
  destruct (exceeds _ _) eqn:E; simpl ind; [|lra]. apply exceeds_true in E.
  destruct (median_exceeds J _ (med o) (v i) y (Hmed o Ho) E) as [H|H]; [rewrite (A5 H)|rewrite (B5 H)]; lra.
Qed.

Theorem failure_of_the_median_with_any_signs : Failure_Of_The_Median_With_Any_Signs.
Proof.
  intros V I P d columns K sigma2 J w v i y S med Hi Hy Hw Hrows Hev Hmed Hint. unfold Pr.
  set (q := row_failure K (size d S) ‖(restrict (outside S) v)‖² sigma2 y).
  destruct (Nat.eq_dec J 0) as [->|HJ].
  { change (half_up 0) with O. rewrite binomial_total. now apply event_at_most_one. }
  pose proof (Hw O ltac:(lia)) as Hw0.
  pose proof (q_unit P d columns K sigma2 (w O) v y S Hw0 Hy (sigma2_nonneg P d columns K sigma2 (w O) i Hw0
    Hi)) as Hq.
  destruct (many_rows P J w (fun r => exceeds (Rabs (row_error r v i)) y) (half_up J) q Hrows Hq) as [A [A1
    [A2 A3]]].
  { intros j Hj. split; [now apply Hev|]. apply (row_fails P d columns K sigma2); auto. }
  apply Rle_trans with (2 := A2). apply E_mono; auto. intros o Ho. destruct (A3 o) as [A4 A5].
  destruct (exceeds _ _) eqn:E; simpl ind; [|lra]. apply exceeds_true in E. rewrite A5; [lra|].
  apply Rle_trans with (1 := median_off_either_side J _ (med o) (v i) (Hmed o Ho)). apply size_le.
  intros j Hj.
  apply at_most_true in Hj. apply exceeds_true. unfold row_error. lra.
Qed.

Theorem union_over_readouts : Union_Over_Readouts.
Proof.
  intros V I P n bad some delta H Hsome Hin. unfold Pr.
  apply Rle_trans with (P (fun o => sum n (fun a => ind (bad a o)))).
  - apply E_mono; [auto|apply int_sum; intros a Ha; now apply H|]. intros o _.
    assert (Hpos : forall a, (a < n)%nat -> 0 <= ind (bad a o)) by (intros; apply ind_nonneg).
    destruct (some o) eqn:E; simpl ind; [|now apply sum_nonneg]. destruct (Hin o E) as [a [Ha Hb]].
    pose proof (sum_ge_term n _ a Hpos Ha) as Hg. cbv beta in Hg. rewrite Hb in Hg. exact Hg.
  - rewrite (E_sum P n (fun a o => ind (bad a o))) by (intros a Ha; now apply H). rewrite <- sum_const.
    apply sum_mono. intros a Ha. now apply H.
Qed.

(** A product whose factors are 1 but for two *)
Lemma prod_two j j' x y n : j <> j' -> prod n (fun m => if Nat.eqb m j then x else if Nat.eqb m j' then y
  else 1) =
  (if Nat.ltb j n then x else 1) * (if Nat.ltb j' n then y else 1).
Proof.
  intros Hne. induction n as [|n IH]; [simpl; ring|]. cbn [prod]. rewrite IH.
  destruct (Nat.eqb_spec n j), (Nat.eqb_spec n j'), (Nat.ltb_spec j n), (Nat.ltb_spec j' n),
    (Nat.ltb_spec j (Datatypes.S n)), (Nat.ltb_spec j' (Datatypes.S n)); try lia; ring.
Qed.
Theorem independent_rows_in_pairs : Independent_Rows_In_Pairs.
Proof.
  intros V I P J w j j' H Hj Hj' Hne phi psi H1 H2.
  set (f n r := if Nat.eqb n j then phi r else if Nat.eqb n j' then psi r else 1).
  assert (Hf : forall n, (n < J)%nat -> int P (fun o => f n (w n o))).
  { intros n _. unfold f. destruct (Nat.eqb_spec n j) as [->|]; [exact H1|].
    destruct (Nat.eqb_spec n j') as [->|]; [exact H2|apply int_const]. }
  destruct (H f Hf) as [H3 H4]. apply Nat.ltb_lt in Hj, Hj'.
  assert (HX : forall o, prod J (fun n => f n (w n o)) = phi (w j o) * psi (w j' o)).
  { intros o. pose proof (prod_two j j' (phi (w j o)) (psi (w j' o)) J Hne) as E. rewrite Hj, Hj' in E.
    rewrite <- E.
    apply prod_ext; intros n _. unfold f. destruct (Nat.eqb_spec n j) as [->|]; [reflexivity|].
    destruct (Nat.eqb_spec n j') as [->|]; reflexivity. }
  split; [exact (int_same P _ _ HX H3)|]. rewrite <- (E_same P _ _ HX), H4.
  pose proof (prod_two j j' (P (fun o => phi (w j o))) (P (fun o => psi (w j' o))) J Hne) as E.
  rewrite Hj, Hj' in E. rewrite <- E. apply prod_ext; intros n _. unfold f.
  destruct (Nat.eqb_spec n j) as [->|]; [reflexivity|].
  destruct (Nat.eqb_spec n j') as [->|]; [reflexivity|apply E_const].
Qed.
