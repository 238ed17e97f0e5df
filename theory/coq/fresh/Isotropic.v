(** * The worst curvature, H = 1, and a round that meets all assumptions *)
From Coq Require Import Reals.
From FPS.tools Require Import Result.
From FPS.fresh Require Export HashChannel OneStep.
Open Scope R_scope.

(** For H = 1 the price is exact: ⟨y, Ωy⟩ = p(d−1)‖y‖². *)
Definition Isotropic_Spread : result := forall d p (y : Rd d),
  spread_form d (fun _ _ => p) delta y = p * (INR d - 1) * ‖y‖².

(** A fresh hash lengthens every vector by the same factor: E‖AY‖² = (1 + p(d−1)) E‖Y‖². *)
Definition Second_Moment_Of_A_Vector : result := forall d I (P : mean (Rd d) I) before A p (Y : I -> Rd d),
  solid P -> moments P d (fun _ _ => p) A -> drawn_after P before A -> sq P Y -> known before Y ->
  P (fun o => ‖(times_matrix (A o) (Y o))‖²) = (1 + p * (INR d - 1)) * P (fun o => ‖(Y o)‖²).

(** The assumptions of a round can be met: f(x) = ‖x‖²/2 on R^d, one device, any start and any γ, J fresh rows of K
    buckets, ℓ = 1 and ω = (d−1)/(JK). *)
Definition A_Fresh_Round_Exists : result := forall d K J gamma_ (x_0 : Rd d), (0 < d)%nat -> (0 < K)%nat -> (0 < J)%nat ->
  exists r : run, round_fits r 0 1 0 0 0 /\ gamma r = gamma_ /\ all_kappa r = 0 /\ all_ell r = 1 /\
  all_omega r = (INR d - 1) / (INR J * INR K) /\ all_floor r = 0 /\ gradient_square r 0 = ‖x_0‖².
