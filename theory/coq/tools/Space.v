(** * Real spaces with an inner product

    A [space] has vectors, sums, multiples and an inner product that is symmetric, linear and not negative.
    Nothing else is asked for: no completeness, no dimension, and not even that [⟨x,x⟩ = 0] forces [x = 0].
    R^d is one ([Rd]); square-integrable random vectors are another (file Mean.v). *)
From Coq Require Import Reals Lra Lia.
From FPS.tools Require Export Sums.
Open Scope R_scope.

Record space := {
  vec :> Type;
  zero : vec;
  add : vec -> vec -> vec;
  scale : R -> vec -> vec;
  inner : vec -> vec -> R;
  inner_sym : forall x y, inner x y = inner y x;
  inner_zero : forall z, inner zero z = 0;
  inner_add : forall x y z, inner (add x y) z = inner x z + inner y z;
  inner_scale : forall a x z, inner (scale a x) z = a * inner x z;
  inner_nonneg : forall x, 0 <= inner x x }.

Arguments zero {_}. Arguments add {_}. Arguments scale {_}. Arguments inner {_}.
Declare Scope vec_scope. Delimit Scope vec_scope with V.
Notation "x + y" := (add x y) : vec_scope.
Notation "a *: x" := (scale a x) (at level 40) : vec_scope.
Notation "x - y" := (add x (scale (-1) y)) : vec_scope.
Notation "⟨ x , y ⟩" := (inner x%V y%V) (at level 0, x at level 99, y at level 99).
(* A norm of more than one word is written with brackets: ‖(x + y)‖. *)
Notation "‖ x ‖²" := (inner x%V x%V) (at level 0, x at level 9).
Definition norm {V : space} (x : V) : R := sqrt (inner x x).
Notation "‖ x ‖" := (norm x%V) (at level 0, x at level 9).

(** Finite sums of vectors *)
Fixpoint vsum {V : space} (n : nat) (X : nat -> V) : V :=
  match n with O => zero | S k => (vsum k X + X k)%V end.

(** ** R^d: coordinates are numbered from 0, those from d on are not looked at *)
Definition Rd (d : nat) : space.
  refine {| vec := nat -> R; zero := fun _ => 0; add := fun x y i => x i + y i;
            scale := fun a x i => a * x i; inner := fun x y => sum d (fun i => x i * y i) |}.
  - intros; apply sum_ext; intros; ring.
  - intros; induction d as [|d IH]; simpl; [ring|rewrite IH; ring].
  - intros; rewrite <- sum_add; apply sum_ext; intros; ring.
  - intros; rewrite <- sum_scale; apply sum_ext; intros; ring.
  - intros; apply sum_nonneg; intros; nra.
Defined.

Section Inequalities.
Variable V : space.
Implicit Types x y z : V.

Lemma inner_zero_r z : ⟨z, zero⟩ = 0.
Proof. rewrite inner_sym; apply inner_zero. Qed.
Lemma inner_add_r x y z : ⟨z, x + y⟩ = ⟨z, x⟩ + ⟨z, y⟩.
Proof. rewrite inner_sym, inner_add, (inner_sym _ x), (inner_sym _ y); ring. Qed.
Lemma inner_scale_r a x z : ⟨z, a *: x⟩ = a * ⟨z, x⟩.
Proof. rewrite inner_sym, inner_scale, (inner_sym _ x); ring. Qed.
Lemma inner_vsum n (X : nat -> V) z : ⟨vsum n X, z⟩ = sum n (fun i => ⟨X i, z⟩).
Proof. induction n as [|n IH]; simpl; [apply inner_zero|rewrite inner_add, IH; ring]. Qed.
Lemma inner_vsum_r n (X : nat -> V) z : ⟨z, vsum n X⟩ = sum n (fun i => ⟨z, X i⟩).
Proof. rewrite inner_sym, inner_vsum; apply sum_ext; intros; apply inner_sym. Qed.

Lemma norm_nonneg x : 0 <= ‖x‖.
Proof. apply sqrt_pos. Qed.
Lemma norm_square x : ‖x‖ * ‖x‖ = ‖x‖².
Proof. apply sqrt_sqrt, inner_nonneg. Qed.
Lemma square_sum x y : ‖(x + y)‖² = ‖x‖² + 2 * ⟨x, y⟩ + ‖y‖².
Proof. rewrite inner_add, !inner_add_r, (inner_sym _ y x); ring. Qed.
Lemma square_scale a x : ‖(a *: x)‖² = a * a * ‖x‖².
Proof. rewrite inner_scale, inner_scale_r; ring. Qed.

(** Cauchy-Schwarz: the square of x + t y is not negative, for every t. *)
Lemma cauchy_schwarz_square x y : ⟨x, y⟩ * ⟨x, y⟩ <= ‖x‖² * ‖y‖².
Proof.
  assert (H : forall t, 0 <= ‖x‖² + 2 * t * ⟨x, y⟩ + t * t * ‖y‖²).
  { intros t. generalize (inner_nonneg _ (x + t *: y)%V).
    rewrite square_sum, square_scale, inner_scale_r; lra. }
  set (a := ‖x‖²) in *; set (c := ‖y‖²) in *; set (b := ⟨x, y⟩) in *.
  destruct (inner_nonneg _ y) as [Hc|Hc]; fold c in Hc.
  - specialize (H (- b / c)).
    replace (a + 2 * (- b / c) * b + - b / c * (- b / c) * c) with ((a * c - b * b) / c) in H by (field; lra).
    apply Rmult_le_compat_r with (r := c) in H; [|lra].
    replace ((a * c - b * b) / c * c) with (a * c - b * b) in H by (field; lra). lra.
  - rewrite <- Hc in *. destruct (Req_dec b 0) as [->|Hb]; [lra|].
    specialize (H (- (a + 1) / (2 * b))).
    replace (a + 2 * (- (a + 1) / (2 * b)) * b + - (a + 1) / (2 * b) * (- (a + 1) / (2 * b)) * 0)
      with (-1) in H by (field; lra). lra.
Qed.
Lemma cauchy_schwarz x y : Rabs ⟨x, y⟩ <= ‖x‖ * ‖y‖.
Proof.
  apply square_le; [apply Rmult_le_pos; apply norm_nonneg|].
  rewrite <- Rabs_mult, Rabs_pos_eq by nra.
  replace (‖x‖ * ‖y‖ * (‖x‖ * ‖y‖)) with (‖x‖ * ‖x‖ * (‖y‖ * ‖y‖)) by ring.
  rewrite !norm_square; apply cauchy_schwarz_square.
Qed.
Lemma inner_le x y : ⟨x, y⟩ <= ‖x‖ * ‖y‖.
Proof. generalize (cauchy_schwarz x y) (Rle_abs ⟨x, y⟩); lra. Qed.
Lemma inner_ge x y : - (‖x‖ * ‖y‖) <= ⟨x, y⟩.
Proof. generalize (cauchy_schwarz x y) (Rle_abs (- ⟨x, y⟩)); rewrite Rabs_Ropp; lra. Qed.

Lemma minkowski x y : ‖(x + y)‖ <= ‖x‖ + ‖y‖.
Proof.
  generalize (norm_nonneg x) (norm_nonneg y) (inner_le x y); intros.
  apply square_le; [lra|]. rewrite norm_square, square_sum, <- !norm_square; nra.
Qed.
Lemma norm_scale a x : ‖(a *: x)‖ = Rabs a * ‖x‖.
Proof.
  unfold norm; rewrite square_scale, sqrt_mult; [|nra|apply inner_nonneg].
  now rewrite <- (sqrt_Rsqr_abs a).
Qed.
Lemma norm_scale_pos a x : 0 <= a -> ‖(a *: x)‖ = a * ‖x‖.
Proof. intros; rewrite norm_scale, Rabs_pos_eq; auto. Qed.
Lemma norm_opp x : ‖((-1) *: x)‖ = ‖x‖.
Proof. rewrite norm_scale, Rabs_left by lra; ring. Qed.
Lemma norm_zero : ‖(zero : V)‖ = 0.
Proof. unfold norm; rewrite inner_zero; apply sqrt_0. Qed.
Lemma minkowski_vsum n (X : nat -> V) : ‖(vsum n X)‖ <= sum n (fun i => ‖(X i)‖).
Proof.
  induction n as [|n IH]; simpl; [rewrite norm_zero; lra|].
  generalize (minkowski (vsum n X) (X n)); lra.
Qed.
Lemma young x y s : 0 < s -> ‖(x + y)‖² <= (1 + s) * ‖x‖² + (1 + / s) * ‖y‖².
Proof.
  intros Hs. rewrite square_sum.
  generalize (inner_nonneg _ (s *: x - y)%V).
  rewrite square_sum, !square_scale, inner_scale, inner_scale_r; intros H.
  assert (2 * ⟨x, y⟩ <= s * ‖x‖² + / s * ‖y‖²); [|lra].
  apply Rmult_le_reg_l with s; [lra|]. field_simplify; lra.
Qed.

(** ** Two vectors that no inner product tells apart *)
Definition same x y := forall z, ⟨x, z⟩ = ⟨y, z⟩.
Lemma same_square x y : same x y -> ‖x‖² = ‖y‖².
Proof. intros H; rewrite (H x), inner_sym, (H y); reflexivity. Qed.
Lemma same_norm x y : same x y -> ‖x‖ = ‖y‖.
Proof. intros H; unfold norm; now rewrite (same_square _ _ H). Qed.
Lemma same_refl x : same x x. Proof. now intro. Qed.
End Inequalities.

Arguments same {V}.
(** Inner products of sums and multiples, written out. *)
Ltac expand :=
  repeat (rewrite inner_add || rewrite inner_add_r || rewrite inner_scale || rewrite inner_scale_r ||
          rewrite inner_zero || rewrite inner_zero_r).
