(** * The assumptions A1-A4 can be met, so Theorem A and its corollaries are not empty

    For every number E of local steps there is a run that meets A1-A4 and the conditions of both corollaries
    and in which every source of error is present: a bias, noise, two devices with different losses, and a
    residual. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result.
From FPS.repaired Require Import Setting Corollary1 Corollary2.
Open Scope R_scope.

(** Every source of error is present in a run: bias, noise, unequal devices, and a residual. *)
Definition every_error_present (r : run) : Prop :=
  (exists t m e, step r t m e /\ 0 < chance r (fun o => ‖(beta r t m e o)‖²)) /\
  (exists t m e, step r t m e /\ 0 < chance r (fun o => ‖(zeta r t m e o)‖²)) /\
  (exists m m', (m < M r)%nat /\ (m' < M r)%nat /\
     0 < chance r (fun o => ‖(grad r m (broadcast r 0 o) - grad r m' (broadcast r 0 o))‖²)) /\
  0 < R2 r.

(** For every number of local steps some run meets A1-A4 with ν = 1/M < 1, B ≥ 1 and all constants positive,
    meets the conditions of Corollary 1 and of Corollary 2, and contains every source of error. *)
Definition Assumptions_Can_Be_Met : result :=
  forall steps, (0 < steps)%nat -> exists r, assumptions r /\ Es r = steps /\ every_error_present r /\
    nu r = / INR (M r) /\ nu r < 1 /\ 1 <= B r /\
    0 < P_b r /\ 0 < P_n r /\ 0 < b r /\ 0 < sigma r /\ 0 < G r /\ 0 < mu r /\
    corollary1_conditions (gamma r) (L r) (P_b r) (P_n r) (B r) (nu r) /\
    corollary2_conditions (gamma r) (mu r) (L r) (P_b r) (P_n r) (B r) (nu r) (INR (Es r)).
