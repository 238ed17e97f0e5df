(** * Runs of Algorithm 1 with one coordinate

    d = k = 1: a table of random hashes and signs recovers the one coordinate exactly, whatever its size. This
    file builds such a run from numbers and shows that the sketch, the hashes and Assumption 4 are as the
    setting asks. *)
From Coq Require Import Reals Lra Lia List Bool Arith FunctionalExtensionality.
From FPS.paper Require Import Setting UniformHash.
Open Scope R_scope.

Definition lift (x : R) : Rd 1 := fun _ => x.
Lemma lift_square x : ‖(lift x)‖² = x ^ 2.
Proof. simpl. unfold lift. ring. Qed.
Lemma vsum_lift n (x : nat -> R) : vsum n (fun j => lift (x j)) = lift (sum n x).
Proof. induction n as [|n IH]; simpl; [reflexivity|rewrite IH; reflexivity]. Qed.
Lemma vmean_lift n (x : nat -> R) : vmean n (fun j => lift (x j)) = lift (avg n x).
Proof. unfold vmean. rewrite vsum_lift. reflexivity. Qed.
Lemma count_all n which : (forall j, (j < n)%nat -> which j = true) -> count n which = n.
Proof.
  induction n as [|n IH]; intros H; simpl; [reflexivity|].
  rewrite IH by (intros; apply H; lia). rewrite H by lia. lia.
Qed.
Lemma median_of_equal n (x : nat -> R) m : (forall j, (j < n)%nat -> x j = m) -> is_median n x m.
Proof.
  intros H. unfold is_median, at_most. rewrite !count_all; [lia| |];
    intros j Hj; rewrite (H j Hj); destruct (Rle_dec m m); auto; lra.
Qed.
Lemma top_of_one (x : Rd 1) : is_top 1 1 x x.
Proof. exists (fun _ => true). repeat split; intros; auto; discriminate. Qed.
Lemma power_law_of_one p (x : Rd 1) : power_law 1 p x.
Proof.
  intros i Hi. replace i with O by lia. simpl. rewrite Rplus_0_l. unfold Rpower.
  rewrite ln_1, Rmult_0_r, exp_0, Rmult_1_l. unfold norm; simpl. rewrite Rplus_0_l.
  symmetry; apply sqrt_Rsqr_abs.
Qed.

Section Scalar.
Variables (q : letters) (devices steps T rows cols : nat) (cols_pos : (0 < cols)%nat).
Variables (I : Type) (base : mean (Rd 1) I).
Variables (value slope : nat -> R -> R) (draw : nat -> nat -> nat -> I -> R -> R) (w : nat -> I -> R) (w_0
  w_min : R).
Hypothesis all_int : forall X, int base X.
Hypothesis all_sq : forall X, sq base X.

Definition tables : nat := ((2 * cols) ^ rows)%nat.
Lemma tables_pos : (0 < tables)%nat.
Proof. unfold tables. apply Nat.neq_0_lt_0, Nat.pow_nonzero. lia. Qed.
Definition same_past (t e : nat) (o o' : nat * I) : Prop :=
  match t, e with O, O => fst o = fst o' | _, _ => o = o' end.

Definition scalar_run : run := {|
  d := 1; k := 1; M := devices; Es := steps; Setting.T := T; Setting.rows := rows; Setting.cols := cols;
      constants := q;
  Omega := nat * I; chance := times tables tables_pos base;
  loss := fun m x => value m (x O); grad := fun m x => lift (slope m (x O));
  sample := fun t m e o x => lift (draw t m e (snd o) (x O));
  channel := fun _ _ => lift 0;
  column := fun o j _ => half (digit (2 * cols) (fst o) j);
  plus := fun o j _ => even_digit (digit (2 * cols) (fst o) j);
  w0 := lift w_0; w_star := lift w_min; broadcast := fun t o => lift (w t (snd o)); past := same_past |}.
Notation r := scalar_run.

Lemma everything_int X : int (chance r) X.
Proof. intros t _. apply all_int. Qed.
Lemma everything_sq X : sq (chance r) X.
Proof. intros t _. apply all_sq. Qed.

Lemma chance_is X : chance r X = avg tables (fun n => base (fun i => X (n, i))).
Proof. reflexivity. Qed.

(** The same run in numbers *)
Fixpoint local_ t m e i : R := match e with O => w t i | S j =>
  local_ t m j i - gamma q * (draw t m j i (local_ t m j i) + mu q * (local_ t m j i - w t i)) end.
Definition g_ t m e i : R := draw t m e i (local_ t m e i) + mu q * (local_ t m e i - w t i).
Fixpoint held_ u t m i : R := match t with O => w_0 | S s =>
  (match u with Kept => held_ u s m i | Renewed => w s i end) - gamma q * sum steps (fun e => g_ s m e i) end.
Definition slope_f x : R := avg devices (fun m => slope m x).

Lemma local_is t m e o : local r t m e o = lift (local_ t m e (snd o)).
Proof.
  induction e as [|e IH]; [reflexivity|]. cbn [local local_]. rewrite IH.
  apply functional_extensionality; intros j. simpl. unfold lift. ring.
Qed.
Lemma g_is t m e o : g r t m e o = lift (g_ t m e (snd o)).
Proof.
  unfold g, g_. rewrite local_is. apply functional_extensionality; intros j. simpl. unfold lift. ring.
Qed.
Lemma held_is u t m o : held r u t m o = lift (held_ u t m (snd o)).
Proof.
  induction t as [|t IH]; [reflexivity|]. cbn [held held_].
  rewrite (vsum_ext _ (Es r) _ (fun e => lift (g_ t m e (snd o)))) by (intros; apply g_is).
  change (Es r) with steps. rewrite vsum_lift. destruct u; [rewrite IH|];
    apply functional_extensionality; intros j; simpl; unfold lift; ring.
Qed.
Lemma grad_f_is x : grad_f r x = lift (slope_f (x O)).
Proof. exact (vmean_lift devices (fun m => slope m (x O))). Qed.
Lemma true_gradient_is t m e o : true_gradient r t m e o =
  lift (slope m (local_ t m e (snd o)) + mu q * (local_ t m e (snd o) - w t (snd o))).
Proof.
  unfold true_gradient. rewrite local_is. apply functional_extensionality; intros j. simpl. unfold lift. ring.
Qed.
Lemma g_received_is t o : g_received r t o = lift (avg devices (fun m => g_ t m 0 (snd o))).
Proof.
  unfold g_received, vmean.
  rewrite (vsum_ext _ (M r) _ (fun m => lift (g_ t m 0 (snd o)))) by (intros; apply g_is).
  rewrite vsum_lift. apply functional_extensionality; intros j. simpl. unfold lift, avg. ring.
Qed.
Lemma g_summed_is t o : g_summed r t o = lift (avg devices (fun m => sum steps (fun e => g_ t m e (snd o)))).
Proof.
  unfold g_summed, vmean.
  rewrite (vsum_ext _ (M r) _ (fun m => lift (sum steps (fun e => g_ t m e (snd o))))).
  - rewrite vsum_lift. apply functional_extensionality; intros j. simpl. unfold lift, avg. ring.
  - intros m _. rewrite <- vsum_lift. apply vsum_ext. intros; apply g_is.
Qed.

(** w_{t+1} = w_t − γ mean_m Σ_e g^{m,e} *)
Hypothesis some : (0 < devices)%nat.
Hypothesis starts : forall i, w 0 i = w_0.
Hypothesis goes_on : forall t i, (t < T)%nat ->
  w (S t) i = w t i - gamma q * avg devices (fun m => sum steps (fun e => g_ t m e i)).

Lemma mean_held u t i : (t <= T)%nat -> avg devices (fun m => held_ u t m i) = w t i.
Proof.
  induction t as [|t IH]; intros Ht; [cbn [held_]; rewrite avg_const; auto; symmetry; apply starts|].
  cbn [held_]. rewrite goes_on by lia.
  rewrite (avg_ext devices _ (fun m => match u with Kept => held_ u t m i | Renewed => w t i end
    + - gamma q * sum steps (fun e => g_ t m e i))) by (intros; ring).
  rewrite avg_add, avg_scale. destruct u; [rewrite IH by lia|rewrite avg_const by auto]; ring.
Qed.
Lemma before_top_k_is u t o : (t <= T)%nat -> before_top_k r u t o = lift (w t (snd o)).
Proof.
  intros Ht. destruct t as [|t]; [unfold before_top_k; cbn [w0 scalar_run]; now rewrite starts|].
  unfold before_top_k, vmean.
  rewrite (vsum_ext _ (M r) _ (fun m => lift (held_ u (S t) m (snd o)))) by (intros; apply held_is).
  rewrite vsum_lift. rewrite <- (mean_held u (S t)) by auto.
  apply functional_extensionality; intros j. simpl. unfold lift, avg. ring.
Qed.
Lemma row_estimate_is u t o i j : (t < T)%nat -> row_estimate r u t o i j = w (S t) (snd o).
Proof.
  intros Ht. unfold row_estimate, received, sketch. cbn [sum d scalar_run].
  rewrite (avg_ext (M r) _ (fun m => sign r o j i * held_ u (S t) m (snd o))).
  - rewrite avg_scale. cbn [M scalar_run]. rewrite mean_held by lia. cbn [column scalar_run].
    rewrite Nat.eqb_refl.
    unfold sign; simpl. unfold lift. destruct (even_digit _); ring.
  - intros m _. rewrite held_is. cbn [column scalar_run]. rewrite Nat.eqb_refl. unfold sign; simpl.
    unfold lift. ring.
Qed.

Lemma scalar_sketched u : 1 < c q -> 0 < delta q -> sketched r u.
Proof.
  intros Hc Hdelta. split; [intros o; simpl; now rewrite starts|].
  exists (fun t o => lift (w (S t) (snd o))). split.
  - intros t o Ht Ho. split; [|apply top_of_one].
    intros i _. apply median_of_equal. intros j _. now apply row_estimate_is.
  - exists (fun _ => 1). split; [auto|]. split; [apply int_const|]. split; [rewrite E_const; simpl; lra|].
    intros o _ _ t Ht i _. rewrite before_top_k_is by (simpl in *; lia). unfold lift at 1 2.
    rewrite Rminus_diag_eq, Rabs_R0 by reflexivity. apply Rmult_le_pos; [|apply norm_nonneg].
    left. apply Rinv_0_lt_compat, sqrt_lt_R0. simpl. lra.
Qed.
Lemma scalar_lossless u : lossless r u.
Proof. intros t o Ht z. now rewrite before_top_k_is by auto. Qed.
Lemma scalar_power_law : Assumption_4 r.
Proof. intros t m e o _. repeat split; apply power_law_of_one. Qed.
Lemma scalar_past : known_models r.
Proof.
  clear goes_on some.
  assert (K : forall t e o o', same_past t e o o' -> w t (snd o) = w t (snd o') /\ fst o = fst o').
  { intros [|t] [|e] o o' H; simpl in H; try (subst; auto). now rewrite !starts. }
  assert (K' : forall t m e o o', same_past t e o o' -> local_ t m e (snd o) = local_ t m e (snd o')).
  { intros [|t] m [|e] o o' H; simpl in H; try (subst; auto). simpl. now rewrite !starts. }
  split; [|split; [|split]].
  - intros t m e _. split; intros o o' H; [rewrite !local_is; now rewrite (K' t m e o o' H)|].
    cbn [broadcast scalar_run]. now destruct (K _ _ _ _ H) as [-> _].
  - intros t e o o' j i H. simpl. now destruct (K _ _ _ _ H) as [_ ->].
  - intros [|t] [|e] o o' H; simpl in *; auto; now rewrite H.
  - intros [|t] o o' H; simpl in *; destruct steps; simpl; auto; now rewrite H.
Qed.
Lemma scalar_hashes : uniform_hashes r.
Proof.
  clear goes_on some starts.
  split.
  - intros o j i _ _ _. simpl. unfold half. apply Nat.div_lt_upper_bound; [lia|]. apply digit_less. lia.
  - intros cs ps Hcs. split; [apply everything_int|]. rewrite chance_is.
    cbn [d scalar_run Setting.rows Setting.cols]. rewrite Nat.mul_1_r.
    set (fits := fun j x => Nat.eqb (half x) (cs j O) && Bool.eqb (even_digit x) (ps j O)).
    rewrite (avg_ext _ _ (fun n => if forallb (fun j => fits j (digit (2 * cols) n j)) (seq 0 rows) then 1
        else 0)).
    + unfold avg, tables. rewrite one_number_fits; [|lia|intros j; now apply one_digit_fits].
      rewrite pow_INR, Rmult_1_r, mult_INR. cbn [INR]. rewrite Rinv_pow; [reflexivity|].
      assert (0 < INR cols) by now apply lt_0_INR. lra.
    + intros n _. rewrite <- (E_const base (if forallb _ _ then 1 else 0)). apply E_same. intros i.
      unfold drawn. cbn [seq d scalar_run Setting.rows forallb].
      rewrite (forallb_ext _ (fun j => fits j (digit (2 * cols) n j))); [reflexivity|].
      intros j. rewrite andb_true_r. reflexivity.
Qed.

(** Both readings of w_t give the left side from the same numbers. *)
Lemma left_broadcast o : left_side r (broadcast r) o = / (INR T + 1) * sum (S T) (fun t => slope_f (w t (snd
  o)) ^ 2).
Proof.
  unfold left_side. f_equal. apply sum_ext. intros t _. rewrite grad_f_is. apply lift_square.
Qed.
Lemma left_before u o : left_side r (before_top_k r u) o = left_side r (broadcast r) o.
Proof.
  unfold left_side. f_equal. apply sum_ext. intros t Ht. now rewrite before_top_k_is by (simpl in *; lia).
Qed.
Lemma scalar_smooth : (forall m, (m < devices)%nat ->
  forall x y, Rabs (value m y - value m x - slope m x * (y - x)) <= L q / 2 * (y - x) ^ 2) -> Assumption_1 r.
Proof.
  intros H m Hm x y. specialize (H m Hm (x O) (y O)). simpl in *. unfold lift.
  replace (0 + slope m (x O) * (y O + -1 * x O)) with (slope m (x O) * (y O - x O)) by ring.
  eapply Rle_trans; [exact H|]. right; ring.
Qed.
Lemma scalar_bounded u : (forall t i, (t <= T)%nat -> w t i ^ 2 <= W q) ->
  (forall t m e i, step r t m e -> local_ t m e i ^ 2 <= W q) -> bounded_models r u.
Proof.
  intros H H' o _. split.
  - intros t Ht. simpl in Ht. rewrite before_top_k_is by auto. cbn [broadcast scalar_run].
    rewrite lift_square. auto.
  - intros t m e Hs. rewrite local_is, lift_square. auto.
Qed.
Lemma scalar_dissimilar :
  (forall x t m e, step r t m e -> epsilon q < slope_f x ^ 2 ->
     base (fun i => draw t m e i x ^ 2) <= B q ^ 2 * slope_f x ^ 2) ->
  (forall t m m' e i, step r t m e -> (m' < devices)%nat ->
     slope m' (local_ t m e i) ^ 2 <= B q ^ 2 * slope_f (local_ t m e i) ^ 2) -> Assumption_5 r.
Proof.
  intros H H'. split.
  - intros x t m e Hs. rewrite grad_f_is, lift_square. intros Hx. split; [apply everything_int|].
    rewrite chance_is. cbn [sample scalar_run fst snd].
    rewrite (avg_ext _ _ (fun _ => base (fun i => draw t m e i (x O) ^ 2))), avg_const; [now apply H|apply
        tables_pos|].
    intros n _. apply E_same. intros i. apply lift_square.
  - intros t m m' e o Hs Hm' _. rewrite grad_f_is, local_is. cbn [grad scalar_run]. rewrite !lift_square.
    now apply H'.
Qed.
End Scalar.
