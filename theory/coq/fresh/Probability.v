(** * Theorem S with a probability: Markov's inequality, and all T at once

    [bad] is any event on which the bound fails, if it has a probability. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result Smooth.
From FPS.residual Require Import RandomRows.
From FPS.fresh Require Import HashRound.
From FPS.rates Require Import Round Forms Average.
From FPS.fresh Require Import Prices SketchedRun.
Open Scope R_scope.

(** The mean over T rounds of ‖∇f(x_t)‖² in one outcome *)
Definition realised (s : sketched_run) (T : nat) (o : I s) : R :=
  avg T (fun t => ‖(grad_f (exact_at s 0) (model s t o))‖²).
(** The right side of Theorem S *)
Definition theorem_s_bound (k : numbers) (a : multipliers) (s : sketched_run) (T : nat) (f_star G b sigma : R) : R :=
  / c a * ((P s (fun o => mean_loss s (model s 0 o)) - f_star) / INR T
    + ((eta_0 a + eta_plus a) * G ^ 2 + sum (Es k) (tau a) * b ^ 2 + sum (Es k) (vt a) * sigma ^ 2
       + sigma_c s ^ 2 * trace (d s) (Hess s) / (2 * INR (J s)))).

(** With probability at least 1 − δ the realised mean of ‖∇f‖² is below 1/δ times the bound of Theorem S. *)
Definition Theorem_S_With_Probability : result := forall k a s,
  priced_certificate k a (omega_H s) (kappa s * (ell_H s + omega_H s)) -> 0 < c a ->
  forall T f_star G b sigma delta (bad : I s -> bool), (0 < T)%nat ->
  (forall t, (t < T)%nat -> round_over_sketch k s a G b sigma t) -> (forall x, f_star <= mean_loss s x) ->
  0 < delta -> 0 < theorem_s_bound k a s T f_star G b sigma -> int (P s) (fun o => ind (bad o)) ->
  (forall o, bad o = true -> theorem_s_bound k a s T f_star G b sigma / delta <= realised s T o) ->
  Pr (P s) bad <= delta.

(** Without errors and noise (G = b = σ = σ_c = 0) one event of probability at least 1 − δ serves all T up to any n: the
    probability that the mean of ‖∇f‖² exceeds Δ/(cδT) for some T ≤ n is at most δ. *)
Definition All_Rounds_At_Once : result := forall k a s,
  priced_certificate k a (omega_H s) (kappa s * (ell_H s + omega_H s)) -> 0 < c a -> sigma_c s = 0 ->
  forall n f_star delta (bad : I s -> bool), (0 < n)%nat ->
  (forall t, (t < n)%nat -> round_over_sketch k s a 0 0 0 t) -> (forall x, f_star <= mean_loss s x) ->
  let Delta := P s (fun o => mean_loss s (model s 0 o)) - f_star in
  0 < delta -> 0 < Delta -> int (P s) (fun o => ind (bad o)) ->
  (forall o, bad o = true -> exists T, (0 < T <= n)%nat /\ Delta / (c a * delta * INR T) <= realised s T o) ->
  Pr (P s) bad <= delta.
