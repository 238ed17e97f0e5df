(** * The formulas for fresh hashes are those of their theorems: proofs *)
From Coq Require Import Reals Lra Lia Arith.
From FPS.residual Require Import TopSetsLemmas.
From FPS.fresh Require Import HashChannel MomentsProof.
From FPS.fresh Require IntegerMap Pick OneStep LeakyMemory LeakyMemoryProof.
From FPS.formulas Require Import FreshAgreement.
Open Scope R_scope.

Theorem fresh_probabilities_agree : Fresh_Probabilities_Agree.
Proof.
  intros n b J p M s Hn Hb Hs HM. assert (0 < INR n) by now apply lt_0_INR. assert (0 < INR b) by now apply lt_0_INR.
  split; [|split].
  - unfold G.collision, IntegerMap.collision_of. rewrite minus_INR by (apply Nat.lt_le_incl, Nat.mod_upper_bound; lia).
    field. lra.
  - reflexivity.
  - unfold G.participating, Pick.kappa_at. field. split; lra.
Qed.

(** ⟨y,Ωy⟩ is a sum over pairs of ⟨z,Hz⟩ with z = y_j e_i + y_i e_j. *)
Definition pair_vector {d} (y : Rd d) (i j : nat) : Rd d := fun l => delta i l * y j + delta j l * y i.
Lemma pair_form d H (y : Rd d) i j : (i < d)%nat -> (j < d)%nat -> ⟨pair_vector y i j, times_matrix H (pair_vector y i j)⟩ =
  H i i * (y j * y j) + H j j * (y i * y i) + (H i j + H j i) * (y i * y j).
Proof.
  intros Hi Hj. rewrite form_is.
  rewrite (sum_ext d _ (fun a => delta i a * (y j * (H a i * y j + H a j * y i)) + delta j a * (y i * (H a i * y j + H a j * y i)))).
  - rewrite sum_add, !sum_delta by auto. ring.
  - intros a Ha. unfold pair_vector.
    rewrite (sum_ext d _ (fun b => delta i b * (H a b * y j * (delta i a * y j + delta j a * y i)) +
      delta j b * (H a b * y i * (delta i a * y j + delta j a * y i)))) by (intros; ring).
    rewrite sum_add, !sum_delta by auto. ring.
Qed.
Lemma pair_square d (y : Rd d) i j : (i < d)%nat -> (j < d)%nat -> i <> j -> ‖(pair_vector y i j)‖² = y j * y j + y i * y i.
Proof.
  intros Hi Hj N. rewrite square_is.
  rewrite (sum_ext d _ (fun a => delta i a * (y j * (delta i a * y j + delta j a * y i)) + delta j a * (y i * (delta i a * y j + delta j a * y i))))
    by (intros; unfold pair_vector; ring).
  rewrite sum_add, !sum_delta, !delta_same, (delta_other i j), (delta_other j i) by auto. ring.
Qed.
Lemma worst_price d p H ell (y : Rd d) : 0 <= p -> (forall z : Rd d, ⟨z, times_matrix H z⟩ <= ell * ‖z‖²) ->
  spread_form d (fun _ _ => p) H y <= p * (INR d - 1) * ell * ‖y‖².
Proof.
  intros Hp He.
  assert (Twice : 2 * spread_form d (fun _ _ => p) H y =
    sum d (fun i => sum d (fun j => p * (1 - delta i j) * ⟨pair_vector y i j, times_matrix H (pair_vector y i j)⟩))).
  { replace (2 * spread_form d (fun _ _ => p) H y) with (spread_form d (fun _ _ => p) H y + spread_form d (fun _ _ => p) H y) by ring.
    unfold spread_form at 2. rewrite (sum_swap d d). unfold spread_form. rewrite <- sum_add. apply sum_ext; intros i Hi.
    rewrite <- sum_add. apply sum_ext; intros j Hj. rewrite pair_form by auto. rewrite (delta_sym j i). ring. }
  assert (Up : 2 * spread_form d (fun _ _ => p) H y <=
    sum d (fun i => sum d (fun j => p * (1 - delta i j) * (ell * (y j * y j + y i * y i))))).
  { rewrite Twice. apply sum_mono; intros i Hi. apply sum_mono; intros j Hj.
    destruct (Nat.eq_dec i j) as [<-|N]; [rewrite delta_same; right; ring|]. rewrite delta_other by auto.
    apply Rmult_le_compat_l; [lra|]. rewrite <- (pair_square d y i j Hi Hj N). apply He. }
  assert (Sum : sum d (fun i => sum d (fun j => p * (1 - delta i j) * (ell * (y j * y j + y i * y i)))) =
    2 * (p * (INR d - 1) * ell * ‖y‖²)).
  { rewrite (sum_ext d _ (fun i => p * ell * (‖y‖² + (INR d - 2) * (y i * y i)))).
    - rewrite sum_scale, sum_add, sum_const, sum_scale. rewrite !square_is. ring.
    - intros i Hi. rewrite (sum_ext d _ (fun j => (1 - delta i j) * (p * ell * (y j * y j + y i * y i)))) by (intros; ring).
      rewrite (sum_others d i (fun j => p * ell * (y j * y j + y i * y i))) by auto.
      rewrite sum_scale, sum_add, sum_const, square_is. ring. }
  lra.
Qed.
Theorem fresh_prices_agree : Fresh_Prices_Agree.
Proof.
  intros d H ell y He Hh. split; [|split].
  - intros p Hp. pose proof (spread_with_equal_collisions d p H ell 0 y Hp He Hh) as S. unfold G.price.
    replace (ell + trace d H) with (ell + trace d H - 2 * 0) by ring. exact S.
  - intros p Hp. pose proof (worst_price d p H ell y Hp He) as S. unfold G.price_worst.
    replace (ell * p * (-1 + INR d)) with (p * (INR d - 1) * ell) by ring. exact S.
  - intros m class tau l wt we Hc Ht Hl Hw.
    pose proof (spread_of_the_fold d m class H tau l (wt + we) 0 y Hc Ht Hl Hw Hh) as S. unfold G.price_fold.
    replace (/ 1 * (we + wt)) with (wt + we - 2 * 0) by field. exact S.
Qed.
Theorem energy_agrees : Energy_Agrees.
Proof. intros d p. unfold G.energy. ring. Qed.
Theorem transfer_agrees : Transfer_Agrees.
Proof.
  intros J ell kappa mean omega sigma_c spread tr HJ. unfold G.transfer, G.channel_floor, G.deviations.
  repeat split; field; auto.
Qed.
Theorem one_fresh_step_agrees : One_Fresh_Step_Agrees.
Proof.
  intros r B G_ curved v.
  assert (E1 : G.one_step_slope B curved v * OneStep.gamma r =
    OneStep.gamma r * OneStep.w r * (1 + OneStep.all_kappa r * (B ^ 2 - 1)))
    by (unfold G.one_step_slope, v, G.deviations, curved, OneStep.w; ring).
  split; [rewrite E1; reflexivity|]. split.
  - unfold G.one_step_rate, OneStep.rate, v, G.deviations, curved, OneStep.w. field.
  - unfold G.one_step_price, OneStep.price, v, G.deviations, OneStep.w. field.
Qed.
Theorem fresh_sizes_agree : Fresh_Sizes_Agree.
Proof.
  intros ell tr share He Ht Hs. unfold G.price, G.size_half, G.size_share.
  assert (H1 : 0 < 1 + tr * / ell).
  { assert (0 <= tr * / ell) by (apply Rmult_le_pos; [lra|left; now apply Rinv_0_lt_compat]). lra. }
  assert (H2 : 1 + tr * / ell = (ell + tr) / ell) by (field; lra). rewrite H2 in *.
  split; field; repeat split; lra.
Qed.
Theorem leaky_memory_agrees : Leaky_Memory_Agrees.
Proof.
  intros r ok c rho. pose proof (LeakyMemoryProof.s_range r ok) as Hs. unfold LeakyMemory.s_of in Hs. fold c rho in Hs.
  assert (E0 : 1 + -1 * c = 1 - c) by ring.
  unfold G.contraction, G.gain, G.leak, G.applied, G.memory_step_slope, G.memory_step_upper, LeakyMemory.a_of, LeakyMemory.b_of,
    LeakyMemory.applied, LeakyMemory.s_of. fold c rho. rewrite E0. repeat split; try reflexivity; try ring; field; lra.
Qed.
Theorem isotropic_limit_agrees : Isotropic_Limit_Agrees.
Proof.
  intros E omega HE Ho. unfold G.isotropic. assert (PE : 0 < INR E) by now apply lt_0_INR.
  assert (Pb : 0 < 1 + -2 * / (1 + omega)).
  { apply Rmult_lt_reg_l with (1 + omega); [lra|]. replace ((1 + omega) * (1 + -2 * / (1 + omega))) with (omega - 1) by (field; lra). lra. }
  set (v := 1 + -2 * / (1 + omega)) in *.
  replace (1 - (1 + -1 * Rpower v (/ INR E))) with (Rpower v (/ INR E)) by ring.
  rewrite <- Rpower_pow by (unfold Rpower; apply exp_pos). rewrite Rpower_mult.
  replace (/ INR E * INR E) with 1 by (field; lra). rewrite Rpower_1 by exact Pb. unfold v. field. lra.
Qed.
