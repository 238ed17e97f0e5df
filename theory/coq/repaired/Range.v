(** * The range of Theorem A: which A (★) excludes, and for which learning rates it gives a bound

    (★) is an inequality in A on both sides. The A that it excludes are upward closed, so that bisection finds
    the bound. With √α and √n the growth rates of F and √N in √t, (★) gives a finite bound exactly if

      α < 1  and  1 − α > −x² + u(x + √n)²  for all x ≥ 0 with |x − 1| ≤ √α        (E = 1: u(x² + n)).

    For E = 1 this is solved for γ; without relative noise it reads P_bB² < 1 and γ < 2/(L(1 + √P_b B)). The
    range is about (★) for given constants: that the residual R_ξ stays bounded in T is not part of it. *)
From Coq Require Import Reals Arith.
From FPS.tools Require Import Result.
From FPS.repaired Require Import Setting Drift TheoremA.
Open Scope R_scope.

(** The inner term of (★): that of one step for E = 1, that of many steps else *)
Definition inner_of (steps : nat) : R -> R -> R -> R -> R :=
  if Nat.eqb steps 1 then inner_one else inner_many.

Section Formulas.
Variables gamma mu L P_b P_n b sigma G B nu : R.
Variable steps : nat.

(** What is asked of the constants: none is negative, γ > 0, γμ ≤ 1 and E ≥ 1 *)
Definition range_constants : Prop :=
  0 < gamma /\ 0 <= gamma * mu <= 1 /\ 0 <= L /\ 0 <= P_b /\ 0 <= P_n /\ 0 <= B /\ 0 <= nu /\ (0 < steps)%nat.
(** u = LγĒ, F(t) and N(t) *)
Definition u_of : R := L * gamma * total_weight gamma mu steps.
Definition F_of (t : R) : R := F_at gamma mu L P_b P_n b sigma steps (D_at G B t).
Definition N_of (t : R) : R := N_at nu gamma mu L P_b P_n b sigma steps (D_at G B t).
(** √α and n: F and N for G = b = σ = 0 at t = 1 *)
Definition root_alpha : R := F_at gamma mu L P_b P_n 0 0 steps B.
Definition n_limit : R := N_at nu gamma mu L P_b P_n 0 0 steps B.

(** (★) with F and N at t = A allows the value A; K is 2Δ_ξ/(γĒT) *)
Definition allows (rho K A : R) : Prop := star (inner_of steps rho u_of (N_of A)) K (F_of A) A.
Definition excludes (rho K A : R) : Prop := ~ allows rho K A.
(** (★) gives a finite bound: all A above some number are excluded *)
Definition gives_a_bound (rho K : R) : Prop := exists A0, forall A, A0 < A -> 0 <= A -> excludes rho K A.
(** The condition of the range *)
Definition in_range : Prop :=
  root_alpha ^ 2 < 1 /\
  forall x, 0 <= x -> Rabs (x - 1) <= root_alpha -> inner_of steps 0 u_of n_limit x < 1 - root_alpha ^ 2.
End Formulas.

(** T6: the set of A that (★) excludes is upward closed. *)
Definition Excluded_Is_Upward_Closed : result :=
  forall gamma mu L P_b P_n b sigma G B nu steps, range_constants gamma mu L P_b P_n B nu steps ->
  forall rho K A A', 0 <= rho -> 0 <= K -> 0 <= A -> A <= A' ->
  excludes gamma mu L P_b P_n b sigma G B nu steps rho K A ->
  excludes gamma mu L P_b P_n b sigma G B nu steps rho K A'.

(** α is the limit of F(t)²/t and n that of N(t)/t: F and √N are at least √α√t and √n√t, and exceed them by
    at most a constant. *)
Definition Growth_Of_F_And_N : result :=
  forall gamma mu L P_b P_n b sigma G B nu steps, range_constants gamma mu L P_b P_n B nu steps ->
  exists C, forall t, 0 <= t ->
  root_alpha gamma mu L P_b P_n B steps * sqrt t <= F_of gamma mu L P_b P_n b sigma G B steps t
    <= root_alpha gamma mu L P_b P_n B steps * sqrt t + C /\
  sqrt (n_limit gamma mu L P_b P_n B nu steps) * sqrt t
    <= sqrt (N_of gamma mu L P_b P_n b sigma G B nu steps t)
    <= sqrt (n_limit gamma mu L P_b P_n B nu steps) * sqrt t + C.

(** The range of Theorem A: (★) gives a finite bound if and only if α < 1 and 1 − α > −x² + u(x + √n)² for all
    x ≥ 0 with |x − 1| ≤ √α (for E = 1: > −x² + u(x² + n)), whatever G, b, σ, ρ and K are. *)
Definition Range_Of_Theorem_A : result :=
  forall gamma mu L P_b P_n b sigma G B nu steps, range_constants gamma mu L P_b P_n B nu steps ->
  forall rho K, 0 <= rho -> 0 <= K ->
  (gives_a_bound gamma mu L P_b P_n b sigma G B nu steps rho K <-> in_range gamma mu L P_b P_n B nu steps).

(** The range for one local step: with s = √P_b B and n = νP_nB², (★) gives a finite bound if and only if
    s < 1, γ L(n + (1−s)²) < 2(1−s) and γ L(n + (1+s)²) < 2(1+s). *)
Definition Range_Of_One_Step : result :=
  forall gamma mu L P_b P_n b sigma G B nu, range_constants gamma mu L P_b P_n B nu 1 ->
  forall rho K, 0 <= rho -> 0 <= K -> let s := sqrt P_b * B in let n := nu * P_n * B ^ 2 in
  (gives_a_bound gamma mu L P_b P_n b sigma G B nu 1 rho K <->
   s < 1 /\ L * (n + (1 - s) ^ 2) * gamma < 2 * (1 - s) /\ L * (n + (1 + s) ^ 2) * gamma < 2 * (1 + s)).

(** One local step without relative noise: (★) gives a finite bound if and only if P = P_bB² < 1 and
    γL(1 + √P) < 2. *)
Definition Range_Of_One_Step_Without_Relative_Noise : result :=
  forall gamma mu L P_b b sigma G B nu, range_constants gamma mu L P_b 0 B nu 1 ->
  forall rho K, 0 <= rho -> 0 <= K ->
  (gives_a_bound gamma mu L P_b 0 b sigma G B nu 1 rho K <->
   P_b * B ^ 2 < 1 /\ L * (1 + sqrt (P_b * B ^ 2)) * gamma < 2).

(** Two local steps with B = 1 and no relative bias or noise: (★) gives a finite bound if and only if
    Lγ < √3 − 1. Plain gradient descent is stable up to Lγ < 2, so here the range is conservative. *)
Definition Range_Of_Two_Steps : result :=
  forall gamma L b sigma G nu, range_constants gamma 0 L 0 0 1 nu 2 -> forall rho K, 0 <= rho -> 0 <= K ->
  (gives_a_bound gamma 0 L 0 0 b sigma G 1 nu 2 rho K <-> L * gamma < sqrt 3 - 1).
