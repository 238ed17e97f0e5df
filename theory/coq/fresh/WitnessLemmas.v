(** * Independent digits for T rounds of two devices

    Round t owns J + 1 rows of digits (residual/RowsExistProof.v): J for its hash and the noise of its table, and one
    whose first sign says which device takes part and whose first noise digit is the noise of device 0. *)
From Coq Require Import Reals Lra Lia Bool FunctionalExtensionality.
From FPS.residual Require Import TopSetsLemmas IndependentDigits MedianFailure MedianFailureProof RowsExistProof.
From FPS.fresh Require Import HashRound HashRoundProof MomentsProof HashExistsProof Isotropic IsotropicProof.
From FPS.residual Require Import HashRows HashRowsLemmas.
Open Scope R_scope.

Section Digits.
Variables (d K J T : nat) (sc : R).
Hypotheses (Hd : (0 < d)%nat) (HK : (0 < K)%nat) (HJ : (0 < J)%nat).
Definition width : nat := (2 * d + K)%nat.
Definition all_rows : nat := (T * S J)%nat.
Definition space_of_digits : mean (Rd d) (nat -> nat) := digits _ (N_some d K all_rows HK) (Rd d) (all_rows * (2 * d + K)).
Local Notation P := space_of_digits.
Local Notation B := width.
Definition row_at (t a : nat) : nat := (t * S J + a)%nat.
Definition first (t : nat) : nat := (t * S J * B)%nat.
Definition jitter_digit (t : nat) : nat := (2 * d + 0 + row_at t J * B)%nat.
Definition coin_digit (t : nat) : nat := (d + 0 + row_at t J * B)%nat.
Definition earlier (t m : nat) : bool := Nat.ltb m (first t).
Definition with_jitter (t m : nat) : bool := earlier t m || Nat.eqb m (jitter_digit t).
Definition with_coin (t m : nat) : bool := with_jitter t m || Nat.eqb m (coin_digit t).
Definition with_hash (t m : nat) : bool :=
  with_coin t m || (Nat.ltb m (first t + J * B) && Nat.ltb (m mod B) (2 * d)).
Definition agree (D : nat -> bool) (f g : nat -> nat) : Prop := forall m, D m = true -> f m = g m.
Definition toss (m : nat) (f : nat -> nat) : R := pm (Nat.eqb (f m) 0).
Definition hash_at (t a : nat) (f : nat -> nat) : row :=
  if Nat.ltb a J then row_of d K sc (row_at t a) f else {| bucket := fun _ => O; sign := fun _ => true; noise := fun _ => 0 |}.
Definition cells_at (t : nat) (f : nat -> nat) (a c : nat) : R := sc * toss (2 * d + c + row_at t a * B)%nat f.
Definition taking_part (t : nat) (f : nat -> nat) (m : nat) : R :=
  let heads := Nat.eqb (f (coin_digit t)) 0 in ind (if Nat.eqb m 0 then heads else negb heads).

Lemma product D X Y : depends D X -> depends (outside D) Y -> P (fun f => X f * Y f) = P X * P Y.
Proof. apply (digits_product _ (N_some d K all_rows HK) (all_rows * (2 * d + K)) D X Y). Qed.
Lemma after {A C} D (X : (nat -> nat) -> A) (Y : (nat -> nat) -> C) : depends D X -> depends (outside D) Y ->
  independent P Y X.
Proof.
  intros HX HY phi psi _ _. split; [exact Logic.I|].
  rewrite (E_same P _ (fun f => psi (X f) * phi (Y f))) by (intros; ring).
  rewrite (product D) by now apply depends_map. apply Rmult_comm.
Qed.
Lemma first_next t : first (S t) = (first t + S J * B)%nat. Proof. unfold first. ring. Qed.
Lemma row_start t a : (row_at t a * B = first t + a * B)%nat. Proof. unfold row_at, first. ring. Qed.
Lemma width_big : (2 * d < B)%nat. Proof. unfold width. lia. Qed.
Lemma row_below t a : (a < J)%nat -> (first t <= row_at t a * B /\ row_at t a * B + B <= first t + J * B)%nat.
Proof. intros Ha. rewrite row_start. assert (S a * B <= J * B)%nat by (apply Nat.mul_le_mono_r; lia). lia. Qed.
Lemma row_exists t a : (t < T)%nat -> (a <= J)%nat -> (row_at t a < all_rows)%nat.
Proof. intros Ht Ha. unfold row_at, all_rows. assert (S t * S J <= T * S J)%nat by (apply Nat.mul_le_mono_r; lia). lia. Qed.
Lemma jitter_is t : jitter_digit t = (first t + J * B + 2 * d)%nat.
Proof. unfold jitter_digit. rewrite row_start. lia. Qed.
Lemma coin_is t : coin_digit t = (first t + J * B + d)%nat.
Proof. unfold coin_digit. rewrite row_start. lia. Qed.
Lemma mod_of_row t a r : (r < B)%nat -> ((r + row_at t a * B) mod B = r)%nat.
Proof. intros Hr. rewrite Nat.mod_add by (unfold width; lia). now apply Nat.mod_small. Qed.

(** ** What is contained in what *)
Lemma earlier_in t m : earlier t m = true -> with_jitter t m = true.
Proof. unfold with_jitter. now intros ->. Qed.
Lemma jitter_in t m : with_jitter t m = true -> with_coin t m = true.
Proof. unfold with_coin. now intros ->. Qed.
Lemma coin_in t m : with_coin t m = true -> with_hash t m = true.
Proof. unfold with_hash. now intros ->. Qed.
Lemma in_earlier t m : (m < first t)%nat -> earlier t m = true.
Proof. intros H. now apply Nat.ltb_lt. Qed.
Lemma in_next t m : (m < first t + S J * B)%nat -> earlier (S t) m = true.
Proof. intros H. apply in_earlier. rewrite first_next. lia. Qed.
Lemma earlier_next t m : earlier t m = true -> earlier (S t) m = true.
Proof. intros H. apply Nat.ltb_lt in H. apply in_next. lia. Qed.
Lemma jitter_next t m : with_jitter t m = true -> earlier (S t) m = true.
Proof.
  intros H. apply orb_true_iff in H. destruct H as [H|H]; [now apply earlier_next|].
  apply Nat.eqb_eq in H. subst. apply in_next. rewrite jitter_is. pose proof width_big. lia.
Qed.
Lemma coin_next t m : with_coin t m = true -> earlier (S t) m = true.
Proof.
  intros H. apply orb_true_iff in H. destruct H as [H|H]; [now apply jitter_next|].
  apply Nat.eqb_eq in H. subst. apply in_next. rewrite coin_is. pose proof width_big. lia.
Qed.
Lemma not_with_coin t m : (first t <= m < first t + J * B)%nat -> outside (with_coin t) m = true.
Proof.
  intros H. unfold outside, with_coin, with_jitter, earlier. rewrite jitter_is, coin_is. apply negb_true_iff.
  rewrite !orb_false_iff. repeat split; [apply Nat.ltb_ge|apply Nat.eqb_neq|apply Nat.eqb_neq]; lia.
Qed.
Lemma jitter_new t : outside (earlier t) (jitter_digit t) = true.
Proof. unfold outside, earlier. rewrite jitter_is. apply negb_true_iff, Nat.ltb_ge. lia. Qed.
Lemma coin_new t : outside (with_jitter t) (coin_digit t) = true.
Proof.
  unfold outside, with_jitter, earlier. rewrite jitter_is, coin_is. apply negb_true_iff, orb_false_iff.
  split; [apply Nat.ltb_ge|apply Nat.eqb_neq]; lia.
Qed.
Lemma noise_new t a c : (a < J)%nat -> (c < K)%nat -> outside (with_hash t) (2 * d + c + row_at t a * B)%nat = true.
Proof.
  intros Ha Hc. pose proof (row_below t a Ha) as [H1 H2].
  assert (Hm : (first t <= 2 * d + c + row_at t a * B < first t + J * B)%nat)
    by (change B with (2 * d + K)%nat in *; lia).
  pose proof (not_with_coin t _ Hm) as N. unfold outside, with_hash in *. apply negb_true_iff in N. rewrite N.
  rewrite mod_of_row by (unfold width; lia). apply negb_true_iff. simpl orb.
  apply andb_false_iff. right. apply Nat.ltb_ge. lia.
Qed.

(** ** What depends on what *)
Lemma toss_depends D m : D m = true -> depends D (toss m).
Proof. intros H f g Hfg. unfold toss. now rewrite (Hfg m H). Qed.
Lemma hash_is_new t : depends (outside (with_coin t)) (fun f a => hash_at t a f).
Proof.
  intros f g H. apply functional_extensionality; intros a. unfold hash_at. destruct (Nat.ltb_spec a J); [|reflexivity].
  pose proof (row_below t a ltac:(auto)) as [H1 H2].
  unfold row_of. f_equal; apply functional_extensionality; intros l;
    (match goal with |- context [Nat.ltb l ?k] => destruct (Nat.ltb_spec l k) end; [|reflexivity]);
    rewrite H; try reflexivity; apply not_with_coin; change (2 * d + K)%nat with B in *; unfold width in *; lia.
Qed.
Lemma hash_is_known t f g a l : agree (with_hash t) f g ->
  bucket (hash_at t a f) l = bucket (hash_at t a g) l /\ sign (hash_at t a f) l = sign (hash_at t a g) l.
Proof.
  intros H. unfold hash_at. destruct (Nat.ltb_spec a J); [|auto]. pose proof (row_below t a ltac:(auto)) as [H1 H2].
  assert (K1 : forall r, (r < 2 * d)%nat -> f (r + row_at t a * B)%nat = g (r + row_at t a * B)%nat).
  { intros r Hr. apply H. unfold with_hash. apply orb_true_iff. right. apply andb_true_iff. split.
    - apply Nat.ltb_lt. unfold width in *. lia.
    - rewrite mod_of_row by (unfold width; lia). now apply Nat.ltb_lt. }
  simpl. destruct (Nat.ltb_spec l d); [|auto]. change (d + (d + 0) + K)%nat with B. now rewrite !K1 by lia.
Qed.
Lemma hash_before_next t a : depends (earlier (S t)) (hash_at t a).
Proof.
  intros f g H. unfold hash_at. destruct (Nat.ltb_spec a J); [|reflexivity].
  pose proof (row_below t a ltac:(auto)) as [H1 H2].
  unfold row_of. f_equal; apply functional_extensionality; intros l;
    (match goal with |- context [Nat.ltb l ?k] => destruct (Nat.ltb_spec l k) end; [|reflexivity]);
    rewrite H; try reflexivity; apply in_next; change (2 * d + K)%nat with B in *; unfold width in *; lia.
Qed.
Lemma cell_before_next t a c : (a < J)%nat -> (c < K)%nat -> depends (earlier (S t)) (fun f => cells_at t f a c).
Proof.
  intros Ha Hc f g H. unfold cells_at, toss. rewrite H; [reflexivity|]. apply in_next.
  pose proof (row_below t a Ha) as [H1 H2]. unfold width in *. lia.
Qed.
Lemma part_is_new t : depends (outside (with_jitter t)) (taking_part t).
Proof. intros f g H. unfold taking_part. now rewrite (H _ (coin_new t)). Qed.
Lemma part_is_known t : depends (with_coin t) (taking_part t).
Proof.
  intros f g H. unfold taking_part. rewrite (H (coin_digit t)); [reflexivity|].
  unfold with_coin. now rewrite Nat.eqb_refl, orb_true_r.
Qed.

(** ** Means *)
Lemma toss_mean r t a : (t < T)%nat -> (a <= J)%nat -> (d <= r < B)%nat -> P (toss (r + row_at t a * B)%nat) = 0.
Proof. intros Ht Ha Hr. apply (coin (Rd d) d K all_rows HK r (row_at t a) Hr). now apply row_exists. Qed.
Lemma toss_square m f : toss m f * toss m f = 1.
Proof. apply pm_square. Qed.
Lemma jitter_mean t : (t < T)%nat -> P (toss (jitter_digit t)) = 0.
Proof. intros Ht. apply (toss_mean (2 * d + 0) t J Ht); [lia|]. unfold width. lia. Qed.
Lemma heads_mean t m : (t < T)%nat -> P (fun f => taking_part t f m) = / 2.
Proof.
  intros Ht. pose proof (toss_mean (d + 0) t J Ht (le_n _) ltac:(unfold width; lia)) as H.
  fold (coin_digit t) in H.
  destruct (Nat.eqb m 0) eqn:Em.
  - rewrite (E_same P _ (fun f => / 2 * toss (coin_digit t) f + / 2)).
    + rewrite E_affine by exact Logic.I. rewrite H. ring.
    + intros f. unfold taking_part, toss, ind. rewrite Em. destruct (Nat.eqb (f (coin_digit t)) 0); cbn [pm negb]; lra.
  - rewrite (E_same P _ (fun f => - / 2 * toss (coin_digit t) f + / 2)).
    + rewrite E_affine by exact Logic.I. rewrite H. ring.
    + intros f. unfold taking_part, toss, ind. rewrite Em. destruct (Nat.eqb (f (coin_digit t)) 0); cbn [pm negb]; lra.
Qed.
Lemma tosses_mean r t a r' t' a' : (t < T)%nat -> (a <= J)%nat -> (d <= r < B)%nat ->
  (r + row_at t a * B <> r' + row_at t' a' * B)%nat ->
  P (fun f => toss (r + row_at t a * B)%nat f * toss (r' + row_at t' a' * B)%nat f) = 0.
Proof.
  intros Ht Ha Hr N. rewrite (product (Nat.eqb (r + row_at t a * B)%nat)).
  - rewrite toss_mean by auto. ring.
  - apply toss_depends, Nat.eqb_refl.
  - apply toss_depends. unfold outside. now apply negb_true_iff, Nat.eqb_neq.
Qed.
Lemma cells_pair t a c a' c' : (t < T)%nat -> (a < J)%nat -> (c < K)%nat -> (a' < J)%nat -> (c' < K)%nat ->
  P (fun f => cells_at t f a c * cells_at t f a' c') = sc ^ 2 * (delta a a' * delta c c').
Proof.
  intros Ht Ha Hc Ha' Hc'. unfold cells_at.
  rewrite (E_same P _ (fun f => sc ^ 2 * (toss (2 * d + c + row_at t a * B)%nat f * toss (2 * d + c' + row_at t a' * B)%nat f)))
    by (intros; ring).
  rewrite E_scale by exact Logic.I. f_equal.
  destruct (Nat.eq_dec a a') as [<-|Na]; [destruct (Nat.eq_dec c c') as [<-|Nc]|].
  - rewrite !delta_same. rewrite (E_same P _ (fun _ => 1)) by (intros; apply toss_square). rewrite E_const. ring.
  - rewrite (delta_other c c') by auto. rewrite tosses_mean; [ring|auto|lia|unfold width; lia|lia].
  - rewrite (delta_other a a') by auto. rewrite tosses_mean; [ring|auto|lia|unfold width; lia|].
    intro H. apply (f_equal (fun n => (n mod B)%nat)) in H as H'. rewrite !mod_of_row in H' by (unfold width; lia).
    assert (c = c') by lia. subst c'. apply Nat.add_cancel_l in H. apply Nat.mul_cancel_r in H; [|unfold width; lia].
    unfold row_at in H. lia.
Qed.
End Digits.
