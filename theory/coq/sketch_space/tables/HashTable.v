(** * Every hash sketch with signs is a [sketch] of Theorems B and D, also with masked buckets

    C is diagonal, c_{j,l} ≥ 0 for bucket l of row j: 1/J everywhere for the mean read-out, 0 for a masked
    bucket. *)
From Coq Require Import Reals Lra Lia.
From FPS.tools Require Import Result Mean.
From FPS.sketch_space Require Import Sketch FormulasB TheoremD.
From FPS.sketch_space.tables Require Export HashSketch.
From FPS.sketch_space.tables Require HashSketchLemmas.
Open Scope R_scope.

(** Tables with ⟨s, s'⟩ = Σ c_{j,l} s_{j,l} s'_{j,l} *)
Definition cell_space (h : hash) (c : nat -> nat -> R) (c_nonneg : forall j l, 0 <= c j l) : space.
  refine {| vec := cells; zero := empty; add := fun s s' j l => s j l + s' j l;
    scale := fun a s j l => a * s j l;
            inner := fun s s' => sum (J h) (fun j => sum (buckets h) (fun l => c j l * (s j l * s' j l))) |}.
  - intros; apply sum_ext; intros; apply sum_ext; intros; ring.
  - intros; rewrite (sum_ext (J h) _ (fun _ => 0)); [rewrite sum_const; ring|]. intros j _.
    rewrite (sum_ext (buckets h) _ (fun _ => 0)); [rewrite sum_const; ring|]. intros; unfold empty; ring.
  - intros; rewrite <- sum_add; apply sum_ext; intros; rewrite <- sum_add; apply sum_ext; intros; ring.
  - intros; rewrite <- sum_scale; apply sum_ext; intros; rewrite <- sum_scale; apply sum_ext; intros; ring.
  - intros s; apply sum_nonneg; intros j _; apply sum_nonneg; intros l _. pose proof (c_nonneg j l).
    pose proof (Rle_0_sqr (s j l)). unfold Rsqr in *. apply Rmult_le_pos; lra.
Defined.
(** S g, and S^T C s *)
Definition hash_table (h : hash) (c : nat -> nat -> R) (c_nonneg : forall j l, 0 <= c j l)
  (proper : well_formed h) :
  sketch (Rd (d h)).
  refine {| tables := cell_space h c c_nonneg;
    Sk := fun g : Rd (d h) => sketch_of h g : cell_space h c c_nonneg;
            St := fun (s : cell_space h c c_nonneg) (i : nat) =>
                    sum (J h) (fun j => c j (bucket h j i) * estimate h s j i) |}.
  intros s g. apply HashSketchLemmas.hash_adjoint. intros j i Hj Hi. now apply proper.
Defined.
(** C = 1/J *)
Definition mean_table (h : hash) (proper : well_formed h) : sketch (Rd (d h)) :=
  hash_table h (flat h) (HashSketchLemmas.flat_nonneg h proper) proper.
Definition unit_vector (n i : nat) : Rd n := fun l => if Nat.eqb i l then 1 else 0.

(** For C = 1/J the adjoint of S is the mean read-out: x_t is what the mean over the rows says. *)
Definition Mean_Readout_Is_The_Adjoint : result := forall h (proper : well_formed h) s i,
  St (mean_table h proper) s i = mean_readout h s i.

(** A = S^T S/J has a unit diagonal: ‖e_i‖_A² = 1. *)
Definition Unit_Diagonal : result := forall h (proper : well_formed h) i, (i < d h)%nat ->
  ‖(Sk (mean_table h proper) (unit_vector (d h) i))‖² = 1.

(** Noise in the cells whose covariance is at most σ² times the identity: the mean read-out passes on at most
    E‖S^T n/J‖² ≤ σ² d/J. So the read-out noise of Lemma B1 is at most σ √(d/J) in root mean square. *)
Definition Noise_Through_The_Mean : result :=
  forall h (proper : well_formed h) (V : space) (I : Type) (mu : mean V I) (n : I -> cells) sigma,
  (forall x : cells, let along i := sum (J h) (fun j => sum (buckets h) (fun l => x j l * n i j l)) in
     int mu (fun i => along i ^ 2) /\
     mu (fun i => along i ^ 2) <= sigma ^ 2 * sum (J h) (fun j => sum (buckets h) (fun l => x j l ^ 2))) ->
  mu (fun i => ‖(St (mean_table h proper) (n i))‖²) <= sigma ^ 2 * INR (d h) / INR (J h).

(** Θ of Theorem B for such noise, with C = 1/J and H̄ = L·1: τ = Lσ²d/J, so Θ = Lσ²d/(JγĒ). *)
Definition Theta_For_The_Mean : result :=
  forall h (proper : well_formed h) (V : space) (I : Type) (mu : mean V I) (n : I -> cells)
    sigma L gamma Ebar,
  (forall x : cells, let along i := sum (J h) (fun j => sum (buckets h) (fun l => x j l * n i j l)) in
     int mu (fun i => along i ^ 2) /\
     mu (fun i => along i ^ 2) <= sigma ^ 2 * sum (J h) (fun j => sum (buckets h) (fun l => x j l ^ 2))) ->
  0 <= L -> 0 < gamma -> 0 < Ebar ->
  let St_ := St (mean_table h proper) in let tau := L * sigma ^ 2 * INR (d h) / INR (J h) in
  mu (fun i => ⟨St_ (n i), L *: St_ (n i)⟩) <= tau /\
  Theta_of tau gamma Ebar = L * sigma ^ 2 * INR (d h) / (INR (J h) * gamma * Ebar).

(** ** Theorem D for hash sketches *)
(** A diagonal matrix *)
Definition diagonal (h_ : nat -> R) (i j : nat) : R := if Nat.eqb i j then h_ i else 0.
(** FPS with the mean read-out on the separable quadratic Σ h_i (w_i − wstar_i)²/2 is a [separable_run] of
    Theorem D. *)
Definition as_separable (h : hash) (proper : well_formed h) (k : nat) (h_ wstar : nat ->
  R) (mu_f gamma L_A Kn : R)
  (s : nat -> cells) (P : nat -> coordinates) : separable_run (d h) k :=
  {| table_D := mean_table h proper; TheoremD.h := h_; TheoremD.wstar := wstar; TheoremD.mu_f := mu_f;
     gamma_D := gamma; TheoremD.L_A := L_A; TheoremD.Kn := Kn; TheoremD.s := s; TheoremD.P := P |}.

(** Every run of FPS with the mean read-out, one local step and no noise on a separable quadratic meets what
    Theorem D asks of a run, and its broadcast is that of Theorem D. What is left are the conditions on the
    constants. *)
Definition Theorem_D_Covers_Hash_Sketches : result :=
  forall h (proper : well_formed h) k h_ wstar mu_f gamma L_A Kn start s w,
  fps_run h k gamma (diagonal h_) wstar start (mean_readout h) s w ->
  exists P, let r := as_separable h proper k h_ wstar mu_f gamma L_A Kn s P in
  (forall t, top (d h) k (P t) (St (mean_table h proper) (s t))) /\
  exact_rounds (mean_table h proper) gamma s (fun t => gradient_D r (w_D r t)) /\
  forall t i, (i < d h)%nat -> w t i = w_D r t i.
