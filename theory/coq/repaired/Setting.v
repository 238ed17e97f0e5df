(** * The setting of the repaired theory: what is given, what is computed from it, what is assumed *)
From Coq Require Import Reals Lra Lia.
From FPS.tools Require Export Smooth.
Open Scope R_scope.

(** What is given. *)
Record run := {
  V : space;                                   (* the models, e.g. R^d *)
  Omega : Type; chance : mean V Omega;           (* outcomes of all that is random, and the expectation *)
  T : nat; M : nat; Es : nat;                  (* rounds, devices, local steps (the paper's E) *)
  T_pos : (0 < T)%nat; M_pos : (0 < M)%nat; Es_pos : (0 < Es)%nat;
  loss : nat -> V -> R; grad : nat -> V -> V;  (* l_m and ∇l_m *)
  gamma : R; mu : R;                           (* learning rate, proximal parameter *)
  v0 : Omega -> V;                             (* the vector that the sketch holds at the start *)
  broadcast : nat -> Omega -> V;               (* w̃_t, whatever the sketch, top-k and the channel made of v_t *)
  beta : nat -> nat -> nat -> Omega -> V;      (* bias of the gradient in round t, device m, step e *)
  zeta : nat -> nat -> nat -> Omega -> V;      (* its noise *)
  past : nat -> nat -> nat -> Omega -> Omega -> Prop; (* outcomes with the same past before that step *)
  xi : Omega -> V;                             (* any shift known at the start *)
  L : R; P_b : R; P_n : R; b : R; sigma : R; G : R; B : R; nu : R; f_star : R }.

Section Computed.
Variable r : run.

(** w^{m,0} = w̃_t,  w^{m,e+1} = w^{m,e} − γ(∇l_m(w^{m,e}) + β + ζ + μ(w^{m,e} − w̃_t)) *)
Fixpoint local (t m e : nat) (o : Omega r) : V r :=
  match e with
  | O => broadcast r t o
  | S k => (local t m k o - gamma r *: ((grad r m (local t m k o) + beta r t m k o + zeta r t m k o)
                                        + mu r *: (local t m k o - broadcast r t o)))%V
  end.
Definition moved t m e o : V r := (local t m e o - broadcast r t o)%V.
(** v_{t+1} = v_t + mean_m(w^{m,E} − w̃_t) *)
Fixpoint exact (t : nat) (o : Omega r) : V r :=
  match t with O => v0 r o | S k => (exact k o + vmean (M r) (fun m => moved k m (Es r) o))%V end.
Definition residual t o : V r := (exact t o - broadcast r t o)%V.
Definition shifted t o : V r := (exact t o - xi r o)%V.

(** f = mean_m l_m *)
Definition f (x : V r) : R := avg (M r) (fun m => loss r m x).
Definition grad_f (x : V r) : V r := vmean (M r) (fun m => grad r m x).

(** Means over rounds and chance, and over rounds, chance and devices *)
Definition rounds : mean (V r) (nat * Omega r) := times (T r) (T_pos r) (chance r).
Definition everything : mean (V r) (nat * (nat * Omega r)) := times (T r) (T_pos r) (times (M r) (M_pos r) (chance r)).

(** A = (1/T)Σ_{t<T} E‖∇f(w̃_t)‖²,  R_ξ² = (1/T)Σ E‖r_t − ξ‖²,  Δ_ξ = E f(v_0 − ξ) − f* *)
Definition A : R := rounds (fun i => ‖(grad_f (broadcast r (fst i) (snd i)))‖²).
Definition R2 : R := rounds (fun i => ‖(residual (fst i) (snd i) - xi r (snd i))‖²).
Definition Delta : R := chance r (fun o => f (shifted 0 o)) - f_star r.

(** ω_e = (1−γμ)^{E−1−e},  Ē = Σ ω_e,  u = LγĒ *)
Definition weight (e : nat) : R := (1 - gamma r * mu r) ^ (Es r - 1 - e).
Definition Ebar : R := sum (Es r) weight.
Definition u : R := L r * gamma r * Ebar.

(** A quantity is known from a past if it is the same for all outcomes that share it. *)
Definition known {X : Type} (p : Omega r -> Omega r -> Prop) (Y : Omega r -> X) :=
  forall o o', p o o' -> Y o = Y o'.
Definition step t m e := (t < T r)%nat /\ (m < M r)%nat /\ (e < Es r)%nat.

Record assumptions : Prop := {
  (* A1 *)
  L_pos : 0 < L r;
  A1_smooth : forall m, (m < M r)%nat -> smooth (L r) (loss r m) (grad r m);
  A1_below : forall x, f_star r <= f x;
  (* A2: a bias known from the past; noise of mean zero given the past *)
  P_b_nonneg : 0 <= P_b r; P_n_nonneg : 0 <= P_n r;
  A2_bias : forall t m e o, step t m e -> may (chance r) o ->
    ‖(beta r t m e o)‖² <= P_b r * ‖(grad r m (local t m e o))‖² + b r ^ 2;
  A2_bias_known : forall t m e, step t m e -> known (past r t m e) (beta r t m e);
  A2_mean_zero : forall t m e (Y : Omega r -> V r), step t m e -> sq (chance r) Y -> known (past r t m e) Y ->
    chance r (fun o => ⟨zeta r t m e o, Y o⟩) = 0;
  A2_noise : forall t m e, step t m e ->
    chance r (fun o => ‖(zeta r t m e o)‖²) <=
    P_n r * chance r (fun o => ‖(grad r m (local t m e o))‖²) + sigma r ^ 2;
  A2_nu : nu r = 1 \/ nu r = / INR (M r) /\
    forall t m m' e e', step t m e -> step t m' e' -> m <> m' ->
      chance r (fun o => ⟨zeta r t m e o, zeta r t m' e' o⟩) = 0;
  (* what is known when *)
  zeta_known : forall t m e, step t m e -> known (past r t m (S e)) (zeta r t m e);
  broadcast_known : forall t m, known (past r t m 0) (broadcast r t);
  start_known : forall m, known (past r 0 m 0) (v0 r) /\ known (past r 0 m 0) (xi r);
  past_of_step : forall t m e o o', past r t m (S e) o o' -> past r t m e o o';
  past_of_round : forall t m m' o o', past r (S t) m 0 o o' -> past r t m' (Es r) o o';
  start_shared : forall t m m' o o', past r t m 0 o o' -> past r t m' 0 o o';
  (* A3, at broadcast points only *)
  A3 : forall t o, (t < T r)%nat -> may (chance r) o ->
    avg (M r) (fun m => ‖(grad r m (broadcast r t o))‖²) <=
    G r ^ 2 + B r ^ 2 * ‖(grad_f (broadcast r t o))‖²;
  (* what is square-integrable (steps that are not taken may be 0), and that the loss has a mean *)
  sq_grad : forall t m e, (t < T r)%nat -> (m < M r)%nat -> sq (chance r) (fun o => grad r m (local t m e o));
  sq_beta : forall t m e, (t < T r)%nat -> (m < M r)%nat -> sq (chance r) (beta r t m e);
  sq_zeta : forall t m e, (t < T r)%nat -> (m < M r)%nat -> sq (chance r) (zeta r t m e);
  sq_shifted : forall t, (t < T r)%nat -> sq (chance r) (fun o => grad_f (shifted t o));
  sq_residual : forall t, (t < T r)%nat -> sq (chance r) (fun o => add (residual t o) (scale (-1) (xi r o)));
  int_loss : forall t, (t <= T r)%nat -> int (chance r) (fun o => f (shifted t o));
  (* A4 *)
  gamma_pos : 0 < gamma r;
  A4 : 0 <= gamma r * mu r <= 1 }.
End Computed.
