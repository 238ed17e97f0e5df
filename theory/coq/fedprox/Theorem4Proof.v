(** * FedProx, Theorem 4 without the terms in K: proofs *)
From Coq Require Import Reals Lra Lia Arith FunctionalExtensionality.
From FPS.tools Require Import Smooth.
From FPS.residual Require Import TopSets TopSetsLemmas.
From FPS.fedprox Require Import Theorem4.
Open Scope R_scope.

(** ** Weighted sums *)
Section Weights.
Variables (N : nat) (p : nat -> R).
Hypotheses (nonneg : forall k, (k < N)%nat -> 0 <= p k) (total : sum N p = 1).
Lemma weighted_mono X Y : (forall k, (k < N)%nat -> X k <= Y k) -> weighted N p X <= weighted N p Y.
Proof. intros H. apply sum_mono; intros k Hk. apply Rmult_le_compat_l; auto. Qed.
Lemma weighted_ext X Y : (forall k, (k < N)%nat -> X k = Y k) -> weighted N p X = weighted N p Y.
Proof. intros H. apply sum_ext; intros k Hk. now rewrite H. Qed.
Lemma weighted_add X Y : weighted N p (fun k => X k + Y k) = weighted N p X + weighted N p Y.
Proof. unfold weighted. rewrite <- sum_add. apply sum_ext; intros; ring. Qed.
Lemma weighted_scale a X : weighted N p (fun k => a * X k) = a * weighted N p X.
Proof. unfold weighted. rewrite <- sum_scale. apply sum_ext; intros; ring. Qed.
Lemma weighted_const a : weighted N p (fun _ => a) = a.
Proof. unfold weighted. rewrite (sum_ext N _ (fun k => a * p k)) by (intros; ring). rewrite sum_scale, total. ring. Qed.
Lemma weighted_inner {V : space} (X : nat -> V) z : ⟨weighted_vectors N p X, z⟩ = weighted N p (fun k => ⟨X k, z⟩).
Proof. unfold weighted_vectors. rewrite inner_vsum. apply sum_ext; intros. apply inner_scale. Qed.
(** (Σ p X)² ≤ Σ p X² *)
Lemma weighted_square X : weighted N p X * weighted N p X <= weighted N p (fun k => X k * X k).
Proof.
  set (m := weighted N p X).
  assert (H : 0 <= weighted N p (fun k => (X k - m) * (X k - m))).
  { rewrite <- (weighted_const 0). apply weighted_mono; intros. pose proof (Rle_0_sqr (X k - m)). unfold Rsqr in *. lra. }
  rewrite (weighted_ext _ (fun k => X k * X k + ((-2 * m) * X k + m * m))) in H by (intros; ring).
  rewrite !weighted_add, weighted_scale, weighted_const in H. fold m in H. lra.
Qed.
(** ‖Σ p (X − x)‖² ≤ Σ p ‖X − x‖², for a vector y with the same products as Σ p X *)
Lemma weighted_jensen {V : space} (X : nat -> V) (x y : V) : same y (weighted_vectors N p X) ->
  (forall z, ⟨y - x, z⟩ = weighted N p (fun k => ⟨X k - x, z⟩)) /\
  ‖(y - x)‖² <= weighted N p (fun k => ‖(X k - x)‖²).
Proof.
  intros Hy. assert (H1 : forall z, ⟨y - x, z⟩ = weighted N p (fun k => ⟨X k - x, z⟩)).
  { intros z. rewrite inner_add, inner_scale, (Hy z), weighted_inner.
    rewrite (weighted_ext (fun k => ⟨X k - x, z⟩) (fun k => ⟨X k, z⟩ + -1 * ⟨x, z⟩))
      by (intros; rewrite inner_add, inner_scale; reflexivity).
    rewrite weighted_add, weighted_const. reflexivity. }
  split; [exact H1|]. set (m := (y - x)%V) in *.
  assert (H : 0 <= weighted N p (fun k => ‖((X k - x) - m)‖²)).
  { rewrite <- (weighted_const 0). apply weighted_mono; intros. apply inner_nonneg. }
  rewrite (weighted_ext _ (fun k => ‖(X k - x)‖² + (-2 * ⟨X k - x, m⟩ + ‖m‖²))) in H.
  - rewrite !weighted_add, weighted_scale, weighted_const, <- H1 in H. lra.
  - intros k _. generalize (X k - x)%V. intros v. rewrite square_sum, square_scale, inner_scale_r. ring.
Qed.
End Weights.

Section Network.
Variable n : network.
Hypothesis ok : assumptions n.
Local Notation NN := (N n).
Local Notation pp := (p n).
Local Notation wsum := (weighted NN pp).
Let g : V n := grad_f n (w n).
Let size (k : nat) : R := ‖(grad n k (w n))‖.
Let Nn := p_nonneg n ok.
Let Tt := p_total n ok.

Lemma f_above x y : f n y <= f n x + ⟨grad_f n x, y - x⟩ + L n / 2 * ‖(y - x)‖².
Proof.
  unfold f, grad_f. rewrite weighted_inner. rewrite <- (weighted_const NN pp Tt (L n / 2 * ‖(y - x)‖²)).
  rewrite <- !weighted_add. apply weighted_mono; [exact Nn|]. intros k Hk.
  exact (smooth_above x y (F_smooth n ok k Hk)).
Qed.
Lemma sizes_mean : wsum size <= B n * ‖g‖.
Proof.
  apply square_le; [apply Rmult_le_pos; [exact (B_nonneg n ok)|apply norm_nonneg]|].
  apply Rle_trans with (1 := weighted_square NN pp Nn Tt size).
  replace (B n * ‖g‖ * (B n * ‖g‖)) with (B n ^ 2 * (‖g‖ * ‖g‖)) by ring. rewrite norm_square.
  apply Rle_trans with (2 := dissimilar n ok). right. apply weighted_ext. intros. apply norm_square.
Qed.
(** (6): ‖w_k − w‖ ≤ (1+γ)‖∇F_k(w)‖/μ̄ *)
Lemma step_small k : (k < NN)%nat -> ‖(local n k - w n)‖ <= (1 + gamma n) / mu_bar n * size k.
Proof.
  intros Hk. pose proof (mu_bar_pos n ok) as Hm. pose proof (strongly_monotone n ok k (w n) (local n k) Hk) as S.
  pose proof (inexact n ok k Hk) as E. set (dk := (local n k - w n)%V) in *. set (gk := grad n k (w n)) in *.
  set (hk := grad n k (local n k)) in *. fold gk in size.
  assert (H : mu_bar n * ‖dk‖² <= (1 + gamma n) * size k * ‖dk‖).
  { apply Rle_trans with (1 := S).
    replace (⟨hk - gk, dk⟩ + mu n * ‖dk‖²) with (⟨hk + mu n *: dk, dk⟩ - ⟨gk, dk⟩)
      by (rewrite !inner_add, !inner_scale; ring).
    pose proof (inner_le _ (hk + mu n *: dk)%V dk) as H1. pose proof (inner_ge _ gk dk) as H2.
    assert (H3 : ‖(hk + mu n *: dk)‖ * ‖dk‖ <= gamma n * size k * ‖dk‖)
      by (apply Rmult_le_compat_r; [apply norm_nonneg|exact E]).
    change (‖gk‖) with (size k) in H2. lra. }
  rewrite <- norm_square in H. destruct (norm_nonneg _ dk) as [Hd|Hd].
  - apply Rmult_le_reg_l with (mu_bar n); [exact Hm|].
    replace (mu_bar n * ((1 + gamma n) / mu_bar n * size k)) with ((1 + gamma n) * size k) by (field; lra).
    apply Rmult_le_reg_r with ‖dk‖; [exact Hd|]. lra.
  - rewrite <- Hd. apply Rmult_le_pos; [|apply norm_nonneg].
    apply Rmult_le_pos; [pose proof (gamma_nonneg n ok); lra|]. left. now apply Rinv_0_lt_compat.
Qed.
Let C : R := (1 + gamma n) / mu_bar n.
Lemma C_nonneg : 0 <= C.
Proof.
  unfold C. pose proof (gamma_nonneg n ok). apply Rmult_le_pos; [lra|]. left.
  apply Rinv_0_lt_compat, (mu_bar_pos n ok).
Qed.
Lemma steps_square : wsum (fun k => ‖(local n k - w n)‖²) <= C ^ 2 * B n ^ 2 * ‖g‖².
Proof.
  apply Rle_trans with (wsum (fun k => C ^ 2 * ‖(grad n k (w n))‖²)).
  - apply weighted_mono; [exact Nn|]. intros k Hk. rewrite <- !norm_square. pose proof (step_small k Hk) as S.
    pose proof (norm_nonneg _ (local n k - w n)%V). fold C in S. change (‖(grad n k (w n))‖) with (size k).
    replace (C ^ 2 * (size k * size k)) with ((C * size k) * (C * size k)) by ring.
    apply Rmult_le_compat; auto.
  - rewrite weighted_scale, Rmult_assoc. apply Rmult_le_compat_l; [nra|]. exact (dissimilar n ok).
Qed.
(** ⟨∇f(w), w̄ − w⟩ ≤ −(1/μ)(1 − γB − LB(1+γ)/μ̄)‖∇f(w)‖² *)
Lemma descent_direction : wsum (fun k => ⟨local n k - w n, g⟩) <=
  - ((1 - gamma n * B n - L n * C * B n) / mu n) * ‖g‖².
Proof.
  pose proof (mu_pos n ok) as Hm. pose proof (L_pos n ok) as HL.
  apply Rmult_le_reg_l with (mu n); [exact Hm|]. rewrite <- weighted_scale.
  replace (mu n * (- ((1 - gamma n * B n - L n * C * B n) / mu n) * ‖g‖²))
    with ((gamma n + L n * C) * (B n * ‖g‖) * ‖g‖ - ‖g‖²) by (rewrite <- (norm_square _ g); field; lra).
  apply Rle_trans with (wsum (fun k => (gamma n + L n * C) * ‖g‖ * size k + -1 * ⟨grad n k (w n), g⟩)).
  - apply weighted_mono; [exact Nn|]. intros k Hk.
    pose proof (inexact n ok k Hk) as E. pose proof (step_small k Hk) as S. fold C in S.
    set (dk := (local n k - w n)%V) in *. set (hk := grad n k (local n k)) in *. set (gk := grad n k (w n)) in *.
    replace (mu n * ⟨dk, g⟩) with (⟨hk + mu n *: dk, g⟩ - ⟨hk - gk, g⟩ - ⟨gk, g⟩)
      by (rewrite !inner_add, !inner_scale; ring).
    pose proof (inner_le _ (hk + mu n *: dk)%V g) as H1. pose proof (inner_ge _ (hk - gk)%V g) as H2.
    pose proof (smooth_lipschitz (w n) (local n k) HL (F_smooth n ok k Hk)) as Lip. fold hk gk dk in Lip.
    pose proof (norm_nonneg _ g) as Hg.
    assert (H3 : ‖(hk + mu n *: dk)‖ * ‖g‖ <= gamma n * size k * ‖g‖) by (apply Rmult_le_compat_r; auto).
    assert (H4 : ‖(hk - gk)‖ * ‖g‖ <= L n * (C * size k) * ‖g‖).
    { apply Rmult_le_compat_r; auto. apply Rle_trans with (1 := Lip). apply Rmult_le_compat_l; lra. }
    lra.
  - rewrite weighted_add, !weighted_scale. rewrite <- (weighted_inner NN pp (fun k => grad n k (w n)) g).
    change (weighted_vectors NN pp (fun k => grad n k (w n))) with g.
    assert (H : (gamma n + L n * C) * ‖g‖ * wsum size <= (gamma n + L n * C) * ‖g‖ * (B n * ‖g‖)).
    { apply Rmult_le_compat_l; [|exact sizes_mean]. apply Rmult_le_pos; [|apply norm_nonneg].
      pose proof (gamma_nonneg n ok). pose proof C_nonneg. assert (0 <= L n * C) by (apply Rmult_le_pos; lra). lra. }
    lra.
Qed.
Lemma improved (c : choice n) : P c (fun o => f n (received c o)) <= f n (w n) - rho n * ‖g‖².
Proof.
  pose proof (L_pos n ok) as HL. pose proof (mu_pos n ok) as Hm. pose proof (mu_bar_pos n ok) as Hb.
  set (a := fun k => ⟨local n k - w n, g⟩ + L n / 2 * ‖(local n k - w n)‖²).
  assert (Int : int (P c) (fun o => weighted NN (weight n c o) a)).
  { apply (int_sum (P c) NN (fun k o => weight n c o k * a k)). intros k Hk.
    apply (int_same (P c) (fun o => a k * weight n c o k)); [intros; ring|]. apply int_scale. now apply weight_mean. }
  assert (Mean : P c (fun o => weighted NN (weight n c o) a) = wsum a).
  { unfold weighted. rewrite (E_sum (P c) NN (fun k o => weight n c o k * a k)).
    - apply sum_ext; intros k Hk. rewrite (E_same (P c) _ (fun o => a k * weight n c o k)) by (intros; ring).
      rewrite E_scale by now apply weight_mean. rewrite (proj2 (weight_mean n c k Hk)). ring.
    - intros k Hk. apply (int_same (P c) (fun o => a k * weight n c o k)); [intros; ring|].
      apply int_scale. now apply weight_mean. }
  apply Rle_trans with (P c (fun o => 1 * weighted NN (weight n c o) a + f n (w n))).
  - apply E_mono; [exact (int_received n c)|now apply int_affine|]. intros o Ho.
    destruct (weighted_jensen NN (weight n c o) (weight_nonneg n c o) (weight_total n c o Ho) (local n) (w n) (received c o)
      (received_is n c o Ho)) as [H1 H2].
    pose proof (f_above (w n) (received c o)) as A. rewrite inner_sym, (H1 _) in A. fold g in A.
    unfold a. rewrite (weighted_add NN (weight n c o)), (weighted_scale NN (weight n c o)).
    assert (L n / 2 * ‖(received c o - w n)‖² <= L n / 2 * weighted NN (weight n c o) (fun k => ‖(local n k - w n)‖²))
      by (apply Rmult_le_compat_l; lra). lra.
  - rewrite E_affine by exact Int. rewrite Mean. unfold a. rewrite weighted_add, weighted_scale.
    pose proof descent_direction as D. pose proof steps_square as S.
    assert (L n / 2 * wsum (fun k => ‖(local n k - w n)‖²) <= L n / 2 * (C ^ 2 * B n ^ 2 * ‖g‖²))
      by (apply Rmult_le_compat_l; lra).
    assert (R : rho n * ‖g‖² = (1 - gamma n * B n - L n * C * B n) / mu n * ‖g‖² - L n / 2 * (C ^ 2 * B n ^ 2 * ‖g‖²))
      by (unfold rho, C; field; lra). lra.
Qed.
End Network.
Theorem improved_theorem_4 : Improved_Theorem_4.
Proof. intros n c ok. now apply improved. Qed.

(** ** Independent draws *)
Section Draws.
Variables (N : nat) (p : nat -> R).
Hypotheses (nonneg : forall k, (k < N)%nat -> 0 <= p k) (total : sum N p = 1).
Notation E := (draws N p).
Notation put := (fun (s : nat -> nat) (j k : nat) => fun i => if Nat.eqb i j then k else s i).
Lemma draws_add K : forall X Y, E K (fun s => X s + Y s) = E K X + E K Y.
Proof.
  induction K as [|K IH]; intros X Y; [reflexivity|]. cbn [draws]. rewrite <- weighted_add. apply weighted_ext; intros k _.
  apply (IH (fun s => X (put s K k)) (fun s => Y (put s K k))).
Qed.
Lemma draws_scale K : forall a X, E K (fun s => a * X s) = a * E K X.
Proof.
  induction K as [|K IH]; intros a X; [reflexivity|]. cbn [draws]. rewrite <- weighted_scale. apply weighted_ext; intros k _.
  apply (IH a (fun s => X (put s K k))).
Qed.
Lemma draws_const K c : E K (fun _ => c) = c.
Proof.
  induction K as [|K IH]; [reflexivity|]. cbn [draws]. rewrite (weighted_ext N p _ (fun _ => c)) by (intros; apply IH).
  now apply weighted_const.
Qed.
Definition proper (K : nat) (s : nat -> nat) : Prop := forall j, (j < K)%nat -> (s j < N)%nat.
Lemma draws_mono K : forall X Y, (forall s, proper K s -> X s <= Y s) -> E K X <= E K Y.
Proof.
  induction K as [|K IH]; intros X Y H; [apply H; intros j Hj; lia|]. cbn [draws]. apply weighted_mono; [exact nonneg|].
  intros k Hk. apply IH. intros s Hs. apply H. intros j Hj. destruct (Nat.eqb_spec j K); [auto|apply Hs; lia].
Qed.
Definition draws_space (V : space) (K : nat) : mean V (nat -> nat).
  refine {| may := proper K; int := fun _ => True; Mean.E := E K; sq := fun _ => True |}; auto.
  - intros X Y _ _. apply draws_add.
  - intros a X _. apply draws_scale.
  - intros X Y _ _ H. apply draws_mono. auto.
  - apply draws_const.
Defined.
(** Every draw is k with probability p_k. *)
Lemma draws_one K j X : (j < K)%nat -> E K (fun s => X (s j)) = weighted N p X.
Proof.
  induction K as [|K IH]; intros Hj; [lia|]. cbn [draws]. destruct (Nat.eq_dec j K) as [->|Hne].
  - apply weighted_ext; intros k _. rewrite Nat.eqb_refl. apply draws_const.
  - apply Nat.eqb_neq in Hne as Hb. rewrite Hb.
    rewrite (weighted_ext N p _ (fun _ => weighted N p X)) by (intros; apply IH; apply Nat.eqb_neq in Hb; lia).
    now apply weighted_const.
Qed.
End Draws.

Section WithReplacement.
Variables (n : network) (K : nat).
Hypotheses (HK : (0 < K)%nat) (ok : assumptions n).
Local Notation NN := (N n).
Local Notation PP := (draws_space NN (p n) (p_nonneg n ok) (p_total n ok) (V n) K).
Definition frequency (s : nat -> nat) (k : nat) : R := avg K (fun j => ind (Nat.eqb k (s j))).
Lemma frequency_sum (X : nat -> R) s : proper NN K s -> sum NN (fun k => frequency s k * X k) = avg K (fun j => X (s j)).
Proof.
  intros Hs. unfold frequency, avg. rewrite (sum_ext NN _ (fun k => / INR K * sum K (fun j => ind (Nat.eqb k (s j)) * X k))).
  - rewrite sum_scale, sum_swap. f_equal. apply sum_ext; intros j Hj. apply (sum_pick NN (s j) X). now apply Hs.
  - intros k _. rewrite Rmult_assoc. f_equal. rewrite Rmult_comm, <- sum_scale. apply sum_ext; intros; ring.
Qed.
Definition drawn_choice : choice n.
  refine {| I := nat -> nat; P := PP; weight := frequency; received := fun s => vmean K (fun j => local n (s j)) |}.
  - intros s k _. rewrite <- (avg_const K HK 0). apply avg_mono; auto. intros. unfold ind. destruct (Nat.eqb _ _); lra.
  - intros s Hs. rewrite <- (sum_ext NN (fun k => frequency s k * 1)) by (intros; ring).
    rewrite frequency_sum by exact Hs. now apply avg_const.
  - intros k Hk. split; [exact Logic.I|]. unfold frequency, avg. rewrite E_scale by exact Logic.I.
    rewrite (E_sum PP K (fun j s => ind (Nat.eqb k (s j)))) by (intros; exact Logic.I).
    rewrite (sum_ext K _ (fun _ => p n k)).
    + rewrite sum_const. field. apply not_0_INR. lia.
    + intros j Hj. transitivity (weighted NN (p n) (fun l => ind (Nat.eqb k l))).
      * exact (draws_one NN (p n) (p_total n ok) K j (fun l => ind (Nat.eqb k l)) Hj).
      * unfold weighted. rewrite (sum_ext NN _ (fun l => ind (Nat.eqb l k) * p n l))
          by (intros; rewrite Nat.eqb_sym; ring). now apply sum_pick.
  - intros s Hs z. rewrite inner_vmean. unfold weighted_vectors. rewrite inner_vsum.
    rewrite (sum_ext NN _ (fun k => frequency s k * ⟨local n k, z⟩)) by (intros; apply inner_scale).
    symmetry. now apply frequency_sum.
  - exact Logic.I.
Defined.
End WithReplacement.
Theorem improved_theorem_4_with_replacement : Improved_Theorem_4_With_Replacement.
Proof. intros n K HK ok. exact (improved n ok (drawn_choice n K HK ok)). Qed.

Theorem improved_theorem_4_without_replacement : Improved_Theorem_4_Without_Replacement.
Proof.
  intros n K I0 P0 drawn HK ok Hp w_plus Hsize Hint Hsame Hf.
  assert (PK : 0 < INR K) by now apply lt_0_INR.
  assert (HN : (0 < N n)%nat).
  { destruct (Nat.eq_dec (N n) 0) as [H|H]; [|lia]. pose proof (p_total n ok) as T. rewrite H in T. simpl in T. lra. }
  assert (PN : 0 < INR (N n)) by now apply lt_0_INR.
  set (one := fun o k => if drawn o k then 1 else 0 : R).
  assert (Q : forall k, (k < N n)%nat -> P0 (fun o => one o k) = INR K / INR (N n)).
  { intros k Hk. assert (T : sum (N n) (fun l => P0 (fun o => one o l)) = INR K).
    { rewrite <- (E_sum P0 (N n) (fun l o => one o l)) by (intros; now apply Hint).
      rewrite (E_same P0 _ (fun _ => INR K)) by (intros; apply Hsize). apply E_const. }
    rewrite (sum_ext (N n) _ (fun _ => P0 (fun o => one o k))) in T by (intros l Hl; now apply Hsame).
    rewrite sum_const in T. apply Rmult_eq_reg_l with (INR (N n)); [|lra]. rewrite T. field. lra. }
  unshelve refine (improved n ok {| I := I0; P := P0; weight := fun o k => / INR K * one o k; received := w_plus |}).
  - intros o k _. unfold one. apply Rmult_le_pos; [left; now apply Rinv_0_lt_compat|]. destruct (drawn o k); lra.
  - intros o _. rewrite sum_scale. unfold one. rewrite Hsize. field. lra.
  - intros k Hk. split; [apply int_scale; now apply Hint|]. rewrite E_scale by now apply Hint.
    change (/ INR K * P0 (fun o => one o k) = p n k). rewrite Q, Hp by auto. field. lra.
  - intros o _ z. unfold w_plus, weighted_vectors. rewrite inner_scale, !inner_vsum, <- sum_scale.
    apply sum_ext; intros k _. rewrite !inner_scale. unfold one. ring.
  - exact Hf.
Qed.

Theorem rho_is_positive : Rho_Is_Positive.
Proof.
  intros n Lm HLm HL HB Hg HgB b Hmu Hbar.
  set (s := 1 - gamma n * B n) in *. assert (Hs : 0 < s <= 1) by (unfold s; pose proof (Rmult_le_pos _ _ Hg (Rle_trans _ _ _ Rle_0_1 HB)); lra).
  assert (Hb : 1 <= b) by (unfold b; nra).
  assert (Hmb : mu_bar n = L n * b * (2 + b) / s) by (rewrite Hbar, Hmu; ring).
  assert (Pb : 0 < mu_bar n) by (rewrite Hmb; unfold Rdiv; repeat apply Rmult_lt_0_compat; try lra; now apply Rinv_0_lt_compat).
  assert (Pm : mu_bar n <= mu n <= mu_bar n + L n) by lra.
  set (q := L n * b / mu_bar n).
  assert (Hq : q * (2 + b) = s) by (unfold q; rewrite Hmb; field; repeat split; lra).
  assert (Pq : 0 < q) by (unfold q, Rdiv; repeat apply Rmult_lt_0_compat; try lra; now apply Rinv_0_lt_compat).
  assert (Rho : rho n = (s - q - q * b / 2 * (mu n / mu_bar n)) / mu n).
  { unfold rho. fold s. unfold q, b. field. lra. }
  rewrite Rho. unfold Rdiv at 1 2. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|].
  assert (Ratio : q * b / 2 * (mu n / mu_bar n) <= q * b / 2 + q * q / 2).
  { replace (q * b / 2 + q * q / 2) with (q * b / 2 * ((mu_bar n + L n) / mu_bar n)) by (unfold q; field; lra).
    apply Rmult_le_compat_l; [nra|]. unfold Rdiv. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|lra]. }
  assert (q <= s / 3) by nra. nra.
Qed.
