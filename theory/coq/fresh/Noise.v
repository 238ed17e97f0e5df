(** * What the decoder sees of the noise of the table: S^T n/J *)
From Coq Require Import Reals.
From FPS.tools Require Import Result.
From FPS.fresh Require Export HashChannel.
Open Scope R_scope.

(** (S^T n/J)_i = (1/J) Σ_a s_a(i) n_a(bucket_a(i)) *)
Definition noise_readout {d : nat} (J : nat) (w : nat -> row) (n : nat -> nat -> R) : Rd d :=
  fun i => avg J (fun a => pm (sign (w a) i) * n a (bucket (w a) i)).

(** Given all that is known before the noise, and the hash is, cells have mean 0 and covariance σ²·1. *)
Record table_noise {d : nat} {I : Type} (P : mean (Rd d) I) (before : I -> I -> Prop) (J columns : nat) (sigma : R)
  (w : nat -> I -> row) (n : I -> nat -> nat -> R) : Prop := {
  cell_mean : forall a c (X : I -> R), (a < J)%nat -> (c < columns)%nat -> known before X -> int P X ->
    int P (fun o => n o a c * X o) /\ P (fun o => n o a c * X o) = 0;
  cells_mean : forall a c a' c' (X : I -> R), (a < J)%nat -> (c < columns)%nat -> (a' < J)%nat -> (c' < columns)%nat ->
    known before X -> int P X -> int P (fun o => n o a c * n o a' c' * X o) /\
    P (fun o => n o a c * n o a' c' * X o) = sigma ^ 2 * (delta a a' * delta c c') * P X;
  hash_known : forall o o', before o o' -> forall a l,
    bucket (w a o) l = bucket (w a o') l /\ sign (w a o) l = sign (w a o') l;
  bucket_below : forall a o l, (a < J)%nat -> (l < d)%nat -> (bucket (w a o) l < columns)%nat }.

(** Such is uncorrelated noise of mean 0 and variance σ² that is independent of all that is known before it. *)
Definition Independent_Noise_Will_Do : result := forall d I (P : mean (Rd d) I) before J columns sigma w n,
  (forall a c, int P (fun o => n o a c)) -> (forall a c a' c', int P (fun o => n o a c * n o a' c')) ->
  (forall a c, (a < J)%nat -> (c < columns)%nat -> P (fun o => n o a c) = 0) ->
  (forall a c a' c', (a < J)%nat -> (c < columns)%nat -> (a' < J)%nat -> (c' < columns)%nat ->
    P (fun o => n o a c * n o a' c') = sigma ^ 2 * (delta a a' * delta c c')) ->
  (forall X : I -> R, known before X -> independent P n X) ->
  (forall o o', before o o' -> forall a l, bucket (w a o) l = bucket (w a o') l /\ sign (w a o) l = sign (w a o') l) ->
  (forall a o l, (a < J)%nat -> (l < d)%nat -> (bucket (w a o) l < columns)%nat) ->
  table_noise P before J columns sigma w n.

(** The decoded noise is orthogonal to everything that is known before it. *)
Definition Noise_Mean_Zero : result := forall d I (P : mean (Rd d) I) before J columns sigma p w n Z,
  (forall i (X : I -> Rd d), (i < d)%nat -> sq P X -> int P (fun o => X o i)) -> solid P ->
  (forall a, (a < J)%nat -> hash_row P d p (w a)) -> table_noise P before J columns sigma w n ->
  sq P Z -> known before Z -> P (fun o => ⟨noise_readout (d := d) J (fun a => w a o) (n o), Z o⟩) = 0.

(** What the noise costs: E⟨S^T n/J, H S^T n/J⟩ = σ² tr(H)/J for every matrix H. *)
Definition Noise_Floor : result := forall d I (P : mean (Rd d) I) before J columns sigma p w n H,
  (0 < J)%nat -> (forall a, (a < J)%nat -> hash_row P d p (w a)) ->
  (forall a b, (a < J)%nat -> (b < J)%nat -> a <> b -> independent P (w a) (w b)) ->
  table_noise P before J columns sigma w n ->
  P (fun o => ⟨noise_readout (d := d) J (fun a => w a o) (n o), times_matrix H (noise_readout J (fun a => w a o) (n o))⟩) =
  sigma ^ 2 * trace d H / INR J.
