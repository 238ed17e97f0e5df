(** * Proof of Lemma 2' and its closed forms *)
From Coq Require Import Reals Lra Lia.
From FPS.repaired Require Import Setting Drift DriftRecursion DriftClosedForms DriftInL2 DriftAttained.
Open Scope R_scope.

Theorem drift_in_any_space : Drift_In_Any_Space.
Proof. unfold Drift_In_Any_Space. intros.
now apply (path_bound gamma mu L P_b P_n b sigma D H V y g beta zeta n). Qed.

Theorem drift_of_a_round : Drift_Of_A_Round.
Proof.
  intros r ok t D Ht HD HDb e He.
  exact (drift_square_in_L2 r ok _ (round r) (fun i => (t, i)) (round_sq r t Ht) (round_le r t Ht) D HD HDb e
    He).
Qed.

Theorem drift_of_a_run : Drift_Of_A_Run.
Proof.
  intros r ok D HD HDb e He.
  exact (drift_square_in_L2 r ok _ (everything r) (fun i => i) (run_sq r) (run_le r) D HD HDb e He).
Qed.

Theorem drift_closed_form : Drift_Closed_Form.
Proof. unfold Drift_Closed_Form. intros. now apply closed. Qed.

Theorem drift_square_form : Drift_Square_Form.
Proof. unfold Drift_Square_Form. intros. now apply square. Qed.

Theorem drift_paper_form : Drift_Paper_Form.
Proof.
  intros gamma mu L P_b P_n b sigma D fine e.
  apply Rle_trans with (1 := square gamma mu L P_b P_n b sigma D fine e).
  destruct fine as (ga & _ & HL & Pb & Pn & HD). unfold drift_squared.
  set (W := (1 + kappa gamma L P_b P_n) ^ (2 * e) * gamma ^ 2 * INR e ^ 2).
  assert (HW : 0 <= W).
  { pose proof (kappa_nonneg gamma L P_b P_n ga HL).
    apply Rmult_le_pos; [apply Rmult_le_pos; [apply pow_le; lra|]|]; apply pow2_ge_0. }
  replace (2 * (1 + kappa gamma L P_b P_n) ^ (2 * e) * gamma ^ 2 * INR e ^ 2) with (W * 2)
    by (unfold W; ring).
  replace (7 / 2 * (1 + kappa gamma L P_b P_n) ^ (2 * e) * gamma ^ 2 * INR e ^ 2) with (W * (7 / 2))
    by (unfold W; field).
  rewrite !Rmult_assoc. apply Rmult_le_compat_l; [exact HW|].
  pose proof (pow2_ge_0 D). pose proof (pow2_ge_0 b). pose proof (pow2_ge_0 sigma). nra.
Qed.

(** After one step S_1² = γ²(1 + 1)² = 4γ², and the square form is 2C(1+γ)²γ². *)
Theorem drift_two_is_best : Drift_Two_Is_Best.
Proof.
  intros C HC.
  assert (Hsmall : exists g, 0 < g <= 1 /\ C * (1 + g) ^ 2 < 2).
  { destruct (Rle_dec C 0) as [H|H]; [exists 1; nra|]. exists ((2 - C) / 8). nra. }
  destruct Hsmall as (g & [Hg Hg1] & Hgap). exists g. split; [exact Hg|].
  assert (Hs : drift g 0 1 0 0 1 0 1 1 ^ 2 = 4 * g ^ 2).
  { unfold drift, drift_step, bias_bound, noise_bound. rewrite pow2_sqrt.
    - replace (0 * (1 + 1 * 0) ^ 2 + 1 ^ 2) with (1 ^ 2) by ring. rewrite sqrt_pow2 by lra. ring.
    - apply Rplus_le_le_0_compat; [apply pow2_ge_0|]. apply Rmult_le_pos; [apply pow2_ge_0|]. lra. }
  rewrite Hs. unfold drift_squared, kappa, c_all, c_b. rewrite sqrt_0. simpl INR. simpl Nat.mul.
  assert (0 < g ^ 2) by (apply pow_lt; lra). nra.
Qed.

Theorem drift_attained : Drift_Attained.
Proof. exact attained. Qed.
