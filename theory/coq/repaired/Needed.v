(** * Theorem A needs each of its assumptions

    The assumptions A1-A4 get names. For each name there is a run that meets all the others and breaks (★). So
    none of them can be dropped from Theorem A. The counterexamples are quadratics on the line, most of them
    with one to three rounds and no coin or one coin a round. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result.
From FPS.repaired Require Import Setting TheoremA.
Open Scope R_scope.

(** ** The assumptions by name *)
Inductive assumption :=
  | Losses_smooth          (* A1: every l_m is L-smooth *)
  | Loss_bounded_below     (* A1: f ≥ f* *)
  | Bias_bounded           (* A2: ‖β‖² ≤ P_b‖∇l_m‖² + b² *)
  | Bias_known             (* A2: β is known from the past *)
  | Noise_centred          (* A2: E[ζ | past] = 0 *)
  | Noise_bounded          (* A2: E‖ζ‖² ≤ P_n E‖∇l_m‖² + σ² *)
  | Devices_uncorrelated   (* A2: for ν = 1/M, noises of two devices are uncorrelated at all pairs of steps *)
  | Devices_similar        (* A3: mean_m‖∇l_m(w̃_t)‖² ≤ G² + B²‖∇f(w̃_t)‖² *)
  | Proximal_step_small.   (* A4: 0 ≤ γμ ≤ 1 *)

Definition says (r : run) (a : assumption) : Prop :=
  match a with
  | Losses_smooth => forall m, (m < M r)%nat -> smooth (L r) (loss r m) (grad r m)
  | Loss_bounded_below => forall x, f_star r <= f r x
  | Bias_bounded => forall t m e o, step r t m e -> may (chance r) o ->
      ‖(beta r t m e o)‖² <= P_b r * ‖(grad r m (local r t m e o))‖² + b r ^ 2
  | Bias_known => forall t m e, step r t m e -> known r (past r t m e) (beta r t m e)
  | Noise_centred => forall t m e (Y : Omega r -> V r),
      step r t m e -> sq (chance r) Y -> known r (past r t m e) Y ->
      chance r (fun o => ⟨zeta r t m e o, Y o⟩) = 0
  | Noise_bounded => forall t m e, step r t m e ->
      chance r (fun o => ‖(zeta r t m e o)‖²) <=
      P_n r * chance r (fun o => ‖(grad r m (local r t m e o))‖²) + sigma r ^ 2
  | Devices_uncorrelated => nu r = 1 \/ forall t m m' e e', step r t m e -> step r t m' e' -> m <> m' ->
      chance r (fun o => ⟨zeta r t m e o, zeta r t m' e' o⟩) = 0
  | Devices_similar => forall t o, (t < T r)%nat -> may (chance r) o ->
      avg (M r) (fun m => ‖(grad r m (broadcast r t o))‖²) <=
      G r ^ 2 + B r ^ 2 * ‖(grad_f r (broadcast r t o))‖²
  | Proximal_step_small => 0 <= gamma r * mu r <= 1
  end.

(** The rest of [assumptions]: signs of constants, ν = 1 or 1/M, what is known when, and what has a mean. It
    is never dropped. *)
Record bookkeeping (r : run) : Prop := {
  k_L : 0 < L r; k_gamma : 0 < gamma r; k_P_b : 0 <= P_b r; k_P_n : 0 <= P_n r;
  k_nu : nu r = 1 \/ nu r = / INR (M r);
  k_zeta : forall t m e, step r t m e -> known r (past r t m (S e)) (zeta r t m e);
  k_broadcast : forall t m, known r (past r t m 0) (broadcast r t);
  k_start : forall m, known r (past r 0 m 0) (v0 r) /\ known r (past r 0 m 0) (xi r);
  k_step : forall t m e o o', past r t m (S e) o o' -> past r t m e o o';
  k_round : forall t m m' o o', past r (S t) m 0 o o' -> past r t m' (Es r) o o';
  k_shared : forall t m m' o o', past r t m 0 o o' -> past r t m' 0 o o';
  k_sq_grad : forall t m e, (t < T r)%nat -> (m < M r)%nat ->
    sq (chance r) (fun o => grad r m (local r t m e o));
  k_sq_beta : forall t m e, (t < T r)%nat -> (m < M r)%nat -> sq (chance r) (beta r t m e);
  k_sq_zeta : forall t m e, (t < T r)%nat -> (m < M r)%nat -> sq (chance r) (zeta r t m e);
  k_sq_shifted : forall t, (t < T r)%nat -> sq (chance r) (fun o => grad_f r (shifted r t o));
  k_sq_residual : forall t, (t < T r)%nat ->
    sq (chance r) (fun o => add (residual r t o) (scale (-1) (xi r o)));
  k_int_loss : forall t, (t <= T r)%nat -> int (chance r) (fun o => f r (shifted r t o)) }.

(** The names and the bookkeeping together are exactly A1-A4. *)
Definition Assumptions_By_Name : result := forall r, assumptions r <-> bookkeeping r /\ forall a, says r a.

(** ** What breaks without an assumption *)
Definition meets_all_but (a : assumption) (r : run) : Prop :=
  bookkeeping r /\ forall a', a' <> a -> says r a'.
(** What Theorem A concludes: (★), and its sharper form for one local step *)
Definition star_holds (r : run) : Prop :=
  star (inner_many (rho r) (u r) (N r (D_of_A r))) (K r) (F r (D_of_A r)) (A r) /\
  (Es r = 1%nat -> star (inner_one (rho r) (u r) (N r (D_of_A r))) (K r) (F r (D_of_A r)) (A r)).
(** "Theorem A without the assumption a" *)
Definition Theorem_A_without (a : assumption) : Prop := forall r, meets_all_but a r -> star_holds r.

(** Without L-smoothness (A1) Theorem A is false: f = w² is not 1-smooth. *)
Definition Smoothness_Is_Needed : result := ~ Theorem_A_without Losses_smooth.
(** Without f ≥ f* (A1) Theorem A is false: f = w²/2 with f* = 1/2. *)
Definition Lower_Bound_Is_Needed : result := ~ Theorem_A_without Loss_bounded_below.
(** Without the bound on the bias (A2) Theorem A is false: a bias that cancels the gradient. *)
Definition Bias_Bound_Is_Needed : result := ~ Theorem_A_without Bias_bounded.
(** Without a bias that is known from the past (A2) Theorem A is false: β = sign ζ with f = w²/2 and
    γ = E = 1. After three rounds from w = 0 the run has A = 8/3, and A tends to 4; (★) says 2. *)
Definition Bias_Known_Is_Needed : result := ~ Theorem_A_without Bias_known.
(** Without noise of mean zero (A2) Theorem A is false: ζ = 1 beside the bias β = 1. *)
Definition Centred_Noise_Is_Needed : result := ~ Theorem_A_without Noise_centred.
(** Without the bound on the noise (A2) Theorem A is false: a coin ±1 that is declared to be 0. *)
Definition Noise_Bound_Is_Needed : result := ~ Theorem_A_without Noise_bounded.
(** Without uncorrelated devices (A2) Theorem A with ν = 1/M is false: three devices that share one coin. *)
Definition Uncorrelated_Devices_Are_Needed : result := ~ Theorem_A_without Devices_uncorrelated.
(** The noises of two devices are uncorrelated whenever both are at the same local step. *)
Definition uncorrelated_at_equal_steps (r : run) : Prop :=
  forall t m m' e, step r t m e -> step r t m' e -> m <> m' ->
  chance r (fun o => ⟨zeta r t m e o, zeta r t m' e o⟩) = 0.
(** For ν = 1/M it is not enough that two devices are uncorrelated at equal steps: two devices that replay
    each other's noise one step later break Theorem A. *)
Definition Equal_Steps_Are_Not_Enough : result :=
  ~ forall r, meets_all_but Devices_uncorrelated r -> uncorrelated_at_equal_steps r -> star_holds r.
(** Without similar devices (A3) Theorem A is false: two devices (w ∓ 1)²/2 whose gradients cancel at 0, with
    relative biases that do not. *)
Definition Similar_Devices_Are_Needed : result := ~ Theorem_A_without Devices_similar.
(** Without γμ ≤ 1 (A4) Theorem A is false: γμ = 3/2 gives the first of two steps a negative weight. *)
Definition Small_Proximal_Step_Is_Needed : result := ~ Theorem_A_without Proximal_step_small.
