(** * Descent of letters, with something to spare *)
From Coq Require Import Reals Lra Lia Arith Bool.
From FPS.tools Require Import Smooth.
From FPS.rates Require Import Forms QuadraticLemmas DescentFormsLemmas DescentSumLemmas.
From FPS.fresh Require Import Prices.
Open Scope R_scope.

Lemma quadratic_spare k Q s : quadratic (letters k) Q ->
  quadratic (letters k) (fun V u => Q V u + (- s) * ‖(moved k u (Es k))‖²).
Proof.
  intros HQ. apply (quadratic_add _ Q); [exact HQ|]. apply (quadratic_scale _ (- s) (fun V u => ‖(moved k u (Es k))‖²)).
  apply (quadratic_inner _ (fun V u => moved k u (Es k)) (fun V u => moved k u (Es k))); now apply linear_moved.
Qed.
Lemma moved_zero k (W : space) (u : nat -> W) e : (e <= Es k)%nat ->
  (forall p, (p < letters k)%nat -> same (u p) zero) -> same (moved k u e) zero.
Proof.
  intros He H. induction e as [|e IH]; intro z; cbn [moved]; [reflexivity|].
  unfold bias, noise, letters in *. rewrite inner_add, !inner_scale, (IH ltac:(lia) z), !inner_add, inner_zero.
  rewrite (H e ltac:(lia) z), (H (Es k + 1 + e)%nat ltac:(lia) z), (H (2 * Es k + 1 + e)%nat ltac:(lia) z), inner_zero.
  ring.
Qed.

Section Core.
Variables (k : numbers) (a : multipliers) (omega v : R).
Hypothesis priced : priced_certificate k a omega v.
Let cert : certificate k a := plain k a omega v priced.
Variables (W : space) (M : nat) (some : (0 < M)%nat) (u : nat -> nat -> W).
Local Notation ubar := (middle W M u).
Local Notation dev := (deviation W M u).
Local Notation X := (node k W M u).
Variables (phi : nat -> R) (G2 b2 s2 : R).
Hypothesis values : forall i j, (i <= Es k)%nat -> (j <= Es k)%nat ->
  avg M (fun m => gap (theta k) (L k) (X m i) (X m j) (u m i) (u m j)) <= phi i - phi j.
Hypothesis similar_0 : avg M (fun m => ‖(u m O)‖²) <= G2 + B k ^ 2 * ‖(ubar O)‖².
Hypothesis similar_plus : eta_plus a = 0 \/ avg M (fun m => ‖(u m (Es k))‖²) <= G2 + B k ^ 2 * ‖(ubar (Es k))‖².
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

Lemma spare_S : omega / 2 * ‖(moved k ubar (Es k))‖² <= form_S k a ubar.
Proof.
  pose proof (masked_psd k _ W ubar (quadratic_spare k _ (omega / 2) (quadratic_form_S k a))) as H.
  cbv beta in H. assert (0 <= form_S k a ubar + - (omega / 2) * ‖(moved k ubar (Es k))‖²); [|lra].
  apply H; [|exact (middle_absent k W M some u absent)]. intros t. pose proof (price_S k a omega v priced t). lra.
Qed.
Lemma spare_D : v / 2 * avg M (fun m => ‖(moved k (dev m) (Es k))‖²) <= avg M (fun m => form_D k a (dev m)).
Proof.
  rewrite <- avg_scale. apply avg_mono; auto. intros m Hm. destruct (price_D k a omega v priced) as [H1|H].
  - assert (Z : forall p, same (dev m p) zero).
    { intros p z. unfold deviation, middle. rewrite inner_add, inner_scale, inner_vmean, inner_zero.
      rewrite (single H1) in *. replace m with O by lia. unfold avg. cbn [sum]. simpl INR. rewrite Rinv_1. ring. }
    rewrite (same_square _ _ _ (moved_zero k W (dev m) (Es k) (le_n _) (fun p _ => Z p))), inner_zero.
    right. destruct (quadratic_form_D k a) as [q Hq]. rewrite Hq. unfold quad.
    rewrite sum_zero; [ring|]. intros p Hp. apply sum_zero; intros p' Hp'.
    replace (gram (dev m) p p') with 0; [ring|]. unfold gram. rewrite (Z p _), inner_zero. reflexivity.
  - pose proof (masked_psd k _ W (dev m) (quadratic_spare k _ (v / 2) (quadratic_form_D k a))) as H2.
    cbv beta in H2. assert (0 <= form_D k a (dev m) + - (v / 2) * ‖(moved k (dev m) (Es k))‖²); [|lra].
    apply H2; [|exact (fun p => deviation_absent k W M some u absent m p Hm)]. intros t. specialize (H t). lra.
Qed.

Theorem priced_descent_of_letters : phi (Es k) - phi O + omega / 2 * ‖(moved k ubar (Es k))‖²
  + v / 2 * avg M (fun m => ‖(moved k (dev m) (Es k))‖²) <=
  - c a * ‖(ubar O)‖² + (eta_0 a + eta_plus a) * G2 + sum (Es k) (tau a) * b2 + sum (Es k) (vt a) * s2.
Proof.
  pose proof spare_S as HS. pose proof spare_D as HD. unfold form_S in HS. unfold form_D in HD.
  rewrite (avg_ext M (fun m => _ + _) (fun m => gaps k a (point_D k) (dev m) + (eta_0 a * ‖(dev m O)‖² + eta_plus a * ‖(dev
    m (Es k))‖²)
    + (excess k a (dev m) + ((-1) * products k (own_at k a) (dev m)
    + products k (fun e p => cross_at k a e p * share k e p) (dev m))))) in HD by (intros; ring).
  rewrite !avg_add, !avg_scale in HD.
  pose proof (own_vanishes k a W M some u orthogonal) as HO. pose proof (cross_vanishes k a W M some u across) as HC.
  rewrite avg_opposite in HC.
  pose proof (gaps_split k a W M some u) as HG. pose proof (excess_split k a W M some u) as HE.
  assert (H1 : sum (S (Es k)) (fun i => sum (S (Es k)) (fun j =>
    lam a i j * avg M (fun m => gap (theta k) (L k) (X m i) (X m j) (u m i) (u m j)))) <= phi O - phi (Es k)).
  { rewrite <- (values_cancel k a cert M some phi). apply sum_mono; intros i Hi. apply sum_mono; intros j Hj.
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
    by (destruct similar_plus as [-> |]; [lra|apply Rmult_le_compat_l; lra]).
  clear - HS HD HO HC HG HE H1 H2 H3 H4. lra.
Qed.
End Core.
