(** * One local step and its recursion, with the constants of Lemma 2 *)
From Coq Require Import Reals Lra Lia.
From FPS.paper Require Import Setting.
Open Scope R_scope.

(** ‖x + y + z‖² ≤ 3(‖x‖² + ‖y‖² + ‖z‖²) and ‖x + y‖² ≤ 2(‖x‖² + ‖y‖²) *)
Lemma square_of_two (V : space) (x y : V) : ‖(x + y)‖² <= 2 * (‖x‖² + ‖y‖²).
Proof. generalize (inner_nonneg _ (x - y)%V). expand. rewrite (inner_sym _ y x). lra. Qed.
Lemma square_of_three (V : space) (x y z : V) : ‖(x + y + z)‖² <= 3 * (‖x‖² + ‖y‖² + ‖z‖²).
Proof.
  generalize (inner_nonneg _ (x - y)%V) (inner_nonneg _ (y - z)%V) (inner_nonneg _ (x - z)%V). expand.
  rewrite (inner_sym _ y x), (inner_sym _ z x), (inner_sym _ z y). lra.
Qed.

Section Step.
Variables (gamma Lam P_b P_n b2 sigma2 B n : R).   (* Lam = L + μ, and n = E − 1 *)
Let A := amplification B P_b P_n.
Hypotheses (n_pos : 1 <= n) (gamma_nonneg : 0 <= gamma) (Lam_pos : 0 < Lam) (P_b_nonneg : 0 <= P_b)
  (P_n_nonneg : 0 <= P_n) (B_large : 1 <= B) (step_size : gamma * (4 * (n + 1) * Lam * A) <= 1).

Lemma A_large : 1 + 2 * (P_b + P_n) <= A.
Proof. unfold A, amplification. assert (1 <= B ^ 2) by nra. nra. Qed.
(** 6E(L+μ)²γ²(1 + 2B²(P_b+P_n)) ≤ 1/(2E) *)
Lemma growth : 6 * (n + 1) * (Lam * gamma) ^ 2 * A <= / (2 * (n + 1)).
Proof.
  pose proof A_large as HA. set (x := Lam * gamma). assert (Hx : 0 <= x) by (unfold x; nra).
  assert (H : 4 * (n + 1) * x * A <= 1) by (unfold x; lra).
  assert (H1 : 4 * (n + 1) * x <= 1) by (assert (0 <= 4 * (n + 1) * x) by nra; nra).
  apply Rmult_le_reg_l with (2 * (n + 1)); [lra|]. rewrite Rinv_r by lra.
  replace (2 * (n + 1) * (6 * (n + 1) * x ^ 2 * A)) with (3 / 4 * ((4 * (n + 1) * x) * (4 * (n + 1) * x *
      A))) by field.
  assert (0 <= 4 * (n + 1) * x) by nra. assert (0 <= 4 * (n + 1) * x * A) by nra. nra.
Qed.
(** 1/(2E−1) + 1/(2E) ≤ 1/(E−1) *)
Lemma growth_sum : / (2 * n + 1) + / (2 * (n + 1)) <= / n.
Proof.
  assert (/ (2 * n + 1) <= / (2 * n)) by (apply Rinv_le_contravar; lra).
  assert (/ (2 * (n + 1)) <= / (2 * n)) by (apply Rinv_le_contravar; lra).
  assert (/ (2 * n) + / (2 * n) = / n) by (field; lra). lra.
Qed.

(** One step: y' = y − γ(g + β + ζ), where g_0 is the gradient at the start and ζ is orthogonal to β. *)
Lemma one_step (V : space) (y y' g g_0 beta zeta : V) :
  same y' (y - gamma *: (g + beta + zeta))%V -> ‖(g - g_0)‖ <= Lam * ‖y‖ ->
  ‖beta‖² <= P_b * ‖g‖² + b2 -> ‖zeta‖² <= P_n * ‖g‖² + sigma2 -> ⟨zeta, beta⟩ = 0 ->
  ‖y'‖² <= (1 + / n) * ‖y‖² + 6 * (n + 1) * gamma ^ 2 * (A * ‖g_0‖² + b2 + sigma2).
Proof.
  intros Hy Hlip Hbeta Hzeta Horth. rewrite (same_square _ _ _ Hy).
  set (h := (g + beta + zeta)%V). set (e := (beta + zeta)%V). set (D := (g - g_0)%V).
  assert (Hh : ‖h‖² <= 3 * (‖e‖² + ‖D‖² + ‖g_0‖²)).
  { apply Rle_trans with (2 := square_of_three V e D g_0). right. apply same_square. intros z.
    unfold h, e, D. expand. ring. }
  assert (He : ‖e‖² = ‖beta‖² + ‖zeta‖²) by (unfold e; expand; rewrite (inner_sym _ beta zeta), Horth; ring).
  assert (Hg : ‖g‖² <= 2 * (‖D‖² + ‖g_0‖²)).
  { apply Rle_trans with (2 := square_of_two V D g_0). right. apply same_square. intros z. unfold D. expand.
    ring. }
  assert (HD : ‖D‖² <= Lam ^ 2 * ‖y‖²).
  { rewrite <- !norm_square. fold D in Hlip. pose proof (norm_nonneg _ D). pose proof (norm_nonneg _ y).
    assert (0 <= Lam * ‖y‖) by nra. nra. }
  assert (Hyoung : ‖(y - gamma *: h)‖² <= (1 + / (2 * n + 1)) * ‖y‖² + 2 * (n + 1) * (gamma ^ 2 * ‖h‖²)).
  { pose proof (young V y ((-1) *: (gamma *: h))%V (/ (2 * n + 1)) ltac:(apply Rinv_0_lt_compat; lra)) as Y.
    rewrite Rinv_inv in Y. rewrite !square_scale in Y. lra. }
  assert (Htotal : ‖h‖² <= 3 * (A * (Lam ^ 2 * ‖y‖² + ‖g_0‖²) + b2 + sigma2)).
  { pose proof A_large. pose proof (inner_nonneg _ y). pose proof (inner_nonneg _ g_0).
    pose proof (inner_nonneg _ D).
    assert ((P_b + P_n) * ‖g‖² <= (P_b + P_n) * (2 * (‖D‖² + ‖g_0‖²))) by (apply Rmult_le_compat_l; lra).
    assert ((1 + 2 * (P_b + P_n)) * (‖D‖² + ‖g_0‖²) <= A * (‖D‖² + ‖g_0‖²)) by (apply Rmult_le_compat_r; lra).
    assert (A * ‖D‖² <= A * (Lam ^ 2 * ‖y‖²)) by (apply Rmult_le_compat_l; lra). lra. }
  pose proof growth as G1. pose proof growth_sum as G2. pose proof (inner_nonneg _ y) as Ny.
  assert (H1 : 2 * (n + 1) * (gamma ^ 2 * ‖h‖²) <=
    2 * (n + 1) * (gamma ^ 2 * (3 * (A * (Lam ^ 2 * ‖y‖² + ‖g_0‖²) + b2 + sigma2)))).
  { apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; [apply pow2_ge_0|auto]. }
  assert (H2 : 6 * (n + 1) * (Lam * gamma) ^ 2 * A * ‖y‖² <= / (2 * (n + 1)) * ‖y‖²) by (now apply
      Rmult_le_compat_r).
  assert (H3 : (/ (2 * n + 1) + / (2 * (n + 1))) * ‖y‖² <= / n * ‖y‖²) by (now apply Rmult_le_compat_r).
  apply Rle_trans with (1 := Hyoung). lra.
Qed.
End Step.

(** (1 + 1/n)^e ≤ 3 for e ≤ n *)
Lemma power_at_most_three n e : (1 <= n)%nat -> (e <= n)%nat -> (1 + / INR n) ^ e <= 3.
Proof.
  intros Hn He. assert (Hp : 0 < INR n) by (apply lt_0_INR; lia).
  assert (0 < / INR n) by now apply Rinv_0_lt_compat.
  apply Rle_trans with ((1 + / INR n) ^ n); [apply Rle_pow; [lra|auto]|].
  apply Rle_trans with (2 := exp_le_3).
  replace (exp 1) with (exp (/ INR n) ^ n).
  - apply pow_incr. split; [lra|]. left. apply exp_ineq1. lra.
  - rewrite <- Rpower_pow by apply exp_pos. unfold Rpower. rewrite ln_exp. f_equal. field. lra.
Qed.
(** a_0 = 0 and a_{e+1} ≤ (1 + 1/n)a_e + K give a_e ≤ 2nK for e ≤ n. *)
Lemma recursion n (a : nat -> R) K : (1 <= n)%nat -> 0 <= K -> a O = 0 ->
  (forall e, (e < n)%nat -> a (S e) <= (1 + / INR n) * a e + K) ->
  forall e, (e <= n)%nat -> a e <= 2 * INR n * K.
Proof.
  intros Hn HK H0 Hstep e He. assert (Hp : 0 < INR n) by (apply lt_0_INR; lia).
  assert (H : a e <= INR n * K * ((1 + / INR n) ^ e - 1)).
  { induction e as [|e IH]; [rewrite H0; simpl; lra|].
    apply Rle_trans with (1 := Hstep e ltac:(lia)). specialize (IH ltac:(lia)).
    assert (0 < / INR n) by now apply Rinv_0_lt_compat.
    apply Rle_trans with ((1 + / INR n) * (INR n * K * ((1 + / INR n) ^ e - 1)) + K).
    - apply Rplus_le_compat_r, Rmult_le_compat_l; lra.
    - right. cbn [pow]. field. lra. }
  apply Rle_trans with (1 := H). pose proof (power_at_most_three n e Hn He).
  assert (0 <= INR n * K) by nra. nra.
Qed.
