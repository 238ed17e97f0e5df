(** * Theorem N: proofs *)
From Coq Require Import Reals Lra Lia.
From FPS.residual Require Import TopSetsLemmas HashRowsLemmas.
From FPS.fresh Require Import HashChannel MomentsProof HashChannelProof.
From FPS.rates Require Import Round Forms.
From FPS.fresh Require Import Prices PricesProof Power.
Open Scope R_scope.

Lemma square_of_sum n X : sum n X * sum n X = sum n (fun i => sum n (fun j => X i * X j)).
Proof. rewrite <- sum_scale. apply sum_ext; intros i _. rewrite Rmult_comm, <- sum_scale. reflexivity. Qed.
Theorem energy_of_a_table : Energy_Of_A_Table.
Proof.
  intros d J columns w v HJ Hb Hn. assert (PJ : 0 < INR J) by now apply lt_0_INR.
  rewrite form_is. unfold decoder, avg.
  rewrite (sum_ext d _ (fun i => / INR J * sum d (fun j => sum J (fun a => row_matrix (w a) i j * (v i * v j))))).
  - rewrite sum_scale. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra.
    rewrite (sum_ext d _ (fun i => sum J (fun a => sum d (fun j => row_matrix (w a) i j * (v i * v j)))))
      by (intros; apply sum_swap).
    rewrite (sum_swap d J). apply sum_ext; intros a Ha.
    rewrite (sum_ext columns _ (fun c => sum d (fun i => sum d (fun j =>
      ind (Nat.eqb (bucket (w a) i) c) * ind (Nat.eqb (bucket (w a) j) c) * (pm (sign (w a) i) * v i * (pm (sign (w a) j) * v j)))))).
    + rewrite (sum_swap columns d). apply sum_ext; intros i Hi. rewrite (sum_swap columns d). apply sum_ext; intros j Hj.
      unfold row_matrix. rewrite (classes_split columns (bucket (w a) i) (Hb a i Ha Hi)).
      rewrite (sum_ext columns _ (fun c => (pm (sign (w a) i) * v i * (pm (sign (w a) j) * v j)) *
        (ind (Nat.eqb (bucket (w a) i) c) * ind (Nat.eqb (bucket (w a) j) c)))) by (intros; ring).
      rewrite sum_scale. ring.
    + intros c _. unfold content. rewrite Hn, Rplus_0_r. simpl pow. rewrite Rmult_1_r, square_of_sum.
      apply sum_ext; intros i _. apply sum_ext; intros j _. ring.
  - intros i _. rewrite <- sum_scale. apply sum_ext; intros j _.
    rewrite (sum_ext J (fun a => row_matrix (w a) i j * (v i * v j)) (fun a => (v i * v j) * row_matrix (w a) i j))
      by (intros; ring). rewrite sum_scale. ring.
Qed.

Theorem power_moment : Power_Moment.
Proof.
  intros d I P before A p H Y so mo af Sy HY KY.
  set (term := fun i j k l o => H k l * (A o i j * A o k l * (Y o i * Y o j))).
  assert (E1 : forall o, sum d (fun i => sum d (fun j => sum d (fun k => sum d (fun l => term i j k l o)))) =
    ⟨Y o, times_matrix (A o) (Y o)⟩ * paired d H (A o)).
  { intros o. rewrite form_is. unfold paired. rewrite Rmult_comm, <- sum_scale. apply sum_ext; intros i _.
    rewrite <- sum_scale. apply sum_ext; intros j _. rewrite Rmult_comm, <- sum_scale. apply sum_ext; intros k _.
    rewrite <- sum_scale. apply sum_ext; intros l _. unfold term. ring. }
  set (second := fun i j => P (fun o => Y o i * Y o j)).
  assert (T : forall i j k l, (i < d)%nat -> (j < d)%nat -> (k < d)%nat -> (l < d)%nat -> int P (term i j k l) /\
    P (term i j k l) = H k l * ((delta i j * delta k l + p i j * (1 - delta i j) * (delta i k * delta j l + delta i l * delta j k))
      * second i j)).
  { intros i j k l Hi Hj Hk Hl. pose proof (pair_int _ _ _ _ mo i j k l Hi Hj Hk Hl) as H1.
    assert (IY : int P (fun o => Y o i * Y o j)) by now apply (int_coordinates d I P so Y Y i j).
    destruct (af (fun o => Y o i * Y o j) (fun o o' Ho => ltac:(cbv beta; now rewrite (KY o o' Ho)))
      (fun K => K i j * K k l) (fun x => x) H1 IY) as [H3 H4].
    unfold term. split; [apply int_scale; exact H3|]. rewrite E_scale by exact H3. f_equal.
    etransitivity; [exact H4|]. cbv beta. rewrite (pair_mean _ _ _ _ mo i j k l Hi Hj Hk Hl). reflexivity. }
  destruct (E_double P d d (fun i j o => sum d (fun k => sum d (fun l => term i j k l o)))
    (fun i j Hi Hj => proj1 (E_double P d d (fun k l => term i j k l) (fun k l Hk Hl => proj1 (T i j k l Hi Hj Hk Hl)))))
    as [I4 E4].
  split; [exact (int_same P _ _ E1 I4)|]. rewrite <- (E_same P _ _ E1), E4.
  rewrite (sum_ext d _ (fun i => trace d H * second i i + 2 * sum d (fun j => p i j * (1 - delta i j) * H i j * second i j))).
  - rewrite sum_add, !sum_scale. f_equal. f_equal. unfold second.
    rewrite <- (E_sum P d (fun i o => Y o i * Y o i)) by (intros; now apply (int_coordinates d I P so Y Y)). reflexivity.
  - intros i Hi.
    rewrite (sum_ext d _ (fun j => delta i j * (trace d H * second i j) + 2 * (p i j * (1 - delta i j) * H i j * second i j))).
    + rewrite sum_add, sum_delta, sum_scale by auto. reflexivity.
    + intros j Hj.
      rewrite (proj2 (E_double P d d (fun k l => term i j k l) (fun k l Hk Hl => proj1 (T i j k l Hi Hj Hk Hl)))).
      rewrite (sum_ext d _ (fun k => sum d (fun l => delta k l * (delta i j * second i j * H k l)
        + p i j * (1 - delta i j) * second i j * ((delta i k * delta j l + delta i l * delta j k) * H k l))))
        by (intros k Hk; apply sum_ext; intros l Hl; rewrite (proj2 (T i j k l Hi Hj Hk Hl)); ring).
      rewrite (sum_ext d _ (fun k => delta i j * second i j * H k k + p i j * (1 - delta i j) * second i j *
        sum d (fun l => (delta i k * delta j l + delta i l * delta j k) * H k l)))
        by (intros k Hk; rewrite sum_add, sum_delta, sum_scale by auto; reflexivity).
      rewrite sum_add, !sum_scale, sum_two_deltas by auto. unfold trace. rewrite (Sy j i) by auto. ring.
Qed.

Theorem power_price : Power_Price.
Proof.
  intros d I P before A p H ell Y Hp so mo af Sy HY KY He Hh.
  rewrite (proj2 (power_moment d I P before A (fun _ _ => p) H Y so mo af Sy HY KY)).
  assert (IY : forall i j, (i < d)%nat -> (j < d)%nat -> int P (fun o => Y o i * Y o j))
    by (intros; now apply (int_coordinates d I P so Y Y)).
  set (second := fun i j => P (fun o => Y o i * Y o j)).
  assert (Form : sum d (fun i => sum d (fun j => H i j * second i j)) <= ell * P (fun o => ‖(Y o)‖²)).
  { destruct (E_double P d d (fun i j o => H i j * (Y o i * Y o j))) as [I1 I2].
    { intros i j Hi Hj. apply int_scale. now apply IY. }
    rewrite (sum_ext d _ (fun i => sum d (fun j => P (fun o => H i j * (Y o i * Y o j))))).
    - rewrite <- I2, <- E_scale by now apply sq_inner.
      apply E_mono; [exact I1|apply int_scale; now apply sq_inner|]. intros o _. rewrite <- form_is. apply He.
    - intros i Hi. apply sum_ext; intros j Hj. rewrite E_scale by now apply IY. reflexivity. }
  assert (Diag : 0 <= sum d (fun i => H i i * second i i)).
  { apply sum_nonneg; intros i Hi. apply Rmult_le_pos; [now apply Hh|]. apply E_nonneg; [now apply IY|]. intros; nra. }
  rewrite (sum_ext d _ (fun i => p * (sum d (fun j => H i j * second i j) - H i i * second i i))).
  - rewrite sum_scale. unfold Rminus. rewrite sum_add.
    rewrite (sum_ext d (fun i => - (H i i * second i i)) (fun i => (-1) * (H i i * second i i))) by (intros; ring).
    rewrite sum_scale.
    assert (p * (sum d (fun i => sum d (fun j => H i j * second i j)) + -1 * sum d (fun i => H i i * second i i)) <=
      p * (ell * P (fun o => ‖(Y o)‖²))) by (apply Rmult_le_compat_l; lra). lra.
  - intros i Hi. rewrite <- (sum_others d i (fun j => H i j * second i j)) by auto. rewrite <- sum_scale.
    apply sum_ext; intros j _. unfold second. ring.
Qed.

Theorem relative_noise : Relative_Noise.
Proof.
  intros d I P before A p H ell level M Y nu J Hp Hnu HJ so mo af Sy He Hh HY KY Hint Pos Hl.
  assert (T : forall m, (m < M)%nat -> int P (fun o => ⟨Y m o, times_matrix (A o) (Y m o)⟩ * paired d H (A o)))
    by (intros m Hm; exact (proj1 (power_moment d I P before A (fun _ _ => p) H (Y m) so mo af Sy (HY m Hm) (KY m Hm)))).
  assert (B : P (fun o => level o ^ 2 * paired d H (A o)) <=
    nu * sum M (fun m => P (fun o => ⟨Y m o, times_matrix (A o) (Y m o)⟩ * paired d H (A o)))).
  { rewrite <- (E_sum P M (fun m o => ⟨Y m o, times_matrix (A o) (Y m o)⟩ * paired d H (A o))) by auto.
    assert (Is : int P (fun o => sum M (fun m => ⟨Y m o, times_matrix (A o) (Y m o)⟩ * paired d H (A o))))
      by (apply (int_sum P M (fun m o => ⟨Y m o, times_matrix (A o) (Y m o)⟩ * paired d H (A o))); auto).
    rewrite <- E_scale by exact Is. apply E_mono; [exact Hint|now apply int_scale|]. intros o _.
    rewrite (sum_ext M _ (fun m => paired d H (A o) * ⟨Y m o, times_matrix (A o) (Y m o)⟩)) by (intros; ring).
    rewrite sum_scale. pose proof (Pos o) as Po. pose proof (Hl o) as Lo.
    apply Rmult_le_compat_r with (r := paired d H (A o)) in Lo; [|exact Po]. lra. }
  assert (S : sum M (fun m => P (fun o => ⟨Y m o, times_matrix (A o) (Y m o)⟩ * paired d H (A o))) <=
    (trace d H + 2 * p * ell) * sum M (fun m => P (fun o => ‖(Y m o)‖²))).
  { rewrite <- sum_scale. apply sum_mono; intros m Hm. apply (power_price d I P before A p H ell (Y m)); auto. }
  assert (0 < / J) by now apply Rinv_0_lt_compat.
  apply Rmult_le_compat_l with (r := nu) in S; [|exact Hnu]. apply Rle_trans with (2 := S) in B.
  apply Rmult_le_compat_l with (r := / J) in B; [|lra]. unfold Rdiv. lra.
Qed.

Theorem theorem_n_one_round : Theorem_N_One_Round.
Proof.
  intros k a omega ell kappa power cert r G' b sigma G H picked A noise p_pick p_hash p_noise floor ok A3 sr F Kl Hf.
  pose proof (descent_with_prices k a (omega + power) (kappa * (ell + omega) + power) cert r G' b sigma G ok A3) as D.
  destruct (transfer_of_local k r G' b sigma H picked A noise p_pick p_hash p_noise ell omega kappa floor ok F Kl) as [T Sq].
  fold sr in T, Sq. rewrite Sq in Hf.
  set (mean := chance r (fun o => ‖(finish k r o - start r o)‖²)) in *.
  set (spread := chance r (fun o => avg (M r) (fun m => ‖(local k r m (Es k) o - finish k r o)‖²))) in *. lra.
Qed.
