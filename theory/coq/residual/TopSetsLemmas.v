(** * Sums over sets of coordinates *)
From Coq Require Import Reals Lra Lia Bool.
From FPS.residual Require Export TopSets.
Open Scope R_scope.

Lemma ind_nonneg x : 0 <= ind x.
Proof. destruct x; simpl; lra. Qed.
Lemma size_nonneg d S : 0 <= size d S.
Proof. apply sum_nonneg; intros; apply ind_nonneg. Qed.
Lemma restrict_square d S (x : Rd d) : ‖(restrict S x)‖² = sum d (fun i => ind (S i) * x i ^ 2).
Proof. simpl. apply sum_ext; intros i _. unfold restrict, ind. destruct (S i); ring. Qed.
Lemma restrict_le d S S' (x : Rd d) :
  (forall i, S i = true -> S' i = true) -> ‖(restrict S x)‖² <= ‖(restrict S' x)‖².
Proof.
  intros H. rewrite !restrict_square. apply sum_mono; intros i _. specialize (H i).
  pose proof (pow2_ge_0 (x i)). unfold ind. destruct (S i), (S' i); try lra; discriminate (H eq_refl).
Qed.
Lemma size_le d S S' : (forall i, S i = true -> S' i = true) -> size d S <= size d S'.
Proof.
  intros H. apply sum_mono; intros i _. specialize (H i). unfold ind.
  destruct (S i), (S' i); try lra; discriminate (H eq_refl).
Qed.
(** A sum of numbers that are not negative is at least each of them. *)
Lemma sum_ge_term n X i : (forall j, (j < n)%nat -> 0 <= X j) -> (i < n)%nat -> X i <= sum n X.
Proof.
  induction n as [|n IH]; intros H Hi; [lia|]. cbn [sum].
  destruct (Nat.eq_dec i n) as [->|].
  - assert (0 <= sum n X) by (apply sum_nonneg; intros; apply H; lia). lra.
  - assert (X i <= sum n X) by (apply IH; [intros; apply H|]; lia). pose proof (H n ltac:(lia)). lra.
Qed.
Lemma sum_split k n X : sum (k + n) X = sum k X + sum n (fun i => X (k + i)%nat).
Proof.
  induction n as [|n IH]; [rewrite Nat.add_0_r; simpl; ring|].
  replace (k + S n)%nat with (S (k + n)) by lia. cbn [sum]. rewrite IH. ring.
Qed.
Lemma sum_zero n X : (forall i, (i < n)%nat -> 0 <= X i) -> sum n X <= 0 -> forall i, (i < n)%nat -> X i = 0.
Proof. intros H H0 i Hi. pose proof (H i Hi). pose proof (sum_ge_term n X i H Hi). lra. Qed.
(** The one term that is asked for *)
Lemma sum_pick n j X : (j < n)%nat -> sum n (fun i => ind (Nat.eqb i j) * X i) = X j.
Proof.
  induction n as [|n IH]; intros Hj; [lia|]. cbn [sum]. destruct (Nat.eq_dec j n) as [->|Hne].
  - rewrite (sum_ext n _ (fun _ => 0)), sum_const, Nat.eqb_refl; [simpl; ring|].
    intros i Hi. replace (Nat.eqb i n) with false by (symmetry; apply Nat.eqb_neq; lia). simpl; ring.
  - rewrite IH by lia. replace (Nat.eqb n j) with false by (symmetry; apply Nat.eqb_neq; lia). simpl; ring.
Qed.
(** A set of size 0 has no coordinate below d. *)
Lemma size_zero d S i : size d S <= 0 -> (i < d)%nat -> S i = false.
Proof.
  intros H Hi. pose proof (sum_ge_term d (fun j => ind (S j)) i ltac:(intros; apply ind_nonneg) Hi) as K.
  unfold size in H. simpl in K. destruct (S i); [simpl in K; lra|reflexivity].
Qed.
Lemma first_size d k : (k <= d)%nat -> size d (fun i => Nat.ltb i k) = INR k.
Proof.
  intros H. unfold size. replace d with (k + (d - k))%nat by lia. rewrite sum_split.
  rewrite (sum_ext k _ (fun _ => 1)), (sum_ext (d - k) _ (fun _ => 0)); [rewrite !sum_const; ring| |].
  - intros i _. replace (Nat.ltb (k + i) k) with false by (symmetry; apply Nat.ltb_ge; lia). reflexivity.
  - intros i Hi. apply Nat.ltb_lt in Hi. now rewrite Hi.
Qed.
Lemma size_outside d S : size d (outside S) = INR d - size d S.
Proof.
  unfold size. apply Rplus_eq_reg_r with (sum d (fun i => ind (S i))). rewrite <- sum_add.
  rewrite (sum_ext d _ (fun _ => 1)); [rewrite sum_const; ring|]. intros i _. unfold outside.
  destruct (S i); simpl; ring.
Qed.
Lemma sum_Rabs n X : Rabs (sum n X) <= sum n (fun i => Rabs (X i)).
Proof.
  induction n as [|n IH]; [simpl; rewrite Rabs_R0; lra|]. cbn [sum].
  pose proof (Rabs_triang (sum n X) (X n)). lra.
Qed.
Lemma some_place_or_none (order : nat -> nat) n j :
  (exists i, (i < n)%nat /\ order i = j) \/ (forall i, (i < n)%nat -> order i <> j).
Proof.
  induction n as [|n [[i [Hi Hij]]|IH]]; [right; lia|left; exists i; split; [lia|auto]|].
  destruct (Nat.eq_dec (order n) j) as [H|H]; [left; exists n; split; [lia|auto]|right].
  intros i Hi. destruct (Nat.eq_dec i n) as [->|]; [auto|apply IH; lia].
Qed.

(** If everything in C is at most everything in Q, and C has no more coordinates than Q, then so are the
    sums. *)
Lemma exchange d (C Q : coordinates) (a : nat -> R) :
  (forall i j, (i < d)%nat -> (j < d)%nat -> C i = true -> Q j = true -> a i <= a j) ->
  (forall i, (i < d)%nat -> 0 <= a i) -> size d C <= size d Q ->
  sum d (fun i => ind (C i) * a i) <= sum d (fun j => ind (Q j) * a j).
Proof.
  intros Hle Ha Hs. set (c := sum d (fun i => ind (C i) * a i)). set (q := sum d (fun j => ind (Q j) * a j)).
  assert (H : size d Q * c <= size d C * q).
  { unfold size, c, q. rewrite <- !(Rmult_comm (sum d (fun i => ind (_ i) * a i))), <- !sum_scale.
    apply Rle_trans with (sum d (fun j => sum d (fun i => ind (Q j) * (ind (C i) * a i)))).
    { right. apply sum_ext; intros j _. rewrite sum_scale. ring. }
    rewrite sum_swap. apply Rle_trans with (sum d (fun i => sum d (fun j => ind (C i) * (ind (Q j) * a j)))).
    - apply sum_mono; intros i Hi. apply sum_mono; intros j Hj. specialize (Hle i j Hi Hj).
      destruct (C i), (Q j); simpl; try lra; specialize (Hle eq_refl eq_refl); lra.
    - right. apply sum_ext; intros i _. rewrite sum_scale. ring. }
  assert (Hq : 0 <= q).
  { apply sum_nonneg; intros i Hi. apply Rmult_le_pos; [apply ind_nonneg|auto]. }
  destruct (size_nonneg d Q) as [HQ|HQ].
  - apply Rmult_le_reg_l with (size d Q); [auto|]. nra.
  - assert (c = 0); [|lra]. unfold c. rewrite (sum_ext d _ (fun _ => 0)); [rewrite sum_const; ring|].
    intros i Hi. rewrite (size_zero d C i); [simpl; ring|lra|auto].
Qed.
