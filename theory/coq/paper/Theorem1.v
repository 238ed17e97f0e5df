(** * Theorem 1 of the paper, in full, and the runs that break it

    Theorem 1 speaks of every run of Algorithm 1 under Assumptions 1 to 5: any number of devices, local steps,
    rounds and coordinates, any sketch of the size that the paper names. With probability at least 1 − δ,
      (1/(T+1)) Σ_{t≤T} ‖∇f(w_t)‖² ≤ right side of eq:main_thm.
    Two choices are made in its favour here. The O(·) of the sketch size has whatever constant C the theorem
    needs. And w_t on the left may be the broadcast model or the model before top-k, whichever gives less. The
    theorem is refuted for both readings of the devices' sketches ([upkeep] of the setting).
    All runs are played with uniformly random hashes on tables as large as asked, and with k = d = 1: the
    sketch loses nothing, and Assumption 4 holds as printed. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result.
From FPS.paper Require Import Setting.
Open Scope R_scope.

(** What Theorem 1 says of one run. *)
Definition conclusion (u : upkeep) (right_side : run -> R) (r : run) : Prop :=
  with_probability_at_least r (1 - delta r) (fun o =>
    Rmin (left_side r (broadcast r) o) (left_side r (before_top_k r u) o) <= right_side r).

(** Theorem 1. [condition] is the condition on the learning rate. *)
Definition Theorem_1 (u : upkeep) (condition : run -> Prop) (right_side : run -> R) : Prop :=
  exists C : R, 0 < C /\
  forall r : run, large_sketch r C -> assumptions r u -> condition r -> conclusion u right_side r.

(** Theorem 1 is false as printed, with the learning rate in eq:gamma_range. *)
Definition Theorem_1_is_false : result := forall u, ~ Theorem_1 u in_gamma_range printed_right_side.

(** Theorem 1 stays false if the learning rate meets every condition that stands anywhere in the paper
    (eq:gamma_range, ρ(γ) > 1/4, the condition of Lemma 2, γ ≤ 1/(2(L+μ))), if the sketch loses nothing in any
    outcome, and if a negative tail in the right side counts as 0. *)
Definition Theorem_1_is_false_under_every_condition : result :=
  forall u, ~ Theorem_1 u (fun r => every_condition r /\ lossless r u) generous_right_side.

(** The theorem with an expectation on its left in the place of the probability. *)
Definition Theorem_1_in_expectation (u : upkeep) (condition : run -> Prop) (right_side : run -> R) : Prop :=
  exists C : R, 0 < C /\
  forall r : run, large_sketch r C -> assumptions r u -> condition r ->
    Rmin (chance r (left_side r (broadcast r))) (chance r (left_side r (before_top_k r u))) <= right_side r.

(** Theorem 1 is false in expectation too, under the same conditions. *)
Definition Theorem_1_is_false_in_expectation : result :=
  forall u, ~ Theorem_1_in_expectation u (fun r => every_condition r /\ lossless r u) generous_right_side.

(** A run with a lossless sketch, as large as C asks, that meets all assumptions and misses the bound. *)
Definition breaks_theorem_1 u C (condition : run -> Prop) (right_side : run -> R) (r : run) : Prop :=
  large_sketch r C /\ assumptions r u /\ condition r /\ lossless r u /\ ~ conclusion u right_side r.

(** Fault: at P_n = 0 neither eq:gamma_range nor ρ contains L. With exact gradients on a quadratic the two
    conditions of the main text let γ = 2/L pass, and w_t = (−1)^t for ever: the left side is L² in every
    outcome. *)
Definition Range_without_smoothness : result := forall u C, exists r : run,
  breaks_theorem_1 u C main_text_conditions generous_right_side r /\
  P_n r = 0 /\ gamma r * L r = 2 /\ (forall t m e o w, sample r t m e o w = grad r m w) /\
  forall o, left_side r (broadcast r) o = L r ^ 2.

(** Fault: the proof ends with ρ(γ) < 1/2 on the left, and the theorem drops it. Here the bias is −∇f/4, every
    step-size condition holds, and the bound would hold with ρ(γ) kept. *)
Definition Missing_rho : result := forall u C, exists r : run,
  breaks_theorem_1 u C every_condition generous_right_side r /\
  (forall t m e o w, sample r t m e o w = (3 / 4 *: grad r m w)%V) /\
  forall o, rho_printed r * left_side r (broadcast r) o <= generous_right_side r.

(** The same fault for every number M of devices and E of local steps, with a proximal term and, for M ≥ 2,
    with devices that differ. No gradient is biased or noisy, whichever way g_t is read: the sum of the local
    gradients is ∇f(w_t). *)
Definition Missing_rho_with_local_steps : result := forall u C devices steps,
  (1 <= devices)%nat -> (1 <= steps)%nat -> exists r : run,
  breaks_theorem_1 u C main_text_conditions generous_right_side r /\
  M r = devices /\ Es r = steps /\ 0 < mu r /\ b2 r = 0 /\ P_n r = 0 /\ sigma2 r = 0 /\
  ((2 <= devices)%nat -> exists x, grad r 0 x <> grad r 1 x) /\
  (forall t m e o w, sample r t m e o w = grad r m w) /\
  (forall t o, same (g_summed r t o) (grad_f r (broadcast r t o))) /\
  forall o, rho_printed r * left_side r (broadcast r) o <= generous_right_side r.

(** Fault: the tail ((k+1)^{1−2p} − d^{1−2p})/(2p−1) of Lemma 1 is an integral from below, negative at k = d.
    The printed right side is then negative, and no mean of squares is below it. Every step-size condition
    holds. *)
Definition Negative_sketch_term : result := forall u C, exists r : run,
  breaks_theorem_1 u C every_condition printed_right_side r /\ printed_right_side r < 0.

(** Fault: the proof bounds an expectation, the theorem a realised value. One rare large draw of the noise
    breaks the bound with more than the probability δ, although the mean of the left side is below the right
    side. *)
Definition Expectation_dropped : result := forall u C, exists r : run,
  breaks_theorem_1 u C every_condition generous_right_side r /\
  chance r (left_side r (broadcast r)) <= generous_right_side r.

(** Fault: the second-moment lines put ∇f in the place of the devices' own gradients. Two devices, E = 2,
    exact gradients and every step-size condition: the run stands still where ∇f is not 0. Here Definition 1
    is not read for the sum of the local gradients, whose bias is then −∇f; all other assumptions hold. *)
Definition Heterogeneity_drift : result := forall u C, exists r : run,
  large_sketch r C /\ all_but_the_sum r u /\ every_condition r /\ lossless r u /\
  ~ conclusion u generous_right_side r /\
  b2 r = 0 /\ P_n r = 0 /\ sigma2 r = 0 /\ (forall t m e o w, sample r t m e o w = grad r m w) /\
  forall t o, broadcast r t o = w0 r.
