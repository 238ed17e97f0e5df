(** * The setting of the paper: Algorithm 1, Definitions 1 and 2, Assumptions 1 to 5

    Where the paper leaves a choice, this file takes the one that helps Theorem 1 most, so that its refutation
    hurts most:
    - g_t of Definition 1 is read in three ways, and Assumptions 2 to 4 are asked of all three: the mean of
      the devices' gradients at w_t (Section 3), every local gradient of every device, and the sum of the
      local gradients (Appendix C.2);
    - with probability at least 1 − δ the sketch recovers every coordinate in every round within ε‖w‖,
      ε = 1/√(ck), where the paper has this for the k largest coordinates;
    - hashes and signs are uniform and independent;
    - the channel noise enters the table as the sketch of −γ n_t, so that it is the n_t of Section 3 and
      Assumptions 2 and 3 bound it;
    - ‖w‖² ≤ W is asked of all models: broadcast, local, and before top-k.

    The sketch of a device is read in both ways that Algorithm 1 admits; see [upkeep]. Counting starts at 0:
    coordinate i of the paper is i−1 here, and the rounds are t = 0, …, T−1. *)
From Coq Require Import Reals List Bool Arith.
From FPS.tools Require Export Smooth.
From FPS.paper Require Export Formulas.
Open Scope R_scope.

(** The constants. b2 and sigma2 are the paper's b² and σ²; epsilon is that of Assumption 5. *)
Record letters := {
  L : R; mu : R; gamma : R; P_b : R; P_n : R; b2 : R; sigma2 : R; B : R; epsilon : R;
  c : R; p : R; W : R; delta : R }.

(** What is given. *)
Record run := {
  d : nat; k : nat;                               (* dimension, and coordinates kept by top-k *)
  M : nat; Es : nat; T : nat;                     (* devices, local steps (the paper's E), rounds *)
  rows : nat; cols : nat;                         (* the shape of the sketch *)
  constants :> letters;
  Omega : Type; chance : mean (Rd d) Omega;       (* outcomes of all that is random, and the expectation *)
  loss : nat -> Rd d -> R;                        (* l_m, the mean loss of device m *)
  grad : nat -> Rd d -> Rd d;                     (* its gradient *)
  sample : nat -> nat -> nat -> Omega -> Rd d -> Rd d; (* ∇l_m(w; ξ) in round t, device m, local step e *)
  channel : nat -> Omega -> Rd d;                 (* n_t *)
  column : Omega -> nat -> nat -> nat;            (* the hash h_j(i) *)
  plus : Omega -> nat -> nat -> bool;             (* is the sign s_j(i) = +1? *)
  w0 : Rd d; w_star : Rd d;                       (* first model, and a global minimum of f *)
  broadcast : nat -> Omega -> Rd d;               (* w_t as the server sends it *)
  past : nat -> nat -> Omega -> Omega -> Prop }.  (* outcomes that agree on all before step e of round t *)

(** Step 6 of Algorithm 1: does a device go on with its own table, or with a fresh sketch of the broadcast
    model? *)
Inductive upkeep := Kept | Renewed.

(** ** Count sketch (Section 3.2) *)
Fixpoint count (n : nat) (which : nat -> bool) : nat :=
  match n with O => O | S j => (count j which + if which j then 1 else 0)%nat end.
Definition at_most (x y : R) : bool := if Rle_dec x y then true else false.
(** m is a median of x 0, …, x (n−1). *)
Definition is_median (n : nat) (x : nat -> R) (m : R) : Prop :=
  (n <= 2 * count n (fun j => at_most (x j) m) /\ n <= 2 * count n (fun j => at_most m (x j)))%nat.
(** y keeps k coordinates of x that are largest in size, and is 0 elsewhere. *)
Definition is_top (d k : nat) (x y : Rd d) : Prop := exists kept : nat -> bool,
  count d kept = k /\
  (forall i, (i < d)%nat -> y i = if kept i then x i else 0) /\
  (forall i j, (i < d)%nat -> (j < d)%nat -> kept i = true -> kept j = false -> Rabs (x j) <= Rabs (x i)).
(** |x̂(i) − x(i)| ≤ ‖x‖/√(ck) *)
Definition recovers (d k : nat) (c : R) (x estimate : Rd d) : Prop :=
  forall i, (i < d)%nat -> Rabs (estimate i - x i) <= / sqrt (c * INR k) * ‖x‖.
(** Assumption 4: |g(i)| = i^{−p} ‖g‖ *)
Definition power_law (d : nat) (p : R) (g : Rd d) : Prop :=
  forall i, (i < d)%nat -> Rabs (g i) = Rpower (INR i + 1) (- p) * ‖g‖.

Section Computed.
Variable r : run.
Notation vector := (Rd (d r)).

(** f = mean_m l_m. The proximal term is 0 at w_t, so f(w_t) and ∇f(w_t) of the theorem are these. *)
Definition f (x : vector) : R := avg (M r) (fun m => loss r m x).
Definition grad_f (x : vector) : vector := vmean (M r) (fun m => grad r m x).

(** w^{m,0} = w_t,  w^{m,e+1} = w^{m,e} − γ g^{m,e},  g^{m,e} = ∇l_m(w^{m,e}; ξ) + μ(w^{m,e} − w_t) *)
Fixpoint local (t m e : nat) (o : Omega r) : vector :=
  match e with
  | O => broadcast r t o
  | S j => (local t m j o - gamma r *: (sample r t m j o (local t m j o)
                                        + mu r *: (local t m j o - broadcast r t o)))%V
  end.
Definition g t m e o : vector :=
  (sample r t m e o (local t m e o) + mu r *: (local t m e o - broadcast r t o))%V.
(** The gradient of the restructured loss l_m(w) + (μ/2)‖w − w_t‖² there *)
Definition true_gradient t m e o : vector :=
  (grad r m (local t m e o) + mu r *: (local t m e o - broadcast r t o))%V.
(** g_t in two readings: Section 3, and Appendix C.2 *)
Definition g_received t o : vector := (vmean (M r) (fun m => g t m 0 o) + channel r t o)%V.
Definition g_summed t o : vector := (vmean (M r) (fun m => vsum (Es r) (fun e => g t m e o))
                                    + channel r t o)%V.

(** The vector whose sketch device m has before round t *)
Fixpoint held (u : upkeep) (t m : nat) (o : Omega r) : vector :=
  match t with
  | O => w0 r
  | S s => ((match u with Kept => held u s m o | Renewed => broadcast r s o end)
            - gamma r *: vsum (Es r) (fun e => g s m e o))%V
  end.
(** w_t before sketching and top-k *)
Definition before_top_k u t o : vector :=
  match t with O => w0 r | S s => (vmean (M r) (fun m => held u t m o) - gamma r *: channel r s o)%V end.

(** S(x), the table that the server receives in round t (step 8), and what row j says of coordinate i *)
Definition sign o j i : R := if plus r o j i then 1 else -1.
Definition sketch o (x : vector) (j col : nat) : R :=
  sum (d r) (fun i => if Nat.eqb (column r o j i) col then sign o j i * x i else 0).
Definition received u t o (j col : nat) : R :=
  avg (M r) (fun m => sketch o (held u (S t) m o) j col) + sketch o ((- gamma r) *: channel r t o)%V j col.
Definition row_estimate u t o i j : R := sign o j i * received u t o j (column r o j i).

(** ** Assumptions *)
(** An event that contains one of probability at least x *)
Definition with_probability_at_least (x : R) (event : Omega r -> Prop) : Prop :=
  exists good : Omega r -> R, (forall o, good o = 0 \/ good o = 1) /\ int (chance r) good /\
    x <= chance r good /\ forall o, may (chance r) o -> good o = 1 -> event o.
Definition known {X : Type} (same_past : Omega r -> Omega r -> Prop) (Y : Omega r -> X) : Prop :=
  forall o o', same_past o o' -> Y o = Y o'.

(** Definition 1, Assumptions 2 and 3 for an estimate g of a true gradient: g = true + β + ζ, where β is known
    from the past, ζ has mean zero given the past, E[‖ζ‖² | past] ≤ P_n‖true‖² + σ², and
    ‖β‖² ≤ P_b‖true‖² + b². *)
Definition estimates (same_past : Omega r -> Omega r -> Prop) (g true_g : Omega r -> vector) : Prop :=
  exists beta zeta : Omega r -> vector,
    (forall o, same (g o) (true_g o + beta o + zeta o)%V) /\
    known same_past true_g /\ known same_past beta /\
    sq (chance r) true_g /\ sq (chance r) beta /\ sq (chance r) zeta /\
    (forall Y : Omega r -> vector, sq (chance r) Y -> known same_past Y ->
       chance r (fun o => ⟨zeta o, Y o⟩) = 0) /\
    (forall Y : Omega r -> R, known same_past Y -> (forall o, 0 <= Y o <= 1) ->
       int (chance r) (fun o => Y o * ‖(zeta o)‖²) ->
       int (chance r) (fun o => Y o * (P_n r * ‖(true_g o)‖² + sigma2 r)) ->
       chance r (fun o => Y o * ‖(zeta o)‖²)
         <= chance r (fun o => Y o * (P_n r * ‖(true_g o)‖² + sigma2 r))) /\
    (forall o, may (chance r) o -> ‖(beta o)‖² <= P_b r * ‖(true_g o)‖² + b2 r).

Definition step t m e := (t < T r)%nat /\ (m < M r)%nat /\ (e < Es r)%nat.

Definition sizes : Prop :=
  (1 <= k r <= d r /\ 1 <= M r /\ 1 <= Es r /\ 1 <= T r /\ 1 <= rows r /\ 1 <= cols r)%nat.
Definition ranges : Prop :=
  0 < L r /\ 0 <= mu r /\ 0 < gamma r /\ 0 < P_b r < 1 /\ 0 <= P_n r /\ 0 <= b2 r /\ 0 <= sigma2 r /\
  1 <= B r /\ 0 < epsilon r /\ 1 < c r /\ 1 < p r /\ 0 < delta r < 1.

Definition Assumption_1 : Prop := forall m, (m < M r)%nat -> smooth (L r) (loss r m) (grad r m).

(** Definition 1 with Assumptions 2 and 3, in the three readings of g_t *)
Definition Assumptions_2_3_local : Prop := forall t m e, step t m e ->
  estimates (past r t e) (g t m e) (true_gradient t m e).
Definition Assumptions_2_3_received : Prop := forall t, (t < T r)%nat ->
  estimates (past r t 0) (g_received t) (fun o => grad_f (broadcast r t o)).
Definition Assumptions_2_3_summed : Prop := forall t, (t < T r)%nat ->
  estimates (past r t 0) (g_summed t) (fun o => grad_f (broadcast r t o)).

Definition Assumption_4 : Prop := forall t m e o, step t m e ->
  power_law (d r) (p r) (g t m e o) /\ power_law (d r) (p r) (g_received t o) /\
  power_law (d r) (p r) (g_summed t o).

(** Definition 2 and Assumption 5: B(w) ≤ B on S_ε for every device; and at the models of the run, in S_ε or
    not, the gradients are B-locally dissimilar. *)
Definition Assumption_5 : Prop :=
  (forall w t m e, step t m e -> epsilon r < ‖(grad_f w)‖² ->
     int (chance r) (fun o => ‖(sample r t m e o w)‖²) /\
     chance r (fun o => ‖(sample r t m e o w)‖²) <= B r ^ 2 * ‖(grad_f w)‖²) /\
  (forall t m m' e o, step t m e -> (m' < M r)%nat -> may (chance r) o ->
     ‖(grad r m' (local t m e o))‖² <= B r ^ 2 * ‖(grad_f (local t m e o))‖²).

(** ‖w‖² ≤ W *)
Definition bounded_models u : Prop := forall o, may (chance r) o ->
  (forall t, (t <= T r)%nat -> ‖(broadcast r t o)‖² <= W r /\ ‖(before_top_k u t o)‖² <= W r) /\
  (forall t m e, step t m e -> ‖(local t m e o)‖² <= W r).

(** Hashes and signs: every table of columns and signs is as probable as any other. *)
Definition drawn o (cs : nat -> nat -> nat) (ps : nat -> nat -> bool) : bool :=
  forallb (fun j => forallb (fun i => Nat.eqb (column r o j i) (cs j i) && Bool.eqb (plus r o j i) (ps j i))
                            (seq 0 (d r))) (seq 0 (rows r)).
Definition uniform_hashes : Prop :=
  (forall o j i, may (chance r) o -> (j < rows r)%nat -> (i < d r)%nat -> (column r o j i < cols r)%nat) /\
  (forall cs ps, (forall j i, (cs j i < cols r)%nat) ->
     int (chance r) (fun o => if drawn o cs ps then 1 else 0) /\
     chance r (fun o => if drawn o cs ps then 1 else 0) = (/ (2 * INR (cols r))) ^ (rows r * d r)).

(** Steps 2 and 8 to 10: the start, then w_{t+1} = U_k of the received table, that is the median of the rows
    and top-k; and the guarantee of the count sketch *)
Definition sketched u : Prop :=
  (forall o, broadcast r 0 o = w0 r) /\
  exists estimate : nat -> Omega r -> vector,
    (forall t o, (t < T r)%nat -> may (chance r) o ->
       (forall i, (i < d r)%nat -> is_median (rows r) (row_estimate u t o i) (estimate t o i)) /\
       is_top (d r) (k r) (estimate t o) (broadcast r (S t) o)) /\
    with_probability_at_least (1 - delta r) (fun o => forall t, (t < T r)%nat ->
       recovers (d r) (k r) (c r) (before_top_k u (S t) o) (estimate t o)).

(** What is known when: the hash and the models, and a later past is longer. *)
Definition known_models : Prop :=
  (forall t m e, step t m e -> known (past r t e) (local t m e) /\ known (past r t 0) (broadcast r t)) /\
  (forall t e o o' j i, past r t e o o' ->
     column r o j i = column r o' j i /\ plus r o j i = plus r o' j i) /\
  (forall t e o o', past r t (S e) o o' -> past r t e o o') /\
  (forall t o o', past r (S t) 0 o o' -> past r t (Es r) o o').

Record assumptions (u : upkeep) : Prop := {
  has_sizes : sizes;
  has_ranges : ranges;
  has_minimum : forall x, f (w_star r) <= f x;
  has_A1 : Assumption_1;
  has_A23_local : Assumptions_2_3_local;
  has_A23_received : Assumptions_2_3_received;
  has_A23_summed : Assumptions_2_3_summed;
  has_A4 : Assumption_4;
  has_A5 : Assumption_5;
  has_W : bounded_models u;
  has_hashes : uniform_hashes;
  has_sketch : sketched u;
  has_past : known_models }.

(** What Lemma 2 needs; and all of the setting but Definition 1 for the sum of the local gradients, which the
    paper brings in after Lemma 2 *)
Definition local_assumptions : Prop := sizes /\ ranges /\ Assumption_1 /\ Assumptions_2_3_local.
Definition all_but_the_sum (u : upkeep) : Prop :=
  local_assumptions /\ (forall x, f (w_star r) <= f x) /\ Assumptions_2_3_received /\
  Assumption_4 /\ Assumption_5 /\ bounded_models u /\ uniform_hashes /\ sketched u /\ known_models.

(** A sketch of size O(ck log(dT/δ)), with C for the constant of the O(·): at least C log(dT/δ) rows and
    Cck columns *)
Definition large_sketch (C : R) : Prop :=
  C * ln (INR (d r) * INR (T r) / delta r) <= INR (rows r) /\ C * (c r * INR (k r)) <= INR (cols r).

(** A sketch that loses nothing in any outcome: the broadcast model is the model before top-k. *)
Definition lossless u : Prop :=
  forall t o, (t <= T r)%nat -> same (broadcast r t o) (before_top_k u t o).

(** ** The two sides of eq:main_thm *)
Definition left_side (w : nat -> Omega r -> vector) (o : Omega r) : R :=
  / (INR (T r) + 1) * sum (S (T r)) (fun t => ‖(grad_f (w t o))‖²).
Definition right_side_with (tail_ : R) : R :=
  theorem_1_bound (Rabs (f (w0 r) - f (w_star r))) (gamma r) (L r) (mu r) (P_b r) (P_n r) (b2 r) (sigma2 r)
    (B r) (INR (Es r)) (INR (T r)) (c r) tail_ (W r).
Definition printed_tail : R := tail (p r) (INR (k r)) (INR (d r)).
Definition printed_right_side : R := right_side_with printed_tail.
(** A larger right side: the tail of Lemma 1 counts as 0 where the printed formula is negative. *)
Definition generous_right_side : R := right_side_with (Rmax 0 printed_tail).

(** Conditions on γ: eq:gamma_range; the main text, which adds ρ(γ) > 1/4; and all that the paper states
    anywhere *)
Definition rho_printed : R := rho (gamma r) (L r) (mu r) (P_b r) (P_n r) (B r) (INR (Es r)).
Definition in_gamma_range : Prop := gamma r <= gamma_max (L r) (mu r) (P_b r) (P_n r) (B r) (INR (Es r)).
Definition main_text_conditions : Prop := in_gamma_range /\ rho_printed > 1 / 4.
Definition every_condition : Prop :=
  in_gamma_range /\ rho_printed > 1 / 4 /\
  gamma r < gamma_max_positive (L r) (mu r) (P_b r) (P_n r) (B r) (INR (Es r)) /\
  gamma r <= gamma_max_drift (L r) (mu r) (P_b r) (P_n r) (B r) (INR (Es r)) /\
  gamma r <= gamma_max_descent (L r) (mu r).
End Computed.
