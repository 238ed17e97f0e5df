(** * Lemma 1'(c), second moments: how far an estimate is off if v does not depend on the hash

    v is fixed and the rows are random. One row is off by E Δ_i² ≤ (‖v‖² − v_i²)/K + σ_c². The mean of J
    independent rows divides this by J; the median multiplies it by J/h, h = ⌈J/2⌉, and needs no independence
    of rows. *)
From Coq Require Import Reals Bool.
From FPS.tools Require Import Result.
From FPS.residual Require Export RandomRows.
Open Scope R_scope.

(** others = ‖v‖² − v_i²: the energy of the other coordinates *)
Definition row_second_moment (K others sigma2 : R) : R := others / K + sigma2.
Definition mean_second_moment (J K others sigma2 : R) : R := row_second_moment K others sigma2 / J.
Definition median_second_moment (J h K others sigma2 : R) : R := J / h * row_second_moment K others sigma2.
Definition others {d : nat} (v : Rd d) (i : nat) : R := ‖v‖² - v i ^ 2.

(** Pairwise independent, uniform buckets: two coordinates share a bucket with probability exactly 1/K. *)
Definition Uniform_Buckets_Collide : result := forall V I (P : mean V I) (K : nat) (a b : I -> nat),
  (forall o, (a o < K)%nat) ->
  (forall c c', (c < K)%nat -> (c' < K)%nat -> int P (fun o => ind (Nat.eqb (a o) c && Nat.eqb (b o) c')) /\
     Pr P (fun o => Nat.eqb (a o) c && Nat.eqb (b o) c') = / INR K ^ 2) ->
  Pr P (fun o => Nat.eqb (a o) (b o)) = / INR K.

(** Fair, pairwise uncorrelated signs that are independent of the buckets are such coins. *)
Definition Independent_Signs_Are_Coins : result := forall V I (P : mean V I) d (w : I -> row),
  (forall D : (nat -> nat) -> (nat -> bool) -> bool, int P (fun o => ind (D (bucket (w o)) (sign (w o))))) ->
  (forall l, (l < d)%nat -> P (fun o => pm (sign (w o) l)) = 0) ->
  (forall l m, (l < d)%nat -> (m < d)%nat -> l <> m ->
    P (fun o => pm (sign (w o) l) * pm (sign (w o) m)) = 0) ->
  independent P (fun o => bucket (w o)) (fun o => sign (w o)) ->
  coins P d w.

(** One row is right on average: E Δ_i = 0. *)
Definition A_Row_Is_Unbiased : result := forall V I (P : mean V I) d columns K sigma2 w (v : Rd d) i,
  random_row P d columns K sigma2 w -> (i < d)%nat ->
  int P (fun o => row_error (w o) v i) /\ P (fun o => row_error (w o) v i) = 0.

(** One row: E Δ_i² ≤ (‖v‖² − v_i²)/K + σ_c². *)
Definition Second_Moment_Of_A_Row : result := forall V I (P : mean V I) d columns K sigma2 w (v : Rd d) i,
  random_row P d columns K sigma2 w -> (i < d)%nat ->
  int P (fun o => row_error (w o) v i ^ 2) /\
  P (fun o => row_error (w o) v i ^ 2) <= row_second_moment K (others v i) sigma2.

(** The mean of J pairwise independent rows: E Δ̂_i² ≤ ((‖v‖² − v_i²)/K + σ_c²)/J. *)
Definition Second_Moment_Of_The_Mean : result :=
  forall V I (P : mean V I) d columns K sigma2 J (w : nat -> I -> row) (v : Rd d) i,
  (0 < J)%nat -> (i < d)%nat ->
  (forall j, (j < J)%nat -> random_row P d columns K sigma2 (w j)) ->
  (forall j j', (j < J)%nat -> (j' < J)%nat -> j <> j' -> independent P (w j) (w j')) ->
  P (fun o => (avg J (fun j => estimate (w j o) v i) - v i) ^ 2) <=
  mean_second_moment (INR J) K (others v i) sigma2.

(** Any median of J rows: E Δ̂_i² ≤ (J/h)((‖v‖² − v_i²)/K + σ_c²), however the rows depend on each other. *)
Definition Second_Moment_Of_The_Median : result :=
  forall V I (P : mean V I) d columns K sigma2 J (w : nat -> I -> row) (v : Rd d) i (med : I -> R),
  (0 < J)%nat -> (i < d)%nat ->
  (forall j, (j < J)%nat -> random_row P d columns K sigma2 (w j)) ->
  (forall o, may P o -> median J (fun j => estimate (w j o) v i) (med o)) ->
  int P (fun o => (med o - v i) ^ 2) ->
  P (fun o => (med o - v i) ^ 2) <= median_second_moment (INR J) (INR (half_up J)) K (others v i) sigma2.
