(** * Theorem D: mean read-out, separable quadratic: the table stays bounded for every number of rounds

    f(w) = Σ_i h_i (w_i − wstar_i)²/2 with h_i ≥ μ_f > 0, one local step, no noise, top-k with any k and any
    tie-breaking, any hash. The table s_t is read by x_t = S^T C s_t, which is the mean read-out for C = 1/J,
    and w̃_t = Top_k(x_t). Norms of tables are those of ⟨s, C s'⟩: for C = 1/J, ‖s‖² here is the page's
    ‖s‖²/J. ‖x‖_H² = Σ h_i x_i². K uses any bound Kn on the k-support norm of H wstar, the dual
    of x ↦ ‖Top_k x‖. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result Mean.
From FPS.residual Require Import TopSets.
From FPS.sketch_space Require Import Sketch.
Open Scope R_scope.

(** ** The formulas *)
(** Q̄ = [K + 2ηg + √((K + 2ηg)² + 4(1−η)(ηg² + e))] / (2(1−η)) *)
Definition broadcast_bound (K eta g e : R) : R :=
  (K + 2 * eta * g + sqrt ((K + 2 * eta * g) ^ 2 + 4 * (1 - eta) * (eta * g ^ 2 + e))) / (2 * (1 - eta)).
(** c_max = (K + 2ηg)²/(4(1−η)) + ηg² *)
Definition largest_gain (K eta g : R) : R := (K + 2 * eta * g) ^ 2 / (4 * (1 - eta)) + eta * g ^ 2.
(** max{‖s_0‖², d q*²/(k λ μ_f) + ‖s_0^⊥‖² + 2γ c_max}, q* = Q̄ at e = 0 *)
Definition table_bound (d k : nat) (K eta g gamma lam mu_f start_square perp_square : R) : R :=
  Rmax start_square (INR d * broadcast_bound K eta g 0 ^ 2 / (INR k * lam * mu_f) + perp_square
                     + 2 * gamma * largest_gain K eta g).
(** H x and ‖x‖_H for a diagonal H *)
Definition times_H {d} (h : nat -> R) (x : Rd d) : Rd d := fun i => h i * x i.
Definition norm_H {d} (h : nat -> R) (x : Rd d) : R := sqrt (sum d (fun i => h i * x i ^ 2)).
(** √(d/k) ‖H wstar‖ is always a bound on the k-support norm of H wstar. *)
Definition k_support_default {d} (k : nat) (y : Rd d) : R := sqrt (INR d / INR k) * ‖y‖.

(** ** The run *)
Record separable_run (d k : nat) := {
  table_D : sketch (Rd d);
  h : nat -> R; wstar : Rd d;                    (* curvatures and minimiser *)
  mu_f : R; gamma_D : R; L_A : R; Kn : R;
  s : nat -> tables table_D;                     (* the table at the start of round t *)
  P : nat -> coordinates }.                      (* the k coordinates that are broadcast in round t *)
Arguments table_D {d k}. Arguments h {d k}. Arguments wstar {d k}. Arguments mu_f {d k}.
Arguments gamma_D {d k}.
Arguments L_A {d k}. Arguments Kn {d k}. Arguments s {d k}. Arguments P {d k}.

Section Letters.
Variables (d k : nat) (r : separable_run d k).
Definition gradient_D (w : Rd d) : Rd d := times_H (h r) (w - wstar r)%V.
(** w̃_t *)
Definition w_D (t : nat) : Rd d := restrict (P r t) (St (table_D r) (s r t)).
(** K = Kn/√μ_f, η = γ L_A/2, g = ‖wstar‖_H *)
Definition K_D : R := Kn r / sqrt (mu_f r).
Definition eta_D : R := gamma_D r * L_A r / 2.
Definition g_D : R := norm_H (h r) (wstar r).
(** A_M and Q over the first T rounds *)
Definition A_D (T : nat) : R := avg T (fun t => ‖(Sk (table_D r) (gradient_D (w_D t)))‖²).
Definition Q_D (T : nat) : R := sqrt (avg T (fun t => norm_H (h r) (w_D t) ^ 2)).

Record assumptions_D : Prop := {
  k_pos : (1 <= k)%nat; mu_f_pos : 0 < mu_f r; gamma_D_pos : 0 < gamma_D r;
  strongly_convex : forall i, (i < d)%nat -> mu_f r <= h r i;
  (* L_A = λ_max(C^{1/2} S H S^T C^{1/2}) *)
  L_A_nonneg : 0 <= L_A r;
  L_A_bounds : forall y, ‖(Sk (table_D r) (times_H (h r) y))‖² <= L_A r * norm_H (h r) y ^ 2;
  eta_small : eta_D < 1;
  (* Kn is at least the k-support norm of H wstar *)
  Kn_nonneg : 0 <= Kn r;
  Kn_bounds : forall P x, top d k P x -> ⟨x, times_H (h r) (wstar r)⟩ <= Kn r * ‖(restrict P x)‖;
  (* the run *)
  reads_top_k : forall t, top d k (P r t) (St (table_D r) (s r t));
  rounds_D : exact_rounds (table_D r) (gamma_D r) (s r) (fun t => gradient_D (w_D t)) }.

(** λ is at most the least positive eigenvalue of M, and s_0 = s_0^⊥ + S g_0 with s_0^⊥ orthogonal to the
    range of S. *)
Definition starts_at (lam : R) (s_perp : tables (table_D r)) (g_0 : Rd d) : Prop :=
  0 < lam /\ (forall x, lam * ‖(Sk (table_D r) x)‖² <= ‖(St (table_D r) (Sk (table_D r) x))‖²) /\
  (forall x, ⟨s_perp, Sk (table_D r) x⟩ = 0) /\ same (s r 0%nat) (s_perp + Sk (table_D r) g_0)%V.
Definition sup_D (lam : R) (s_perp : tables (table_D r)) : R :=
  table_bound d k K_D eta_D g_D (gamma_D r) lam (mu_f r) ‖(s r 0%nat)‖² ‖s_perp‖².
End Letters.
Arguments gradient_D {d k}. Arguments w_D {d k}.
Arguments K_D {d k}.
Arguments eta_D {d k}. Arguments g_D {d k}. Arguments A_D {d k}. Arguments Q_D {d k}.
Arguments assumptions_D {d k}.
Arguments starts_at {d k}. Arguments sup_D {d k}.

(** ** The results *)

(** Theorem D, on average: for every T, Q ≤ Q̄ and A_M ≤ L_A (Q̄ + g)², with Q² = (1/T) Σ ‖w̃_t‖_H² and
    Q̄ taken at e_0 = ‖s_0‖²/(2γT). *)
Definition Theorem_D : result := forall d k (r : separable_run d k), assumptions_D r ->
  forall T, (0 < T)%nat ->
  let Qbar := broadcast_bound (K_D r) (eta_D r) (g_D r) (‖(s r 0%nat)‖² / (2 * gamma_D r * INR T)) in
  Q_D r T <= Qbar /\ A_D r T <= L_A r * (Qbar + g_D r) ^ 2.

(** Theorem D, in every round: ‖s_t‖² ≤ max{‖s_0‖², d q*²/(kλμ_f) + ‖s_0^⊥‖² + 2γ c_max}. *)
Definition Theorem_D_Supremum : result := forall d k (r : separable_run d k), assumptions_D r ->
  forall lam s_perp g_0, starts_at r lam s_perp g_0 -> forall t, ‖(s r t)‖² <= sup_D r lam s_perp.

(** Theorem D with Proposition E: the gradient at the averaged broadcast w̄_T goes to zero like 1/T, in the
    seminorm: ‖∇f(w̄_T)‖_M ≤ 2 (sup_t ‖s_t‖)/(γT). *)
Definition Averaged_Broadcast_Converges : result := forall d k (r : separable_run d k), assumptions_D r ->
  forall lam s_perp g_0, starts_at r lam s_perp g_0 -> forall T, (0 < T)%nat ->
  ‖(Sk (table_D r) (gradient_D r (vmean T (w_D r))))‖ <= 2 * sqrt (sup_D r lam s_perp) / (gamma_D r * INR T).

(** √(d/k) ‖y‖ is at least the k-support norm of y, so Theorem D may always use Kn = √(d/k) ‖H wstar‖. *)
Definition K_Support_Norm_Is_Bounded : result := forall d k (y : Rd d), (1 <= k)%nat ->
  forall P x, top d k P x ->
  ⟨x, y⟩ <= k_support_default k y * ‖(restrict P x)‖.
