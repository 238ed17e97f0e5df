(** * Proofs of (I1), (I2), Proposition E and the averaged broadcast *)
From Coq Require Import Reals Lra Lia.
From FPS.tools Require Import Mean.
From FPS.sketch_space Require Import Sketch SketchLemmas Identities.
Open Scope R_scope.

Section Rounds.
Variables (V : space) (k : sketch V) (gamma : R) (s : nat -> tables k) (a : nat -> V).
Hypothesis update : exact_rounds k gamma s a.

(** The table after n rounds, tested against any table. *)
Lemma table_sum n w : ⟨s n, w⟩ = ⟨s 0%nat, w⟩ - gamma * sum n (fun t => ⟨Sk k (a t), w⟩).
Proof. induction n as [|n IH]; cbn [sum]; [ring|]. rewrite (update n w). expand. rewrite IH. ring. Qed.
(** One round of ‖s‖². *)
Lemma table_square t :
  ‖(s (S t))‖² = ‖(s t)‖² - 2 * gamma * ⟨St k (s t), a t⟩ + gamma * gamma * ‖(Sk k (a t))‖².
Proof. rewrite (same_square _ _ _ (update t)), square_sum, !square_scale, !inner_scale_r, adjoint. ring. Qed.

Variable T : nat.
Hypothesis gamma_pos : 0 < gamma.
Hypothesis some : (0 < T)%nat.
Lemma T_real : 0 < INR T. Proof. now apply lt_0_INR. Qed.

Lemma mean_of_sketches : same (vmean T (fun t => Sk k (a t))) ((/ (gamma * INR T)) *: (s 0%nat - s T))%V.
Proof.
  intro w. rewrite inner_vmean. expand. rewrite (table_sum T w). unfold avg. pose proof T_real. field. lra.
Qed.
Lemma squares_telescope n : 2 * gamma * sum n (fun t => ⟨St k (s t), a t⟩) =
  ‖(s 0%nat)‖² - ‖(s n)‖² + gamma * gamma * sum n (fun t => ‖(Sk k (a t))‖²).
Proof. induction n as [|n IH]; cbn [sum]; [ring|]. rewrite table_square. lra. Qed.
Lemma mean_of_products : avg T (fun t => ⟨St k (s t), a t⟩) =
  (‖(s 0%nat)‖² - ‖(s T)‖²) / (2 * gamma * INR T) + gamma / 2 * avg T (fun t => ‖(Sk k (a t))‖²).
Proof.
  pose proof (squares_telescope T) as H. pose proof T_real. unfold avg.
  set (p := sum T (fun t => ⟨St k (s t), a t⟩)) in *.
  replace (/ INR T * p) with (2 * gamma * p / (2 * gamma * INR T)) by (field; lra). rewrite H. field. lra.
Qed.
(** A_M = chatter around g + 2⟨g, (s_0 − s_T)/(γT)⟩ − ‖g‖_M², exactly. *)
Lemma chatter_exactly g : avg T (fun t => ‖(Sk k (a t))‖²) =
  avg T (fun t => ‖(Sk k (a t - g)%V)‖²) + 2 / (gamma * INR T) * ⟨Sk k g, s 0%nat - s T⟩ - ‖(Sk k g)‖².
Proof.
  assert (H1 : avg T (fun t => ⟨Sk k (a t), Sk k g⟩) = / (gamma * INR T) * ⟨Sk k g, s 0%nat - s T⟩).
  { rewrite <- (inner_vmean _ T (fun t => Sk k (a t))), (mean_of_sketches _), inner_scale.
    f_equal. apply inner_sym. }
  assert (H2 : avg T (fun t => ‖(Sk k (a t - g)%V)‖²) =
    avg T (fun t => ‖(Sk k (a t))‖²) + (-2) * avg T (fun t => ⟨Sk k (a t), Sk k g⟩) + ‖(Sk k g)‖²).
  { rewrite <- avg_scale, <- (avg_const T some ‖(Sk k g)‖²), <- !avg_add. apply avg_ext; intros t _.
    rewrite (same_square _ (Sk k (a t - g)%V) (Sk k (a t) + (-1) *: Sk k g)%V).
    - rewrite square_sum, square_scale, inner_scale_r. ring.
    - intro w. rewrite (Sk_add k _ _ w), !inner_add, (Sk_scale k _ _ w). reflexivity. }
  rewrite H2, H1. pose proof T_real. field. lra.
Qed.
Lemma chatter_bound g : avg T (fun t => ‖(Sk k (a t))‖²) <=
  avg T (fun t => ‖(Sk k (a t - g)%V)‖²) + 2 * ‖(Sk k g)‖ * ‖(s 0%nat - s T)‖ / (gamma * INR T).
Proof.
  rewrite (chatter_exactly g). pose proof (inner_le _ (Sk k g) (s 0%nat - s T)%V).
  pose proof (inner_nonneg _ (Sk k g)). pose proof T_real.
  assert (0 < / (gamma * INR T)) by (apply Rinv_0_lt_compat; nra). unfold Rdiv. nra.
Qed.
(** The gradient at a point where it is the mean of the a_t. *)
Lemma norm_of_mean_gradient g : same g (vmean T a) -> ‖(Sk k g)‖ = ‖(s 0%nat - s T)‖ / (gamma * INR T).
Proof.
  intros H. rewrite (same_norm _ _ ((/ (gamma * INR T)) *: (s 0%nat - s T))%V).
  - rewrite norm_scale_pos; [unfold Rdiv; ring|]. left. apply Rinv_0_lt_compat. pose proof T_real. nra.
  - intro w. rewrite <- (mean_of_sketches w), Sk_inner, (H _), !inner_vmean.
    apply avg_ext; intros. symmetry. apply Sk_inner.
Qed.
End Rounds.

(** The gradient of a quadratic at a mean is the mean of its gradients. *)
Lemma mean_of_affine (V : space) n (some : (0 < n)%nat) (H : V -> V) (w : nat -> V) wstar :
  (forall x y, ⟨H x, y⟩ = ⟨x, H y⟩) -> same (H (vmean n w - wstar)%V) (vmean n (fun t => H (w t - wstar)%V)).
Proof.
  intros sym y. rewrite sym, inner_add, inner_scale, !inner_vmean.
  rewrite <- (avg_const n some (-1 * ⟨wstar, H y⟩)), <- avg_add. apply avg_ext; intros t _.
  rewrite sym, inner_add, inner_scale. reflexivity.
Qed.

Theorem identity_i1 : Identity_I1.
Proof. intros V k gamma s a T H g T0. now apply mean_of_sketches. Qed.
Theorem identity_i2 : Identity_I2.
Proof. intros V k gamma s a T H g T0. now apply mean_of_products. Qed.
Theorem proposition_e : Proposition_E.
Proof. intros V k gamma s a T g H g0 T0. now apply chatter_bound. Qed.
Theorem averaged_broadcast : Averaged_Broadcast.
Proof.
  intros V k gamma s w T H wstar sym update g0 T0.
  apply (norm_of_mean_gradient V k gamma s (fun t => H (w t - wstar)%V)); auto. now apply mean_of_affine.
Qed.
