(** * Theorem S: proof *)
From Coq Require Import Reals Lra Lia.
From FPS.tools Require Import Smooth.
From FPS.rates Require Import Round Forms Average.
From FPS.fresh Require Import Prices PricesProof TheoremS.
From FPS.fresh Require Channel.
Open Scope R_scope.

Theorem theorem_s : Theorem_S.
Proof.
  intros k a omega ell kappa priced Hc w s T f_star G b sigma floor HT F A3 C Kl next below.
  set (value := fun t => all_chance w (fun o => f (round_at w 0) (broadcast w t o))).
  set (size := fun t => all_chance w (fun o => ‖(grad_f (round_at w 0) (broadcast w t o))‖²)).
  set (fl := (eta_0 a + eta_plus a) * G ^ 2 + sum (Es k) (tau a) * b ^ 2 + sum (Es k) (vt a) * sigma ^ 2 + floor / 2).
  assert (PT : 0 < INR T) by now apply lt_0_INR.
  assert (E1 : forall t, (t < T)%nat -> value (S t) =
    all_chance w (fun o => f (round_at w t) (Channel.finish (sent_at k w s ell omega kappa floor t) o))).
  { intros t Ht. apply E_same; intros o. rewrite next by auto. reflexivity. }
  assert (R1 : forall t, (t < T)%nat -> value (S t) <= value t - c a * size t + fl).
  { intros t Ht. destruct (F t Ht) as [G' F'].
    pose proof (theorem_s_one_round k a omega ell kappa priced (round_at w t) G' b sigma G (H s) (picked s t) (A s t)
      (noise s t) (p_pick s t) (p_hash s t) (p_noise s t) floor F' (A3 t Ht) (C t Ht) (fun m Hm => Kl t m Ht Hm)) as D.
    cbv zeta in D. fold (sent_at k w s ell omega kappa floor t) in D. rewrite (E1 t Ht). unfold fl.
    change (all_chance w (fun o => f (round_at w t) (Channel.finish (sent_at k w s ell omega kappa floor t) o)) - value t <=
      - c a * size t + (eta_0 a + eta_plus a) * G ^ 2 + sum (Es k) (tau a) * b ^ 2 + sum (Es k) (vt a) * sigma ^ 2
      + floor / 2) in D. lra. }
  assert (S1 : forall m, (m <= T)%nat -> c a * sum m size <= value O - value m + INR m * fl).
  { induction m as [|m IH]; intros Hm; [simpl; lra|]. rewrite S_INR. cbn [sum].
    pose proof (R1 m ltac:(lia)). specialize (IH ltac:(lia)). lra. }
  specialize (S1 T (le_n T)).
  assert (HV : f_star <= value T).
  { destruct T as [|T']; [lia|]. unfold value. rewrite <- (E_const (all_chance w) f_star).
    pose proof (Channel.int_finish _ (C T' ltac:(lia))) as If.
    apply E_mono; [apply int_const| |intros; apply below].
    refine (int_same _ _ _ _ If). intros o. rewrite (next T') by lia. reflexivity. }
  unfold avg. change (/ INR T * sum T size <= / c a * ((value O - f_star) / INR T + fl)).
  apply Rmult_le_reg_l with (c a * INR T); [apply Rmult_lt_0_compat; auto|].
  replace (c a * INR T * (/ INR T * sum T size)) with (c a * sum T size) by (field; lra).
  replace (c a * INR T * (/ c a * ((value O - f_star) / INR T + fl))) with (value O - f_star + INR T * fl) by (field; lra).
  lra.
Qed.
