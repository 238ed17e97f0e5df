(** * Proof of Corollary B1 *)
From Coq Require Import Reals Lra Lia.
From FPS.sketch_space Require Import TableSetting CorollaryB1 TheoremBProof.
From FPS.sketch_space.theorem_b Require Import SeminormLemmas.
Open Scope R_scope.

Section B1.
Variables (r : run) (k : table r).
Hypothesis ok : assumptions_B r k.
Hypothesis simple : one_unbiased_step r.
Local Notation u := (gamma r * L_M k).
Local Notation c := (c_B1 r k).
Local Notation N := (N_B1 r k).
Lemma Ebar_one : Ebar r = 1.
Proof. destruct simple as [E _]. unfold Ebar, weight. rewrite E. simpl. ring. Qed.
Lemma share_one : share (gamma r) (mu r) 1 0 = 1.
Proof. unfold share, total_weight, omega. simpl. field. Qed.
Lemma u_one : u_B r k = u.
Proof. unfold u_B, u_of. rewrite Ebar_one. ring. Qed.
Lemma F_one : F_B r k = 0.
Proof.
  destruct simple as [E [Pb Hb]]. unfold F_B, F_of, bias_bound. rewrite E, Pb, Hb. cbn [sum].
  rewrite share_one.
  cbn [drift]. replace (0 * slope (gamma r) (mu r) (L r) 0 (P_n r) 0 (sigma r) (D_B r) 0 ^ 2 + 0 ^ 2) with 0
    by ring.
  rewrite sqrt_0. ring.
Qed.
Lemma N_one : N_B r k = N.
Proof.
  destruct simple as [E _]. unfold N_B, N_of, N_B1, N_one_step. rewrite E. cbn [sum]. rewrite share_one.
  unfold slope. cbn [drift]. rewrite Rmult_0_r, Rplus_0_r. ring.
Qed.
Lemma start_one : start_B r k = c.
Proof. unfold start_B, Theta_B. now rewrite Ebar_one. Qed.
Lemma A_M_nonneg : 0 <= A_M r k.
Proof. apply (inner_nonneg _ (a r k ok)). Qed.
(** With F = 0 the x of Theorem B is √A_M. *)
Lemma solved_for_x : (2 - u) * A_M r k <= c + 2 * rho_B r k * sqrt (A_M r k) + u * N.
Proof.
  destruct (theorem_b_one_step r k ok (proj1 simple)) as [x [Hx [Hn H]]].
  rewrite F_one, start_one, u_one, N_one in *. unfold inner_one in H.
  assert (x = sqrt (A_M r k)) by (revert Hn; unfold Rabs; destruct (Rcase_abs _); lra). subst x.
  assert (Hs : sqrt (A_M r k) ^ 2 = A_M r k) by apply pow2_sqrt, A_M_nonneg. rewrite Hs in H. lra.
Qed.
Lemma root_bound : u < 2 -> sqrt (A_M r k) <= root_B1 (rho_B r k) u c N.
Proof.
  intros Hu. pose proof solved_for_x as H. unfold root_B1. set (y := sqrt (A_M r k)) in *.
  set (p := rho_B r k) in *.
  assert (Hy : y * y = A_M r k) by apply sqrt_sqrt, A_M_nonneg. rewrite <- Hy in H.
  set (v := u) in *. set (e := c + v * N) in *. apply Rmult_le_reg_r with (2 - v); [lra|].
  replace ((p + sqrt (p ^ 2 + (2 - v) * e)) / (2 - v) * (2 - v)) with (p + sqrt (p ^ 2 + (2 - v) * e))
    by (field; lra).
  assert (K : (y * (2 - v) - p) <= sqrt (p ^ 2 + (2 - v) * e)); [|lra]. apply square_le; [apply sqrt_pos|].
  assert (K1 : (2 - v) * ((2 - v) * (y * y)) <= (2 - v) * (e + 2 * p * y))
    by (apply Rmult_le_compat_l; [lra|unfold e; lra]).
  pose proof (pow2_ge_0 (y * (2 - v) - p)) as K2. rewrite sqrt_sqrt; simpl in *; lra.
Qed.
Lemma plain_bound : u < 1 -> A_M r k <= bound_B1 (rho_B r k) u c N.
Proof.
  intros Hu. pose proof solved_for_x as H. unfold bound_B1. set (y := sqrt (A_M r k)) in *.
  set (p := rho_B r k) in *.
  assert (Hy : y * y = A_M r k) by apply sqrt_sqrt, A_M_nonneg. set (v := u) in *.
  assert (Hsq : 2 * p * y - (1 - v) * (y * y) <= p ^ 2 / (1 - v)).
  { assert (H0 : 0 <= (1 - v) * (y - p / (1 - v)) ^ 2) by (apply Rmult_le_pos; [lra|apply pow2_ge_0]).
    replace ((1 - v) * (y - p / (1 - v)) ^ 2) with (p ^ 2 / (1 - v) - (2 * p * y - (1 - v) * (y * y))) in H0
      by (field; lra). lra. }
  rewrite <- Hy in *. lra.
Qed.
End B1.

Theorem corollary_b1_root : Corollary_B1_Root.
Proof. exact root_bound. Qed.
Theorem corollary_b1 : Corollary_B1.
Proof. exact plain_bound. Qed.
