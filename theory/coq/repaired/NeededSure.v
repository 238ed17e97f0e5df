(** * Runs without chance that break (★): smoothness, lower bound, bias, centred noise, similar devices,
    proximal step *)
From Coq Require Import Reals Lra Lia List.
From FPS.repaired Require Import Setting Drift DriftRecursion TheoremA Needed SureRuns Corollary1Proof
  NeededTools.
Open Scope R_scope.

Lemma avg_three (X : nat -> R) : avg 3 X = (X 0%nat + X 1%nat + X 2%nat) / 3.
Proof. unfold avg. simpl. field. Qed.
(** A quadratic a(x − c)²/2 is L-smooth for every L ≥ a ≥ 0. *)
Lemma quadratic_smooth a c LL : 0 <= a <= LL ->
  smooth (V := Rd 1) LL (fun x => a * (x O - c) ^ 2 / 2) (fun x => point (a * (x O - c))).
Proof.
  intros H. apply (smooth_line LL (fun x => a * (x - c) ^ 2 / 2) (fun x => a * (x - c))). intros x y.
  replace (a * (y - c) ^ 2 / 2) with (a * (x - c) ^ 2 / 2 + a * (x - c) * (y - x) + a / 2 * (y - x) ^ 2)
    by field.
  pose proof (pow2_ge_0 (y - x)). split; nra.
Qed.
(** In a run without chance the means are values, and the noise is centred if it vanishes. *)
Ltac numbers := cbn [M T Es loss grad gamma mu broadcast beta zeta past xi L P_b P_n b sigma G B nu f_star V
  Omega chance
  local line_run sure_run] in *; unfold point in *.

(** ** One round, one device, one step *)
Definition one_run a gam start be LL fs : run := sure_run 0 0 0 (fun _ x => a * (x - 0) ^ 2 / 2)
  (fun _ x => a * (x - 0))
  gam 0 start (fun _ => start) (fun _ _ _ => be) (fun _ _ _ => 0) LL 0 0 0 0 0 1 1 fs.
Lemma one_run_rest a gam start be LL fs name : 0 <= a -> 0 < gam -> 0 < LL -> name <> Losses_smooth ->
  name <> Loss_bounded_below -> name <> Bias_bounded -> says (one_run a gam start be LL fs) name.
Proof.
  intros Ha Hg HL N1 N2 N3. destruct name; try congruence; cbn [says].
  - intros t m e _ o o' _. reflexivity.
  - intros t m e Y _ _ _. change (sure (fun o => ⟨point 0, Y o⟩) = 0). rewrite sure_is, inner_line.
    unfold point. ring.
  - intros t m e _. change (sure (fun o => ‖(point 0)‖²)
      <= 0 * sure (fun o => ‖(grad (one_run a gam start be LL fs) m
        (local (one_run a gam start be LL fs) t m e o))‖²) + 0 ^ 2).
    rewrite !sure_is, inner_line. unfold point at 1 2. lra.
  - left. reflexivity.
  - intros t o _ _. unfold grad_f, one_run, sure_run. cbn [M line_run V].
    rewrite avg_one, !inner_line, mean_of_one.
    numbers. lra.
  - unfold one_run, sure_run. numbers. lra.
Qed.
Lemma one_run_star a gam start be LL fs : star_holds (one_run a gam start be LL fs) ->
  (a * start) ^ 2 <= 2 * (a * start ^ 2 / 2 - fs) / gam + (- (1 - LL * gam)) * (a * start) ^ 2.
Proof.
  intros H. set (r := one_run a gam start be LL fs) in *.
  assert (HA : A r = (a * start) ^ 2).
  { unfold r, one_run, sure_run. rewrite line_A, avg_one, sure_is, avg_one. ring. }
  assert (HK : K r = 2 * (a * start ^ 2 / 2 - fs) / gam).
  { unfold r, one_run, sure_run. rewrite line_K, avg_one by reflexivity. simpl INR. rewrite !Rmult_1_r.
    replace (start - 0) with start by ring. reflexivity. }
  assert (Hrho : rho r = 0) by (unfold r, one_run, sure_run; apply line_rho; [reflexivity|intros; lia]).
  assert (HF : F r (D_of_A r) = 0) by (rewrite F_run_one by reflexivity; apply bias_without_share;
    unfold r, one_run, sure_run; numbers; lra).
  assert (HN : N r (D_of_A r) = 0) by (rewrite N_run_one by reflexivity; unfold noise_bound, r; cbn; ring).
  assert (Hu : u r = LL * gam) by (rewrite u_run_one; reflexivity).
  destruct (star_one_is r _ _ _ _ _ H eq_refl HF HN HK Hu Hrho) as (x & Hx & Hnear & Hle). rewrite HA in *.
  assert (Hx2 : x = sqrt ((a * start) ^ 2)).
  { pose proof (Rle_abs (x - sqrt ((a * start) ^ 2))).
    pose proof (Rle_abs (- (x - sqrt ((a * start) ^ 2)))) as H2.
    rewrite Rabs_Ropp in H2. lra. }
  unfold inner_one in Hle. rewrite Hx2, pow2_sqrt in Hle by apply pow2_ge_0. lra.
Qed.

Lemma smoothness_needed : ~ Theorem_A_without Losses_smooth.
Proof.
  intros H. specialize (H (one_run 2 1 1 0 1 0)). apply one_run_star in H; [lra|]. split.
  - apply sure_bookkeeping; auto; lra.
  - intros name Hne. destruct name; try congruence; try (apply one_run_rest; try lra; congruence).
    + intros x. unfold f, one_run, sure_run. numbers. rewrite avg_one. pose proof (pow2_ge_0 (x O - 0)). lra.
    + intros t m e o _ _. unfold one_run, sure_run. numbers. rewrite (inner_line (fun _ => 0)). lra.
Qed.
Lemma lower_bound_needed : ~ Theorem_A_without Loss_bounded_below.
Proof.
  intros H. specialize (H (one_run 1 1 1 0 1 (1 / 2))). apply one_run_star in H; [lra|]. split.
  - apply sure_bookkeeping; auto; lra.
  - intros name Hne. destruct name; try congruence; try (apply one_run_rest; try lra; congruence).
    + intros m _. apply (quadratic_smooth 1 0 1). lra.
    + intros t m e o _ _. unfold one_run, sure_run. numbers. rewrite (inner_line (fun _ => 0)). lra.
Qed.

(** ** A bias that cancels the gradient: f = w²/2, w = 1 for two rounds, b = 0 declared *)
Definition stuck : run := sure_run 1 0 0 (fun _ x => 1 * (x - 0) ^ 2 / 2) (fun _ x => 1 * (x - 0))
  1 0 1 (fun _ => 1) (fun _ _ _ => -1) (fun _ _ _ => 0) 1 0 0 0 0 0 1 1 0.
(** ** Noise with a mean beside a bias: β = ζ = 1, f = w²/2, w = 0, −2, −2 *)
Definition pushed : run := sure_run 2 0 0 (fun _ x => 1 * (x - 0) ^ 2 / 2) (fun _ x => 1 * (x - 0))
  1 0 0 (fun t => match t with O => 0 | _ => -2 end) (fun _ _ _ => 1) (fun _ _ _ => 1) 1 0 0 1 1 0 1 1 0.
(** ** Two devices (w ∓ 1)²/2 with biases ∓∇l_m/2, w = 0, −1/2 *)
Definition side (m : nat) : R := match m with O => 1 | _ => -1 end.
Definition place (t : nat) : R := match t with O => 0 | _ => - (1 / 2) end.
Definition apart : run := sure_run 1 1 0 (fun m x => 1 * (x - side m) ^ 2 / 2) (fun m x => 1 * (x - side m))
  1 0 0 place (fun t m _ => - side m * (place t - side m) / 2) (fun _ _ _ => 0) 1 (1 / 4) 0 0 0 0 1 1 (1 / 2).
(** ** γμ = 3/2: f = w²/2, w = −4 for 32 rounds, biases −1 and 1 in the two steps *)
Definition pulled : run := sure_run 31 0 1 (fun _ x => 1 * (x - 0) ^ 2 / 2) (fun _ x => 1 * (x - 0))
  (1 / 10) 15 (-4) (fun _ => -4) (fun _ _ e => match e with O => -1 | _ => 1 end) (fun _ _ _ => 0) 1 0 0 1 0 0
    1 1 0.

(** What all of these share *)
Ltac open_run := unfold stuck, pushed, apart, pulled, sure_run in *; numbers.
Ltac silent := (* noise that vanishes *)
  match goal with
  | |- forall t m e (Y : _ -> _), _ -> _ -> _ -> _ = 0 => intros t m e Y _ _ _;
      change (sure (fun o => ⟨point 0, Y o⟩) = 0); rewrite sure_is, inner_line; unfold point; ring
  end.
Lemma quiet (x : Rd 1) p : 0 <= p -> sure (fun o => ‖(point 0)‖²) <= p * ‖x‖² + 0 ^ 2.
Proof. intros Hp. rewrite sure_is, inner_line. unfold point. pose proof (inner_nonneg _ x). nra. Qed.

Lemma bias_bound_needed : ~ Theorem_A_without Bias_bounded.
Proof.
  intros H. specialize (H stuck). assert (ok : meets_all_but Bias_bounded stuck).
  { split; [apply sure_bookkeeping; auto; lra|]. intros name Hne. destruct name; try congruence; cbn [says].
    - intros m _. apply (quadratic_smooth 1 0 1). lra.
    - intros x. unfold f. open_run. rewrite avg_one. pose proof (pow2_ge_0 (x O - 0)). lra.
    - intros t m e _ o o' _. reflexivity.
    - silent.
    - intros t m e _. change (chance stuck ?X) with (sure X).
      rewrite (sure_is (fun o => ‖(grad stuck m _)‖²)). apply quiet. cbn; lra.
    - left. reflexivity.
    - intros t o _ _. unfold grad_f. open_run. rewrite avg_one, !inner_line, mean_of_one. lra.
    - open_run. lra. }
  specialize (H ok).
  assert (HA : A stuck = 1) by (unfold stuck, sure_run; rewrite line_A, avg_two, !sure_is, !avg_one; lra).
  assert (Hrho : rho stuck = 0).
  { unfold stuck, pushed, apart, pulled, sure_run. apply line_rho; [reflexivity|]. intros t o _.
    rewrite avg_one, line_step. cbn. unfold point. lra. }
  assert (HK : K stuck = 1 / 2) by (unfold stuck, sure_run; rewrite line_K, avg_one by reflexivity; simpl INR;
    field).
  assert (HF : F stuck (D_of_A stuck) = 0) by (rewrite F_run_one by reflexivity; apply bias_without_share;
    open_run; lra).
  assert (HN : N stuck (D_of_A stuck) = 0) by (rewrite N_run_one by reflexivity; unfold noise_bound; cbn;
    ring).
  assert (Hu : u stuck = 1) by (rewrite u_run_one by reflexivity; cbn; ring).
  destruct (star_one_is stuck _ _ _ _ _ H eq_refl HF HN HK Hu Hrho) as (x & Hx & _ & Hle).
  rewrite HA in Hle. unfold inner_one in Hle. lra.
Qed.
Lemma centred_noise_needed : ~ Theorem_A_without Noise_centred.
Proof.
  intros H. specialize (H pushed). assert (ok : meets_all_but Noise_centred pushed).
  { split; [apply sure_bookkeeping; auto; lra|]. intros name Hne. destruct name; try congruence; cbn [says].
    - intros m _. apply (quadratic_smooth 1 0 1). lra.
    - intros x. unfold f. open_run. rewrite avg_one. pose proof (pow2_ge_0 (x O - 0)). lra.
    - intros t m e o _ _. pose proof (inner_nonneg _ (grad pushed m (local pushed t m e o))).
      replace ‖(beta pushed t m e o)‖² with 1 by (open_run; rewrite inner_line; ring).
      cbn [P_b b pushed sure_run line_run]. lra.
    - intros t m e _ o o' _. reflexivity.
    - intros t m e _. change (chance pushed ?X) with (sure X). rewrite !sure_is.
      pose proof (inner_nonneg _ (grad pushed m (local pushed t m e tt))).
      replace ‖(zeta pushed t m e tt)‖² with 1 by (open_run; rewrite inner_line; ring).
      cbn [P_n sigma pushed sure_run line_run]. lra.
    - left. reflexivity.
    - intros t o _ _. unfold grad_f. open_run. rewrite avg_one, !inner_line, mean_of_one. lra.
    - open_run. lra. }
  specialize (H ok).
  assert (HA : A pushed = 8 / 3) by (unfold pushed, sure_run; rewrite line_A, avg_three, !sure_is, !avg_one;
    field).
  assert (Hrho : rho pushed = 0).
  { unfold stuck, pushed, apart, pulled, sure_run. apply line_rho; [reflexivity|]. intros t o _.
    rewrite avg_one, line_step. destruct t; cbn; unfold point; lra. }
  assert (HK : K pushed = 0) by (unfold pushed, sure_run; rewrite line_K, avg_one by reflexivity; simpl INR;
    field).
  assert (HF : F pushed (D_of_A pushed) = 1) by (rewrite F_run_one by reflexivity; apply bias_without_share;
    open_run; lra).
  assert (HN : N pushed (D_of_A pushed) = 1) by (rewrite N_run_one by reflexivity; unfold noise_bound; cbn;
    ring).
  assert (Hu : u pushed = 1) by (rewrite u_run_one by reflexivity; cbn; ring).
  destruct (star_one_is pushed _ _ _ _ _ H eq_refl HF HN HK Hu Hrho) as (x & Hx & _ & Hle).
  rewrite HA in Hle. unfold inner_one in Hle. lra.
Qed.
Lemma similar_devices_needed : ~ Theorem_A_without Devices_similar.
Proof.
  intros H. specialize (H apart). assert (ok : meets_all_but Devices_similar apart).
  { split; [apply sure_bookkeeping; auto; lra|]. intros name Hne. destruct name; try congruence; cbn [says].
    - intros m _. apply (quadratic_smooth 1 (side m) 1). lra.
    - intros x. unfold f. open_run. rewrite avg_two. unfold side. pose proof (pow2_ge_0 (x O)). lra.
    - intros t m e o (_ & _ & He) _. replace e with 0%nat by (cbn in He; lia). open_run. rewrite !inner_line.
      unfold side. destruct m; lra.
    - intros t m e _ o o' _. reflexivity.
    - silent.
    - intros t m e _. change (chance apart ?X) with (sure X).
      rewrite (sure_is (fun o => ‖(grad apart m _)‖²)). apply quiet. cbn; lra.
    - left. reflexivity.
    - open_run. lra. }
  specialize (H ok).
  assert (HA : A apart = 1 / 8).
  { unfold apart, sure_run. rewrite line_A, avg_two, !sure_is, !avg_two. unfold side, place. field. }
  assert (Hrho : rho apart = 0).
  { unfold stuck, pushed, apart, pulled, sure_run. apply line_rho; [reflexivity|]. intros t o _.
    rewrite avg_two, !line_step.
    destruct t; cbn; unfold point, side, place; lra. }
  assert (HK : K apart = 0).
  { unfold apart, sure_run. rewrite line_K, avg_two by reflexivity. unfold side. simpl INR. field. }
  assert (HF : F apart (D_of_A apart) ^ 2 = 1 / 32).
  { rewrite F_run_one, bias_square by (cbn; lra || reflexivity). unfold D_of_A, D_at. rewrite HA.
    cbn [P_b b G B apart sure_run line_run].
    rewrite pow2_sqrt by lra. field. }
  assert (HN : N apart (D_of_A apart) = 0) by (rewrite N_run_one by reflexivity; unfold noise_bound; cbn;
    ring).
  assert (Hu : u apart = 1) by (rewrite u_run_one by reflexivity; cbn; ring).
  destruct (star_one_is apart _ _ _ _ _ H eq_refl eq_refl HN HK Hu Hrho) as (x & Hx & _ & Hle).
  rewrite HA, HF in Hle. unfold inner_one in Hle. lra.
Qed.
Lemma small_proximal_step_needed : ~ Theorem_A_without Proximal_step_small.
Proof.
  intros H. specialize (H pulled). assert (ok : meets_all_but Proximal_step_small pulled).
  { split; [apply sure_bookkeeping; auto; lra|]. intros name Hne. destruct name; try congruence; cbn [says].
    - intros m _. apply (quadratic_smooth 1 0 1). lra.
    - intros x. unfold f. open_run. rewrite avg_one. pose proof (pow2_ge_0 (x O - 0)). lra.
    - intros t m e o _ _. pose proof (inner_nonneg _ (grad pulled m (local pulled t m e o))).
      replace ‖(beta pulled t m e o)‖² with 1 by (open_run; rewrite inner_line; destruct e; ring).
      cbn [P_b b pulled sure_run line_run]. lra.
    - intros t m e _ o o' _. reflexivity.
    - silent.
    - intros t m e _. change (chance pulled ?X) with (sure X).
      rewrite (sure_is (fun o => ‖(grad pulled m _)‖²)). apply quiet. cbn; lra.
    - left. reflexivity.
    - intros t o _ _. unfold grad_f. open_run. rewrite avg_one, !inner_line, mean_of_one. lra. }
  destruct (H ok) as [(x & Hx & _ & Hle) _]. clear H ok.
  assert (HA : A pulled = 16).
  { unfold pulled, sure_run. rewrite line_A. rewrite <- (avg_const 32 ltac:(lia) 16).
    apply avg_ext; intros t _.
    rewrite sure_is, avg_one. ring. }
  assert (Hrho : rho pulled = 0).
  { unfold stuck, pushed, apart, pulled, sure_run. apply line_rho; [reflexivity|]. intros t o _.
    rewrite avg_one, !line_step. cbn. unfold point. lra. }
  assert (HE : Ebar pulled = 1 / 2) by (unfold Ebar, weight; cbn; field).
  assert (HK : K pulled = 10).
  { unfold K, optimisation. rewrite HE. unfold pulled, sure_run. rewrite line_Delta, avg_one.
    cbn [gamma T line_run].
    replace (INR 32) with 32 by (simpl; ring). field. }
  assert (HD : D_of_A pulled = 4).
  { unfold D_of_A, D_at. rewrite HA. cbn [G B pulled sure_run line_run].
    replace (0 ^ 2 + 1 ^ 2 * 16) with (4 ^ 2) by ring.
    apply sqrt_pow2. lra. }
  assert (Hd : drift_step (1 / 10) 15 1 0 0 1 0 4 0 = 1 / 2).
  { unfold drift_step, noise_bound. rewrite bias_without_share by lra.
    transitivity (sqrt ((1 / 2) ^ 2)); [f_equal; field|apply sqrt_pow2; lra]. }
  assert (HF : F pulled (D_of_A pulled) = 2).
  { rewrite HD. unfold F, F_at. cbn [Es gamma mu L P_b P_n b sigma pulled sure_run line_run sum drift].
    rewrite Hd.
    rewrite !bias_without_share by lra. unfold share, total_weight, omega. simpl. field. }
  assert (HN : N pulled (D_of_A pulled) = 0) by (unfold N, N_at, noise_bound; cbn; ring).
  assert (Hu : u pulled = 1 / 20) by (unfold u; rewrite HE; cbn; field).
  rewrite HA, HF, HK, HN, Hu, Hrho in Hle. unfold inner_many in Hle. rewrite sqrt_0 in Hle.
  pose proof (pow2_ge_0 x). lra.
Qed.
