(** * Proofs: matrices as sketches, and the trace in Θ *)
From Coq Require Import Reals Lra Lia.
From FPS.tools Require Import Mean.
From FPS.sketch_space Require Import Sketch.
From FPS.sketch_space.tables Require Import MatrixLemmas MatrixTable.
Open Scope R_scope.

Theorem seminorm_of_matrices : Seminorm_Of_Matrices.
Proof.
  intros d m S_ C sym psd g. rewrite <- adjoint.
  change (sum d (fun i => sum m (fun j => S_ j i * sum m (fun l => C j l * sum d (fun i' => S_ l i' * g i')))
    * g i) =
    sum d (fun i => sum d (fun i' => g i * (M_entry m S_ C i i' * g i')))).
  apply sum_ext; intros i _. rewrite Rmult_comm, sum_scale. f_equal. unfold M_entry.
  transitivity (sum m (fun j => sum m (fun l => sum d (fun i' => S_ j i * (C j l * S_ l i') * g i')))).
  - apply sum_ext; intros j _. rewrite <- sum_scale. apply sum_ext; intros l _. rewrite <- !sum_scale.
    apply sum_ext; intros; ring.
  - transitivity (sum m (fun j => sum d (fun i' => sum m (fun l => S_ j i * (C j l * S_ l i') * g i')))).
    + apply sum_ext; intros; apply sum_swap.
    + rewrite sum_swap. apply sum_ext; intros i' _. rewrite Rmult_comm, <- sum_scale.
      apply sum_ext; intros j _.
      rewrite <- sum_scale. apply sum_ext; intros; ring.
Qed.
Theorem stored_noise_by_trace : Stored_Noise_By_Trace.
Proof.
  intros d m S_ C sym psd q b Hbar V I mu n sigma factor Hn St_.
  set (row := CS_row d m S_ C). set (y := fun p j => ⟨b p, row j⟩).
  assert (Hb : forall p i, ⟨b p, St_ (n i)⟩ = sum m (fun j => y p j * n i j)).
  { intros p i. rewrite inner_sym.
    change (sum d (fun l => sum m (fun j => S_ j l * sum m (fun l' => C j l' * n i l')) * b p l)
      = sum m (fun j => y p j * n i j)).
    rewrite (transpose_meets d m S_ C sym). apply sum_ext; intros j _. f_equal. unfold y. rewrite inner_sym.
    reflexivity. }
  apply Rle_trans with (mu (fun i => sum q (fun p => sum m (fun j => y p j * n i j) ^ 2))).
  - right. apply E_same; intros i. rewrite factor. apply sum_ext; intros p _. rewrite Hb. ring.
  - rewrite (E_sum _ _ (fun p i => sum m (fun j => y p j * n i j) ^ 2)) by (intros p _; apply Hn).
    apply Rle_trans with (sum q (fun p => sigma ^ 2 * sum m (fun j => y p j ^ 2)));
      [apply sum_mono; intros; apply Hn|].
    right. rewrite sum_scale, sum_swap. f_equal. unfold trace_of. apply sum_ext; intros j _. rewrite factor.
    apply sum_ext; intros p _. unfold y, row. ring.
Qed.
