(** * Proof that the assumptions of Theorem D with noise can be met *)
From Coq Require Import Reals Lra Lia.
From FPS.tools Require Import Mean.
From FPS.residual Require Import TopSets.
From FPS.sketch_space Require Import Sketch TheoremD TheoremDNoise ExampleDNoise.
Open Scope R_scope.

Lemma coins_are Y : coins_line Y = (Y (true, true) + Y (true, false) + Y (false, true) + Y (false, false)) /
  4.
Proof. simpl. field. Qed.
Lemma norm_one (y : Rd 1) : norm_H (fun _ => 1) y ^ 2 = y 0%nat ^ 2.
Proof.
  unfold norm_H. rewrite pow2_sqrt; simpl; [ring|]. pose proof (Rle_0_sqr (y 0%nat)). unfold Rsqr in *. lra.
Qed.
(** Means over the coins: write them out, and look at round 0 and a later one. *)
Ltac by_coins := intros t; change (for_models example_noisy) with coins_line; rewrite coins_are;
  destruct t as [|t]; simpl; unfold a_N, w_N, x_N, at_first, restrict, times_H, ind, coin; simpl;
  unfold at_first, coin; simpl; try lra; try field.

Lemma example_noisy_ok : assumptions_N example_noisy.
Proof.
  constructor; try (intros; exact I); try (unfold eta_N; simpl; lra).
  - intros; simpl; lra.
  - intros y. rewrite norm_one. simpl. unfold times_H. lra.
  - intros P y _. simpl. unfold times_H. simpl. lra.
  - intros t o. split; [unfold size; simpl; ring|]. intros; discriminate.
  - intros t o y. simpl. destruct t as [|t]; simpl;
      unfold a_N, w_N, x_N, at_first, restrict, times_H, ind; simpl; unfold at_first; simpl; field.
  - by_coins.
  - by_coins.
  - by_coins.
  - by_coins.
  - by_coins.
  - intros t. change (coins_line (fun o => norm_H (fun _ => 1) (at_first (coin (fst o)) t) ^ 2) <= 1 ^ 2).
    rewrite coins_are, !norm_one. destruct t; simpl; lra.
  - by_coins.
  - by_coins.
  - intros Y. split; [tauto|reflexivity].
Qed.
Theorem assumptions_n_can_be_met : Assumptions_N_Can_Be_Met.
Proof. split; [exact example_noisy_ok|]. rewrite !coins_are. simpl. repeat split; field. Qed.
