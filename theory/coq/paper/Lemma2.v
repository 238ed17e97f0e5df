(** * Lemma 2 of the paper: the drift of the local models

    Lemma 2 says: for γ ≤ 1/(4E(L+μ)(1 + 2B²(P_b+P_n))) and e < E,
      E‖w^e_t − w_t‖² ≤ 30E²γ²((1 + 2B²(P_b+P_n))‖∇f(w_t)‖² + b² + σ²).
    It prints one model w^e_t. With one device it is true. With several devices it is true of each device with
    the device's own gradient on the right, and false with ∇f there, even on average over the devices.
    Assumptions 2 and 3 are used here for the local gradients only. E is the expectation over all that is
    random, so ‖∇f(w_t)‖² has one too. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result.
From FPS.paper Require Import Setting.
Open Scope R_scope.

Definition lemma_2_condition (r : run) : Prop :=
  gamma r <= gamma_max_drift (L r) (mu r) (P_b r) (P_n r) (B r) (INR (Es r)).
(** The right side of Lemma 2, with G in the place of ‖∇f(w_t)‖² *)
Definition lemma_2_right (r : run) (G : R) : R :=
  lemma_2_bound (gamma r) (P_b r) (P_n r) (b2 r) (sigma2 r) (B r) (INR (Es r)) G.
(** E‖w^{m,e}_t − w_t‖² *)
Definition mean_drift (r : run) (t m e : nat) : R :=
  chance r (fun o => ‖(local r t m e o - broadcast r t o)‖²).

(** The drift of device m is at most the bound of Lemma 2 with the device's own ‖∇l_m(w_t)‖². *)
Definition Lemma_2_with_own_gradient : result := forall r, local_assumptions r -> lemma_2_condition r ->
  forall t m e, step r t m e ->
    mean_drift r t m e <= lemma_2_right r (chance r (fun o => ‖(grad r m (broadcast r t o))‖²)).

(** Lemma 2 as printed holds for one device. *)
Definition Lemma_2_of_one_device : result := forall r, local_assumptions r -> lemma_2_condition r ->
  M r = 1%nat -> forall t e, step r t 0 e ->
    mean_drift r t 0 e <= lemma_2_right r (chance r (fun o => ‖(grad_f r (broadcast r t o))‖²)).

(** Lemma 2 for every device of several, and for their mean *)
Definition Lemma_2_for_every_device (u : upkeep) : Prop :=
  forall r, all_but_the_sum r u -> lemma_2_condition r -> forall t m e, step r t m e ->
    mean_drift r t m e <= lemma_2_right r (chance r (fun o => ‖(grad_f r (broadcast r t o))‖²)).
Definition Lemma_2_for_the_mean (u : upkeep) : Prop :=
  forall r, all_but_the_sum r u -> lemma_2_condition r -> forall t e, step r t 0 e ->
    avg (M r) (fun m => mean_drift r t m e)
      <= lemma_2_right r (chance r (fun o => ‖(grad_f r (broadcast r t o))‖²)).

(** With several devices Lemma 2 is false if it is read for each device. *)
Definition Lemma_2_fails_for_every_device : result := forall u, ~ Lemma_2_for_every_device u.
(** With several devices Lemma 2 is false even for the mean over the devices. *)
Definition Lemma_2_fails_for_the_mean : result := forall u, ~ Lemma_2_for_the_mean u.
