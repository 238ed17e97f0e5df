(** * FedProx (Li et al., MLSys 2020): Theorem 4 without the terms in K

    Device k holds F_k, L-smooth, and at w its proximal problem is h_k(v) = F_k(v) + (μ/2)‖v − w‖². It returns w_k with
    ‖∇F_k(w_k) + μ(w_k − w)‖ ≤ γ‖∇F_k(w)‖ (a γ-inexact solution). F_k + (μ/2)‖·‖² is μ̄-strongly convex, written as
    strong monotonicity of its gradient, μ̄ > 0. Local dissimilarity: E_k‖∇F_k(w)‖² ≤ B²‖∇f(w)‖² with weights p_k. The
    server averages K devices. Theorem 4 of the paper has two terms more that vanish only as K grows; and it bounds the
    expected decrease. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result Smooth.
Open Scope R_scope.

(** Σ_k p_k X_k *)
Definition weighted (N : nat) (p X : nat -> R) : R := sum N (fun k => p k * X k).
Definition weighted_vectors {V : space} (N : nat) (p : nat -> R) (X : nat -> V) : V := vsum N (fun k => (p k *: X k)%V).

Record network := {
  V : space; N : nat; p : nat -> R;                       (* devices and their weights *)
  F : nat -> V -> R; grad : nat -> V -> V;
  w : V; local : nat -> V;                                (* w, and the w_k that device k would return *)
  L : R; mu : R; mu_bar : R; gamma : R; B : R }.

Section Network.
Variable n : network.
Definition f (x : V n) : R := weighted (N n) (p n) (fun k => F n k x).
Definition grad_f (x : V n) : V n := weighted_vectors (N n) (p n) (fun k => grad n k x).

Record assumptions : Prop := {
  p_nonneg : forall k, (k < N n)%nat -> 0 <= p n k; p_total : sum (N n) (p n) = 1;
  F_smooth : forall k, (k < N n)%nat -> smooth (L n) (F n k) (grad n k);
  L_pos : 0 < L n; mu_pos : 0 < mu n; mu_bar_pos : 0 < mu_bar n;
  gamma_nonneg : 0 <= gamma n; B_nonneg : 0 <= B n;
  (* ∇F_k(v) + μv is μ̄-strongly monotone *)
  strongly_monotone : forall k x y, (k < N n)%nat ->
    mu_bar n * ‖(y - x)‖² <= ⟨grad n k y - grad n k x, y - x⟩ + mu n * ‖(y - x)‖²;
  inexact : forall k, (k < N n)%nat ->
    ‖(grad n k (local n k) + mu n *: (local n k - w n))‖ <= gamma n * ‖(grad n k (w n))‖;
  dissimilar : weighted (N n) (p n) (fun k => ‖(grad n k (w n))‖²) <= B n ^ 2 * ‖(grad_f (w n))‖² }.

(** ρ = (1 − γB)/μ − LB(1+γ)/(μ μ̄) − LB²(1+γ)²/(2μ̄²): the bracket of the paper's (8) *)
Definition rho : R := (1 - gamma n * B n) / mu n - L n * B n * (1 + gamma n) / (mu_bar n * mu n)
  - L n * B n ^ 2 * (1 + gamma n) ^ 2 / (2 * mu_bar n ^ 2).
End Network.

(** The server chooses devices at random: w⁺ = Σ_k c_k w_k, with random weights c_k ≥ 0 that add up to 1 and have mean
    p_k. *)
Record choice (n : network) := {
  I : Type; P : mean (V n) I;
  weight : I -> nat -> R; received : I -> V n;                        (* c_k and w⁺ *)
  weight_nonneg : forall o k, (k < N n)%nat -> 0 <= weight o k;
  weight_total : forall o, may P o -> sum (N n) (weight o) = 1;
  weight_mean : forall k, (k < N n)%nat -> int P (fun o => weight o k) /\ P (fun o => weight o k) = p n k;
  received_is : forall o, may P o -> same (received o) (weighted_vectors (N n) (weight o) (local n));
  int_received : int P (fun o => f n (received o)) }.
Arguments I {n}. Arguments P {n}. Arguments received {n}.

(** R1, the improved Theorem 4: E f(w⁺) ≤ f(w) − ρ‖∇f(w)‖² with the ρ of the paper's (8), however devices are chosen.
    No term in K is left. *)
Definition Improved_Theorem_4 : result := forall n (c : choice n), assumptions n ->
  P c (fun o => f n (received c o)) <= f n (w n) - rho n * ‖(grad_f n (w n))‖².

(** The mean over K independent draws s(0), …, s(K−1), each k with probability p_k *)
Fixpoint draws (N : nat) (p : nat -> R) (K : nat) (X : (nat -> nat) -> R) : R :=
  match K with
  | O => X (fun _ => O)
  | S j => weighted N p (fun k => draws N p j (fun s => X (fun i => if Nat.eqb i j then k else s i)))
  end.

(** R1 for the paper's scheme, K independent draws by p_k and the plain average of the K answers, for every K ≥ 1. *)
Definition Improved_Theorem_4_With_Replacement : result := forall n K, (0 < K)%nat -> assumptions n ->
  draws (N n) (p n) K (fun s => f n (vmean K (fun j => local n (s j)))) <= f n (w n) - rho n * ‖(grad_f n (w n))‖².

(** R1 for K of N devices without replacement: p_k = 1/N, every set that is drawn has K devices, and every device is as
    likely to be drawn as any other. *)
Definition Improved_Theorem_4_Without_Replacement : result := forall n K I (P : mean (V n) I) (drawn : I -> nat -> bool),
  (0 < K)%nat -> assumptions n -> (forall k, (k < N n)%nat -> p n k = / INR (N n)) ->
  let w_plus := fun o => (/ INR K *: vsum (N n) (fun k => ((if drawn o k then 1 else 0) *: local n k)%V))%V in
  (forall o, sum (N n) (fun k => if drawn o k then 1 else 0) = INR K) ->
  (forall k, (k < N n)%nat -> int P (fun o => if drawn o k then 1 else 0)) ->
  (forall k l, (k < N n)%nat -> (l < N n)%nat ->
    P (fun o => if drawn o k then 1 else 0) = P (fun o => if drawn o l then 1 else 0)) ->
  int P (fun o => f n (w_plus o)) ->
  P (fun o => f n (w_plus o)) <= f n (w n) - rho n * ‖(grad_f n (w n))‖².

(** ρ is positive for μ large if γB < 1: with μ̄ = μ − L_ and μ = L_ + Lb(2+b)/(1−γB), b = (1+γ)B, L_ ≤ L and B ≥ 1,
    ρ ≥ (4/9)(1−γB)/μ. *)
Definition Rho_Is_Positive : result := forall n L_minus, 0 <= L_minus <= L n -> 0 < L n -> 1 <= B n -> 0 <= gamma n ->
  gamma n * B n < 1 -> let b := (1 + gamma n) * B n in
  mu n = L_minus + L n * b * (2 + b) / (1 - gamma n * B n) -> mu_bar n = mu n - L_minus ->
  4 / 9 * (1 - gamma n * B n) / mu n <= rho n.
