(** * Proof of Corollary B2 and of the exactness of its range *)
From Coq Require Import Reals Lra Lia.
From FPS.sketch_space Require Import TableSetting SketchLemmas CorollaryB1 CorollaryB1Proof CorollaryB2.
From FPS.sketch_space.theorem_b Require Import SeminormLemmas.
Open Scope R_scope.

Lemma rho_zero (r : run) (k : table r) :
  (forall t o, (t < T r)%nat -> broadcast r t o = X r k t o) -> rho_B r k = 0.
Proof.
  intros Hb. unfold rho_B. rewrite <- sqrt_0. f_equal. rewrite rounds_is, <- (avg_const (T r) (T_pos r) 0).
  apply avg_ext. intros t Ht. rewrite <- (E_const (chance r) 0). apply E_same. intros o. cbn [fst snd] in *.
  rewrite (Hb t o Ht). set (g := (grad_f r (X r k t o) - grad_f r (X r k t o))%V).
  rewrite Sk_inner. unfold g at 1. expand. ring.
Qed.
Theorem corollary_b2 : Corollary_B2.
Proof.
  intros r k ok simple [Hn [Hs Ht]] Hb Hu. pose proof (solved_for_x r k ok simple) as H.
  rewrite (rho_zero r k Hb) in H. unfold N_B1, N_one_step, noise_bound, c_B1, start_part, optimisation,
    Theta_of in H.
  rewrite Hn, Hs, Ht in H. pose proof (gamma_pos_B r k ok). assert (0 < INR (T r)) by apply lt_0_INR, T_pos.
  unfold bound_B2. apply Rmult_le_reg_l with (2 - gamma r * L_M k); [lra|].
  replace ((2 - gamma r * L_M k) * (2 * Delta_B r k / ((2 - gamma r * L_M k) * (gamma r * INR (T r)))))
    with (2 * Delta_B r k / (gamma r * 1 * INR (T r))) by (field; lra).
  unfold Rdiv in H at 2. rewrite Rmult_0_l in H. simpl in H. lra.
Qed.

Section Descent.
Variables (V : space) (k : sketch V) (grad : V -> V) (gamma : R) (s : nat -> tables k) (xi : V).
Hypothesis update : descends k gamma grad xi s.
Local Notation x t := (told k xi s t).
Lemma told_step t : same (x (S t) - x t)%V ((- gamma) *: St k (Sk k (grad (x t))))%V.
Proof.
  intro w. unfold told at 1 2. expand. rewrite !adjoint, (update t _). expand. ring.
Qed.
Section AnyLoss.
Variables (f : V -> R) (Hbar : V -> V) (L_M f_star : R).
Hypothesis Hbar_sym : forall x y, ⟨Hbar x, y⟩ = ⟨x, Hbar y⟩.
Hypothesis curved : forall x y, f y <= f x + ⟨grad x, y - x⟩ + ⟨y - x, Hbar (y - x)⟩ / 2.
Hypothesis curved_M : forall g, ⟨St k (Sk k g), Hbar (St k (Sk k g))⟩ <= L_M * ‖(Sk k g)‖².
Lemma descent_step t : f (x (S t)) <= f (x t) - gamma * (1 - gamma * L_M / 2) * ‖(Sk k (grad (x t)))‖².
Proof.
  set (a := grad (x t)). pose proof (told_step t) as Hd. fold a in Hd.
  pose proof (curved (x t) (x (S t))) as Hf. fold a in Hf. set (e := (x (S t) - x t)%V) in *.
  assert (H1 : ⟨a, e⟩ = - gamma * ‖(Sk k a)‖²)
    by (rewrite inner_sym, (Hd a), inner_scale, adjoint; reflexivity).
  assert (H2 : ⟨e, Hbar e⟩ = gamma * gamma * ⟨St k (Sk k a), Hbar (St k (Sk k a))⟩).
  { rewrite (Hd _), inner_scale, <- Hbar_sym, inner_sym, (Hd _), inner_scale, (inner_sym _ _ (Hbar _)),
      Hbar_sym. ring. }
  rewrite H1, H2 in Hf. pose proof (curved_M a) as Hc.
  apply Rmult_le_compat_l with (r := gamma * gamma) in Hc; [|nra]. lra.
Qed.
End AnyLoss.
Section Quadratic.
Variables (H : V -> V) (wstar v : V) (lam : R).
Hypothesis H_sym : forall x y, ⟨H x, y⟩ = ⟨x, H y⟩.
Hypothesis quadratic : forall x, same (grad x) (H (x - wstar)%V).
Hypothesis eigen : same (St k (Sk k (H v))) (lam *: v)%V.
Lemma growth t : ⟨H v, x t - wstar⟩ = (1 - gamma * lam) ^ t * ⟨H v, x 0 - wstar⟩.
Proof.
  induction t as [|t IH]; [simpl; ring|]. simpl (_ ^ S t). rewrite Rmult_assoc, <- IH.
  assert (Hk : ⟨H v, St k (Sk k (grad (x t)))⟩ = lam * ⟨H v, x t - wstar⟩).
  { rewrite inner_sym, adjoint, inner_sym, <- adjoint, (eigen _), inner_scale. f_equal.
    rewrite inner_sym, (quadratic _ v), H_sym, inner_sym. reflexivity. }
  assert (Hs : ⟨H v, x (S t) - wstar⟩ = ⟨H v, x t - wstar⟩ + ⟨H v, x (S t) - x t⟩) by (expand; ring).
  rewrite Hs, (inner_sym _ (H v) (x (S t) - x t)%V), (told_step t _), (inner_sym _ _ (H v)), inner_scale_r,
    Hk. ring.
Qed.
End Quadratic.
End Descent.

Theorem corollary_b2_descent : Corollary_B2_Descent.
Proof.
  intros V k f grad Hbar L_M gamma f_star s xi T sym curved curved_M below g0 update T0 Hu.
  assert (HT : 0 < INR T) by now apply lt_0_INR. set (x := told k xi s).
  assert (H : forall n, gamma * (1 - gamma * L_M / 2) * sum n (fun t => ‖(Sk k (grad (x t)))‖²) <=
    f (x 0%nat) - f (x n)).
  { induction n as [|n IH]; cbn [sum]; [lra|].
    pose proof (descent_step V k grad gamma s xi update f Hbar L_M sym curved curved_M n) as D. fold x in D.
    lra. }
  specialize (H T). pose proof (below (x T)). unfold avg, bound_B2. set (S_ := sum T _) in *.
  assert (0 < (2 - gamma * L_M) * (gamma * INR T)) by (apply Rmult_lt_0_compat; [lra|nra]).
  apply Rmult_le_reg_l with ((2 - gamma * L_M) * (gamma * INR T)); [auto|].
  replace ((2 - gamma * L_M) * (gamma * INR T) *
    (2 * (f (x 0%nat) - f_star) / ((2 - gamma * L_M) * (gamma * INR T))))
    with (2 * (f (x 0%nat) - f_star)) by (field; lra).
  replace ((2 - gamma * L_M) * (gamma * INR T) * (/ INR T * S_))
    with (2 * (gamma * (1 - gamma * L_M / 2) * S_))
    by (field; lra). lra.
Qed.
Theorem growth_along_an_eigenvector : Growth_Along_An_Eigenvector.
Proof. intros V k grad H gamma s xi wstar v lam sym quad eigen update t. now apply growth with grad. Qed.
Theorem divergence_beyond_the_range : Divergence_Beyond_The_Range.
Proof.
  intros V k grad H gamma s xi wstar v lam sym quad eigen update Hl H0 K.
  pose proof (growth V k grad gamma s xi update H wstar v lam sym quad eigen) as G.
  set (c := ⟨H v, told k xi s 0 - wstar⟩) in *. assert (Hc : 0 < Rabs c) by now apply Rabs_pos_lt.
  assert (Hb : Rabs (1 - gamma * lam) > 1) by (rewrite Rabs_left by lra; lra).
  pose proof (norm_nonneg _ (H v)) as Hn. set (n := ‖(H v)‖) in *.
  destruct (Pow_x_infinity _ Hb ((Rabs K * n + 1) / Rabs c)) as [N HN]. specialize (HN N (le_n N)). exists N.
  pose proof (cauchy_schwarz _ (H v) (told k xi s N - wstar)%V) as Hle. fold n in Hle.
  rewrite (G N), Rabs_mult in Hle.
  assert (Rabs K * n + 1 <= Rabs ((1 - gamma * lam) ^ N) * Rabs c).
  { replace (Rabs K * n + 1) with ((Rabs K * n + 1) / Rabs c * Rabs c) by (field; lra).
    apply Rmult_le_compat_r; lra. }
  apply Rnot_le_lt. intro HK. pose proof (Rle_abs K).
  assert (n * ‖(told k xi s N - wstar)‖ <= n * Rabs K) by (apply Rmult_le_compat_l; lra). lra.
Qed.
