(** * Random rows of a hash sketch

    What is random lives on any probability space with expectation P (tools/Mean.v). Independence is stated as
    factorised expectations. A row needs little: two coordinates share a bucket with probability at most 1/K, signs are
    pairwise uncorrelated coins, independent of the buckets, and the noise of the buckets is independent of both. *)
From Coq Require Import Reals Bool.
From FPS.tools Require Export Mean.
From FPS.residual Require Export HashRows.
Open Scope R_scope.

(** E[φ(X)ψ(Y)] = E[φ(X)] E[ψ(Y)] whenever the two factors have means *)
Definition independent {V I A B} (P : mean V I) (X : I -> A) (Y : I -> B) : Prop :=
  forall (phi : A -> R) (psi : B -> R), int P (fun o => phi (X o)) -> int P (fun o => psi (Y o)) ->
  int P (fun o => phi (X o) * psi (Y o)) /\
  P (fun o => phi (X o) * psi (Y o)) = P (fun o => phi (X o)) * P (fun o => psi (Y o)).

(** The probability of an event *)
Definition Pr {V I} (P : mean V I) (event : I -> bool) : R := P (fun o => ind (event o)).

(** A random row for d coordinates with [columns] buckets. K is the number of columns if the buckets of two
    coordinates are independent and uniform; bucket noise has second moment at most σ_c² = sigma2. *)
Record random_row {V I} (P : mean V I) (d columns : nat) (K sigma2 : R) (w : I -> row) : Prop := {
  K_pos : 0 < K;
  bucket_below : forall o l, (l < d)%nat -> (bucket (w o) l < columns)%nat;
  hash_events : forall D : (nat -> nat) -> (nat -> bool) -> bool, int P (fun o => ind (D (bucket (w o)) (sign (w o))));
  collisions : forall l m, (l < d)%nat -> (m < d)%nat -> l <> m ->
    Pr P (fun o => Nat.eqb (bucket (w o) l) (bucket (w o) m)) <= / K;
  fair_signs : forall l, (l < d)%nat -> P (fun o => pm (sign (w o) l)) = 0;
  uncorrelated_signs : forall l m, (l < d)%nat -> (m < d)%nat -> l <> m ->
    P (fun o => pm (sign (w o) l) * pm (sign (w o) m)) = 0;
  signs_and_buckets : independent P (fun o => bucket (w o)) (fun o => sign (w o));
  noise_and_hash : independent P (fun o => (bucket (w o), sign (w o))) (fun o => noise (w o));
  noise_mean : forall c, (c < columns)%nat -> int P (fun o => noise (w o) c);
  noise_square : forall c, (c < columns)%nat -> int P (fun o => noise (w o) c ^ 2);
  noise_small : forall c, (c < columns)%nat -> P (fun o => noise (w o) c ^ 2) <= sigma2 }.
