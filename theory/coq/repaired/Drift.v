(** * Lemma 2': how far the local steps of a round can drift from the broadcast point

    The paper's Lemma 2 bounds E‖w^{m,e} − w̃_t‖² under a condition on the learning rate γ. Its repair is a
    recursion S_e that needs no condition but 0 ≤ γμ ≤ 1. With D the root mean square of ‖∇l_m(w̃_t)‖,

      S_0 = 0,  H_e = D + L S_e,
      S_{e+1}² = [(1−γμ)S_e + γ(H_e + √(P_b H_e² + b²))]² + γ²(P_n H_e² + σ²).

    The root mean square drift after e steps is at most S_e. Two closed forms follow. The recursion is
    attained, and the constant of the sharper closed form is the best one. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result.
From FPS.repaired Require Import Setting.
Open Scope R_scope.

(** ** The formulas *)

(** √(P_b h² + b²): the largest bias of a gradient of norm h *)
Definition bias_bound (P_b b h : R) : R := sqrt (P_b * h ^ 2 + b ^ 2).
(** P_n h² + σ²: the largest noise of a gradient of norm h *)
Definition noise_bound (P_n sigma h : R) : R := P_n * h ^ 2 + sigma ^ 2.
(** S_{e+1} as a function of s = S_e *)
Definition drift_step (gamma mu L P_b P_n b sigma D s : R) : R :=
  sqrt (((1 - gamma * mu) * s + gamma * ((D + L * s) + bias_bound P_b b (D + L * s))) ^ 2
        + gamma ^ 2 * noise_bound P_n sigma (D + L * s)).
(** S_e *)
Fixpoint drift (gamma mu L P_b P_n b sigma D : R) (e : nat) : R :=
  match e with
  | O => 0
  | S k => drift_step gamma mu L P_b P_n b sigma D (drift gamma mu L P_b P_n b sigma D k)
  end.

(** c_b = 1 + √P_b,  c = c_b + √P_n,  κ = γLc *)
Definition c_b (P_b : R) : R := 1 + sqrt P_b.
Definition c_all (P_b P_n : R) : R := c_b P_b + sqrt P_n.
Definition kappa (gamma L P_b P_n : R) : R := gamma * L * c_all P_b P_n.
(** (1+κ)^e γ [e(c_b D + b) + √e √(P_n D² + σ²)] *)
Definition drift_closed (gamma L P_b P_n b sigma D : R) (e : nat) : R :=
  (1 + kappa gamma L P_b P_n) ^ e * gamma *
  (INR e * (c_b P_b * D + b) + sqrt (INR e) * sqrt (noise_bound P_n sigma D)).
(** C (1+κ)^{2e} γ² e² [(1 + P_b + P_n/2)D² + b² + σ²/2] *)
Definition drift_squared (C gamma L P_b P_n b sigma D : R) (e : nat) : R :=
  C * (1 + kappa gamma L P_b P_n) ^ (2 * e) * gamma ^ 2 * INR e ^ 2 *
  ((1 + P_b + P_n / 2) * D ^ 2 + b ^ 2 + sigma ^ 2 / 2).

(** What is asked of the constants: none is negative, and γμ ≤ 1. *)
Definition drift_constants (gamma mu L P_b P_n D : R) : Prop :=
  0 <= gamma /\ 0 <= gamma * mu <= 1 /\ 0 <= L /\ 0 <= P_b /\ 0 <= P_n /\ 0 <= D.

(** ** The results *)

(** Lemma 2' for one device and one round, in any space with an inner product: y_e is the way gone after e
    local steps, g_e the gradient there, β_e its bias, and ζ_e its noise, which is orthogonal to all that was
    known before it. The way gone is at most S_e long. *)
Definition Drift_In_Any_Space : result :=
  forall gamma mu L P_b P_n b sigma D, drift_constants gamma mu L P_b P_n D ->
  forall (V : space) (y g beta zeta : nat -> V) (n : nat),
  same (y O) zero ->
  (forall e, (e < n)%nat -> same (y (S e)) ((1 - gamma * mu) *: y e - gamma *: (g e + beta e + zeta e))%V) ->
  (forall e, (e < n)%nat -> ‖(g e)‖ <= D + L * ‖(y e)‖) ->
  (forall e, (e < n)%nat -> ‖(beta e)‖² <= P_b * ‖(g e)‖² + b ^ 2) ->
  (forall e, (e < n)%nat -> ‖(zeta e)‖² <= P_n * ‖(g e)‖² + sigma ^ 2) ->
  (forall e, (e < n)%nat -> ⟨zeta e, y e⟩ = 0 /\ ⟨zeta e, g e + beta e⟩ = 0) ->
  forall e, (e <= n)%nat -> ‖(y e)‖ <= drift gamma mu L P_b P_n b sigma D e.

(** Lemma 2' for one round t of a run: if mean_m E‖∇l_m(w̃_t)‖² ≤ D²,
    then mean_m E‖w^{m,e} − w̃_t‖² ≤ S_e². *)
Definition Drift_Of_A_Round : result :=
  forall r, assumptions r -> forall t D, (t < T r)%nat -> 0 <= D ->
  avg (M r) (fun m => chance r (fun o => ‖(grad r m (broadcast r t o))‖²)) <= D ^ 2 ->
  forall e, (e <= Es r)%nat ->
  avg (M r) (fun m => chance r (fun o => ‖(moved r t m e o)‖²)) <=
  drift (gamma r) (mu r) (L r) (P_b r) (P_n r) (b r) (sigma r) D e ^ 2.

(** Lemma 2' on the average over rounds, devices and chance: the same S_e bounds the mean over all rounds,
    with D² a bound on the mean of ‖∇l_m(w̃_t)‖² over rounds, devices and chance. *)
Definition Drift_Of_A_Run : result :=
  forall r, assumptions r -> forall D, 0 <= D ->
  everything r (fun i => ‖(grad r (fst (snd i)) (broadcast r (fst i) (snd (snd i))))‖²) <= D ^ 2 ->
  forall e, (e <= Es r)%nat ->
  everything r (fun i => ‖(moved r (fst i) (fst (snd i)) e (snd (snd i)))‖²) <=
  drift (gamma r) (mu r) (L r) (P_b r) (P_n r) (b r) (sigma r) D e ^ 2.

(** S_e ≤ (1+κ)^e γ [e(c_b D + b) + √e √(P_n D² + σ²)]. *)
Definition Drift_Closed_Form : result :=
  forall gamma mu L P_b P_n b sigma D, drift_constants gamma mu L P_b P_n D -> 0 <= b -> forall e,
  drift gamma mu L P_b P_n b sigma D e <= drift_closed gamma L P_b P_n b sigma D e.

(** S_e² ≤ 2(1+κ)^{2e} γ² e² [(1 + P_b + P_n/2)D² + b² + σ²/2]. *)
Definition Drift_Square_Form : result :=
  forall gamma mu L P_b P_n b sigma D, drift_constants gamma mu L P_b P_n D -> forall e,
  drift gamma mu L P_b P_n b sigma D e ^ 2 <= drift_squared 2 gamma L P_b P_n b sigma D e.

(** The form that is closest to the paper's Lemma 2, with 7/2 in place of the paper's 30:
    S_e² ≤ (7/2)(1+κ)^{2e} γ² e² [(1 + 2P_b + P_n)D² + b² + σ²]. *)
Definition Drift_Paper_Form : result :=
  forall gamma mu L P_b P_n b sigma D, drift_constants gamma mu L P_b P_n D -> forall e,
  drift gamma mu L P_b P_n b sigma D e ^ 2 <=
  7 / 2 * (1 + kappa gamma L P_b P_n) ^ (2 * e) * gamma ^ 2 * INR e ^ 2 *
  ((1 + 2 * P_b + P_n) * D ^ 2 + b ^ 2 + sigma ^ 2).

(** The constant 2 of the square form cannot be lowered: every smaller one fails after one step without noise
    or relative bias, with b = D = 1 and a small γ. *)
Definition Drift_Two_Is_Best : result :=
  forall C, C < 2 -> exists gamma, 0 < gamma /\
  drift_squared C gamma 1 0 0 1 0 1 1 < drift gamma 0 1 0 0 1 0 1 1 ^ 2.

(** The recursion is attained: for all γ, L > 0, P_b, D ≥ 0 and every number of local steps there is a run of
    one device that meets A1-A4 with b = μ = 0 and without noise, whose gradient at the broadcast point has
    norm D and whose drift after e steps is exactly S_e. *)
Definition Drift_Attained : result :=
  forall gamma L P_b D steps, 0 < gamma -> 0 < L -> 0 <= P_b -> 0 <= D -> (0 < steps)%nat ->
  exists r : run, assumptions r /\
    Setting.gamma r = gamma /\ Setting.L r = L /\ Setting.P_b r = P_b /\ Es r = steps /\ M r = 1%nat /\
    mu r = 0 /\ b r = 0 /\ P_n r = 0 /\ sigma r = 0 /\
    (forall o, ‖(grad r 0 (broadcast r 0 o))‖ = D) /\
    forall e o, (e <= steps)%nat -> ‖(moved r 0 0 e o)‖ = drift gamma 0 L P_b 0 0 0 D e.
