(** * A run in many dimensions in which nothing moves: the printed right side is negative *)
From Coq Require Import Reals Lra Lia List Bool Arith FunctionalExtensionality.
From FPS.paper Require Import Setting Theorem1 UniformHash ScalarRun RunTools SeveralCoordinates.
Open Scope R_scope.

(** ** Random tables for many coordinates: digit jD + i of a number below (2·columns)^(rows·D) *)
Lemma forallb_seq_shift (test : nat -> bool) n a : forallb test (seq a n) = forallb (fun i => test (a + i)%nat) (seq 0 n).
Proof.
  induction n as [|n IH]; [reflexivity|]. rewrite !seq_S, !forallb_app, IH. simpl. now rewrite !andb_true_r.
Qed.
Lemma forallb_table (D rows : nat) (test : nat -> nat -> bool) : (0 < D)%nat ->
  forallb (fun j => forallb (test j) (seq 0 D)) (seq 0 rows) =
  forallb (fun m => test (m / D)%nat (m mod D)%nat) (seq 0 (rows * D)).
Proof.
  intros HD. induction rows as [|rows IH]; [reflexivity|].
  rewrite seq_S, forallb_app, IH. cbn [Nat.mul]. rewrite (Nat.add_comm D), seq_app, forallb_app. f_equal.
  cbn [forallb Nat.add]. rewrite andb_true_r, (forallb_seq_shift _ D (rows * D)).
  assert (H : forall n, (n <= D)%nat -> forallb (test rows) (seq 0 n) =
    forallb (fun i => test ((rows * D + i) / D)%nat ((rows * D + i) mod D)%nat) (seq 0 n)).
  { induction n as [|n IHn]; intros Hn; [reflexivity|]. rewrite !seq_S, !forallb_app, IHn by lia. simpl. f_equal. f_equal.
    rewrite (Nat.add_comm (rows * D)), Nat.div_add, Nat.mod_add, Nat.div_small, Nat.mod_small by lia. reflexivity. }
  now apply H.
Qed.

Section Idle.
Variables (cc : R) (D T rows cols : nat).
Hypotheses (D_two : (2 <= D)%nat) (some_rounds : (1 <= T)%nat) (some_rows : (1 <= rows)%nat) (cols_pos : (0 < cols)%nat)
  (c_large : 1 < cc).
Definition idle_letters : letters := {|
  L := 1; mu := 0; gamma := 1 / 40; P_b := 1 / 100; P_n := 0; b2 := 0; sigma2 := 0; B := 1; epsilon := 1;
  c := cc; p := 2; W := 1; delta := 1 / 2 |}.
Definition sure_in : mean (Rd D) unit.
  refine (finite (Rd D) ((tt, 1) :: nil) _ _).
  - intros o x [H|[]]; inversion H; lra.
  - simpl; lra.
Defined.
Definition all_tables : nat := ((2 * cols) ^ (rows * D))%nat.
Lemma all_tables_pos : (0 < all_tables)%nat.
Proof. unfold all_tables. apply Nat.neq_0_lt_0, Nat.pow_nonzero. clear - cols_pos. lia. Qed.
Definition idle : run := {|
  d := D; k := D; M := 1; Es := 1; Setting.T := T; Setting.rows := rows; Setting.cols := cols; constants := idle_letters;
  Omega := nat * unit; chance := times all_tables all_tables_pos sure_in;
  loss := fun _ _ => 0; grad := fun _ _ => zero; sample := fun _ _ _ _ _ => zero; channel := fun _ _ => zero;
  column := fun o j i => half (digit (2 * cols) (fst o) (j * D + i));
  plus := fun o j i => even_digit (digit (2 * cols) (fst o) (j * D + i));
  w0 := zero; w_star := zero; broadcast := fun _ _ => zero; past := fun _ _ o o' => o = o' |}.
Local Notation r := idle.
Local Ltac zeros := apply functional_extensionality; intros ?; cbn; ring.

Lemma idle_local t m e o : local r t m e o = zero.
Proof. induction e as [|e IH]; [reflexivity|]. cbn [local]. rewrite IH. zeros. Qed.
Lemma idle_g t m e o : g r t m e o = zero.
Proof. unfold g. rewrite idle_local. zeros. Qed.
Lemma idle_true t m e o : true_gradient r t m e o = zero.
Proof. unfold true_gradient. rewrite idle_local. zeros. Qed.
Lemma vsum_zero (V : space) n (X : nat -> V) z : (forall i, (i < n)%nat -> X i = zero) -> ⟨vsum n X, z⟩ = 0.
Proof.
  intros H. rewrite inner_vsum. rewrite (sum_ext n _ (fun _ => 0)); [rewrite sum_const; ring|].
  intros i Hi. rewrite H by auto. apply inner_zero.
Qed.
Lemma idle_sum n (X : nat -> Rd D) : (forall i, (i < n)%nat -> X i = zero) -> vsum n X = zero.
Proof.
  induction n as [|n IH]; intros H; [reflexivity|]. simpl vsum. rewrite IH, (H n) by auto. zeros.
Qed.
Lemma idle_held u t m o : held r u t m o = zero.
Proof.
  induction t as [|t IH]; [reflexivity|]. cbn [held]. rewrite (idle_sum (Es r)) by (intros; apply idle_g).
  destruct u; [rewrite IH|]; zeros.
Qed.
Lemma idle_mean n (X : nat -> Rd D) : (forall i, (i < n)%nat -> X i = zero) -> vmean n X = zero.
Proof. intros H. unfold vmean. rewrite idle_sum by auto. zeros. Qed.
Lemma idle_before u t o : before_top_k r u t o = zero.
Proof.
  destruct t as [|t]; [reflexivity|]. unfold before_top_k. rewrite (idle_mean (M r)) by (intros; apply idle_held). zeros.
Qed.
Lemma idle_received t o : g_received r t o = zero.
Proof. unfold g_received. rewrite (idle_mean (M r)) by (intros; apply idle_g). zeros. Qed.
Lemma idle_summed t o : g_summed r t o = zero.
Proof.
  unfold g_summed. rewrite (idle_mean (M r)); [zeros|]. intros m _. apply idle_sum. intros; apply idle_g.
Qed.
Lemma idle_grad x : grad_f r x = zero.
Proof. unfold grad_f. now apply (idle_mean (M r)). Qed.
Lemma idle_estimates past (X Y : Omega r -> Rd D) : (forall o, X o = zero) -> (forall o, Y o = zero) ->
  estimates r past X Y.
Proof.
  intros HX HY. apply estimates_without_noise; try (cbn; lra).
  - intros Z t _. exact Logic.I.
  - intros o o' _. now rewrite !HX.
  - intros o o' _. now rewrite !HY.
  - intros o. rewrite HX, HY. cbn [P_b b2 constants idle idle_letters]. rewrite inner_zero.
    apply Rle_trans with ‖((zero : Rd D) - zero)%V‖²; [right; reflexivity|].
    rewrite (same_square (Rd D) (zero - zero)%V zero), inner_zero; [lra|].
    intros z. rewrite inner_add, inner_scale, !inner_zero. ring.
Qed.
Lemma idle_estimate u t o i j : row_estimate r u t o i j = 0.
Proof.
  unfold row_estimate, received. rewrite (avg_ext _ _ (fun _ => 0)).
  - rewrite avg_const by (cbn; lia). unfold sketch. rewrite (sum_ext _ _ (fun _ => 0)); [rewrite sum_const; ring|].
    intros l _. destruct (Nat.eqb _ _); [cbn; ring|reflexivity].
  - intros m _. unfold sketch. rewrite (sum_ext _ _ (fun _ => 0)); [rewrite sum_const; ring|].
    intros l _. rewrite idle_held. destruct (Nat.eqb _ _); [cbn; ring|reflexivity].
Qed.
Lemma idle_power_law : power_law D 2 (zero : Rd D).
Proof.
  intros i _. unfold norm. rewrite inner_zero, sqrt_0, Rmult_0_r. cbn. apply Rabs_R0.
Qed.
Lemma idle_hashes : uniform_hashes r.
Proof.
  split.
  - intros o j i _ _ _. simpl. unfold half. apply Nat.div_lt_upper_bound; [lia|]. apply digit_less. lia.
  - intros cs ps Hcs. split; [intros t _; exact Logic.I|].
    assert (Chance : forall X : Omega r -> R, chance r X = avg all_tables (fun n => sure_in (fun i => X (n, i)))) by reflexivity.
    rewrite Chance. cbn [d idle Setting.rows Setting.cols].
    set (fits := fun m x => Nat.eqb (half x) (cs (m / D) (m mod D))%nat && Bool.eqb (even_digit x) (ps (m / D) (m mod D))%nat).
    rewrite (avg_ext _ _ (fun n => if forallb (fun m => fits m (digit (2 * cols) n m)) (seq 0 (rows * D)) then 1 else 0)).
    + unfold avg, all_tables. rewrite one_number_fits; [|lia|intros m; now apply one_digit_fits].
      rewrite pow_INR, Rmult_1_r, mult_INR. cbn [INR]. rewrite Rinv_pow; [reflexivity|].
      assert (0 < INR cols) by now apply lt_0_INR. lra.
    + intros n _. rewrite <- (E_const sure_in (if forallb _ _ then 1 else 0)). apply E_same. intros i.
      unfold drawn. cbn [d idle Setting.rows column plus fst].
      rewrite (forallb_table D rows (fun j i => Nat.eqb (half (digit (2 * cols) n (j * D + i))) (cs j i) &&
        Bool.eqb (even_digit (digit (2 * cols) n (j * D + i))) (ps j i))) by lia.
      rewrite (forallb_ext _ (fun m => fits m (digit (2 * cols) n m))); [reflexivity|].
      intros m. unfold fits. pose proof (Nat.div_mod m D ltac:(lia)) as E.
      replace (m / D * D + m mod D)%nat with m by lia. reflexivity.
Qed.
Lemma idle_assumptions u : assumptions r u.
Proof.
  assert (Z : ‖(zero : Rd D)‖² = 0) by apply inner_zero.
  assert (Mean0 : forall x, f r x = 0) by (intros; unfold f; cbn; unfold avg; simpl; ring).
  constructor.
  - unfold sizes; cbn; lia.
  - unfold ranges; cbn; repeat split; lra.
  - intros x. rewrite !Mean0. lra.
  - intros m _ x y. cbn [loss grad idle]. rewrite inner_zero. rewrite Rminus_0_r, Rminus_0_r, Rabs_R0.
    apply Rmult_le_pos; [cbn; lra|apply inner_nonneg].
  - intros t m e _. apply idle_estimates; intros; [apply idle_g|apply idle_true].
  - intros t _. apply idle_estimates; intros; [apply idle_received|apply idle_grad].
  - intros t _. apply idle_estimates; intros; [apply idle_summed|apply idle_grad].
  - intros t m e o _. rewrite idle_g, idle_received, idle_summed. repeat split; apply idle_power_law.
  - split.
    + intros w t m e _ H. rewrite idle_grad, inner_zero in H. cbn in H. lra.
    + intros t m m' e o _ _ _. rewrite idle_grad. cbn [grad idle]. rewrite !inner_zero, Rmult_0_r. apply Rle_refl.
  - intros o _. split.
    + intros t _. rewrite idle_before. cbn [broadcast idle W constants idle_letters]. rewrite !inner_zero. lra.
    + intros t m e _. rewrite idle_local, inner_zero. cbn. lra.
  - exact idle_hashes.
  - split; [reflexivity|]. exists (fun _ _ => zero). split.
    + intros t o _ _. split.
      * intros i _. apply median_of_equal. intros; apply idle_estimate.
      * exists (fun _ => true). repeat split; intros; auto; [now apply count_all|discriminate].
    + exists (fun _ => 1). split; [auto|]. split; [apply int_const|]. split; [rewrite E_const; cbn; lra|].
      intros o _ _ t _ i _. rewrite idle_before. cbn [zero Rd]. rewrite Rminus_diag_eq, Rabs_R0 by reflexivity.
      unfold norm. rewrite inner_zero, sqrt_0, Rmult_0_r. lra.
  - split; [|split; [|split]].
    + intros t m e _. split; intros o o' ->; reflexivity.
    + intros t e o o' j i ->. auto.
    + intros t e o o' ->. reflexivity.
    + intros t o o' ->. reflexivity.
Qed.
Lemma idle_lossless u : lossless r u.
Proof. intros t o _. rewrite idle_before. apply same_refl. Qed.
Lemma idle_left (w : nat -> Omega r -> Rd D) o : left_side r w o = 0.
Proof.
  unfold left_side. rewrite (sum_ext _ _ (fun _ => 0)); [rewrite sum_const; ring|].
  intros t _. rewrite idle_grad. apply inner_zero.
Qed.
(** The tail at k = d, p = 2 *)
Definition tail_at : R := (/ (INR D + 1) ^ 3 - / INR D ^ 3) / 3.
Lemma Rpower_cube x : 0 < x -> Rpower x (1 - 2 * 2) = / x ^ 3.
Proof. intros Hx. replace (1 - 2 * 2) with (- INR 3) by (simpl; ring). now rewrite Rpower_Ropp, Rpower_pow. Qed.
Lemma D_pos : 2 <= INR D. Proof. change 2 with (INR 2). apply le_INR, D_two. Qed.
Lemma tail_is : printed_tail r = tail_at.
Proof.
  unfold printed_tail. cbn [p k d constants idle idle_letters]. unfold tail, tail_at. pose proof D_pos.
  rewrite !Rpower_cube by lra. f_equal. ring.
Qed.
Lemma tail_negative : tail_at < 0.
Proof.
  unfold tail_at. pose proof D_pos. assert (INR D ^ 3 < (INR D + 1) ^ 3) by (simpl; nra).
  assert (0 < INR D ^ 3) by (apply pow_lt; lra).
  assert (/ (INR D + 1) ^ 3 < / INR D ^ 3) by (apply Rinv_lt_contravar; [apply Rmult_lt_0_compat; lra|lra]). lra.
Qed.
Lemma idle_right : printed_right_side r = 1 / cc + tail_at.
Proof.
  unfold printed_right_side, right_side_with. rewrite tail_is. unfold theorem_1_bound.
  replace (f r (w0 r)) with 0 by (unfold f; cbn; unfold avg; simpl; ring).
  replace (f r (w_star r)) with 0 by (unfold f; cbn; unfold avg; simpl; ring).
  unfold optimisation_term, sketch_term, bias_term, noise_term.
  cbn [gamma L mu P_b P_n b2 sigma2 B c W constants Es Setting.T idle idle_letters].
  rewrite Rminus_0_r, Rabs_R0. unfold Rdiv. ring.
Qed.
End Idle.

Theorem negative_sketch_term_in_many_dimensions : Negative_sketch_term_in_many_dimensions.
Proof.
  intros u C D HD. pose proof (tail_negative D HD) as Neg.
  set (cc := 2 + 2 / - tail_at D).
  assert (Hinv : 0 < / - tail_at D) by (apply Rinv_0_lt_compat; lra).
  assert (Hcc : 1 < cc) by (unfold cc, Rdiv; lra).
  assert (Right : 1 / cc + tail_at D < 0).
  { apply Rmult_lt_reg_l with cc; [lra|]. replace (cc * (1 / cc + tail_at D)) with (1 + cc * tail_at D) by (field; lra).
    unfold cc. replace ((2 + 2 / - tail_at D) * tail_at D) with (2 * tail_at D - 2) by (field; lra). lra. }
  destruct (large_shape C (ln (INR D * INR 1 / (1 / 2))) (cc * INR D)) as [rows [cols [Hr [Hc [Hrows Hcols]]]]].
  exists (idle cc D 1 rows cols Hc).
  assert (Hneg : printed_right_side (idle cc D 1 rows cols Hc) < 0) by (rewrite idle_right by auto; exact Right).
  split; [|repeat (split; [first [exact Hneg|reflexivity]|]); try reflexivity].
  - split; [split; assumption|]. split; [apply idle_assumptions; auto with arith|]. split.
    + cbv [gamma L mu P_b P_n b2 sigma2 B c W constants Es idle idle_letters every_condition in_gamma_range rho_printed
        gamma_max rho H amplification gamma_max_positive gamma_max_drift gamma_max_descent INR].
      repeat split; lra.
    + split; [apply idle_lossless|].
      apply (conclusion_fails u _ _ (fun _ => 1)); [apply int_const|auto|rewrite E_const; cbn; lra|].
      intros o _. rewrite !idle_left, Rmin_left by apply Rle_refl. exact Hneg.
  - split; [|repeat split; reflexivity]. intros x. unfold f. cbn. unfold avg. simpl. ring.
Qed.
