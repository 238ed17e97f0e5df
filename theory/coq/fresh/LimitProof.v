(** * No proof can go further: proofs *)
From Coq Require Import Reals Lra Lia ZArith.
From FPS.fresh Require Import MomentsProof HashChannelProof Isotropic IsotropicProof.
From FPS.fresh Require Import Limit.
Open Scope R_scope.

Lemma steps_are d gamma lambda (x : Rd d) e : same (steps gamma lambda x e) ((1 - gamma * lambda) ^ e *: x)%V.
Proof.
  induction e as [|e IH]; intros z.
  - cbn [steps pow]. rewrite inner_scale. ring.
  - cbn [steps]. rewrite !inner_add, !inner_scale, (IH z), inner_scale. simpl. ring.
Qed.
Theorem isotropic_round : Isotropic_Round.
Proof.
  intros d r t. set (P := P r). set (X := x r t). set (q := r_of r).
  set (Y := fun o => (steps (gamma r) (lambda r) (X o) (local_steps r) - X o)%V : Rd d).
  assert (Ysame : forall o, same (Y o) ((- q) *: X o)%V).
  { intros o z. unfold Y. rewrite inner_add, !inner_scale, (steps_are d _ _ (X o) (local_steps r) z), inner_scale.
    unfold q, r_of. ring. }
  pose proof (x_sq d r t) as HX. pose proof (x_known d r t) as KX. fold X P in HX, KX.
  assert (HY : sq P Y).
  { apply (sq_same P (fun o => ((- q) *: X o)%V)); [|now apply sq_scale]. intros o z. symmetry. apply Ysame. }
  assert (KY : known (before d r t) Y) by (intros o o' Ho; unfold Y; now rewrite (KX o o' Ho)).
  pose proof (second_moment_of_a_vector d (I d r) P (before d r t) (A d r t) (p r) Y (all_solid d r) (hash d r t) (fresh d r t) HY KY) as M2.
  pose proof (channel_for_lengths d (I d r) P (before d r t) (A d r t) (fun _ _ => p r) (p r * (INR d - 1)) (all_solid d r)
    (hash d r t) (fresh d r t) (fun y => Req_le _ _ (isotropic_spread d (p r) y))) as C.
  pose proof (channel_unbiased C Y X HY HX KY KX) as U. pose proof (channel_sq C Y HY KY) as HA.
  assert (EX : forall o, ‖(x r (S t) o)‖² = ‖(X o)‖² + (2 * ⟨times_matrix (A d r t o) (Y o) - Y o, X o⟩ + (2 * ⟨Y o, X o⟩
    + ‖(times_matrix (A d r t o) (Y o))‖²))).
  { intros o. rewrite (next d r t o). fold X. change (steps (gamma r) (lambda r) (X o) (local_steps r) - X o)%V with (Y o).
    generalize (times_matrix (A d r t o) (Y o)). intros v. rewrite square_sum, inner_add, inner_scale, (inner_sym _ v (X o)). ring. }
  rewrite (E_same P _ _ EX), !(E_add P), !(E_scale P); auto 8 using sq_inner, int_add, int_scale, sq_add, sq_scale.
  rewrite U, M2. fold (omega_of r).
  rewrite (E_same P (fun o => ⟨Y o, X o⟩) (fun o => - q * ‖(X o)‖²)) by (intros o; rewrite (Ysame o _), inner_scale; reflexivity).
  rewrite (E_same P (fun o => ‖(Y o)‖²) (fun o => q ^ 2 * ‖(X o)‖²))
    by (intros o; rewrite (same_square _ _ _ (Ysame o)), square_scale; ring).
  rewrite !E_scale by now apply sq_inner. ring.
Qed.
Theorem no_bound_at_the_limit : No_Bound_At_The_Limit.
Proof.
  intros d r H.
  assert (Const : forall T, P r (fun o => ‖(x r T o)‖²) = P r (fun o => ‖(x r 0 o)‖²)).
  { induction T as [|T IH]; [reflexivity|]. rewrite isotropic_round, IH.
    replace (1 - 2 * r_of r + (1 + omega_of r) * r_of r ^ 2) with (1 - 2 * r_of r + ((1 + omega_of r) * r_of r) * r_of r) by ring.
    rewrite H. ring. }
  split; [exact Const|]. intros Pos Hl Delta c Hc. set (v := P r (fun o => ‖(x r 0 o)‖²)) in *.
  assert (Q : 0 < lambda r ^ 2 * v) by (apply Rmult_lt_0_compat; [pose proof (Rsqr_pos_lt _ Hl) as Q0; unfold Rsqr in Q0; simpl; lra|exact Pos]).
  set (n := Z.to_nat (up (Rabs (Delta / (c * (lambda r ^ 2 * v)))))). exists (S n). split; [lia|].
  assert (Big : Rabs (Delta / (c * (lambda r ^ 2 * v))) < INR (S n)).
  { destruct (archimed (Rabs (Delta / (c * (lambda r ^ 2 * v))))) as [Hu _]. pose proof (Rabs_pos (Delta / (c * (lambda r ^ 2 * v)))).
    assert (0 <= up (Rabs (Delta / (c * (lambda r ^ 2 * v)))))%Z by (apply le_IZR; lra).
    rewrite S_INR. unfold n. rewrite INR_IZR_INZ, Z2Nat.id by auto. lra. }
  assert (PS : 0 < INR (S n)) by (apply lt_0_INR; lia).
  rewrite (avg_ext (S n) _ (fun _ => lambda r ^ 2 * v)).
  - rewrite avg_const by lia. pose proof (Rle_abs (Delta / (c * (lambda r ^ 2 * v)))) as Le.
    apply Rmult_lt_reg_r with (INR (S n)); [exact PS|].
    replace (Delta / (c * INR (S n)) * INR (S n)) with (Delta / (c * (lambda r ^ 2 * v)) * (lambda r ^ 2 * v)) by (field; lra).
    rewrite (Rmult_comm (lambda r ^ 2 * v)). apply Rmult_lt_compat_r; lra.
  - intros t _. rewrite (E_same (P r) _ (fun o => lambda r ^ 2 * ‖(x r t o)‖²)) by (intros; rewrite square_scale; ring).
    rewrite E_scale by (apply sq_inner; apply x_sq). now rewrite Const.
Qed.
