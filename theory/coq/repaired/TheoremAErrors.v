(** * Lemmas for Theorem A: ‖a − q‖ ≤ F, ‖z‖² ≤ N and ‖∇f(v_t − ξ) − a‖ ≤ ρ (T3, T4) *)
From Coq Require Import Reals Lra Lia.
From FPS.repaired Require Import Setting Drift DriftRecursion TheoremA KnownFromThePast DriftInL2 TheoremACore
  TheoremADescent.
Open Scope R_scope.

Section Errors.
Variable r : run.
Hypothesis ok : assumptions r.
Local Notation X3 := (L2 (everything r)).
Local Notation X2 := (L2 (rounds r)).
Local Notation a := (a r ok). Local Notation q := (q r ok). Local Notation z := (z r ok).
Local Notation gV := (gV r ok).
Local Notation sh := (sh r).
Let Y := Y r ok _ (everything r) (fun i => i) (run_sq r).
Let gr := gr r ok _ (everything r) (fun i => i) (run_sq r).
Let gr0 := gr0 r ok _ (everything r) (fun i => i) (run_sq r).
Let be := be r ok _ (everything r) (fun i => i) (run_sq r).
Let ze := ze r ok _ (everything r) (fun i => i) (run_sq r).

Lemma A_nonneg : 0 <= A r.
Proof. apply (inner_nonneg _ a). Qed.
Lemma R2_nonneg : 0 <= R2 r.
Proof. apply (inner_nonneg _ (of_rounds r (fun t o => residual r t o - xi r o)%V (sq_residual r ok))). Qed.

(** ** The measured values are at most those of Theorem A *)
Lemma measured_D2_le : measured_D2 r <= G r ^ 2 + B r ^ 2 * A r.
Proof.
  change (A r) with ‖a‖². rewrite (L2_inner a a), Rplus_comm, <- E_affine by apply L2_int.
  unfold measured_D2. rewrite everything_is, rounds_is. apply avg_mono; [apply T_pos|]. intros t Ht.
  cbn [fst snd].
  rewrite <- (E_avg r (fun m o => ‖(grad r m (broadcast r t o))‖²))
    by (intros; apply sq_inner; now apply (sq_broadcast r ok)).
  apply E_mono.
  - apply int_avg; intros m Hm. apply sq_inner; now apply (sq_broadcast r ok).
  - apply int_affine. exact (L2_int a a t Ht).
  - intros o Ho. rewrite (Rplus_comm (_ * _)). exact (A3 r ok t o Ht Ho).
Qed.
Lemma gradient_moves_little : measured_rho2 r <= rho r ^ 2.
Proof.
  pose proof (L_pos r ok) as Lp. unfold rho. rewrite Rpow_mult_distr, pow2_sqrt by apply R2_nonneg.
  set (d := of_rounds r (fun t o => residual r t o - xi r o)%V (sq_residual r ok)).
  change (R2 r) with ‖d‖². rewrite (L2_inner d d), <- E_scale by apply L2_int.
  unfold measured_rho2. rewrite !rounds_is. apply avg_mono; [apply T_pos|]. intros t Ht. cbn [fst snd].
  apply E_mono.
  - exact (L2_int (gV - a)%V (gV - a)%V t Ht).
  - apply int_scale. exact (L2_int d d t Ht).
  - intros o _. pose proof (smooth_lipschitz (broadcast r t o) (shifted r t o) Lp (f_smooth r ok)) as H.
    rewrite (same_norm _ (shifted r t o - broadcast r t o)%V (at_ d (t, o))) in H
      by (intro w; unfold d, at_; cbn [proj1_sig of_rounds fst snd]; unfold shifted, residual; expand; ring).
    pose proof (norm_nonneg _ (grad_f r (shifted r t o) - grad_f r (broadcast r t o))%V).
    rewrite <- !norm_square. replace (L r ^ 2 * (‖(at_ d (t, o))‖ * ‖(at_ d (t, o))‖))
      with ((L r * ‖(at_ d (t, o))‖) * (L r * ‖(at_ d (t, o))‖)) by ring. nra.
Qed.

(** ** Any D and ρ that bound the measured values *)
Variables D rho : R.
Hypothesis D_nonneg : 0 <= D.
Hypothesis D_bounds : measured_D2 r <= D ^ 2.
Hypothesis rho_nonneg : 0 <= rho.
Hypothesis rho_bounds : measured_rho2 r <= rho ^ 2.
Let S_ := drift (gamma r) (mu r) (L r) (P_b r) (P_n r) (b r) (sigma r) D.
Let H_ e := D + L r * S_ e.

Lemma sketched : ‖(gV - a)‖ <= rho.
Proof.
  apply square_le; [auto|]. rewrite norm_square.
  replace (rho * rho) with (rho ^ 2) by ring. exact rho_bounds.
Qed.
(** The mean over devices is at most as long as what is averaged. *)
Lemma jensen_of_devices (U2 : X2) (U3 : X3) :
  (forall t o, same (at_ U2 (t, o)) (vmean (M r) (fun m => at_ U3 (t, (m, o))))) -> ‖U2‖² <= ‖U3‖².
Proof.
  intros H. rewrite !L2_inner, everything_is, rounds_is. apply avg_mono; [apply T_pos|]. intros t Ht.
  assert (S3 : forall m, (m < M r)%nat -> int (chance r) (fun o => ‖(at_ U3 (t, (m, o)))‖²))
    by (intros m Hm; exact (L2_int U3 U3 t Ht m Hm)).
  rewrite <- (E_avg r (fun m o => ‖(at_ U3 (t, (m, o)))‖²)) by auto. apply E_mono.
  - exact (L2_int U2 U2 t Ht).
  - now apply int_avg.
  - intros o _. rewrite (same_square _ _ _ (H t o)). apply jensen, M_pos.
Qed.
Lemma errors_le_F : ‖(vsum (Es r) (fun e => sh e *: ((gr e - gr0) + be e))%V)‖ <= F r D.
Proof.
  eapply Rle_trans; [apply minkowski_vsum|]. apply sum_mono; intros e He.
  rewrite norm_scale_pos by apply (sh_nonneg r ok). apply Rmult_le_compat_l; [apply (sh_nonneg r ok)|].
  pose proof (drift_in_L2 r ok _ _ _ (run_sq r) (run_le r) D D_nonneg D_bounds e ltac:(lia)) as HS.
  pose proof (gr_near r ok _ _ _ (run_sq r) (run_le r) e) as Hn. fold Y in HS, Hn. fold gr gr0 in Hn.
  pose proof (minkowski _ (gr e - gr0)%V (be e)) as Hm. pose proof (L_pos r ok).
  assert (Hb : ‖(be e)‖ <= bias_bound (P_b r) (b r) (H_ e)).
  { unfold norm at 1. apply sqrt_le_1_alt.
    eapply Rle_trans; [apply (be_le r ok _ _ _ (run_sq r) (run_le r)); auto|].
    pose proof (gr_square r ok _ _ _ (run_sq r) (run_le r) D D_nonneg D_bounds e He).
    pose proof (P_b_nonneg r ok). unfold H_, S_. nra. }
  unfold slope. fold S_ in HS |- *. unfold H_ in Hb. nra.
Qed.
(** P3: a − q is the mean over devices of minus the weighted errors. *)
Lemma near_gradient : ‖(a - q)‖ <= F r D.
Proof.
  set (U := vsum (Es r) (fun e => sh e *: ((gr e - gr0) + be e))%V : X3).
  apply Rle_trans with ‖U‖; [|apply errors_le_F]. apply square_le; [apply norm_nonneg|]. rewrite !norm_square.
  replace ‖(a - q)‖² with ‖((-1) *: (a - q))‖² by (rewrite square_scale; ring).
  apply jensen_of_devices. intros t o w.
  change (at_ ((-1) *: (a - q))%V (t, o)) with ((-1) *: (at_ a (t, o) - at_ q (t, o)))%V.
  rewrite !inner_scale, !inner_add, !inner_scale.
  unfold TheoremADescent.a, TheoremADescent.q, at_, grad_f; cbn [proj1_sig of_rounds fst snd].
  rewrite !inner_vmean, <- !avg_scale, <- avg_add, <- avg_scale. apply avg_ext; intros m _.
  change (proj1_sig U (t, (m, o))) with (at_ U (t, (m, o))). unfold U. rewrite L2_vsum, inner_vsum.
  unfold device_step. rewrite inner_vsum.
  transitivity (sum (Es r) (fun e => sh e * ⟨grad r m (local r t m e o) + beta r t m e o, w⟩)
     + sum (Es r) (fun e => (- ⟨grad r m (broadcast r t o), w⟩) * sh e)).
  - rewrite sum_scale, (sh_sum r ok). rewrite (sum_ext _ (fun i => ⟨sh i *: _, w⟩)
      (fun e => sh e * ⟨grad r m (local r t m e o) + beta r t m e o, w⟩)); [ring|].
    intros; apply inner_scale.
  - rewrite <- sum_add. apply sum_ext; intros e _. unfold at_, gr, gr0, be; simpl.
    expand. ring.
Qed.

(** ** The noise *)
Let nm := at_place r _ (everything r) (fun i => i) (run_sq r) (device_noise r) (sq_device_noise r ok).
Lemma noise_of_devices : ‖nm‖² <= sum (Es r) (fun e => sh e ^ 2 * noise_bound (P_n r) (sigma r) (H_ e)).
Proof.
  set (U := vsum (Es r) (fun e => sh e *: ze e)%V : X3).
  replace ‖nm‖² with ‖U‖².
  - unfold U. rewrite pythagoras.
    + apply sum_mono; intros e He. rewrite square_scale.
      assert (‖(ze e)‖² <= noise_bound (P_n r) (sigma r) (H_ e)).
      { eapply Rle_trans; [apply (ze_le r ok _ _ _ (run_sq r) (run_le r)); auto|].
        pose proof (gr_square r ok _ _ _ (run_sq r) (run_le r) D D_nonneg D_bounds e He).
        pose proof (P_n_nonneg r ok). unfold noise_bound, H_, S_. nra. }
      pose proof (sh_nonneg r ok e). nra.
    + intros i j Hi Hj Hne. rewrite inner_scale, inner_scale_r.
      replace ⟨ze i, ze j⟩ with 0; [ring|]. symmetry. rewrite L2_inner.
      apply everything_zero; intros t m Ht Hm.
      apply (zeta_uncorrelated r ok t m i j); repeat split; auto.
  - apply same_square, L2_same. intros [t [m o]] _ w. unfold U. rewrite L2_vsum. reflexivity.
Qed.
(** Noises of two devices that are uncorrelated at all pairs of steps *)
Lemma devices_uncorrelated t m m' : (t < T r)%nat -> (m < M r)%nat -> (m' < M r)%nat ->
  (forall e e', step r t m e -> step r t m' e' -> chance r (fun o => ⟨zeta r t m e o, zeta r t m' e' o⟩) = 0)
    ->
  chance r (fun o => ⟨device_noise r t m o, device_noise r t m' o⟩) = 0.
Proof.
  intros Ht Hm Hm' Hc.
  assert (SZ : forall e e', int (chance r) (fun o => ⟨zeta r t m e o, zeta r t m' e' o⟩))
    by (intros; apply sq_inner; now apply (sq_zeta r ok)).
  transitivity (chance r (fun o => sum (Es r) (fun e => sum (Es r) (fun e' =>
     sh e * sh e' * ⟨zeta r t m e o, zeta r t m' e' o⟩)))).
  { apply E_same; intros o. unfold device_noise. rewrite inner_vsum. apply sum_ext; intros e _.
    rewrite inner_vsum_r. apply sum_ext; intros e' _. rewrite inner_scale, inner_scale_r; ring. }
  rewrite (E_sum _ _ (fun e o => sum (Es r) (fun e' => sh e * sh e' * ⟨zeta r t m e o, zeta r t m' e' o⟩)))
    by (intros e _; apply (int_sum _ _ (fun e' o => sh e * sh e' * ⟨zeta r t m e o, zeta r t m' e' o⟩));
        intros; now apply int_scale).
  rewrite (sum_ext _ _ (fun _ => 0)); [rewrite sum_const; ring|]. intros e He.
  rewrite (E_sum _ _ (fun e' o => sh e * sh e' * ⟨zeta r t m e o, zeta r t m' e' o⟩))
    by (intros; now apply int_scale).
  rewrite (sum_ext _ _ (fun _ => 0)); [rewrite sum_const; ring|]. intros e' He'.
  rewrite E_scale, Hc; auto; [ring| |]; repeat split; auto.
Qed.
Lemma noise_of_round : ‖z‖² <= N r D.
Proof.
  unfold N, N_at. change (sum (Es r) _) with (sum (Es r)
    (fun e => sh e ^ 2 * noise_bound (P_n r) (sigma r) (H_ e))).
  destruct (A2_nu r ok) as [->|[-> Hc]].
  - rewrite Rmult_1_l. eapply Rle_trans; [|apply noise_of_devices].
    apply (jensen_of_devices z nm). intros; apply same_refl.
  - assert (HM : 0 < INR (M r)) by apply lt_0_INR, M_pos.
    eapply Rle_trans; [|apply Rmult_le_compat_l; [left; now apply Rinv_0_lt_compat|apply noise_of_devices]].
    rewrite !L2_inner, rounds_is, everything_is, <- avg_scale. apply avg_mono; [apply T_pos|]. intros t Ht.
    right.
    set (X := fun m => match lt_dec m (M r) with
      | left Hm => exist (sq (chance r)) (device_noise r t m) (sq_device_noise r ok t m Ht Hm)
      | right _ => zero end : L2 (chance r)).
    assert (HX : forall m o, (m < M r)%nat -> at_ (X m) o = device_noise r t m o).
    { intros m o Hm. unfold X. destruct (lt_dec m (M r)); [reflexivity|lia]. }
    transitivity (‖(/ INR (M r) *: vsum (M r) X)‖²).
    { rewrite L2_inner. apply E_same; intros o.
      replace (at_ (/ INR (M r) *: vsum (M r) X)%V o) with (at_ z (t, o)); [reflexivity|].
      change (at_ (/ INR (M r) *: vsum (M r) X)%V o) with (/ INR (M r) *: at_ (vsum (M r) X) o)%V.
      rewrite L2_vsum.
      unfold TheoremADescent.z, at_ at 1; cbn [proj1_sig of_rounds fst snd]. unfold vmean. f_equal.
      apply vsum_ext; intros. now rewrite HX. }
    rewrite square_scale, pythagoras.
    + unfold avg. rewrite Rmult_assoc. f_equal. f_equal. apply sum_ext; intros m Hm. rewrite L2_inner.
      apply E_same; intros o. now rewrite HX.
    + intros m m' Hm Hm' Hne. rewrite L2_inner, <- (devices_uncorrelated t m m' Ht Hm Hm'); auto.
      apply E_same; intros o. now rewrite !HX.
Qed.

(** ** (★) *)
Lemma descent_split : 2 * ⟨a + (gV - a), q + z⟩ - u r * ‖(q + z)‖² <= K r.
Proof.
  replace ⟨a + (gV - a), q + z⟩ with ⟨gV, q + z⟩; [apply (descent_of_run r ok)|].
  rewrite (inner_add _ a), (inner_add _ gV), inner_scale; ring.
Qed.
Lemma unforeseen : ⟨a + (gV - a), z⟩ = 0.
Proof. rewrite <- (gV_orthogonal r ok), (inner_add _ a), (inner_add _ gV), inner_scale; ring. Qed.
Lemma star_of_run : star (inner_many rho (u r) (N r D)) (K r) (F r D) (A r).
Proof.
  apply (star_many _ a (gV - a)%V q z); auto using (u_nonneg r ok), descent_split, unforeseen, near_gradient,
    sketched,
    noise_of_round.
Qed.
Lemma star_of_run_one_step : Es r = 1%nat -> star (inner_one rho (u r) (N r D)) (K r) (F r D) (A r).
Proof.
  intros HE. apply (star_one _ a (gV - a)%V q z); auto using (u_nonneg r ok), descent_split, unforeseen,
    near_gradient,
    sketched, noise_of_round, (q_orthogonal r ok).
Qed.
End Errors.
