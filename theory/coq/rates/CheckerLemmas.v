(** * The tables of the checker are twice the forms *)
From Coq Require Import Reals QArith Qreals List Arith ZArith Bool Lra Lia.
From FPS.tools Require Import Smooth.
From FPS.rates Require Import Round Forms Certificate Checker TableLemmas.
Import ListNotations.
Open Scope R_scope.

Section Tables.
Variable x : rational_certificate.
Hypothesis gamma_pos : 0 < Q2R (q_gamma x).
Hypothesis theta_above : 0 < 1 + Q2R (q_theta x).
Variable u : nat -> line.
Local Notation n := (q_Es x).
Local Notation k := (numbers_of x).
Local Notation a := (multipliers_of x).
Local Notation t := (masked k u).
Local Notation qr := (fun row v => rval Q2R row 0 v).
Local Notation qt := (fun table v => tval Q2R table 0 v).

(** The basis: x_1, …, x_E in place of g_0, …, g_{E−1} *)
Definition basis (p : nat) : R := if (p <? n)%nat then moved k t (S p) else t p.

Lemma positive_nonzero q : 0 < Q2R q -> ~ (q == 0)%Q.
Proof. intros H E. apply Qeq_eqR in E. rewrite Q2R_zero in E. lra. Qed.
Lemma point_value i : (i <= n)%nat -> qr (point_row i) basis = moved k t i.
Proof.
  intros Hi. destruct i as [|j]; [reflexivity|]. cbn [point_row]. rewrite qr_unit. unfold basis.
  destruct (Nat.ltb_spec j n); [reflexivity|lia].
Qed.
Lemma point_D_value i : (i <= n)%nat -> qr (point_D_row x i) basis = point_D k t i.
Proof.
  intros Hi. unfold point_D_row, point_D. cbn [Es numbers_of]. destruct (Nat.ltb_spec i n); [|reflexivity].
  apply point_value; lia.
Qed.
Lemma unit_value p : (n <= p)%nat -> qr (unit p) basis = t p.
Proof. intros H. cbv beta. rewrite qr_unit. unfold basis. destruct (Nat.ltb_spec p n); [lia|reflexivity]. Qed.
(** A letter that is absent leaves its row out. *)
Lemma optional (row : list Q) p (flag : bool) : present k p = flag -> (n <= p)%nat ->
  qr (if flag then qaxpy (-(1)) (unit p) row else row) basis = qr row basis - t p.
Proof.
  intros E H. destruct flag.
  - cbv beta. rewrite qr_axpy, (unit_value p H : rval Q2R (unit p) 0 basis = t p), Q2R_opp, Q2R_one. ring.
  - unfold masked. rewrite E. cbn. ring.
Qed.
Lemma present_bias e : (e < n)%nat -> present k (n + 1 + e) = q_biased x.
Proof.
  intros He. unfold present. cbn [Es numbers_of biased noisy]. destruct (Nat.leb_spec (n + 1 + e) n); [lia|].
  destruct (Nat.leb_spec (n + 1 + e) (2 * n)); [reflexivity|lia].
Qed.
Lemma present_noise e : (e < n)%nat -> present k (2 * n + 1 + e) = q_noisy x.
Proof.
  intros He. unfold present. cbn [Es numbers_of biased noisy].
  destruct (Nat.leb_spec (2 * n + 1 + e) n); [lia|].
  destruct (Nat.leb_spec (2 * n + 1 + e) (2 * n)); [lia|reflexivity].
Qed.
Lemma letter_value p : qr (letter_row x p) basis = t p.
Proof.
  unfold letter_row. destruct (Nat.ltb_spec p n) as [H|H].
  - pose proof (positive_nonzero _ gamma_pos) as Z.
    rewrite (optional _ (2 * n + 1 + p)), (optional _ (n + 1 + p)) by (auto using present_noise,
      present_bias; lia).
    cbv beta. rewrite !qr_axpy, qr_unit. rewrite (point_value p ltac:(lia) : rval Q2R (point_row p) 0 basis =
      _).
    unfold basis. destruct (Nat.ltb_spec p n); [|lia]. cbn [moved rval]. unfold bias, noise.
    cbn [Es numbers_of gamma mu]. rewrite red_Q2R, Q2R_mult, Q2R_minus, Q2R_mult, Q2R_opp, red_Q2R, Q2R_inv,
      Q2R_one by auto.
    set (y := moved k t p : R). set (b := t (n + 1 + p)%nat : R). set (z := t (2 * n + 1 + p)%nat : R).
    set (g := t p : R). cbn. field. lra.
  - destruct (present k p) eqn:P; [now apply unit_value|]. unfold masked. rewrite P. reflexivity.
Qed.

Lemma gap_value q xi xj gi gj table : qt (put_gap x q xi xj gi gj table) basis = qt table basis +
  2 * (Q2R q * gap (Q2R (q_theta x)) 1 (qr xi basis : line) (qr xj basis : line) (qr gi basis : line) (qr gj
    basis : line)).
Proof.
  assert (Z : ~ ((2 * (1 + q_theta x)) == 0)%Q).
  { apply positive_nonzero. rewrite Q2R_mult, Q2R_plus, Q2R_one.
    replace (Q2R 2) with 2 by (unfold Q2R; cbn; lra). lra. }
  unfold put_gap. cbv beta zeta. rewrite !qt_put, !qr_axpy, !qmul_Q2R, !red_Q2R, !Q2R_div by auto.
  rewrite !Q2R_mult, !Q2R_plus, !Q2R_opp, !Q2R_one. replace (Q2R 2) with 2 by (unfold Q2R; cbn; lra).
  generalize (rval Q2R xi 0 basis) (rval Q2R xj 0 basis) (rval Q2R gi 0 basis) (rval Q2R gj 0 basis). intros.
  unfold gap. cbn. field. lra.
Qed.
Lemma gaps_value row (point : (nat -> line) -> nat -> line) table :
  (forall i, (i <= n)%nat -> qr (row i) basis = point t i) ->
  qt (put_gaps x row table) basis = qt table basis + 2 * gaps k a point t.
Proof.
  intros H. unfold put_gaps, gaps. rewrite <- sum_scale. apply tval_accumulate. intros i table' Hi.
  rewrite <- sum_scale. apply tval_accumulate. intros j table'' Hj.
  rewrite (gap_value _ _ _ _ _ table'' : tval Q2R _ 0 basis = _). cbv beta.
  rewrite <- (H i), <- (H j) by (cbn [Es numbers_of] in *; lia).
  rewrite <- (letter_value i), <- (letter_value j). reflexivity.
Qed.
Lemma square_value q p table : qt (put_square q (letter_row x p) table) basis =
  qt table basis + 2 * (Q2R q * ‖(t p)‖²).
Proof. unfold put_square. cbv beta. rewrite qt_put, (letter_value p : rval Q2R _ 0 basis = _). cbn. ring. Qed.
Lemma excess_value table : qt (put_excess x table) basis = qt table basis + 2 * excess k a t.
Proof.
  unfold put_excess, excess. rewrite <- sum_scale. apply tval_accumulate. intros e table' He. cbv zeta.
  rewrite !(square_value : forall q p table, tval Q2R _ 0 basis = _).
  rewrite red_Q2R, Q2R_opp, Q2R_plus, !Q2R_mult. unfold bias, noise.
  cbn [tau vt multipliers_of P_b P_n Es numbers_of]. ring.
Qed.
Lemma products_value wq w table : (forall e p, Q2R (wq e p) = w e p) ->
  qt (put_products x wq table) basis = qt table basis + 2 * products k w t.
Proof.
  intros H. unfold put_products, products. rewrite <- sum_scale. apply tval_accumulate. intros e table' He.
  rewrite <- sum_scale. apply tval_accumulate. intros p table'' Hp.
  rewrite qt_put, !(letter_value _ : rval Q2R _ 0 basis = _), H. unfold noise. cbn. ring.
Qed.
Lemma own_value e p : Q2R (own_weight x e p) = own_at k a e p.
Proof. unfold own_weight, own_at. destruct (in_past k e p); [reflexivity|apply Q2R_zero]. Qed.
Lemma cross_value e p : Q2R (cross_weight x e p) = cross_at k a e p.
Proof. unfold cross_weight, cross_at. destruct (elsewhere k e p); [reflexivity|apply Q2R_zero]. Qed.
Lemma share_value e p : Q2R (share_q x e p) = share k e p.
Proof. unfold share_q, share. destruct (in_past k e p); [apply Q2R_zero|reflexivity]. Qed.
Lemma products_opp w : products k (fun e p => - w e p) t = - products k w t.
Proof.
  unfold products. replace (- sum _ _) with ((-1) * sum (Es k) (fun e => sum (letters k) (fun p => w e p *
    ⟨noise k t e, t p⟩))) by ring.
  rewrite <- sum_scale. apply sum_ext; intros. rewrite <- sum_scale. apply sum_ext; intros. ring.
Qed.

Theorem table_S_value : tval Q2R (table_S x) 0 basis = 2 * form_S k a t.
Proof.
  unfold table_S. cbv zeta. rewrite !(square_value : forall q p table, tval Q2R _ 0 basis = _).
  rewrite (gaps_value point_row (point_S k) _ point_value : tval Q2R _ 0 basis = _).
  rewrite (excess_value _ : tval Q2R _ 0 basis = _).
  rewrite (products_value _ (fun e p => - own_at k a e p) _ : _ -> tval Q2R _ 0 basis = _)
    by (intros; now rewrite Q2R_opp, own_value).
  rewrite (products_value _ (fun e p => - (cross_at k a e p * (1 - share k e p))) _ : _ ->
    tval Q2R _ 0 basis = _)
    by (intros; now rewrite Q2R_opp, Q2R_mult, Q2R_minus, Q2R_one, cross_value, share_value).
  rewrite !products_opp. repeat rewrite ?qmul_Q2R, ?red_Q2R, ?Q2R_minus, ?Q2R_mult, ?Q2R_one.
  unfold form_S. cbn [tval c eta_0 eta_plus multipliers_of B numbers_of Es]. ring.
Qed.
Theorem table_D_value : tval Q2R (table_D x) 0 basis = 2 * form_D k a t.
Proof.
  unfold table_D. rewrite !(square_value : forall q p table, tval Q2R _ 0 basis = _).
  rewrite (gaps_value (point_D_row x) (point_D k) _ point_D_value : tval Q2R _ 0 basis = _).
  rewrite (excess_value _ : tval Q2R _ 0 basis = _).
  rewrite (products_value _ (fun e p => - own_at k a e p) _ : _ -> tval Q2R _ 0 basis = _)
    by (intros; now rewrite Q2R_opp, own_value).
  rewrite (products_value _ (fun e p => cross_at k a e p * share k e p) _ : _ -> tval Q2R _ 0 basis = _)
    by (intros; now rewrite Q2R_mult, cross_value, share_value).
  rewrite !products_opp. unfold form_D. cbn [tval eta_0 eta_plus multipliers_of Es numbers_of]. ring.
Qed.
End Tables.
