(** * Theorem A: a bound on A = (1/T) Σ_{t<T} E‖∇f(w̃_t)‖² for every run that meets A1-A4

    With D² = G² + B²A, S_e and H_e of Lemma 2' at D, ω_e = (1−γμ)^{E−1−e}, Ē = Σ ω_e, u = LγĒ, ρ = L R_ξ,

      F = Σ_e (ω_e/Ē) [L S_e + √(P_b H_e² + b²)],   N = ν Σ_e (ω_e/Ē)² (P_n H_e² + σ²),

      A ≤ 2Δ_ξ/(γĒT) + F² + max{ 2ρx − x² + u(x + √N)² : x ≥ 0, |x − √A| ≤ F }.          (★)

    With one local step, E = 1, u(x² + N) stands in place of u(x + √N)². There is no condition on the learning
    rate, on the number of devices or on the sketch. F and N depend on A, so (★) is solved for A: see Range,
    Corollary1 and Corollary2. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result.
From FPS.repaired Require Import Setting Drift.
Open Scope R_scope.

(** ** The formulas *)

(** ω_e, Ē and ω_e/Ē; [steps] is E *)
Definition omega (gamma mu : R) (steps e : nat) : R := (1 - gamma * mu) ^ (steps - 1 - e).
Definition total_weight (gamma mu : R) (steps : nat) : R := sum steps (omega gamma mu steps).
Definition share (gamma mu : R) (steps e : nat) : R := omega gamma mu steps e / total_weight gamma mu steps.
(** D(t) = √(G² + B²t) *)
Definition D_at (G B t : R) : R := sqrt (G ^ 2 + B ^ 2 * t).
(** H_e = D + L S_e *)
Definition slope (gamma mu L P_b P_n b sigma D : R) (e : nat) : R :=
  D + L * drift gamma mu L P_b P_n b sigma D e.
(** F and N as functions of D *)
Definition F_at (gamma mu L P_b P_n b sigma : R) (steps : nat) (D : R) : R :=
  sum steps (fun e => share gamma mu steps e *
    (L * drift gamma mu L P_b P_n b sigma D e + bias_bound P_b b (slope gamma mu L P_b P_n b sigma D e))).
Definition N_at (nu gamma mu L P_b P_n b sigma : R) (steps : nat) (D : R) : R :=
  nu * sum steps (fun e => share gamma mu steps e ^ 2 * noise_bound P_n sigma
    (slope gamma mu L P_b P_n b sigma D e)).
(** 2Δ/(γĒT) *)
Definition optimisation (Delta gamma Ebar T : R) : R := 2 * Delta / (gamma * Ebar * T).
(** 2ρx − x² + u(x + √N)², and 2ρx − x² + u(x² + N) *)
Definition inner_many (rho u N x : R) : R := 2 * rho * x - x ^ 2 + u * (x + sqrt N) ^ 2.
Definition inner_one (rho u N x : R) : R := 2 * rho * x - x ^ 2 + u * (x ^ 2 + N).

(** A ≤ K + F² + max{ inner x : x ≥ 0, |x − √A| ≤ F }. The maximum is attained, so the inequality says that
    some admissible x has A ≤ K + F² + inner x. *)
Definition star (inner : R -> R) (K F A : R) : Prop :=
  exists x, 0 <= x /\ Rabs (x - sqrt A) <= F /\ A <= K + F ^ 2 + inner x.

(** Where the maximum is: for u ≥ 1 at the right end of the interval, else at the vertex ℓ/(1−u) moved into
    it. Here ℓ = ρ + u√N for several steps and ℓ = ρ for one, and both forms of the maximum are (2ℓ − (1−u)x)x
    + uN. *)
Definition best_x (u l low high : R) : R := if Rle_dec 1 u then high else Rmin (Rmax (l / (1 - u)) low) high.
Definition star_right_side (u l N K F A : R) : R :=
  let x := best_x u l (Rmax 0 (sqrt A - F)) (sqrt A + F) in K + F ^ 2 + ((2 * l - (1 - u) * x) * x + u * N).

(** ** The same for a run *)
Section OfARun.
Variable r : run.
Definition F (D : R) : R := F_at (gamma r) (mu r) (L r) (P_b r) (P_n r) (b r) (sigma r) (Es r) D.
Definition N (D : R) : R := N_at (nu r) (gamma r) (mu r) (L r) (P_b r) (P_n r) (b r) (sigma r) (Es r) D.
Definition D_of_A : R := D_at (G r) (B r) (A r).
Definition rho : R := L r * sqrt (R2 r).
Definition K : R := optimisation (Delta r) (gamma r) (Ebar r) (INR (T r)).
(** The measured mean of ‖∇l_m(w̃_t)‖², and of ‖∇f(v_t − ξ) − ∇f(w̃_t)‖² *)
Definition measured_D2 : R := everything r (fun i => ‖(grad r (fst (snd i))
  (broadcast r (fst i) (snd (snd i))))‖²).
Definition measured_rho2 : R :=
  rounds r (fun i => ‖(grad_f r (shifted r (fst i) (snd i)) - grad_f r (broadcast r (fst i) (snd i)))‖²).
End OfARun.

(** ** The results *)

(** Theorem A: (★) holds for every run that meets A1-A4, with any number of devices and local steps, any bias,
    noise, sketch and channel, and any shift ξ known at the start. *)
Definition Theorem_A : result := forall r, assumptions r ->
  star (inner_many (rho r) (u r) (N r (D_of_A r))) (K r) (F r (D_of_A r)) (A r).

(** With one local step, u(x² + N) takes the place of u(x + √N)². *)
Definition Theorem_A_One_Step : result := forall r, assumptions r -> Es r = 1%nat ->
  star (inner_one (rho r) (u r) (N r (D_of_A r))) (K r) (F r (D_of_A r)) (A r).

(** Theorem A with measured values: D² may be any number that is at least the mean of ‖∇l_m(w̃_t)‖² over
    rounds, devices and chance, and ρ² any number that is at least the mean of ‖∇f(v_t−ξ) − ∇f(w̃_t)‖². *)
Definition Theorem_A_Measured : result := forall r, assumptions r ->
  forall D rho, 0 <= D -> measured_D2 r <= D ^ 2 -> 0 <= rho -> measured_rho2 r <= rho ^ 2 ->
  star (inner_many rho (u r) (N r D)) (K r) (F r D) (A r) /\
  (Es r = 1%nat -> star (inner_one rho (u r) (N r D)) (K r) (F r D) (A r)).

(** The measured values are never worse: D² and ρ² of Theorem A are at least the measured ones. *)
Definition Measured_Values_Are_Smaller : result := forall r, assumptions r ->
  measured_D2 r <= D_of_A r ^ 2 /\ measured_rho2 r <= rho r ^ 2.

(** (★) in the form that a calculator evaluates: the maximum over x is written out. *)
Definition Star_Is_An_Explicit_Inequality : result :=
  forall rho u N K F A, 0 <= rho -> 0 <= u -> 0 <= N -> 0 <= F -> 0 <= A ->
  (star (inner_many rho u N) K F A <-> A <= star_right_side u (rho + u * sqrt N) N K F A) /\
  (star (inner_one rho u N) K F A <-> A <= star_right_side u rho N K F A).
