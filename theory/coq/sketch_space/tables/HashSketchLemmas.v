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
  - exists (fun _ _ => true). intros t. split; [split|].
    + unfold size, ind. rewrite sum_const; ring.
    + intros; discriminate.
    + intros i _. unfold restrict, ind. ring.
  - intros; reflexivity.
Qed.

(** A sum in which one index counts *)
Lemma sum_pick n l (X : nat -> R) : (l < n)%nat -> sum n (fun i => if Nat.eqb l i then X i else 0) = X l.
Proof.
  intros H. assert (G : forall m, sum m (fun i => if Nat.eqb l i then X i else 0) =
    if Nat.ltb l m then X l else 0).
  { induction m as [|m IH]; [reflexivity|]. cbn [sum]. rewrite IH.
    destruct (Nat.ltb_spec l m), (Nat.ltb_spec l (S m)), (Nat.eqb_spec l m); subst; try lia; ring. }
  rewrite G. destruct (Nat.ltb_spec l n); [auto|lia].
Qed.
(** ⟨S^T C s, g⟩ = ⟨s, C S g⟩ for a diagonal C *)
Lemma hash_adjoint h (c : nat -> nat -> R) s g :
  (forall j i, (j < J h)%nat -> (i < d h)%nat -> (bucket h j i < buckets h)%nat) ->
  sum (d h) (fun i => sum (J h) (fun j => c j (bucket h j i) * estimate h s j i) * g i) =
  sum (J h) (fun j => sum (buckets h) (fun l => c j l * (s j l * sketch_of h g j l))).
Proof.
  intros fits. unfold sketch_of, estimate.
  transitivity (sum (J h) (fun j => sum (d h)
    (fun i => c j (bucket h j i) * (sign h j i * s j (bucket h j i)) * g i))).
  { rewrite <- sum_swap. apply sum_ext; intros i _. rewrite Rmult_comm, <- sum_scale.
    apply sum_ext; intros; ring. }
  apply sum_ext; intros j Hj. symmetry.
  transitivity (sum (buckets h) (fun l => sum (d h) (fun i =>
    if Nat.eqb (bucket h j i) l then c j l * (s j l * (sign h j i * g i)) else 0))).
  { apply sum_ext; intros l _. rewrite <- Rmult_assoc, <- sum_scale. apply sum_ext; intros i _.
    destruct (Nat.eqb _ _); ring. }
  rewrite sum_swap. apply sum_ext; intros i Hi.
  rewrite (sum_pick (buckets h) (bucket h j i) (fun l => c j l * (s j l * (sign h j i * g i)))) by auto. ring.
Qed.
Lemma flat_nonneg h : well_formed h -> forall j l, 0 <= flat h j l.
Proof. intros [H _] j l. left. apply Rinv_0_lt_compat. now apply lt_0_INR. Qed.
