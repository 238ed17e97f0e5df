(** * Independent digits: a finite probability space for the example of random rows

    An outcome is a list of n digits f(0), …, f(n-1). Digit m is uniform on 0, …, N(m)-1, and digits are
    independent: the mean is the average over the last digit of the mean over the others. Everything has a
    mean. *)
From Coq Require Import Reals Lra Lia Bool FunctionalExtensionality.
From FPS.residual Require Import RandomRows TopSetsLemmas.
Open Scope R_scope.

Definition with_digit (f : nat -> nat) (m a : nat) : nat -> nat := fun l => if Nat.eqb l m then a else f l.
Fixpoint digits_mean (N : nat -> nat) (n : nat) (X : (nat -> nat) -> R) : R :=
  match n with
  | O => X (fun _ => O)
  | S m => avg (N m) (fun a => digits_mean N m (fun f => X (with_digit f m a)))
  end.

Section Digits.
Variable N : nat -> nat.
Hypothesis some : forall m, (0 < N m)%nat.
Notation E := (digits_mean N).

Lemma digits_ext n : forall X Y, (forall f, X f = Y f) -> E n X = E n Y.
Proof.
  intros X Y H. f_equal. now apply functional_extensionality.
Qed.
Lemma digits_add n : forall X Y, E n (fun f => X f + Y f) = E n X + E n Y.
Proof.
  induction n as [|n IH]; intros X Y; [reflexivity|]. cbn [digits_mean]. rewrite <- avg_add.
  apply avg_ext; intros a _. apply (IH (fun f => X (with_digit f n a)) (fun f => Y (with_digit f n a))).
Qed.
Lemma digits_scale n : forall a X, E n (fun f => a * X f) = a * E n X.
Proof.
  induction n as [|n IH]; intros a X; [reflexivity|]. cbn [digits_mean]. rewrite <- avg_scale.
  apply avg_ext; intros b _. apply (IH a (fun f => X (with_digit f n b))).
Qed.
Lemma digits_mono n : forall X Y, (forall f, X f <= Y f) -> E n X <= E n Y.
Proof.
  induction n as [|n IH]; intros X Y H; [apply H|]. cbn [digits_mean]. apply avg_mono; [apply some|].
  intros a _. apply IH. intros f. apply H.
Qed.
Lemma digits_const n c : E n (fun _ => c) = c.
Proof.
  induction n as [|n IH]; [reflexivity|]. cbn [digits_mean].
  rewrite (avg_ext _ _ (fun _ => c)) by (intros; apply IH).
  now apply avg_const.
Qed.
(** The probability space *)
Definition digits (V : space) (n : nat) : mean V (nat -> nat).
  refine {| may := fun _ => True; int := fun _ => True; Mean.E := E n; sq := fun _ => True |}; auto.
  - intros X Y _ _. apply digits_add.
  - intros a X _. apply digits_scale.
  - intros X Y _ _ H. apply digits_mono. auto.
  - apply digits_const.
Defined.

(** ** What depends on different digits is independent. *)
Definition depends {A : Type} (D : nat -> bool) (X : (nat -> nat) -> A) : Prop :=
  forall f g, (forall m, D m = true -> f m = g m) -> X f = X g.
Lemma depends_with_digit {A} D (X : (nat -> nat) -> A) m a : depends D X ->
  depends D (fun f => X (with_digit f m a)).
Proof. intros H f g Hfg. apply H. intros l Hl. unfold with_digit. destruct (Nat.eqb l m); auto. Qed.
Lemma depends_not {A} D (X : (nat -> nat) -> A) m a b f : depends D X -> D m = false ->
  X (with_digit f m a) = X (with_digit f m b).
Proof.
  intros H Hm. apply H. intros l Hl. unfold with_digit.
  destruct (Nat.eqb_spec l m) as [->|]; [congruence|reflexivity].
Qed.
Lemma depends_map {A B} D (X : (nat -> nat) -> A) (g : A -> B) : depends D X -> depends D (fun f => g (X f)).
Proof. intros H f f' Hf. f_equal. now apply H. Qed.
Lemma digits_product n D : forall X Y, depends D X -> depends (outside D) Y ->
  E n (fun f => X f * Y f) = E n X * E n Y.
Proof.
  induction n as [|n IH]; intros X Y HX HY; [reflexivity|]. cbn [digits_mean].
  rewrite (avg_ext _ _ (fun a => E n (fun f => X (with_digit f n a)) * E n (fun f => Y (with_digit f n a)))).
  - destruct (D n) eqn:En.
    + assert (HY' : forall a, E n (fun f => Y (with_digit f n a)) = E n (fun f => Y (with_digit f n O))).
      { intros a. apply digits_ext; intros f. apply (depends_not (outside D)); [auto|unfold outside;
          now rewrite En]. }
      rewrite (avg_ext _ (fun a => E n (fun f => Y (with_digit f n a))) (fun _ => E n (fun f => Y (with_digit
        f n O)))) by auto.
      rewrite (avg_const _ (some n)), Rmult_comm, <- avg_scale. apply avg_ext; intros a _. rewrite HY'. ring.
    + assert (HX' : forall a, E n (fun f => X (with_digit f n a)) = E n (fun f => X (with_digit f n O))).
      { intros a. apply digits_ext; intros f. now apply (depends_not D). }
      rewrite (avg_ext _ (fun a => E n (fun f => X (with_digit f n a))) (fun _ => E n (fun f => X (with_digit
        f n O)))) by auto.
      rewrite (avg_const _ (some n)), <- avg_scale. apply avg_ext; intros a _. now rewrite HX'.
  - intros a _. apply (IH (fun f => X (with_digit f n a)) (fun f => Y (with_digit f n a)));
      now apply depends_with_digit.
Qed.
(** One digit *)
Lemma digits_one n m g : (m < n)%nat -> E n (fun f => g (f m)) = avg (N m) g.
Proof.
  intros Hm. induction n as [|n IH]; [lia|]. cbn [digits_mean]. destruct (Nat.eq_dec m n) as [->|Hne].
  - apply avg_ext; intros a _. unfold with_digit. rewrite Nat.eqb_refl. apply digits_const.
  - rewrite (avg_ext _ _ (fun _ => avg (N m) g)); [now apply avg_const|]. intros a _. rewrite <- IH by lia.
    apply digits_ext; intros f. unfold with_digit. destruct (Nat.eqb_spec m n); [lia|reflexivity].
Qed.
(** Turning a binary digit changes no mean. *)
Definition turn_digit (m : nat) (f : nat -> nat) : nat ->
  nat := with_digit f m (if Nat.eqb (f m) 0 then 1 else 0)%nat.
Lemma digits_turn n m : (m < n)%nat -> N m = 2%nat -> forall X, E n (fun f => X (turn_digit m f)) = E n X.
Proof.
  intros Hm H2. induction n as [|n IH]; intros X; [lia|]. cbn [digits_mean].
  destruct (Nat.eq_dec m n) as [->|Hne].
  - assert (H : forall f a, turn_digit n (with_digit f n a) =
      with_digit f n (if Nat.eqb a 0 then 1 else 0)%nat).
    { intros f a. apply functional_extensionality; intros l. unfold turn_digit, with_digit.
      rewrite Nat.eqb_refl.
      destruct (Nat.eqb l n); reflexivity. }
    rewrite H2. unfold avg. f_equal. cbn [sum].
    rewrite (digits_ext n (fun f => X (turn_digit n (with_digit f n 0))) (fun f => X (with_digit f n 1)))
      by (intros; now rewrite H).
    rewrite (digits_ext n (fun f => X (turn_digit n (with_digit f n 1))) (fun f => X (with_digit f n 0)))
      by (intros; now rewrite H).
    ring.
  - apply avg_ext; intros a _. rewrite <- (IH ltac:(lia) (fun f => X (with_digit f n a))).
    apply digits_ext; intros f.
    f_equal. apply functional_extensionality; intros l. unfold turn_digit, with_digit.
    destruct (Nat.eqb_spec l m), (Nat.eqb_spec l n), (Nat.eqb_spec m n); try lia; reflexivity.
Qed.
End Digits.
