(** * The sample certificate: proofs *)
From Coq Require Import Reals QArith Qreals List Lra Lia.
From FPS.tools Require Import Smooth.
From FPS.rates Require Import Round Forms Descent DescentProof Scaling ScalingProof Certificate Checker
  CheckerProof.
From FPS.rates Require Import SampleCertificate.

Theorem sample_certificate : Sample_Certificate.
Proof. apply check_sound. vm_compute. reflexivity. Qed.

Theorem sample_refused : Sample_Refused.
Proof. vm_compute. reflexivity. Qed.

Local Open Scope R_scope.
Theorem sample_in_words : Sample_In_Words.
Proof.
  intros Lip r G HL k curves unbiased s0 s1.
  assert (C : certificate (numbers_of sample) (multipliers_of sample)).
  { apply check_gives_certificate. vm_compute. reflexivity. }
  apply (certificate_scales _ _ (/ Lip) (Rinv_0_lt_compat _ HL)) in C.
  assert (E : scaled (/ Lip) (numbers_of sample) = k).
  { unfold scaled, numbers_of, k, sample, Q2R. cbn. f_equal; field; lra. }
  rewrite E in C.
  assert (F : plain_fits k r G 0).
  { split; auto; try discriminate; [|intros; apply unbiased]. intros m Hm x y. cbn [theta L k].
    pose proof (smooth_above x y (curves m Hm)). pose proof (smooth_below x y (curves m Hm)). lra. }
  pose proof (descent_without_noise k _ C r G 0 F) as D'.
  cbn [c eta_0 eta_plus priced multipliers_of sample q_c q_eta_0 q_eta_plus] in D'. unfold Q2R in D'.
  cbn in D'.
  cbn. assert (Hi : 0 < / Lip) by now apply Rinv_0_lt_compat. unfold Rdiv.
  pose proof (inner_nonneg _ (p_grad_f r (p_start r))) as N. set (q := ‖(p_grad_f r (p_start r))‖²) in *.
  assert (0 <= / Lip * q) by (apply Rmult_le_pos; lra). assert (0 <= / Lip * (G * (G * 1)))
    by (apply Rmult_le_pos; nra).
  lra.
Qed.
