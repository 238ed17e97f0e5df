(** * Theorem B: FPS analysed in the table that it keeps

    In the paper's letters, for any symmetric positive semi-definite C and any shift ξ known at the start, and
    any broadcast w̃_t known from the past,

      A_M ≤ 2Δ/(γĒT) + Θ + F² + max{2ρx − x² + u(x + √N)² : x ≥ 0, |x − √A_M| ≤ F}.

    A_M is the mean over rounds of E‖∇f(w̃_t)‖_M², M = S^T C S. Any number E of local steps, any number of
    devices with different losses, bias, gradient noise, and noise that enters the table. M = 1 is Theorem A
    with stored noise. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result.
From FPS.sketch_space Require Import TableSetting.
Open Scope R_scope.

(** Theorem B. The maximum is attained, so [star] states it as: there is an x in the range of the maximum with
    which the inequality holds. *)
Definition Theorem_B : result := forall (r : run) (k : table r), assumptions_B r k ->
  star (inner_many (rho_B r k) (u_B r k) (N_B r k)) (start_B r k) (F_B r k) (A_M r k).

(** Theorem B for one local step (E = 1): u(x² + N) takes the place of u(x + √N)². *)
Definition Theorem_B_One_Step : result := forall (r : run) (k : table r), assumptions_B r k -> Es r = 1%nat ->
  star (inner_one (rho_B r k) (u_B r k) (N_B r k)) (start_B r k) (F_B r k) (A_M r k).

(** Theorem B as a calculator uses it: a number B bounds A_M if every a > B violates the inequality at every x
    in range. So bisection over a gives the bound. *)
Definition Theorem_B_By_Exclusion : result := forall (r : run) (k : table r) (B : R), assumptions_B r k ->
  (forall a x, B < a -> 0 <= x -> Rabs (x - sqrt a) <= F_B r k ->
     right_side_B (Delta_B r k) (Theta_B r k) (gamma r) (Ebar r) (INR (T r))
                  (F_B r k) (rho_B r k) (u_B r k) (N_B r k) x < a) ->
  A_M r k <= B.

(** The range of Theorem B with measured D is u < 2: the values a that the inequality admits are bounded if u
    < 2, and unbounded if u ≥ 2. Here K = 2Δ/(γĒT) + Θ. *)
Definition Range_Of_Theorem_B : result := forall K F rho u N,
  0 <= K -> 0 <= F -> 0 <= rho -> 0 <= u -> 0 <= N ->
  (u < 2 -> exists B, forall a, 0 <= a -> star (inner_many rho u N) K F a -> a <= B) /\
  (2 <= u -> forall B, exists a, B < a /\ 0 <= a /\ star (inner_many rho u N) K F a).
