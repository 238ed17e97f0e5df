(** * The run that attains the drift recursion

    The loss is flat on the left, concave on [0, p] and convex after p, so that it is L-smooth and bounded
    below. The run starts at D/L and stays on the concave piece, where the gradient is −L times the place; the
    bias is √P_b times the gradient. *)
From Coq Require Import Reals Lra Lia.
From FPS.repaired Require Import Setting Drift DriftRecursion SureRuns.
Open Scope R_scope.

(** The loss for L = 1 and its derivative *)
Definition bend (p z : R) : R :=
  if Rle_dec z 0 then 0 else if Rle_dec z p then - z ^ 2 / 2 else (z - 2 * p) ^ 2 / 2 - p ^ 2.
Definition bend' (p z : R) : R := if Rle_dec z 0 then 0 else if Rle_dec z p then - z else z - 2 * p.

Lemma bend_smooth p x y : 0 <= p ->
  bend p x + bend' p x * (y - x) - 1 / 2 * (y - x) ^ 2 <= bend p y <=
  bend p x + bend' p x * (y - x) + 1 / 2 * (y - x) ^ 2.
Proof.
  intros Hp. unfold bend, bend'. pose proof (pow2_ge_0 (y - x)). pose proof (pow2_ge_0 (y + x)).
  pose proof (pow2_ge_0 (y + x - 2 * p)). pose proof (pow2_ge_0 y). pose proof (pow2_ge_0 (y - 2 * p)).
  destruct (Rle_dec x 0) as [x1|x1], (Rle_dec y 0) as [y1|y1], (Rle_dec x p) as [x2|x2], (Rle_dec y p)
    as [y2|y2];
    try apply Rnot_le_lt in x1; try apply Rnot_le_lt in x2; try apply Rnot_le_lt in y1;
      try apply Rnot_le_lt in y2;
    split; nra.
Qed.
Lemma bend_below p z : 0 <= p -> - p ^ 2 <= bend p z.
Proof.
  intros Hp. unfold bend. pose proof (pow2_ge_0 (z - 2 * p)). pose proof (pow2_ge_0 p).
  destruct (Rle_dec z 0), (Rle_dec z p); nra.
Qed.
Lemma bend'_concave p z : 0 <= z <= p -> bend' p z = - z.
Proof. intros H. unfold bend'. destruct (Rle_dec z 0), (Rle_dec z p); lra. Qed.

Section Attained.
Variables gamma L P_b D : R.
Variable steps : nat.
Hypotheses (ga : 0 < gamma) (Lp : 0 < L) (Pb : 0 <= P_b) (D0 : 0 <= D) (some : (0 < steps)%nat).
Let S_ := drift gamma 0 L P_b 0 0 0 D.

Lemma fine : drift_constants gamma 0 L P_b 0 D.
Proof. unfold drift_constants. repeat split; lra. Qed.
Lemma S_next e : S_ (S e) = S_ e + gamma * (c_b P_b * (D + L * S_ e)).
Proof.
  unfold S_; cbn [drift]. unfold drift_step, bias_bound, noise_bound, c_b.
  set (s := drift gamma 0 L P_b 0 0 0 D e). assert (Hs : 0 <= s) by apply drift_nonneg.
  assert (Hh : 0 <= D + L * s) by nra. pose proof (sqrt_pos P_b).
  replace (P_b * (D + L * s) ^ 2 + 0 ^ 2) with (P_b * (D + L * s) ^ 2) by ring.
  rewrite (sqrt_mult P_b), sqrt_pow2 by (auto using pow2_ge_0).
  match goal with |- sqrt ?x = ?y => replace x with (y ^ 2) by ring end.
  apply sqrt_pow2. assert (0 <= gamma * ((1 + sqrt P_b) * (D + L * s))); [|lra].
  apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; lra.
Qed.
Lemma S_up e e' : (e <= e')%nat -> S_ e <= S_ e'.
Proof.
  intros H. induction H as [|e' _ IH]; [lra|]. rewrite S_next. apply Rle_trans with (1 := IH).
  assert (0 <= S_ e') by apply drift_nonneg. pose proof (sqrt_pos P_b).
  assert (0 <= gamma * (c_b P_b * (D + L * S_ e'))); [|lra]. unfold c_b.
  apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [lra|nra].
Qed.

(** The place after e steps, and where the loss turns *)
Let w e := D / L + S_ e.
Let p := w steps.
Lemma w_range e : (e <= steps)%nat -> 0 <= w e <= p.
Proof.
  intros He. assert (0 <= D / L) by (unfold Rdiv; apply Rmult_le_pos; [lra|left; now apply Rinv_0_lt_compat]).
  assert (0 <= S_ e) by apply drift_nonneg. pose proof (S_up e steps He). unfold p, w. lra.
Qed.
Lemma slope_at e : (e <= steps)%nat -> L * bend' p (w e) = - (D + L * S_ e).
Proof. intros He. rewrite bend'_concave by now apply w_range. unfold w. field. lra. Qed.

Definition steep : run.
  refine {| V := Rd 1; Omega := unit; chance := sure; T := 1; M := 1; Es := steps;
    loss := fun _ x => L * bend p (x O); grad := fun _ x => point (L * bend' p (x O)); Setting.gamma := gamma;
      mu := 0;
    v0 := fun _ => point (w 0); broadcast := fun _ _ => point (w 0);
    beta := fun _ _ e _ => point (sqrt P_b * (L * bend' p (w e))); zeta := fun _ _ _ _ => zero;
    past := fun _ _ _ _ _ => True; xi := fun _ => zero;
    Setting.L := L; Setting.P_b := P_b; P_n := 0; b := 0; sigma := 0; G := 0; B := 1; nu := 1; f_star :=
      L * - p ^ 2 |}; auto.
Defined.
Lemma steep_local t m e o : (e <= steps)%nat -> local steep t m e o O = w e.
Proof.
  induction e as [|e IH]; intros He; [reflexivity|]. specialize (IH ltac:(lia)).
  pose proof (slope_at e ltac:(lia)) as Hs.
  cbn [local Setting.V steep]. rewrite !add_line, !scale_line, !add_line, !scale_line, !add_line, !scale_line.
  cbn [grad beta zeta broadcast Setting.gamma mu steep]. rewrite IH. unfold point at 1 2. rewrite Hs.
  change (w (S e)) with (D / L + S_ (S e)). rewrite S_next. unfold w, c_b.
  change (zero (s := Rd 1) O) with 0. ring.
Qed.
Lemma steep_ok : assumptions steep.
Proof.
  assert (Hp : 0 <= p) by (destruct (w_range steps (le_n _)); lra).
  constructor; try (intros; exact I); try (intros; intros ? ? _; reflexivity); try (simpl; lra).
  - intros m _. apply (smooth_line L (fun x => L * bend p x) (fun x => L * bend' p x)). intros x y.
    destruct (bend_smooth p x y Hp) as [H1 H2]. apply Rmult_le_compat_l with (r := L) in H1, H2; lra.
  - intros x. unfold f. cbn -[bend]. rewrite avg_one. pose proof (bend_below p (x O) Hp). nra.
  - intros t m e o (_ & _ & He) _. rewrite !inner_line. cbn -[bend' local w]. unfold point.
    rewrite steep_local by (apply Nat.lt_le_incl, He). pose proof (sqrt_sqrt P_b Pb) as HP. right.
    transitivity ((sqrt P_b * sqrt P_b) * ((L * bend' p (w e)) * (L * bend' p (w e))));
      [ring|rewrite HP; ring].
  - intros t m e Y _ _ _. change (sure (fun o => ⟨zeta steep t m e o, Y o⟩) = 0). rewrite sure_is, inner_zero.
    reflexivity.
  - intros t m e _. change (sure (fun o => ⟨zeta steep t m e o, zeta steep t m e o⟩)
      <= 0 * sure (fun o => ‖(grad steep m (local steep t m e o))‖²) + 0 ^ 2). rewrite !sure_is, inner_zero.
      lra.
  - intros m. split; intros o o' _; reflexivity.
  - intros t o _ _. unfold grad_f. cbn [M steep]. rewrite avg_one, !inner_line, mean_of_one. cbn -[bend' w].
    lra.
Qed.
Lemma steep_drift e o : (e <= steps)%nat -> ‖(moved steep 0 0 e o)‖ = S_ e.
Proof.
  intros He. unfold moved. rewrite norm_line, sub_line, steep_local by auto.
  cbn [broadcast steep]. unfold point, w. replace (S_ 0) with 0 by reflexivity.
  replace (D / L + S_ e - (D / L + 0)) with (S_ e) by ring. apply Rabs_pos_eq, drift_nonneg.
Qed.
Lemma steep_gradient o : ‖(grad steep 0 (broadcast steep 0 o))‖ = D.
Proof.
  rewrite norm_line. cbn [grad broadcast steep]. unfold point. rewrite slope_at by lia.
  replace (S_ 0) with 0 by reflexivity. rewrite Rabs_Ropp, Rabs_pos_eq; lra.
Qed.
End Attained.

Lemma attained : Drift_Attained.
Proof.
  intros gamma L P_b D steps ga Lp Pb D0 some. exists (steep gamma L P_b D steps some).
  split; [now apply steep_ok|]. do 9 (split; [reflexivity|]).
  split; [intros; now apply steep_gradient|intros; now apply steep_drift].
Qed.
