(** * Sums over matrices: the adjoint, and how S^T C s meets a vector *)
From Coq Require Import Reals Lra Lia.
From FPS.tools Require Import Space.
Open Scope R_scope.

Section Matrices.
Variables (d m : nat) (S_ C : nat -> nat -> R).
Hypothesis sym : forall j l, (j < m)%nat -> (l < m)%nat -> C j l = C l j.
(** ⟨S^T C s, g⟩ = Σ_l (Σ_i (CS)_li g_i) s_l *)
Lemma transpose_meets s g : sum d (fun i => sum m (fun j => S_ j i * sum m (fun l => C j l * s l)) * g i) =
  sum m (fun l => sum d (fun i => sum m (fun j => C l j * S_ j i) * g i) * s l).
Proof.
  transitivity (sum d (fun i => sum m (fun l => sum m (fun j => C l j * S_ j i) * g i * s l))).
  - apply sum_ext; intros i _. rewrite Rmult_comm, <- sum_scale.
    transitivity (sum m (fun j => sum m (fun l => C l j * S_ j i * g i * s l))).
    + apply sum_ext; intros j Hj. rewrite <- !sum_scale. apply sum_ext; intros l Hl.
      rewrite (sym j l) by auto. ring.
    + rewrite sum_swap. apply sum_ext; intros l _.
      rewrite (Rmult_assoc (sum m _)), (Rmult_comm (sum m _)), <- sum_scale.
      apply sum_ext; intros; ring.
  - rewrite sum_swap. apply sum_ext; intros l _. rewrite (Rmult_comm (sum d _)), <- sum_scale.
    apply sum_ext; intros; ring.
Qed.
Lemma adjoint_of_matrices s g :
  sum d (fun i => sum m (fun j => S_ j i * sum m (fun l => C j l * s l)) * g i) =
  sum m (fun j => sum m (fun l => s j * (C j l * sum d (fun i => S_ l i * g i)))).
Proof.
  rewrite transpose_meets. apply sum_ext; intros l _. rewrite Rmult_comm, sum_scale. f_equal.
  transitivity (sum d (fun i => sum m (fun j => C l j * (S_ j i * g i)))).
  - apply sum_ext; intros i _. rewrite Rmult_comm, <- sum_scale. apply sum_ext; intros; ring.
  - rewrite sum_swap. apply sum_ext; intros j _. apply sum_scale.
Qed.
End Matrices.
