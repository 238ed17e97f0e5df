(** * Corollary 1: Theorem A solved for A when every device takes one local step (E = 1)

    If Lγ < 1 and ρ_1 = 1 − P_bB² − LγνP_nB² > 0, then

      A ≤ (1/ρ_1) { 2Δ_ξ/(γT) + L²R_ξ²/(1−Lγ) + b² + P_bG² + Lγν(σ² + P_nG²) }. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result.
From FPS.repaired Require Import Setting.
Open Scope R_scope.

(** ρ_1 = 1 − P_bB² − LγνP_nB² *)
Definition rho_1 (gamma L P_b P_n B nu : R) : R := 1 - P_b * B ^ 2 - L * gamma * nu * P_n * B ^ 2.
(** Lγ < 1 and ρ_1 > 0, each written slope·γ < upper *)
Definition corollary1_conditions (gamma L P_b P_n B nu : R) : Prop :=
  L * gamma < 1 /\ (L * nu * P_n * B ^ 2) * gamma < 1 - P_b * B ^ 2.
(** The right side; T is the number of rounds and R2 = R_ξ² *)
Definition corollary1_bound (gamma L P_b P_n b sigma G B nu Delta R2 T : R) : R :=
  / rho_1 gamma L P_b P_n B nu *
  (2 * Delta / (gamma * T) + L ^ 2 * R2 / (1 - L * gamma) + b ^ 2 + P_b * G ^ 2
   + L * gamma * nu * (sigma ^ 2 + P_n * G ^ 2)).

(** Corollary 1: every run with one local step that meets A1-A4, Lγ < 1 and ρ_1 > 0 has A at most the right
    side. *)
Definition Corollary_1 : result := forall r, assumptions r -> Es r = 1%nat ->
  corollary1_conditions (gamma r) (L r) (P_b r) (P_n r) (B r) (nu r) ->
  A r <= corollary1_bound (gamma r) (L r) (P_b r) (P_n r) (b r) (sigma r) (G r) (B r) (nu r) (Delta r) (R2 r)
    (INR (T r)).
