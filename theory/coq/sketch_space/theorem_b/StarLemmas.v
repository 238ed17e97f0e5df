(** * The last step of Theorem B, in any space with an inner product; and its range u < 2

    a = ∇f(w̃), a + δ = ∇f(X), q the mean step, z its noise. *)
From Coq Require Import Reals Lra.
From FPS.sketch_space Require Import FormulasB.
From FPS.tools Require Import Space.
Open Scope R_scope.

Section Star.
Variable V : space.
Variables a delta q z : V.
Variables K F u rho : R.
Hypothesis u_nonneg : 0 <= u.
Hypothesis descent : 2 * ⟨a + delta, q + z⟩ - u * ‖(q + z)‖² <= K.
Hypothesis unforeseen : ⟨a + delta, z⟩ = 0.
Hypothesis near : ‖(a - q)‖ <= F.
Hypothesis sketched : ‖delta‖ <= rho.

Lemma step_near_gradient : Rabs (‖q‖ - ‖a‖) <= F.
Proof.
  assert (H1 : ‖a‖ <= ‖q‖ + ‖(a - q)‖).
  { rewrite <- (same_norm _ (q + (a - q))%V a); [apply minkowski|]. intro; expand; ring. }
  assert (H2 : ‖q‖ <= ‖a‖ + ‖(a - q)‖).
  { rewrite <- (norm_opp _ (a - q)%V), <- (same_norm _ (a + (-1) *: (a - q))%V q); [apply minkowski|].
    intro; expand; ring. }
  apply Rabs_le; lra.
Qed.
(** B6: 2⟨a, q⟩ = ‖a‖² + ‖q‖² − ‖a − q‖², and 2⟨δ, q⟩ ≥ −2‖δ‖‖q‖ *)
Lemma before_the_noise : ‖a‖² + ‖q‖² <= K + F ^ 2 + 2 * rho * ‖q‖ + u * ‖(q + z)‖².
Proof.
  pose proof (norm_nonneg _ q). pose proof (norm_nonneg _ (a - q)%V). pose proof (norm_nonneg _ delta).
  pose proof (inner_ge _ delta q).
  assert (Hp : 2 * ⟨a, q⟩ = ‖a‖² + ‖q‖² - ‖(a - q)‖²) by (rewrite square_sum, square_scale, inner_scale_r; ring).
  assert (‖(a - q)‖² <= F ^ 2) by (rewrite <- norm_square; nra).
  rewrite inner_add_r, unforeseen, inner_add in descent. nra.
Qed.
Lemma star N : 0 <= N -> ‖z‖² <= N -> ‖a‖² <= K + F ^ 2 + at_x rho u N ‖q‖.
Proof.
  intros HN Hz. pose proof before_the_noise. pose proof (minkowski _ q z). pose proof (norm_nonneg _ (q + z)%V).
  pose proof (norm_square _ q). assert (‖z‖ <= sqrt N) by now apply sqrt_le_1_alt.
  assert (‖(q + z)‖² <= (‖q‖ + sqrt N) ^ 2) by (rewrite <- norm_square; nra). unfold at_x. nra.
Qed.
(** Noise that is orthogonal to the step, as at E = 1 *)
Lemma star_orthogonal N : ⟨q, z⟩ = 0 -> ‖z‖² <= N -> ‖a‖² <= K + F ^ 2 + at_x_one_step rho u N ‖q‖.
Proof.
  intros Ho Hz. pose proof before_the_noise as H. rewrite square_sum, Ho in H. pose proof (norm_square _ q).
  unfold at_x_one_step. nra.
Qed.
End Star.

(** ** The range *)
Section Range.
Variables c F rho u N : R.
Hypothesis c_nonneg : 0 <= c.
Hypothesis F_nonneg : 0 <= F.
Hypothesis rho_nonneg : 0 <= rho.
Hypothesis u_nonneg : 0 <= u.
(** w y² ≤ p + q y bounds y² *)
Lemma quadratic_bounded w p q y : 0 < w -> 0 <= p -> 0 <= q -> 0 <= y -> w * y ^ 2 <= p + q * y -> y ^ 2 <= ((p + q) / w + 1) ^ 2.
Proof.
  intros Hw Hp Hq Hy H. apply pow_incr. split; [auto|]. apply Rnot_lt_le. intro Hc.
  assert (0 <= (p + q) / w) by (apply Rmult_le_pos; [lra|left; now apply Rinv_0_lt_compat]).
  assert (p + q < w * y) by (replace (p + q) with (w * ((p + q) / w)) by (field; lra); nra). nra.
Qed.
Lemma bounded_below_two : u < 2 -> exists B, forall a, 0 <= a ->
  (exists x, 0 <= x /\ Rabs (x - sqrt a) <= F /\ a <= c + F ^ 2 + at_x rho u N x) -> a <= B.
Proof.
  intros Hu. set (n := sqrt N). assert (Hn : 0 <= n) by apply sqrt_pos.
  set (v := Rmax (u - 1) 0). assert (Hv0 : 0 <= v) by apply Rmax_r. assert (Hv1 : u - 1 <= v) by apply Rmax_l.
  assert (Hv : v < 1) by (apply Rmax_lub_lt; lra).
  (* a ≤ c + F² + u n² + 2(ρ + un)x + v x² with x ≤ y + F, y = √a *)
  set (p := c + F ^ 2 + u * n ^ 2 + 2 * (rho + u * n) * F + v * F ^ 2). set (q := 2 * (rho + u * n) + 2 * v * F).
  exists (((p + q) / (1 - v) + 1) ^ 2). intros a Ha [x [Hx [Hd H]]].
  set (y := sqrt a) in *. assert (Hy : 0 <= y) by apply sqrt_pos.
  assert (Hya : a = y ^ 2) by (unfold y; rewrite pow2_sqrt; auto). rewrite Hya in *.
  assert (Hxy : x <= y + F) by (revert Hd; unfold Rabs; destruct (Rcase_abs _); lra).
  assert (Hun : 0 <= rho + u * n) by nra. assert (Hx2 : x ^ 2 <= (y + F) ^ 2) by (apply pow_incr; lra).
  apply quadratic_bounded; auto; [lra| | |].
  - unfold p. assert (0 <= F ^ 2) by apply pow2_ge_0. assert (0 <= n ^ 2) by apply pow2_ge_0.
    assert (0 <= (rho + u * n) * F) by nra. assert (0 <= u * n ^ 2) by nra. assert (0 <= v * F ^ 2) by nra. lra.
  - unfold q. assert (0 <= v * F) by nra. lra.
  - unfold at_x in H. fold n in H.
    assert ((u - 1) * x ^ 2 <= v * x ^ 2) by (apply Rmult_le_compat_r; [apply pow2_ge_0|auto]).
    assert (v * x ^ 2 <= v * (y + F) ^ 2) by (apply Rmult_le_compat_l; auto).
    assert ((rho + u * n) * x <= (rho + u * n) * (y + F)) by (apply Rmult_le_compat_l; auto).
    unfold p, q. simpl in *. lra.
Qed.
Lemma unbounded_from_two : 2 <= u -> forall B, exists a, B < a /\ 0 <= a /\
  exists x, 0 <= x /\ Rabs (x - sqrt a) <= F /\ a <= c + F ^ 2 + at_x rho u N x.
Proof.
  intros Hu B. set (y := Rmax B 0 + 1). assert (Hb : B < y) by (pose proof (Rmax_l B 0); unfold y; lra).
  assert (Hy : 1 <= y) by (pose proof (Rmax_r B 0); unfold y; lra).
  exists (y ^ 2). split; [nra|]. split; [apply pow2_ge_0|]. exists y. split; [lra|].
  rewrite sqrt_pow2 by lra. split; [rewrite Rminus_diag_eq, Rabs_R0; auto|].
  unfold at_x. set (n := sqrt N). assert (Hn : 0 <= n) by apply sqrt_pos.
  assert (H1 : y ^ 2 <= (y + n) ^ 2) by (apply pow_incr; lra). pose proof (pow2_ge_0 (y + n)). pose proof (pow2_ge_0 F).
  assert (2 * (y + n) ^ 2 <= u * (y + n) ^ 2) by (apply Rmult_le_compat_r; auto). assert (0 <= rho * y) by nra. lra.
Qed.
End Range.
