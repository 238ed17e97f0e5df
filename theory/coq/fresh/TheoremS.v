(** * Theorem S: a certificate bounds the average of ‖∇f‖² over T rounds with fresh hashes

    E local steps, any sketch, any number of rounds: nothing is kept between rounds but the model, so nothing can
    grow. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result Smooth.
From FPS.rates Require Import Round Forms Average.
From FPS.fresh Require Import Prices.
From FPS.fresh Require Channel.
Open Scope R_scope.

(** The channel of T rounds: H, and for every round who takes part, A, the noise, and what is known when *)
Record over_channel (w : rounds) := {
  H : all_V w -> all_V w;
  picked : nat -> all_Omega w -> all_V w; A : nat -> all_Omega w -> all_V w -> all_V w;
  noise : nat -> all_Omega w -> all_V w;
  p_pick : nat -> all_Omega w -> all_Omega w -> Prop; p_hash : nat -> all_Omega w -> all_Omega w -> Prop;
  p_noise : nat -> all_Omega w -> all_Omega w -> Prop }.
Arguments H {w}. Arguments picked {w}. Arguments A {w}. Arguments noise {w}. Arguments p_pick {w}.
Arguments p_hash {w}. Arguments p_noise {w}.
Definition sent_at (k : numbers) (w : rounds) (s : over_channel w) (ell omega kappa floor : R) (t : nat) : Channel.round :=
  sent k (round_at w t) (H s) (picked s t) (A s t) (noise s t) (p_pick s t) (p_hash s t) (p_noise s t) ell omega kappa floor.

(** Theorem S: with a certificate for ω and v = κ(ℓ+ω), c > 0, and any T,
    (1/T) Σ E‖∇f(x_t)‖² ≤ (1/c){(E f(x_0) − f_star)/T + (η_0+η_+)G² + Σ τ_e b² + Σ ϑ_e σ² + floor/2}. *)
Definition Theorem_S : result := forall k a omega ell kappa,
  priced_certificate k a omega (kappa * (ell + omega)) -> 0 < c a ->
  forall (w : rounds) (s : over_channel w) T f_star G b sigma floor, (0 < T)%nat ->
  (forall t, (t < T)%nat -> exists G', fits k (round_at w t) G' b sigma) ->
  (forall t, (t < T)%nat -> A3_as_needed k a (round_at w t) G) ->
  (forall t, (t < T)%nat -> Channel.fits (sent_at k w s ell omega kappa floor t)) ->
  (forall t m, (t < T)%nat -> (m < all_M w)%nat -> Channel.known (p_pick s t) (local k (round_at w t) m (Es k))) ->
  (forall t o, (t < T)%nat -> broadcast w (S t) o = Channel.finish (sent_at k w s ell omega kappa floor t) o) ->
  (forall x, f_star <= f (round_at w 0) x) ->
  avg T (fun t => all_chance w (fun o => ‖(grad_f (round_at w 0) (broadcast w t o))‖²)) <=
  / c a * ((all_chance w (fun o => f (round_at w 0) (broadcast w 0 o)) - f_star) / INR T
    + ((eta_0 a + eta_plus a) * G ^ 2 + sum (Es k) (tau a) * b ^ 2 + sum (Es k) (vt a) * sigma ^ 2 + floor / 2)).
