(** * A uniformly random table of hashes and signs for one coordinate

    The outcome is a whole number below (2·columns)^rows. Its digit j to the base 2·columns gives the column
    of the coordinate in row j (the digit halved) and its sign (is the digit even?). *)
From Coq Require Import Reals Lra Lia List Bool Arith.
From FPS.tools Require Import Mean.
Open Scope R_scope.

Section Digits.
Variable base : nat.
Hypothesis base_pos : (0 < base)%nat.
Definition digit (n j : nat) : nat := ((n / base ^ j) mod base)%nat.

Lemma digit_less n j : (digit n j < base)%nat.
Proof. unfold digit. apply Nat.mod_upper_bound. lia. Qed.
Lemma digit_first n : digit n 0 = (n mod base)%nat.
Proof. unfold digit. cbn [Nat.pow]. now rewrite Nat.div_1_r. Qed.
Lemma digit_later n j : digit n (S j) = digit (n / base) j.
Proof.
  unfold digit. cbn [Nat.pow]. rewrite Nat.div_div; [reflexivity|lia|]. apply Nat.pow_nonzero. lia.
Qed.

(** A sum over n < base·q, by the last digit and the rest *)
Lemma sum_split k n X : sum (k + n) X = sum k X + sum n (fun i => X (k + i)%nat).
Proof.
  induction n as [|n IH]; [rewrite Nat.add_0_r; simpl; ring|].
  replace (k + S n)%nat with (S (k + n)) by lia. cbn [sum]. rewrite IH. ring.
Qed.
Lemma sum_by_digit q X Y :
  sum (base * q) (fun n => X (n mod base)%nat * Y (n / base)%nat) = sum base X * sum q Y.
Proof.
  induction q as [|q IH]; [rewrite Nat.mul_0_r; simpl; ring|].
  rewrite Nat.mul_succ_r, sum_split, IH. cbn [sum]. rewrite Rmult_plus_distr_l. f_equal.
  rewrite (Rmult_comm (sum base X)), <- sum_scale. apply sum_ext. intros i Hi.
  rewrite (Nat.add_comm (base * q) i), (Nat.mul_comm base q), Nat.mod_add, Nat.div_add by lia.
  rewrite Nat.mod_small, Nat.div_small by lia. simpl. ring.
Qed.
End Digits.

Lemma forallb_map {A C} (h : A -> C) test l : forallb test (map h l) = forallb (fun x => test (h x)) l.
Proof. induction l as [|x l IH]; simpl; [reflexivity|now rewrite IH]. Qed.
Lemma forallb_ext {A} (test test' : A -> bool) l : (forall x, test x = test' x) -> forallb test l = forallb
  test' l.
Proof. intros H. induction l as [|x l IH]; simpl; [reflexivity|now rewrite H, IH]. Qed.

(** If one digit fits in each row, then one number below base^rows fits in all rows. *)
Lemma one_number_fits base rows : (0 < base)%nat -> forall fits : nat -> nat -> bool,
  (forall j, sum base (fun x => if fits j x then 1 else 0) = 1) ->
  sum (base ^ rows) (fun n => if forallb (fun j => fits j (digit base n j)) (seq 0 rows) then 1 else 0) = 1.
Proof.
  intros Hb. induction rows as [|rows IH]; intros fits one; [simpl; ring|].
  cbn [Nat.pow].
  pose (X := fun x => if fits 0%nat x then 1 else 0).
  pose (Y := fun q => if forallb (fun j => fits (S j) (digit base q j)) (seq 0 rows) then 1 else 0).
  transitivity (sum (base * base ^ rows) (fun n => X (n mod base)%nat * Y (n / base)%nat)).
  - apply sum_ext. intros n _. cbn [seq forallb]. rewrite <- seq_shift, forallb_map, digit_first.
    rewrite (forallb_ext _ (fun j => fits (S j) (digit base (n / base) j))) by (intros j; now rewrite
        digit_later).
    unfold X, Y. destruct (fits 0%nat _); simpl; ring.
  - rewrite (sum_by_digit base Hb). unfold X, Y. rewrite one, (IH (fun j => fits (S j))); [ring|auto].
Qed.

(** Among the digits below 2·columns exactly one has a given half and a given parity. *)
Lemma sum_of_one n a : (a < n)%nat -> sum n (fun x => if Nat.eqb x a then 1 else 0) = 1.
Proof.
  induction n as [|n IH]; intros H; [lia|]. cbn [sum]. destruct (Nat.eq_dec a n) as [->|Hne].
  - rewrite Nat.eqb_refl, (sum_ext n _ (fun _ => 0)), sum_const; [ring|].
    intros i Hi. destruct (Nat.eqb_spec i n); [lia|reflexivity].
  - rewrite IH by lia. destruct (Nat.eqb_spec n a); [lia|ring].
Qed.
Definition half (x : nat) : nat := (x / 2)%nat.
Definition even_digit (x : nat) : bool := Nat.eqb (x mod 2) 0.
Lemma one_digit_fits cols col s : (col < cols)%nat ->
  sum (2 * cols) (fun x => if Nat.eqb (half x) col && Bool.eqb (even_digit x) s then 1 else 0) = 1.
Proof.
  intros H. set (a := (2 * col + if s then 0 else 1)%nat).
  rewrite (sum_ext _ _ (fun x => if Nat.eqb x a then 1 else 0)).
  - apply sum_of_one. unfold a. destruct s; lia.
  - intros x _. replace (Nat.eqb (half x) col && Bool.eqb (even_digit x) s) with (Nat.eqb x a);
      [reflexivity|].
    unfold half, even_digit, a. pose proof (Nat.div_mod x 2 ltac:(lia)) as E.
    pose proof (Nat.mod_upper_bound x 2 ltac:(lia)) as U.
    destruct (Nat.eqb_spec (x / 2) col), (Nat.eqb_spec (x mod 2) 0), s; simpl; apply Nat.eqb_eq || apply
        Nat.eqb_neq; lia.
Qed.
