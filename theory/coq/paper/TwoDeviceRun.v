(** * Two devices that differ, two local steps: l_m = 25(w − z_m)², z = ±1/100, μ = 50, γ = 1/100

    γ(L+μ) = 1, so the second local gradient of each device cancels against the proximal term. The sum of a
    device's gradients is its gradient at w_t, and the received sum is ∇f(w_t) = 50w_t exactly: w_t = 2^{−t}.
    *)
From Coq Require Import Reals Lra Lia Arith FunctionalExtensionality.
From FPS.paper Require Import Setting Theorem1 ScalarRun RunTools.
Open Scope R_scope.

Definition centre (m : nat) : R := match m with O => 1 / 100 | _ => - (1 / 100) end.
Definition bowl (m : nat) (x : R) : R := 25 * (x - centre m) ^ 2.
Definition bowl_slope (m : nat) (x : R) : R := 50 * (x - centre m).
Definition two_letters : letters := {|
  L := 50; mu := 50; gamma := 1 / 100; P_b := 1 / 1000000; P_n := 0; b2 := 0; sigma2 := 0; B := 11 / 10;
  epsilon := 25; c := 1000; p := 2; W := 1; delta := 1 / 2 |}.
Definition exact_draw (t m e : nat) (i : unit) (x : R) : R := bowl_slope m x.
Definition halves (t : nat) (i : unit) : R := (1 / 2) ^ t.

Lemma avg_two X : avg 2 X = (X O + X 1%nat) / 2.
Proof. unfold avg. simpl. field. Qed.
Lemma first_local t m i : local_ two_letters unit exact_draw halves t m 1 i = halves t i / 2 + centre m / 2.
Proof. unfold exact_draw, bowl_slope. simpl. unfold exact_draw, bowl_slope. field. Qed.
Lemma first_g t m i : g_ two_letters unit exact_draw halves t m 0 i = 50 * (halves t i - centre m).
Proof. unfold g_, exact_draw, bowl_slope. simpl. ring. Qed.
Lemma second_g t m i : g_ two_letters unit exact_draw halves t m 1 i = 0.
Proof. unfold g_. rewrite first_local. unfold exact_draw, bowl_slope. simpl. field. Qed.
Lemma slope_f_two x : slope_f 2 bowl_slope x = 50 * x.
Proof. unfold slope_f. rewrite avg_two. unfold bowl_slope, centre. field. Qed.
Lemma received_two t i : avg 2 (fun m => g_ two_letters unit exact_draw halves t m 0 i) = 50 * halves t i.
Proof. rewrite avg_two, !first_g. unfold centre. field. Qed.
Lemma summed_two t i :
  avg 2 (fun m => sum 2 (fun e => g_ two_letters unit exact_draw halves t m e i)) = 50 * halves t i.
Proof. rewrite avg_two. cbn [sum]. rewrite !first_g, !second_g. unfold centre. field. Qed.
Lemma two_goes_on t i : (t < 2)%nat -> halves (S t) i = halves t i - gamma two_letters *
  avg 2 (fun m => sum 2 (fun e => g_ two_letters unit exact_draw halves t m e i)).
Proof. intros _. rewrite summed_two. unfold halves. simpl. field. Qed.

(** On |x| ≥ 1/10 each device's slope is at most 11/10 of the mean slope. *)
Lemma dissimilar_far m x : 1 / 10 <= Rabs x -> bowl_slope m x ^ 2 <= (11 / 10) ^ 2 * (50 * x) ^ 2.
Proof.
  intros Hx. unfold bowl_slope. assert (Hc : - (1 / 100) <= centre m <= 1 / 100) by (destruct m; simpl; lra).
  destruct (Rle_dec 0 x) as [H|H]; [rewrite Rabs_pos_eq in Hx by auto|rewrite Rabs_left in Hx by lra];
      simpl; nra.
Qed.
Lemma halves_range t i : (t < 2)%nat -> 1 / 2 <= halves t i <= 1.
Proof. intros Ht. unfold halves. destruct t as [|[|t]]; simpl; try lra; lia. Qed.
Lemma local_range t m e i : (t < 2)%nat -> (e < 2)%nat ->
  1 / 10 <= local_ two_letters unit exact_draw halves t m e i <= 1.
Proof.
  intros Ht He. pose proof (halves_range t i Ht).
  assert (Hc : - (1 / 100) <= centre m <= 1 / 100) by (destruct m; simpl; lra).
  destruct e as [|[|e]]; [cbn [local_]; lra|rewrite first_local; lra|lia].
Qed.

Section Shape.
Variables (rows cols : nat).
Hypotheses (cols_pos : (0 < cols)%nat) (some_rows : (1 <= rows)%nat).
Definition two_run : run :=
  scalar_run two_letters 2 2 2 rows cols cols_pos unit sure bowl bowl_slope exact_draw halves 1 0.

Lemma two_estimates past (g true_g : Omega two_run -> Rd 1) x :
  (forall o, g o = lift (x (snd o))) -> (forall o, true_g o = lift (x (snd o))) -> estimates two_run past g
      true_g.
Proof.
  intros Hg Ht. apply estimates_without_noise; [simpl; lra|simpl; lra|apply everything_sq; simpl; auto| | |].
  - intros [n []] [n' []] _. now rewrite !Hg.
  - intros [n []] [n' []] _. now rewrite !Ht.
  - intros o. rewrite Hg, Ht, lift_square. cbn. unfold lift. set (y := x (snd o)).
    pose proof (pow2_ge_0 y). simpl in *. nra.
Qed.
Lemma two_gradient t (o : Omega two_run) : grad_f two_run (broadcast two_run t o) = lift (50 * halves t (snd
  o)).
Proof. unfold two_run. rewrite grad_f_is. now rewrite slope_f_two. Qed.

Lemma two_assumptions u : assumptions two_run u.
Proof.
  constructor.
  - unfold sizes; simpl; lia.
  - unfold ranges; simpl; repeat split; lra.
  - intros x. unfold f. change (M two_run) with 2%nat. rewrite !avg_two. simpl. unfold bowl, lift, centre.
    pose proof (pow2_ge_0 (x O)). nra.
  - apply scalar_smooth. intros m _ x y. simpl. unfold bowl, bowl_slope.
    replace (25 * (y - centre m) ^ 2 - 25 * (x - centre m) ^ 2 - 50 * (x - centre m) * (y - x))
      with (25 * (y - x) ^ 2) by ring.
    rewrite Rabs_pos_eq; [simpl; lra|]. pose proof (pow2_ge_0 (y - x)). lra.
  - intros t m e _. apply (two_estimates _ _ _ (fun i => g_ two_letters unit exact_draw halves t m e i)).
    + intros o. apply g_is.
    + intros o. unfold two_run. rewrite true_gradient_is. reflexivity.
  - intros t _. apply (two_estimates _ _ _ (fun i => 50 * halves t i)); intros o; [|apply two_gradient].
    unfold two_run. now rewrite g_received_is, received_two.
  - intros t _. apply (two_estimates _ _ _ (fun i => 50 * halves t i)); intros o; [|apply two_gradient].
    unfold two_run. now rewrite g_summed_is, summed_two.
  - apply scalar_power_law.
  - apply scalar_dissimilar; [simpl; auto| |].
    + intros x t m e _. rewrite sure_is, slope_f_two. intros Hx. apply dissimilar_far. simpl in Hx.
      apply Rnot_lt_le. intros Hlt. assert (Rabs x * Rabs x < 1 / 100) by (pose proof (Rabs_pos x); nra).
      rewrite <- Rabs_mult, Rabs_pos_eq in H by nra. nra.
    + intros t m m' e i [Ht [_ He]] _. rewrite slope_f_two. apply dissimilar_far. simpl in *.
      pose proof (local_range t m e i Ht He). rewrite Rabs_pos_eq; lra.
  - apply scalar_bounded; [lia|reflexivity|exact two_goes_on| |].
    + intros t i Ht. unfold halves. destruct t as [|[|[|t]]]; simpl; try lra. lia.
    + intros t m e i [Ht [_ He]]. pose proof (local_range t m e i Ht He). simpl in *. nra.
  - apply scalar_hashes; simpl; auto.
  - apply scalar_sketched; [lia|reflexivity|exact two_goes_on|simpl; lra].
  - apply scalar_past; simpl; auto.
Qed.

Lemma two_left o : left_side two_run (broadcast two_run) o = 4375 / 4.
Proof.
  unfold two_run. rewrite left_broadcast. cbn [sum]. rewrite !slope_f_two. unfold halves. simpl. field.
Qed.
Lemma two_before u o : left_side two_run (before_top_k two_run u) o = left_side two_run (broadcast two_run) o.
Proof. apply left_before; [lia|reflexivity|exact two_goes_on]. Qed.
Lemma two_right : generous_right_side two_run = 2530 / 3.
Proof.
  unfold generous_right_side. change (printed_tail _) with (tail 2 (INR 1) (INR 1)).
  rewrite generous_tail_at_one.
  unfold right_side_with, theorem_1_bound, optimisation_term, sketch_term, bias_term, noise_term, f.
  change (M two_run) with 2%nat. rewrite !avg_two. cbn. unfold bowl, lift, centre.
  replace ((25 * (1 - 1 / 100) ^ 2 + 25 * (1 - - (1 / 100)) ^ 2) / 2 -
     (25 * (0 - 1 / 100) ^ 2 + 25 * (0 - - (1 / 100)) ^ 2) / 2) with 25 by field.
  rewrite Rabs_pos_eq by lra. field.
Qed.
End Shape.

Lemma missing_rho_with_local_steps_run : Missing_rho_with_local_steps.
Proof.
  intros u C. destruct (large_shape C (ln (INR 1 * INR 2 / (1 / 2))) (1000 * INR 1)) as [rows [cols [Hr [Hc
      [Hrows Hcols]]]]].
  assert (Hcond : rho_printed (two_run rows cols Hc) > 1 / 4 /\ rho_printed (two_run rows cols Hc) < 1 / 2).
  { cbv [gamma L mu P_b P_n b2 sigma2 B c W constants Es two_run scalar_run two_letters
      rho_printed gamma_max rho H amplification INR]. split; lra. }
  exists (two_run rows cols Hc). split; [split; [|split; [|split]]|].
  - split; assumption.
  - now apply two_assumptions.
  - split; [|apply Hcond]. cbv [gamma L mu P_b P_n b2 sigma2 B c W constants Es two_run scalar_run two_letters
      in_gamma_range gamma_max INR]. lra.
  - apply (conclusion_fails u _ _ (fun _ => 1)); auto; [apply int_const|rewrite E_const; simpl; lra|].
    intros o _. rewrite two_before, Rmin_left, two_left, two_right by (assumption || apply Rle_refl). lra.
  - repeat (split; [simpl; lra || reflexivity|]). split; [|split; [reflexivity|split]].
    + exists (lift 0). intros H. apply (f_equal (fun v => v O)) in H. simpl in H.
      unfold lift, bowl_slope, centre in H. lra.
    + intros t o _ z. rewrite two_gradient. unfold two_run. rewrite g_summed_is, summed_two. reflexivity.
    + intros o. rewrite two_left, two_right. destruct Hcond as [_ Hlt]. lra.
Qed.
