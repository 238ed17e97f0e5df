(** * T rounds that meet all assumptions of Theorem S

    Two devices with l_m(x) = ‖x ∓ a‖²/2 on R^d. In every round the gradient of device 0 has noise ±b, a fair coin picks
    one of the two devices, a hash of J rows and K buckets is drawn, and every bucket has noise ±σ_c. So nothing that
    the theorems assume is empty: rounds have a past, devices differ, one of two takes part (κ = 1), and the sketch
    compresses. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result.
From FPS.fresh Require OneStep SketchedRun.
From FPS.rates Require Import Round.
Open Scope R_scope.

(** One local step, T rounds: the assumptions of OneStep.v can be met with G = ‖a‖, B = 1, σ = ‖b‖, κ = 1, ℓ = 1,
    ω = (d−1)/(JK) and floor = σ_c² d/J, for every learning rate and every start. *)
Definition Fresh_Runs_Exist : result := forall d K J T gamma (a b x_0 : Rd d) sigma_c,
  (0 < d)%nat -> (0 < K)%nat -> (0 < J)%nat -> exists r : OneStep.run,
  (forall t, (t < T)%nat -> OneStep.round_fits r ‖a‖ 1 ‖b‖ (/ 2) t) /\
  OneStep.gamma r = gamma /\ OneStep.all_M r = 2%nat /\ OneStep.all_kappa r = 1 /\ OneStep.all_ell r = 1 /\
  OneStep.all_omega r = (INR d - 1) / (INR J * INR K) /\ OneStep.all_floor r = sigma_c ^ 2 * INR d / INR J /\
  OneStep.gradient_square r 0 = ‖x_0‖².

(** E local steps, T rounds: the assumptions of Theorem S for sketches can be met, whatever the learning rate, the
    proximal parameter and the certificate are, with the same numbers. *)
Definition Sketched_Runs_Exist : result := forall k d K J T (a b x_0 : Rd d) sigma_c,
  (0 < d)%nat -> (0 < K)%nat -> (0 < J)%nat ->
  1 <= L k -> 0 <= theta k -> 1 <= B k -> 0 <= P_b k -> 0 <= P_n k -> one_device k = false ->
  noisy k = true \/ b = zero -> nu k = / 2 \/ (uncorrelated k = false /\ independent k = false) -> exists s : SketchedRun.sketched_run,
  (forall multipliers t, (t < T)%nat -> SketchedRun.round_over_sketch k s multipliers ‖a‖ 0 ‖b‖ t) /\
  SketchedRun.devices s = 2%nat /\ SketchedRun.kappa s = 1 /\ SketchedRun.ell_H s = 1 /\
  SketchedRun.omega_H s = (INR d - 1) / (INR J * INR K) /\ SketchedRun.sigma_c s = sigma_c /\
  SketchedRun.gradient_square s 0 = ‖x_0‖².
