(** * One round of updates that are sent over a random channel

    Device m wants to move the model x by y^m. Some devices take part, and ȳ_Q is what they send together. The
    channel A is a random map that is drawn after all this; with the noise n the model becomes
    x₊ = x + A ȳ_Q + n. Exact averaging over all devices would end at x̂ = x + ȳ, which nobody knows. Lemma 2 says
    what the way from x̂ to x₊ costs. Here A is any unbiased channel with a bounded spread; Moments.v and
    HashChannel.v show that a count sketch is one if its hash is drawn anew in every round. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result Smooth.
Open Scope R_scope.

(** Outcomes are related if they share a past. What is constant on related outcomes is known from it. *)
Definition known {I X : Type} (past : I -> I -> Prop) (Y : I -> X) : Prop := forall o o', past o o' -> Y o = Y o'.

Section Curvature.
Variable V : space.
(** H is symmetric, and ⟨z,Hz⟩ ≤ ℓ‖z‖². *)
Definition symmetric (H : V -> V) : Prop := forall x y, ⟨H x, y⟩ = ⟨x, H y⟩.
Definition at_most_form (H : V -> V) (ell : R) : Prop := forall z, ⟨z, H z⟩ <= ell * ‖z‖².
(** f(y) ≤ f(x) + ⟨∇f(x), y−x⟩ + ⟨y−x, H(y−x)⟩/2 for all x, y *)
Definition curved_by (H : V -> V) (f : V -> R) (grad : V -> V) : Prop :=
  forall x y, f y <= f x + ⟨grad x, y - x⟩ + ⟨y - x, H (y - x)⟩ / 2.
End Curvature.
Arguments symmetric {V}. Arguments at_most_form {V}. Arguments curved_by {V}.

Section Channel.
Variables (V : space) (I : Type) (P : mean V I).
(** A is drawn afresh: for all Y and Z that are known before it, E⟨AY−Y, Z⟩ = 0 and E‖AY−Y‖_H² ≤ ω E‖Y‖². *)
Record fresh_channel (before : I -> I -> Prop) (A : I -> V -> V) (H : V -> V) (omega : R) : Prop := {
  channel_sq : forall Y, sq P Y -> known before Y -> sq P (fun o => A o (Y o));
  channel_unbiased : forall Y Z, sq P Y -> sq P Z -> known before Y -> known before Z ->
    P (fun o => ⟨A o (Y o) - Y o, Z o⟩) = 0;
  channel_spread : forall Y, sq P Y -> known before Y ->
    P (fun o => ⟨A o (Y o) - Y o, H (A o (Y o) - Y o)⟩) <= omega * P (fun o => ‖(Y o)‖²) }.

(** The devices that take part are picked fairly: for all Z that are known before, E⟨ȳ_Q − ȳ, Z⟩ = 0, and
    E‖ȳ_Q − ȳ‖² ≤ κ E mean_m‖y^m − ȳ‖². *)
Record fair_pick (before : I -> I -> Prop) (M : nat) (y : nat -> I -> V) (picked : I -> V) (kappa : R) : Prop := {
  pick_sq : sq P picked;
  pick_unbiased : forall Z, sq P Z -> known before Z ->
    P (fun o => ⟨picked o - vmean M (fun m => y m o), Z o⟩) = 0;
  pick_spread : P (fun o => ‖(picked o - vmean M (fun m => y m o))‖²) <=
    kappa * P (fun o => avg M (fun m => ‖(y m o - vmean M (fun m => y m o))‖²)) }.
End Channel.
Arguments fresh_channel {V I}. Arguments fair_pick {V I}.
Arguments channel_sq {V I P before A H omega}. Arguments channel_unbiased {V I P before A H omega}.
Arguments channel_spread {V I P before A H omega}. Arguments pick_sq {V I P before M y picked kappa}.
Arguments pick_unbiased {V I P before M y picked kappa}. Arguments pick_spread {V I P before M y picked kappa}.

(** What is given of a round *)
Record round := {
  V : space; Omega : Type; chance : mean V Omega;
  f : V -> R; grad_f : V -> V; H : V -> V;
  M : nat; M_pos : (0 < M)%nat;
  start : Omega -> V;                      (* x *)
  y : nat -> Omega -> V;                   (* displacement of every device, picked or not *)
  picked : Omega -> V;                     (* ȳ_Q *)
  A : Omega -> V -> V;                     (* the channel *)
  noise : Omega -> V;                      (* n as the decoder sees it: S^T n/J *)
  before_pick : Omega -> Omega -> Prop; before_hash : Omega -> Omega -> Prop;
  before_noise : Omega -> Omega -> Prop;
  ell : R; omega : R; kappa : R; floor : R }.

Section Round.
Variable r : round.
Definition ybar (o : Omega r) : V r := vmean (M r) (fun m => y r m o).
(** x̂ = x + ȳ and x₊ = x + Aȳ_Q + n *)
Definition exact_finish (o : Omega r) : V r := (start r o + ybar o)%V.
Definition finish (o : Omega r) : V r := (start r o + A r o (picked r o) + noise r o)%V.
(** E‖ȳ‖², E‖ȳ_Q‖², E mean_m‖y^m‖² and E mean_m‖y^m − ȳ‖² *)
Definition mean_square : R := chance r (fun o => ‖(ybar o)‖²).
Definition picked_square : R := chance r (fun o => ‖(picked r o)‖²).
Definition device_square : R := chance r (fun o => avg (M r) (fun m => ‖(y r m o)‖²)).
Definition device_spread : R := chance r (fun o => avg (M r) (fun m => ‖(y r m o - ybar o)‖²)).

Record fits : Prop := {
  H_symmetric : symmetric (H r);
  H_bounded : at_most_form (H r) (ell r);
  f_curved : curved_by (H r) (f r) (grad_f r);
  ell_nonneg : 0 <= ell r; omega_nonneg : 0 <= omega r;
  (* the order in which things are drawn: local steps, pick, hash, noise *)
  hash_after_pick : forall o o', before_hash r o o' -> before_pick r o o';
  noise_after_hash : forall o o', before_noise r o o' -> before_hash r o o';
  start_known : known (before_pick r) (start r);
  y_known : forall m, (m < M r)%nat -> known (before_pick r) (y r m);
  picked_known : known (before_hash r) (picked r);
  sent_known : known (before_noise r) (fun o => A r o (picked r o));
  pick : fair_pick (chance r) (before_pick r) (M r) (y r) (picked r) (kappa r);
  channel : fresh_channel (chance r) (before_hash r) (A r) (H r) (omega r);
  noise_mean_zero : forall Z, sq (chance r) Z -> known (before_noise r) Z ->
    chance r (fun o => ⟨noise r o, Z o⟩) = 0;
  noise_small : chance r (fun o => ⟨noise r o, H r (noise r o)⟩) <= floor r;
  (* what is square-integrable, and that losses have a mean *)
  sq_H : forall X, sq (chance r) X -> sq (chance r) (fun o => H r (X o));
  sq_y : forall m, (m < M r)%nat -> sq (chance r) (y r m);
  sq_noise : sq (chance r) (noise r);
  sq_grad_start : sq (chance r) (fun o => grad_f r (start r o));
  int_start : int (chance r) (fun o => f r (start r o));
  int_finish : int (chance r) (fun o => f r (finish o)) }.
End Round.

(** x̂ is x + ȳ, up to what no inner product can tell, and it is known before devices are picked. *)
Record is_exact (r : round) (xhat : Omega r -> V r) : Prop := {
  exact_same : forall o, same (xhat o) (exact_finish r o);
  exact_known : known (before_pick r) xhat;
  exact_sq : sq (chance r) (fun o => grad_f r (xhat o));
  exact_int : int (chance r) (fun o => f r (xhat o)) }.

(** Lemma 2: a fresh channel costs, beside exact averaging, the spread of the channel, that of the pick, and noise:
    E f(x₊) ≤ E f(x̂) + (ω/2) E‖ȳ‖² + (κ(ℓ+ω)/2) E mean_m‖y^m−ȳ‖² + floor/2. *)
Definition Transfer : result := forall r xhat, fits r -> is_exact r xhat ->
  chance r (fun o => f r (finish r o)) <= chance r (fun o => f r (xhat o))
    + omega r / 2 * mean_square r + kappa r * (ell r + omega r) / 2 * device_spread r + floor r / 2.

(** Lemma 2 if all devices take part in every round: E f(x₊) ≤ E f(x̂) + (ω/2) E‖ȳ‖² + floor/2. *)
Definition Transfer_Of_All : result := forall r xhat, fits r -> (forall o, picked r o = ybar r o) -> is_exact r xhat ->
  chance r (fun o => f r (finish r o)) <= chance r (fun o => f r (xhat o))
    + omega r / 2 * mean_square r + floor r / 2.

(** Lemma 2 seen from the start x of the round: E f(x₊) ≤ E f(x) + E⟨∇f(x), ȳ⟩ + ((ℓ+ω)/2)((1−κ) E‖ȳ‖² + κ E mean_m‖y^m‖²) + floor/2. *)
Definition Transfer_From_The_Start : result := forall r, fits r ->
  chance r (fun o => f r (finish r o)) <= chance r (fun o => f r (start r o))
    + chance r (fun o => ⟨grad_f r (start r o), ybar r o⟩)
    + (ell r + omega r) / 2 * ((1 - kappa r) * mean_square r + kappa r * device_square r) + floor r / 2.
