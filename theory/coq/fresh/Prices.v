(** * Descent certificates that can pay for a channel

    A certificate of rates/Forms.v with two more numbers: form_S must be at least (ω/2)‖y_E‖², form_D at least
    (v/2)‖y_E‖². Then the round of exact averaging descends with (ω/2) E‖ȳ‖² + (v/2) E mean‖y^m−ȳ‖² to spare. With
    v = κ(ℓ+ω) that is what Lemma 2 asks for a fresh channel. A3 at x̂, which no device ever sees, is assumed only if
    the certificate uses it, that is if η_+ ≠ 0. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result Smooth.
From FPS.rates Require Import Round Forms.
From FPS.fresh Require Channel.
Open Scope R_scope.

Record priced_certificate (k : numbers) (a : multipliers) (omega v : R) : Prop := {
  plain : certificate k a;
  price_S : forall u : nat -> line, omega / 2 * ‖(moved k (masked k u) (Es k))‖² <= form_S k a (masked k u);
  price_D : one_device k = true \/
    forall u : nat -> line, v / 2 * ‖(moved k (masked k u) (Es k))‖² <= form_D k a (masked k u) }.

(** A3 with G at the broadcast x, and at x̂ if η_+ ≠ 0 *)
Definition A3_as_needed (k : numbers) (a : multipliers) (r : round) (G : R) : Prop :=
  chance r (fun o => avg (M r) (fun m => ‖(grad r m (start r o))‖²)) <=
    G ^ 2 + B k ^ 2 * chance r (fun o => ‖(grad_f r (start r o))‖²) /\
  (eta_plus a = 0 \/ chance r (fun o => avg (M r) (fun m => ‖(grad r m (finish k r o))‖²)) <=
    G ^ 2 + B k ^ 2 * chance r (fun o => ‖(grad_f r (finish k r o))‖²)).

(** A certificate for (ω, v) is one for all smaller prices. *)
Definition Prices_Are_Monotone : result := forall k a omega v omega' v',
  priced_certificate k a omega v -> omega' <= omega -> v' <= v -> priced_certificate k a omega' v'.

(** The certificates of exact averaging are those for (0, 0). *)
Definition No_Price : result := forall k a, certificate k a <-> priced_certificate k a 0 0.

(** A round of exact averaging descends with the prices to spare. [fits] is asked with some G', as large as one likes;
    A3 with G only where it is used. *)
Definition Descent_With_Prices : result := forall k a omega v, priced_certificate k a omega v ->
  forall (r : round) (G' b sigma G : R), fits k r G' b sigma -> A3_as_needed k a r G ->
  chance r (fun o => f r (finish k r o)) - chance r (fun o => f r (start r o))
    + omega / 2 * chance r (fun o => ‖(finish k r o - start r o)‖²)
    + v / 2 * chance r (fun o => avg (M r) (fun m => ‖(local k r m (Es k) o - finish k r o)‖²)) <=
  - c a * chance r (fun o => ‖(grad_f r (start r o))‖²) + (eta_0 a + eta_plus a) * G ^ 2
    + sum (Es k) (tau a) * b ^ 2 + sum (Es k) (vt a) * sigma ^ 2.

(** The round whose local steps are sent over a channel *)
Definition sent (k : numbers) (r : round) (H : V r -> V r) (picked : Omega r -> V r) (A : Omega r -> V r -> V r)
  (noise : Omega r -> V r) (p_pick p_hash p_noise : Omega r -> Omega r -> Prop) (ell omega kappa floor : R) :
  Channel.round := {|
  Channel.V := V r; Channel.Omega := Omega r; Channel.chance := chance r; Channel.f := f r; Channel.grad_f := grad_f r;
  Channel.H := H; Channel.M := M r; Channel.M_pos := some_device r; Channel.start := start r;
  Channel.y := fun m o => (local k r m (Es k) o - start r o)%V; Channel.picked := picked; Channel.A := A;
  Channel.noise := noise; Channel.before_pick := p_pick; Channel.before_hash := p_hash; Channel.before_noise := p_noise;
  Channel.ell := ell; Channel.omega := omega; Channel.kappa := kappa; Channel.floor := floor |}.

(** Theorem S for one round: with a certificate for ω and v = κ(ℓ+ω) the round over the channel descends:
    E f(x₊) − E f(x) ≤ −c E‖∇f(x)‖² + (η_0+η_+)G² + Σ τ_e b² + Σ ϑ_e σ² + floor/2. *)
Definition Theorem_S_One_Round : result := forall k a omega ell kappa,
  priced_certificate k a omega (kappa * (ell + omega)) ->
  forall (r : round) (G' b sigma G : R) H picked A noise p_pick p_hash p_noise floor,
  fits k r G' b sigma -> A3_as_needed k a r G ->
  let sr := sent k r H picked A noise p_pick p_hash p_noise ell omega kappa floor in
  Channel.fits sr -> (forall m, (m < M r)%nat -> Channel.known p_pick (local k r m (Es k))) ->
  chance r (fun o => f r (Channel.finish sr o)) - chance r (fun o => f r (start r o)) <=
  - c a * chance r (fun o => ‖(grad_f r (start r o))‖²) + (eta_0 a + eta_plus a) * G ^ 2
    + sum (Es k) (tau a) * b ^ 2 + sum (Es k) (vt a) * sigma ^ 2 + floor / 2.
