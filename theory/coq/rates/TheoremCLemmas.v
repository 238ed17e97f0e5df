(** * Theorem C for vectors of one space: E steps from y_0 = x − x* *)
From Coq Require Import Reals Lra Lia.
From FPS.tools Require Import Smooth.
Open Scope R_scope.

Section Steps.
Variables (W : space) (gamma L P_n s2 : R) (y h z : nat -> W) (s : W) (n : nat).
Hypothesis gamma_pos : 0 < gamma.
Let kappa := 2 * gamma / L - gamma ^ 2 * (1 + P_n).
Hypothesis moves : forall e, (e < n)%nat -> same (y (S e)) (y e - gamma *: (h e + s + z e))%V.
Hypothesis cocoercive : forall e, (e < n)%nat -> ‖(h e)‖² / L <= ⟨h e, y e⟩.
Hypothesis noise_y : forall e, (e < n)%nat -> ⟨z e, y e⟩ = 0.
Hypothesis noise_h : forall e, (e < n)%nat -> ⟨z e, h e⟩ = 0.
Hypothesis noise_s : forall e, (e < n)%nat -> ⟨z e, s⟩ = 0.
Hypothesis noise_size : forall e, (e < n)%nat -> ‖(z e)‖² <= P_n * ‖(h e + s)‖² + s2.
Hypothesis start : ⟨s, y O⟩ = 0.

Lemma one_step e : (e < n)%nat -> ‖(y (S e))‖² <= ‖(y e)‖² - kappa * ‖(h e)‖² - 2 * gamma * ⟨s, y e⟩
  + gamma ^ 2 * ((1 + P_n) * (2 * ⟨h e, s⟩ + ‖s‖²) + s2).
Proof.
  intros He. rewrite (same_square _ _ _ (moves e He)).
  assert (E1 : ‖(y e - gamma *: (h e + s + z e))‖² = ‖(y e)‖² - 2 * gamma * (⟨h e, y e⟩ + ⟨s, y e⟩ + ⟨z e,
    y e⟩)
    + gamma ^ 2 * (‖(h e)‖² + 2 * ⟨h e, s⟩ + ‖s‖² + 2 * (⟨z e, h e⟩ + ⟨z e, s⟩) + ‖(z e)‖²)).
  { expand. rewrite (inner_sym _ (y e) (h e)), (inner_sym _ (y e) s), (inner_sym _ (y e) (z e)),
      (inner_sym _ s (h e)),
      (inner_sym _ (h e) (z e)), (inner_sym _ s (z e)). ring. }
  rewrite E1, (noise_y e He), (noise_h e He), (noise_s e He).
  pose proof (cocoercive e He) as C. pose proof (noise_size e He) as N. rewrite square_sum in N.
  assert (C' : 2 * gamma * (‖(h e)‖² / L) <= 2 * gamma * ⟨h e, y e⟩) by (apply Rmult_le_compat_l; lra).
  assert (N' : gamma ^ 2 * ‖(z e)‖² <= gamma ^ 2 * (P_n * (‖(h e)‖² + 2 * ⟨h e, s⟩ + ‖s‖²) + s2))
    by (apply Rmult_le_compat_l; nra).
  unfold kappa. unfold Rdiv in *. lra.
Qed.
Lemma drifted e : (e <= n)%nat -> ⟨s, y e⟩ = - gamma * sum e (fun j => ⟨h j, s⟩ + ‖s‖²).
Proof.
  induction e as [|e IH]; intros He; cbn [sum]; [rewrite start; ring|].
  rewrite inner_sym, (moves e ltac:(lia) s), inner_add, !inner_scale, !inner_add, (noise_s e) by lia.
  rewrite (inner_sym _ (y e)), IH by lia. ring.
Qed.
Lemma all_steps j : (j <= n)%nat -> ‖(y j)‖² <= ‖(y O)‖² + sum j (fun e => - kappa * ‖(h e)‖²
  + gamma ^ 2 * (2 * (INR j - INR e + P_n) * ⟨h e, s⟩ + (2 * (INR j - INR e) - 1 + P_n) * ‖s‖² + s2)).
Proof.
  induction j as [|j IH]; intros Hj; cbn [sum]; [lra|]. specialize (IH ltac:(lia)).
  pose proof (one_step j ltac:(lia)) as O. rewrite (drifted j ltac:(lia)) in O.
  rewrite S_INR.
  rewrite (sum_ext j _ (fun e => (- kappa * ‖(h e)‖²
    + gamma ^ 2 * (2 * (INR j - INR e + P_n) * ⟨h e, s⟩ + (2 * (INR j - INR e) - 1 + P_n) * ‖s‖² + s2))
    + 2 * gamma ^ 2 * (⟨h e, s⟩ + ‖s‖²))) by (intros; ring).
  rewrite sum_add, sum_scale. set (S1 := sum j _) in *. set (S2 := sum j (fun e => ⟨h e, s⟩ + ‖s‖²)) in *.
  nra.
Qed.

(** C as in the theorem, with n steps *)
Definition C_of (k : R) : R := sum n (fun e => 2 * gamma ^ 4 * (P_n + INR n - INR e) ^ 2 / k
  + gamma ^ 2 * (2 * (P_n + INR n - INR e) - 1 - P_n)).
Hypothesis kappa_pos : 0 < kappa.
Lemma round_contracts : ‖(y n)‖² <= ‖(y O)‖² - kappa / 2 * sum n (fun e => ‖(h e)‖²) + C_of kappa * ‖s‖²
  + gamma ^ 2 * INR n * s2.
Proof.
  eapply Rle_trans; [apply (all_steps n (Nat.le_refl _))|].
  assert (K : sum n (fun e => - kappa * ‖(h e)‖² + gamma ^ 2 * (2 * (INR n - INR e + P_n) * ⟨h e, s⟩
      + (2 * (INR n - INR e) - 1 + P_n) * ‖s‖² + s2)) <=
    sum n (fun e => - (kappa / 2) * ‖(h e)‖² + (‖s‖² * (2 * gamma ^ 4 * (P_n + INR n - INR e) ^ 2 / kappa
      + gamma ^ 2 * (2 * (P_n + INR n - INR e) - 1 - P_n)) + gamma ^ 2 * s2))).
  { apply sum_mono; intros e He. cbv beta. set (a := P_n + INR n - INR e).
    pose proof (inner_nonneg _ (kappa *: h e - (2 * gamma ^ 2 * a) *: s)%V) as Y.
    rewrite square_sum, !square_scale, inner_scale, !inner_scale_r in Y.
    assert (Y' : 2 * gamma ^ 2 * a * ⟨h e, s⟩ <= kappa / 2 * ‖(h e)‖² + 2 * gamma ^ 4 * a ^ 2 / kappa * ‖s‖²).
    { apply Rmult_le_reg_l with (2 * kappa); [lra|].
      replace (2 * kappa * (kappa / 2 * ‖(h e)‖² + 2 * gamma ^ 4 * a ^ 2 / kappa * ‖s‖²))
        with (kappa * kappa * ‖(h e)‖² + 4 * gamma ^ 4 * a ^ 2 * ‖s‖²) by (field; lra).
      nra. }
    replace (INR n - INR e) with (a - P_n) by (unfold a; ring).
    set (K := 2 * gamma ^ 4 * a ^ 2 / kappa) in *. clearbody K a kappa. lra. }
  eapply Rle_trans; [apply Rplus_le_compat_l, K|]. rewrite !sum_add, !sum_scale, sum_const. unfold C_of. lra.
Qed.

(** What a known vector ρ adds *)
Variable rho : W.
Hypothesis rho_s : ⟨rho, s⟩ = 0.
Hypothesis rho_z : forall e, (e < n)%nat -> ⟨rho, z e⟩ = 0.
Lemma known_part : 2 * ⟨rho, y n - y O⟩ <= kappa / 4 * sum n (fun e => ‖(h e)‖²) + 4 * gamma ^ 2 * INR n /
  kappa * ‖rho‖².
Proof.
  assert (D : forall e, (e <= n)%nat -> ⟨rho, y e - y O⟩ = - gamma * sum e (fun j => ⟨rho, h j⟩)).
  { induction e as [|e IH]; intros He; cbn [sum]; [rewrite inner_add_r, inner_scale_r; ring|].
    specialize (IH ltac:(lia)).
    rewrite inner_add_r, inner_scale_r, (inner_sym _ rho (y (S e))), (moves e ltac:(lia) rho) in *.
    rewrite inner_add, !inner_scale, !inner_add, (inner_sym _ s), rho_s, (inner_sym _ (z e)), rho_z,
      (inner_sym _ (y e)), (inner_sym _ (h e)) by lia. lra. }
  rewrite D by lia. replace (4 * gamma ^ 2 * INR n / kappa * ‖rho‖²)
    with (INR n * (4 * gamma ^ 2 / kappa * ‖rho‖²))
    by (field; lra).
  apply Rle_trans with (sum n (fun e => kappa / 4 * ‖(h e)‖² + 4 * gamma ^ 2 / kappa * ‖rho‖²));
    [|rewrite sum_add, sum_scale, sum_const; lra].
  replace (2 * (- gamma * _)) with (sum n (fun e => - 2 * gamma * ⟨rho, h e⟩)) by (rewrite sum_scale; ring).
  apply sum_mono; intros e He. cbv beta.
  pose proof (inner_nonneg _ (kappa *: h e + (4 * gamma) *: rho)%V) as Y.
  rewrite square_sum, !square_scale, inner_scale, inner_scale_r, (inner_sym _ (h e) rho) in Y.
  apply Rmult_le_reg_l with (4 * kappa); [lra|].
  replace (4 * kappa * (kappa / 4 * ‖(h e)‖² + 4 * gamma ^ 2 / kappa * ‖rho‖²))
    with (kappa * kappa * ‖(h e)‖² + 16 * gamma ^ 2 * ‖rho‖²) by (field; lra). nra.
Qed.
End Steps.
