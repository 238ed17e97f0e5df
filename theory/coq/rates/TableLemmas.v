(** * Rows and tables of numbers as linear and quadratic forms; the integer test is sound *)
From Coq Require Import Reals QArith Qreals List Arith ZArith Bool Lra Lia.
From FPS.tools Require Import Smooth.
From FPS.rates Require Import Checker.
Import ListNotations.
Open Scope R_scope.

Section Values.
Variables (num : Type) (add mul : num -> num -> num) (is_zero : num -> bool) (val : num -> R).
Hypothesis val_add : forall a b, val (add a b) = val a + val b.
Hypothesis val_mul : forall a b, val (mul a b) = val a * val b.
Hypothesis val_zero : forall a, is_zero a = true -> val a = 0.
(** Σ_j row_j v_{i+j}, and Σ_k v_{i+k} Σ_l table_kl v_l *)
Fixpoint rval (row : list num) (i : nat) (v : nat -> R) : R :=
  match row with [] => 0 | y :: row' => val y * v i + rval row' (S i) v end.
Fixpoint tval (table : list (list num)) (i : nat) (v : nat -> R) : R :=
  match table with [] => 0 | row :: table' => v i * rval row 0 v + tval table' (S i) v end.

Lemma rval_axpy a w : forall row i v, rval (axpy num add mul is_zero a w row) i v =
  rval row i v + val a * rval w i v.
Proof.
  induction w as [|x w IH]; intros row i v; cbn; [ring|]. destruct row as [|y row]; cbn; rewrite IH; cbn.
  - rewrite val_mul. ring.
  - destruct (is_zero x) eqn:Z; [rewrite (val_zero x Z)|rewrite val_add, val_mul]; ring.
Qed.
Lemma tval_outer d w v ws : forall table i,
  tval (outer num add mul is_zero d ws w table) i v = tval table i v + val d * rval ws i v * rval w 0 v.
Proof.
  induction ws as [|x ws IH]; intros table i; cbn; [ring|]. destruct table as [|row table]; cbn; rewrite IH;
    cbn.
  - rewrite rval_axpy, val_mul. cbn. ring.
  - destruct (is_zero x) eqn:Z; [rewrite (val_zero x Z)|rewrite rval_axpy, val_mul]; ring.
Qed.
Lemma tval_accumulate n g table (X : nat -> R) v :
  (forall j t, (j < n)%nat -> tval (g j t) 0 v = tval t 0 v + X j) ->
  tval (accumulate n g table) 0 v = tval table 0 v + sum n X.
Proof. induction n as [|n IH]; intros H; cbn [accumulate sum]; [ring|]. rewrite H, IH by auto. ring. Qed.
End Values.
Arguments rval {num}. Arguments tval {num}.

(** ** Integers *)
Open Scope Z_scope.
Local Notation zr := (rval IZR).
Local Notation zt := (tval IZR).
Lemma zero_IZR a : (0 =? a) = true -> IZR a = 0%R.
Proof. intros H. apply Z.eqb_eq in H. now subst. Qed.
Lemma zr_axpy a w row i v : zr (zaxpy a w row) i v = (zr row i v + IZR a * zr w i v)%R.
Proof. apply rval_axpy; auto using plus_IZR, mult_IZR, zero_IZR. Qed.
Lemma zt_outer d w ws table v : zt (zouter d ws w table) 0%nat v =
  (zt table 0%nat v + IZR d * zr ws 0%nat v * zr w 0%nat v)%R.
Proof. apply tval_outer; auto using plus_IZR, mult_IZR, zero_IZR. Qed.

(** A positive multiple of a square is taken off. *)
Lemma eliminate_below k table v : (zt (eliminate k table) 0%nat v <= zt table 0%nat v)%R.
Proof.
  unfold eliminate. set (d := _ / (precision * precision)). destruct (Z.leb_spec d 0) as [H|H]; [lra|].
  rewrite zt_outer, opp_IZR. apply IZR_lt in H. generalize (zr (rounded_root 0 k d (nth k table [])) 0%nat
    v). intros; nra.
Qed.
Lemma eliminate_all_below n table v : (zt (eliminate_all n table) 0%nat v <= zt table 0%nat v)%R.
Proof.
  induction n as [|n IH]; cbn [eliminate_all]; [lra|]. pose proof (eliminate_below n (eliminate_all n table)
    v). lra.
Qed.

(** What a row gives at least *)
Local Open Scope R_scope.
Definition squares (v : nat -> R) : nat -> R := fun i => v i * v i.
Lemma row_below k v row : forall i,
  IZR (weight_of i k row) * squares v k + zr (spread_of i k row) i (squares v) <= 2 * (v k * zr row i v).
Proof.
  induction row as [|y row IH]; intros i; cbn [weight_of spread_of rval]; [lra|].
  specialize (IH (S i)). rewrite plus_IZR. unfold squares in *. destruct (Nat.eqb_spec i k) as [->|N].
  - rewrite mult_IZR. nra.
  - rewrite opp_IZR, abs_IZR. pose proof (Rle_abs (IZR y)). pose proof (Rle_abs (- IZR y)).
    rewrite Rabs_Ropp in *.
    set (r := Rabs (IZR y)) in *.
    assert (0 <= (r - IZR y) * ((v i - v k) * (v i - v k)) + (r + IZR y) * ((v i + v k) * (v i + v k))).
    { apply Rplus_le_le_0_compat; apply Rmult_le_pos; try lra; apply Rle_0_sqr. }
    nra.
Qed.
Lemma zr_at k w : forall i (v : nat -> R), zr (repeat 0%Z k ++ [w]) i v = IZR w * v (i + k)%nat.
Proof.
  induction k as [|k IH]; intros i v; cbn; [rewrite Nat.add_0_r; ring|]. rewrite IH.
  replace (S i + k)%nat with (i + S k)%nat by lia. ring.
Qed.
Lemma lower_bound_below v table : forall k slots,
  zr (lower_bound k table slots) 0 (squares v) <= 2 * zt table k v + zr slots 0 (squares v).
Proof.
  induction table as [|row table IH]; intros k slots; cbn [lower_bound tval]; [lra|].
  eapply Rle_trans; [apply IH|]. rewrite !zr_axpy, zr_at, Nat.add_0_l. pose proof (row_below k v row 0). lra.
Qed.
Lemma dominant_sound table v : dominant table = true -> 0 <= zt table 0 v.
Proof.
  unfold dominant. intros H. pose proof (lower_bound_below v table 0 []) as B. cbn [rval] in B.
  assert (G : forall row i, forallb (Z.leb 0) row = true -> 0 <= zr row i (squares v)).
  { induction row as [|y row IH]; intros i Hr; cbn in *; [lra|]. apply andb_true_iff in Hr as [H1 H2].
    apply Z.leb_le, IZR_le in H1. specialize (IH (S i) H2). unfold squares at 1. nra. }
  specialize (G _ 0%nat H). lra.
Qed.

(** ** Rational numbers *)
Local Notation qr := (rval Q2R).
Local Notation qt := (tval Q2R).
Lemma red_Q2R q : Q2R (Qred q) = Q2R q.
Proof. apply Qeq_eqR, Qred_correct. Qed.
Lemma qadd_Q2R p q : Q2R (qadd p q) = Q2R p + Q2R q.
Proof. unfold qadd. rewrite red_Q2R. apply Q2R_plus. Qed.
Lemma qmul_Q2R p q : Q2R (qmul p q) = Q2R p * Q2R q.
Proof. unfold qmul. rewrite red_Q2R. apply Q2R_mult. Qed.
Lemma qnull_Q2R q : qnull q = true -> Q2R q = 0.
Proof. unfold qnull, Q2R. intros H. apply Z.eqb_eq in H. rewrite H. ring. Qed.
Lemma Q2R_zero : Q2R 0 = 0. Proof. unfold Q2R; cbn; lra. Qed.
Lemma Q2R_one : Q2R 1 = 1. Proof. unfold Q2R; cbn; lra. Qed.
Lemma qr_axpy a w row i v : qr (qaxpy a w row) i v = qr row i v + Q2R a * qr w i v.
Proof. apply rval_axpy; auto using qadd_Q2R, qmul_Q2R, qnull_Q2R. Qed.
Lemma qt_put q a b table v : qt (put q a b table) 0 v = qt table 0 v + 2 * (Q2R q * qr a 0 v * qr b 0 v).
Proof.
  unfold put. destruct (qnull q) eqn:Z; [rewrite (qnull_Q2R q Z); ring|].
  rewrite !(tval_outer Q qadd qmul qnull Q2R); auto using qadd_Q2R, qmul_Q2R, qnull_Q2R. ring.
Qed.
Lemma qr_unit p v : qr (unit p) 0 v = v p.
Proof.
  unfold unit. assert (G : forall i, qr (repeat 0%Q p ++ [1%Q]) i v = v (i + p)%nat); [|apply G].
  induction p as [|p IH]; intros i; cbn [repeat app rval].
  - rewrite Q2R_one, Nat.add_0_r. ring.
  - rewrite IH, Q2R_zero. replace (S i + p)%nat with (i + S p)%nat by lia. ring.
Qed.

(** The table in integers is the table in rational numbers times the common denominator. *)
Lemma to_integer_value d q : divides d q = true -> IZR (to_integer d q) = IZR d * Q2R q.
Proof.
  unfold divides, to_integer. intros H. apply Z.eqb_eq in H. rewrite mult_IZR. unfold Q2R.
  assert (P : IZR (Z.pos (Qden q)) <> 0) by (apply not_0_IZR; discriminate).
  rewrite <- H at 2. rewrite mult_IZR. field. exact P.
Qed.
Lemma psd_sound table v : psd table = true -> 0 <= qt table 0 v.
Proof.
  unfold psd. set (d := common table). clearbody d. rewrite !andb_true_iff. intros [[Hd Hv] H].
  apply Z.ltb_lt, IZR_lt in Hd. apply dominant_sound with (v := v) in H.
  pose proof (eliminate_all_below (length table) (map (map (to_integer d)) table) v) as B.
  assert (G : forall t i, forallb (forallb (divides d)) t = true -> zt (map (map (to_integer d)) t) i v =
    IZR d * qt t i v).
  { induction t as [|row t IH]; intros i Ht; cbn [map tval]; [ring|].
    cbn [forallb] in Ht. apply andb_true_iff in Ht as [H1 H2]. rewrite IH by auto.
    assert (R : forall j, zr (map (to_integer d) row) j v = IZR d * qr row j v).
    { clear -H1. induction row as [|q row IH]; intros j; cbn [map rval]; [ring|].
      cbn [forallb] in H1. apply andb_true_iff in H1 as [H1 H2]. rewrite IH, to_integer_value by auto. ring. }
    rewrite R. ring. }
  rewrite G in B by auto. assert (0 <= IZR d * qt table 0 v) by lra.
  apply Rmult_le_reg_l with (IZR d); lra.
Qed.
