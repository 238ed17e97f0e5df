(** * Assumption 4: proofs *)
From Coq Require Import Reals Lra Lia.
From FPS.paper Require Import Setting Assumption4 ScalarRun.
Open Scope R_scope.

Lemma sum_zero n X : (forall i, (i < n)%nat -> 0 <= X i) -> sum n X <= 0 -> forall i, (i < n)%nat -> X i = 0.
Proof.
  induction n as [|n IH]; intros HX Hsum i Hi; [lia|]. cbn [sum] in Hsum.
  assert (0 <= sum n X) by (apply sum_nonneg; intros; apply HX; lia).
  assert (0 <= X n) by (apply HX; lia).
  destruct (Nat.eq_dec i n) as [->|]; [lra|]. apply IH; [intros; apply HX; lia|lra|lia].
Qed.
Lemma sum_first n X : sum (S n) X = X O + sum n (fun i => X (S i)).
Proof.
  induction n as [|n IH]; [simpl; ring|]. change (sum (S (S n)) X) with (sum (S n) X + X (S n)).
  rewrite IH. cbn [sum]. ring.
Qed.

Theorem power_law_forces_zero : Power_law_forces_zero.
Proof.
  intros d p g Hd H. destruct d as [|d]; [lia|].
  assert (H1 : Rabs (g O) = ‖g‖).
  { rewrite (H O) by lia. simpl. rewrite Rplus_0_l. unfold Rpower. rewrite ln_1, Rmult_0_r, exp_0. ring. }
  assert (Htail : sum d (fun i => g (S i) * g (S i)) = 0).
  { assert (‖g‖² = g O * g O) as E.
    { rewrite <- norm_square, <- H1, <- Rabs_mult. apply Rabs_pos_eq. nra. }
    change (sum (S d) (fun i => g i * g i) = g O * g O) in E. rewrite sum_first in E. lra. }
  assert (Hsecond : g 1%nat = 0).
  { assert (K : g 1%nat * g 1%nat = 0).
    { apply (sum_zero d (fun i => g (S i) * g (S i))) with (i := O); [intros; nra|lra|lia]. }
    nra. }
  assert (Hnorm : ‖g‖ = 0).
  { pose proof (H 1%nat ltac:(lia)) as E. rewrite Hsecond, Rabs_R0 in E.
    assert (0 < Rpower (INR 1 + 1) (- p)) by apply exp_pos. nra. }
  intros i Hi. pose proof (H i Hi) as E. rewrite Hnorm, Rmult_0_r in E.
  destruct (Req_dec (g i) 0) as [|Hne]; [auto|]. now apply Rabs_no_R0 in Hne.
Qed.

Theorem power_law_is_empty_in_one_dimension : Power_law_is_empty_in_one_dimension.
Proof. intros p g. apply power_law_of_one. Qed.

(** A vector with the power law is the same as 0. *)
Lemma power_law_same_zero d p (g : Rd d) : (2 <= d)%nat -> power_law d p g -> same g zero.
Proof.
  intros Hd H z. rewrite inner_zero. simpl. rewrite (sum_ext d _ (fun _ => 0)); [rewrite sum_const; ring|].
  intros i Hi. rewrite (power_law_forces_zero d p g Hd H i Hi). ring.
Qed.

Theorem no_device_moves : No_device_moves.
Proof.
  intros r Hd H t m e o [Ht [Hm He]].
  assert (Hg : forall j, (j <= e)%nat -> same (g r t m j o) zero).
  { intros j Hj. apply (power_law_same_zero (d r) (p r)); auto. apply (H t m j o). repeat split; auto; lia. }
  split; [rewrite (same_square _ _ _ (Hg e (le_n e))); apply inner_zero|].
  assert (Hstay : forall j, (j <= S e)%nat -> same (local r t m j o - broadcast r t o)%V zero).
  { induction j as [|j IH]; intros Hj z; [cbn [local]; expand; ring|].
    specialize (IH ltac:(lia) z). specialize (Hg j ltac:(lia) z). unfold g in Hg. cbn [local].
    rewrite inner_zero in *. revert IH Hg. expand. intros. nra. }
  rewrite (same_square _ _ _ (Hstay (S e) (le_n _))). apply inner_zero.
Qed.

Theorem bias_pays_for_the_gradient : Bias_pays_for_the_gradient.
Proof.
  intros r Hd Hsizes H4 H23 t Ht.
  destruct (H23 t Ht) as [beta [zeta [Hg [Kt [Kb [S1 [S2 [S3 [Hzero [_ Hbias]]]]]]]]]].
  assert (Hz : forall o, same (grad_f r (broadcast r t o) + beta o + zeta o)%V zero).
  { intros o z. rewrite <- (Hg o z). revert z.
    apply (power_law_same_zero (d r) (p r)); auto. apply (H4 t 0%nat 0%nat o). unfold sizes in Hsizes.
    repeat split; auto; lia. }
  set (G := fun o => grad_f r (broadcast r t o)) in *.
  (* ∇f + β is known and −ζ, so its square has mean 0. *)
  assert (Hsum : chance r (fun o => ‖(G o + beta o)‖²) = 0).
  { rewrite (E_same _ _ (fun o => -1 * ⟨zeta o, G o + beta o⟩)).
    - rewrite E_scale by (apply sq_inner; [auto|now apply sq_add]).
      rewrite (Hzero (fun o => G o + beta o)%V); [ring|now apply sq_add|].
      intros o o' Ho. now rewrite (Kt o o' Ho), (Kb o o' Ho).
    - intros o. pose proof (Hz o (G o + beta o)%V) as E. rewrite inner_zero, inner_add in E. fold (G o) in E.
      lra. }
  assert (Hle : chance r (fun o => ‖(G o)‖²) <= chance r (fun o => ‖(beta o)‖²)).
  { pose (gg := exist _ _ S1 : L2 (chance r)). pose (bb := exist _ _ S2 : L2 (chance r)).
    assert (Hs : ‖(gg + bb)‖ = 0) by (etransitivity; [exact (f_equal sqrt Hsum)|apply sqrt_0]).
    assert (Hn : ‖gg‖ <= ‖bb‖).
    { apply Rle_trans with (‖((gg + bb) - bb)‖).
      - right. apply same_norm. intros z. expand. ring.
      - apply Rle_trans with (1 := minkowski _ _ _). rewrite norm_opp, Hs. lra. }
    change (‖gg‖² <= ‖bb‖²). rewrite <- !norm_square. pose proof (norm_nonneg _ gg). nra. }
  assert (Hb : chance r (fun o => ‖(beta o)‖²) <= P_b r * chance r (fun o => ‖(G o)‖²) + b2 r).
  { rewrite <- E_affine by now apply sq_inner.
    apply E_mono; [now apply sq_inner|apply int_affine; now apply sq_inner|].
    intros o Ho. now apply Hbias. }
  change ((1 - P_b r) * chance r (fun o => ‖(G o)‖²) <= b2 r). lra.
Qed.
