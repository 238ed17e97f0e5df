(** * Lemma 1: proofs *)
From Coq Require Import Reals Lra Lia.
From FPS.paper Require Import Setting Lemma1.
Open Scope R_scope.

Theorem triangle_inequality : Triangle_inequality.
Proof.
  intros d n g. rewrite <- norm_square. pose proof (minkowski_vsum _ n g).
  pose proof (norm_nonneg _ (vsum n g)). nra.
Qed.

(** The first unit vector and its opposite *)
Definition opposite (d : nat) (j : nat) : Rd d := fun i => match i with O => (-1) ^ j | _ => 0 end.
Lemma opposite_square d j : (1 <= d)%nat -> ‖(opposite d j)‖² = 1.
Proof.
  intros Hd. simpl. rewrite (sum_ext d _ (fun i => if Nat.eqb i 0 then 1 else 0)).
  - induction d as [|d IH]; [lia|]. cbn [sum]. destruct d; [simpl; ring|]. rewrite IH by lia. simpl. ring.
  - intros [|i] _; simpl; [|ring]. rewrite <- Rpow_mult_distr. replace (-1 * -1) with 1 by ring. apply pow1.
Qed.
Theorem reversed_triangle_inequality_fails : Reversed_triangle_inequality_fails.
Proof.
  intros d Hd. exists (opposite d).
  assert (Hn : forall j, ‖(opposite d j)‖ = 1) by (intros; unfold norm; rewrite opposite_square by auto;
      apply sqrt_1).
  assert (Hz : same (vsum 2 (opposite d)) zero).
  { intros z. cbn [vsum]. expand. simpl. rewrite Rplus_0_l, <- sum_add, (sum_ext d _ (fun _ => 0)).
    - rewrite sum_const. ring.
    - intros [|i] _; simpl; ring. }
  rewrite (same_square _ _ _ Hz), inner_zero. cbn [sum]. rewrite !Hn. lra.
Qed.

(** The integral of x^{−q} over [x, x+1] is at most x^{−q} (mean value theorem). *)
Lemma power_below q x : 1 < q -> 0 < x ->
  (Rpower x (1 - q) - Rpower (x + 1) (1 - q)) / (q - 1) <= Rpower x (- q).
Proof.
  intros Hq Hx.
  destruct (MVT_cor2 (fun y => Rpower y (1 - q)) (fun y => (1 - q) * Rpower y (1 - q - 1)) x (x + 1)
      ltac:(lra))
    as [y [Hy [Hy1 Hy2]]].
  { intros y Hy. apply derivable_pt_lim_power. lra. }
  replace (1 - q - 1) with (- q) in Hy by ring.
  assert (Hle : Rpower y (- q) <= Rpower x (- q)).
  { rewrite !Rpower_Ropp. apply Rinv_le_contravar; [apply exp_pos|]. apply Rle_Rpower_l; lra. }
  apply Rmult_le_reg_l with (q - 1); [lra|].
  replace ((q - 1) * ((Rpower x (1 - q) - Rpower (x + 1) (1 - q)) / (q - 1))) with
    (Rpower x (1 - q) - Rpower (x + 1) (1 - q)) by (field; lra). nra.
Qed.
(** Summed over n unit steps from k + 1 on *)
Lemma power_sum_below q k n : 1 < q ->
  (Rpower (INR k + 1) (1 - q) - Rpower (INR (k + n) + 1) (1 - q)) / (q - 1)
    <= sum n (fun j => Rpower (INR (k + j) + 1) (- q)).
Proof.
  intros Hq. induction n as [|n IH]; [rewrite Nat.add_0_r; simpl; right; field; lra|].
  cbn [sum]. pose proof (pos_INR (k + n)) as Hp.
  pose proof (power_below q (INR (k + n) + 1) Hq ltac:(lra)) as H.
  replace (k + S n)%nat with (S (k + n)) by lia. rewrite S_INR. unfold Rdiv in *. lra.
Qed.
Lemma power_decreases q x y : 1 < q -> 0 < x < y -> Rpower y (1 - q) < Rpower x (1 - q).
Proof.
  intros Hq Hxy. replace (1 - q) with (- (q - 1)) by ring. rewrite !Rpower_Ropp.
  apply Rinv_lt_contravar; [apply Rmult_lt_0_compat; apply exp_pos|].
  unfold Rpower. apply exp_increasing, Rmult_lt_compat_l; [lra|]. apply ln_increasing; lra.
Qed.
Theorem tail_exceeds_its_bound : Tail_exceeds_its_bound.
Proof.
  intros p k d Hp Hd Hk. apply Rlt_le_trans with (2 := power_sum_below (2 * p) k (d - k) ltac:(lra)).
  replace (k + (d - k))%nat with d by lia. unfold tail, Rdiv.
  apply Rmult_lt_compat_r; [apply Rinv_0_lt_compat; lra|].
  assert (0 < INR d) by (apply lt_0_INR; lia). pose proof (power_decreases (2 * p) (INR d) (INR d + 1)). lra.
Qed.

Theorem lemma_1_fails_for_some_model : Lemma_1_fails_for_some_model.
Proof.
  intros c p Hc H. pose (w := (fun _ => 1) : Rd 2).
  pose (first := (fun i => match i with O => 1 | _ => 0 end) : Rd 2).
  specialize (H 2%nat 1%nat w first 2 ltac:(lia)).
  assert (Htail : tail p (INR 1) (INR 2) = 0) by (unfold tail; simpl; rewrite Rminus_diag_eq by reflexivity;
      unfold Rdiv; ring).
  rewrite Htail, Rmax_left in H by lra. unfold lemma_1_bound in H.
  assert (Htop : is_top 2 1 w first).
  { exists (fun i => Nat.eqb i 0). split; [reflexivity|]. split.
    - intros [|[|i]] Hi; [reflexivity|reflexivity|lia].
    - intros i j _ _ _ _. unfold w. lra. }
  specialize (H ltac:(simpl; unfold w; lra) Htop).
  assert (Hres : ‖(w - first)‖² = 1) by (simpl; unfold w; ring). rewrite Hres in H.
  assert ((1 / c + 0) * 2 < 1); [|lra]. apply Rmult_lt_reg_l with c; [lra|]. field_simplify; lra.
Qed.
