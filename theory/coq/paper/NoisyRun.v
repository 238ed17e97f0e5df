(** * One round with a rare large draw of the noise: f = 6w² from its minimum, γ = 1/50

    ζ = 1 with probability 1/1000 and −1/999 otherwise: mean 0, variance 1/999. The kick puts w_1 at −1/50. *)
From Coq Require Import Reals Lra Lia Arith List FunctionalExtensionality.
From FPS.paper Require Import Setting Theorem1 ScalarRun RunTools.
Open Scope R_scope.

Definition coin : mean (Rd 1) bool.
  refine (finite (Rd 1) ((true, 1 / 1000) :: (false, 999 / 1000) :: nil) _ _).
  - intros o x [H|[H|[]]]; inversion H; lra.
  - simpl; lra.
Defined.
Lemma coin_is X : coin X = 1 / 1000 * X true + 999 / 1000 * X false.
Proof. simpl. ring. Qed.
Definition kick (i : bool) : R := if i then 1 else - (1 / 999).
Definition noisy_letters : letters := {|
  L := 12; mu := 0; gamma := 1 / 50; P_b := 1 / 1000; P_n := 0; b2 := 0; sigma2 := 1 / 999; B := 1001 / 1000;
  epsilon := 1; c := 2000; p := 2; W := 1 / 100; delta := 1 / 2000 |}.
Definition noisy_draw (t m e : nat) (i : bool) (x : R) : R := 12 * x + kick i.
Definition kicked (t : nat) (i : bool) : R := match t with O => 0 | _ => - (1 / 50) * kick i end.

Lemma kicked_first i : g_ noisy_letters bool noisy_draw kicked 0 0 0 i = kick i.
Proof. unfold g_, noisy_draw. simpl. ring. Qed.
Lemma noisy_goes_on t i : (t < 1)%nat -> kicked (S t) i = kicked t i - gamma noisy_letters *
  avg 1 (fun m => sum 1 (fun e => g_ noisy_letters bool noisy_draw kicked t m e i)).
Proof. intros Ht. replace t with O by lia. rewrite avg_one. cbn [sum]. rewrite kicked_first. simpl. ring. Qed.
Lemma kick_range i : -1 <= kick i <= 1.
Proof. destruct i; simpl; lra. Qed.

Section Shape.
Variables (rows cols : nat).
Hypotheses (cols_pos : (0 < cols)%nat) (some_rows : (1 <= rows)%nat).
Definition noisy_run : run :=
  scalar_run noisy_letters 1 1 1 rows cols cols_pos bool coin (fun _ x => 6 * x ^ 2) (fun _ x => 12 * x)
      noisy_draw kicked 0 0.

Lemma noisy_chance X : chance noisy_run X = avg (tables rows cols) (fun n => coin (fun i => X (n, i))).
Proof. reflexivity. Qed.
Lemma tables_some : (0 < tables rows cols)%nat.
Proof. apply tables_pos. exact cols_pos. Qed.

(** In round 0, at w = 0, the gradient is all noise. *)
Lemma noisy_estimates (g true_g : Omega noisy_run -> Rd 1) :
  (forall o, g o = lift (kick (snd o))) -> (forall o, true_g o = lift 0) ->
  estimates noisy_run (past noisy_run 0 0) g true_g.
Proof.
  intros Hg Ht. exists (fun _ => lift 0), (fun o => lift (kick (snd o))).
  split; [intros o z; rewrite Hg, Ht; simpl; unfold lift; ring|].
  split; [intros o o' _; now rewrite !Ht|]. split; [easy|].
  split; [apply everything_sq; simpl; auto|]. split; [apply everything_sq; simpl; auto|].
  split; [apply everything_sq; simpl; auto|]. split; [|split].
  - intros Y _ HY. rewrite noisy_chance, (avg_ext _ _ (fun _ => 0)); [apply avg_const, tables_some|].
    intros n _. rewrite coin_is. rewrite (HY (n, false) (n, true)) by reflexivity. simpl. unfold lift. field.
  - intros Y HY HY1 _ _. rewrite !noisy_chance. apply avg_mono; [apply tables_some|]. intros n _.
    rewrite !coin_is.
    rewrite (HY (n, false) (n, true)) by reflexivity. rewrite !Ht, !lift_square. simpl.
    pose proof (HY1 (n, true)). simpl in *. lra.
  - intros o _. rewrite Ht. simpl. unfold lift. lra.
Qed.
Lemma noisy_gradient o : grad_f noisy_run (broadcast noisy_run 0 o) = lift 0.
Proof. unfold noisy_run. rewrite grad_f_is. unfold slope_f. rewrite avg_one. simpl. f_equal. unfold lift.
ring. Qed.

Lemma noisy_assumptions u : assumptions noisy_run u.
Proof.
  constructor.
  - unfold sizes; simpl; lia.
  - unfold ranges; simpl; repeat split; lra.
  - intros x. unfold f. change (M noisy_run) with 1%nat. rewrite !avg_one. simpl. unfold lift.
    pose proof (pow2_ge_0 (x O)). simpl in *. lra.
  - apply scalar_smooth. intros _ _ x y. simpl.
    replace (6 * (y * (y * 1)) - 6 * (x * (x * 1)) - 12 * x * (y - x)) with (6 * (y - x) ^ 2) by ring.
    pose proof (pow2_ge_0 (y - x)). rewrite Rabs_pos_eq; simpl in *; lra.
  - intros t m e [Ht [Hm He]]. simpl in *. replace t with O by lia. replace m with O by lia.
    replace e with O by lia.
    apply noisy_estimates; intros o; unfold noisy_run.
    + rewrite g_is. now rewrite kicked_first.
    + rewrite true_gradient_is. simpl. f_equal. ring.
  - intros t Ht. simpl in Ht. replace t with O by lia. apply noisy_estimates; [|apply noisy_gradient].
    intros o. unfold noisy_run. now rewrite g_received_is, avg_one, kicked_first.
  - intros t Ht. simpl in Ht. replace t with O by lia. apply noisy_estimates; [|apply noisy_gradient].
    intros o. unfold noisy_run. rewrite g_summed_is, avg_one. cbn [sum]. rewrite kicked_first. f_equal. ring.
  - apply scalar_power_law.
  - apply scalar_dissimilar; [simpl; auto| |].
    + intros x t m e _. rewrite coin_is. unfold slope_f, noisy_draw. rewrite avg_one. simpl. intros Hx. nra.
    + intros t m m' e i _ _. unfold slope_f. rewrite avg_one. simpl.
      set (y := local_ _ _ _ _ _ _ _ _). pose proof (pow2_ge_0 y). simpl in *. nra.
  - apply scalar_bounded; [lia|reflexivity|exact noisy_goes_on| |].
    + intros t i _. pose proof (kick_range i). destruct t; simpl; [lra|nra].
    + intros t m e i [Ht [_ He]]. simpl in *. replace t with O by lia. replace e with O by lia. simpl. lra.
  - apply scalar_hashes; simpl; auto.
  - apply scalar_sketched; [lia|reflexivity|exact noisy_goes_on|simpl; lra|simpl; lra].
  - apply scalar_past; simpl; auto.
Qed.

Lemma noisy_left o : left_side noisy_run (broadcast noisy_run) o = 18 / 625 * kick (snd o) ^ 2.
Proof.
  unfold noisy_run. rewrite left_broadcast. unfold slope_f. cbn [sum]. rewrite !avg_one. simpl. field.
Qed.
Lemma noisy_before u o : left_side noisy_run (before_top_k noisy_run u) o = left_side noisy_run (broadcast
  noisy_run) o.
Proof. apply left_before; [lia|reflexivity|exact noisy_goes_on]. Qed.
Lemma noisy_right : 1 / 500 < generous_right_side noisy_run < 1 / 100.
Proof.
  unfold generous_right_side. change (printed_tail _) with (tail 2 (INR 1) (INR 1)).
  rewrite generous_tail_at_one.
  unfold right_side_with, theorem_1_bound, optimisation_term, sketch_term, bias_term, noise_term, f.
  change (M noisy_run) with 1%nat. rewrite !avg_one. cbn. unfold lift.
  replace (6 * (0 * (0 * 1)) - 6 * (0 * (0 * 1))) with 0 by ring. rewrite Rabs_R0. lra.
Qed.
End Shape.

Lemma expectation_dropped_run : Expectation_dropped.
Proof.
  intros u C. destruct (large_shape C (ln (INR 1 * INR 1 / (1 / 2000))) (2000 * INR 1))
    as [rows [cols [Hr [Hc [Hrows Hcols]]]]].
  pose proof (noisy_right rows cols Hc) as Hright.
  exists (noisy_run rows cols Hc). split; [split; [|split; [|split; [|split]]]|].
  - split; assumption.
  - now apply noisy_assumptions.
  - cbv [gamma L mu P_b P_n b2 sigma2 B c W constants Es noisy_run scalar_run noisy_letters every_condition
      in_gamma_range rho_printed gamma_max rho H amplification gamma_max_positive gamma_max_drift
          gamma_max_descent INR].
    repeat split; lra.
  - apply scalar_lossless; [lia|reflexivity|exact noisy_goes_on].
  - apply (conclusion_fails u _ (noisy_run rows cols Hc) (fun o => if snd o then 1 else 0)).
    + apply everything_int. simpl; auto.
    + intros [n []]; auto.
    + rewrite noisy_chance, (avg_ext _ _ (fun _ => 1 / 1000)), avg_const; [simpl; lra|now apply tables_some|].
      intros n _. rewrite coin_is. simpl. ring.
    + intros [n i] Hi. rewrite noisy_before, Rmin_left, noisy_left by (assumption || apply Rle_refl).
      destruct i; simpl in Hi; [|lra]. simpl in *. lra.
  - rewrite noisy_chance, (avg_ext _ _ (fun _ => 18 / 625 * (1 / 999))), avg_const; [lra|now apply
      tables_some|].
    intros n _. rewrite coin_is, !noisy_left. simpl. field.
Qed.
