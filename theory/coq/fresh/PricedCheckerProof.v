(** * The checker for a sketch: proofs *)
From Coq Require Import Reals QArith Qreals List Arith ZArith Bool Lra Lia FunctionalExtensionality.
From FPS.tools Require Import Smooth.
From FPS.rates Require Import Round Forms Descent DescentProof Scaling ScalingProof Certificate Checker
  TableLemmas CheckerLemmas CheckerProof.
From FPS.fresh Require Import Prices PricesProof PricedChecker.
Import ListNotations.
Open Scope R_scope.

Lemma half_of (q : Q) : Q2R (Qred (- (q * (1 # 2)))) = - (Q2R q / 2).
Proof. rewrite red_Q2R, Q2R_opp, Q2R_mult. replace (Q2R (1 # 2)) with (/ 2) by (unfold Q2R; simpl; lra). lra. Qed.
(** A square of the end point in a table *)
Lemma priced_value (x : rational_certificate) (u : nat -> line) q table :
  tval Q2R (put_square (Qred (- (q * (1 # 2)))) (point_row (q_Es x)) table) 0 (basis x u) =
  tval Q2R table 0 (basis x u) - Q2R q * ‖(moved (numbers_of x) (masked (numbers_of x) u) (q_Es x))‖².
Proof.
  unfold put_square. rewrite qt_put, half_of. rewrite (point_value x u (q_Es x) (le_n _) : rval Q2R _ 0 _ = _).
  cbn. field.
Qed.

Theorem priced_check_gives_certificate : Priced_Check_Gives_Certificate.
Proof.
  intros x H. unfold check_priced in H. rewrite !andb_true_iff, orb_true_iff in H.
  destruct H as [[[[[Hs Hc] Ho] Hv] HS] HD]. destruct (positive_numbers x Hs) as [Hg [Ht Hpos]].
  apply nonneg_R in Ho, Hv. split; [exact Hpos|].
  assert (S1 : forall u : nat -> line, Q2R (q_omega x) / 2 * ‖(moved (numbers_of x) (masked (numbers_of x) u) (q_Es x))‖² <=
    form_S (numbers_of x) (multipliers_of x) (masked (numbers_of x) u)).
  { intros u. pose proof (psd_sound _ (basis x u) HS) as P. unfold table_S_priced in P.
    rewrite priced_value, table_S_value in P by auto. lra. }
  assert (D1 : q_one_device x = true \/ forall u : nat -> line,
    Q2R (q_v x) / 2 * ‖(moved (numbers_of x) (masked (numbers_of x) u) (q_Es x))‖² <=
    form_D (numbers_of x) (multipliers_of x) (masked (numbers_of x) u)).
  { destruct HD as [HD|HD]; [now left|right]. intros u. pose proof (psd_sound _ (basis x u) HD) as P.
    unfold table_D_priced in P. rewrite priced_value, table_D_value in P by auto. lra. }
  split; [|exact S1|exact D1]. apply certificate_of_forms; auto.
  - intros u. specialize (S1 u). pose proof (inner_nonneg line (moved (numbers_of x) (masked (numbers_of x) u) (q_Es x))).
    nra.
  - destruct D1 as [D1|D1]; [now left|right]. intros u. specialize (D1 u).
    pose proof (inner_nonneg line (moved (numbers_of x) (masked (numbers_of x) u) (q_Es x))). nra.
Qed.

Theorem priced_certificate_scales : Priced_Certificate_Scales.
Proof.
  intros k a omega v s Hs [C S D]. assert (Hi : 0 < / s) by now apply Rinv_0_lt_compat.
  assert (M : forall u : nat -> line, masked (scaled s k) u = masked k u) by reflexivity.
  split; [now apply certificate_scales| |].
  - intros u. rewrite M, (form_S_scaled k a s Hs C), (moved_scaled k s Hs), masked_scaled. specialize (S (times_s s u)).
    cbn [Es scaled]. apply Rmult_le_compat_l with (r := / s) in S; [|lra]. unfold Rdiv in *. lra.
  - destruct D as [D|D]; [now left|right]. intros u.
    rewrite M, (form_D_scaled k a s Hs C), (moved_scaled k s Hs), masked_scaled. specialize (D (times_s s u)).
    cbn [Es scaled]. apply Rmult_le_compat_l with (r := / s) in D; [|lra]. unfold Rdiv in *. lra.
Qed.

(** ** A smaller L makes the forms larger. *)
Definition with_L (l : R) (k : numbers) : numbers := {|
  Es := Es k; gamma := gamma k; mu := mu k; L := l; theta := theta k; B := B k;
  P_b := P_b k; P_n := P_n k; nu := nu k; biased := biased k; noisy := noisy k; one_device := one_device k;
  uncorrelated := uncorrelated k; independent := independent k |}.
Lemma gap_of_smaller th L l (xi xj gi gj : line) : 0 <= th -> 0 < l <= L ->
  gap th L xi xj gi gj <= gap th l xi xj gi gj.
Proof.
  intros Ht Hl. unfold gap. apply Rplus_le_compat_l. unfold Rdiv at 1 3.
  apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|].
  pose proof (inner_nonneg line (gi - gj)%V) as Hg. pose proof (inner_nonneg line (xi - xj)%V) as Hx.
  assert (H1 : ‖(gi - gj)‖² / L <= ‖(gi - gj)‖² / l).
  { unfold Rdiv. apply Rmult_le_compat_l; auto. apply Rinv_le_contravar; lra. }
  assert (H2 : th * l * ‖(xi - xj)‖² <= th * L * ‖(xi - xj)‖²).
  { apply Rmult_le_compat_r; auto. apply Rmult_le_compat_l; lra. }
  lra.
Qed.
Lemma gaps_of_smaller k a l (point : (nat -> line) -> nat -> line) u : 0 <= theta k -> 0 < l <= L k ->
  (forall i j, (i <= Es k)%nat -> (j <= Es k)%nat -> 0 <= lam a i j) ->
  gaps k a point u <= gaps (with_L l k) a point u.
Proof.
  intros Ht Hl Hlam. unfold gaps. cbn [Es with_L theta L]. apply sum_mono; intros i Hi. apply sum_mono; intros j Hj.
  apply Rmult_le_compat_l; [apply Hlam; lia|]. now apply gap_of_smaller.
Qed.
Definition rest_S k a (u : nat -> line) : R :=
  - c a * ‖(u O)‖² - (B k ^ 2 - 1) * (eta_0 a * ‖(u O)‖² + eta_plus a * ‖(u (Es k))‖²) + excess k a u
  - products k (own_at k a) u - products k (fun e p => cross_at k a e p * (1 - share k e p)) u.
Definition rest_D k a (u : nat -> line) : R :=
  (eta_0 a * ‖(u O)‖² + eta_plus a * ‖(u (Es k))‖²) + excess k a u
  - products k (own_at k a) u + products k (fun e p => cross_at k a e p * share k e p) u.
Lemma form_S_is k a u : form_S k a u = gaps k a (point_S k) u + rest_S k a u.
Proof. unfold form_S, rest_S. ring. Qed.
Lemma form_D_is k a u : form_D k a u = gaps k a (point_D k) u + rest_D k a u.
Proof. unfold form_D, rest_D. ring. Qed.
Lemma priced_with_smaller_L k a omega v l : priced_certificate k a omega v -> 0 <= theta k -> 0 < l <= L k ->
  priced_certificate (with_L l k) a omega v.
Proof.
  intros [C S D] Ht Hl. pose proof (lam_nonneg k a C) as Hlam.
  assert (FS : forall u : nat -> line, form_S k a u <= form_S (with_L l k) a u).
  { intros u. rewrite !form_S_is. apply Rplus_le_compat; [|right; reflexivity].
    exact (gaps_of_smaller k a l (point_S k) u Ht Hl Hlam). }
  assert (FD : forall u : nat -> line, form_D k a u <= form_D (with_L l k) a u).
  { intros u. rewrite !form_D_is. apply Rplus_le_compat; [|right; reflexivity].
    exact (gaps_of_smaller k a l (point_D k) u Ht Hl Hlam). }
  split.
  - split; [exact (steps k a C)|exact (proj1 Hl)|exact (theta_above k a C)|exact (P_nonneg k a C)|exact Hlam
      |exact (eta_nonneg k a C)|exact (source_nonneg k a C)|exact (cancel k a C)| |].
    + intros u. apply Rle_trans with (1 := S_psd k a C u). apply FS.
    + destruct (D_psd k a C) as [H|H]; [now left|right]. intros u. apply Rle_trans with (1 := H u). apply FD.
  - intros u. apply Rle_trans with (1 := S u). apply FS.
  - destruct D as [D|D]; [now left|right]. intros u. apply Rle_trans with (1 := D u). apply FD.
Qed.
Theorem smaller_rates_are_covered : Smaller_Rates_Are_Covered.
Proof.
  intros k a omega v s cert Hmu Ht Ho Hv Hs. pose proof (priced_certificate_scales k a omega v s (proj1 Hs) cert) as C.
  pose proof (L_pos k a (plain k a omega v cert)) as HL.
  assert (I1 : 1 <= / s) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
  replace (at_rate (s * gamma k) k) with (with_L (L k) (scaled s k)).
  - apply (prices_are_monotone _ _ (omega / s) (v / s)); [|unfold Rdiv; nra|unfold Rdiv; nra].
    apply priced_with_smaller_L; [exact C|exact Ht|]. cbn [L scaled]. unfold Rdiv. split; [exact HL|nra].
  - unfold with_L, at_rate, scaled. cbn. f_equal. rewrite Hmu. unfold Rdiv. ring.
Qed.
Theorem priced_check_sound : Priced_Check_Sound.
Proof.
  intros x H Lip omega v HL Ho Hv k. destruct (priced_check_gives_certificate x H) as [Hc C].
  assert (Hi : 0 < / Lip) by now apply Rinv_0_lt_compat.
  assert (C' : priced_certificate k (priced (/ Lip) (multipliers_of x)) omega v).
  { apply (prices_are_monotone _ _ (Q2R (q_omega x) / / Lip) (Q2R (q_v x) / / Lip)).
    - now apply priced_certificate_scales.
    - unfold Rdiv. rewrite Rinv_involutive by lra. lra.
    - unfold Rdiv. rewrite Rinv_involutive by lra. lra. }
  split; [exact C'|split].
  - cbn. now apply Rmult_lt_0_compat.
  - intros Hm Ht s Hs. apply smaller_rates_are_covered; auto; lra.
Qed.
