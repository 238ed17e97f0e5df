(** * The worst curvature, H = 1 *)
From Coq Require Import Reals.
From FPS.tools Require Import Result.
From FPS.fresh Require Export HashChannel.
Open Scope R_scope.

(** For H = 1 the price is exact: ⟨y, Ωy⟩ = p(d−1)‖y‖². *)
Definition Isotropic_Spread : result := forall d p (y : Rd d),
  spread_form d (fun _ _ => p) delta y = p * (INR d - 1) * ‖y‖².

(** A fresh hash lengthens every vector by the same factor: E‖AY‖² = (1 + p(d−1)) E‖Y‖². *)
Definition Second_Moment_Of_A_Vector : result := forall d I (P : mean (Rd d) I) before A p (Y : I -> Rd d),
  solid P -> moments P d (fun _ _ => p) A -> drawn_after P before A -> sq P Y -> known before Y ->
  P (fun o => ‖(times_matrix (A o) (Y o))‖²) = (1 + p * (INR d - 1)) * P (fun o => ‖(Y o)‖²).

(** So a sketch is a fresh channel for lengths too, H = 1, with every ω_1 for which ⟨y,Ωy⟩ ≤ ω_1‖y‖² there: p(d−1) if all
    pairs collide with probability p. Theorem L asks for it. *)
Definition Channel_For_Lengths : result := forall d I (P : mean (Rd d) I) before A p omega,
  solid P -> moments P d p A -> drawn_after P before A -> (forall y : Rd d, spread_form d p delta y <= omega * ‖y‖²) ->
  fresh_channel P before (fun o => times_matrix (A o)) (fun v => v) omega.
