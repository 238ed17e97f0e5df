(** * One round of the witness meets what HashRound.v asks *)
From Coq Require Import Reals Lra Lia Bool FunctionalExtensionality.
From FPS.residual Require Import TopSetsLemmas IndependentDigits MedianFailure MedianFailureProof RowsExistProof.
From FPS.fresh Require Import HashRound HashRoundProof MomentsProof HashExistsProof NoiseProof Isotropic IsotropicProof
  WitnessLemmas.
From FPS.residual Require Import HashRows HashRowsLemmas.
Open Scope R_scope.

Section Round.
Variables (d K J T : nat) (sc : R).
Hypotheses (Hd : (0 < d)%nat) (HK : (0 < K)%nat) (HJ : (0 < J)%nat).
Variables (lossf : Rd d -> R) (gradf : Rd d -> Rd d).
Hypothesis quadratic : curved_by (times_matrix delta) lossf gradf.
Local Notation P := (space_of_digits d K J T HK).
Variables (x : (nat -> nat) -> Rd d) (y : nat -> (nat -> nat) -> Rd d) (t : nat).
Definition made : sketched := {|
  HashRound.d := d; HashRound.I := nat -> nat; HashRound.P := P; HashRound.loss := lossf; HashRound.gradient := gradf;
  Hess := delta; devices := 2; some_devices := Nat.lt_0_2; HashRound.x := x; displacement := y;
  weights := taking_part d K J t; HashRound.J := J; columns := K; hash := hash_at d K J sc t; cells := cells_at d K J sc t;
  q_pick := agree (with_jitter d K J t); q_hash := agree (with_coin d K J t); q_noise := agree (with_hash d K J t);
  share := fun _ _ => / INR K; ell_H := 1; omega_H := (INR d - 1) / (INR J * INR K); sigma_c := sc |}.
Hypotheses (Ht : (t < T)%nat) (x_old : depends (earlier d K J t) x)
  (y_old : forall m, (m < 2)%nat -> depends (with_jitter d K J t) (y m)).

Lemma sum_two (X : nat -> R) : sum 2 X = X 0%nat + X 1%nat. Proof. simpl. ring. Qed.
Lemma taking_sum f : sum 2 (taking_part d K J t f) = 1.
Proof. rewrite sum_two. unfold taking_part. simpl. destruct (Nat.eqb (f _) 0); simpl; ring. Qed.
Lemma taking_square f m : taking_part d K J t f m * taking_part d K J t f m = taking_part d K J t f m.
Proof. unfold taking_part, ind. destruct (if Nat.eqb m 0 then _ else _); ring. Qed.
Lemma taking_pair f m n : (m < 2)%nat -> (n < 2)%nat -> m <> n -> taking_part d K J t f m * taking_part d K J t f n = 0.
Proof.
  intros Hm Hn N. assert ((m = 0 /\ n = 1) \/ (m = 1 /\ n = 0))%nat as [[-> ->]|[-> ->]] by lia;
    unfold taking_part, ind; simpl; destruct (Nat.eqb (f _) 0); simpl; ring.
Qed.
Lemma weights_exchangeable : exchangeable P (agree (with_jitter d K J t)) 2 (taking_part d K J t).
Proof.
  split; try (intros; exact Logic.I).
  - exact taking_sum.
  - intros m n _ _. now rewrite !(heads_mean d K J T Hd HK HJ).
  - intros m n _ _. rewrite !(E_same P _ _ (fun f => taking_square f _)). now rewrite !(heads_mean d K J T Hd HK HJ).
  - intros m n m' n' Hm Hn Hm' Hn' N N'. rewrite (E_same P _ (fun _ => 0)) by (intros; now apply taking_pair).
    symmetry. rewrite (E_same P _ (fun _ => 0)) by (intros; now apply taking_pair). reflexivity.
  - intros X KX. apply (after d K J T HK (with_jitter d K J t)); [exact KX|now apply part_is_new].
Qed.
Lemma kappa_is_one : kappa_of P 2 (taking_part d K J t) = 1.
Proof.
  unfold kappa_of. rewrite (E_same P _ (fun _ => 1)).
  - rewrite E_const. simpl. field.
  - intros f. rewrite (sum_ext 2 _ (taking_part d K J t f)) by (intros; apply taking_square). apply taking_sum.
Qed.
Lemma table_is_noisy : table_noise P (agree (with_hash d K J t)) J K sc (hash_at d K J sc t) (cells_at d K J sc t).
Proof.
  assert (New : forall a c, (a < J)%nat -> (c < K)%nat ->
    depends (outside (with_hash d K J t)) (fun f => cells_at d K J sc t f a c)).
  { intros a c Ha Hc f g H. unfold cells_at. f_equal.
    refine (toss_depends _ _ _ f g H). now apply noise_new. }
  split.
  - intros a c X Ha Hc KX _. split; [exact Logic.I|].
    rewrite (E_same P _ (fun f => X f * cells_at d K J sc t f a c)) by (intros; ring).
    rewrite (product d K J T HK (with_hash d K J t)) by auto. unfold cells_at. rewrite E_scale by exact Logic.I.
    rewrite (toss_mean d K J T Hd HK HJ) by (auto; unfold width; lia). ring.
  - intros a c a' c' X Ha Hc Ha' Hc' KX _. split; [exact Logic.I|].
    rewrite (E_same P _ (fun f => X f * (cells_at d K J sc t f a c * cells_at d K J sc t f a' c'))) by (intros; ring).
    rewrite (product d K J T HK (with_hash d K J t)); [|exact KX|].
    + rewrite (cells_pair d K J T sc Hd HK HJ) by auto. ring.
    + intros f g H. now rewrite (New a c Ha Hc f g H), (New a' c' Ha' Hc' f g H).
  - intros f g H a l. now apply (hash_is_known d K J sc).
  - intros a f l Ha Hl. unfold hash_at. destruct (Nat.ltb_spec a J); [|lia]. simpl.
    destruct (Nat.ltb_spec l d); [|lia]. apply Nat.mod_upper_bound. lia.
Qed.
Lemma made_price (z : Rd d) :
  spread_form d (fun _ _ => / INR K / INR J) delta z <= (INR d - 1) / (INR J * INR K) * ‖z‖².
Proof.
  assert (PJ : 0 < INR J) by now apply lt_0_INR. assert (PK : 0 < INR K) by now apply lt_0_INR.
  rewrite isotropic_spread. right. field. split; lra.
Qed.
Theorem made_fits : sketched_fits made.
Proof.
  assert (Sy : symmetric_matrix d delta) by (intros i j _ _; apply delta_sym).
  assert (PJ : 0 < INR J) by now apply lt_0_INR. assert (PK : 0 < INR K) by now apply lt_0_INR.
  assert (D1 : 1 <= INR d) by (change 1 with (INR 1); apply le_INR; lia).
  split; try (intros; exact Logic.I).
  - exact HJ.
  - cbn. lra.
  - cbn. apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. nra.
  - exact Sy.
  - intros z. change (⟨z, times_matrix delta z⟩ <= 1 * ‖z‖²). rewrite identity_form. right. ring.
  - exact quadratic.
  - intros a Ha. cbn in Ha |- *. change (hash_row P d (fun _ _ => / INR K) (hash_at d K J sc t a)).
    replace (hash_at d K J sc t a) with (row_of d K sc (row_at J t a)).
    + apply row_of_is_a_hash. apply (row_exists d K J T Hd HK HJ); auto; lia.
    + apply functional_extensionality; intros f. unfold hash_at. apply Nat.ltb_lt in Ha. now rewrite Ha.
  - exact made_price.
  - intros a b Ha Hb N. cbn in Ha, Hb |- *. pose proof Ha as Ha'. pose proof Hb as Hb'.
    apply Nat.ltb_lt in Ha', Hb'. unfold hash_at. rewrite Ha', Hb'.
    apply (independent_rows_in_pairs (Rd d) _ P (all_rows J T) (row_of d K sc)).
    + apply rows_are_independent.
    + apply (row_exists d K J T Hd HK HJ); auto; lia.
    + apply (row_exists d K J T Hd HK HJ); auto; lia.
    + unfold row_at. lia.
  - intros X KX. apply (after d K J T HK (with_coin d K J t)); [exact KX|now apply hash_is_new].
  - exact weights_exchangeable.
  - exact table_is_noisy.
  - intros f g H m Hm. apply H. now apply jitter_in.
  - intros f g H m Hm. apply H. now apply coin_in.
  - intros f g H. apply x_old. intros m Hm. apply H. now apply earlier_in.
  - exact y_old.
  - intros f g H. now apply (part_is_known d K J t).
  - split; intros; exact Logic.I.
Qed.

(** What comes out is known in the next round. *)
Lemma next_depends : depends (earlier d K J (S t)) (finish (round_of made)).
Proof.
  assert (Ey : forall m f g, (m < 2)%nat -> agree (earlier d K J (S t)) f g -> y m f = y m g).
  { intros m f g Hm H. apply y_old; auto. intros l Hl. apply H. now apply jitter_next. }
  intros f g H.
  assert (Ex : x f = x g) by (apply x_old; intros m Hm; apply H; now apply earlier_next).
  assert (Ep : taking_part d K J t f = taking_part d K J t g)
    by (apply part_is_known; intros m Hm; apply H; now apply coin_next).
  assert (Eh : forall a, hash_at d K J sc t a f = hash_at d K J sc t a g)
    by (intros a; now apply (hash_before_next d K J sc Hd HK HJ t a)).
  set (out := fun h : nat -> nat => (x h
    + times_matrix (decoder J (fun a => hash_at d K J sc t a h)) (vsum 2 (fun m => (taking_part d K J t h m *: y m h)%V))
    + noise_readout J (fun a => hash_at d K J sc t a h) (cells_at d K J sc t h))%V : Rd d).
  change (out f = out g). unfold out. rewrite Ex, Ep.
  rewrite (vsum_ext _ 2 _ (fun m => (taking_part d K J t g m *: y m g)%V)) by (intros; now rewrite (Ey _ f g)).
  replace (fun a => hash_at d K J sc t a f) with (fun a => hash_at d K J sc t a g)
    by (apply functional_extensionality; intros; now rewrite Eh).
  f_equal. apply functional_extensionality; intros i. apply avg_ext; intros a Ha. f_equal.
  refine (cell_before_next d K J sc Hd HK HJ t a _ Ha _ f g H). unfold hash_at.
  apply Nat.ltb_lt in Ha. rewrite Ha. simpl. destruct (Nat.ltb_spec i d); [apply Nat.mod_upper_bound; lia|lia].
Qed.
End Round.
