(** * The formulas that the paper prints, over real numbers

    Each definition is one formula of the paper, argument by argument, and stands by itself: other files
    compare it with formulas from elsewhere. The paper's constants b² and σ² are the letters [b2] and
    [sigma2]. The whole numbers E, T, k and d are real arguments here. *)
From Coq Require Import Reals.
Open Scope R_scope.

(** 1 + 2B²(P_b + P_n), the inverse of H *)
Definition amplification (B P_b P_n : R) : R := 1 + 2 * B ^ 2 * (P_b + P_n).

(** H = 1/(1 + 2B²(P_b + P_n)) *)
Definition H (B P_b P_n : R) : R := 1 / amplification B P_b P_n.

(** eq:rho *)
Definition rho (gamma L mu P_b P_n B E : R) : R :=
  (1 - P_b * (1 + 2 * H B P_b P_n) * E ^ 2 * B ^ 2) / 2
  - gamma * (2 + 2 * P_b * B ^ 2 + (2 * (L + mu) + 1) * P_n * B ^ 2) * (1 + 2 * H B P_b P_n) * E ^ 2.

(** The right side of eq:gamma_range *)
Definition gamma_max (L mu P_b P_n B E : R) : R :=
  (1 - 6 * P_b * E ^ 2 * B ^ 2) / (12 * (1 + P_b * B ^ 2 + (L + mu + 1) * P_n * B ^ 2) * E ^ 2).

(** The step size of Lemma 2, and the one of the proof of Theorem 1 *)
Definition gamma_max_drift (L mu P_b P_n B E : R) : R := 1 / (4 * E * (L + mu) * amplification B P_b P_n).
Definition gamma_max_descent (L mu : R) : R := 1 / (2 * (L + mu)).

(** The step size below which ρ is positive (proof of Theorem 1) *)
Definition gamma_max_positive (L mu P_b P_n B E : R) : R :=
  (1 - P_b * (1 + 2 * H B P_b P_n) * E ^ 2 * B ^ 2)
  / (2 * (2 + 2 * P_b * B ^ 2 + (2 * (L + mu) + 1) * P_n * B ^ 2) * (1 + 2 * H B P_b P_n) * E ^ 2).

(** ((k+1)^{1−2p} − d^{1−2p})/(2p−1) *)
Definition tail (p k d : R) : R := (Rpower (k + 1) (1 - 2 * p) - Rpower d (1 - 2 * p)) / (2 * p - 1).

(** The right side of Lemma 1; [tail_] is the number just above, or what a reader puts in its place. *)
Definition lemma_1_bound (c tail_ W : R) : R := (1 / c + tail_) * W.

(** The right side of Lemma 2; G is ‖∇f(w_t)‖². *)
Definition lemma_2_bound (gamma P_b P_n b2 sigma2 B E G : R) : R :=
  30 * E ^ 2 * gamma ^ 2 * (amplification B P_b P_n * G + b2 + sigma2).

(** The right side of eq:main_thm, term by term; [gap] is |f(w_0) − f(w★)|. *)
Definition optimisation_term (gap gamma T : R) : R := gap / (gamma * (T + 1)).
Definition sketch_term (c tail_ L mu W : R) : R := (1 / c + tail_) * (L + mu) ^ 2 * W.
Definition bias_term (gamma L mu P_b P_n b2 B E : R) : R :=
  2 * E ^ 2 * (1 + 2 * P_b * B ^ 2 + gamma * (3 + L + mu + 2 * P_b * B ^ 2 + 2 * P_n * B ^ 2)) * b2.
Definition noise_term (gamma L mu P_b P_n sigma2 B E : R) : R :=
  2 * E ^ 2 * (1 + gamma * (L + mu + 1) * (3 + 2 * P_b * B ^ 2 + 2 * P_n * B ^ 2)) * sigma2.
Definition theorem_1_bound (gap gamma L mu P_b P_n b2 sigma2 B E T c tail_ W : R) : R :=
  optimisation_term gap gamma T + sketch_term c tail_ L mu W
  + bias_term gamma L mu P_b P_n b2 B E + noise_term gamma L mu P_b P_n sigma2 B E.
