(** * Lemmas for Theorem A: its last lines in any space with an inner product, and the maximum over x *)
From Coq Require Import Reals Lra Lia.
From FPS.repaired Require Import Setting Drift TheoremA.
Open Scope R_scope.

Section Core.
Variable V : space.

Lemma pythagoras n (X : nat -> V) :
  (forall i j, (i < n)%nat -> (j < n)%nat -> i <> j -> ⟨X i, X j⟩ = 0) ->
    ‖(vsum n X)‖² = sum n (fun i => ‖(X i)‖²).
Proof.
  induction n as [|n IH]; intros H; simpl; [apply inner_zero|].
  rewrite square_sum, IH by (intros; apply H; lia).
  assert (K : ⟨vsum n X, X n⟩ = 0); [|rewrite K; ring].
  rewrite inner_vsum, (sum_ext n _ (fun _ => 0)); [rewrite sum_const; ring|]. intros i Hi. apply H; lia.
Qed.

(** a = ∇f(w̃), a + δ = ∇f(v − ξ), q the mean step, z its noise *)
Variables a delta q z : V.
Variables K F u rho n : R.
Hypothesis u_nonneg : 0 <= u.
Hypothesis descent : 2 * ⟨a + delta, q + z⟩ - u * ‖(q + z)‖² <= K.
Hypothesis unforeseen : ⟨a + delta, z⟩ = 0.
Hypothesis near : ‖(a - q)‖ <= F.
Hypothesis sketched : ‖delta‖ <= rho.

Lemma triangle_both_ways : Rabs (‖q‖ - ‖a‖) <= F.
Proof.
  assert (H1 : ‖a‖ <= ‖q‖ + ‖(a - q)‖).
  { rewrite <- (same_norm _ (q + (a - q))%V a); [apply minkowski|]. intro; expand; ring. }
  assert (H2 : ‖q‖ <= ‖a‖ + ‖(a - q)‖).
  { rewrite <- (norm_opp _ (a - q)%V), <- (same_norm _ (a + (-1) *: (a - q))%V q); [apply minkowski|].
    intro; expand; ring. }
  apply Rabs_le; lra.
Qed.
(** T3: 2⟨a, q⟩ = ‖a‖² + ‖q‖² − ‖a − q‖² *)
Lemma before_the_noise : ‖a‖² + ‖q‖² <= K + F ^ 2 + 2 * rho * ‖q‖ + u * ‖(q + z)‖².
Proof.
  pose proof (norm_nonneg _ q). pose proof (norm_nonneg _ (a - q)%V). pose proof (norm_nonneg _ delta).
  pose proof (inner_ge _ delta q).
  assert (Hp : 2 * ⟨a, q⟩ = ‖a‖² + ‖q‖² - ‖(a - q)‖²) by (rewrite square_sum, square_scale, inner_scale_r;
    ring).
  assert (‖(a - q)‖² <= F ^ 2) by (rewrite <- norm_square; nra).
  rewrite inner_add_r, unforeseen, inner_add in descent. nra.
Qed.
(** T5: x = ‖q‖ *)
Lemma star_many N : ‖z‖² <= N -> star (inner_many rho u N) K F ‖a‖².
Proof.
  intros Hz. exists ‖q‖. split; [apply norm_nonneg|]. split; [exact triangle_both_ways|].
  apply sqrt_le_1_alt in Hz. fold ‖z‖ in Hz. unfold inner_many. set (s := sqrt N) in *.
  pose proof before_the_noise. pose proof (minkowski _ q z). pose proof (norm_nonneg _ (q + z)%V).
  pose proof (norm_square _ q). assert (‖(q + z)‖² <= (‖q‖ + s) ^ 2) by (rewrite <- norm_square; nra). nra.
Qed.
(** Noise that is orthogonal to the step, as with one local step *)
Lemma star_one N : ⟨q, z⟩ = 0 -> ‖z‖² <= N -> star (inner_one rho u N) K F ‖a‖².
Proof.
  intros Ho Hz. exists ‖q‖. split; [apply norm_nonneg|]. split; [exact triangle_both_ways|].
  unfold inner_one. pose proof before_the_noise as H. rewrite square_sum, Ho in H.
  pose proof (norm_square _ q). nra.
Qed.
End Core.

(** The maximum of (2ℓ − (1−u)x)x over an interval is at [best_x]. *)
Lemma best_x_in u l low high : low <= high -> low <= best_x u l low high <= high.
Proof.
  intros H. unfold best_x. destruct (Rle_dec 1 u); [lra|]. split; [|apply Rmin_r].
  apply Rmin_glb; [apply Rmax_r|exact H].
Qed.
Lemma best_x_is_best u l low high x : 0 <= l -> 0 <= low -> low <= x <= high ->
  let y := best_x u l low high in (2 * l - (1 - u) * x) * x <= (2 * l - (1 - u) * y) * y.
Proof.
  intros Hl Hlow [Hx1 Hx2] y.
  assert (H : 0 <= (y - x) * (2 * l - (1 - u) * (x + y))); [|lra].
  unfold y, best_x. destruct (Rle_dec 1 u) as [Hu|Hu]; [apply Rmult_le_pos; [lra|nra]|].
  apply Rnot_le_lt in Hu. set (v := l / (1 - u)). assert (Hv : l = (1 - u) * v) by (unfold v; field; lra).
  rewrite Hv.
  set (w := Rmin (Rmax v low) high).
  replace ((w - x) * (2 * ((1 - u) * v) - (1 - u) * (x + w))) with ((1 - u) * ((w - x) * (2 * v - x - w)))
    by ring.
  apply Rmult_le_pos; [lra|]. unfold w.
  destruct (Rle_dec v low) as [H1|H1]; [|apply Rnot_le_lt in H1; destruct (Rle_dec v high) as [H2|H2]].
  - rewrite (Rmax_right v low), (Rmin_left low high) by lra. nra.
  - rewrite (Rmax_left v low), (Rmin_left v high) by lra.
    replace ((v - x) * (2 * v - x - v)) with ((v - x) ^ 2) by ring. apply pow2_ge_0.
  - rewrite (Rmax_left v low), (Rmin_right v high) by lra. apply Rmult_le_pos; lra.
Qed.
Lemma star_explicit (inner : R -> R) u l N K F A : 0 <= l -> 0 <= F ->
  (forall x, inner x = (2 * l - (1 - u) * x) * x + u * N) -> star inner K F A <->
    A <= star_right_side u l N K F A.
Proof.
  intros Hl HF Hin. unfold star_right_side. pose proof (sqrt_pos A) as HA.
  assert (Hlow : 0 <= Rmax 0 (sqrt A - F)) by apply Rmax_l.
  assert (Hle : Rmax 0 (sqrt A - F) <= sqrt A + F) by (apply Rmax_lub; lra).
  split.
  - intros (x & Hx & Hnear & H). apply Rle_trans with (1 := H), Rplus_le_compat_l. rewrite Hin.
    apply Rplus_le_compat_r. apply best_x_is_best; auto.
    pose proof (Rle_abs (x - sqrt A)). pose proof (Rle_abs (- (x - sqrt A))) as H'. rewrite Rabs_Ropp in H'.
    split; [apply Rmax_lub; lra|lra].
  - intros H. eexists. split; [|split]; [| |rewrite Hin; exact H].
    + eapply Rle_trans; [exact Hlow|]. now apply best_x_in.
    + destruct (best_x_in u l _ _ Hle) as [H1 H2]. pose proof (Rmax_r 0 (sqrt A - F)). apply Rabs_le. lra.
Qed.
