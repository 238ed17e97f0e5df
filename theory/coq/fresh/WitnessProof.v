(** * T rounds that meet all assumptions of Theorem S: proofs *)
From Coq Require Import Reals Lra Lia Bool FunctionalExtensionality.
From FPS.residual Require Import TopSetsLemmas IndependentDigits.
From FPS.fresh Require Import HashRound HashRoundProof MomentsProof IsotropicProof WitnessLemmas WitnessRoundLemmas.
From FPS.fresh Require OneStep SketchedRun Prices.
From FPS.rates Require Import Forms Average.
From FPS.rates Require Import Round.
From FPS.fresh Require Import Witness.
Open Scope R_scope.

Lemma avg_of_two (X : nat -> R) : avg 2 X = (X 0%nat + X 1%nat) / 2.
Proof. unfold avg. simpl. field. Qed.
Lemma norm_pow (V : space) (x : V) : ‖x‖ ^ 2 = ‖x‖². Proof. rewrite <- norm_square. ring. Qed.
Lemma same_zero (V : space) : ‖(zero : V)‖² = 0. Proof. apply inner_zero. Qed.

Section Runs.
Variables (d K J T : nat) (a b x_0 : Rd d) (sc : R).
Hypotheses (Hd : (0 < d)%nat) (HK : (0 < K)%nat) (HJ : (0 < J)%nat).
Local Notation P := (space_of_digits d K J T HK).
Local Notation before t := (earlier d K J t).
Local Notation inside t := (with_jitter d K J t).

Definition aim (m : nat) : Rd d := match m with O => a | _ => ((-1) *: a)%V end.
Definition valley (m : nat) (x : Rd d) : R := ‖(x - aim m)‖² / 2.
Definition slope (m : nat) (x : Rd d) : Rd d := (x - aim m)%V.
Definition noise_of (t m e : nat) (f : nat -> nat) : Rd d :=
  match m, e with O, O => (toss (jitter_digit d K J t) f *: b)%V | _, _ => zero end.
Definition all_loss_ (x : Rd d) : R := avg 2 (fun m => valley m x).
Definition all_grad_ (x : Rd d) : Rd d := vmean 2 (fun m => slope m x).

Lemma all_grad_is x : same (all_grad_ x) x.
Proof. intros z. unfold all_grad_, slope, aim. rewrite inner_vmean, avg_of_two. expand. field. Qed.
Lemma all_loss_is x : all_loss_ x = (‖x‖² + ‖a‖²) / 2.
Proof. unfold all_loss_, valley, aim. rewrite avg_of_two. expand. rewrite (inner_sym _ a x). field. Qed.
Lemma slopes_are x : avg 2 (fun m => ‖(slope m x)‖²) = ‖x‖² + ‖a‖².
Proof. unfold slope, aim. rewrite avg_of_two. expand. rewrite (inner_sym _ a x). field. Qed.
Lemma is_quadratic : curved_by (times_matrix delta) all_loss_ all_grad_.
Proof.
  intros x y. rewrite !all_loss_is, (all_grad_is x _), identity_form. expand. rewrite (inner_sym _ y x). lra.
Qed.
Lemma valley_curved theta L m : 0 <= theta -> 1 <= L -> curved theta L (valley m) (slope m).
Proof.
  intros Hth HL x y. pose proof (inner_nonneg _ (y - x)%V) as H.
  replace (valley m y - valley m x - ⟨slope m x, y - x⟩) with (‖(y - x)‖² / 2).
  - assert (0 <= theta * L * ‖(y - x)‖²) by (repeat apply Rmult_le_pos; lra).
    assert (0 <= (L - 1) * ‖(y - x)‖²) by (apply Rmult_le_pos; lra). lra.
  - unfold valley, slope. expand. rewrite ?(inner_sym _ y x), ?(inner_sym _ (aim m) x), ?(inner_sym _ (aim m) y). field.
Qed.
Lemma unlike B (X : (nat -> nat) -> Rd d) : 1 <= B -> P (fun f => avg 2 (fun m => ‖(slope m (X f))‖²)) <=
  ‖a‖ ^ 2 + B ^ 2 * P (fun f => ‖(all_grad_ (X f))‖²).
Proof.
  intros HB. rewrite (E_same P _ (fun f => 1 * ‖(X f)‖² + ‖a‖²)) by (intros; rewrite slopes_are; ring).
  rewrite E_affine by exact Logic.I.
  rewrite (E_same P (fun f => ‖(all_grad_ (X f))‖²) (fun f => ‖(X f)‖²)) by (intros; apply same_square, all_grad_is).
  assert (0 <= P (fun f => ‖(X f)‖²)) by (apply E_nonneg; [exact Logic.I|intros; apply inner_nonneg]).
  rewrite norm_pow. assert (0 <= (B ^ 2 - 1) * P (fun f => ‖(X f)‖²)) by (apply Rmult_le_pos; [nra|auto]). lra.
Qed.
Lemma noise_square t m e f : ‖(noise_of t m e f)‖² = (match m, e with O, O => ‖b‖² | _, _ => 0 end).
Proof.
  destruct m as [|m], e as [|e]; try (apply same_zero). unfold noise_of. rewrite square_scale.
  rewrite (toss_square (jitter_digit d K J t) f). ring.
Qed.
Lemma noise_orthogonal t m e Z : (t < T)%nat -> depends (before t) Z -> P (fun f => ⟨noise_of t m e f, Z f⟩) = 0.
Proof.
  intros Ht KZ. destruct m as [|m], e as [|e];
    try (rewrite (E_same P _ (fun _ => 0)) by (intros; apply inner_zero); apply E_const).
  rewrite (E_same P _ (fun f => ⟨b, Z f⟩ * toss (jitter_digit d K J t) f))
    by (intros; unfold noise_of; rewrite inner_scale; ring).
  rewrite (product d K J T HK (before t)).
  - rewrite jitter_mean by auto. ring.
  - intros f g H. now rewrite (KZ f g H).
  - apply toss_depends. now apply jitter_new.
Qed.
Lemma noise_depends t m e : depends (inside t) (noise_of t m e).
Proof.
  intros f g H. destruct m as [|m], e as [|e]; try reflexivity. unfold noise_of. f_equal.
  refine (toss_depends (inside t) _ _ f g H). unfold with_jitter. now rewrite Nat.eqb_refl, orb_true_r.
Qed.

(** ** One local step *)
Section OneStep.
Variable ga : R.
Definition moves (x : (nat -> nat) -> Rd d) (t m : nat) (f : nat -> nat) : Rd d :=
  ((- ga) *: (slope m (x f) + noise_of t m 0 f))%V.
Definition made_round (x : (nat -> nat) -> Rd d) (t : nat) : Channel.round :=
  round_of (made d K J T sc HK all_loss_ all_grad_ x (moves x t) t).
Fixpoint models (t : nat) : (nat -> nat) -> Rd d :=
  match t with O => fun _ => x_0 | S s => Channel.finish (made_round (models s) s) end.
Lemma moves_old x t m : depends (before t) x -> depends (inside t) (moves x t m).
Proof.
  intros Hx f g H. unfold moves. rewrite (noise_depends t m 0 f g H). rewrite (Hx f g); [reflexivity|].
  intros l Hl. apply H. now apply earlier_in.
Qed.
Lemma models_old t : (t <= T)%nat -> depends (before t) (models t).
Proof.
  induction t as [|t IH]; intros Ht; [intros f g _; reflexivity|].
  apply (next_depends d K J T sc Hd HK HJ); auto with arith. intros; apply moves_old; auto with arith.
Qed.
Definition one_step_run (kappa : R) : OneStep.run := {|
  OneStep.all_V := Rd d; OneStep.all_Omega := nat -> nat; OneStep.all_chance := P;
  OneStep.all_M := 2; OneStep.all_some := Nat.lt_0_2; OneStep.mean_loss := all_loss_; OneStep.grad := slope;
  OneStep.all_H := times_matrix delta; OneStep.gamma := ga; OneStep.model := models;
  OneStep.zeta := fun t m => noise_of t m 0;
  OneStep.all_picked := fun t => Channel.picked (made_round (models t) t);
  OneStep.all_A := fun t => Channel.A (made_round (models t) t);
  OneStep.all_noise := fun t => Channel.noise (made_round (models t) t);
  OneStep.at_start := fun t => agree (before t); OneStep.at_pick := fun t => agree (inside t);
  OneStep.at_hash := fun t => agree (with_coin d K J t); OneStep.at_noise := fun t => agree (with_hash d K J t);
  OneStep.all_ell := 1; OneStep.all_omega := (INR d - 1) / (INR J * INR K);
  OneStep.all_kappa := kappa; OneStep.all_floor := sc ^ 2 * trace d delta / INR J |}.
Lemma one_step_fits t : (t < T)%nat -> OneStep.round_fits (one_step_run 1) ‖a‖ 1 ‖b‖ (/ 2) t.
Proof.
  intros Ht. pose proof (models_old t (Nat.lt_le_incl _ _ Ht)) as old.
  pose proof (made_fits d K J T sc Hd HK HJ all_loss_ all_grad_ is_quadratic (models t) (moves (models t) t) t Ht
    old (fun m _ => moves_old _ t m old)) as F.
  apply sketched_round_fits in F.
  change (Channel.fits (OneStep.round_at (one_step_run (kappa_of P 2 (taking_part d K J t))) t)) in F.
  rewrite (kappa_is_one d K J T HK t) in F.
  split; try (intros; exact Logic.I).
  - exact F.
  - intros f. reflexivity.
  - exact old.
  - apply (unlike 1). lra.
  - intros m Z _ _ KZ. now apply noise_orthogonal.
  - rewrite (E_same P _ (fun _ => ‖b‖² / 2)).
    + rewrite E_const. rewrite norm_pow. pose proof (inner_nonneg _ b). lra.
    + intros f. transitivity (avg 2 (fun m => ‖(noise_of t m 0 f)‖²)); [reflexivity|].
      rewrite avg_of_two, !noise_square. field.
  - rewrite (E_same P _ (fun _ => ‖b‖² / 4)).
    + rewrite E_const. rewrite norm_pow. pose proof (inner_nonneg _ b). lra.
    + intros f. transitivity (‖(vmean 2 (fun m => noise_of t m 0 f))‖²); [reflexivity|].
      transitivity (‖((/ 2) *: noise_of t 0 0 f)%V‖²).
      * apply same_square. intros z. rewrite inner_vmean, avg_of_two, inner_scale. cbn [noise_of]. rewrite inner_zero. field.
      * rewrite square_scale, noise_square. field.
Qed.
End OneStep.

(** ** E local steps *)
Section LocalSteps.
Variable k : numbers.
Hypotheses (HL : 1 <= L k) (Hth : 0 <= theta k) (HB : 1 <= B k) (HPb : 0 <= P_b k) (HPn : 0 <= P_n k) 
  (Hnu : nu k = / 2 \/ (uncorrelated k = false /\ independent k = false))
  (Hnoisy : noisy k = true \/ b = zero) (Hone : one_device k = false).
Definition sees (t m e : nat) : (nat -> nat) -> (nat -> nat) -> Prop :=
  agree (match e with O => before t | _ => inside t end).
Definition local_round (x : (nat -> nat) -> Rd d) (t : nat) : round := {|
  V := Rd d; Omega := nat -> nat; chance := P; M := 2; some_device := Nat.lt_0_2; loss := valley; grad := slope;
  start := x; beta := fun _ _ _ => zero; zeta := noise_of t; past := sees t |}.
Definition walks (x : (nat -> nat) -> Rd d) (t m : nat) (f : nat -> nat) : Rd d :=
  (local k (local_round x t) m (Es k) f - x f)%V.
Definition made_walk (x : (nat -> nat) -> Rd d) (t : nat) : sketched :=
  made d K J T sc HK all_loss_ all_grad_ x (walks x t) t.
Fixpoint broadcasts (t : nat) : (nat -> nat) -> Rd d :=
  match t with O => fun _ => x_0 | S s => Channel.finish (round_of (made_walk (broadcasts s) s)) end.
Lemma local_known x t m e : depends (before t) x -> depends (inside t) (local k (local_round x t) m e).
Proof.
  intros Hx. assert (Hx' : depends (inside t) x) by (intros f g H; apply Hx; intros l Hl; apply H; now apply earlier_in).
  induction e as [|e IH]; intros f g H; [now apply Hx'|]. cbn [local]. rewrite (IH f g H).
  cbn [local_round start zeta]. now rewrite (Hx' f g H), (noise_depends t m e f g H).
Qed.
Lemma local_of_other x t m e : (0 < m)%nat -> depends (before t) x -> depends (before t) (local k (local_round x t) m e).
Proof.
  intros Hm Hx. induction e as [|e IH]; intros f g H; [now apply Hx|]. cbn [local]. rewrite (IH f g H).
  cbn [local_round start zeta]. rewrite (Hx f g H). destruct m as [|m]; [lia|reflexivity].
Qed.
Lemma walks_old x t m : depends (before t) x -> depends (inside t) (walks x t m).
Proof.
  intros Hx f g H. unfold walks. rewrite (local_known x t m (Es k) Hx f g H). rewrite (Hx f g); [reflexivity|].
  intros l Hl. apply H. now apply earlier_in.
Qed.
Lemma broadcasts_old t : (t <= T)%nat -> depends (before t) (broadcasts t).
Proof.
  induction t as [|t IH]; intros Ht; [intros f g _; reflexivity|].
  apply (next_depends d K J T sc Hd HK HJ); auto with arith. intros; apply walks_old; auto with arith.
Qed.
Lemma local_round_fits x t : (t < T)%nat -> depends (before t) x -> fits k (local_round x t) ‖a‖ 0 ‖b‖.
Proof.
  intros Ht Hx. pose proof (inner_nonneg _ b) as Hb.
  assert (E0 : forall X : (nat -> nat) -> R, (forall f, 0 <= X f) -> 0 <= P X)
    by (intros; apply E_nonneg; [exact Logic.I|auto]).
  split; try (intros; exact Logic.I).
  - intros m _. now apply valley_curved.
  - intros m e _. rewrite (E_same P _ (fun _ => 0)) by (intros; apply same_zero). rewrite E_const.
    assert (0 <= chance (local_round x t) (fun o => ‖(slope m (local k (local_round x t) m e o))‖²))
      by (apply E0; intros; apply inner_nonneg). cbn [grad local_round] in *.
    replace (0 ^ 2) with 0 by ring. rewrite Rplus_0_r. now apply Rmult_le_pos.
  - intros m e _ o o' _. reflexivity.
  - intros _ m e o _ z. reflexivity.
  - intros m e _. set (X := P (fun o => ‖(slope m (local k (local_round x t) m e o))‖²)).
    change (P (fun f => ‖(noise_of t m e f)‖²) <= P_n k * X + ‖b‖ ^ 2).
    assert (0 <= X) by (apply E0; intros; apply inner_nonneg).
    rewrite (E_same P _ _ (noise_square t m e)), E_const, norm_pow.
    assert ((match m, e with O, O => ‖b‖² | _, _ => 0 end) <= ‖b‖²) by (destruct m, e; lra).
    assert (0 <= P_n k * X) by now apply Rmult_le_pos. lra.
  - intros m e Y _ _ KY. destruct e as [|e].
    + now apply noise_orthogonal.
    + cbn [local_round zeta]. rewrite (E_same P _ (fun _ => 0)) by (intros; destruct m; apply inner_zero). apply E_const.
  - intros H m e o _. destruct Hnoisy as [Hn|Hz]; [congruence|]. cbn [local_round zeta]. intros z.
    destruct m, e; try reflexivity. unfold noise_of. rewrite Hz, inner_scale. rewrite !inner_zero. ring.
  - intros H. split; [destruct Hnu as [Hn|[Hn _]]; [exact Hn|congruence]|]. intros m m' e e' _ _ N. cbn [local_round zeta].
    rewrite (E_same P _ (fun _ => 0)); [apply E_const|]. intros f. destruct m as [|m]; [|apply inner_zero].
    destruct m' as [|m']; [lia|]. apply inner_zero_r.
  - intros H. split; [destruct Hnu as [Hn|[_ Hn]]; [exact Hn|congruence]|]. intros m m' e e' _ _ N. cbn [local_round zeta beta grad]. split.
    + destruct m as [|m]; [|rewrite (E_same P _ (fun _ => 0)) by (intros; apply inner_zero); apply E_const].
      apply noise_orthogonal; auto. intros f g H'. unfold slope. rewrite (local_of_other x t m' e' ltac:(lia) Hx f g H').
      reflexivity.
    + rewrite (E_same P _ (fun _ => 0)) by (intros; apply inner_zero_r). apply E_const.
  - intros m e _. exact (noise_depends t m e).
  - intros m. exact Hx.
  - intros m e o o' H l Hl. apply H. destruct e; [now apply earlier_in|auto].
  - intros m m' o o' H. exact H.
  - apply (unlike (B k)). exact HB.
  - apply (unlike (B k)). exact HB.
  - congruence.
Qed.
Definition walking_run : SketchedRun.sketched_run := {|
  SketchedRun.d := d; SketchedRun.I := nat -> nat; SketchedRun.P := P; SketchedRun.devices := 2;
  SketchedRun.some_devices := Nat.lt_0_2; SketchedRun.loss := valley; SketchedRun.gradient := slope;
  SketchedRun.Hess := delta; SketchedRun.model := broadcasts; SketchedRun.bias := fun _ _ _ _ => zero;
  SketchedRun.jitter := noise_of; SketchedRun.seen := sees; SketchedRun.weights := taking_part d K J;
  SketchedRun.J := J; SketchedRun.columns := K; SketchedRun.hash := hash_at d K J sc;
  SketchedRun.cells := cells_at d K J sc; SketchedRun.q_pick := fun t => agree (inside t);
  SketchedRun.q_hash := fun t => agree (with_coin d K J t); SketchedRun.q_noise := fun t => agree (with_hash d K J t);
  SketchedRun.share := fun _ _ => / INR K; SketchedRun.ell_H := 1;
  SketchedRun.omega_H := (INR d - 1) / (INR J * INR K); SketchedRun.sigma_c := sc; SketchedRun.kappa := 1 |}.
Lemma walking_fits mult t : (t < T)%nat -> SketchedRun.round_over_sketch k walking_run mult ‖a‖ 0 ‖b‖ t.
Proof.
  intros Ht. pose proof (broadcasts_old t (Nat.lt_le_incl _ _ Ht)) as old. split.
  - exists ‖a‖. exact (local_round_fits _ t Ht old).
  - split; [|right]; apply (unlike (B k)); exact HB.
  - exact (made_fits d K J T sc Hd HK HJ all_loss_ all_grad_ is_quadratic (broadcasts t) (walks (broadcasts t) t) t Ht
      old (fun m _ => walks_old _ t m old)).
  - exact (kappa_is_one d K J T HK t).
  - intros f. reflexivity.
Qed.
End LocalSteps.
Lemma first_gradient : P (fun _ => ‖(all_grad_ x_0)‖²) = ‖x_0‖².
Proof. rewrite E_const. apply same_square, all_grad_is. Qed.
End Runs.

Theorem fresh_runs_exist : Fresh_Runs_Exist.
Proof.
  intros d K J T ga a b x_0 sc Hd HK HJ. exists (one_step_run d K J T a b x_0 sc HK ga 1).
  split; [intros; now apply one_step_fits|]. repeat split; try reflexivity.
  - cbn. f_equal. f_equal. unfold trace. rewrite (sum_ext d _ (fun _ => 1)) by (intros; apply delta_same).
    rewrite sum_const. ring.
  - exact (first_gradient d K J T a x_0 HK).
Qed.
Theorem sketched_runs_exist : Sketched_Runs_Exist.
Proof.
  intros k d K J T a b x_0 sc Hd HK HJ HL Hth HB HPb HPn Hone Hno Hnu. exists (walking_run d K J T a b x_0 sc HK k).
  split; [intros; now apply walking_fits|]. repeat split; try reflexivity. exact (first_gradient d K J T a x_0 HK).
Qed.
