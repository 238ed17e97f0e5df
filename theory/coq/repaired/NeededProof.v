(** * Proof that Theorem A needs each of its assumptions *)
From Coq Require Import Reals Lra Lia.
From FPS.repaired Require Import Setting TheoremA Needed NeededSure NeededCoins NeededReplay.
Open Scope R_scope.

Theorem assumptions_by_name : Assumptions_By_Name.
Proof.
  intros r. split.
  - intros ok. destruct ok. split; [constructor; auto; tauto|]. intros []; cbn [says]; auto; tauto.
  - intros [k H]. destruct k.
    pose proof (H Losses_smooth) as H1. pose proof (H Loss_bounded_below) as H2.
    pose proof (H Bias_bounded) as H3.
    pose proof (H Bias_known) as H4. pose proof (H Noise_centred) as H5. pose proof (H Noise_bounded) as H6.
    pose proof (H Devices_uncorrelated) as H7. pose proof (H Devices_similar) as H8.
    pose proof (H Proximal_step_small) as H9.
    cbn [says] in *. constructor; auto; tauto.
Qed.

Theorem smoothness_is_needed : Smoothness_Is_Needed. Proof. exact smoothness_needed. Qed.
Theorem lower_bound_is_needed : Lower_Bound_Is_Needed. Proof. exact lower_bound_needed. Qed.
Theorem bias_bound_is_needed : Bias_Bound_Is_Needed. Proof. exact bias_bound_needed. Qed.
Theorem bias_known_is_needed : Bias_Known_Is_Needed. Proof. exact bias_known_needed. Qed.
Theorem centred_noise_is_needed : Centred_Noise_Is_Needed. Proof. exact centred_noise_needed. Qed.
Theorem noise_bound_is_needed : Noise_Bound_Is_Needed. Proof. exact noise_bound_needed. Qed.
Theorem uncorrelated_devices_are_needed : Uncorrelated_Devices_Are_Needed. Proof.
exact uncorrelated_devices_needed. Qed.
Theorem equal_steps_are_not_enough : Equal_Steps_Are_Not_Enough.
Proof. intros H. apply replayed_breaks, H; [exact replayed_all_but|exact replayed_equal_steps]. Qed.
Theorem similar_devices_are_needed : Similar_Devices_Are_Needed. Proof. exact similar_devices_needed. Qed.
Theorem small_proximal_step_is_needed : Small_Proximal_Step_Is_Needed. Proof.
exact small_proximal_step_needed. Qed.
