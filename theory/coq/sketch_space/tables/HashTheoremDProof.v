(** * Proof of Theorem D for every hash sketch *)
From Coq Require Import Reals Lra Lia.
From FPS.tools Require Import Mean.
From FPS.sketch_space Require Import Sketch TheoremD TheoremDLemmas TheoremDProof.
From FPS.sketch_space.tables Require Import HashSketchLemmas HashTable HashTableProof HashTheoremD.
Open Scope R_scope.

(** One cell: by Cauchy-Schwarz its square is at most d times the squares of the coordinates that fall into
    it. *)
Lemma cell_square h j l (g : Rd (d h)) : well_formed h -> (j < J h)%nat ->
  sketch_of h g j l ^ 2 <= INR (d h) * sum (d h) (fun i => if Nat.eqb (bucket h j i) l then g i * g i else 0).
Proof.
  intros proper Hj. set (a := (fun i => if Nat.eqb (bucket h j i) l then sign h j i else 0) : Rd (d h)).
  set (b := (fun i => if Nat.eqb (bucket h j i) l then g i else 0) : Rd (d h)).
  assert (Hs : sketch_of h g j l = ⟨a, b⟩).
  { apply sum_ext; intros i _. unfold a, b. destruct (Nat.eqb _ _); ring. }
  assert (Ha : ‖a‖² <= INR (d h)).
  { rewrite <- (Rmult_1_r (INR (d h))), <- sum_const. apply sum_mono; intros i Hi. unfold a.
    destruct (Nat.eqb _ _); [|lra]. destruct (proj2 (proj2 proper j i Hj Hi)) as [-> | ->]; lra. }
  assert (Hb : ‖b‖² = sum (d h) (fun i => if Nat.eqb (bucket h j i) l then g i * g i else 0)).
  { apply sum_ext; intros i _. unfold b. destruct (Nat.eqb _ _); ring. }
  rewrite Hs, <- Hb. pose proof (cauchy_schwarz_square _ a b) as Hc. pose proof (inner_nonneg _ b).
  replace (⟨a, b⟩ ^ 2) with (⟨a, b⟩ * ⟨a, b⟩) by ring.
  apply Rle_trans with (1 := Hc). apply Rmult_le_compat_r; auto.
Qed.
(** One row: every coordinate falls into one bucket. *)
Lemma row_square h j (g : Rd (d h)) : well_formed h -> (j < J h)%nat ->
  sum (buckets h) (fun l => sketch_of h g j l ^ 2) <= INR (d h) * ‖g‖².
Proof.
  intros proper Hj. eapply Rle_trans; [apply sum_mono; intros l _; now apply cell_square|]. rewrite sum_scale.
  apply Rmult_le_compat_l; [apply pos_INR|]. right. rewrite sum_swap. apply sum_ext; intros i Hi.
  rewrite (sum_pick (buckets h) (bucket h j i) (fun _ => g i * g i)); [ring|]. now apply proper.
Qed.
Theorem lambda_of_a_hash : Lambda_Of_A_Hash.
Proof.
  intros h proper g. assert (HJ : 0 < INR (J h)) by (apply lt_0_INR, proper).
  apply Rle_trans with (sum (J h) (fun _ => / INR (J h) * (INR (d h) * ‖g‖²))).
  - apply sum_mono; intros j Hj. unfold flat. rewrite sum_scale. apply Rmult_le_compat_l.
    + left. now apply Rinv_0_lt_compat.
    + rewrite (sum_ext (buckets h) _ (fun l => sketch_of h g j l ^ 2)) by (intros; simpl; ring).
      now apply row_square.
  - rewrite sum_const. right. field. lra.
Qed.

(** ‖Hy‖² ≤ h_max ‖y‖_H² *)
Lemma square_of_H d (h_ : nat -> R) mu_f h_max (y : Rd d) : 0 < mu_f ->
  (forall i, (i < d)%nat -> mu_f <= h_ i <= h_max) -> ‖(times_H h_ y)‖² <= h_max * norm_H h_ y ^ 2.
Proof.
  intros Hm Hh. rewrite (norm_H_square d h_ mu_f Hm) by (intros; now apply Hh).
  change (sum d (fun i => times_H h_ y i * times_H h_ y i) <= h_max * sum d (fun i => h_ i * y i ^ 2)).
  rewrite <- sum_scale. apply sum_mono; intros i Hi. unfold times_H. destruct (Hh i Hi) as [H1 H2].
  pose proof (pow2_ge_0 (y i)).
  replace (h_ i * y i * (h_ i * y i)) with (h_ i * (h_ i * y i ^ 2)) by ring.
  apply Rmult_le_compat_r; [nra|auto].
Qed.
Theorem assumptions_d_for_every_hash : Assumptions_D_For_Every_Hash.
Proof.
  intros h proper k h_ wstar mu_f h_max gamma start s w Hk Hmu Hh Hmax Hg Hs run.
  set (Kn := k_support_default (d := d h) k (times_H h_ wstar)).
  destruct (theorem_d_covers_hash_sketches h proper k h_ wstar mu_f gamma (INR (d h) * h_max) Kn start s w
    run)
    as [P [Ht [Hr Hw]]].
  exists P. cbv zeta. split; [|exact Hw]. assert (Hd : 0 <= INR (d h) * h_max)
    by (apply Rmult_le_pos; auto using pos_INR).
  constructor; auto.
  - intros i Hi. now apply Hh.
  - intros y. eapply Rle_trans; [apply lambda_of_a_hash|]. simpl (L_A _). rewrite Rmult_assoc.
    apply Rmult_le_compat_l; [apply pos_INR|]. now apply square_of_H with mu_f.
  - unfold eta_D. simpl. lra.
  - apply Rmult_le_pos; [apply sqrt_pos|apply norm_nonneg].
  - intros Q x HQ. now apply k_support_norm_is_bounded.
Qed.
Theorem broadcast_bounded_for_every_hash : Broadcast_Bounded_For_Every_Hash.
Proof.
  intros h proper k h_ wstar mu_f h_max gamma start s w T Hk Hmu Hh Hmax Hg Hs run T0.
  destruct (assumptions_d_for_every_hash h proper k h_ wstar mu_f h_max gamma start s w Hk Hmu Hh Hmax Hg Hs
    run)
    as [P [ok Hw]].
  destruct (theorem_d _ _ _ ok T T0) as [HQ _]. unfold Q_D in HQ.
  rewrite (avg_ext T (fun t => norm_H (d := d h) h_ (w t) ^ 2)
    (fun t => norm_H h_ (w_D (as_separable h proper k h_ wstar mu_f gamma (INR (d h) * h_max)
      (k_support_default (d := d h) k (times_H h_ wstar)) s P) t) ^ 2)).
  - eapply Rle_trans; [exact HQ|]. right. unfold K_D, eta_D, g_D.
    cbn [as_separable TheoremD.Kn TheoremD.mu_f gamma_D TheoremD.L_A TheoremD.h TheoremD.wstar TheoremD.s].
    f_equal. unfold Rdiv. f_equal. apply sum_ext; intros j _. apply sum_ext; intros l _.
    destruct run as [H0 _]. now rewrite H0.
  - intros t _. f_equal. unfold norm_H. f_equal. apply sum_ext; intros i Hi. now rewrite Hw.
Qed.
