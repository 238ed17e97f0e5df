(** * QuadraticLemmas forms: what holds for letters that are numbers holds for letters that are vectors *)
From Coq Require Import Reals Lra Lia.
From FPS.tools Require Import Smooth.
From FPS.rates Require Import Forms.
Open Scope R_scope.

Definition quad (n : nat) (m : nat -> nat -> R) (ip : nat -> nat -> R) : R :=
  sum n (fun p => sum n (fun q => m p q * ip p q)).
Definition gram {V : space} (u : nat -> V) (p q : nat) : R := ⟨u p, u q⟩.

Lemma quad_ext n m m' ip ip' :
  (forall p q, (p < n)%nat -> (q < n)%nat -> m p q * ip p q = m' p q * ip' p q) -> quad n m ip =
    quad n m' ip'.
Proof. intros H. apply sum_ext; intros p Hp. apply sum_ext; intros q Hq. auto. Qed.
Lemma quad_add n m m' ip : quad n (fun p q => m p q + m' p q) ip = quad n m ip + quad n m' ip.
Proof.
  unfold quad. rewrite <- sum_add. apply sum_ext; intros. rewrite <- sum_add. apply sum_ext; intros; ring.
Qed.
Lemma quad_add_ip n m ip ip' : quad n m (fun p q => ip p q + ip' p q) = quad n m ip + quad n m ip'.
Proof.
  unfold quad. rewrite <- sum_add. apply sum_ext; intros. rewrite <- sum_add. apply sum_ext; intros; ring.
Qed.
Lemma quad_scale n s m ip : quad n (fun p q => s * m p q) ip = s * quad n m ip.
Proof.
  unfold quad. rewrite <- sum_scale. apply sum_ext; intros. rewrite <- sum_scale. apply sum_ext; intros; ring.
Qed.
Lemma quad_sym n m ip : (forall p q, ip p q = ip q p) -> quad n (fun p q => m q p) ip = quad n m ip.
Proof.
  intros H. unfold quad. rewrite sum_swap. apply sum_ext; intros. apply sum_ext; intros. now rewrite H.
Qed.
Lemma quad_product n (a b : nat -> R) ip :
  quad n (fun p q => a p * b q) ip = sum n (fun p => a p * sum n (fun q => b q * ip p q)).
Proof. apply sum_ext; intros. rewrite <- sum_scale. apply sum_ext; intros; ring. Qed.
Lemma gram_sym {V : space} (u : nat -> V) p q : gram u p q = gram u q p.
Proof. apply inner_sym. Qed.

(** The last letter, split off *)
Lemma quad_last n m ip : (forall p q, m p q = m q p) -> (forall p q, ip p q = ip q p) ->
  quad (S n) m ip = quad n m ip + 2 * sum n (fun p => m p n * ip p n) + m n n * ip n n.
Proof.
  intros Hm Hi. unfold quad. cbn [sum]. rewrite sum_add.
  rewrite (sum_ext n (fun q => m n q * ip n q) (fun p => m p n * ip p n)) by (intros; now rewrite Hm, Hi).
  ring.
Qed.

(** A square completed with a positive pivot *)
Section Pivot.
Variables (n : nat) (m : nat -> nat -> R).
Hypothesis sym : forall p q, m p q = m q p.
Hypothesis pos : 0 < m n n.
Definition rest (p q : nat) : R := m p q - m p n / m n n * m q n.
Definition root {V : space} (u : nat -> V) : V := (u n + vsum n (fun p => (m p n / m n n) *: u p))%V.
Lemma complete_square {V : space} (u : nat -> V) :
  quad (S n) m (gram u) = m n n * ‖(root u)‖² + quad n rest (gram u).
Proof.
  rewrite (quad_last n m (gram u) sym (gram_sym u)). unfold root. rewrite square_sum.
  rewrite inner_vsum_r, inner_vsum.
  rewrite (sum_ext n (fun i => ⟨u n, (m i n / m n n) *: u i⟩) (fun p => / m n n * (m p n * gram u p n))).
  2:{ intros p _. rewrite inner_scale_r. unfold gram. rewrite (inner_sym _ (u n)). field. lra. }
  rewrite sum_scale.
  rewrite (sum_ext n (fun i => ⟨(m i n / m n n) *: u i, _⟩)
    (fun p => m p n / m n n * sum n (fun q => m q n / m n n * gram u p q))).
  2:{ intros p _. rewrite inner_scale, inner_vsum_r. f_equal. apply sum_ext; intros. apply inner_scale_r. }
  rewrite <- quad_product.
  rewrite (quad_ext n rest (fun p q => m p q + (- m n n) * (m p n / m n n * (m q n / m n n))) (gram u) (gram
    u)).
  2:{ intros; unfold rest. field. lra. }
  rewrite quad_add, quad_scale. change (gram u n n) with ‖(u n)‖². field. lra.
Qed.
End Pivot.

Lemma strict_vectors n : forall m eps, 0 < eps -> (forall p q, m p q = m q p) ->
  (forall t : nat -> line, eps * sum n (fun p => gram t p p) <= quad n m (gram t)) ->
  forall (V : space) (u : nat -> V), 0 <= quad n m (gram u).
Proof.
  induction n as [|n IH]; intros m eps He sym H V u; [unfold quad; simpl; lra|].
  assert (pos : 0 < m n n).
  { set (t := (fun p => if Nat.eqb p n then 1 else 0) : nat -> line). specialize (H t).
    assert (Z : forall p q, (p < n)%nat -> gram t p q = 0).
    { intros p q Hp. unfold gram, t. replace (Nat.eqb p n) with false by (symmetry; apply Nat.eqb_neq; lia).
      apply Rmult_0_l. }
    assert (N : gram t n n = 1) by (unfold gram, t; rewrite Nat.eqb_refl; apply Rmult_1_l).
    rewrite (quad_last n m _ sym (gram_sym _)) in H. cbn [sum] in H. rewrite N in H.
    rewrite (sum_ext n (fun p => gram t p p) (fun _ => 0)) in H by auto.
    rewrite (sum_ext n (fun p => m p n * gram t p n) (fun _ => 0)) in H by (intros p Hp; rewrite Z;
      [ring|auto]).
    rewrite (quad_ext n m (fun _ _ => 0) (gram t) (gram t)) in H by (intros; rewrite Z; [ring|auto]).
    replace (quad n (fun _ _ => 0) (gram t)) with 0 in H; [rewrite !sum_const in H; lra|].
    transitivity (0 * quad n m (gram t)); [ring|]. rewrite <- quad_scale. apply quad_ext; intros; ring. }
  rewrite (complete_square n m sym pos u).
  assert (0 <= quad n (rest n m) (gram u)).
  { apply (IH (rest n m) eps He).
    - intros p q. unfold rest. rewrite (sym p q). unfold Rdiv. ring.
    - intros t. set (s := (fun p => if Nat.eqb p n then - sum n (fun q => m q n / m n n * t q) else t p) :
        nat -> line).
      assert (Z : forall p, (p < n)%nat -> s p = t p).
      { intros p Hp. unfold s. replace (Nat.eqb p n) with false; auto. symmetry; apply Nat.eqb_neq; lia. }
      specialize (H s). rewrite (complete_square n m sym pos s) in H. cbn [sum] in H.
      assert (R0 : ‖(root n m s)‖² = 0).
      { assert (root n m s = 0); [|rewrite H0; simpl; ring]. unfold root.
        assert (vsum n (fun p => (m p n / m n n) *: s p)%V = sum n (fun q => m q n / m n n * t q)) as ->.
        { clear -Z. assert (G : forall j, (j <= n)%nat -> vsum j (fun p => (m p n / m n n) *: s p)%V =
            sum j (fun q => m q n / m n n * t q)); [|now apply G].
          induction j as [|j IH]; intros Hj; [reflexivity|]. cbn [vsum sum]. rewrite IH, Z by lia.
          reflexivity. }
        unfold s at 1. rewrite Nat.eqb_refl. simpl. ring. }
      rewrite R0 in H.
      rewrite (quad_ext n (rest n m) (rest n m) (gram s) (gram t)) in H
        by (intros; unfold gram; now rewrite !Z).
      rewrite (sum_ext n _ (fun p => gram t p p)) in H by (intros; unfold gram; now rewrite !Z).
      pose proof (inner_nonneg line (s n)). unfold gram in H at 2. nra. }
  pose proof (inner_nonneg V (root n m u)). nra.
Qed.

(** A form that is never negative on real letters is never negative on vectors. *)
Lemma psd_vectors n m : (forall t : nat -> line, 0 <= quad n m (gram t)) ->
  forall (V : space) (u : nat -> V), 0 <= quad n m (gram u).
Proof.
  intros H V u. apply Rnot_lt_le. intros Neg.
  set (N := sum n (fun p => gram u p p)).
  assert (HN : 0 <= N) by (apply sum_nonneg; intros; apply inner_nonneg).
  set (eps := - quad n m (gram u) / (2 * (1 + N))).
  assert (He : 0 < eps) by (apply Rdiv_lt_0_compat; lra).
  set (m' := fun p q => / 2 * (m p q + m q p) + (if Nat.eqb p q then eps else 0)).
  assert (Q : forall (W : space) (t : nat -> W), quad n m' (gram t) =
    quad n m (gram t) + eps * sum n (fun p => gram t p p)).
  { intros W t. unfold m'. rewrite quad_add, quad_scale, quad_add, (quad_sym n m (gram t) (gram_sym t)).
    replace (quad n (fun p q => if Nat.eqb p q then eps else 0) (gram t))
      with (eps * sum n (fun p => gram t p p)); [lra|].
    unfold quad. rewrite <- sum_scale. apply sum_ext; intros p Hp.
    assert (G : forall j, sum j (fun q => (if Nat.eqb p q then eps else 0) * gram t p q) =
      if Nat.ltb p j then eps * gram t p p else 0).
    { induction j as [|j IH]; [reflexivity|]. cbn [sum]. rewrite IH.
      destruct (Nat.eqb_spec p j), (Nat.ltb_spec p j), (Nat.ltb_spec p (S j)); try lia; subst; ring. }
    rewrite G. destruct (Nat.ltb_spec p n); [reflexivity|lia]. }
  assert (P : 0 <= quad n m' (gram u)).
  { apply (strict_vectors n m' eps He).
    - intros p q. unfold m'. rewrite (Nat.eqb_sym p q). ring.
    - intros t. rewrite Q. generalize (H t). lra. }
  rewrite Q in P. fold N in P.
  assert (eps * (2 * (1 + N)) = - quad n m (gram u)) by (unfold eps; field; lra). nra.
Qed.

(** ** Expressions that are linear or quadratic in n letters, in every space alike *)
Section Closure.
Variable n : nat.
Definition linear (A : forall V : space, (nat -> V) -> V) : Prop := exists a : nat -> R,
  forall (V : space) (u : nat -> V) (z : V), ⟨A V u, z⟩ = sum n (fun p => a p * ⟨u p, z⟩).
Definition quadratic (Q : forall V : space, (nat -> V) -> R) : Prop := exists m : nat -> nat -> R,
  forall (V : space) (u : nat -> V), Q V u = quad n m (gram u).

Lemma linear_zero : linear (fun V _ => zero).
Proof.
  exists (fun _ => 0). intros. rewrite inner_zero, (sum_ext n _ (fun _ => 0)) by (intros; ring).
  rewrite sum_const; ring.
Qed.
Lemma linear_letter p : (p < n)%nat -> linear (fun V u => u p).
Proof.
  intros Hp. exists (fun q => if Nat.eqb p q then 1 else 0). intros.
  assert (G : forall j, sum j (fun q => (if Nat.eqb p q then 1 else 0) * ⟨u q, z⟩) =
    if Nat.ltb p j then ⟨u p, z⟩ else 0).
  { induction j as [|j IH]; [reflexivity|]. cbn [sum]. rewrite IH.
    destruct (Nat.eqb_spec p j), (Nat.ltb_spec p j), (Nat.ltb_spec p (S j)); try lia; subst; ring. }
  rewrite G. destruct (Nat.ltb_spec p n); [reflexivity|lia].
Qed.
Lemma linear_add A A' : linear A -> linear A' -> linear (fun V u => A V u + A' V u)%V.
Proof.
  intros [a Ha] [b Hb]. exists (fun p => a p + b p). intros. rewrite inner_add, Ha, Hb, <- sum_add.
  apply sum_ext; intros; ring.
Qed.
Lemma linear_scale s A : linear A -> linear (fun V u => s *: A V u)%V.
Proof.
  intros [a Ha]. exists (fun p => s * a p). intros. rewrite inner_scale, Ha, <- sum_scale.
  apply sum_ext; intros; ring.
Qed.
Lemma quadratic_inner A A' : linear A -> linear A' -> quadratic (fun V u => ⟨A V u, A' V u⟩).
Proof.
  intros [a Ha] [b Hb]. exists (fun p q => a p * b q). intros. rewrite Ha, quad_product.
  apply sum_ext; intros p _.
  f_equal. rewrite inner_sym, Hb. apply sum_ext; intros. unfold gram. now rewrite inner_sym.
Qed.
Lemma quadratic_zero : quadratic (fun _ _ => 0).
Proof.
  exists (fun _ _ => 0). intros. unfold quad. rewrite (sum_ext n _ (fun _ => 0)); [rewrite sum_const; ring|].
  intros. rewrite (sum_ext n _ (fun _ => 0)) by (intros; ring). rewrite sum_const; ring.
Qed.
Lemma quadratic_add Q Q' : quadratic Q -> quadratic Q' -> quadratic (fun V u => Q V u + Q' V u).
Proof. intros [m Hm] [m' Hm']. exists (fun p q => m p q + m' p q). intros. rewrite Hm, Hm', quad_add. ring.
Qed.
Lemma quadratic_scale s Q : quadratic Q -> quadratic (fun V u => s * Q V u).
Proof. intros [m Hm]. exists (fun p q => s * m p q). intros. now rewrite Hm, quad_scale. Qed.
Lemma quadratic_sum j (Q : nat -> forall V : space, (nat -> V) -> R) :
  (forall i, (i < j)%nat -> quadratic (Q i)) -> quadratic (fun V u => sum j (fun i => Q i V u)).
Proof.
  induction j as [|j IH]; intros H; cbn [sum]; [apply quadratic_zero|].
  apply (quadratic_add (fun V u => sum j (fun i => Q i V u))); auto.
Qed.
Lemma quadratic_same Q Q' : (forall V u, Q V u = Q' V u) -> quadratic Q -> quadratic Q'.
Proof. intros H [m Hm]. exists m. intros. now rewrite <- H. Qed.
End Closure.
