(** * A 3-wise independent hash is random enough for Lemma 1'(c)

    A hash gives each coordinate a word: a bucket and a sign. The hash of this project draws words that are uniform
    and 5-wise independent, if the number of its columns is a power of two. Three at a time are enough. *)
From Coq Require Import Reals Bool.
From FPS.tools Require Import Result.
From FPS.residual Require Export MedianFailure.
Open Scope R_scope.

Definition word (w : row) (l : nat) : nat * bool := (bucket w l, sign w l).
Definition has_word (c : nat) (s : bool) (x : nat * bool) : bool := Nat.eqb (fst x) c && Bool.eqb (snd x) s.

(** Uniform words, each independent of any two others *)
Record three_wise {V I} (P : mean V I) (d columns : nat) (w : I -> row) : Prop := {
  word_below : forall o l, (l < d)%nat -> (bucket (w o) l < columns)%nat;
  word_events : forall D : (nat -> nat) -> (nat -> bool) -> bool,
    int P (fun o => ind (D (bucket (w o)) (sign (w o))));
  word_uniform : forall l c s, (l < d)%nat -> (c < columns)%nat ->
    Pr P (fun o => has_word c s (word (w o) l)) = / (2 * INR columns);
  word_independent : forall l m a, (l < d)%nat -> (m < d)%nat -> (a < d)%nat -> l <> m -> l <> a ->
    independent P (fun o => word (w o) l) (fun o => (word (w o) m, word (w o) a)) }.

(** A uniform, 3-wise independent hash with bucket noise that is independent of it is a random row. *)
Definition Three_Wise_Hash_Is_Random : result := forall V I (P : mean V I) d columns sigma2 w,
  (0 < columns)%nat -> three_wise P d columns w ->
  independent P (fun o => (bucket (w o), sign (w o))) (fun o => noise (w o)) ->
  (forall c, (c < columns)%nat -> int P (fun o => noise (w o) c) /\ int P (fun o => noise (w o) c ^ 2) /\
    P (fun o => noise (w o) c ^ 2) <= sigma2) ->
  random_row P d columns (INR columns) sigma2 w.

(** Any median of J independent rows, each with a uniform, 3-wise independent hash of K columns, and no noise:
    P(|Δ̂_i| > y) ≤ P(Bin(J, q) ≥ h) with q = min{1, s/K + τ_S²/(K y²)}. *)
Definition Failure_Of_The_Median_Of_Three_Wise_Hashes : result :=
  forall V I (P : mean V I) d columns J w (v : Rd d) i y (S : coordinates) (med : I -> R),
  (0 < columns)%nat -> (i < d)%nat -> 0 < y ->
  (forall j, (j < J)%nat -> three_wise P d columns (w j)) -> independent_rows P J w ->
  (forall j o c, noise (w j o) c = 0) ->
  (forall o, may P o -> median J (fun j => estimate (w j o) v i) (med o)) ->
  int P (fun o => ind (exceeds (Rabs (med o - v i)) y)) ->
  Pr P (fun o => exceeds (Rabs (med o - v i)) y) <=
  binomial_tail J (half_up J) (row_failure (INR columns) (size d S) ‖(restrict (outside S) v)‖² 0 y).
