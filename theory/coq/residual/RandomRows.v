(** * Random rows of a hash sketch

    What is random lives on any probability space with expectation P (tools/Mean.v). Independence is stated
    as factorised expectations of everything that has a mean. A row needs little: two coordinates share a
    bucket with probability at most 1/K, two signs are uncorrelated coins on every event about the buckets of
    three coordinates, and the noise of the buckets is independent of the hash. Signs that are independent of
    the buckets have this (RandomHash.v), and so has a hash that is uniform and 3-wise independent
    (ThreeWiseHash.v). *)
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

(** Signs are fair and uncorrelated on every event D about the buckets of the coordinates that matter. *)
Record coins {V I} (P : mean V I) (d : nat) (w : I -> row) : Prop := {
  fair : forall l a (D : nat -> nat -> bool), (l < d)%nat -> (a < d)%nat ->
    P (fun o => ind (D (bucket (w o) l) (bucket (w o) a)) * pm (sign (w o) l)) = 0;
  uncorrelated : forall l m a (D : nat -> nat -> nat -> bool),
    (l < d)%nat -> (m < d)%nat -> (a < d)%nat -> l <> m ->
    P (fun o => ind (D (bucket (w o) l) (bucket (w o) m) (bucket (w o) a)) *
                (pm (sign (w o) l) * pm (sign (w o) m))) = 0 }.

(** A random row for d coordinates with [columns] buckets. K is the number of columns if the buckets of two
    coordinates are independent and uniform; bucket noise has second moment at most σ_c² = sigma2. *)
Record random_row {V I} (P : mean V I) (d columns : nat) (K sigma2 : R) (w : I -> row) : Prop := {
  K_pos : 0 < K;
  bucket_below : forall o l, (l < d)%nat -> (bucket (w o) l < columns)%nat;
  hash_events : forall D : (nat -> nat) -> (nat -> bool) -> bool,
    int P (fun o => ind (D (bucket (w o)) (sign (w o))));
  collisions : forall l m, (l < d)%nat -> (m < d)%nat -> l <> m ->
    Pr P (fun o => Nat.eqb (bucket (w o) l) (bucket (w o) m)) <= / K;
  signs : coins P d w;
  noise_and_hash : independent P (fun o => (bucket (w o), sign (w o))) (fun o => noise (w o));
  noise_mean : forall c, (c < columns)%nat -> int P (fun o => noise (w o) c);
  noise_square : forall c, (c < columns)%nat -> int P (fun o => noise (w o) c ^ 2);
  noise_small : forall c, (c < columns)%nat -> P (fun o => noise (w o) c ^ 2) <= sigma2 }.
