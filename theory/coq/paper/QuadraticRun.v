(** * One device, one local step, f = (L/2)w² and the bias −κ∇f: w_t = (1 − γL(1−κ))^t from w_0 = 1 *)
From Coq Require Import Reals Lra Lia Arith.
From FPS.paper Require Import Setting Theorem1 ScalarRun RunTools.
Open Scope R_scope.

Section Quadratic.
Variables (a step_size kappa share cc : R) (T rows cols : nat).
Hypothesis cols_pos : (0 < cols)%nat.
Definition factor : R := 1 - step_size * a * (1 - kappa).
Definition quadratic_letters : letters := {|
  L := a; mu := 0; gamma := step_size; P_b := share; P_n := 0; b2 := 0; sigma2 := 0; B := 1; epsilon := 1;
  c := cc; p := 2; W := 1; delta := 1 / 2 |}.
Definition quadratic_run : run := scalar_run quadratic_letters 1 1 T rows cols cols_pos unit sure
  (fun _ x => a / 2 * x ^ 2) (fun _ x => a * x) (fun _ _ _ _ x => (1 - kappa) * (a * x)) (fun t _ => factor
      ^ t) 1 0.
Let r := quadratic_run.

Hypotheses (a_pos : 0 < a) (step_pos : 0 < step_size) (kappa_range : 0 <= kappa <= 1) (kappa_share : kappa ^
  2 <= share)
  (share_range : 0 < share < 1) (c_large : 1 < cc) (factor_range : -1 <= factor <= 1)
  (some_rounds : (1 <= T)%nat) (some_rows : (1 <= rows)%nat).

Lemma power_small t : (factor ^ t) ^ 2 <= 1.
Proof.
  rewrite <- pow_mult, Nat.mul_comm, pow_mult. apply Rle_trans with (1 ^ t); [|rewrite pow1; lra].
  apply pow_incr; nra.
Qed.
Lemma quadratic_goes_on t (i : unit) : (t < T)%nat -> factor ^ S t = factor ^ t - step_size *
  avg 1 (fun m => sum 1 (fun e => g_ quadratic_letters unit (fun _ _ _ _ x => (1 - kappa) * (a * x))
                                     (fun t _ => factor ^ t) t m e i)).
Proof. intros _. rewrite avg_one. unfold g_. simpl. unfold factor. ring. Qed.

Lemma quadratic_estimates past (g true_g : Omega r -> Rd 1) y :
  (forall o, g o = lift ((1 - kappa) * y)) -> (forall o, true_g o = lift y) -> estimates r past g true_g.
Proof.
  intros Hg Ht. apply estimates_without_noise; [simpl; lra|simpl; lra|apply everything_sq; simpl; auto| | |].
  - intros o o' _. now rewrite !Hg.
  - intros o o' _. now rewrite !Ht.
  - intros o. rewrite Hg, Ht, lift_square. cbn. unfold lift.
    replace (0 + ((1 - kappa) * y + -1 * y) * ((1 - kappa) * y + -1 * y)) with (kappa ^ 2 * y ^ 2) by ring.
    pose proof (pow2_ge_0 y). nra.
Qed.
Lemma quadratic_gradient t (o : Omega r) : grad_f r (broadcast r t o) = lift (a * factor ^ t).
Proof. unfold r, quadratic_run. rewrite grad_f_is. unfold slope_f. now rewrite avg_one. Qed.

Lemma quadratic_assumptions u : assumptions r u.
Proof.
  constructor.
  - unfold sizes; simpl; lia.
  - unfold ranges; simpl; repeat split; lra.
  - intros x. unfold f. unfold r, quadratic_run; cbn [M scalar_run]. rewrite !avg_one. simpl. unfold lift.
    pose proof (pow2_ge_0 (x O)). nra.
  - apply scalar_smooth. intros _ _ x y. simpl.
    replace (a / 2 * (y * (y * 1)) - a / 2 * (x * (x * 1)) - a * x * (y - x)) with (a / 2 * ((y - x) * ((y -
        x) * 1))) by field.
    rewrite Rabs_pos_eq; [lra|]. pose proof (pow2_ge_0 (y - x)). simpl in *. nra.
  - intros t m e [_ [_ He]]. simpl in He. replace e with O by lia.
    apply (quadratic_estimates _ _ _ (a * factor ^ t)); intros o; unfold r, quadratic_run.
    + rewrite g_is. unfold g_. simpl. f_equal. ring.
    + rewrite true_gradient_is. simpl. f_equal. ring.
  - intros t _. apply (quadratic_estimates _ _ _ (a * factor ^ t)); [|intros o; apply quadratic_gradient].
    intros o. unfold r, quadratic_run. rewrite g_received_is, avg_one. unfold g_. simpl. f_equal. ring.
  - intros t _. apply (quadratic_estimates _ _ _ (a * factor ^ t)); [|intros o; apply quadratic_gradient].
    intros o. unfold r, quadratic_run. rewrite g_summed_is, avg_one. unfold g_. simpl. f_equal. ring.
  - apply scalar_power_law.
  - apply scalar_dissimilar; [simpl; auto| |].
    + intros x t m e _ _. rewrite sure_is. unfold slope_f. rewrite avg_one. simpl.
      pose proof (pow2_ge_0 (a * x)). simpl in *. nra.
    + intros t m m' e i _ _. unfold slope_f. rewrite avg_one. simpl. lra.
  - apply scalar_bounded; [lia|simpl; auto|exact quadratic_goes_on| |].
    + intros t i _. simpl. pose proof (power_small t). simpl in *. lra.
    + intros t m e i [_ [_ He]]. simpl in He. replace e with O by lia. pose proof (power_small t).
      simpl in *. lra.
  - apply scalar_hashes; simpl; auto.
  - apply scalar_sketched; [lia|simpl; auto|exact quadratic_goes_on|simpl; lra|simpl; lra].
  - apply scalar_past; simpl; auto.
Qed.

Lemma quadratic_left o : left_side r (broadcast r) o = / (INR T + 1) * sum (S T) (fun t => a ^ 2 * (factor ^
  t) ^ 2).
Proof.
  unfold r, quadratic_run. rewrite left_broadcast. f_equal. apply sum_ext. intros t _. unfold slope_f.
  rewrite avg_one. ring.
Qed.
Lemma quadratic_before u o : left_side r (before_top_k r u) o = left_side r (broadcast r) o.
Proof. apply left_before; [lia|simpl; auto|exact quadratic_goes_on]. Qed.
Lemma quadratic_right tail_ : right_side_with r tail_ = a / 2 / (step_size * (INR T + 1)) + (1 / cc + tail_)
  * a ^ 2.
Proof.
  unfold right_side_with, theorem_1_bound, optimisation_term, sketch_term, bias_term, noise_term, f.
  unfold r, quadratic_run; cbn [M scalar_run]. rewrite !avg_one. simpl. unfold lift.
  replace (a / 2 * (1 * (1 * 1)) - a / 2 * (0 * (0 * 1))) with (a / 2) by ring.
  rewrite (Rabs_pos_eq (a / 2)) by lra. ring.
Qed.

(** The run misses a bound that is smaller than its left side. *)
Lemma quadratic_breaks u C (condition : run -> Prop) (right_side : run -> R) tail_ :
  large_sketch r C -> condition r -> right_side r = right_side_with r tail_ ->
  a / 2 / (step_size * (INR T + 1)) + (1 / cc + tail_) * a ^ 2
    < / (INR T + 1) * sum (S T) (fun t => a ^ 2 * (factor ^ t) ^ 2) ->
  breaks_theorem_1 u C condition right_side r.
Proof.
  intros HC Hcond Hright Hbig. split; [auto|]. split; [apply quadratic_assumptions|]. split; [auto|].
  split; [apply scalar_lossless; [lia|simpl; auto|exact quadratic_goes_on]|].
  apply (conclusion_fails u right_side r (fun _ => 1)); auto; [apply int_const|rewrite E_const; simpl; lra|].
  intros o _. rewrite quadratic_before, Rmin_left by lra. rewrite quadratic_left, Hright, quadratic_right.
  exact Hbig.
Qed.
End Quadratic.

Lemma quadratic_large C a step_size kappa share cc T rows cols pos :
  C * ln (INR 1 * INR T / (1 / 2)) <= INR rows -> C * (cc * INR 1) <= INR cols ->
  large_sketch (quadratic_run a step_size kappa share cc T rows cols pos) C.
Proof. split; assumption. Qed.
