(** * Theorem B, lines B4, B7 and B8: the noise is orthogonal to what is known; ‖a − q‖_M ≤ F; ‖z‖_M² ≤ N *)
From Coq Require Import Reals Lra Lia.
From FPS.repaired Require Import TheoremACore.
From FPS.sketch_space.theorem_b Require Export DriftLemmas.
Open Scope R_scope.

Section Noise.
Variables (r : run) (k : table r).
Hypothesis ok : assumptions_B r k.
Local Notation sh := (share (gamma r) (mu r) (Es r)).
Local Notation S_ := (drift (gamma r) (mu r) (L r) (P_b r) (P_n r) (b r) (sigma r) (D_B r)).
Local Notation H_ := (slope (gamma r) (mu r) (L r) (P_b r) (P_n r) (b r) (sigma r) (D_B r)).
Local Notation gr_M := (gr_M r k ok). Local Notation gr0_M := (gr0_M r k ok).
Local Notation be_M := (be_M r k ok).
Local Notation ze_M := (ze_M r k ok). Local Notation gr := (gr r k ok).
Local Notation a := (a r k ok). Local Notation q := (q r k ok). Local Notation z := (z r k ok).
Local Notation VM := (VM r k).

(** ** B4 *)
Lemma z_orthogonal (U : nat -> Omega r -> V r) (SU : forall t, (t < T r)%nat -> sq (chance r) (U t)) :
  (forall t m e, step r t m e -> known r (past r t m e) (U t)) -> ⟨each r k ok U SU, z⟩ = 0.
Proof.
  intros HU. rewrite inner_sym, L2_inner, rounds_M_is, <- (avg_const (T r) (T_pos r) 0).
  apply avg_ext; intros t Ht. set (W := fun o => St k (Sk k (U t o))).
  assert (SW : sq (chance r) W) by (apply (sq_M r k ok), SU; auto).
  transitivity (chance r (fun o => avg (M r) (fun m => ⟨noise_of r t m o, W o⟩))).
  { apply E_same; intros o. rewrite VM_inner. apply inner_vmean. }
  rewrite (E_avg r (fun m o => ⟨noise_of r t m o, W o⟩))
    by (intros; apply sq_inner; auto; now apply (sq_noise r k ok)).
  rewrite <- (avg_const (M r) (M_pos r) 0). apply avg_ext; intros m Hm.
  transitivity (chance r (fun o => sum (Es r) (fun e => sh e * ⟨zeta r t m e o, W o⟩))).
  { apply E_same; intros o. unfold noise_of. rewrite inner_vsum. apply sum_ext; intros; apply inner_scale. }
  assert (SZ : forall e, int (chance r) (fun o => ⟨zeta r t m e o, W o⟩))
    by (intros; apply sq_inner; auto; now apply (sq_zeta_B r k ok)).
  rewrite (E_sum _ _ (fun e o => sh e * ⟨zeta r t m e o, W o⟩)) by (intros; now apply int_scale).
  rewrite (sum_ext _ _ (fun _ => 0)); [rewrite sum_const; ring|]. intros e He.
  assert (Hs : step r t m e) by (repeat split; auto).
  rewrite E_scale, (mean_zero r k ok t m e W Hs SW); auto; [ring|].
  intros o o' p. unfold W. now rewrite (HU t m e Hs o o' p).
Qed.
Lemma gX_orthogonal : ⟨gX r k ok, z⟩ = 0.
Proof. apply z_orthogonal. intros t m e [Ht [Hm He]] o o' p. now rewrite (X_known r k ok t m e Ht o o' p).
Qed.
(** With one local step q is known before the noise. *)
Lemma q_orthogonal : Es r = 1%nat -> ⟨q, z⟩ = 0.
Proof.
  intros HE. apply z_orthogonal. intros t m e [Ht [Hm He]] o o' p. unfold q_of, step_of, vmean.
  f_equal. apply vsum_ext; intros m' Hm'. apply vsum_ext; intros e' He'.
  assert (e = 0%nat) by lia. assert (e' = 0%nat) by lia. subst e e'.
  assert (p' : past r t m' 0 o o') by now apply (start_shared_B r k ok) with m.
  rewrite (local_known r k ok t m' 0 Ht Hm' ltac:(lia) o o' p').
  rewrite (bias_known r k ok t m' 0%nat) with (o' := o'); auto. repeat split; auto.
Qed.

(** ** B7 *)
Lemma gradient_near_M e : ‖(gr_M e - gr0_M)‖ <= ell_M k * ‖(Y_ r k ok e)‖.
Proof.
  apply mixed_norms; [apply (ell_M_nonneg r k ok)|]. intros t m o Ht Hm Ho.
  apply (lipschitz_M r k ok m); auto.
Qed.
Lemma bias_le_M e : (e < Es r)%nat -> ‖(be_M e)‖² <= Lam_b k * (P_b r * ‖(gr e)‖² + b r ^ 2).
Proof.
  intros He. rewrite !L2_inner, <- E_affine by apply L2_int. rewrite <- E_scale by apply int_affine, L2_int.
  rewrite everything_M_is, everything_is.
  apply avg_mono; [apply T_pos|]. intros t Ht. apply avg_mono; [apply M_pos|]. intros m Hm. apply E_mono.
  - exact (L2_int (be_M e) (be_M e) t Ht m Hm).
  - apply int_scale, int_affine. exact (L2_int (gr e) (gr e) t Ht m Hm).
  - intros o Ho. apply (bias_M r k ok t m e o); auto. repeat split; auto.
Qed.
Lemma bias_norm_M e : (e < Es r)%nat -> ‖(be_M e)‖ <= sqrt (Lam_b k) * bias_bound (P_b r) (b r) (H_ e).
Proof.
  intros He. pose proof (Lam_b_nonneg r k ok). pose proof (P_b_B r k ok).
  pose proof (gradient_square r k ok e He).
  unfold bias_bound. rewrite <- sqrt_mult by nra. unfold norm at 1. apply sqrt_le_1_alt.
  eapply Rle_trans; [apply bias_le_M; auto|]. apply Rmult_le_compat_l; [auto|]. nra.
Qed.
(** a − q is, up to sign, the mean over devices of U. *)
Definition U : L2 (everything_M r k ok) := vsum (Es r) (fun e => sh e *: ((gr_M e - gr0_M) + be_M e))%V.
Lemma U_is t o : same ((-1) *: (grad_f r (broadcast r t o) - q_of r t o))%V
  (@vmean (V r) (M r) (fun m => at_ U (t, (m, o)))).
Proof.
  intro w. rewrite inner_scale, inner_add, inner_scale. unfold q_of, grad_f.
  rewrite !inner_vmean, <- !avg_scale, <- avg_add, <- avg_scale. apply avg_ext; intros m _.
  set (g0 := ⟨grad r m (broadcast r t o), w⟩).
  set (gb := fun e => ⟨grad r m (local r t m e o) + beta r t m e o, w⟩).
  transitivity (sum (Es r) (fun e => sh e * gb e) + sum (Es r) (fun e => (- g0) * sh e)).
  - rewrite sum_scale, (sh_sum r k ok). unfold step_of. rewrite inner_vsum.
    rewrite (sum_ext _ (fun i => ⟨sh i *: _, w⟩) (fun e => sh e * gb e)); [ring|]. intros; apply inner_scale.
  - unfold U. rewrite L2_vsum, vsum_VM, inner_vsum, <- sum_add. apply sum_ext; intros e _.
    unfold at_, gb, g0; simpl. expand. ring.
Qed.
Lemma U_le : ‖U‖ <= F_B r k.
Proof.
  eapply Rle_trans; [apply minkowski_vsum|]. apply sum_mono; intros e He.
  rewrite norm_scale_pos by apply (sh_nonneg r k ok). apply Rmult_le_compat_l; [apply (sh_nonneg r k ok)|].
  pose proof (drift_le r k ok e ltac:(lia)). pose proof (gradient_near_M e). pose proof (ell_M_nonneg r k ok).
  pose proof (minkowski _ (gr_M e - gr0_M)%V (be_M e)). pose proof (bias_norm_M e He). nra.
Qed.
Lemma near_gradient : ‖(a - q)‖ <= F_B r k.
Proof.
  apply Rle_trans with ‖U‖; [|apply U_le]. apply square_le; [apply norm_nonneg|]. rewrite !norm_square.
  replace ‖(a - q)‖² with ‖((-1) *: (a - q))‖² by (rewrite square_scale; ring).
  apply jensen_of_devices. intros t o. rewrite vmean_VM.
  pose proof (same_VM r k _ _ (U_is t o)) as H. exact H.
Qed.

(** ** B8 *)
Lemma noise_le_M e : (e < Es r)%nat -> ‖(ze_M e)‖² <= Lam_n k * (P_n r * ‖(gr e)‖² + sigma r ^ 2).
Proof.
  intros He. rewrite !L2_inner, <- E_affine by apply L2_int. rewrite <- E_scale by apply int_affine, L2_int.
  rewrite everything_M_is, everything_is.
  apply avg_mono; [apply T_pos|]. intros t Ht. apply avg_mono; [apply M_pos|]. intros m Hm.
  pose proof (L2_int (gr e) (gr e) t Ht m Hm) as I. cbv beta in I.
  rewrite E_scale by (apply int_affine; exact I). rewrite E_affine by exact I.
  apply (noise_M r k ok t m e). repeat split; auto.
Qed.
(** The noises of two steps of one device are uncorrelated, also in ⟨.,.⟩_M. *)
Lemma noise_uncorrelated t m e e' : step r t m e -> step r t m e' -> e <> e' ->
  chance r (fun o => ⟨Sk k (zeta r t m e o), Sk k (zeta r t m e' o)⟩) = 0.
Proof.
  assert (H : forall e e', (e < e')%nat -> step r t m e -> step r t m e' ->
    chance r (fun o => ⟨Sk k (zeta r t m e' o), Sk k (zeta r t m e o)⟩) = 0).
  { intros e1 e2 Hlt H1 H2. rewrite <- (mean_zero r k ok t m e2 (fun o => St k (Sk k (zeta r t m e1 o))) H2).
    - apply E_same; intros. apply Sk_inner.
    - destruct H1 as [? [? ?]]. apply (sq_M r k ok). now apply (sq_zeta_B r k ok).
    - intros o o' p. rewrite (zeta_known_B r k ok t m e1 H1 o o'); auto.
      apply (past_earlier r k ok) with e2; auto. }
  intros H1 H2 Hne. destruct (Nat.lt_ge_cases e e').
  - rewrite <- (H e e'); auto. apply E_same; intros; apply inner_sym.
  - apply H; auto. lia.
Qed.
Lemma noise_of_devices : ‖(noise_M_ r k ok)‖² <=
  sum (Es r) (fun e => sh e ^ 2 * (Lam_n k * noise_bound (P_n r) (sigma r) (H_ e))).
Proof.
  set (Z := vsum (Es r) (fun e => sh e *: ze_M e)%V : L2 (everything_M r k ok)).
  replace ‖(noise_M_ r k ok)‖² with ‖Z‖².
  - unfold Z. rewrite pythagoras.
    + apply sum_mono; intros e He. rewrite square_scale.
      assert (‖(ze_M e)‖² <= Lam_n k * noise_bound (P_n r) (sigma r) (H_ e)).
      { eapply Rle_trans; [apply noise_le_M; auto|]. pose proof (gradient_square r k ok e He).
        pose proof (P_n_B r k ok). pose proof (Lam_n_nonneg r k ok). apply Rmult_le_compat_l; [auto|].
        unfold noise_bound. nra. }
      pose proof (sh_nonneg r k ok e). nra.
    + intros i j Hi Hj Hne. rewrite inner_scale, inner_scale_r. replace ⟨ze_M i, ze_M j⟩ with 0; [ring|].
      symmetry. rewrite L2_inner. apply (everything_zero r (fun i0 => _)); intros t m Ht Hm.
      apply (noise_uncorrelated t m i j); repeat split; auto.
  - apply same_square, L2_same. intros [t [m o]] _ w. unfold Z. rewrite L2_vsum, vsum_VM. reflexivity.
Qed.
(** The noises of two devices are uncorrelated if those of their steps are. *)
Lemma devices_uncorrelated t m m' : (t < T r)%nat -> (m < M r)%nat -> (m' < M r)%nat ->
  (forall e e', (e < Es r)%nat -> (e' < Es r)%nat ->
     chance r (fun o => ⟨Sk k (zeta r t m e o), Sk k (zeta r t m' e' o)⟩) = 0) ->
  chance r (fun o => @inner VM (noise_of r t m o) (noise_of r t m' o)) = 0.
Proof.
  intros Ht Hm Hm' Hc. set (c := fun e e' o => sh e * sh e' * ⟨Sk k (zeta r t m e o),
    Sk k (zeta r t m' e' o)⟩).
  assert (I : forall e e', int (chance r) (c e e')).
  { intros e e'. apply int_scale. apply (int_same _ (fun o => ⟨zeta r t m e o,
      St k (Sk k (zeta r t m' e' o))⟩)).
    - intro; symmetry; apply Sk_inner.
    - apply sq_inner; [now apply (sq_zeta_B r k ok)|]. apply (sq_M r k ok). now apply (sq_zeta_B r k ok). }
  transitivity (chance r (fun o => sum (Es r) (fun e => sum (Es r) (fun e' => c e e' o)))).
  - apply E_same; intros o. unfold noise_of. rewrite <- !(vsum_VM r k), inner_vsum.
    apply sum_ext; intros e _. rewrite inner_vsum_r. apply sum_ext; intros e' _.
    change (@scale (V r)) with (@scale VM). rewrite inner_scale, inner_scale_r. unfold c.
    change (@inner VM) with (fun g h => ⟨Sk k g, Sk k h⟩). cbv beta. ring.
  - rewrite (E_sum _ _ (fun e o => sum (Es r) (fun e' => c e e' o)))
      by (intros; now apply (int_sum _ _ (c k0))).
    rewrite (sum_ext _ _ (fun _ => 0)); [rewrite sum_const; ring|]. intros e He.
    rewrite (E_sum _ _ (c e)) by auto. rewrite (sum_ext _ _ (fun _ => 0)); [rewrite sum_const; ring|].
    intros e' He'.
    unfold c. rewrite E_scale, Hc; auto; [ring|]. specialize (I e e'). unfold c in I.
    apply (int_same _ (fun o => ⟨zeta r t m e o, St k (Sk k (zeta r t m' e' o))⟩));
      [intro; symmetry; apply Sk_inner|].
    apply sq_inner; [now apply (sq_zeta_B r k ok)|]. apply (sq_M r k ok). now apply (sq_zeta_B r k ok).
Qed.
(** Uncorrelated devices: the square of the mean is 1/M of the mean of the squares. *)
Lemma round_of_uncorrelated t : (t < T r)%nat ->
  (forall m m', (m < M r)%nat -> (m' < M r)%nat -> m <> m' ->
     chance r (fun o => @inner VM (noise_of r t m o) (noise_of r t m' o)) = 0) ->
  chance r (fun o => @inner VM (z_of r t o) (z_of r t o)) =
  / INR (M r) * avg (M r) (fun m => chance r (fun o => @inner VM (noise_of r t m o) (noise_of r t m o))).
Proof.
  intros Ht Hc.
  set (N := fun m => match lt_dec m (M r) with
    | left Hm => exist (sq (chance_M r k ok)) (noise_of r t m)
      (sq_seminorm r k ok _ (sq_noise r k ok t m Ht Hm))
    | right _ => zero end : L2 (chance_M r k ok)).
  assert (HN : forall m o, (m < M r)%nat -> at_ (N m) o = noise_of r t m o).
  { intros m o Hm. unfold N. destruct (lt_dec m (M r)); [reflexivity|lia]. }
  transitivity (‖(/ INR (M r) *: vsum (M r) N)‖²).
  - rewrite L2_inner. apply (E_same (chance r)); intros o.
    replace (at_ (/ INR (M r) *: vsum (M r) N)%V o) with (z_of r t o : VM); [reflexivity|].
    change (at_ (/ INR (M r) *: vsum (M r) N)%V o) with (@scale (V r) (/ INR (M r)) (at_ (vsum (M r) N) o)).
    rewrite L2_vsum, vsum_VM. unfold z_of, vmean. f_equal. apply vsum_ext; intros. symmetry. now apply HN.
  - rewrite square_scale, pythagoras.
    + unfold avg. rewrite Rmult_assoc. do 2 f_equal. apply sum_ext; intros m Hm. rewrite L2_inner.
      apply (E_same (chance r)); intros o. now rewrite HN.
    + intros m m' Hm Hm' Hne. rewrite L2_inner, <- (Hc m m' Hm Hm' Hne). apply (E_same (chance r)); intros o.
      now rewrite !HN.
Qed.
Lemma noise_of_rounds : ‖z‖² <= N_B r k.
Proof.
  unfold N_B, N_of. destruct (nu_is r k ok) as [->|[-> Hc]].
  - rewrite Rmult_1_l. eapply Rle_trans; [|apply noise_of_devices].
    apply jensen_of_devices. intros t o w. rewrite vmean_VM. reflexivity.
  - assert (HM : 0 < INR (M r)) by apply lt_0_INR, M_pos.
    eapply Rle_trans; [|apply Rmult_le_compat_l; [left; now apply Rinv_0_lt_compat|apply noise_of_devices]].
    rewrite !L2_inner, rounds_M_is, everything_M_is, <- avg_scale. apply avg_mono; [apply T_pos|].
    intros t Ht. right.
    apply (round_of_uncorrelated t Ht). intros m m' Hm Hm' Hne. apply devices_uncorrelated; auto.
    intros e e' He He'. apply Hc; auto; repeat split; auto.
Qed.
End Noise.
