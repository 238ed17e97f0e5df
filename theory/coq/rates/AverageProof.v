(** * From one round to the average: proofs *)
From Coq Require Import Reals Lra Lia List.
From FPS.tools Require Import Smooth.
From FPS.rates Require Import Round Forms Average.
Import ListNotations.
Open Scope R_scope.

Lemma telescope n (g : nat -> R) : sum n (fun t => g t - g (S t)) = g O - g n.
Proof. induction n as [|n IH]; simpl; [ring|rewrite IH; ring]. Qed.

Theorem certified_average : Certified_Average.
Proof.
  intros k c eta tau vt D Hc w T f_star G b sigma HT F next below.
  set (value := fun t => all_chance w (fun o => f (round_at w 0) (broadcast w t o))).
  set (size := fun t => all_chance w (fun o => ‖(grad_f (round_at w 0) (broadcast w t o))‖²)).
  set (floor_ := eta * G ^ 2 + tau * b ^ 2 + vt * sigma ^ 2).
  assert (PT : 0 < INR T) by now apply lt_0_INR.
  assert (R1 : forall t, (t < T)%nat -> c * size t <= value t - value (S t) + floor_).
  { intros t Ht. pose proof (D _ _ _ _ (F t Ht)) as H.
    assert (E : value (S t) = chance (round_at w t) (fun o => f (round_at w t) (finish k (round_at w t) o))).
    { apply E_same; intros o. now rewrite (next t o Ht). }
    rewrite <- E in H. change (value (S t) - value t <=
      - c * size t + eta * G ^ 2 + tau * b ^ 2 + vt * sigma ^ 2) in H.
    unfold floor_. lra. }
  assert (Last : f_star <= value T).
  { destruct T as [|j]; [lia|]. unfold value. rewrite <- (E_const (all_chance w) f_star).
    apply E_mono; [apply int_const| |intros; apply below].
    apply (int_same _ (fun o => f (round_at w j) (finish k (round_at w j) o))); [intros;
      now rewrite next by lia|].
    unfold f, avg. apply int_scale, int_sum. intros m Hm. exact (int_finish _ _ _ _ _ (F j ltac:(lia)) m Hm).
    }
  assert (K : c * avg T size <= / INR T * (value O - value T) + floor_).
  { rewrite <- telescope, <- avg_scale, <- (avg_const T HT floor_).
    change (/ INR T * sum T (fun t => value t - value (S t))) with (avg T (fun t => value t - value (S t))).
    rewrite <- avg_add. now apply avg_mono. }
  assert (S1 : / INR T * (value O - value T) <= (value O - f_star) / INR T).
  { unfold Rdiv. rewrite (Rmult_comm (value O - f_star)). apply Rmult_le_compat_l; [left;
      now apply Rinv_0_lt_compat|lra]. }
  apply Rmult_le_reg_l with c; auto. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra. fold (value O). lra.
Qed.

(** ** Two coins *)
Definition coins : list (bool * bool * R) :=
  [(true, true, / 4); (true, false, / 4); (false, true, / 4); (false, false, / 4)].
Lemma coins_nonneg o p : In (o, p) coins -> 0 <= p.
Proof. unfold coins. cbn. intros H. repeat destruct H as [H|H]; inversion H; lra. Qed.
Lemma coins_total : lsum coins (fun _ => 1) = 1.
Proof. cbn. lra. Qed.
Definition toss (b : bool) : R := if b then 1 else -1.
Definition two_coins : round := {|
  V := line; Omega := bool * bool; chance := finite line coins coins_nonneg coins_total;
  M := 2; some_device := Nat.lt_0_succ 1;
  loss := fun _ (x : line) => x * x / 2; grad := fun _ (x : line) => x;
  start := fun _ => 1; beta := fun _ _ _ => 0;
  zeta := fun m _ o => match m with O => toss (fst o) | _ => toss (snd o) end;
  past := fun _ e o o' => match e with O => True | _ => o = o' end |}.
Definition coin_numbers : numbers := {|
  Es := 1; gamma := / 2; mu := 0; L := 1; theta := 1; B := 1; P_b := 0; P_n := 0; nu := / 2;
  biased := false; noisy := true; one_device := false; uncorrelated := true; independent := false |}.

Theorem noisy_round_exists : Noisy_Round_Exists.
Proof.
  exists coin_numbers, two_coins. split; [|repeat split; intros m Hm; destruct m as [|[|m]]; try lia; cbn;
    lra].
  assert (S0 : forall m e, step coin_numbers two_coins m e -> (m = 0 \/ m = 1)%nat /\ e = O)
    by (intros m e [H1 H2]; change (m < 2)%nat in H1; change (e < 1)%nat in H2; lia).
  split; try (intros; exact I); try discriminate.
  - intros m _ x y. change R in x. change R in y. pose proof (Rle_0_sqr (y - x)) as P. unfold Rsqr in P. cbn.
    split; lra.
  - intros m e H. destruct (S0 m e H) as [_ ->]. cbn. lra.
  - intros m e _ o o' _. reflexivity.
  - intros _ m e o _. apply same_refl.
  - intros m e H. destruct (S0 m e H) as [[-> | ->] ->]; cbn; lra.
  - intros m e Y H _ K. destruct (S0 m e H) as [Hm ->].
    assert (K' : forall o, Y o = Y (true, true)) by (intros o; apply K; exact I).
    unfold chance, two_coins, finite, E, coins. cbn [lsum]. rewrite (K' (true, false)), (K' (false, true)),
      (K' (false, false)). destruct Hm as [-> | ->]; cbn; lra.
  - intros _. split; [cbn; lra|]. intros m m' e e' H H' N. destruct (S0 m e H) as [Hm ->],
      (S0 m' e' H') as [Hm' ->].
    destruct Hm as [-> | ->], Hm' as [-> | ->]; try lia; cbn; lra.
  - intros m e _ o o' ->. reflexivity.
  - intros m o o' _. reflexivity.
  - intros m e o o'. destruct e; cbn; auto.
  - cbn. unfold avg, vmean. cbn. lra.
  - cbn. unfold avg, finish, grad_f, vmean. cbn. nra.
Qed.
