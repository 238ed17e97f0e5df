(** * Proof of Proposition M: both runs in closed form *)
From Coq Require Import Reals Lra Lia.
From FPS.sketch_space.tables Require Import HashSketch HashSketchLemmas.
From FPS.sketch_space.exact_runs Require Import PropositionM.
Open Scope R_scope.

(** ** Powers *)
Lemma power_to_zero x : Rabs x < 1 -> Un_cv (fun t => x ^ t) 0.
Proof.
  intros Hx e He. destruct (pow_lt_1_zero x Hx e He) as [N HN]. exists N. intros n Hn.
  unfold R_dist. rewrite Rminus_0_r. now apply HN.
Qed.
Lemma limit_of_affine (u v : nat -> R) a b l : (forall t, v t = a + b * u t) -> Un_cv u l ->
  Un_cv v (a + b * l).
Proof.
  intros Hv Hu. apply Un_cv_ext with (fun t => a + b * u t); [intros; now rewrite Hv|].
  apply (CV_plus (fun _ => a) (fun t => b * u t)); [|apply (CV_mult (fun _ => b) u)]; auto;
    intros e He; exists O; intros; unfold R_dist; rewrite Rminus_diag_eq, Rabs_R0; auto.
Qed.
(** c (1 − x^t) is unbounded if |x| > 1 and c is not zero. *)
Lemma power_unbounded c x : c <> 0 -> 1 < Rabs x -> forall K, exists t, K < Rabs (c * (1 - x ^ t)).
Proof.
  intros Hc Hx K. assert (Hq : 0 < Rabs c) by now apply Rabs_pos_lt.
  destruct (Pow_x_infinity x Hx ((Rabs K + 1) / Rabs c + 1)) as [N HN]. specialize (HN N (le_n N)). exists N.
  rewrite Rabs_mult. set (y := x ^ N) in *.
  assert (Rabs y - 1 <= Rabs (1 - y)) by (pose proof (Rabs_triang_inv y 1); rewrite Rabs_R1 in *;
    rewrite Rabs_minus_sym; lra).
  assert ((Rabs K + 1) / Rabs c * Rabs c = Rabs K + 1) by (field; lra). pose proof (Rle_abs K). nra.
Qed.

Section M.
Variables (gamma : R) (wstar : nat -> R).
(** One round: every row subtracts γ times its signed sum of the gradient. *)
Lemma round_M read s w t : run_M gamma wstar read s w ->
  (forall j, s (S t) j 0%nat = s t j 0%nat -
     gamma * ((read (s t) 0%nat - wstar 0%nat) + sign hash_M j 1 * (read (s t) 1%nat - wstar 1%nat)))
  /\ w t 0%nat = read (s t) 0%nat /\ w t 1%nat = read (s t) 1%nat.
Proof.
  intros [_ [[P Hw] Hs]]. destruct (Hw t) as [HP Hr]. change (d hash_M) with 2%nat in *.
  pose proof (Hr 0%nat ltac:(lia)) as W0. pose proof (Hr 1%nat ltac:(lia)) as W1.
  rewrite (restrict_all 2 (P t) _ 0 HP ltac:(lia)) in W0.
  rewrite (restrict_all 2 (P t) _ 1 HP ltac:(lia)) in W1.
  split; [|split; auto]. intros j. rewrite Hs. unfold sketch_of, gradient, identity_matrix. simpl.
  rewrite W0, W1.
  destruct j as [|[|j]]; simpl; ring.
Qed.

(** ** The median *)
Section Median.
Variables (s : nat -> cells) (w : nat -> nat -> R).
Hypothesis run : run_M gamma wstar (median_readout hash_M) s w.
(** Rows 0 and 2 agree, so the median is what they say, of either coordinate. *)
Lemma median_is_row_0 t i : s t 2%nat 0%nat = s t 0%nat 0%nat ->
  median_readout hash_M (s t) i = s t 0%nat 0%nat.
Proof.
  intros H. unfold median_readout, estimate. simpl. rewrite !Rmult_1_l, H. apply median3_outer.
Qed.
Lemma median_table t : s t 0%nat 0%nat = p wstar / 2 * (1 - (1 - 2 * gamma) ^ t) /\
  s t 1%nat 0%nat = gamma * INR t * m wstar /\ s t 2%nat 0%nat = s t 0%nat 0%nat.
Proof.
  induction t as [|t [I0 [I1 I2]]].
  - destruct run as [H0 _]. rewrite !H0. unfold empty. simpl. repeat split; ring.
  - destruct (round_M _ _ _ t run) as [Hs _]. rewrite !Hs, !(median_is_row_0 t _ I2), I1, I2, I0, S_INR.
    unfold p, m. simpl. repeat split; field.
Qed.
Lemma median_closed t :
  w t 0%nat = p wstar / 2 * (1 - (1 - 2 * gamma) ^ t) /\ w t 1%nat = w t 0%nat /\
  gradient_square wstar (w t) = m wstar ^ 2 / 2 + p wstar ^ 2 / 2 * ((1 - 2 * gamma) ^ t) ^ 2.
Proof.
  destruct (median_table t) as [I0 [_ I2]]. destruct (round_M _ _ _ t run) as [_ [W0 W1]].
  rewrite (median_is_row_0 t _ I2), I0 in W0. rewrite (median_is_row_0 t _ I2), I0 in W1.
  unfold gradient_square. rewrite W0, W1.
  unfold p, m. repeat split; field.
Qed.
End Median.

(** ** The mean *)
Section Mean.
Variables (s : nat -> cells) (w : nat -> nat -> R).
Hypothesis run : run_M gamma wstar (mean_readout hash_M) s w.
Lemma mean_is t : w t 0%nat = (s t 0%nat 0%nat + s t 1%nat 0%nat + s t 2%nat 0%nat) / 3 /\
                  w t 1%nat = (s t 0%nat 0%nat - s t 1%nat 0%nat + s t 2%nat 0%nat) / 3.
Proof.
  destruct (round_M _ _ _ t run) as [_ [-> ->]]. unfold mean_readout, estimate. simpl. split; field.
Qed.
(** Sum and difference of the two coordinates go their own ways. *)
Lemma mean_closed t : w t 0%nat + w t 1%nat = p wstar * (1 - (1 - 4 / 3 * gamma) ^ t) /\
                      w t 0%nat - w t 1%nat = m wstar * (1 - (1 - 2 / 3 * gamma) ^ t).
Proof.
  induction t as [|t [I1 I2]].
  - destruct (mean_is O) as [-> ->]. destruct run as [H0 _]. rewrite !H0. unfold empty. simpl. split; field.
  - destruct (round_M _ _ _ t run) as [Hs [W0 W1]]. destruct (mean_is (S t)) as [-> ->].
    rewrite !Hs, <- W0, <- W1.
    destruct (mean_is t) as [R0 R1]. set (x := w t 0%nat) in *. set (y := w t 1%nat) in *. simpl (sign _ _ _).
    simpl (_ ^ S t). clear Hs W0 W1.
    set (A0 := s t 0%nat 0%nat) in *. set (A1 := s t 1%nat 0%nat) in *. set (A2 := s t 2%nat 0%nat) in *.
    split.
    + transitivity ((x + y) - gamma * (4 / 3) * ((x + y) - p wstar)); [unfold p; rewrite R0, R1; field|].
      rewrite I1. field.
    + transitivity ((x - y) - gamma * (2 / 3) * ((x - y) - m wstar)); [unfold m; rewrite R0, R1; field|].
      rewrite I2. field.
Qed.
(** Any combination of the two powers goes to 0 inside the range. *)
Lemma powers_vanish c1 c2 : 0 < gamma < 3 / 2 ->
  Un_cv (fun t => c1 * (1 - 4 / 3 * gamma) ^ t + c2 * (1 - 2 / 3 * gamma) ^ t) 0.
Proof.
  intros Hg. assert (Ha : Rabs (1 - 4 / 3 * gamma) < 1) by (apply Rabs_def1; lra).
  assert (Hb : Rabs (1 - 2 / 3 * gamma) < 1) by (apply Rabs_def1; lra).
  replace 0 with (0 + c1 * 0 + (0 + c2 * 0)) by ring.
  apply (CV_plus (fun t => c1 * (1 - 4 / 3 * gamma) ^ t) (fun t => c2 * (1 - 2 / 3 * gamma) ^ t)).
  - apply limit_of_affine with (u := fun t => (1 - 4 / 3 * gamma) ^ t);
      [intros; ring|now apply power_to_zero].
  - apply limit_of_affine with (u := fun t => (1 - 2 / 3 * gamma) ^ t);
      [intros; ring|now apply power_to_zero].
Qed.
End Mean.
End M.

Theorem sketch_m_is_injective : Sketch_M_Is_Injective.
Proof.
  split; [split; [simpl; lia|]|].
  - intros j i _ _. split; [simpl; lia|]. simpl. destruct j as [|[|j]]; auto. destruct i as [|[|i]]; auto.
  - intros g h H. pose proof (H 0%nat ltac:(lia)). pose proof (H 1%nat ltac:(lia)).
    unfold sketch_of in *; simpl in *. lra.
Qed.
Theorem runs_m_exist : Runs_M_Exist.
Proof. intros gamma wstar read. apply (run_of_all hash_M). Qed.
Theorem edge_m : Edge_M.
Proof.
  split; [intros g|]; unfold sketch_of; simpl; [|field].
  pose proof (pow2_ge_0 (g 0%nat - g 1%nat)). simpl in *. lra.
Qed.
Theorem median_table_grows : Median_Table_Grows.
Proof. intros gamma wstar s w run t. apply (median_table gamma wstar s w run t). Qed.
Theorem median_broadcast : Median_Broadcast.
Proof. intros gamma wstar s w run t. now apply median_closed with s. Qed.
Theorem median_limit : Median_Limit.
Proof.
  intros gamma wstar s w run Hg. assert (Ha : Rabs (1 - 2 * gamma) < 1) by (apply Rabs_def1; lra).
  pose proof (power_to_zero _ Ha) as Hz. pose proof (median_closed gamma wstar s w run) as C.
  replace (p wstar / 2) with (p wstar / 2 + - (p wstar / 2) * 0) by ring.
  replace (m wstar ^ 2 / 2) with (m wstar ^ 2 / 2 + p wstar ^ 2 / 2 * 0) by ring. split; [|split].
  - apply limit_of_affine with (u := fun t => (1 - 2 * gamma) ^ t); auto. intro t. destruct (C t) as [-> _].
    ring.
  - apply limit_of_affine with (u := fun t => (1 - 2 * gamma) ^ t); auto. intro t.
    destruct (C t) as [-> [-> _]]. ring.
  - apply limit_of_affine with (u := fun t => ((1 - 2 * gamma) ^ 2) ^ t).
    + intro t. destruct (C t) as [_ [_ ->]]. rewrite <- !pow_mult, Nat.mul_comm. ring.
    + apply power_to_zero. rewrite Rabs_pos_eq by apply pow2_ge_0. apply Rabs_def2 in Ha. nra.
Qed.
Theorem median_diverges : Median_Diverges.
Proof.
  intros gamma wstar s w run Hg Hp K.
  assert (Hx : 1 < Rabs (1 - 2 * gamma)) by (rewrite Rabs_left by lra; lra).
  destruct (power_unbounded (p wstar / 2) _ ltac:(lra) Hx K) as [t Ht]. exists t.
  destruct (median_closed gamma wstar s w run t) as [-> _]. exact Ht.
Qed.
Theorem mean_converges : Mean_Converges.
Proof.
  intros gamma wstar s w run Hg. pose proof (mean_closed gamma wstar s w run) as C. split.
  - replace (wstar 0%nat) with (wstar 0%nat + 1 * 0) by ring.
    eapply limit_of_affine; [|apply (powers_vanish gamma (- p wstar / 2) (- m wstar / 2) Hg)].
    intro t. destruct (C t). unfold p, m in *. lra.
  - replace (wstar 1%nat) with (wstar 1%nat + 1 * 0) by ring.
    eapply limit_of_affine; [|apply (powers_vanish gamma (- p wstar / 2) (m wstar / 2) Hg)].
    intro t. destruct (C t). unfold p, m in *. lra.
Qed.
Theorem mean_diverges_beyond_the_edge : Mean_Diverges_Beyond_The_Edge.
Proof.
  intros gamma wstar s w run Hg Hp K.
  assert (Hx : 1 < Rabs (1 - 4 / 3 * gamma)) by (rewrite Rabs_left by lra; lra).
  destruct (power_unbounded (p wstar) _ Hp Hx K) as [t Ht]. exists t.
  destruct (mean_closed gamma wstar s w run t) as [-> _]. exact Ht.
Qed.
