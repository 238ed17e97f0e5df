(** * FedProx, Theorem 4 with what K devices really gain *)
From Coq Require Import Reals.
From FPS.tools Require Import Result Smooth.
From FPS.fedprox Require Import Theorem4.
Open Scope R_scope.

Section Network.
Variable n : network.
(** w̄ = Σ p_k w_k, and m = γB + LB(1+γ)/μ̄, which bounds how far −μ(w̄ − w) is from ∇f(w) *)
Definition mean_answer : V n := weighted_vectors (N n) (p n) (local n).
Definition miss : R := gamma n * B n + L n * B n * (1 + gamma n) / mu_bar n.
(** ρ_κ = (1−m)/μ − L(1−κ)(1−m)²/(2μ²) − κLB²(1+γ)²/(2μ̄²); κ = 1 is the ρ of R1. *)
Definition rho_with (kappa : R) : R := (1 - miss) / mu n - L n * (1 - kappa) * (1 - miss) ^ 2 / (2 * mu n ^ 2)
  - kappa * (L n * B n ^ 2 * (1 + gamma n) ^ 2) / (2 * mu_bar n ^ 2).
End Network.

(** R_K: if E‖w⁺ − w̄‖² ≤ κ Σ p_k‖w_k − w̄‖², m ≤ 1 and L(1−κ) ≤ μ, then E f(w⁺) ≤ f(w) − ρ_κ‖∇f(w)‖². *)
Definition Theorem_4_With_A_Spread : result := forall n (c : choice n) kappa, assumptions n -> 0 <= kappa <= 1 ->
  miss n <= 1 -> L n * (1 - kappa) <= mu n ->
  int (P c) (fun o => ‖(received c o - mean_answer n)‖²) ->
  P c (fun o => ‖(received c o - mean_answer n)‖²) <=
    kappa * weighted (N n) (p n) (fun k => ‖(local n k - mean_answer n)‖²) ->
  P c (fun o => f n (received c o)) <= f n (w n) - rho_with n kappa * ‖(grad_f n (w n))‖².

(** K independent draws by p_k have κ = 1/K, so that R_K holds for them. *)
Definition Theorem_4_With_K : result := forall n K, (0 < K)%nat -> assumptions n -> miss n <= 1 ->
  L n * (1 - / INR K) <= mu n ->
  draws (N n) (p n) K (fun s => f n (vmean K (fun j => local n (s j)))) <=
  f n (w n) - rho_with n (/ INR K) * ‖(grad_f n (w n))‖².

(** The assumptions can be met by two devices that differ, with ρ > 0: F_k(x) = (x − a_k)²/2, a = (1, 3), w = 0, μ = 10. *)
Definition Theorem_4_Can_Be_Met : result := exists n, assumptions n /\ 0 < rho n /\ miss n <= 1 /\ N n = 2%nat /\
  0 < ‖(grad_f n (w n))‖² /\ grad n 0 (w n) <> grad n 1 (w n).
