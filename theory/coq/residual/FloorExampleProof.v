(** * Proofs about the example: the floor is attained *)
From Coq Require Import Reals Lra Lia Bool.
From FPS.residual Require Import TopSets FloorLemmas FloorProof FloorExample.
Open Scope R_scope.

Lemma exact_is t o i : (i < 2)%nat ->
  exact floor_run t o i = if Nat.even t then point 2 (3 / 2) i else point (3 / 2) 2 i.
Proof.
  intros Hi. induction t as [|t IH]; [reflexivity|].
  assert (H : exact floor_run (S t) o i = exact floor_run t o i - 1 / 2 * (broadcast floor_run t o i - point 1
    1 i)).
  { cbn. field. }
  rewrite H, IH, Nat.even_succ, <- Nat.negb_even. cbn [broadcast floor_run].
  destruct (Nat.even t), i as [|[|i]]; simpl; try lra; lia.
Qed.
Lemma w_star_is i : w_star floor_run floor_centre i = point 1 1 i.
Proof. cbn. destruct i; simpl; field. Qed.

Theorem floor_example_is_exact_top_one : Floor_Example_Is_Exact_Top_One.
Proof.
  intros t o. exists (fun i => if Nat.even t then Nat.eqb i 0 else Nat.eqb i 1). split; [split|].
  - unfold size. simpl. destruct (Nat.even t); simpl; lra.
  - intros i j Hi Hj. rewrite !exact_is by auto.
    destruct (Nat.even t), i as [|[|i]], j as [|[|j]]; simpl; try discriminate; try lia; intros _ _;
      rewrite !Rabs_pos_eq; lra.
  - intros i Hi. unfold restrict. rewrite exact_is by auto. cbn [broadcast floor_run].
    destruct (Nat.even t), i as [|[|i]]; simpl; try lra; lia.
Qed.

Lemma floor_assumptions_hold n : floor_assumptions floor_run n 2 1 (unit_vector 2) floor_centre (fun _ => 0).
Proof.
  split.
  - apply usual_coordinates.
  - lia.
  - simpl; lra.
  - intros m _ x y. cbn [L loss grad floor_run].
    match goal with |- Rabs ?z <= _ => replace z with (1 / 2 * ‖(y - x)‖²) by (simpl; field) end.
    rewrite Rabs_pos_eq; [lra|]. pose proof (inner_nonneg _ (y - x)%V). lra.
  - intros m x _. cbn [L loss floor_run]. unfold floor_centre. simpl. ring.
  - intros; simpl; ring.
  - intros; simpl; ring.
  - simpl. lra.
  - intros t o _ _. exists (fun i => if Nat.even t then Nat.eqb i 0 else Nat.eqb i 1). split.
    + unfold size. simpl. destruct (Nat.even t); simpl; lra.
    + intros i Hi HS. rewrite (proj2 (usual_coordinates 2%nat)) by auto. cbn [broadcast floor_run].
      destruct (Nat.even t), i as [|[|i]]; simpl in *; try discriminate; try lia; reflexivity.
  - intros; exact I.
Qed.
Theorem floor_example_meets_the_assumptions : Floor_Example_Meets_The_Assumptions.
Proof.
  split; [exact floor_assumptions_hold|split; [exact I|]].
  assert (Hr : forall n, rms floor_run (exact floor_run n) = 5 / 2).
  { intros n. unfold rms. replace (chance floor_run (fun o => ‖(exact floor_run n o)‖²)) with (5 / 2 * (5 /
      2)); [apply sqrt_square; lra|].
    simpl. rewrite !exact_is by lia. destruct (Nat.even n); simpl; lra. }
  intros eps He. destruct (archimed_cor1 (eps / (5 / 2)) ltac:(apply Rdiv_lt_0_compat; lra)) as [N [HN HN']].
  exists N. intros n Hn. unfold R_dist. rewrite Hr, Rminus_0_r. assert (0 < INR N) by (apply lt_0_INR; lia).
  assert (INR N <= INR n) by (apply le_INR; lia).
  rewrite Rabs_pos_eq by (apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]).
  assert (/ INR n <= / INR N) by (apply Rinv_le_contravar; lra). unfold Rdiv in *. nra.
Qed.

Lemma floor_is_two : floor_of floor_run 2 1 (unit_vector 2) floor_centre = 2.
Proof.
  unfold floor_of, floor_level, soft_sparsity, norm1. cbn [L floor_run].
  change ‖(w_star floor_run floor_centre)‖² with
    (0 + w_star floor_run floor_centre 0%nat * w_star floor_run floor_centre 0%nat
       + w_star floor_run floor_centre 1%nat * w_star floor_run floor_centre 1%nat).
  rewrite (sum_ext 2 _ (fun _ => 1)).
  - rewrite !w_star_is. simpl. field.
  - intros i Hi. rewrite (proj2 (usual_coordinates 2%nat)) by auto. rewrite w_star_is.
    destruct i; simpl; apply Rabs_R1.
Qed.
Theorem floor_is_attained : Floor_Is_Attained.
Proof.
  intros n some. rewrite floor_is_two. split; [|reflexivity].
  change (A (with_rounds floor_run n some)) with
    (avg n (fun t => chance floor_run (fun o => ‖(grad_f floor_run (broadcast floor_run t o))‖²))).
  rewrite (avg_ext n _ (fun _ => 2)); [now apply avg_const|]. intros t _.
  rewrite (E_same (chance floor_run) _ (fun _ => 2)); [apply E_const|]. intros o.
  rewrite (same_square _ _ _ (grad_f_same floor_run 1 2 1 (unit_vector 2) floor_centre (fun _ => 0)
    (floor_assumptions_hold 1) _)).
  cbn [inner scale add V floor_run Rd sum L broadcast]. rewrite !w_star_is.
  destruct (Nat.even t); simpl; ring.
Qed.
