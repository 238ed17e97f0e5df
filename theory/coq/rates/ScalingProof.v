(** * Units of a certificate, and smaller learning rates: proofs *)
From Coq Require Import Reals Lra Lia FunctionalExtensionality.
From FPS.tools Require Import Smooth.
From FPS.rates Require Import Forms Descent DescentProof Scaling.
Open Scope R_scope.

Section Units.
Variables (k : numbers) (a : multipliers) (s : R).
Hypothesis s_pos : 0 < s.
Hypothesis cert : certificate k a.
Local Notation k' := (scaled s k).
Local Notation a' := (priced s a).
Definition times_s (u : nat -> line) : nat -> line := fun p => s * u p.

Lemma masked_scaled u : times_s (masked k u) = masked k (times_s u).
Proof.
  apply functional_extensionality; intros p. unfold times_s, masked. destruct (present k p); [reflexivity|].
  apply Rmult_0_r.
Qed.
Lemma moved_scaled (u : nat -> line) e : moved k' u e = moved k (times_s u) e.
Proof.
  induction e as [|e IH]; [reflexivity|]. cbn [moved]. rewrite IH. generalize (moved k (times_s u) e : R).
  intros y.
  unfold bias, noise, times_s. cbn. field. lra.
Qed.
Lemma gap_scaled (xi xj gi gj : line) :
  gap (theta k) (L k / s) xi xj gi gj = / s * gap (theta k) (L k) xi xj (s * gi : line) (s * gj : line).
Proof.
  pose proof (L_pos k a cert). pose proof (theta_above k a cert). unfold gap. cbn. field. repeat split; lra.
Qed.
Lemma gaps_scaled (point' point : (nat -> line) -> nat -> line) (u : nat -> line) :
  (forall i, point' u i = point (times_s u) i) -> gaps k' a' point' u = / s * gaps k a point (times_s u).
Proof.
  intros H. unfold gaps. rewrite <- sum_scale. apply sum_ext; intros i _. rewrite <- sum_scale.
  apply sum_ext; intros j _.
  rewrite !H. cbn [lam priced theta scaled L]. rewrite gap_scaled. unfold times_s. ring.
Qed.
Lemma excess_scaled (u : nat -> line) : excess k' a' u = / s * excess k a (times_s u).
Proof.
  unfold excess. rewrite <- sum_scale. apply sum_ext; intros e _. unfold bias, noise, times_s. cbn. field.
  lra.
Qed.
Lemma products_scaled w (u : nat -> line) : products k' (fun e p => s * w e p) u =
  / s * products k w (times_s u).
Proof.
  unfold products. rewrite <- sum_scale. apply sum_ext; intros e _. rewrite <- sum_scale.
  apply sum_ext; intros p _.
  unfold noise, times_s. cbn. field. lra.
Qed.
Lemma own_scaled : own_at k' a' = fun e p => s * own_at k a e p.
Proof.
  do 2 (apply functional_extensionality; intro). unfold own_at. cbn [own priced].
  change (in_past k' x x0) with (in_past k x x0). destruct (in_past k x x0); ring.
Qed.
Lemma cross_scaled w : (fun e p => cross_at k' a' e p * w e p) = fun e p => s * (cross_at k a e p * w e p).
Proof.
  do 2 (apply functional_extensionality; intro). unfold cross_at. cbn [cross priced].
  change (elsewhere k' x x0) with (elsewhere k x x0). destruct (elsewhere k x x0); ring.
Qed.
Lemma form_S_scaled (u : nat -> line) : form_S k' a' u = / s * form_S k a (times_s u).
Proof.
  unfold form_S. rewrite (gaps_scaled _ (point_S k)) by (intros; apply moved_scaled). rewrite excess_scaled.
  change (fun e p => cross_at k' a' e p * (1 - share k' e p))
    with (fun e p => cross_at k' a' e p * (1 - share k e p)).
  rewrite own_scaled, (cross_scaled (fun e p => 1 - share k e p)), !products_scaled.
  generalize (gaps k a (point_S k) (times_s u)) (excess k a (times_s u)) (products k (own_at k a) (times_s u))
    (products k (fun e p => cross_at k a e p * (1 - share k e p)) (times_s u)). intros. unfold times_s. cbn.
    field. lra.
Qed.
Lemma form_D_scaled (u : nat -> line) : form_D k' a' u = / s * form_D k a (times_s u).
Proof.
  unfold form_D. rewrite (gaps_scaled _ (point_D k)).
  2:{ intros. unfold point_D. cbn [Es scaled]. destruct (Nat.ltb i (Es k)); [apply moved_scaled|reflexivity].
      }
  rewrite excess_scaled. change (fun e p => cross_at k' a' e p * share k' e p)
    with (fun e p => cross_at k' a' e p * share k e p).
  rewrite own_scaled, (cross_scaled (share k)), !products_scaled.
  generalize (gaps k a (point_D k) (times_s u)) (excess k a (times_s u)) (products k (own_at k a) (times_s u))
    (products k (fun e p => cross_at k a e p * share k e p) (times_s u)). intros. unfold times_s. cbn. field.
    lra.
Qed.
End Units.

Theorem certificate_scales : Certificate_Scales.
Proof.
  intros k a s Hs cert. assert (Hi : 0 < / s) by now apply Rinv_0_lt_compat.
  split; cbn [Es scaled L theta P_b P_n lam priced eta_0 eta_plus tau vt one_device].
  - apply (steps k a cert).
  - apply Rmult_lt_0_compat; auto. apply (L_pos k a cert).
  - apply (theta_above k a cert).
  - apply (P_nonneg k a cert).
  - apply (lam_nonneg k a cert).
  - destruct (eta_nonneg k a cert). split; apply Rmult_le_pos; lra.
  - intros e He. destruct (source_nonneg k a cert e He). split; apply Rmult_le_pos; lra.
  - apply (cancel k a cert).
  - intros u. rewrite form_S_scaled by auto. apply Rmult_le_pos; [lra|].
    change (masked (scaled s k) u) with (masked k u). rewrite masked_scaled. apply (S_psd k a cert).
  - destruct (D_psd k a cert) as [H|H]; [now left|right]. intros u. rewrite form_D_scaled by auto.
    apply Rmult_le_pos; [lra|]. change (masked (scaled s k) u) with (masked k u). rewrite masked_scaled.
    apply H.
Qed.

(** If μ = 0 or E = 1, the forms do not depend on the way γμ is scaled. *)
Definition with_mu (m : R) (k : numbers) : numbers := {|
  Es := Es k; gamma := gamma k; mu := m; L := L k; theta := theta k; B := B k;
  P_b := P_b k; P_n := P_n k; nu := nu k; biased := biased k; noisy := noisy k; one_device := one_device k;
  uncorrelated := uncorrelated k; independent := independent k |}.
Lemma moved_with_mu k s (u : nat -> line) e : mu k = 0 \/ Es k = 1%nat -> (e <= Es k)%nat ->
  moved (with_mu (s * mu k) k) u e = moved k u e.
Proof.
  intros H. induction e as [|e IH]; intros He; [reflexivity|]. cbn [moved]. rewrite IH by lia.
  unfold bias, noise. cbn.
  destruct H as [->|H]; [ring|]. replace e with O by lia. cbn. ring.
Qed.
Lemma certificate_with_mu k a s : mu k = 0 \/ Es k = 1%nat -> certificate k a ->
  certificate (with_mu (s * mu k) k) a.
Proof.
  intros H cert.
  assert (Q : forall (p' p : (nat -> line) -> nat -> line) u, (forall i, (i <= Es k)%nat -> p' u i = p u i) ->
    gaps (with_mu (s * mu k) k) a p' u = gaps k a p u).
  { intros p' p u E. unfold gaps. cbn [Es with_mu theta L]. apply sum_ext; intros i Hi.
    apply sum_ext; intros j Hj.
    rewrite !E by lia. reflexivity. }
  destruct cert. split; auto.
  - intros u. specialize (S_psd u). unfold form_S in *.
    rewrite (Q (point_S (with_mu (s * mu k) k)) (point_S k)) by (intros; now apply moved_with_mu).
    exact S_psd.
  - destruct D_psd as [D|D]; [now left|right]. intros u. specialize (D u). unfold form_D in *.
    rewrite (Q (point_D (with_mu (s * mu k) k)) (point_D k)); [exact D|].
    intros i Hi. unfold point_D. cbn [Es with_mu]. destruct (Nat.ltb i (Es k));
      [now apply moved_with_mu|reflexivity].
Qed.

(** A round that fits (sγ, L) fits (sγ, L/s): the bounds on the curvature are weaker. *)
Definition loose (s : R) (k : numbers) : numbers := scaled s (with_mu (s * mu k) k).
Lemma local_loose k s r : 0 < s -> local (loose s k) r = local (at_rate (s * gamma k) k) r.
Proof.
  intros Hs. do 3 (apply functional_extensionality; intro). rename x0 into e.
  induction e as [|e IH]; [reflexivity|].
  cbn [local]. rewrite IH. unfold loose. cbn [gamma mu scaled at_rate with_mu].
  replace (s * mu k / s) with (mu k) by (field; lra). reflexivity.
Qed.
Lemma fits_loose k s r G b sigma : 0 <= theta k -> 0 < s <= 1 -> 0 < L k ->
  fits (at_rate (s * gamma k) k) r G b sigma -> fits (loose s k) r G b sigma.
Proof.
  intros Ht Hs HL F. pose proof (local_loose k s r (proj1 Hs)) as Hl.
  assert (Hf : finish (loose s k) r = finish (at_rate (s * gamma k) k) r) by (unfold finish; now rewrite Hl).
  assert (HLs : L k <= L k / s).
  { apply Rmult_le_reg_r with s; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. nra. }
  destruct F. split; rewrite ?Hl, ?Hf; auto. intros m Hmm x y. specialize (A1 m Hmm x y).
  unfold loose. cbn [theta L scaled at_rate with_mu] in *. pose proof (inner_nonneg _ (y - x)%V) as N.
  set (q := ‖(y - x)‖²) in *. assert (theta k * L k / 2 * q <= theta k * (L k / s) / 2 * q).
  { apply Rmult_le_compat_r; auto. unfold Rdiv at 1 2. apply Rmult_le_compat_r; [lra|].
    now apply Rmult_le_compat_l. }
  assert (L k / 2 * q <= L k / s / 2 * q) by (apply Rmult_le_compat_r; auto; lra). lra.
Qed.

Theorem smaller_rates_descend : Smaller_Rates_Descend.
Proof.
  intros k a s cert Hm Ht Hs r G b sigma F.
  pose proof (fits_loose k s r G b sigma Ht Hs (L_pos k a cert) F) as F'.
  pose proof (certificate_scales _ a s (proj1 Hs) (certificate_with_mu k a s Hm cert)) as C.
  pose proof (descent _ _ C r G b sigma F') as D. fold (loose s k) in D.
  unfold finish in *. rewrite (local_loose k s r (proj1 Hs)) in D.
  unfold loose in D. cbn [Es scaled with_mu at_rate c eta_0 eta_plus priced tau vt] in *.
  rewrite !sum_scale in D. lra.
Qed.
