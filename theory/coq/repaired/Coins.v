(** * n fair coins: the expectation, and what does not depend on a coin is uncorrelated with it *)
From Coq Require Import Reals Lra Lia FunctionalExtensionality.
From FPS.repaired Require Import Setting SureRuns.
Open Scope R_scope.

(** An outcome says of each coin how it fell; coins from n on do not count. *)
Definition outcome := nat -> bool.
Definition turn (k : nat) (side : bool) (o : outcome) : outcome := fun i => if Nat.eqb i k then side else o i.
Definition sign (side : bool) : R := if side then 1 else -1.
Fixpoint flip (n : nat) (X : outcome -> R) : R :=
  match n with
  | O => X (fun _ => false)
  | S k => flip k (fun o => (X (turn k true o) + X (turn k false o)) / 2)
  end.

Lemma flip_same n X Y : (forall o, X o = Y o) -> flip n X = flip n Y.
Proof. intros H. f_equal. now apply functional_extensionality. Qed.
Lemma flip_add n : forall X Y, flip n (fun o => X o + Y o) = flip n X + flip n Y.
Proof. induction n as [|n IH]; intros X Y; simpl; [reflexivity|]. rewrite <- IH. apply flip_same; intros o.
field. Qed.
Lemma flip_scale n a : forall X, flip n (fun o => a * X o) = a * flip n X.
Proof. induction n as [|n IH]; intros X; simpl; [reflexivity|]. rewrite <- IH. apply flip_same; intros o.
field. Qed.
Lemma flip_mono n : forall X Y, (forall o, X o <= Y o) -> flip n X <= flip n Y.
Proof.
  induction n as [|n IH]; intros X Y H; simpl; [apply H|]. apply IH. intros o.
  pose proof (H (turn n true o)). pose proof (H (turn n false o)). lra.
Qed.
Lemma flip_const n c : flip n (fun _ => c) = c.
Proof.
  induction n as [|n IH]; simpl; [reflexivity|]. transitivity (flip n (fun _ => c)); [|exact IH].
  apply flip_same; intros o. field.
Qed.

Definition coins (n : nat) : mean (Rd 1) outcome.
  refine {| may := fun _ => True; int := fun _ => True; E := flip n; sq := fun _ => True |}; auto.
  - intros; apply flip_add.
  - intros; apply flip_scale.
  - intros X Y _ _ H. apply flip_mono. auto.
  - intros; apply flip_const.
Defined.

Lemma turn_commutes j k s s' o : j <> k -> turn j s (turn k s' o) = turn k s' (turn j s o).
Proof.
  intros H. apply functional_extensionality; intros i. unfold turn.
  destruct (Nat.eqb_spec i j), (Nat.eqb_spec i k); congruence.
Qed.
Lemma turn_other j k s o : j <> k -> turn k s o j = o j.
Proof. intros H. unfold turn. destruct (Nat.eqb_spec j k); congruence. Qed.
Lemma turn_itself k s o : turn k s o k = s.
Proof. unfold turn. now rewrite Nat.eqb_refl. Qed.

(** Coin k is uncorrelated with everything that does not depend on it. *)
Lemma flip_centred n k : forall Y, (k < n)%nat -> (forall s o, Y (turn k s o) = Y o) ->
  flip n (fun o => sign (o k) * Y o) = 0.
Proof.
  induction n as [|n IH]; intros Y Hk HY; [lia|]. simpl. destruct (Nat.eq_dec k n) as [->|Hne].
  - rewrite <- (flip_const n 0). apply flip_same; intros o. rewrite !turn_itself, !HY. simpl. field.
  - rewrite <- (IH (fun o => (Y (turn n true o) + Y (turn n false o)) / 2)); [|lia|].
    + apply flip_same; intros o. rewrite !turn_other by auto. field.
    + intros s o. rewrite !(turn_commutes n k) by auto. now rewrite !HY.
Qed.
Lemma sign_square s : sign s * sign s = 1.
Proof. destruct s; simpl; ring. Qed.
