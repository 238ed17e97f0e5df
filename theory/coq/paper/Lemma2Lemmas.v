(** * Lemma 2 for one device of a run, with its own gradient *)
From Coq Require Import Reals Lra Lia.
From FPS.paper Require Import Setting Lemma2 DriftStep.
Open Scope R_scope.

Section Device.
Variables (r : run) (t m : nat).
Hypotheses (has : local_assumptions r) (small : lemma_2_condition r) (round : (t < T r)%nat) (device : (m <
  M r)%nat).
Notation vectors := (L2 (chance r)).

Definition moved e o : Rd (d r) := (local r t m e o - broadcast r t o)%V.
Definition true_g e o : Rd (d r) := true_gradient r t m e o.

Lemma moved_first o : same (moved 0 o) zero.
Proof. intros z. unfold moved. cbn [local]. expand. ring. Qed.
Lemma moved_next e o : same (moved (S e) o) (moved e o - gamma r *: g r t m e o)%V.
Proof. intros z. unfold moved, g. cbn [local]. expand. ring. Qed.
Lemma true_g_first o : same (true_g 0 o) (grad r m (broadcast r t o)).
Proof. intros z. unfold true_g, true_gradient. cbn [local]. expand. ring. Qed.

Lemma estimate e : (e < Es r)%nat -> estimates r (past r t e) (g r t m e) (true_g e).
Proof. intros He. apply has. split; auto. Qed.
Lemma sq_true e : (e < Es r)%nat -> sq (chance r) (true_g e).
Proof. intros He. now destruct (estimate e He) as [beta [zeta [_ [_ [_ [H _]]]]]]. Qed.
Lemma sq_g e : (e < Es r)%nat -> sq (chance r) (g r t m e).
Proof.
  intros He. destruct (estimate e He) as [beta [zeta [Hg [_ [_ [S1 [S2 [S3 _]]]]]]]].
  apply (sq_same _ (fun o => true_g e o + beta o + zeta o)%V).
  - intros o z. symmetry. apply Hg.
  - apply sq_add; [now apply sq_add|auto].
Qed.
Lemma sq_moved e : (e <= Es r)%nat -> sq (chance r) (moved e).
Proof.
  induction e as [|e IH]; intros He.
  - apply (sq_same _ (fun _ => zero)); [intros o z; symmetry; apply moved_first|apply sq_zero].
  - apply (sq_same _ (fun o => moved e o - gamma r *: g r t m e o)%V); [intros o z; symmetry; apply
      moved_next|].
    apply (sq_add _ (moved e)); [apply IH; lia|]. apply sq_scale, sq_scale, sq_g. lia.
Qed.

(** The gradient of the restructured loss is (L+μ)-Lipschitz. *)
Lemma true_g_lipschitz e o : ‖(true_g e o - true_g 0 o)‖ <= (L r + mu r) * ‖(moved e o)‖.
Proof.
  destruct has as [_ [[HL [Hmu _]] [H1 _]]].
  set (x := local r t m e o). set (w := broadcast r t o).
  apply Rle_trans with (‖((grad r m x - grad r m w) + mu r *: (x - w))‖).
  - right. apply same_norm. intros z. unfold true_g, true_gradient. cbn [local]. fold x w. expand. ring.
  - apply Rle_trans with (1 := minkowski _ _ _). rewrite norm_scale_pos by lra.
    pose proof (smooth_lipschitz w x HL (H1 m device)). unfold moved. fold x w. lra.
Qed.

(** E‖w^{m,e+1} − w_t‖² against E‖w^{m,e} − w_t‖², for E ≥ 2 *)
Lemma drift_next n e : Es r = S n -> (1 <= n)%nat -> (e < Es r)%nat ->
  mean_drift r t m (S e) <= (1 + / INR n) * mean_drift r t m e + 6 * (INR n + 1) * gamma r ^ 2 *
    (amplification (B r) (P_b r) (P_n r) * chance r (fun o => ‖(grad r m (broadcast r t o))‖²) + b2 r +
        sigma2 r).
Proof.
  intros HE Hn He. destruct (estimate e He) as [beta [zeta [Hg [_ [Kb [S1 [S2 [S3 [Hzero [Hnoise
      Hbias]]]]]]]]]].
  destruct has as [_ [[HL [Hmu [Hgam [HPb [HPn [Hb2 [Hs2 [HB _]]]]]]]] _]].
  pose (y := exist _ _ (sq_moved e ltac:(lia)) : vectors).
  pose (y' := exist _ _ (sq_moved (S e) ltac:(lia)) : vectors).
  pose (gg := exist _ _ S1 : vectors). pose (g_0 := exist _ _ (sq_true 0 ltac:(lia)) : vectors).
  pose (bb := exist _ _ S2 : vectors). pose (zz := exist _ _ S3 : vectors).
  assert (H0 : chance r (fun o => ‖(grad r m (broadcast r t o))‖²) = ‖g_0‖²).
  { rewrite L2_inner. apply E_same. intros o. symmetry. apply same_square, true_g_first. }
  rewrite H0. change (mean_drift r t m (S e)) with ‖y'‖². change (mean_drift r t m e) with ‖y‖².
  assert (HN : 0 < INR (Es r)) by (rewrite HE; apply lt_0_INR; lia).
  assert (HA : 1 <= amplification (B r) (P_b r) (P_n r)) by (unfold amplification; nra).
  apply (one_step _ (L r + mu r) _ _ _ _ _ (INR n)) with (g := gg) (beta := bb) (zeta := zz); try lra.
  - change 1 with (INR 1). apply le_INR. lia.
  - rewrite <- S_INR, <- HE. unfold lemma_2_condition, gamma_max_drift in small.
    set (x := 4 * INR (Es r) * (L r + mu r) * amplification (B r) (P_b r) (P_n r)) in *.
    assert (0 < x) by (unfold x; repeat apply Rmult_lt_0_compat; lra).
    apply Rle_trans with (1 / x * x); [apply Rmult_le_compat_r; lra|right; field; lra].
  - apply L2_same. intros o _ z. unfold y', y, gg, bb, zz, at_. cbn [proj1_sig add scale L2].
    rewrite (moved_next e o z). expand. rewrite (Hg o z). expand. ring.
  - apply L2_le; [lra|]. intros o _. apply true_g_lipschitz.
  - rewrite !L2_inner. rewrite <- (E_affine (chance r)) by apply L2_int.
    apply E_mono; [apply L2_int|apply int_affine, L2_int|]. intros o Ho. now apply Hbias.
  - rewrite !L2_inner. rewrite <- (E_affine (chance r)) by apply L2_int.
    specialize (Hnoise (fun _ => 1) ltac:(intros ? ? ?; reflexivity) ltac:(intros; lra)).
    rewrite (E_same (chance r) (fun o => 1 * _) (fun o => ‖(zeta o)‖²)) in Hnoise by (intros; ring).
    rewrite (E_same (chance r) (fun o => 1 * _) (fun o => P_n r * ‖(true_g e o)‖² + sigma2 r)) in Hnoise
      by (intros; ring).
    apply Hnoise.
    + apply (int_same (chance r) (fun o => ‖(zeta o)‖²)); [intros; ring|]. apply (L2_int zz zz).
    + apply (int_same (chance r) (fun o => P_n r * ‖(true_g e o)‖² + sigma2 r)); [intros; ring|].
      apply int_affine, (L2_int gg gg).
  - rewrite L2_inner. apply Hzero; auto.
Qed.
End Device.
