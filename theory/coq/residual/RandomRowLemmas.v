(** * Moments of one random row

    Δ_i = Σ_l X_l v_l + N, where X_l = [l collides with i] ± and N is the noise in the bucket of i, times the
    sign of i. *)
From Coq Require Import Reals Lra Lia Bool.
From FPS.residual Require Export RandomRows HashRowsLemmas.
Open Scope R_scope.

Section OneRow.
Context {V : space} {I : Type}.
Variables (P : mean V I) (d columns : nat) (K sigma2 : R) (w : I -> row) (i : nat).
Hypothesis given : random_row P d columns K sigma2 w.
Hypothesis i_small : (i < d)%nat.
Notation b o := (bucket (w o)).
Notation s o := (sign (w o)).

Lemma int_bucket_event (D : (nat -> nat) -> bool) : int P (fun o => ind (D (b o))).
Proof. exact (hash_events _ _ _ _ _ _ given (fun x _ => D x)). Qed.
(** A sign, or the product of two, on an event about the buckets has a mean. *)
Lemma int_sign_on_an_event (D : (nat -> nat) -> bool) (F : (nat -> bool) -> bool) :
  int P (fun o => ind (D (b o)) * pm (F (s o))).
Proof.
  apply (int_same P (fun o => 2 * ind (D (b o) && F (s o)) + (-1) * ind (D (b o)))).
  - intros o. destruct (D (b o)), (F (s o)); simpl; ring.
  - apply int_add; apply int_scale; [exact (hash_events _ _ _ _ _ _ given (fun x y => D x && F y))|].
    apply int_bucket_event.
Qed.
Lemma int_signs_on_an_event (D : (nat -> nat) -> bool) l m : int P (fun o => ind (D (b o)) * (pm (s o l) * pm
  (s o m))).
Proof.
  apply (int_same P (fun o => ind (D (b o)) * pm (Bool.eqb (s o l) (s o m)))).
  - intros o. destruct (s o l), (s o m); simpl; ring.
  - exact (int_sign_on_an_event D (fun x => Bool.eqb (x l) (x m))).
Qed.

(** ** Functions of the noise in the bucket of i: the sum over all buckets, on the event that i is there *)
Lemma noise_in_bucket (g : R -> R) o : g (noise (w o) (b o i)) =
  sum columns (fun c => ind (Nat.eqb (b o i) c) * g (noise (w o) c)).
Proof.
  pose proof (bucket_below _ _ _ _ _ _ given o i i_small) as Hb.
  rewrite <- (sum_pick columns (b o i) (fun c => g (noise (w o) c)) Hb). apply sum_ext; intros c _.
  now rewrite Nat.eqb_sym.
Qed.
(** A factor that is a coin of mean 0 on every event about the buckets makes the noise vanish. *)
Lemma coin_times_noise (D : nat -> nat -> bool) l : (l < d)%nat ->
  int P (fun o => ind (D (b o l) (b o i)) * pm (s o l) * noise (w o) (b o i)) /\
  P (fun o => ind (D (b o l) (b o i)) * pm (s o l) * noise (w o) (b o i)) = 0.
Proof.
  intros Hl. set (here c (x : nat -> nat) := D (x l) (x i) && Nat.eqb (x i) c).
  assert (Hcoin : forall c, int P (fun o => ind (here c (b o)) * pm (s o l))
    /\ P (fun o => ind (here c (b o)) * pm (s o l)) = 0).
  { intros c. split; [exact (int_sign_on_an_event (here c) (fun x => x l))|].
    exact (fair _ _ _ (signs _ _ _ _ _ _ given) l i (fun x y => D x y && Nat.eqb y c) Hl i_small). }
  assert (Hterm : forall c, (c < columns)%nat -> int P (fun o => ind (here c (b o)) * pm (s o l) * noise (w
    o) c) /\
    P (fun o => ind (here c (b o)) * pm (s o l) * noise (w o) c) = 0).
  { intros c Hc. destruct (Hcoin c) as [H1 H2].
    destruct (noise_and_hash _ _ _ _ _ _ given (fun x => ind (here c (fst x)) * pm (snd x l)) (fun n => n c)
      H1
      (noise_mean _ _ _ _ _ _ given c Hc)) as [H3 H4]. split; [exact H3|].
    transitivity (P (fun o => ind (here c (b o)) * pm (s o l)) * P (fun o => noise (w o) c));
      [exact H4|rewrite H2; ring]. }
  assert (Hsum : forall o, sum columns (fun c => ind (here c (b o)) * pm (s o l) * noise (w o) c) =
    ind (D (b o l) (b o i)) * pm (s o l) * noise (w o) (b o i)).
  { intros o. rewrite (noise_in_bucket (fun x => x)), <- sum_scale. apply sum_ext; intros c _. unfold here.
    destruct (D (b o l) (b o i)), (Nat.eqb (b o i) c); simpl; ring. }
  split.
  - apply (int_same P _ _ Hsum). apply int_sum. intros c Hc. now apply Hterm.
  - rewrite <- (E_same P _ _ Hsum), E_sum by (intros c Hc; now apply Hterm).
    rewrite (sum_ext columns _ (fun _ => 0)) by (intros c Hc; now apply Hterm). rewrite sum_const; ring.
Qed.
Lemma noise_square_in_bucket : int P (fun o => noise (w o) (b o i) ^ 2)
  /\ P (fun o => noise (w o) (b o i) ^ 2) <= sigma2.
Proof.
  assert (Hterm : forall c, (c < columns)%nat -> int P (fun o => ind (Nat.eqb (b o i) c) * noise (w o) c ^ 2)
    /\
    P (fun o => ind (Nat.eqb (b o i) c) * noise (w o) c ^ 2) =
      P (fun o => ind (Nat.eqb (b o i) c)) * P (fun o => noise (w o) c ^ 2)).
  { intros c Hc. exact (noise_and_hash _ _ _ _ _ _ given (fun x => ind (Nat.eqb (fst x i) c)) (fun n => n c ^
      2)
      (int_bucket_event (fun x => Nat.eqb (x i) c)) (noise_square _ _ _ _ _ _ given c Hc)). }
  assert (Hsum : forall o, sum columns (fun c => ind (Nat.eqb (b o i) c) * noise (w o) c ^ 2) =
    noise (w o) (b o i) ^ 2).
  { intros o. symmetry. apply (noise_in_bucket (fun x => x ^ 2)). }
  split.
  - apply (int_same P _ _ Hsum). apply int_sum. intros c Hc. now apply Hterm.
  - rewrite <- (E_same P _ _ Hsum), E_sum by (intros c Hc; now apply Hterm).
    apply Rle_trans with (sum columns (fun c => sigma2 * P (fun o => ind (Nat.eqb (b o i) c)))).
    + apply sum_mono; intros c Hc. rewrite (proj2 (Hterm c Hc)), Rmult_comm. apply Rmult_le_compat_r.
      * apply E_nonneg; [exact (int_bucket_event (fun x => Nat.eqb (x i) c))|intros; apply ind_nonneg].
      * now apply (noise_small _ _ _ _ _ _ given).
    + rewrite sum_scale, <- E_sum by (intros c _; exact (int_bucket_event (fun x => Nat.eqb (x i) c))).
      rewrite (E_same P _ (fun _ => 1)), E_const; [lra|].
      intros o. rewrite (sum_ext columns _ (fun c => ind (Nat.eqb (b o i) c) * 1)) by (intros; ring).
      rewrite <- (noise_in_bucket (fun _ => 1)). reflexivity.
Qed.

(** ** Collisions *)
Let X (l : nat) (o : I) : R := ind (collides (w o) i l) * (pm (s o i) * pm (s o l)).
Let N (o : I) : R := pm (s o i) * noise (w o) (b o i).
Let met (l : nat) (x : nat -> nat) : bool := negb (Nat.eqb l i) && Nat.eqb (x l) (x i).
Lemma error_as_sum (v : Rd d) o : row_error (w o) v i = sum d (fun l => v l * X l o) + N o.
Proof. rewrite row_error_is by auto. f_equal. apply sum_ext; intros l _. unfold X. ring. Qed.
Lemma collision_rare l : (l < d)%nat ->
  int P (fun o => ind (collides (w o) i l)) /\ Pr P (fun o => collides (w o) i l) <=
    ind (negb (Nat.eqb l i)) * / K.
Proof.
  intros Hl. split; [exact (int_bucket_event (met l))|]. unfold Pr, collides.
  destruct (Nat.eqb_spec l i) as [->|Hne]; simpl.
  - rewrite E_const. lra.
  - rewrite Rmult_1_l. now apply (collisions _ _ _ _ _ _ given).
Qed.
Lemma X_mean l : (l < d)%nat -> int P (X l) /\ P (X l) = 0.
Proof.
  intros Hl. destruct (Nat.eq_dec l i) as [->|Hne].
  - assert (H : forall o, 0 = X i o) by (intros; unfold X, collides; rewrite Nat.eqb_refl; simpl; ring).
    split; [apply (int_same P _ _ H), int_const|rewrite <- (E_same P _ _ H); apply E_const].
  - split; [exact (int_signs_on_an_event (met l) i l)|].
    exact (uncorrelated _ _ _ (signs _ _ _ _ _ _ given) i l i (fun x y _ => negb (Nat.eqb l i) && Nat.eqb y x)
      i_small Hl i_small (fun E => Hne (eq_sym E))).
Qed.
Lemma N_mean : int P N /\ P N = 0.
Proof.
  pose proof (coin_times_noise (fun _ _ => true) i i_small) as [H1 H2]. unfold N.
  assert (H : forall o, ind true * pm (s o i) * noise (w o) (b o i) = pm (s o i) * noise (w o) (b o i))
    by (intros; simpl; ring).
  split; [now apply (int_same P _ _ H)|now rewrite <- (E_same P _ _ H)].
Qed.
Lemma N_square : int P (fun o => N o ^ 2) /\ P (fun o => N o ^ 2) <= sigma2.
Proof.
  destruct noise_square_in_bucket as [H1 H2].
  assert (H : forall o, noise (w o) (b o i) ^ 2 = N o ^ 2).
  { intros o. unfold N. rewrite Rpow_mult_distr. replace (pm (s o i) ^ 2) with 1; [ring|].
    simpl (_ ^ 2). now rewrite Rmult_1_r, pm_square. }
  split; [now apply (int_same P _ _ H)|now rewrite <- (E_same P _ _ H)].
Qed.
Lemma X_times_N l : (l < d)%nat -> int P (fun o => X l o * N o) /\ P (fun o => X l o * N o) = 0.
Proof.
  intros Hl. destruct (coin_times_noise (fun x y => negb (Nat.eqb l i) && Nat.eqb x y) l Hl) as [H1 H2].
  assert (H : forall o, ind (met l (b o)) * pm (s o l) * noise (w o) (b o i) = X l o * N o).
  { intros o. unfold X, N. change (collides (w o) i l) with (met l (b o)).
    transitivity (ind (met l (b o)) * pm (s o l) * noise (w o) (b o i) * (pm (s o i) * pm (s o i)));
      [rewrite pm_square|]; ring. }
  split; [now apply (int_same P _ _ H)|now rewrite <- (E_same P _ _ H)].
Qed.
Lemma X_square l : (l < d)%nat -> int P (fun o => X l o * X l o) /\
  P (fun o => X l o * X l o) <= ind (negb (Nat.eqb l i)) * / K.
Proof.
  intros Hl. destruct (collision_rare l Hl) as [H1 H2].
  assert (H : forall o, ind (collides (w o) i l) = X l o * X l o).
  { intros o. unfold X. transitivity (ind (collides (w o) i l) * ind (collides (w o) i l) *
      ((pm (s o i) * pm (s o i)) * (pm (s o l) * pm (s o l)))); [|ring].
    rewrite !pm_square. destruct (collides (w o) i l); simpl; ring. }
  split; [now apply (int_same P _ _ H)|rewrite <- (E_same P _ _ H); exact H2].
Qed.
Lemma X_product l m : (l < d)%nat -> (m < d)%nat -> l <> m -> int P (fun o => X l o * X m o)
  /\ P (fun o => X l o * X m o) = 0.
Proof.
  intros Hl Hm Hne.
  pose proof (int_signs_on_an_event (fun x => met l x && met m x) l m) as H1.
  pose proof (uncorrelated _ _ _ (signs _ _ _ _ _ _ given) l m i (fun x y z => (negb (Nat.eqb l i) && Nat.eqb
    x z) &&
    (negb (Nat.eqb m i) && Nat.eqb y z)) Hl Hm i_small Hne) as H2.
  assert (H : forall o, ind (met l (b o) && met m (b o)) * (pm (s o l) * pm (s o m)) = X l o * X m o).
  { intros o. unfold X. change (collides (w o) i l) with (met l (b o)).
    change (collides (w o) i m) with (met m (b o)).
    transitivity (ind (met l (b o)) * ind (met m (b o)) * (pm (s o i) * pm (s o i)) * (pm (s o l) * pm (s o
      m))); [|ring].
    rewrite pm_square. destruct (met l (b o)), (met m (b o)); simpl; ring. }
  split; [now apply (int_same P _ _ H)|now rewrite <- (E_same P _ _ H)].
Qed.

(** ** The error *)
Variable v : Rd d.
Lemma error_mean : int P (fun o => row_error (w o) v i) /\ P (fun o => row_error (w o) v i) = 0.
Proof.
  assert (H : forall o, sum d (fun l => v l * X l o) + N o = row_error (w o) v i) by (intros;
    now rewrite error_as_sum).
  assert (Hl : forall l, (l < d)%nat -> int P (fun o => v l * X l o)) by (intros l Hl;
    now apply int_scale, X_mean).
  pose proof (int_sum P d (fun l o => v l * X l o) Hl) as HS. destruct N_mean as [HN1 HN2]. split.
  - apply (int_same P _ _ H). apply int_add; auto.
  - rewrite <- (E_same P _ _ H), E_add, (E_sum P d (fun l o => v l * X l o)), HN2 by auto.
    rewrite (sum_ext d _ (fun _ => 0)); [rewrite sum_const; ring|].
    intros l Hl'. destruct (X_mean l Hl') as [H1 H2]. rewrite E_scale, H2 by auto. ring.
Qed.
Let Q (o : I) : R := sum d (fun l => sum d (fun m => v l * v m * (X l o * X m o))).
Let cross (o : I) : R := sum d (fun l => 2 * v l * (X l o * N o)).
Lemma error_square o : Q o + cross o + N o ^ 2 = row_error (w o) v i ^ 2.
Proof.
  rewrite error_as_sum. set (a := sum d (fun l => v l * X l o)).
  assert (HQ : Q o = a * a).
  { unfold Q, a. rewrite <- sum_scale. apply sum_ext; intros l _. rewrite Rmult_comm, <- sum_scale.
    apply sum_ext; intros; ring. }
  assert (HC : cross o = 2 * N o * a) by (unfold cross, a; rewrite <- sum_scale; apply sum_ext; intros; ring).
  rewrite HQ, HC. ring.
Qed.
Lemma int_XX l m : (l < d)%nat -> (m < d)%nat -> int P (fun o => X l o * X m o).
Proof.
  intros Hl Hm. destruct (Nat.eq_dec l m) as [->|H]; [now apply X_square|now apply X_product].
Qed.
Lemma int_Q : int P Q.
Proof. apply int_sum; intros l Hl. apply int_sum; intros m Hm. now apply int_scale, int_XX. Qed.
Lemma Q_small : P Q <= sum d (fun l => ind (negb (Nat.eqb l i)) * v l ^ 2) / K.
Proof.
  unfold Q. rewrite E_sum by (intros l Hl; apply int_sum; intros m Hm; now apply int_scale, int_XX).
  unfold Rdiv. rewrite Rmult_comm, <- sum_scale. apply sum_mono; intros l Hl.
  rewrite E_sum by (intros m Hm; now apply int_scale, int_XX).
  rewrite (sum_ext d _ (fun m => ind (Nat.eqb m l) * (v l ^ 2 * P (fun o => X l o * X l o)))).
  - rewrite (sum_pick d l (fun _ => v l ^ 2 * P (fun o => X l o * X l o)) Hl).
    pose proof (proj2 (X_square l Hl)). pose proof (pow2_ge_0 (v l)). nra.
  - intros m Hm. rewrite E_scale by now apply int_XX.
    destruct (Nat.eqb_spec m l) as [->|Hne]; simpl ind; [ring|].
    rewrite (proj2 (X_product l m Hl Hm (fun E => Hne (eq_sym E)))). ring.
Qed.
Lemma cross_mean : int P cross /\ P cross = 0.
Proof.
  assert (Hl : forall l, (l < d)%nat -> int P (fun o => 2 * v l * (X l o * N o))) by (intros l Hl;
    now apply int_scale, X_times_N).
  split; [now apply int_sum|]. unfold cross. rewrite (E_sum P d (fun l o => 2 * v l * (X l o * N o))) by auto.
  rewrite (sum_ext d _ (fun _ => 0)); [rewrite sum_const; ring|]. intros l Hl'.
  destruct (X_times_N l Hl') as [H1 H2]. rewrite E_scale, H2 by auto. ring.
Qed.
Lemma error_second_moment : int P (fun o => row_error (w o) v i ^ 2) /\
  P (fun o => row_error (w o) v i ^ 2) <= sum d (fun l => ind (negb (Nat.eqb l i)) * v l ^ 2) / K + sigma2.
Proof.
  pose proof int_Q as HQ. destruct cross_mean as [HC1 HC2]. destruct N_square as [HN1 HN2].
  assert (HQC : int P (fun o => Q o + cross o)) by now apply int_add. split.
  - apply (int_same P _ _ error_square). now apply (int_add P (fun o => Q o + cross o)).
  - rewrite <- (E_same P _ _ error_square), (E_add P (fun o => Q o + cross o)), E_add, HC2 by auto.
    pose proof Q_small. lra.
Qed.
End OneRow.

(** ‖v‖² − v_i² is the sum over the other coordinates. *)
Lemma others_sum d (v : Rd d) i : (i < d)%nat ->
  sum d (fun l => ind (negb (Nat.eqb l i)) * v l ^ 2) = ‖v‖² - v i ^ 2.
Proof.
  intros Hi. rewrite <- (sum_pick d i (fun l => v l ^ 2) Hi).
  apply Rplus_eq_reg_r with (sum d (fun l => ind (Nat.eqb l i) * v l ^ 2)). rewrite <- sum_add. ring_simplify.
  simpl. apply sum_ext; intros l _. destruct (Nat.eqb l i); simpl; ring.
Qed.
