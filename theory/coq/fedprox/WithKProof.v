(** * FedProx, Theorem 4 with what K devices really gain: proofs *)
From Coq Require Import Reals Lra Lia Arith.
From FPS.tools Require Import Smooth.
From FPS.fedprox Require Import Theorem4 Theorem4Proof WithK.
Open Scope R_scope.

Section Network.
Variable n : network.
Hypothesis ok : assumptions n.
Local Notation NN := (N n).
Local Notation pp := (p n).
Local Notation wsum := (weighted NN pp).
Let g : V n := grad_f n (w n).
Let D : V n := (mean_answer n - w n)%V.
Let m : R := miss n.
Let Nn := p_nonneg n ok.
Let Tt := p_total n ok.
(** −μ(w̄ − w) − ∇f(w) *)
Let M : V n := ((- mu n) *: D - g)%V.

Lemma D_inner z : ⟨D, z⟩ = wsum (fun k => ⟨local n k - w n, z⟩).
Proof. exact (proj1 (weighted_jensen NN pp Nn Tt (local n) (w n) (mean_answer n) (same_refl _ _)) z). Qed.
Lemma m_nonneg : 0 <= m.
Proof.
  unfold m, miss. pose proof (gamma_nonneg n ok). pose proof (B_nonneg n ok). pose proof (L_pos n ok). pose proof (mu_bar_pos n ok).
  assert (0 <= L n * B n * (1 + gamma n) / mu_bar n).
  { unfold Rdiv. repeat apply Rmult_le_pos; try lra. left. now apply Rinv_0_lt_compat. }
  assert (0 <= gamma n * B n) by now apply Rmult_le_pos. lra.
Qed.
Lemma M_small : ‖M‖ <= m * ‖g‖.
Proof.
  pose proof (L_pos n ok) as HL.
  assert (H : forall z, ⟨M, z⟩ <= m * ‖g‖ * ‖z‖).
  { intros z. unfold M. rewrite inner_add, !inner_scale, D_inner. rewrite <- weighted_scale.
    unfold g, grad_f. rewrite (weighted_inner NN pp). rewrite <- weighted_scale, <- weighted_add.
    apply Rle_trans with (wsum (fun k => (gamma n + L n * ((1 + gamma n) / mu_bar n)) * ‖z‖ * ‖(grad n k (w n))‖)).
    - apply weighted_mono; [exact Nn|]. intros k Hk. pose proof (inexact n ok k Hk) as E. pose proof (step_small n ok k Hk) as S.
      set (dk := (local n k - w n)%V) in *. set (hk := grad n k (local n k)) in *. set (gk := grad n k (w n)) in *.
      replace (- mu n * ⟨dk, z⟩ + -1 * ⟨gk, z⟩) with (⟨hk - gk, z⟩ - ⟨hk + mu n *: dk, z⟩)
        by (rewrite !inner_add, !inner_scale; ring).
      pose proof (inner_le _ (hk - gk)%V z) as H1. pose proof (inner_ge _ (hk + mu n *: dk)%V z) as H2.
      pose proof (smooth_lipschitz (w n) (local n k) HL (F_smooth n ok k Hk)) as Lip. fold hk gk dk in Lip.
      pose proof (norm_nonneg _ z) as Hz.
      assert (H3 : ‖(hk + mu n *: dk)‖ * ‖z‖ <= gamma n * ‖gk‖ * ‖z‖) by (apply Rmult_le_compat_r; auto).
      assert (H4 : ‖(hk - gk)‖ * ‖z‖ <= L n * ((1 + gamma n) / mu_bar n * ‖gk‖) * ‖z‖).
      { apply Rmult_le_compat_r; auto. apply Rle_trans with (1 := Lip). apply Rmult_le_compat_l; [lra|exact S]. }
      lra.
    - rewrite weighted_scale. pose proof (sizes_mean n ok) as Sz.
      replace (m * ‖(weighted_vectors NN pp (fun k => grad n k (w n)))‖ * ‖z‖) with
        ((gamma n + L n * ((1 + gamma n) / mu_bar n)) * ‖z‖ * (B n * ‖(grad_f n (w n))‖))
        by (unfold m, miss, grad_f; pose proof (mu_bar_pos n ok); field; lra).
      apply Rmult_le_compat_l; [|exact Sz]. apply Rmult_le_pos; [|apply norm_nonneg].
      pose proof (gamma_nonneg n ok). pose proof (mu_bar_pos n ok).
      assert (0 <= L n * ((1 + gamma n) / mu_bar n))
        by (apply Rmult_le_pos; [lra|]; apply Rmult_le_pos; [lra|left; now apply Rinv_0_lt_compat]). lra. }
  specialize (H M). rewrite <- norm_square in H. destruct (norm_nonneg _ M) as [P1|P1].
  - apply Rmult_le_reg_r with ‖M‖; [exact P1|lra].
  - rewrite <- P1. apply Rmult_le_pos; [exact m_nonneg|apply norm_nonneg].
Qed.
Lemma with_spread (c : choice n) kappa : 0 <= kappa <= 1 -> m <= 1 -> L n * (1 - kappa) <= mu n ->
  int (P c) (fun o => ‖(received c o - mean_answer n)‖²) ->
  P c (fun o => ‖(received c o - mean_answer n)‖²) <= kappa * wsum (fun k => ‖(local n k - mean_answer n)‖²) ->
  P c (fun o => f n (received c o)) <= f n (w n) - rho_with n kappa * ‖g‖².
Proof.
  intros Hk Hm HLk Hint Hs. pose proof (L_pos n ok) as HL. pose proof (mu_pos n ok) as Hmu. pose proof (mu_bar_pos n ok) as Hmb.
  set (dev := fun o => ‖(received c o - mean_answer n)‖²) in *.
  set (a := fun k => ⟨local n k - w n, g⟩ + L n * ⟨local n k - w n, D⟩).
  assert (Int : int (P c) (fun o => weighted NN (weight n c o) a)).
  { apply (int_sum (P c) NN (fun k o => weight n c o k * a k)). intros k Hkn.
    apply (int_same (P c) (fun o => a k * weight n c o k)); [intros; ring|]. apply int_scale. now apply weight_mean. }
  assert (Mean : P c (fun o => weighted NN (weight n c o) a) = wsum a).
  { unfold weighted. rewrite (E_sum (P c) NN (fun k o => weight n c o k * a k)).
    - apply sum_ext; intros k Hkn. rewrite (E_same (P c) _ (fun o => a k * weight n c o k)) by (intros; ring).
      rewrite E_scale by now apply weight_mean. rewrite (proj2 (weight_mean n c k Hkn)). ring.
    - intros k Hkn. apply (int_same (P c) (fun o => a k * weight n c o k)); [intros; ring|].
      apply int_scale. now apply weight_mean. }
  assert (Sa : wsum a = ⟨D, g⟩ + L n * ‖D‖²) by (unfold a; rewrite weighted_add, weighted_scale, <- !D_inner; reflexivity).
  assert (Up : P c (fun o => f n (received c o)) <= wsum a + (L n / 2 * P c dev + (f n (w n) - L n / 2 * ‖D‖²))).
  { rewrite <- Mean, <- (E_affine (P c) (L n / 2) _ dev Hint), <- E_add by (auto; now apply int_affine).
    apply E_mono; [exact (int_received n c)|apply int_add; [exact Int|now apply int_affine]|]. intros o Ho.
    destruct (weighted_jensen NN (weight n c o) (weight_nonneg n c o) (weight_total n c o Ho) (local n) (w n) (received c o)
      (received_is n c o Ho)) as [H1 _].
    pose proof (f_above n ok (w n) (received c o)) as A. rewrite inner_sym in A. fold g in A.
    assert (Split : ‖(received c o - w n)‖² = dev o + 2 * ⟨received c o - w n, D⟩ - ‖D‖²).
    { unfold dev, D. generalize (mean_answer n). intros v. expand.
      rewrite ?(inner_sym _ (w n) (received c o)), ?(inner_sym _ v (received c o)), ?(inner_sym _ v (w n)). ring. }
    rewrite Split, (H1 g), (H1 D) in A. unfold a. rewrite (weighted_add NN (weight n c o)), (weighted_scale NN (weight n c o)). lra. }
  (* Σ p‖w_k − w̄‖² = Σ p‖w_k − w‖² − ‖w̄ − w‖² *)
  assert (Var : wsum (fun k => ‖(local n k - mean_answer n)‖²) = wsum (fun k => ‖(local n k - w n)‖²) - ‖D‖²).
  { rewrite (weighted_ext NN pp _ (fun k => ‖(local n k - w n)‖² + (-2 * ⟨local n k - w n, D⟩ + ‖D‖²))).
    - rewrite !weighted_add, weighted_scale, weighted_const, <- D_inner by exact Tt. ring.
    - intros k _. unfold D. generalize (mean_answer n). intros v. expand.
      rewrite ?(inner_sym _ (w n) (local n k)), ?(inner_sym _ v (local n k)), ?(inner_sym _ v (w n)). ring. }
  pose proof (steps_square n ok) as S. fold g in S. set (C2 := ((1 + gamma n) / mu_bar n) ^ 2 * B n ^ 2) in *.
  set (St := wsum (fun k => ‖(local n k - w n)‖²)) in *. rewrite Var in Hs.
  set (c0 := ⟨M, g⟩). pose proof (inner_ge _ M g) as HM. fold c0 in HM. pose proof M_small as Ms. pose proof (norm_nonneg _ g) as Hg.
  assert (Hc0 : - (m * ‖g‖²) <= c0).
  { assert (‖M‖ * ‖g‖ <= m * ‖g‖ * ‖g‖) by (apply Rmult_le_compat_r; auto). rewrite <- norm_square. lra. }
  assert (HM2 : ‖M‖² <= m ^ 2 * ‖g‖²).
  { rewrite <- !norm_square. replace (m ^ 2 * (‖g‖ * ‖g‖)) with ((m * ‖g‖) * (m * ‖g‖)) by ring.
    apply Rmult_le_compat; auto using norm_nonneg. }
  assert (ED : ⟨D, g⟩ = - ((‖g‖² + c0) / mu n)).
  { unfold c0, M. rewrite inner_add, !inner_scale. field. lra. }
  assert (ED2 : ‖D‖² = (‖g‖² + 2 * c0 + ‖M‖²) / mu n ^ 2).
  { assert (Q : ‖(g + M)%V‖² = mu n ^ 2 * ‖D‖²).
    { rewrite (same_square _ (g + M)%V ((- mu n) *: D)%V); [rewrite square_scale; ring|]. intros z. unfold M. expand. ring. }
    rewrite square_sum, (inner_sym _ g M) in Q. fold c0 in Q. rewrite Q. field. lra. }
  set (G := ‖g‖²) in *. set (M2 := ‖M‖²) in *. set (q := L n * (1 - kappa) / (2 * mu n ^ 2)).
  assert (Hq : 0 <= q) by (unfold q, Rdiv; apply Rmult_le_pos; [apply Rmult_le_pos; lra|left; apply Rinv_0_lt_compat; nra]).
  assert (Hq2 : 2 * q <= / mu n).
  { unfold q. replace (2 * (L n * (1 - kappa) / (2 * mu n ^ 2))) with (L n * (1 - kappa) * (/ mu n * / mu n)) by (field; lra).
    assert (0 < / mu n) by now apply Rinv_0_lt_compat.
    apply Rle_trans with (mu n * (/ mu n * / mu n)); [apply Rmult_le_compat_r; [nra|exact HLk]|right; field; lra]. }
  assert (Main : ⟨D, g⟩ + L n * (1 - kappa) / 2 * ‖D‖² <= - ((1 - m) / mu n - q * (1 - m) ^ 2) * G).
  { rewrite ED, ED2. replace (L n * (1 - kappa) / 2 * ((G + 2 * c0 + M2) / mu n ^ 2)) with (q * (G + 2 * c0 + M2)) by (unfold q; field; lra).
    unfold Rdiv. assert (0 <= (m * G + c0) * (/ mu n - 2 * q)) by (apply Rmult_le_pos; lra).
    assert (0 <= q * (m ^ 2 * G - M2)) by (apply Rmult_le_pos; lra). lra. }
  assert (R : rho_with n kappa * G = ((1 - m) / mu n - q * (1 - m) ^ 2) * G - kappa * L n / 2 * (C2 * G))
    by (unfold rho_with, q, C2; fold m; field; lra).
  assert (Dev : L n / 2 * P c dev <= L n / 2 * (kappa * (St - ‖D‖²))) by (apply Rmult_le_compat_l; lra).
  assert (Sb : kappa * L n / 2 * St <= kappa * L n / 2 * (C2 * G)).
  { apply Rmult_le_compat_l; [|exact S]. assert (0 <= kappa * L n) by (apply Rmult_le_pos; lra). lra. }
  lra.
Qed.
End Network.
Theorem theorem_4_with_a_spread : Theorem_4_With_A_Spread.
Proof. intros n c kappa ok Hk Hm HL Hint Hs. now apply with_spread. Qed.

(** ** K independent draws: κ = 1/K *)
Section Pairs.
Variables (N : nat) (p : nat -> R).
Hypothesis total : sum N p = 1.
Lemma draws_two K i j (X : nat -> nat -> R) : (i < K)%nat -> (j < K)%nat -> i <> j ->
  draws N p K (fun s => X (s i) (s j)) = weighted N p (fun k => weighted N p (fun l => X k l)).
Proof.
  revert X. induction K as [|K IH]; intros X Hi Hj Hne; [lia|]. cbn [draws].
  destruct (Nat.eq_dec i K) as [->|Ni]; [|destruct (Nat.eq_dec j K) as [->|Nj]].
  - apply weighted_ext; intros k _. rewrite Nat.eqb_refl. apply Nat.eqb_neq in Hne as Hb. rewrite Nat.eqb_sym in Hb. rewrite Hb.
    apply (draws_one N p total K j (X k)). lia.
  - transitivity (weighted N p (fun l => weighted N p (fun k => X k l))).
    + apply weighted_ext; intros l _. rewrite Nat.eqb_refl. apply Nat.eqb_neq in Hne as Hb. rewrite Hb.
      apply (draws_one N p total K i (fun k => X k l)). lia.
    + unfold weighted. rewrite (sum_ext N _ (fun l => sum N (fun k => p l * (p k * X k l)))) by (intros; now rewrite sum_scale).
      rewrite sum_swap. apply sum_ext; intros k _. rewrite <- sum_scale. apply sum_ext; intros; ring.
  - apply Nat.eqb_neq in Ni as Bi. apply Nat.eqb_neq in Nj as Bj. rewrite Bi, Bj.
    rewrite (weighted_ext N p _ (fun _ => weighted N p (fun k => weighted N p (fun l => X k l)))) by (intros; apply IH; lia).
    now apply weighted_const.
Qed.
End Pairs.
Theorem theorem_4_with_k : Theorem_4_With_K.
Proof.
  intros n K HK ok Hm HL. assert (PK : 0 < INR K) by now apply lt_0_INR.
  assert (K1 : 1 <= INR K) by (change 1 with (INR 1); apply le_INR; lia).
  assert (Hk : 0 <= / INR K <= 1).
  { split; [left; now apply Rinv_0_lt_compat|]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
  apply (with_spread n ok (drawn_choice n K HK ok) (/ INR K) Hk Hm HL); [exact Logic.I|].
  set (v := fun k => (local n k - mean_answer n)%V).
  change (draws (N n) (p n) K (fun s => ‖(vmean K (fun j => local n (s j)) - mean_answer n)‖²) <=
    / INR K * weighted (N n) (p n) (fun k => ‖(v k)‖²)).
  pose proof (p_nonneg n ok) as Pn. pose proof (p_total n ok) as Pt.
  assert (Zero : forall z, weighted (N n) (p n) (fun k => ⟨v k, z⟩) = 0).
  { intros z. rewrite (weighted_ext (N n) (p n) _ (fun k => ⟨local n k, z⟩ + -1 * ⟨mean_answer n, z⟩))
      by (intros; unfold v; rewrite inner_add, inner_scale; reflexivity).
    rewrite weighted_add, weighted_const by exact Pt. unfold mean_answer. rewrite (weighted_inner (N n) (p n)). ring. }
  set (DS := draws_space (N n) (p n) Pn Pt (V n) K).
  assert (Sq : forall s, ‖(vmean K (fun j => local n (s j)) - mean_answer n)‖² =
    / INR K * / INR K * sum K (fun i => sum K (fun j => ⟨v (s i), v (s j)⟩))).
  { intros s. assert (Sm : same (vmean K (fun j => local n (s j)) - mean_answer n)%V (vmean K (fun j => v (s j)))).
    { intros z. rewrite inner_add, inner_scale, !inner_vmean.
      rewrite (avg_ext K (fun j => ⟨v (s j), z⟩) (fun j => ⟨local n (s j), z⟩ + -1 * ⟨mean_answer n, z⟩))
        by (intros; unfold v; rewrite inner_add, inner_scale; reflexivity).
      rewrite avg_add, avg_const by exact HK. reflexivity. }
    rewrite (same_square _ _ _ Sm). unfold vmean. rewrite square_scale, inner_vsum. f_equal.
    apply sum_ext; intros i _. apply inner_vsum_r. }
  change (DS (fun s => ‖(vmean K (fun j => local n (s j)) - mean_answer n)‖²) <= / INR K * weighted (N n) (p n) (fun k => ‖(v k)‖²)).
  rewrite (E_same DS _ _ Sq), E_scale by exact Logic.I.
  rewrite (E_sum DS K (fun i s => sum K (fun j => ⟨v (s i), v (s j)⟩))) by (intros; exact Logic.I).
  rewrite (sum_ext K _ (fun _ => weighted (N n) (p n) (fun k => ‖(v k)‖²))).
  - rewrite sum_const. right. field. lra.
  - intros i Hi. rewrite (E_sum DS K (fun j s => ⟨v (s i), v (s j)⟩)) by (intros; exact Logic.I).
    rewrite (sum_ext K _ (fun j => if Nat.eqb j i then weighted (N n) (p n) (fun k => ‖(v k)‖²) else 0)).
    + assert (Pick : forall n0, (i < n0)%nat -> forall x : R, sum n0 (fun j => if Nat.eqb j i then x else 0) = x).
      { induction n0 as [|n0 IH]; intros Hn x; [lia|]. cbn [sum]. destruct (Nat.eqb_spec n0 i) as [->|Ne].
        - rewrite (sum_ext i _ (fun _ => 0)); [rewrite sum_const; ring|]. intros j Hj. destruct (Nat.eqb_spec j i); [lia|reflexivity].
        - rewrite IH by lia. ring. }
      now apply Pick.
    + intros j Hj. destruct (Nat.eqb_spec j i) as [->|Ne].
      * exact (draws_one (N n) (p n) Pt K i (fun k => ‖(v k)‖²) Hi).
      * transitivity (weighted (N n) (p n) (fun k => weighted (N n) (p n) (fun l => ⟨v k, v l⟩))).
        -- apply (draws_two (N n) (p n) Pt K i j (fun k l => ⟨v k, v l⟩)); auto.
        -- rewrite (weighted_ext (N n) (p n) _ (fun _ => 0)); [now apply weighted_const|].
           intros k _. rewrite (weighted_ext (N n) (p n) _ (fun l => ⟨v l, v k⟩)) by (intros; apply inner_sym). apply Zero.
Qed.

(** ** The assumptions can be met. *)
Definition target (k : nat) : Rd 1 := fun _ => match k with O => 1 | _ => 3 end.
Definition two_devices : network := {|
  V := Rd 1; N := 2; p := fun _ => / 2; F := fun k x => ‖(x - target k)‖² / 2; grad := fun k x => (x - target k)%V;
  w := zero; local := fun k => ((/ 11) *: target k)%V; L := 1; mu := 10; mu_bar := 11; gamma := 0; B := 6 / 5 |}.
Lemma two_devices_fit : assumptions two_devices.
Proof.
  split; cbn [N p F grad w local L mu mu_bar gamma B two_devices V]; try lra.
  - intros; lra.
  - simpl. lra.
  - intros k _ x y. replace (‖(y - target k)‖² / 2 - ‖(x - target k)‖² / 2 - ⟨x - target k, y - x⟩) with (1 / 2 * ‖(y - x)‖²).
    + rewrite Rabs_pos_eq; [lra|]. pose proof (inner_nonneg _ (y - x)%V). lra.
    + expand. rewrite ?(inner_sym _ y x), ?(inner_sym _ (target k) x), ?(inner_sym _ (target k) y). field.
  - intros k x y _. replace ⟨(y - target k) - (x - target k), y - x⟩ with ‖(y - x)‖².
    + lra.
    + expand. rewrite ?(inner_sym _ y x), ?(inner_sym _ (target k) x), ?(inner_sym _ (target k) y). ring.
  - intros k _. replace ‖(((/ 11) *: target k - target k) + 10 *: ((/ 11) *: target k - zero))%V‖ with 0.
    + rewrite Rmult_0_l. lra.
    + symmetry. rewrite <- (norm_zero (Rd 1)). apply same_norm. intros z. rewrite !inner_add, !inner_scale, !inner_add, !inner_scale, !inner_zero. field.
  - unfold weighted, grad_f, weighted_vectors. cbn. unfold target. lra.
Qed.
Theorem theorem_4_can_be_met : Theorem_4_Can_Be_Met.
Proof.
  exists two_devices. split; [exact two_devices_fit|]. unfold rho, miss. cbn [N p F grad w local L mu mu_bar gamma B two_devices V].
  repeat split; try lra.
  - unfold grad_f, weighted_vectors. cbn. unfold target. lra.
  - intros H. apply (f_equal (fun v : Rd 1 => v 0%nat)) in H. cbn in H. unfold target in H. lra.
Qed.
