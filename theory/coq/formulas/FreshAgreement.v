(** * The formulas for fresh hashes are those of their theorems

    Generated.v holds them as the calculators evaluate them: h = 0 in the prices, sigma_c2 is σ_c², memory is ρ of
    Theorem L and shrink its c. *)
From Coq Require Import Reals Arith.
From FPS.tools Require Import Result Smooth.
From FPS.formulas Require Generated.
From FPS.fresh Require Import HashChannel.
From FPS.fresh Require IntegerMap Pick OneStep LeakyMemory.
Module G := FPS.formulas.Generated.
Open Scope R_scope.

(** The probability of a common bucket, for the program's map and for J rows; and κ for s of M devices. *)
Definition Fresh_Probabilities_Agree : result := forall n b J p M s, (0 < n)%nat -> (0 < b)%nat -> s <> 0 -> M <> 1 ->
  G.collision (INR b) (INR (n mod b)) (INR n) = IntegerMap.collision_of n b /\
  G.pair J p = p / J /\ G.participating M s = Pick.kappa_at M s.

(** The prices of a count sketch (with the trace, and whatever the trace is) and of the fold bound ⟨y, Ωy⟩. *)
Definition Fresh_Prices_Agree : result := forall d H ell (y : Rd d),
  (forall z : Rd d, ⟨z, times_matrix H z⟩ <= ell * ‖z‖²) -> (forall i, (i < d)%nat -> 0 <= H i i) ->
  (forall p, 0 <= p -> spread_form d (fun _ _ => p) H y <= G.price ell p (trace d H) * ‖y‖²) /\
  (forall p, 0 <= p -> spread_form d (fun _ _ => p) H y <= G.price_worst (INR d) ell p * ‖y‖²) /\
  (forall m class tau l worst_trace worst_ell, (forall i, (i < d)%nat -> (class i < m)%nat) ->
    (forall c, (c < m)%nat -> sum d (fun j => ind (Nat.eqb (class j) c) * H j j) <= tau c) ->
    (forall c (z : Rd d), (c < m)%nat -> (forall i, (i < d)%nat -> class i <> c -> z i = 0) ->
      ⟨z, times_matrix H z⟩ <= l c * ‖z‖²) ->
    (forall c, (c < m)%nat -> tau c + l c <= worst_trace + worst_ell) ->
    spread_form d (fun i j => ind (Nat.eqb (class i) (class j))) H y <= G.price_fold 1 worst_ell worst_trace * ‖y‖²).

(** E‖AY‖² = energy · E‖Y‖², the factor of Second_Moment_Of_A_Vector. *)
Definition Energy_Agrees : result := forall d p, G.energy (INR d) p = 1 + p * (INR d - 1).

(** Lemma 2 adds this to E f(x̂); deviations is v = κ(ℓ+ω). *)
Definition Transfer_Agrees : result := forall J ell kappa mean omega sigma_c spread tr, J <> 0 ->
  G.transfer J ell kappa mean omega (sigma_c ^ 2) spread tr =
    omega / 2 * mean + kappa * (ell + omega) / 2 * spread + sigma_c ^ 2 * tr / J / 2 /\
  G.channel_floor J (sigma_c ^ 2) tr = sigma_c ^ 2 * tr / J / 2 /\ G.deviations ell kappa omega = kappa * (ell + omega).

(** One local step: the condition on γ, c, and the price of G², with curved = ℓ+ω and v = κ(ℓ+ω). *)
Definition One_Fresh_Step_Agrees : result := forall (r : OneStep.run) B G_,
  let curved := OneStep.w r in let v := G.deviations (OneStep.all_ell r) (OneStep.all_kappa r) (OneStep.all_omega r) in
  (G.one_step_slope B curved v * OneStep.gamma r < G.one_step_upper <->
   OneStep.gamma r * OneStep.w r * (1 + OneStep.all_kappa r * (B ^ 2 - 1)) < 2) /\
  G.one_step_rate B curved (OneStep.gamma r) v = OneStep.rate r B /\
  OneStep.price r G_ 0 1 = G.one_step_price (OneStep.gamma r) v * G_ ^ 2 + OneStep.all_floor r / 2.

(** A sketch of that size has the price ℓ, or ℓ(1−share)/share, so that 2/(ℓ+ω) is half of 2/ℓ, or the share of it. *)
Definition Fresh_Sizes_Agree : result := forall ell tr share, 0 < ell -> 0 <= tr -> 0 < share < 1 ->
  2 / (ell + G.price ell (/ G.size_half ell tr) tr) = 1 / 2 * (2 / ell) /\
  2 / (ell + G.price ell (/ G.size_share ell share tr) tr) = share * (2 / ell).

(** Theorem L: s, a, b, k, and its condition on γ. *)
Definition Leaky_Memory_Agrees : result := forall r : LeakyMemory.leaky, LeakyMemory.leaky_fits r ->
  let c := LeakyMemory.shrink r in let rho := LeakyMemory.leak r in
  G.contraction rho c = LeakyMemory.s_of r /\ G.gain rho c = LeakyMemory.a_of r /\ G.leak rho c = LeakyMemory.b_of r /\
  G.applied rho c = LeakyMemory.applied r /\ G.memory_step_upper = 1 /\
  G.memory_step_slope (LeakyMemory.all_ell r) rho (LeakyMemory.price r) c =
    LeakyMemory.all_ell r / 2 + LeakyMemory.all_ell r * LeakyMemory.a_of r
    + LeakyMemory.price r * LeakyMemory.b_of r ^ 2 / 2.

(** The learning rate at which nothing moves (Limit.v): γλ = isotropic gives (1+ω)(1 − (1−γλ)^E) = 2. *)
Definition Isotropic_Limit_Agrees : result := forall E omega, (0 < E)%nat -> 1 < omega ->
  (1 + omega) * (1 - (1 - G.isotropic (INR E) omega) ^ E) = 2.
