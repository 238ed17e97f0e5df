(** * The formulas of Theorem B and its corollaries, as functions of real numbers

    Each letter is an argument, so that a calculator's formula can be compared with the proved one. E is the number of
    local steps, T the number of rounds (as a real number), Ebar = Ē. *)
From Coq Require Import Reals.
From FPS.tools Require Export Sums.
From FPS.repaired Require Export Drift.
Open Scope R_scope.

(** ω_e = (1−γμ)^{E−1−e},  Ē = Σ_e ω_e,  ω_e/Ē *)
Definition omega (gamma mu : R) (E e : nat) : R := (1 - gamma * mu) ^ (E - 1 - e).
Definition Ebar_of (gamma mu : R) (E : nat) : R := sum E (omega gamma mu E).
Definition share_of (gamma mu : R) (E e : nat) : R := omega gamma mu E e / Ebar_of gamma mu E.

(** H_e = D + L S_e, with S_e the recursion of Lemma 2' *)
Definition H_of (gamma mu L P_b P_n b sigma D : R) (e : nat) : R :=
  D + L * drift gamma mu L P_b P_n b sigma D e.
(** F = Σ_e (ω_e/Ē) [ℓ_M S_e + √Λ_b √(P_b H_e² + b²)] *)
Definition F_of (gamma mu L P_b P_n b sigma D ell_M Lam_b : R) (E : nat) : R :=
  sum E (fun e => share_of gamma mu E e *
    (ell_M * drift gamma mu L P_b P_n b sigma D e
     + sqrt Lam_b * bias_bound P_b b (H_of gamma mu L P_b P_n b sigma D e))).
(** N = ν Σ_e (ω_e/Ē)² Λ_n (P_n H_e² + σ²) *)
Definition N_of (gamma mu L P_b P_n b sigma D nu Lam_n : R) (E : nat) : R :=
  nu * sum E (fun e => share_of gamma mu E e ^ 2 *
    (Lam_n * noise_bound P_n sigma (H_of gamma mu L P_b P_n b sigma D e))).
(** Θ = τ/(γĒ), where τ = σ_st² tr(C S H̄ S^T C) *)
Definition Theta_of (tau gamma Ebar : R) : R := tau / (gamma * Ebar).
(** u = γ Ē L_M *)
Definition u_of (gamma Ebar L_M : R) : R := gamma * Ebar * L_M.

(** 2ρx − x² + u(x + √N)², and 2ρx − x² + u(x² + N) for one local step *)
Definition at_x (rho u N x : R) : R := 2 * rho * x - x ^ 2 + u * (x + sqrt N) ^ 2.
Definition at_x_one_step (rho u N x : R) : R := 2 * rho * x - x ^ 2 + u * (x ^ 2 + N).
(** 2Δ/(γĒT) + Θ *)
Definition start_part (Delta Theta gamma Ebar T : R) : R := 2 * Delta / (gamma * Ebar * T) + Theta.
(** The right side of Theorem B at x; the theorem takes the largest over x ≥ 0 with |x − √A_M| ≤ F. *)
Definition right_side_B (Delta Theta gamma Ebar T F rho u N x : R) : R :=
  start_part Delta Theta gamma Ebar T + F ^ 2 + at_x rho u N x.
Definition right_side_B_one_step (Delta Theta gamma Ebar T F rho u N x : R) : R :=
  start_part Delta Theta gamma Ebar T + F ^ 2 + at_x_one_step rho u N x.

(** Corollary B1, with c = 2Δ/(γT) + Θ: [ρ + √(ρ² + (2−u)(c + uN))]/(2−u), and c + ρ²/(1−u) + uN *)
Definition root_B1 (rho u c N : R) : R := (rho + sqrt (rho ^ 2 + (2 - u) * (c + u * N))) / (2 - u).
Definition bound_B1 (rho u c N : R) : R := c + rho ^ 2 / (1 - u) + u * N.
(** N at one local step: νΛ_n(P_n D² + σ²) *)
Definition N_one_step (P_n sigma D nu Lam_n : R) : R := nu * Lam_n * noise_bound P_n sigma D.
(** Corollary B2: 2Δ/((2 − γL_M) γT) *)
Definition bound_B2 (Delta gamma L_M T : R) : R := 2 * Delta / ((2 - gamma * L_M) * (gamma * T)).
(** Corollary B3, with n = E − 1, B² = (the B of A3)²/κ and R2 = R² *)
Definition bound_B3 (Delta Theta gamma Ebar T L P_b P_n b sigma G B nu R2 n : R) : R :=
  let P := P_b * B ^ 2 in
  let h := L * gamma * c_b P_b * n in
  2 / (1 - P) * (
    2 * Delta / (gamma * Ebar * T) + Theta + 2 * (L ^ 2 * R2) + 36 / 25 * b ^ 2
    + (6 / 5 * P_b + 8 * (h * c_all P_b P_n) ^ 2 / (1 - P)) * G ^ 2
    + 24 * (c_b P_b ^ 2 * (L * gamma) ^ 2 * n) * sigma ^ 2 / (1 - P)
    + L * gamma * nu * (21 / 8 * sigma ^ 2 + 5 / 8 * b ^ 2 + 45 / 16 * P_n * G ^ 2)).
