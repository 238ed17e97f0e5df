(** * Theorem S for one local step: descent in a round, and the average over T rounds

    Device m sends y^m = −γ(∇l_m(x) + ζ^m) over a fresh channel. The range of learning rates is
    γ < 2/((ℓ+ω)(1+κ(B²−1))): compression adds ω to the curvature ℓ, partial participation multiplies. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result Smooth.
From FPS.fresh Require Export Channel.
Open Scope R_scope.

(** T rounds that share devices, losses and chance *)
Record run := {
  all_V : space; all_Omega : Type; all_chance : mean all_V all_Omega;
  all_M : nat; all_some : (0 < all_M)%nat;
  mean_loss : all_V -> R; grad : nat -> all_V -> all_V; all_H : all_V -> all_V;
  gamma : R;
  model : nat -> all_Omega -> all_V;                     (* x_t *)
  zeta : nat -> nat -> all_Omega -> all_V;               (* gradient noise of round t, device m *)
  all_picked : nat -> all_Omega -> all_V; all_A : nat -> all_Omega -> all_V -> all_V; all_noise : nat -> all_Omega -> all_V;
  at_start : nat -> all_Omega -> all_Omega -> Prop;      (* the past of round t, before its samples *)
  at_pick : nat -> all_Omega -> all_Omega -> Prop; at_hash : nat -> all_Omega -> all_Omega -> Prop;
  at_noise : nat -> all_Omega -> all_Omega -> Prop;
  all_ell : R; all_omega : R; all_kappa : R; all_floor : R }.

Section Run.
Variable r : run.
Definition step (t m : nat) (o : all_Omega r) : all_V r :=
  ((- gamma r) *: (grad r m (model r t o) + zeta r t m o))%V.
Definition mean_grad (x : all_V r) : all_V r := vmean (all_M r) (fun m => grad r m x).
Definition round_at (t : nat) : round := {|
  V := all_V r; Omega := all_Omega r; chance := all_chance r; f := mean_loss r; grad_f := mean_grad;
  H := all_H r; M := all_M r; M_pos := all_some r; start := model r t; y := step t; picked := all_picked r t;
  A := all_A r t; noise := all_noise r t; before_pick := at_pick r t; before_hash := at_hash r t;
  before_noise := at_noise r t; ell := all_ell r; omega := all_omega r; kappa := all_kappa r; floor := all_floor r |}.
Definition value (t : nat) : R := all_chance r (fun o => mean_loss r (model r t o)).
Definition gradient_square (t : nat) : R := all_chance r (fun o => ‖(mean_grad (model r t o))‖²).

(** Round t fits, its next model is where it ends, A3 holds at x_t, and gradient noise has mean 0 given the past of the
    round, E mean_m‖ζ^m‖² ≤ σ² and E‖mean_m ζ^m‖² ≤ νσ². *)
Record round_fits (G B sigma nu : R) (t : nat) : Prop := {
  round_ok : fits (round_at t);
  next_model : forall o, model r (S t) o = finish (round_at t) o;
  model_known : known (at_start r t) (model r t);
  A3 : all_chance r (fun o => avg (all_M r) (fun m => ‖(grad r m (model r t o))‖²)) <= G ^ 2 + B ^ 2 * gradient_square t;
  zeta_mean_zero : forall m Z, (m < all_M r)%nat -> sq (all_chance r) Z -> known (at_start r t) Z ->
    all_chance r (fun o => ⟨zeta r t m o, Z o⟩) = 0;
  zeta_small : all_chance r (fun o => avg (all_M r) (fun m => ‖(zeta r t m o)‖²)) <= sigma ^ 2;
  zeta_mean_small : all_chance r (fun o => ‖(vmean (all_M r) (fun m => zeta r t m o))‖²) <= nu * sigma ^ 2;
  sq_grad : forall m, (m < all_M r)%nat -> sq (all_chance r) (fun o => grad r m (model r t o));
  sq_zeta : forall m, (m < all_M r)%nat -> sq (all_chance r) (zeta r t m) }.

(** w = ℓ + ω, c = γ(1 − γw(1+κ(B²−1))/2), price = (γ²w/2)((1−κ)νσ² + κ(G²+σ²)) + floor/2 *)
Definition w : R := all_ell r + all_omega r.
Definition rate (B : R) : R := gamma r * (1 - gamma r * w * (1 + all_kappa r * (B ^ 2 - 1)) / 2).
Definition price (G sigma nu : R) : R := gamma r ^ 2 * w / 2 *
  ((1 - all_kappa r) * (nu * sigma ^ 2) + all_kappa r * (G ^ 2 + sigma ^ 2)) + all_floor r / 2.
End Run.

(** Every round descends, up to its price: E f(x₊) ≤ E f(x) − c E‖∇f(x)‖² + price. *)
Definition Descent_Of_A_Fresh_Round : result := forall r G B sigma nu t, round_fits r G B sigma nu t ->
  0 <= all_kappa r <= 1 ->
  value r (S t) <= value r t - rate r B * gradient_square r t + price r G sigma nu.

(** If all devices take part and gradients are exact: E f(x₊) ≤ E f(x) − γ(1 − γ(ℓ+ω)/2) E‖∇f(x)‖² + floor/2, and the factor is positive
    for γ < 2/(ℓ+ω). *)
Definition Descent_Of_All_Devices : result := forall r G B t, round_fits r G B 0 0 t -> all_kappa r = 0 ->
  value r (S t) <= value r t - gamma r * (1 - gamma r * w r / 2) * gradient_square r t + all_floor r / 2 /\
  (0 < gamma r -> 0 < w r -> gamma r < 2 / w r -> 0 < gamma r * (1 - gamma r * w r / 2)).

(** For γ < 2/((ℓ+ω)(1+κ(B²−1))) and every T: (1/T) Σ E‖∇f(x_t)‖² ≤ (1/c)((E f(x_0) − f_star)/T + price). *)
Definition Average_Of_Fresh_Rounds : result := forall r G B sigma nu T f_star, (0 < T)%nat -> 0 < gamma r ->
  0 <= all_kappa r <= 1 -> gamma r * w r * (1 + all_kappa r * (B ^ 2 - 1)) < 2 ->
  (forall t, (t < T)%nat -> round_fits r G B sigma nu t) -> (forall x, f_star <= mean_loss r x) ->
  avg T (gradient_square r) <= / rate r B * ((value r 0 - f_star) / INR T + price r G sigma nu).
