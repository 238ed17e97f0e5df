(** * The formulas of Theorem B and its corollaries, as functions of real numbers

    Each letter is an argument, so that a calculator's formula can be compared with the proved one. E is the
    number of local steps, T the number of rounds (as a real number), Ebar = Ē. The weights ω_e, their shares
    ω_e/Ē, the slope H_e = D + L S_e and the two forms of the maximum's body are those of Theorem A. *)
From Coq Require Import Reals.
From FPS.tools Require Export Sums.
From FPS.repaired Require Export Drift TheoremA Corollary2.
Open Scope R_scope.

(** F = Σ_e (ω_e/Ē) [ℓ_M S_e + √Λ_b √(P_b H_e² + b²)] *)
Definition F_of (gamma mu L P_b P_n b sigma D ell_M Lam_b : R) (E : nat) : R :=
  sum E (fun e => share gamma mu E e *
    (ell_M * drift gamma mu L P_b P_n b sigma D e
     + sqrt Lam_b * bias_bound P_b b (slope gamma mu L P_b P_n b sigma D e))).
(** N = ν Σ_e (ω_e/Ē)² Λ_n (P_n H_e² + σ²) *)
Definition N_of (gamma mu L P_b P_n b sigma D nu Lam_n : R) (E : nat) : R :=
  nu * sum E (fun e => share gamma mu E e ^ 2 *
    (Lam_n * noise_bound P_n sigma (slope gamma mu L P_b P_n b sigma D e))).
(** Θ = τ/(γĒ), where τ = σ_st² tr(C S H̄ S^T C) *)
Definition Theta_of (tau gamma Ebar : R) : R := tau / (gamma * Ebar).
(** u = γ Ē L_M *)
Definition u_of (gamma Ebar L_M : R) : R := gamma * Ebar * L_M.

(** 2Δ/(γĒT) + Θ *)
Definition start_part (Delta Theta gamma Ebar T : R) : R := optimisation Delta gamma Ebar T + Theta.
(** The right side of Theorem B at x; the theorem takes the largest over x ≥ 0 with |x − √A_M| ≤ F. *)
Definition right_side_B (Delta Theta gamma Ebar T F rho u N x : R) : R :=
  start_part Delta Theta gamma Ebar T + F ^ 2 + inner_many rho u N x.
Definition right_side_B_one_step (Delta Theta gamma Ebar T F rho u N x : R) : R :=
  start_part Delta Theta gamma Ebar T + F ^ 2 + inner_one rho u N x.

(** Corollary B1, with c = 2Δ/(γT) + Θ: [ρ + √(ρ² + (2−u)(c + uN))]/(2−u), and c + ρ²/(1−u) + uN *)
Definition root_B1 (rho u c N : R) : R := (rho + sqrt (rho ^ 2 + (2 - u) * (c + u * N))) / (2 - u).
Definition bound_B1 (rho u c N : R) : R := c + rho ^ 2 / (1 - u) + u * N.
(** N at one local step: νΛ_n(P_n D² + σ²) *)
Definition N_one_step (P_n sigma D nu Lam_n : R) : R := nu * Lam_n * noise_bound P_n sigma D.
(** Corollary B2: 2Δ/((2 − γL_M) γT) *)
Definition bound_B2 (Delta gamma L_M T : R) : R := 2 * Delta / ((2 - gamma * L_M) * (gamma * T)).
(** Corollary B3: the right side of Corollary 2, with the part of Θ *)
Definition bound_B3 (gamma L P_b P_n b sigma G B nu Delta Theta R2 steps Ebar T : R) : R :=
  corollary2_bound gamma L P_b P_n b sigma G B nu Delta R2 steps Ebar T + 2 / (1 - P_b * B ^ 2) * Theta.
