(** * Proof that random rows exist

    Row j owns the digits jB, …, jB + B − 1 with B = 2d + K: d for buckets, d for signs, K for noise. *)
From Coq Require Import Reals Lra Lia Bool FunctionalExtensionality.
From FPS.residual Require Import RowsExist TopSetsLemmas IndependentDigits BinomialLemmas RandomHashProof.
Open Scope R_scope.

Section Example.
Variables (V : space) (d K J : nat) (sigma : R).
Hypothesis K_some : (0 < K)%nat.
Let B := (2 * d + K)%nat.
Let N (m : nat) : nat := if Nat.ltb (m mod B) d then K else 2.
Let n := (J * B)%nat.
Lemma N_some m : (0 < N m)%nat.
Proof. unfold N. destruct (Nat.ltb (m mod B) d); lia. Qed.
Let P : mean V (nat -> nat) := digits N N_some V n.
Definition row_of (j : nat) (f : nat -> nat) : row := {|
  bucket := fun l => if Nat.ltb l d then (f (l + j * B) mod K)%nat else O;
  sign := fun l => if Nat.ltb l d then Nat.eqb (f (d + l + j * B)%nat) 0 else true;
  noise := fun c => if Nat.ltb c K then sigma * pm (Nat.eqb (f (2 * d + c + j * B)%nat) 0) else 0 |}.

(** ** Where the digits are *)
Lemma digit_below r j : (r < B)%nat -> (j < J)%nat -> (r + j * B < n)%nat.
Proof. intros Hr Hj. unfold n. assert (S j * B <= J * B)%nat by (apply Nat.mul_le_mono_r; lia). lia. Qed.
Lemma digit_base r j : (r < B)%nat -> N (r + j * B) = if Nat.ltb r d then K else 2%nat.
Proof. intros Hr. unfold N. now rewrite Nat.mod_add, Nat.mod_small by lia. Qed.
Let upto (m : nat) : nat -> bool := fun l => Nat.ltb l m.
Lemma in_upto l m : (l < m)%nat -> upto m l = true. Proof. apply Nat.ltb_lt. Qed.
Lemma out_upto l m : (m <= l)%nat -> outside (upto m) l = true.
Proof. intros H. unfold outside, upto. apply negb_true_iff, Nat.ltb_ge, H. Qed.

Lemma buckets_depend j : depends (upto (d + j * B)) (fun f => bucket (row_of j f)).
Proof.
  intros f g H. apply functional_extensionality; intros l. simpl. destruct (Nat.ltb_spec l d); [|reflexivity].
  rewrite (H (l + j * B)%nat); [reflexivity|apply in_upto; lia].
Qed.
Lemma signs_depend j : depends (upto (2 * d + j * B)) (fun f => sign (row_of j f)) /\
  depends (outside (upto (d + j * B))) (fun f => sign (row_of j f)).
Proof.
  split; intros f g H; apply functional_extensionality; intros l; simpl; (destruct (Nat.ltb_spec l d);
    [|reflexivity]);
    (rewrite (H (d + l + j * B)%nat); [reflexivity|]); [apply in_upto|apply out_upto]; lia.
Qed.
Lemma noise_depends j : depends (upto (S j * B)) (fun f => noise (row_of j f)) /\
  depends (outside (upto (2 * d + j * B))) (fun f => noise (row_of j f)).
Proof.
  split; intros f g H; apply functional_extensionality; intros c; cbn [noise row_of];
    (destruct (Nat.ltb_spec c K); [|reflexivity]);
    (rewrite (H (2 * d + c + j * B)%nat); [reflexivity|]); [apply in_upto|apply out_upto]; unfold B; lia.
Qed.
Lemma depends_more {A} D D' (X : (nat -> nat) -> A) : (forall m,
  D m = true -> D' m = true) -> depends D X -> depends D' X.
Proof. intros H HX f g Hfg. apply HX. intros m Hm. now apply Hfg, H. Qed.
Lemma upto_more m m' l : (m <= m')%nat -> upto m l = true -> upto m' l = true.
Proof. intros H Hl. apply Nat.ltb_lt in Hl. apply in_upto. lia. Qed.
Lemma hash_depends j : depends (upto (2 * d + j * B)) (fun f => (bucket (row_of j f), sign (row_of j f))).
Proof.
  intros f g H. f_equal; [|now apply (proj1 (signs_depend j))]. apply buckets_depend.
  intros m Hm. apply H. revert Hm. apply upto_more. lia.
Qed.
Lemma row_depends j : depends (upto (S j * B)) (row_of j) /\ depends (outside (upto (j * B))) (row_of j).
Proof.
  assert (Hrow : forall f, row_of j f = Build_row (bucket (row_of j f)) (sign (row_of j f)) (noise (row_of j
    f))) by reflexivity.
  split; intros f g H; rewrite (Hrow f), (Hrow g); f_equal; apply functional_extensionality; intros l;
    cbn [bucket sign noise row_of];
    (match goal with |- context [Nat.ltb l ?k] => destruct (Nat.ltb_spec l k) end; [|reflexivity]);
    rewrite H by ((apply in_upto || apply out_upto); unfold B; lia); reflexivity.
Qed.
(** Functions of earlier digits and of later digits are independent. *)
Lemma independent_parts {A C} m (X : (nat -> nat) -> A) (Y : (nat -> nat) -> C) :
  depends (upto m) X -> depends (outside (upto m)) Y -> independent P X Y.
Proof.
  intros HX HY phi psi _ _. split; [exact I|]. apply (digits_product N N_some n (upto m));
    now apply depends_map.
Qed.

(** ** One digit *)
Lemma mean_of_digit r j (g : nat -> R) : (r < B)%nat -> (j < J)%nat ->
  P (fun f => g (f (r + j * B)%nat)) = avg (if Nat.ltb r d then K else 2%nat) g.
Proof. intros Hr Hj. rewrite <- (digit_base r j Hr).
apply digits_one; [apply N_some|now apply digit_below]. Qed.
Lemma mean_of_bucket l j c : (l < d)%nat -> (j < J)%nat -> (c < K)%nat ->
  P (fun f => ind (Nat.eqb (bucket (row_of j f) l) c)) = / INR K.
Proof.
  intros Hl Hj Hc. pose proof (mean_of_digit l j (fun a => ind (Nat.eqb (a mod K) c)) ltac:(unfold B;
    lia) Hj) as H.
  apply Nat.ltb_lt in Hl. rewrite Hl in H. simpl bucket. rewrite Hl. rewrite H. unfold avg.
  rewrite (sum_ext K _ (fun a => ind (Nat.eqb a c) * 1)); [rewrite sum_pick by auto; ring|].
  intros a Ha. rewrite Nat.mod_small by auto. ring.
Qed.
Lemma coin r j : (d <= r < B)%nat -> (j < J)%nat -> P (fun f => pm (Nat.eqb (f (r + j * B)%nat) 0)) = 0.
Proof.
  intros Hr Hj. rewrite (mean_of_digit r j (fun a => pm (Nat.eqb a 0))) by (lia || auto).
  replace (Nat.ltb r d) with false by (symmetry; apply Nat.ltb_ge; lia). unfold avg. simpl. field.
Qed.
Lemma sign_is_a_coin l j : (l < d)%nat -> (j < J)%nat -> P (fun f => pm (sign (row_of j f) l)) = 0.
Proof.
  intros Hl Hj. simpl sign. replace (Nat.ltb l d) with true by (symmetry; now apply Nat.ltb_lt).
  apply (coin (d + l)); unfold B; lia.
Qed.

(** ** Pairs of coordinates l < m of one row *)
Lemma bucket_depends j l m : (l < m)%nat ->
  depends (upto (m + j * B)) (fun f => bucket (row_of j f) l)
    /\ depends (outside (upto (m + j * B))) (fun f => bucket (row_of j f) m).
Proof.
  intros Hlm. split; intros f g H; simpl.
  - destruct (Nat.ltb_spec l d); [|reflexivity]. rewrite H; [reflexivity|apply in_upto; lia].
  - destruct (Nat.ltb_spec m d); [|reflexivity]. rewrite H; [reflexivity|apply out_upto; lia].
Qed.
Lemma sign_depends j l m : (l < m)%nat ->
  depends (upto (d + m + j * B)) (fun f => sign (row_of j f) l)
    /\ depends (outside (upto (d + m + j * B))) (fun f => sign (row_of j f) m).
Proof.
  intros Hlm. split; intros f g H; simpl.
  - destruct (Nat.ltb_spec l d); [|reflexivity]. rewrite H; [reflexivity|apply in_upto; lia].
  - destruct (Nat.ltb_spec m d); [|reflexivity]. rewrite H; [reflexivity|apply out_upto; lia].
Qed.
Lemma signs_in_order j l m : (l < m)%nat -> (m < d)%nat -> (j < J)%nat ->
  P (fun f => pm (sign (row_of j f) l) * pm (sign (row_of j f) m)) = 0.
Proof.
  intros Hlm Hm Hj. destruct (sign_depends j l m Hlm) as [H1 H2].
  destruct (independent_parts _ _ _ H1 H2 pm pm I I) as [_ H3]. rewrite H3, sign_is_a_coin by lia. ring.
Qed.
Lemma buckets_in_order j l m : (l < m)%nat -> (m < d)%nat -> (j < J)%nat ->
  Pr P (fun f => Nat.eqb (bucket (row_of j f) l) (bucket (row_of j f) m)) = / INR K.
Proof.
  intros Hlm Hm Hj. apply uniform_buckets_collide.
  - intros f. simpl. replace (Nat.ltb l d) with true by (symmetry; apply Nat.ltb_lt; lia).
    apply Nat.mod_upper_bound. lia.
  - intros c c' Hc Hc'. split; [exact I|]. destruct (bucket_depends j l m Hlm) as [H1 H2].
    destruct (independent_parts _ _ _ H1 H2 (fun a => ind (Nat.eqb a c)) (fun a => ind (Nat.eqb a c')) I I)
      as [_ H3].
    unfold Pr. rewrite (E_same P _ (fun f => ind (Nat.eqb (bucket (row_of j f) l) c) * ind (Nat.eqb (bucket
      (row_of j f) m) c'))).
    + rewrite H3, !mean_of_bucket by (lia || auto). rewrite <- Rinv_mult_distr by (apply not_0_INR; lia).
      f_equal. ring.
    + intros f. destruct (Nat.eqb _ c), (Nat.eqb _ c'); simpl; ring.
Qed.

Lemma noise_moments j c : (j < J)%nat -> (c < K)%nat ->
  P (fun f => noise (row_of j f) c) = 0 /\ P (fun f => noise (row_of j f) c ^ 2) = sigma ^ 2.
Proof.
  intros Hj Hc. pose proof (proj2 (Nat.ltb_lt c K) Hc) as Hb. cbn [noise row_of]. rewrite Hb. split.
  - rewrite E_scale by exact I. rewrite (coin (2 * d + c)) by (unfold B; lia). ring.
  - rewrite (E_same P _ (fun _ => sigma ^ 2)); [apply E_const|]. intros f.
    destruct (Nat.eqb _ 0); simpl; ring.
Qed.
Lemma row_is_random j : (j < J)%nat -> random_row P d K (INR K) (sigma ^ 2) (row_of j).
Proof.
  intros Hj. split.
  - now apply lt_0_INR.
  - intros f l Hl. simpl. apply Nat.ltb_lt in Hl. rewrite Hl. apply Nat.mod_upper_bound. lia.
  - intros; exact I.
  - intros l m Hl Hm Hne. right. destruct (Nat.lt_total l m) as [H|[H|H]]; [now apply buckets_in_order|lia|].
    unfold Pr. rewrite (E_same P _ (fun f => ind (Nat.eqb (bucket (row_of j f) m) (bucket (row_of j f) l)))).
    + now apply buckets_in_order.
    + intros f. now rewrite Nat.eqb_sym.
  - apply independent_signs_are_coins.
    + intros; exact I.
    + intros l Hl. now apply sign_is_a_coin.
    + intros l m Hl Hm Hne. destruct (Nat.lt_total l m) as [H|[H|H]]; [now apply signs_in_order|lia|].
      rewrite (E_same P _ (fun f => pm (sign (row_of j f) m) * pm (sign (row_of j f) l))) by (intros; ring).
      now apply signs_in_order.
    + apply (independent_parts (d + j * B)); [apply buckets_depend|apply signs_depend].
  - apply (independent_parts (2 * d + j * B)); [apply hash_depends|apply noise_depends].
  - intros; exact I.
  - intros; exact I.
  - intros c Hc. right. now apply noise_moments.
Qed.
Lemma rows_are_independent : independent_rows P J row_of.
Proof.
  intros phi _. split; [exact I|].
  assert (H : forall k, (k <= J)%nat -> depends (upto (k * B)) (fun f => prod k (fun j => phi j (row_of j
    f))) /\
    P (fun f => prod k (fun j => phi j (row_of j f))) = prod k (fun j => P (fun f => phi j (row_of j f)))).
  { induction k as [|k IH]; intros Hk; [split; [intros f g _; reflexivity|exact (E_const P 1)]|].
    destruct (IH ltac:(lia)) as [H1 H2]. destruct (row_depends k) as [H3 H4]. cbn [prod]. split.
    - intros f g Hfg. f_equal; [|f_equal; now apply H3]. apply H1. intros m Hm. apply Hfg. revert Hm.
      apply upto_more. simpl. lia.
    - destruct (independent_parts _ _ _ H1 H4 (fun x => x) (phi k) I I) as [_ H5]. rewrite H5, H2.
      reflexivity. }
  now apply H.
Qed.
Lemma signs_are_free i j : (i < d)%nat -> (j < J)%nat -> free_sign P i (row_of j).
Proof.
  intros Hi Hj D _. split; [exact I|]. set (m := (d + i + j * B)%nat). unfold Pr.
  rewrite (E_same P _ (fun f => ind (D (row_of j (turn_digit m f))))).
  - assert (Hm : (m < n)%nat) by (apply digit_below; unfold B; lia).
    apply (digits_turn N n m Hm) with (X := fun f => ind (D (row_of j f))).
    unfold m. rewrite digit_base by (unfold B; lia).
    replace (Nat.ltb (d + i) d) with false by (symmetry; apply Nat.ltb_ge; lia). reflexivity.
  - intros f. do 2 f_equal. unfold turned, row_of, turn_digit, with_digit, m. cbn [bucket sign noise].
    f_equal; apply functional_extensionality; intros l.
    + destruct (Nat.ltb_spec l d); [|reflexivity].
      destruct (Nat.eqb_spec (l + j * B) (d + i + j * B)); [lia|reflexivity].
    + destruct (Nat.ltb_spec l d), (Nat.eqb_spec l i), (Nat.eqb_spec (d + l + j * B) (d + i + j * B));
        try lia; try reflexivity.
      subst l. destruct (Nat.eqb (f _) 0); reflexivity.
    + destruct (Nat.ltb_spec l K); [|reflexivity].
      destruct (Nat.eqb_spec (2 * d + l + j * B) (d + i + j * B)); [lia|reflexivity].
Qed.
End Example.

Theorem random_rows_exist : Random_Rows_Exist.
Proof.
  intros V d K J sigma HK. exists (nat -> nat), (digits _ (N_some d K J HK) V (J * (2 * d + K))),
    (row_of d K sigma).
  split; [|split; [|split; [|split]]].
  - intros j Hj. now apply row_is_random.
  - apply rows_are_independent.
  - intros i j Hi Hj. now apply signs_are_free.
  - intros j c Hj Hc. now apply noise_moments.
  - intros; exact I.
Qed.
