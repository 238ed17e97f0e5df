(** * Theorem C: the rounds added up *)
From Coq Require Import Reals Lra Lia Arith.
From FPS.tools Require Import Smooth.
From FPS.repaired Require Import Setting.
From FPS.rates Require Import TheoremC TheoremCRoundLemmas.
Open Scope R_scope.

Lemma telescope n (g : nat -> R) : sum n (fun t => g t - g (S t)) = g O - g n.
Proof. induction n as [|n IH]; simpl; [ring|rewrite IH; ring]. Qed.

Section Rounds.
Variables (r : run) (x_star : V r).
Hypothesis ok : convex_run r x_star.
Hypothesis kappa_pos : 0 < kappa r.
Definition far (t : nat) : R := chance r (fun o => ‖(q r x_star t o)‖²).
Definition size (t : nat) : R := chance r (fun o => ‖(grad_f r (broadcast r t o))‖²).
Definition floor_ : R := C_ r * G_star2 r x_star + gamma r ^ 2 * INR (Es r) * sigma r ^ 2.

Lemma sq_q t : (t <= T r)%nat -> sq (chance r) (q r x_star t).
Proof.
  induction t as [|t IH]; intros Ht; [apply (C_sq_start r x_star ok)|]. apply (sq_next r x_star ok t); [lia|].
  apply IH; lia.
Qed.
Lemma far_nonneg t : (t <= T r)%nat -> 0 <= far t.
Proof. intros Ht. apply E_nonneg; [apply sq_inner; now apply sq_q|]. intros; apply inner_nonneg. Qed.

(** From rounds to the average: c·size ≤ far_t − far_{t+1} + floor + price_t *)
Lemma added_up c price : 0 < c ->
  (forall t, (t < T r)%nat -> c * size t <= far t - far (S t) + (floor_ + price t)) ->
  A r <= / c * (D_02 r x_star / INR (T r) + floor_ + avg (T r) price).
Proof.
  intros Hc H. change (A r) with (avg (T r) size). change (D_02 r x_star) with (far O).
  pose proof (T_pos r) as HT. assert (PT : 0 < INR (T r)) by now apply lt_0_INR.
  assert (K : c * avg (T r) size <= / INR (T r) * (far O - far (T r)) + (floor_ + avg (T r) price)).
  { rewrite <- telescope, <- avg_scale, <- (avg_const (T r) HT floor_), <- avg_add.
    change (/ INR (T r) * sum (T r) (fun t => far t - far (S t)))
      with (avg (T r) (fun t => far t - far (S t))).
    rewrite <- avg_add. now apply avg_mono. }
  assert (F : / INR (T r) * (far O - far (T r)) <= far O / INR (T r)).
  { unfold Rdiv. rewrite (Rmult_comm (far O)). apply Rmult_le_compat_l; [left; now apply Rinv_0_lt_compat|].
    pose proof (far_nonneg (T r) (Nat.le_refl _)). lra. }
  apply Rmult_le_reg_l with c; auto. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra. lra.
Qed.
End Rounds.

Theorem theorem_c : Theorem_C.
Proof.
  intros r x_star ok kp exact_. unfold bound_C. replace (2 / kappa r) with (/ (kappa r / 2)) by (field; lra).
  rewrite <- (Rplus_0_r (_ + _ * sigma r ^ 2)), Rplus_assoc, Rplus_assoc, <- (Rplus_assoc (C_ r * _)),
    <- Rplus_assoc.
  fold (floor_ r x_star). rewrite <- (avg_const (T r) (T_pos r) 0). apply (added_up r x_star ok); [lra|].
  intros t Ht. pose proof (distance r x_star ok t Ht (sq_q r x_star ok t (Nat.lt_le_incl _ _ Ht))) as D.
  pose proof (contracts r x_star ok t Ht kp) as C. pose proof (gradient_below r x_star ok t Ht) as B.
  set (sq_ := sq_q r x_star ok t (Nat.lt_le_incl _ _ Ht)) in *.
  assert (Z : ⟨rho r x_star ok t Ht sq_, y r x_star ok t Ht (Es r) - y r x_star ok t Ht O⟩ = 0).
  { rewrite (same_both r (rho r x_star ok t Ht sq_) zero); [apply inner_zero|]. intros m o _ w.
    change (⟨rho_at r t o, w⟩ = ⟨zero, w⟩). unfold rho_at. rewrite inner_add, inner_scale, (exact_ t o Ht w),
      inner_zero. ring. }
  rewrite Z in D. unfold far, size, floor_.
  assert (kappa r / 2 * chance r (fun o => ‖(grad_f r (broadcast r t o))‖²) <=
    kappa r / 2 * sum (Es r) (fun e => ‖(h r x_star ok t Ht e)‖²)) by (apply Rmult_le_compat_l; lra).
  lra.
Qed.

Theorem theorem_c_with_residual : Theorem_C_With_Residual.
Proof.
  intros r x_star ok kp. unfold bound_C_with_residual. replace (4 / kappa r) with (/ (kappa r / 4)) by (field; lra).
  rewrite (Rplus_assoc (_ / _)). fold (floor_ r x_star).
  assert (ER : R2 r = avg (T r) (fun t => chance r (fun o => ‖(rho_at r t o)‖²))).
  { unfold R2, rounds. rewrite times_is. apply avg_ext; intros t _. apply E_same; intros o. cbn [fst snd].
    apply same_square. intro w. unfold rho_at, residual, shifted. expand. ring. }
  rewrite ER, <- avg_scale. apply (added_up r x_star ok); [lra|].
  intros t Ht. pose proof (distance r x_star ok t Ht (sq_q r x_star ok t (Nat.lt_le_incl _ _ Ht))) as D.
  pose proof (contracts r x_star ok t Ht kp) as C. pose proof (gradient_below r x_star ok t Ht) as B.
  set (sq_ := sq_q r x_star ok t (Nat.lt_le_incl _ _ Ht)) in *.
  pose proof (rho_known r x_star ok t Ht kp sq_) as P.
  assert (S : ‖(rho r x_star ok t Ht sq_)‖² = chance r (fun o => ‖(rho_at r t o)‖²)).
  { change (avg (M r) (fun _ => chance r (fun o => ‖(rho_at r t o)‖²)) =
      chance r (fun o => ‖(rho_at r t o)‖²)).
    apply avg_const, M_pos. }
  rewrite S in P. unfold far, size, floor_.
  assert (kappa r / 4 * chance r (fun o => ‖(grad_f r (broadcast r t o))‖²) <=
    kappa r / 4 * sum (Es r) (fun e => ‖(h r x_star ok t Ht e)‖²)) by (apply Rmult_le_compat_l; lra).
  lra.
Qed.
