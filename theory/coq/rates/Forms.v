(** * A descent certificate: multipliers that satisfy (i)-(iii)

    The letters of one device are numbered. Letter i < E is the gradient at the local point w^{m,i}, letter
    E is the gradient at x₊, letter E+1+e is the bias and letter 2E+1+e the noise of step e. With them come
    the points relative to x. The mean of the letters over the devices is the part S, what is left is the
    part D. (ii) and (iii) ask that two quadratic forms of the letters are never negative. The forms are
    written down for letters in any space; to check them for letters that are real numbers is enough, and
    is all that is asked. *)
From Coq Require Import Reals Lra Lia Arith Bool.
From FPS.tools Require Import Result.
From FPS.rates Require Export Round.
Open Scope R_scope.

(** The real numbers as a space. A form that is never negative on it is a positive semidefinite matrix. *)
Definition line : space.
  refine {| vec := R; zero := 0; add := Rplus; scale := Rmult; inner := Rmult |}; intros; try ring. nra.
Defined.

(** c and the multipliers: λ_ij for pairs of nodes (node i < E is w^{m,i}, node E is x₊), η for A3, τ_e and
    ϑ_e for bias and noise; [own e p] for "the noise of step e is orthogonal to letter p of the device's own
    past", [cross e p] for "... to letter p of every other device". *)
Record multipliers := {
  c : R; lam : nat -> nat -> R; eta_0 : R; eta_plus : R; tau : nat -> R; vt : nat -> R;
  own : nat -> nat -> R; cross : nat -> nat -> R }.

Section Forms.
Variables (k : numbers) (a : multipliers).
Definition letters : nat := 3 * Es k + 1.
Definition bias {V : space} (u : nat -> V) (e : nat) : V := u (Es k + 1 + e)%nat.
Definition noise {V : space} (u : nat -> V) (e : nat) : V := u (2 * Es k + 1 + e)%nat.

(** y_0 = 0,  y_{e+1} = (1−γμ)y_e − γ(g_e + b_e + z_e) *)
Fixpoint moved {V : space} (u : nat -> V) (e : nat) : V :=
  match e with
  | O => zero
  | S j => ((1 - gamma k * mu k) *: moved u j - gamma k *: (u j + bias u j + noise u j))%V
  end.
(** Points of part S, and of part D: x₊ is the same for all devices, so its deviation is 0. *)
Definition point_S {V : space} (u : nat -> V) (i : nat) : V := moved u i.
Definition point_D {V : space} (u : nat -> V) (i : nat) : V := if i <? Es k then moved u i else zero.

(** What l_i − l_j is at least:
    ⟨g_j, x_i−x_j⟩ + [‖g_i−g_j‖²/L − θL‖x_i−x_j‖² + 2θ⟨g_i−g_j, x_i−x_j⟩] / (2(1+θ)) *)
Definition gap {V : space} (th L : R) (xi xj gi gj : V) : R := ⟨gj, xi - xj⟩ +
  (‖(gi - gj)‖² / L - th * L * ‖(xi - xj)‖² + 2 * th * ⟨gi - gj, xi - xj⟩) / (2 * (1 + th)).
Definition gaps {V : space} (point : (nat -> V) -> nat -> V) (u : nat -> V) : R :=
  sum (S (Es k)) (fun i => sum (S (Es k)) (fun j =>
    lam a i j * gap (theta k) (L k) (point u i) (point u j) (u i) (u j))).
(** τ_e(‖b_e‖² − P_b‖g_e‖²) + ϑ_e(‖z_e‖² − P_n‖g_e‖²), summed *)
Definition excess {V : space} (u : nat -> V) : R := sum (Es k) (fun e =>
  tau a e * (‖(bias u e)‖² - P_b k * ‖(u e)‖²) + vt a e * (‖(noise u e)‖² - P_n k * ‖(u e)‖²)).

(** Letter p belongs to a device's own past at step e: g_j and b_j for j ≤ e, z_j for j < e. *)
Definition in_past (e p : nat) : bool :=
  (p <=? e) || ((Es k + 1 <=? p) && (p <=? Es k + 1 + e))
  || ((2 * Es k + 1 <=? p) && (p <? 2 * Es k + 1 + e)).
(** Letter p of the other devices is orthogonal to the noise of step e: g_0 and b_0 are known at the start;
    z_j for j ≤ e if noises are uncorrelated; all g_j and b_j if devices sample independently. *)
Definition elsewhere (e p : nat) : bool :=
  (p =? 0) || (p =? Es k + 1)
  || (uncorrelated k && (2 * Es k + 1 <=? p) && (p <=? 2 * Es k + 1 + e))
  || (independent k && ((p <? Es k) || ((Es k + 1 <=? p) && (p <? 2 * Es k + 1)))).
Definition own_at (e p : nat) : R := if in_past e p then own a e p else 0.
Definition cross_at (e p : nat) : R := if elsewhere e p then cross a e p else 0.
(** S[z_e,p] = share · (S+D)[z_e,p]: orthogonality between devices. The right side is 0 in the past. *)
Definition share (e p : nat) : R := if in_past e p then 0 else nu k.
Definition products {V : space} (weight : nat -> nat -> R) (u : nat -> V) : R :=
  sum (Es k) (fun e => sum letters (fun p => weight e p * ⟨noise u e, u p⟩)).

(** The two quadratic forms, of M_S and of M_D *)
Definition form_S {V : space} (u : nat -> V) : R :=
  - c a * ‖(u O)‖² + gaps point_S u
  - (B k ^ 2 - 1) * (eta_0 a * ‖(u O)‖² + eta_plus a * ‖(u (Es k))‖²) + excess u
  - products own_at u - products (fun e p => cross_at e p * (1 - share e p)) u.
Definition form_D {V : space} (u : nat -> V) : R :=
  gaps point_D u + (eta_0 a * ‖(u O)‖² + eta_plus a * ‖(u (Es k))‖²) + excess u
  - products own_at u + products (fun e p => cross_at e p * share e p) u.

(** Letters that are absent are 0. *)
Definition present (p : nat) : bool :=
  (p <=? Es k) || (if p <=? 2 * Es k then biased k else noisy k).
Definition masked {V : space} (u : nat -> V) (p : nat) : V := if present p then u p else zero.

Record certificate : Prop := {
  steps : (0 < Es k)%nat;
  L_pos : 0 < L k; theta_above : - 1 < theta k; P_nonneg : 0 <= P_b k /\ 0 <= P_n k;
  lam_nonneg : forall i j, (i <= Es k)%nat -> (j <= Es k)%nat -> 0 <= lam a i j;
  eta_nonneg : 0 <= eta_0 a /\ 0 <= eta_plus a;
  source_nonneg : forall e, (e < Es k)%nat -> 0 <= tau a e /\ 0 <= vt a e;
  (* (i) function values cancel *)
  cancel : forall i, (i <= Es k)%nat ->
    sum (S (Es k)) (fun j => lam a i j) - sum (S (Es k)) (fun j => lam a j i) =
    (if i =? 0 then 1 else 0) - (if i =? Es k then 1 else 0);
  (* (ii), (iii); with one device there is no part D *)
  S_psd : forall u : nat -> line, 0 <= form_S (masked u);
  D_psd : one_device k = true \/ forall u : nat -> line, 0 <= form_D (masked u) }.
End Forms.
