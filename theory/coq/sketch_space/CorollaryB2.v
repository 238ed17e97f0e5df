(** * Corollary B2: broadcast = what the table says; the learning-rate range γ < 2/L_M, and why it is exact

    Mean read-out of all coordinates (k = d), one local step, no noise, C = 1/J and ξ = 0: the broadcast is
    X_t itself, so ρ = 0. Then A_M ≤ 2Δ/((2 − γL_M) γT) for every γ < 2/L_M. With C = 1/J,
    M = A and L_M = L_A. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result.
From FPS.sketch_space Require Import TableSetting CorollaryB1.
Open Scope R_scope.

Definition noise_free (r : run) (k : table r) : Prop := P_n r = 0 /\ sigma r = 0 /\ tau k = 0.

(** Corollary B2, from Theorem B: A_M ≤ 2Δ/((2 − γL_M) γT) for every γ < 2/L_M. *)
Definition Corollary_B2 : result := forall (r : run) (k : table r), assumptions_B r k ->
  one_unbiased_step r -> noise_free r k -> (forall t o, (t < T r)%nat -> broadcast r t o = X r k t o) ->
  gamma r * L_M k < 2 ->
  A_M r k <= bound_B2 (Delta_B r k) (gamma r) (L_M k) (INR (T r)).

(** ** The same for a sequence of tables that moves by S ∇f(x_t), x_t = S^T C s_t − ξ *)
Definition told {V} (k : sketch V) (xi : V) (s : nat -> tables k) (t : nat) : V := (St k (s t) - xi)%V.
Definition descends {V} (k : sketch V) (gamma : R) (grad : V -> V) (xi : V) (s : nat -> tables k) : Prop :=
  exact_rounds k gamma s (fun t => grad (told k xi s t)).

(** Corollary B2 for any f whose curvature is at most H̄, without devices and chance. *)
Definition Corollary_B2_Descent : result :=
  forall (V : space) (k : sketch V) (f : V -> R) (grad Hbar : V -> V) L_M gamma f_star s xi T,
  (forall x y, ⟨Hbar x, y⟩ = ⟨x, Hbar y⟩) ->
  (forall x y, f y <= f x + ⟨grad x, y - x⟩ + ⟨y - x, Hbar (y - x)⟩ / 2) ->
  (forall g, ⟨St k (Sk k g), Hbar (St k (Sk k g))⟩ <= L_M * ‖(Sk k g)‖²) ->
  (forall x, f_star <= f x) -> 0 < gamma -> descends k gamma grad xi s -> (0 < T)%nat -> gamma * L_M < 2 ->
  avg T (fun t => ‖(Sk k (grad (told k xi s t)))‖²) <=
    bound_B2 (f (told k xi s 0) - f_star) gamma L_M (INR T).

(** The range is exact for quadratics: if ∇f(x) = H(x − wstar) and M H v = λ v, the component of x_t − wstar
    along H v is multiplied by 1 − γλ in every round. *)
Definition Growth_Along_An_Eigenvector : result :=
  forall (V : space) (k : sketch V) (grad H : V -> V) gamma s xi wstar v lam,
  (forall x y, ⟨H x, y⟩ = ⟨x, H y⟩) -> (forall x, same (grad x) (H (x - wstar)%V)) ->
  same (St k (Sk k (H v))) (lam *: v)%V -> descends k gamma grad xi s ->
  forall t, ⟨H v, told k xi s t - wstar⟩ = (1 - gamma * lam) ^ t * ⟨H v, told k xi s 0 - wstar⟩.

(** So beyond 2/λ, with λ any eigenvalue of M H (L_A is the largest), x_t is unbounded from every start that
    is not orthogonal to H v. *)
Definition Divergence_Beyond_The_Range : result :=
  forall (V : space) (k : sketch V) (grad H : V -> V) gamma s xi wstar v lam,
  (forall x y, ⟨H x, y⟩ = ⟨x, H y⟩) -> (forall x, same (grad x) (H (x - wstar)%V)) ->
  same (St k (Sk k (H v))) (lam *: v)%V -> descends k gamma grad xi s ->
  2 < gamma * lam -> ⟨H v, told k xi s 0 - wstar⟩ <> 0 ->
  forall K, exists t, K < ‖(told k xi s t - wstar)‖.
