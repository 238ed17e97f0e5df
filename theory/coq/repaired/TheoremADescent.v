(** * Lemmas for Theorem A: the step of a round in L², and the descent of f along v_t − ξ (P1-P3, T1, T2) *)
From Coq Require Import Reals Lra Lia.
From FPS.repaired Require Import Setting Drift TheoremA KnownFromThePast.
Open Scope R_scope.

(** ** Weights *)
Lemma omega_nonneg gamma mu steps e : 0 <= gamma * mu <= 1 -> 0 <= omega gamma mu steps e.
Proof. intros. apply pow_le. lra. Qed.
Lemma total_weight_pos gamma mu steps : 0 <= gamma * mu <= 1 -> (0 < steps)%nat ->
  0 < total_weight gamma mu steps.
Proof.
  intros H Hs. destruct steps as [|k]; [lia|]. unfold total_weight; simpl.
  assert (0 <= sum k (omega gamma mu (S k))) by (apply sum_nonneg; intros; now apply omega_nonneg).
  assert (omega gamma mu (S k) k = 1); [|lra]. unfold omega. replace (S k - 1 - k)%nat with O by lia.
  reflexivity.
Qed.
Lemma share_nonneg gamma mu steps e : 0 <= gamma * mu <= 1 -> (0 < steps)%nat -> 0 <= share gamma mu steps e.
Proof.
  intros H Hs. unfold share, Rdiv. apply Rmult_le_pos; [now apply omega_nonneg|].
  left; now apply Rinv_0_lt_compat, total_weight_pos.
Qed.
Lemma shares_sum gamma mu steps : 0 <= gamma * mu <= 1 -> (0 < steps)%nat ->
  sum steps (share gamma mu steps) = 1.
Proof.
  intros H Hs. pose proof (total_weight_pos gamma mu steps H Hs).
  transitivity (sum steps (fun e => / total_weight gamma mu steps * omega gamma mu steps e)).
  - apply sum_ext; intros; unfold share; field; lra.
  - rewrite sum_scale. fold (total_weight gamma mu steps). field; lra.
Qed.

Section Descent.
Variable r : run.
Hypothesis ok : assumptions r.
Local Notation X2 := (L2 (rounds r)).
Definition sh (e : nat) : R := share (gamma r) (mu r) (Es r) e.
Lemma sh_nonneg e : 0 <= sh e.
Proof. apply share_nonneg; [apply (A4 r ok)|apply Es_pos]. Qed.
Lemma sh_sum : sum (Es r) sh = 1.
Proof. apply shares_sum; [apply (A4 r ok)|apply Es_pos]. Qed.
Lemma Ebar_pos : 0 < Ebar r.
Proof. apply (total_weight_pos (gamma r) (mu r) (Es r)); [apply (A4 r ok)|apply Es_pos]. Qed.
Lemma u_nonneg : 0 <= u r.
Proof.
  unfold u. pose proof Ebar_pos. pose proof (gamma_pos r ok). pose proof (L_pos r ok).
  apply Rmult_le_pos; [apply Rmult_le_pos|]; lra.
Qed.

(** ** a = ∇f(w̃_t), ∇f(v_t − ξ), the mean step q and its noise z, as vectors of L² *)
Definition of_rounds (X : nat -> Omega r -> V r) (H : forall t, (t < T r)%nat -> sq (chance r) (X t)) : X2 :=
  exist (sq (rounds r)) (fun i => X (fst i) (snd i)) (fun t Ht => H t Ht).
Definition device_step t m o : V r := vsum (Es r) (fun e => sh e *:
  (grad r m (local r t m e o) + beta r t m e o))%V.
Definition device_noise t m o : V r := vsum (Es r) (fun e => sh e *: zeta r t m e o)%V.
Lemma sq_device_step t m : (t < T r)%nat -> (m < M r)%nat -> sq (chance r) (device_step t m).
Proof.
  intros Ht Hm. apply (sq_vsum _ _ (fun e o => sh e *: (grad r m (local r t m e o) + beta r t m e o))%V).
  intros e _.
  apply sq_scale, (sq_add _ (fun o => grad r m (local r t m e o)));
    [now apply (sq_grad r ok)|now apply (sq_beta r ok)].
Qed.
Lemma sq_device_noise t m : (t < T r)%nat -> (m < M r)%nat -> sq (chance r) (device_noise t m).
Proof.
  intros Ht Hm. apply (sq_vsum _ _ (fun e o => sh e *: zeta r t m e o)%V). intros e _.
  apply sq_scale. now apply (sq_zeta r ok).
Qed.
Definition a : X2 := of_rounds (fun t o => grad_f r (broadcast r t o)) (sq_grad_f r ok).
Definition gV : X2 := of_rounds (fun t o => grad_f r (shifted r t o)) (sq_shifted r ok).
Definition q : X2 := of_rounds (fun t o => vmean (M r) (fun m => device_step t m o))
  (fun t Ht => sq_vmean r _ (fun m Hm => sq_device_step t m Ht Hm)).
Definition z : X2 := of_rounds (fun t o => vmean (M r) (fun m => device_noise t m o))
  (fun t Ht => sq_vmean r _ (fun m Hm => sq_device_noise t m Ht Hm)).

(** ** P1, P2: the displacement of a round *)
Lemma displacement t m n o w : ⟨moved r t m n o, w⟩ = - gamma r * sum n (fun e =>
  (1 - gamma r * mu r) ^ (n - 1 - e) * ⟨grad r m (local r t m e o) + beta r t m e o + zeta r t m e o, w⟩).
Proof.
  induction n as [|n IH]; [unfold moved; simpl; expand; ring|].
  cbn [sum]. replace (S n - 1 - n)%nat with O by lia.
  rewrite (sum_ext n _ (fun e => (1 - gamma r * mu r) * ((1 - gamma r * mu r) ^ (n - 1 - e) *
     ⟨grad r m (local r t m e o) + beta r t m e o + zeta r t m e o, w⟩))).
  - rewrite sum_scale. unfold moved in *; cbn [local]. revert IH.
    generalize (sum n (fun e => (1 - gamma r * mu r) ^ (n - 1 - e) *
      ⟨grad r m (local r t m e o) + beta r t m e o + zeta r t m e o, w⟩)).
    intros s IH.
    transitivity ((1 - gamma r * mu r) * (- gamma r * s) + - gamma r *
      ⟨grad r m (local r t m n o) + beta r t m n o + zeta r t m n o, w⟩); [|simpl; ring].
    rewrite <- IH. expand. ring.
  - intros e He. replace (S n - 1 - e)%nat with (S (n - 1 - e)) by lia. simpl; ring.
Qed.
Lemma displacement_of_round t o : same (vmean (M r) (fun m => moved r t m (Es r) o))
  ((- (gamma r * Ebar r)) *: (at_ q (t, o) + at_ z (t, o)))%V.
Proof.
  intro w. rewrite inner_scale, inner_add. unfold q, z, at_; cbn [proj1_sig of_rounds fst snd].
  rewrite !inner_vmean, <- avg_add, <- avg_scale. apply avg_ext; intros m _.
  rewrite displacement. unfold device_step, device_noise. rewrite !inner_vsum, <- sum_add.
  rewrite <- !sum_scale. apply sum_ext; intros e _.
  rewrite !inner_scale, !inner_add. unfold sh, share, omega.
  change (total_weight (gamma r) (mu r) (Es r)) with (Ebar r). pose proof Ebar_pos. field. lra.
Qed.

(** ** T1: descent *)
Lemma f_smooth : smooth (L r) (f r) (grad_f r).
Proof. apply smooth_mean; [apply M_pos|apply (A1_smooth r ok)]. Qed.
Lemma descent_of_round t o :
  2 * ⟨at_ gV (t, o), at_ q (t, o) + at_ z (t, o)⟩ - u r * ‖(at_ q (t, o) + at_ z (t, o))‖² <=
  2 / (gamma r * Ebar r) * (f r (shifted r t o) - f r (shifted r (S t) o)).
Proof.
  pose proof Ebar_pos. pose proof (gamma_pos r ok). set (s := gamma r * Ebar r).
  assert (Hs : 0 < s) by (unfold s; nra).
  set (d := (at_ q (t, o) + at_ z (t, o))%V).
  assert (Hd : same (shifted r (S t) o - shifted r t o)%V ((- s) *: d)%V).
  { intro w. unfold shifted; cbn [exact]. unfold s, d. rewrite <- (displacement_of_round t o w). expand. ring.
    }
  pose proof (smooth_above (shifted r t o) (shifted r (S t) o) f_smooth) as Hf.
  rewrite (same_square _ _ _ Hd), square_scale, (inner_sym _ _ (_ - _)%V), (Hd _), inner_scale,
    (inner_sym _ d) in Hf. unfold gV, at_; cbn [proj1_sig of_rounds fst snd].
  replace (u r) with (L r * s) by (unfold u, s; ring).
  set (g := ⟨grad_f r (shifted r t o), d⟩) in *. set (n := ‖d‖²) in *.
  apply Rmult_le_reg_l with (s / 2); [lra|].
  replace (s / 2 * (2 / s * (f r (shifted r t o) - f r (shifted r (S t) o))))
    with (f r (shifted r t o) - f r (shifted r (S t) o)) by (field; lra). lra.
Qed.
Lemma telescope n (h : nat -> R) : sum n (fun t => h t - h (S t)) = h O - h n.
Proof. induction n as [|n IH]; simpl; [ring|rewrite IH; ring]. Qed.
(** The mean descent of a round, in expectation *)
Lemma descent_in_mean t : (t < T r)%nat ->
  chance r (fun o => 2 * ⟨at_ gV (t, o), at_ (q + z)%V (t, o)⟩ + (- u r) * ‖(at_ (q + z)%V (t, o))‖²) <=
  2 / (gamma r * Ebar r) * (chance r (fun o => f r (shifted r t o)) - chance r
    (fun o => f r (shifted r (S t) o))).
Proof.
  intros Ht. pose proof (int_loss r ok t ltac:(lia)) as I0. pose proof (int_loss r ok (S t) ltac:(lia)) as I1.
  replace (chance r (fun o => f r (shifted r t o)) - chance r (fun o => f r (shifted r (S t) o)))
    with (chance r (fun o => f r (shifted r t o) + (-1) * f r (shifted r (S t) o)))
    by (rewrite (E_add _ (fun o => f r (shifted r t o)) _ I0 (int_scale _ (-1) _ I1)), (E_scale _ _ _ I1);
      ring).
  assert (H1 : int (chance r) (fun o => f r (shifted r t o) + (-1) * f r (shifted r (S t) o))).
  { apply int_add; [exact I0|apply int_scale, I1]. }
  rewrite <- E_scale by auto. apply E_mono.
  - apply (int_add _ (fun o => 2 * ⟨at_ gV (t, o), at_ (q + z)%V (t, o)⟩)); apply int_scale;
      [exact (L2_int gV (q + z)%V t Ht)|exact (L2_int (q + z)%V (q + z)%V t Ht)].
  - now apply int_scale.
  - intros o _. pose proof (descent_of_round t o).
    change (at_ (q + z)%V (t, o)) with (at_ q (t, o) + at_ z (t, o))%V. lra.
Qed.
Lemma descent_of_run : 2 * ⟨gV, q + z⟩ - u r * ‖(q + z)‖² <= K r.
Proof.
  pose proof Ebar_pos. pose proof (gamma_pos r ok). assert (Hs : 0 < gamma r * Ebar r) by nra.
  assert (HT : 0 < INR (T r)) by apply lt_0_INR, T_pos.
  set (h := fun t => chance r (fun o => f r (shifted r t o))).
  apply Rle_trans with (avg (T r) (fun t => 2 / (gamma r * Ebar r) * (h t - h (S t)))).
  - replace (2 * ⟨gV, q + z⟩ - u r * ‖(q + z)‖²) with
      (rounds r (fun i => 2 * ⟨at_ gV i, at_ (q + z)%V i⟩ + (- u r) * ‖(at_ (q + z)%V i)‖²)).
    + rewrite rounds_is. apply avg_mono; [apply T_pos|]. intros t Ht. now apply descent_in_mean.
    + rewrite (E_add _ (fun i => 2 * ⟨at_ gV i, at_ (q + z)%V i⟩)), !E_scale; try apply int_scale;
        try apply L2_int.
      rewrite !L2_inner. ring.
  - rewrite avg_scale. unfold avg, K, optimisation, Delta. rewrite telescope. fold (h O).
    assert (f_star r <= h (T r)).
    { unfold h. rewrite <- (E_const (chance r) (f_star r)).
      apply E_mono; [apply int_const|apply (int_loss r ok); lia|]. intros; apply (A1_below r ok). }
    apply Rle_trans with (2 / (gamma r * Ebar r) * (/ INR (T r) * (h 0%nat - f_star r))).
    + apply Rmult_le_compat_l; [left; apply Rdiv_lt_0_compat; lra|].
      apply Rmult_le_compat_l; [left; now apply Rinv_0_lt_compat|lra].
    + right; field; lra.
Qed.

(** ** T2: the noise does not correlate with what is known before it *)
Lemma z_orthogonal (U : X2) :
  (forall t m e, step r t m e -> known r (past r t m e) (fun o => at_ U (t, o))) -> ⟨U, z⟩ = 0.
Proof.
  intros HU. rewrite inner_sym, L2_inner, rounds_is. rewrite <- (avg_const (T r) (T_pos r) 0).
  apply avg_ext; intros t Ht. assert (SU : sq (chance r) (fun o => at_ U (t, o))) by exact (proj2_sig U t Ht).
  transitivity (chance r (fun o => avg (M r) (fun m => ⟨device_noise t m o, at_ U (t, o)⟩))).
  { apply E_same; intros o. unfold z, at_; cbn [proj1_sig of_rounds fst snd]. apply inner_vmean. }
  rewrite (E_avg r (fun m o => ⟨device_noise t m o, at_ U (t, o)⟩))
    by (intros; apply sq_inner; auto; now apply sq_device_noise).
  rewrite <- (avg_const (M r) (M_pos r) 0). apply avg_ext; intros m Hm.
  transitivity (chance r (fun o => sum (Es r) (fun e => sh e * ⟨zeta r t m e o, at_ U (t, o)⟩))).
  { apply E_same; intros o. unfold device_noise. rewrite inner_vsum. apply sum_ext; intros; apply inner_scale.
    }
  assert (SZ : forall e, int (chance r) (fun o => ⟨zeta r t m e o, at_ U (t, o)⟩))
    by (intros; apply sq_inner; auto; now apply (sq_zeta r ok)).
  rewrite (E_sum _ _ (fun e o => sh e * ⟨zeta r t m e o, at_ U (t, o)⟩)) by (intros; now apply int_scale).
  rewrite (sum_ext _ _ (fun _ => 0)); [rewrite sum_const; ring|]. intros e He.
  assert (Hs : step r t m e) by (repeat split; auto).
  rewrite E_scale, (A2_mean_zero r ok t m e (fun o => at_ U (t, o)) Hs SU (HU t m e Hs)); auto. ring.
Qed.
Lemma gV_orthogonal : ⟨gV, z⟩ = 0.
Proof.
  apply z_orthogonal. intros t m e [Ht [Hm He]] o o' p. unfold gV, at_; cbn [proj1_sig of_rounds fst snd].
  now rewrite (shifted_known r ok t m e Ht o o' p).
Qed.
Lemma q_orthogonal : Es r = 1%nat -> ⟨q, z⟩ = 0.
Proof.
  intros HE. apply z_orthogonal. intros t m e [Ht [Hm He]] o o' p.
  unfold q, at_, device_step, vmean; cbn [proj1_sig of_rounds fst snd].
  f_equal. apply vsum_ext; intros m' Hm'. apply vsum_ext; intros e' He'.
  assert (e = 0%nat) by lia. assert (e' = 0%nat) by lia. subst e e'.
  assert (p' : past r t m' 0 o o') by now apply (start_shared r ok) with m.
  rewrite (local_known r ok t m' 0 Ht Hm' ltac:(lia) o o' p').
  rewrite (A2_bias_known r ok t m' 0%nat) with (o' := o'); auto. repeat split; auto.
Qed.
End Descent.
