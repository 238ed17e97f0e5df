(** * A descent certificate with two prices: proofs *)
From Coq Require Import Reals Lra Lia Arith Bool.
From FPS.tools Require Import Smooth.
From FPS.rates Require Import Forms Descent DescentFormsLemmas DescentSumLemmas DescentPointsLemmas
  DescentNoisyLemmas DescentProof.
From FPS.fresh Require Import Prices PricesLemmas.
From FPS.fresh Require Channel ChannelProof.
Open Scope R_scope.

Theorem prices_are_monotone : Prices_Are_Monotone.
Proof.
  intros k a omega v omega' v' [C S D] Ho Hv. split; auto.
  - intros u. pose proof (S u). pose proof (inner_nonneg _ (moved k (masked k u) (Es k))). nra.
  - destruct D as [D|D]; [now left|right]. intros u. pose proof (D u).
    pose proof (inner_nonneg _ (moved k (masked k u) (Es k))). nra.
Qed.
Theorem no_price : No_Price.
Proof.
  intros k a. split; [|now intros []]. intros C. split; auto.
  - intros u. pose proof (S_psd k a C u). lra.
  - destruct (D_psd k a C) as [D|D]; [now left|right]. intros u. pose proof (D u). lra.
Qed.

Theorem descent_with_prices : Descent_With_Prices.
Proof.
  intros k a omega v priced r G' b sigma G ok [A3_0 A3_1]. pose proof (plain k a omega v priced) as cert.
  pose proof (steps k a cert) as HE.
  set (u := letter k r G' b sigma ok).
  set (phi := fun i => avg (M r) (fun m => chance r (fun o => loss r m (place k r m i o)))).
  assert (P0 : forall m o, place k r m 0 o = start r o) by (intros; unfold place;
    now destruct (Nat.ltb_spec 0 (Es k)); [|lia]).
  assert (P1 : forall m o, place k r m (Es k) o = finish k r o)
    by (intros; unfold place; destruct (Nat.ltb_spec (Es k) (Es k)); [lia|reflexivity]).
  assert (In : forall m i, (m < M r)%nat -> (i <= Es k)%nat ->
    int (chance r) (fun o => loss r m (place k r m i o)))
    by (intros; now apply (int_place k r G' b sigma ok)).
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
      apply sq_inner; now apply (sq_raw k r G' b sigma ok). }
  assert (G0 : chance r (fun o => ‖(grad_f r (start r o))‖²) = ‖(middle (L2 (chance r)) (M r) u O)‖²).
  { rewrite Mid by lia. apply E_same; intros o. unfold grad_f, vmean.
    rewrite (vsum_ext _ _ (fun m => grad r m (place k r m 0 o)) (fun m => grad r m (start r o))); auto.
    intros; now rewrite P0. }
  assert (G1 : chance r (fun o => ‖(grad_f r (finish k r o))‖²) = ‖(middle (L2 (chance r)) (M r) u (Es k))‖²).
  { rewrite Mid by lia. apply E_same; intros o. unfold grad_f, vmean.
    rewrite (vsum_ext _ _ (fun m => grad r m (place k r m (Es k) o)) (fun m => grad r m (finish k r o))); auto.
    intros; now rewrite P1. }
  (* the displacements in letters *)
  assert (Y : forall m o, (m < M r)%nat -> same (at_ (moved k (u m) (Es k)) o) (local k r m (Es k) o - start r o)%V).
  { intros m o Hm. rewrite moved_at, (moved_ext k _ (fun p => raw k r m p o))
      by (intros; unfold u; now apply letter_at). now apply own_place. }
  assert (Yb : forall o, same (at_ (moved k (middle (L2 (chance r)) (M r) u) (Es k)) o) (finish k r o - start r o)%V).
  { intros o. pose proof (node_place k r G' b sigma ok 0 (Es k) o (some_device r) (le_n _)) as N.
    unfold node in N. rewrite Nat.ltb_irrefl in N. rewrite P1 in N. exact N. }
  assert (Q1 : chance r (fun o => ‖(finish k r o - start r o)‖²) = ‖(moved k (middle (L2 (chance r)) (M r) u) (Es k))‖²).
  { rewrite L2_inner. apply E_same; intros o. symmetry. apply same_square, Yb. }
  assert (Q2 : chance r (fun o => avg (M r) (fun m => ‖(local k r m (Es k) o - finish k r o)‖²)) =
    avg (M r) (fun m => ‖(moved k (deviation (L2 (chance r)) (M r) u m) (Es k))‖²)).
  { assert (Sd : forall m o, (m < M r)%nat -> same (at_ (moved k (deviation (L2 (chance r)) (M r) u m) (Es k)) o)
      (local k r m (Es k) o - finish k r o)%V).
    { intros m o Hm z.
      destruct (moved_splits k (V r) (M r) (some_device r) (fun m p => at_ (u m p) o) (Es k)) as [S _].
      specialize (S m z Hm). cbv beta in S. rewrite <- moved_at in S.
      rewrite (Y m o Hm z) in S.
      assert (S1 : moved k (middle (V r) (M r) (fun m p => at_ (u m p) o)) (Es k) =
        at_ (moved k (middle (L2 (chance r)) (M r) u) (Es k)) o).
      { rewrite moved_at. apply moved_ext. intros p. unfold middle, vmean.
        change (at_ (/ INR (M r) *: vsum (M r) (fun m => u m p))%V o)
          with (/ INR (M r) *: at_ (vsum (M r) (fun m => u m p)) o)%V. now rewrite L2_vsum. }
      assert (S2 : moved k (deviation (V r) (M r) (fun m p => at_ (u m p) o) m) (Es k) =
        at_ (moved k (deviation (L2 (chance r)) (M r) u m) (Es k)) o).
      { rewrite moved_at. apply moved_ext. intros p. unfold deviation, middle, vmean.
        change (at_ (u m p - / INR (M r) *: vsum (M r) (fun m => u m p))%V o)
          with (at_ (u m p) o - / INR (M r) *: at_ (vsum (M r) (fun m => u m p)) o)%V. now rewrite L2_vsum. }
      rewrite S1, S2, (Yb o z) in S. revert S. expand. lra. }
    rewrite (swap_means r (fun m o => ‖(local k r m (Es k) o - finish k r o)‖²)).
    - apply avg_ext; intros m Hm. rewrite L2_inner. apply E_same; intros o. symmetry. now apply same_square, Sd.
    - intros m Hm. refine (int_same _ _ _ _ (L2_int (moved k (deviation (L2 (chance r)) (M r) u m) (Es k))
        (moved k (deviation (L2 (chance r)) (M r) u m) (Es k)))).
      intros o. now apply same_square, Sd. }
  rewrite F0, F1, Q1, Q2, G0.
  apply (priced_descent_of_letters k a omega v priced (L2 (chance r)) (M r) (some_device r) u phi (G ^ 2) (b ^
    2) (sigma ^ 2)).
  - intros i j Hi Hj. unfold phi, Rminus. rewrite <- (Rmult_1_l (avg _ (fun m => chance r (fun o => loss r m
      (place k r m j o))))),
      Ropp_mult_distr_l, <- avg_scale, <- avg_add. apply avg_mono; [apply some_device|]. intros m Hm.
    pose proof (gap_values k r G' b sigma ok m i j (L_pos k a cert) (theta_above k a cert) Hm Hi Hj) as H.
    fold u in H. lra.
  - rewrite <- G0, Grads by lia. erewrite E_same; [exact A3_0|]. intros o. cbv beta. apply avg_ext; intros. now rewrite P0.
  - destruct A3_1 as [Z|A3_1]; [now left|right]. rewrite <- G1, Grads by lia. erewrite E_same; [exact A3_1|].
    intros o. cbv beta. apply avg_ext; intros. now rewrite P1.
  - intros e He. rewrite <- avg_scale, <- (avg_const (M r) (some_device r) (b ^ 2)), <- avg_add.
    apply avg_mono; [apply some_device|]. intros m Hm. unfold bias. rewrite !Sq by auto.
    pose proof (A2_bias k r G' b sigma ok m e (conj Hm He)) as H.
    erewrite E_same; [eapply Rle_trans; [exact H|right; do 2 f_equal]|].
    + apply E_same; intros o. rewrite raw_grad by lia. unfold place.
      now destruct (Nat.ltb_spec e (Es k)); [|lia].
    + intros o. cbv beta. now rewrite raw_bias.
  - intros e He. rewrite <- avg_scale, <- (avg_const (M r) (some_device r) (sigma ^ 2)), <- avg_add.
    apply avg_mono; [apply some_device|]. intros m Hm. unfold noise. rewrite !Sq by auto.
    pose proof (A2_noise k r G' b sigma ok m e (conj Hm He)) as H.
    erewrite E_same; [eapply Rle_trans; [exact H|right; do 2 f_equal]|].
    + apply E_same; intros o. rewrite raw_grad by lia. unfold place.
      now destruct (Nat.ltb_spec e (Es k)); [|lia].
    + intros o. cbv beta. now rewrite raw_noise.
  - intros m p Hm Hp Q. apply L2_same. intros o _. unfold u. rewrite letter_at by auto.
    change (at_ (zero : L2 (chance r)) o) with (zero : V r). unfold present in Q. unfold letters in Hp.
    destruct (Nat.leb_spec p (Es k)); [discriminate|]. cbn [orb] in Q. destruct (Nat.leb_spec p (2 * Es k)).
    + replace p with (Es k + 1 + (p - (Es k + 1)))%nat by lia. rewrite raw_bias by lia.
      apply (A2_no_bias k r G' b sigma ok Q). split; lia.
    + replace p with (2 * Es k + 1 + (p - (2 * Es k + 1)))%nat by lia. rewrite raw_noise by lia.
      apply (A2_no_noise k r G' b sigma ok Q). split; lia.
  - intros e p He Hp Q. rewrite <- (avg_const (M r) (some_device r) 0). apply avg_ext; intros m Hm.
    apply own_orthogonal; auto. split; auto.
  - intros e p He Hp Q. now apply across_devices.
  - exact (one k r G' b sigma ok).
Qed.

(** Lemma 2 for a round of local steps; its ‖ȳ‖² and its deviations are those of exact averaging. *)
Lemma transfer_of_local k (r : round) G' b sigma (H : V r -> V r) picked A noise p_pick p_hash p_noise ell omega kappa floor :
  fits k r G' b sigma ->
  let sr := sent k r H picked A noise p_pick p_hash p_noise ell omega kappa floor in
  Channel.fits sr -> (forall m, (m < M r)%nat -> Channel.known p_pick (local k r m (Es k))) ->
  let mean := chance r (fun o => ‖(finish k r o - start r o)‖²) in
  let spread := chance r (fun o => avg (M r) (fun m => ‖(local k r m (Es k) o - finish k r o)‖²)) in
  chance r (fun o => f r (Channel.finish sr o)) <= chance r (fun o => f r (finish k r o))
    + omega / 2 * mean + kappa * (ell + omega) / 2 * spread + floor / 2 /\ Channel.device_square sr = mean + spread.
Proof.
  intros ok sr F Kl mean spread.
  assert (Yb : forall o, same (Channel.ybar sr o) (finish k r o - start r o)%V).
  { intros o z. unfold Channel.ybar. cbn [Channel.M Channel.y sr sent]. rewrite inner_vmean.
    rewrite (avg_ext (M r) _ (fun m => ⟨local k r m (Es k) o, z⟩ + - ⟨start r o, z⟩)) by (intros; expand; ring).
    rewrite avg_add, (avg_const _ (some_device r)), inner_add, inner_scale. unfold finish. rewrite inner_vmean. ring. }
  assert (Ex : Channel.is_exact sr (finish k r)).
  { split.
    - intros o z. pose proof (Yb o z) as Hy. set (yb := Channel.ybar sr o : V r) in *.
      change (⟨finish k r o, z⟩ = ⟨start r o + yb, z⟩). rewrite inner_add. change (⟨yb, z⟩ = ⟨finish k r o - start r o, z⟩) in Hy.
      rewrite Hy. expand. ring.
    - intros o o' Ho. unfold finish, vmean. f_equal. apply vsum_ext; intros m Hm. now apply Kl.
    - apply sq_scale, (sq_vsum (chance r)). intros; now apply (sq_finish k r G' b sigma ok).
    - apply int_scale, (int_sum (chance r) (M r) (fun m o => loss r m (finish k r o))).
      intros; now apply (int_finish k r G' b sigma ok). }
  pose proof (ChannelProof.transfer sr (finish k r) F Ex) as T.
  assert (Q1 : Channel.mean_square sr = chance r (fun o => ‖(finish k r o - start r o)‖²)).
  { apply (E_same (chance r)); intros o. now apply same_square. }
  assert (Q2 : Channel.device_spread sr = chance r (fun o => avg (M r) (fun m => ‖(local k r m (Es k) o - finish k r o)‖²))).
  { apply (E_same (chance r)); intros o. apply avg_ext; intros m Hm. apply same_square. intro z.
    rewrite inner_add, inner_scale. cbn [Channel.y sr sent]. rewrite (Yb o z). expand. ring. }
  pose proof (ChannelProof.spread_is sr F) as Sp. change (ChannelProof.Vr sr) with (Channel.device_spread sr) in Sp.
  change (‖(ChannelProof.Ybar sr F)‖²) with (Channel.mean_square sr) in Sp.
  rewrite Q1, Q2 in T, Sp. split; [exact T|]. fold mean spread in Sp. lra.
Qed.
Theorem theorem_s_one_round : Theorem_S_One_Round.
Proof.
  intros k a omega ell kappa priced r G' b sigma G H picked A noise p_pick p_hash p_noise floor ok A3 sr F Kl.
  pose proof (descent_with_prices k a omega (kappa * (ell + omega)) priced r G' b sigma G ok A3) as D.
  destruct (transfer_of_local k r G' b sigma H picked A noise p_pick p_hash p_noise ell omega kappa floor ok F Kl) as [T _].
  fold sr in T. lra.
Qed.
