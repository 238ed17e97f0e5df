(** * Proof that the assumptions can be met: two devices, two rounds, one coin *)
From Coq Require Import Reals Lra Lia List.
From FPS.repaired Require Import Setting Drift Corollary1 Corollary2 Satisfiable SureRuns.
Open Scope R_scope.

Definition coin : mean (Rd 1) bool.
  refine (finite (Rd 1) ((true, 1 / 2) :: (false, 1 / 2) :: nil) _ _).
  - intros o p [H|[H|[]]]; inversion H; lra.
  - simpl; lra.
Defined.
Lemma coin_is X : coin X = (X true + X false) / 2.
Proof. simpl. field. Qed.

Section Example.
Variables (steps : nat) (some : (0 < steps)%nat).
(** Device 0 wants to be at 1, device 1 at −1; v_0 = 1 is read as 1/2; the first step of device 0 throws a
    coin. *)
Definition centre (m : nat) : R := match m with O => 1 | _ => -1 end.
Definition throw (t m e : nat) (o : bool) : R :=
  match t, m, e with O, O, O => if o then 1 else -1 | _, _, _ => 0 end.
Definition example : run.
  refine {| V := Rd 1; Omega := bool; chance := coin; T := 2; M := 2; Es := steps;
    loss := fun m x => (x O - centre m) ^ 2 / 2; grad := fun m x => point (x O - centre m);
    gamma := / (100 * INR steps); mu := 1;
    v0 := fun _ => point 1; broadcast := fun _ _ => point (1 / 2);
    beta := fun _ _ _ _ => point (1 / 10); zeta := fun t m e o => point (throw t m e o);
    past := fun t m e o o' => (t = 0 /\ e = 0)%nat \/ o = o'; xi := fun _ => zero;
    L := 1; P_b := 1 / 4; P_n := 1 / 4; b := 1 / 10; sigma := 1; G := 1; B := 1; nu := / INR 2; f_star :=
      0 |};
    [lia|lia|exact some].
Defined.

Lemma throw_zero t m e o : (t <> 0 \/ m <> 0 \/ e <> 0)%nat -> throw t m e o = 0.
Proof. destruct t, m, e; try reflexivity. lia. Qed.
Lemma steps_one : 1 <= INR steps.
Proof. apply (le_INR 1). lia. Qed.
Lemma gamma_small : 0 < gamma example /\ gamma example <= 1 / 100 /\ gamma example * INR steps = 1 / 100.
Proof.
  pose proof steps_one. cbn [gamma example]. split; [apply Rinv_0_lt_compat; lra|]. split; [|field; lra].
  replace (1 / 100) with (/ 100) by field. apply Rinv_le_contravar; lra.
Qed.

Lemma example_smooth m : smooth (L example) (loss example m) (grad example m).
Proof.
  apply (smooth_line 1 (fun x => (x - centre m) ^ 2 / 2) (fun x => x - centre m)). intros x y.
  pose proof (pow2_ge_0 (y - x)). split; lra.
Qed.
Lemma example_mean_zero t m e (Y : bool -> Rd 1) : known example (past example t m e) Y ->
  coin (fun o => ⟨zeta example t m e o, Y o⟩) = 0.
Proof.
  intros HY. rewrite coin_is, !inner_line. cbn [zeta example]. unfold point.
  destruct t, m, e; simpl throw; try lra. rewrite (HY true false) by (simpl; auto). field.
Qed.
Lemma example_noise t m e : coin (fun o => ‖(zeta example t m e o)‖²) <= 1 ^ 2.
Proof. rewrite coin_is, !inner_line. cbn [zeta example]. unfold point. destruct t, m, e; simpl throw; lra.
Qed.
Lemma example_uncorrelated t m m' e e' : m <> m' -> coin
  (fun o => ⟨zeta example t m e o, zeta example t m' e' o⟩) = 0.
Proof.
  intros Hne. rewrite coin_is, !inner_line. cbn [zeta example]. unfold point.
  destruct m, m'; try lia; [rewrite !(throw_zero t (S m'))|rewrite !(throw_zero t (S m))|rewrite
    !(throw_zero t (S m))];
    try lra; lia.
Qed.

Lemma example_ok : assumptions example.
Proof.
  destruct gamma_small as (Hg & Hg1 & _).
  constructor; try (intros; exact I); try (simpl; lra); try exact Hg.
  - intros m _. apply example_smooth.
  - intros x. unfold f. cbn [M loss example]. rewrite avg_two. pose proof (pow2_ge_0 (x O - centre 0)).
    pose proof (pow2_ge_0 (x O - centre 1)). cbn [f_star example]. lra.
  - intros t m e o _ _. cbn [beta P_b b example]. rewrite (inner_line (point _)).
    pose proof (inner_nonneg _ (grad example m (local example t m e o))). unfold point at 1 2. lra.
  - intros t m e _ o o' _. reflexivity.
  - intros t m e Y _ _ HY. now apply example_mean_zero.
  - intros t m e _. apply Rle_trans with (1 := example_noise t m e). cbn [P_n sigma example].
    set (X := fun o => ‖(grad example m (local example t m e o))‖²).
    assert (0 <= coin X) by (apply E_nonneg; [exact I|]; intros; apply inner_nonneg).
    change (1 ^ 2 <= 1 / 4 * coin X + 1 ^ 2). lra.
  - right. split; [reflexivity|]. intros. now apply example_uncorrelated.
  - intros t m e _ o o' [[_ H]|H]; [discriminate H|now rewrite H].
  - intros t m o o' _. reflexivity.
  - intros m. split; intros o o' _; reflexivity.
  - intros t m e o o' [[_ H]|H]; [discriminate H|now right].
  - intros t m m' o o' [[H _]|H]; [discriminate H|now right].
  - intros t m m' o o' H. exact H.
  - intros t o _ _. unfold grad_f. cbn [M G B grad broadcast example].
    rewrite avg_two, !inner_line, mean_of_two. unfold point, centre. lra.
  - cbn [mu example]. lra.
Qed.
Lemma example_errors : every_error_present example.
Proof.
  assert (H0 : step example 0 0 0) by (repeat split; simpl; lia).
  split; [|split; [|split]].
  - exists 0%nat, 0%nat, 0%nat. split; [exact H0|].
    change (0 < coin (fun o => ‖(beta example 0 0 0 o)‖²)). rewrite coin_is, !inner_line. cbn. unfold point.
    lra.
  - exists 0%nat, 0%nat, 0%nat. split; [exact H0|].
    change (0 < coin (fun o => ‖(zeta example 0 0 0 o)‖²)). rewrite coin_is, !inner_line. cbn. unfold point.
    lra.
  - exists 0%nat, 1%nat. split; [simpl; lia|]. split; [simpl; lia|].
    match goal with |- 0 < ?E ?X => change (0 < coin X) end. rewrite coin_is, !inner_line. cbn.
    unfold point, centre. lra.
  - unfold R2, rounds. rewrite times_is. cbn [T example]. rewrite avg_two. cbn [fst snd].
    set (X := fun t o => ‖(residual example t o - xi example o)‖²).
    change (0 < (coin (X 0%nat) + coin (X 1%nat)) / 2).
    assert (0 <= coin (X 1%nat)) by (apply E_nonneg; [exact I|]; intros; apply inner_nonneg).
    assert (coin (X 0%nat) = 1 / 4); [|lra].
    rewrite coin_is. unfold X, residual. rewrite !inner_line. cbn. unfold point. field.
Qed.
Lemma root_quarter : sqrt (1 / 4) = 1 / 2.
Proof. replace (1 / 4) with ((1 / 2) ^ 2) by field. apply sqrt_pow2. lra. Qed.
Lemma example_conditions : corollary1_conditions (gamma example) 1 (1 / 4) (1 / 4) 1 (/ INR 2) /\
  corollary2_conditions (gamma example) 1 1 (1 / 4) (1 / 4) 1 (/ INR 2) (INR steps).
Proof.
  destruct gamma_small as (Hg & Hg1 & HgE). set (g := gamma example) in *.
  unfold corollary1_conditions, corollary2_conditions, c_all, c_b. rewrite root_quarter.
  replace (INR 2) with 2 by (simpl; ring). repeat split; lra.
Qed.
End Example.

Theorem assumptions_can_be_met : Assumptions_Can_Be_Met.
Proof.
  intros steps some. exists (example steps some). destruct (example_conditions steps some).
  split; [apply example_ok|]. split; [reflexivity|]. split; [apply example_errors|]. split; [reflexivity|].
  assert (Hnu : / INR 2 < 1) by (simpl; lra).
  cbn [nu B P_b P_n b sigma G mu L example]. do 8 (split; [lra|]). split; assumption.
Qed.
