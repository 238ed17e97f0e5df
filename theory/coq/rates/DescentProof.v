(** * Descent: proofs *)
From Coq Require Import Reals Lra Lia Arith Bool.
From FPS.tools Require Import Smooth.
From FPS.rates Require Import Forms Descent DescentFormsLemmas DescentSumLemmas DescentPointsLemmas
  DescentPlainLemmas.
From FPS.rates Require Import DescentNoisyLemmas.
Open Scope R_scope.

Theorem interpolation : Interpolation.
Proof. exact interpolation_inequality. Qed.
Theorem descent_without_noise : Descent_Without_Noise.
Proof. exact plain_descent. Qed.

(** A mean over chance of a mean over devices is a mean over devices. *)
Lemma swap_means (r : round) (X : nat -> Omega r -> R) : (forall m, (m < M r)%nat -> int (chance r) (X m)) ->
  chance r (fun o => avg (M r) (fun m => X m o)) = avg (M r) (fun m => chance r (X m)).
Proof. intros H. unfold avg. rewrite E_scale, E_sum; auto. now apply int_sum. Qed.

Theorem descent : Descent.
Proof.
  intros k a cert r G b sigma ok. pose proof (steps k a cert) as HE.
  set (u := letter k r G b sigma ok).
  set (phi := fun i => avg (M r) (fun m => chance r (fun o => loss r m (place k r m i o)))).
  assert (P0 : forall m o, place k r m 0 o = start r o) by (intros; unfold place;
    now destruct (Nat.ltb_spec 0 (Es k)); [|lia]).
  assert (P1 : forall m o, place k r m (Es k) o = finish k r o)
    by (intros; unfold place; destruct (Nat.ltb_spec (Es k) (Es k)); [lia|reflexivity]).
  assert (In : forall m i, (m < M r)%nat -> (i <= Es k)%nat ->
    int (chance r) (fun o => loss r m (place k r m i o)))
    by (intros; now apply (int_place k r G b sigma ok)).
  assert (Fi : forall i, (i <= Es k)%nat -> phi i = chance r (fun o => avg (M r) (fun m => loss r m (place k
    r m i o))))
    by (intros; unfold phi; rewrite (swap_means r (fun m o => loss r m (place k r m i o))); auto).
  assert (F0 : chance r (fun o => f r (start r o)) = phi O).
  { rewrite Fi by lia. apply E_same; intros o. apply avg_ext; intros. now rewrite P0. }
  assert (F1 : chance r (fun o => f r (finish k r o)) = phi (Es k)).
  { rewrite Fi by lia. apply E_same; intros o. apply avg_ext; intros. now rewrite P1. }
  assert (Sq : forall m p, (m < M r)%nat -> ‖(u m p)‖² = chance r (fun o => ‖(raw k r m p o)‖²))
    by (intros; now apply letter_inner).
  assert (Mid : forall i, (i <= Es k)%nat -> ‖(middle (L2 (chance r)) (M r) u i)‖² =
    chance r (fun o => ‖(vmean (M r) (fun m => grad r m (place k r m i o)))‖²)).
  { intros i Hi. rewrite L2_inner. apply E_same; intros o. unfold u. rewrite middle_at.
    rewrite (same_square _ _ (vmean (M r) (fun m => grad r m (place k r m i o)))); [reflexivity|].
    intro z. rewrite !inner_vmean. apply avg_ext; intros. now rewrite raw_grad. }
  assert (Grads : forall i, (i <= Es k)%nat -> avg (M r) (fun m => ‖(u m i)‖²) =
    chance r (fun o => avg (M r) (fun m => ‖(grad r m (place k r m i o))‖²))).
  { intros i Hi. rewrite (swap_means r (fun m o => ‖(grad r m (place k r m i o))‖²)).
    - apply avg_ext; intros m Hm. rewrite Sq by auto. apply E_same; intros. now rewrite raw_grad.
    - intros m Hm. apply (int_same _ (fun o => ‖(raw k r m i o)‖²)); [intros; now rewrite raw_grad|].
      apply sq_inner; now apply (sq_raw k r G b sigma ok). }
  replace (chance r (fun o => ‖(grad_f r (start r o))‖²)) with ‖(middle (L2 (chance r)) (M r) u O)‖².
  2:{ rewrite Mid by lia. apply E_same; intros o. unfold grad_f, vmean.
      rewrite (vsum_ext _ _ (fun m => grad r m (place k r m 0 o)) (fun m => grad r m (start r o))); auto.
      intros; now rewrite P0. }
  rewrite F0, F1. apply (descent_of_letters k a cert (L2 (chance r)) (M r) (some_device r) u phi (G ^ 2) (b ^
    2) (sigma ^ 2)).
  - intros i j Hi Hj. unfold phi, Rminus. rewrite <- (Rmult_1_l (avg _ (fun m => chance r (fun o => loss r m
      (place k r m j o))))),
      Ropp_mult_distr_l, <- avg_scale, <- avg_add. apply avg_mono; [apply some_device|]. intros m Hm.
    pose proof (gap_values k r G b sigma ok m i j (L_pos k a cert) (theta_above k a cert) Hm Hi Hj) as H.
    fold u in H. lra.
  - rewrite Mid, Grads by lia. pose proof (A3_start k r G b sigma ok) as H.
    erewrite E_same; [eapply Rle_trans; [exact H|right; do 2 f_equal]|].
    + apply E_same; intros o. unfold grad_f, vmean.
      rewrite (vsum_ext _ _ (fun m => grad r m (start r o)) (fun m => grad r m (place k r m 0 o))); auto.
      intros; now rewrite P0.
    + intros o. cbv beta. apply avg_ext; intros. now rewrite P0.
  - rewrite Mid, Grads by lia. pose proof (A3_finish k r G b sigma ok) as H.
    erewrite E_same; [eapply Rle_trans; [exact H|right; do 2 f_equal]|].
    + apply E_same; intros o. unfold grad_f, vmean.
      rewrite (vsum_ext _ _ (fun m => grad r m (finish k r o)) (fun m => grad r m (place k r m (Es k) o)));
        auto.
      intros; now rewrite P1.
    + intros o. cbv beta. apply avg_ext; intros. now rewrite P1.
  - intros e He. rewrite <- avg_scale, <- (avg_const (M r) (some_device r) (b ^ 2)), <- avg_add.
    apply avg_mono; [apply some_device|]. intros m Hm. unfold bias. rewrite !Sq by auto.
    pose proof (A2_bias k r G b sigma ok m e (conj Hm He)) as H.
    erewrite E_same; [eapply Rle_trans; [exact H|right; do 2 f_equal]|].
    + apply E_same; intros o. rewrite raw_grad by lia. unfold place.
      now destruct (Nat.ltb_spec e (Es k)); [|lia].
    + intros o. cbv beta. now rewrite raw_bias.
  - intros e He. rewrite <- avg_scale, <- (avg_const (M r) (some_device r) (sigma ^ 2)), <- avg_add.
    apply avg_mono; [apply some_device|]. intros m Hm. unfold noise. rewrite !Sq by auto.
    pose proof (A2_noise k r G b sigma ok m e (conj Hm He)) as H.
    erewrite E_same; [eapply Rle_trans; [exact H|right; do 2 f_equal]|].
    + apply E_same; intros o. rewrite raw_grad by lia. unfold place.
      now destruct (Nat.ltb_spec e (Es k)); [|lia].
    + intros o. cbv beta. now rewrite raw_noise.
  - intros m p Hm Hp Q. apply L2_same. intros o _. unfold u. rewrite letter_at by auto.
    change (at_ (zero : L2 (chance r)) o) with (zero : V r). unfold present in Q. unfold letters in Hp.
    destruct (Nat.leb_spec p (Es k)); [discriminate|]. cbn [orb] in Q. destruct (Nat.leb_spec p (2 * Es k)).
    + replace p with (Es k + 1 + (p - (Es k + 1)))%nat by lia. rewrite raw_bias by lia.
      apply (A2_no_bias k r G b sigma ok Q). split; lia.
    + replace p with (2 * Es k + 1 + (p - (2 * Es k + 1)))%nat by lia. rewrite raw_noise by lia.
      apply (A2_no_noise k r G b sigma ok Q). split; lia.
  - intros e p He Hp Q. rewrite <- (avg_const (M r) (some_device r) 0). apply avg_ext; intros m Hm.
    apply own_orthogonal; auto. split; auto.
  - intros e p He Hp Q. now apply across_devices.
  - exact (one k r G b sigma ok).
Qed.
