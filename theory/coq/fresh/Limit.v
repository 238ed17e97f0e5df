(** * No proof can go further: the isotropic case

    f = (λ/2)‖x‖², the same for all devices. E local steps from x end at (1−γλ)^E x, so the update is −r x with
    r = 1 − (1−γλ)^E. Over a fresh sketch with E‖Av‖² = (1+ω)‖v‖² the model then stands still in the mean square if
    (1+ω)r = 2, that is at γλ = 1 − (1−2/(1+ω))^(1/E). As λ may be any number up to L, no bound Δ/(cT) holds for a
    learning rate from there on. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result.
From FPS.fresh Require Export HashChannel.
Open Scope R_scope.

(** x after e local steps *)
Fixpoint steps {d : nat} (gamma lambda : R) (x : Rd d) (e : nat) : Rd d :=
  match e with O => x | S j => (steps gamma lambda x j - gamma *: (lambda *: steps gamma lambda x j))%V end.

(** T rounds: x₊ = x + A y, y = w^E − x *)
Record isotropic_run (d : nat) := {
  I : Type; P : mean (Rd d) I; gamma : R; lambda : R; local_steps : nat; p : R;
  x : nat -> I -> Rd d; A : nat -> I -> matrix; before : nat -> I -> I -> Prop;
  all_solid : solid P;
  next : forall t o, x (S t) o = (x t o + times_matrix (A t o) (steps gamma lambda (x t o) local_steps - x t o))%V;
  hash : forall t, moments P d (fun _ _ => p) (A t);
  fresh : forall t, drawn_after P (before t) (A t);
  x_known : forall t, known (before t) (x t);
  x_sq : forall t, sq P (x t) }.
Arguments P {d}. Arguments gamma {d}. Arguments lambda {d}. Arguments local_steps {d}. Arguments p {d}. Arguments x {d}.
Definition r_of {d} (r : isotropic_run d) : R := 1 - (1 - gamma r * lambda r) ^ local_steps r.
Definition omega_of {d} (r : isotropic_run d) : R := p r * (INR d - 1).

(** One round: E‖x₊‖² = (1 − 2r + (1+ω)r²) E‖x‖², exactly. *)
Definition Isotropic_Round : result := forall d (r : isotropic_run d) t,
  P r (fun o => ‖(x r (S t) o)‖²) =
  (1 - 2 * r_of r + (1 + omega_of r) * r_of r ^ 2) * P r (fun o => ‖(x r t o)‖²).

(** At (1+ω)r = 2 nothing moves in the mean square, and every bound Δ/(cT) is broken by some T. *)
Definition No_Bound_At_The_Limit : result := forall d (r : isotropic_run d), (1 + omega_of r) * r_of r = 2 ->
  (forall T, P r (fun o => ‖(x r T o)‖²) = P r (fun o => ‖(x r 0 o)‖²)) /\
  (0 < P r (fun o => ‖(x r 0 o)‖²) -> lambda r <> 0 -> forall Delta c, 0 < c -> exists T, (0 < T)%nat /\
    Delta / (c * INR T) < avg T (fun t => P r (fun o => ‖(lambda r *: x r t o)‖²))).
