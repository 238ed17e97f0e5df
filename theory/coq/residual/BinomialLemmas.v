(** * At least h of J independent events: a polynomial in their probabilities, and the binomial tail *)
From Coq Require Import Reals Lra Lia Bool.
From FPS.residual Require Export MedianFailure HashRowsLemmas.
Open Scope R_scope.

(** At least h of the m events a, a+1, …, if they are independent and have probabilities x *)
Fixpoint at_least (a m h : nat) (x : nat -> R) : R :=
  match m, h with
  | _, O => 1
  | O, S _ => 0
  | S n, S g => x a * at_least (S a) n g x + (1 - x a) * at_least (S a) n h x
  end.
Lemma at_least_zero a m x : at_least a m 0 x = 1.
Proof. destruct m; reflexivity. Qed.
Lemma at_least_unit m : forall a h x, (forall j, 0 <= x j <= 1) -> 0 <= at_least a m h x <= 1.
Proof.
  induction m as [|m IH]; intros a [|h] x Hx; simpl; try lra.
  pose proof (IH (S a) h x Hx). pose proof (IH (S a) (S h) x Hx). pose proof (Hx a). nra.
Qed.
Lemma at_least_fewer m : forall a h x, (forall j, 0 <= x j <= 1) -> at_least a m (S h) x <= at_least a m h x.
Proof.
  induction m as [|m IH]; intros a [|h] x Hx; simpl; try lra.
  - pose proof (at_least_unit m (S a) 0 x Hx). pose proof (at_least_unit m (S a) 1 x Hx). pose proof (Hx a).
    rewrite at_least_zero. nra.
  - pose proof (IH (S a) h x Hx). pose proof (IH (S a) (S h) x Hx). pose proof (Hx a). nra.
Qed.
(** Likelier events are more often many. *)
Lemma at_least_mono m : forall a h x y, (forall j, 0 <= x j <= 1) -> (forall j, 0 <= y j <= 1) ->
  (forall j, (a <= j < a + m)%nat -> x j <= y j) -> at_least a m h x <= at_least a m h y.
Proof.
  induction m as [|m IH]; intros a [|h] x y Hx Hy H; simpl; try lra.
  assert (H' : forall j, (S a <= j < S a + m)%nat -> x j <= y j) by (intros; apply H; lia).
  pose proof (IH (S a) h x y Hx Hy H'). pose proof (IH (S a) (S h) x y Hx Hy H').
  pose proof (at_least_fewer m (S a) h y Hy). pose proof (H a ltac:(lia)). pose proof (Hx a).
  pose proof (Hy a).
  apply Rle_trans with (x a * at_least (S a) m h y + (1 - x a) * at_least (S a) m (S h) y); nra.
Qed.
(** For events that happen or not, the polynomial is 1 if h of them happen. *)
Lemma at_least_counts m : forall a h (D : nat -> bool),
  INR h <= size m (fun j => D (a + j)%nat) -> at_least a m h (fun j => ind (D j)) = 1.
Proof.
  induction m as [|m IH]; intros a [|h] D H; try reflexivity.
  - rewrite S_INR in H. unfold size in H. simpl in H. pose proof (pos_INR h). lra.
  - assert (E : size (S m) (fun j => D (a + j)%nat) = ind (D a) + size m (fun j => D (S a + j)%nat)).
    { unfold size. rewrite (sum_split 1 m). cbn [sum]. rewrite Nat.add_0_r, Rplus_0_l. f_equal.
      apply sum_ext; intros j _. now replace (a + (1 + j))%nat with (S a + j)%nat by lia. }
    rewrite E in H. cbn [at_least]. destruct (D a) eqn:Ea; simpl ind in *.
    + rewrite S_INR in H. rewrite (IH (S a) h D) by lra. ring.
    + rewrite (IH (S a) (S h) D) by lra. ring.
Qed.

(** ** The binomial tail *)
Lemma binomial_top n : C n n = 1.
Proof. unfold C. rewrite Nat.sub_diag. simpl. field. apply INR_fact_neq_0. Qed.
Lemma binomial_bottom n : C n 0 = 1.
Proof. unfold C. rewrite Nat.sub_0_r. simpl. field. apply INR_fact_neq_0. Qed.
Lemma sum_first n X : sum (S n) X = X O + sum n (fun i => X (S i)).
Proof. rewrite (sum_split 1 n). simpl. ring. Qed.
Lemma sum_f_R0_sum X n : sum_f_R0 X n = sum (S n) X.
Proof. induction n as [|n IH]; [simpl; ring|]. rewrite tech5, IH. reflexivity. Qed.
Lemma binomial_total J p : binomial_tail J 0 p = 1.
Proof.
  transitivity ((p + (1 - p)) ^ J).
  - rewrite binomial, sum_f_R0_sum. unfold binomial_tail. rewrite Nat.add_1_r. apply sum_ext; intros n _.
    simpl ind. ring.
  - replace (p + (1 - p)) with 1 by ring. apply pow1.
Qed.
(** One more trial *)
Lemma binomial_step J h p :
  binomial_tail (S J) (S h) p = p * binomial_tail J h p + (1 - p) * binomial_tail J (S h) p.
Proof.
  unfold binomial_tail. rewrite !Nat.add_1_r. rewrite (sum_first (S J)),
    (sum_first J (fun n => ind (Nat.leb (S h) n) * _)).
  cbn [sum]. simpl (ind (Nat.leb (S h) 0)). rewrite !Rmult_0_l, !Rplus_0_l.
  rewrite !binomial_top, !Nat.sub_diag, !pow_O, !Rmult_plus_distr_l, <- !sum_scale.
  rewrite (sum_ext J (fun n => ind (Nat.leb (S h) (S n)) * (C (S J) (S n) * p ^ S n * (1 - p) ^ (S J - S n)))
    (fun n => p * (ind (Nat.leb h n) * (C J n * p ^ n * (1 - p) ^ (J - n))) +
      (1 - p) * (ind (Nat.leb (S h) (S n)) * (C J (S n) * p ^ S n * (1 - p) ^ (J - S n))))).
  - rewrite sum_add. simpl (Nat.leb (S h) (S J)). simpl (p ^ S J). ring.
  - intros n Hn. rewrite <- pascal by auto. simpl (Nat.leb (S h) (S n)). simpl (S J - S n)%nat.
    replace (J - n)%nat with (S (J - S n)) by lia. simpl (_ ^ S _). ring.
Qed.
Lemma at_least_binomial m p : forall a h, at_least a m h (fun _ => p) = binomial_tail m h p.
Proof.
  induction m as [|m IH]; intros a [|h]; try (rewrite at_least_zero, binomial_total; reflexivity).
  - unfold binomial_tail. simpl. ring.
  - cbn [at_least]. now rewrite binomial_step, !IH.
Qed.

(** ** Independent rows *)
Section Events.
Context {V : space} {I : Type}.
Variables (P : mean V I) (J : nat) (w : nat -> I -> row) (D : row -> bool).
Hypothesis rows : independent_rows P J w.
Hypothesis events : forall j, (j < J)%nat -> int P (fun o => ind (D (w j o))).
Let x (o : I) (j : nat) : R := ind (D (w j o)).
Let p (j : nat) : R := if Nat.ltb j J then P (fun o => ind (D (w j o))) else 0.
Lemma p_unit j : 0 <= p j <= 1.
Proof.
  unfold p. destruct (Nat.ltb_spec j J) as [Hj|]; [|lra]. split.
  - apply E_nonneg; [now apply events|intros; apply ind_nonneg].
  - rewrite <- (E_const P 1). apply E_mono; [now apply events|apply int_const|]. intros o _.
    destruct (D (w j o)); simpl; lra.
Qed.
Lemma prod_ext n X Y : (forall j, (j < n)%nat -> X j = Y j) -> prod n X = prod n Y.
Proof. induction n as [|n IH]; intros H; [reflexivity|]. simpl. rewrite IH, (H n); auto. Qed.

Lemma prod_ones n k X : (forall j, (n <= j)%nat -> X j = 1) -> prod (n + k) X = prod n X.
Proof.
  intros H. induction k as [|k IH]; [now rewrite Nat.add_0_r|]. replace (n + S k)%nat with (S (n + k)) by lia.
  simpl. rewrite IH, (H (n + k)%nat) by lia. ring.
Qed.
(** Some of the rows are independent as well. *)
Lemma first_rows n (phi : nat -> row -> R) : (n <= J)%nat ->
  (forall j, (j < n)%nat -> int P (fun o => phi j (w j o))) ->
  int P (fun o => prod n (fun j => phi j (w j o))) /\
  P (fun o => prod n (fun j => phi j (w j o))) = prod n (fun j => P (fun o => phi j (w j o))).
Proof.
  intros Hn H. set (psi j r := if Nat.ltb j n then phi j r else 1).
  assert (Hone : forall j r, (n <= j)%nat -> psi j r = 1).
  { intros j r Hj. unfold psi. destruct (Nat.ltb_spec j n); [lia|reflexivity]. }
  assert (Hsame : forall j r, (j < n)%nat -> psi j r = phi j r).
  { intros j r Hj. unfold psi. destruct (Nat.ltb_spec j n); [reflexivity|lia]. }
  assert (Hpsi : forall j, (j < J)%nat -> int P (fun o => psi j (w j o))).
  { intros j _. unfold psi. destruct (Nat.ltb_spec j n); [now apply H|apply int_const]. }
  assert (Hp : forall o, prod J (fun j => psi j (w j o)) = prod n (fun j => phi j (w j o))).
  { intros o. replace J with (n + (J - n))%nat by lia. rewrite prod_ones by (intros; now apply Hone).
    apply prod_ext; intros j Hj. now apply Hsame. }
  destruct (rows psi Hpsi) as [H1 H2]. split; [now apply (int_same P _ _ Hp)|].
  rewrite <- (E_same P _ _ Hp), H2. replace J with (n + (J - n))%nat by lia. rewrite prod_ones.
  - apply prod_ext; intros j Hj. apply E_same. intros o. now apply Hsame.
  - intros j Hj. rewrite (E_same P _ (fun _ => 1)); [apply E_const|]. intros o. now apply Hone.
Qed.
(** Any factors of the first rows, times "at least h of the others" *)
Lemma at_least_mean m : forall a h (phi : nat -> row -> R), (a + m = J)%nat ->
  (forall j, (j < a)%nat -> int P (fun o => phi j (w j o))) ->
  int P (fun o => prod a (fun j => phi j (w j o)) * at_least a m h (x o)) /\
  P (fun o => prod a (fun j => phi j (w j o)) * at_least a m h (x o)) =
  prod a (fun j => P (fun o => phi j (w j o))) * at_least a m h p.
Proof.
  induction m as [|m IH]; intros a [|h] phi Ha Hphi; rewrite ?at_least_zero;
    destruct (first_rows a phi ltac:(lia) Hphi) as [H1 H2].
  1, 3: assert (H : forall o, prod a (fun j => phi j (w j o)) = prod a (fun j => phi j (w j o)) * 1)
    by (intros; ring);
    rewrite Rmult_1_r; split; [apply (int_same P _ _ (fun o => eq_trans (H o) (f_equal _ (eq_sym
      (at_least_zero _ _ _)))) H1)|];
    rewrite <- H2; apply E_same; intros o; rewrite at_least_zero; ring.
  - cbn [at_least]. assert (H : forall o, 0 = prod a (fun j => phi j (w j o)) * 0) by (intros; ring).
    split; [apply (int_same P _ _ H), int_const|]. rewrite <- (E_same P _ _ H), E_const. ring.
  - set (yes j r := if Nat.eqb j a then ind (D r) else phi j r).
    set (no j r := if Nat.eqb j a then 1 - ind (D r) else phi j r).
    assert (Hj : forall j, (j < a)%nat -> Nat.eqb j a = false) by (intros; apply Nat.eqb_neq; lia).
    assert (HD : int P (fun o => ind (D (w a o)))) by (apply events; lia).
    assert (HD' : int P (fun o => 1 - ind (D (w a o)))).
    { apply (int_same P (fun o => -1 * ind (D (w a o)) + 1)); [intros; ring|now apply int_affine]. }
    destruct (IH (S a) h yes ltac:(lia)) as [Y1 Y2].
    { intros j Hl. unfold yes. destruct (Nat.eqb_spec j a) as [->|]; [exact HD|apply Hphi; lia]. }
    destruct (IH (S a) (S h) no ltac:(lia)) as [N1 N2].
    { intros j Hl. unfold no. destruct (Nat.eqb_spec j a) as [->|]; [exact HD'|apply Hphi; lia]. }
    assert (H : forall o, prod (S a) (fun j => yes j (w j o)) * at_least (S a) m h (x o) +
      prod (S a) (fun j => no j (w j o)) * at_least (S a) m (S h) (x o) =
      prod a (fun j => phi j (w j o)) * at_least a (S m) (S h) (x o)).
    { intros o. cbn [prod at_least]. unfold yes, no. rewrite Nat.eqb_refl.
      rewrite !(prod_ext a (fun j => if Nat.eqb j a then _ else phi j (w j o)) (fun j => phi j (w j o)))
        by (intros j Hl; now rewrite Hj).
      change (x o a) with (ind (D (w a o))). ring. }
    split; [apply (int_same P _ _ H); now apply int_add|].
    rewrite <- (E_same P _ _ H), E_add, Y2, N2 by auto. cbn [prod at_least].
    assert (Hpa : p a = P (fun o => ind (D (w a o)))) by (unfold p; destruct (Nat.ltb_spec a J);
      [reflexivity|lia]).
    assert (HE : P (fun o => 1 - ind (D (w a o))) = 1 - p a).
    { rewrite (E_same P _ (fun o => -1 * ind (D (w a o)) + 1)) by (intros; ring).
      rewrite E_affine, Hpa by auto. ring. }
    unfold yes, no. rewrite Nat.eqb_refl, HE, <- Hpa.
    rewrite !(prod_ext a (fun j => P (fun o => if Nat.eqb j a then _ else phi j (w j o)))
      (fun j => P (fun o => phi j (w j o)))) by (intros j Hl; now rewrite Hj).
    ring.
Qed.
(** At least h of J independent events of probability at most r *)
Lemma many_events h r : 0 <= r <= 1 -> (forall j, (j < J)%nat -> P (fun o => ind (D (w j o))) <= r) ->
  int P (fun o => at_least 0 J h (x o)) /\ P (fun o => at_least 0 J h (x o)) <= binomial_tail J h r.
Proof.
  intros Hr H. destruct (at_least_mean J 0 h (fun _ _ => 1) eq_refl ltac:(intros; lia)) as [H1 H2].
  simpl in H1, H2.
  assert (E : forall o, 1 * at_least 0 J h (x o) = at_least 0 J h (x o)) by (intros; ring).
  split; [exact (int_same P _ _ E H1)|]. rewrite <- (E_same P _ _ E), H2, Rmult_1_l,
    <- (at_least_binomial J r 0).
  apply at_least_mono; [apply p_unit|auto|]. intros j Hj. unfold p.
  destruct (Nat.ltb_spec j J); [now apply H|lia].
Qed.
End Events.
