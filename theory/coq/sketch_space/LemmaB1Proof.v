(** * Proof of Lemma B1 *)
From Coq Require Import Reals Lra Lia.
From FPS.tools Require Import Mean.
From FPS.residual Require Import TopSets.
From FPS.sketch_space Require Import Sketch SketchLemmas LemmaB1.
Open Scope R_scope.

Lemma square_of_restrict d P (x : Rd d) : ‖(restrict P x)‖² = sum d (fun i => ind (P i) * x i ^ 2).
Proof. simpl. apply sum_ext; intros i _. unfold restrict, ind. destruct (P i); ring. Qed.
Lemma size_outside d P : size d (outside P) = INR d - size d P.
Proof.
  unfold size. assert (H : sum d (fun i => ind (outside P i)) + sum d (fun i => ind (P i)) = INR d); [|lra].
  rewrite <- sum_add, <- (Rmult_1_r (INR d)), <- sum_const. apply sum_ext; intros i _.
  unfold outside, ind. destruct (P i); simpl; ring.
Qed.
Lemma split_square d P (x : Rd d) : ‖x‖² = ‖(restrict P x)‖² + ‖(restrict (outside P) x)‖².
Proof.
  rewrite !square_of_restrict, <- sum_add. apply sum_ext; intros i _.
  unfold outside, ind. destruct (P i); simpl; ring.
Qed.

Section TopK.
Variables (d k : nat) (P : coordinates) (y : Rd d).
Hypothesis k_pos : (1 <= k)%nat.
Hypothesis largest : top d k P y.
Lemma k_real : 0 < INR k. Proof. apply lt_0_INR. lia. Qed.
(** A coordinate outside is at most one inside, so k times the outside is at most (d − k) times the inside. *)
Lemma outside_le_inside : INR k * ‖(restrict (outside P) y)‖² <= (INR d - INR k) * ‖(restrict P y)‖².
Proof.
  destruct largest as [Hs Ht]. rewrite <- Hs, <- size_outside, !square_of_restrict. unfold size.
  apply Rle_trans with (sum d (fun j => sum d (fun i => ind (outside P j) * (ind (P i) * y j ^ 2)))).
  { right. rewrite <- sum_scale. apply sum_ext; intros j _.
    rewrite sum_scale, (sum_ext d (fun i => ind (P i) * y j ^ 2) (fun i => y j ^ 2 * ind (P i)))
      by (intros; ring).
    rewrite sum_scale. ring. }
  apply Rle_trans with (sum d (fun j => sum d (fun i => ind (outside P j) * (ind (P i) * y i ^ 2)))).
  { apply sum_mono; intros j Hj. apply sum_mono; intros i Hi. unfold outside.
    destruct (P i) eqn:Ei, (P j) eqn:Ej; unfold ind; simpl; try lra.
    pose proof (Rsqr_le_abs_1 _ _ (Ht i j Hi Hj Ei Ej)) as H. unfold Rsqr in H. lra. }
  right. rewrite (Rmult_comm (sum d (fun j => ind (outside P j)))), <- sum_scale. apply sum_ext; intros j _.
  rewrite sum_scale. ring.
Qed.
Lemma k_le_d : INR k <= INR d.
Proof.
  rewrite <- (proj1 largest). unfold size. rewrite <- (Rmult_1_r (INR d)), <- sum_const.
  apply sum_mono; intros; unfold ind; destruct (P i); lra.
Qed.
Lemma ratio_nonneg : 0 <= INR d / INR k - 1.
Proof.
  pose proof k_real. pose proof k_le_d. apply Rmult_le_reg_l with (INR k); [auto|].
  replace (INR k * (INR d / INR k - 1)) with (INR d - INR k) by (field; lra). lra.
Qed.
(** ‖y‖² ≤ (d/k) ‖Top_k y‖² *)
Lemma whole_le_top : ‖y‖² <= INR d / INR k * ‖(restrict P y)‖².
Proof.
  rewrite (split_square d P y). pose proof outside_le_inside. pose proof k_real.
  apply Rmult_le_reg_l with (INR k); [auto|].
  replace (INR k * (INR d / INR k * ‖(restrict P y)‖²)) with (INR d * ‖(restrict P y)‖²) by (field; lra). lra.
Qed.
Lemma norm_outside : ‖(restrict (outside P) y)‖ <= left_by_top d k * ‖(restrict P y)‖.
Proof.
  pose proof k_real. pose proof ratio_nonneg as Hr. unfold left_by_top, norm.
  rewrite <- sqrt_mult by (auto using inner_nonneg).
  apply sqrt_le_1_alt. apply Rmult_le_reg_l with (INR k); [auto|].
  replace (INR k * ((INR d / INR k - 1) * ‖(restrict P y)‖²)) with ((INR d - INR k) * ‖(restrict P y)‖²)
    by (field; lra).
  apply outside_le_inside.
Qed.
End TopK.

(** x − w̃ is what top-k left of x + n, less n. *)
Lemma residual_is d P (x n : Rd d) :
  same (x - restrict P (x + n)%V)%V (restrict (outside P) (x + n)%V + (-1) *: n)%V.
Proof.
  intro w. simpl. apply sum_ext; intros i _. unfold restrict, outside, ind; simpl.
  destruct (P i); simpl; ring.
Qed.

Theorem lemma_b1 : Lemma_B1.
Proof.
  intros d k P x n Hk H. rewrite (same_norm _ _ _ (residual_is d P x n)).
  eapply Rle_trans; [apply minkowski|]. rewrite norm_opp. apply Rplus_le_compat_r. now apply norm_outside.
Qed.
Theorem lemma_b1_on_average : Lemma_B1_On_Average.
Proof.
  intros d k I mu P x n w Hk Sx Sn Sw H.
  set (X := exist (sq mu) x Sx : L2 mu). set (N := exist (sq mu) n Sn : L2 mu).
  set (W := exist (sq mu) w Sw : L2 mu).
  change (‖(X - W)‖ <= left_by_top d k * ‖W‖ + ‖N‖).
  set (U := (X + N - W)%V).
  assert (HU : ‖U‖ <= left_by_top d k * ‖W‖).
  { apply L2_le; [apply sqrt_pos|]. intros i _. destruct (H i) as [Ht Hw].
    change (‖((x i + n i) - w i)‖ <= left_by_top d k * ‖(w i)‖).
    rewrite (same_norm _ _ (restrict (outside (P i)) (x i + n i)%V)), Hw; [now apply norm_outside|].
    intro z. rewrite Hw. simpl. apply sum_ext; intros j _. unfold restrict, outside, ind; simpl.
    destruct (P i j); simpl; ring. }
  rewrite (same_norm _ (X - W)%V (U + (-1) *: N)%V).
  - eapply Rle_trans; [apply minkowski|]. rewrite norm_opp. lra.
  - intro z. unfold U. expand. ring.
Qed.
Theorem table_from_estimate : Table_From_Estimate.
Proof.
  intros V k lam s g Hl H Hs. rewrite (same_square _ _ _ Hs), (same_square _ _ _ (St_same k _ _ Hs)).
  apply Rmult_le_reg_l with lam; [auto|].
  replace (lam * (‖(St k (Sk k g))‖² / lam)) with ‖(St k (Sk k g))‖² by (field; lra). auto.
Qed.
