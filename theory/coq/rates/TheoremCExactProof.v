(** * Theorem C: one device that tosses a coin *)
From Coq Require Import Reals Lra Lia List.
From FPS.tools Require Import Smooth.
From FPS.repaired Require Import Setting.
From FPS.rates Require Import TheoremC.
From FPS.rates Require Forms.
Import ListNotations.
Open Scope R_scope.

Definition coin : list (bool * R) := [(true, / 2); (false, / 2)].
Lemma coin_nonneg o p : In (o, p) coin -> 0 <= p.
Proof. unfold coin. cbn. intros H. repeat destruct H as [H|H]; inversion H; lra. Qed.
Lemma coin_total : lsum coin (fun _ => 1) = 1.
Proof. cbn. lra. Qed.
Definition toss (o : bool) : R := if o then 1 else -1.
Definition coin_run (Lip rate P x : R) : run := {|
  V := Forms.line; Omega := bool; chance := finite Forms.line coin coin_nonneg coin_total;
  T := 1; M := 1; Es := 1; T_pos := Nat.lt_0_succ 0; M_pos := Nat.lt_0_succ 0; Es_pos := Nat.lt_0_succ 0;
  loss := fun _ (w : Forms.line) => Lip / 2 * (w * w); grad := fun _ (w : Forms.line) => Lip * w;
  gamma := rate; mu := 0; v0 := fun _ => x; broadcast := fun _ _ => x; beta := fun _ _ _ _ => 0;
  zeta := fun _ _ _ o => toss o * (sqrt P * (Lip * x));
  past := fun _ _ e o o' => match e with O => True | _ => o = o' end; xi := fun _ => 0;
  L := Lip; P_b := 0; P_n := P; b := 0; sigma := 0; G := 0; B := 1; nu := 1; f_star := 0 |}.

Theorem theorem_c_range_is_exact : Theorem_C_Range_Is_Exact.
Proof.
  intros Lip rate P x HL Hr HP. set (r := coin_run Lip rate P x). exists r, (0 : Forms.line).
  assert (Q : sqrt P * sqrt P = P) by now apply sqrt_sqrt.
  assert (S0 : forall t m e, step r t m e -> t = O /\ m = O /\ e = O).
  { intros t m e [H1 [H2 H3]]. change (t < 1)%nat in H1. change (m < 1)%nat in H2. change (e < 1)%nat in H3.
    lia. }
  split.
  - split; try (intros; exact I); auto.
    + intros m a b _. change R in a. change R in b. pose proof (Rle_0_sqr (b - a)) as N. unfold Rsqr in N.
      cbn. split; nra.
    + intros a. change R in a. pose proof (Rle_0_sqr a) as N. unfold Rsqr in N. unfold f, avg. cbn. nra.
    + intros t m e Y H _ K. destruct (S0 t m e H) as [-> [-> ->]].
      assert (K' : Y false = Y true) by (apply K; exact I). change (/ 2 * (1 * (sqrt P * (Lip * x)) * Y true)
        + (/ 2 * (-1 * (sqrt P * (Lip * x)) * Y false) + 0) = 0). rewrite K'. set (w := Y true : R). ring.
    + intros t m e H. destruct (S0 t m e H) as [-> [-> ->]]. cbn.
      replace (1 * (sqrt P * (Lip * x)) * (1 * (sqrt P * (Lip * x))))
        with (sqrt P * sqrt P * (Lip * x * (Lip * x))) by ring.
      replace (-1 * (sqrt P * (Lip * x)) * (-1 * (sqrt P * (Lip * x))))
        with (sqrt P * sqrt P * (Lip * x * (Lip * x))) by ring.
      rewrite Q. right. field.
    + intros t m e _ o o' ->. reflexivity.
    + intros t m o o' _. reflexivity.
    + intros t m Ht o o' _. change (t < 1)%nat in Ht. replace t with O by lia. reflexivity.
    + intros t m e o o'. destruct e; cbn; auto.
  - repeat split; auto.
    + unfold D_02. cbn. field.
    + unfold D_02, kappa, shifted, vmean. cbn [exact]. unfold moved, vmean. cbn. rewrite !Rinv_1.
      transitivity (x * x * (1 - 2 * Lip * rate + (Lip * rate) ^ 2 * (1 + sqrt P * sqrt P)));
        [field|rewrite Q; field; lra].
Qed.
