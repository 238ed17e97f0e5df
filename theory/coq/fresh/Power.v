(** * Theorem N: full power in every round

    If every device scales its table to the power it may use, the noise of the decoded table is relative to the tables:
    given all else a cell has variance ν_c/m times the largest ‖S y^m‖². The variance depends on the hash, and so does
    tr(S H S^T), by which the noise enters f. Both are linear in A = S^T S/J: ‖S y‖² = J⟨y, Ay⟩ and tr(S H S^T) =
    J Σ H_kl A_kl. Noise of this kind has no floor. It is one more price. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result.
From FPS.fresh Require Import HashChannel.
From FPS.rates Require Import Round Forms.
From FPS.fresh Require Import Prices.
Open Scope R_scope.

(** Σ_kl H_kl A_kl *)
Definition paired (d : nat) (H A : matrix) : R := sum d (fun k => sum d (fun l => H k l * A k l)).

(** The energy of a table without noise is J⟨v, Av⟩. *)
Definition Energy_Of_A_Table : result := forall d J columns (w : nat -> row) (v : Rd d), (0 < J)%nat ->
  (forall a l, (a < J)%nat -> (l < d)%nat -> (bucket (w a) l < columns)%nat) -> (forall a c, HashRows.noise (w a) c = 0) ->
  sum J (fun a => sum columns (fun c => content (w a) v c ^ 2)) = INR J * ⟨v, times_matrix (decoder J w) v⟩.

(** E[⟨Y, AY⟩ Σ H_kl A_kl] = tr(H) E‖Y‖² + 2 Σ_{i≠j} p_ij H_ij E[Y_i Y_j], for every Y that is known before the hash. *)
Definition Power_Moment : result := forall d I (P : mean (Rd d) I) before A p H (Y : I -> Rd d),
  solid P -> moments P d p A -> drawn_after P before A -> symmetric_matrix d H -> sq P Y -> Channel.known before Y ->
  int P (fun o => ⟨Y o, times_matrix (A o) (Y o)⟩ * paired d H (A o)) /\
  P (fun o => ⟨Y o, times_matrix (A o) (Y o)⟩ * paired d H (A o)) =
  trace d H * P (fun o => ‖(Y o)‖²)
  + 2 * sum d (fun i => sum d (fun j => p i j * (1 - delta i j) * H i j * P (fun o => Y o i * Y o j))).

(** For equal collisions and H_ii ≥ 0 this is at most (tr H + 2pℓ) E‖Y‖². *)
Definition Power_Price : result := forall d I (P : mean (Rd d) I) before A p H ell (Y : I -> Rd d), 0 <= p ->
  solid P -> moments P d (fun _ _ => p) A -> drawn_after P before A -> symmetric_matrix d H -> sq P Y -> Channel.known before Y ->
  (forall z : Rd d, ⟨z, times_matrix H z⟩ <= ell * ‖z‖²) -> (forall i, (i < d)%nat -> 0 <= H i i) ->
  P (fun o => ⟨Y o, times_matrix (A o) (Y o)⟩ * paired d H (A o)) <= (trace d H + 2 * p * ell) * P (fun o => ‖(Y o)‖²).

(** Noise of variance level² in every cell costs (1/J) E[level² Σ H_kl A_kl]. If level² ≤ ν Σ_m⟨Y_m, AY_m⟩, where each Y_m
    is known before the hash, and Σ H_kl A_kl ≥ 0 as for every H that is not negative, then this is at most
    (ν/J)(tr H + 2pℓ) Σ_m E‖Y_m‖². *)
Definition Relative_Noise : result := forall d I (P : mean (Rd d) I) before A p H ell (level : I -> R) M (Y : nat -> I -> Rd d) nu J,
  0 <= p -> 0 <= nu -> 0 < J -> solid P -> moments P d (fun _ _ => p) A -> drawn_after P before A -> symmetric_matrix d H ->
  (forall z : Rd d, ⟨z, times_matrix H z⟩ <= ell * ‖z‖²) -> (forall i, (i < d)%nat -> 0 <= H i i) ->
  (forall m, (m < M)%nat -> sq P (Y m)) -> (forall m, (m < M)%nat -> Channel.known before (Y m)) ->
  int P (fun o => level o ^ 2 * paired d H (A o)) -> (forall o, 0 <= paired d H (A o)) ->
  (forall o, level o ^ 2 <= nu * sum M (fun m => ⟨Y m o, times_matrix (A o) (Y m o)⟩)) ->
  / J * P (fun o => level o ^ 2 * paired d H (A o)) <= nu / J * (trace d H + 2 * p * ell) * sum M (fun m => P (fun o => ‖(Y m o)‖²)).

(** Theorem N for one round: if the noise costs at most ν' E mean_m‖y^m‖², a certificate for ω + ν' and κ(ℓ+ω) + ν' pays
    for it, and no floor is left: E f(x₊) − E f(x) ≤ −c E‖∇f(x)‖² + (η_0+η_+)G² + Σ τ_e b² + Σ ϑ_e σ². *)
Definition Theorem_N_One_Round : result := forall k a omega ell kappa power,
  priced_certificate k a (omega + power) (kappa * (ell + omega) + power) ->
  forall (r : round) (G' b sigma G : R) H picked A noise p_pick p_hash p_noise floor,
  fits k r G' b sigma -> A3_as_needed k a r G ->
  let sr := sent k r H picked A noise p_pick p_hash p_noise ell omega kappa floor in
  Channel.fits sr -> (forall m, (m < M r)%nat -> Channel.known p_pick (local k r m (Es k))) ->
  floor <= power * Channel.device_square sr ->
  chance r (fun o => f r (Channel.finish sr o)) - chance r (fun o => f r (start r o)) <=
  - c a * chance r (fun o => ‖(grad_f r (start r o))‖²) + (eta_0 a + eta_plus a) * G ^ 2
    + sum (Es k) (tau a) * b ^ 2 + sum (Es k) (vt a) * sigma ^ 2.
