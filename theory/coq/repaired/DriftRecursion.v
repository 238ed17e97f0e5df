(** * Lemmas on the drift recursion: it is monotone, and it bounds the way gone in any space with an inner
    product *)
From Coq Require Import Reals Lra Lia.
From FPS.repaired Require Import Setting Drift.
Open Scope R_scope.

Lemma drift_nonneg gamma mu L P_b P_n b sigma D e : 0 <= drift gamma mu L P_b P_n b sigma D e.
Proof. destruct e; simpl; [lra|apply sqrt_pos]. Qed.
Lemma bias_nonneg P_b b h : 0 <= bias_bound P_b b h.
Proof. apply sqrt_pos. Qed.
Lemma bias_square P_b b h : 0 <= P_b -> bias_bound P_b b h ^ 2 = P_b * h ^ 2 + b ^ 2.
Proof. intros H. apply pow2_sqrt. pose proof (pow2_ge_0 h). pose proof (pow2_ge_0 b). nra. Qed.
Lemma bias_mono P_b b h h' : 0 <= P_b -> 0 <= h -> h <= h' -> bias_bound P_b b h <= bias_bound P_b b h'.
Proof. intros; apply sqrt_le_1_alt. assert (h ^ 2 <= h' ^ 2) by nra. nra. Qed.
Lemma noise_nonneg P_n sigma h : 0 <= P_n -> 0 <= noise_bound P_n sigma h.
Proof. intros; unfold noise_bound; nra. Qed.
Lemma noise_mono P_n sigma h h' : 0 <= P_n -> 0 <= h -> h <= h' ->
  noise_bound P_n sigma h <= noise_bound P_n sigma h'.
Proof. intros; unfold noise_bound. assert (h ^ 2 <= h' ^ 2) by nra. nra. Qed.

Section OneStep.
Variables gamma mu L P_b P_n b sigma D : R.
Hypothesis fine : drift_constants gamma mu L P_b P_n D.

(** One local step y' = (1−γμ)y − γ(g + β + ζ), with noise that is orthogonal to what was known before *)
Lemma one_step (V : space) (y y' g beta zeta : V) s :
  same y' ((1 - gamma * mu) *: y - gamma *: (g + beta + zeta))%V ->
  ‖g‖ <= D + L * ‖y‖ ->
  ‖beta‖² <= P_b * ‖g‖² + b ^ 2 ->
  ‖zeta‖² <= P_n * ‖g‖² + sigma ^ 2 ->
  ⟨zeta, y⟩ = 0 -> ⟨zeta, g + beta⟩ = 0 ->
  ‖y‖ <= s -> ‖y'‖ <= drift_step gamma mu L P_b P_n b sigma D s.
Proof.
  destruct fine as (ga & Hmu & HL & Hb0 & Hn0 & HD).
  intros Hy Hg Hb Hn O1 O2 Hs.
  pose proof (norm_nonneg _ y) as Ny. pose proof (norm_nonneg _ g) as Ng.
  pose proof (norm_nonneg _ beta) as Nb.
  unfold drift_step. set (h := D + L * s).
  assert (Hslope : ‖g‖ <= h) by (unfold h; nra).
  assert (Hbias : ‖beta‖ <= bias_bound P_b b h).
  { apply Rle_trans with (bias_bound P_b b ‖g‖); [|now apply bias_mono]. unfold bias_bound, norm at 1.
    apply sqrt_le_1_alt. rewrite <- (norm_square _ g) in Hb. simpl in *; lra. }
  assert (Hnoise : ‖zeta‖² <= noise_bound P_n sigma h).
  { apply Rle_trans with (noise_bound P_n sigma ‖g‖); [|now apply noise_mono]. unfold noise_bound.
    rewrite <- (norm_square _ g) in Hn. simpl in *; lra. }
  set (d := ((1 - gamma * mu) *: y - gamma *: (g + beta))%V).
  assert (Hsplit : ‖y'‖² = ‖d‖² + gamma ^ 2 * ‖zeta‖²).
  { rewrite (same_square _ _ _ Hy). unfold d. expand.
    rewrite inner_add_r in O2. rewrite ?(inner_sym _ g zeta), ?(inner_sym _ beta zeta), ?(inner_sym _ y zeta).
    rewrite O1. replace ⟨zeta, g⟩ with (- ⟨zeta, beta⟩) by lra. ring. }
  assert (Hd : ‖d‖ <= (1 - gamma * mu) * s + gamma * (h + bias_bound P_b b h)).
  { apply Rle_trans with (‖((1 - gamma * mu) *: y)‖ + ‖((-1) *: (gamma *: (g + beta)))‖); [apply minkowski|].
    rewrite norm_opp, !norm_scale_pos by lra. generalize (minkowski _ g beta); nra. }
  unfold norm at 1. apply sqrt_le_1_alt. rewrite Hsplit, <- (norm_square _ d).
  pose proof (norm_nonneg _ d). nra.
Qed.

Lemma path_bound (V : space) (y g beta zeta : nat -> V) n :
  same (y O) zero ->
  (forall e, (e < n)%nat -> same (y (S e)) ((1 - gamma * mu) *: y e - gamma *: (g e + beta e + zeta e))%V) ->
  (forall e, (e < n)%nat -> ‖(g e)‖ <= D + L * ‖(y e)‖) ->
  (forall e, (e < n)%nat -> ‖(beta e)‖² <= P_b * ‖(g e)‖² + b ^ 2) ->
  (forall e, (e < n)%nat -> ‖(zeta e)‖² <= P_n * ‖(g e)‖² + sigma ^ 2) ->
  (forall e, (e < n)%nat -> ⟨zeta e, y e⟩ = 0 /\ ⟨zeta e, g e + beta e⟩ = 0) ->
  forall e, (e <= n)%nat -> ‖(y e)‖ <= drift gamma mu L P_b P_n b sigma D e.
Proof.
  intros H0 Hy Hg Hb Hn Ho e He. induction e as [|e IH]; simpl.
  - rewrite (same_norm _ _ _ H0), norm_zero; lra.
  - assert (He' : (e < n)%nat) by lia. destruct (Ho e He') as [O1 O2].
    apply (one_step V (y e) (y (S e)) (g e) (beta e) (zeta e)); auto. apply IH; lia.
Qed.
End OneStep.

(** S_e grows with D, |b| and |σ|. *)
Lemma step_mono gamma mu L P_b P_n b b' sigma sigma' D D' s s' :
  drift_constants gamma mu L P_b P_n D -> 0 <= s -> s <= s' -> D <= D' -> b ^ 2 <= b' ^ 2 ->
    sigma ^ 2 <= sigma' ^ 2 ->
  drift_step gamma mu L P_b P_n b sigma D s <= drift_step gamma mu L P_b P_n b' sigma' D' s'.
Proof.
  intros (ga & Hmu & HL & Hb0 & Hn0 & HD) H0 H HDD Hb Hs. unfold drift_step. apply sqrt_le_1_alt.
  assert (Hh : D + L * s <= D' + L * s') by nra. assert (Hh0 : 0 <= D + L * s) by nra.
  set (h := D + L * s) in *. set (h' := D' + L * s') in *. assert (Hh2 : h ^ 2 <= h' ^ 2) by nra.
  assert (B1 : bias_bound P_b b h <= bias_bound P_b b' h') by (apply sqrt_le_1_alt; nra).
  assert (N1 : noise_bound P_n sigma h <= noise_bound P_n sigma' h') by (unfold noise_bound; nra).
  pose proof (bias_nonneg P_b b h).
  assert (0 <= (1 - gamma * mu) * s + gamma * (h + bias_bound P_b b h)) by nra.
  assert ((1 - gamma * mu) * s + gamma * (h + bias_bound P_b b h)
          <= (1 - gamma * mu) * s' + gamma * (h' + bias_bound P_b b' h')) by nra.
  pose proof (pow2_ge_0 gamma). nra.
Qed.
Lemma drift_mono gamma mu L P_b P_n b b' sigma sigma' D D' e :
  drift_constants gamma mu L P_b P_n D -> D <= D' -> b ^ 2 <= b' ^ 2 -> sigma ^ 2 <= sigma' ^ 2 ->
  drift gamma mu L P_b P_n b sigma D e <= drift gamma mu L P_b P_n b' sigma' D' e.
Proof.
  intros fine HD Hb Hs. induction e as [|e IH]; simpl; [lra|].
  apply step_mono; auto using drift_nonneg.
Qed.
