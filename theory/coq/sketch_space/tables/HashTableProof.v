(** * Proofs: hash sketches as sketches of Theorems B and D *)
From Coq Require Import Reals Lra Lia.
From FPS.tools Require Import Mean.
From FPS.sketch_space Require Import Sketch FormulasB TheoremD.
From FPS.sketch_space.tables Require Import HashSketchLemmas HashTable.
Open Scope R_scope.

Theorem mean_readout_is_the_adjoint : Mean_Readout_Is_The_Adjoint.
Proof. intros h proper s i. simpl. unfold mean_readout, flat. now rewrite sum_scale. Qed.

(** The sketch of a unit vector, read where its coordinate lies *)
Lemma estimate_of_unit h j i : (j < J h)%nat -> (i < d h)%nat -> well_formed h ->
  estimate h (sketch_of h (unit_vector (d h) i)) j i = 1.
Proof.
  intros Hj Hi proper. unfold estimate, sketch_of, unit_vector.
  rewrite (sum_ext (d h) _ (fun l => if Nat.eqb i l then sign h j i else 0)).
  - rewrite (sum_pick (d h) i (fun _ => sign h j i)) by auto.
    destruct (proj2 (proj2 proper j i Hj Hi)) as [-> | ->]; ring.
  - intros l _. destruct (Nat.eqb_spec i l) as [<-|]; [rewrite Nat.eqb_refl; ring|].
    destruct (Nat.eqb _ _); ring.
Qed.
Theorem unit_diagonal : Unit_Diagonal.
Proof.
  intros h proper i Hi. rewrite <- adjoint.
  transitivity (sum (d h) (fun l => if Nat.eqb i l then St (mean_table h proper)
    (Sk (mean_table h proper) (unit_vector (d h) i)) l else 0)).
  - apply sum_ext; intros l _. unfold unit_vector at 2. destruct (Nat.eqb i l); ring.
  - rewrite (sum_pick (d h) i) by auto. simpl. unfold flat.
    rewrite (sum_ext (J h) _ (fun _ => / INR (J h))).
    + rewrite sum_const. field. apply not_0_INR. destruct proper. lia.
    + intros j Hj. rewrite estimate_of_unit by auto. ring.
Qed.

(** What the mean read-out says of coordinate i is the inner product of the table with this one *)
Definition reader (h : hash) (i : nat) : cells :=
  fun j l => if Nat.eqb (bucket h j i) l then / INR (J h) * sign h j i else 0.
Lemma reads h (proper : well_formed h) (s : cells) i : (i < d h)%nat ->
  St (mean_table h proper) s i = sum (J h) (fun j => sum (buckets h) (fun l => reader h i j l * s j l)).
Proof.
  intros Hi. simpl. apply sum_ext; intros j Hj. unfold reader, flat, estimate.
  rewrite (sum_ext (buckets h) _ (fun l => if Nat.eqb (bucket h j i) l then / INR (J h) * (sign h j i * s j l)
    else 0)).
  - rewrite (sum_pick (buckets h) (bucket h j i) (fun l => / INR (J h) * (sign h j i * s j l))); [ring|].
    now apply proper.
  - intros l _. destruct (Nat.eqb _ _); ring.
Qed.
Lemma reader_square h i : well_formed h -> (i < d h)%nat ->
  sum (J h) (fun j => sum (buckets h) (fun l => reader h i j l ^ 2)) = / INR (J h).
Proof.
  intros proper Hi. assert (HJ : 0 < INR (J h)) by (apply lt_0_INR, proper).
  rewrite (sum_ext (J h) _ (fun _ => / INR (J h) * / INR (J h))).
  - rewrite sum_const. field. lra.
  - intros j Hj. destruct (proj2 proper j i Hj Hi) as [Hb Hs]. unfold reader.
    rewrite (sum_ext (buckets h) _ (fun l => if Nat.eqb (bucket h j i) l then / INR (J h) * / INR (J h) else
      0)).
    + now rewrite (sum_pick (buckets h) (bucket h j i) (fun _ => / INR (J h) * / INR (J h))).
    + intros l _. destruct (Nat.eqb _ _); [|ring]. destruct Hs as [-> | ->]; ring.
Qed.
Section Noise.
Variables (h : hash) (proper : well_formed h) (V : space) (I : Type) (mu : mean V I).
Variables (n : I -> cells) (sigma : R).
Local Notation St_ := (St (mean_table h proper)).
Local Notation along x i := (sum (J h) (fun j => sum (buckets h) (fun l => x j l * n i j l))).
Hypothesis small : forall x : cells, int mu (fun i => along x i ^ 2) /\
  mu (fun i => along x i ^ 2) <= sigma ^ 2 * sum (J h) (fun j => sum (buckets h) (fun l => x j l ^ 2)).
Lemma square_of_reading i : ‖(St_ (n i))‖² = sum (d h) (fun l => along (reader h l) i ^ 2).
Proof.
  change (sum (d h) (fun l => St_ (n i) l * St_ (n i) l) = sum (d h) (fun l => along (reader h l) i ^ 2)).
  apply sum_ext; intros l Hl. rewrite reads by auto. ring.
Qed.
Lemma int_reading : int mu (fun i => ‖(St_ (n i))‖²).
Proof.
  apply (int_same _ (fun i => sum (d h) (fun l => along (reader h l) i ^ 2)));
    [intro; now rewrite square_of_reading|].
  apply (int_sum _ _ (fun l i => along (reader h l) i ^ 2)). intros; apply small.
Qed.
Lemma noise_of_reading : mu (fun i => ‖(St_ (n i))‖²) <= sigma ^ 2 * INR (d h) / INR (J h).
Proof.
  assert (HJ : 0 < INR (J h)) by (apply lt_0_INR, proper).
  rewrite (E_same mu _ _ square_of_reading), (E_sum _ _ (fun l i => along (reader h l) i ^ 2))
    by (intros; apply small).
  apply Rle_trans with (sum (d h) (fun _ => sigma ^ 2 * / INR (J h))).
  - apply sum_mono; intros l Hl. rewrite <- (reader_square h l proper Hl). apply small.
  - rewrite sum_const. right. field. lra.
Qed.
End Noise.
Theorem noise_through_the_mean : Noise_Through_The_Mean.
Proof. intros h proper V I mu n sigma Hn. now apply noise_of_reading. Qed.
Theorem theta_for_the_mean : Theta_For_The_Mean.
Proof.
  intros h proper V I mu n sigma L gamma Ebar Hn HL Hg HE St_ tau.
  assert (HJ : 0 < INR (J h)) by (apply lt_0_INR, proper). split; [|unfold Theta_of, tau; field; lra].
  rewrite (E_same mu _ (fun i => L * ‖(St_ (n i))‖²)) by (intro; apply inner_scale_r).
  rewrite E_scale by now apply int_reading with sigma.
  pose proof (noise_of_reading h proper V I mu n sigma Hn) as H.
  apply Rmult_le_compat_l with (r := L) in H; [|auto]. unfold tau. unfold Rdiv in *. fold St_ in H. lra.
Qed.

(** The gradient of a separable quadratic, coordinate by coordinate *)
Lemma gradient_of_diagonal h h_ wstar w i : (i < d h)%nat ->
  gradient h (diagonal h_) wstar w i = h_ i * (w i - wstar i).
Proof.
  intros Hi. unfold gradient, diagonal.
  rewrite (sum_ext (d h) _ (fun j => if Nat.eqb i j then h_ i * (w j - wstar j) else 0)).
  - now rewrite (sum_pick (d h) i (fun j => h_ i * (w j - wstar j))).
  - intros j _. destruct (Nat.eqb i j); ring.
Qed.
Theorem theorem_d_covers_hash_sketches : Theorem_D_Covers_Hash_Sketches.
Proof.
  intros h proper k h_ wstar mu_f gamma L_A Kn start s w [_ [[P HP] Hs]]. exists P.
  assert (Hr : forall t i, restrict (d := d h) (P t) (mean_readout h (s t)) i =
    restrict (d := d h) (P t) (St (mean_table h proper) (s t)) i)
    by (intros t i; unfold restrict; now rewrite mean_readout_is_the_adjoint).
  assert (Hw : forall t i, (i < d h)%nat ->
    w t i = restrict (d := d h) (P t) (St (mean_table h proper) (s t)) i)
    by (intros t i Hi; rewrite <- Hr; now apply HP).
  split; [|split].
  - intros t. destruct (HP t) as [[Hsz Ht] _]. split; auto. intros i j Hi Hj Pi Pj.
    rewrite !mean_readout_is_the_adjoint. auto.
  - intros t y. simpl. apply sum_ext; intros j _. apply sum_ext; intros l _. rewrite Hs. do 2 f_equal.
    transitivity (s t j l + -1 * (gamma * sketch_of h (gradient h (diagonal h_) wstar (w t)) j l)); [ring|].
    do 3 f_equal.
    unfold sketch_of. apply sum_ext; intros i Hi. destruct (Nat.eqb _ _); [|reflexivity]. f_equal.
    rewrite gradient_of_diagonal, Hw by auto. unfold gradient_D, times_H, w_D. simpl. ring.
  - intros t i Hi. now apply Hw.
Qed.
