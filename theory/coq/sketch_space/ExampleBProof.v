(** * Proof that the assumptions of Theorem B can be met *)
From Coq Require Import Reals Lra Lia.
From FPS.sketch_space Require Import TableSetting ExampleB.
Open Scope R_scope.

Lemma coins_are Y : two_coins Y = (Y (true, true) + Y (true, false) + Y (false, true) + Y (false, false)) / 4.
Proof. simpl. field. Qed.
Lemma seminorm_square (g : Rd 2) : ‖(Sk example_table g)‖² <= 2 * ‖g‖².
Proof. simpl. pose proof (Rle_0_sqr (g 0%nat - g 1%nat)). unfold Rsqr in *. lra. Qed.
Lemma no_noise_later t m e o : (t <> 0 \/ m <> 0 \/ e <> 0)%nat -> zeta example_run t m e o = zero.
Proof. destruct t, m, e; try reflexivity. lia. Qed.
Lemma bias_bound_nonneg (x : Rd 2) : 0 <= P_b example_run * ‖x‖² + b example_run ^ 2.
Proof. apply Rplus_le_le_0_compat; [apply Rmult_le_pos; [simpl; lra|apply inner_nonneg]|apply pow2_ge_0]. Qed.
(** All that is not chance, or sizes of noise: one line each *)
Ltac later_steps := try (rewrite !no_noise_later by lia; rewrite ?inner_zero; simpl; lra).

Lemma example_ok : assumptions_B example_run example_table.
Proof.
  constructor; try (simpl; lra); try (intros; exact I).
  - intros m x y _. simpl. lra.
  - intros m x y _. simpl (ell_M example_table). set (v := (y - x)%V : Rd 2).
    change (‖(Sk example_table v)‖ <= 2 * ‖v‖). pose proof (norm_nonneg _ v). apply square_le; [lra|].
    replace (2 * ‖v‖ * (2 * ‖v‖)) with (4 * (‖v‖ * ‖v‖)) by ring. rewrite !norm_square.
    pose proof (seminorm_square v). pose proof (inner_nonneg _ v). lra.
  - reflexivity.
  - intros x y. unfold f, grad_f, vmean, avg. simpl. right. field.
  - intros g. simpl. lra.
  - intros x. unfold f, avg. simpl. pose proof (Rle_0_sqr (x 0%nat)). pose proof (Rle_0_sqr (x 1%nat)).
    unfold Rsqr in *. lra.
  - intros t m e o _ _. simpl (beta _ _ _ _ _). rewrite inner_zero. apply bias_bound_nonneg.
  - intros t m e o _ _. eapply Rle_trans; [apply seminorm_square|]. simpl (beta _ _ _ _ _).
    rewrite inner_zero, Rmult_0_r.
    apply Rmult_le_pos; [simpl; lra|apply bias_bound_nonneg].
  - intros t m e _ o o' _. reflexivity.
  - intros t m e Y _ _ HY. change (two_coins (fun o => ⟨zeta example_run t m e o, Y o⟩) = 0).
    rewrite coins_are.
    destruct t, m, e; later_steps.
    rewrite (HY (true, true) (false, true)), (HY (true, false) (false, true)),
      (HY (false, false) (false, true))
      by (left; auto). simpl. field.
  - intros t m e _.
    change (two_coins (fun o => ‖(zeta example_run t m e o)‖²) <=
      0 * two_coins (fun o => ‖(local example_run t m e o)‖²) + 1 ^ 2).
    rewrite Rmult_0_l, coins_are. destruct t, m, e; later_steps. simpl. lra.
  - intros t m e _.
    change (two_coins (fun o => ‖(Sk example_table (zeta example_run t m e o))‖²) <=
      2 * (0 * two_coins (fun o => ‖(local example_run t m e o)‖²) + 1 ^ 2)).
    rewrite Rmult_0_l, coins_are. destruct t, m, e; later_steps. simpl. lra.
  - right. split; [reflexivity|]. intros t m m' e e' _ _ Hne.
    change (two_coins (fun o => ⟨Sk example_table (zeta example_run t m e o),
      Sk example_table (zeta example_run t m' e' o)⟩) = 0).
    rewrite coins_are. destruct m as [|m]; [destruct m' as [|m']; [lia|]|].
    + rewrite !(no_noise_later t (S m')) by lia. simpl. field.
    + rewrite !(no_noise_later t (S m)) by lia. simpl. field.
  - intros t Y _ _ HY. change (two_coins (fun o => ⟨stored example_table t o, Sk example_table (Y o)⟩) = 0).
    rewrite coins_are. destruct t; [|simpl; field].
    rewrite (HY (true, true) (true, false)), (HY (false, true) (false, false))
      by (intros m _; right; left; auto).
    simpl. field.
  - intros t _.
    change (two_coins (fun o => ⟨St example_table (stored example_table t o),
      St example_table (stored example_table t o)⟩) <= 2).
    rewrite coins_are. destruct t; simpl; lra.
  - intros t m e _ o o' [[_ H]|[[H1 H2]|H]]; [discriminate H| |now rewrite H].
    destruct t, m, e; try reflexivity.
    simpl. now rewrite H2.
  - intros t m o o' _. reflexivity.
  - intros t m o o' [[H _]|[[H _]|H]]; [discriminate H|discriminate H|now rewrite H].
  - intros m. split; intros o o' _; reflexivity.
  - intros t m e o o' [[_ H]|[H|H]]; [discriminate H|right; left; auto|right; right; auto].
  - intros t m m' o o' [[H _]|[[H _]|H]]; [discriminate H|discriminate H|right; right; auto].
  - intros t m m' o o' H. exact H.
Qed.
Theorem assumptions_b_can_be_met : Assumptions_B_Can_Be_Met.
Proof.
  split; [exact example_ok|]. change (chance example_run) with two_coins. rewrite !coins_are. simpl.
  repeat split; field.
Qed.
