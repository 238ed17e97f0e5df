(** * The calculators' formulas, printed from their symbolic form. Do not edit: `make formulas` writes this file.

    A condition on the learning rate is kept as slope * gamma <= upper. A bound is the sum of its named terms. *)
From Coq Require Import Reals.
Open Scope R_scope.

Definition f0 (F0 : R) : R :=
  F0.

Definition r2 (R2 : R) : R :=
  R2.

Definition b (B : R) : R :=
  B.

Definition e (E : R) : R :=
  E.

Definition g (G : R) : R :=
  G.

Definition l (L : R) : R :=
  L.

Definition t (T : R) : R :=
  T.

Definition w (W : R) : R :=
  W.

Definition g2 (G2 : R) : R :=
  G2.

Definition a (B P_b P_n : R) : R :=
  (1 + (2 * (B ^ 2) * (P_b + P_n))).

Definition h (B P_b P_n : R) : R :=
  (/ ((1 + (2 * (B ^ 2) * (P_b + P_n))) ^ 1)).

Definition rho_paper (B E L P_b P_n gamma mu : R) : R :=
  ((1 / 2) + ((-1) * gamma * (E ^ 2) * (1 + (2 * (/ ((1 + (2 * (B ^ 2) * (P_b + P_n))) ^ 1)))) * (2 + (2 * P_b * (B ^ 2)) + (P_n * (B ^ 2) * (1 + (2 * L) + (2 * mu))))) + ((-1 / 2) * P_b * (B ^ 2) * (E ^ 2) * (1 + (2 * (/ ((1 + (2 * (B ^ 2) * (P_b + P_n))) ^ 1)))))).

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
  ((/ (((-1) + (2 * p)) ^ 1)) * ((Rpower (1 + k) (1 + ((-2) * p))) + ((-1) * (Rpower d (1 + ((-2) * p)))))).

Definition lemma1_paper (W c d k p : R) : R :=
  (W * ((/ (c ^ 1)) + ((/ (((-1) + (2 * p)) ^ 1)) * ((Rpower (1 + k) (1 + ((-2) * p))) + ((-1) * (Rpower d (1 + ((-2) * p)))))))).

Definition lemma2_paper (B E G P_b P_n b2 gamma s2 : R) : R :=
  (30 * (E ^ 2) * (gamma ^ 2) * (b2 + s2 + (G * (1 + (2 * (B ^ 2) * (P_b + P_n)))))).

Definition section32_memory (T d eps g_k k scale tail2 : R) : R :=
  ((k + (scale * tail2 * (/ (eps ^ 2)) * (/ (g_k ^ 1)))) * (ln (T * d))).

Definition section32_corrected (T d delta eps g_k k tail2 : R) : R :=
  ((k + (tail2 * (/ (eps ^ 2)) * (/ (g_k ^ 2)))) * (ln (T * d * (/ (delta ^ 1))))).

Definition theorem2_memory (d delta eps g_k k tail2 : R) : R :=
  ((k + (tail2 * (/ (eps ^ 2)) * (/ (g_k ^ 2)))) * (ln (d * (/ (delta ^ 1))))).

Definition lemma1_memory (T c d delta k : R) : R :=
  (c * k * (ln (T * d * (/ (delta ^ 1))))).

Definition theorem1_terms (B E F0 L P_b P_n T W b2 c d gamma k mu p s2 : R) : R :=
  ((F0 * (/ (gamma ^ 1)) * (/ ((1 + T) ^ 1))) + (W * (/ (c ^ 1)) * ((L + mu) ^ 2)) + (2 * b2 * (E ^ 2) * (1 + (gamma * (3 + L + mu + (2 * P_b * (B ^ 2)) + (2 * P_n * (B ^ 2)))) + (2 * P_b * (B ^ 2)))) + (2 * s2 * (E ^ 2) * (1 + (gamma * (1 + L + mu) * (3 + (2 * P_b * (B ^ 2)) + (2 * P_n * (B ^ 2)))))) + (W * (/ (((-1) + (2 * p)) ^ 1)) * ((L + mu) ^ 2) * ((Rpower (1 + k) (1 + ((-2) * p))) + ((-1) * (Rpower d (1 + ((-2) * p))))))).

Definition rho_corrected (B E L P_b P_n gamma mu : R) : R :=
  ((1 / 2) + ((-1) * P_b * (B ^ 2) * (E ^ 2) * (1 + (2 * (/ ((1 + (2 * (B ^ 2) * (P_b + P_n))) ^ 1))))) + ((-1) * gamma * (E ^ 2) * (1 + (2 * (/ ((1 + (2 * (B ^ 2) * (P_b + P_n))) ^ 1)))) * (2 + (2 * P_b * (B ^ 2)) + (P_n * (B ^ 2) * (1 + (2 * L) + (2 * mu)))))).

Definition rho_corrected_quarter_upper (B E P_b P_n : R) : R :=
  (1 + ((-4) * P_b * (B ^ 2) * (E ^ 2) * (1 + (2 * (/ ((1 + (2 * (B ^ 2) * (P_b + P_n))) ^ 1)))))).

Definition rho_corrected_quarter_slope (B E L P_b P_n mu : R) : R :=
  (4 * (E ^ 2) * (1 + (2 * (/ ((1 + (2 * (B ^ 2) * (P_b + P_n))) ^ 1)))) * (2 + (2 * P_b * (B ^ 2)) + (P_n * (B ^ 2) * (1 + (2 * L) + (2 * mu))))).

Definition corrected_simple_upper (B E P_b : R) : R :=
  (1 + ((-12) * P_b * (B ^ 2) * (E ^ 2))).

Definition corrected_simple_slope (B E L P_b P_n mu : R) : R :=
  ((E ^ 2) * (24 + (24 * P_b * (B ^ 2)) + (24 * P_n * (B ^ 2) * (1 + L + mu)))).

Definition tail_integral (d k p : R) : R :=
  ((/ (((-1) + (2 * p)) ^ 1)) * ((Rpower k (1 + ((-2) * p))) + ((-1) * (Rpower d (1 + ((-2) * p)))))).

Definition tail_midpoint (d k p : R) : R :=
  ((/ (((-1) + (2 * p)) ^ 1)) * ((Rpower ((1 / 2) + k) (1 + ((-2) * p))) + ((-1) * (Rpower ((1 / 2) + d) (1 + ((-2) * p)))))).

Definition paper_remedy (B E P_b : R) : R :=
  (((1 / 6) * (/ (E ^ 2))) + ((1 / 6) * (/ (B ^ 2)) * (/ (P_b ^ 1))) + ((1 / 6) * (/ (E ^ 2)) * (/ (P_b ^ 1)))).

Definition corrected_remedy (B E P_b P_n : R) : R :=
  (((/ (((-2) + (sqrt ((((-2) + (4 * (E ^ 2) * (3 + (2 * P_n * (B ^ 2))))) ^ 2) + (32 * (E ^ 2) * (1 + (2 * P_n * (B ^ 2))))) ^ 1) + (4 * (E ^ 2) * (3 + (2 * P_n * (B ^ 2))))) ^ 1)) * (2 + (4 * P_n * (B ^ 2)))) + ((1 / 4) * (/ (B ^ 2)) * (/ (P_b ^ 1)) * (/ ((3 + (2 * (B ^ 2) * (P_b + P_n))) ^ 1)) * (1 + (2 * (B ^ 2) * (P_b + P_n)))) + ((1 / 16) * (/ (E ^ 2)) * (/ (P_b ^ 1)) * (/ ((P_b + P_n) ^ 1)) * ((sqrt (((((-2) * P_b) + ((-2) * P_n) + (12 * P_b * (E ^ 2))) ^ 2) + (32 * P_b * (E ^ 2) * (P_b + P_n))) ^ 1) + (2 * P_b) + (2 * P_n) + ((-12) * P_b * (E ^ 2))))).

Definition p (B P_b : R) : R :=
  (P_b * (B ^ 2)).

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
  ((b2 * (/ ((1 + ((-1) * P_b * (B ^ 2)) + ((-1) * L * P_n * gamma * nu * (B ^ 2))) ^ 1))) + (G2 * (/ ((1 + ((-1) * P_b * (B ^ 2)) + ((-1) * L * P_n * gamma * nu * (B ^ 2))) ^ 1)) * (P_b + (L * P_n * gamma * nu))) + (R2 * (L ^ 2) * (/ ((1 + ((-1) * L * gamma)) ^ 1)) * (/ ((1 + ((-1) * P_b * (B ^ 2)) + ((-1) * L * P_n * gamma * nu * (B ^ 2))) ^ 1))) + (2 * F0 * (/ (T ^ 1)) * (/ (gamma ^ 1)) * (/ ((1 + ((-1) * P_b * (B ^ 2)) + ((-1) * L * P_n * gamma * nu * (B ^ 2))) ^ 1))) + (L * gamma * nu * s2 * (/ ((1 + ((-1) * P_b * (B ^ 2)) + ((-1) * L * P_n * gamma * nu * (B ^ 2))) ^ 1)))).

Definition corollary2_conditions_1_upper (B P_b : R) : R :=
  (1 + ((-1) * P_b * (B ^ 2))).

Definition corollary2_conditions_1_slope (B E L P_b P_n : R) : R :=
  (8 * B * L * (1 + (sqrt P_b ^ 1)) * ((-1) + E) * (1 + (sqrt P_b ^ 1) + (sqrt P_n ^ 1))).

Definition corollary2_conditions_2_upper (B P_b : R) : R :=
  (1 + ((-1) * P_b * (B ^ 2))).

Definition corollary2_conditions_2_slope (B L P_n nu : R) : R :=
  (16 * L * P_n * nu * (B ^ 2)).

Definition corollary2_conditions_3_upper : R :=
  1.

Definition corollary2_conditions_3_slope (E mu : R) : R :=
  (2 * mu * ((-1) + E)).

Definition corollary2_terms (B E E_bar F0 G2 L P_b P_n R2 T b2 gamma nu s2 : R) : R :=
  ((2 * G2 * (/ ((1 + ((-1) * P_b * (B ^ 2))) ^ 1)) * (((6 / 5) * P_b) + ((45 / 16) * L * P_n * gamma * nu) + (8 * (L ^ 2) * (gamma ^ 2) * ((1 + (sqrt P_b ^ 1)) ^ 2) * (/ ((1 + ((-1) * P_b * (B ^ 2))) ^ 1)) * (((-1) + E) ^ 2) * ((1 + (sqrt P_b ^ 1) + (sqrt P_n ^ 1)) ^ 2)))) + (2 * b2 * (/ ((1 + ((-1) * P_b * (B ^ 2))) ^ 1)) * ((36 / 25) + ((5 / 8) * L * gamma * nu))) + (2 * s2 * (/ ((1 + ((-1) * P_b * (B ^ 2))) ^ 1)) * (((21 / 8) * L * gamma * nu) + (24 * (L ^ 2) * (gamma ^ 2) * ((1 + (sqrt P_b ^ 1)) ^ 2) * (/ ((1 + ((-1) * P_b * (B ^ 2))) ^ 1)) * ((-1) + E)))) + (4 * R2 * (L ^ 2) * (/ ((1 + ((-1) * P_b * (B ^ 2))) ^ 1))) + (4 * F0 * (/ (E_bar ^ 1)) * (/ (T ^ 1)) * (/ (gamma ^ 1)) * (/ ((1 + ((-1) * P_b * (B ^ 2))) ^ 1)))).

Definition sharp_e1_small_noise_upper (B P_b : R) : R :=
  (2 + (2 * B * (sqrt P_b ^ 1))).

Definition sharp_e1_small_noise_slope (B L P_b P_n nu : R) : R :=
  (L * (((1 + (B * (sqrt P_b ^ 1))) ^ 2) + (P_n * nu * (B ^ 2)))).

Definition sharp_e1_large_noise_upper (B P_b : R) : R :=
  (2 + ((-2) * B * (sqrt P_b ^ 1))).

Definition sharp_e1_large_noise_slope (B L P_b P_n nu : R) : R :=
  (L * (((1 + ((-1) * B * (sqrt P_b ^ 1))) ^ 2) + (P_n * nu * (B ^ 2)))).

Definition lemma1_repaired (W c d k p : R) : R :=
  (W * ((/ (c ^ 1)) + (((sqrt ((/ (((-1) + (2 * p)) ^ 1)) * ((Rpower k (1 + ((-2) * p))) + ((-1) * (Rpower d (1 + ((-2) * p)))))) ^ 1) + (2 * (/ (sqrt c ^ 1)))) ^ 2))).
