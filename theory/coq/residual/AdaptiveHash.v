(** * Lemma 1'(d): the error of the median when v may depend on the hash

    There is no noise and no chance. Any two coordinates share a bucket in at most ϑ of the J rows, and
    h = ⌈J/2⌉. The bound then holds for every v at once, so v may have been chosen after the hash. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result.
From FPS.residual Require Export HashRows.
Open Scope R_scope.

(** ϑ‖v_tail‖_1/(h − ϑs) *)
Definition adaptive_bound (theta h s tail1 : R) : R := theta * tail1 / (h - theta * s).

(** |v̂_i − v_i| ≤ ϑ‖v outside S‖_1/(h − ϑs) for every set S of s coordinates with ϑs < h. The s largest
    coordinates of v leave the smallest tail. *)
Definition Median_Of_Any_Vector : result :=
  forall d J theta s (w : nat -> row) (v : Rd d) (S : coordinates) i m,
  (i < d)%nat ->
  (forall j c, (j < J)%nat -> noise (w j) c = 0) ->
  (forall a b, (a < d)%nat -> (b < d)%nat -> size J (fun j => collides (w j) a b) <= INR theta) ->
  size d S = INR s -> (theta * s < half_up J)%nat ->
  median J (fun j => estimate (w j) v i) m ->
  Rabs (m - v i) <= adaptive_bound (INR theta) (INR (half_up J)) (INR s) (l1 (restrict (outside S) v)).

(** Every list of numbers has a median, so the statement is about something. *)
Definition Some_Median : result := forall J x, exists m, median J x m.
