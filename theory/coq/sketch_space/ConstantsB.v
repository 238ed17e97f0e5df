(** * Constants for Theorem B that always do

    λ is any number with ‖g‖_M² ≤ λ‖g‖², for example λ_max(M). Then H̄ = L·1, L_M = λL, ℓ_M = √λ L and Λ_b =
    Λ_n = λ meet the assumptions, ρ is bounded by the distance R of X_t from the broadcast, and D by A3. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result.
From FPS.sketch_space Require Import TableSetting.
Open Scope R_scope.

(** R = ((1/T) Σ E‖X_t − w̃_t‖²)^{1/2} *)
Definition R_B (r : run) (k : table r) : R :=
  sqrt (rounds r (fun i => ‖(X r k (fst i) (snd i) - broadcast r (fst i) (snd i))‖²)).

(** For an L-smooth function ∇l is √λ L-Lipschitz from the Euclidean norm to the seminorm (ℓ_M = √λ L), L·1
    bounds the curvature, and L_M = λL. *)
Definition Constants_From_Lambda : result := forall (V : space) (k : sketch V) lam L (l : V -> R) grad,
  0 <= lam -> (forall g, ‖(Sk k g)‖² <= lam * ‖g‖²) -> 0 < L -> smooth L l grad ->
  (forall x y, ‖(Sk k (grad y - grad x)%V)‖ <= (sqrt lam * L) * ‖(y - x)‖) /\
  (forall x y, l y <= l x + ⟨grad x, y - x⟩ + ⟨y - x, L *: (y - x)⟩ / 2) /\
  (forall g, ⟨St k (Sk k g), L *: St k (Sk k g)⟩ <= (lam * L) * ‖(Sk k g)‖²).

(** ρ ≤ √λ L R, with R the root mean square distance of X_t = S^T C s_t − ξ from the broadcast. *)
Definition Rho_From_Lambda : result := forall (r : run) (k : table r) lam, assumptions_B r k ->
  0 <= lam -> (forall g, ‖(Sk k g)‖² <= lam * ‖g‖²) -> 0 < L r -> smooth (L r) (f r) (grad_f r) ->
  (forall t, (t < T r)%nat -> sq (chance r) (fun o => add (X r k t o) (scale (-1) (broadcast r t o)))) ->
  rho_B r k <= sqrt lam * L r * R_B r k.

(** If D is not measured: A3 and κ (1/T) Σ E‖∇f(w̃_t)‖² ≤ A_M give D² ≤ G² + B² A_M/κ. *)
Definition D_From_A3 : result := forall (r : run) (k : table r) kappa, assumptions_B r k ->
  0 < kappa -> kappa * A r <= A_M r k ->
  (forall t o, (t < T r)%nat -> may (chance r) o ->
    avg (M r) (fun m => ‖(grad r m (broadcast r t o))‖²) <=
      G r ^ 2 + B r ^ 2 * ‖(grad_f r (broadcast r t o))‖²) ->
  D_B r ^ 2 <= G r ^ 2 + B r ^ 2 * A_M r k / kappa.
