(** * One round of local proximal steps, and what is assumed of it

    The model x is broadcast, each of M devices takes E local proximal steps from x, and the next broadcast is
    the mean x₊ of the devices' end points (no sketch residual). Gradients may have a bias and a noise.
    Everything is random: x itself too, so rounds can be chained. A fixed x is the case of one outcome. *)
From Coq Require Import Reals Lra Lia.
From FPS.tools Require Export Smooth.
Open Scope R_scope.

(** The numbers that a certificate speaks about. The last five fields say which terms of the setting are
    absent or assumed: gradients have a bias; gradients have noise; there is one device only; the noises of
    different devices are uncorrelated (ν = 1/M); devices sample independently of each other within the
    round. *)
Record numbers := {
  Es : nat;                                   (* local steps, the paper's E *)
  gamma : R; mu : R;                          (* learning rate, proximal parameter *)
  L : R; theta : R;                           (* curvatures of every l_m lie in [−θL, L] *)
  B : R; P_b : R; P_n : R;                    (* relative dissimilarity, bias and noise *)
  nu : R;                                     (* 1/M; not used unless devices are assumed uncorrelated *)
  biased : bool; noisy : bool; one_device : bool; uncorrelated : bool; independent : bool }.

(** A function with gradient [grad] whose curvatures lie in [−θL, L]. θ = 1: Assumption 1. θ = 0: convex. *)
Definition curved {V : space} (theta L : R) (l : V -> R) (grad : V -> V) :=
  forall x y, - (theta * L / 2 * ‖(y - x)‖²) <= l y - l x - ⟨grad x, y - x⟩ <= L / 2 * ‖(y - x)‖².

(** What is given of a round. [past m e] relates outcomes that look alike to device m before step e. *)
Record round := {
  V : space; Omega : Type; chance : mean V Omega;
  M : nat; some_device : (0 < M)%nat;
  loss : nat -> V -> R; grad : nat -> V -> V;
  start : Omega -> V;
  beta : nat -> nat -> Omega -> V; zeta : nat -> nat -> Omega -> V;
  past : nat -> nat -> Omega -> Omega -> Prop }.

Section Computed.
Variables (k : numbers) (r : round).

(** w^{m,0} = x,  w^{m,e+1} = w^{m,e} − γ(∇l_m(w^{m,e}) + β + ζ + μ(w^{m,e} − x)) *)
Fixpoint local (m e : nat) (o : Omega r) : V r :=
  match e with
  | O => start r o
  | S j => (local m j o - gamma k *: ((grad r m (local m j o) + beta r m j o + zeta r m j o)
                                      + mu k *: (local m j o - start r o)))%V
  end.
(** x₊ = mean_m w^{m,E} *)
Definition finish (o : Omega r) : V r := vmean (M r) (fun m => local m (Es k) o).

(** f = mean_m l_m *)
Definition f (x : V r) : R := avg (M r) (fun m => loss r m x).
Definition grad_f (x : V r) : V r := vmean (M r) (fun m => grad r m x).

(** A quantity is known from a past if it is the same for all outcomes that share it. *)
Definition known {X : Type} (p : Omega r -> Omega r -> Prop) (Y : Omega r -> X) :=
  forall o o', p o o' -> Y o = Y o'.
Definition step m e := (m < M r)%nat /\ (e < Es k)%nat.

Record fits (G b sigma : R) : Prop := {
  A1 : forall m, (m < M r)%nat -> curved (theta k) (L k) (loss r m) (grad r m);
  (* A2: bias relative to the device's own gradient; it vanishes if the numbers say so *)
  A2_bias : forall m e, step m e ->
    chance r (fun o => ‖(beta r m e o)‖²) <= P_b k * chance r (fun o => ‖(grad r m (local m e o))‖²) + b ^ 2;
  A2_bias_known : forall m e, step m e -> known (past r m e) (beta r m e);
  A2_no_bias : biased k = false -> forall m e o, step m e -> same (beta r m e o) zero;
  (* A2: noise of mean zero given the past *)
  A2_noise : forall m e, step m e ->
    chance r (fun o => ‖(zeta r m e o)‖²) <=
    P_n k * chance r (fun o => ‖(grad r m (local m e o))‖²) + sigma ^ 2;
  A2_mean_zero : forall m e (Y : Omega r -> V r), step m e -> sq (chance r) Y -> known (past r m e) Y ->
    chance r (fun o => ⟨zeta r m e o, Y o⟩) = 0;
  A2_no_noise : noisy k = false -> forall m e o, step m e -> same (zeta r m e o) zero;
  A2_uncorrelated : uncorrelated k = true -> nu k = / INR (M r) /\
    forall m m' e e', step m e -> step m' e' -> m <> m' ->
      chance r (fun o => ⟨zeta r m e o, zeta r m' e' o⟩) = 0;
  A2_independent : independent k = true -> nu k = / INR (M r) /\
    forall m m' e e', step m e -> step m' e' -> m <> m' ->
      chance r (fun o => ⟨zeta r m e o, grad r m' (local m' e' o)⟩) = 0 /\
      chance r (fun o => ⟨zeta r m e o, beta r m' e' o⟩) = 0;
  (* what is known when *)
  zeta_known : forall m e, step m e -> known (past r m (S e)) (zeta r m e);
  start_known : forall m, known (past r m 0) (start r);
  past_of_step : forall m e o o', past r m (S e) o o' -> past r m e o o';
  start_shared : forall m m' o o', past r m 0 o o' -> past r m' 0 o o';
  (* A3 at both broadcasts *)
  A3_start : chance r (fun o => avg (M r) (fun m => ‖(grad r m (start r o))‖²)) <=
    G ^ 2 + B k ^ 2 * chance r (fun o => ‖(grad_f (start r o))‖²);
  A3_finish : chance r (fun o => avg (M r) (fun m => ‖(grad r m (finish o))‖²)) <=
    G ^ 2 + B k ^ 2 * chance r (fun o => ‖(grad_f (finish o))‖²);
  one : one_device k = true -> M r = 1%nat;
  (* what is square-integrable, and that losses have a mean *)
  sq_grad : forall m e, step m e -> sq (chance r) (fun o => grad r m (local m e o));
  sq_finish : forall m, (m < M r)%nat -> sq (chance r) (fun o => grad r m (finish o));
  sq_beta : forall m e, step m e -> sq (chance r) (beta r m e);
  sq_zeta : forall m e, step m e -> sq (chance r) (zeta r m e);
  int_loss : forall m e, step m e -> int (chance r) (fun o => loss r m (local m e o));
  int_finish : forall m, (m < M r)%nat -> int (chance r) (fun o => loss r m (finish o)) }.
End Computed.

(** Every round that fits the numbers k descends:
    E f(x₊) − E f(x) ≤ −c E‖∇f(x)‖² + η G² + τ b² + ϑ σ². *)
Definition descends (k : numbers) (c eta tau vt : R) : Prop := forall (r : round) (G b sigma : R),
  fits k r G b sigma ->
  chance r (fun o => f r (finish k r o)) - chance r (fun o => f r (start r o)) <=
  - c * chance r (fun o => ‖(grad_f r (start r o))‖²) + eta * G ^ 2 + tau * b ^ 2 + vt * sigma ^ 2.
