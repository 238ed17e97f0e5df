(** * The hash of the program: proofs *)
From Coq Require Import Reals Lra Lia Bool Arith FunctionalExtensionality.
From FPS.residual Require Import TopSetsLemmas HashRowsLemmas IndependentDigits.
From FPS.fresh Require Import Moments MomentsProof IntegerMap.
Open Scope R_scope.

(** ** How many u < n lie below a threshold *)
Lemma sum_below n m : (m <= n)%nat -> sum n (fun u => ind (Nat.ltb u m)) = INR m.
Proof.
  induction n as [|n IH]; intros H; [replace m with 0%nat by lia; reflexivity|]. cbn [sum].
  destruct (Nat.eq_dec m (S n)) as [->|N].
  - rewrite (sum_ext n _ (fun _ => 1)).
    + rewrite sum_const, S_INR. destruct (Nat.ltb_spec n (S n)); [simpl; ring|lia].
    + intros i Hi. destruct (Nat.ltb_spec i (S n)); [reflexivity|lia].
  - rewrite IH by lia. destruct (Nat.ltb_spec n m); [lia|]. simpl. ring.
Qed.
(** u b < h n exactly if u < ceil(h n/b) *)
Definition ceil_div (x b : nat) : nat := ((x + b - 1) / b)%nat.
Lemma below_threshold u b x : (0 < b)%nat -> (u * b < x)%nat <-> (u < ceil_div x b)%nat.
Proof.
  intros Hb. unfold ceil_div. pose proof (Nat.div_mod (x + b - 1) b ltac:(lia)) as E.
  pose proof (Nat.mod_upper_bound (x + b - 1) b ltac:(lia)) as U. set (q := ((x + b - 1) / b)%nat) in *. split; intros H.
  - apply Nat.nle_gt. intro. assert (b * q <= b * u)%nat by (apply Nat.mul_le_mono_l; lia). lia.
  - assert (b * S u <= b * q)%nat by (apply Nat.mul_le_mono_l; lia). lia.
Qed.
Lemma bucket_is u b n h : (0 < n)%nat ->
  ind (Nat.eqb (u * b / n) h) = ind (Nat.ltb (u * b) (S h * n)) - ind (Nat.ltb (u * b) (h * n)).
Proof.
  intros Hn. pose proof (Nat.div_mod (u * b) n ltac:(lia)) as E. pose proof (Nat.mod_upper_bound (u * b) n ltac:(lia)) as U.
  set (q := (u * b / n)%nat) in *.
  destruct (Nat.eqb_spec q h) as [->|N].
  - destruct (Nat.ltb_spec (u * b) (S h * n)); [|nia]. destruct (Nat.ltb_spec (u * b) (h * n)); [nia|]. simpl. ring.
  - destruct (Nat.lt_total q h) as [H|[H|H]]; [|lia|].
    + destruct (Nat.ltb_spec (u * b) (h * n)); [|nia]. destruct (Nat.ltb_spec (u * b) (S h * n)); [|nia]. simpl. ring.
    + destruct (Nat.ltb_spec (u * b) (S h * n)); [nia|]. destruct (Nat.ltb_spec (u * b) (h * n)); [nia|]. simpl. ring.
Qed.
Lemma ceil_small n b h : (0 < b)%nat -> (h <= b)%nat -> (ceil_div (h * n) b <= n)%nat.
Proof.
  intros Hb Hh. unfold ceil_div. apply Nat.lt_succ_r, Nat.div_lt_upper_bound; [lia|].
  assert (h * n <= b * n)%nat by (apply Nat.mul_le_mono_r; lia). lia.
Qed.
Lemma load_is n b h : (0 < n)%nat -> (0 < b)%nat -> (h < b)%nat ->
  load n b h = INR (ceil_div (S h * n) b) - INR (ceil_div (h * n) b).
Proof.
  intros Hn Hb Hh. unfold load.
  rewrite (sum_ext n _ (fun u => ind (Nat.ltb u (ceil_div (S h * n) b)) + (-1) * ind (Nat.ltb u (ceil_div (h * n) b)))).
  - rewrite sum_add, sum_scale, !sum_below by (apply ceil_small; lia). ring.
  - intros u _. rewrite bucket_is by auto.
    assert (T : forall x, ind (Nat.ltb (u * b) x) = ind (Nat.ltb u (ceil_div x b))).
    { intros x. f_equal. destruct (Nat.ltb_spec (u * b) x) as [H|H], (Nat.ltb_spec u (ceil_div x b)) as [H'|H']; auto.
      - apply (below_threshold u b x Hb) in H. lia.
      - apply (below_threshold u b x Hb) in H'. lia. }
    rewrite !T. ring.
Qed.
Theorem loads_are_even : Loads_Are_Even.
Proof.
  intros n b h Hn Hb Hh. rewrite load_is by auto. rewrite <- minus_INR.
  - assert (H : (ceil_div (S h * n) b - ceil_div (h * n) b = n / b \/ ceil_div (S h * n) b - ceil_div (h * n) b = S (n / b))%nat).
    { unfold ceil_div. replace (S h * n + b - 1)%nat with (h * n + b - 1 + n)%nat by lia. set (x := (h * n + b - 1)%nat).
      pose proof (Nat.div_mod x b ltac:(lia)) as E1. pose proof (Nat.div_mod n b ltac:(lia)) as E2.
      pose proof (Nat.div_mod (x + n) b ltac:(lia)) as E3.
      pose proof (Nat.mod_upper_bound x b ltac:(lia)). pose proof (Nat.mod_upper_bound n b ltac:(lia)).
      pose proof (Nat.mod_upper_bound (x + n) b ltac:(lia)).
      set (q1 := (x / b)%nat) in *. set (q2 := (n / b)%nat) in *. set (q3 := ((x + n) / b)%nat) in *.
      assert (q1 + q2 <= q3)%nat by nia. assert (q3 <= S (q1 + q2))%nat by nia. lia. }
    destruct H as [-> | ->]; [left; reflexivity|right; apply S_INR].
  - unfold ceil_div. apply Nat.div_le_mono; lia.
Qed.
Lemma loads_total n b : (0 < n)%nat -> (0 < b)%nat -> sum b (load n b) = INR n.
Proof.
  intros Hn Hb. rewrite (sum_ext b _ (fun h => INR (ceil_div (S h * n) b) - INR (ceil_div (h * n) b)))
    by (intros; now apply load_is).
  assert (H : forall m, sum m (fun h => INR (ceil_div (S h * n) b) - INR (ceil_div (h * n) b)) =
    INR (ceil_div (m * n) b) - INR (ceil_div (0 * n) b)).
  { induction m as [|m IH]; cbn [sum]; [ring|]. rewrite IH. ring. }
  rewrite H. replace (ceil_div (b * n) b) with n; [replace (ceil_div (0 * n) b) with 0%nat; [simpl; ring|]|];
    unfold ceil_div; symmetry.
  - apply Nat.div_small. lia.
  - symmetry. replace (b * n + b - 1)%nat with ((b - 1) + n * b)%nat by lia.
    rewrite Nat.div_add, Nat.div_small by lia. reflexivity.
Qed.
Theorem collision_of_the_map : Collision_Of_The_Map.
Proof.
  intros n b Hn Hb. assert (Pn : 0 < INR n) by now apply lt_0_INR. assert (Pb : 0 < INR b) by now apply lt_0_INR.
  set (q := (n / b)%nat). set (r := (n mod b)%nat).
  assert (En : INR n = INR b * INR q + INR r)
    by (rewrite <- mult_INR, <- plus_INR; f_equal; apply Nat.div_mod; lia).
  assert (Hr : (r < b)%nat) by (apply Nat.mod_upper_bound; lia).
  rewrite (sum_ext b _ (fun h => / INR n ^ 2 * ((2 * INR q + 1) * load n b h + - (INR q * (INR q + 1))))).
  - rewrite sum_scale, sum_add, sum_scale, sum_const, loads_total by auto. unfold collision_of. fold r.
    rewrite minus_INR by lia.
    assert (Pos : 0 < INR b * INR n ^ 2) by (apply Rmult_lt_0_compat; [lra|apply pow_lt; lra]).
    apply Rmult_eq_reg_l with (INR b * INR n ^ 2); [|lra].
    replace (INR b * INR n ^ 2 * (/ INR b + INR r * (INR b - INR r) / (INR b * INR n ^ 2)))
      with (INR n ^ 2 + INR r * (INR b - INR r)) by (field; lra).
    replace (INR b * INR n ^ 2 * (/ INR n ^ 2 * ((2 * INR q + 1) * INR n + INR b * - (INR q * (INR q + 1)))))
      with (INR b * ((2 * INR q + 1) * INR n + INR b * - (INR q * (INR q + 1)))) by (field; lra).
    rewrite En. ring.
  - intros h Hh. destruct (loads_are_even n b h Hn Hb Hh) as [-> | ->]; fold q; field; lra.
Qed.

(** ** Words: sums over v < 2n by the low bit *)
Lemma sum_by_bit n X : sum (2 * n) X = sum n (fun u => X (2 * u)%nat + X (2 * u + 1)%nat).
Proof.
  induction n as [|n IH]; [reflexivity|]. replace (2 * S n)%nat with (S (S (2 * n))) by lia. cbn [sum]. rewrite IH.
  replace (2 * n + 1)%nat with (S (2 * n)) by lia. ring.
Qed.
Lemma bit_even u : (2 * u / 2 = u)%nat /\ sign_of (2 * u) = true.
Proof. split; [rewrite Nat.mul_comm; apply Nat.div_mul; lia|]. unfold sign_of. apply Nat.even_spec. now exists u. Qed.
Lemma bit_odd u : ((2 * u + 1) / 2 = u)%nat /\ sign_of (2 * u + 1) = false.
Proof.
  split.
  - rewrite (Nat.add_comm _ 1), (Nat.mul_comm 2), Nat.div_add by lia. reflexivity.
  - unfold sign_of. rewrite Nat.add_comm. apply (Nat.even_add_mul_2 1 u).
Qed.
Theorem signs_are_fair_in_every_bucket : Signs_Are_Fair_In_Every_Bucket.
Proof.
  intros n b h s Hn. rewrite sum_by_bit. unfold load. apply sum_ext; intros u _. unfold bucket_of.
  destruct (bit_even u) as [-> ->]. destruct (bit_odd u) as [-> ->].
  destruct (Nat.eqb (u * b / n) h), s; simpl; ring.
Qed.

(** ** All words, equally likely: digit i < d is the upper part of word i, digit d + i its last bit *)
Section Words.
Variables (V : space) (d n b : nat).
Hypotheses (Hn : (0 < n)%nat) (Hb : (0 < b)%nat).
Let N (m : nat) : nat := if Nat.ltb m d then n else 2.
Lemma N_pos m : (0 < N m)%nat. Proof. unfold N. destruct (Nat.ltb m d); lia. Qed.
Let P : mean V (nat -> nat) := digits N N_pos V (d + d).
Definition upper (f : nat -> nat) (i : nat) : nat := if Nat.ltb i d then (f i mod n)%nat else 0%nat.
Definition last (f : nat -> nat) (i : nat) : nat := if Nat.ltb i d then (f (d + i) mod 2)%nat else 0%nat.
Definition word (f : nat -> nat) (i : nat) : nat := (2 * upper f i + last f i)%nat.
Let low (m : nat) : bool := Nat.ltb m d.

Lemma last_small f i : (last f i < 2)%nat.
Proof. unfold last. destruct (Nat.ltb i d); [apply Nat.mod_upper_bound|]; lia. Qed.
Lemma upper_small f i : (upper f i < n)%nat.
Proof. unfold upper. destruct (Nat.ltb i d); [apply Nat.mod_upper_bound|]; lia. Qed.
Lemma bucket_word f i : bucket_of n b (word f i) = (upper f i * b / n)%nat.
Proof.
  unfold bucket_of, word. pose proof (last_small f i). replace ((2 * upper f i + last f i) / 2)%nat with (upper f i); auto.
  rewrite Nat.mul_comm, Nat.add_comm, Nat.div_add, Nat.div_small by lia. reflexivity.
Qed.
Lemma sign_word f i : sign_of (word f i) = Nat.eqb (last f i) 0.
Proof.
  unfold sign_of, word. pose proof (last_small f i). rewrite Nat.add_comm, Nat.even_add_mul_2.
  destruct (last f i) as [|[|l]]; [reflexivity|reflexivity|lia].
Qed.
Lemma upper_depends : depends low upper.
Proof.
  intros f g H. apply functional_extensionality; intros i. unfold upper. destruct (Nat.ltb_spec i d); [|reflexivity].
  rewrite H; [reflexivity|]. now apply Nat.ltb_lt.
Qed.
Lemma last_depends : depends (outside low) last.
Proof.
  intros f g H. apply functional_extensionality; intros i. unfold last. destruct (Nat.ltb_spec i d); [|reflexivity].
  rewrite H; [reflexivity|]. unfold outside, low. apply negb_true_iff, Nat.ltb_ge. lia.
Qed.
Lemma words_product D X Y : depends D X -> depends (outside D) Y -> P (fun f => X f * Y f) = P X * P Y.
Proof. apply (digits_product N N_pos (d + d) D X Y). Qed.
(** Signs *)
Lemma sign_alone i : depends (Nat.eqb (d + i)) (fun f => pm (sign_of (word f i))).
Proof.
  intros f g H. rewrite !sign_word. unfold last. destruct (Nat.ltb i d); [|reflexivity].
  now rewrite (H (d + i)%nat) by apply Nat.eqb_refl.
Qed.
Lemma sign_elsewhere i j : i <> j -> depends (outside (Nat.eqb (d + i))) (fun f => pm (sign_of (word f j))).
Proof.
  intros Nij f g H. rewrite !sign_word. unfold last. destruct (Nat.ltb j d); [|reflexivity].
  rewrite (H (d + j)%nat); [reflexivity|]. unfold outside. apply negb_true_iff, Nat.eqb_neq. lia.
Qed.
Lemma sign_mean i : (i < d)%nat -> P (fun f => pm (sign_of (word f i))) = 0.
Proof.
  intros Hi. rewrite (E_same P _ (fun f => pm (Nat.eqb (f (d + i)%nat mod 2) 0))).
  - transitivity (avg (N (d + i)) (fun a => pm (Nat.eqb (a mod 2) 0))).
    + apply (digits_one N N_pos (d + d) (d + i) (fun a => pm (Nat.eqb (a mod 2) 0))). lia.
    + unfold N. destruct (Nat.ltb_spec (d + i) d); [lia|]. unfold avg. simpl. field.
  - intros f. rewrite sign_word. unfold last. apply Nat.ltb_lt in Hi. now rewrite Hi.
Qed.
(** Buckets *)
Definition upper_bucket (f : nat -> nat) (i h : nat) : R := ind (Nat.eqb (upper f i * b / n) h).
Lemma bucket_mean i h : (i < d)%nat -> P (fun f => upper_bucket f i h) = load n b h / INR n.
Proof.
  intros Hi. rewrite (E_same P _ (fun f => ind (Nat.eqb ((f i mod n) * b / n) h))).
  - transitivity (avg (N i) (fun a => ind (Nat.eqb ((a mod n) * b / n) h))).
    + apply (digits_one N N_pos (d + d) i (fun a => ind (Nat.eqb ((a mod n) * b / n) h))). lia.
    + unfold N. apply Nat.ltb_lt in Hi as Hi'. rewrite Hi'. unfold avg, load.
      rewrite (sum_ext n _ (fun u => ind (Nat.eqb (u * b / n) h)))
        by (intros u Hu; now rewrite (Nat.mod_small u n Hu)). unfold Rdiv. ring.
  - intros f. unfold upper_bucket, upper. apply Nat.ltb_lt in Hi. now rewrite Hi.
Qed.
Lemma words_collide i j : (i < d)%nat -> (j < d)%nat -> i <> j ->
  Pr P (fun f => Nat.eqb (bucket_of n b (word f i)) (bucket_of n b (word f j))) = collision_of n b.
Proof.
  intros Hi Hj Nij. rewrite <- (collision_of_the_map n b Hn Hb). unfold Pr.
  rewrite (E_same P _ (fun f => sum b (fun h => upper_bucket f i h * upper_bucket f j h))).
  - rewrite (E_sum P b (fun h f => upper_bucket f i h * upper_bucket f j h)) by (intros; exact Logic.I).
    apply sum_ext; intros h _. rewrite (words_product (Nat.eqb i)).
    + rewrite !bucket_mean by auto. unfold Rdiv. ring.
    + intros f g H. unfold upper_bucket, upper. destruct (Nat.ltb i d); [|reflexivity].
      now rewrite (H i) by apply Nat.eqb_refl.
    + intros f g H. unfold upper_bucket, upper. destruct (Nat.ltb j d); [|reflexivity].
      rewrite (H j); [reflexivity|]. unfold outside. now apply negb_true_iff, Nat.eqb_neq.
  - intros f. rewrite !bucket_word. unfold upper_bucket. apply classes_split.
    apply Nat.div_lt_upper_bound; [lia|]. rewrite Nat.mul_comm, (Nat.mul_comm n).
    apply Nat.mul_lt_mono_pos_l; [lia|]. apply upper_small.
Qed.
Lemma words_are_a_row : hash_row P d (fun _ _ => collision_of n b) (fun f => row_of_words n b (word f)).
Proof.
  split; try (intros; exact Logic.I).
  - intros i j Hi Hj Nij. cbn [sign row_of_words]. rewrite (words_product (Nat.eqb (d + i)) (fun f => pm (sign_of (word f i))) (fun f => pm (sign_of (word f j)))).
    + rewrite sign_mean by auto. ring.
    + apply sign_alone.
    + now apply sign_elsewhere.
  - intros i j k l Hi Hj Hk Hl N1 N2 N3 _ _ _. cbn [sign row_of_words].
    rewrite (E_same P _ (fun f => pm (sign_of (word f i)) * (pm (sign_of (word f j)) * (pm (sign_of (word f k)) * pm (sign_of (word f l))))))
      by (intros; ring).
    rewrite (words_product (Nat.eqb (d + i)) (fun f => pm (sign_of (word f i)))).
    + rewrite sign_mean by auto. ring.
    + apply sign_alone.
    + intros f g H. now rewrite (sign_elsewhere i j N1 f g H), (sign_elsewhere i k N2 f g H), (sign_elsewhere i l N3 f g H).
  - intros phi psi _ _. split; [exact Logic.I|]. apply (words_product low).
    + intros f g H. f_equal. cbn [bucket row_of_words]. apply functional_extensionality; intros i.
      rewrite !bucket_word. now rewrite (upper_depends f g H).
    + intros f g H. f_equal. cbn [sign row_of_words]. apply functional_extensionality; intros i.
      rewrite !sign_word. now rewrite (last_depends f g H).
  - intros i j Hi Hj Nij. exact (words_collide i j Hi Hj Nij).
Qed.
Lemma words_exist : exists (I : Type) (P : mean V I) (v : I -> nat -> nat),
  (forall o i, (v o i < 2 * n)%nat) /\ (forall X, int P X) /\
  hash_row P d (fun _ _ => collision_of n b) (fun o => row_of_words n b (v o)).
Proof.
  exists (nat -> nat), P, word. split; [|split].
  - intros f i. unfold word. pose proof (last_small f i). pose proof (upper_small f i). lia.
  - intros; exact Logic.I.
  - exact words_are_a_row.
Qed.
End Words.
Theorem words_make_a_row : Words_Make_A_Row.
Proof. intros V d n b Hn Hb. now apply words_exist. Qed.
