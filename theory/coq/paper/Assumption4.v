(** * Assumption 4 as printed leaves no gradient but 0

    |g(i)| = i^{−p}‖g‖ with i = 1 says |g(1)| = ‖g‖, so all other coordinates vanish. With i = 2 it then says
    ‖g‖ = 0. For one coordinate it always holds. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result.
From FPS.paper Require Import Setting.
Open Scope R_scope.

(** In two or more dimensions a vector with the power law of Assumption 4 is 0 in every coordinate. *)
Definition Power_law_forces_zero : result := forall d p (g : Rd d),
  (2 <= d)%nat -> power_law d p g -> forall i, (i < d)%nat -> g i = 0.

(** In one dimension every vector has the power law of Assumption 4. *)
Definition Power_law_is_empty_in_one_dimension : result := forall p (g : Rd 1), power_law 1 p g.

(** In a run in two or more dimensions that meets Assumption 4 every gradient is 0, and no device ever leaves
    the model that was broadcast to it. *)
Definition No_device_moves : result := forall r, (2 <= d r)%nat -> Assumption_4 r ->
  forall t m e o, step r t m e ->
    ‖(g r t m e o)‖² = 0 /\ ‖(local r t m (S e) o - broadcast r t o)‖² = 0.

(** In two or more dimensions Assumptions 3 and 4 together leave the whole gradient to the bias:
    (1 − P_b)E‖∇f(w_t)‖² ≤ b². *)
Definition Bias_pays_for_the_gradient : result := forall r, (2 <= d r)%nat -> sizes r ->
  Assumption_4 r -> Assumptions_2_3_received r -> forall t, (t < T r)%nat ->
    (1 - P_b r) * chance r (fun o => ‖(grad_f r (broadcast r t o))‖²) <= b2 r.
