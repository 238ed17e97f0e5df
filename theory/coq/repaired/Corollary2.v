(** * Corollary 2: Theorem A solved for A when every device takes several local steps (E ≥ 2)

    With P = P_bB², c_b = 1 + √P_b, c = c_b + √P_n: if P < 1 and

      γ · 8L(E−1) c c_b B ≤ 1 − P,   γ · 16LνP_nB² ≤ 1 − P,   γ · 2μ(E−1) ≤ 1,

    then Ē ≥ 3E/4 and

      A ≤ (2/(1−P)) { 2Δ_ξ/(γĒT) + 2L²R_ξ² + (36/25)b² + [(6/5)P_b + 8c²c_b²γ²L²(E−1)²/(1−P)]G²
                      + 24c_b²γ²L²(E−1)σ²/(1−P) + γLν[(21/8)σ² + (5/8)b² + (45/16)P_nG²] }.

    The conditions are products, so that P_n = 0 and μ = 0 need no word of their own. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result.
From FPS.repaired Require Import Setting Drift.
Open Scope R_scope.

(** The conditions, each written slope·γ ≤ upper; [steps] is E *)
Definition corollary2_conditions (gamma mu L P_b P_n B nu steps : R) : Prop :=
  P_b * B ^ 2 < 1 /\
  (8 * L * (steps - 1) * c_all P_b P_n * c_b P_b * B) * gamma <= 1 - P_b * B ^ 2 /\
  (16 * L * nu * P_n * B ^ 2) * gamma <= 1 - P_b * B ^ 2 /\
  (2 * mu * (steps - 1)) * gamma <= 1.
(** The right side *)
Definition corollary2_bound (gamma L P_b P_n b sigma G B nu Delta R2 steps Ebar T : R) : R :=
  2 / (1 - P_b * B ^ 2) * (
    2 * Delta / (gamma * Ebar * T) + 2 * L ^ 2 * R2 + 36 / 25 * b ^ 2
    + (6 / 5 * P_b + 8 * c_all P_b P_n ^ 2 * c_b P_b ^ 2 * gamma ^ 2 * L ^ 2 * (steps - 1) ^ 2 /
        (1 - P_b * B ^ 2)) * G ^ 2
    + 24 * c_b P_b ^ 2 * gamma ^ 2 * L ^ 2 * (steps - 1) * sigma ^ 2 / (1 - P_b * B ^ 2)
    + gamma * L * nu * (21 / 8 * sigma ^ 2 + 5 / 8 * b ^ 2 + 45 / 16 * P_n * G ^ 2)).

(** Corollary 2: every run with at least two local steps that meets A1-A4 with B ≥ 1, and the conditions, has
    Ē ≥ 3E/4 and A at most the right side. *)
Definition Corollary_2 : result := forall r, assumptions r -> (2 <= Es r)%nat -> 1 <= B r ->
  corollary2_conditions (gamma r) (mu r) (L r) (P_b r) (P_n r) (B r) (nu r) (INR (Es r)) ->
  3 / 4 * INR (Es r) <= Ebar r /\
  A r <= corollary2_bound (gamma r) (L r) (P_b r) (P_n r) (b r) (sigma r) (G r) (B r) (nu r) (Delta r) (R2 r)
           (INR (Es r)) (Ebar r) (INR (T r)).
