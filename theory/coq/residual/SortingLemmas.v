(** * Sorted coordinates, permuted sums, and the tail of a sorted vector *)
From Coq Require Import Reals Lra Lia Bool.
From FPS.residual Require Export PowerLaw TopSetsLemmas.
Open Scope R_scope.

Section Permuted.
Variables (d : nat) (order : nat -> nat).
Hypothesis below : forall i, (i < d)%nat -> (order i < d)%nat.
Hypothesis injective : forall i j, (i < d)%nat -> (j < d)%nat -> order i = order j -> i = j.
(** How many places go to j *)
Let hits (n j : nat) : R := sum n (fun i => ind (Nat.eqb (order i) j)).
Lemma hits_at_most_one n j : (n <= d)%nat -> hits n j <= 1.
Proof.
  intros Hn. destruct (some_place_or_none order n j) as [[i [Hi Hij]]|Hno].
  - apply Rle_trans with (sum n (fun l => ind (Nat.eqb l i) * 1)); [|rewrite sum_pick; [lra|auto]].
    apply sum_mono. intros l Hl. destruct (Nat.eqb_spec (order l) j) as [Hlj|]; [|destruct (Nat.eqb l i);
      simpl; lra].
    rewrite (injective l i) by (lia || congruence). rewrite Nat.eqb_refl. simpl; lra.
  - unfold hits. rewrite (sum_ext n _ (fun _ => 0)); [rewrite sum_const; lra|].
    intros i Hi. destruct (Nat.eqb_spec (order i) j); [exfalso; now apply (Hno i)|reflexivity].
Qed.
Lemma hits_one j : (j < d)%nat -> hits d j = 1.
Proof.
  intros Hj. assert (H : sum d (fun j => 1 + (-1) * hits d j) <= 0).
  { rewrite sum_add, sum_scale, sum_const. unfold hits. rewrite sum_swap.
    rewrite (sum_ext d (fun i => sum d (fun j => ind (Nat.eqb (order i) j))) (fun _ => 1));
      [rewrite sum_const; lra|].
    intros i Hi. rewrite <- (sum_pick d (order i) (fun _ => 1)) by auto. apply sum_ext; intros l _.
    rewrite Nat.eqb_sym. ring. }
  assert (K : 1 + (-1) * hits d j = 0); [|lra].
  apply (sum_zero d (fun j => 1 + (-1) * hits d j)); auto.
  intros i _. pose proof (hits_at_most_one d i (le_n d)). lra.
Qed.
Lemma sum_permuted X : sum d (fun i => X (order i)) = sum d X.
Proof.
  transitivity (sum d (fun i => sum d (fun j => ind (Nat.eqb (order i) j) * X j))).
  - apply sum_ext; intros i Hi. rewrite <- (sum_pick d (order i) X) by auto. apply sum_ext; intros j _.
    now rewrite Nat.eqb_sym.
  - rewrite sum_swap. apply sum_ext; intros j Hj.
    rewrite (sum_ext d _ (fun i => X j * ind (Nat.eqb (order i) j))) by (intros; ring).
    rewrite sum_scale. fold (hits d j). rewrite hits_one by auto. ring.
Qed.
End Permuted.

(** Where x belongs in a list of numbers that do not increase *)
Lemma place (a : nat -> R) x n : (forall i j, (i <= j < n)%nat -> a j <= a i) ->
  exists p, (p <= n)%nat /\ (forall i, (i < p)%nat -> x <= a i) /\ (forall i, (p <= i < n)%nat -> a i <= x).
Proof.
  induction n as [|n IH]; intros Ha; [exists O; repeat split; intros; lia|].
  destruct IH as [p [Hp [H1 H2]]]; [intros; apply Ha; lia|].
  destruct (Nat.eq_dec p n) as [->|Hne].
  - destruct (Rle_or_lt x (a n)) as [Hx|Hx].
    + exists (S n). repeat split; [lia| |intros; lia].
      intros i Hi. destruct (Nat.eq_dec i n) as [->|]; [auto|apply H1; lia].
    + exists n. repeat split; [lia|auto|]. intros i Hi. replace i with n by lia. lra.
  - exists p. repeat split; [lia|auto|]. intros i Hi. destruct (Nat.eq_dec i n) as [->|]; [|apply H2; lia].
    apply Rle_trans with (a p); [apply Ha; lia|apply H2; lia].
Qed.
(** Insertion: the next coordinate goes to its place, and what follows moves on by one. *)
Lemma some_order_sorts_below (v : nat -> R) d : exists order, sorts d order v.
Proof.
  induction d as [|n [order [Hb [Hi Hs]]]].
  - exists (fun i => i). split; [|split]; intros; lia.
  - destruct (place (fun i => Rabs (v (order i))) (Rabs (v n)) n Hs) as [p [Hp [H1 H2]]].
    exists (fun i => if Nat.ltb i p then order i else if Nat.eqb i p then n else order (i - 1)%nat).
    split; [|split].
    + intros i Hl. destruct (Nat.ltb_spec i p); [specialize (Hb i); lia|].
      destruct (Nat.eqb_spec i p); [lia|specialize (Hb (i - 1)%nat); lia].
    + intros i j Hl Hl'. pose proof (Hb i). pose proof (Hb j).
      pose proof (Hb (i - 1)%nat). pose proof (Hb (j - 1)%nat).
      destruct (Nat.ltb_spec i p), (Nat.ltb_spec j p), (Nat.eqb_spec i p), (Nat.eqb_spec j p); intros E;
        try lia; try (apply Hi in E; lia).
    + intros i j Hij. destruct (Nat.ltb_spec i p), (Nat.ltb_spec j p), (Nat.eqb_spec i p), (Nat.eqb_spec j p);
        try lia; try lra; try (apply Hs; lia).
      * now apply H1.
      * apply (H2 (j - 1)%nat). lia.
Qed.

(** A top-k set holds at least as much as any other set of its size. *)
Lemma top_holds_most d (S S' : coordinates) (a : nat -> R) : (forall i, (i < d)%nat -> 0 <= a i) ->
  (forall i j, (i < d)%nat -> (j < d)%nat -> S i = true -> S j = false -> a j <= a i) ->
    size d S' = size d S ->
  sum d (fun i => ind (S' i) * a i) <= sum d (fun i => ind (S i) * a i).
Proof.
  intros Ha Ht Hs. set (C i := S' i && negb (S i)). set (Q i := S i && negb (S' i)).
  set (both i := S i && S' i).
  assert (Hpart : forall X, sum d (fun i => ind (S' i) * X i) =
    sum d (fun i => ind (both i) * X i) + sum d (fun i => ind (C i) * X i)
    /\ sum d (fun i => ind (S i) * X i) = sum d (fun i => ind (both i) * X i) +
      sum d (fun i => ind (Q i) * X i)).
  { intros X. rewrite <- !sum_add. split; apply sum_ext; intros i _; unfold both, C, Q;
      destruct (S i), (S' i); simpl; ring. }
  destruct (Hpart a) as [-> ->]. apply Rplus_le_compat_l, exchange; auto.
  - intros i j Hi Hj HC HQ. apply andb_true_iff in HC, HQ. destruct HC as [_ HC], HQ as [HQ _].
    apply negb_true_iff in HC. now apply Ht.
  - destruct (Hpart (fun _ => 1)) as [E1 E2]. unfold size in *.
    assert (One : forall F, sum d (fun i => ind (F i) * 1) = sum d (fun i => ind (F i))) by (intros;
      apply sum_ext; intros; ring).
    rewrite !One in E1, E2. lra.
Qed.
Lemma top_k_below d k S (v : Rd d) : top d k S v -> (k <= d)%nat.
Proof.
  intros [H _]. apply INR_le. rewrite <- H. rewrite <- (Rmult_1_r (INR d)), <- sum_const. apply sum_mono.
  intros i _. destruct (S i); simpl; lra.
Qed.
Lemma tail_of_the_order_holds d k (v : Rd d) order S : sorts d order v -> top d k S v ->
  tau v S ^ 2 = sum (d - k) (fun i => v (order (k + i)%nat) ^ 2).
Proof.
  intros [Hb [Hi Hs]] HS. pose proof (top_k_below d k S v HS) as Hk. destruct HS as [Hn Ht].
  set (a i := v (order i) ^ 2). set (F i := Nat.ltb i k). set (S' i := S (order i)).
  assert (Hsq : forall x y, Rabs x <= Rabs y -> x ^ 2 <= y ^ 2).
  { intros x y H. rewrite <- !Rsqr_pow2. now apply Rsqr_le_abs_1. }
  assert (Hn' : size d S' = INR k) by (rewrite <- Hn;
    apply (sum_permuted d order Hb Hi (fun i => ind (S i)))).
  assert (Heq : sum d (fun i => ind (S' i) * a i) = sum d (fun i => ind (F i) * a i)).
  { apply Rle_antisym; apply top_holds_most; try (intros; apply pow2_ge_0); try (rewrite Hn'; unfold F;
      rewrite first_size; auto).
    - intros i j Hi' Hj' H1 H2. apply Nat.ltb_lt in H1. apply Nat.ltb_ge in H2. apply Hsq, Hs. lia.
    - intros i j Hi' Hj' H1 H2. apply Hsq, Ht; auto. }
  unfold tau. simpl (_ ^ 2) at 1. rewrite Rmult_1_r, norm_square, restrict_square.
  rewrite <- (sum_permuted d order Hb Hi (fun i => ind (outside S i) * v i ^ 2)).
  transitivity (sum d a - sum d (fun i => ind (S' i) * a i)).
  - apply Rplus_eq_reg_r with (sum d (fun i => ind (S' i) * a i)). rewrite <- sum_add. ring_simplify.
    apply sum_ext; intros i _. unfold S', a, outside. destruct (S (order i)); simpl; ring.
  - rewrite Heq. replace d with (k + (d - k))%nat at 1 2 by lia. rewrite !sum_split.
    rewrite (sum_ext k (fun i => ind (F i) * a i) a),
      (sum_ext (d - k) (fun i => ind (F (k + i)%nat) * a (k + i)%nat) (fun _ => 0)).
    + rewrite sum_const. unfold a. ring.
    + intros i _. unfold F. replace (Nat.ltb (k + i) k) with false by (symmetry; apply Nat.ltb_ge; lia).
      simpl; ring.
    + intros i Hi'. unfold F. apply Nat.ltb_lt in Hi'. rewrite Hi'. simpl; ring.
Qed.
