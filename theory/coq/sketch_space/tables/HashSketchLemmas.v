(** * Medians of three numbers, and reading out all coordinates *)
From Coq Require Import Reals Lra Lia.
From FPS.sketch_space.tables Require Export HashSketch.
Open Scope R_scope.

(** Two equal numbers of three are the median. *)
Lemma median3_outer x y : median3 x y x = x.
Proof. unfold median3, Rmax, Rmin. repeat destruct (Rle_dec _ _); lra. Qed.
Lemma median3_last x y : median3 y x x = x.
Proof. unfold median3, Rmax, Rmin. repeat destruct (Rle_dec _ _); lra. Qed.
Lemma median3_first x y : median3 x x y = x.
Proof. unfold median3, Rmax, Rmin. repeat destruct (Rle_dec _ _); lra. Qed.

Lemma size_le_all n P : sum n (fun i => ind (P i)) <= INR n.
Proof.
  rewrite <- (Rmult_1_r (INR n)), <- sum_const. apply sum_mono. intros j _. unfold ind; destruct (P j); lra.
Qed.
Lemma all_of_them n P : size n P = INR n -> forall i, (i < n)%nat -> P i = true.
Proof.
  unfold size. induction n as [|n IH]; intros H i Hi; [lia|]. pose proof (size_le_all n P).
  rewrite S_INR in H. cbn [sum] in H. destruct (P n) eqn:E; simpl in H; [|lra].
  destruct (Nat.eq_dec i n) as [->|]; auto. apply IH; [lra|lia].
Qed.
(** k = d: what is read out is the estimate. *)
Lemma restrict_all n P (x : nat -> R) i : top n n P x -> (i < n)%nat -> restrict (d := n) P x i = x i.
Proof. intros [H _] Hi. unfold restrict. rewrite (all_of_them n P H i Hi). unfold ind. ring. Qed.

(** k = d: there is a run. *)
Lemma run_of_all h gamma H wstar start read : exists s w, fps_run h (d h) gamma H wstar start read s w.
Proof.
  set (s := fix s t := match t with O => start | S n =>
    fun j c => s n j c - gamma * sketch_of h (gradient h H wstar (read (s n))) j c end).
  exists s, (fun t => read (s t)). split; [reflexivity|split].
  - intros t. exists (fun _ => true). split; [split|].
    + unfold size, ind. rewrite sum_const; ring.
    + intros; discriminate.
    + intros i _. unfold restrict, ind. ring.
  - intros; reflexivity.
Qed.
