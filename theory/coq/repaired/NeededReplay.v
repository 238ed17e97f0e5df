(** * A run in which two devices replay each other's noise one step later

    f = w²/2, two devices, two local steps, γ = 1/50, 100 rounds from 0. In round t device 0 meets the coins
    2t and 2t + 1 in this order, device 1 in the other. At equal steps their noises are independent, and each
    device's own noise is fresh; but a coin of device 0 comes back on device 1, so the mean noise of a round
    is twice as large as ν = 1/2 says. *)
From Coq Require Import Reals Lra Lia.
From FPS.repaired Require Import Setting Drift DriftRecursion TheoremA Range Needed SureRuns Coins NeededTools
  NeededSure
  RangeProof.
Open Scope R_scope.

(* An expectation over 200 coins must never be computed. *)
Local Opaque flip.
(** The coin of device m in step e of a round, and what two outcomes with the same past share *)
Definition which (m e : nat) : nat := match m, e with O, O => 0 | O, _ => 1 | _, O => 1 | _, _ => 0 end.
Definition same_past (t m e : nat) (o o' : outcome) : Prop :=
  (forall i, (i < 2 * t)%nat -> o i = o' i) /\
  forall e', (e' < e)%nat -> o (2 * t + which m e')%nat = o' (2 * t + which m e')%nat.
(** w_{t+1} = a w_t − c(coin 2t + coin 2t+1) with a = (1−γ)², c = γ(2−γ)/2 *)
Definition a : R := (49 / 50) ^ 2.
Definition c : R := 99 / 5000.
Fixpoint walk (t : nat) (o : outcome) : R :=
  match t with O => 0 | S k => a * walk k o - c * (sign (o (2 * k)%nat) + sign (o (2 * k + 1)%nat)) end.
Definition replayed : run := line_run outcome (coins 200) 99 1 1 (fun _ x => 1 * (x - 0) ^ 2 / 2)
  (fun _ x => 1 * (x - 0))
  (1 / 50) 0 0 walk (fun _ _ _ _ => 0) (fun t m e o => sign (o (2 * t + which m e)%nat)) same_past
  1 0 0 0 1 0 1 (/ INR 2) 0.

(** ** The walk depends on earlier coins only *)
Lemma walk_known t : forall o o', (forall i, (i < 2 * t)%nat -> o i = o' i) -> walk t o = walk t o'.
Proof.
  induction t as [|t IH]; intros o o' H; cbn [walk]; [reflexivity|].
  rewrite (IH o o') by (intros; apply H; lia). now rewrite !H by lia.
Qed.
Lemma walk_free t k s o : (2 * t <= k)%nat -> walk t (turn k s o) = walk t o.
Proof. intros H. apply walk_known. intros i Hi. apply turn_other. lia. Qed.

(** ** E w_{t+1}² = a² E w_t² + 2c² *)
Definition v (t : nat) : R := flip 200 (fun o => walk t o ^ 2).
Lemma coin_free n k (Y : outcome -> R) x : (k < n)%nat -> (forall s o, Y (turn k s o) = Y o) ->
  flip n (fun o => x * (sign (o k) * Y o)) = 0.
Proof. intros Hk HY. rewrite flip_scale, flip_centred by auto. ring. Qed.
Lemma v_next t : (t < 100)%nat -> v (S t) = a ^ 2 * v t + 2 * c ^ 2.
Proof.
  intros Ht. unfold v. set (x := (2 * t)%nat). set (y := (2 * t + 1)%nat).
  assert (Hxy : x <> y) by (unfold x, y; lia).
  transitivity (flip 200 (fun o => a ^ 2 * walk t o ^ 2 +
    (2 * c ^ 2 + ((- 2 * a * c) * (sign (o x) * walk t o)
    + ((- 2 * a * c) * (sign (o y) * walk t o) + (2 * c ^ 2) * (sign (o x) * sign (o y))))))).
  - apply flip_same; intros o. cbn [walk]. fold y x.
    pose proof (sign_square (o x)) as H1. pose proof (sign_square (o y)) as H2.
    set (p := sign (o x)) in *. set (q := sign (o y)) in *. set (w := walk t o).
    transitivity (a ^ 2 * w ^ 2 + c ^ 2 * (p * p + q * q) - 2 * a * c * (p * w) - 2 * a * c * (q * w) + 2 * c
      ^ 2 * (p * q)); [ring|].
    rewrite H1, H2. ring.
  - rewrite !flip_add, flip_scale, flip_const.
    rewrite (coin_free 200 x (walk t)) by (unfold x; try lia; intros; apply walk_free; lia).
    rewrite (coin_free 200 y (walk t)) by (unfold y; try lia; intros; apply walk_free; lia).
    rewrite (coin_free 200 x (fun o => sign (o y))) by (unfold x, y; try lia; intros; now rewrite turn_other
      by lia). ring.
Qed.
Lemma v_zero : v 0 = 0.
Proof. unfold v. rewrite <- (flip_const 200 0). apply flip_same; intros o. cbn. ring. Qed.
(** The stationary value 2c²/(1−a²) = c/(2−2c) = 99/9802 bounds v, and (1−a²)Σv_t = 2c²t − v_t. *)
Lemma v_le t : (t <= 100)%nat -> v t <= 99 / 9802.
Proof.
  induction t as [|t IH]; intros Ht; [rewrite v_zero; lra|]. rewrite v_next by lia.
  specialize (IH ltac:(lia)).
  unfold a, c. nra.
Qed.
Lemma v_sum t : (t <= 100)%nat -> (1 - a ^ 2) * sum t v = 2 * c ^ 2 * INR t - v t.
Proof.
  induction t as [|t IH]; intros Ht; [simpl; rewrite v_zero; ring|].
  cbn [sum]. rewrite S_INR, v_next, Rmult_plus_distr_l, IH by lia. ring.
Qed.
Lemma replayed_A : 81 / 10000 <= A replayed.
Proof.
  unfold replayed. rewrite line_A. apply Rle_trans with (avg 100 v).
  - unfold avg. pose proof (v_sum 100 ltac:(lia)) as H. pose proof (v_le 100 ltac:(lia)) as H1.
    replace (INR 100) with 100 in * by (rewrite INR_IZR_INZ; reflexivity). unfold a, c in H. lra.
  - right. apply avg_ext; intros t _. apply flip_same; intros o. rewrite avg_two. field.
Qed.
Lemma replayed_rho : rho replayed = 0.
Proof.
  unfold replayed. apply line_rho; [reflexivity|]. intros t o _. rewrite avg_two, !line_step. cbn [walk].
  cbn [local broadcast line_run]. unfold point. cbn [which]. rewrite !Nat.add_0_r. unfold a, c. field.
Qed.

(** ** The run meets everything but the uncorrelated devices *)
Lemma which_two m e e' : (e < 2)%nat -> (e' < 2)%nat -> e <> e' -> which m e <> which m e'.
Proof. intros. destruct m, e as [|[|?]], e' as [|[|?]]; simpl; lia. Qed.
Lemma which_le m e : (which m e <= 1)%nat.
Proof. destruct m, e; simpl; lia. Qed.
Lemma replayed_bookkeeping : bookkeeping replayed.
Proof.
  apply line_bookkeeping; try lra; try (intros; exact I).
  - intros t m e o o' _ [_ H]. now rewrite H by lia.
  - intros t m o o' [H _]. now apply walk_known.
  - intros t m e o o' [H H']. split; [exact H|]. intros; apply H'; lia.
  - intros t m m' o o' [H _]. split; [intros; apply H; lia|]. intros e' _. apply H.
    pose proof (which_le m' e'). lia.
  - intros t m m' o o' [H _]. split; [exact H|]. intros; lia.
Qed.
Lemma replayed_centred t m e (Y : outcome -> Rd 1) : (t < 100)%nat -> (e < 2)%nat ->
  known replayed (same_past t m e) Y ->
  flip 200 (fun o => ⟨zeta replayed t m e o, Y o⟩) = 0.
Proof.
  intros Ht He HY. pose proof (which_le m e).
  rewrite <- (flip_centred 200 (2 * t + which m e) (fun o => Y o O)).
  - apply flip_same; intros o. rewrite inner_line. reflexivity.
  - lia.
  - intros s o. rewrite (HY (turn (2 * t + which m e) s o) o); [reflexivity|]. split.
    + intros i Hi. apply turn_other. lia.
    + intros e' He'. apply turn_other. pose proof (which_two m e' e). lia.
Qed.
Lemma replayed_all_but : meets_all_but Devices_uncorrelated replayed.
Proof.
  split; [apply replayed_bookkeeping|]. intros name Hne. destruct name; try congruence; cbn [says].
  - intros m _. apply (quadratic_smooth 1 0 1). lra.
  - intros x. unfold f, replayed. numbers. rewrite avg_two. pose proof (pow2_ge_0 (x O - 0)). lra.
  - intros t m e o _ _. unfold replayed. numbers. rewrite (inner_line (fun _ => 0)). lra.
  - intros t m e _ o o' _. reflexivity.
  - intros t m e Y (Ht & _ & He) _ HY. now apply replayed_centred.
  - intros t m e _. apply Rle_trans with 1.
    + right. rewrite <- (flip_const 200 1). apply flip_same; intros o. unfold replayed. numbers.
      rewrite inner_line. apply sign_square.
    + unfold replayed. cbn [P_n sigma line_run]. lra.
  - intros t o _ _. unfold grad_f, replayed. numbers. rewrite avg_two, !inner_line, mean_of_two. lra.
  - unfold replayed. numbers. lra.
Qed.
Lemma replayed_equal_steps t m m' e : step replayed t m e -> step replayed t m' e -> m <> m' ->
  chance replayed (fun o => ⟨zeta replayed t m e o, zeta replayed t m' e o⟩) = 0.
Proof.
  intros (Ht & Hm & He) (_ & Hm' & _) Hne. cbn in Ht, Hm, Hm', He. pose proof (which_le m e).
  assert (which m e <> which m' e) by (destruct m as [|[|?]], m' as [|[|?]], e as [|[|?]]; simpl; lia).
  rewrite <- (flip_centred 200 (2 * t + which m e) (fun o => sign (o (2 * t + which m' e)%nat))); [|lia|].
  - apply flip_same; intros o. unfold replayed. numbers. rewrite inner_line. reflexivity.
  - intros s o. now rewrite turn_other by lia.
Qed.

(** ** (★) excludes 81/10000, hence also A *)
Lemma replayed_excluded : excludes (1 / 50) 0 1 0 0 0 1 0 1 (/ INR 2) 2 0 0 (81 / 10000).
Proof.
  unfold excludes, allows, inner_of. change (Nat.eqb 2 1) with false. cbv beta iota.
  intros (x & Hx & Hnear & Hle).
  assert (Hroot : sqrt (81 / 10000) = 9 / 100) by (replace (81 / 10000) with ((9 / 100) ^ 2) by field;
    apply sqrt_pow2; lra).
  assert (HD : D_at 0 1 (81 / 10000) = 9 / 100) by (unfold D_at; rewrite <- Hroot; f_equal; ring).
  assert (H0 : forall h, bias_bound 0 0 h = 0) by (intros; apply bias_without_share; lra).
  set (s := drift_step (1 / 50) 0 1 0 0 0 1 (9 / 100) 0).
  assert (Hs2 : s ^ 2 = 10081 / 25000000).
  { unfold s, drift_step, noise_bound. rewrite H0, pow2_sqrt; [field|].
    apply Rplus_le_le_0_compat; [apply pow2_ge_0|lra]. }
  assert (Hs0 : 0 <= s) by apply sqrt_pos. assert (Hs : s <= 201 / 10000) by (apply Rnot_lt_le; intro; nra).
  assert (HF : F_of (1 / 50) 0 1 0 0 0 1 0 1 2 (81 / 10000) = s / 2).
  { unfold F_of, F_at. rewrite HD. cbn [sum drift]. fold s. rewrite !H0. unfold share, total_weight, omega.
    simpl. field. }
  assert (HN : N_of (1 / 50) 0 1 0 0 0 1 0 1 (/ INR 2) 2 (81 / 10000) = 1 / 4).
  { unfold N_of, N_at, noise_bound, share, total_weight, omega. simpl. field. }
  assert (Hu : u_of (1 / 50) 0 1 2 = 1 / 25) by (unfold u_of, total_weight, omega; simpl; field).
  assert (Hq : sqrt (1 / 4) = 1 / 2) by (replace (1 / 4) with ((1 / 2) ^ 2) by field; apply sqrt_pow2; lra).
  rewrite HF, Hroot in Hnear. rewrite HF, HN, Hu in Hle. unfold inner_many in Hle. rewrite Hq in Hle.
  pose proof (Rle_abs (- (x - 9 / 100))) as Hx'. rewrite Rabs_Ropp in Hx'. assert (7 / 100 <= x) by lra. nra.
Qed.
Lemma replayed_breaks : ~ star_holds replayed.
Proof.
  intros [H _]. pose proof replayed_A as HA.
  assert (constants : range_constants (1 / 50) 0 1 0 0 1 (/ INR 2) 2)
    by (unfold range_constants; simpl; repeat split; lra || lia).
  apply (excluded_is_upward_closed _ _ _ _ _ 0 1 0 _ _ _ constants 0 0 (81 / 10000) (A replayed)); try lra.
  - exact replayed_excluded.
  - assert (HK : K replayed = 0).
    { unfold K, optimisation. unfold replayed at 1. rewrite line_Delta, avg_two. unfold Rdiv. ring. }
    rewrite replayed_rho, HK in H. exact H.
Qed.
