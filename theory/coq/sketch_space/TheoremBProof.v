(** * Proof of Theorem B: line B9 puts the lines of folder theorem_b together *)
From Coq Require Import Reals Lra Lia.
From FPS.repaired Require Import TheoremACore.
From FPS.sketch_space Require Import TableSetting TheoremB.
From FPS.sketch_space.theorem_b Require Import RangeLemmas DescentLemmas NoiseLemmas.
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
  start_B r k.
Proof. rewrite sum_is_gX. apply descent_all. Qed.
Lemma unforeseen : ⟨a + (gX - a), z⟩ = 0.
Proof. rewrite sum_is_gX. apply gX_orthogonal. Qed.
Lemma sketched : ‖(gX - a)‖ <= rho_B r k.
Proof. right. reflexivity. Qed.
End Proof.

Theorem theorem_b : Theorem_B.
Proof.
  intros r k ok. change (A_M r k) with ‖(a r k ok)‖².
  apply (star_many _ _ (gX r k ok - a r k ok)%V (q r k ok) (z r k ok));
    auto using u_nonneg, descent_split, unforeseen, near_gradient, sketched, noise_of_rounds.
Qed.
Theorem theorem_b_one_step : Theorem_B_One_Step.
Proof.
  intros r k ok HE. change (A_M r k) with ‖(a r k ok)‖².
  apply (star_one _ _ (gX r k ok - a r k ok)%V (q r k ok) (z r k ok));
    auto using u_nonneg, descent_split, unforeseen, near_gradient, sketched, q_orthogonal, noise_of_rounds.
Qed.
Theorem theorem_b_by_exclusion : Theorem_B_By_Exclusion.
Proof.
  intros r k B ok H. apply Rnot_lt_le. intro Hc. destruct (theorem_b r k ok) as [x [Hx [Hd Hle]]].
  pose proof (H _ x Hc Hx Hd) as H1.
  unfold right_side_B in H1. unfold start_B in Hle. lra.
Qed.
Theorem range_of_theorem_b : Range_Of_Theorem_B.
Proof.
  intros K F rho u N HK HF Hr Hu HN. split; intros Hu2.
  - destruct (bounded_below_two K F rho u N HK HF Hr Hu Hu2) as [B HB]. exists B. exact HB.
  - exact (unbounded_from_two K F rho u N HK HF Hr Hu2).
Qed.
