(** * Multipliers that satisfy (i)-(iii) give descent

    Section 1 of the theory of certified rates. Round.v says what a round is and what is assumed of it,
    Forms.v what a certificate is. The interpolation inequality is proved from the two-sided bound, not
    assumed. The third result says the second one again for a round without noise, in any inner product
    space and without a word of chance. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result Smooth.
From FPS.rates Require Import Round Forms.
Open Scope R_scope.

(** A function with curvatures in [−θL, L] satisfies, at any two points,
    l(x) − l(y) ≥ ⟨g_y, x−y⟩ + [‖g_x−g_y‖²/L − θL‖x−y‖² + 2θ⟨g_x−g_y, x−y⟩] / (2(1+θ)). *)
Definition Interpolation : result := forall (V : space) (theta L : R) (l : V -> R) (grad : V -> V),
  0 < L -> -1 < theta -> curved theta L l grad ->
  forall x y, gap theta L x y (grad x) (grad y) <= l x - l y.

(** If multipliers satisfy (i)-(iii) for the numbers k, every round that fits k descends:
    E f(x₊) − E f(x) ≤ −c E‖∇f(x)‖² + (η_0+η_+)G² + Σ τ_e b² + Σ ϑ_e σ². *)
Definition Descent : result := forall (k : numbers) (a : multipliers), certificate k a ->
  descends k (c a) (eta_0 a + eta_plus a) (sum (Es k) (tau a)) (sum (Es k) (vt a)).

(** A round without noise: one point x, M devices, gradients with a bias. *)
Record plain_round := {
  pV : space; pM : nat; p_some : (0 < pM)%nat;
  p_loss : nat -> pV -> R; p_grad : nat -> pV -> pV; p_start : pV; p_beta : nat -> nat -> pV }.
Section Plain.
Variables (k : numbers) (r : plain_round).
Fixpoint p_local (m e : nat) : pV r :=
  match e with
  | O => p_start r
  | S j => (p_local m j - gamma k *: ((p_grad r m (p_local m j) + p_beta r m j)
                                      + mu k *: (p_local m j - p_start r)))%V
  end.
Definition p_finish : pV r := vmean (pM r) (fun m => p_local m (Es k)).
Definition p_f (x : pV r) : R := avg (pM r) (fun m => p_loss r m x).
Definition p_grad_f (x : pV r) : pV r := vmean (pM r) (fun m => p_grad r m x).
Definition p_similar (G : R) (x : pV r) : Prop :=
  avg (pM r) (fun m => ‖(p_grad r m x)‖²) <= G ^ 2 + B k ^ 2 * ‖(p_grad_f x)‖².
(** A1, A2 and A3 for such a round *)
Record plain_fits (G b : R) : Prop := {
  p_A1 : forall m, (m < pM r)%nat -> curved (theta k) (L k) (p_loss r m) (p_grad r m);
  p_A2 : forall m e, (m < pM r)%nat -> (e < Es k)%nat -> if biased k
    then ‖(p_beta r m e)‖² <= P_b k * ‖(p_grad r m (p_local m e))‖² + b ^ 2 else same (p_beta r m e) zero;
  p_A3_start : p_similar G (p_start r);
  p_A3_finish : p_similar G p_finish;
  p_one : one_device k = true -> pM r = 1%nat }.
End Plain.

(** The same without noise, in any inner product space: f(x₊) − f(x) ≤ −c‖∇f(x)‖² + (η_0+η_+)G² + Σ τ_e b². *)
Definition Descent_Without_Noise : result := forall (k : numbers) (a : multipliers), certificate k a ->
  forall (r : plain_round) (G b : R), plain_fits k r G b ->
  p_f r (p_finish k r) - p_f r (p_start r) <=
  - c a * ‖(p_grad_f r (p_start r))‖² + (eta_0 a + eta_plus a) * G ^ 2 + sum (Es k) (tau a) * b ^ 2.
