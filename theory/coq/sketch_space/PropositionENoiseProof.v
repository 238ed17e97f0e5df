(** * Proof of Proposition E with noise *)
From Coq Require Import Reals Lra Lia.
From FPS.sketch_space Require Import TableSetting PropositionENoise.
From FPS.sketch_space.theorem_b Require Import DescentLemmas NoiseLemmas.
Open Scope R_scope.

Section Noisy.
Variables (r : run) (k : table r) (g : V r).
Hypothesis ok : assumptions_B r k.
Hypothesis means : table_has_means r k.
Let s := gamma r * Ebar r.
Let s_pos : 0 < s := gamma_Ebar_pos r k ok.
Let h t := chance r (fun o => ⟨tab r k t o, Sk k g⟩).
Let T_real : 0 < INR (T r). Proof. apply lt_0_INR, T_pos. Qed.
Lemma sq_const : sq (chance r) (fun _ => g). Proof. now destruct means as [_ [_ H]]. Qed.
Lemma int_table t : (t <= T r)%nat -> int (chance r) (fun o => ⟨tab r k t o, Sk k g⟩).
Proof. destruct means as [H _]. auto. Qed.
Lemma int_qz t : (t < T r)%nat -> int (chance r) (fun o => ⟨Sk k (qz_of r t o), Sk k g⟩).
Proof.
  intros Ht. apply (int_same _ (fun o => ⟨qz_of r t o, St k (Sk k g)⟩)); [intro; symmetry; apply Sk_inner|].
  apply sq_inner; [now apply (sq_qz r k ok)|]. apply (sq_M r k ok (fun _ => g)), sq_const.
Qed.
(** One round: −γĒ E⟨q_t + z_t, g⟩_M is what the table gains along S g. *)
Lemma round_along_g t : (t < T r)%nat ->
  chance r (fun o => ⟨Sk k (qz_of r t o), Sk k g⟩) = / s * (h t - h (S t)).
Proof.
  intros Ht. assert (Hn : chance r (fun o => ⟨stored k t o, Sk k g⟩) = 0).
  { apply (stored_zero r k ok t (fun _ => g)); auto using sq_const. intros o o' _; reflexivity. }
  pose proof (int_stored r k ok t Ht (fun _ => g) sq_const) as In. cbv beta in In.
  pose proof (int_table t ltac:(lia)) as It. pose proof (int_qz t Ht) as Id.
  assert (Hd : h (S t) = h t + (- s) * chance r (fun o => ⟨Sk k (qz_of r t o), Sk k g⟩)
                         + chance r (fun o => ⟨stored k t o, Sk k g⟩)).
  { unfold h. rewrite <- E_scale by auto. rewrite <- !E_add; auto using int_scale.
    - apply E_same; intros o. cbn [tab]. rewrite !inner_add.
      rewrite (Sk_inner k (vmean _ _)), (round_is r k ok t o), inner_scale, <- Sk_inner. reflexivity.
    - apply (int_add _ (fun o => ⟨tab r k t o, Sk k g⟩)); auto using int_scale. }
  rewrite Hd, Hn. field. lra.
Qed.
(** g as a vector of L², the same in all rounds *)
Definition g_ : L2 (rounds_M r k ok) := each r k ok (fun _ _ => g) (fun _ _ => sq_const).
Lemma g_norm : ‖g_‖ = ‖(Sk k g)‖.
Proof. unfold norm. f_equal. rewrite L2_inner. exact (E_const (rounds_M r k ok) ‖(Sk k g)‖²). Qed.
Lemma g_z : ⟨g_, z r k ok⟩ = 0.
Proof. apply z_orthogonal. intros t m e _ o o' _; reflexivity. Qed.
Lemma qz_along_g : ⟨q r k ok + z r k ok, g_⟩ = / (s * INR (T r)) * (h 0%nat - h (T r)).
Proof.
  transitivity (avg (T r) (fun t => / s * (h t - h (S t)))).
  - rewrite L2_inner, rounds_M_is. apply avg_ext; intros t Ht. apply (round_along_g t Ht).
  - rewrite avg_scale. unfold avg. rewrite telescope. field. lra.
Qed.
Lemma way_along_g : h 0%nat - h (T r) <= ‖(Sk k g)‖ * chance r (fun o => ‖(tab r k 0 o - tab r k (T r) o)‖).
Proof.
  destruct means as [_ [Im _]]. pose proof (int_table 0 ltac:(lia)) as I0.
  pose proof (int_table (T r) (le_n _)) as IT.
  replace (h 0%nat - h (T r)) with (chance r (fun o => ⟨tab r k 0 o - tab r k (T r) o, Sk k g⟩)).
  - rewrite <- E_scale by auto. apply E_mono; auto using int_scale.
    + apply (int_same _ (fun o => ⟨tab r k 0 o, Sk k g⟩ + (-1) * ⟨tab r k (T r) o, Sk k g⟩)).
      * intro o. rewrite inner_add, inner_scale. reflexivity.
      * apply int_add; auto using int_scale.
    + intros o _. rewrite Rmult_comm. apply inner_le.
  - transitivity (h 0%nat + (-1) * h (T r)); [|ring]. unfold h.
    rewrite <- E_scale, <- E_add; auto using int_scale.
    apply E_same; intros. rewrite inner_add, inner_scale. reflexivity.
Qed.
Lemma gradient_along_g : ⟨a r k ok, g_⟩ <= ‖(Sk k g)‖ * (way_of_table r k + F_B r k).
Proof.
  replace ⟨a r k ok, g_⟩ with (⟨q r k ok + z r k ok, g_⟩ + ⟨a r k ok - q r k ok, g_⟩).
  - pose proof (inner_le _ (a r k ok - q r k ok)%V g_) as H1. rewrite g_norm in H1.
    pose proof (near_gradient r k ok). pose proof (norm_nonneg _ (Sk k g)). pose proof way_along_g as Hc.
    rewrite qz_along_g. assert (Hi : 0 < / (s * INR (T r))) by (apply Rinv_0_lt_compat; nra).
    apply Rmult_le_compat_l with (r := / (s * INR (T r))) in Hc; [|lra].
    unfold way_of_table, Rdiv. fold s. nra.
  - rewrite inner_add, (inner_add _ (a r k ok)), inner_scale, (inner_sym _ (z r k ok)), g_z. ring.
Qed.
Lemma chatter_bound : ‖(a r k ok)‖² <= ‖(a r k ok - g_)‖² + 2 * ‖(Sk k g)‖ * (way_of_table r k + F_B r k).
Proof.
  pose proof gradient_along_g. rewrite square_sum, square_scale, inner_scale_r.
  pose proof (inner_nonneg _ g_). lra.
Qed.
End Noisy.

Theorem mean_gradient_is_small : Mean_Gradient_Is_Small.
Proof. intros r k g ok means. exact (gradient_along_g r k g ok means). Qed.
Theorem proposition_e_with_noise : Proposition_E_With_Noise.
Proof. intros r k g ok means. exact (chatter_bound r k g ok means). Qed.
