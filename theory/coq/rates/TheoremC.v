(** * Theorem C: convex losses

    If every l_m is convex, neither A3 nor a bound on E, M or the dissimilarity is needed, and the learning
    rate may reach 2/(L(1+P_n)). The run is the one of the repaired theory (repaired/Setting.v) without
    bias and without the proximal term. A minimiser x_star of f must exist and is given: separable logistic
    losses are not covered. Letters: κ = 2γ/L − γ²(1+P_n), a_e = P_n + E − e, G*² = mean_m‖∇l_m(x_star)‖²,
    C = Σ_e [2γ⁴a_e²/κ + γ²(2a_e − 1 − P_n)], D_0² = E‖v_0 − ξ − x_star‖². *)
From Coq Require Import Reals.
From FPS.tools Require Import Result Smooth.
From FPS.repaired Require Import Setting.
Open Scope R_scope.

Section Letters.
Variables (r : run) (x_star : V r).
Definition kappa : R := 2 * gamma r / L r - gamma r ^ 2 * (1 + P_n r).
Definition a_ (e : nat) : R := P_n r + INR (Es r) - INR e.
Definition C_ : R := sum (Es r) (fun e =>
  2 * gamma r ^ 4 * a_ e ^ 2 / kappa + gamma r ^ 2 * (2 * a_ e - 1 - P_n r)).
Definition G_star2 : R := avg (M r) (fun m => ‖(grad r m x_star)‖²).
Definition D_02 : R := chance r (fun o => ‖(shifted r 0 o - x_star)‖²).
(** The right sides, without and with a sketch residual *)
Definition bound_C : R := 2 / kappa *
  (D_02 / INR (T r) + C_ * G_star2 + gamma r ^ 2 * INR (Es r) * sigma r ^ 2).
Definition bound_C_with_residual : R := 4 / kappa *
  (D_02 / INR (T r) + C_ * G_star2 + gamma r ^ 2 * INR (Es r) * sigma r ^ 2
   + 4 * gamma r ^ 2 * INR (Es r) / kappa * R2 r).

(** What is assumed: A1 with convex losses and a minimiser, A2 without bias, no proximal term. *)
Record convex_run : Prop := {
  C_L : 0 < L r; C_gamma : 0 < gamma r; C_mu : mu r = 0;
  C_convex : forall m x y, (m < M r)%nat ->
    0 <= loss r m y - loss r m x - ⟨grad r m x, y - x⟩ <= L r / 2 * ‖(y - x)‖²;
  C_minimiser : forall x, f r x_star <= f r x;
  C_no_bias : forall t m e o, beta r t m e o = zero;
  C_mean_zero : forall t m e (Y : Omega r -> V r), step r t m e -> sq (chance r) Y ->
    known r (past r t m e) Y ->
    chance r (fun o => ⟨zeta r t m e o, Y o⟩) = 0;
  C_noise : forall t m e, step r t m e ->
    chance r (fun o => ‖(zeta r t m e o)‖²) <=
    P_n r * chance r (fun o => ‖(grad r m (local r t m e o))‖²) + sigma r ^ 2;
  C_zeta_known : forall t m e, step r t m e -> known r (past r t m (S e)) (zeta r t m e);
  C_broadcast_known : forall t m, known r (past r t m 0) (broadcast r t);
  C_shifted_known : forall t m, (t < T r)%nat -> known r (past r t m 0) (shifted r t);
  C_past_of_step : forall t m e o o', past r t m (S e) o o' -> past r t m e o o';
  C_sq_grad : forall t m e, step r t m e -> sq (chance r) (fun o => grad r m (local r t m e o));
  C_sq_zeta : forall t m e, step r t m e -> sq (chance r) (zeta r t m e);
  C_sq_star : forall m, (m < M r)%nat -> sq (chance r) (fun _ => grad r m x_star);
  C_sq_broadcast : forall t, (t < T r)%nat -> sq (chance r) (fun o => (broadcast r t o - x_star)%V);
  C_sq_start : sq (chance r) (fun o => (shifted r 0 o - x_star)%V) }.
End Letters.

(** Convex losses, exact broadcasts (w̃_t is v_t − ξ): if κ > 0, then
    A ≤ (2/κ){D_0²/T + C G*² + γ²Eσ²}, for any E, M, P_n and any dissimilarity. *)
Definition Theorem_C : result := forall (r : run) (x_star : V r), convex_run r x_star -> 0 < kappa r ->
  (forall t o, (t < T r)%nat -> same (shifted r t o) (broadcast r t o)) ->
  A r <= bound_C r x_star.

(** With a sketch residual: if κ > 0, then
    A ≤ (4/κ){D_0²/T + C G*² + γ²Eσ² + (4γ²E/κ)R_ξ²}. *)
Definition Theorem_C_With_Residual : result := forall (r : run) (x_star : V r),
  convex_run r x_star -> 0 < kappa r -> A r <= bound_C_with_residual r x_star.

(** The range κ > 0, that is γ < 2/(L(1+P_n)), is exact for one device: there is such a run, with one local
    step and relative noise P_n, whose mean squared distance from x_star is multiplied by exactly 1 − L²κ in
    the round. *)
Definition Theorem_C_Range_Is_Exact : result := forall (Lip rate P x : R), 0 < Lip -> 0 < rate -> 0 <= P ->
  exists (r : run) (x_star : V r), convex_run r x_star /\ M r = 1%nat /\ Es r = 1%nat /\
    L r = Lip /\ gamma r = rate /\ P_n r = P /\ sigma r = 0 /\ D_02 r x_star = x ^ 2 /\
    chance r (fun o => ‖(shifted r 1 o - x_star)‖²) = (1 - Lip ^ 2 * kappa r) * D_02 r x_star.
