(** * Proofs: constants for Theorem B that always do *)
From Coq Require Import Reals Lra Lia.
From FPS.sketch_space Require Import TableSetting SketchLemmas ConstantsB.
From FPS.sketch_space.theorem_b Require Import SeminormLemmas.
Open Scope R_scope.

Section Lambda.
Variables (V : space) (k : sketch V) (lam : R).
Hypothesis lam_nonneg : 0 <= lam.
Hypothesis largest : forall g, ‖(Sk k g)‖² <= lam * ‖g‖².
Lemma seminorm_le g : ‖(Sk k g)‖ <= sqrt lam * ‖g‖.
Proof. unfold norm. rewrite <- sqrt_mult; [|auto|apply inner_nonneg]. apply sqrt_le_1_alt, largest. Qed.
(** ‖M g‖ ≤ √λ ‖g‖_M, because ‖Mg‖² = ⟨S M g, C S g⟩ *)
Lemma norm_of_M g : ‖(St k (Sk k g))‖ <= sqrt lam * ‖(Sk k g)‖.
Proof.
  set (x := St k (Sk k g)). assert (H : ‖x‖ * ‖x‖ <= sqrt lam * ‖(Sk k g)‖ * ‖x‖).
  { rewrite norm_square. unfold x at 1. rewrite adjoint. eapply Rle_trans; [apply inner_le|].
    pose proof (seminorm_le x). pose proof (norm_nonneg _ (Sk k g)). nra. }
  destruct (norm_nonneg _ x) as [H0|H0]; [apply Rmult_le_reg_r with ‖x‖; lra|].
  rewrite <- H0. apply Rmult_le_pos; [apply sqrt_pos|apply norm_nonneg].
Qed.
Lemma square_of_M g : ‖(St k (Sk k g))‖² <= lam * ‖(Sk k g)‖².
Proof.
  pose proof (norm_of_M g). pose proof (norm_nonneg _ (St k (Sk k g))).
  pose proof (sqrt_sqrt lam lam_nonneg) as Hl.
  rewrite <- !norm_square, <- Hl. nra.
Qed.
End Lambda.

Theorem constants_from_lambda : Constants_From_Lambda.
Proof.
  intros V k lam L l grad Hl Hm HL H. split; [|split].
  - intros x y. pose proof (seminorm_le V k lam Hl Hm (grad y - grad x)%V).
    pose proof (smooth_lipschitz x y HL H).
    pose proof (sqrt_pos lam). nra.
  - intros x y. pose proof (smooth_above x y H). rewrite inner_scale_r. lra.
  - intros g. rewrite inner_scale_r. pose proof (square_of_M V k lam Hl Hm g). nra.
Qed.
Theorem rho_from_lambda : Rho_From_Lambda.
Proof.
  intros r k lam ok Hl Hm HL H Hsq. set (c := sqrt lam * L r).
  assert (Hc : 0 <= c) by (unfold c; pose proof (sqrt_pos lam); nra).
  set (U := (gX r k ok - a r k ok)%V).
  set (Z := exist (sq (rounds r)) (fun i => X r k (fst i) (snd i) - broadcast r (fst i) (snd i))%V
              (fun t Ht => Hsq t Ht) : L2 (rounds r)).
  change (‖U‖ <= c * ‖Z‖). apply square_le; [apply Rmult_le_pos; [auto|apply norm_nonneg]|].
  replace (c * ‖Z‖ * (c * ‖Z‖)) with (c * c * (‖Z‖ * ‖Z‖)) by ring.
  rewrite !norm_square, !L2_inner, <- E_scale by apply L2_int.
  rewrite rounds_M_is, rounds_is. apply avg_mono; [apply T_pos|]. intros t Ht. apply E_mono.
  - exact (L2_int U U t Ht).
  - apply int_scale. exact (L2_int Z Z t Ht).
  - intros o _. set (x := X r k t o). set (w := broadcast r t o).
    change (‖(Sk k (grad_f r x - grad_f r w)%V)‖² <= c * c * ‖(x - w)‖²). rewrite <- !norm_square.
    pose proof (proj1 (constants_from_lambda _ k lam (L r) _ _ Hl Hm HL H) w x) as H1. fold c in H1.
    pose proof (norm_nonneg _ (Sk k (grad_f r x - grad_f r w)%V)). nra.
Qed.
Theorem d_from_a3 : D_From_A3.
Proof.
  intros r k kappa ok Hk HA H3.
  assert (H : D_B r ^ 2 <= B r ^ 2 * A r + G r ^ 2).
  { unfold D_B. rewrite pow2_sqrt by (apply (inner_nonneg _ (gr0 r k ok))).
    unfold A. rewrite everything_is, rounds_is, <- avg_scale, <- (avg_const (T r) (T_pos r) (G r ^ 2)),
      <- avg_add.
    apply avg_mono; [apply T_pos|]. intros t Ht. cbn [fst snd].
    assert (Sb : forall m, (m < M r)%nat -> int (chance r) (fun o => ‖(grad r m (broadcast r t o))‖²))
      by (intros; apply sq_inner; now apply (sq_at_broadcast r k ok)).
    assert (Sa : int (chance r) (fun o => ‖(grad_f r (broadcast r t o))‖²))
      by (apply sq_inner; now apply (sq_a r k ok)).
    rewrite <- (E_avg r (fun m o => ‖(grad r m (broadcast r t o))‖²)), <- E_affine by auto. apply E_mono.
    - now apply int_avg.
    - now apply int_affine.
    - intros o Ho. rewrite Rplus_comm. apply H3; auto. }
  assert (A r <= A_M r k / kappa).
  { apply Rmult_le_reg_l with kappa; [auto|].
    replace (kappa * (A_M r k / kappa)) with (A_M r k) by (field; lra). auto. }
  pose proof (pow2_ge_0 (B r)). unfold Rdiv in *. nra.
Qed.
