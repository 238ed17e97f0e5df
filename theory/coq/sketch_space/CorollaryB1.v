(** * Corollary B1: Theorem B solved for A_M with one local step and no bias (E = 1, P_b = b = 0)

    Then Ē = 1, F = 0, u = γL_M and N = νΛ_n(P_n D² + σ²). With c = 2Δ/(γT) + Θ. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result.
From FPS.sketch_space Require Import TableSetting.
Open Scope R_scope.

Definition one_unbiased_step (r : run) : Prop := Es r = 1%nat /\ P_b r = 0 /\ b r = 0.
Definition c_B1 (r : run) (k : table r) : R :=
  start_part (Delta_B r k) (Theta_of (tau k) (gamma r) 1) (gamma r) 1 (INR (T r)).
Definition N_B1 (r : run) (k : table r) : R := N_one_step (P_n r) (sigma r) (D_B r) (nu_M k) (Lam_n k).

(** Corollary B1 for u < 2, one local step without bias: √A_M ≤ [ρ + √(ρ² + (2−u)(c + uN))]/(2−u). *)
Definition Corollary_B1_Root : result := forall (r : run) (k : table r),
  assumptions_B r k -> one_unbiased_step r -> gamma r * L_M k < 2 ->
  sqrt (A_M r k) <= root_B1 (rho_B r k) (gamma r * L_M k) (c_B1 r k) (N_B1 r k).

(** Corollary B1 for u < 1, one local step without bias: A_M ≤ c + ρ²/(1−u) + uN. *)
Definition Corollary_B1 : result := forall (r : run) (k : table r),
  assumptions_B r k -> one_unbiased_step r -> gamma r * L_M k < 1 ->
  A_M r k <= bound_B1 (rho_B r k) (gamma r * L_M k) (c_B1 r k) (N_B1 r k).
