(** * Proof of Proposition G

    Both versions are one: the minimiser is q (7, −1, …, −1) with q = 0 or 1. All tables have the shape "a in
    bucket 0 of every row, v in every other bucket", and a round turns (a, v) into (a + γ(a + q), v − γa). *)
From Coq Require Import Reals Lra Lia.
From FPS.sketch_space.tables Require Import HashSketch HashSketchLemmas.
From FPS.sketch_space.exact_runs Require Import PropositionG.
Open Scope R_scope.

Lemma three_rows j : (j < 3)%nat -> j = 0%nat \/ j = 1%nat \/ j = 2%nat. Proof. lia. Qed.
Lemma six_others i : (0 < i < 7)%nat ->
  i = 1%nat \/ i = 2%nat \/ i = 3%nat \/ i = 4%nat \/ i = 5%nat \/ i = 6%nat.
Proof. lia. Qed.

Lemma positive_definite (x : nat -> R) :
  sum 7 (fun i => x i ^ 2) / 15 <= sum 7 (fun i => sum 7 (fun j => x i * (H_G i j * x j))).
Proof.
  unfold H_G; simpl. set (a := x 0%nat).
  (* the share of coordinate y: 7y² + 2ay + (15/104)a² − y²/15 is a square *)
  assert (H : forall y, 0 <= (104 / 15) * y ^ 2 + 2 * a * y + 15 / 104 * a ^ 2).
  { intros y. replace (104 / 15 * y ^ 2 + 2 * a * y + 15 / 104 * a ^ 2)
      with (104 / 15 * (y + 15 / 104 * a) ^ 2) by field.
    pose proof (pow2_ge_0 (y + 15 / 104 * a)). lra. }
  pose proof (H (x 1%nat)). pose proof (H (x 2%nat)). pose proof (H (x 3%nat)). pose proof (H (x 4%nat)).
  pose proof (H (x 5%nat)). pose proof (H (x 6%nat)). pose proof (pow2_ge_0 a). simpl in *. lra.
Qed.

(** ** Top-1 takes coordinate 0 if it is strictly largest *)
Lemma top_one P (x : nat -> R) : top 7 1 P x -> (forall i, (0 < i < 7)%nat -> Rabs (x i) < Rabs (x 0%nat)) ->
  forall i, (i < 7)%nat -> P i = Nat.eqb i 0.
Proof.
  intros [Hs Ht] Hx.
  assert (H1 := fun i (H : (0 < i < 7)%nat) (Pi : P i = true) (P0 : P 0%nat = false) =>
    Rlt_not_le _ _ (Hx i H) (Ht i 0%nat ltac:(lia) ltac:(lia) Pi P0)).
  pose proof (H1 1%nat ltac:(lia)). pose proof (H1 2%nat ltac:(lia)). pose proof (H1 3%nat ltac:(lia)).
  pose proof (H1 4%nat ltac:(lia)). pose proof (H1 5%nat ltac:(lia)). pose proof (H1 6%nat ltac:(lia)).
  clear H1 Hx Ht. unfold size in Hs. simpl in Hs.
  assert (G : P 0%nat = true /\ P 1%nat = false /\ P 2%nat = false /\ P 3%nat = false /\ P 4%nat = false /\
              P 5%nat = false /\ P 6%nat = false).
  { destruct (P 0%nat), (P 1%nat), (P 2%nat), (P 3%nat), (P 4%nat), (P 5%nat), (P 6%nat); unfold ind in Hs;
      try (exfalso; lra); try (exfalso; auto; fail); repeat split; auto. }
  destruct G as [G0 [G1 [G2 [G3 [G4 [G5 G6]]]]]]. intros i Hi.
  destruct i as [|[|[|[|[|[|[|i]]]]]]]; simpl; auto. lia.
Qed.

(** ** Tables of one shape, and what the read-outs make of them *)
Definition shape (s : cells) (a v : R) : Prop := forall j, (j < 3)%nat ->
  s j 0%nat = a /\ s j 1%nat = v /\ s j 2%nat = v /\ s j 3%nat = v /\ s j 4%nat = v.
Ltac rows_of H := destruct (H 0%nat ltac:(lia)) as [A0 [A1 [A2 [A3 A4]]]];
  destruct (H 1%nat ltac:(lia)) as [B0 [B1 [B2 [B3 B4]]]];
    destruct (H 2%nat ltac:(lia)) as [C0 [C1 [C2 [C3 C4]]]].
Lemma mean_of_shape s a v : shape s a v ->
  mean_readout hash_G s 0 = a /\ forall i, (0 < i < 7)%nat -> mean_readout hash_G s i = (2 * v - a) / 3.
Proof.
  intros H. rows_of H. unfold mean_readout, estimate. split; [simpl; rewrite A0, B0, C0; field|].
  intros i Hi. destruct (six_others i Hi) as [-> | [-> | [-> | [-> | [-> | ->]]]]]; simpl;
    rewrite ?A0, ?A1, ?A2, ?A3, ?A4, ?B0, ?B1, ?B2, ?B3, ?B4, ?C0, ?C1, ?C2, ?C3, ?C4; field.
Qed.
Lemma median_of_shape s a v : shape s a v ->
  median_readout hash_G s 0 = a /\ forall i, (0 < i < 7)%nat -> median_readout hash_G s i = v.
Proof.
  intros H. rows_of H. unfold median_readout, estimate.
  split; [simpl; rewrite A0, B0, C0, !Rmult_1_l; apply median3_outer|].
  intros i Hi. destruct (six_others i Hi) as [-> | [-> | [-> | [-> | [-> | ->]]]]];
    cbn [bucket sign hash_G meets Nat.eqb Nat.ltb Nat.leb Nat.sub];
    rewrite ?A0, ?A1, ?A2, ?A3, ?A4, ?B0, ?B1, ?B2, ?B3, ?B4, ?C0, ?C1, ?C2, ?C3, ?C4, ?Rmult_1_l;
    auto using median3_outer, median3_last, median3_first.
Qed.
(** Coordinate 0 wins strictly, or the read-out is 0. *)
Definition decided (a v : R) : Prop := - a < v < a \/ a = 0 /\ v = 0.
Lemma read_of_shape median s a v : shape s a v -> decided a v -> readout_G median s 0%nat = a /\
  ((forall i, (i < 7)%nat -> readout_G median s i = 0) \/
   forall i, (0 < i < 7)%nat -> Rabs (readout_G median s i) < Rabs a).
Proof.
  intros H D.
  assert (R : readout_G median s 0%nat = a /\ forall i, (0 < i < 7)%nat ->
    readout_G median s i = v \/ readout_G median s i = (2 * v - a) / 3).
  { destruct median; simpl.
    - destruct (median_of_shape s a v H) as [R0 R1]. split; [auto|]. intros i Hi. left. now apply R1.
    - destruct (mean_of_shape s a v H) as [R0 R1]. split; [auto|]. intros i Hi. right. now apply R1. }
  destruct R as [R0 R1]. split; [auto|]. destruct D as [D|[Da Dv]].
  - right. intros i Hi. rewrite (Rabs_pos_eq a) by lra. destruct (R1 i Hi) as [-> | ->]; apply Rabs_def1; lra.
  - left. intros i Hi. destruct i as [|i]; [now rewrite R0|].
    destruct (R1 (S i) ltac:(lia)) as [-> | ->]; rewrite ?Da, ?Dv; field.
Qed.

Section Rounds.
Variables (gamma q : R) (median : bool).
Definition centre (i : nat) : R := q * minimiser i.
(** At a e_0 the gradient is a in every coordinate, less q in coordinate 0. *)
Lemma gradient_is w a i : (forall j, (j < 7)%nat -> w j = a * e_0 j) -> (i < 7)%nat ->
  gradient hash_G H_G centre w i = a - q * e_0 i.
Proof.
  intros Hw Hi. unfold gradient, centre. change (d hash_G) with 7%nat.
  rewrite (sum_ext 7 _ (fun j => H_G i j * (a * e_0 j - q * minimiser j))) by (intros j Hj; now rewrite Hw).
  destruct i as [|[|[|[|[|[|[|i]]]]]]]; try lia; unfold H_G, minimiser, e_0; simpl; ring.
Qed.
Lemma round_of_shape s w a v : shape s a v -> (forall j, (j < 7)%nat -> w j = a * e_0 j) ->
  shape (fun j c => s j c - gamma * sketch_of hash_G (gradient hash_G H_G centre w) j c)
        (a + gamma * (a + q)) (v - gamma * a).
Proof.
  intros H Hw j Hj. destruct (H j Hj) as [I0 [I1 [I2 [I3 I4]]]]. rewrite I0, I1, I2, I3, I4.
  assert (Hk : forall c, sketch_of hash_G (gradient hash_G H_G centre w) j c =
    sum 7 (fun i => if Nat.eqb (bucket hash_G j i) c then sign hash_G j i * (a - q * e_0 i) else 0)).
  { intro c. apply sum_ext; intros i Hi. now rewrite (gradient_is w a i Hw Hi). }
  rewrite !Hk. destruct (three_rows j Hj) as [-> | [-> | ->]]; unfold e_0; simpl; repeat split; ring.
Qed.

(** a_t and v_t, and the two facts about them that depend on the start *)
Variables (a v : nat -> R) (start : cells).
Hypothesis a_next : forall t, a (S t) = a t + gamma * (a t + q).
Hypothesis v_next : forall t, v (S t) = v t - gamma * a t.
Hypothesis started : shape start (a 0%nat) (v 0%nat).
Hypothesis always_decided : forall t, decided (a t) (v t).
Let run := fps_run hash_G 1 gamma H_G centre start (readout_G median).
Lemma broadcast_of_shape s w t : run s w -> shape (s t) (a t) (v t) -> forall i, (i < 7)%nat ->
  w t i = a t * e_0 i.
Proof.
  intros [_ [[P Hw] _]] H i Hi. destruct (Hw t) as [HP HW]. change (d hash_G) with 7%nat in *.
  destruct (read_of_shape median _ _ _ H (always_decided t)) as [F0 F]. rewrite HW by auto. unfold restrict.
  destruct F as [F|F].
  - rewrite F by auto. assert (a t = 0) by (rewrite <- F0; apply F; lia). rewrite H0. ring.
  - rewrite (top_one (P t) _ HP) by (auto; intros j Hj; rewrite F0; now apply F).
    destruct i as [|i]; cbn [Nat.eqb e_0]; [rewrite F0|]; unfold ind; ring.
Qed.
Lemma shape_of_run s w : run s w -> forall t, shape (s t) (a t) (v t).
Proof.
  intros Hr t. induction t as [|t IH].
  - intros j Hj. destruct Hr as [H0 _]. rewrite !H0. now apply started.
  - pose proof (round_of_shape _ _ _ _ IH (broadcast_of_shape s w t Hr IH)) as H.
    destruct Hr as [_ [_ Hs]]. intros j Hj. rewrite !Hs, a_next, v_next. now apply H.
Qed.
Lemma run_exists : exists s w, run s w.
Proof.
  set (w := fun (x : cells) i => ind (Nat.eqb i 0) * readout_G median x i).
  set (s := fix s t := match t with O => start | S n =>
    fun j c => s n j c - gamma * sketch_of hash_G (gradient hash_G H_G centre (w (s n))) j c end).
  assert (HS : forall t, shape (s t) (a t) (v t)).
  { induction t as [|t IH]; [exact started|]. rewrite a_next, v_next.
    apply (round_of_shape (s t) (w (s t))); auto.
    intros j Hj. destruct (read_of_shape median _ _ _ IH (always_decided t)) as [F0 _].
    unfold w. destruct j as [|j]; cbn [Nat.eqb e_0]; [rewrite F0|]; unfold ind; ring. }
  exists s, (fun t => w (s t)). split; [reflexivity|split; [|reflexivity]].
  exists (fun _ i => Nat.eqb i 0). intros t. split; [split|reflexivity].
  - unfold size, ind; simpl; ring.
  - intros i j Hi Hj Ei Ej. apply Nat.eqb_eq in Ei. apply Nat.eqb_neq in Ej. subst i.
    change (d hash_G) with 7%nat in *.
    destruct (read_of_shape median _ _ _ (HS t) (always_decided t)) as [F0 [F|F]].
    + rewrite !F by auto. lra.
    + left. rewrite F0. apply F. lia.
Qed.
Lemma conclusion : (exists s w, run s w) /\
  forall s w, run s w -> forall t i, (i < 7)%nat -> w t i = a t * e_0 i.
Proof.
  split; [apply run_exists|]. intros s w Hr t. apply (broadcast_of_shape s w t Hr), (shape_of_run s w Hr).
Qed.
End Rounds.

(** A run depends on the minimiser only through its coordinates. *)
Lemma run_ext h k gamma H c c' start read s w : (forall i, c i = c' i) ->
  fps_run h k gamma H c start read s w -> fps_run h k gamma H c' start read s w.
Proof.
  intros E [H0 [H1 H2]]. split; [auto|split; [auto|]]. intros t j l. rewrite H2. do 2 f_equal.
  apply sum_ext; intros i _. destruct (Nat.eqb _ _); [|reflexivity]. f_equal. apply sum_ext; intros.
  now rewrite E.
Qed.

Theorem problem_g_is_strongly_convex : Problem_G_Is_Strongly_Convex.
Proof.
  split; [split; [simpl; lia|]|split; [|apply positive_definite]].
  - intros j i Hj Hi. change (J hash_G) with 3%nat in Hj. change (d hash_G) with 7%nat in Hi.
    destruct (three_rows j Hj) as [-> | [-> | ->]]; destruct i as [|[|[|[|[|[|[|i]]]]]]]; try lia;
      (split; [simpl; lia|simpl; auto]).
  - intros [|i] [|j]; simpl; auto. rewrite Nat.eqb_sym. reflexivity.
Qed.
Theorem proposition_g : Proposition_G.
Proof.
  intros gamma median Hg. set (a := fun t => (1 + gamma) ^ t).
  assert (Ha : forall t, 1 <= a t) by (intro t; apply pow_R1_Rle; lra).
  assert (E : forall i, centre 0 i = origin i) by (intro; unfold centre, origin; ring).
  destruct (conclusion gamma 0 median a (fun t => 1 - a t) (sketch_of hash_G e_0)) as [[s [w Hr]] H].
  - intro t. unfold a. simpl. ring.
  - intro t. unfold a. simpl. ring.
  - intros j Hj. unfold sketch_of, e_0, a.
    destruct (three_rows j Hj) as [-> | [-> | ->]]; simpl; repeat split; ring.
  - intro t. left. pose proof (Ha t). lra.
  - split; [exists s, w; now apply (run_ext _ _ _ _ _ _ _ _ _ _ E)|].
    intros s' w' Hr'. apply (H s' w'). now apply (run_ext _ _ _ _ origin).
Qed.
Theorem proposition_g_from_empty : Proposition_G_From_Empty.
Proof.
  intros gamma median Hg. set (a := fun t => (1 + gamma) ^ t - 1).
  assert (Ha : forall t, gamma * INR t <= a t).
  { intro t. unfold a. pose proof (poly t gamma Hg). lra. }
  assert (E : forall i, centre 1 i = minimiser i) by (intro; unfold centre; ring).
  destruct (conclusion gamma 1 median a (fun t => gamma * INR t - a t) empty) as [[s [w Hr]] H].
  - intro t. unfold a. simpl. ring.
  - intro t. rewrite S_INR. unfold a. simpl. ring.
  - intros j Hj. unfold empty, a. simpl. repeat split; ring.
  - intro t. pose proof (Ha t). destruct t as [|t]; [right; unfold a; simpl; split; ring|left].
    assert (0 < INR (S t)) by (apply lt_0_INR; lia). assert (0 < gamma * INR (S t)) by nra. lra.
  - split; [exists s, w; now apply (run_ext _ _ _ _ _ _ _ _ _ _ E)|].
    intros s' w' Hr'. apply (H s' w'). now apply (run_ext _ _ _ _ minimiser).
Qed.
