(** * The hash of the program: one word gives a sign and a bucket, exactly fair for every number of buckets

    A word v below 2n is split: sign = v mod 2, u = v div 2, bucket = (u b) div n, in the program with n = 2^30. Of the
    n values of u a bucket gets n div b or one more, so signs are exactly fair, independent of the buckets, and two
    independent words share a bucket with probability 1/b + r(b−r)/(b n²), r = n mod b. *)
From Coq Require Import Reals Arith.
From FPS.tools Require Import Result.
From FPS.fresh Require Import Moments.
Open Scope R_scope.

Definition bucket_of (n b v : nat) : nat := (v / 2 * b / n)%nat.
Definition sign_of (v : nat) : bool := Nat.even v.
(** 1/b + r(b−r)/(b n²) *)
Definition collision_of (n b : nat) : R :=
  / INR b + INR (n mod b) * INR (b - n mod b) / (INR b * INR n ^ 2).
Definition row_of_words (n b : nat) (v : nat -> nat) : row :=
  {| bucket := fun i => bucket_of n b (v i); sign := fun i => sign_of (v i); noise := fun _ => 0 |}.

(** How many u < n go to bucket h *)
Definition load (n b h : nat) : R := sum n (fun u => ind (Nat.eqb (u * b / n) h)).

(** Every bucket gets n div b values or one more. *)
Definition Loads_Are_Even : result := forall n b h, (0 < n)%nat -> (0 < b)%nat -> (h < b)%nat ->
  load n b h = INR (n / b) \/ load n b h = INR (n / b) + 1.

(** The sum of (load/n)² over the buckets is 1/b + r(b−r)/(b n²). *)
Definition Collision_Of_The_Map : result := forall n b, (0 < n)%nat -> (0 < b)%nat ->
  sum b (fun h => (load n b h / INR n) ^ 2) = collision_of n b.

(** Signs are fair inside every bucket: each of the two signs has the bucket's load, of 2n words. *)
Definition Signs_Are_Fair_In_Every_Bucket : result := forall n b h s, (0 < n)%nat ->
  sum (2 * n) (fun v => ind (Nat.eqb (bucket_of n b v) h && Bool.eqb (sign_of v) s)) = load n b h.

(** Independent uniform words for d coordinates make a random row of Lemma 1 with p_1 = 1/b + r(b−r)/(b n²): so it is
    met, for every b. *)
Definition Words_Make_A_Row : result := forall (V : space) d n b, (0 < n)%nat -> (0 < b)%nat ->
  exists (I : Type) (P : mean V I) (v : I -> nat -> nat),
  (forall o i, (v o i < 2 * n)%nat) /\ (forall X, int P X) /\
  hash_row P d (fun _ _ => collision_of n b) (fun o => row_of_words n b (v o)).
