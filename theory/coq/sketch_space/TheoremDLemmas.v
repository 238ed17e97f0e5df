(** * Theorem D: what a separable quadratic and top-k give in one round *)
From Coq Require Import Reals Lra Lia.
From FPS.tools Require Import Mean.
From FPS.residual Require Import TopSets.
From FPS.sketch_space Require Import Sketch SketchLemmas TheoremD.
Open Scope R_scope.

(** The larger root of (1−η)x² − βx = c bounds every x below it. *)
Lemma below_root eta beta x c : eta < 1 -> (1 - eta) * x ^ 2 - beta * x <= c ->
  x <= (beta + sqrt (beta ^ 2 + 4 * (1 - eta) * c)) / (2 * (1 - eta)).
Proof.
  intros He H. set (y := x * (2 * (1 - eta)) - beta).
  assert (Hy : y ^ 2 <= beta ^ 2 + 4 * (1 - eta) * c).
  { replace (y ^ 2) with (beta ^ 2 + 4 * (1 - eta) * ((1 - eta) * x ^ 2 - beta * x)) by (unfold y; ring).
    apply Rplus_le_compat_l, Rmult_le_compat_l; lra. }
  assert (y <= sqrt (beta ^ 2 + 4 * (1 - eta) * c)).
  { pose proof (pow2_ge_0 y). apply square_le; [apply sqrt_pos|]. rewrite sqrt_sqrt by lra. simpl in Hy.
    lra. }
  apply Rmult_le_reg_r with (2 * (1 - eta)); [lra|]. unfold y in *.
  replace ((beta + sqrt (beta ^ 2 + 4 * (1 - eta) * c)) / (2 * (1 - eta)) * (2 * (1 - eta))) with
    (beta + sqrt (beta ^ 2 + 4 * (1 - eta) * c)) by (field; lra). lra.
Qed.

Section Separable.
Variables (d : nat) (h : nat -> R) (mu_f : R).
Hypothesis mu_pos : 0 < mu_f.
Hypothesis strong : forall i, (i < d)%nat -> mu_f <= h i.

(** ** The norm ‖.‖_H *)
Definition VH : space.
  refine {| vec := Rd d; zero := zero; add := add; scale := scale;
            inner := fun x y => sum d (fun i => h i * (x i * y i)) |}.
  - intros; apply sum_ext; intros; ring.
  - intros z0; rewrite (sum_ext d _ (fun _ => 0)); [rewrite sum_const; ring|]. intros; simpl; ring.
  - intros; rewrite <- sum_add; apply sum_ext; intros; simpl; ring.
  - intros; rewrite <- sum_scale; apply sum_ext; intros; simpl; ring.
  - intros x; apply sum_nonneg; intros i Hi. pose proof (strong i Hi). pose proof (Rle_0_sqr (x i)).
    unfold Rsqr in *. apply Rmult_le_pos; lra.
Defined.
Lemma VH_inner (x y : Rd d) : @inner VH x y = ⟨x, times_H h y⟩.
Proof. simpl. apply sum_ext; intros; unfold times_H; ring. Qed.
Lemma norm_H_is (x : Rd d) : norm_H h x = @norm VH x.
Proof. unfold norm_H, norm. f_equal. apply sum_ext; intros; simpl; ring. Qed.
Lemma norm_H_nonneg (x : Rd d) : 0 <= norm_H h x. Proof. apply sqrt_pos. Qed.
Lemma norm_H_square (x : Rd d) : norm_H h x ^ 2 = sum d (fun i => h i * x i ^ 2).
Proof.
  apply pow2_sqrt. apply sum_nonneg; intros i Hi. pose proof (strong i Hi). pose proof (pow2_ge_0 (x i)). nra.
Qed.
Lemma strong_square (x : Rd d) : mu_f * ‖x‖² <= norm_H h x ^ 2.
Proof.
  rewrite norm_H_square. simpl. rewrite <- sum_scale. apply sum_mono; intros i Hi.
  pose proof (strong i Hi). pose proof (Rle_0_sqr (x i)). unfold Rsqr in *. nra.
Qed.
Lemma root_mu : 0 < sqrt mu_f. Proof. now apply sqrt_lt_R0. Qed.
Lemma strong_norm (x : Rd d) : ‖x‖ <= norm_H h x / sqrt mu_f.
Proof.
  pose proof root_mu. apply Rmult_le_reg_l with (sqrt mu_f); [auto|].
  replace (sqrt mu_f * (norm_H h x / sqrt mu_f)) with (norm_H h x) by (field; lra).
  apply square_le; [apply norm_H_nonneg|]. pose proof (strong_square x) as H1.
  pose proof (sqrt_sqrt mu_f (Rlt_le _ _ mu_pos)) as H2.
  replace (sqrt mu_f * ‖x‖ * (sqrt mu_f * ‖x‖)) with (sqrt mu_f * sqrt mu_f * (‖x‖ * ‖x‖)) by ring.
  rewrite H2, norm_square. replace (norm_H h x * norm_H h x) with (norm_H h x ^ 2) by ring. exact H1.
Qed.

(** ** One round *)
Variables (k : nat) (wstar : Rd d) (Kn : R).
Hypothesis Kn_nonneg : 0 <= Kn.
Hypothesis Kn_bounds : forall P x, top d k P x -> ⟨x, times_H h wstar⟩ <= Kn * ‖(restrict P x)‖.
Lemma quotient_nonneg : 0 <= Kn / sqrt mu_f.
Proof. unfold Rdiv. apply Rmult_le_pos; [auto|]. left. apply Rinv_0_lt_compat, root_mu. Qed.
(** D2, D3: w = Top_k x gives ⟨x, H(w − wstar)⟩ ≥ ‖w‖_H² − K‖w‖_H *)
Lemma aligned P (x : Rd d) : top d k P x -> let w := restrict P x in
  norm_H h w ^ 2 - Kn / sqrt mu_f * norm_H h w <= ⟨x, times_H h (w - wstar)%V⟩.
Proof.
  intros Ht w.
  assert (H1 : ⟨x, times_H h (w - wstar)%V⟩ = norm_H h w ^ 2 - ⟨x, times_H h wstar⟩).
  { rewrite norm_H_square. unfold Rminus. rewrite <- (Rmult_1_l ⟨x, times_H h wstar⟩),
      <- Ropp_mult_distr_l_reverse.
    simpl. rewrite <- sum_scale, <- sum_add. apply sum_ext; intros i _.
    unfold times_H, w, restrict, ind. simpl. destruct (P i); ring. }
  pose proof (Kn_bounds _ _ Ht) as H2. fold w in H2. pose proof (strong_norm w).
  assert (Kn * ‖w‖ <= Kn / sqrt mu_f * norm_H h w); [|lra].
  replace (Kn / sqrt mu_f * norm_H h w) with (Kn * (norm_H h w / sqrt mu_f)) by (unfold Rdiv; ring).
  apply Rmult_le_compat_l; auto.
Qed.
Lemma norm_H_minus (w : Rd d) : norm_H h (w - wstar)%V <= norm_H h w + norm_H h wstar.
Proof. rewrite !norm_H_is, <- (norm_opp VH wstar). apply (minkowski VH w). Qed.
End Separable.
