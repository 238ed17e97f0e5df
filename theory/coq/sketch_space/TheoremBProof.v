(** * Proof of Theorem B: line B9 puts the lines of folder theorem_b together *)
From Coq Require Import Reals Lra Lia.
From FPS.sketch_space Require Import TableSetting TheoremB.
From FPS.sketch_space.theorem_b Require Import StarLemmas DescentLemmas NoiseLemmas.
Open Scope R_scope.

Section Proof.
Variables (r : run) (k : table r).
Hypothesis ok : assumptions_B r k.
Local Notation a := (a r k ok). Local Notation gX := (gX r k ok). Local Notation q := (q r k ok).
Local Notation z := (z r k ok).
(** a + δ is ∇f(X), with δ = ∇f(X) − a. *)
Lemma sum_is_gX y : ⟨a + (gX - a), y⟩ = ⟨gX, y⟩.
Proof. rewrite (inner_add _ a), (inner_add _ gX), inner_scale; ring. Qed.
Lemma descent_split : 2 * ⟨a + (gX - a), q + z⟩ - u_B r k * ‖(q + z)‖² <=
  start_part (Delta_B r k) (Theta_B r k) (gamma r) (Ebar r) (INR (T r)).
Proof. rewrite sum_is_gX. apply descent_all. Qed.
Lemma unforeseen : ⟨a + (gX - a), z⟩ = 0.
Proof. rewrite sum_is_gX. apply gX_orthogonal. Qed.
Lemma sketched : ‖(gX - a)‖ <= rho_B r k.
Proof. right. reflexivity. Qed.
Lemma near_root : Rabs (‖q‖ - sqrt (A_M r k)) <= F_B r k.
Proof. change (sqrt (A_M r k)) with ‖a‖. apply (step_near_gradient _ a q), near_gradient. Qed.
Lemma N_nonneg : 0 <= N_B r k.
Proof. pose proof (noise_of_rounds r k ok). pose proof (inner_nonneg _ z). lra. Qed.
Lemma several_steps : A_M r k <= right_side_B (Delta_B r k) (Theta_B r k) (gamma r) (Ebar r) (INR (T r))
                          (F_B r k) (rho_B r k) (u_B r k) (N_B r k) ‖q‖.
Proof.
  change (A_M r k) with ‖a‖². unfold right_side_B. apply (star _ a (gX - a)%V q z);
    auto using u_nonneg, descent_split, unforeseen, near_gradient, sketched, N_nonneg, noise_of_rounds.
Qed.
Lemma one_step : Es r = 1%nat ->
  A_M r k <= right_side_B_one_step (Delta_B r k) (Theta_B r k) (gamma r) (Ebar r) (INR (T r))
                          (F_B r k) (rho_B r k) (u_B r k) (N_B r k) ‖q‖.
Proof.
  intros HE. change (A_M r k) with ‖a‖². unfold right_side_B_one_step. apply (star_orthogonal _ a (gX - a)%V q z);
    auto using u_nonneg, descent_split, unforeseen, near_gradient, sketched, q_orthogonal, noise_of_rounds.
Qed.
End Proof.

Theorem theorem_B : Theorem_B.
Proof.
  intros r k ok. exists ‖(q r k ok)‖. split; [apply norm_nonneg|]. split; [apply near_root|apply several_steps].
Qed.
Theorem theorem_B_one_step : Theorem_B_One_Step.
Proof.
  intros r k ok HE. exists ‖(q r k ok)‖. split; [apply norm_nonneg|]. split; [apply near_root|now apply one_step].
Qed.
Theorem theorem_B_by_exclusion : Theorem_B_By_Exclusion.
Proof.
  intros r k B ok H. apply Rnot_lt_le. intro Hc. destruct (theorem_B r k ok) as [x [Hx [Hd Hle]]].
  pose proof (H _ x Hc Hx Hd). lra.
Qed.
Theorem range_of_theorem_B : Range_Of_Theorem_B.
Proof.
  intros c F rho u N Hc HF Hr Hu HN admitted. split; intros Hu2.
  - destruct (bounded_below_two c F rho u N Hc HF Hr Hu Hu2) as [B HB]. exists B. intros a [Ha H]. now apply HB.
  - intros B. destruct (unbounded_from_two c F rho u N Hc HF Hr Hu2 B) as [a Ha]. exists a. exact Ha.
Qed.
