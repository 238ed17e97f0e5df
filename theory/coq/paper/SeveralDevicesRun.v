(** * M devices that differ and E local steps: l_m = (ℓ/2)(w − z_m)² with L = μ = ℓ = 25E²/2 and γ = 1/(2ℓ)

    γ(L+μ) = 1, so from the second local step on each device's gradient cancels against the proximal term. The
    sum of a device's gradients is its gradient at w_t, and the received sum is ∇f(w_t) = ℓw_t: w_t = 2^{−t}.
    *)
From Coq Require Import Reals Lra Lia Arith FunctionalExtensionality.
From FPS.paper Require Import Setting Theorem1 ScalarRun RunTools.
Open Scope R_scope.

Section Several.
Variables (devices steps : nat).
Hypotheses (some_devices : (1 <= devices)%nat) (some_steps : (1 <= steps)%nat).

(** z = (1/100, −1/100, 0, 0, …), or 0 for one device *)
Definition centre (m : nat) : R :=
  match devices, m with 1%nat, _ => 0 | _, O => 1 / 100 | _, 1%nat => - (1 / 100) | _, _ => 0 end.
Definition ell : R := 25 * INR steps ^ 2 / 2.
Definition bowl (m : nat) (x : R) : R := ell / 2 * (x - centre m) ^ 2.
Definition bowl_slope (m : nat) (x : R) : R := ell * (x - centre m).
Definition several_letters : letters := {|
  L := ell; mu := ell; gamma := 1 / (2 * ell); P_b := 1 / (1000000 * INR steps ^ 2); P_n := 0; b2 := 0;
      sigma2 := 0;
  B := 11 / 10; epsilon := (ell / 10) ^ 2; c := 1000; p := 2; W := 1; delta := 1 / 2 |}.
Definition exact_draw (t m e : nat) (i : unit) (x : R) : R := bowl_slope m x.
Definition halves (t : nat) (i : unit) : R := (1 / 2) ^ t.

Lemma steps_large : 1 <= INR steps.
Proof. change 1 with (INR 1). now apply le_INR. Qed.
Lemma ell_large : 25 / 2 <= ell.
Proof. pose proof steps_large. unfold ell. nra. Qed.
Lemma centre_range m : - (1 / 100) <= centre m <= 1 / 100.
Proof. unfold centre. destruct devices as [|[|n]], m as [|[|m]]; lra. Qed.
Lemma mean_centre : avg devices centre = 0.
Proof.
  clear some_devices. unfold avg, centre. destruct devices as [|[|n]]; [simpl; ring|simpl; field|].
  replace (sum (S (S n)) _) with 0; [ring|]. induction n as [|n IH]; [simpl; ring|]. cbn [sum] in *.
  rewrite <- IH. ring.
Qed.
Lemma slope_f_several x : slope_f devices bowl_slope x = ell * x.
Proof.
  unfold slope_f, bowl_slope. rewrite avg_scale. f_equal.
  rewrite (avg_ext devices _ (fun m => x + -1 * centre m)) by (intros; ring).
  rewrite avg_add, avg_scale, mean_centre, avg_const by auto. ring.
Qed.

(** The local models, from the first step on, and the gradients *)
Notation local_model := (local_ several_letters unit exact_draw halves).
Notation gradient := (g_ several_letters unit exact_draw halves).
Lemma later_local t m e i : local_model t m (S e) i = halves t i / 2 + centre m / 2.
Proof.
  pose proof ell_large. induction e as [|e IH].
  - simpl. unfold exact_draw, bowl_slope. field. lra.
  - change (local_model t m (S (S e)) i) with (local_model t m (S e) i - 1 / (2 * ell) *
      (exact_draw t m (S e) i (local_model t m (S e) i) + ell * (local_model t m (S e) i - halves t i))).
    rewrite IH. unfold exact_draw, bowl_slope. field. lra.
Qed.
Lemma first_gradient t m i : gradient t m 0 i = ell * (halves t i - centre m).
Proof. unfold g_, exact_draw, bowl_slope. simpl. ring. Qed.
Lemma later_gradient t m e i : gradient t m (S e) i = 0.
Proof. unfold g_. rewrite later_local. unfold exact_draw, bowl_slope. simpl. field. Qed.
Lemma gradient_sum t m i n : sum (S n) (fun e => gradient t m e i) = ell * (halves t i - centre m).
Proof.
  induction n as [|n IH]; [cbn [sum]; rewrite first_gradient; ring|].
  change (sum (S n) (fun e => gradient t m e i) + gradient t m (S n) i = ell * (halves t i - centre m)).
  rewrite IH, later_gradient. ring.
Qed.
Lemma received_several t i : avg devices (fun m => gradient t m 0 i) = ell * halves t i.
Proof. rewrite <- slope_f_several. apply avg_ext. intros m _. apply first_gradient. Qed.
Lemma summed_several t i : avg devices (fun m => sum steps (fun e => gradient t m e i)) = ell * halves t i.
Proof.
  rewrite <- slope_f_several. apply avg_ext. intros m _. pose proof (gradient_sum t m i (pred steps)) as G.
  replace (S (pred steps)) with steps in G by lia. exact G.
Qed.
Lemma several_goes_on t i : (t < 2)%nat -> halves (S t) i = halves t i - gamma several_letters *
  avg devices (fun m => sum steps (fun e => gradient t m e i)).
Proof. intros _. rewrite summed_several. unfold halves. simpl. pose proof ell_large. field. lra. Qed.

(** On |x| ≥ 1/10 each device's slope is at most 11/10 of the mean slope. *)
Lemma dissimilar_far m x : 1 / 10 <= Rabs x -> bowl_slope m x ^ 2 <= (11 / 10) ^ 2 * (ell * x) ^ 2.
Proof.
  intros Hx. unfold bowl_slope. pose proof (centre_range m) as Hc.
  assert ((x - centre m) ^ 2 <= (11 / 10) ^ 2 * x ^ 2).
  { destruct (Rle_dec 0 x) as [H|H].
    - rewrite Rabs_pos_eq in Hx by auto. simpl. nra.
    - rewrite Rabs_left in Hx by lra. simpl. nra. }
  pose proof (pow2_ge_0 ell). rewrite !Rpow_mult_distr. nra.
Qed.
Lemma local_range t m e i : (t < 2)%nat -> 1 / 10 <= local_model t m e i <= 1.
Proof.
  intros Ht. pose proof (centre_range m). assert (1 / 2 <= halves t i <= 1).
  { unfold halves. destruct t as [|[|t]]; simpl; try lra. lia. }
  destruct e as [|e]; [cbn [local_]; lra|rewrite later_local; lra].
Qed.

Section Shape.
Variables (rows cols : nat).
Hypotheses (cols_pos : (0 < cols)%nat) (some_rows : (1 <= rows)%nat).
Definition several_run : run := scalar_run several_letters devices steps 2 rows cols cols_pos unit sure
  bowl bowl_slope exact_draw halves 1 0.

Lemma several_estimates past (g true_g : Omega several_run -> Rd 1) x :
  (forall o, g o = lift (x (snd o))) -> (forall o, true_g o = lift (x (snd o))) -> estimates several_run
      past g true_g.
Proof.
  intros Hg Ht. pose proof steps_large.
  apply estimates_without_noise; [simpl; lra|simpl; lra|apply everything_sq; simpl; auto| | |].
  - intros [n []] [n' []] _. now rewrite !Hg.
  - intros [n []] [n' []] _. now rewrite !Ht.
  - intros o. rewrite Hg, Ht, lift_square. cbn. unfold lift. set (y := x (snd o)).
    replace (0 + (y + -1 * y) * (y + -1 * y)) with 0 by ring. rewrite Rplus_0_r.
    apply Rmult_le_pos; [|pose proof (pow2_ge_0 y); simpl in *; lra].
    left. apply Rdiv_lt_0_compat; [lra|]. simpl. nra.
Qed.
Lemma several_gradient t (o : Omega several_run) :
  grad_f several_run (broadcast several_run t o) = lift (ell * halves t (snd o)).
Proof. unfold several_run. rewrite grad_f_is. now rewrite slope_f_several. Qed.

(** f(x) = (ℓ/2)x² + f(0) *)
Lemma several_loss (x : Rd 1) : f several_run x - f several_run (lift 0) = ell / 2 * x O ^ 2.
Proof.
  unfold f. cbn [M several_run scalar_run loss]. unfold bowl, lift.
  rewrite !avg_scale, (avg_ext devices (fun m => (x O - centre m) ^ 2)
    (fun m => (0 - centre m) ^ 2 + (x O ^ 2 + -2 * x O * centre m))) by (intros; ring).
  rewrite avg_add, avg_add, avg_scale, mean_centre, avg_const by auto. ring.
Qed.
Lemma share_range : 0 < 1 / (1000000 * INR steps ^ 2) <= 1 / 1000000.
Proof.
  pose proof steps_large. assert (1 <= INR steps ^ 2) by nra. split; [apply Rdiv_lt_0_compat; lra|].
  unfold Rdiv. rewrite !Rmult_1_l. apply Rinv_le_contravar; lra.
Qed.

Lemma several_assumptions u : assumptions several_run u.
Proof.
  pose proof ell_large as Hell. constructor.
  - unfold sizes; simpl; lia.
  - pose proof share_range. assert (0 < 1 / (2 * ell)) by (apply Rdiv_lt_0_compat; lra).
    assert (0 < (ell / 10) ^ 2) by (apply pow_lt; lra). unfold ranges; simpl in *; repeat split; lra.
  - intros x. pose proof (several_loss x). pose proof (pow2_ge_0 (x O)).
    change (w_star several_run) with (lift 0). nra.
  - apply scalar_smooth. intros m _ x y. cbn [L several_letters]. unfold bowl, bowl_slope.
    replace (ell / 2 * (y - centre m) ^ 2 - ell / 2 * (x - centre m) ^ 2 - ell * (x - centre m) * (y - x))
      with (ell / 2 * (y - x) ^ 2) by field.
    rewrite Rabs_pos_eq; [lra|]. pose proof (pow2_ge_0 (y - x)). nra.
  - intros t m e _. apply (several_estimates _ _ _ (fun i => gradient t m e i)).
    + intros o. apply g_is.
    + intros o. unfold several_run. rewrite true_gradient_is. reflexivity.
  - intros t _. apply (several_estimates _ _ _ (fun i => ell * halves t i)); intros o; [|apply
      several_gradient].
    unfold several_run. now rewrite g_received_is, received_several.
  - intros t _. apply (several_estimates _ _ _ (fun i => ell * halves t i)); intros o; [|apply
      several_gradient].
    unfold several_run. now rewrite g_summed_is, summed_several.
  - apply scalar_power_law.
  - apply scalar_dissimilar; [simpl; auto| |].
    + intros x t m e _. rewrite sure_is, slope_f_several. intros Hx. apply dissimilar_far.
      apply Rnot_lt_le. intros Hlt. cbn [epsilon several_letters] in Hx.
      assert (x ^ 2 < (1 / 10) ^ 2) by (rewrite <- pow2_abs; pose proof (Rabs_pos x); nra).
      replace ((ell / 10) ^ 2) with (ell ^ 2 * (1 / 10) ^ 2) in Hx by field. rewrite Rpow_mult_distr in Hx.
      assert (0 < ell ^ 2) by (apply pow_lt; lra). nra.
    + intros t m m' e i [Ht _] _. rewrite slope_f_several. apply dissimilar_far.
      pose proof (local_range t m e i Ht). rewrite Rabs_pos_eq; lra.
  - apply scalar_bounded; [lia|reflexivity|exact several_goes_on| |].
    + intros t i Ht. unfold halves. destruct t as [|[|[|t]]]; simpl; try lra. lia.
    + intros t m e i [Ht _]. pose proof (local_range t m e i Ht). cbn [W several_letters]. nra.
  - apply scalar_hashes; simpl; auto.
  - apply scalar_sketched; [lia|reflexivity|exact several_goes_on|simpl; lra|simpl; lra].
  - apply scalar_past; simpl; auto.
Qed.

Lemma several_left o : left_side several_run (broadcast several_run) o = 7 / 16 * ell ^ 2.
Proof.
  unfold several_run. rewrite left_broadcast. cbn [sum]. rewrite !slope_f_several. unfold halves. simpl.
  field.
Qed.
Lemma several_before u o :
  left_side several_run (before_top_k several_run u) o = left_side several_run (broadcast several_run) o.
Proof. apply left_before; [lia|reflexivity|exact several_goes_on]. Qed.
Lemma several_right : generous_right_side several_run = (1 / 3 + 1 / 250) * ell ^ 2.
Proof.
  pose proof ell_large. unfold generous_right_side. change (printed_tail _) with (tail 2 (INR 1) (INR 1)).
  rewrite generous_tail_at_one.
  unfold right_side_with, theorem_1_bound, optimisation_term, sketch_term, bias_term, noise_term.
  change (w_star several_run) with (lift 0). rewrite several_loss. cbn [w0 several_run scalar_run lift].
  rewrite Rabs_pos_eq by (unfold lift; nra).
  cbn [gamma L mu P_b P_n b2 sigma2 B c W constants Es Setting.T several_run scalar_run several_letters].
  unfold lift. simpl INR. field. pose proof steps_large. lra.
Qed.

(** ρ is between 1/4 and 1/2, and γ is in the range. *)
Lemma several_conditions : in_gamma_range several_run /\ 1 / 4 < rho_printed several_run < 1 / 2.
Proof.
  pose proof steps_large as HE. pose proof share_range as Hs. set (x := INR steps ^ 2) in *.
  assert (Hx : 1 <= x) by (unfold x; nra). set (s := 1 / (1000000 * x)) in *.
  assert (Hsx : s * x = 1 / 1000000) by (unfold s; field; lra).
  assert (Hg : 1 / (2 * ell) * x = 1 / 25) by (unfold ell; fold x; field; lra).
  set (y := 1 / (2 * ell)) in *. assert (Hy : 0 < y) by (apply Rdiv_lt_0_compat; pose proof ell_large; lra).
  cbv [in_gamma_range rho_printed gamma_max rho H amplification gamma L mu P_b P_n b2 sigma2 B c W constants
      Es
    several_run scalar_run several_letters]. fold x s y. split.
  - set (D := 12 * (1 + s * (11 / 10) ^ 2 + (ell + ell + 1) * 0 * (11 / 10) ^ 2) * x).
    assert (HD : D = 12 * x + 12 * (121 / 100) * (s * x)) by (unfold D; field).
    assert (0 < D) by (rewrite HD, Hsx; lra).
    apply Rmult_le_reg_r with D; [auto|].
    replace ((1 - 6 * s * x * (11 / 10) ^ 2) / D * D) with (1 - 6 * (s * x) * (11 / 10) ^ 2) by (field; lra).
    rewrite HD, Hsx. nra.
  - set (h := 1 / (1 + 2 * (11 / 10) ^ 2 * (s + 0))).
    assert (Hh : 0 < h <= 1).
    { unfold h. split; [apply Rdiv_lt_0_compat; nra|]. unfold Rdiv. rewrite Rmult_1_l, <- Rinv_1.
      apply Rinv_le_contravar; nra. }
    replace ((1 - s * (1 + 2 * h) * x * (11 / 10) ^ 2) / 2 -
      y * (2 + 2 * s * (11 / 10) ^ 2 + (2 * (ell + ell) + 1) * 0 * (11 / 10) ^ 2) * (1 + 2 * h) * x)
      with (1 / 2 - (1 + 2 * h) * (s * x * (11 / 10) ^ 2 / 2 + y * x * (2 + 2 * s * (11 / 10) ^ 2))) by field.
    rewrite Hsx, Hg. split; nra.
Qed.
Lemma several_differ : (2 <= devices)%nat -> exists x, grad several_run 0 x <> grad several_run 1 x.
Proof.
  intros Hd. exists (lift 0). intros H. apply (f_equal (fun v => v O)) in H. simpl in H.
  unfold lift, bowl_slope, centre in H. pose proof ell_large. destruct devices as [|[|n]]; [lia|lia|nra].
Qed.
End Shape.
End Several.

Lemma missing_rho_with_local_steps_run : Missing_rho_with_local_steps.
Proof.
  intros u C devices steps Hd Hs.
  destruct (large_shape C (ln (INR 1 * INR 2 / (1 / 2))) (1000 * INR 1)) as [rows [cols [Hr [Hc [Hrows
      Hcols]]]]].
  destruct (several_conditions devices steps Hs rows cols Hc) as [Hrange Hrho].
  pose proof (ell_large steps Hs) as Hell. assert (0 < ell steps ^ 2) by (apply pow_lt; lra).
  exists (several_run devices steps rows cols Hc). split; [split; [|split; [|split; [|split]]]|].
  - split; assumption.
  - now apply several_assumptions.
  - split; [auto|apply Hrho].
  - apply scalar_lossless; [lia|reflexivity|intros t i Ht; now apply several_goes_on].
  - apply (conclusion_fails u _ _ (fun _ => 1)); auto; [apply int_const|rewrite E_const; simpl; lra|].
    intros o _. rewrite several_before, Rmin_left, several_left, several_right by (assumption || apply
        Rle_refl). lra.
  - repeat (split; [simpl; lra || reflexivity|]).
    split; [now apply several_differ|split; [reflexivity|split]].
    + intros t o z. rewrite several_gradient by auto. unfold several_run.
      rewrite g_summed_is, summed_several by auto. reflexivity.
    + intros o. rewrite several_left, several_right by auto. nra.
Qed.
