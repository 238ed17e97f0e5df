(** * Sparse vectors whose mean is near w stay away from w on average *)
From Coq Require Import Reals Lra Lia Bool.
From FPS.residual Require Import TopSetsLemmas.
From FPS.residual Require Export Floor.
Open Scope R_scope.

Lemma avg_square n X : (0 < n)%nat -> avg n X ^ 2 <= avg n (fun t => X t ^ 2).
Proof.
  intros Hn. pose proof (jensen (Rd 1) n Hn (fun t _ => X t)) as H.
  assert (Hv : forall m, vsum (V := Rd 1) m (fun t _ => X t) O = sum m X) by
    (induction m as [|m IH]; [reflexivity|]; cbn [vsum sum]; rewrite <- IH; reflexivity).
  assert (Hm : vmean (V := Rd 1) n (fun t _ => X t) O = avg n X) by (unfold vmean, avg; simpl;
    now rewrite Hv).
  simpl in H. change (0 + vmean (V := Rd 1) n (fun t _ => X t) O * vmean (V := Rd 1) n (fun t _ => X t) O <=
    avg n (fun i => 0 + X i * X i)) in H. rewrite Hm in H.
  replace (avg n (fun t => X t ^ 2)) with (avg n (fun i => 0 + X i * X i)) by (apply avg_ext; intros; ring).
  lra.
Qed.

Section Sparse.
Variables (V : space) (d k : nat) (e : nat -> V).
Hypothesis basis : orthonormal d e.
Hypothesis some_kept : (0 < k)%nat.
Implicit Types x y w : V.

Lemma norm1_nonneg x : 0 <= norm1 d e x.
Proof. apply sum_nonneg; intros; apply Rabs_pos. Qed.
Lemma norm1_triangle x y : norm1 d e (x + y)%V <= norm1 d e x + norm1 d e y.
Proof.
  unfold norm1. rewrite <- sum_add. apply sum_mono; intros i _. rewrite inner_add. apply Rabs_triang.
Qed.
Lemma norm1_scale a x : norm1 d e (a *: x)%V = Rabs a * norm1 d e x.
Proof. unfold norm1. rewrite <- sum_scale. apply sum_ext; intros i _. now rewrite inner_scale, Rabs_mult. Qed.
Lemma norm1_same x y : same x y -> norm1 d e x = norm1 d e y.
Proof. intros H. apply sum_ext; intros i _. now rewrite H. Qed.
Lemma norm1_vmean n (X : nat -> V) : (0 < n)%nat -> norm1 d e (vmean n X) <= avg n (fun t => norm1 d e (X t)).
Proof.
  intros Hn. unfold vmean, avg. rewrite norm1_scale, Rabs_pos_eq by (left;
    now apply Rinv_0_lt_compat, lt_0_INR).
  apply Rmult_le_compat_l; [left; now apply Rinv_0_lt_compat, lt_0_INR|]. clear Hn.
  induction n as [|n IH]; cbn [vsum sum].
  - right. unfold norm1. rewrite (sum_ext d _ (fun _ => 0)); [rewrite sum_const; ring|].
    intros i _. rewrite inner_zero. apply Rabs_R0.
  - pose proof (norm1_triangle (vsum n X) (X n)). lra.
Qed.
(** ‖x‖_1² ≤ |S|·‖x‖² if x vanishes outside S *)
Lemma norm1_on_a_set S x : (forall i, (i < d)%nat -> S i = false -> ⟨x, e i⟩ = 0) ->
  norm1 d e x ^ 2 <= size d S * ‖x‖².
Proof.
  intros Hz. set (a i := Rabs ⟨x, e i⟩).
  pose proof (cauchy_schwarz_square (Rd d) (fun i => ind (S i)) a) as H.
  replace ⟨(fun i => ind (S i)) : Rd d, a⟩ with (norm1 d e x) in H.
  - replace ‖((fun i => ind (S i)) : Rd d)‖² with (size d S) in H.
    + replace ‖(a : Rd d)‖² with ‖x‖² in H; [simpl; simpl in H; lra|].
      rewrite (basis x x). simpl. apply sum_ext; intros i _. unfold a.
      rewrite <- Rabs_mult, Rabs_pos_eq by nra. reflexivity.
    + simpl. apply sum_ext; intros i _. unfold ind. destruct (S i); ring.
  - simpl. apply sum_ext; intros i Hi. specialize (Hz i Hi). unfold a, ind. destruct (S i); [ring|].
    rewrite (Hz eq_refl), Rabs_R0. ring.
Qed.
Lemma norm1_sparse x : sparse d k e x -> norm1 d e x ^ 2 <= INR k * ‖x‖².
Proof.
  intros [S [Hk Hz]]. apply Rle_trans with (1 := norm1_on_a_set S x Hz).
  apply Rmult_le_compat_r; [apply inner_nonneg|auto].
Qed.
Lemma norm1_by_norm x : norm1 d e x <= sqrt (INR d) * ‖x‖.
Proof.
  apply square_le; [apply Rmult_le_pos; [apply sqrt_pos|apply norm_nonneg]|].
  replace (sqrt (INR d) * ‖x‖ * (sqrt (INR d) * ‖x‖)) with (sqrt (INR d) * sqrt (INR d) * (‖x‖ * ‖x‖))
    by ring.
  rewrite sqrt_sqrt, norm_square by apply pos_INR.
  pose proof (norm1_on_a_set (fun _ => true) x ltac:(discriminate)) as H. unfold size in H. simpl ind in H.
  rewrite sum_const in H. lra.
Qed.

(** mean_t‖x_t − w‖² ≥ ‖w‖_1²/k − ‖w‖² − 2(√d ‖w‖_1/k + ‖w‖)·‖mean_t x_t − w‖ *)
Lemma sparse_average n (X : nat -> V) w : (0 < n)%nat -> (forall t, (t < n)%nat -> sparse d k e (X t)) ->
  norm1 d e w ^ 2 / INR k - ‖w‖² - 2 * (sqrt (INR d) * norm1 d e w / INR k + ‖w‖) * ‖(vmean n X - w)‖ <=
  avg n (fun t => ‖(X t - w)‖²).
Proof.
  intros Hn Hs. assert (Hk : 0 < INR k) by (apply lt_0_INR; lia).
  set (m := vmean n X). set (D := (m - w)%V). set (a := norm1 d e w). set (bm := norm1 d e m).
  assert (H1 : avg n (fun t => ‖(X t - w)‖²) = avg n (fun t => ‖(X t)‖²) + (-2) * ⟨m, w⟩ + ‖w‖²).
  { unfold m. rewrite inner_vmean, <- avg_scale, <- avg_add, <- (avg_const n Hn ‖w‖²) at 1.
    rewrite <- avg_add. apply avg_ext; intros t _. rewrite square_sum, square_scale, inner_scale_r. ring. }
  assert (H2 : bm ^ 2 / INR k <= avg n (fun t => ‖(X t)‖²)).
  { apply Rmult_le_reg_r with (INR k); [auto|]. replace (bm ^ 2 / INR k * INR k) with (bm ^ 2) by (field;
      lra).
    apply Rle_trans with (avg n (fun t => norm1 d e (X t)) ^ 2).
    { apply pow_incr. split; [apply norm1_nonneg|now apply norm1_vmean]. }
    apply Rle_trans with (1 := avg_square n _ Hn). rewrite Rmult_comm, <- avg_scale. apply avg_mono; auto.
    intros t Ht. now apply norm1_sparse, Hs. }
  assert (H3 : a <= bm + sqrt (INR d) * ‖D‖).
  { pose proof (norm1_triangle m ((-1) *: D)%V) as H. rewrite (norm1_same _ w) in H.
    - rewrite norm1_scale, Rabs_left in H by lra. pose proof (norm1_by_norm D). fold a bm in H. lra.
    - intro z. unfold D. expand. ring. }
  assert (H4 : ⟨m, w⟩ = ‖w‖² + ⟨D, w⟩) by (unfold D; expand; ring).
  pose proof (inner_le V D w) as H5. pose proof (norm_nonneg V D). pose proof (norm1_nonneg w) as Ha.
  fold a in Ha.
  pose proof (norm1_nonneg m) as Hb. fold bm in Hb. pose proof (sqrt_pos (INR d)).
  assert (H6 : (a ^ 2 - 2 * a * (sqrt (INR d) * ‖D‖)) / INR k <= bm ^ 2 / INR k).
  { apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|].
    destruct (Rle_or_lt (sqrt (INR d) * ‖D‖) a); [|assert (0 <= sqrt (INR d) * ‖D‖) by nra; nra].
    apply Rle_trans with ((a - sqrt (INR d) * ‖D‖) ^ 2); [pose proof (pow2_ge_0 (sqrt (INR d) * ‖D‖)); lra|].
    apply pow_incr. lra. }
  rewrite H1, H4. replace ((a ^ 2 - 2 * a * (sqrt (INR d) * ‖D‖)) / INR k) with
    (a ^ 2 / INR k - 2 * (sqrt (INR d) * a / INR k) * ‖D‖) in H6 by (field; lra). lra.
Qed.
End Sparse.

(** The best a in X ≤ Y + c(a + D²/a) is a = D. *)
Lemma best_split X Y c D : 0 <= c -> 0 <= D ->
  (forall a, 0 < a -> X <= Y + c * (a + D ^ 2 / a)) -> X <= Y + 2 * c * D.
Proof.
  intros Hc [HD|HD] H.
  - pose proof (H D HD) as K. replace (D ^ 2 / D) with D in K by (field; lra). lra.
  - rewrite <- HD in *. apply le_epsilon. intros eps He.
    destruct Hc as [Hc|Hc].
    + pose proof (H (eps / c) ltac:(apply Rdiv_lt_0_compat; lra)) as K.
      replace (c * (eps / c + 0 ^ 2 / (eps / c))) with eps in K by (field; lra). lra.
    + subst c. pose proof (H 1 ltac:(lra)). lra.
Qed.
