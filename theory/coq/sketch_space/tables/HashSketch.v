(** * Hash sketches with signs, their read-outs, and FPS with one local step on a quadratic, without noise *)
From Coq Require Import Reals.
From FPS.tools Require Export Space.
From FPS.residual Require Export TopSets.
Open Scope R_scope.

(** Row j puts coordinate i, times ±1, into one of its buckets. *)
Record hash := {
  d : nat; J : nat; buckets : nat;               (* coordinates, rows, buckets of a row *)
  bucket : nat -> nat -> nat;                    (* row, coordinate *)
  sign : nat -> nat -> R }.
Definition well_formed (h : hash) : Prop := (0 < J h)%nat /\
  forall j i, (j < J h)%nat -> (i < d h)%nat ->
    (bucket h j i < buckets h)%nat /\ (sign h j i = 1 \/ sign h j i = -1).

Definition cells : Type := nat -> nat -> R.      (* a table: row, bucket *)
Definition empty : cells := fun _ _ => 0.
(** The diagonal of C = 1/J *)
Definition flat (h : hash) : nat -> nat -> R := fun _ _ => / INR (J h).
Section Hash.
Variable h : hash.
(** S g *)
Definition sketch_of (g : nat -> R) : cells :=
  fun j c => sum (d h) (fun i => if Nat.eqb (bucket h j i) c then sign h j i * g i else 0).
(** What row j says of coordinate i *)
Definition estimate (s : cells) (j i : nat) : R := sign h j i * s j (bucket h j i).
(** The mean over the rows, and the median of three rows *)
Definition mean_readout (s : cells) (i : nat) : R := / INR (J h) * sum (J h) (fun j => estimate s j i).
Definition median3 (x y z : R) : R := Rmax (Rmin x y) (Rmin (Rmax x y) z).
Definition median_readout (s : cells) (i : nat) : R :=
  median3 (estimate s 0 i) (estimate s 1 i) (estimate s 2 i).

(** f(w) = ⟨w − wstar, H(w − wstar)⟩/2. In every round w̃_t is the read-out on k coordinates where it is
    largest, 0 elsewhere, and s_{t+1} = s_t − γ S ∇f(w̃_t). *)
Definition gradient (H : nat -> nat -> R) (wstar w : nat -> R) (i : nat) : R :=
  sum (d h) (fun j => H i j * (w j - wstar j)).
Definition fps_run (k : nat) (gamma : R) (H : nat -> nat -> R) (wstar : nat -> R) (start : cells)
  (read : cells -> nat -> R) (s : nat -> cells) (w : nat -> nat -> R) : Prop :=
  (forall j c, s O j c = start j c) /\
  (exists P : nat -> coordinates, forall t, top (d h) k (P t) (read (s t)) /\
     forall i, (i < d h)%nat -> w t i = restrict (d := d h) (P t) (read (s t)) i) /\
  (forall t j c, s (S t) j c = s t j c - gamma * sketch_of (gradient H wstar (w t)) j c).
End Hash.
