(** * Theorem C: one round of the run, in L²(devices, chance) *)
From Coq Require Import Reals Lra Lia Arith.
From FPS.tools Require Import Smooth.
From FPS.repaired Require Import Setting.
From FPS.rates Require Import TheoremC TheoremCLemmas.
From FPS.rates Require Round Forms DescentPointsLemmas.
Open Scope R_scope.

Section Proof.
Variables (r : run) (x_star : V r).
Hypothesis ok : convex_run r x_star.
Let HL := C_L r x_star ok.

(** ** The gradient at a minimiser, and cocoercivity *)
Lemma losses_smooth m : (m < M r)%nat -> smooth (L r) (loss r m) (grad r m).
Proof. intros Hm x y. pose proof (C_convex r x_star ok m x y Hm). rewrite Rabs_pos_eq; lra. Qed.
Lemma gradient_vanishes z : ⟨grad_f r x_star, z⟩ = 0.
Proof.
  pose proof (smooth_mean (M_pos r) (loss r) (grad r) losses_smooth) as S.
  set (g := grad_f r x_star). set (w := (x_star - (/ L r) *: g)%V).
  assert (H : f r w <= f r x_star + ⟨g, w - x_star⟩ + L r / 2 * ‖(w - x_star)‖²)
    by exact (smooth_above x_star w S).
  pose proof (C_minimiser r x_star ok w) as Min.
  assert (D : same (w - x_star)%V (- / L r *: g)%V) by (intro; unfold w; expand; ring).
  rewrite (same_square _ _ _ D), (inner_sym _ g), (D g), square_scale, inner_scale in H.
  replace (L r / 2 * (- / L r * - / L r * ‖g‖²)) with (/ L r * ‖g‖² / 2) in H by (field; lra).
  pose proof (inner_nonneg _ g) as N. assert (P : 0 < / L r) by now apply Rinv_0_lt_compat.
  assert (Z : ‖g‖² = 0) by nra. pose proof (cauchy_schwarz_square _ g z) as CS. rewrite Z in CS. nra.
Qed.
Lemma cocoercive_at m x y : (m < M r)%nat -> ‖(grad r m x - grad r m y)‖² / L r <= ⟨grad r m x - grad r m y,
  x - y⟩.
Proof.
  intros Hm. assert (C : Round.curved 0 (L r) (loss r m) (grad r m)).
  { intros a b. pose proof (C_convex r x_star ok m a b Hm). lra. }
  assert (N : -1 < 0) by lra.
  pose proof (DescentPointsLemmas.interpolation_inequality _ _ _ _ _ HL N C x y) as H1.
  pose proof (DescentPointsLemmas.interpolation_inequality _ _ _ _ _ HL N C y x) as H2.
  unfold Forms.gap in *. set (gx := grad r m x) in *. set (gy := grad r m y) in *.
  assert (E1 : ‖(gy - gx)‖² = ‖(gx - gy)‖²) by (expand; ring).
  assert (E2 : ⟨gx - gy, x - y⟩ = - (⟨gy, x - y⟩ + ⟨gx, y - x⟩)) by (expand; ring).
  rewrite E1 in H2. rewrite E2. unfold Rdiv in *. lra.
Qed.

Section OneRound.
Variable t : nat.
Hypothesis Ht : (t < T r)%nat.
Lemma step_of m e : (m < M r)%nat -> (e < Es r)%nat -> step r t m e.
Proof. repeat split; auto. Qed.
Lemma local_step m e o : same (local r t m (S e) o - x_star)%V
  ((local r t m e o - x_star) - gamma r *: (grad r m (local r t m e o) + zeta r t m e o))%V.
Proof. intro z. cbn [local]. rewrite (C_no_bias r x_star ok), (C_mu r x_star ok). expand. ring. Qed.
Lemma sq_local m e : (m < M r)%nat -> (e <= Es r)%nat ->
  sq (chance r) (fun o => (local r t m e o - x_star)%V).
Proof.
  intros Hm. induction e as [|e IH]; intros He; [now apply (C_sq_broadcast r x_star ok)|].
  apply (sq_same _ (fun o => ((local r t m e o - x_star) - gamma r *: (grad r m (local r t m e o) + zeta r t
    m e o))%V)).
  - intros o z. now rewrite (local_step m e o z).
  - apply (sq_add _ (fun o => (local r t m e o - x_star)%V)); [apply IH; lia|]. apply sq_scale, sq_scale.
    apply (sq_add _ (fun o => grad r m (local r t m e o)));
      [apply (C_sq_grad r x_star ok)|apply (C_sq_zeta r x_star ok)]; apply step_of; auto.
Qed.
Lemma past_before m e j o o' : (j <= e)%nat -> past r t m e o o' -> past r t m j o o'.
Proof. induction 1 as [|e Hj IH]; auto. intros H. apply IH. now apply (C_past_of_step r x_star ok). Qed.
Lemma local_known m e : (m < M r)%nat -> (e <= Es r)%nat -> known r (past r t m e) (local r t m e).
Proof.
  intros Hm. induction e as [|e IH]; intros He o o' p; cbn [local];
    [now apply (C_broadcast_known r x_star ok t m)|].
  assert (p' : past r t m e o o') by now apply (C_past_of_step r x_star ok).
  rewrite (IH ltac:(lia) o o' p'), !(C_no_bias r x_star ok),
    (C_zeta_known r x_star ok t m e (step_of m e Hm He) o o' p),
    (C_broadcast_known r x_star ok t m o o' (past_before m (S e) 0 o o' ltac:(lia) p)). reflexivity.
Qed.

(** ** The letters as vectors of L²(devices, chance) *)
Local Notation both := (times (M r) (M_pos r) (chance r)).
Definition mk (X : nat -> Omega r -> V r) (H : forall m, (m < M r)%nat -> sq (chance r) (X m)) : L2 both :=
  exist (sq both) (fun i => X (fst i) (snd i)) (fun m Hm => H m Hm).
Lemma mk_inner X HX Y HY : ⟨mk X HX, mk Y HY⟩ = avg (M r) (fun m => chance r (fun o => ⟨X m o, Y m o⟩)).
Proof. reflexivity. Qed.
Lemma mk_at X HX m o : at_ (mk X HX) (m, o) = X m o.
Proof. reflexivity. Qed.
Definition cut (e : nat) : nat := Nat.min e (Es r - 1).
Definition cut_y (e : nat) : nat := Nat.min e (Es r).
Lemma cut_lt e : (cut e < Es r)%nat. Proof. unfold cut. pose proof (Es_pos r). lia. Qed.
Definition y (e : nat) : L2 both := mk (fun m o => (local r t m (cut_y e) o - x_star)%V)
  (fun m Hm => sq_local m (cut_y e) Hm (Nat.le_min_r _ _)).
Lemma sq_h m e : (m < M r)%nat -> (e < Es r)%nat -> sq (chance r) (fun o => (grad r m (local r t m e o) -
  grad r m x_star)%V).
Proof.
  intros Hm He. apply (sq_add _ (fun o => grad r m (local r t m e o)));
    [now apply (C_sq_grad r x_star ok), step_of|].
  now apply (sq_scale _ (-1) (fun _ => grad r m x_star)), (C_sq_star r x_star ok).
Qed.
Definition h (e : nat) : L2 both := mk (fun m o => (grad r m (local r t m (cut e) o) - grad r m x_star)%V)
  (fun m Hm => sq_h m (cut e) Hm (cut_lt e)).
Definition z (e : nat) : L2 both := mk (fun m => zeta r t m (cut e))
  (fun m Hm => C_sq_zeta r x_star ok t m (cut e) (step_of m (cut e) Hm (cut_lt e))).
Definition s : L2 both := mk (fun m _ => grad r m x_star) (C_sq_star r x_star ok).
Definition rho_at (o : Omega r) : V r := (shifted r t o - broadcast r t o)%V.

Lemma cut_is e : (e < Es r)%nat -> cut e = e. Proof. unfold cut. lia. Qed.
Lemma cut_y_is e : (e <= Es r)%nat -> cut_y e = e. Proof. unfold cut_y. lia. Qed.
Lemma same_both (X Y : L2 both) : (forall m o, (m < M r)%nat -> same (at_ X (m, o)) (at_ Y (m, o))) ->
  same X Y.
Proof. intros H. apply L2_same. intros [m o] [Hm _]. now apply H. Qed.
Lemma y_moves e : (e < Es r)%nat -> same (y (S e)) (y e - gamma r *: (h e + s + z e))%V.
Proof.
  intros He. apply same_both. intros m o Hm w. unfold y, h, s, z. cbn [at_ proj1_sig mk L2 add scale fst snd].
  rewrite (cut_y_is (S e)), (cut_y_is e), (cut_is e) by lia.
  change (⟨local r t m (S e) o - x_star, w⟩ = ⟨(local r t m e o - x_star) - gamma r *:
    ((grad r m (local r t m e o) - grad r m x_star) + grad r m x_star + zeta r t m e o), w⟩).
  rewrite (local_step m e o w). expand. ring.
Qed.
Lemma avg_zero (X : nat -> R) : (forall m, (m < M r)%nat -> X m = 0) -> avg (M r) X = 0.
Proof. intros H. rewrite <- (avg_const (M r) (M_pos r) 0). now apply avg_ext. Qed.
(** Noise against what is known *)
Lemma z_zero e X HX : (e < Es r)%nat -> (forall m, (m < M r)%nat -> known r (past r t m e) (X m)) -> ⟨z e,
  mk X HX⟩ = 0.
Proof.
  intros He K. unfold z. rewrite mk_inner. apply avg_zero; intros m Hm. rewrite cut_is by auto.
  apply (C_mean_zero r x_star ok); auto using step_of.
Qed.
Lemma grad_known m e : (m < M r)%nat -> (e < Es r)%nat ->
  known r (past r t m e) (fun o => grad r m (local r t m e o)).
Proof. intros Hm He o o' p. now rewrite (local_known m e Hm ltac:(lia) o o' p). Qed.
Lemma z_y e : (e < Es r)%nat -> ⟨z e, y e⟩ = 0.
Proof.
  intros He. apply z_zero; auto. intros m Hm o o' p. cbv beta. rewrite (cut_y_is e) by lia.
  now rewrite (local_known m e Hm ltac:(lia) o o' p).
Qed.
Lemma z_h e : (e < Es r)%nat -> ⟨z e, h e⟩ = 0.
Proof.
  intros He. apply z_zero; auto. intros m Hm o o' p. cbv beta. rewrite (cut_is e) by lia.
  now rewrite (local_known m e Hm ltac:(lia) o o' p).
Qed.
Lemma z_s e : (e < Es r)%nat -> ⟨z e, s⟩ = 0.
Proof. intros He. apply z_zero; auto. intros m Hm o o' p. reflexivity. Qed.
Lemma z_size e : (e < Es r)%nat -> ‖(z e)‖² <= P_n r * ‖(h e + s)‖² + sigma r ^ 2.
Proof.
  intros He. assert (Hg : ‖(h e + s)‖² = avg (M r) (fun m => chance r (fun o => ‖(grad r m (local r t m e
    o))‖²))).
  { change (avg (M r) (fun m => chance r (fun o => ‖((grad r m (local r t m (cut e) o) - grad r m x_star) +
      grad r m x_star)‖²)) =
      avg (M r) (fun m => chance r (fun o => ‖(grad r m (local r t m e o))‖²))).
    rewrite (cut_is e He). apply avg_ext; intros m _. apply E_same; intros o. apply same_square. intro w.
    expand. ring. }
  rewrite Hg. unfold z. rewrite mk_inner, (cut_is e He), <- avg_scale,
    <- (avg_const (M r) (M_pos r) (sigma r ^ 2)), <- avg_add.
  apply avg_mono; [apply M_pos|]. intros m Hm. apply (C_noise r x_star ok); auto using step_of.
Qed.
Lemma h_coco e : (e < Es r)%nat -> ‖(h e)‖² / L r <= ⟨h e, y e⟩.
Proof.
  intros He. replace (‖(h e)‖² / L r) with (/ L r * ‖(h e)‖²) by (unfold Rdiv; ring).
  rewrite (L2_inner (h e) (h e)), (L2_inner (h e) (y e)), <- E_scale by apply L2_int.
  apply E_mono; [apply int_scale, L2_int|apply L2_int|]. intros [m o] [Hm _]. unfold h, y. rewrite !mk_at.
  rewrite (cut_is e He), (cut_y_is e) by lia. pose proof (cocoercive_at m (local r t m e o) x_star Hm) as H.
  cbn [fst] in Hm. unfold Rdiv in H. lra.
Qed.
(** Gradients at x* against what all devices share *)
Lemma s_shared (Y : Omega r -> V r) HX : ⟨s, mk (fun _ => Y) HX⟩ = 0.
Proof.
  unfold s. rewrite mk_inner.
  transitivity (chance r (fun o => avg (M r) (fun m => ⟨grad r m x_star, Y o⟩))).
  - unfold avg. rewrite E_scale, E_sum; auto.
    + intros m Hm. apply sq_inner; [now apply (C_sq_star r x_star ok)|now apply (HX m)].
    + apply int_sum. intros m Hm. apply sq_inner; [now apply (C_sq_star r x_star ok)|now apply (HX m)].
  - transitivity (chance r (fun _ => 0)); [|apply E_const]. apply E_same; intros o.
    transitivity ⟨grad_f r x_star, Y o⟩; [unfold grad_f; symmetry; apply inner_vmean|apply gradient_vanishes].
Qed.
Lemma s_start : ⟨s, y O⟩ = 0.
Proof. exact (s_shared (fun o => (broadcast r t o - x_star)%V) _). Qed.

Hypothesis kappa_pos : 0 < kappa r.
Lemma s_size : ‖s‖² = G_star2 r x_star.
Proof. unfold s, G_star2. rewrite mk_inner. apply avg_ext; intros m _. apply E_const. Qed.
Lemma contracts : ‖(y (Es r))‖² <= ‖(y O)‖² - kappa r / 2 * sum (Es r) (fun e => ‖(h e)‖²) + C_ r * G_star2 r
  x_star
  + gamma r ^ 2 * INR (Es r) * sigma r ^ 2.
Proof.
  rewrite <- s_size. apply (round_contracts (L2 both) (gamma r) (L r) (P_n r) (sigma r ^ 2) y h z s (Es r));
    auto using y_moves, h_coco, z_y, z_h, z_s, z_size, s_start. apply (C_gamma r x_star ok).
Qed.
Lemma gradient_below : chance r (fun o => ‖(grad_f r (broadcast r t o))‖²) <= sum (Es r) (fun e => ‖(h e)‖²).
Proof.
  apply Rle_trans with ‖(h O)‖².
  - unfold h. rewrite mk_inner, (cut_is 0 (Es_pos r)). cbn [local].
    assert (I : forall m, (m < M r)%nat -> int (chance r) (fun o => ‖(grad r m (broadcast r t o) - grad r m
      x_star)‖²)).
    { intros m Hm. pose proof (sq_h m 0 Hm (Es_pos r)) as S. apply (sq_inner _ _ _ S S). }
    replace (avg (M r) (fun m => chance r (fun o => ‖(grad r m (broadcast r t o) - grad r m x_star)‖²)))
      with (chance r (fun o => avg (M r) (fun m => ‖(grad r m (broadcast r t o) - grad r m x_star)‖²)))
      by (unfold avg; rewrite E_scale, E_sum; auto using int_sum).
    apply E_mono.
    + assert (S : sq (chance r) (fun o => grad_f r (broadcast r t o))); [|apply (sq_inner _ _ _ S S)].
      unfold grad_f, vmean. apply sq_scale, (sq_vsum (chance r) _ (fun m o => grad r m (broadcast r t o))).
      intros m Hm.
      apply (C_sq_grad r x_star ok t m 0). apply step_of; auto. apply Es_pos.
    + unfold avg. apply int_scale, int_sum, I.
    + intros o _. eapply Rle_trans; [|apply jensen, M_pos]. right. apply same_square. intro w.
      rewrite inner_vmean. unfold grad_f at 1. rewrite inner_vmean.
      rewrite (avg_ext _ (fun m => ⟨grad r m (broadcast r t o) - grad r m x_star, w⟩)
        (fun m => ⟨grad r m (broadcast r t o), w⟩ + (-1) * ⟨grad r m x_star, w⟩)) by (intros; expand; ring).
      rewrite avg_add, avg_scale, <- (inner_vmean _ (M r) (fun m => grad r m x_star) w).
      change (vmean (M r) (fun m => grad r m x_star)) with (grad_f r x_star). rewrite gradient_vanishes. ring.
  - pose proof (Es_pos r) as P. destruct (Es r) as [|n]; [lia|]. clear P.
    induction n as [|n IH]; cbn [sum] in *; [lra|].
    pose proof (inner_nonneg _ (h (S n))). lra.
Qed.

(** ** One round of v_t − ξ *)
Definition q (j : nat) (o : Omega r) : V r := (shifted r j o - x_star)%V.
Lemma q_next o : same (q (S t) o) (q t o + (vmean (M r) (fun m => local r t m (Es r) o - broadcast r t o)))%V.
Proof. intro w. unfold q, shifted. cbn [exact]. unfold moved. expand. ring. Qed.
Lemma sq_next : sq (chance r) (q t) -> sq (chance r) (q (S t)).
Proof.
  intros H. apply (sq_same _ (fun o => (q t o + vmean (M r) (fun m => (local r t m (Es r) o - x_star) -
    (broadcast r t o - x_star)))%V)).
  - intros o w. rewrite (q_next o w). rewrite !inner_add, !inner_vmean. f_equal. apply avg_ext; intros.
    expand. ring.
  - apply (sq_add _ (q t)); auto. unfold vmean.
    apply sq_scale, (sq_vsum (chance r) _ (fun m o => ((local r t m (Es r) o - x_star) - (broadcast r t o -
      x_star))%V)).
    intros m Hm. apply (sq_add _ (fun o => (local r t m (Es r) o - x_star)%V)); [now apply sq_local|].
    now apply sq_scale, (C_sq_broadcast r x_star ok).
Qed.
Hypothesis sq_now : sq (chance r) (q t).
Lemma sq_rho : sq (chance r) rho_at.
Proof.
  apply (sq_same _ (fun o => (q t o - (broadcast r t o - x_star))%V)).
  - intros o w. unfold rho_at, q. expand. ring.
  - apply (sq_add _ (q t)); auto. now apply sq_scale, (C_sq_broadcast r x_star ok).
Qed.
Definition rho : L2 both := mk (fun _ => rho_at) (fun _ _ => sq_rho).
Lemma rho_known : 2 * ⟨rho, y (Es r) - y O⟩ <=
  kappa r / 4 * sum (Es r) (fun e => ‖(h e)‖²) + 4 * gamma r ^ 2 * INR (Es r) / kappa r * ‖rho‖².
Proof.
  apply (known_part (L2 both) (gamma r) (L r) (P_n r) y h z s (Es r)); auto using y_moves.
  - rewrite inner_sym. apply s_shared.
  - intros e He. rewrite inner_sym. apply z_zero; auto. intros m Hm o o' p.
    assert (p0 : past r t m 0 o o') by (apply (past_before m e); [lia|exact p]).
    unfold rho_at. now rewrite (C_shifted_known r x_star ok t m Ht o o' p0),
      (C_broadcast_known r x_star ok t m o o' p0).
Qed.

(** ** The distance of v_t − ξ from x* after the round *)
Lemma distance_at o : ‖(q (S t) o)‖² <= ‖(q t o)‖² + avg (M r) (fun m => ‖(local r t m (Es r) o - x_star)‖²
  - ‖(broadcast r t o - x_star)‖² + 2 * ⟨rho_at o, (local r t m (Es r) o - x_star) - (broadcast r t o -
      x_star)⟩).
Proof.
  set (p := (broadcast r t o - x_star)%V). set (Y := fun m => (local r t m (Es r) o - x_star)%V).
  set (d := vmean (M r) (fun m => (Y m - p)%V)).
  assert (Q0 : same (q t o) (p + rho_at o)%V) by (intro w; unfold q, rho_at, p; expand; ring).
  assert (Q1 : same (q (S t) o) (vmean (M r) Y + rho_at o)%V).
  { intro w. rewrite (q_next o w), !inner_add, (Q0 w), !inner_vmean, inner_add.
    rewrite (avg_ext _ (fun m => ⟨local r t m (Es r) o - broadcast r t o, w⟩) (fun m => ⟨Y m, w⟩ + (- ⟨p,
      w⟩)))
      by (intros; unfold Y, p; expand; ring).
    rewrite avg_add, avg_const by apply M_pos. ring. }
  rewrite (same_square _ _ _ Q0), (same_square _ _ _ Q1), !square_sum.
  pose proof (jensen _ (M r) (M_pos r) Y) as J.
  rewrite (avg_ext _ _ (fun m => ‖(Y m)‖² + (- ‖p‖² + (2 * ⟨Y m, rho_at o⟩ + - (2 * ⟨p, rho_at o⟩))))).
  - rewrite !avg_add, !avg_const, avg_scale, <- inner_vmean by apply M_pos. lra.
  - intros m _. change (local r t m (Es r) o - x_star)%V with (Y m).
    rewrite inner_add_r, inner_scale_r, !(inner_sym _ (rho_at o)). ring.
Qed.
Lemma distance : chance r (fun o => ‖(q (S t) o)‖²) <=
  chance r (fun o => ‖(q t o)‖²) + (‖(y (Es r))‖² - ‖(y O)‖² + 2 * ⟨rho, y (Es r) - y O⟩).
Proof.
  set (d := (y (Es r) - y O)%V).
  set (Z := fun i => ‖(at_ (y (Es r)) i)‖² + ((-1) * ‖(at_ (y O) i)‖² + 2 * ⟨at_ rho i, at_ d i⟩)).
  assert (I0 : int both (fun i => (-1) * ‖(at_ (y O) i)‖² + 2 * ⟨at_ rho i, at_ d i⟩))
    by (apply int_add; apply int_scale, L2_int).
  assert (IZ : int both Z) by (apply (int_add _ (fun i => ‖(at_ (y (Es r)) i)‖²)); auto; apply L2_int).
  assert (EZ : both Z = ‖(y (Es r))‖² - ‖(y O)‖² + 2 * ⟨rho, d⟩).
  { unfold Z. rewrite (E_add _ (fun i => ‖(at_ (y (Es r)) i)‖²)),
      (E_add _ (fun i => (-1) * ‖(at_ (y O) i)‖²)), !E_scale
      by (auto; try apply int_scale; apply L2_int). rewrite <- !L2_inner. ring. }
  rewrite <- EZ, times_is.
  assert (IM : forall m, (m < M r)%nat -> int (chance r) (fun o => Z (m, o))) by (intros m Hm;
    now apply (IZ m)).
  replace (avg (M r) (fun m => chance r (fun o => Z (m, o))))
    with (chance r (fun o => avg (M r) (fun m => Z (m, o))))
    by (unfold avg; rewrite E_scale, E_sum; auto using int_sum).
  assert (IA : int (chance r) (fun o => avg (M r) (fun m => Z (m, o)))) by (unfold avg;
    auto using int_scale, int_sum).
  rewrite <- E_add by (auto; apply sq_inner; auto).
  apply E_mono; [apply sq_inner; now apply sq_next|apply int_add; auto; apply sq_inner; auto|].
  intros o _. eapply Rle_trans; [apply distance_at|]. right. f_equal. apply avg_ext; intros m _.
  unfold Z, d, rho.
  change (at_ (y (Es r) - y O)%V (m, o)) with (at_ (y (Es r)) (m, o) - at_ (y O) (m, o))%V.
  unfold y. rewrite !mk_at, (cut_y_is (Es r)), (cut_y_is 0) by lia. cbn [local]. ring.
Qed.
End OneRound.
End Proof.
