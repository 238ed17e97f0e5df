(** * Theorem L: a memory that leaks, for one local step

    A device adds to its update what the channel has left out before: it sends p = e + y and keeps e₊ = ρ(p − c A p). All
    take x₊ = x + k(A p̄ + n), with c = 1/(1+ω_1) and k = 1 − ρ(1−c). ρ = 0 is the plain fresh channel, ρ = 1 is error
    feedback. A is linear, so what devices hold enters the model by its mean only, and here e, y and p are these means.
    All devices take part and gradients are exact, y = −γ∇f(x). *)
From Coq Require Import Reals.
From FPS.tools Require Import Result Smooth.
From FPS.fresh Require Export Channel.
Open Scope R_scope.

Record leaky := {
  all_V : space; all_Omega : Type; all_chance : mean all_V all_Omega;
  loss : all_V -> R; grad : all_V -> all_V; all_H : all_V -> all_V;
  gamma : R; leak : R;                                      (* ρ *)
  price : R; price_1 : R; all_ell : R; all_floor : R;       (* ω for H, ω_1 for lengths *)
  model : nat -> all_Omega -> all_V; memory : nat -> all_Omega -> all_V;
  all_A : nat -> all_Omega -> all_V -> all_V; all_noise : nat -> all_Omega -> all_V;
  at_hash : nat -> all_Omega -> all_Omega -> Prop; at_noise : nat -> all_Omega -> all_Omega -> Prop }.

Section Run.
Variable r : leaky.
(** c, k, s = ρ√(1−c), a = s/(1−s) and b = (1−ρ)/(1−s) *)
Definition shrink : R := / (1 + price_1 r).
Definition applied : R := 1 - leak r * (1 - shrink).
Definition s_of : R := leak r * sqrt (1 - shrink).
Definition a_of : R := s_of / (1 - s_of).
Definition b_of : R := (1 - leak r) / (1 - s_of).
Definition sent (t : nat) (o : all_Omega r) : all_V r := (memory r t o + (- gamma r) *: grad r (model r t o))%V.
(** z = x + e *)
Definition virtual (t : nat) (o : all_Omega r) : all_V r := (model r t o + memory r t o)%V.
Definition gradient_square (t : nat) : R := all_chance r (fun o => ‖(grad r (model r t o))‖²).

Record memory_round (t : nat) : Prop := {
  next_memory : forall o, memory r (S t) o = (leak r *: (sent t o - shrink *: all_A r t o (sent t o)))%V;
  next_model : forall o, model r (S t) o = (model r t o + applied *: (all_A r t o (sent t o) + all_noise r t o))%V;
  (* the hash comes after the model and the memory, the noise after the hash *)
  model_known : known (at_hash r t) (model r t); memory_known : known (at_hash r t) (memory r t);
  noise_after_hash : forall o o', at_noise r t o o' -> at_hash r t o o';
  received_known : known (at_noise r t) (fun o => all_A r t o (sent t o));
  channel_H : fresh_channel (all_chance r) (at_hash r t) (all_A r t) (all_H r) (price r);
  channel_1 : fresh_channel (all_chance r) (at_hash r t) (all_A r t) (fun v => v) (price_1 r);
  noise_mean_zero : forall Z, sq (all_chance r) Z -> known (at_noise r t) Z ->
    all_chance r (fun o => ⟨all_noise r t o, Z o⟩) = 0;
  noise_small : all_chance r (fun o => ⟨all_noise r t o, all_H r (all_noise r t o)⟩) <= all_floor r;
  sq_memory : sq (all_chance r) (memory r t); sq_noise : sq (all_chance r) (all_noise r t);
  sq_gradient : sq (all_chance r) (fun o => grad r (model r t o));
  sq_virtual : sq (all_chance r) (fun o => grad r (virtual t o));
  int_virtual : int (all_chance r) (fun o => loss r (virtual t o));
  int_next : int (all_chance r) (fun o => loss r (virtual (S t) o)) }.

Record leaky_fits : Prop := {
  H_symmetric : symmetric (all_H r); H_bounded : at_most_form (all_H r) (all_ell r);
  loss_curved : curved_by (all_H r) (loss r) (grad r);
  gradient_lipschitz : forall x y, ‖(grad r y - grad r x)‖ <= all_ell r * ‖(y - x)‖;
  sq_H : forall X, sq (all_chance r) X -> sq (all_chance r) (fun o => all_H r (X o));
  gamma_pos : 0 < gamma r; ell_nonneg : 0 <= all_ell r; price_nonneg : 0 <= price r; price_1_nonneg : 0 <= price_1 r;
  leak_range : 0 <= leak r <= 1;
  empty_memory : forall o, memory r 0 o = zero }.
End Run.

(** One round: what is left in the memory is at most s² E‖p‖², and z = x + e moves by y, by noise of mean 0 and by
    (1−ρ)(A − 1)p: E f(z₊) ≤ E f(z) + E⟨∇f(z), y⟩ + (ℓ/2) E‖y‖² + ((1−ρ)²ω/2) E‖p‖² + k² floor/2. *)
Definition Leaky_Round : result := forall r t, leaky_fits r -> memory_round r t ->
  all_chance r (fun o => ‖(memory r (S t) o)‖²) <= s_of r ^ 2 * all_chance r (fun o => ‖(sent r t o)‖²) /\
  all_chance r (fun o => loss r (virtual r (S t) o)) <= all_chance r (fun o => loss r (virtual r t o))
    - gamma r * all_chance r (fun o => ⟨grad r (virtual r t o), grad r (model r t o)⟩)
    + all_ell r / 2 * gamma r ^ 2 * gradient_square r t
    + (1 - leak r) ^ 2 * price r / 2 * all_chance r (fun o => ‖(sent r t o)‖²) + applied r ^ 2 * all_floor r / 2.

(** Theorem L: for every ρ in [0, 1] and every T,
    (1 − γ(ℓ/2 + ℓa + ωb²/2)) (1/T) Σ E‖∇f(x_t)‖² ≤ (E f(x_0) − f_star)/(γT) + k² floor/(2γ). *)
Definition Theorem_L : result := forall r T f_star, (0 < T)%nat -> leaky_fits r ->
  (forall t, (t < T)%nat -> memory_round r t) -> (forall x, f_star <= loss r x) ->
  (1 - gamma r * (all_ell r / 2 + all_ell r * a_of r + price r * b_of r ^ 2 / 2)) * avg T (gradient_square r) <=
  (all_chance r (fun o => loss r (model r 0 o)) - f_star) / (gamma r * INR T) + applied r ^ 2 * all_floor r / (2 * gamma r).
