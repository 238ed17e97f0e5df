(** * A certificate for a sketch: proofs *)
From Coq Require Import Reals QArith Qreals List Lra Lia.
From FPS.tools Require Import Smooth.
From FPS.fresh Require Import HashRound.
From FPS.rates Require Import Round Forms Certificate.
From FPS.fresh Require Import Prices PricesProof PricedChecker PricedCheckerProof SketchedRun SketchedRunProof SampleSketch.
Open Scope R_scope.

Theorem sketch_sample_accepted : Sketch_Sample_Accepted.
Proof. split; vm_compute; reflexivity. Qed.

Theorem sketch_sample_in_words : Sketch_Sample_In_Words.
Proof.
  intros s T f_star G HT k Hl Ho Hk ok below.
  destruct (priced_check_gives_certificate sketch_sample (proj1 sketch_sample_accepted)) as [Hc C].
  assert (Ek : numbers_of sketch_sample = k).
  { unfold numbers_of, k. cbn [q_Es q_gamma q_mu q_theta q_B q_P_b q_P_n q_nu q_biased q_noisy q_one_device q_uncorrelated
      q_independent sketch_sample without_sketch]. f_equal; unfold Q2R; simpl; lra. }
  rewrite Ek in C.
  assert (C' : priced_certificate k (multipliers_of sketch_sample) (omega_H s) (kappa s * (ell_H s + omega_H s))).
  { apply (prices_are_monotone _ _ _ _ _ _ C).
    - apply Rle_trans with (1 := proj2 Ho). unfold Q2R. simpl. lra.
    - rewrite Hl. apply Rle_trans with (7 / 27 * (1 + 1 / 2)); [|unfold Q2R; simpl; lra].
      assert (kappa s * (1 + omega_H s) <= 7 / 27 * (1 + omega_H s)) by (apply Rmult_le_compat_r; lra). lra. }
  pose proof (theorem_s_for_sketches k (multipliers_of sketch_sample) s C' Hc T f_star G 0 0 HT ok below) as S.
  assert (E1 : c (multipliers_of sketch_sample) = 110326 / 10000000) by (simpl; unfold Q2R; simpl; lra).
  assert (E2 : eta_0 (multipliers_of sketch_sample) + eta_plus (multipliers_of sketch_sample) = 2515349 / 10000000)
    by (simpl; unfold Q2R; simpl; lra).
  rewrite E1, E2 in S. apply Rle_trans with (1 := S), Req_le. f_equal.
  generalize (sigma_c s ^ 2 * trace (d s) (Hess s) / (2 * INR (J s))). intros ch. ring.
Qed.
