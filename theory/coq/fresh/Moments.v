(** * Lemma 1: the first two moments of a count sketch with a random hash

    A row adds coordinate i, times its sign, to its bucket. The decoder reads every coordinate out of J rows; what it
    reads of v, without noise, is A v with A = S^T S/J. Three things are asked of the hash of a row: signs of two
    coordinates are uncorrelated and the product of four has mean 0, as for fair 4-wise independent signs; signs are
    independent of the buckets; i and l ≠ i share a bucket with probability p_il. Independent buckets have the same
    p_il = p_1 for all pairs. The fold has classes that are fixed for ever and draws the signs only: p_il is 1 inside a
    class and 0 between classes. *)
From Coq Require Import Reals Bool.
From FPS.tools Require Import Result.
From FPS.residual Require Export RandomRows.
Open Scope R_scope.

(** ** Matrices *)
Definition matrix := nat -> nat -> R.
Definition delta (i j : nat) : R := ind (Nat.eqb i j).
Definition times_matrix {d : nat} (K : matrix) (v : Rd d) : Rd d := fun i => sum d (fun j => K i j * v j).
Definition trace (d : nat) (K : matrix) : R := sum d (fun i => K i i).
(** (A K A)_il *)
Definition sandwich (d : nat) (A K : matrix) (i l : nat) : R :=
  sum d (fun j => sum d (fun k => A i j * (K j k * A k l))).
Definition symmetric_matrix (d : nat) (K : matrix) : Prop :=
  forall i j, (i < d)%nat -> (j < d)%nat -> K i j = K j i.

(** ** The decoder of J rows *)
Definition row_matrix (w : row) : matrix :=
  fun i j => ind (Nat.eqb (bucket w i) (bucket w j)) * (pm (sign w i) * pm (sign w j)).
Definition decoder (J : nat) (w : nat -> row) : matrix := fun i j => avg J (fun a => row_matrix (w a) i j).

Section Probability.
Context {V : space} {I : Type}.
Variable P : mean V I.

(** A random row for d coordinates; i and l share a bucket with probability p i l. *)
Record hash_row (d : nat) (p : matrix) (w : I -> row) : Prop := {
  hash_event : forall D : (nat -> nat) -> (nat -> bool) -> bool, int P (fun o => ind (D (bucket (w o)) (sign (w o))));
  two_signs : forall i j, (i < d)%nat -> (j < d)%nat -> i <> j ->
    P (fun o => pm (sign (w o) i) * pm (sign (w o) j)) = 0;
  four_signs : forall i j k l, (i < d)%nat -> (j < d)%nat -> (k < d)%nat -> (l < d)%nat ->
    i <> j -> i <> k -> i <> l -> j <> k -> j <> l -> k <> l ->
    P (fun o => pm (sign (w o) i) * pm (sign (w o) j) * (pm (sign (w o) k) * pm (sign (w o) l))) = 0;
  buckets_and_signs : independent P (fun o => bucket (w o)) (fun o => sign (w o));
  collision : forall i j, (i < d)%nat -> (j < d)%nat -> i <> j ->
    Pr P (fun o => Nat.eqb (bucket (w o) i) (bucket (w o) j)) = p i j }.

(** What is used of A: entries in [−1, 1], E A = 1, and
    E A_ij A_kl = δ_ij δ_kl + p_ij (1 − δ_ij)(δ_ik δ_jl + δ_il δ_jk). *)
Record moments (d : nat) (p : matrix) (A : I -> matrix) : Prop := {
  entry_small : forall o i j, Rabs (A o i j) <= 1;
  entry_int : forall i j, (i < d)%nat -> (j < d)%nat -> int P (fun o => A o i j);
  pair_int : forall i j k l, (i < d)%nat -> (j < d)%nat -> (k < d)%nat -> (l < d)%nat ->
    int P (fun o => A o i j * A o k l);
  entry_mean : forall i j, (i < d)%nat -> (j < d)%nat -> P (fun o => A o i j) = delta i j;
  pair_mean : forall i j k l, (i < d)%nat -> (j < d)%nat -> (k < d)%nat -> (l < d)%nat ->
    P (fun o => A o i j * A o k l) = delta i j * delta k l +
    p i j * (1 - delta i j) * (delta i k * delta j l + delta i l * delta j k) }.
End Probability.

(** ⟨y, Ωy⟩ = Σ_{i≠j} p_ij (H_jj y_i² + H_ij y_i y_j) *)
Definition spread_form (d : nat) (p H : matrix) (y : nat -> R) : R :=
  sum d (fun i => sum d (fun j => p i j * (1 - delta i j) * (H j j * (y i * y i) + H i j * (y i * y j)))).

(** ** Results *)

(** The mean of what J rows without noise say of v_i is (A v)_i. *)
Definition The_Decoder_Is_A_Matrix : result := forall d J (w : nat -> row) (v : Rd d) i, (i < d)%nat ->
  (forall a c, noise (w a) c = 0) ->
  avg J (fun a => estimate (w a) v i) = times_matrix (d := d) (decoder J w) v i.

(** A row of a random hash has these moments. *)
Definition Moments_Of_A_Row : result := forall V I (P : mean V I) d p w,
  hash_row P d p w -> moments P d p (fun o => row_matrix (w o)).

(** J rows, any two of them independent, have these moments with p/J in the place of p. *)
Definition Moments_Of_Rows : result := forall V I (P : mean V I) d p J (w : nat -> I -> row), (0 < J)%nat ->
  (forall a, (a < J)%nat -> hash_row P d p (w a)) ->
  (forall a b, (a < J)%nat -> (b < J)%nat -> a <> b -> independent P (w a) (w b)) ->
  moments P d (fun i j => p i j / INR J) (fun o => decoder J (fun a => w a o)).

(** The fold is such a row: fixed classes and random signs have p_il = 1 inside a class and 0 between classes. *)
Definition Fixed_Classes_Are_A_Row : result := forall V I (P : mean V I) d (class : nat -> nat) (w : I -> row),
  (forall o, bucket (w o) = class) ->
  (forall D : (nat -> bool) -> bool, int P (fun o => ind (D (sign (w o))))) ->
  (forall i j, (i < d)%nat -> (j < d)%nat -> i <> j -> P (fun o => pm (sign (w o) i) * pm (sign (w o) j)) = 0) ->
  (forall i j k l, (i < d)%nat -> (j < d)%nat -> (k < d)%nat -> (l < d)%nat ->
    i <> j -> i <> k -> i <> l -> j <> k -> j <> l -> k <> l ->
    P (fun o => pm (sign (w o) i) * pm (sign (w o) j) * (pm (sign (w o) k) * pm (sign (w o) l))) = 0) ->
  hash_row P d (fun i j => ind (Nat.eqb (class i) (class j))) w.

(** Lemma 1 for any collision probabilities and any symmetric K:
    E (AKA)_il = K_il + p_il (1−δ_il) K_il + δ_il Σ_{j≠i} p_ij K_jj. *)
Definition Second_Moment_With_Unequal_Collisions : result := forall V I (P : mean V I) d p A (K : matrix) i l,
  moments P d p A -> symmetric_matrix d K -> (i < d)%nat -> (l < d)%nat ->
  int P (fun o => sandwich d (A o) K i l) /\
  P (fun o => sandwich d (A o) K i l) = K i l + p i l * (1 - delta i l) * K i l
    + delta i l * sum d (fun j => p i j * (1 - delta i j) * K j j).

(** Lemma 1 for equal collision probabilities: E A K A = K + p [K + tr(K) 1 − 2 diag K], entry by entry. *)
Definition Second_Moment : result := forall V I (P : mean V I) d p A (K : matrix) i l,
  moments P d (fun _ _ => p) A -> symmetric_matrix d K -> (i < d)%nat -> (l < d)%nat ->
  P (fun o => sandwich d (A o) K i l) = K i l + p * (K i l + trace d K * delta i l - 2 * (delta i l * K i i)).

(** Lemma 1 for the fold:
    E (AKA)_il = K_il + [K_il + tr(K_B) δ_il − 2 δ_il K_ii] for i, l in one class B, and K_il for others. *)
Definition Second_Moment_Of_The_Fold : result := forall V I (P : mean V I) d (class : nat -> nat) A (K : matrix) i l,
  moments P d (fun i j => ind (Nat.eqb (class i) (class j))) A -> symmetric_matrix d K -> (i < d)%nat -> (l < d)%nat ->
  P (fun o => sandwich d (A o) K i l) = K i l + ind (Nat.eqb (class i) (class l)) *
    (K i l + sum d (fun j => ind (Nat.eqb (class i) (class j)) * K j j) * delta i l - 2 * (delta i l * K i i)).

(** The price of equal collisions: ⟨y,Ωy⟩ ≤ p(ℓ + tr H − 2h)‖y‖² if ⟨z,Hz⟩ ≤ ℓ‖z‖² and every H_ii ≥ h. *)
Definition Spread_With_Equal_Collisions : result := forall d p H ell h (y : Rd d), 0 <= p ->
  (forall z : Rd d, ⟨z, times_matrix H z⟩ <= ell * ‖z‖²) -> (forall i, (i < d)%nat -> h <= H i i) ->
  spread_form d (fun _ _ => p) H y <= p * (ell + trace d H - 2 * h) * ‖y‖².

(** The price of the fold: ⟨y,Ωy⟩ ≤ (max_c (τ_c + ℓ_c) − 2h)‖y‖² if class c has trace at most τ_c, ⟨z,Hz⟩ ≤ ℓ_c‖z‖² for
    every z that lives on class c, and every H_ii ≥ h. *)
Definition Spread_Of_The_Fold : result := forall d m (class : nat -> nat) H (tau ell : nat -> R) worst h (y : Rd d),
  (forall i, (i < d)%nat -> (class i < m)%nat) ->
  (forall c, (c < m)%nat -> sum d (fun j => ind (Nat.eqb (class j) c) * H j j) <= tau c) ->
  (forall c (z : Rd d), (c < m)%nat -> (forall i, (i < d)%nat -> class i <> c -> z i = 0) ->
    ⟨z, times_matrix H z⟩ <= ell c * ‖z‖²) ->
  (forall c, (c < m)%nat -> tau c + ell c <= worst) -> (forall i, (i < d)%nat -> h <= H i i) ->
  spread_form d (fun i j => ind (Nat.eqb (class i) (class j))) H y <= (worst - 2 * h) * ‖y‖².
