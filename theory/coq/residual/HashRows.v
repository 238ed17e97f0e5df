(** * Rows of a hash sketch, what they say of a coordinate, and the median over rows

    A row puts each coordinate, times ±1, into one of its buckets. A bucket holds the sum of what it was
    given, and noise. To estimate v_i, a row reads the bucket of i and undoes the sign of i. *)
From Coq Require Import Reals Bool.
From FPS.residual Require Export TopSets.
Open Scope R_scope.

Record row := {
  bucket : nat -> nat;      (* of a coordinate *)
  sign : nat -> bool;       (* of a coordinate: true is +1, false is −1 *)
  noise : nat -> R }.       (* of a bucket *)
Definition pm (s : bool) : R := if s then 1 else -1.

(** What bucket c holds *)
Definition content {d : nat} (w : row) (v : Rd d) (c : nat) : R :=
  sum d (fun l => ind (Nat.eqb (bucket w l) c) * (pm (sign w l) * v l)) + noise w c.
Definition estimate {d : nat} (w : row) (v : Rd d) (i : nat) : R := pm (sign w i) * content w v (bucket w i).
(** Δ_i of one row *)
Definition row_error {d : nat} (w : row) (v : Rd d) (i : nat) : R := estimate w v i - v i.
(** l is another coordinate in the bucket of i. *)
Definition collides (w : row) (i l : nat) : bool := negb (Nat.eqb l i) && Nat.eqb (bucket w l) (bucket w i).

(** m is a median of x_0, …, x_{J-1}: at least half of them are at most m, and at least half are at least m.
    For an even J this allows each number between the two in the middle. *)
Definition at_most (x y : R) : bool := if Rle_dec x y then true else false.
Definition median (J : nat) (x : nat -> R) (m : R) : Prop :=
  INR J <= 2 * size J (fun j => at_most (x j) m) /\ INR J <= 2 * size J (fun j => at_most m (x j)).
(** h = ⌈J/2⌉ *)
Definition half_up (J : nat) : nat := Nat.div (J + 1) 2.
