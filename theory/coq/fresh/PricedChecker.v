(** * The program that checks certificates, for a sketch: two more numbers, ω and v

    The file is that of rates/Certificate.v with two fields. Like all numbers there they are in units with L = 1: ω/L
    and v/L. Where a file has none, both are 0. *)
From Coq Require Import Reals QArith Qreals Qround List Arith ZArith Bool.
From FPS.tools Require Import Result.
From FPS.rates Require Import Round Forms Scaling Certificate Checker.
From FPS.fresh Require Import Prices.
Import ListNotations.

Record sketch_certificate := { without_sketch :> rational_certificate; q_omega : Q; q_v : Q }.

Section Check.
Variable x : sketch_certificate.
Local Open Scope Q_scope.
(** Twice (form_S − (ω/2)‖y_E‖²), and twice (form_D − (v/2)‖y_E‖²) *)
Definition table_S_priced : list (list Q) :=
  put_square (Qred (- (q_omega x * (1 # 2)))) (point_row (q_Es x)) (table_S x).
Definition table_D_priced : list (list Q) :=
  put_square (Qred (- (q_v x * (1 # 2)))) (point_row (q_Es x)) (table_D x).
Definition check_priced : bool :=
  signs x && cancels x && nonneg (q_omega x) && nonneg (q_v x)
  && psd table_S_priced && (q_one_device x || psd table_D_priced).
End Check.

Open Scope R_scope.
(** If the program accepts a certificate for a sketch, it is one: the multipliers pay for ω and v. *)
Definition Priced_Check_Gives_Certificate : result := forall x, check_priced x = true ->
  0 < c (multipliers_of x) /\ priced_certificate (numbers_of x) (multipliers_of x) (Q2R (q_omega x)) (Q2R (q_v x)).

(** A certificate for (γ, μ, L) and (ω, v) gives one for (sγ, μ/s, L/s) and (ω/s, v/s): L = 1 is no restriction. *)
Definition Priced_Certificate_Scales : result := forall k a omega v s, 0 < s -> priced_certificate k a omega v ->
  priced_certificate (scaled s k) (priced s a) (omega / s) (v / s).

(** Without a proximal term a certificate for γ, ω, v covers every learning rate sγ with 0 < s ≤ 1, for the same ω and
    v; c and the prices of G², b² and σ² are multiplied by s, the price of the channel's noise is not. *)
Definition Smaller_Rates_Are_Covered : result := forall k a omega v s, priced_certificate k a omega v ->
  mu k = 0 -> 0 <= theta k -> 0 <= omega -> 0 <= v -> 0 < s <= 1 ->
  priced_certificate (at_rate (s * gamma k) k) (priced s a) omega v.

(** What an accepted file certifies: for every L > 0, sketches with prices up to ωL and vL may use the learning rate
    γ/L, and without a proximal term every sγ/L with 0 < s ≤ 1. *)
Definition Priced_Check_Sound : result := forall x, check_priced x = true -> forall Lip omega v, 0 < Lip ->
  0 <= omega <= Q2R (q_omega x) * Lip -> 0 <= v <= Q2R (q_v x) * Lip ->
  let k := scaled (/ Lip) (numbers_of x) in
  priced_certificate k (priced (/ Lip) (multipliers_of x)) omega v /\ 0 < c (priced (/ Lip) (multipliers_of x)) /\
  (mu k = 0 -> 0 <= theta k -> forall s, 0 < s <= 1 ->
    priced_certificate (at_rate (s * gamma k) k) (priced s (priced (/ Lip) (multipliers_of x))) omega v).
