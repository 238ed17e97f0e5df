(** * Corollary B3: Theorem B solved for A_M when devices take several local steps (E ≥ 2)

    Scale C so that L_M ≤ L, ℓ_M ≤ L and Λ_b, Λ_n ≤ 1 (λ_max(M) ≤ 1 does it). Then Corollary 2 holds word for
    word, with its conditions on γ, with A_M for A, R for R_ξ, B²/κ for B², and Θ added. Here κ is a number
    with κ (1/T) Σ E‖∇f(w̃_t)‖² ≤ A_M. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result.
From FPS.sketch_space Require Import TableSetting ConstantsB.
Open Scope R_scope.

Definition scaled (r : run) (k : table r) : Prop :=
  0 < L r /\ L_M k <= L r /\ ell_M k <= L r /\ Lam_b k <= 1 /\ Lam_n k <= 1.

(** Corollary B3 with any numbers B and R2 for which D² ≤ G² + B² A_M and ρ² ≤ L² R2. *)
Definition Corollary_B3_Measured : result := forall (r : run) (k : table r) B R2,
  assumptions_B r k -> scaled r k -> (2 <= Es r)%nat -> 1 <= B ->
  D_B r ^ 2 <= G r ^ 2 + B ^ 2 * A_M r k -> rho_B r k ^ 2 <= L r ^ 2 * R2 ->
  corollary2_conditions (gamma r) (mu r) (L r) (P_b r) (P_n r) B (nu_M k) (INR (Es r)) ->
  3 / 4 * INR (Es r) <= Ebar r /\
  A_M r k <= bound_B3 (gamma r) (L r) (P_b r) (P_n r) (b r) (sigma r) (G r) B (nu_M k) (Delta_B r k)
                      (Theta_B r k)
                      R2 (INR (Es r)) (Ebar r) (INR (T r)).

(** Corollary B3: smooth losses, A3, ‖g‖_M ≤ ‖g‖ and κ give these numbers: B²/κ for B², and R² for R2. *)
Definition Corollary_B3 : result := forall (r : run) (k : table r) kappa, assumptions_B r k -> scaled r k ->
  (2 <= Es r)%nat -> (forall g, ‖(Sk k g)‖² <= ‖g‖²) -> smooth (L r) (f r) (grad_f r) ->
  (forall t, (t < T r)%nat -> sq (chance r) (fun o => add (X r k t o) (scale (-1) (broadcast r t o)))) ->
  (forall t o, (t < T r)%nat -> may (chance r) o ->
    avg (M r) (fun m => ‖(grad r m (broadcast r t o))‖²) <=
      G r ^ 2 + B r ^ 2 * ‖(grad_f r (broadcast r t o))‖²) ->
  0 < kappa -> kappa * A r <= A_M r k -> kappa <= B r ^ 2 -> 0 <= B r ->
  corollary2_conditions (gamma r) (mu r) (L r) (P_b r) (P_n r) (B r / sqrt kappa) (nu_M k) (INR (Es r)) ->
  3 / 4 * INR (Es r) <= Ebar r /\
  A_M r k <= bound_B3 (gamma r) (L r) (P_b r) (P_n r) (b r) (sigma r) (G r) (B r / sqrt kappa) (nu_M k)
                      (Delta_B r k)
                      (Theta_B r k) (R_B r k ^ 2) (INR (Es r)) (Ebar r) (INR (T r)).
