(** * The interpolation inequality, and the gap of two points seen from a third one *)
From Coq Require Import Reals Lra Lia Arith Bool.
From FPS.tools Require Import Smooth.
From FPS.rates Require Import Forms Descent.
Open Scope R_scope.

(** The upper bound at x and the lower bound at y, both at x − ((g_x−g_y) + θL(x−y)) / (L(1+θ)). *)
Lemma interpolation_inequality : Interpolation.
Proof.
  intros V th L l grad HL Ht H x y. set (s := / (L * (1 + th))).
  assert (Hs : L * (1 + th) * s = 1) by (unfold s; field; split; lra).
  set (d := (x - y)%V). set (g := (grad x - grad y)%V). set (p := (s *: (g + (th * L) *: d))%V).
  destruct (H x (x - p)%V) as [_ Hx]. destruct (H y (x - p)%V) as [Hy _].
  assert (D1 : same (x - p - x)%V ((-1) *: p)%V) by (intro z; expand; ring).
  assert (D2 : same (x - p - y)%V (d - p)%V) by (intro z; unfold d; expand; ring).
  rewrite (same_square _ _ _ D1), (inner_sym _ (grad x)), (D1 (grad x)) in Hx.
  rewrite (same_square _ _ _ D2), (inner_sym _ (grad y)), (D2 (grad y)) in Hy.
  rewrite square_scale, inner_scale in Hx. rewrite square_sum, square_scale, inner_scale_r, inner_add,
    inner_scale in Hy.
  assert (Pg : ⟨p, grad x⟩ - ⟨p, grad y⟩ = ⟨p, g⟩) by (unfold g; expand; ring).
  assert (Pp : ‖p‖² * (L * (1 + th)) = ⟨p, g⟩ + th * L * ⟨d, p⟩).
  { transitivity (L * (1 + th) * s * ⟨p, g + (th * L) *: d⟩).
    - unfold p at 2. rewrite inner_scale_r. ring.
    - rewrite Hs, inner_add_r, inner_scale_r, (inner_sym _ p d). ring. }
  assert (Pq : ⟨p, g⟩ + th * L * ⟨d, p⟩ = s * (‖g‖² + 2 * (th * L) * ⟨g, d⟩ + (th * L) * (th * L) * ‖d‖²)).
  { unfold p. rewrite inner_scale, inner_scale_r, inner_add, inner_add_r, !inner_scale, inner_scale_r,
      (inner_sym _ d g). ring. }
  assert (K : ⟨d, grad y⟩ + (⟨p, g⟩ + th * L * ⟨d, p⟩) / 2 - th * L / 2 * ‖d‖² <= l x - l y) by nra.
  unfold gap. fold d g. rewrite (inner_sym _ (grad y)).
  replace ((‖g‖² / L - th * L * ‖d‖² + 2 * th * ⟨g, d⟩) / (2 * (1 + th))) with
    ((⟨p, g⟩ + th * L * ⟨d, p⟩) / 2 - th * L / 2 * ‖d‖²); [lra|].
  rewrite Pq. unfold s. field. split; lra.
Qed.

(** The gap depends on differences of points only, and only through inner products. *)
Lemma gap_same {V : space} th L (xi xj gi gj yi yj : V) x :
  same yi (xi - x)%V -> same yj (xj - x)%V -> gap th L yi yj gi gj = gap th L xi xj gi gj.
Proof.
  intros Hi Hj. assert (D : same (yi - yj)%V (xi - xj)%V).
  { intro z. rewrite inner_add, inner_scale, (Hi z), (Hj z). expand. ring. }
  assert (D' : forall z, ⟨z, yi - yj⟩ = ⟨z, xi - xj⟩) by (intro z; rewrite !(inner_sym _ z); apply D).
  unfold gap. now rewrite (same_square _ _ _ D), !D'.
Qed.

(** Points relative to x follow the recursion of the letters. *)
Lemma moved_same (k : numbers) {V : space} (u : nat -> V) (w : nat -> V) (x : V) :
  (forall z, ⟨w O, z⟩ = ⟨x, z⟩) ->
  (forall e, (e < Es k)%nat -> same (w (S e))
     (w e - gamma k *: ((u e + bias k u e + noise k u e) + mu k *: (w e - x)))%V) ->
  forall e, (e <= Es k)%nat -> same (moved k u e) (w e - x)%V.
Proof.
  intros H0 H. induction e as [|e IH]; intros He z; cbn [moved].
  - rewrite inner_zero, inner_add, inner_scale, H0. ring.
  - rewrite inner_add, !inner_scale, (IH ltac:(lia) z), !inner_add, (H e ltac:(lia) z). expand. ring.
Qed.
