(** * B = 1: proof *)
From Coq Require Import Reals Lra Lia Arith Bool.
From FPS.tools Require Import Smooth.
From FPS.rates Require Import Round Forms QuadraticLemmas DescentFormsLemmas DescentSumLemmas PriceAtOne.
Open Scope R_scope.

(** Letters with weight w = 1 are bounded by their own squares and a little of the others'. *)
Section Hot.
Variables (n : nat) (m : nat -> nat -> R) (w : nat -> R) (delta : R).
Hypothesis delta_pos : 0 < delta.
Hypothesis hot : forall p, w p = 0 \/ w p = 1.
Hypothesis two : sum n w = 2.
Definition total : R := sum n (fun p => sum n (fun q => m p q ^ 2 / delta)).
Lemma entry_nonneg p q : 0 <= m p q ^ 2 / delta.
Proof. unfold Rdiv. apply Rmult_le_pos; [apply pow2_ge_0|left; now apply Rinv_0_lt_compat]. Qed.
Lemma row_below_total p : (p < n)%nat -> sum n (fun q => m p q ^ 2 / delta) <= total.
Proof.
  intros Hp. unfold total. set (row := fun p => sum n (fun q => m p q ^ 2 / delta)).
  assert (P : forall j, 0 <= row j) by (intros; apply sum_nonneg; intros; apply entry_nonneg).
  change (row p <= sum n row). rewrite <- (sum_pick n p row Hp). apply sum_mono; intros i _.
  destruct (i =? p)%nat; [lra|]. specialize (P i). lra.
Qed.
Lemma column_below_total q : (q < n)%nat -> sum n (fun p => m p q ^ 2 / delta) <= total.
Proof.
  intros Hq. unfold total. rewrite sum_swap. set (col := fun q => sum n (fun p => m p q ^ 2 / delta)).
  assert (P : forall j, 0 <= col j) by (intros; apply sum_nonneg; intros; apply entry_nonneg).
  change (col q <= sum n col). rewrite <- (sum_pick n q col Hq). apply sum_mono; intros i _.
  destruct (i =? q)%nat; [lra|]. specialize (P i). lra.
Qed.
Lemma young_term a x y : - (delta / 4 * (y * y)) - a ^ 2 / delta * (x * x) <= a * (x * y).
Proof.
  apply Rmult_le_reg_l with (4 * delta); [lra|].
  replace (4 * delta * (- (delta / 4 * (y * y)) - a ^ 2 / delta * (x * x)))
    with (- (delta * y) ^ 2 - (2 * a * x) ^ 2) by (field; lra).
  pose proof (pow2_ge_0 (delta * y + 2 * a * x)). nra.
Qed.
Lemma hot_part (t : nat -> R) :
  delta * sum n (fun p => (1 - w p) * (t p * t p)) <= quad n m (fun p q => (1 - w p) * t p * ((1 - w q) * t
    q)) ->
  - (delta + 2 * total) * sum n (fun p => w p * (t p * t p)) <= quad n m (fun p q => t p * t q).
Proof.
  intros cold. set (h := sum n (fun p => w p * (t p * t p))) in *.
  assert (S1 : quad n m (fun p q => (1 - w p) * t p * ((1 - w q) * t q))
      - sum n (fun p => sum n (fun q => w p * (delta / 4 * (t q * t q)) + (m p q ^ 2 / delta) * (w p * (t p *
          t p))))
      - sum n (fun p => sum n (fun q => w q * (delta / 4 * (t p * t p)) + (m p q ^ 2 / delta) * (w q * (t q *
          t q))))
      <= quad n m (fun p q => t p * t q)).
  { unfold quad. rewrite <- !sum_sub. apply sum_mono; intros p _. rewrite <- !sum_sub.
    apply sum_mono; intros q _.
    pose proof (young_term (m p q) (t p) (t q)) as Y1. pose proof (young_term (m p q) (t q) (t p)) as Y2.
    pose proof (entry_nonneg p q) as En. pose proof (Rle_0_sqr (t p)) as Tp.
    pose proof (Rle_0_sqr (t q)) as Tq.
    unfold Rsqr in *. set (k := m p q ^ 2 / delta) in *.
    assert (0 <= k * (t p * t p)) by now apply Rmult_le_pos.
    assert (0 <= k * (t q * t q)) by now apply Rmult_le_pos.
    assert (0 <= delta / 4 * (t p * t p)) by (apply Rmult_le_pos; lra).
    assert (0 <= delta / 4 * (t q * t q)) by (apply Rmult_le_pos; lra).
    destruct (hot p) as [-> | ->], (hot q) as [-> | ->]; lra. }
  assert (S2 : sum n (fun p => sum n (fun q => w p * (delta / 4 * (t q * t q)) + (m p q ^ 2 / delta) * (w p *
    (t p * t p))))
      <= delta / 2 * sum n (fun q => t q * t q) + total * h).
  { rewrite (sum_ext n _ (fun p => w p * (delta / 4 * sum n (fun q => t q * t q))
      + w p * (t p * t p) * sum n (fun q => m p q ^ 2 / delta))).
    2:{ intros p _. rewrite sum_add, !sum_scale. f_equal.
        rewrite <- sum_scale. apply sum_ext; intros; ring. }
    rewrite sum_add. apply Rplus_le_compat.
    - rewrite (sum_ext n _ (fun p => delta / 4 * sum n (fun q => t q * t q) * w p)) by (intros; ring).
      rewrite sum_scale, two. right. field.
    - unfold h. rewrite <- sum_scale. apply sum_mono; intros p Hp. rewrite (Rmult_comm total).
      apply Rmult_le_compat_l; [|now apply row_below_total]. pose proof (Rle_0_sqr (t p)) as Tp.
      unfold Rsqr in Tp.
      destruct (hot p) as [-> | ->]; lra. }
  assert (S3 : sum n (fun p => sum n (fun q => w q * (delta / 4 * (t p * t p)) + (m p q ^ 2 / delta) * (w q *
    (t q * t q))))
      <= delta / 2 * sum n (fun q => t q * t q) + total * h).
  { rewrite sum_swap. rewrite (sum_ext n _ (fun q => w q * (delta / 4 * sum n (fun p => t p * t p))
      + w q * (t q * t q) * sum n (fun p => m p q ^ 2 / delta))).
    2:{ intros q _. rewrite sum_add, !sum_scale. f_equal.
        rewrite <- sum_scale. apply sum_ext; intros; ring. }
    rewrite sum_add. apply Rplus_le_compat.
    - rewrite (sum_ext n _ (fun p => delta / 4 * sum n (fun q => t q * t q) * w p)) by (intros; ring).
      rewrite sum_scale, two. right. field.
    - unfold h. rewrite <- sum_scale. apply sum_mono; intros p Hp. rewrite (Rmult_comm total).
      apply Rmult_le_compat_l; [|now apply column_below_total]. pose proof (Rle_0_sqr (t p)) as Tp.
      unfold Rsqr in Tp.
      destruct (hot p) as [-> | ->]; lra. }
  assert (S4 : sum n (fun q => t q * t q) = sum n (fun p => (1 - w p) * (t p * t p)) + h).
  { unfold h. rewrite <- sum_add. apply sum_ext; intros; ring. }
  rewrite S4 in *. lra.
Qed.
End Hot.

(** Numbers of the line are real numbers. *)
Ltac in_R := match goal with |- @eq _ ?a ?b => change (@eq R a b) end.

Theorem finite_price_at_b_one : Finite_Price_At_B_One.
Proof.
  intros k a delta HB cert Hd reduced. set (n := letters k).
  assert (HE : (0 < Es k)%nat) by exact (steps _ _ cert).
  destruct (quadratic_form_D k (with_eta 0 a)) as [m Hm]. fold n in Hm.
  set (w := fun p => (if p =? 0 then 1 else 0) + (if p =? Es k then 1 else 0)).
  assert (hot : forall p, w p = 0 \/ w p = 1).
  { intros p. unfold w. destruct (Nat.eqb_spec p 0), (Nat.eqb_spec p (Es k)); [lia|right; ring|right;
      ring|left; ring]. }
  assert (Hot : forall X, sum n (fun p => w p * X p) = X O + X (Es k)).
  { intros X. unfold w. rewrite (sum_ext n _ (fun p => (if p =? 0 then 1 else 0) * X p + (if p =? Es k then 1
      else 0) * X p))
      by (intros; ring).
    rewrite sum_add, !sum_pick; [reflexivity| |]; unfold n, letters; lia. }
  assert (two : sum n w = 2).
  { rewrite (sum_ext n w (fun p => w p * 1)) by (intros; ring). rewrite (Hot (fun _ => 1)). ring. }
  set (eta := delta + 2 * total n m delta).
  assert (He : 0 <= eta).
  { unfold eta, total. assert (0 <= sum n (fun p => sum n (fun q => m p q ^ 2 / delta))); [|lra].
    apply sum_nonneg; intros. apply sum_nonneg; intros. now apply entry_nonneg. }
  exists eta. split; auto. destruct cert. split; auto.
  - intros u. specialize (S_psd u).
    replace (form_S k (with_eta eta a) (masked k u)) with (form_S (alone k) a (masked (alone k) u)); auto.
    change (masked (alone k) u) with (masked k u). set (t := masked k u). unfold form_S.
    change (gaps k (with_eta eta a) (point_S k) t) with (gaps (alone k) a (point_S (alone k)) t).
    change (excess k (with_eta eta a) t) with (excess (alone k) a t).
    change (products k (own_at k (with_eta eta a)) t) with (products (alone k) (own_at (alone k) a) t).
    change (products k (fun e p => cross_at k (with_eta eta a) e p * (1 - share k e p)) t)
      with (products (alone k) (fun e p => cross_at (alone k) a e p * (1 - share (alone k) e p)) t).
    change (B (alone k)) with (B k). change (c (with_eta eta a)) with (c a). rewrite HB. ring.
  - right. intros u. set (t := masked k u).
    assert (F : form_D k (with_eta eta a) t = quad n m (gram t) + eta * (‖(t O)‖² + ‖(t (Es k))‖²)).
    { rewrite <- Hm. unfold form_D.
      change (gaps k (with_eta eta a) (point_D k) t) with (gaps k (with_eta 0 a) (point_D k) t).
      change (excess k (with_eta eta a) t) with (excess k (with_eta 0 a) t).
      change (own_at k (with_eta eta a)) with (own_at k (with_eta 0 a)).
      change (cross_at k (with_eta eta a)) with (cross_at k (with_eta 0 a)). cbn [eta_0 eta_plus with_eta].
      ring. }
    rewrite F. set (v := (fun p => (1 - w p) * u p) : nat -> line).
    assert (V : forall p, masked k v p = (1 - w p) * t p).
    { intros p. unfold v, t, masked. destruct (present k p); [reflexivity|]. cbn. in_R. ring. }
    assert (H0 : v O = 0) by (unfold v, w; cbn; destruct (Es k); [lia|in_R; ring]).
    assert (H1 : v (Es k) = 0).
    { unfold v, w. rewrite Nat.eqb_refl. destruct (Nat.eqb_spec (Es k) 0); [lia|in_R; ring]. }
    specialize (reduced v H0 H1). rewrite Hm in reduced. fold n in reduced.
    assert (C : - eta * sum n (fun p => w p * (t p * t p)) <= quad n m (fun p q => t p * t q)).
    { apply hot_part; auto. eapply Rle_trans; [|eapply Rle_trans; [exact reduced|]].
      - right. f_equal. apply sum_ext; intros p _. rewrite V. cbn. destruct (hot p) as [-> | ->]; ring.
      - right. apply quad_ext; intros p q _ _. unfold gram. rewrite !V. reflexivity. }
    rewrite (Hot (fun p => t p * t p)) in C.
    change (quad n m (gram t)) with (quad n m (fun p q => t p * t q)).
    change (‖(t O)‖² + ‖(t (Es k))‖²) with (t O * t O + t (Es k) * t (Es k)). lra.
Qed.
