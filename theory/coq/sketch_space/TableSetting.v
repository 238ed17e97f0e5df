(** * The setting of Theorem B: FPS seen in the table that it keeps

    A [run] gives the devices, their losses, local steps, bias and noise, the broadcast and the shift ξ (its
    v0, G, B and nu are not used). A [table] adds the sketch S with the inner product of C, the table at the
    start, the noise that enters the table, and constants. S, C and ξ are known at the start. The broadcast is
    any vector that is known from the past: nothing is said of how it is read from the table (mean, median,
    top-k, ties, channel noise). *)
From Coq Require Import Reals.
From FPS.tools Require Export Smooth.
From FPS.repaired Require Export Setting.
From FPS.sketch_space Require Export Sketch FormulasB.
Open Scope R_scope.

Record table (r : run) := {
  sk :> sketch (V r);
  s0 : Omega r -> tables sk;                     (* the table at the start *)
  stored : nat -> Omega r -> tables sk;
    (* n^st_t: noise that enters the table at the end of round t *)
  Hbar : V r -> V r;                             (* H̄: a matrix that bounds the curvature of f *)
  L_M : R; ell_M : R; Lam_b : R; Lam_n : R; nu_M : R;
  tau : R }.                                     (* bounds E⟨S^T C n, H̄ S^T C n⟩: σ_st² tr(C S H̄ S^T C) *)
Arguments sk {r}. Arguments s0 {r}. Arguments stored {r}. Arguments Hbar {r}. Arguments L_M {r}.
Arguments ell_M {r}.
Arguments Lam_b {r}. Arguments Lam_n {r}. Arguments nu_M {r}. Arguments tau {r}.

Section Letters.
Variables (r : run) (k : table r).
(** s_{t+1} = s_t + S mean_m(w^{m,E} − w̃_t) + n^st_t,  X_t = S^T C s_t − ξ *)
Fixpoint tab (t : nat) (o : Omega r) : tables k :=
  match t with
  | O => s0 k o
  | S j => (tab j o + Sk k (vmean (M r) (fun m => moved r j m (Es r) o)) + stored k j o)%V
  end.
Definition X (t : nat) (o : Omega r) : V r := (St k (tab t o) - xi r o)%V.

(** A_M = (1/T) Σ E‖∇f(w̃_t)‖_M²,  ρ² = (1/T) Σ E‖∇f(X_t) − ∇f(w̃_t)‖_M²,  Δ = E f(X_0) − f* *)
Definition A_M : R := rounds r (fun i => ‖(Sk k (grad_f r (broadcast r (fst i) (snd i))))‖²).
Definition rho_B : R := sqrt (rounds r (fun i =>
  ‖(Sk k (grad_f r (X (fst i) (snd i)) - grad_f r (broadcast r (fst i) (snd i)))%V)‖²)).
Definition Delta_B : R := chance r (fun o => f r (X 0 o)) - f_star r.
(** D² = (1/T) Σ E mean_m ‖∇l_m(w̃_t)‖², Euclidean *)
Definition D_B : R := sqrt (everything r
  (fun i => ‖(grad r (fst (snd i)) (broadcast r (fst i) (snd (snd i))))‖²)).
(** u, F, N and Θ, at this D *)
Definition u_B : R := u_of (gamma r) (Ebar r) (L_M k).
Definition F_B : R :=
  F_of (gamma r) (mu r) (L r) (P_b r) (P_n r) (b r) (sigma r) D_B (ell_M k) (Lam_b k) (Es r).
Definition N_B : R :=
  N_of (gamma r) (mu r) (L r) (P_b r) (P_n r) (b r) (sigma r) D_B (nu_M k) (Lam_n k) (Es r).
Definition Theta_B : R := Theta_of (tau k) (gamma r) (Ebar r).
(** 2Δ/(γĒT) + Θ *)
Definition start_B : R := start_part Delta_B Theta_B (gamma r) (Ebar r) (INR (T r)).

(** Outcomes with the same past up to the end of round t, before the stored noise of that round *)
Definition after (t : nat) (o o' : Omega r) : Prop := forall m, (m < M r)%nat -> past r t m (Es r) o o'.

Record assumptions_B : Prop := {
  (* losses: Lipschitz gradients, from the Euclidean norm to both norms; curvature at most H̄; f ≥ f* *)
  L_nonneg : 0 <= L r; L_M_nonneg : 0 <= L_M k; ell_M_nonneg : 0 <= ell_M k;
  lipschitz : forall m x y, (m < M r)%nat -> ‖(grad r m y - grad r m x)‖ <= L r * ‖(y - x)‖;
  lipschitz_M : forall m x y, (m < M r)%nat -> ‖(Sk k (grad r m y - grad r m x)%V)‖ <= ell_M k * ‖(y - x)‖;
  Hbar_sym : forall x y, ⟨Hbar k x, y⟩ = ⟨x, Hbar k y⟩;
  curved : forall x y, f r y <= f r x + ⟨grad_f r x, y - x⟩ + ⟨y - x, Hbar k (y - x)⟩ / 2;
  curved_M : forall g, ⟨St k (Sk k g), Hbar k (St k (Sk k g))⟩ <= L_M k * ‖(Sk k g)‖²;   (* M H̄ M ≤ L_M M *)
  below : forall x, f_star r <= f r x;
  (* bias, known from the past and bounded in both norms *)
  P_b_B : 0 <= P_b r; P_n_B : 0 <= P_n r; Lam_b_nonneg : 0 <= Lam_b k; Lam_n_nonneg : 0 <= Lam_n k;
  bias_V : forall t m e o, step r t m e -> may (chance r) o ->
    ‖(beta r t m e o)‖² <= P_b r * ‖(grad r m (local r t m e o))‖² + b r ^ 2;
  bias_M : forall t m e o, step r t m e -> may (chance r) o ->
    ‖(Sk k (beta r t m e o))‖² <= Lam_b k * (P_b r * ‖(grad r m (local r t m e o))‖² + b r ^ 2);
  bias_known : forall t m e, step r t m e -> known r (past r t m e) (beta r t m e);
  (* noise: mean zero given the past; bounded in both norms;
    ν = 1, or 1/M if devices are uncorrelated in ⟨.,.⟩_M *)
  mean_zero : forall t m e (Y : Omega r -> V r), step r t m e -> sq (chance r) Y ->
    known r (past r t m e) Y ->
    chance r (fun o => ⟨zeta r t m e o, Y o⟩) = 0;
  noise_V : forall t m e, step r t m e ->
    chance r (fun o => ‖(zeta r t m e o)‖²) <=
    P_n r * chance r (fun o => ‖(grad r m (local r t m e o))‖²) + sigma r ^ 2;
  noise_M : forall t m e, step r t m e ->
    chance r (fun o => ‖(Sk k (zeta r t m e o))‖²) <=
    Lam_n k * (P_n r * chance r (fun o => ‖(grad r m (local r t m e o))‖²) + sigma r ^ 2);
  nu_is : nu_M k = 1 \/ nu_M k = / INR (M r) /\
    forall t m m' e e', step r t m e -> step r t m' e' -> m <> m' ->
      chance r (fun o => ⟨Sk k (zeta r t m e o), Sk k (zeta r t m' e' o)⟩) = 0;
  (* stored noise: mean zero given all of the round, and its size *)
  stored_zero : forall t (Y : Omega r -> V r), (t < T r)%nat -> sq (chance r) Y -> known r (after t) Y ->
    chance r (fun o => ⟨stored k t o, Sk k (Y o)⟩) = 0;
  stored_size : forall t, (t < T r)%nat ->
    chance r (fun o => ⟨St k (stored k t o), Hbar k (St k (stored k t o))⟩) <= tau k;
  (* what is known when *)
  zeta_known_B : forall t m e, step r t m e -> known r (past r t m (S e)) (zeta r t m e);
  broadcast_known_B : forall t m, known r (past r t m 0) (broadcast r t);
  stored_known : forall t m, known r (past r (S t) m 0) (stored k t);
  s0_known : forall m, known r (past r 0 m 0) (s0 k) /\ known r (past r 0 m 0) (xi r);
  past_of_step_B : forall t m e o o', past r t m (S e) o o' -> past r t m e o o';
  past_of_round_B : forall t m m' o o', past r (S t) m 0 o o' -> past r t m' (Es r) o o';
  start_shared_B : forall t m m' o o', past r t m 0 o o' -> past r t m' 0 o o';
  (* what is square-integrable (steps that are not taken may be 0), and that the loss has a mean *)
  sq_M : forall Y : Omega r -> V r, sq (chance r) Y -> sq (chance r) (fun o => St k (Sk k (Y o)));
  sq_Hbar : forall Y : Omega r -> V r, sq (chance r) Y -> sq (chance r) (fun o => Hbar k (Y o));
  sq_grad_B : forall t m e, (t < T r)%nat -> (m < M r)%nat ->
    sq (chance r) (fun o => grad r m (local r t m e o));
  sq_beta_B : forall t m e, (t < T r)%nat -> (m < M r)%nat -> sq (chance r) (beta r t m e);
  sq_zeta_B : forall t m e, (t < T r)%nat -> (m < M r)%nat -> sq (chance r) (zeta r t m e);
  sq_stored : forall t, (t < T r)%nat -> sq (chance r) (fun o => St k (stored k t o));
  sq_X : forall t, (t < T r)%nat -> sq (chance r) (fun o => grad_f r (X t o));
  int_X : forall t, (t <= T r)%nat -> int (chance r) (fun o => f r (X t o));
  (* steps *)
  gamma_pos_B : 0 < gamma r;
  A4_B : 0 <= gamma r * mu r <= 1 }.
End Letters.
