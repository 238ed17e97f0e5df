(** * Proof of Theorem D with noise *)
From Coq Require Import Reals Lra Lia List.
From FPS.tools Require Import Mean.
From FPS.residual Require Import TopSets.
From FPS.sketch_space Require Import Sketch SketchLemmas TheoremD TheoremDLemmas TheoremDNoise.
Import ListNotations.
Open Scope R_scope.

(** ** The mean of a linear combination *)
Section Combination.
Variables (V : space) (I : Type) (mu : mean V I).
Fixpoint combination (l : list (R * (I -> R))) (i : I) : R :=
  match l with nil => 0 | (c, Y) :: rest => c * Y i + combination rest i end.
Fixpoint combined (l : list (R * (I -> R))) : R :=
  match l with nil => 0 | (c, Y) :: rest => c * mu Y + combined rest end.
Lemma int_combination l : Forall (fun p => int mu (snd p)) l -> int mu (combination l).
Proof.
  induction 1 as [|[c Y] l H _ IH]; simpl; [apply int_const|].
  apply (int_add mu (fun i => c * Y i)); auto using int_scale.
Qed.
Lemma mean_of_combination l : Forall (fun p => int mu (snd p)) l -> mu (combination l) = combined l.
Proof.
  induction 1 as [|[c Y] l H Hl IH]; simpl; [apply E_const|].
  rewrite (E_add mu (fun i => c * Y i)), E_scale, IH; auto using int_scale, int_combination.
Qed.
End Combination.

Section N.
Variables (d k : nat) (r : noisy_run d k).
Hypothesis ok : assumptions_N r.
Local Notation Ex := (for_models r).
Local Notation Sk_ := (Sk (sketch_N r)).
Local Notation H := (times_H (h_N r)).
Local Notation nH := (norm_H (h_N r)).
Local Notation x := (x_N r). Local Notation w := (w_N r). Local Notation a := (a_N r).
Local Notation s := (s_N r).
Local Notation z := (grad_noise r). Local Notation n := (table_noise r). Local Notation nr := (read_noise r).
Local Notation gamma := (gamma_N r).
Local Notation K0 := (Kn_N r / sqrt (mu_N r)).
Let ga := gamma_N_pos d k r ok.
Let strong := strong_N d k r ok.
Let mu0 := mu_N_pos d k r ok.

(** ** What has a mean *)
Lemma sq_a t : sq Ex (a t).
Proof.
  apply (sq_H d k r ok (fun o => w t o - wstar_N r)%V). apply (sq_add Ex (w t) (fun _ => _ *: wstar_N r)%V).
  - apply (sq_w d k r ok).
  - apply (sq_fixed d k r ok).
Qed.
Lemma sq_x t : sq Ex (x t).
Proof. apply (sq_St d k r ok), (sq_s d k r ok). Qed.
Lemma int_tables X Y : sq (for_tables r) X -> sq (for_tables r) Y -> int Ex (fun o => ⟨X o, Y o⟩).
Proof. intros HX HY. apply (one_chance d k r ok). now apply sq_inner. Qed.

(** ** One round of E‖s‖² *)
Definition round_terms t := [(1, fun o => ‖(s t o)‖²); (-2 * gamma, fun o => ⟨x t o, a t o⟩);
  (-2 * gamma, fun o => ⟨z t o, x t o⟩); (gamma ^ 2, fun o => ‖(Sk_ (a t o))‖²);
  (2 * gamma ^ 2, fun o => ⟨Sk_ (z t o), Sk_ (a t o)⟩); (gamma ^ 2, fun o => ‖(Sk_ (z t o))‖²);
  (2, fun o => ⟨n t o, s t o⟩); (-2 * gamma, fun o => ⟨n t o, Sk_ (a t o + z t o)%V⟩);
    (1, fun o => ‖(n t o)‖²)].
Lemma round_terms_int t : Forall (fun p => int Ex (snd p)) (round_terms t).
Proof.
  pose proof (sq_a t) as Sa. pose proof (sq_gradient_noise d k r ok t) as Sz.
  pose proof (sq_s d k r ok t) as Ss.
  pose proof (sq_table_noise d k r ok t) as Sn. pose proof (sq_x t) as Sx.
  pose proof (sq_Sk d k r ok _ Sa) as SSa. pose proof (sq_Sk d k r ok _ Sz) as SSz.
  pose proof (sq_Sk d k r ok _ (sq_add Ex _ _ Sa Sz)) as SSaz.
  repeat constructor; cbn [snd]; auto using int_tables, sq_inner.
Qed.
Lemma round_pointwise t o : ‖(s (S t) o)‖² = combination _ (round_terms t) o.
Proof.
  rewrite (same_square _ _ _ (rounds_N d k r ok t o)). cbn [round_terms combination].
  set (y := Sk_ (a t o + z t o)%V).
  assert (Hy : ‖y‖² = ‖(Sk_ (a t o))‖² + 2 * ⟨Sk_ (z t o), Sk_ (a t o)⟩ + ‖(Sk_ (z t o))‖²).
  { unfold y. rewrite (same_square _ _ _ (Sk_add (sketch_N r) (a t o) (z t o))), square_sum.
    rewrite (inner_sym _ (Sk_ (a t o)) (Sk_ (z t o))). ring. }
  assert (Hs : ⟨s t o, y⟩ = ⟨x t o, a t o⟩ + ⟨z t o, x t o⟩).
  { unfold y. rewrite <- adjoint, inner_add_r, (inner_sym _ _ (z t o)). reflexivity. }
  rewrite !square_sum, !square_scale, !inner_add, !inner_scale, !inner_scale_r, Hs, Hy.
  rewrite (inner_sym _ (s t o) (n t o)), (inner_sym _ y (n t o)). ring.
Qed.
Lemma round_mean t : Ex (fun o => ‖(s (S t) o)‖²) <= Ex (fun o => ‖(s t o)‖²)
  - 2 * gamma * Ex (fun o => ⟨x t o, a t o⟩) + gamma ^ 2 * Ex (fun o => ‖(Sk_ (a t o))‖²)
  + (gamma ^ 2 * sigma_z r ^ 2 + sigma_st r ^ 2).
Proof.
  rewrite (E_same Ex _ _ (round_pointwise t)), mean_of_combination by apply round_terms_int.
  cbn [round_terms combined].
  rewrite (grad_zero_x d k r ok t), (grad_zero_a d k r ok t), (table_zero_s d k r ok t),
    (table_zero_step d k r ok t).
  pose proof (grad_size d k r ok t) as Hz. pose proof (table_size d k r ok t).
  apply Rmult_le_compat_l with (r := gamma ^ 2) in Hz; [|apply pow2_ge_0]. lra.
Qed.

(** ** The same chance for ⟨.,.⟩_H *)
Local Notation VH_ := (VH d (h_N r) (mu_N r) mu0 strong).
Lemma norm_square_VH (y : Rd d) : nH y ^ 2 = @inner VH_ y y.
Proof. rewrite (norm_H_is d (h_N r) (mu_N r) mu0 strong). simpl. rewrite Rmult_1_r. apply (norm_square VH_ y).
Qed.
Definition chance_H : mean VH_ (Omega_N r).
  refine {| may := may Ex; int := int Ex; E := E Ex;
            sq := fun Y : Omega_N r -> VH_ =>
              exists Y' : Omega_N r -> Rd d, sq Ex Y' /\ forall o, @same VH_ (Y o) (Y' o) |}.
  - apply int_const.
  - apply int_add.
  - apply int_scale.
  - apply E_add.
  - apply E_scale.
  - apply E_mono.
  - apply E_const.
  - exists (fun _ => zero). split; [apply sq_zero|]. intros; apply same_refl.
  - intros Y1 Y2 [Y1' [H1 S1]] [Y2' [H2 S2]]. exists (fun o => add (Y1' o) (Y2' o)).
    split; [now apply sq_add|].
    intros o v. change (@add (Rd d)) with (@add VH_). rewrite !inner_add. now rewrite (S1 o v), (S2 o v).
  - intros c Y1 [Y1' [H1 S1]]. exists (fun o => scale c (Y1' o)). split; [now apply sq_scale|].
    intros o v. change (@scale (Rd d)) with (@scale VH_). rewrite !inner_scale. now rewrite (S1 o v).
  - intros Y1 Y2 HY [Y1' [H1 S1]]. exists Y1'. split; auto. intros o v. now rewrite <- (HY o v), (S1 o v).
  - intros Y1 Y2 [Y1' [H1 S1]] [Y2' [H2 S2]]. apply (int_same _ (fun o => ⟨Y1' o, H (Y2' o)⟩)).
    + intro o. rewrite (S1 o (Y2 o)), (inner_sym VH_ (Y1' o)), (S2 o (Y1' o)), (inner_sym VH_ (Y2' o)).
      symmetry. apply VH_inner.
    + apply sq_inner; auto. now apply (sq_H d k r ok).
Defined.
Lemma sq_in_H (Y : Omega_N r -> Rd d) : sq Ex Y -> sq chance_H Y.
Proof. intros HY. exists Y. split; auto. intros; apply same_refl. Qed.

Section Average.
Variables (T : nat) (some : (0 < T)%nat).
Let T_pos : 0 < INR T. Proof. now apply lt_0_INR. Qed.
Definition rounds_H : mean VH_ (nat * Omega_N r) := times T some chance_H.
Definition each (Y : nat -> Omega_N r -> Rd d) (HY : forall t, sq Ex (Y t)) : L2 rounds_H :=
  exist (sq rounds_H) (fun i => Y (fst i) (snd i)) (fun t _ => sq_in_H _ (HY t)).
Definition W := each w (sq_w d k r ok).
Definition N := each nr (sq_read d k r ok).
Definition Wstar := each (fun _ _ => wstar_N r) (fun _ => sq_fixed d k r ok (wstar_N r)).
Lemma each_square Y HY : ‖(each Y HY)‖² = avg T (fun t => Ex (fun o => nH (Y t o) ^ 2)).
Proof. rewrite L2_inner. apply avg_ext; intros t _. apply (E_same Ex); intros o. symmetry.
apply norm_square_VH. Qed.
Local Notation Q := (Q_N r T).
Lemma Q_is : Q = ‖W‖.
Proof. unfold Q_N, norm. f_equal. symmetry. apply each_square. Qed.
Lemma N_le : ‖N‖ <= sigma_r r.
Proof.
  pose proof (sigma_r_nonneg d k r ok). apply square_le; [auto|]. rewrite norm_square. unfold N.
  rewrite each_square.
  replace (sigma_r r * sigma_r r) with (sigma_r r ^ 2) by ring. rewrite <- (avg_const T some (sigma_r r ^ 2)).
  apply avg_mono; auto. intros; apply (read_size d k r ok).
Qed.
Lemma Wstar_is : ‖Wstar‖ = g_N r.
Proof.
  unfold norm. unfold Wstar. rewrite each_square. rewrite (avg_ext T _ (fun _ => g_N r ^ 2)).
  - rewrite (avg_const T some), sqrt_pow2; [reflexivity|]. apply norm_H_nonneg.
  - intros t _. apply E_const.
Qed.
(** A_M ≤ L_A (Q + g)², by Minkowski *)
Lemma A_le : A_N r T <= L_N r * (Q + g_N r) ^ 2.
Proof.
  apply Rle_trans with (L_N r * ‖(W - Wstar)‖²).
  - rewrite L2_inner. change (rounds_H (fun i => ‖(at_ (W - Wstar)%V i)‖²)) with
      (avg T (fun t => Ex (fun o => @inner VH_ (w t o - wstar_N r)%V (w t o - wstar_N r)%V))).
    rewrite <- avg_scale. apply avg_mono; auto. intros t Ht.
    rewrite <- E_scale by exact (L2_int (W - Wstar)%V (W - Wstar)%V t Ht). apply E_mono.
    + apply (int_tables (fun o => Sk_ (a t o))); apply (sq_Sk d k r ok), sq_a.
    + apply int_scale. exact (L2_int (W - Wstar)%V (W - Wstar)%V t Ht).
    + intros o _. rewrite <- norm_square_VH. apply (L_N_bounds d k r ok).
  - apply Rmult_le_compat_l; [apply (L_N_nonneg d k r ok)|]. rewrite <- norm_square, Q_is, <- Wstar_is.
    pose proof (minkowski _ W ((-1) *: Wstar)%V) as Hm. rewrite norm_opp in Hm.
    pose proof (norm_nonneg _ (W - Wstar)%V). nra.
Qed.
(** ‖w‖_H ≤ ‖w‖_H²/(2Q) + Q/2, so that no mean of ‖w‖_H itself is needed *)
Lemma product_pointwise t o : 0 < Q -> (1 - K0 / (2 * Q)) * nH (w t o) ^ 2 + - (K0 * Q / 2)
  + ((-1) * ⟨nr t o, H (w t o)⟩ + ⟨nr t o, H (wstar_N r)⟩) <= ⟨x t o, a t o⟩.
Proof.
  intros HQ. pose proof (aligned d (h_N r) (mu_N r) mu0 strong k (wstar_N r) (Kn_N r) (Kn_N_nonneg d k r ok)
    (Kn_N_bounds d k r ok) _ _ (reads_N d k r ok t o)) as Hal. cbv zeta in Hal. fold (w t o) in Hal.
  change (H (w t o - wstar_N r)%V) with (a t o) in Hal. rewrite inner_add in Hal.
  assert (Hn : ⟨nr t o, a t o⟩ = ⟨nr t o, H (w t o)⟩ - ⟨nr t o, H (wstar_N r)⟩).
  { unfold a_N, Rminus. rewrite <- (Rmult_1_l ⟨nr t o, H (wstar_N r)⟩), <- Ropp_mult_distr_l_reverse. simpl.
    rewrite <- sum_scale, <- sum_add. apply sum_ext; intros; unfold times_H; simpl. ring. }
  pose proof (quotient_nonneg (mu_N r) mu0 (Kn_N r) (Kn_N_nonneg d k r ok)) as HK. set (c := K0) in *.
  set (y := nH (w t o)) in *.
  assert (Hy : y <= y ^ 2 / (2 * Q) + Q / 2).
  { apply Rmult_le_reg_l with (2 * Q); [lra|].
    replace (2 * Q * (y ^ 2 / (2 * Q) + Q / 2)) with (y ^ 2 + Q ^ 2) by (field; lra).
    pose proof (pow2_ge_0 (y - Q)). nra. }
  apply Rmult_le_compat_l with (r := c) in Hy; [|auto].
  replace ((1 - c / (2 * Q)) * y ^ 2) with (y ^ 2 - c * (y ^ 2 / (2 * Q))) by (field; lra). lra.
Qed.
Lemma product_mean : 0 < Q -> Q ^ 2 - K_N r * Q <= avg T (fun t => Ex (fun o => ⟨x t o, a t o⟩)).
Proof.
  intros HQ. set (c := 1 - K0 / (2 * Q)). set (e := - (K0 * Q / 2)).
  assert (Iw : forall t, int Ex (fun o => nH (w t o) ^ 2)).
  { intro t. apply (int_same _ (fun o => ⟨w t o, H (w t o)⟩)).
    - intro o. rewrite norm_square_VH. symmetry. apply VH_inner.
    - apply sq_inner; [|apply (sq_H d k r ok)]; apply (sq_w d k r ok). }
  assert (In : forall t, int Ex (fun o => ⟨nr t o, H (w t o)⟩))
    by (intro t; apply sq_inner; [apply (sq_read d k r ok)|apply (sq_H d k r ok), (sq_w d k r ok)]).
  assert (Is : forall t, int Ex (fun o => ⟨nr t o, H (wstar_N r)⟩))
    by (intro t; apply sq_inner; [apply (sq_read d k r ok)|apply (sq_H d k r ok (fun _ => wstar_N r)),
      (sq_fixed d k r ok)]).
  set (terms := fun t => [(c, fun o => nH (w t o) ^ 2); (e, fun _ : Omega_N r => 1);
    (-1, fun o => ⟨nr t o, H (w t o)⟩); (1, fun o => ⟨nr t o, H (wstar_N r)⟩)]).
  assert (It : forall t, Forall (fun p => int Ex (snd p)) (terms t))
    by (intro t; repeat constructor; cbn [snd]; auto using int_const).
  apply Rle_trans with (avg T (fun t => c * Ex (fun o => nH (w t o) ^ 2) +
    (e + (-1) * Ex (fun o => ⟨nr t o, H (w t o)⟩)))).
  - rewrite avg_add, avg_add, !avg_scale, (avg_const T some).
    assert (HQ2 : avg T (fun t => Ex (fun o => nH (w t o) ^ 2)) = Q ^ 2)
      by (rewrite Q_is; simpl; rewrite Rmult_1_r, norm_square; symmetry; apply each_square).
    assert (HN : avg T (fun t => Ex (fun o => ⟨nr t o, H (w t o)⟩)) <= sigma_r r * Q).
    { replace (avg T (fun t => Ex (fun o => ⟨nr t o, H (w t o)⟩))) with ⟨N, W⟩.
      - eapply Rle_trans; [apply inner_le|]. rewrite Q_is.
        apply Rmult_le_compat_r; [apply norm_nonneg|apply N_le].
      - rewrite L2_inner. apply avg_ext; intros t _. apply (E_same Ex); intros o. apply VH_inner. }
    rewrite HQ2. unfold c, e, K_N. set (c0 := K0).
    replace ((1 - c0 / (2 * Q)) * Q ^ 2) with (Q ^ 2 - c0 * Q / 2) by (field; lra). lra.
  - apply avg_mono; auto. intros t _.
    apply Rle_trans with (Ex (combination _ (terms t))).
    + right. rewrite mean_of_combination by auto. cbn [terms combined].
      rewrite (read_zero d k r ok t), E_const. ring.
    + apply E_mono; [now apply int_combination|apply sq_inner; [apply sq_x|apply sq_a]|]. intros o _.
      pose proof (product_pointwise t o HQ) as Hp. fold c e in Hp. unfold terms. cbn [combination]. lra.
Qed.
Lemma table_mean : avg T (fun t => Ex (fun o => ⟨x t o, a t o⟩)) <= e_N r T + gamma / 2 * A_N r T.
Proof.
  assert (Ht : forall m, 2 * gamma * sum m (fun t => Ex (fun o => ⟨x t o, a t o⟩)) <=
    Ex (fun o => ‖(s 0 o)‖²) - Ex (fun o => ‖(s m o)‖²) + gamma ^ 2 * sum m
      (fun t => Ex (fun o => ‖(Sk_ (a t o))‖²))
    + INR m * (gamma ^ 2 * sigma_z r ^ 2 + sigma_st r ^ 2)).
  { induction m as [|m IH]; [simpl; lra|]. rewrite S_INR. cbn [sum]. pose proof (round_mean m). lra. }
  specialize (Ht T). assert (0 <= Ex (fun o => ‖(s T o)‖²)).
  { apply E_nonneg; [apply int_tables; apply (sq_s d k r ok)|]. intros; apply inner_nonneg. }
  unfold e_N, A_N, avg. set (p := sum T _) in *.
  set (q := sum T (fun t => Ex (fun o => ‖(Sk_ (a t o))‖²))) in *.
  apply Rmult_le_reg_l with (2 * gamma * INR T); [nra|].
  replace (2 * gamma * INR T * (/ INR T * p)) with (2 * gamma * p) by (field; lra).
  replace (2 * gamma * INR T * (Ex (fun o => ‖(s 0 o)‖²) / (2 * gamma * INR T) + gamma / 2 * sigma_z r ^ 2
    + sigma_st r ^ 2 / (2 * gamma) + gamma / 2 * (/ INR T * q))) with
    (Ex (fun o => ‖(s 0 o)‖²) + gamma ^ 2 * q + INR T * (gamma ^ 2 * sigma_z r ^ 2 + sigma_st r ^ 2))
      by (field; lra).
  lra.
Qed.
Lemma Q_le : Q <= broadcast_bound (K_N r) (eta_N r) (g_N r) (e_N r T).
Proof.
  pose proof (eta_N_small d k r ok) as He. pose proof (L_N_nonneg d k r ok) as HL.
  assert (Heta : 0 <= eta_N r) by (unfold eta_N; assert (0 <= gamma * L_N r) by nra; lra).
  assert (Hg : 0 <= g_N r) by apply norm_H_nonneg.
  assert (HK : 0 <= K_N r).
  { unfold K_N. pose proof (quotient_nonneg (mu_N r) mu0 (Kn_N r) (Kn_N_nonneg d k r ok)).
    pose proof (sigma_r_nonneg d k r ok). lra. }
  destruct (sqrt_pos (avg T (fun t => Ex (fun o => nH (w t o) ^ 2)))) as [HQ|HQ]; fold Q in HQ.
  - unfold broadcast_bound. apply below_root; auto. pose proof (product_mean HQ). pose proof table_mean.
    pose proof A_le as HA. apply Rmult_le_compat_l with (r := gamma / 2) in HA; [|lra].
    replace (gamma / 2 * (L_N r * (Q + g_N r) ^ 2)) with (eta_N r * (Q + g_N r) ^ 2) in HA
      by (unfold eta_N; field). nra.
  - rewrite <- HQ. unfold broadcast_bound. apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; lra].
    assert (0 <= eta_N r * g_N r) by nra. pose proof (sqrt_pos ((K_N r + 2 * eta_N r * g_N r) ^ 2
      + 4 * (1 - eta_N r) * (eta_N r * g_N r ^ 2 + e_N r T))). lra.
Qed.
End Average.
End N.

Theorem theorem_d_with_noise : Theorem_D_With_Noise.
Proof.
  intros d k r ok T T0 Qbar. pose proof (Q_le d k r ok T T0) as HQ. fold Qbar in HQ. split; [exact HQ|].
  eapply Rle_trans; [now apply A_le|]. apply Rmult_le_compat_l; [apply (L_N_nonneg d k r ok)|].
  apply pow_incr. assert (0 <= Q_N r T) by apply sqrt_pos. assert (0 <= g_N r) by apply norm_H_nonneg. lra.
Qed.
