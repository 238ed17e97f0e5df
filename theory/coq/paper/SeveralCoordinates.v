(** * Theorem 1 in two and more dimensions: its right side can be negative

    f = 0, w_0 = 0, k = d. No gradient is ever anything but 0, so Assumption 4 holds as printed in every dimension, and
    nothing is lost by the sketch. The tail ((k+1)^{1−2p} − d^{1−2p})/(2p−1) is negative at k = d, and with a large c
    so is the whole right side: no mean of squares is below it. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result.
From FPS.paper Require Import Setting Theorem1.
Open Scope R_scope.

(** Fault: for every dimension d ≥ 2 a run with k = d meets Assumptions 1 to 5 as printed and every step-size condition,
    and the printed right side is negative. Its loss is 0, b² = σ² = 0, and W = 1. *)
Definition Negative_sketch_term_in_many_dimensions : result := forall u C dimension, (2 <= dimension)%nat ->
  exists r : run, breaks_theorem_1 u C every_condition printed_right_side r /\ printed_right_side r < 0 /\
  d r = dimension /\ k r = dimension /\ (forall x, f r x = 0) /\ b2 r = 0 /\ sigma2 r = 0 /\ W r = 1.
