(** * Every S (m × d) with every symmetric positive semi-definite C (m × m) is a [sketch]; the trace in Θ

    Then ‖g‖_M² = ⟨g, S^T C S g⟩. Theorem B's Θ = σ_st² tr(C S H̄ S^T C)/(γĒ) for stored noise whose
    covariance is at most σ_st² times the identity. *)
From Coq Require Import Reals Lra Lia.
From FPS.tools Require Import Result Mean.
From FPS.sketch_space Require Import Sketch.
From FPS.sketch_space.tables Require MatrixLemmas.
Open Scope R_scope.

Definition matrix := nat -> nat -> R.            (* row, column *)
Definition symmetric (m : nat) (C : matrix) : Prop := forall j l, (j < m)%nat -> (l < m)%nat -> C j l = C l j.
Definition positive (m : nat) (C : matrix) : Prop :=
  forall x : nat -> R, 0 <= sum m (fun j => sum m (fun l => x j * (C j l * x l))).
(** Tables with ⟨s, s'⟩ = Σ s_j C_jl s'_l *)
Definition table_space (m : nat) (C : matrix) (sym : symmetric m C) (psd : positive m C) : space.
  refine {| vec := nat -> R; zero := fun _ => 0; add := fun x y j => x j + y j; scale := fun a x j => a * x j;
            inner := fun x y => sum m (fun j => sum m (fun l => x j * (C j l * y l))) |}.
  - intros x y. rewrite sum_swap. apply sum_ext; intros j Hj. apply sum_ext; intros l Hl.
    rewrite (sym l j) by auto. ring.
  - intros y. rewrite (sum_ext m _ (fun _ => 0)); [rewrite sum_const; ring|]. intros j _.
    rewrite (sum_ext m _ (fun _ => 0)); [rewrite sum_const; ring|]. intros; ring.
  - intros x y z. rewrite <- sum_add. apply sum_ext; intros j _. rewrite <- sum_add.
    apply sum_ext; intros l _. ring.
  - intros a x z. rewrite <- sum_scale. apply sum_ext; intros j _. rewrite <- sum_scale.
    apply sum_ext; intros l _. ring.
  - exact psd.
Defined.
(** S g and S^T C s *)
Definition matrix_table (d m : nat) (S_ C : matrix) (sym : symmetric m C) (psd : positive m C) :
  sketch (Rd d).
  refine {| tables := table_space m C sym psd;
            Sk := fun (g : Rd d) => (fun j => sum d (fun i => S_ j i * g i)) : table_space m C sym psd;
            St := fun (s : table_space m C sym psd) =>
              (fun i => sum m (fun j => S_ j i * sum m (fun l => C j l * s l))) : Rd d |}.
  intros s g. apply MatrixLemmas.adjoint_of_matrices. exact sym.
Defined.
(** M = S^T C S *)
Definition M_entry (m : nat) (S_ C : matrix) (i i' : nat) : R :=
  sum m (fun j => sum m (fun l => S_ j i * (C j l * S_ l i'))).
(** Row j of C S, a vector of R^d *)
Definition CS_row (d m : nat) (S_ C : matrix) (j : nat) : Rd d := fun i => sum m (fun l => C j l * S_ l i).
(** tr(C S H̄ S^T C) = Σ_j ⟨(CS)_j, H̄ (CS)_j⟩ *)
Definition trace_of (d m : nat) (S_ C : matrix) (Hbar : Rd d -> Rd d) : R :=
  sum m (fun j => ⟨CS_row d m S_ C j, Hbar (CS_row d m S_ C j)⟩).
(** H̄ = Σ_{p<q} b_p b_p^T: every positive semi-definite matrix is of this form. *)
Definition factored {d : nat} (q : nat) (b : nat -> Rd d) (Hbar : Rd d -> Rd d) : Prop :=
  forall x y, ⟨x, Hbar y⟩ = sum q (fun p => ⟨b p, x⟩ * ⟨b p, y⟩).

(** The seminorm of a matrix sketch is that of M = S^T C S. *)
Definition Seminorm_Of_Matrices : result := forall d m S_ C sym psd (g : Rd d),
  ‖(Sk (matrix_table d m S_ C sym psd) g)‖² =
    sum d (fun i => sum d (fun i' => g i * (M_entry m S_ C i i' * g i'))).

(** Stored noise whose covariance is at most σ² times the identity: E⟨S^T C n, H̄ S^T C n⟩ ≤
    σ² tr(C S H̄ S^T C). This is the number τ that Theorem B asks for. *)
Definition Stored_Noise_By_Trace : result :=
  forall d m S_ C sym psd q b Hbar (V : space) (I : Type) (mu : mean V I) (n : I -> nat -> R) sigma,
  factored q b Hbar ->
  (forall x : nat -> R, int mu (fun i => sum m (fun j => x j * n i j) ^ 2) /\
     mu (fun i => sum m (fun j => x j * n i j) ^ 2) <= sigma ^ 2 * sum m (fun j => x j ^ 2)) ->
  let St_ := St (matrix_table d m S_ C sym psd) in
  mu (fun i => ⟨St_ (n i), Hbar (St_ (n i))⟩) <= sigma ^ 2 * trace_of d m S_ C Hbar.
