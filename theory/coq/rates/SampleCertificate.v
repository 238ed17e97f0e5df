(** * A certificate for E = 3 local steps, B = 3/2 and learning rate 0.79/L

    An example of a generated file. Theorem A stops at 0.398/L for these numbers; at 0.80/L some admissible
    problem has a fixed point that is no stationary point. The layout is explained in Certificate.v. *)
From Coq Require Import Reals QArith Qreals List.
From FPS.tools Require Import Result Smooth.
From FPS.rates Require Import Round Descent Certificate Checker.
Import ListNotations.

Section Numbers.
Local Open Scope Q_scope.
Definition sample : rational_certificate := {|
  q_Es := 3; q_gamma := 79 # 100; q_mu := 0; q_theta := 1; q_B := 3 # 2; q_P_b := 0; q_P_n := 0; q_nu := 0;
  q_biased := false; q_noisy := false; q_one_device := false; q_uncorrelated := false; q_independent := false;
  q_c := 44822481 # 5000000000;
  q_lam := [
    on 0 1 (1039574449 # 2000000000); on 0 2 (8475527 # 10000000000); on 0 3 (988565351 # 2000000000);
    on 1 0 (4238453 # 5000000000); on 1 2 (5091976427 # 10000000000); on 1 3 (2267159203 # 5000000000);
    on 2 0 (33055487 # 2500000000); on 2 1 (8475527 # 10000000000); on 2 3 (2484115003 # 5000000000);
    on 3 0 (8475673 # 10000000000); on 3 1 (4428423967 # 10000000000); on 3 2 (8475527 # 10000000000)];
  q_eta_0 := 3568610199 # 10000000000; q_eta_plus := 811258501 # 2500000000;
  q_tau := []; q_vt := []; q_own := []; q_cross := [] |}.
(** The same numbers at another learning rate *)
Definition sample_at (gamma : Q) : rational_certificate := {|
  q_Es := 3; q_gamma := gamma; q_mu := 0; q_theta := 1; q_B := 3 # 2; q_P_b := 0; q_P_n := 0; q_nu := 0;
  q_biased := false; q_noisy := false; q_one_device := false; q_uncorrelated := false; q_independent := false;
  q_c := q_c sample; q_lam := q_lam sample; q_eta_0 := q_eta_0 sample; q_eta_plus := q_eta_plus sample;
  q_tau := []; q_vt := []; q_own := []; q_cross := [] |}.
End Numbers.

(** With E = 3, B = 3/2 and L-smooth losses, every round with a learning rate up to 0.79/L descends. *)
Definition Sample_Certificate : result := certified sample.

(** The program refuses the same multipliers at learning rate 0.80/L. *)
Definition Sample_Refused : result := check (sample_at (4 # 5)) = false.

Local Open Scope R_scope.
(** The sample in plain words: for three local steps with exact gradients and learning rate 0.79/L on
    L-smooth losses with B = 3/2, f(x₊) ≤ f(x) − (0.00896…/L)‖∇f(x)‖² + (0.681…/L)G². *)
Definition Sample_In_Words : result := forall (Lip : R) (r : plain_round) (G : R), 0 < Lip ->
  let k := {| Es := 3; gamma := 79 / 100 / Lip; mu := 0; L := Lip; theta := 1; B := 3 / 2;
    P_b := 0; P_n := 0; nu := 0; biased := false; noisy := false; one_device := false; uncorrelated := false;
    independent := false |} in
  (forall m, (m < pM r)%nat -> smooth Lip (p_loss r m) (p_grad r m)) ->
  (forall m e, same (p_beta r m e) zero) ->
  p_similar k r G (p_start r) -> p_similar k r G (p_finish k r) ->
  p_f r (p_finish k r) <= p_f r (p_start r)
    - 896 / 100000 / Lip * ‖(p_grad_f r (p_start r))‖² + 682 / 1000 / Lip * G ^ 2.
