(** * Lebesgue integration against any probability measure is a [mean]

    So all results about expectations hold for every probability space, for example for Gaussian channel
    noise. This folder alone needs the library mathcomp-analysis (Debian package libcoq-mathcomp-analysis);
    nothing depends on it. *)
From mathcomp Require Import all_ssreflect ssralg ssrnum.
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp.analysis Require Import Rstruct reals ereal signed topology normedtype sequences measure.
From mathcomp.analysis Require Import lebesgue_measure numfun lebesgue_integral.
From Coq Require Import Reals.
From FPS.tools Require Import Result Mean.
Local Open Scope ring_scope.
Local Open Scope classical_set_scope.

Section Integral.
Context d (T : measurableType d) (P : {measure set T -> \bar [realType of R]}).
(** A number that depends on chance has a mean if it is integrable; its mean is the Lebesgue integral. *)
Definition has_mean (X : T -> R) : Prop := P.-integrable setT (EFin \o (X : T -> [realType of R])).
Definition expectation (X : T -> R) : R := fine (\int[P]_x ((X x : [realType of R])%:E))%E.
(** A random vector of R^n is square-integrable if its coordinates are measurable and their squares
    integrable. *)
Definition measurable_number (X : T -> R) : Prop := measurable_fun setT (X : T -> [realType of R]).
Definition square_integrable (n : nat) (X : T -> Rd n) : Prop :=
  forall i, lt i n -> measurable_number (fun w => X w i) /\ has_mean (fun w => Rmult (X w i) (X w i)).
End Integral.

(** For every measurable space with a probability measure P and every n there is a [mean] of random vectors of
    R^n whose expectation is the Lebesgue integral against P, whose integrable numbers are the P-integrable
    ones, and whose square-integrable vectors are those of L²(P). *)
Definition Lebesgue_Integration_Is_A_Mean : result :=
  forall d (T : measurableType d) (P : {measure set T -> \bar [realType of R]}) (n : nat), P setT = 1%E ->
  exists mu : mean (Rd n) T,
    (forall X, int mu X <-> has_mean d T P X) /\
    (forall X, E mu X = expectation d T P X) /\
    (forall X, sq mu X <-> square_integrable d T P n X).
