(** * Theorem D for every hash sketch, with constants that need no eigenvalue

    FPS with the mean read-out, one local step and no noise on Σ_i h_i (w_i − wstar_i)²/2 with μ_f ≤ h_i ≤
    h_max. The number d h_max always serves as L_A, and √(d/k) ‖H wstar‖ as the bound on the k-support norm.
    So the assumptions of Theorem D can be met by every hash, every k ≥ 1 and every γ < 2/(d h_max), and the
    broadcast stays bounded on average for every number of rounds. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result Mean.
From FPS.sketch_space Require Import Sketch TheoremD.
From FPS.sketch_space.tables Require Import HashTable.
Open Scope R_scope.

(** The seminorm of a hash sketch with C = 1/J is at most √d times the Euclidean norm: λ_max(A) ≤ d. *)
Definition Lambda_Of_A_Hash : result := forall h (proper : well_formed h) (g : Rd (d h)),
  ‖(Sk (mean_table h proper) g)‖² <= INR (d h) * ‖g‖².

(** Every such run meets all assumptions of Theorem D, for some choice of its top-k sets. *)
Definition Assumptions_D_For_Every_Hash : result :=
  forall h (proper : well_formed h) k h_ wstar mu_f h_max gamma start s w,
  (1 <= k)%nat -> 0 < mu_f -> (forall i, (i < d h)%nat -> mu_f <= h_ i <= h_max) -> 0 <= h_max ->
  0 < gamma -> gamma * (INR (d h) * h_max) < 2 ->
  fps_run h k gamma (diagonal h_) wstar start (mean_readout h) s w ->
  exists P, let Kn := k_support_default (d := d h) k (times_H h_ wstar) in
  let r := as_separable h proper k h_ wstar mu_f gamma (INR (d h) * h_max) Kn s P in
  assumptions_D r /\ forall t i, (i < d h)%nat -> w t i = w_D r t i.

(** So for every T the root mean square of ‖w̃_t‖_H over T rounds is at most Q̄, a number that does not grow
    with T. *)
Definition Broadcast_Bounded_For_Every_Hash : result :=
  forall h (proper : well_formed h) k h_ wstar mu_f h_max gamma start s w T,
  (1 <= k)%nat -> 0 < mu_f -> (forall i, (i < d h)%nat -> mu_f <= h_ i <= h_max) -> 0 <= h_max ->
  0 < gamma -> gamma * (INR (d h) * h_max) < 2 ->
  fps_run h k gamma (diagonal h_) wstar start (mean_readout h) s w -> (0 < T)%nat ->
  sqrt (avg T (fun t => norm_H (d := d h) h_ (w t) ^ 2)) <=
  broadcast_bound (k_support_default (d := d h) k (times_H h_ wstar) / sqrt mu_f)
                  (gamma * (INR (d h) * h_max) / 2) (norm_H (d := d h) h_ wstar)
                  (@inner (tables (mean_table h proper)) start start / (2 * gamma * INR T)).
