(** * Two devices of curvature 10 and 1, two local steps, exact gradients: the run stands still at w = 0

    l_1 = 5(w − 1/10)², l_2 = ½(w + 21/22)², μ = 1, γ = 1/100. From 0 the two devices move by opposite ways,
    so the mean does not move, but ∇f(0) = −1/44. *)
From Coq Require Import Reals Lra Lia Arith.
From FPS.paper Require Import Setting Theorem1 ScalarRun RunTools.
Open Scope R_scope.

Definition curvature (m : nat) : R := match m with O => 10 | _ => 1 end.
Definition aim (m : nat) : R := match m with O => 1 / 10 | _ => - (21 / 22) end.
Definition valley (m : nat) (x : R) : R := curvature m / 2 * (x - aim m) ^ 2.
Definition valley_slope (m : nat) (x : R) : R := curvature m * (x - aim m).
Definition standing_letters : letters := {|
  L := 10; mu := 1; gamma := 1 / 100; P_b := 1 / 1000000000; P_n := 0; b2 := 0; sigma2 := 0; B := 50;
  epsilon := 1 / 2025; c := 1000; p := 2; W := 1 / 10000; delta := 1 / 2 |}.
Definition valley_draw (t m e : nat) (i : unit) (x : R) : R := valley_slope m x.
Definition still (t : nat) (i : unit) : R := 0.

Lemma still_local t m i : local_ standing_letters unit valley_draw still t m 1 i = curvature m * aim m / 100.
Proof. simpl. unfold valley_draw, valley_slope, still. field. Qed.
Lemma still_goes_on t i : (t < 99)%nat -> still (S t) i = still t i - gamma standing_letters *
  avg 2 (fun m => sum 2 (fun e => g_ standing_letters unit valley_draw still t m e i)).
Proof.
  intros _. rewrite avg_two. cbn [sum]. unfold g_. rewrite !still_local.
  unfold valley_draw, valley_slope, still. simpl.
  unfold still. field.
Qed.
Lemma slope_f_valley x : slope_f 2 valley_slope x = 11 / 2 * x - 1 / 44.
Proof. unfold slope_f. rewrite avg_two. unfold valley_slope, curvature, aim. field. Qed.
Lemma valley_dissimilar m x : 1 / 2025 <= (11 / 2 * x - 1 / 44) ^ 2 ->
  valley_slope m x ^ 2 <= 50 ^ 2 * (11 / 2 * x - 1 / 44) ^ 2.
Proof.
  intros H. unfold valley_slope. set (s := 11 / 2 * x - 1 / 44) in *.
  replace x with (2 / 11 * (s + 1 / 44)) by (unfold s; field).
  assert (Hs : 1 / 45 <= s \/ s <= - (1 / 45)).
  { destruct (Rle_dec (1 / 45) s); [auto|right]. apply Rnot_lt_le. intro. simpl in H. nra. }
  destruct m; simpl; destruct Hs; nra.
Qed.
Lemma still_points t m e i : (e < 2)%nat -> let x := local_ standing_letters unit valley_draw still t m e i in
  x = 0 \/ x = 1 / 100 \/ x = - (21 / 2200).
Proof.
  intros He. cbv zeta. destruct e as [|[|e]]; [left; reflexivity| |lia]. rewrite still_local.
  right. destruct m; [left|right]; simpl; field.
Qed.

Section Shape.
Variables (rows cols : nat).
Hypotheses (cols_pos : (0 < cols)%nat) (some_rows : (1 <= rows)%nat).
Definition standing_run : run :=
  scalar_run standing_letters 2 2 99 rows cols cols_pos unit sure valley valley_slope valley_draw still 0 (1
      / 242).

Lemma standing_estimates past (g true_g : Omega standing_run -> Rd 1) x :
  (forall o, g o = lift (x (snd o))) -> (forall o, true_g o = lift (x (snd o))) -> estimates standing_run
      past g true_g.
Proof.
  intros Hg Ht. apply estimates_without_noise; [simpl; lra|simpl; lra|apply everything_sq; simpl; auto| | |].
  - intros [n []] [n' []] _. now rewrite !Hg.
  - intros [n []] [n' []] _. now rewrite !Ht.
  - intros o. rewrite Hg, Ht, lift_square. cbn. unfold lift. set (y := x (snd o)).
    pose proof (pow2_ge_0 y). simpl in *. nra.
Qed.
Lemma standing_local_assumptions : local_assumptions standing_run.
Proof.
  split; [unfold sizes; simpl; lia|]. split; [unfold ranges; simpl; repeat split; lra|]. split.
  - apply scalar_smooth. intros m _ x y. simpl. unfold valley, valley_slope.
    replace (curvature m / 2 * (y - aim m) ^ 2 - curvature m / 2 * (x - aim m) ^ 2 - curvature m * (x - aim
        m) * (y - x))
      with (curvature m / 2 * (y - x) ^ 2) by field.
    pose proof (pow2_ge_0 (y - x)). assert (1 <= curvature m <= 10) by (destruct m; simpl; lra).
    rewrite Rabs_pos_eq; simpl in *; nra.
  - intros t m e _. apply (standing_estimates _ _ _ (fun i => g_ standing_letters unit valley_draw still t m
      e i)).
    + intros o. apply g_is.
    + intros o. unfold standing_run. rewrite true_gradient_is. reflexivity.
Qed.
Lemma standing_assumptions u : all_but_the_sum standing_run u.
Proof.
  split; [exact standing_local_assumptions|]. split.
  { intros x. unfold f. change (M standing_run) with 2%nat. rewrite !avg_two. simpl.
    unfold valley, lift, curvature, aim. pose proof (pow2_ge_0 (x O - 1 / 242)). nra. }
  split.
  { intros t _. apply (standing_estimates _ _ _ (fun _ => - (1 / 44))); intros o; unfold standing_run.
    - rewrite g_received_is, avg_two. unfold g_, valley_draw, valley_slope. simpl. unfold still. f_equal.
      field.
    - rewrite grad_f_is, slope_f_valley. simpl. f_equal. unfold lift, still. field. }
  split; [apply scalar_power_law|]. split.
  { apply scalar_dissimilar; [simpl; auto| |].
    - intros x t m e _. rewrite sure_is, slope_f_valley. intros Hx. apply valley_dissimilar. simpl in *. lra.
    - intros t m m' e i [Ht [_ He]] _. rewrite slope_f_valley. apply valley_dissimilar. simpl in He.
      destruct (still_points t m e i He) as [-> |[-> | ->]]; simpl; lra. }
  split.
  { apply scalar_bounded; [lia|reflexivity|exact still_goes_on| |].
    - intros t i _. unfold still. simpl. lra.
    - intros t m e i [Ht [_ He]]. simpl in He.
      destruct (still_points t m e i He) as [-> |[-> | ->]]; simpl; lra. }
  split; [apply scalar_hashes; simpl; auto|].
  split; [apply scalar_sketched; [lia|reflexivity|exact still_goes_on|simpl; lra|simpl; lra]|].
  apply scalar_past; simpl; auto.
Qed.
Lemma standing_left o : left_side standing_run (broadcast standing_run) o = 1 / 1936.
Proof.
  unfold standing_run. rewrite left_broadcast.
  rewrite (sum_ext _ _ (fun _ => 1 / 1936)) by (intros; rewrite slope_f_valley; unfold still; field).
  rewrite sum_const. change (INR 100) with (INR (99 + 1)). rewrite plus_INR.
  replace (INR 99) with 99 by (simpl; lra).
  simpl. field.
Qed.
Lemma standing_before u o :
  left_side standing_run (before_top_k standing_run u) o = left_side standing_run (broadcast standing_run) o.
Proof. apply left_before; [lia|reflexivity|exact still_goes_on]. Qed.
Lemma standing_right : generous_right_side standing_run < 1 / 1936.
Proof.
  unfold generous_right_side. change (printed_tail _) with (tail 2 (INR 1) (INR 1)).
  rewrite generous_tail_at_one.
  unfold right_side_with, theorem_1_bound, optimisation_term, sketch_term, bias_term, noise_term, f.
  change (M standing_run) with 2%nat. rewrite !avg_two.
  cbn [gamma L mu P_b P_n b2 sigma2 B c W constants Es Setting.T standing_run scalar_run standing_letters
      loss w0 w_star].
  unfold valley, lift, curvature, aim. replace (INR 99) with 99 by (simpl; lra). rewrite Rabs_pos_eq by lra.
  lra.
Qed.
End Shape.

Lemma heterogeneity_drift_run : Heterogeneity_drift.
Proof.
  intros u C. destruct (large_shape C (ln (INR 1 * INR 99 / (1 / 2))) (1000 * INR 1))
    as [rows [cols [Hr [Hc [Hrows Hcols]]]]].
  exists (standing_run rows cols Hc). split; [split; assumption|]. split; [now apply standing_assumptions|].
  split.
  { cbv [gamma L mu P_b P_n b2 sigma2 B c W constants Es standing_run scalar_run standing_letters
      every_condition
      in_gamma_range rho_printed gamma_max rho H amplification gamma_max_positive gamma_max_drift
          gamma_max_descent INR].
    repeat split; lra. }
  split; [apply scalar_lossless; [lia|reflexivity|exact still_goes_on]|].
  split; [|repeat (split; [reflexivity|]); reflexivity].
  apply (conclusion_fails u _ _ (fun _ => 1)); auto; [apply int_const|rewrite E_const; simpl; lra|].
  intros o _. rewrite standing_before, Rmin_left, standing_left by (assumption || apply Rle_refl).
  apply standing_right.
Qed.
