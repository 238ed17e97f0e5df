(** * Theorem B: the seminorm ‖.‖_M as the norm of a space, and its L² over rounds, devices and chance *)
From Coq Require Import Reals Lra Lia.
From FPS.sketch_space.theorem_b Require Export KnownLemmas.
Open Scope R_scope.

Section Seminorm.
Variables (r : run) (k : table r).
Hypothesis ok : assumptions_B r k.

(** ** Models with the inner product ⟨g, h⟩_M = ⟨S g, C S h⟩ *)
Definition VM : space.
  refine {| vec := V r; zero := zero; add := add; scale := scale; inner := fun g h => ⟨Sk k g, Sk k h⟩ |}.
  - intros; apply inner_sym.
  - intros; rewrite Sk_inner; apply inner_zero.
  - intros; rewrite !Sk_inner; apply inner_add.
  - intros; rewrite !Sk_inner; apply inner_scale.
  - intros; apply inner_nonneg.
Defined.
Lemma VM_inner (g h : VM) : @inner VM g h = ⟨(g : V r), St k (Sk k h)⟩.
Proof. apply Sk_inner. Qed.
Lemma same_VM (g h : V r) : same g h -> @same VM g h.
Proof. intros H w. rewrite !VM_inner. apply H. Qed.
Lemma vsum_VM n (Z : nat -> V r) : @vsum VM n Z = @vsum (V r) n Z.
Proof. induction n as [|n IH]; simpl; [reflexivity|]. now rewrite IH. Qed.
Lemma vmean_VM n (Z : nat -> V r) : @vmean VM n Z = @vmean (V r) n Z.
Proof. unfold vmean. now rewrite vsum_VM. Qed.

(** ** Chance for ⟨.,.⟩_M: square-integrable is what ⟨.,.⟩_M does not tell from something square-integrable *)
Definition chance_M : mean VM (Omega r).
  refine {| may := may (chance r); int := int (chance r); E := E (chance r);
            sq := fun Y : Omega r -> VM =>
              exists Y' : Omega r -> V r, sq (chance r) Y' /\ forall o, @same VM (Y o) (Y' o) |}.
  - apply int_const.
  - apply int_add.
  - apply int_scale.
  - apply E_add.
  - apply E_scale.
  - apply E_mono.
  - apply E_const.
  - exists (fun _ => zero). split; [apply sq_zero|]. intros; apply same_refl.
  - intros Y1 Y2 [Y1' [H1 S1]] [Y2' [H2 S2]]. exists (fun o => add (Y1' o) (Y2' o)).
    split; [now apply sq_add|].
    intros o w. change (@add (V r)) with (@add VM). rewrite !inner_add. now rewrite (S1 o w), (S2 o w).
  - intros c Y1 [Y1' [H1 S1]]. exists (fun o => scale c (Y1' o)). split; [now apply sq_scale|].
    intros o w. change (@scale (V r)) with (@scale VM). rewrite !inner_scale. now rewrite (S1 o w).
  - intros Y1 Y2 H [Y1' [H1 S1]]. exists Y1'. split; auto. intros o w. now rewrite <- (H o w), (S1 o w).
  - intros Y1 Y2 [Y1' [H1 S1]] [Y2' [H2 S2]]. apply (int_same _ (fun o => ⟨Y1' o, St k (Sk k (Y2' o))⟩)).
    + intro o. rewrite (S1 o (Y2 o)), (inner_sym VM (Y1' o)), (S2 o (Y1' o)), (inner_sym VM (Y2' o)).
      symmetry. apply Sk_inner.
    + apply sq_inner; auto. now apply (sq_M r k ok).
Defined.
Lemma sq_seminorm (Y : Omega r -> V r) : sq (chance r) Y -> sq chance_M Y.
Proof. intros H. exists Y. split; auto. intros; apply same_refl. Qed.
Definition rounds_M : mean VM (nat * Omega r) := times (T r) (T_pos r) chance_M.
Definition everything_M : mean VM (nat * (nat * Omega r)) :=
  times (T r) (T_pos r) (times (M r) (M_pos r) chance_M).

(** ** The means, written out *)
Lemma everything_is Y : everything r Y =
  avg (T r) (fun t => avg (M r) (fun m => chance r (fun o => Y (t, (m, o))))).
Proof. reflexivity. Qed.
Lemma rounds_is Y : rounds r Y = avg (T r) (fun t => chance r (fun o => Y (t, o))).
Proof. reflexivity. Qed.
Lemma everything_M_is Y : everything_M Y =
  avg (T r) (fun t => avg (M r) (fun m => chance r (fun o => Y (t, (m, o))))).
Proof. reflexivity. Qed.
Lemma rounds_M_is Y : rounds_M Y = avg (T r) (fun t => chance r (fun o => Y (t, o))).
Proof. reflexivity. Qed.
Lemma everything_zero Y :
  (forall t m, (t < T r)%nat -> (m < M r)%nat -> chance r (fun o => Y (t, (m, o))) = 0) -> everything r Y = 0.
Proof.
  intros H. rewrite everything_is, <- (avg_const (T r) (T_pos r) 0). apply avg_ext; intros t Ht.
  rewrite <- (avg_const (M r) (M_pos r) 0). apply avg_ext; intros m Hm. now apply H.
Qed.
Lemma int_avg (Y : nat -> Omega r -> R) : (forall m, (m < M r)%nat -> int (chance r) (Y m)) ->
  int (chance r) (fun o => avg (M r) (fun m => Y m o)).
Proof. intros H. unfold avg. apply int_scale, int_sum, H. Qed.
Lemma E_avg (Y : nat -> Omega r -> R) : (forall m, (m < M r)%nat -> int (chance r) (Y m)) ->
  chance r (fun o => avg (M r) (fun m => Y m o)) = avg (M r) (fun m => chance r (Y m)).
Proof. intros H. unfold avg. rewrite E_scale, E_sum; auto. now apply int_sum. Qed.

(** ** Letters as vectors of L²: over rounds, devices and chance in both norms; over rounds and chance *)
Definition all (Y : nat -> nat -> Omega r -> V r)
  (H : forall t m, (t < T r)%nat -> (m < M r)%nat -> sq (chance r) (Y t m)) : L2 (everything r) :=
  exist (sq (everything r)) (fun i => Y (fst i) (fst (snd i)) (snd (snd i))) (fun t Ht m Hm => H t m Ht Hm).
Definition all_M (Y : nat -> nat -> Omega r -> V r)
  (H : forall t m, (t < T r)%nat -> (m < M r)%nat -> sq (chance r) (Y t m)) : L2 everything_M :=
  exist (sq everything_M) (fun i => Y (fst i) (fst (snd i)) (snd (snd i)))
    (fun t Ht m Hm => sq_seminorm _ (H t m Ht Hm)).
Definition each (Y : nat -> Omega r -> V r)
  (H : forall t, (t < T r)%nat -> sq (chance r) (Y t)) : L2 rounds_M :=
  exist (sq rounds_M) (fun i => Y (fst i) (snd i)) (fun t Ht => sq_seminorm _ (H t Ht)).
(** way gone y_e, ∇l_m(w^{m,e}), ∇l_m(w̃), β_e, ζ_e *)
Definition Y_ (e : nat) := all (fun t m => moved r t m e) (fun t m Ht Hm => sq_moved r k ok t m e Ht Hm).
Definition gr (e : nat) := all (fun t m o => grad r m (local r t m e o))
  (fun t m Ht Hm => sq_grad_B r k ok t m e Ht Hm).
Definition gr0 := all (fun t m o => grad r m (broadcast r t o))
  (fun t m Ht Hm => sq_at_broadcast r k ok t m Ht Hm).
Definition be (e : nat) := all (fun t m => beta r t m e) (fun t m Ht Hm => sq_beta_B r k ok t m e Ht Hm).
Definition ze (e : nat) := all (fun t m => zeta r t m e) (fun t m Ht Hm => sq_zeta_B r k ok t m e Ht Hm).
Definition gr_M (e : nat) := all_M (fun t m o => grad r m (local r t m e o))
  (fun t m Ht Hm => sq_grad_B r k ok t m e Ht Hm).
Definition gr0_M := all_M (fun t m o => grad r m (broadcast r t o))
  (fun t m Ht Hm => sq_at_broadcast r k ok t m Ht Hm).
Definition be_M (e : nat) := all_M (fun t m => beta r t m e) (fun t m Ht Hm => sq_beta_B r k ok t m e Ht Hm).
Definition ze_M (e : nat) := all_M (fun t m => zeta r t m e) (fun t m Ht Hm => sq_zeta_B r k ok t m e Ht Hm).
Definition noise_M_ := all_M (noise_of r) (sq_noise r k ok).
(** a = ∇f(w̃), ∇f(X), q, z *)
Definition a := each (fun t o => grad_f r (broadcast r t o)) (sq_a r k ok).
Definition gX := each (fun t o => grad_f r (X r k t o)) (sq_X r k ok).
Definition q := each (q_of r) (sq_q r k ok).
Definition z := each (z_of r) (sq_z r k ok).

(** ** Comparing L² norms *)
(** Jensen: a mean over the devices is not longer than the devices. *)
Lemma jensen_of_devices (U2 : L2 rounds_M) (U3 : L2 everything_M) :
  (forall t o, @same VM (at_ U2 (t, o)) (@vmean VM (M r) (fun m => at_ U3 (t, (m, o))))) -> ‖U2‖² <= ‖U3‖².
Proof.
  intros H. rewrite !L2_inner, everything_M_is, rounds_M_is. apply avg_mono; [apply T_pos|]. intros t Ht.
  assert (S3 : forall m, (m < M r)%nat -> int (chance r) (fun o => ‖(at_ U3 (t, (m, o)))‖²))
    by (intros m Hm; exact (L2_int U3 U3 t Ht m Hm)).
  rewrite <- (E_avg (fun m o => ‖(at_ U3 (t, (m, o)))‖²)) by auto. apply E_mono.
  - exact (L2_int U2 U2 t Ht).
  - now apply int_avg.
  - intros o _. rewrite (same_square _ _ _ (H t o)). apply jensen, M_pos.
Qed.
(** From the Euclidean norm to the seminorm, point by point *)
Lemma mixed_norms (Y1 : L2 everything_M) (Y2 : L2 (everything r)) c : 0 <= c ->
  (forall t m o, (t < T r)%nat -> (m < M r)%nat -> may (chance r) o ->
     ‖(at_ Y1 (t, (m, o)))‖ <= c * ‖(at_ Y2 (t, (m, o)))‖) -> ‖Y1‖ <= c * ‖Y2‖.
Proof.
  intros Hc H. apply square_le; [apply Rmult_le_pos; [auto|apply norm_nonneg]|].
  replace (c * ‖Y2‖ * (c * ‖Y2‖)) with (c * c * (‖Y2‖ * ‖Y2‖)) by ring. rewrite !norm_square, !L2_inner.
  rewrite <- E_scale by apply L2_int. rewrite everything_M_is, everything_is.
  apply avg_mono; [apply T_pos|]. intros t Ht. apply avg_mono; [apply M_pos|]. intros m Hm. apply E_mono.
  - exact (L2_int Y1 Y1 t Ht m Hm).
  - apply int_scale. exact (L2_int Y2 Y2 t Ht m Hm).
  - intros o Ho. rewrite <- !norm_square. generalize (H t m o Ht Hm Ho) (norm_nonneg _ (at_ Y1 (t, (m, o))));
      nra.
Qed.
End Seminorm.
