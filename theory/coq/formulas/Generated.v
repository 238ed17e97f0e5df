(** * The calculators' formulas, printed from their symbolic form

    `make formulas` writes this file: do not edit it. A condition on the learning rate is kept as
    slope * gamma <= upper. A bound is the sum of its named terms. *)
From Coq Require Import Reals.
Open Scope R_scope.

Definition rho_paper (B E L P_b P_n gamma mu : R) : R :=
  ((1 / 2) + ((-1) * gamma * (E ^ 2) * (1 + (2 * (/ (1 + (2 * (B ^ 2) * (P_b + P_n)))))) * (2 + (2 * P_b * (B ^ 2)) + (P_n * (B ^ 2) * (1 + (2 * L) + (2 * mu))))) + ((-1 / 2) * P_b * (B ^ 2) * (E ^ 2) * (1 + (2 * (/ (1 + (2 * (B ^ 2) * (P_b + P_n)))))))).

Definition gamma_range_upper (B E P_b : R) : R :=
  (1 + ((-6) * P_b * (B ^ 2) * (E ^ 2))).

Definition gamma_range_slope (B E L P_b P_n mu : R) : R :=
  ((E ^ 2) * (12 + (12 * P_b * (B ^ 2)) + (12 * P_n * (B ^ 2) * (1 + L + mu)))).

Definition descent_step_upper : R :=
  1.

Definition descent_step_slope (L mu : R) : R :=
  ((2 * L) + (2 * mu)).

Definition drift_step_upper : R :=
  1.

Definition drift_step_slope (B E L P_b P_n mu : R) : R :=
  (4 * E * (1 + (2 * (B ^ 2) * (P_b + P_n))) * (L + mu)).

Definition tail_paper (d k p : R) : R :=
  ((/ ((-1) + (2 * p))) * ((Rpower (1 + k) (1 + ((-2) * p))) + ((-1) * (Rpower d (1 + ((-2) * p)))))).

Definition lemma1_paper (W c d k p : R) : R :=
  (W * ((/ c) + ((/ ((-1) + (2 * p))) * ((Rpower (1 + k) (1 + ((-2) * p))) + ((-1) * (Rpower d (1 + ((-2) * p)))))))).

Definition lemma2_paper (B E G P_b P_n b2 gamma s2 : R) : R :=
  (30 * (E ^ 2) * (gamma ^ 2) * (b2 + s2 + (G * (1 + (2 * (B ^ 2) * (P_b + P_n)))))).

Definition theorem1_terms (B E F0 L P_b P_n T W b2 c d gamma k mu p s2 : R) : R :=
  ((F0 * (/ gamma) * (/ (1 + T))) + (W * (/ c) * ((L + mu) ^ 2)) + (2 * b2 * (E ^ 2) * (1 + (gamma * (3 + L + mu + (2 * P_b * (B ^ 2)) + (2 * P_n * (B ^ 2)))) + (2 * P_b * (B ^ 2)))) + (2 * s2 * (E ^ 2) * (1 + (gamma * (1 + L + mu) * (3 + (2 * P_b * (B ^ 2)) + (2 * P_n * (B ^ 2)))))) + (W * (/ ((-1) + (2 * p))) * ((L + mu) ^ 2) * ((Rpower (1 + k) (1 + ((-2) * p))) + ((-1) * (Rpower d (1 + ((-2) * p))))))).

Definition bias (P_b b2 slope : R) : R :=
  (sqrt (b2 + (P_b * (slope ^ 2)))).

Definition noise (P_n s2 slope : R) : R :=
  (s2 + (P_n * (slope ^ 2))).

Definition drift_next (D L P_b P_n S b2 gamma mu s2 : R) : R :=
  (sqrt ((((S * (1 + ((-1) * gamma * mu))) + (gamma * (D + (sqrt (b2 + (P_b * ((D + (L * S)) ^ 2)))) + (L * S)))) ^ 2) + ((gamma ^ 2) * (s2 + (P_n * ((D + (L * S)) ^ 2)))))).

Definition step_error (L P_b S b2 share slope : R) : R :=
  (share * ((sqrt (b2 + (P_b * (slope ^ 2)))) + (L * S))).

Definition step_noise (P_n s2 share slope : R) : R :=
  ((share ^ 2) * (s2 + (P_n * (slope ^ 2)))).

Definition d_square (A_mean B G2 : R) : R :=
  (G2 + (A_mean * (B ^ 2))).

Definition optimisation (E_bar F0 T gamma : R) : R :=
  (2 * F0 * (/ E_bar) * (/ T) * (/ gamma)).

Definition u_a (E_bar L gamma : R) : R :=
  (E_bar * L * gamma).

Definition rho (L R2 : R) : R :=
  (L * (sqrt R2)).

Definition inner_many (N rho u x : R) : R :=
  (((-1) * (x ^ 2)) + (u * ((x + (sqrt N)) ^ 2)) + (2 * rho * x)).

Definition inner_one (N rho u x : R) : R :=
  (((-1) * (x ^ 2)) + (u * (N + (x ^ 2))) + (2 * rho * x)).

Definition linear (rho root_N u : R) : R :=
  (rho + (root_N * u)).

Definition lowest_x (A_mean F : R) : R :=
  (Rmax 0 ((sqrt A_mean) + ((-1) * F))).

Definition highest_x (A_mean F : R) : R :=
  (F + (sqrt A_mean)).

Definition inner (N linear u x : R) : R :=
  ((N * u) + (x * ((2 * linear) + ((-1) * x * (1 + ((-1) * u)))))).

Definition best_x (high linear low u : R) : R :=
  (if Rle_dec 1 u then high else (Rmin high (Rmax low (linear * (/ (1 + ((-1) * u))))))).

Definition star (F inner optimisation : R) : R :=
  (inner + optimisation + (F ^ 2)).

Definition a4_upper : R :=
  1.

Definition a4_slope (mu : R) : R :=
  mu.

Definition corollary1_conditions_1_upper : R :=
  1.

Definition corollary1_conditions_1_slope (L : R) : R :=
  L.

Definition corollary1_conditions_2_upper (B P_b : R) : R :=
  (1 + ((-1) * P_b * (B ^ 2))).

Definition corollary1_conditions_2_slope (B L P_n nu : R) : R :=
  (L * P_n * nu * (B ^ 2)).

Definition rho_1 (B L P_b P_n gamma nu : R) : R :=
  (1 + ((-1) * P_b * (B ^ 2)) + ((-1) * L * P_n * gamma * nu * (B ^ 2))).

Definition corollary1_terms (B F0 G2 L P_b P_n R2 T b2 gamma nu s2 : R) : R :=
  ((b2 * (/ (1 + ((-1) * P_b * (B ^ 2)) + ((-1) * L * P_n * gamma * nu * (B ^ 2))))) + (G2 * (/ (1 + ((-1) * P_b * (B ^ 2)) + ((-1) * L * P_n * gamma * nu * (B ^ 2)))) * (P_b + (L * P_n * gamma * nu))) + (R2 * (L ^ 2) * (/ (1 + ((-1) * L * gamma))) * (/ (1 + ((-1) * P_b * (B ^ 2)) + ((-1) * L * P_n * gamma * nu * (B ^ 2))))) + (2 * F0 * (/ T) * (/ gamma) * (/ (1 + ((-1) * P_b * (B ^ 2)) + ((-1) * L * P_n * gamma * nu * (B ^ 2))))) + (L * gamma * nu * s2 * (/ (1 + ((-1) * P_b * (B ^ 2)) + ((-1) * L * P_n * gamma * nu * (B ^ 2)))))).

Definition corollary2_conditions_1_upper (B P_b : R) : R :=
  (1 + ((-1) * P_b * (B ^ 2))).

Definition corollary2_conditions_1_slope (B E L P_b P_n : R) : R :=
  (8 * B * L * (1 + (sqrt P_b)) * ((-1) + E) * (1 + (sqrt P_b) + (sqrt P_n))).

Definition corollary2_conditions_2_upper (B P_b : R) : R :=
  (1 + ((-1) * P_b * (B ^ 2))).

Definition corollary2_conditions_2_slope (B L P_n nu : R) : R :=
  (16 * L * P_n * nu * (B ^ 2)).

Definition corollary2_conditions_3_upper : R :=
  1.

Definition corollary2_conditions_3_slope (E mu : R) : R :=
  (2 * mu * ((-1) + E)).

Definition corollary2_terms (B E E_bar F0 G2 L P_b P_n R2 T b2 gamma nu s2 : R) : R :=
  ((2 * G2 * (/ (1 + ((-1) * P_b * (B ^ 2)))) * (((6 / 5) * P_b) + ((45 / 16) * L * P_n * gamma * nu) + (8 * (L ^ 2) * (gamma ^ 2) * ((1 + (sqrt P_b)) ^ 2) * (/ (1 + ((-1) * P_b * (B ^ 2)))) * (((-1) + E) ^ 2) * ((1 + (sqrt P_b) + (sqrt P_n)) ^ 2)))) + (2 * b2 * (/ (1 + ((-1) * P_b * (B ^ 2)))) * ((36 / 25) + ((5 / 8) * L * gamma * nu))) + (2 * s2 * (/ (1 + ((-1) * P_b * (B ^ 2)))) * (((21 / 8) * L * gamma * nu) + (24 * (L ^ 2) * (gamma ^ 2) * ((1 + (sqrt P_b)) ^ 2) * (/ (1 + ((-1) * P_b * (B ^ 2)))) * ((-1) + E)))) + (4 * R2 * (L ^ 2) * (/ (1 + ((-1) * P_b * (B ^ 2))))) + (4 * F0 * (/ E_bar) * (/ T) * (/ gamma) * (/ (1 + ((-1) * P_b * (B ^ 2)))))).

Definition sharp_e1_small_noise_upper (B P_b : R) : R :=
  (2 + (2 * B * (sqrt P_b))).

Definition sharp_e1_small_noise_slope (B L P_b P_n nu : R) : R :=
  (L * (((1 + (B * (sqrt P_b))) ^ 2) + (P_n * nu * (B ^ 2)))).

Definition sharp_e1_large_noise_upper (B P_b : R) : R :=
  (2 + ((-2) * B * (sqrt P_b))).

Definition sharp_e1_large_noise_slope (B L P_b P_n nu : R) : R :=
  (L * (((1 + ((-1) * B * (sqrt P_b))) ^ 2) + (P_n * nu * (B ^ 2)))).

Definition residual_by_largest (eta k tau_k : R) : R :=
  (((tau_k + (2 * eta * (sqrt k))) ^ 2) + (k * (eta ^ 2))).

Definition residual_by_l2 (delta2 tau_k : R) : R :=
  (delta2 + ((tau_k + ((sqrt 2) * (sqrt delta2))) ^ 2)).

Definition tail_integral (d k p : R) : R :=
  ((/ ((-1) + (2 * p))) * ((Rpower k (1 + ((-2) * p))) + ((-1) * (Rpower d (1 + ((-2) * p)))))).

Definition tail_midpoint (d k p : R) : R :=
  ((/ ((-1) + (2 * p))) * ((Rpower ((1 / 2) + k) (1 + ((-2) * p))) + ((-1) * (Rpower ((1 / 2) + d) (1 + ((-2) * p)))))).

Definition lemma1_repaired (W c d k p : R) : R :=
  (W * ((/ c) + (((sqrt ((/ ((-1) + (2 * p))) * ((Rpower k (1 + ((-2) * p))) + ((-1) * (Rpower d (1 + ((-2) * p))))))) + (2 * (/ (sqrt c)))) ^ 2))).

Definition row_second_moment (K noise2 others : R) : R :=
  (noise2 + (others * (/ K))).

Definition mean_second_moment (J K noise2 others : R) : R :=
  ((/ J) * (noise2 + (others * (/ K)))).

Definition median_second_moment (J K h noise2 others : R) : R :=
  (J * (/ h) * (noise2 + (others * (/ K)))).

Definition row_failure (K error noise2 s tau2 : R) : R :=
  ((s * (/ K)) + ((/ (error ^ 2)) * (noise2 + (tau2 * (/ K))))).

Definition median_failure_term (J choose n q : R) : R :=
  (choose * (Rpower q n) * (Rpower (1 + ((-1) * q)) (J + ((-1) * n)))).

Definition adaptive_error (h s tail1 theta : R) : R :=
  (tail1 * theta * (/ (h + ((-1) * s * theta)))).

Definition step_error_m (Lam_b P_b S b2 ell_M share slope : R) : R :=
  (share * ((S * ell_M) + ((sqrt Lam_b) * (sqrt (b2 + (P_b * (slope ^ 2))))))).

Definition step_noise_m (Lam_n P_n s2 share slope : R) : R :=
  (Lam_n * (share ^ 2) * (s2 + (P_n * (slope ^ 2)))).

Definition u_m (E_bar L_M gamma : R) : R :=
  (E_bar * L_M * gamma).

Definition theta (E_bar gamma trace : R) : R :=
  (trace * (/ E_bar) * (/ gamma)).

Definition root_b1 (N rho start u : R) : R :=
  ((/ (2 + ((-1) * u))) * (rho + (sqrt ((rho ^ 2) + ((2 + ((-1) * u)) * (start + (N * u))))))).

Definition bound_b1 (N rho start u : R) : R :=
  (start + (N * u) + ((rho ^ 2) * (/ (1 + ((-1) * u))))).

Definition bound_b2 (F0 L_M T gamma : R) : R :=
  (2 * F0 * (/ T) * (/ gamma) * (/ (2 + ((-1) * L_M * gamma)))).

Definition convex_step_upper : R :=
  2.

Definition convex_step_slope (L P_n : R) : R :=
  (L * (1 + P_n)).

Definition kappa (L P_n gamma : R) : R :=
  (((-1) * (gamma ^ 2) * (1 + P_n)) + (2 * gamma * (/ L))).

Definition convex_share (E P_n e : R) : R :=
  (E + P_n + ((-1) * e)).

Definition convex_summand (P_n gamma kappa share : R) : R :=
  (((gamma ^ 2) * ((-1) + ((-1) * P_n) + (2 * share))) + (2 * (gamma ^ 4) * (/ kappa) * (share ^ 2))).

Definition convex_bound (C E T distance2 gamma kappa s2 star2 : R) : R :=
  (2 * (/ kappa) * ((C * star2) + (distance2 * (/ T)) + (E * s2 * (gamma ^ 2)))).

Definition convex_bound_residual (C E R2 T distance2 gamma kappa s2 star2 : R) : R :=
  (4 * (/ kappa) * ((C * star2) + (distance2 * (/ T)) + (E * s2 * (gamma ^ 2)) + (4 * E * R2 * (gamma ^ 2) * (/ kappa)))).

Definition collision (b left words : R) : R :=
  ((/ b) + (left * (/ b) * (/ (words ^ 2)) * (b + ((-1) * left)))).

Definition pair (J p : R) : R :=
  (p * (/ J)).

Definition energy (d p : R) : R :=
  (1 + (p * ((-1) + d))).

Definition price (ell p trace : R) : R :=
  (p * (ell + trace)).

Definition price_worst (d ell p : R) : R :=
  (ell * p * ((-1) + d)).

Definition price_fold (J class_ell class_trace : R) : R :=
  ((/ J) * (class_ell + class_trace)).

Definition participating (M s : R) : R :=
  ((/ s) * (/ ((-1) + M)) * (M + ((-1) * s))).

Definition deviations (ell kappa omega_L : R) : R :=
  (kappa * (ell + omega_L)).

Definition channel_floor (J sigma_c2 trace : R) : R :=
  ((1 / 2) * sigma_c2 * trace * (/ J)).

Definition transfer (J ell kappa mean2 omega_L sigma_c2 spread2 trace : R) : R :=
  (((1 / 2) * omega_L * (mean2 + (kappa * spread2))) + ((1 / 2) * ell * kappa * spread2) + ((1 / 2) * sigma_c2 * trace * (/ J))).

Definition one_step_upper : R :=
  2.

Definition one_step_slope (B curved v : R) : R :=
  (curved + (v * ((-1) + (B ^ 2)))).

Definition one_step_rate (B curved gamma v : R) : R :=
  (gamma + ((-1 / 2) * (gamma ^ 2) * (curved + (v * ((-1) + (B ^ 2)))))).

Definition one_step_price (gamma v : R) : R :=
  ((1 / 2) * v * (gamma ^ 2)).

Definition isotropic (E omega : R) : R :=
  (1 + ((-1) * (Rpower (1 + ((-2) * (/ (1 + omega)))) (/ E)))).

Definition size_half (ell trace : R) : R :=
  (1 + (trace * (/ ell))).

Definition size_share (ell share trace : R) : R :=
  (share * (/ (1 + ((-1) * share))) * (1 + (trace * (/ ell)))).

Definition contraction (memory shrink : R) : R :=
  (memory * (sqrt (1 + ((-1) * shrink)))).

Definition gain (memory shrink : R) : R :=
  (memory * (sqrt (1 + ((-1) * shrink))) * (/ (1 + ((-1) * memory * (sqrt (1 + ((-1) * shrink))))))).

Definition leak (memory shrink : R) : R :=
  ((/ (1 + ((-1) * memory * (sqrt (1 + ((-1) * shrink)))))) * (1 + ((-1) * memory))).

Definition applied (memory shrink : R) : R :=
  (1 + ((-1) * memory * (1 + ((-1) * shrink)))).

Definition memory_step_upper : R :=
  1.

Definition memory_step_slope (ell memory omega_L shrink : R) : R :=
  (((1 / 2) * ell) + ((1 / 2) * omega_L * ((1 + ((-1) * memory)) ^ 2) * (/ ((1 + ((-1) * memory * (sqrt (1 + ((-1) * shrink))))) ^ 2))) + (ell * memory * (sqrt (1 + ((-1) * shrink))) * (/ (1 + ((-1) * memory * (sqrt (1 + ((-1) * shrink)))))))).
