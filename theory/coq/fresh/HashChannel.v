(** * A count sketch whose hash is drawn anew is a fresh channel

    A has the moments of Moments.v and is independent of all that is known before it is drawn. So it is unbiased for
    every Y that is known then, and E‖AY−Y‖_H² = E⟨Y, ΩY⟩ with Ω = E(A−1)H(A−1). A hash that is kept for ever is not
    such a channel from the second round on: the model depends on it. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result.
From FPS.fresh Require Export Channel Moments.
Open Scope R_scope.

(** The square-integrable random vectors of R^d contain, with a vector, each of its coordinates and its product with a
    bounded random number. So it is for finite probability and for Lebesgue integration. *)
Record solid {d : nat} {I : Type} (P : mean (Rd d) I) : Prop := {
  solid_coordinate : forall (X : I -> Rd d) i l, (i < d)%nat -> (l < d)%nat -> sq P X ->
    sq P (fun o => (fun j => delta i j * X o l) : Rd d);
  solid_bounded : forall (a : I -> R) (X : I -> Rd d), int P a -> (forall o, Rabs (a o) <= 1) -> sq P X ->
    sq P (fun o => (a o *: X o)%V) }.

(** The matrix is independent of every number that is known before it. *)
Definition drawn_after {V I} (P : mean V I) (before : I -> I -> Prop) (A : I -> matrix) : Prop :=
  forall X : I -> R, known before X -> independent P A X.

(** If the rows of a hash are independent of all that is known before them, so is their decoder. *)
Definition Decoder_Drawn_After : result := forall V I (P : mean V I) before J (w : nat -> I -> row),
  (forall X : I -> R, known before X -> independent P (fun o a => w a o) X) ->
  drawn_after P before (fun o => decoder J (fun a => w a o)).

(** The spread is exact: E‖AY−Y‖_H² = E⟨Y, ΩY⟩. *)
Definition Spread_Is_Exact : result := forall d I (P : mean (Rd d) I) before A p H (Y : I -> Rd d),
  solid P -> moments P d p A -> drawn_after P before A -> symmetric_matrix d H ->
  sq P Y -> known before Y ->
  P (fun o => ⟨times_matrix (A o) (Y o) - Y o, times_matrix H (times_matrix (A o) (Y o) - Y o)%V⟩) =
  P (fun o => spread_form d p H (Y o)).

(** Such an A is a fresh channel for every ω with ⟨y, Ωy⟩ ≤ ω‖y‖². *)
Definition Hash_Channel : result := forall d I (P : mean (Rd d) I) before A p H omega,
  solid P -> moments P d p A -> drawn_after P before A -> symmetric_matrix d H ->
  (forall y : Rd d, spread_form d p H y <= omega * ‖y‖²) ->
  fresh_channel P before (fun o => times_matrix (A o)) (times_matrix H) omega.

(** A count sketch of J rows with collision probability p_1, any two rows independent, is a fresh channel with
    ω = (p_1/J)(ℓ + tr H − 2h), where ⟨z,Hz⟩ ≤ ℓ‖z‖² and every H_ii ≥ h. *)
Definition Count_Sketch_Channel : result := forall d I (P : mean (Rd d) I) before J (w : nat -> I -> row) p_1 H ell h,
  solid P -> (0 < J)%nat -> 0 <= p_1 ->
  (forall a, (a < J)%nat -> hash_row P d (fun _ _ => p_1) (w a)) ->
  (forall a b, (a < J)%nat -> (b < J)%nat -> a <> b -> independent P (w a) (w b)) ->
  (forall X : I -> R, known before X -> independent P (fun o a => w a o) X) ->
  symmetric_matrix d H -> (forall z : Rd d, ⟨z, times_matrix H z⟩ <= ell * ‖z‖²) ->
  (forall i, (i < d)%nat -> h <= H i i) ->
  fresh_channel P before (fun o => times_matrix (decoder J (fun a => w a o))) (times_matrix H)
    (p_1 / INR J * (ell + trace d H - 2 * h)).

(** The fold with m classes is a fresh channel with ω = max_c (τ_c + ℓ_c) − 2h, where class c has trace at most τ_c,
    ⟨z,Hz⟩ ≤ ℓ_c‖z‖² for every z that lives on class c, and every H_ii ≥ h. *)
Definition Fold_Channel : result := forall d I (P : mean (Rd d) I) before m class (w : I -> row) H (tau ell : nat -> R)
  worst h, solid P -> hash_row P d (fun i j => ind (Nat.eqb (class i) (class j))) w ->
  drawn_after P before (fun o => row_matrix (w o)) ->
  symmetric_matrix d H -> (forall i, (i < d)%nat -> (class i < m)%nat) ->
  (forall c, (c < m)%nat -> sum d (fun j => ind (Nat.eqb (class j) c) * H j j) <= tau c) ->
  (forall c (z : Rd d), (c < m)%nat -> (forall i, (i < d)%nat -> class i <> c -> z i = 0) ->
    ⟨z, times_matrix H z⟩ <= ell c * ‖z‖²) ->
  (forall c, (c < m)%nat -> tau c + ell c <= worst) -> (forall i, (i < d)%nat -> h <= H i i) ->
  fresh_channel P before (fun o => times_matrix (row_matrix (w o))) (times_matrix H) (worst - 2 * h).

(** A symmetric matrix is a curvature as Channel.v wants one: a symmetric map that keeps vectors square-integrable. *)
Definition Matrices_Are_Curvatures : result := forall d I (P : mean (Rd d) I) H,
  solid P -> symmetric_matrix d H -> symmetric (times_matrix (d := d) H) /\
  forall X, sq P X -> sq P (fun o => times_matrix H (X o)).
