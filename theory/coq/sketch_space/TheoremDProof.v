(** * Proof of Theorem D

    ‖s‖² falls by 2γ φ(‖w̃_t‖_H) in round t, where φ(x) = (1−η)x² − (K + 2ηg)x − ηg². *)
From Coq Require Import Reals Lra Lia.
From FPS.tools Require Import Mean.
From FPS.residual Require Import TopSets.
From FPS.sketch_space Require Import Sketch SketchLemmas IdentitiesProof LemmaB1Proof TheoremD
  TheoremDLemmas.
Open Scope R_scope.

Section D.
Variables (d k : nat) (r : separable_run d k).
Hypothesis ok : assumptions_D r.
Let ga := gamma_D_pos d k r ok.
Let mu0 := mu_f_pos d k r ok.
Let eta1 := eta_small d k r ok.
Let k0 : 0 < INR k. Proof. apply lt_0_INR. pose proof (k_pos d k r ok). lia. Qed.
Local Notation Sk_ := (Sk (table_D r)).
Local Notation St_ := (St (table_D r)).
Local Notation eta := (eta_D r).
Local Notation g := (g_D r).
Local Notation K := (K_D r).
Local Notation beta := (K_D r + 2 * eta_D r * g_D r).
Definition phi (x : R) : R := (1 - eta) * x ^ 2 - beta * x - eta * g ^ 2.

(** ** The geometry of one round, for this run *)
Let strong := strongly_convex d k r ok.
Lemma K_nonneg : 0 <= K.
Proof. apply quotient_nonneg; [exact mu0|apply (Kn_nonneg d k r ok)]. Qed.
Lemma eta_nonneg : 0 <= eta.
Proof. unfold eta_D. pose proof (L_A_nonneg d k r ok). assert (0 <= gamma_D r * L_A r) by nra. lra. Qed.
Lemma g_nonneg : 0 <= g. Proof. apply norm_H_nonneg. Qed.
Lemma beta_nonneg : 0 <= beta.
Proof.
  pose proof K_nonneg. pose proof eta_nonneg. pose proof g_nonneg. assert (0 <= eta * g) by nra. nra.
Qed.

(** ** D2, D3: ⟨x_t, a_t⟩ ≥ ‖w̃_t‖_H² − K‖w̃_t‖_H *)
Lemma aligned_round t :
  norm_H (h r) (w_D r t) ^ 2 - K * norm_H (h r) (w_D r t) <= ⟨St_ (s r t), gradient_D r (w_D r t)⟩.
Proof.
  apply (aligned d (h r) (mu_f r) mu0 strong k (wstar r) (Kn r) (Kn_nonneg d k r ok) (Kn_bounds d k r ok)).
  apply (reads_top_k d k r ok).
Qed.
(** ** D4: ‖a_t‖_M² ≤ L_A (‖w̃_t‖_H + g)² *)
Lemma gradient_le t : ‖(Sk_ (gradient_D r (w_D r t)))‖² <= L_A r * (norm_H (h r) (w_D r t) + g) ^ 2.
Proof.
  eapply Rle_trans; [apply (L_A_bounds d k r ok)|]. apply Rmult_le_compat_l; [apply (L_A_nonneg d k r ok)|].
  apply pow_incr. split; [apply norm_H_nonneg|]. apply (norm_H_minus d (h r) (mu_f r) mu0 strong).
Qed.
Lemma table_falls t : ‖(s r (S t))‖² <= ‖(s r t)‖² - 2 * gamma_D r * phi (norm_H (h r) (w_D r t)).
Proof.
  rewrite (table_square _ _ _ _ _ (rounds_D d k r ok)).
  pose proof (aligned_round t) as H1. pose proof (gradient_le t) as H2.
  apply Rmult_le_compat_l with (r := gamma_D r * gamma_D r) in H2; [|nra].
  apply Rmult_le_compat_l with (r := 2 * gamma_D r) in H1; [|lra].
  unfold phi. replace eta with (gamma_D r * L_A r / 2) by reflexivity. simpl in *. lra.
Qed.

(** ** D5: the average over T rounds *)
Section Average.
Variables (T : nat) (some : (0 < T)%nat).
Let T_pos : 0 < INR T. Proof. now apply lt_0_INR. Qed.
Let e_0 : R := ‖(s r 0%nat)‖² / (2 * gamma_D r * INR T).
Local Notation x t := (norm_H (h r) (w_D r t)).
Local Notation Q := (Q_D r T).
Lemma mean_phi : avg T (fun t => phi (x t)) <= e_0.
Proof.
  assert (H : forall n, 2 * gamma_D r * sum n (fun t => phi (x t)) <= ‖(s r 0%nat)‖² - ‖(s r n)‖²).
  { induction n as [|n IH]; cbn [sum]; [lra|]. pose proof (table_falls n). lra. }
  specialize (H T). pose proof (inner_nonneg _ (s r T)). unfold avg, e_0.
  apply Rmult_le_reg_l with (2 * gamma_D r * INR T); [nra|].
  replace (2 * gamma_D r * INR T * (/ INR T * sum T (fun t => phi (x t)))) with
    (2 * gamma_D r * sum T (fun t => phi (x t))) by (field; lra).
  replace (2 * gamma_D r * INR T * (‖(s r 0%nat)‖² / (2 * gamma_D r * INR T))) with ‖(s r 0%nat)‖²
    by (field; lra). lra.
Qed.
Lemma mean_of_squares_nonneg (X : nat -> R) : 0 <= avg T (fun t => X t ^ 2).
Proof. rewrite <- (avg_const T some 0). apply avg_mono; auto; intros; apply pow2_ge_0. Qed.
Lemma Q_square : Q ^ 2 = avg T (fun t => x t ^ 2).
Proof. apply pow2_sqrt, mean_of_squares_nonneg. Qed.
Lemma mean_le_Q : avg T (fun t => x t) <= Q.
Proof.
  apply square_le; [apply sqrt_pos|]. set (m := avg T (fun t => x t)).
  replace (Q * Q) with (Q ^ 2) by ring. rewrite Q_square.
  pose proof (mean_of_squares_nonneg (fun t => x t - m)) as H.
  rewrite (avg_ext T _ (fun t => x t ^ 2 + ((-2) * m * x t + m * m))) in H by (intros; ring).
  rewrite avg_add, avg_add, avg_scale, (avg_const T some) in H. fold m in H. lra.
Qed.
Lemma Q_bound : Q <= broadcast_bound K eta g e_0.
Proof.
  pose proof mean_le_Q. pose proof beta_nonneg. unfold broadcast_bound.
  apply below_root; auto. pose proof mean_phi as H1. unfold phi in H1.
  rewrite (avg_ext T _ (fun t => (1 - eta) * x t ^ 2 + ((- beta) * x t + - (eta * g ^ 2)))) in H1
    by (intros; ring).
  rewrite avg_add, avg_add, !avg_scale, (avg_const T some), <- Q_square in H1.
  assert (beta * avg T (fun t => x t) <= beta * Q) by (apply Rmult_le_compat_l; auto). lra.
Qed.
Lemma A_bound : A_D r T <= L_A r * (broadcast_bound K eta g e_0 + g) ^ 2.
Proof.
  pose proof Q_bound. pose proof mean_le_Q. pose proof g_nonneg. assert (0 <= Q) by apply sqrt_pos.
  apply Rle_trans with (avg T (fun t => L_A r * (x t + g) ^ 2));
    [apply avg_mono; auto; intros; apply gradient_le|].
  rewrite avg_scale. apply Rmult_le_compat_l; [apply (L_A_nonneg d k r ok)|].
  rewrite (avg_ext T _ (fun t => x t ^ 2 + ((2 * g) * x t + g ^ 2))) by (intros; ring).
  rewrite avg_add, avg_add, avg_scale, (avg_const T some), <- Q_square.
  assert (2 * g * avg T (fun t => x t) <= 2 * g * Q) by (apply Rmult_le_compat_l; lra).
  assert ((Q + g) ^ 2 <= (broadcast_bound K eta g e_0 + g) ^ 2) by (apply pow_incr; lra). simpl in *. lra.
Qed.
End Average.

(** ** D6: every round *)
Section Supremum.
Variables (lam : R) (s_perp : tables (table_D r)) (g_0 : Rd d).
Hypothesis start : starts_at r lam s_perp g_0.
Lemma phi_above x : - largest_gain K eta g <= phi x.
Proof.
  unfold phi, largest_gain.
  assert (H : 0 <= (1 - eta) * (x - beta / (2 * (1 - eta))) ^ 2)
    by (apply Rmult_le_pos; [lra|apply pow2_ge_0]).
  replace ((1 - eta) * (x - beta / (2 * (1 - eta))) ^ 2)
    with ((1 - eta) * x ^ 2 - beta * x + beta ^ 2 / (4 * (1 - eta)))
    in H by (field; lra). lra.
Qed.
(** The part of the table that is orthogonal to the range of S never changes. *)
Lemma table_is t : exists x, same (s r t) (s_perp + Sk_ x)%V.
Proof.
  destruct start as [_ [_ [_ H0]]]. induction t as [|t [x IH]]; [exists g_0; auto|].
  exists (x - gamma_D r *: gradient_D r (w_D r t))%V. intro y.
  rewrite (rounds_D d k r ok t y), inner_add, inner_scale, inner_scale, (IH y), inner_add, inner_add,
    !Sk_inner.
  rewrite (inner_add _ x), !inner_scale. ring.
Qed.
Lemma table_from_x t : ‖(s r t)‖² <= ‖(St_ (s r t))‖² / lam + ‖s_perp‖².
Proof.
  destruct start as [Hl [Hm [Hp _]]]. destruct (table_is t) as [x Hx].
  assert (Hs : same (St_ (s r t)) (St_ (Sk_ x))) by (intro y; rewrite !adjoint, (Hx _), inner_add, Hp; ring).
  rewrite (same_square _ _ _ Hx), square_sum, Hp, (same_square _ _ _ Hs). pose proof (Hm x).
  assert (‖(Sk_ x)‖² <= ‖(St_ (Sk_ x))‖² / lam); [|lra].
  apply Rmult_le_reg_l with lam; [auto|].
  replace (lam * (‖(St_ (Sk_ x))‖² / lam)) with ‖(St_ (Sk_ x))‖² by (field; lra). auto.
Qed.
(** ‖w̃_t‖_H ≤ q bounds x_t, by Lemma B1. *)
Lemma x_from_broadcast t q : norm_H (h r) (w_D r t) <= q ->
  ‖(St_ (s r t))‖² / lam <= INR d * q ^ 2 / (INR k * lam * mu_f r).
Proof.
  intros Hq. destruct start as [Hl _].
  pose proof (whole_le_top d k _ _ (k_pos d k r ok) (reads_top_k d k r ok t)) as H4. fold (w_D r t) in H4.
  pose proof (strong_square d (h r) (mu_f r) mu0 strong (w_D r t)) as H5.
  assert (H9 : norm_H (h r) (w_D r t) ^ 2 <= q ^ 2) by (apply pow_incr; split; [apply norm_H_nonneg|auto]).
  apply Rmult_le_reg_r with (lam * (INR k * mu_f r)); [apply Rmult_lt_0_compat; [auto|nra]|].
  replace (INR d * q ^ 2 / (INR k * lam * mu_f r) * (lam * (INR k * mu_f r))) with (INR d * q ^ 2)
    by (field; lra).
  replace (‖(St_ (s r t))‖² / lam * (lam * (INR k * mu_f r))) with (mu_f r * (INR k * ‖(St_ (s r t))‖²))
    by (field; lra).
  apply Rmult_le_compat_l with (r := INR k) in H4; [|lra].
  replace (INR k * (INR d / INR k * ‖(w_D r t)‖²)) with (INR d * ‖(w_D r t)‖²) in H4 by (field; lra).
  apply Rle_trans with (INR d * (mu_f r * ‖(w_D r t)‖²)).
  - replace (INR d * (mu_f r * ‖(w_D r t)‖²)) with (mu_f r * (INR d * ‖(w_D r t)‖²)) by ring.
    apply Rmult_le_compat_l; lra.
  - apply Rmult_le_compat_l; [apply pos_INR|lra].
Qed.
Lemma table_bounded t : ‖(s r t)‖² <= sup_D r lam s_perp.
Proof.
  induction t as [|t IH]; [apply Rmax_l|]. pose proof (table_falls t) as H1.
  set (x := norm_H (h r) (w_D r t)) in *.
  destruct (Rle_dec 0 (phi x)) as [Hp|Hp].
  - assert (0 <= 2 * gamma_D r * phi x) by (apply Rmult_le_pos; lra). lra.
  - apply Rle_trans with (2 := Rmax_r _ _).
    assert (Hx : x <= broadcast_bound K eta g 0) by (apply below_root; auto; unfold phi in Hp; lra).
    pose proof (phi_above x) as H2. apply Rmult_le_compat_l with (r := 2 * gamma_D r) in H2; [|lra].
    pose proof (table_from_x t). pose proof (x_from_broadcast t _ Hx). lra.
Qed.
Lemma average_converges T : (0 < T)%nat ->
  ‖(Sk_ (gradient_D r (vmean T (w_D r))))‖ <= 2 * sqrt (sup_D r lam s_perp) / (gamma_D r * INR T).
Proof.
  intros T0. assert (HT : 0 < INR T) by now apply lt_0_INR. unfold gradient_D.
  rewrite (averaged_broadcast (Rd d) (table_D r) (gamma_D r) (s r) (w_D r) T (times_H (h r)) (wstar r)); auto.
  - unfold Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; nra|].
    eapply Rle_trans; [apply minkowski|]. rewrite norm_opp.
    assert (H : forall t, ‖(s r t)‖ <= sqrt (sup_D r lam s_perp))
      by (intro t; apply sqrt_le_1_alt, table_bounded).
    pose proof (H 0%nat). pose proof (H T). lra.
  - intros x y. simpl. apply sum_ext; intros; unfold times_H; ring.
  - apply (rounds_D d k r ok).
Qed.
End Supremum.
End D.

Theorem theorem_d : Theorem_D.
Proof. intros d k r ok T T0. split; [now apply Q_bound|now apply A_bound]. Qed.
Theorem theorem_d_supremum : Theorem_D_Supremum.
Proof. intros d k r ok lam s_perp g_0 H t. now apply table_bounded with g_0. Qed.
Theorem averaged_broadcast_converges : Averaged_Broadcast_Converges.
Proof. intros d k r ok lam s_perp g_0 H T T0. now apply average_converges with g_0. Qed.
Theorem k_support_norm_is_bounded : K_Support_Norm_Is_Bounded.
Proof.
  intros d k y Hk P x H. unfold k_support_default. assert (k0 : 0 < INR k) by (apply lt_0_INR; lia).
  assert (0 <= INR d / INR k) by (apply Rmult_le_pos; [apply pos_INR|left; now apply Rinv_0_lt_compat]).
  assert (Hx : ‖x‖ <= sqrt (INR d / INR k) * ‖(restrict P x)‖).
  { unfold norm. rewrite <- sqrt_mult; [|auto|apply inner_nonneg]. apply sqrt_le_1_alt, whole_le_top; auto. }
  pose proof (inner_le _ x y). pose proof (norm_nonneg _ y). nra.
Qed.
