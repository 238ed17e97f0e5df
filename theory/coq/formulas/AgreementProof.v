(** * Proof that the calculators evaluate the formulas of the theorems *)
From Coq Require Import Reals Lra Lia Field.
From FPS.tools Require Import Sums.
From FPS.formulas Require Import Agreement.
From FPS.paper Require Import Formulas.
From FPS.repaired Require Import Drift TheoremA Corollary1 Corollary2.
From FPS.residual Require Import SketchResidual PowerLaw RandomHash MedianFailure AdaptiveHash.
From FPS.sketch_space Require Import FormulasB.
Open Scope R_scope.

Lemma amplification_pos B P_b P_n : 0 <= P_b -> 0 <= P_n -> 0 < 1 + 2 * B ^ 2 * (P_b + P_n).
Proof. intros. assert (0 <= B ^ 2 * (P_b + P_n)) by (apply Rmult_le_pos; [apply pow2_ge_0|lra]). lra. Qed.

Theorem printed_formulas_agree : Printed_Formulas_Agree.
Proof.
  intros B E L P_b P_n gamma mu b2 s2 c d k p W gap T sq Hb Hn Hc Hp.
  pose proof (amplification_pos B P_b P_n Hb Hn) as Ha.
  assert (Hq : 2 * p - 1 <> 0) by lra.
  assert (Htail : G.tail_paper d k p = tail p k d).
  { unfold G.tail_paper, tail. replace (1 + k) with (k + 1) by ring.
    replace (1 + -2 * p) with (1 - 2 * p) by ring. field. lra. }
  split; [|split; [exact Htail|split; [|split]]].
  - unfold G.rho_paper, Formulas.rho, Formulas.H, amplification. field. lra.
  - unfold lemma_1_bound. rewrite <- Htail. unfold G.lemma1_paper, G.tail_paper. field. lra.
  - unfold G.lemma2_paper, lemma_2_bound, amplification. ring.
  - intros Hg HT. rewrite <- Htail.
    unfold G.theorem1_terms, theorem_1_bound, optimisation_term, sketch_term, bias_term, noise_term, G.tail_paper.
    field. repeat split; lra.
Qed.

(** slope·γ ≤ upper is γ ≤ upper/slope where the slope is positive. *)
Lemma condition_as_quotient slope upper gamma q :
  0 < slope -> q = upper / slope -> (slope * gamma <= upper <-> gamma <= q).
Proof.
  intros Hs ->. split; intros H.
  - apply Rmult_le_reg_l with slope; [auto|]. replace (slope * (upper / slope)) with upper by (field; lra). exact H.
  - apply Rmult_le_compat_l with (r := slope) in H; [|lra].
    replace (slope * (upper / slope)) with upper in H by (field; lra). exact H.
Qed.

Theorem printed_conditions_agree : Printed_Conditions_Agree.
Proof.
  intros B E L P_b P_n gamma mu Hb Hn HL HE.
  pose proof (amplification_pos B P_b P_n Hb Hn) as Ha.
  assert (H2 : 0 <= B ^ 2) by apply pow2_ge_0.
  assert (0 <= P_b * B ^ 2) by (apply Rmult_le_pos; auto).
  assert (0 <= P_n * B ^ 2) by (apply Rmult_le_pos; auto).
  assert (0 <= P_n * B ^ 2 * (L + mu)) by (apply Rmult_le_pos; lra).
  assert (HE2 : 0 < E ^ 2) by (apply pow_lt; lra).
  assert (Hw : 0 < 1 + P_b * B ^ 2 + (L + mu + 1) * P_n * B ^ 2) by nra.
  split; [|split].
  - apply condition_as_quotient.
    + unfold G.gamma_range_slope. apply Rmult_lt_0_compat; [auto|nra].
    + unfold gamma_max, G.gamma_range_upper, G.gamma_range_slope. field. repeat split; try lra; nra.
  - apply condition_as_quotient.
    + unfold G.drift_step_slope. apply Rmult_lt_0_compat; [|lra]. apply Rmult_lt_0_compat; lra.
    + unfold gamma_max_drift, G.drift_step_upper, G.drift_step_slope, amplification. field. repeat split; lra.
  - apply condition_as_quotient; [unfold G.descent_step_slope; lra|].
    unfold gamma_max_descent, G.descent_step_upper, G.descent_step_slope. field. lra.
Qed.

Lemma bias_agrees P_b b h : G.bias P_b (b ^ 2) h = bias_bound P_b b h.
Proof. unfold G.bias, bias_bound. f_equal. ring. Qed.
Lemma noise_agrees P_n sigma h : G.noise P_n (sigma ^ 2) h = noise_bound P_n sigma h.
Proof. unfold G.noise, noise_bound. ring. Qed.

Theorem drift_agrees : Drift_Agrees.
Proof.
  intros gamma mu L P_b P_n b sigma D s h. split; [apply bias_agrees|]. split; [apply noise_agrees|].
  unfold G.drift_next, drift_step, bias_bound, noise_bound.
  rewrite (Rplus_comm (b ^ 2) (P_b * (D + L * s) ^ 2)). f_equal. ring.
Qed.

Theorem errors_of_theorem_a_agree : Errors_Of_Theorem_A_Agree.
Proof.
  intros nu gamma mu L P_b P_n b sigma steps D S sh. split.
  - unfold F_at. apply sum_ext; intros e _. rewrite <- bias_agrees. unfold G.step_error, G.bias, slope. fold (S e).
    fold (sh e). ring.
  - unfold N_at. f_equal. apply sum_ext; intros e _. rewrite <- noise_agrees. unfold G.step_noise, G.noise, slope.
    fold (S e). fold (sh e). ring.
Qed.

Lemma best_x_agrees u l low high : G.best_x high l low u = best_x u l low high.
Proof.
  unfold G.best_x, best_x. destruct (Rle_dec 1 u) as [|Hu]; [reflexivity|].
  rewrite Rmin_comm, Rmax_comm. f_equal. f_equal. unfold Rdiv. do 2 f_equal. ring.
Qed.

Theorem star_agrees : Star_Agrees.
Proof.
  intros Am B g Delta gamma Ebar T rho u N x l low high K F.
  split; [|split; [|split; [|split; [|split; [|split; [|split; [|split]]]]]]].
  - intros r. unfold G.u_a, Run.u, G.rho, TheoremA.rho. split; ring.
  - unfold G.d_square, D_at. f_equal. ring.
  - intros. unfold G.optimisation, optimisation. field. auto.
  - unfold G.inner_many, inner_many. ring.
  - unfold G.inner_one, inner_one. ring.
  - unfold G.inner. ring.
  - apply best_x_agrees.
  - cbv zeta. simpl fst. simpl snd. rewrite best_x_agrees. unfold star_right_side, G.star, G.inner.
    replace (G.lowest_x Am F) with (Rmax 0 (sqrt Am - F)) by (unfold G.lowest_x; f_equal; ring).
    replace (G.highest_x Am F) with (sqrt Am + F) by (unfold G.highest_x; ring). ring.
  - unfold G.linear. ring.
Qed.

(** The limit with the smaller value decides; which one that is depends on n against 1 − s². *)
Lemma Rmult_le_0_l a x : 0 <= a -> x <= 0 -> a * x <= 0.
Proof. intros. nra. Qed.
Lemma smaller_limit a n s t : 0 <= a -> -1 < s < 1 -> t = - s -> s * (n - (1 - s ^ 2)) <= 0 ->
  a * (n + (1 + s) ^ 2) < 2 * (1 + s) -> a * (n + (1 + t) ^ 2) < 2 * (1 + t).
Proof.
  intros Ha Hs -> Hn H. apply Rmult_lt_reg_l with (1 + s); [lra|].
  apply Rle_lt_trans with ((1 - s) * (a * (n + (1 + s) ^ 2))).
  - assert (a * (s * (n - (1 - s ^ 2))) <= 0) by (apply Rmult_le_0_l; auto). nra.
  - apply Rlt_le_trans with ((1 - s) * (2 * (1 + s))); [apply Rmult_lt_compat_l; lra|lra].
Qed.

Theorem range_of_one_step_agrees : Range_Of_One_Step_Agrees.
Proof.
  intros gamma mu L P_b P_n B nu HL Hg Hb Hn HB Hnu s n Hs.
  split; [|unfold G.a4_slope, G.a4_upper; split; intros; lra].
  assert (Hs0 : 0 <= s) by (apply Rmult_le_pos; [apply sqrt_pos|auto]).
  assert (Hsq : s ^ 2 = P_b * B ^ 2) by (unfold s; rewrite Rpow_mult_distr, pow2_sqrt; auto).
  assert (Ha : 0 <= L * gamma) by (apply Rmult_le_pos; lra).
  replace (L * (n + (1 - s) ^ 2) * gamma) with (L * gamma * (n + (1 - s) ^ 2)) by ring.
  replace (L * (n + (1 + s) ^ 2) * gamma) with (L * gamma * (n + (1 + s) ^ 2)) by ring.
  unfold G.sharp_e1_small_noise_slope, G.sharp_e1_small_noise_upper, G.sharp_e1_large_noise_slope,
    G.sharp_e1_large_noise_upper.
  replace (L * ((1 + B * sqrt P_b) ^ 2 + P_n * nu * B ^ 2) * gamma) with (L * gamma * (n + (1 + s) ^ 2))
    by (unfold n, s; ring).
  replace (L * ((1 + -1 * B * sqrt P_b) ^ 2 + P_n * nu * B ^ 2) * gamma) with (L * gamma * (n + (1 - s) ^ 2))
    by (unfold n, s; ring).
  replace (2 + 2 * B * sqrt P_b) with (2 * (1 + s)) by (unfold s; ring).
  replace (2 + -2 * B * sqrt P_b) with (2 * (1 - s)) by (unfold s; ring).
  rewrite <- Hsq. destruct (Rlt_dec n (1 - s ^ 2)) as [Hlt|Hge]; split; try tauto; intros H; split; auto.
  - replace (1 - s) with (1 + - s) by ring. apply (smaller_limit _ n s); auto; [lra|].
    assert (0 <= s * (1 - s ^ 2 - n)) by (apply Rmult_le_pos; lra). lra.
  - replace (1 + s) with (1 + - - s) by ring. replace (1 - s) with (1 + - s) in H by ring.
    apply (smaller_limit _ n (- s)); auto; [lra|].
    replace ((- s) ^ 2) with (s ^ 2) by ring.
    assert (0 <= s * (n - (1 - s ^ 2))) by (apply Rmult_le_pos; lra). lra.
Qed.

Theorem corollary_1_agrees : Corollary_1_Agrees.
Proof.
  intros gamma L P_b P_n b sigma g B nu Delta R2 T. split; [unfold G.rho_1, rho_1; ring|]. split.
  - unfold corollary1_conditions, G.corollary1_conditions_1_slope, G.corollary1_conditions_1_upper,
      G.corollary1_conditions_2_slope, G.corollary1_conditions_2_upper.
    split; intros [H1 H2]; split; try exact H1; lra.
  - intros Hg HT [H1 H2]. unfold G.corollary1_terms, corollary1_bound, rho_1. field. repeat split; try lra; nra.
Qed.

Theorem corollary_2_agrees : Corollary_2_Agrees.
Proof.
  intros gamma mu L P_b P_n b sigma g B nu Delta R2 steps Ebar T HP. split.
  - unfold corollary2_conditions, c_all, c_b, G.corollary2_conditions_1_slope, G.corollary2_conditions_1_upper,
      G.corollary2_conditions_2_slope, G.corollary2_conditions_2_upper,
      G.corollary2_conditions_3_slope, G.corollary2_conditions_3_upper.
    split; [intros [H1 [H2 H3]]; split; [auto|]|intros [_ [H1 [H2 H3]]]]; repeat split; lra.
  - intros Hg HE HT. unfold G.corollary2_terms, corollary2_bound, c_all, c_b. field. repeat split; lra.
Qed.

Theorem lemma_1_agrees : Lemma_1_Agrees.
Proof.
  intros k eta tau_k delta c d p W J K h s oth noise2 tau2 y theta tail1 Hc Hp Hd HK Hy HJ Hh Ht.
  assert (Hq : 2 * p - 1 <> 0) by lra.
  assert (Htail : forall a e, G.tail_integral e a p = tail_integral a e p).
  { intros a e. unfold G.tail_integral, tail_integral. replace (1 + -2 * p) with (1 - 2 * p) by ring. field. lra. }
  repeat split.
  - unfold G.residual_by_largest, residual_by_largest. ring.
  - unfold G.residual_by_l2, residual_by_l2. rewrite sqrt_pow2 by auto. ring.
  - apply Htail.
  - unfold tail_midpoint. rewrite <- Htail. unfold G.tail_midpoint, G.tail_integral.
    replace (1 / 2 + k) with (k + / 2) by field. replace (1 / 2 + d) with (d + / 2) by field. reflexivity.
  - unfold lemma1_repaired, residual_with_tail. rewrite <- Htail.
    unfold G.lemma1_repaired. fold (G.tail_integral d k p).
    assert (sqrt c <> 0) by (apply Rgt_not_eq, sqrt_lt_R0; auto). field. lra.
  - unfold G.row_second_moment, row_second_moment. field. lra.
  - unfold G.mean_second_moment, mean_second_moment, row_second_moment. field. lra.
  - unfold G.median_second_moment, median_second_moment, row_second_moment. field. lra.
  - unfold G.row_failure, row_failure. f_equal. field. split; lra.
  - unfold G.adaptive_error, adaptive_bound. field. lra.
Qed.

Theorem binomial_tail_agrees : Binomial_Tail_Agrees.
Proof.
  intros J h q Hq. unfold binomial_tail. apply sum_ext; intros n Hn. f_equal. unfold G.median_failure_term.
  replace (1 + -1 * q) with (1 - q) by ring.
  replace (INR J + -1 * INR n) with (INR (J - n)) by (rewrite minus_INR by lia; ring).
  rewrite !Rpower_pow by lra. reflexivity.
Qed.

Theorem theorem_c_agrees : Theorem_C_Agrees.
Proof.
  intros r x_star HL Hg kappa gamma steps.
  assert (Hk : G.kappa (Run.L r) (Run.P_n r) gamma = kappa).
  { unfold G.kappa, kappa, TheoremC.kappa, gamma. field. lra. }
  split; [exact Hk|]. split; [intros e; unfold G.convex_share, TheoremC.a_, steps; ring|]. split.
  - rewrite <- Hk. unfold G.kappa, G.convex_step_slope, G.convex_step_upper.
    replace (-1 * gamma ^ 2 * (1 + Run.P_n r) + 2 * gamma * / Run.L r)
      with (gamma / Run.L r * (2 - Run.L r * (1 + Run.P_n r) * gamma)) by (field; lra).
    assert (Hq : 0 < gamma / Run.L r) by (apply Rdiv_lt_0_compat; auto).
    split; intros H; [apply Rmult_lt_0_compat; lra|].
    assert (0 < 2 - Run.L r * (1 + Run.P_n r) * gamma); [|lra].
    apply Rmult_lt_reg_l with (gamma / Run.L r); [auto|]. rewrite Rmult_0_r. exact H.
  - intros Hne HT. assert (INR (Run.T r) <> 0) by (apply not_0_INR; lia). split; [|split].
    + unfold TheoremC.C_. apply sum_ext; intros e _. unfold G.convex_summand. fold kappa gamma. field. auto.
    + unfold G.convex_bound, TheoremC.bound_C. fold kappa gamma steps. field. auto.
    + unfold G.convex_bound_residual, TheoremC.bound_C_with_residual. fold kappa gamma steps. field. auto.
Qed.

Theorem theorem_b_agrees : Theorem_B_Agrees.
Proof.
  intros gamma mu L P_b P_n b sigma D nu ell_M Lam_b Lam_n steps tau Ebar L_M rho u start N Delta T S sh Hg HE HT.
  split; [|split; [|split; [|split; [|split; [|split]]]]].
  - unfold F_of. apply sum_ext; intros e _. rewrite <- bias_agrees. unfold G.step_error_m, G.bias, slope.
    fold (S e). fold (sh e). ring.
  - unfold N_of. f_equal. apply sum_ext; intros e _. rewrite <- noise_agrees. unfold G.step_noise_m, G.noise, slope.
    fold (S e). fold (sh e). ring.
  - unfold G.u_m, u_of. ring.
  - unfold G.theta, Theta_of. field. split; lra.
  - intros Hu. unfold G.root_b1, root_B1. replace (2 + -1 * u) with (2 - u) by ring.
    replace (start + N * u) with (start + u * N) by ring. field. lra.
  - intros Hu. unfold G.bound_b1, bound_B1. field. lra.
  - intros Hu. unfold G.bound_b2, bound_B2. field. repeat split; lra.
Qed.
