(** * Proof that a 3-wise independent hash is random enough *)
From Coq Require Import Reals Lra Lia Bool FunctionalExtensionality.
From FPS.residual Require Import ThreeWiseHash RandomHash RandomHashProof HashRowsLemmas MedianFailureProof.
Open Scope R_scope.

Section Words.
Context {V : space} {I : Type}.
Variables (P : mean V I) (d columns : nat) (w : I -> row).
Hypothesis some_columns : (0 < columns)%nat.
Hypothesis given : three_wise P d columns w.
Notation b o := (bucket (w o)).
Notation s o := (sign (w o)).

(** A coin, or 0 outside an event, has a mean. *)
Lemma int_coin (D F : (nat -> nat) -> (nat -> bool) -> bool) :
  int P (fun o => ind (D (b o) (s o)) * pm (F (b o) (s o))).
Proof.
  apply (int_same P (fun o => 2 * ind (D (b o) (s o) && F (b o) (s o)) + (-1) * ind (D (b o) (s o)))).
  - intros o. destruct (D (b o) (s o)), (F (b o) (s o)); simpl; ring.
  - apply int_add; apply int_scale; [exact (word_events _ _ _ _ given (fun x y => D x y && F x y))|].
    apply (word_events _ _ _ _ given).
Qed.

(** In each bucket the sign of a coordinate is fair. *)
Definition coin (c : nat) (x : nat * bool) : R := ind (Nat.eqb (fst x) c) * pm (snd x).
Lemma int_coin_here c l : int P (fun o => coin c (word (w o) l)).
Proof. exact (int_coin (fun x _ => Nat.eqb (x l) c) (fun _ y => y l)). Qed.
Lemma int_word c z l : int P (fun o => ind (has_word c z (word (w o) l))).
Proof. exact (word_events _ _ _ _ given (fun x y => has_word c z (x l, y l))). Qed.
Lemma coin_fair c l : (l < d)%nat -> (c < columns)%nat -> P (fun o => coin c (word (w o) l)) = 0.
Proof.
  intros Hl Hc.
  rewrite (E_same P _ (fun o => ind (has_word c true (word (w o) l)) + (-1) * ind (has_word c false (word (w o) l)))).
  - rewrite (E_add P (fun o => ind (has_word c true (word (w o) l)))), E_scale;
      auto using int_word, int_scale.
    pose proof (word_uniform _ _ _ _ given l c true Hl Hc) as H1.
    pose proof (word_uniform _ _ _ _ given l c false Hl Hc) as H2.
    unfold Pr in H1, H2. rewrite H1, H2. ring.
  - intros o. unfold coin, has_word, word. simpl. destruct (Nat.eqb (b o l) c), (s o l); simpl; ring.
Qed.
Lemma bucket_uniform c l : (l < d)%nat -> (c < columns)%nat ->
  int P (fun o => ind (Nat.eqb (b o l) c)) /\ P (fun o => ind (Nat.eqb (b o l) c)) = / INR columns.
Proof.
  intros Hl Hc. split; [exact (word_events _ _ _ _ given (fun x _ => Nat.eqb (x l) c))|].
  rewrite (E_same P _ (fun o => ind (has_word c true (word (w o) l)) + ind (has_word c false (word (w o) l)))).
  - rewrite (E_add P (fun o => ind (has_word c true (word (w o) l)))) by apply int_word.
    pose proof (word_uniform _ _ _ _ given l c true Hl Hc) as H1.
    pose proof (word_uniform _ _ _ _ given l c false Hl Hc) as H2.
    unfold Pr in H1, H2. rewrite H1, H2. field. apply not_0_INR. lia.
  - intros o. unfold has_word, word. simpl. destruct (Nat.eqb (b o l) c), (s o l); simpl; ring.
Qed.

(** The sum over the buckets of l *)
Lemma by_bucket l (X : nat -> I -> R) o : (l < d)%nat ->
  sum columns (fun c => ind (Nat.eqb (b o l) c) * X c o) = X (b o l) o.
Proof.
  intros Hl. pose proof (word_below _ _ _ _ given o l Hl) as Hb.
  rewrite <- (sum_pick columns (b o l) (fun c => X c o) Hb). apply sum_ext; intros c _. now rewrite Nat.eqb_sym.
Qed.

(** The sign of l times what depends on the bucket of l and on two other words has mean 0. *)
Lemma free_coin l m a (psi : nat -> (nat * bool) * (nat * bool) -> R) :
  (l < d)%nat -> (m < d)%nat -> (a < d)%nat -> l <> m -> l <> a ->
  (forall c, int P (fun o => psi c (word (w o) m, word (w o) a))) ->
  P (fun o => psi (b o l) (word (w o) m, word (w o) a) * pm (s o l)) = 0.
Proof.
  intros Hl Hm Ha Hlm Hla Hpsi.
  pose proof (word_independent _ _ _ _ given l m a Hl Hm Ha Hlm Hla) as Hind.
  rewrite (E_same P _ (fun o => sum columns (fun c => coin c (word (w o) l) * psi c (word (w o) m, word (w o) a)))).
  - rewrite (E_sum P columns (fun c o => coin c (word (w o) l) * psi c (word (w o) m, word (w o) a))).
    + rewrite (sum_ext columns _ (fun _ => 0)); [rewrite sum_const; ring|]. intros c Hc.
      destruct (Hind (coin c) (psi c) (int_coin_here c l) (Hpsi c)) as [_ H]. rewrite H, coin_fair by auto. ring.
    + intros c _. exact (proj1 (Hind (coin c) (psi c) (int_coin_here c l) (Hpsi c))).
  - intros o. rewrite <- (by_bucket l (fun c o => psi c (word (w o) m, word (w o) a) * pm (s o l)) o Hl).
    apply sum_ext; intros c _. unfold coin, word. simpl. ring.
Qed.

Lemma words_are_coins : coins P d w.
Proof.
  split.
  - intros l a D Hl Ha. destruct (Nat.eq_dec a l) as [->|Hne].
    + rewrite (E_same P _ (fun o => sum columns (fun c => ind (D c c) * coin c (word (w o) l)))).
      * rewrite (E_sum P columns (fun c o => ind (D c c) * coin c (word (w o) l)))
          by (intros; apply int_scale, int_coin_here).
        rewrite (sum_ext columns _ (fun _ => 0)); [rewrite sum_const; ring|]. intros c Hc.
        rewrite E_scale by apply int_coin_here. rewrite coin_fair by auto. ring.
      * intros o. rewrite <- (by_bucket l (fun c o => ind (D c c) * pm (s o l)) o Hl).
        apply sum_ext; intros c _. unfold coin, word. simpl. ring.
    + apply (free_coin l a a (fun c x => ind (D c (fst (snd x))))); auto.
      intros c. exact (word_events _ _ _ _ given (fun x _ => D c (x a))).
  - intros l m a D Hl Hm Ha Hne. destruct (Nat.eq_dec a l) as [->|Hla].
    + rewrite (E_same P _ (fun o =>
        ind (D (fst (word (w o) l)) (b o m) (fst (word (w o) l))) * pm (snd (word (w o) l)) * pm (s o m)))
        by (intros o; unfold word; simpl; ring).
      apply (free_coin m l l (fun c x => ind (D (fst (fst x)) c (fst (fst x))) * pm (snd (fst x)))); auto.
      intros c. exact (int_coin (fun x _ => D (x l) c (x l)) (fun _ y => y l)).
    + rewrite (E_same P _ (fun o =>
        ind (D (b o l) (fst (word (w o) m)) (fst (word (w o) a))) * pm (snd (word (w o) m)) * pm (s o l)))
        by (intros o; unfold word; simpl; ring).
      apply (free_coin l m a (fun c x => ind (D c (fst (fst x)) (fst (snd x))) * pm (snd (fst x)))); auto.
      intros c. exact (int_coin (fun x _ => D c (x m) (x a)) (fun _ y => y m)).
Qed.

Lemma words_collide l m : (l < d)%nat -> (m < d)%nat -> l <> m ->
  Pr P (fun o => Nat.eqb (b o l) (b o m)) = / INR columns.
Proof.
  intros Hl Hm Hne. apply (uniform_buckets_collide V I P columns (fun o => b o l) (fun o => b o m)).
  - intros o. now apply (word_below _ _ _ _ given).
  - intros c c' Hc Hc'. unfold Pr. split; [exact (word_events _ _ _ _ given (fun x _ => Nat.eqb (x l) c && Nat.eqb (x m) c'))|].
    destruct (bucket_uniform c l Hl Hc) as [Il El]. destruct (bucket_uniform c' m Hm Hc') as [Im Em].
    destruct (word_independent _ _ _ _ given l m m Hl Hm Hm Hne Hne
      (fun x => ind (Nat.eqb (fst x) c)) (fun x => ind (Nat.eqb (fst (fst x)) c')) Il Im) as [_ H].
    simpl in H. rewrite (E_same P _ (fun o => ind (Nat.eqb (b o l) c) * ind (Nat.eqb (b o m) c'))).
    + rewrite H, El, Em. field. apply not_0_INR. lia.
    + intros o. destruct (Nat.eqb (b o l) c), (Nat.eqb (b o m) c'); simpl; ring.
Qed.
End Words.

Theorem three_wise_hash_is_random : Three_Wise_Hash_Is_Random.
Proof.
  intros V I P d columns sigma2 w HK H Hnoise Hsize. split.
  - now apply lt_0_INR.
  - exact (word_below _ _ _ _ H).
  - exact (word_events _ _ _ _ H).
  - intros l m Hl Hm Hne. rewrite (words_collide P d columns w HK H); auto. lra.
  - exact (words_are_coins P d columns w H).
  - exact Hnoise.
  - intros c Hc. apply (Hsize c Hc).
  - intros c Hc. apply (Hsize c Hc).
  - intros c Hc. apply (Hsize c Hc).
Qed.

Theorem failure_of_the_median_of_three_wise_hashes : Failure_Of_The_Median_Of_Three_Wise_Hashes.
Proof.
  intros V I P d columns J w v i y S med HK Hi Hy Hw Hrows Hzero Hmed Hint.
  assert (Hn : forall j o, noise (w j o) = fun _ => 0) by (intros; apply functional_extensionality, Hzero).
  apply (failure_of_the_median_with_any_signs V I P d columns (INR columns) 0 J w v i y S med); auto.
  - intros j Hj. apply three_wise_hash_is_random; auto.
    + intros phi psi Hphi Hpsi. set (z := psi (fun _ => 0)).
      assert (Hz : forall o, psi (noise (w j o)) = z) by (intros; unfold z; now rewrite Hn).
      rewrite (E_same P (fun o => psi (noise (w j o))) (fun _ => z) Hz), E_const.
      rewrite (E_same P _ (fun o => z * phi (bucket (w j o), sign (w j o)))) by (intros; rewrite Hz; ring).
      rewrite E_scale by auto. split; [|ring].
      apply (int_same P (fun o => z * phi (bucket (w j o), sign (w j o)))); [intros; rewrite Hz; ring|].
      now apply int_scale.
    + intros c Hc. rewrite (E_same P _ (fun _ => 0)) by (intros; rewrite Hzero; ring). rewrite E_const.
      repeat split; [| |lra]; (eapply int_same; [|apply (int_const P 0)]); intros o; simpl; rewrite Hzero; ring.
  - intros j Hj.
    set (D := fun x z => exceeds (Rabs (row_error {| bucket := x; sign := z; noise := fun _ => 0 |} v i)) y).
    apply (int_same P (fun o => ind (D (bucket (w j o)) (sign (w j o))))).
    + intros o. unfold D. rewrite <- (Hn j o). now destruct (w j o).
    + exact (word_events P d columns (w j) (Hw j Hj) D).
Qed.
