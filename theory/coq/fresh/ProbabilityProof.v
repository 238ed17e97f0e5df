(** * Theorem S with a probability: proofs *)
From Coq Require Import Reals Lra Lia.
From FPS.tools Require Import Smooth.
From FPS.residual Require Import RandomRows.
From FPS.fresh Require Import HashRound.
From FPS.rates Require Import Round Forms Average.
From FPS.fresh Require Import Prices SketchedRun SketchedRunProof Probability.
Open Scope R_scope.

Lemma markov {V I} (P : mean V I) (X : I -> R) bound delta (bad : I -> bool) : 0 < delta -> 0 < bound -> int P X ->
  (forall o, 0 <= X o) -> P X <= bound -> int P (fun o => ind (bad o)) ->
  (forall o, bad o = true -> bound / delta <= X o) -> Pr P bad <= delta.
Proof.
  intros Hd Hb HX Pos HE Hbad H. assert (Q : 0 < bound / delta) by (apply Rdiv_lt_0_compat; lra).
  assert (M : bound / delta * Pr P bad <= bound).
  { apply Rle_trans with (P X); [|exact HE]. unfold Pr. rewrite <- E_scale by exact Hbad.
    apply E_mono; [now apply int_scale|exact HX|]. intros o _. destruct (bad o) eqn:Eo; simpl.
    - rewrite Rmult_1_r. now apply H.
    - rewrite Rmult_0_r. apply Pos. }
  apply Rmult_le_reg_l with (bound / delta); [exact Q|].
  replace (bound / delta * delta) with bound by (field; lra). exact M.
Qed.
Section Run.
Variables (k : numbers) (a : multipliers) (s : sketched_run) (G b sigma : R) (T : nat).
Hypotheses (HT : (0 < T)%nat) (ok : forall t, (t < T)%nat -> round_over_sketch k s a G b sigma t).
Lemma square_int t : (t < T)%nat -> int (P s) (fun o => ‖(grad_f (exact_at s 0) (model s t o))‖²).
Proof.
  intros Ht. apply sq_inner; exact (HashRound.sq_gradient _ (sketch_fits _ _ _ _ _ _ _ (ok t Ht))).
Qed.
Lemma realised_int n : (n <= T)%nat -> int (P s) (realised s n).
Proof. intros Hn. apply int_scale, (int_sum (P s)). intros; apply square_int; lia. Qed.
Lemma realised_mean n : (n <= T)%nat -> P s (realised s n) = avg n (gradient_square s).
Proof.
  intros Hn. unfold realised, avg. rewrite E_scale by (apply (int_sum (P s)); intros; apply square_int; lia).
  f_equal. apply (E_sum (P s)). intros; apply square_int; lia.
Qed.
Lemma realised_pos n o : (0 < n)%nat -> 0 <= realised s n o.
Proof. intros Hn. rewrite <- (avg_const n Hn 0). apply avg_mono; auto. intros; apply inner_nonneg. Qed.
End Run.

Theorem theorem_s_with_probability : Theorem_S_With_Probability.
Proof.
  intros k a s cert Hc T f_star G b sigma delta bad HT ok below Hd Hb Hbad H.
  apply (markov (P s) (realised s T) (theorem_s_bound k a s T f_star G b sigma) delta bad); auto.
  - exact (realised_int k a s G b sigma T HT ok T (le_n T)).
  - intros o. now apply realised_pos.
  - rewrite (realised_mean k a s G b sigma T HT ok T (le_n T)).
    now apply (theorem_s_for_sketches k a s cert Hc T f_star G b sigma HT ok below).
Qed.
Theorem all_rounds_at_once : All_Rounds_At_Once.
Proof.
  intros k a s cert Hc Hs n f_star delta bad Hn ok below Delta Hd HD Hbad H.
  assert (Pn : 0 < INR n) by now apply lt_0_INR.
  apply (markov (P s) (realised s n) (Delta / (c a * INR n)) delta bad); auto.
  - apply Rdiv_lt_0_compat; [exact HD|]. now apply Rmult_lt_0_compat.
  - exact (realised_int k a s 0 0 0 n Hn ok n (le_n n)).
  - intros o. now apply realised_pos.
  - rewrite (realised_mean k a s 0 0 0 n Hn ok n (le_n n)).
    pose proof (theorem_s_for_sketches k a s cert Hc n f_star 0 0 0 Hn ok below) as S. fold Delta in S.
    apply Rle_trans with (1 := S), Req_le. rewrite Hs.
    assert (PJ : 0 < INR (J s)) by (apply lt_0_INR, (J_pos _ (sketch_fits _ _ _ _ _ _ _ (ok 0%nat Hn)))).
    field. repeat split; lra.
  - intros o Ho. destruct (H o Ho) as [T [[HT1 HT2] HT3]]. assert (PT : 0 < INR T) by now apply lt_0_INR.
    assert (M : INR T * realised s T o <= INR n * realised s n o).
    { unfold realised, avg. rewrite <- !Rmult_assoc, !Rinv_r, !Rmult_1_l by lra.
      replace n with (T + (n - T))%nat by lia. clear. induction (n - T)%nat as [|m IH]; [rewrite Nat.add_0_r; lra|].
      rewrite Nat.add_succ_r. cbn [sum]. pose proof (inner_nonneg _ (grad_f (exact_at s 0) (model s (T + m) o))).
      apply Rle_trans with (1 := IH). cbn [V exact_at round_at] in *. lra. }
    assert (M2 : INR T * (Delta / (c a * delta * INR T)) <= INR T * realised s T o) by (apply Rmult_le_compat_l; lra).
    apply Rmult_le_reg_l with (INR n); [lra|]. apply Rle_trans with (2 := M). apply Rle_trans with (2 := M2).
    right. field. repeat split; lra.
Qed.
