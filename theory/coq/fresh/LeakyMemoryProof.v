(** * Theorem L: proofs *)
From Coq Require Import Reals Lra Lia.
From FPS.tools Require Import Smooth.
From FPS.fresh Require Import LeakyMemory ChannelProof.
Open Scope R_scope.

Section Constants.
Variable r : leaky.
Hypothesis ok : leaky_fits r.
Local Notation c := (shrink r).
Lemma shrink_range : 0 < c <= 1.
Proof.
  unfold shrink. pose proof (price_1_nonneg r ok). split; [apply Rinv_0_lt_compat; lra|].
  rewrite <- Rinv_1. apply Rinv_le_contravar; lra.
Qed.
(** (1−c)² + c²ω_1 = 1 − c *)
Lemma shrink_is : (1 - c) * (1 - c) + c * c * price_1 r = 1 - c.
Proof. unfold shrink. pose proof (price_1_nonneg r ok). field. lra. Qed.
Lemma s_square : s_of r ^ 2 = leak r ^ 2 * (1 - c).
Proof.
  unfold s_of. pose proof shrink_range. replace ((leak r * sqrt (1 - c)) ^ 2) with (leak r ^ 2 * (sqrt (1 - c) * sqrt (1 - c)))
    by ring. rewrite sqrt_sqrt by lra. reflexivity.
Qed.
Lemma s_range : 0 <= s_of r < 1.
Proof.
  unfold s_of. pose proof shrink_range. pose proof (leak_range r ok). pose proof (sqrt_pos (1 - c)).
  assert (sqrt (1 - c) < 1) by (pose proof (sqrt_lt_1 (1 - c) 1 ltac:(lra) ltac:(lra) ltac:(lra)) as Q; now rewrite sqrt_1 in Q). split; [now apply Rmult_le_pos|].
  assert (leak r * sqrt (1 - c) <= 1 * sqrt (1 - c)) by (apply Rmult_le_compat_r; lra). lra.
Qed.
End Constants.

Section Round.
Variables (r : leaky) (t : nat).
Hypotheses (ok : leaky_fits r) (rd : memory_round r t).
Local Notation P := (all_chance r).
Local Notation L := (L2 P).
Local Notation rho := (leak r).
Local Notation c := (shrink r).
Local Notation k := (applied r).
Local Notation pt := (sent r t).

Lemma sq_sent : sq P pt.
Proof. apply sq_add; [exact (sq_memory r t rd)|]. apply sq_scale, (sq_gradient r t rd). Qed.
Lemma sent_known : known (at_hash r t) pt.
Proof.
  intros o o' Ho. unfold sent. now rewrite (model_known r t rd o o' Ho), (memory_known r t rd o o' Ho).
Qed.
Lemma sq_received : sq P (fun o => all_A r t o (pt o)).
Proof. exact (channel_sq (channel_H r t rd) pt sq_sent sent_known). Qed.
Definition up (X : all_Omega r -> all_V r) (HX : sq P X) : L := exist _ X HX.
Definition Pv : L := up _ sq_sent.
Definition Rv : L := up _ sq_received.
Definition W : L := (Rv - Pv)%V.
Definition Gv : L := up _ (sq_gradient r t rd).
Definition Gz : L := up _ (sq_virtual r t rd).
Definition Nv : L := up _ (sq_noise r t rd).
Definition Hv (X : L) : L := up _ (sq_H r ok _ (proj2_sig X)).
Lemma Hv_symmetric : symmetric Hv.
Proof. intros X Y. rewrite !L2_inner. apply E_same; intros o. apply (H_symmetric r ok). Qed.
Lemma W_orthogonal (Z : L) : known (at_hash r t) (at_ Z) -> ⟨W, Z⟩ = 0.
Proof.
  intros K. rewrite L2_inner.
  exact (channel_unbiased (channel_H r t rd) pt (at_ Z) sq_sent (proj2_sig Z) sent_known K).
Qed.
Lemma N_orthogonal (Z : L) : known (at_noise r t) (at_ Z) -> ⟨Nv, Z⟩ = 0.
Proof. intros K. rewrite L2_inner. exact (noise_mean_zero r t rd (at_ Z) (proj2_sig Z) K). Qed.
Lemma later {X} (Z : all_Omega r -> X) : known (at_hash r t) Z -> known (at_noise r t) Z.
Proof. intros K o o' Ho. apply K. now apply (noise_after_hash r t rd). Qed.
Lemma G_known : known (at_hash r t) (at_ Gv).
Proof. intros o o' Ho. change (grad r (model r t o) = grad r (model r t o')). now rewrite (model_known r t rd o o' Ho). Qed.
Lemma Gz_known : known (at_hash r t) (at_ Gz).
Proof.
  intros o o' Ho. change (grad r (virtual r t o) = grad r (virtual r t o')). unfold virtual.
  now rewrite (model_known r t rd o o' Ho), (memory_known r t rd o o' Ho).
Qed.
Lemma W_known : known (at_noise r t) (at_ W).
Proof.
  intros o o' Ho. change ((all_A r t o (pt o) - pt o)%V = (all_A r t o' (pt o') - pt o')%V).
  rewrite (received_known r t rd o o' Ho). now rewrite (later pt sent_known o o' Ho).
Qed.
Lemma known_H p (X : L) : known p (at_ X) -> known p (at_ (Hv X)).
Proof. intros K o o' Ho. change (all_H r (at_ X o) = all_H r (at_ X o')). now rewrite (K o o' Ho). Qed.
Lemma W_length : ‖W‖² <= price_1 r * ‖Pv‖².
Proof. exact (channel_spread (channel_1 r t rd) pt sq_sent sent_known). Qed.
Lemma W_price : ⟨W, Hv W⟩ <= price r * ‖Pv‖².
Proof. exact (channel_spread (channel_H r t rd) pt sq_sent sent_known). Qed.

(** ρ(p − cAp) = ρ((1−c)p − c(A−1)p) *)
Lemma memory_next : P (fun o => ‖(memory r (S t) o)‖²) <= s_of r ^ 2 * ‖Pv‖².
Proof.
  pose proof (shrink_range r ok) as Hc. rewrite (s_square r ok).
  assert (E1 : P (fun o => ‖(memory r (S t) o)‖²) = ‖(rho *: ((1 - c) *: Pv - c *: W))%V‖²).
  { rewrite L2_inner. apply E_same; intros o. rewrite (next_memory r t rd o). apply same_square. intros z.
    change (at_ (rho *: ((1 - c) *: Pv - c *: W))%V o)
      with (rho *: ((1 - c) *: pt o - c *: (all_A r t o (pt o) - pt o)))%V. expand. ring. }
  rewrite E1, square_scale.
  assert (E2 : ‖((1 - c) *: Pv - c *: W)%V‖² = (1 - c) * (1 - c) * ‖Pv‖² + c * c * ‖W‖²).
  { pose proof (W_orthogonal Pv sent_known) as O. rewrite square_sum, !square_scale, !inner_scale, !inner_scale_r, (inner_sym _ Pv W), O. ring. }
  rewrite E2. replace (rho ^ 2 * (1 - c) * ‖Pv‖²) with (rho * rho * ((1 - c) * ‖Pv‖²)) by ring.
  apply Rmult_le_compat_l; [nra|]. rewrite <- (shrink_is r ok) at 3.
  assert (c * c * ‖W‖² <= c * c * (price_1 r * ‖Pv‖²)) by (apply Rmult_le_compat_l; [nra|exact W_length]). lra.
Qed.

(** z₊ − z = y + (1−ρ)(A−1)p + kn *)
Definition hv : L := (((- gamma r) *: Gv + (1 - rho) *: W) + k *: Nv)%V.
Lemma move_is o : same (virtual r (S t) o - virtual r t o)%V (at_ hv o).
Proof.
  intros z. change (at_ hv o) with (((- gamma r) *: grad r (model r t o) + (1 - rho) *: (all_A r t o (pt o) - pt o))
    + k *: all_noise r t o)%V.
  unfold virtual. rewrite (next_memory r t rd o), (next_model r t rd o). unfold applied. generalize (all_A r t o (pt o)).
  intros v. unfold sent. expand. ring.
Qed.
Lemma value_next : P (fun o => loss r (virtual r (S t) o)) <= P (fun o => loss r (virtual r t o))
  - gamma r * ⟨Gz, Gv⟩ + all_ell r / 2 * gamma r ^ 2 * ‖Gv‖² + (1 - rho) ^ 2 * price r / 2 * ‖Pv‖² + k ^ 2 * all_floor r / 2.
Proof.
  assert (Pt : P (fun o => loss r (virtual r (S t) o)) <= P (fun o => loss r (virtual r t o)) + ⟨Gz, hv⟩ + / 2 * ⟨hv, Hv hv⟩).
  { rewrite !L2_inner. rewrite <- (E_scale P (/ 2)), <- !(E_add P);
      auto using L2_int, int_add, int_scale, (int_virtual r t rd).
    apply E_mono; [exact (int_next r t rd)|auto 6 using L2_int, int_add, int_scale, (int_virtual r t rd)|]. intros o _.
    pose proof (loss_curved r ok (virtual r t o) (virtual r (S t) o)) as C.
    rewrite (form_of_same _ _ (H_symmetric r ok) _ _ (move_is o)) in C.
    rewrite inner_sym, (move_is o _), inner_sym in C.
    change (at_ (Hv hv) o) with (all_H r (at_ hv o)). change (at_ Gz o) with (grad r (virtual r t o)). lra. }
  assert (Kn : known (at_noise r t) (at_ ((- gamma r) *: Gv + (1 - rho) *: W)%V)).
  { intros o o' Ho. change (((- gamma r) *: at_ Gv o + (1 - rho) *: at_ W o)%V = ((- gamma r) *: at_ Gv o' + (1 - rho) *: at_ W o')%V).
    now rewrite (later _ G_known o o' Ho), (W_known o o' Ho). }
  assert (Z1 : ⟨Gz, hv⟩ = - gamma r * ⟨Gz, Gv⟩).
  { unfold hv. rewrite !inner_add_r, !inner_scale_r, (inner_sym _ Gz W), (inner_sym _ Gz Nv).
    rewrite (W_orthogonal Gz Gz_known), (N_orthogonal Gz (later _ Gz_known)). ring. }
  assert (Z2 : ⟨hv, Hv hv⟩ = gamma r ^ 2 * ⟨Gv, Hv Gv⟩ + (1 - rho) ^ 2 * ⟨W, Hv W⟩ + k ^ 2 * ⟨Nv, Hv Nv⟩).
  { assert (Sc : forall x (X : L), ⟨x *: X, Hv (x *: X)%V⟩ = x ^ 2 * ⟨X, Hv X⟩).
    { intros x X. rewrite inner_scale, <- Hv_symmetric, inner_scale_r, Hv_symmetric. ring. }
    assert (X1 : ⟨(- gamma r) *: Gv, Hv ((1 - rho) *: W)%V⟩ = 0).
    { rewrite <- Hv_symmetric, inner_scale_r, inner_sym, W_orthogonal; [ring|]. apply known_H.
      intros o o' Ho. change (((- gamma r) *: at_ Gv o)%V = ((- gamma r) *: at_ Gv o')%V). now rewrite (G_known o o' Ho). }
    assert (X2 : ⟨(- gamma r) *: Gv + (1 - rho) *: W, Hv (k *: Nv)%V⟩ = 0).
    { rewrite <- Hv_symmetric, inner_scale_r, inner_sym, N_orthogonal; [ring|]. apply known_H. exact Kn. }
    unfold hv. rewrite !(form_of_sum _ _ Hv_symmetric), !Sc, X1, X2. ring. }
  assert (B1 : ⟨Gv, Hv Gv⟩ <= all_ell r * ‖Gv‖²).
  { rewrite !L2_inner, <- E_scale by apply L2_int. apply E_mono; [apply L2_int|apply int_scale, L2_int|].
    intros o _. apply (H_bounded r ok). }
  pose proof W_price as B2. pose proof (noise_small r t rd) as B3. change (⟨Nv, Hv Nv⟩ <= all_floor r) in B3.
  rewrite Z1, Z2 in Pt.
  assert (gamma r ^ 2 * ⟨Gv, Hv Gv⟩ <= gamma r ^ 2 * (all_ell r * ‖Gv‖²)) by (apply Rmult_le_compat_l; [apply pow2_ge_0|exact B1]).
  assert ((1 - rho) ^ 2 * ⟨W, Hv W⟩ <= (1 - rho) ^ 2 * (price r * ‖Pv‖²)) by (apply Rmult_le_compat_l; [apply pow2_ge_0|exact B2]).
  assert (k ^ 2 * ⟨Nv, Hv Nv⟩ <= k ^ 2 * all_floor r) by (apply Rmult_le_compat_l; [apply pow2_ge_0|exact B3]). lra.
Qed.
End Round.

Theorem leaky_round : Leaky_Round.
Proof. intros r t ok rd. split; [exact (memory_next r t ok rd)|exact (value_next r t ok rd)]. Qed.

Section Rounds.
Variables (r : leaky) (T : nat) (f_star : R).
Hypotheses (HT : (0 < T)%nat) (ok : leaky_fits r) (rd : forall t, (t < T)%nat -> memory_round r t)
  (below : forall x, f_star <= loss r x).
Local Notation P := (all_chance r).
Local Notation PT := (times T HT P).
Local Notation LT := (L2 PT).
Definition kept (t : nat) : R := P (fun o => ‖(memory r t o)‖²).
Definition sent_square (t : nat) : R := P (fun o => ‖(sent r t o)‖²).
Definition value (t : nat) : R := P (fun o => loss r (virtual r t o)).
Definition turn (t : nat) : R := P (fun o => ⟨grad r (virtual r t o), grad r (model r t o)⟩).

Definition Mem : LT := exist (fun X => sq PT X) (fun to => memory r (fst to) (snd to)) (fun t Ht => sq_memory r t (rd t Ht)).
Definition Grad : LT :=
  exist (fun X => sq PT X) (fun to => grad r (model r (fst to) (snd to))) (fun t Ht => sq_gradient r t (rd t Ht)).
Definition GradZ : LT :=
  exist (fun X => sq PT X) (fun to => grad r (virtual r (fst to) (snd to))) (fun t Ht => sq_virtual r t (rd t Ht)).
Definition Sent : LT := (Mem + (- gamma r) *: Grad)%V.

Lemma Mem_square : ‖Mem‖² = avg T kept. Proof. reflexivity. Qed.
Lemma Grad_square : ‖Grad‖² = avg T (gradient_square r). Proof. reflexivity. Qed.
Lemma Sent_square : ‖Sent‖² = avg T sent_square. Proof. reflexivity. Qed.
Lemma Turn_is : ⟨GradZ, Grad⟩ = avg T turn. Proof. reflexivity. Qed.

(** ‖e‖ ≤ a γ‖g‖ and ‖p‖ ≤ γ‖g‖/(1−s) *)
Lemma kept_sum : avg T kept <= s_of r ^ 2 * avg T sent_square.
Proof.
  assert (Pos : forall t, (t < T)%nat -> 0 <= sent_square t).
  { intros t Ht. apply E_nonneg; [apply sq_inner; exact (sq_sent r t (rd t Ht))|]. intros; apply inner_nonneg. }
  assert (Sum : forall n, (n < T)%nat -> sum (S n) kept <= s_of r ^ 2 * sum n sent_square).
  { induction n as [|n IH]; intros Hn.
    - cbn [sum]. unfold kept. rewrite (E_same P _ (fun _ => 0)) by (intros; rewrite (empty_memory r ok); apply inner_zero).
      rewrite E_const. lra.
    - specialize (IH ltac:(lia)). pose proof (memory_next r n ok (rd n ltac:(lia))) as M.
      change (kept (S n) <= s_of r ^ 2 * sent_square n) in M.
      change (sum (S (S n)) kept) with (sum (S n) kept + kept (S n)).
      change (sum (S n) sent_square) with (sum n sent_square + sent_square n). lra. }
  assert (Last : sum T kept <= s_of r ^ 2 * sum T sent_square).
  { destruct T as [|T0]; [lia|]. apply Rle_trans with (1 := Sum T0 (le_n _)).
    apply Rmult_le_compat_l; [apply pow2_ge_0|]. cbn [sum]. pose proof (Pos T0 (le_n _)). lra. }
  unfold avg. assert (0 < / INR T) by now apply Rinv_0_lt_compat, lt_0_INR.
  replace (s_of r ^ 2 * (/ INR T * sum T sent_square)) with (/ INR T * (s_of r ^ 2 * sum T sent_square)) by ring.
  apply Rmult_le_compat_l; lra.
Qed.
Lemma norms : ‖Mem‖ <= a_of r * (gamma r * ‖Grad‖) /\ ‖Sent‖ <= gamma r * ‖Grad‖ / (1 - s_of r).
Proof.
  pose proof (s_range r ok) as Hs. pose proof (gamma_pos r ok) as Hg.
  assert (H1 : ‖Mem‖ <= s_of r * ‖Sent‖).
  { apply square_le; [apply Rmult_le_pos; [lra|apply norm_nonneg]|].
    replace (s_of r * ‖Sent‖ * (s_of r * ‖Sent‖)) with (s_of r ^ 2 * (‖Sent‖ * ‖Sent‖)) by ring.
    rewrite !norm_square, Mem_square, Sent_square. exact kept_sum. }
  assert (H2 : ‖Sent‖ <= ‖Mem‖ + gamma r * ‖Grad‖).
  { unfold Sent. apply Rle_trans with (1 := minkowski _ _ _). rewrite norm_scale, Rabs_left by lra. lra. }
  assert (H3 : ‖Sent‖ * (1 - s_of r) <= gamma r * ‖Grad‖) by lra.
  assert (H4 : ‖Sent‖ <= gamma r * ‖Grad‖ / (1 - s_of r)).
  { apply Rmult_le_reg_r with (1 - s_of r); [lra|].
    replace (gamma r * ‖Grad‖ / (1 - s_of r) * (1 - s_of r)) with (gamma r * ‖Grad‖) by (field; lra). exact H3. }
  split; [|exact H4]. apply Rle_trans with (1 := H1).
  replace (a_of r * (gamma r * ‖Grad‖)) with (s_of r * (gamma r * ‖Grad‖ / (1 - s_of r))) by (unfold a_of; field; lra).
  apply Rmult_le_compat_l; lra.
Qed.
Lemma turn_large : ‖Grad‖² * (1 - gamma r * all_ell r * a_of r) <= avg T turn.
Proof.
  rewrite <- Turn_is. destruct norms as [H1 _]. pose proof (ell_nonneg r ok) as Hl. pose proof (norm_nonneg _ Grad) as Hn.
  assert (D : ‖(GradZ - Grad)‖ <= all_ell r * ‖Mem‖).
  { apply L2_le; [exact Hl|]. intros [t o] _. change (at_ (GradZ - Grad)%V (t, o)) with (grad r (virtual r t o) - grad r (model r t o))%V.
    change (at_ Mem (t, o)) with (memory r t o). apply Rle_trans with (1 := gradient_lipschitz r ok _ _).
    right. f_equal. apply same_norm. intros z. unfold virtual. expand. ring. }
  pose proof (inner_ge _ (GradZ - Grad)%V Grad) as I1. rewrite inner_add, inner_scale in I1.
  assert (‖(GradZ - Grad)‖ * ‖Grad‖ <= all_ell r * (a_of r * (gamma r * ‖Grad‖)) * ‖Grad‖).
  { apply Rmult_le_compat_r; [exact Hn|]. apply Rle_trans with (1 := D). now apply Rmult_le_compat_l. }
  rewrite <- norm_square in *. lra.
Qed.
Lemma summed : gamma r * avg T turn <= (value 0 - f_star) / INR T + all_ell r / 2 * gamma r ^ 2 * avg T (gradient_square r)
  + (1 - leak r) ^ 2 * price r / 2 * avg T sent_square + applied r ^ 2 * all_floor r / 2.
Proof.
  assert (PTp : 0 < INR T) by now apply lt_0_INR.
  set (q := all_ell r / 2 * gamma r ^ 2). set (v := (1 - leak r) ^ 2 * price r / 2). set (fl := applied r ^ 2 * all_floor r / 2).
  assert (Sum : forall n, (n <= T)%nat -> gamma r * sum n turn <=
    value 0 - value n + q * sum n (gradient_square r) + v * sum n sent_square + INR n * fl).
  { induction n as [|n IH]; intros Hn; [simpl; lra|]. specialize (IH ltac:(lia)).
    pose proof (value_next r n ok (rd n ltac:(lia))) as V1.
    change (value (S n) <= value n - gamma r * turn n + q * gradient_square r n + v * sent_square n + fl) in V1.
    rewrite S_INR. cbn [sum]. lra. }
  specialize (Sum T (le_n T)).
  assert (End : f_star <= value T).
  { destruct T as [|T0]; [lia|]. unfold value. rewrite <- (E_const P f_star).
    apply E_mono; [apply int_const|exact (int_next r T0 (rd T0 (le_n _)))|intros; apply below]. }
  unfold avg. apply Rmult_le_reg_l with (INR T); [exact PTp|].
  replace (INR T * (gamma r * (/ INR T * sum T turn))) with (gamma r * sum T turn) by (field; lra).
  replace (INR T * ((value 0 - f_star) / INR T + q * (/ INR T * sum T (gradient_square r)) + v * (/ INR T * sum T sent_square) + fl))
    with (value 0 - f_star + q * sum T (gradient_square r) + v * sum T sent_square + INR T * fl) by (field; lra). lra.
Qed.
Lemma value_zero : value 0 = P (fun o => loss r (model r 0 o)).
Proof.
  apply E_same; intros o. assert (Z : same (virtual r 0 o - model r 0 o)%V (zero : all_V r)).
  { intros z. unfold virtual. rewrite (empty_memory r ok o). expand. ring. }
  assert (Z' : same (model r 0 o - virtual r 0 o)%V (zero : all_V r)).
  { intros z. unfold virtual. rewrite (empty_memory r ok o). expand. ring. }
  assert (F0 : forall v, same v (zero : all_V r) -> ⟨v, all_H r v⟩ = 0).
  { intros v Hv0. rewrite (form_of_same _ _ (H_symmetric r ok) _ _ Hv0). apply inner_zero. }
  apply Rle_antisym.
  - pose proof (loss_curved r ok (model r 0 o) (virtual r 0 o)) as C. rewrite (F0 _ Z), inner_sym, (Z _), inner_zero in C. lra.
  - pose proof (loss_curved r ok (virtual r 0 o) (model r 0 o)) as C. rewrite (F0 _ Z'), inner_sym, (Z' _), inner_zero in C. lra.
Qed.
End Rounds.
Theorem theorem_l : Theorem_L.
Proof.
  intros r T f_star HT ok rd below. pose proof (summed r T f_star HT ok rd below) as S.
  pose proof (turn_large r T HT ok rd) as Tn. destruct (norms r T HT ok rd) as [_ N].
  pose proof (gamma_pos r ok) as Hg. pose proof (price_nonneg r ok) as Hp. pose proof (s_range r ok) as Hs.
  rewrite (value_zero r ok) in S. pose proof (Grad_square r T HT rd) as G2. pose proof (Sent_square r T HT rd) as S2.
  rewrite <- S2 in S. rewrite <- G2 in S |- *. assert (PT : 0 < INR T) by now apply lt_0_INR.
  set (g2 := ‖(Grad r T HT rd)‖²) in *. set (D := all_chance r (fun o => loss r (model r 0 o)) - f_star) in *.
  set (fl := applied r ^ 2 * all_floor r) in *.
  assert (Sq : ‖(Sent r T HT rd)‖² <= gamma r ^ 2 * g2 / (1 - s_of r) ^ 2).
  { rewrite <- norm_square. pose proof (norm_nonneg _ (Sent r T HT rd)).
    replace (gamma r ^ 2 * g2 / (1 - s_of r) ^ 2) with
      (gamma r * ‖(Grad r T HT rd)‖ / (1 - s_of r) * (gamma r * ‖(Grad r T HT rd)‖ / (1 - s_of r)))
      by (unfold g2; rewrite <- norm_square; field; lra).
    apply Rmult_le_compat; auto. }
  assert (V1 : (1 - leak r) ^ 2 * price r / 2 * ‖(Sent r T HT rd)‖² <= price r * b_of r ^ 2 / 2 * (gamma r ^ 2 * g2)).
  { replace (price r * b_of r ^ 2 / 2 * (gamma r ^ 2 * g2)) with
      ((1 - leak r) ^ 2 * price r / 2 * (gamma r ^ 2 * g2 / (1 - s_of r) ^ 2)) by (unfold b_of; field; lra).
    apply Rmult_le_compat_l; [|exact Sq]. pose proof (pow2_ge_0 (1 - leak r)). unfold Rdiv. apply Rmult_le_pos; [|lra].
    now apply Rmult_le_pos. }
  assert (T1 : gamma r * (g2 * (1 - gamma r * all_ell r * a_of r)) <= gamma r * avg T (turn r))
    by (apply Rmult_le_compat_l; [lra|exact Tn]).
  apply Rmult_le_reg_l with (gamma r); [exact Hg|].
  replace (gamma r * (D / (gamma r * INR T) + fl / (2 * gamma r))) with (D / INR T + fl / 2) by (field; lra).
  unfold fl in *. lra.
Qed.
