(** * From one round to the average of ‖∇f‖²

    T rounds with exact broadcasts, each of which descends: the average A of E‖∇f(w̃_t)‖² is at most
    (1/c){Δ/T + η G² + τ b² + ϑ σ²}, Δ = E f(w̃_0) − f_star. With a certificate this is the convergence
    theorem. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result Smooth.
From FPS.rates Require Import Round.
Open Scope R_scope.

(** Rounds that share devices, losses and chance *)
Record rounds := {
  all_V : space; all_Omega : Type; all_chance : mean all_V all_Omega;
  all_M : nat; all_some : (0 < all_M)%nat; all_loss : nat -> all_V -> R; all_grad : nat -> all_V -> all_V;
  broadcast : nat -> all_Omega -> all_V;
  all_beta : nat -> nat -> nat -> all_Omega -> all_V; all_zeta : nat -> nat -> nat -> all_Omega -> all_V;
  all_past : nat -> nat -> nat -> all_Omega -> all_Omega -> Prop }.
Definition round_at (w : rounds) (t : nat) : round := {|
  V := all_V w; Omega := all_Omega w; chance := all_chance w; M := all_M w; some_device := all_some w;
  loss := all_loss w; grad := all_grad w; start := broadcast w t; beta := all_beta w t; zeta := all_zeta w t;
  past := all_past w t |}.

(** If every round descends and the next broadcast is where the round ends, then
    A ≤ (1/c){(E f(w̃_0) − f_star)/T + η G² + τ b² + ϑ σ²}. *)
Definition Certified_Average : result := forall (k : numbers) (c eta tau vt : R),
  descends k c eta tau vt -> 0 < c ->
  forall (w : rounds) (T : nat) (f_star G b sigma : R), (0 < T)%nat ->
  (forall t, (t < T)%nat -> fits k (round_at w t) G b sigma) ->
  (forall t o, (t < T)%nat -> broadcast w (S t) o = finish k (round_at w t) o) ->
  (forall x, f_star <= f (round_at w 0) x) ->
  avg T (fun t => all_chance w (fun o => ‖(grad_f (round_at w 0) (broadcast w t o))‖²)) <=
  / c * ((all_chance w (fun o => f (round_at w 0) (broadcast w 0 o)) - f_star) / INR T
         + (eta * G ^ 2 + tau * b ^ 2 + vt * sigma ^ 2)).

(** The assumptions on a round can be met, with noise: two devices that toss one fair coin each,
    uncorrelated. *)
Definition Noisy_Round_Exists : result := exists (k : numbers) (r : round),
  fits k r 0 0 1 /\ noisy k = true /\ uncorrelated k = true /\ M r = 2%nat /\
  forall m, (m < 2)%nat -> chance r (fun o => ‖(zeta r m 0 o)‖²) = 1.
