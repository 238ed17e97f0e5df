(** * Theorem B: what is known from the past, what is square-integrable, and how a round moves the table *)
From Coq Require Import Reals Lra Lia.
From FPS.repaired Require TheoremADescent.
From FPS.sketch_space Require Export TableSetting SketchLemmas.
Open Scope R_scope.

Section Known.
Variables (r : run) (k : table r).
Hypothesis ok : assumptions_B r k.

(** ** Pasts *)
Lemma past_earlier t m e e' o o' : (e' <= e)%nat -> past r t m e o o' -> past r t m e' o o'.
Proof. induction 1; auto. intro; apply IHle. now apply (past_of_step_B r k ok). Qed.
Lemma past_start t m e o o' : past r t m e o o' -> past r t m 0 o o'.
Proof. apply past_earlier. lia. Qed.
Lemma past_first t m o o' : past r t m 0 o o' -> past r 0 m 0 o o'.
Proof.
  induction t as [|t IH]; auto. intro H; apply IH.
  apply past_start with (Es r). now apply (past_of_round_B r k ok) with m.
Qed.

(** ** What is known *)
Lemma local_known t m e : (t < T r)%nat -> (m < M r)%nat -> (e <= Es r)%nat ->
  known r (past r t m e) (local r t m e).
Proof.
  intros Ht Hm. induction e as [|e IH]; intros He o o' p; simpl.
  - now apply (broadcast_known_B r k ok t m).
  - assert (Hs : step r t m e) by (repeat split; auto). pose proof (past_of_step_B r k ok _ _ _ _ _ p) as p'.
    rewrite (IH ltac:(lia) o o' p'), (bias_known r k ok t m e Hs o o' p'),
      (zeta_known_B r k ok t m e Hs o o' p).
    now rewrite (broadcast_known_B r k ok t m o o' (past_start _ _ _ _ _ p')).
Qed.
Lemma moved_known t m e : (t < T r)%nat -> (m < M r)%nat -> (e <= Es r)%nat ->
  known r (past r t m e) (moved r t m e).
Proof.
  intros Ht Hm He o o' p. unfold moved. rewrite (local_known t m e Ht Hm He o o' p).
  now rewrite (broadcast_known_B r k ok t m o o' (past_start _ _ _ _ _ p)).
Qed.
Lemma table_known t m : (t <= T r)%nat -> known r (past r t m 0) (tab r k t).
Proof.
  intros Ht. revert m. induction t as [|t IH]; intros m o o' p; simpl.
  - now apply (s0_known r k ok m).
  - rewrite (IH ltac:(lia) m o o').
    + rewrite (stored_known r k ok t m o o' p). do 3 f_equal. unfold vmean. f_equal.
      apply vsum_ext; intros m' Hm'. apply (moved_known t m' (Es r)); auto.
      now apply (past_of_round_B r k ok) with m.
    + apply past_start with (Es r). now apply (past_of_round_B r k ok) with m.
Qed.
Lemma X_known t m e : (t < T r)%nat -> known r (past r t m e) (X r k t).
Proof.
  intros Ht o o' p. apply past_start in p. unfold X. rewrite (table_known t m ltac:(lia) o o' p).
  now rewrite (proj2 (s0_known r k ok m) o o' (past_first _ _ _ _ p)).
Qed.
Lemma X_known_after t : (t < T r)%nat -> known r (after r t) (X r k t).
Proof. intros Ht o o' p. apply (X_known t 0 (Es r) Ht). apply p, M_pos. Qed.

(** ** Shares of the local steps *)
Local Notation sh := (share (gamma r) (mu r) (Es r)).
Lemma Ebar_pos : 0 < Ebar r.
Proof. apply (TheoremADescent.total_weight_pos (gamma r) (mu r) (Es r)); [apply (A4_B r k ok)|apply Es_pos].
Qed.
Lemma gamma_Ebar_pos : 0 < gamma r * Ebar r.
Proof. apply Rmult_lt_0_compat; [apply (gamma_pos_B r k ok)|apply Ebar_pos]. Qed.
Lemma sh_is e : sh e = weight r e / Ebar r. Proof. reflexivity. Qed.
Lemma sh_nonneg e : 0 <= sh e.
Proof. apply TheoremADescent.share_nonneg; [apply (A4_B r k ok)|apply Es_pos]. Qed.
Lemma sh_sum : sum (Es r) sh = 1.
Proof. apply TheoremADescent.shares_sum; [apply (A4_B r k ok)|apply Es_pos]. Qed.

(** ** Square-integrability *)
Lemma sq_vmean (Y : nat -> Omega r -> V r) : (forall m, (m < M r)%nat -> sq (chance r) (Y m)) ->
  sq (chance r) (fun o => vmean (M r) (fun m => Y m o)).
Proof. intros H. unfold vmean. apply sq_scale. now apply sq_vsum. Qed.
Lemma sq_at_broadcast t m : (t < T r)%nat -> (m < M r)%nat ->
  sq (chance r) (fun o => grad r m (broadcast r t o)).
Proof. intros Ht Hm. now apply (sq_grad_B r k ok t m 0%nat). Qed.
Lemma sq_a t : (t < T r)%nat -> sq (chance r) (fun o => grad_f r (broadcast r t o)).
Proof. intros Ht. apply (sq_vmean (fun m o => grad r m (broadcast r t o))). intros; now apply sq_at_broadcast.
Qed.
Lemma moved_step t m e o : same ((1 - gamma r * mu r) *: moved r t m e o -
  gamma r *: (grad r m (local r t m e o) + beta r t m e o + zeta r t m e o))%V (moved r t m (S e) o).
Proof. intro w. unfold moved; simpl. expand. ring. Qed.
Lemma sq_moved t m e : (t < T r)%nat -> (m < M r)%nat -> sq (chance r) (moved r t m e).
Proof.
  intros Ht Hm. induction e as [|e IH].
  - apply (sq_same _ (fun _ => zero)); [|apply sq_zero]. intros o w. unfold moved; simpl. expand. ring.
  - apply (sq_same _ _ _ (moved_step t m e)).
    apply (sq_add _ (fun o => _ *: moved r t m e o)%V); [apply sq_scale, IH|].
    apply (sq_scale _ _ (fun o => _ *: _)%V), sq_scale, sq_add;
      [apply (sq_add _ (fun o => grad r m (local r t m e o)))|].
    + now apply (sq_grad_B r k ok).
    + now apply (sq_beta_B r k ok).
    + now apply (sq_zeta_B r k ok).
Qed.

(** ** One round: the mean step q_t and its noise z_t, so that mean_m(w^{m,E} − w̃_t) = −γĒ(q_t + z_t) *)
Definition step_of t m o : V r :=
  vsum (Es r) (fun e => sh e *: (grad r m (local r t m e o) + beta r t m e o))%V.
Definition noise_of t m o : V r := vsum (Es r) (fun e => sh e *: zeta r t m e o)%V.
Definition q_of t o : V r := vmean (M r) (fun m => step_of t m o).
Definition z_of t o : V r := vmean (M r) (fun m => noise_of t m o).
Definition qz_of t o : V r := (q_of t o + z_of t o)%V.
Lemma sq_step t m : (t < T r)%nat -> (m < M r)%nat -> sq (chance r) (step_of t m).
Proof.
  intros Ht Hm. apply (sq_vsum _ _ (fun e o => sh e *: (grad r m (local r t m e o) + beta r t m e o))%V).
  intros e _.
  apply sq_scale, (sq_add _ (fun o => grad r m (local r t m e o)));
    [now apply (sq_grad_B r k ok)|now apply (sq_beta_B r k ok)].
Qed.
Lemma sq_noise t m : (t < T r)%nat -> (m < M r)%nat -> sq (chance r) (noise_of t m).
Proof.
  intros Ht Hm. apply (sq_vsum _ _ (fun e o => sh e *: zeta r t m e o)%V). intros e _.
  apply sq_scale. now apply (sq_zeta_B r k ok).
Qed.
Lemma sq_q t : (t < T r)%nat -> sq (chance r) (q_of t).
Proof. intros Ht. apply (sq_vmean (step_of t)). intros; now apply sq_step. Qed.
Lemma sq_z t : (t < T r)%nat -> sq (chance r) (z_of t).
Proof. intros Ht. apply (sq_vmean (noise_of t)). intros; now apply sq_noise. Qed.
Lemma sq_qz t : (t < T r)%nat -> sq (chance r) (qz_of t).
Proof. intros Ht. apply (sq_add _ (q_of t) (z_of t)); [now apply sq_q|now apply sq_z]. Qed.
Lemma qz_known t : (t < T r)%nat -> known r (after r t) (qz_of t).
Proof.
  intros Ht o o' p. unfold qz_of, q_of, z_of, vmean.
  f_equal; f_equal; apply vsum_ext; intros m Hm; apply vsum_ext; intros e He;
    assert (Hs : step r t m e) by (repeat split; auto);
    f_equal; pose proof (past_earlier t m (Es r) e o o' ltac:(lia) (p m Hm)) as p0.
  - rewrite (local_known t m e Ht Hm ltac:(lia) o o' p0). now rewrite (bias_known r k ok t m e Hs o o' p0).
  - apply (zeta_known_B r k ok t m e Hs). apply past_earlier with (Es r); auto.
Qed.

(** n local steps, tested against any vector *)
Lemma steps_sum t m n o w : ⟨moved r t m n o, w⟩ = - gamma r * sum n (fun e =>
  (1 - gamma r * mu r) ^ (n - 1 - e) * ⟨grad r m (local r t m e o) + beta r t m e o + zeta r t m e o, w⟩).
Proof.
  induction n as [|n IH]; [unfold moved; simpl; expand; ring|].
  set (c := 1 - gamma r * mu r) in *.
  set (G := fun e => ⟨grad r m (local r t m e o) + beta r t m e o + zeta r t m e o, w⟩) in *.
  change (⟨moved r t m n o, w⟩ = - gamma r * sum n (fun e => c ^ (n - 1 - e) * G e)) in IH.
  change (⟨moved r t m (S n) o, w⟩ = - gamma r *
    (sum n (fun e => c ^ (S n - 1 - e) * G e) + c ^ (S n - 1 - n) * G n)).
  rewrite (sum_ext n _ (fun e => c * (c ^ (n - 1 - e) * G e))).
  - rewrite sum_scale, <- (moved_step t m n o w), inner_add, inner_scale, IH.
    replace (S n - 1 - n)%nat with O by lia.
    unfold c, G. rewrite !inner_scale. simpl. ring.
  - intros e He. replace (S n - 1 - e)%nat with (S (n - 1 - e)) by lia. simpl; ring.
Qed.
Lemma round_is t o : same (vmean (M r) (fun m => moved r t m (Es r) o))
  ((- (gamma r * Ebar r)) *: qz_of t o)%V.
Proof.
  intro w. unfold qz_of. rewrite inner_scale, inner_add. unfold q_of, z_of.
  rewrite !inner_vmean, <- avg_add, <- avg_scale. apply avg_ext; intros m _.
  rewrite steps_sum. unfold step_of, noise_of. rewrite !inner_vsum, <- sum_add, <- !sum_scale.
  apply sum_ext; intros e _.
  rewrite !inner_scale, !inner_add, sh_is. unfold weight. pose proof Ebar_pos. field. lra.
Qed.
(** B1: X_{t+1} − X_t = −γĒ M(q_t + z_t) + S^T C n_t *)
Lemma X_step t o : same (X r k (S t) o - X r k t o)%V
  ((- (gamma r * Ebar r)) *: St k (Sk k (qz_of t o)) + St k (stored k t o))%V.
Proof.
  intro w. unfold X; cbn [tab]. expand. rewrite !adjoint. expand.
  rewrite (Sk_inner k (vmean _ _)), (round_is t o), inner_scale, <- Sk_inner. ring.
Qed.
End Known.
