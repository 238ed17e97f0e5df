(** * The checker is sound *)
From Coq Require Import Reals QArith Qreals List Arith ZArith Bool Lra Lia.
From FPS.tools Require Import Smooth.
From FPS.rates Require Import Round Forms Descent DescentProof Scaling ScalingProof Certificate Checker
  TableLemmas CheckerLemmas.
Import ListNotations.
Open Scope R_scope.

Lemma nonneg_R q : nonneg q = true -> 0 <= Q2R q.
Proof. intros H. apply Qle_bool_iff, Qle_Rle in H. now rewrite Q2R_zero in H. Qed.
Lemma positive_R q : positive q = true -> 0 < Q2R q.
Proof.
  unfold positive, Q2R. intros H. apply Z.ltb_lt, IZR_lt in H. apply Rmult_lt_0_compat; auto.
  apply Rinv_0_lt_compat, IZR_lt. reflexivity.
Qed.
Lemma entry_nonneg table i j : forallb (fun t : nat * nat * Q => nonneg (snd t)) table = true -> 0 <=
  Q2R (entry table i j).
Proof.
  induction table as [|[[i' j'] q] table IH]; cbn [entry forallb]; intros H; [rewrite Q2R_zero; lra|].
  apply andb_true_iff in H as [H1 H2]. destruct ((i =? i')%nat && (j =? j')%nat); [now apply nonneg_R|auto].
Qed.
Lemma nth_nonneg e l : forallb nonneg l = true -> 0 <= Q2R (nth e l 0%Q).
Proof.
  revert e. induction l as [|q l IH]; intros [|e]; cbn [nth forallb]; intros H; rewrite ?Q2R_zero; try lra.
  - apply andb_true_iff in H as [H _]. now apply nonneg_R.
  - apply andb_true_iff in H as [_ H]. auto.
Qed.
Lemma qsum_R m g : Q2R (qsum m g) = sum m (fun j => Q2R (g j)).
Proof. induction m as [|m IH]; cbn [qsum sum]; [apply Q2R_zero|]. now rewrite qadd_Q2R, IH. Qed.
Lemma if_R (b : bool) : Q2R (if b then 1 else 0) = if b then 1 else 0.
Proof. destruct b; [apply Q2R_one|apply Q2R_zero]. Qed.

Lemma positive_numbers x : signs x = true -> 0 < Q2R (q_gamma x) /\ 0 < 1 + Q2R (q_theta x) /\ 0 < c (multipliers_of x).
Proof.
  unfold signs. rewrite !andb_true_iff. intros H. destruct H as [[[[[[[[[[Hn Hg] Ht] Hc] Hb] Hp] H0] H1] Hl] Ha] Hv].
  assert (Ht' := positive_R _ Ht). rewrite Q2R_plus, Q2R_one in Ht'. split; [|split]; [now apply positive_R|lra|].
  now apply positive_R.
Qed.
(** What is left to show are the two forms. *)
Lemma certificate_of_forms x : signs x = true -> cancels x = true ->
  (forall u : nat -> line, 0 <= form_S (numbers_of x) (multipliers_of x) (masked (numbers_of x) u)) ->
  (q_one_device x = true \/ forall u : nat -> line, 0 <= form_D (numbers_of x) (multipliers_of x) (masked (numbers_of x) u)) ->
  certificate (numbers_of x) (multipliers_of x).
Proof.
  intros H Hs HS HD. unfold signs in H. rewrite !andb_true_iff in H.
  destruct H as [[[[[[[[[[Hn Hg] Ht] Hc] Hb] Hp] H0] H1] Hl] Ha] Hv].
  assert (Ht' := positive_R _ Ht). rewrite Q2R_plus, Q2R_one in Ht'.
  split; cbn [Es numbers_of L theta P_b P_n lam multipliers_of eta_0 eta_plus tau vt one_device].
  - now apply Nat.ltb_lt.
  - lra.
  - lra.
  - split; now apply nonneg_R.
  - intros; now apply entry_nonneg.
  - split; now apply nonneg_R.
  - intros; split; now apply nth_nonneg.
  - intros i Hi. unfold cancels in Hs. rewrite forallb_forall in Hs.
    specialize (Hs i). rewrite in_seq in Hs. specialize (Hs ltac:(lia)). apply Qeq_bool_eq, Qeq_eqR in Hs.
    rewrite !Q2R_minus, !qsum_R, !if_R in Hs. exact Hs.
  - exact HS.
  - exact HD.
Qed.
Theorem check_gives_certificate : Check_Gives_Certificate.
Proof.
  intros x H. unfold check in H. rewrite !andb_true_iff, orb_true_iff in H. destruct H as [[[H Hs] HS] HD].
  destruct (positive_numbers x H) as [Hg [Ht _]]. apply certificate_of_forms; auto.
  - intros u. pose proof (psd_sound _ (basis x u) HS) as P. rewrite table_S_value in P by auto. lra.
  - destruct HD as [HD|HD]; [now left|right]. intros u. pose proof (psd_sound _ (basis x u) HD) as P.
    rewrite table_D_value in P by auto. lra.
Qed.

Theorem check_sound : Check_Sound.
Proof.
  intros x H. pose proof (check_gives_certificate x H) as C.
  assert (Hc : 0 < c (multipliers_of x)).
  { unfold check in H. rewrite !andb_true_iff in H. now apply positive_numbers. }
  split; [exact Hc|]. intros Lip HL k price. assert (Hi : 0 < / Lip) by now apply Rinv_0_lt_compat.
  pose proof (certificate_scales _ _ (/ Lip) Hi C) as C'. fold k in C'. split.
  - intros r G b sigma F. pose proof (descent _ _ C' r G b sigma F) as D.
    unfold price, Rdiv. cbn [c eta_0 eta_plus tau vt priced] in D. rewrite !sum_scale in D.
    change (Es k) with (Es (numbers_of x)) in D. lra.
  - intros Hm Ht s Hs r G b sigma F. pose proof (smaller_rates_descend _ _ s C' Hm Ht Hs r G b sigma F) as D.
    unfold price, Rdiv. cbn [c eta_0 eta_plus tau vt priced] in D. rewrite !sum_scale in D.
    change (Es k) with (Es (numbers_of x)) in D. lra.
Qed.
