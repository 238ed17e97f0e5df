(** * Finite sums and means of real numbers *)
From Coq Require Import Reals Lra Lia.
Open Scope R_scope.

(** X 0 + … + X (n-1) *)
Fixpoint sum (n : nat) (X : nat -> R) : R :=
  match n with O => 0 | S k => sum k X + X k end.
Lemma sum_mono n X Y : (forall i, (i < n)%nat -> X i <= Y i) -> sum n X <= sum n Y.
Proof.
  induction n as [|n IH]; simpl; intros H; [lra|].
  assert (sum n X <= sum n Y) by (apply IH; intros; apply H; lia).
  assert (X n <= Y n) by (apply H; lia). lra.
Qed.
Lemma sum_ext n X Y : (forall i, (i < n)%nat -> X i = Y i) -> sum n X = sum n Y.
Proof. intros H; apply Rle_antisym; apply sum_mono; intros; rewrite H; auto; lra. Qed.
Lemma sum_add n X Y : sum n (fun i => X i + Y i) = sum n X + sum n Y.
Proof. induction n as [|n IH]; simpl; [ring|rewrite IH; ring]. Qed.
Lemma sum_scale n a X : sum n (fun i => a * X i) = a * sum n X.
Proof. induction n as [|n IH]; simpl; [ring|rewrite IH; ring]. Qed.
Lemma sum_const n a : sum n (fun _ => a) = INR n * a.
Proof. induction n as [|n IH]; [simpl; ring|]. rewrite S_INR; simpl; rewrite IH; ring. Qed.
Lemma sum_nonneg n X : (forall i, (i < n)%nat -> 0 <= X i) -> 0 <= sum n X.
Proof. intros H. replace 0 with (sum n (fun _ => 0)) by (rewrite sum_const; ring). now apply sum_mono. Qed.
Lemma sum_swap n k X : sum n (fun i => sum k (fun j => X i j)) = sum k (fun j => sum n (fun i => X i j)).
Proof.
  induction n as [|n IH]; simpl.
  - rewrite sum_const; ring.
  - rewrite IH, <- sum_add. reflexivity.
Qed.

(** The mean of n numbers *)
Definition avg (n : nat) (X : nat -> R) : R := / INR n * sum n X.
Section Avg.
Variables (n : nat) (some : (0 < n)%nat).
Lemma INR_pos : 0 < INR n. Proof. now apply lt_0_INR. Qed.
Lemma avg_mono X Y : (forall i, (i < n)%nat -> X i <= Y i) -> avg n X <= avg n Y.
Proof. intros. apply Rmult_le_compat_l; [left; apply Rinv_0_lt_compat, INR_pos|now apply sum_mono]. Qed.
Lemma avg_ext X Y : (forall i, (i < n)%nat -> X i = Y i) -> avg n X = avg n Y.
Proof. intros. unfold avg. f_equal. now apply sum_ext. Qed.
Lemma avg_add X Y : avg n (fun i => X i + Y i) = avg n X + avg n Y.
Proof. unfold avg. rewrite sum_add. ring. Qed.
Lemma avg_scale a X : avg n (fun i => a * X i) = a * avg n X.
Proof. unfold avg. rewrite sum_scale. ring. Qed.
Lemma avg_const c : avg n (fun _ => c) = c.
Proof. unfold avg. rewrite sum_const. pose proof INR_pos. field. lra. Qed.
End Avg.

(** A number whose square is at most that of a nonnegative one is at most that one. *)
Lemma square_le a b : 0 <= b -> a * a <= b * b -> a <= b.
Proof. intros; apply Rnot_lt_le; intro; nra. Qed.
