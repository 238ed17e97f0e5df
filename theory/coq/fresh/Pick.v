(** * Which devices take part

    They send Σ_m c_m y^m together, with random weights c_m: 1/s for each of the s devices that take part, 0 for the
    others. How many take part may be random too. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result.
From FPS.residual Require Import RandomRows.
From FPS.fresh Require Export Channel.
Open Scope R_scope.

(** The weights add up to 1, their moments are the same for all devices and for all pairs of devices, and they are
    independent of all that is known before. A subset that is uniform among those of its size has such weights. *)
Record exchangeable {V I} (P : mean V I) (before : I -> I -> Prop) (M : nat) (c : I -> nat -> R) : Prop := {
  weights_total : forall o, sum M (c o) = 1;
  weight_int : forall m, (m < M)%nat -> int P (fun o => c o m);
  weights_int : forall m n, (m < M)%nat -> (n < M)%nat -> int P (fun o => c o m * c o n);
  weight_mean : forall m n, (m < M)%nat -> (n < M)%nat -> P (fun o => c o m) = P (fun o => c o n);
  weight_square : forall m n, (m < M)%nat -> (n < M)%nat ->
    P (fun o => c o m * c o m) = P (fun o => c o n * c o n);
  weight_pair : forall m n m' n', (m < M)%nat -> (n < M)%nat -> (m' < M)%nat -> (n' < M)%nat -> m <> n -> m' <> n' ->
    P (fun o => c o m * c o n) = P (fun o => c o m' * c o n');
  weights_after : forall X : I -> R, known before X -> independent P c X;
  weights_sq : forall m Y, (m < M)%nat -> sq P Y -> sq P (fun o => (c o m *: Y o)%V) }.

(** κ = (M E Σ c_m² − 1)/(M − 1) *)
Definition kappa_of {V I} (P : mean V I) (M : nat) (c : I -> nat -> R) : R :=
  (INR M * P (fun o => sum M (fun m => c o m * c o m)) - 1) / (INR M - 1).
(** κ_s = (M − s)/(s(M − 1)) *)
Definition kappa_at (M s : R) : R := (M - s) / (s * (M - 1)).

(** A pick with such weights is fair, with κ = (M E Σ c_m² − 1)/(M − 1). *)
Definition Weights_Are_A_Fair_Pick : result := forall V I (P : mean V I) before M c (y : nat -> I -> V),
  (0 < M)%nat -> exchangeable P before M c ->
  (forall m, (m < M)%nat -> sq P (y m)) -> (forall m, (m < M)%nat -> known before (y m)) ->
  fair_pick P before M y (fun o => vsum M (fun m => (c o m *: y m o)%V)) (kappa_of P M c).

(** If s devices take part, s random, each with weight 1/s, then κ = E (M − s)/(s(M − 1)). *)
Definition Kappa_Of_A_Subset : result := forall V I (P : mean V I) M (member : I -> nat -> bool),
  (1 < M)%nat -> (forall o, 0 < size M (member o)) -> int P (fun o => / size M (member o)) ->
  kappa_of P M (fun o m => ind (member o m) / size M (member o)) = P (fun o => kappa_at (INR M) (size M (member o))).
