(** * Such hashes exist: all functions from coordinates to buckets and signs, equally likely

    The probability space is finite: every random number has a mean. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result.
From FPS.fresh Require Export HashChannel.
Open Scope R_scope.

(** There are J rows of K buckets for d coordinates, any two of them independent, with collision probability 1/K. *)
Definition Fresh_Hashes_Exist : result := forall (V : space) d K J, (0 < K)%nat ->
  exists (I : Type) (P : mean V I) (w : nat -> I -> row),
  (forall a, (a < J)%nat -> hash_row P d (fun _ _ => / INR K) (w a)) /\
  (forall a b, (a < J)%nat -> (b < J)%nat -> a <> b -> independent P (w a) (w b)) /\
  (forall a o c, noise (w a o) c = 0) /\ (forall X, int P X) /\ (forall Y, sq P Y).

(** So a fresh channel exists for every H: J rows of K buckets are one with ω = (ℓ + tr H − 2h)/(JK). What is known
    before it is what is certain. *)
Definition A_Fresh_Channel_Exists : result := forall d K J H ell h, (0 < K)%nat -> (0 < J)%nat ->
  symmetric_matrix d H -> (forall z : Rd d, ⟨z, times_matrix H z⟩ <= ell * ‖z‖²) ->
  (forall i, (i < d)%nat -> h <= H i i) ->
  exists (I : Type) (P : mean (Rd d) I) (w : nat -> I -> row),
  fresh_channel P (fun _ _ => True) (fun o => times_matrix (decoder J (fun a => w a o))) (times_matrix H)
    ((ell + trace d H - 2 * h) / (INR J * INR K)) /\ (forall X, int P X) /\ (forall Y, sq P Y).

(** A fold exists for every way to put d coordinates into classes. *)
Definition A_Fold_Exists : result := forall (V : space) d (class : nat -> nat),
  exists (I : Type) (P : mean V I) (w : I -> row),
  hash_row P d (fun i j => ind (Nat.eqb (class i) (class j))) w /\ (forall o c, noise (w o) c = 0) /\
  (forall X, int P X) /\ (forall Y, sq P Y).
