(** * Descent for letters in one space: all constraints, weighted and added *)
From Coq Require Import Reals Lra Lia Arith Bool.
From FPS.tools Require Import Smooth.
From FPS.rates Require Import Forms QuadraticLemmas DescentFormsLemmas.
Open Scope R_scope.

Lemma avg_sum M n (X : nat -> nat -> R) : avg M (fun m => sum n (fun i => X i m)) =
  sum n (fun i => avg M (X i)).
Proof. unfold avg. rewrite sum_scale, sum_swap. reflexivity. Qed.
Lemma sum_pick n p X : (p < n)%nat -> sum n (fun i => (if i =? p then 1 else 0) * X i) = X p.
Proof.
  intros Hp. assert (G : forall j, sum j (fun i => (if i =? p then 1 else 0) * X i) =
    if p <? j then X p else 0).
  { induction j as [|j IH]; [reflexivity|]. cbn [sum]. rewrite IH.
    destruct (Nat.eqb_spec j p), (Nat.ltb_spec p j), (Nat.ltb_spec p (S j)); try lia; subst; ring. }
  rewrite G. destruct (Nat.ltb_spec p n); [reflexivity|lia].
Qed.
Lemma sum_sub n X Y : sum n (fun i => X i - Y i) = sum n X - sum n Y.
Proof. induction n as [|n IH]; cbn [sum]; [ring|rewrite IH; ring]. Qed.
Lemma sum_zero n X : (forall i, (i < n)%nat -> X i = 0) -> sum n X = 0.
Proof. intros H. rewrite (sum_ext n X (fun _ => 0)) by auto. rewrite sum_const. ring. Qed.

Section Core.
Variables (k : numbers) (a : multipliers).
Hypothesis cert : certificate k a.
Variables (W : space) (M : nat) (some : (0 < M)%nat) (u : nat -> nat -> W).
Local Notation ubar := (middle W M u).
Local Notation dev := (deviation W M u).
Local Notation X := (node k W M u).

(** (i): the weighted differences of function values add up to the first less the last one. *)
Lemma values_cancel (phi : nat -> R) :
  sum (S (Es k)) (fun i => sum (S (Es k)) (fun j => lam a i j * (phi i - phi j))) = phi O - phi (Es k).
Proof.
  pose proof (steps k a cert).
  transitivity (sum (S (Es k)) (fun i => (sum (S (Es k)) (fun j => lam a i j) - sum (S (Es k)) (fun j => lam
    a j i)) * phi i)).
  - rewrite (sum_ext _ _ (fun i => sum (S (Es k)) (fun j => phi i * lam a i j) - sum (S (Es k)) (fun j => phi
      j * lam a i j)))
      by (intros; rewrite <- sum_sub; apply sum_ext; intros; ring).
    rewrite sum_sub, (sum_swap _ _ (fun i j => phi j * lam a i j)), <- sum_sub. apply sum_ext; intros.
    rewrite !sum_scale. change (fun j => lam a i j) with (lam a i). ring.
  - rewrite (sum_ext _ _ (fun i => (if i =? 0 then 1 else 0) * phi i + (-1) * ((if i =? Es k then 1 else 0) *
      phi i))).
    2:{ intros i Hi. rewrite (cancel k a cert i) by lia. ring. }
    rewrite sum_add, sum_scale, !sum_pick by lia. ring.
Qed.

Lemma gaps_split : gaps k a (point_S k) ubar + avg M (fun m => gaps k a (point_D k) (dev m)) =
  sum (S (Es k)) (fun i => sum (S (Es k)) (fun j =>
    lam a i j * avg M (fun m => gap (theta k) (L k) (X m i) (X m j) (u m i) (u m j)))).
Proof.
  unfold gaps. rewrite (avg_sum M (S (Es k)) (fun i m => sum (S (Es k)) (fun j => lam a i j *
    gap (theta k) (L k) (point_D k (dev m) i) (point_D k (dev m) j) (dev m i) (dev m j)))), <- sum_add.
  apply sum_ext; intros i _. rewrite (avg_sum M (S (Es k)) (fun j m => lam a i j *
    gap (theta k) (L k) (point_D k (dev m) i) (point_D k (dev m) j) (dev m i) (dev m j))), <- sum_add.
  apply sum_ext; intros j _. rewrite avg_scale.
  rewrite (gap_split W M some _ _ _ _ _ _ _ _ _ _ _ _ _ _ (node_splits k W M some u i) (node_splits k W M
    some u j)
    (letter_splits W M some u i) (letter_splits W M some u j)). ring.
Qed.
Lemma excess_split : excess k a ubar + avg M (fun m => excess k a (dev m)) = sum (Es k) (fun e =>
  tau a e * (avg M (fun m => ‖(bias k (u m) e)‖²) - P_b k * avg M (fun m => ‖(u m e)‖²)) +
  vt a e * (avg M (fun m => ‖(noise k (u m) e)‖²) - P_n k * avg M (fun m => ‖(u m e)‖²))).
Proof.
  unfold excess. rewrite (avg_sum M (Es k) (fun e m =>
    tau a e * (‖(bias k (dev m) e)‖² - P_b k * ‖(dev m e)‖²) + vt a e * (‖(noise k (dev m) e)‖² - P_n k *
      ‖(dev m e)‖²))).
  rewrite <- sum_add. apply sum_ext; intros e _. unfold bias, noise.
  rewrite !(letters_split W M some u).
  rewrite (avg_ext M _ (fun m => tau a e * ‖(dev m (Es k + 1 + e)%nat)‖² + (- (tau a e * P_b k)) * ‖(dev m
    e)‖²
    + (vt a e * ‖(dev m (2 * Es k + 1 + e)%nat)‖² + (- (vt a e * P_n k)) * ‖(dev m e)‖²))) by (intros; ring).
  rewrite !avg_add, !avg_scale. ring.
Qed.
Lemma products_split w1 w2 : products k w1 ubar + avg M (fun m => products k w2 (dev m)) =
  sum (Es k) (fun e => sum (letters k) (fun p =>
    w1 e p * ⟨noise k ubar e, ubar p⟩ + w2 e p * avg M (fun m => ⟨noise k (dev m) e, dev m p⟩))).
Proof.
  unfold products.
  rewrite (avg_sum M (Es k) (fun e m => sum (letters k) (fun p => w2 e p * ⟨noise k (dev m) e, dev m p⟩))),
    <- sum_add.
  apply sum_ext; intros e _.
  rewrite (avg_sum M (letters k) (fun p m => w2 e p * ⟨noise k (dev m) e, dev m p⟩)), <- sum_add.
  apply sum_ext; intros p _. rewrite avg_scale. reflexivity.
Qed.

(** What is asked of the letters, as averages over the devices *)
Variables (phi : nat -> R) (G2 b2 s2 : R).
Hypothesis values : forall i j, (i <= Es k)%nat -> (j <= Es k)%nat ->
  avg M (fun m => gap (theta k) (L k) (X m i) (X m j) (u m i) (u m j)) <= phi i - phi j.
Hypothesis similar_0 : avg M (fun m => ‖(u m O)‖²) <= G2 + B k ^ 2 * ‖(ubar O)‖².
Hypothesis similar_plus : avg M (fun m => ‖(u m (Es k))‖²) <= G2 + B k ^ 2 * ‖(ubar (Es k))‖².
Hypothesis biases : forall e, (e < Es k)%nat ->
  avg M (fun m => ‖(bias k (u m) e)‖²) <= P_b k * avg M (fun m => ‖(u m e)‖²) + b2.
Hypothesis noises : forall e, (e < Es k)%nat ->
  avg M (fun m => ‖(noise k (u m) e)‖²) <= P_n k * avg M (fun m => ‖(u m e)‖²) + s2.
Hypothesis absent : forall m p, (m < M)%nat -> (p < letters k)%nat -> present k p = false ->
  same (u m p) zero.
Hypothesis orthogonal : forall e p, (e < Es k)%nat -> (p < letters k)%nat -> in_past k e p = true ->
  avg M (fun m => ⟨noise k (u m) e, u m p⟩) = 0.
Hypothesis across : forall e p, (e < Es k)%nat -> (p < letters k)%nat -> elsewhere k e p = true ->
  ⟨noise k ubar e, ubar p⟩ = share k e p * avg M (fun m => ⟨noise k (u m) e, u m p⟩).
Hypothesis single : one_device k = true -> M = 1%nat.

Lemma middle_absent p : (p < letters k)%nat -> present k p = false -> same (ubar p) zero.
Proof.
  intros Hp Ep z. unfold middle. rewrite inner_vmean, inner_zero, <- (avg_const M some 0).
  apply avg_ext; intros.
  rewrite (absent i p) by auto. apply inner_zero.
Qed.
Lemma deviation_absent m p : (m < M)%nat -> (p < letters k)%nat -> present k p = false -> same (dev m p) zero.
Proof.
  intros Hm Hp Ep z. unfold deviation. rewrite inner_add, inner_scale, (absent m p), (middle_absent p)
    by auto.
  rewrite inner_zero. ring.
Qed.
Lemma part_S : 0 <= form_S k a ubar.
Proof. apply (masked_psd k _ W ubar (quadratic_form_S k a)); [apply (S_psd k a cert)|apply middle_absent].
Qed.
Lemma part_D : 0 <= avg M (fun m => form_D k a (dev m)).
Proof.
  rewrite <- (avg_const M some 0). apply avg_mono; auto. intros m Hm. destruct (D_psd k a cert) as [H1|H].
  - destruct (quadratic_form_D k a) as [d Hd]. rewrite Hd. right. unfold quad.
    symmetry. apply sum_zero; intros p Hp. apply sum_zero; intros q Hq.
    replace (gram (dev m) p q) with 0; [ring|]. unfold gram. set (z := dev m q). unfold deviation, middle.
    rewrite inner_add, inner_scale, inner_vmean. rewrite (single H1) in *. replace m with O by lia.
    unfold avg. cbn [sum]. simpl INR. rewrite Rinv_1. ring.
  - apply (masked_psd k _ W (dev m) (quadratic_form_D k a)); [exact H|]. intros; now apply deviation_absent.
Qed.

Lemma own_vanishes : products k (own_at k a) ubar + avg M (fun m => products k (own_at k a) (dev m)) = 0.
Proof.
  rewrite products_split. apply sum_zero; intros e He. apply sum_zero; intros p Hp. unfold own_at.
  destruct (in_past k e p) eqn:P; [|ring]. pose proof (orthogonal e p He Hp P) as O. unfold noise in *.
  rewrite (letters_split W M some u) in O. rewrite <- Rmult_plus_distr_l, O. ring.
Qed.
Lemma cross_vanishes : products k (fun e p => cross_at k a e p * (1 - share k e p)) ubar
  + avg M (fun m => products k (fun e p => (- 1) * (cross_at k a e p * share k e p)) (dev m)) = 0.
Proof.
  rewrite products_split. apply sum_zero; intros e He. apply sum_zero; intros p Hp. unfold cross_at.
  destruct (elsewhere k e p) eqn:P; [|ring]. pose proof (across e p He Hp P) as O. unfold noise in *.
  rewrite (letters_split W M some u) in O.
  set (s := ⟨ubar _, ubar p⟩) in *.
  set (d := avg M (fun m => ⟨dev m _, dev m p⟩)) in *.
  assert (Z : s - share k e p * (s + d) = 0) by lra.
  transitivity (cross a e p * (s - share k e p * (s + d))); [ring|rewrite Z; ring].
Qed.
Lemma avg_opposite w : avg M (fun m => products k (fun e p => (-1) * w e p) (dev m)) =
  - avg M (fun m => products k w (dev m)).
Proof.
  replace (- avg M _) with ((-1) * avg M (fun m => products k w (dev m))) by ring. rewrite <- avg_scale.
  apply avg_ext; intros. unfold products. rewrite <- sum_scale. apply sum_ext; intros. rewrite <- sum_scale.
  apply sum_ext; intros. ring.
Qed.

Theorem descent_of_letters : phi (Es k) - phi O <=
  - c a * ‖(ubar O)‖² + (eta_0 a + eta_plus a) * G2 + sum (Es k) (tau a) * b2 + sum (Es k) (vt a) * s2.
Proof.
  pose proof part_S as HS. pose proof part_D as HD. unfold form_S in HS. unfold form_D in HD.
  rewrite (avg_ext M _ (fun m => gaps k a (point_D k) (dev m) + (eta_0 a * ‖(dev m O)‖² + eta_plus a * ‖(dev
    m (Es k))‖²)
    + (excess k a (dev m) + ((-1) * products k (own_at k a) (dev m)
    + products k (fun e p => cross_at k a e p * share k e p) (dev m))))) in HD by (intros; ring).
  rewrite !avg_add, !avg_scale in HD.
  pose proof own_vanishes as HO. pose proof cross_vanishes as HC. rewrite avg_opposite in HC.
  pose proof gaps_split as HG. pose proof excess_split as HE.
  assert (H1 : sum (S (Es k)) (fun i => sum (S (Es k)) (fun j =>
    lam a i j * avg M (fun m => gap (theta k) (L k) (X m i) (X m j) (u m i) (u m j)))) <= phi O - phi (Es k)).
  { rewrite <- (values_cancel phi). apply sum_mono; intros i Hi. apply sum_mono; intros j Hj.
    apply Rmult_le_compat_l; [apply (lam_nonneg k a cert)|apply values]; lia. }
  match type of HE with _ = ?x => assert (H2 : x <= sum (Es k) (tau a) * b2 + sum (Es k) (vt a) * s2) end.
  { rewrite (Rmult_comm _ b2), (Rmult_comm _ s2), <- !sum_scale, <- sum_add. apply sum_mono; intros e He.
    destruct (source_nonneg k a cert e He). pose proof (biases e He). pose proof (noises e He).
    apply Rplus_le_compat; rewrite (Rmult_comm _ (_ a e)); apply Rmult_le_compat_l; lra. }
  pose proof (letters_split W M some u O O) as L0. pose proof (letters_split W M some u (Es k) (Es k)) as L1.
  destruct (eta_nonneg k a cert) as [E0 E1].
  assert (H3 : eta_0 a * (avg M (fun m => ‖(dev m O)‖²) - (B k ^ 2 - 1) * ‖(ubar O)‖²) <= eta_0 a * G2)
    by (apply Rmult_le_compat_l; lra).
  assert (H4 : eta_plus a * (avg M (fun m => ‖(dev m (Es k))‖²) - (B k ^ 2 - 1) * ‖(ubar (Es k))‖²) <=
    eta_plus a * G2)
    by (apply Rmult_le_compat_l; lra).
  clear - HS HD HO HC HG HE H1 H2 H3 H4. lra.
Qed.
End Core.
