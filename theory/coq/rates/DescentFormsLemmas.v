(** * The core of the descent theorem: averages over devices of letters in one space

    Letters of device m are vectors u m p. The mean ū and the deviations u m − ū are parts S and D. *)
From Coq Require Import Reals Lra Lia Arith Bool.
From FPS.tools Require Import Smooth.
From FPS.rates Require Import Forms QuadraticLemmas.
Open Scope R_scope.

(** ** The two forms are quadratic *)
Section FormsAreQuadratic.
Variables (k : numbers) (a : multipliers).
Local Notation n := (letters k).
Lemma linear_moved e : (e <= Es k)%nat -> linear n (fun V u => moved k u e).
Proof.
  induction e as [|e IH]; intros He; cbn [moved]; [apply linear_zero|].
  apply (linear_add n (fun V u => (1 - gamma k * mu k) *: moved k u e)%V); apply linear_scale; [apply IH;
    lia|].
  unfold letters in *. apply linear_scale, linear_add; [apply linear_add|]; apply linear_letter;
    unfold letters; lia.
Qed.
Lemma linear_point_S i : (i <= Es k)%nat -> linear n (fun V u => point_S k u i).
Proof. apply linear_moved. Qed.
Lemma linear_point_D i : (i <= Es k)%nat -> linear n (fun V u => point_D k u i).
Proof. intros Hi. unfold point_D. destruct (i <? Es k); [now apply linear_moved|apply linear_zero]. Qed.
Lemma linear_difference A A' : linear n A -> linear n A' -> linear n (fun V u => A V u - A' V u)%V.
Proof. intros. apply linear_add; [|apply linear_scale]; auto. Qed.
Lemma quadratic_gaps (point : forall V : space, (nat -> V) -> nat -> V) :
  (forall i, (i <= Es k)%nat -> linear n (fun V u => point V u i)) ->
    quadratic n (fun V u => gaps k a (point V) u).
Proof.
  intros H. unfold gaps. apply (quadratic_sum n _ (fun i V u => sum (S (Es k)) (fun j => _))); intros i Hi.
  apply (quadratic_sum n _ (fun j V u => _ * _)); intros j Hj.
  assert (Li := H i ltac:(lia)). assert (Lj := H j ltac:(lia)).
  pose proof (linear_difference _ _ Li Lj) as Lx.
  assert (Gi : linear n (fun V u => u i)) by (apply linear_letter; unfold letters; lia).
  assert (Gj : linear n (fun V u => u j)) by (apply linear_letter; unfold letters; lia).
  pose proof (linear_difference _ _ Gi Gj) as Lg.
  apply quadratic_scale. unfold gap.
  apply (quadratic_add n (fun V u => ⟨u j, point V u i - point V u j⟩)); [now apply quadratic_inner|].
  apply (quadratic_same n (fun V u => / (2 * (1 + theta k)) * (/ L k * ‖(u i - u j)‖²
    + (- (theta k * L k)) * ‖(point V u i - point V u j)‖² + 2 * theta k * ⟨u i - u j,
        point V u i - point V u j⟩))).
  { intros. unfold Rdiv. ring. }
  apply quadratic_scale, quadratic_add; [apply quadratic_add|]; apply quadratic_scale;
    now apply quadratic_inner.
Qed.
Lemma quadratic_products w : quadratic n (fun V u => products k w u).
Proof.
  unfold products. apply (quadratic_sum n _ (fun e V u => sum n (fun p => _))); intros e He.
  apply (quadratic_sum n _ (fun p V u => _ * _)); intros p Hp. apply quadratic_scale.
  apply (quadratic_inner n (fun V u => noise k u e) (fun V u => u p)); apply linear_letter;
    unfold letters in *; lia.
Qed.
Lemma quadratic_square p : (p < n)%nat -> quadratic n (fun V u => ‖(u p)‖²).
Proof. intros. apply (quadratic_inner n (fun V u => u p) (fun V u => u p)); now apply linear_letter. Qed.
Lemma quadratic_excess : quadratic n (fun V u => excess k a u).
Proof.
  unfold excess. apply (quadratic_sum n _ (fun e V u => _ + _)); intros e He.
  assert (H : forall p s, (p < n)%nat -> quadratic n (fun V u => ‖(u p)‖² - s * ‖(u e)‖²)).
  { intros p s Hp. apply (quadratic_same n (fun V u => ‖(u p)‖² + (- s) * ‖(u e)‖²)); [intros; ring|].
    apply quadratic_add; [|apply quadratic_scale]; apply quadratic_square; unfold letters in *; lia. }
  apply (quadratic_add n (fun V u => tau a e * _)); apply quadratic_scale; apply H; unfold letters; lia.
Qed.
Ltac split_sums := repeat match goal with
  | |- quadratic _ (fun V u => @?A V u + @?A' V u) => apply (quadratic_add _ A A')
  | |- quadratic _ (fun V u => ?s * @?A V u) => apply (quadratic_scale _ s A) end.
Lemma quadratic_form_S : quadratic n (fun V u => form_S k a u).
Proof.
  apply (quadratic_same n (fun V u => - c a * ‖(u O)‖² + (gaps k a (point_S k) u +
    ((- (B k ^ 2 - 1)) * (eta_0 a * ‖(u O)‖² + eta_plus a * ‖(u (Es k))‖²) + (excess k a u
    + ((-1) * products k (own_at k a) u + (-1) * products k (fun e p => cross_at k a e p * (1 - share k e p))
        u)))))).
  { intros. unfold form_S. ring. }
  split_sums.
  - apply quadratic_square; unfold letters; lia.
  - apply (quadratic_gaps (fun V => @point_S k V)), linear_point_S.
  - apply quadratic_square; unfold letters; lia.
  - apply quadratic_square; unfold letters; lia.
  - apply quadratic_excess.
  - apply quadratic_products.
  - apply quadratic_products.
Qed.
Lemma quadratic_form_D : quadratic n (fun V u => form_D k a u).
Proof.
  apply (quadratic_same n (fun V u => gaps k a (point_D k) u + ((eta_0 a * ‖(u O)‖² + eta_plus a * ‖(u (Es
    k))‖²)
    + (excess k a u + ((-1) * products k (own_at k a) u + products k (fun e p => cross_at k a e p * share k e
        p) u))))).
  { intros. unfold form_D. ring. }
  split_sums.
  - apply (quadratic_gaps (fun V => @point_D k V)), linear_point_D.
  - apply quadratic_square; unfold letters; lia.
  - apply quadratic_square; unfold letters; lia.
  - apply quadratic_excess.
  - apply quadratic_products.
  - apply quadratic_products.
Qed.

(** A form that is never negative on real letters with absent ones set to 0 is never negative on vectors whose
    absent letters are 0. *)
Lemma masked_psd Q (V : space) (u : nat -> V) : quadratic n Q ->
  (forall t : nat -> line, 0 <= Q line (masked k t)) ->
  (forall p, (p < n)%nat -> present k p = false -> same (u p) zero) -> 0 <= Q V u.
Proof.
  intros [m Hm] H absent. rewrite Hm.
  set (one p := if present k p then 1 else 0).
  assert (R1 : forall (W : space) (t : nat -> W) p q, (p < n)%nat -> (q < n)%nat ->
    gram (masked k t) p q = one p * one q * gram t p q).
  { intros W t p q Hp Hq. unfold gram, masked, one.
    destruct (present k p), (present k q); rewrite ?inner_zero, ?inner_zero_r; ring. }
  assert (R2 : forall p q, (p < n)%nat -> (q < n)%nat -> gram u p q = one p * one q * gram u p q).
  { intros p q Hp Hq. unfold gram, one. destruct (present k p) eqn:Ep, (present k q) eqn:Eq; try ring.
    - rewrite (inner_sym _ (u p)), (absent q Hq Eq), inner_zero. ring.
    - rewrite (absent p Hp Ep), inner_zero. ring.
    - rewrite (absent p Hp Ep), inner_zero. ring. }
  rewrite (quad_ext n m (fun p q => m p q * (one p * one q)) (gram u) (gram u)).
  2:{ intros. rewrite (R2 p q) at 1 by auto. ring. }
  apply psd_vectors. intros t. specialize (H t). rewrite Hm in H.
  erewrite quad_ext; [exact H|]. intros. rewrite R1 by auto. ring.
Qed.
End FormsAreQuadratic.

(** ** Means and deviations *)
Section Split.
Variables (W : space) (M : nat) (some : (0 < M)%nat).
(** p m ~ pS + pD m and the pD have mean 0 *)
Definition splits (p : nat -> W) (pS : W) (pD : nat -> W) : Prop :=
  (forall m z, (m < M)%nat -> ⟨p m, z⟩ = ⟨pS, z⟩ + ⟨pD m, z⟩) /\ forall z, avg M (fun m => ⟨pD m, z⟩) = 0.
Lemma avg_inner_split p pS pD q qS qD : splits p pS pD -> splits q qS qD ->
  avg M (fun m => ⟨p m, q m⟩) = ⟨pS, qS⟩ + avg M (fun m => ⟨pD m, qD m⟩).
Proof.
  intros [Hp Zp] [Hq Zq].
  rewrite (avg_ext M _ (fun m => ⟨pS, qS⟩ + ⟨pD m, qS⟩ + (⟨qD m, pS⟩ + ⟨pD m, qD m⟩))).
  - rewrite !avg_add, Zp, Zq, avg_const by auto. ring.
  - intros m Hm. rewrite Hp, (inner_sym _ pS), (inner_sym _ (pD m) (q m)), !Hq by auto.
    rewrite (inner_sym _ qS), (inner_sym _ qS (pD m)), (inner_sym _ (qD m) (pD m)). ring.
Qed.
Lemma splits_add p pS pD q qS qD : splits p pS pD -> splits q qS qD ->
  splits (fun m => p m + q m)%V (pS + qS)%V (fun m => pD m + qD m)%V.
Proof.
  intros [Hp Zp] [Hq Zq]. split.
  - intros m z Hm. rewrite !inner_add, Hp, Hq by auto. ring.
  - intros z. rewrite (avg_ext M _ (fun m => ⟨pD m, z⟩ + ⟨qD m, z⟩)) by (intros; apply inner_add).
    rewrite avg_add, Zp, Zq. ring.
Qed.
Lemma splits_scale s p pS pD : splits p pS pD -> splits (fun m => s *: p m)%V (s *: pS)%V (fun m => s *: pD
  m)%V.
Proof.
  intros [Hp Zp]. split.
  - intros m z Hm. rewrite !inner_scale, Hp by auto. ring.
  - intros z. rewrite (avg_ext M _ (fun m => s * ⟨pD m, z⟩)) by (intros; apply inner_scale).
    rewrite avg_scale, Zp. ring.
Qed.
Lemma splits_constant x : splits (fun _ => x) x (fun _ => zero).
Proof.
  split; [intros; rewrite inner_zero; ring|]. intros z. rewrite (avg_ext M _ (fun _ => 0)) by (intros;
    apply inner_zero).
  now apply avg_const.
Qed.
Lemma gap_split th L xi xiS xiD xj xjS xjD gi giS giD gj gjS gjD :
  splits xi xiS xiD -> splits xj xjS xjD -> splits gi giS giD -> splits gj gjS gjD ->
  avg M (fun m => gap th L (xi m) (xj m) (gi m) (gj m)) =
  gap th L xiS xjS giS gjS + avg M (fun m => gap th L (xiD m) (xjD m) (giD m) (gjD m)).
Proof.
  intros Hxi Hxj Hgi Hgj.
  pose proof (splits_add _ _ _ _ _ _ Hxi (splits_scale (-1) _ _ _ Hxj)) as Hx.
  pose proof (splits_add _ _ _ _ _ _ Hgi (splits_scale (-1) _ _ _ Hgj)) as Hg. cbv beta in Hx, Hg.
  set (s := / (2 * (1 + th))).
  assert (G : forall xi xj gi gj : nat -> W, avg M (fun m => gap th L (xi m) (xj m) (gi m) (gj m)) =
    avg M (fun m => ⟨gj m, xi m - xj m⟩) + s * (/ L * avg M (fun m => ‖(gi m - gj m)‖²)
    + (- (th * L)) * avg M (fun m => ‖(xi m - xj m)‖²) + 2 * th * avg M (fun m => ⟨gi m - gj m,
        xi m - xj m⟩))).
  { intros. rewrite <- !avg_scale, <- !avg_add, <- avg_scale, <- avg_add. apply avg_ext; intros.
    unfold gap, s, Rdiv. ring. }
  rewrite !G. rewrite (avg_inner_split _ _ _ _ _ _ Hgj Hx), (avg_inner_split _ _ _ _ _ _ Hg Hg),
    (avg_inner_split _ _ _ _ _ _ Hx Hx), (avg_inner_split _ _ _ _ _ _ Hg Hx).
  unfold gap, s, Rdiv. ring.
Qed.
End Split.

Section Core.
Variables (k : numbers) (a : multipliers).
Hypothesis cert : certificate k a.
Variables (W : space) (M : nat) (some : (0 < M)%nat) (u : nat -> nat -> W).
Definition middle (p : nat) : W := vmean M (fun m => u m p).
Definition deviation (m p : nat) : W := (u m p - middle p)%V.
(** The points of device m, relative to x: its own ones, and x₊ *)
Definition node (m i : nat) : W := if i <? Es k then moved k (u m) i else moved k middle i.

Lemma letter_splits p : splits W M (fun m => u m p) (middle p) (fun m => deviation m p).
Proof.
  split.
  - intros m z _. unfold deviation. rewrite inner_add, inner_scale. ring.
  - intros z. unfold deviation.
    rewrite (avg_ext M _ (fun m => ⟨u m p, z⟩ + (- ⟨middle p, z⟩))) by (intros;
      rewrite inner_add, inner_scale; ring).
    rewrite avg_add, avg_const by auto. unfold middle at 1. rewrite inner_vmean. ring.
Qed.
Lemma moved_splits e : splits W M (fun m => moved k (u m) e) (moved k middle e) (fun m => moved k (deviation
  m) e).
Proof.
  induction e as [|e IH]; cbn [moved]; [now apply splits_constant|].
  apply (splits_add W M (fun m => (1 - gamma k * mu k) *: moved k (u m) e)%V); [now apply splits_scale|].
  apply splits_scale, splits_scale. unfold bias, noise.
  apply (splits_add W M (fun m => u m e + u m (Es k + 1 + e)%nat)%V); [|apply letter_splits].
  apply (splits_add W M (fun m => u m e)); apply letter_splits.
Qed.
Lemma node_splits i : splits W M (fun m => node m i) (point_S k middle i) (fun m => point_D k (deviation m)
  i).
Proof.
  unfold node, point_S, point_D. destruct (i <? Es k); [apply moved_splits|now apply splits_constant].
Qed.
Lemma letters_split p q : avg M (fun m => ⟨u m p, u m q⟩) =
  ⟨middle p, middle q⟩ + avg M (fun m => ⟨deviation m p, deviation m q⟩).
Proof. apply avg_inner_split; auto using letter_splits. Qed.
End Core.
