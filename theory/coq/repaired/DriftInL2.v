(** * Lemma 2' read in L²: the drift of a run as the length of one vector

    The index [i] of a random vector picks a round, a device and an outcome, [place i]. With the identity this
    is the mean over a whole run; with the round fixed it is the mean over the devices and chance of that
    round. *)
From Coq Require Import Reals Lra Lia.
From FPS.repaired Require Import Setting Drift DriftRecursion KnownFromThePast.
Open Scope R_scope.

Section InL2.
Variable r : run.
Hypothesis ok : assumptions r.
Variables (I : Type) (iota : mean (V r) I) (place : I -> nat * (nat * Omega r)).
Local Notation X3 := (L2 iota).
(** A random variable of a place has a mean if it has one for each round and device, and this mean is
    monotone. *)
Hypothesis place_sq : forall X : nat -> nat -> Omega r -> V r,
  (forall t m, (t < T r)%nat -> (m < M r)%nat -> sq (chance r) (X t m)) ->
  sq iota (fun i => X (fst (place i)) (fst (snd (place i))) (snd (snd (place i)))).
Hypothesis place_le : forall X Y : nat * (nat * Omega r) -> R,
  (forall t m, (t < T r)%nat -> (m < M r)%nat ->
     chance r (fun o => X (t, (m, o))) <= chance r (fun o => Y (t, (m, o)))) ->
  iota (fun i => X (place i)) <= iota (fun i => Y (place i)).

Definition at_place (X : nat -> nat -> Omega r -> V r)
  (H : forall t m, (t < T r)%nat -> (m < M r)%nat -> sq (chance r) (X t m)) : X3 :=
  exist (sq iota) (fun i => X (fst (place i)) (fst (snd (place i))) (snd (snd (place i)))) (place_sq X H).
(** y_e, ∇l_m(w^{m,e}), ∇l_m(w̃_t), β_e and ζ_e *)
Definition Y (e : nat) : X3 := at_place (fun t m => moved r t m e)
  (fun t m Ht Hm => sq_moved r ok t m e Ht Hm).
Definition gr (e : nat) : X3 :=
  at_place (fun t m o => grad r m (local r t m e o)) (fun t m Ht Hm => sq_grad r ok t m e Ht Hm).
Definition gr0 : X3 := at_place (fun t m o => grad r m (broadcast r t o))
  (fun t m Ht Hm => sq_broadcast r ok t m Ht Hm).
Definition be (e : nat) : X3 := at_place (fun t m => beta r t m e)
  (fun t m Ht Hm => sq_beta r ok t m e Ht Hm).
Definition ze (e : nat) : X3 := at_place (fun t m => zeta r t m e)
  (fun t m Ht Hm => sq_zeta r ok t m e Ht Hm).

Variable D : R.
Hypothesis D_nonneg : 0 <= D.
Hypothesis D_bounds : iota (fun i => ‖(grad r (fst (snd (place i)))
  (broadcast r (fst (place i)) (snd (snd (place i)))))‖²)
  <= D ^ 2.
Let S_ := drift (gamma r) (mu r) (L r) (P_b r) (P_n r) (b r) (sigma r) D.

Lemma constants_fine : drift_constants (gamma r) (mu r) (L r) (P_b r) (P_n r) D.
Proof.
  unfold drift_constants. pose proof (gamma_pos r ok). pose proof (A4 r ok). pose proof (L_pos r ok).
  pose proof (P_b_nonneg r ok). pose proof (P_n_nonneg r ok). repeat split; lra.
Qed.
Lemma gr0_le : ‖gr0‖ <= D.
Proof. apply square_le; [auto|]. rewrite norm_square, L2_inner. simpl in D_bounds.
rewrite Rmult_1_r in D_bounds. exact D_bounds. Qed.
Lemma gr_near e : ‖(gr e - gr0)‖ <= L r * ‖(Y e)‖.
Proof.
  pose proof (L_pos r ok) as Lp. apply square_le; [apply Rmult_le_pos; [lra|apply norm_nonneg]|].
  replace (L r * ‖(Y e)‖ * (L r * ‖(Y e)‖)) with (L r * L r * (‖(Y e)‖ * ‖(Y e)‖)) by ring.
  rewrite !norm_square, !L2_inner, <- E_scale by apply L2_int.
  apply (place_le (fun p => ‖(grad r (fst (snd p)) (local r (fst p) (fst (snd p)) e (snd (snd p)))
                         - grad r (fst (snd p)) (broadcast r (fst p) (snd (snd p))))‖²)
               (fun p => L r * L r * ‖(moved r (fst p) (fst (snd p)) e (snd (snd p)))‖²)).
  intros t m Ht Hm. cbn [fst snd]. apply E_mono.
  - apply sq_inner; apply (sq_add _ (fun o => grad r m (local r t m e o))); try apply sq_scale;
      auto using (sq_grad r ok), (sq_broadcast r ok).
  - apply int_scale, sq_inner; now apply (sq_moved r ok).
  - intros o _. pose proof (smooth_lipschitz (broadcast r t o) (local r t m e o) Lp (A1_smooth r ok m Hm))
      as H.
    pose proof (norm_nonneg _ (grad r m (local r t m e o) - grad r m (broadcast r t o))%V).
    rewrite <- !norm_square. unfold moved. nra.
Qed.
Lemma gr_le e : ‖(gr e)‖ <= D + L r * ‖(Y e)‖.
Proof.
  rewrite (same_norm _ (gr e) (gr0 + (gr e - gr0))%V) by (intro; expand; ring).
  pose proof (minkowski _ gr0 (gr e - gr0)%V). pose proof gr0_le. pose proof (gr_near e). lra.
Qed.
Lemma be_le e : (e < Es r)%nat -> ‖(be e)‖² <= P_b r * ‖(gr e)‖² + b r ^ 2.
Proof.
  intros He. rewrite !L2_inner, <- E_affine by apply L2_int.
  apply (place_le (fun p => ‖(beta r (fst p) (fst (snd p)) e (snd (snd p)))‖²)
     (fun p => P_b r * ‖(grad r (fst (snd p)) (local r (fst p) (fst (snd p)) e (snd (snd p))))‖² + b r ^ 2)).
  intros t m Ht Hm. cbn [fst snd]. apply E_mono.
  - apply sq_inner; now apply (sq_beta r ok).
  - apply int_affine, sq_inner; now apply (sq_grad r ok).
  - intros o Ho. apply (A2_bias r ok t m e o); auto. repeat split; auto.
Qed.
Lemma ze_le e : (e < Es r)%nat -> ‖(ze e)‖² <= P_n r * ‖(gr e)‖² + sigma r ^ 2.
Proof.
  intros He. rewrite !L2_inner, <- E_affine by apply L2_int.
  apply (place_le (fun p => ‖(zeta r (fst p) (fst (snd p)) e (snd (snd p)))‖²)
     (fun p => P_n r * ‖(grad r (fst (snd p)) (local r (fst p) (fst (snd p)) e (snd (snd p))))‖² + sigma r ^
       2)).
  intros t m Ht Hm. cbn [fst snd]. rewrite E_affine by (apply sq_inner; now apply (sq_grad r ok)).
  apply (A2_noise r ok t m e). repeat split; auto.
Qed.
Lemma zero_mean X : (forall t m, (t < T r)%nat -> (m < M r)%nat -> chance r (fun o => X (t, (m, o))) = 0) ->
  iota (fun i => X (place i)) = 0.
Proof.
  intros H. apply Rle_antisym; rewrite <- (E_const iota 0).
  - apply (place_le X (fun _ => 0)). intros t m Ht Hm. rewrite H, E_const; auto; lra.
  - apply (place_le (fun _ => 0) X). intros t m Ht Hm. rewrite H, E_const; auto; lra.
Qed.
(** The noise of step e is orthogonal to what is known before it. *)
Lemma ze_orthogonal e U HU : (e < Es r)%nat ->
  (forall t m, (t < T r)%nat -> (m < M r)%nat -> known r (past r t m e) (U t m)) -> ⟨ze e, at_place U HU⟩ = 0.
Proof.
  intros He Hk. rewrite L2_inner.
  apply (zero_mean (fun p => ⟨zeta r (fst p) (fst (snd p)) e (snd (snd p)),
    U (fst p) (fst (snd p)) (snd (snd p))⟩)).
  intros t m Ht Hm. cbn [fst snd]. apply (A2_mean_zero r ok t m e (U t m)); auto. repeat split; auto.
Qed.

Lemma drift_in_L2 e : (e <= Es r)%nat -> ‖(Y e)‖ <= S_ e.
Proof.
  intros He. apply (path_bound _ _ _ _ _ _ _ _ constants_fine X3 Y gr be ze (Es r));
    auto using gr_le, be_le, ze_le.
  - apply L2_same; intros i _ w. unfold Y, moved, at_; simpl; expand; ring.
  - intros k Hk. apply L2_same; intros i _ w. symmetry. apply (moved_step r _ _ k _ w).
  - intros k Hk; split; [apply ze_orthogonal; auto; intros t m Ht Hm; apply (moved_known r ok); auto; lia|].
    rewrite inner_add_r.
    assert (Hs : forall t m, (t < T r)%nat -> (m < M r)%nat -> step r t m k) by (repeat split; auto).
    unfold gr, be. rewrite !ze_orthogonal; auto; [ring| |]; intros t m Ht Hm o o' p.
    + now apply (A2_bias_known r ok t m k (Hs t m Ht Hm)).
    + now rewrite (local_known r ok t m k Ht Hm ltac:(lia) o o' p).
Qed.
(** The drift, its square, and the square of the gradient at the local model *)
Lemma drift_square_in_L2 e : (e <= Es r)%nat -> ‖(Y e)‖² <= S_ e ^ 2.
Proof. intros He. rewrite <- norm_square. pose proof (drift_in_L2 e He). pose proof (norm_nonneg _ (Y e)).
nra. Qed.
Lemma gr_square e : (e < Es r)%nat -> ‖(gr e)‖² <= (D + L r * S_ e) ^ 2.
Proof.
  intros He. pose proof (norm_nonneg _ (gr e)). pose proof (gr_le e). pose proof (drift_in_L2 e ltac:(lia)).
  pose proof (L_pos r ok). assert (‖(gr e)‖ <= D + L r * S_ e) by nra. rewrite <- norm_square. nra.
Qed.
End InL2.

(** The mean over a whole run, and the mean over one round *)
Section Places.
Variable r : run.
Lemma run_sq (X : nat -> nat -> Omega r -> V r) :
  (forall t m, (t < T r)%nat -> (m < M r)%nat -> sq (chance r) (X t m)) ->
  sq (everything r) (fun i => X (fst i) (fst (snd i)) (snd (snd i))).
Proof. intros H t Ht m Hm. exact (H t m Ht Hm). Qed.
Lemma run_le (X Y : nat * (nat * Omega r) -> R) : (forall t m, (t < T r)%nat -> (m < M r)%nat ->
  chance r (fun o => X (t, (m, o))) <= chance r (fun o => Y (t, (m, o)))) -> everything r X <= everything r Y.
Proof.
  intros H. rewrite !everything_is. apply avg_mono; [apply T_pos|]. intros t Ht.
  apply avg_mono; [apply M_pos|]. auto.
Qed.
Definition round : mean (V r) (nat * Omega r) := times (M r) (M_pos r) (chance r).
Variables (t : nat) (Ht : (t < T r)%nat).
Lemma round_sq (X : nat -> nat -> Omega r -> V r) :
  (forall t m, (t < T r)%nat -> (m < M r)%nat -> sq (chance r) (X t m)) ->
    sq round (fun i => X t (fst i) (snd i)).
Proof. intros H m Hm. exact (H t m Ht Hm). Qed.
Lemma round_le (X Y : nat * (nat * Omega r) -> R) : (forall t m, (t < T r)%nat -> (m < M r)%nat ->
  chance r (fun o => X (t, (m, o))) <= chance r (fun o => Y (t, (m, o)))) ->
  round (fun i => X (t, i)) <= round (fun i => Y (t, i)).
Proof. intros H. unfold round. rewrite !times_is. apply avg_mono; [apply M_pos|]. auto. Qed.
End Places.
