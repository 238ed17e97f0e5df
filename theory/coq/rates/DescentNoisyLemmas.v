(** * Descent with noise: the letters as vectors of L²(chance) *)
From Coq Require Import Reals Lra Lia Arith Bool.
From FPS.tools Require Import Smooth.
From FPS.rates Require Import Forms Descent DescentFormsLemmas DescentSumLemmas DescentPointsLemmas.
Open Scope R_scope.

Ltac cases := repeat match goal with
  | |- context [?x <? ?y] => destruct (Nat.ltb_spec x y); try lia
  | |- context [?x =? ?y] => destruct (Nat.eqb_spec x y); try lia end.

Section Letters.
Variables (k : numbers) (r : round).
Variables (G b sigma : R).
Hypothesis ok : fits k r G b sigma.
Local Notation W := (L2 (chance r)).

Definition raw (m p : nat) (o : Omega r) : V r :=
  if p <? Es k then grad r m (local k r m p o)
  else if p =? Es k then grad r m (finish k r o)
  else if p <? 2 * Es k + 1 then beta r m (p - (Es k + 1)) o
  else if p <? 3 * Es k + 1 then zeta r m (p - (2 * Es k + 1)) o else zero.
Lemma sq_raw m p : (m < M r)%nat -> sq (chance r) (raw m p).
Proof.
  intros Hm. unfold raw. cases.
  - now apply (sq_grad k r G b sigma ok).
  - now apply (sq_finish k r G b sigma ok).
  - apply (sq_beta k r G b sigma ok). split; lia.
  - apply (sq_zeta k r G b sigma ok). split; lia.
  - apply sq_zero.
Qed.
Definition letter (m p : nat) : W :=
  match lt_dec m (M r) with left H => exist _ (raw m p) (sq_raw m p H) | right _ => zero end.
Lemma letter_at m p o : (m < M r)%nat -> at_ (letter m p) o = raw m p o.
Proof. intros Hm. unfold letter. destruct (lt_dec m (M r)); [reflexivity|lia]. Qed.
Lemma letter_inner m m' p p' : (m < M r)%nat -> (m' < M r)%nat ->
  ⟨letter m p, letter m' p'⟩ = chance r (fun o => ⟨raw m p o, raw m' p' o⟩).
Proof. intros Hm Hm'. rewrite L2_inner. apply E_same; intros. now rewrite !letter_at. Qed.
Definition place (m i : nat) (o : Omega r) : V r := if i <? Es k then local k r m i o else finish k r o.
Lemma raw_grad m i o : (i <= Es k)%nat -> raw m i o = grad r m (place m i o).
Proof. intros. unfold raw, place. cases; reflexivity. Qed.
Lemma raw_bias m e o : (e < Es k)%nat -> raw m (Es k + 1 + e) o = beta r m e o.
Proof. intros. unfold raw. cases. f_equal; lia. Qed.
Lemma raw_noise m e o : (e < Es k)%nat -> raw m (2 * Es k + 1 + e) o = zeta r m e o.
Proof. intros. unfold raw. cases. f_equal; lia. Qed.

(** ** Points *)
Lemma moved_at (u : nat -> W) e o : at_ (moved k u e) o = moved k (fun p => at_ (u p) o) e.
Proof. induction e as [|e IH]; [reflexivity|]. cbn [moved]. rewrite <- IH. reflexivity. Qed.
Lemma own_place m e o : (e <= Es k)%nat -> same (moved k (fun p => raw m p o) e) (local k r m e o - start r
  o)%V.
Proof.
  apply (moved_same k (fun p => raw m p o) (fun e => local k r m e o)); [reflexivity|]. intros j Hj z.
  cbn [local].
  unfold bias, noise. rewrite raw_bias, raw_noise, raw_grad by lia. unfold place.
  destruct (Nat.ltb_spec j (Es k)); [|lia]. expand. ring.
Qed.
Lemma middle_at p o : at_ (middle W (M r) letter p) o = vmean (M r) (fun m => raw m p o).
Proof.
  unfold middle, vmean. change (at_ (/ INR (M r) *: vsum (M r) (fun m => letter m p))%V o)
    with (/ INR (M r) *: at_ (vsum (M r) (fun m => letter m p)) o)%V.
  rewrite L2_vsum. f_equal. apply vsum_ext; intros. now apply letter_at.
Qed.
Lemma moved_ext {U : space} (u u' : nat -> U) e : (forall p, u p = u' p) -> moved k u e = moved k u' e.
Proof. intros H. induction e as [|e IH]; [reflexivity|]. cbn [moved]. unfold bias, noise. now rewrite IH, !H.
Qed.
Lemma node_place m i o : (m < M r)%nat -> (i <= Es k)%nat ->
  same (at_ (node k W (M r) letter m i) o) (place m i o - start r o)%V.
Proof.
  intros Hm Hi z. unfold node, place. destruct (Nat.ltb_spec i (Es k)).
  - rewrite moved_at, (moved_ext _ (fun p => raw m p o)) by (intros; now apply letter_at).
    apply own_place; lia.
  - replace i with (Es k) by lia. rewrite moved_at, (moved_ext _ (middle (V r) (M r) (fun m p => raw m p o)))
      by (intros; apply middle_at).
    destruct (moved_splits k (V r) (M r) (some_device r) (fun m p => raw m p o) (Es k)) as [S Z].
    specialize (Z z).
    rewrite (avg_ext _ _ (fun m => ⟨local k r m (Es k) o, z⟩ + (- ⟨start r o, z⟩
      + -1 * ⟨moved k (middle (V r) (M r) (fun m p => raw m p o)) (Es k), z⟩))) in Z.
    + rewrite !avg_add, !avg_const in Z by apply some_device. unfold finish.
      rewrite inner_add, inner_scale, inner_vmean. lra.
    + intros m' Hm'. pose proof (S m' z Hm') as S'. cbv beta in S'.
      rewrite (own_place m' (Es k) o (Nat.le_refl _) z) in S'.
      rewrite inner_add, inner_scale in S'. lra.
Qed.

(** ** Interpolation in the mean *)
Lemma gap_mean th L (xi xj gi gj : W) :
  int (chance r) (fun o => gap th L (at_ xi o) (at_ xj o) (at_ gi o) (at_ gj o)) /\
  gap th L xi xj gi gj = chance r (fun o => gap th L (at_ xi o) (at_ xj o) (at_ gi o) (at_ gj o)).
Proof.
  set (x := (xi - xj)%V). set (g := (gi - gj)%V). set (s := / (2 * (1 + th))).
  set (Y := fun o => ⟨at_ gj o, at_ x o⟩ + s * (/ L * ‖(at_ g o)‖² + (- (th * L) * ‖(at_ x o)‖² + 2 * th *
    ⟨at_ g o, at_ x o⟩))).
  assert (I1 : int (chance r) (fun o => - (th * L) * ‖(at_ x o)‖² + 2 * th * ⟨at_ g o, at_ x o⟩))
    by (apply int_add; apply int_scale, L2_int).
  assert (I2 : int (chance r) (fun o => / L * ‖(at_ g o)‖² + (- (th * L) * ‖(at_ x o)‖² + 2 * th * ⟨at_ g o,
    at_ x o⟩)))
    by (apply (int_add _ (fun o => / L * ‖(at_ g o)‖²)); auto; apply int_scale, L2_int).
  assert (Eq : forall o, Y o = gap th L (at_ xi o) (at_ xj o) (at_ gi o) (at_ gj o)).
  { intros o. unfold Y, gap, s, x, g. change (at_ (xi - xj)%V o) with (at_ xi o - at_ xj o)%V.
    change (at_ (gi - gj)%V o) with (at_ gi o - at_ gj o)%V. unfold Rdiv. ring. }
  split.
  - apply (int_same (chance r) Y _ Eq). apply (int_add _ (fun o => ⟨at_ gj o, at_ x o⟩));
      [apply L2_int|now apply int_scale].
  - rewrite <- (E_same (chance r) _ _ Eq). unfold Y.
    rewrite (E_add _ (fun o => ⟨at_ gj o, at_ x o⟩)), E_scale; auto using L2_int, int_scale.
    rewrite (E_add _ (fun o => / L * ‖(at_ g o)‖²)), (E_add _ (fun o => - (th * L) * ‖(at_ x o)‖²)), !E_scale;
      auto using L2_int, int_scale.
    rewrite <- !L2_inner. unfold gap. fold x g s. unfold Rdiv. fold s. ring.
Qed.
Lemma int_place m i : (m < M r)%nat -> (i <= Es k)%nat -> int (chance r) (fun o => loss r m (place m i o)).
Proof.
  intros Hm Hi. unfold place. destruct (Nat.ltb_spec i (Es k)).
  - apply (int_loss k r G b sigma ok); split; auto.
  - now apply (int_finish k r G b sigma ok).
Qed.
Lemma gap_values m i j : 0 < L k -> -1 < theta k -> (m < M r)%nat -> (i <= Es k)%nat -> (j <= Es k)%nat ->
  gap (theta k) (L k) (node k W (M r) letter m i) (node k W (M r) letter m j) (letter m i) (letter m j) <=
  chance r (fun o => loss r m (place m i o)) - chance r (fun o => loss r m (place m j o)).
Proof.
  intros HL Ht Hm Hi Hj.
  destruct (gap_mean (theta k) (L k) (node k W (M r) letter m i) (node k W (M r) letter m j) (letter m i)
    (letter m j))
    as [I ->].
  unfold Rminus. rewrite <- (Rmult_1_l (chance r (fun o => loss r m (place m j o)))), Ropp_mult_distr_l,
    <- E_scale, <- E_add; auto using int_place, int_scale.
  apply E_mono; auto using int_add, int_place, int_scale. intros o _.
  rewrite (gap_same _ _ _ _ _ _ _ _ _ (node_place m i o Hm Hi) (node_place m j o Hm Hj)), !letter_at,
    !raw_grad by auto.
  pose proof (interpolation_inequality _ _ _ _ _ HL Ht (A1 k r G b sigma ok m Hm) (place m i o) (place m j
    o)). lra.
Qed.

(** ** What a device knows before a step *)
Lemma past_before m e j o o' : (j <= e)%nat -> past r m e o o' -> past r m j o o'.
Proof.
  induction 1 as [|e Hj IH]; auto. intros H. apply IH. now apply (past_of_step k r G b sigma ok).
Qed.
Lemma local_known m e : (m < M r)%nat -> (e <= Es k)%nat -> known r (past r m e) (local k r m e).
Proof.
  intros Hm. induction e as [|e IH]; intros He o o' p; cbn [local];
    [now apply (start_known k r G b sigma ok m)|].
  assert (St : step k r m e) by (split; lia).
  assert (p' : past r m e o o') by now apply (past_of_step k r G b sigma ok).
  rewrite (IH ltac:(lia) o o' p'), (A2_bias_known k r G b sigma ok m e St o o' p'),
    (zeta_known k r G b sigma ok m e St o o' p),
    (start_known k r G b sigma ok m o o' (past_before m (S e) 0 o o' ltac:(lia) p)). reflexivity.
Qed.
Lemma raw_known m e p : step k r m e -> (p < letters k)%nat -> in_past k e p = true ->
  known r (past r m e) (raw m p).
Proof.
  intros [Hm He] Hp P o o' past_. unfold in_past in P. unfold letters in Hp.
  rewrite !orb_true_iff, !andb_true_iff, !Nat.leb_le, Nat.ltb_lt in P. destruct P as [[P|[P1 P2]]|[P1 P2]].
  - rewrite !raw_grad by lia. unfold place. destruct (Nat.ltb_spec p (Es k)); [|lia].
    now rewrite (local_known m p Hm ltac:(lia) o o' (past_before m e p o o' P past_)).
  - replace p with (Es k + 1 + (p - (Es k + 1)))%nat by lia. rewrite !raw_bias by lia.
    apply (A2_bias_known k r G b sigma ok); [split; lia|]. apply (past_before m e); auto. lia.
  - replace p with (2 * Es k + 1 + (p - (2 * Es k + 1)))%nat by lia. rewrite !raw_noise by lia.
    apply (zeta_known k r G b sigma ok); [split; lia|]. apply (past_before m e); auto. lia.
Qed.
Lemma own_orthogonal m e p : step k r m e -> (p < letters k)%nat -> in_past k e p = true ->
  ⟨noise k (letter m) e, letter m p⟩ = 0.
Proof.
  intros St Hp P. pose proof St as [Hm He]. unfold noise. rewrite letter_inner by auto.
  rewrite (E_same _ _ (fun o => ⟨zeta r m e o, raw m p o⟩)) by (intros; now rewrite raw_noise).
  apply (A2_mean_zero k r G b sigma ok); auto using sq_raw, raw_known.
Qed.

(** ** Orthogonality between devices *)
Lemma others_orthogonal m m' e p : step k r m e -> (m' < M r)%nat -> m <> m' -> (p < letters k)%nat ->
  elsewhere k e p = true -> ⟨noise k (letter m) e, letter m' p⟩ = 0.
Proof.
  intros St Hm' Ne Hp P. pose proof St as [Hm He]. unfold noise. rewrite letter_inner by auto.
  rewrite (E_same _ _ (fun o => ⟨zeta r m e o, raw m' p o⟩)) by (intros; now rewrite raw_noise).
  unfold elsewhere in P. unfold letters in Hp.
  rewrite !orb_true_iff, !andb_true_iff, orb_true_iff, andb_true_iff, !Nat.leb_le, !Nat.ltb_lt,
    !Nat.eqb_eq in P.
  destruct P as [[[->| ->]|[[Pu P1] P2]]|[Pi P1]].
  - apply (A2_mean_zero k r G b sigma ok); auto using sq_raw. intros o o' p. rewrite !raw_grad by lia.
    unfold place.
    destruct (Nat.ltb_spec 0 (Es k)); [|lia]. cbn [local].
    now rewrite (start_known k r G b sigma ok m o o' (past_before m e 0 o o' ltac:(lia) p)).
  - apply (A2_mean_zero k r G b sigma ok); auto using sq_raw. intros o o' p.
    replace (Es k + 1)%nat with (Es k + 1 + 0)%nat by lia.
    rewrite !raw_bias by lia. apply (A2_bias_known k r G b sigma ok); [split; lia|].
    apply (start_shared k r G b sigma ok m). now apply (past_before m e); [lia|].
  - destruct (A2_uncorrelated k r G b sigma ok Pu) as [_ H].
    erewrite E_same; [apply (H m m' e (p - (2 * Es k + 1))%nat); auto; split; lia|]. intros o. cbv beta.
    replace p with (2 * Es k + 1 + (p - (2 * Es k + 1)))%nat at 1 by lia. now rewrite raw_noise by lia.
  - destruct (A2_independent k r G b sigma ok Pi) as [_ H]. destruct P1 as [P1|[P1 P2]].
    + erewrite E_same; [apply (proj1 (H m m' e p ltac:(split; lia) ltac:(split; lia) Ne))|]. intros o.
      cbv beta. rewrite raw_grad by lia. unfold place.
      destruct (Nat.ltb_spec p (Es k)); [reflexivity|lia].
    + erewrite E_same;
        [apply (proj2 (H m m' e (p - (Es k + 1))%nat ltac:(split; lia) ltac:(split; lia) Ne))|]. intros o.
        cbv beta.
      replace p with (Es k + 1 + (p - (Es k + 1)))%nat at 1 by lia. now rewrite raw_bias by lia.
Qed.
Lemma avg_diagonal (n m : nat) (X : nat -> R) : (m < n)%nat -> (forall m', (m' < n)%nat -> m <> m' -> X m' =
  0) ->
  avg n X = / INR n * X m.
Proof.
  intros Hm H. unfold avg. f_equal. rewrite <- (sum_pick n m X Hm). apply sum_ext; intros i Hi.
  destruct (Nat.eqb_spec i m) as [->|Ne]; [ring|]. rewrite H by auto. ring.
Qed.
Lemma across_devices e p : (e < Es k)%nat -> (p < letters k)%nat -> elsewhere k e p = true ->
  ⟨noise k (middle W (M r) letter) e, middle W (M r) letter p⟩ =
  share k e p * avg (M r) (fun m => ⟨noise k (letter m) e, letter m p⟩).
Proof.
  intros He Hp P.
  assert (D : ⟨noise k (middle W (M r) letter) e, middle W (M r) letter p⟩ =
    / INR (M r) * avg (M r) (fun m => ⟨noise k (letter m) e, letter m p⟩)).
  { unfold noise at 1. unfold middle at 1. rewrite inner_vmean, <- avg_scale. apply avg_ext; intros m Hm.
    unfold middle. rewrite inner_sym, inner_vmean.
    rewrite (avg_diagonal (M r) m _ Hm); [f_equal; apply inner_sym|]. intros m' Hm' Ne. rewrite inner_sym.
    apply others_orthogonal; auto. split; auto. }
  rewrite D. unfold share. destruct (in_past k e p) eqn:Q.
  - replace (avg _ _) with 0; [ring|]. rewrite <- (avg_const (M r) (some_device r) 0) at 1.
    apply avg_ext; intros m Hm.
    symmetry. apply own_orthogonal; auto. split; auto.
  - f_equal. unfold elsewhere, in_past in *. unfold letters in Hp.
    rewrite !orb_true_iff, !andb_true_iff, !Nat.eqb_eq in P. destruct P as [[[->| ->]|[[Pu _] _]]|[Pi _]].
    + discriminate.
    + exfalso. rewrite !orb_false_iff, !andb_false_iff, !Nat.leb_nle in Q. lia.
    + symmetry. apply (A2_uncorrelated k r G b sigma ok Pu).
    + symmetry. apply (A2_independent k r G b sigma ok Pi).
Qed.
End Letters.
