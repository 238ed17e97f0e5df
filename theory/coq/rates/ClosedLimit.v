(** * A limit that no proof can pass

    Devices with losses ±(λ/2)w², a share (1+1/B)/2 of them with "+": then f = (λ/2B)w², A1 holds with any
    L ≥ λ, and A3 holds with G = 0 and this very B. A round from x ends at (p·ρ_E(λ) + (1−p)·ρ_E(−λ))·x
    with p = (1+1/B)/2, where ρ_e(h) is what e local steps make of 1 on the loss (h/2)w². If that factor is
    1, every point is a fixed point, though ∇f(x) ≠ 0. For μ = 0 the equation reads ½(1+1/B)(1−λγ)^E +
    ½(1−1/B)(1+λγ)^E = 1, and any root in (0, Lγ] will do. B = n/d stands for any rational number ≥ 1; the
    devices are 2n, of which n + d have "+". *)
From Coq Require Import Reals Arith Lra Lia.
From FPS.tools Require Import Result Smooth.
From FPS.rates Require Import Round Forms Descent.
Open Scope R_scope.

Definition sign (n d m : nat) : R := if m <? n + d then 1 else -1.
Definition tug_of_war (n d : nat) (some : (0 < 2 * n)%nat) (lambda x : R) : plain_round := {|
  pV := line; pM := 2 * n; p_some := some;
  p_loss := fun m (w : line) => sign n d m * (lambda / 2) * (w * w);
  p_grad := fun m (w : line) => sign n d m * lambda * w;
  p_start := x; p_beta := fun _ _ => 0 |}.

(** ρ_0 = 1,  ρ_{e+1} = ρ_e − γ(hρ_e + μ(ρ_e − 1)) *)
Fixpoint rho (gamma mu h : R) (e : nat) : R :=
  match e with
  | O => 1
  | S j => rho gamma mu h j - gamma * (h * rho gamma mu h j + mu * (rho gamma mu h j - 1))
  end.

(** If ½(1+1/B)ρ_E(λ) + ½(1−1/B)ρ_E(−λ) = 1 for some λ in (0, L], the tug of war satisfies A1, A2 and A3 with
    G = b = 0, yet every point x ≠ 0 is a fixed point of the round with ∇f(x) ≠ 0. *)
Definition Spurious_Fixed_Points : result :=
  forall (k : numbers) (n d : nat) (some : (0 < 2 * n)%nat) (lambda x : R),
  (0 < d <= n)%nat -> B k = INR n / INR d -> theta k = 1 -> one_device k = false -> 0 <= P_b k ->
  0 < lambda <= L k -> x <> 0 ->
  (1 + / B k) / 2 * rho (gamma k) (mu k) lambda (Es k)
  + (1 - / B k) / 2 * rho (gamma k) (mu k) (- lambda) (Es k) = 1 ->
  let r := tug_of_war n d some lambda x in
  plain_fits k r 0 0 /\ p_finish k r = p_start r /\ 0 < ‖(p_grad_f r (p_start r))‖².

(** So, for μ = 0, no learning rate at or beyond a root of ½(1+1/B)(1−t)^E + ½(1−1/B)(1+t)^E = 1, t = Lγ > 0,
    has a certificate with c > 0, whatever the multipliers. *)
Definition No_Certificate_Beyond_The_Root : result := forall (k : numbers) (n d : nat) (t : R),
  (0 < d <= n)%nat -> B k = INR n / INR d -> theta k = 1 -> one_device k = false -> mu k = 0 -> 0 < gamma k ->
  0 < t <= L k * gamma k ->
  (1 + / B k) / 2 * (1 - t) ^ Es k + (1 - / B k) / 2 * (1 + t) ^ Es k = 1 ->
  forall a : multipliers, certificate k a -> c a <= 0.

(** Two local steps: no learning rate γ ≥ 2/(BL) has a certificate with c > 0. *)
Definition Two_Steps_Limit : result := forall (k : numbers) (n d : nat),
  (0 < d <= n)%nat -> B k = INR n / INR d -> theta k = 1 -> one_device k = false -> mu k = 0 -> 0 < L k ->
  Es k = 2%nat -> 2 / (B k * L k) <= gamma k ->
  forall a : multipliers, certificate k a -> c a <= 0.

(** Four devices, three with w²/2 and one with −w²/2, and two local steps with learning rate 1 (L = 1,
    B = 2): from any point the round ends where it began, and A3 holds with G = 0. *)
Definition Four_Devices : result := forall (some : (0 < 2 * 2)%nat) (x : R),
  let k := {| Es := 2; gamma := 1; mu := 0; L := 1; theta := 1; B := 2; P_b := 0; P_n := 0; nu := 0;
    biased := false; noisy := false; one_device := false; uncorrelated := false; independent := false |} in
  let r := tug_of_war 2 1 some 1 x in
  p_finish k r = x /\ p_grad_f r x = x / 2 /\ p_similar k r 0 x.
