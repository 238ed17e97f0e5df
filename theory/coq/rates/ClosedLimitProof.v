(** * A limit that no proof can pass: proofs *)
From Coq Require Import Reals Arith Lra Lia.
From FPS.tools Require Import Smooth.
From FPS.rates Require Import Round Forms Descent DescentProof ClosedLimit.
Open Scope R_scope.

(** Numbers of the line are real numbers. *)
Ltac in_R := match goal with |- @eq _ ?a ?b => change (@eq R a b) end.

Section TugOfWar.
Variables (k : numbers) (n d : nat) (some : (0 < 2 * n)%nat) (lambda x : R).
Hypothesis nd : (0 < d <= n)%nat.
Local Notation r := (tug_of_war n d some lambda x).

Lemma local_value m e : p_local k r m e = rho (gamma k) (mu k) (sign n d m * lambda) e * x.
Proof.
  induction e as [|e IH]; [cbn; ring|]. cbn [p_local rho]. rewrite IH. cbn. ring.
Qed.
Lemma vsum_line j (X : nat -> line) : vsum j X = sum j X.
Proof. induction j as [|j IH]; [reflexivity|]. cbn [vsum sum]. rewrite IH. reflexivity. Qed.
(** A mean over the devices of something that depends on the sign only *)
Lemma two_kinds (g : R -> R) : avg (2 * n) (fun m => g (sign n d m)) =
  (1 + INR d / INR n) / 2 * g 1 + (1 - INR d / INR n) / 2 * g (-1).
Proof.
  assert (G : forall j, (j <= 2 * n)%nat -> sum j (fun m => g (sign n d m)) =
    INR (Nat.min j (n + d)) * g 1 + INR (j - (n + d)) * g (-1)).
  { induction j as [|j IH]; intros Hj; [cbn; ring|]. cbn [sum]. rewrite IH by lia. unfold sign.
    destruct (Nat.ltb_spec j (n + d)).
    - rewrite !Nat.min_l by lia. replace (S j - (n + d))%nat with O by lia.
      replace (j - (n + d))%nat with O by lia.
      rewrite S_INR. ring.
    - rewrite !Nat.min_r by lia. replace (S j - (n + d))%nat with (S (j - (n + d))) by lia. rewrite S_INR.
      ring. }
  unfold avg. rewrite G by lia. rewrite Nat.min_r by lia. replace (2 * n - (n + d))%nat with (n - d)%nat
    by lia.
  rewrite mult_INR, plus_INR, minus_INR by lia. replace (INR 2) with 2 by (cbn; ring).
  assert (INR n <> 0) by (apply not_0_INR; lia). field. auto.
Qed.
Lemma vmean_line (X : nat -> line) : vmean (2 * n) X = avg (2 * n) X.
Proof. unfold vmean, avg. rewrite vsum_line. reflexivity. Qed.
Lemma finish_value : p_finish k r = ((1 + INR d / INR n) / 2 * rho (gamma k) (mu k) lambda (Es k)
  + (1 - INR d / INR n) / 2 * rho (gamma k) (mu k) (- lambda) (Es k)) * x.
Proof.
  unfold p_finish. cbn [pM pV tug_of_war]. rewrite vmean_line.
  rewrite (avg_ext _ _ (fun m => (fun h => rho (gamma k) (mu k) (h * lambda) (Es k) * x) (sign n d m)))
    by (intros; apply local_value).
  rewrite (two_kinds (fun h => rho (gamma k) (mu k) (h * lambda) (Es k) * x)).
  replace (1 * lambda) with lambda by ring. replace (-1 * lambda) with (- lambda) by ring. in_R. ring.
Qed.
Lemma grad_f_value w : p_grad_f r w = INR d / INR n * (lambda * w).
Proof.
  unfold p_grad_f. cbn [pM pV p_grad tug_of_war]. rewrite vmean_line.
  rewrite (two_kinds (fun h => h * lambda * w)). in_R. field. apply not_0_INR. lia.
Qed.
Lemma squares_value w : avg (2 * n) (fun m => inner (p_grad r m w) (p_grad r m w)) = (lambda * w) ^ 2.
Proof.
  transitivity ((1 + INR d / INR n) / 2 * (1 * lambda * w * (1 * lambda * w))
    + (1 - INR d / INR n) / 2 * (-1 * lambda * w * (-1 * lambda * w))).
  - exact (two_kinds (fun h => h * lambda * w * (h * lambda * w))).
  - field. apply not_0_INR. lia.
Qed.
Lemma similar_value w : B k = INR n / INR d -> p_similar k r 0 w.
Proof.
  intros HB. unfold p_similar. rewrite grad_f_value. cbn [pM tug_of_war]. rewrite squares_value, HB. right.
  cbn.
  field. split; apply not_0_INR; lia.
Qed.
Lemma curved_value m : theta k = 1 -> 0 < lambda <= L k -> curved (theta k) (L k) (p_loss r m) (p_grad r m).
Proof.
  intros -> Hl a b. cbn. assert (S : sign n d m = 1 \/ sign n d m = -1) by (unfold sign;
    destruct (m <? n + d); auto).
  destruct S as [-> | ->]; pose proof (Rle_0_sqr (b + -1 * a)) as P; unfold Rsqr in P; nra.
Qed.
End TugOfWar.

Theorem spurious_fixed_points : Spurious_Fixed_Points.
Proof.
  intros k n d some lambda x nd HB Ht H1 HP Hl Hx root r.
  assert (Hn : INR n <> 0) by (apply not_0_INR; lia). assert (Hd : INR d <> 0) by (apply not_0_INR; lia).
  assert (IB : / B k = INR d / INR n) by (rewrite HB; field; auto).
  split; [split|split].
  - intros m _. now apply curved_value.
  - intros m e _ _. unfold r, tug_of_war. cbn [p_beta pV]. destruct (biased k); [|apply same_refl].
    change (0 * 0 <= P_b k * ‖(p_grad (tug_of_war n d some lambda x) m (p_local k (tug_of_war n d some lambda
      x) m e))‖² + 0 ^ 2).
    pose proof (inner_nonneg _ (p_grad (tug_of_war n d some lambda x) m (p_local k (tug_of_war n d some
      lambda x) m e))). nra.
  - now apply similar_value.
  - now apply similar_value.
  - rewrite H1. discriminate.
  - unfold r. rewrite finish_value by auto. rewrite <- IB, root. cbn. ring.
  - unfold r. rewrite grad_f_value by auto. cbn.
    assert (P : INR d / INR n * (lambda * x) <> 0).
    { unfold Rdiv. repeat apply Rmult_integral_contrapositive_currified; auto;
        [now apply Rinv_neq_0_compat|lra]. }
    pose proof (Rsqr_pos_lt _ P) as Q. unfold Rsqr in Q. exact Q.
Qed.

Lemma rho_power g h e : rho g 0 h e = (1 - g * h) ^ e.
Proof. induction e as [|e IH]; [reflexivity|]. cbn [rho pow]. rewrite IH. ring. Qed.

Theorem no_certificate_beyond_the_root : No_Certificate_Beyond_The_Root.
Proof.
  intros k n d t nd HB Ht H1 Hm Hg Htt root a cert.
  assert (some : (0 < 2 * n)%nat) by lia. set (lambda := t / gamma k).
  assert (Lg : gamma k * lambda = t) by (unfold lambda; field; lra).
  assert (Hl : 0 < lambda <= L k).
  { split; [apply Rdiv_lt_0_compat; lra|]. apply Rmult_le_reg_l with (gamma k); auto. rewrite Lg. lra. }
  destruct (spurious_fixed_points k n d some lambda 1 nd HB Ht H1 (proj1 (P_nonneg k a cert)) Hl R1_neq_R0)
    as [F [E G]].
  - rewrite Hm, !rho_power. replace (1 - gamma k * lambda) with (1 - t) by lra.
    replace (1 - gamma k * - lambda) with (1 + t) by lra. exact root.
  - pose proof (descent_without_noise k a cert _ 0 0 F) as D. rewrite E in D.
    set (g := ‖(p_grad_f _ _)‖²) in *. apply Rnot_lt_le. intros Hc. nra.
Qed.

Theorem two_steps_limit : Two_Steps_Limit.
Proof.
  intros k n d nd HB Ht H1 Hm HL HE Hg.
  assert (Pn : 0 < INR n) by (apply lt_0_INR; lia). assert (Pd : 0 < INR d) by (apply lt_0_INR; lia).
  assert (PB : 0 < B k) by (rewrite HB; now apply Rdiv_lt_0_compat).
  assert (P2 : 0 < 2 / (B k * L k)) by (apply Rdiv_lt_0_compat; nra).
  assert (Pt : 0 < 2 / B k) by (apply Rdiv_lt_0_compat; lra).
  apply (no_certificate_beyond_the_root k n d (2 / B k)); auto; try lra.
  - split; auto. apply Rle_trans with (L k * (2 / (B k * L k))); [right; field; lra|apply Rmult_le_compat_l;
      lra].
  - rewrite HE. cbn. field. lra.
Qed.

Theorem four_devices : Four_Devices.
Proof.
  intros some x k r. assert (nd : (0 < 1 <= 2)%nat) by lia. repeat split.
  - unfold r. rewrite finish_value by auto. unfold k. cbn. field.
  - unfold r. rewrite grad_f_value by auto. cbn. field.
  - apply similar_value; auto. cbn. field.
Qed.
