(** * Two devices that pull in opposite directions: l_m = ½(w − z_m)², z = (−12, 10), E = 2, γ = 1/1000, w_0 =
    0

    The gradients at 0 are 12 and −10, their mean is 1. One local step moves the devices by 12γ and 10γ. *)
From Coq Require Import Reals Lra Lia Arith.
From FPS.paper Require Import Setting Theorem1 Lemma2 ScalarRun RunTools.
Open Scope R_scope.

Definition pull (m : nat) : R := match m with O => -12 | _ => 10 end.
Definition well (m : nat) (x : R) : R := 1 / 2 * (x - pull m) ^ 2.
Definition well_slope (m : nat) (x : R) : R := x - pull m.
Definition drift_letters : letters := {|
  L := 1; mu := 0; gamma := 1 / 1000; P_b := 1 / 1000000; P_n := 0; b2 := 0; sigma2 := 0; B := 13;
  epsilon := 121 / 144; c := 2; p := 2; W := 1; delta := 1 / 2 |}.
Definition well_draw (t m e : nat) (i : unit) (x : R) : R := well_slope m x.
Definition pulled (t : nat) (i : unit) : R := match t with O => 0 | _ => - (1999 / 1000000) end.

Lemma pulled_local m i : local_ drift_letters unit well_draw pulled 0 m 1 i = pull m / 1000.
Proof. simpl. unfold well_draw, well_slope. field. Qed.
Lemma pulled_goes_on t i : (t < 1)%nat -> pulled (S t) i = pulled t i - gamma drift_letters *
  avg 2 (fun m => sum 2 (fun e => g_ drift_letters unit well_draw pulled t m e i)).
Proof.
  intros Ht. replace t with O by lia. rewrite avg_two. cbn [sum]. unfold g_. rewrite !pulled_local.
  unfold well_draw, well_slope. simpl. field.
Qed.
Lemma slope_f_well x : slope_f 2 well_slope x = x + 1.
Proof. unfold slope_f. rewrite avg_two. unfold well_slope, pull. field. Qed.
Lemma well_dissimilar m x : 121 / 144 <= (x + 1) ^ 2 -> well_slope m x ^ 2 <= 13 ^ 2 * (x + 1) ^ 2.
Proof.
  intros H. unfold well_slope. set (s := x + 1) in *. replace x with (s - 1) by (unfold s; ring).
  assert (Hs : 11 / 12 <= s \/ s <= - (11 / 12)).
  { destruct (Rle_dec (11 / 12) s); [auto|right]. apply Rnot_lt_le. intro. simpl in H. nra. }
  destruct m; simpl; destruct Hs; nra.
Qed.
Lemma pulled_range m e i : (e < 2)%nat ->
  - (12 / 1000) <= local_ drift_letters unit well_draw pulled 0 m e i <= 12 / 1000.
Proof.
  intros He. destruct e as [|[|e]]; [simpl; lra| |lia]. rewrite pulled_local. destruct m; simpl; lra.
Qed.

Definition one_column : (0 < 1)%nat := Nat.lt_0_1.
Definition drift_run : run :=
  scalar_run drift_letters 2 2 1 1 1 one_column unit sure well well_slope well_draw pulled 0 (-1).

Lemma drift_estimates past (g true_g : Omega drift_run -> Rd 1) x :
  (forall o, g o = lift (x (snd o))) -> (forall o, true_g o = lift (x (snd o))) -> estimates drift_run past
      g true_g.
Proof.
  intros Hg Ht. apply estimates_without_noise; [simpl; lra|simpl; lra|apply everything_sq; simpl; auto| | |].
  - intros [n []] [n' []] _. now rewrite !Hg.
  - intros [n []] [n' []] _. now rewrite !Ht.
  - intros o. rewrite Hg, Ht, lift_square. cbn. unfold lift. set (y := x (snd o)).
    pose proof (pow2_ge_0 y). simpl in *. nra.
Qed.
Lemma drift_local_assumptions : local_assumptions drift_run.
Proof.
  split; [unfold sizes; simpl; lia|]. split; [unfold ranges; simpl; repeat split; lra|]. split.
  - apply scalar_smooth. intros m _ x y. simpl. unfold well, well_slope.
    replace (1 / 2 * (y - pull m) ^ 2 - 1 / 2 * (x - pull m) ^ 2 - (x - pull m) * (y - x))
      with (1 / 2 * (y - x) ^ 2) by field.
    rewrite Rabs_pos_eq; [simpl; lra|]. pose proof (pow2_ge_0 (y - x)). lra.
  - intros t m e _. apply (drift_estimates _ _ _ (fun i => g_ drift_letters unit well_draw pulled t m e i)).
    + intros o. apply g_is.
    + intros o. unfold drift_run. rewrite true_gradient_is. reflexivity.
Qed.
Lemma drift_assumptions u : all_but_the_sum drift_run u.
Proof.
  split; [exact drift_local_assumptions|]. split.
  { intros x. unfold f. change (M drift_run) with 2%nat. rewrite !avg_two. simpl. unfold well, lift, pull.
    pose proof (pow2_ge_0 (x O + 1)). nra. }
  split.
  { intros t Ht. simpl in Ht. replace t with O by lia.
    apply (drift_estimates _ _ _ (fun _ => 1)); intros o; unfold drift_run.
    - rewrite g_received_is, avg_two. unfold g_, well_draw, well_slope. simpl. f_equal. field.
    - rewrite grad_f_is, slope_f_well. simpl. f_equal. unfold lift. ring. }
  split; [apply scalar_power_law|]. split.
  { apply scalar_dissimilar; [simpl; auto| |].
    - intros x t m e _. rewrite sure_is, slope_f_well. intros Hx. apply well_dissimilar. simpl in *. lra.
    - intros t m m' e i [Ht [_ He]] _. rewrite slope_f_well. apply well_dissimilar. simpl in Ht, He.
      replace t with O by lia. pose proof (pulled_range m e i He). simpl in *. nra. }
  split.
  { apply scalar_bounded; [lia|reflexivity|exact pulled_goes_on| |].
    - intros t i _. destruct t; simpl; lra.
    - intros t m e i [Ht [_ He]]. simpl in Ht, He. replace t with O by lia.
      pose proof (pulled_range m e i He). simpl in *. nra. }
  split; [apply scalar_hashes; simpl; auto|].
  split; [apply scalar_sketched; [lia|reflexivity|exact pulled_goes_on|simpl; lra|simpl; lra]|].
  apply scalar_past; simpl; auto.
Qed.
Lemma drift_condition : lemma_2_condition drift_run.
Proof.
  cbv [lemma_2_condition gamma_max_drift amplification gamma L mu P_b P_n B constants Es drift_run scalar_run
    drift_letters INR]. lra.
Qed.
Lemma drift_is m : mean_drift drift_run 0 m 1 = (pull m / 1000) ^ 2.
Proof.
  unfold mean_drift. rewrite <- (E_const (chance drift_run)). apply E_same. intros o.
  unfold drift_run. rewrite local_is, pulled_local. simpl. unfold lift. ring.
Qed.
Lemma drift_right : lemma_2_right drift_run (chance drift_run (fun o =>
  ‖(grad_f drift_run (broadcast drift_run 0 o))‖²)) < (11 / 1000) ^ 2.
Proof.
  rewrite (E_same _ _ (fun _ => 1)).
  - rewrite E_const. cbv [lemma_2_right lemma_2_bound amplification gamma P_b P_n b2 sigma2 B constants Es
      drift_run
      scalar_run drift_letters INR]. lra.
  - intros o. unfold drift_run. rewrite grad_f_is, slope_f_well, lift_square. simpl. unfold lift. ring.
Qed.
