(** * Theorem B, lines B2-B5: one round lowers f(X_t), and the sum over all rounds *)
From Coq Require Import Reals Lra Lia.
From FPS.sketch_space.theorem_b Require Export SeminormLemmas.
Open Scope R_scope.

Lemma telescope n (h : nat -> R) : sum n (fun t => h t - h (S t)) = h O - h n.
Proof. induction n as [|n IH]; simpl; [ring|rewrite IH; ring]. Qed.

Section Descent.
Variables (r : run) (k : table r).
Hypothesis ok : assumptions_B r k.
Let s := gamma r * Ebar r.
Local Notation qz := (qz_of r).
Let s_pos : 0 < s := gamma_Ebar_pos r k ok.

Lemma u_nonneg : 0 <= u_B r k.
Proof. unfold u_B, u_of. apply Rmult_le_pos; [apply Rlt_le, s_pos|apply (L_M_nonneg r k ok)]. Qed.
(** ⟨h, H̄h⟩ for a step h = −s m + n, written out *)
Lemma curvature_of_step (h m n : V r) : same h ((- s) *: m + n)%V ->
  ⟨h, Hbar k h⟩ = s * s * ⟨m, Hbar k m⟩ - 2 * s * ⟨n, Hbar k m⟩ + ⟨n, Hbar k n⟩.
Proof.
  intros Hd. rewrite (Hd _), <- (Hbar_sym r k ok), inner_sym, (Hd _), (inner_sym _ _ (Hbar k (_ + _)%V)),
    (Hbar_sym r k ok).
  expand. rewrite <- !(Hbar_sym r k ok). expand. rewrite !(Hbar_sym r k ok).
  rewrite (inner_sym _ m (Hbar k n)), (Hbar_sym r k ok). ring.
Qed.
(** B2, B3 before the mean: n is the stored noise, d = q_t + z_t, g = ∇f(X_t) *)
Lemma descent_one t o : let n := stored k t o in let d := qz t o in let g := grad_f r (X r k t o) in
  2 * ⟨Sk k g, Sk k d⟩ - u_B r k * ‖(Sk k d)‖² <=
  2 / s * (f r (X r k t o) - f r (X r k (S t) o))
  + (2 / s * ⟨n, Sk k g⟩ + (-2) * ⟨n, Sk k (Hbar k (St k (Sk k d)))⟩ + / s * ⟨St k n, Hbar k (St k n)⟩).
Proof.
  intros n d g. pose proof (curved r k ok (X r k t o) (X r k (S t) o)) as Hf. fold g in Hf.
  pose proof (X_step r k ok t o) as Hd. fold s n d in Hd. set (h := (X r k (S t) o - X r k t o)%V) in *.
  set (m := St k (Sk k d)) in *.
  assert (Hg : ⟨g, h⟩ = - s * ⟨Sk k g, Sk k d⟩ + ⟨n, Sk k g⟩).
  { rewrite inner_sym, (Hd _). expand. unfold m. rewrite !adjoint, (inner_sym _ (Sk k d)). ring. }
  rewrite (curvature_of_step h m (St k n) Hd), Hg in Hf. pose proof (curved_M r k ok d) as Hc. fold m in Hc.
  rewrite (adjoint k n (Hbar k m)) in Hf. replace (u_B r k) with (L_M k * s) by (unfold u_B, u_of, s; ring).
  set (c := ⟨Sk k g, Sk k d⟩) in *. set (e2 := ‖(Sk k d)‖²) in *. set (x1 := ⟨n, Sk k g⟩) in *.
  set (x2 := ⟨n, Sk k (Hbar k m)⟩) in *. set (x3 := ⟨St k n, Hbar k (St k n)⟩) in *.
  set (x4 := ⟨m, Hbar k m⟩) in *.
  apply Rmult_le_reg_l with (s / 2); [lra|].
  replace (s / 2 * (2 / s * (f r (X r k t o) - f r (X r k (S t) o)) + (2 / s * x1 + -2 * x2 + / s * x3)))
    with (f r (X r k t o) - f r (X r k (S t) o) + x1 - s * x2 + x3 / 2) by (field; lra).
  assert (s * s * x4 <= s * s * (L_M k * e2)) by (apply Rmult_le_compat_l; nra). lra.
Qed.

(** ** B3, B4: the mean of the stored noise's terms is at most Θ *)
Section OneRound.
Variable t : nat.
Hypothesis Ht : (t < T r)%nat.
Let Z1 o := ⟨stored k t o, Sk k (grad_f r (X r k t o))⟩.
Let Z2 o := ⟨stored k t o, Sk k (Hbar k (St k (Sk k (qz t o))))⟩.
Let Z3 o := ⟨St k (stored k t o), Hbar k (St k (stored k t o))⟩.
Lemma int_stored (Y : Omega r -> V r) : sq (chance r) Y ->
  int (chance r) (fun o => ⟨stored k t o, Sk k (Y o)⟩).
Proof.
  intros HY. apply (int_same _ (fun o => ⟨St k (stored k t o), Y o⟩)); [intro; apply adjoint|].
  apply sq_inner; auto. now apply (sq_stored r k ok).
Qed.
Lemma int_Z1 : int (chance r) Z1.
Proof. apply (int_stored (fun o => grad_f r (X r k t o))). now apply (sq_X r k ok). Qed.
Lemma sq_Z2 : sq (chance r) (fun o => Hbar k (St k (Sk k (qz t o)))).
Proof. apply (sq_Hbar r k ok), (sq_M r k ok). now apply (sq_qz r k ok). Qed.
Lemma int_Z2 : int (chance r) Z2. Proof. apply (int_stored _ sq_Z2). Qed.
Lemma int_Z3 : int (chance r) Z3.
Proof. apply sq_inner; [now apply (sq_stored r k ok)|]. apply (sq_Hbar r k ok). now apply (sq_stored r k ok).
Qed.
Lemma int_Z : int (chance r) (fun o => 2 / s * Z1 o + (-2) * Z2 o + / s * Z3 o).
Proof.
  apply (int_add _ (fun o => 2 / s * Z1 o + (-2) * Z2 o)); [apply (int_add _ (fun o => 2 / s * Z1 o))|];
    apply int_scale; [apply int_Z1|apply int_Z2|apply int_Z3].
Qed.
Lemma Z1_zero : chance r Z1 = 0.
Proof.
  apply (stored_zero r k ok t (fun o => grad_f r (X r k t o))); auto; [now apply (sq_X r k ok)|].
  intros o o' p. now rewrite (X_known_after r k ok t Ht o o' p).
Qed.
Lemma Z2_zero : chance r Z2 = 0.
Proof.
  apply (stored_zero r k ok t (fun o => Hbar k (St k (Sk k (qz t o))))); auto; [apply sq_Z2|].
  intros o o' p. now rewrite (qz_known r k ok t Ht o o' p).
Qed.
Lemma stored_terms : chance r (fun o => 2 / s * Z1 o + (-2) * Z2 o + / s * Z3 o) <= Theta_B r k.
Proof.
  pose proof int_Z1. pose proof int_Z2. pose proof int_Z3.
  rewrite (E_add _ (fun o => 2 / s * Z1 o + (-2) * Z2 o)), (E_add _ (fun o => 2 / s * Z1 o)), !E_scale,
    Z1_zero, Z2_zero;
    auto using int_scale; [|apply (int_add _ (fun o => 2 / s * Z1 o)); auto using int_scale].
  pose proof (stored_size r k ok t Ht) as Hz. change (chance r Z3 <= tau k) in Hz. unfold Theta_B, Theta_of.
  fold s.
  assert (0 < / s) by now apply Rinv_0_lt_compat. unfold Rdiv. nra.
Qed.
Lemma descent_round :
  chance r (fun o => 2 * ⟨Sk k (grad_f r (X r k t o)), Sk k (qz t o)⟩ + (- u_B r k) * ‖(Sk k (qz t o))‖²) <=
  2 / s * (chance r (fun o => f r (X r k t o)) - chance r (fun o => f r (X r k (S t) o))) + Theta_B r k.
Proof.
  pose proof (int_X r k ok t ltac:(lia)) as I0. pose proof (int_X r k ok (S t) ltac:(lia)) as I1.
  set (drop := fun o => f r (X r k t o) + (-1) * f r (X r k (S t) o)).
  assert (H1 : int (chance r) drop) by (apply int_add; [auto|now apply int_scale]).
  apply Rle_trans with (chance r (fun o => 2 / s * drop o + (2 / s * Z1 o + (-2) * Z2 o + / s * Z3 o))).
  - apply E_mono.
    + apply (int_add _ (fun o => 2 * ⟨Sk k (grad_f r (X r k t o)), Sk k (qz t o)⟩)); apply int_scale.
      * exact (L2_int (gX r k ok) (q r k ok + z r k ok)%V t Ht).
      * exact (L2_int (q r k ok + z r k ok)%V (q r k ok + z r k ok)%V t Ht).
    + apply (int_add _ (fun o => 2 / s * drop o)); [now apply int_scale|apply int_Z].
    + intros o _. pose proof (descent_one t o) as H2. cbv zeta in H2. unfold drop, Z1, Z2, Z3. lra.
  - rewrite (E_add _ (fun o => 2 / s * drop o)); [|now apply int_scale|apply int_Z].
    apply Rplus_le_compat; [|apply stored_terms]. right. rewrite E_scale by auto. f_equal. unfold drop.
    rewrite (E_add _ (fun o => f r (X r k t o)) _ I0 (int_scale _ (-1) _ I1)), (E_scale _ _ _ I1). ring.
Qed.
End OneRound.

(** ** B5: all rounds *)
Lemma descent_all : 2 * ⟨gX r k ok, q r k ok + z r k ok⟩ - u_B r k * ‖(q r k ok + z r k ok)‖² <=
  start_B r k.
Proof.
  assert (HT : 0 < INR (T r)) by apply lt_0_INR, T_pos. set (QZ := (q r k ok + z r k ok)%V).
  set (h := fun t => chance r (fun o => f r (X r k t o))).
  apply Rle_trans with (avg (T r) (fun t => 2 / s * (h t - h (S t)) + Theta_B r k)).
  - replace (2 * ⟨gX r k ok, QZ⟩ - u_B r k * ‖QZ‖²) with
      (rounds_M r k ok (fun i => 2 * ⟨at_ (gX r k ok) i, at_ QZ i⟩ + (- u_B r k) * ‖(at_ QZ i)‖²)).
    + rewrite rounds_M_is. apply avg_mono; [apply T_pos|]. intros t Ht. exact (descent_round t Ht).
    + rewrite (E_add _ (fun i => 2 * ⟨at_ (gX r k ok) i, at_ QZ i⟩)), !E_scale; try apply int_scale;
        try apply L2_int.
      rewrite !L2_inner. ring.
  - unfold start_B, start_part, optimisation. rewrite avg_add, avg_scale, avg_const by apply T_pos.
    apply Rplus_le_compat_r.
    unfold avg. rewrite telescope. unfold Delta_B. fold (h O).
    assert (f_star r <= h (T r)).
    { unfold h. rewrite <- (E_const (chance r) (f_star r)).
      apply E_mono; [apply int_const|apply (int_X r k ok); lia|]. intros; apply (below r k ok). }
    apply Rle_trans with (2 / s * (/ INR (T r) * (h 0%nat - f_star r))).
    + apply Rmult_le_compat_l; [left; apply Rdiv_lt_0_compat; lra|].
      apply Rmult_le_compat_l; [left; now apply Rinv_0_lt_compat|lra].
    + fold s. right. field. lra.
Qed.
End Descent.
