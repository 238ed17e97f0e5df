(** * Theorem 1 is false: from the runs to the statements *)
From Coq Require Import Reals Lra Lia.
From FPS.paper Require Import Setting Theorem1 ScalarRun QuadraticRun QuadraticFaults SeveralDevicesRun
    NoisyRun HeterogeneityRun.
Open Scope R_scope.

(** Some outcome is possible, so W bounds a square. *)
Lemma W_nonneg (r : run) u : assumptions r u -> 0 <= W r.
Proof.
  intros H. apply Rnot_lt_le. intros Hneg.
  assert (chance r (fun _ => 1) <= chance r (fun _ => 0)); [|rewrite !E_const in H0; lra].
  apply E_mono; try apply int_const. intros o Ho. exfalso.
  destruct (proj1 (has_W r u H o Ho) O (Nat.le_0_l _)) as [Hw _].
  pose proof (inner_nonneg _ (broadcast r 0 o)). lra.
Qed.
Lemma printed_below_generous (r : run) u : assumptions r u -> printed_right_side r <= generous_right_side r.
Proof.
  intros H. unfold printed_right_side, generous_right_side, right_side_with, theorem_1_bound, sketch_term.
  assert (0 <= (L r + mu r) ^ 2 * W r) by (apply Rmult_le_pos; [apply pow2_ge_0|now apply (W_nonneg r u)]).
  pose proof (Rmax_r 0 (printed_tail r)). nra.
Qed.

(** The theorem with more conditions and a larger right side says less. *)
Lemma weaker_theorem u (condition condition' : run -> Prop) : (forall r, condition' r -> condition r) ->
  Theorem_1 u condition printed_right_side -> Theorem_1 u condition' generous_right_side.
Proof.
  intros Hcond [C [HC H]]. exists C. split; [auto|]. intros r Hlarge Ha Hc.
  destruct (H r Hlarge Ha (Hcond r Hc)) as [good [G01 [Gint [Gprob Gle]]]]. exists good.
  repeat (split; [auto|]).
  intros o Ho Hg. specialize (Gle o Ho Hg). pose proof (printed_below_generous r u Ha). lra.
Qed.
Lemma broken u condition right_side :
  (forall C, exists r, breaks_theorem_1 u C condition right_side r) ->
  ~ Theorem_1 u (fun r => condition r /\ lossless r u) right_side.
Proof. intros H [C [_ Ht]]. destruct (H C) as [r [Hl [Ha [Hc [Hs Hn]]]]]. apply Hn, Ht; auto. Qed.

Theorem range_without_smoothness : Range_without_smoothness.
Proof. exact range_without_smoothness_run. Qed.
Theorem missing_rho : Missing_rho.
Proof. exact missing_rho_run. Qed.
Theorem missing_rho_with_local_steps : Missing_rho_with_local_steps.
Proof. exact missing_rho_with_local_steps_run. Qed.
Theorem negative_sketch_term : Negative_sketch_term.
Proof. exact negative_sketch_term_run. Qed.
Theorem expectation_dropped : Expectation_dropped.
Proof. exact expectation_dropped_run. Qed.

Theorem heterogeneity_drift : Heterogeneity_drift.
Proof. exact heterogeneity_drift_run. Qed.

Theorem theorem_1_is_false_under_every_condition : Theorem_1_is_false_under_every_condition.
Proof. intros u. apply broken. intros C. destruct (missing_rho u C) as [r [H _]]. now exists r. Qed.
Theorem theorem_1_is_false : Theorem_1_is_false.
Proof.
  intros u H. apply (weaker_theorem u _ (fun r => every_condition r /\ lossless r u)) in H.
  2: now intros r [[Hr _] _].
  exact (theorem_1_is_false_under_every_condition u H).
Qed.

(** The short run has the same left side in every outcome. *)
Theorem theorem_1_is_false_in_expectation : Theorem_1_is_false_in_expectation.
Proof.
  intros u [C [_ H]]. destruct (short_breaks u C) as [rows [cols [pos [Hl [Ha [Hc [Hs _]]]]]]].
  set (r := short_run rows cols pos) in *. specialize (H r Hl Ha (conj Hc Hs)).
  assert (Hmean : 127 / 2 + 1 <= chance r (left_side r (broadcast r))).
  { rewrite <- (E_const (chance r) (127 / 2 + 1)).
    apply E_mono; [apply int_const|apply everything_int; simpl; auto|].
    intros o _. left. apply (short_left rows cols pos o). }
  rewrite (E_same (chance r) (left_side r (before_top_k r u)) (left_side r (broadcast r))) in H.
  - rewrite Rmin_left in H by lra. pose proof (short_right rows cols pos) as Hright. fold r in Hright. lra.
  - intros o. apply quadratic_before; try lia; try lra. apply (has_sizes r u Ha).
Qed.
