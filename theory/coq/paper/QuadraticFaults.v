(** * The runs on one quadratic: eq:gamma_range without L, the missing ρ, the negative sketch term *)
From Coq Require Import Reals Lra Lia Arith FunctionalExtensionality.
From FPS.paper Require Import Setting Theorem1 ScalarRun RunTools QuadraticRun.
Open Scope R_scope.

Ltac numbers := cbv [gamma L mu P_b P_n b2 sigma2 B c W constants Es quadratic_run scalar_run
    quadratic_letters
  in_gamma_range rho_printed gamma_max rho H amplification gamma_max_positive gamma_max_drift
      gamma_max_descent INR].

(** f = 36w², γ = 1/36, P_b = 1/20, T = 99, c = 100: w_t = (−1)^t. *)
Lemma range_without_smoothness_run : Range_without_smoothness.
Proof.
  intros u C. destruct (large_shape C (ln (INR 1 * INR 99 / (1 / 2))) (100 * INR 1)) as [rows [cols [Hr [Hc
      [Hrows Hcols]]]]].
  exists (quadratic_run 72 (1 / 36) 0 (1 / 20) 100 99 rows cols Hc).
  assert (Hf : factor 72 (1 / 36) 0 = -1) by (unfold factor; lra).
  assert (Hsum : / (INR 99 + 1) * sum 100 (fun t => 72 ^ 2 * (factor 72 (1 / 36) 0 ^ t) ^ 2) = 72 ^ 2).
  { rewrite Hf, (sum_ext _ _ (fun _ => 72 ^ 2)).
    - rewrite sum_const. change (INR 100) with (INR (99 + 1)). rewrite plus_INR.
      replace (INR 99) with 99 by (simpl; lra).
      simpl. field.
    - intros t _. rewrite <- pow_mult, Nat.mul_comm, pow_1_even. ring. }
  split; [|split; [reflexivity|split; [numbers; lra|split]]].
  - apply (quadratic_breaks 72 (1 / 36) 0 (1 / 20) 100 99 rows cols Hc) with (tail_ := 0); try lra; auto;
      try lia.
    + now apply quadratic_large.
    + unfold main_text_conditions. numbers. split; lra.
    + unfold generous_right_side. f_equal. apply generous_tail_at_one.
    + rewrite Hsum. replace (INR 99) with 99 by (simpl; lra). lra.
  - intros t m e o w. simpl. f_equal. ring.
  - intros o. rewrite quadratic_left. exact Hsum.
Qed.

(** f = 5w², γ = 1/50, P_b = 1/16, β = −∇f/4, T = 3, c = 100. *)
Definition short_run rows cols (pos : (1 <= cols)%nat) : run :=
  quadratic_run 10 (1 / 50) (1 / 4) (1 / 16) 100 3 rows cols pos.
Lemma short_left rows cols pos o :
  let r := short_run rows cols pos in 127 / 2 + 1 < left_side r (broadcast r) o < 66.
Proof. cbv zeta. unfold short_run. rewrite quadratic_left. unfold factor. simpl. lra. Qed.
Lemma short_right rows cols pos : generous_right_side (short_run rows cols pos) = 127 / 2.
Proof.
  unfold generous_right_side. change (printed_tail _) with (tail 2 (INR 1) (INR 1)).
  rewrite generous_tail_at_one. unfold short_run. rewrite quadratic_right by lra. simpl. lra.
Qed.
Lemma short_breaks u C : exists rows cols pos,
  breaks_theorem_1 u C every_condition generous_right_side (short_run rows cols pos).
Proof.
  destruct (large_shape C (ln (INR 1 * INR 3 / (1 / 2))) (100 * INR 1)) as [rows [cols [Hr [Hc [Hrows
      Hcols]]]]].
  exists rows, cols, Hc.
  apply (quadratic_breaks 10 (1 / 50) (1 / 4) (1 / 16) 100 3 rows cols Hc) with (tail_ := 0);
    try lra; auto; try lia; try (unfold factor; lra).
  - now apply quadratic_large.
  - unfold every_condition. numbers. repeat split; lra.
  - unfold generous_right_side. f_equal. apply generous_tail_at_one.
  - unfold factor. simpl. lra.
Qed.
Lemma missing_rho_run : Missing_rho.
Proof.
  intros u C. destruct (short_breaks u C) as [rows [cols [pos H]]]. exists (short_run rows cols pos).
  split; [auto|split].
  - intros t m e o w. simpl. apply functional_extensionality. intros i. unfold lift. field.
  - intros o. pose proof (short_left rows cols pos o) as Hl. cbv zeta in Hl. rewrite short_right.
    assert (0 < rho_printed (short_run rows cols pos) < 1 / 2) by (unfold short_run; numbers; split; lra).
    nra.
Qed.

(** f = w²/2, γ = 1/40, P_b = 1/100, T = 99, c = 100. *)
Lemma negative_sketch_term_run : Negative_sketch_term.
Proof.
  intros u C. destruct (large_shape C (ln (INR 1 * INR 99 / (1 / 2))) (100 * INR 1)) as [rows [cols [Hr [Hc
      [Hrows Hcols]]]]].
  exists (quadratic_run 1 (1 / 40) 0 (1 / 100) 100 99 rows cols Hc).
  assert (Hright : 1 / 2 / (1 / 40 * (INR 99 + 1)) + (1 / 100 + -7 / 24) * 1 ^ 2 < 0).
  { replace (INR 99) with 99 by (simpl; lra). lra. }
  split.
  - apply (quadratic_breaks 1 (1 / 40) 0 (1 / 100) 100 99 rows cols Hc) with (tail_ := -7 / 24);
      try lra; auto; try lia; try (unfold factor; lra).
    + now apply quadratic_large.
    + unfold every_condition. numbers. repeat split; lra.
    + unfold printed_right_side. f_equal. apply tail_at_one.
    + apply Rlt_le_trans with (1 := Hright). apply Rmult_le_pos.
      * left. apply Rinv_0_lt_compat. pose proof (pos_INR 99). lra.
      * apply sum_nonneg. intros t _. pose proof (pow2_ge_0 (factor 1 (1 / 40) 0 ^ t)). lra.
  - unfold printed_right_side. change (printed_tail _) with (tail 2 (INR 1) (INR 1)).
    rewrite tail_at_one, quadratic_right by lra. exact Hright.
Qed.
