(** * Theorem S for sketches: proof *)
From Coq Require Import Reals Lra Lia FunctionalExtensionality.
From FPS.tools Require Import Smooth.
From FPS.fresh Require Import HashRound HashRoundProof.
From FPS.rates Require Import Round Forms Average.
From FPS.fresh Require Import Prices TheoremS TheoremSProof SketchedRun.
From FPS.fresh Require Channel.
Open Scope R_scope.

Definition channel_of (k : numbers) (s : sketched_run) : over_channel (rounds_of s) :=
  let round := fun t => round_of (sketched_at k s t) in
  {| TheoremS.H := (times_matrix (Hess s) : all_V (rounds_of s) -> all_V (rounds_of s)); picked := fun t => Channel.picked (round t); A := fun t => Channel.A (round t);
     TheoremS.noise := fun t => Channel.noise (round t); p_pick := q_pick s; p_hash := q_hash s; p_noise := q_noise s |}.

(** A vector of R^d is known if its difference from a known one is. *)
Lemma known_difference {d I} (p : I -> I -> Prop) (X Y : I -> Rd d) :
  Channel.known p Y -> Channel.known p (fun o => (X o - Y o)%V) -> Channel.known p X.
Proof.
  intros KY KD o o' Ho. apply functional_extensionality; intros i.
  pose proof (f_equal (fun v : Rd d => v i) (KD o o' Ho)) as H. pose proof (f_equal (fun v : Rd d => v i) (KY o o' Ho)) as H'.
  simpl in H, H'. lra.
Qed.

Theorem theorem_s_for_sketches : Theorem_S_For_Sketches.
Proof.
  intros k a s cert Hc T f_star G b sigma HT ok below.
  set (floor := sigma_c s ^ 2 * trace (d s) (Hess s) / INR (J s)).
  assert (Same : forall t, (t < T)%nat ->
    sent_at k (rounds_of s) (channel_of k s) (ell_H s) (omega_H s) (kappa s) floor t = round_of (sketched_at k s t)).
  { intros t Ht. unfold sent_at, sent, round_of. rewrite <- (kappa_is _ _ _ _ _ _ _ (ok t Ht)). reflexivity. }
  assert (PJ : 0 < INR (J s)) by (apply lt_0_INR, (J_pos _ (sketch_fits _ _ _ _ _ _ _ (ok 0%nat HT)))).
  replace (sigma_c s ^ 2 * trace (d s) (Hess s) / (2 * INR (J s))) with (floor / 2) by (unfold floor; field; lra).
  apply (theorem_s k a (omega_H s) (ell_H s) (kappa s) cert Hc (rounds_of s) (channel_of k s) T f_star G b sigma floor HT).
  - intros t Ht. exact (steps_fit _ _ _ _ _ _ _ (ok t Ht)).
  - intros t Ht. exact (A3_used _ _ _ _ _ _ _ (ok t Ht)).
  - intros t Ht. rewrite (Same t Ht). apply sketched_round_fits, (sketch_fits _ _ _ _ _ _ _ (ok t Ht)).
  - intros t m Ht Hm. pose proof (sketch_fits _ _ _ _ _ _ _ (ok t Ht)) as F.
    apply (known_difference _ _ (model s t)); [exact (x_known _ F)|exact (displacement_known _ F m Hm)].
  - intros t o Ht. exact (next_model _ _ _ _ _ _ _ (ok t Ht) o).
  - exact below.
Qed.
