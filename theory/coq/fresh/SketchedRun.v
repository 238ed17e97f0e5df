(** * Theorem S for sketches: E local steps, T rounds, a fresh hash in every round

    Everything is put together here: the local steps of rates/Round.v, who takes part, J rows of a fresh count sketch or
    fold, noise in the table, and a certificate that pays for the channel. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result Smooth.
From FPS.fresh Require Import HashRound.
From FPS.rates Require Import Round Forms Average.
From FPS.fresh Require Import Prices.
Open Scope R_scope.

(** What is given of T rounds *)
Record sketched_run := {
  d : nat; I : Type; P : mean (Rd d) I;
  devices : nat; some_devices : (0 < devices)%nat;
  loss : nat -> Rd d -> R; gradient : nat -> Rd d -> Rd d; Hess : matrix;
  model : nat -> I -> Rd d;                                          (* x_t *)
  bias : nat -> nat -> nat -> I -> Rd d;                             (* β and ζ of round t, device m, step e *)
  jitter : nat -> nat -> nat -> I -> Rd d;
  seen : nat -> nat -> nat -> I -> I -> Prop;                        (* what a device knows before a step *)
  weights : nat -> I -> nat -> R;                                    (* who takes part in round t *)
  J : nat; columns : nat;
  hash : nat -> nat -> I -> row; cells : nat -> I -> nat -> nat -> R;   (* of round t *)
  q_pick : nat -> I -> I -> Prop; q_hash : nat -> I -> I -> Prop; q_noise : nat -> I -> I -> Prop;
  share : matrix; ell_H : R; omega_H : R; sigma_c : R; kappa : R }.

Section Run.
Variables (k : numbers) (s : sketched_run).
Definition rounds_of : rounds := {|
  all_V := Rd (d s); all_Omega := I s; all_chance := P s; all_M := devices s; all_some := some_devices s;
  all_loss := loss s; all_grad := gradient s; broadcast := model s; all_beta := bias s; all_zeta := jitter s;
  all_past := seen s |}.
(** Round t of exact averaging, and the same round over the sketch *)
Definition exact_at (t : nat) : round := round_at rounds_of t.
Definition sketched_at (t : nat) : sketched := {|
  HashRound.d := d s; HashRound.I := I s; HashRound.P := P s;
  HashRound.loss := f (exact_at t); HashRound.gradient := grad_f (exact_at t); HashRound.Hess := Hess s;
  HashRound.devices := devices s; HashRound.some_devices := some_devices s;
  x := model s t; displacement := fun m o => (local k (exact_at t) m (Es k) o - model s t o)%V;
  HashRound.weights := weights s t; HashRound.J := J s; HashRound.columns := columns s;
  HashRound.hash := hash s t; HashRound.cells := cells s t;
  HashRound.q_pick := q_pick s t; HashRound.q_hash := q_hash s t; HashRound.q_noise := q_noise s t;
  HashRound.share := share s; HashRound.ell_H := ell_H s; HashRound.omega_H := omega_H s;
  HashRound.sigma_c := sigma_c s |}.

(** Round t meets A1 and A2 (rates/Round.v; A3 with some G' only), A3 with G where the certificate a uses it, and what
    HashRound.v asks; κ is that of every round, and the next model is where the round over the sketch ends. *)
Record round_over_sketch (a : multipliers) (G b sigma : R) (t : nat) : Prop := {
  steps_fit : exists G', fits k (exact_at t) G' b sigma;
  A3_used : A3_as_needed k a (exact_at t) G;
  sketch_fits : sketched_fits (sketched_at t);
  kappa_is : kappa_of (P s) (devices s) (weights s t) = kappa s;
  next_model : forall o, model s (S t) o = Channel.finish (round_of (sketched_at t)) o }.

(** f, and E‖∇f(x_t)‖² *)
Definition mean_loss : Rd (d s) -> R := f (exact_at 0).
Definition gradient_square (t : nat) : R := P s (fun o => ‖(grad_f (exact_at 0) (model s t o))‖²).
End Run.

(** Theorem S for sketches: with a certificate for ω and v = κ(ℓ+ω), c > 0, and any T,
    (1/T) Σ E‖∇f(x_t)‖² ≤ (1/c){(E f(x_0) − f_star)/T + (η_0+η_+)G² + Σ τ_e b² + Σ ϑ_e σ² + σ_c² tr(H)/(2J)}. *)
Definition Theorem_S_For_Sketches : result := forall k a s,
  priced_certificate k a (omega_H s) (kappa s * (ell_H s + omega_H s)) -> 0 < c a ->
  forall T f_star G b sigma, (0 < T)%nat ->
  (forall t, (t < T)%nat -> round_over_sketch k s a G b sigma t) ->
  (forall x, f_star <= mean_loss s x) ->
  avg T (gradient_square s) <=
  / c a * ((P s (fun o => mean_loss s (model s 0 o)) - f_star) / INR T
    + ((eta_0 a + eta_plus a) * G ^ 2 + sum (Es k) (tau a) * b ^ 2 + sum (Es k) (vt a) * sigma ^ 2
       + sigma_c s ^ 2 * trace (d s) (Hess s) / (2 * INR (J s)))).
