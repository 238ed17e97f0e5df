(** * Lemmas: what is known from the past, what its noise is orthogonal to, and what is square-integrable *)
From Coq Require Import Reals Lra Lia.
From FPS.repaired Require Import Setting.
Open Scope R_scope.

Section Known.
Variable r : run.
Hypothesis ok : assumptions r.

Lemma past_start t m e o o' : past r t m e o o' -> past r t m 0 o o'.
Proof. induction e as [|e IH]; auto. intro; apply IH. now apply (past_of_step r ok). Qed.
Lemma past_first t m o o' : past r t m 0 o o' -> past r 0 m 0 o o'.
Proof.
  induction t as [|t IH]; auto. intro H; apply IH.
  apply past_start with (Es r). now apply (past_of_round r ok) with m.
Qed.

Lemma local_known t m e : (t < T r)%nat -> (m < M r)%nat -> (e <= Es r)%nat ->
  known r (past r t m e) (local r t m e).
Proof.
  intros Ht Hm. induction e as [|e IH]; intros He o o' p; simpl.
  - now apply (broadcast_known r ok t m).
  - assert (Hs : step r t m e) by (repeat split; auto).
    pose proof (past_of_step r ok _ _ _ _ _ p) as p'.
    rewrite (IH ltac:(lia) o o' p'), (A2_bias_known r ok t m e Hs o o' p'), (zeta_known r ok t m e Hs o o' p).
    now rewrite (broadcast_known r ok t m o o' (past_start _ _ _ _ _ p')).
Qed.
Lemma moved_known t m e : (t < T r)%nat -> (m < M r)%nat -> (e <= Es r)%nat ->
  known r (past r t m e) (moved r t m e).
Proof.
  intros Ht Hm He o o' p. unfold moved. rewrite (local_known t m e Ht Hm He o o' p).
  now rewrite (broadcast_known r ok t m o o' (past_start _ _ _ _ _ p)).
Qed.
Lemma exact_known t m : (t <= T r)%nat -> known r (past r t m 0) (exact r t).
Proof.
  intros Ht. revert m. induction t as [|t IH]; intros m o o' p; simpl.
  - now apply (start_known r ok m).
  - rewrite (IH ltac:(lia) m o o').
    + unfold vmean. f_equal. f_equal. apply vsum_ext; intros m' Hm'.
      apply (moved_known t m' (Es r)); auto. now apply (past_of_round r ok) with m.
    + apply past_start with (Es r). now apply (past_of_round r ok) with m.
Qed.
Lemma shifted_known t m e : (t < T r)%nat -> known r (past r t m e) (shifted r t).
Proof.
  intros Ht o o' p. apply past_start in p. unfold shifted.
  rewrite (exact_known t m ltac:(lia) o o' p).
  now rewrite (proj2 (start_known r ok m) o o' (past_first _ _ _ _ p)).
Qed.
Lemma zeta_known_later t m e k : (e < k)%nat -> step r t m e -> known r (past r t m k) (zeta r t m e).
Proof.
  intros Hk Hs o o' p. apply (zeta_known r ok t m e Hs).
  induction k as [|k IH]; [lia|]. destruct (Nat.eq_dec e k) as [->|]; auto.
  apply IH; [lia|]. now apply (past_of_step r ok).
Qed.
(** The noises of two steps of one device are uncorrelated. *)
Lemma zeta_uncorrelated t m e e' : step r t m e -> step r t m e' -> e <> e' ->
  chance r (fun o => ⟨zeta r t m e o, zeta r t m e' o⟩) = 0.
Proof.
  intros H H' Hne. destruct (Nat.lt_ge_cases e e') as [Hlt|Hge].
  - pose proof (sq_zeta r ok t m e (proj1 H) (proj1 (proj2 H))) as Hsq.
    rewrite <- (A2_mean_zero r ok t m e' (zeta r t m e) H' Hsq (zeta_known_later _ _ _ _ Hlt H)).
    apply E_same; intros; apply inner_sym.
  - apply (A2_mean_zero r ok t m e (zeta r t m e') H).
    + destruct H as [? [? ?]]; now apply (sq_zeta r ok).
    + apply zeta_known_later; auto. lia.
Qed.

Lemma sq_broadcast t m : (t < T r)%nat -> (m < M r)%nat ->
  sq (chance r) (fun o => grad r m (broadcast r t o)).
Proof. intros Ht Hm. now apply (sq_grad r ok t m 0%nat). Qed.
Lemma moved_step t m e o : same ((1 - gamma r * mu r) *: moved r t m e o -
  gamma r *: (grad r m (local r t m e o) + beta r t m e o + zeta r t m e o))%V (moved r t m (S e) o).
Proof. intro w. unfold moved; simpl. expand. ring. Qed.
Lemma sq_moved t m e : (t < T r)%nat -> (m < M r)%nat -> sq (chance r) (moved r t m e).
Proof.
  intros Ht Hm. induction e as [|e IH].
  - apply (sq_same _ (fun _ => zero)); [|apply sq_zero]. intros o w. unfold moved; simpl. expand. ring.
  - apply (sq_same _ _ _ (moved_step t m e)).
    apply (sq_add _ (fun o => _ *: moved r t m e o)%V); [apply sq_scale, IH|].
    apply (sq_scale _ _ (fun o => _ *: _)%V), sq_scale, sq_add.
    + apply (sq_add _ (fun o => grad r m (local r t m e o)));
        [now apply (sq_grad r ok)|now apply (sq_beta r ok)].
    + now apply (sq_zeta r ok).
Qed.

(** The means over rounds, devices and chance, written out *)
Lemma everything_is X : everything r X = avg (T r) (fun t => avg (M r)
  (fun m => chance r (fun o => X (t, (m, o))))).
Proof. reflexivity. Qed.
Lemma rounds_is X : rounds r X = avg (T r) (fun t => chance r (fun o => X (t, o))).
Proof. reflexivity. Qed.
Lemma everything_zero X :
  (forall t m, (t < T r)%nat -> (m < M r)%nat -> chance r (fun o => X (t, (m, o))) = 0) -> everything r X = 0.
Proof.
  intros H. rewrite everything_is. rewrite <- (avg_const (T r) (T_pos r) 0). apply avg_ext; intros t Ht.
  rewrite <- (avg_const (M r) (M_pos r) 0). apply avg_ext; intros m Hm. now apply H.
Qed.
Lemma int_avg (X : nat -> Omega r -> R) : (forall m, (m < M r)%nat -> int (chance r) (X m)) ->
  int (chance r) (fun o => avg (M r) (fun m => X m o)).
Proof. intros H. unfold avg. apply int_scale, int_sum, H. Qed.
Lemma E_avg (X : nat -> Omega r -> R) : (forall m, (m < M r)%nat -> int (chance r) (X m)) ->
  chance r (fun o => avg (M r) (fun m => X m o)) = avg (M r) (fun m => chance r (X m)).
Proof. intros H. unfold avg. rewrite E_scale, E_sum; auto. now apply int_sum. Qed.
Lemma sq_vmean (X : nat -> Omega r -> V r) : (forall m, (m < M r)%nat -> sq (chance r) (X m)) ->
  sq (chance r) (fun o => vmean (M r) (fun m => X m o)).
Proof. intros H. unfold vmean. apply sq_scale. now apply sq_vsum. Qed.
Lemma sq_grad_f t : (t < T r)%nat -> sq (chance r) (fun o => grad_f r (broadcast r t o)).
Proof. intros Ht. apply (sq_vmean (fun m o => grad r m (broadcast r t o))). intros; now apply sq_broadcast.
Qed.
End Known.
