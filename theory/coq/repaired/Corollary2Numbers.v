(** * Lemmas for Corollary 2: sums, powers, and the last lines as inequalities between numbers *)
From Coq Require Import Reals Lra Lia.
From FPS.tools Require Import Sums.
Open Scope R_scope.

(** ** Sums and powers *)
Lemma sum_e n : sum n INR = INR n * (INR n - 1) / 2.
Proof. induction n as [|n IH]; [simpl; lra|]. cbn [sum]. rewrite IH, S_INR. field. Qed.
Lemma sum_e2 n : sum n (fun e => INR e ^ 2) = INR n * (INR n - 1) * (2 * INR n - 1) / 6.
Proof. induction n as [|n IH]; [simpl; lra|]. cbn [sum]. rewrite IH, S_INR. field. Qed.
Lemma bernoulli t n : 0 <= t <= 1 -> 1 - INR n * t <= (1 - t) ^ n.
Proof.
  intros Ht. induction n as [|n IH]; [simpl; lra|]. rewrite S_INR. cbn [pow].
  assert (0 <= INR n) by apply pos_INR. assert (0 <= (1 - t) ^ n) by (apply pow_le; lra).
  destruct (Rle_dec 0 (1 - INR n * t)); nra.
Qed.
Lemma growth k n : 0 <= k -> INR n * k <= 1 / 8 -> (1 + k) ^ n <= 8 / 7.
Proof.
  intros Hk Hn. destruct (Nat.eq_dec n 0) as [->|H0]; [simpl; lra|].
  assert (1 <= INR n) by (apply (le_INR 1); lia). assert (Hk1 : k <= 1) by nra.
  pose proof (bernoulli k n ltac:(lra)). assert (Hp : (1 + k) ^ n * (1 - k) ^ n <= 1).
  { rewrite <- Rpow_mult_distr. apply Rle_trans with (1 ^ n); [apply pow_incr; split; nra|rewrite pow1; lra].
    }
  assert (0 <= (1 + k) ^ n) by (apply pow_le; lra). nra.
Qed.
Lemma root_le e : sqrt (INR e) <= INR e.
Proof.
  destruct e as [|e]; [simpl; rewrite sqrt_0; lra|]. assert (1 <= INR (S e)) by (apply (le_INR 1); lia).
  apply square_le; [lra|]. rewrite sqrt_sqrt; nra.
Qed.
Lemma root_tangent s e : 0 < s -> sqrt (INR e) <= INR e / (2 * s) + s / 2.
Proof.
  intros Hs. pose proof (sqrt_sqrt (INR e) (pos_INR e)). pose proof (pow2_ge_0 (sqrt (INR e) - s)).
  apply Rmult_le_reg_l with (2 * s); [lra|].
  replace (2 * s * (INR e / (2 * s) + s / 2)) with (INR e + s * s) by (field; lra).
  nra.
Qed.

(** ** The last lines, on numbers: F² and the noise in (★), solved for A *)
Lemma solved A K F2 rho2 un P_b B G2 b2 s2 h c v gn P_n :
  0 <= A -> 0 <= P_b -> 0 <= G2 -> 0 <= b2 -> 0 <= s2 -> 0 <= h -> 1 <= c -> 0 <= v -> 1 <= B -> 0 <= gn ->
    0 <= P_n ->
  let Q := 1 - P_b * B ^ 2 in 0 < Q ->
  8 * h * c * B <= Q -> 16 * gn * P_n * B ^ 2 <= Q ->
  F2 <= (1 + Q / 5) * (P_b * (G2 + B ^ 2 * A) + b2) + (1 + 5 / Q) *
        (64 / 49 * (8 / 9 * (h * c) ^ 2 * (G2 + B ^ 2 * A) + 16 / 9 * h ^ 2 * b2 + 8 / 3 * v * s2)) ->
  un <= gn * (45 / 16 * P_n * (G2 + B ^ 2 * A) + 5 / 8 * b2 + 21 / 8 * s2) ->
  A <= K + F2 + 2 * rho2 + un ->
  A <= 2 / Q * (K + 2 * rho2 + 36 / 25 * b2 + (6 / 5 * P_b + 8 * (h * c) ^ 2 / Q) * G2 + 24 * v * s2 / Q
                + gn * (21 / 8 * s2 + 5 / 8 * b2 + 45 / 16 * P_n * G2)).
Proof.
  intros HA HPb HG Hb Hs Hh Hc Hv HB Hgn HPn Q HQ H1 H2 HF Hun Hstar.
  assert (HQ1 : Q <= 1) by (unfold Q; nra).
  assert (Hhc : 0 <= h * c) by (apply Rmult_le_pos; lra).
  assert (X1 : (h * c) ^ 2 * B ^ 2 <= Q ^ 2 / 64).
  { replace ((h * c) ^ 2 * B ^ 2) with ((h * c * B) ^ 2) by ring.
    assert (0 <= h * c * B) by (apply Rmult_le_pos; lra). assert (h * c * B <= Q / 8) by lra. nra. }
  assert (X2 : h ^ 2 <= Q ^ 2 / 64).
  { assert (h * 1 <= h * c) by (apply Rmult_le_compat_l; lra).
    assert (h * c * 1 <= h * c * B) by (apply Rmult_le_compat_l; lra). assert (h <= Q / 8) by lra. nra. }
  set (Y1 := (h * c) ^ 2) in *. set (Y2 := h ^ 2) in *.
  assert (HY1 : 0 <= Y1) by apply pow2_ge_0. assert (HY2 : 0 <= Y2) by apply pow2_ge_0.
  assert (HB2 : 0 <= B ^ 2) by apply pow2_ge_0.
  assert (X3 : gn * P_n * B ^ 2 * A <= Q / 16 * A) by (apply Rmult_le_compat_r; lra).
  assert (X4 : Y1 * B ^ 2 * A <= Q ^ 2 / 64 * A) by (apply Rmult_le_compat_r; lra).
  assert (X5 : Y2 * b2 <= Q ^ 2 / 64 * b2) by (apply Rmult_le_compat_r; lra).
  assert (X6 : P_b * B ^ 2 * A = (1 - Q) * A) by (unfold Q; ring).
  (* 1 + 5/Q ≤ 6/Q *)
  set (W := 64 / 49 * (8 / 9 * Y1 * (G2 + B ^ 2 * A) + 16 / 9 * Y2 * b2 + 8 / 3 * v * s2)) in *.
  assert (HW0 : 0 <= W).
  { unfold W. assert (0 <= B ^ 2 * A) by (apply Rmult_le_pos; lra).
    assert (0 <= Y1 * (G2 + B ^ 2 * A)) by (apply Rmult_le_pos; lra).
    assert (0 <= Y2 * b2) by (apply Rmult_le_pos; lra). assert (0 <= v * s2) by (apply Rmult_le_pos; lra).
    lra. }
  set (iQ := / Q). assert (HiQ : iQ * Q = 1) by (unfold iQ; field; lra). assert (HiQ1 : 1 <= iQ) by nra.
  assert (HW : (1 + 5 / Q) * W <= 6 * iQ * W) by (unfold Rdiv; fold iQ; nra).
  assert (HW2 : iQ * W <= 64 / 49 * (8 / 9 * (iQ * Y1 * G2) + 8 / 9 * (Q / 64 * A) + 16 / 9 * (Q / 64 * b2) +
    8 / 3 * (iQ * (v * s2)))).
  { unfold W.
    assert (iQ * (Y1 * B ^ 2 * A) <= Q / 64 * A).
    { apply Rle_trans with (iQ * (Q ^ 2 / 64 * A)); [apply Rmult_le_compat_l; lra|]. right.
      replace (iQ * (Q ^ 2 / 64 * A)) with ((iQ * Q) * (Q / 64 * A)) by field. rewrite HiQ; ring. }
    assert (iQ * (Y2 * b2) <= Q / 64 * b2).
    { apply Rle_trans with (iQ * (Q ^ 2 / 64 * b2)); [apply Rmult_le_compat_l; lra|]. right.
      replace (iQ * (Q ^ 2 / 64 * b2)) with ((iQ * Q) * (Q / 64 * b2)) by field. rewrite HiQ; ring. }
    lra. }
  assert (HYG : 0 <= iQ * Y1 * G2) by (apply Rmult_le_pos; [apply Rmult_le_pos|]; lra).
  assert (Hvs : 0 <= iQ * (v * s2)) by (apply Rmult_le_pos; [|apply Rmult_le_pos]; lra).
  assert (HPG : Q / 5 * (P_b * G2) <= 1 / 5 * (P_b * G2))
    by (apply Rmult_le_compat_r; [apply Rmult_le_pos; lra|lra]).
  assert (Hbb : Q / 5 * b2 <= 1 / 5 * b2) by (apply Rmult_le_compat_r; lra).
  assert (HQb : Q * b2 <= b2) by lra.
  assert (HQA : 0 <= Q * A) by (apply Rmult_le_pos; lra).
  assert (HQQ : 0 <= Q * (Q * A)) by (apply Rmult_le_pos; lra).
  apply Rmult_le_reg_l with (Q / 2); [lra|].
  replace (Q / 2 * (2 / Q * (K + 2 * rho2 + 36 / 25 * b2 + (6 / 5 * P_b + 8 * Y1 / Q) * G2 + 24 * v * s2 / Q
                + gn * (21 / 8 * s2 + 5 / 8 * b2 + 45 / 16 * P_n * G2)))) with
   (K + 2 * rho2 + 36 / 25 * b2 + 6 / 5 * (P_b * G2) + 8 * (iQ * Y1 * G2) + 24 * (iQ * (v * s2))
                + gn * (21 / 8 * s2 + 5 / 8 * b2 + 45 / 16 * P_n * G2)) by (unfold iQ; field; lra).
  assert (X7 : Q * (P_b * B ^ 2 * A) = Q * ((1 - Q) * A)) by (rewrite X6; ring).
  assert (HF2 : F2 <= 6 / 5 * (P_b * G2) + 6 / 5 * b2 + (1 - Q) * A + 1 / 5 * (Q * A) + 6 * iQ * W) by lra.
  lra.
Qed.

