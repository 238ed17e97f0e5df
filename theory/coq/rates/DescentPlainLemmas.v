(** * Descent without noise *)
From Coq Require Import Reals Lra Lia Arith Bool.
From FPS.tools Require Import Smooth.
From FPS.rates Require Import Forms Descent DescentFormsLemmas DescentSumLemmas DescentPointsLemmas.
Open Scope R_scope.

Section Plain.
Variables (k : numbers) (r : plain_round).
Definition letter (m p : nat) : pV r :=
  if p <? Es k then p_grad r m (p_local k r m p)
  else if p =? Es k then p_grad r m (p_finish k r)
  else if p <? 2 * Es k + 1 then p_beta r m (p - (Es k + 1)) else zero.
Definition place (m i : nat) : pV r := if i <? Es k then p_local k r m i else p_finish k r.
Ltac cases := repeat match goal with
  | |- context [?x <? ?y] => destruct (Nat.ltb_spec x y); try lia
  | |- context [?x =? ?y] => destruct (Nat.eqb_spec x y); try lia end.
Lemma letter_grad m i : (i <= Es k)%nat -> letter m i = p_grad r m (place m i).
Proof. intros. unfold letter, place. cases; reflexivity. Qed.
Lemma letter_bias m e : (e < Es k)%nat -> bias k (letter m) e = p_beta r m e.
Proof. intros. unfold bias, letter. cases. f_equal; lia. Qed.
Lemma letter_noise m e : (e < Es k)%nat -> noise k (letter m) e = zero.
Proof. intros. unfold noise, letter. cases; reflexivity. Qed.

Lemma own_place m e : (e <= Es k)%nat -> same (moved k (letter m) e) (p_local k r m e - p_start r)%V.
Proof.
  apply (moved_same k (letter m) (p_local k r m)); [reflexivity|]. intros j Hj z. cbn [p_local].
  rewrite letter_bias, letter_noise, letter_grad by lia. unfold place.
  destruct (Nat.ltb_spec j (Es k)); [|lia]. expand. ring.
Qed.
Lemma node_place m i : (m < pM r)%nat -> (i <= Es k)%nat ->
  same (node k (pV r) (pM r) letter m i) (place m i - p_start r)%V.
Proof.
  intros Hm Hi z. unfold node, place. destruct (Nat.ltb_spec i (Es k)); [apply own_place; lia|].
  replace i with (Es k) by lia. destruct (moved_splits k (pV r) (pM r) (p_some r) letter (Es k)) as [S Z].
  specialize (Z z).
  rewrite (avg_ext _ _ (fun m => ⟨p_local k r m (Es k), z⟩ + (- ⟨p_start r,
    z⟩ + -1 * ⟨moved k (middle (pV r) (pM r) letter) (Es k), z⟩)))
    in Z.
  - rewrite !avg_add, !avg_const in Z by apply p_some. unfold p_finish.
    rewrite inner_add, inner_scale, inner_vmean. lra.
  - intros m' Hm'. pose proof (S m' z Hm') as S'. cbv beta in S'.
    rewrite (own_place m' (Es k) (Nat.le_refl _) z) in S'.
    rewrite inner_add, inner_scale in S'. lra.
Qed.
End Plain.

Theorem plain_descent : Descent_Without_Noise.
Proof.
  intros k a cert r G b [curves bound sim0 sim1 one].
  pose proof (steps k a cert) as HE. pose proof (P_nonneg k a cert) as [Pb Pn].
  set (phi := fun i => avg (pM r) (fun m => p_loss r m (place k r m i))).
  assert (F0 : phi O = p_f r (p_start r)).
  { apply avg_ext; intros. unfold place. destruct (Nat.ltb_spec 0 (Es k)); [reflexivity|lia]. }
  assert (F1 : phi (Es k) = p_f r (p_finish k r)).
  { apply avg_ext; intros. unfold place. destruct (Nat.ltb_spec (Es k) (Es k)); [lia|reflexivity]. }
  assert (U0 : forall m, letter k r m O = p_grad r m (p_start r)).
  { intros. rewrite letter_grad by lia. unfold place. destruct (Nat.ltb_spec 0 (Es k)); [reflexivity|lia]. }
  assert (U1 : forall m, letter k r m (Es k) = p_grad r m (p_finish k r)).
  { intros. rewrite letter_grad by lia. unfold place. destruct (Nat.ltb_spec (Es k) (Es k));
      [lia|reflexivity]. }
  assert (M0 : middle (pV r) (pM r) (letter k r) O = p_grad_f r (p_start r)).
  { unfold middle, p_grad_f, vmean. f_equal. apply vsum_ext; intros; apply U0. }
  assert (M1 : middle (pV r) (pM r) (letter k r) (Es k) = p_grad_f r (p_finish k r)).
  { unfold middle, p_grad_f, vmean. f_equal. apply vsum_ext; intros; apply U1. }
  assert (Z : forall e z, (e < Es k)%nat -> ⟨noise k (middle (pV r) (pM r) (letter k r)) e, z⟩ = 0).
  { intros e z He. unfold noise, middle. rewrite inner_vmean, <- (avg_const (pM r) (p_some r) 0).
    apply avg_ext; intros m _. change (⟨noise k (letter k r m) e, z⟩ = 0). rewrite letter_noise by auto.
    apply inner_zero. }
  rewrite <- F0, <- F1, <- M0, <- (Rplus_0_r (_ + _ * b ^ 2)).
  replace 0 with (sum (Es k) (vt a) * 0) by ring.
  apply (descent_of_letters k a cert (pV r) (pM r) (p_some r) (letter k r) phi (G ^ 2) (b ^ 2) 0).
  - intros i j Hi Hj. unfold phi, Rminus. rewrite <- (Rmult_1_l (avg _ (fun m => p_loss r m (place k r m
      j)))),
      Ropp_mult_distr_l, <- avg_scale, <- avg_add. apply avg_mono; [apply p_some|]. intros m Hm.
    rewrite (gap_same _ _ _ _ _ _ _ _ _ (node_place k r m i Hm Hi) (node_place k r m j Hm Hj)),
      !letter_grad by auto.
    pose proof (interpolation_inequality _ _ _ _ _ (L_pos k a cert) (theta_above k a cert) (curves m Hm)
      (place k r m i) (place k r m j)).
    lra.
  - rewrite M0. erewrite avg_ext; [exact sim0|]. intros; cbv beta. now rewrite U0.
  - rewrite M1. erewrite avg_ext; [exact sim1|]. intros; cbv beta. now rewrite U1.
  - intros e He. rewrite <- avg_scale, <- (avg_const (pM r) (p_some r) (b ^ 2)), <- avg_add.
    apply avg_mono; [apply p_some|]. intros m Hm. rewrite letter_bias, letter_grad by lia. unfold place.
    destruct (Nat.ltb_spec e (Es k)); [|lia]. specialize (bound m e Hm He).
    destruct (biased k); [exact bound|].
    rewrite (bound _), inner_zero. pose proof (inner_nonneg _ (p_grad r m (p_local k r m e))). nra.
  - intros e He. rewrite <- avg_scale, <- (avg_const (pM r) (p_some r) 0), <- avg_add.
    apply avg_mono; [apply p_some|]. intros m Hm. rewrite letter_noise, inner_zero by auto.
    pose proof (inner_nonneg _ (letter k r m e)). nra.
  - intros m p Hm Hp. unfold present. destruct (Nat.leb_spec p (Es k)); [discriminate|].
    cbn [orb]. unfold letter, letters in *. intros Q. destruct (Nat.ltb_spec p (Es k)); [lia|].
    destruct (Nat.eqb_spec p (Es k)); [lia|]. destruct (Nat.leb_spec p (2 * Es k)),
      (Nat.ltb_spec p (2 * Es k + 1)); try lia.
    + specialize (bound m (p - (Es k + 1))%nat Hm ltac:(lia)). now rewrite Q in bound.
    + apply same_refl.
  - intros e p He Hp _. rewrite <- (avg_const (pM r) (p_some r) 0). apply avg_ext; intros.
    rewrite letter_noise by auto. apply inner_zero.
  - intros e p He Hp _. rewrite (Z e _ He). replace (avg _ _) with 0; [ring|].
    rewrite <- (avg_const (pM r) (p_some r) 0) at 1. apply avg_ext; intros. rewrite letter_noise by auto.
    symmetry. apply inner_zero.
  - exact one.
Qed.
