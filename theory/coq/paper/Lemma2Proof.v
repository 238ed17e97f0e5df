(** * Lemma 2: proofs *)
From Coq Require Import Reals Lra Lia Arith.
From FPS.paper Require Import Setting Lemma2 DriftStep Lemma2Lemmas RunTools DriftRun.
Open Scope R_scope.

Theorem lemma_2_with_own_gradient : Lemma_2_with_own_gradient.
Proof.
  intros r Has Hsmall t m e [Ht [Hm He]].
  pose proof Has as [_ [[HL [Hmu [Hgam [HPb [HPn [Hb2 [Hs2 [HB _]]]]]]]] _]].
  set (G := chance r (fun o => ‖(grad r m (broadcast r t o))‖²)).
  assert (HA : 1 <= amplification (B r) (P_b r) (P_n r)) by (unfold amplification; nra).
  assert (HG : 0 <= G).
  { pose proof (sq_true r t m Has Ht Hm 0 ltac:(lia)) as S0. unfold G.
    rewrite (E_same _ _ (fun o => ‖(true_g r t m 0 o)‖²)) by (intros o; symmetry; apply same_square,
        true_g_first).
    apply E_nonneg; [now apply sq_inner|intros; apply inner_nonneg]. }
  set (K := amplification (B r) (P_b r) (P_n r) * G + b2 r + sigma2 r).
  assert (HK : 0 <= K) by (unfold K; nra).
  assert (Hfirst : mean_drift r t m 0 = 0).
  { unfold mean_drift. rewrite (E_same _ _ (fun _ => 0)); [apply E_const|]. intros o.
    etransitivity; [exact (same_square _ _ _ (moved_first r t m o))|apply inner_zero]. }
  unfold lemma_2_right, lemma_2_bound. fold K. pose proof (pow2_ge_0 (gamma r)) as Hg2.
  assert (HgK : 0 <= gamma r ^ 2 * K) by nra.
  destruct (Es r) as [|n] eqn:HE; [lia|]. destruct (Nat.eq_dec n 0) as [->|Hn].
  - replace e with O by lia. rewrite Hfirst. simpl. simpl in HgK. lra.
  - assert (Hn1 : 1 <= INR n) by (change 1 with (INR 1); apply le_INR; lia).
    pose proof (recursion n (mean_drift r t m) (6 * (INR n + 1) * gamma r ^ 2 * K)) as Hrec.
    apply Rle_trans with (2 * INR n * (6 * (INR n + 1) * gamma r ^ 2 * K)).
    + apply Hrec; try lia; auto; [nra|]. intros j Hj. apply (drift_next r t m Has Hsmall Ht Hm); auto; lia.
    + rewrite S_INR. set (x := gamma r ^ 2 * K) in *.
      replace (2 * INR n * (6 * (INR n + 1) * gamma r ^ 2 * K)) with (12 * INR n * (INR n + 1) * x) by
          (unfold x; ring).
      replace (30 * (INR n + 1) ^ 2 * gamma r ^ 2 * K) with (30 * (INR n + 1) ^ 2 * x) by (unfold x; ring).
      apply Rmult_le_compat_r; [auto|nra].
Qed.

Theorem lemma_2_of_one_device : Lemma_2_of_one_device.
Proof.
  intros r Has Hsmall HM t e He.
  rewrite (E_same _ _ (fun o => ‖(grad r 0 (broadcast r t o))‖²)).
  - now apply lemma_2_with_own_gradient.
  - intros o. apply same_square. intros z. unfold grad_f. rewrite HM, inner_vmean. unfold avg. simpl. field.
Qed.

Theorem lemma_2_fails_for_every_device : Lemma_2_fails_for_every_device.
Proof.
  intros u H. specialize (H drift_run (drift_assumptions u) drift_condition 0%nat 0%nat 1%nat).
  pose proof drift_right. rewrite drift_is in H. unfold pull in H.
  assert (step drift_run 0 0 1) by (repeat split; simpl; lia). specialize (H H1). lra.
Qed.

Theorem lemma_2_fails_for_the_mean : Lemma_2_fails_for_the_mean.
Proof.
  intros u H. specialize (H drift_run (drift_assumptions u) drift_condition 0%nat 1%nat).
  pose proof drift_right. change (M drift_run) with 2%nat in H. rewrite avg_two, !drift_is in H.
  unfold pull in H.
  assert (step drift_run 0 0 1) by (repeat split; simpl; lia). specialize (H H1). lra.
Qed.
