(** * The range of Theorem B with measured D: u < 2 *)
From Coq Require Import Reals Lra.
From FPS.tools Require Import Space.
From FPS.sketch_space Require Import FormulasB.
Open Scope R_scope.

Section Range.
Variables c F rho u N : R.
Hypothesis c_nonneg : 0 <= c.
Hypothesis F_nonneg : 0 <= F.
Hypothesis rho_nonneg : 0 <= rho.
Hypothesis u_nonneg : 0 <= u.
(** w y² ≤ p + q y bounds y² *)
Lemma quadratic_bounded w p q y : 0 < w -> 0 <= p -> 0 <= q -> 0 <= y ->
  w * y ^ 2 <= p + q * y -> y ^ 2 <= ((p + q) / w + 1) ^ 2.
Proof.
  intros Hw Hp Hq Hy H. apply pow_incr. split; [auto|]. apply Rnot_lt_le. intro Hc.
  assert (0 <= (p + q) / w) by (apply Rmult_le_pos; [lra|left; now apply Rinv_0_lt_compat]).
  assert (p + q < w * y) by (replace (p + q) with (w * ((p + q) / w)) by (field; lra); nra). nra.
Qed.
Lemma bounded_below_two : u < 2 -> exists B, forall a, 0 <= a -> star (inner_many rho u N) c F a -> a <= B.
Proof.
  intros Hu. set (n := sqrt N). assert (Hn : 0 <= n) by apply sqrt_pos.
  set (v := Rmax (u - 1) 0). assert (Hv0 : 0 <= v) by apply Rmax_r. assert (Hv1 : u - 1 <= v) by apply Rmax_l.
  assert (Hv : v < 1) by (apply Rmax_lub_lt; lra).
  (* a ≤ c + F² + u n² + 2(ρ + un)x + v x² with x ≤ y + F, y = √a *)
  set (p := c + F ^ 2 + u * n ^ 2 + 2 * (rho + u * n) * F + v * F ^ 2).
  set (q := 2 * (rho + u * n) + 2 * v * F).
  exists (((p + q) / (1 - v) + 1) ^ 2). intros a Ha [x [Hx [Hd H]]].
  set (y := sqrt a) in *. assert (Hy : 0 <= y) by apply sqrt_pos.
  assert (Hya : a = y ^ 2) by (unfold y; rewrite pow2_sqrt; auto). rewrite Hya in *.
  assert (Hxy : x <= y + F) by (revert Hd; unfold Rabs; destruct (Rcase_abs _); lra).
  assert (Hun : 0 <= rho + u * n) by nra. assert (Hx2 : x ^ 2 <= (y + F) ^ 2) by (apply pow_incr; lra).
  apply quadratic_bounded; auto; [lra| | |].
  - unfold p. assert (0 <= F ^ 2) by apply pow2_ge_0. assert (0 <= n ^ 2) by apply pow2_ge_0.
    assert (0 <= (rho + u * n) * F) by nra. assert (0 <= u * n ^ 2) by nra. assert (0 <= v * F ^ 2) by nra.
    lra.
  - unfold q. assert (0 <= v * F) by nra. lra.
  - unfold inner_many in H. fold n in H.
    assert ((u - 1) * x ^ 2 <= v * x ^ 2) by (apply Rmult_le_compat_r; [apply pow2_ge_0|auto]).
    assert (v * x ^ 2 <= v * (y + F) ^ 2) by (apply Rmult_le_compat_l; auto).
    assert ((rho + u * n) * x <= (rho + u * n) * (y + F)) by (apply Rmult_le_compat_l; auto).
    unfold p, q. simpl in *. lra.
Qed.
Lemma unbounded_from_two : 2 <= u -> forall B, exists a, B < a /\ 0 <= a /\ star (inner_many rho u N) c F a.
Proof.
  intros Hu B. set (y := Rmax B 0 + 1). assert (Hb : B < y) by (pose proof (Rmax_l B 0); unfold y; lra).
  assert (Hy : 1 <= y) by (pose proof (Rmax_r B 0); unfold y; lra).
  exists (y ^ 2). split; [nra|]. split; [apply pow2_ge_0|]. exists y. split; [lra|].
  rewrite sqrt_pow2 by lra. split; [rewrite Rminus_diag_eq, Rabs_R0; auto|].
  unfold inner_many. set (n := sqrt N). assert (Hn : 0 <= n) by apply sqrt_pos.
  assert (H1 : y ^ 2 <= (y + n) ^ 2) by (apply pow_incr; lra). pose proof (pow2_ge_0 (y + n)).
  pose proof (pow2_ge_0 F).
  assert (2 * (y + n) ^ 2 <= u * (y + n) ^ 2) by (apply Rmult_le_compat_r; auto).
  assert (0 <= rho * y) by nra. lra.
Qed.
End Range.
