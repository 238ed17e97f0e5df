(** * Separable losses with several local steps: a round is one step on another separable quadratic

    Device m has l_m(w) = Σ_i h_{m,i} (w_i − c_{m,i})²/2 and takes E proximal steps from the broadcast w. With
    G_m = (1 − (1 − γ(h_m + μ))^E) h_m/(γĒ(h_m + μ)), G = mean_m G_m and w# = (mean_m G_m c_m)/G the round is
    exactly mean_m(w^{m,E} − w) = −γĒ G (w − w#). So Theorem D holds with (G, w#, γĒ). It then bounds ‖G(w̃ −
    w#)‖_A, and w# is in general not the minimiser of f. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result Mean.
Open Scope R_scope.

(** w^{m,e}, coordinate by coordinate *)
Fixpoint separable_local (gamma mu : R) (h c w : nat -> R) (e i : nat) : R :=
  match e with
  | O => w i
  | S j => let x := separable_local gamma mu h c w j i in x - gamma * (h i * (x - c i) + mu * (x - w i))
  end.
(** G_m, G and w# *)
Definition G_device (gamma mu Ebar : R) (E : nat) (h : R) : R :=
  (1 - (1 - gamma * (h + mu)) ^ E) * h / (gamma * Ebar * (h + mu)).
Definition G_mean (gamma mu Ebar : R) (E n : nat) (h : nat -> nat -> R) (i : nat) : R :=
  avg n (fun m => G_device gamma mu Ebar E (h m i)).
Definition w_sharp (gamma mu Ebar : R) (E n : nat) (h c : nat -> nat -> R) (i : nat) : R :=
  avg n (fun m => G_device gamma mu Ebar E (h m i) * c m i) / G_mean gamma mu Ebar E n h i.

(** The separable reduction, for any number γĒ that is not 0, n devices and E local steps. *)
Definition Separable_Round : result := forall gamma mu Ebar (E n d : nat) h c w,
  gamma * Ebar <> 0 -> (forall m i, (m < n)%nat -> (i < d)%nat -> h m i + mu <> 0) ->
  (forall i, (i < d)%nat -> G_mean gamma mu Ebar E n h i <> 0) ->
  forall i, (i < d)%nat ->
  avg n (fun m => separable_local gamma mu (h m) (c m) w E i - w i) =
  - (gamma * Ebar) * (G_mean gamma mu Ebar E n h i * (w i - w_sharp gamma mu Ebar E n h c i)).
