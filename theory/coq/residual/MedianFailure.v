(** * Lemma 1'(c), failure probability: how often the median of rows is off by more than y

    v is fixed and the rows are random and independent. S is any set of s coordinates and
    τ_S = ‖v outside S‖; the s largest coordinates give the smallest τ_S. One row is off by more than y
    with probability at most q = min{1, s/K + (τ_S²/K + σ_c²)/y²}. The median of J rows is off by more than y
    only if h = ⌈J/2⌉ rows are. *)
From Coq Require Import Reals Bool.
From FPS.tools Require Import Result.
From FPS.residual Require Export RandomRows.
Open Scope R_scope.

(** q = min{1, s/K + (τ²/K + σ_c²)/y²} *)
Definition row_failure (K s tau2 sigma2 y : R) : R := Rmin 1 (s / K + (tau2 / K + sigma2) / y ^ 2).
(** P(Bin(J, p) ≥ h) = Σ_{n ≥ h} C(J, n) p^n (1−p)^{J−n} *)
Definition binomial_tail (J h : nat) (p : R) : R :=
  sum (J + 1) (fun n => ind (Nat.leb h n) * (C J n * p ^ n * (1 - p) ^ (J - n))).
(** 2P(Bin(J, q/2) ≥ h) *)
Definition median_failure (J : nat) (q : R) : R := 2 * binomial_tail J (half_up J) (q / 2).

Definition exceeds (x y : R) : bool := negb (at_most x y).   (* x > y *)
Fixpoint prod (n : nat) (X : nat -> R) : R := match n with O => 1 | S k => prod k X * X k end.
(** Rows that are independent of each other, all together *)
Definition independent_rows {V I} (P : mean V I) (J : nat) (w : nat -> I -> row) : Prop :=
  forall phi : nat -> row -> R, (forall j, (j < J)%nat -> int P (fun o => phi j (w j o))) ->
  int P (fun o => prod J (fun j => phi j (w j o))) /\
  P (fun o => prod J (fun j => phi j (w j o))) = prod J (fun j => P (fun o => phi j (w j o))).
(** The sign of i is a fair coin of its own: no event of the row is more likely with that sign turned. *)
Definition turned (i : nat) (w : row) : row :=
  {| bucket := bucket w; sign := fun l => if Nat.eqb l i then negb (sign w l) else sign w l;
    noise := noise w |}.
Definition free_sign {V I} (P : mean V I) (i : nat) (w : I -> row) : Prop :=
  forall D : row -> bool, int P (fun o => ind (D (w o))) ->
  int P (fun o => ind (D (turned i (w o)))) /\ Pr P (fun o => D (turned i (w o))) = Pr P (fun o => D (w o)).

(** One row: P(|Δ_i| > y) ≤ min{1, s/K + (τ_S²/K + σ_c²)/y²}. *)
Definition Failure_Of_A_Row : result :=
  forall V I (P : mean V I) d columns K sigma2 w (v : Rd d) i y (S : coordinates),
  random_row P d columns K sigma2 w -> (i < d)%nat -> 0 < y ->
  int P (fun o => ind (exceeds (Rabs (row_error (w o) v i)) y)) ->
  Pr P (fun o => exceeds (Rabs (row_error (w o) v i)) y) <=
  row_failure K (size d S) ‖(restrict (outside S) v)‖² sigma2 y.

(** Any median of J independent rows, signs that are free: P(|Δ̂_i| > y) ≤ 2P(Bin(J, q/2) ≥ h). *)
Definition Failure_Of_The_Median : result :=
  forall V I (P : mean V I) d columns K sigma2 J w (v : Rd d) i y (S : coordinates) (med : I -> R),
  (i < d)%nat -> 0 < y ->
  (forall j, (j < J)%nat -> random_row P d columns K sigma2 (w j)) ->
  independent_rows P J w ->
  (forall j, (j < J)%nat -> free_sign P i (w j)) ->
  (forall j, (j < J)%nat -> int P (fun o => ind (exceeds (row_error (w j o) v i) y))) ->
  (forall o, may P o -> median J (fun j => estimate (w j o) v i) (med o)) ->
  int P (fun o => ind (exceeds (Rabs (med o - v i)) y)) ->
  Pr P (fun o => exceeds (Rabs (med o - v i)) y) <=
  median_failure J (row_failure K (size d S) ‖(restrict (outside S) v)‖² sigma2 y).

(** Without free signs, for instance with a 3-wise independent hash: P(|Δ̂_i| > y) ≤ P(Bin(J, q) ≥ h). *)
Definition Failure_Of_The_Median_With_Any_Signs : result :=
  forall V I (P : mean V I) d columns K sigma2 J w (v : Rd d) i y (S : coordinates) (med : I -> R),
  (i < d)%nat -> 0 < y ->
  (forall j, (j < J)%nat -> random_row P d columns K sigma2 (w j)) ->
  independent_rows P J w ->
  (forall j, (j < J)%nat -> int P (fun o => ind (exceeds (Rabs (row_error (w j o) v i)) y))) ->
  (forall o, may P o -> median J (fun j => estimate (w j o) v i) (med o)) ->
  int P (fun o => ind (exceeds (Rabs (med o - v i)) y)) ->
  Pr P (fun o => exceeds (Rabs (med o - v i)) y) <=
  binomial_tail J (half_up J) (row_failure K (size d S) ‖(restrict (outside S) v)‖² sigma2 y).

(** Of n events, such as all coordinates at all read-outs, some one happens with probability at most nδ if
    each one has probability at most δ. *)
Definition Union_Over_Readouts : result :=
  forall V I (P : mean V I) n (bad : nat -> I -> bool) (some : I -> bool) delta,
  (forall a, (a < n)%nat -> int P (fun o => ind (bad a o)) /\ Pr P (bad a) <= delta) ->
  int P (fun o => ind (some o)) ->
  (forall o, some o = true -> exists a, (a < n)%nat /\ bad a o = true) ->
  Pr P some <= INR n * delta.

(** Rows that are independent all together are independent pair by pair, as the mean of rows needs it. *)
Definition Independent_Rows_In_Pairs : result := forall V I (P : mean V I) J w j j',
  independent_rows P J w -> (j < J)%nat -> (j' < J)%nat -> j <> j' -> independent P (w j) (w j').
