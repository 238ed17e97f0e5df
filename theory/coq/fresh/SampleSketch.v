(** * A certificate for a sketch: E = 3 local steps, B = 3/2, 3 of 10 devices, ω = L/2, learning rate 0.28/L

    Without a sketch and with all devices 0.79/L is certified (rates/SampleCertificate.v). Here A3 is assumed at the
    broadcasts only. *)
From Coq Require Import Reals QArith Qreals List.
From FPS.tools Require Import Result.
From FPS.rates Require Import Certificate Round Forms.
From FPS.fresh Require Import HashRound.
From FPS.rates Require Import Round Forms.
From FPS.fresh Require Import Prices PricedChecker SketchedRun.
Import ListNotations.

Section Numbers.
Local Open Scope Q_scope.
Definition sketch_sample : sketch_certificate := {| without_sketch := {|
  q_Es := 3; q_gamma := 7 # 25; q_mu := 0; q_theta := 1; q_B := 3 # 2; q_P_b := 0; q_P_n := 0; q_nu := 1;
  q_biased := false; q_noisy := false; q_one_device := false; q_uncorrelated := false; q_independent := false;
  q_c := 55163 # 5000000;
  q_lam := [
    on 0 1 (7074839 # 10000000); on 0 2 (515677 # 10000000); on 0 3 (1551637 # 2000000);
    on 1 0 (247353 # 500000); on 1 2 (1122149 # 5000000); on 1 3 (688563 # 5000000);
    on 2 0 (24511 # 625000); on 2 1 (74209 # 500000); on 2 3 (446543 # 5000000);
    on 3 0 (1893 # 2000000); on 3 1 (1893 # 2000000); on 3 2 (9467 # 10000000)];
  q_eta_0 := 2515349 # 10000000; q_eta_plus := 0;
  q_tau := []; q_vt := []; q_own := []; q_cross := [] |};
  q_omega := 1 # 2; q_v := 7 # 18 |}.
(** The same multipliers for a higher price *)
Definition dearer : sketch_certificate := {| without_sketch := sketch_sample; q_omega := 7 # 10; q_v := 7 # 18 |}.
End Numbers.

(** The program accepts the certificate, and refuses the same multipliers for ω = 7/10. *)
Definition Sketch_Sample_Accepted : result := check_priced sketch_sample = true /\ check_priced dearer = false.

Open Scope R_scope.
(** The sample in plain words: L = ℓ = 1, ω ≤ 1/2, at least 3 of 10 devices (κ ≤ 7/27), exact gradients, γ = 0.28.
    For every T, (1/T) Σ E‖∇f(x_t)‖² ≤ (1/0.0110326){(E f(x_0) − f_star)/T + 0.2515349 G² + σ_c² tr(H)/(2J)}. *)
Definition Sketch_Sample_In_Words : result := forall (s : sketched_run) T f_star G, (0 < T)%nat ->
  let k := {| Es := 3; gamma := 28 / 100; mu := 0; L := 1; theta := 1; B := 3 / 2; P_b := 0; P_n := 0; nu := 1;
    biased := false; noisy := false; one_device := false; uncorrelated := false; independent := false |} in
  ell_H s = 1 -> 0 <= omega_H s <= 1 / 2 -> kappa s <= 7 / 27 ->
  (forall t, (t < T)%nat -> round_over_sketch k s (multipliers_of sketch_sample) G 0 0 t) ->
  (forall x, f_star <= mean_loss s x) ->
  avg T (gradient_square s) <=
  / (110326 / 10000000) * ((P s (fun o => mean_loss s (model s 0 o)) - f_star) / INR T
    + 2515349 / 10000000 * G ^ 2 + sigma_c s ^ 2 * trace (d s) (Hess s) / (2 * INR (J s))).
