(** * Runs with a coin a round that break (★): unbounded noise, correlated devices, a bias that knows the
    noise *)
From Coq Require Import Reals Lra Lia.
From FPS.repaired Require Import Setting Drift DriftRecursion TheoremA Needed SureRuns Coins NeededTools
  NeededSure.
Open Scope R_scope.

Section Tossed.
Variables (T' M' : nat) (k bb ss nn : R).
(** f = w²/2, γ = E = 1; all devices get the noise of coin t in round t, and k times it as bias: w_{t+1} =
    −(1+k)·coin t *)
Definition thrown (t : nat) (o : outcome) : R := match t with O => 0 | S i => - (1 + k) * sign (o i) end.
Definition tossed : run := line_run outcome (coins (S T')) T' M' 0 (fun _ x => 1 * (x - 0) ^ 2 / 2)
  (fun _ x => 1 * (x - 0))
  1 0 0 thrown (fun t _ _ o => k * sign (o t)) (fun t _ _ o => sign (o t))
  (fun t _ e o o' => forall i, (i < t + e)%nat -> o i = o' i) 1 0 0 bb ss 0 1 nn 0.

Lemma tossed_bookkeeping : (nn = 1 \/ nn = / INR (S M')) -> bookkeeping tossed.
Proof.
  intros Hnu. apply line_bookkeeping; auto; try lra; try (intros; exact I).
  - intros t _ e o o' _ H. now rewrite (H t) by lia.
  - intros t _ o o' H. destruct t; simpl; [reflexivity|]. now rewrite (H t) by lia.
  - intros t _ e o o' H i Hi. apply H. lia.
  - intros t _ _ o o' H i Hi. apply H. lia.
Qed.
Lemma sign_second_moment t : flip (S T') (fun o => sign (o t) ^ 2) = 1.
Proof. rewrite <- (flip_const (S T') 1). apply flip_same; intros o. rewrite <- (sign_square (o t)). ring. Qed.
Lemma tossed_rest name : name <> Bias_bounded -> name <> Bias_known -> name <> Noise_bounded ->
  name <> Devices_uncorrelated -> says tossed name.
Proof.
  intros N1 N2 N3 N4. destruct name; try congruence; cbn [says].
  - intros m _. apply (quadratic_smooth 1 0 1). lra.
  - intros x. unfold f, tossed. numbers. apply Rle_trans with (avg (S M') (fun _ => 0));
      [rewrite avg_const by lia; lra|].
    apply avg_mono; [lia|]. intros m _. pose proof (pow2_ge_0 (x O - 0)). lra.
  - intros t m e Y (Ht & _ & He) _ HY. cbn in Ht, He. replace e with 0%nat in * by lia.
    change (flip (S T') (fun o => ⟨point (sign (o t)), Y o⟩) = 0).
    rewrite <- (flip_centred (S T') t (fun o => Y o O)); [|lia|].
    + apply flip_same; intros o. rewrite inner_line. reflexivity.
    + intros s o. rewrite (HY (turn t s o) o); [reflexivity|]. intros i Hi. apply turn_other. lia.
  - intros t o _ _. unfold grad_f, tossed. numbers.
    rewrite (inner_line (vmean _ _)), line_mean, !avg_const by lia.
    rewrite inner_line. lra.
  - unfold tossed. numbers. lra.
Qed.
Lemma tossed_moment t :
  flip (S T') (fun o => avg (S M') (fun _ => 1 * (thrown t o - 0)) ^ 2) = match t
    with O => 0 | _ => (1 + k) ^ 2 end.
Proof.
  destruct t as [|t].
  - transitivity (flip (S T') (fun _ => 0)); [|apply flip_const]. apply flip_same; intros o.
    rewrite avg_const by lia. cbn. ring.
  - transitivity (flip (S T') (fun o => (1 + k) ^ 2 * sign (o t) ^ 2)).
    + apply flip_same; intros o. rewrite avg_const by lia. cbn [thrown]. ring.
    + rewrite flip_scale, sign_second_moment. ring.
Qed.
Lemma tossed_A : A tossed = INR T' / INR (S T') * (1 + k) ^ 2.
Proof.
  unfold tossed. rewrite line_A.
  transitivity (avg (S T') (fun t => match t with O => 0 | _ => (1 + k) ^ 2 end)).
  - apply avg_ext; intros t _. apply tossed_moment.
  - unfold avg. unfold Rdiv. rewrite (Rmult_comm (INR T')), Rmult_assoc. f_equal.
    assert (H : forall n, sum (S n) (fun t => match t with O => 0 | _ => (1 + k) ^ 2 end) = INR n * (1 + k) ^
      2).
    { induction n as [|n IH]; [simpl; ring|]. rewrite S_INR. cbn [sum] in *. rewrite IH. ring. }
    apply H.
Qed.
Lemma tossed_rho : rho tossed = 0.
Proof.
  unfold tossed. apply line_rho; [reflexivity|]. intros t o _.
  transitivity (thrown t o + avg (S M') (fun _ => - (1 + k) * sign (o t) - thrown t o));
    [rewrite avg_const by lia; cbn; ring|].
  f_equal. apply avg_ext; intros m _. rewrite line_step. cbn [local broadcast line_run]. unfold point. ring.
Qed.
Lemma tossed_star : 0 <= bb -> star_holds tossed -> A tossed <= bb ^ 2 + nn * ss ^ 2.
Proof.
  intros Hb H.
  assert (HK : K tossed = 0).
  { unfold tossed. rewrite line_K, avg_const by (reflexivity || lia). unfold Rdiv. ring. }
  assert (HF : F tossed (D_of_A tossed) = bb) by (rewrite F_run_one by reflexivity;
    now apply bias_without_share).
  assert (HN : N tossed (D_of_A tossed) = nn * ss ^ 2) by (rewrite N_run_one by reflexivity;
    unfold noise_bound; cbn; ring).
  assert (Hu : u tossed = 1) by (rewrite u_run_one by reflexivity; cbn; ring).
  destruct (star_one_is tossed _ _ _ _ _ H eq_refl HF HN HK Hu tossed_rho) as (x & _ & _ & Hle).
  unfold inner_one in Hle. lra.
Qed.
Lemma tossed_no_bias : k = 0 -> bb = 0 -> says tossed Bias_bounded /\ says tossed Bias_known.
Proof.
  intros Hk Hb. split; cbn [says].
  - intros t m e o _ _. unfold tossed. numbers. rewrite !inner_line, Hk, Hb. lra.
  - intros t m e _ o o' _. unfold tossed. cbn [beta line_run]. apply (f_equal point). rewrite Hk. ring.
Qed.
Lemma tossed_noise : 1 <= ss ^ 2 -> says tossed Noise_bounded.
Proof.
  intros Hs t m e _. apply Rle_trans with 1.
  - right. rewrite <- (sign_second_moment t). apply flip_same; intros o. unfold tossed. numbers.
    rewrite inner_line. ring.
  - unfold tossed. cbn [P_n sigma line_run]. lra.
Qed.
End Tossed.

Lemma noise_bound_needed : ~ Theorem_A_without Noise_bounded.
Proof.
  intros H. assert (ok : meets_all_but Noise_bounded (tossed 1 0 0 0 0 1)).
  { split; [apply tossed_bookkeeping; auto|].
    destruct (tossed_no_bias 1 0 0 0 0 1 eq_refl eq_refl) as [H1 H2].
    intros name Hne. destruct name; try congruence; auto; try (apply tossed_rest; congruence). left.
    reflexivity. }
  apply H, tossed_star in ok; [|lra]. rewrite tossed_A in ok. simpl INR in ok. lra.
Qed.
Lemma uncorrelated_devices_needed : ~ Theorem_A_without Devices_uncorrelated.
Proof.
  intros H. assert (ok : meets_all_but Devices_uncorrelated (tossed 1 2 0 0 1 (/ INR 3))).
  { split; [apply tossed_bookkeeping; auto|].
    destruct (tossed_no_bias 1 2 0 0 1 (/ INR 3) eq_refl eq_refl) as [H1 H2].
    intros name Hne. destruct name; try congruence; auto; try (apply tossed_rest; congruence).
    apply tossed_noise. lra. }
  apply H, tossed_star in ok; [|lra]. rewrite tossed_A in ok. simpl INR in ok. lra.
Qed.
Lemma bias_known_needed : ~ Theorem_A_without Bias_known.
Proof.
  intros H. assert (ok : meets_all_but Bias_known (tossed 2 0 1 1 1 1)).
  { split; [apply tossed_bookkeeping; auto|].
    intros name Hne. destruct name; try congruence; try (apply tossed_rest; congruence).
    - intros t m e o _ _. unfold tossed. numbers. rewrite !inner_line. pose proof (sign_square (o t)). nra.
    - apply tossed_noise. lra.
    - left. reflexivity. }
  apply H, tossed_star in ok; [|lra]. rewrite tossed_A in ok. simpl INR in ok. lra.
Qed.
