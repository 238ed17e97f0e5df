(** * Tools for single runs: gradients without noise, missing the bound, sketches as large as asked *)
From Coq Require Import Reals Lra Lia List Bool Arith ZArith.
From FPS.paper Require Import Setting Theorem1 UniformHash ScalarRun.
Open Scope R_scope.

(** An estimate that is known from the past has no noise: all of its error is bias. *)
Lemma estimates_without_noise (r : run) past (g true_g : Omega r -> Rd (d r)) :
  0 <= P_n r -> 0 <= sigma2 r -> (forall X : Omega r -> Rd (d r), sq (chance r) X) ->
  known r past g -> known r past true_g ->
  (forall o, ‖(g o - true_g o)‖² <= P_b r * ‖(true_g o)‖² + b2 r) -> estimates r past g true_g.
Proof.
  intros Hn Hs Hsq Hg Ht Hb. exists (fun o => g o - true_g o)%V, (fun _ => zero).
  split; [intros o z; expand; ring|]. split; [auto|].
  split; [intros o o' H; now rewrite (Hg o o' H), (Ht o o' H)|].
  split; [auto|split; [auto|split; [auto|split; [|split]]]].
  - intros Y _ _. rewrite (E_same _ _ (fun _ => 0)); [apply E_const|]. intros o. apply inner_zero.
  - intros Y _ HY HI HI'. apply E_mono; auto. intros o _. rewrite inner_zero.
    pose proof (HY o). pose proof (inner_nonneg _ (true_g o)).
    assert (0 <= P_n r * ‖(true_g o)‖² + sigma2 r) by nra. nra.
  - auto.
Qed.

(** The bound is missed if the left side is too large with a probability above δ. *)
Lemma conclusion_fails (u : upkeep) (right_side : run -> R) (r : run) (bad : Omega r -> R) :
  int (chance r) bad -> (forall o, bad o = 0 \/ bad o = 1) -> delta r < chance r bad ->
  (forall o, bad o = 1 -> right_side r < Rmin (left_side r (broadcast r) o) (left_side r (before_top_k r u)
      o)) ->
  ~ conclusion u right_side r.
Proof.
  intros Hint H01 Hdelta Hbad [good [G01 [Gint [Gprob Gle]]]].
  assert (chance r good <= chance r (fun o => -1 * bad o + 1)).
  { apply E_mono; [auto|now apply int_affine|]. intros o Ho.
    destruct (G01 o) as [Hg|Hg]; rewrite Hg; [destruct (H01 o) as [->| ->]; lra|].
    destruct (H01 o) as [->|Hb]; [lra|]. specialize (Gle o Ho Hg). specialize (Hbad o Hb). lra. }
  rewrite E_affine in H by auto. lra.
Qed.

Lemma large_number x : exists n, (1 <= n)%nat /\ x <= INR n.
Proof.
  exists (S (Z.to_nat (up (Rabs x)))). split; [lia|].
  destruct (archimed (Rabs x)) as [Hu _]. pose proof (Rle_abs x) as Hx. pose proof (Rabs_pos x) as Hp.
  assert (Hz : (0 <= up (Rabs x))%Z) by (apply le_IZR; lra).
  rewrite S_INR, INR_IZR_INZ, Z2Nat.id by auto. lra.
Qed.
(** Rows and columns that are enough for the constant C. *)
Lemma large_shape C x y : exists rows cols, (1 <= rows)%nat /\ (1 <= cols)%nat /\ C * x <= INR rows /\ C * y
  <= INR cols.
Proof.
  destruct (large_number (C * x)) as [rows [H1 H2]], (large_number (C * y)) as [cols [H3 H4]].
  exists rows, cols. auto.
Qed.

(** Nothing is random besides the hashes. *)
Definition sure : mean (Rd 1) unit.
  refine (finite (Rd 1) ((tt, 1) :: nil) _ _).
  - intros o x [H|[]]; inversion H; lra.
  - simpl; lra.
Defined.
Lemma sure_is X : sure X = X tt.
Proof. simpl. ring. Qed.
Lemma avg_one X : avg 1 X = X O.
Proof. unfold avg. simpl. field. Qed.

Lemma avg_two X : avg 2 X = (X O + X 1%nat) / 2.
Proof. unfold avg. simpl. field. Qed.

(** The printed tail at k = d = 1, p = 2 *)
Lemma tail_at_one : tail 2 (INR 1) (INR 1) = -7/24.
Proof.
  unfold tail. change (INR 1) with 1.
  replace (Rpower (1 + 1) (1 - 2 * 2)) with (/ (2 * (2 * 2))).
  - replace (Rpower 1 (1 - 2 * 2)) with 1; [lra|]. unfold Rpower. now rewrite ln_1, Rmult_0_r, exp_0.
  - replace (1 + 1) with 2 by ring. replace (1 - 2 * 2) with (- INR 3) by (simpl; ring).
    rewrite Rpower_Ropp, Rpower_pow by lra. simpl. f_equal. ring.
Qed.
Lemma generous_tail_at_one : Rmax 0 (tail 2 (INR 1) (INR 1)) = 0.
Proof. rewrite tail_at_one. apply Rmax_left. lra. Qed.
