(** * Means over any probability space: expectation of integrable numbers, L² of square-integrable vectors

    [int] says which numbers have a mean, [sq] which random vectors are square-integrable. Nothing is asked of
    the others. A finite probability space has [int] and [sq] always true; Lebesgue integration is an instance. *)
From Coq Require Import Reals Lra Lia List.
From FPS.tools Require Export Space.
Open Scope R_scope.

Record mean (V : space) (I : Type) := {
  may : I -> Prop;
  int : (I -> R) -> Prop;
  E :> (I -> R) -> R;
  int_const : forall c, int (fun _ => c);
  int_add : forall X Y, int X -> int Y -> int (fun i => X i + Y i);
  int_scale : forall a X, int X -> int (fun i => a * X i);
  E_add : forall X Y, int X -> int Y -> E (fun i => X i + Y i) = E X + E Y;
  E_scale : forall a X, int X -> E (fun i => a * X i) = a * E X;
  E_mono : forall X Y, int X -> int Y -> (forall i, may i -> X i <= Y i) -> E X <= E Y;
  E_const : forall c, E (fun _ => c) = c;
  sq : (I -> V) -> Prop;
  sq_zero : sq (fun _ => zero);
  sq_add : forall X Y, sq X -> sq Y -> sq (fun i => add (X i) (Y i));
  sq_scale : forall a X, sq X -> sq (fun i => scale a (X i));
  sq_same : forall X Y, (forall i, same (X i) (Y i)) -> sq X -> sq Y;
  sq_inner : forall X Y, sq X -> sq Y -> int (fun i => inner (X i) (Y i)) }.
Arguments may {_ _}. Arguments int {_ _}. Arguments E {_ _}. Arguments int_const {_ _}. Arguments int_add {_ _}.
Arguments int_scale {_ _}. Arguments E_add {_ _}. Arguments E_scale {_ _}. Arguments E_mono {_ _}. Arguments E_const {_ _}.
Arguments sq {_ _}. Arguments sq_zero {_ _}. Arguments sq_add {_ _}. Arguments sq_scale {_ _}. Arguments sq_same {_ _}.
Arguments sq_inner {_ _}.

Section Facts.
Variables (V : space) (I : Type) (mu : mean V I).
Lemma E_ext X Y : int mu X -> int mu Y -> (forall i, may mu i -> X i = Y i) -> mu X = mu Y.
Proof. intros HX HY H; apply Rle_antisym; apply E_mono; auto; intros; rewrite H; auto; lra. Qed.
Lemma E_same X Y : (forall i, X i = Y i) -> mu X = mu Y.
Proof. intros H; f_equal. now apply FunctionalExtensionality.functional_extensionality. Qed.
Lemma int_same X Y : (forall i, X i = Y i) -> int mu X -> int mu Y.
Proof. intros H. now rewrite (FunctionalExtensionality.functional_extensionality _ _ H). Qed.
Lemma E_nonneg X : int mu X -> (forall i, may mu i -> 0 <= X i) -> 0 <= mu X.
Proof. intros HX H. rewrite <- (E_const mu 0). apply E_mono; auto using int_const. Qed.
Lemma int_affine a b X : int mu X -> int mu (fun i => a * X i + b).
Proof. intros H. apply int_add; [now apply int_scale|apply int_const]. Qed.
Lemma E_affine a b X : int mu X -> mu (fun i => a * X i + b) = a * mu X + b.
Proof. intros H. rewrite (E_add mu (fun i => a * X i)), E_scale, E_const; auto using int_scale, int_const. Qed.
Lemma int_sum n X : (forall k, (k < n)%nat -> int mu (X k)) -> int mu (fun i => sum n (fun k => X k i)).
Proof.
  induction n as [|n IH]; intros H; simpl; [apply int_const|].
  apply (int_add mu (fun i => sum n (fun k => X k i))); auto.
Qed.
Lemma E_sum n X : (forall k, (k < n)%nat -> int mu (X k)) ->
  mu (fun i => sum n (fun k => X k i)) = sum n (fun k => mu (X k)).
Proof.
  induction n as [|n IH]; intros H; simpl; [apply E_const|].
  rewrite (E_add mu (fun i => sum n (fun k => X k i))), IH; auto. apply int_sum; auto.
Qed.
Lemma sq_vsum n (X : nat -> I -> V) : (forall k, (k < n)%nat -> sq mu (X k)) -> sq mu (fun i => vsum n (fun k => X k i)).
Proof.
  induction n as [|n IH]; intros H; simpl; [apply sq_zero|].
  apply (sq_add mu (fun i => vsum n (fun k => X k i))); auto.
Qed.
End Facts.
Arguments E_ext {V I}. Arguments E_same {V I}. Arguments E_nonneg {V I}. Arguments E_affine {V I}. Arguments E_sum {V I}.
Arguments int_same {V I}. Arguments int_affine {V I}. Arguments int_sum {V I}. Arguments sq_vsum {V I}.

(** n copies of a mean, each counting 1/n: rounds, and devices *)
Definition times {V I} (n : nat) (some : (0 < n)%nat) (mu : mean V I) : mean V (nat * I).
  refine {| may := fun ti => (fst ti < n)%nat /\ may mu (snd ti);
            int := fun X => forall t, (t < n)%nat -> int mu (fun i => X (t, i));
            E := fun X => avg n (fun t => mu (fun i => X (t, i)));
            sq := fun X => forall t, (t < n)%nat -> sq mu (fun i => X (t, i)) |}.
  - intros; apply int_const.
  - intros; apply int_add; auto.
  - intros; apply int_scale; auto.
  - intros X Y HX HY. rewrite <- avg_add. apply avg_ext; intros; apply E_add; auto.
  - intros a X HX. rewrite <- avg_scale. apply avg_ext; intros; apply E_scale; auto.
  - intros X Y HX HY H. apply avg_mono; auto. intros t Ht. apply E_mono; [auto|auto|]. intros i Hi. apply H. simpl; auto.
  - intros c. transitivity (avg n (fun _ => c)); [apply avg_ext; intros; apply E_const|now apply avg_const].
  - intros; apply sq_zero.
  - intros; apply sq_add; auto.
  - intros; apply sq_scale; auto.
  - intros X Y H HX t Ht. apply (sq_same mu (fun i => X (t, i))); auto.
  - intros; apply sq_inner; auto.
Defined.
Lemma times_is {V I} n some (mu : mean V I) X : times n some mu X = avg n (fun t => mu (fun i => X (t, i))).
Proof. reflexivity. Qed.

(** L² *)
Definition L2 {V I} (mu : mean V I) : space.
  refine {| vec := { X : I -> V | sq mu X }; zero := exist _ _ (sq_zero mu);
            add := fun X Y => exist _ _ (sq_add mu _ _ (proj2_sig X) (proj2_sig Y));
            scale := fun a X => exist _ _ (sq_scale mu a _ (proj2_sig X));
            inner := fun X Y => mu (fun i => inner (proj1_sig X i) (proj1_sig Y i)) |}.
  - intros; apply E_same; intros; apply inner_sym.
  - intros; simpl. transitivity (mu (fun _ => 0)); [apply E_same; intros; apply inner_zero|apply E_const].
  - intros [X HX] [Y HY] [Z HZ]; simpl. rewrite <- E_add; auto using sq_inner. apply E_same; intros; apply inner_add.
  - intros a [X HX] [Z HZ]; simpl. rewrite <- E_scale; auto using sq_inner. apply E_same; intros; apply inner_scale.
  - intros [X HX]; simpl. apply E_nonneg; auto using sq_inner. intros; apply inner_nonneg.
Defined.
Section InL2.
Variables (V : space) (I : Type) (mu : mean V I).
Definition at_ (X : L2 mu) (i : I) : V := proj1_sig X i.
Lemma L2_inner (X Y : L2 mu) : ⟨X, Y⟩ = mu (fun i => ⟨at_ X i, at_ Y i⟩).
Proof. reflexivity. Qed.
Lemma L2_int (X Y : L2 mu) : int mu (fun i => ⟨at_ X i, at_ Y i⟩).
Proof. apply sq_inner; [exact (proj2_sig X)|exact (proj2_sig Y)]. Qed.
Lemma L2_le (X Y : L2 mu) c : 0 <= c -> (forall i, may mu i -> ‖(at_ X i)‖ <= c * ‖(at_ Y i)‖) -> ‖X‖ <= c * ‖Y‖.
Proof.
  intros Hc H. apply square_le; [apply Rmult_le_pos; [auto|apply norm_nonneg]|].
  replace (c * ‖Y‖ * (c * ‖Y‖)) with (c * c * (‖Y‖ * ‖Y‖)) by ring. rewrite !norm_square, !L2_inner.
  rewrite <- E_scale by apply L2_int. apply E_mono; [apply L2_int|apply int_scale, L2_int|]. intros i Hi.
  rewrite <- !norm_square. generalize (H i Hi) (norm_nonneg _ (at_ X i)); nra.
Qed.
Lemma L2_same (X Y : L2 mu) : (forall i, may mu i -> same (at_ X i) (at_ Y i)) -> same X Y.
Proof. intros H Z. rewrite !L2_inner. apply E_ext; try apply L2_int. intros; now apply H. Qed.
Lemma L2_vsum n (X : nat -> L2 mu) i : at_ (vsum n X) i = vsum n (fun k => at_ (X k) i).
Proof. induction n as [|n IH]; simpl; [reflexivity|]. unfold at_ in *. simpl. now rewrite IH. Qed.
End InL2.
Arguments at_ {V I mu}. Arguments L2_le {V I mu}. Arguments L2_same {V I mu}. Arguments L2_int {V I mu}. Arguments L2_inner {V I mu}.
Arguments L2_vsum {V I mu}.

Lemma vsum_ext (V : space) n (X Y : nat -> V) : (forall i, (i < n)%nat -> X i = Y i) -> vsum n X = vsum n Y.
Proof. induction n as [|n IH]; simpl; intros H; [reflexivity|]. rewrite IH, (H n); auto. Qed.
Section VectorMean.
Variables (V : space) (n : nat) (some : (0 < n)%nat).
Definition vmean (X : nat -> V) : V := (/ INR n *: vsum n X)%V.
Lemma inner_vmean X z : ⟨vmean X, z⟩ = avg n (fun i => ⟨X i, z⟩).
Proof. unfold vmean; rewrite inner_scale, inner_vsum; reflexivity. Qed.
Lemma jensen X : ‖(vmean X)‖² <= avg n (fun i => ‖(X i)‖²).
Proof.
  set (m := vmean X).
  assert (H : 0 <= avg n (fun i => ‖(X i - m)‖²)).
  { rewrite <- (avg_const n some 0). apply avg_mono; auto. intros; apply inner_nonneg. }
  assert (H' : avg n (fun i => ‖(X i - m)‖²) = avg n (fun i => ‖(X i)‖²) + (-2) * ⟨m, m⟩ + ‖m‖²).
  { unfold m at 3; rewrite inner_vmean; fold m.
    rewrite <- avg_scale, <- avg_add, <- (avg_const n some ‖m‖²), <- avg_add.
    apply avg_ext; intros. rewrite square_sum, square_scale, inner_scale_r; ring. }
  lra.
Qed.
End VectorMean.
Arguments vmean {V}.

(** Finite probability spaces: everything has a mean. *)
Fixpoint lsum {O : Type} (l : list (O * R)) (X : O -> R) : R :=
  match l with nil => 0 | (o, p) :: rest => p * X o + lsum rest X end.
Definition finite (V : space) {O : Type} (l : list (O * R)) (nonneg : forall o p, In (o, p) l -> 0 <= p)
  (total : lsum l (fun _ => 1) = 1) : mean V O.
  assert (Hs : forall a X, lsum l (fun i => a * X i) = a * lsum l X).
  { intros; clear; induction l as [|[o p] l IH]; simpl; [ring|rewrite IH; ring]. }
  refine {| may := fun o => exists p, In (o, p) l; int := fun _ => True; E := lsum l; sq := fun _ => True |}; auto.
  - intros X Y _ _. clear; induction l as [|[o p] l IH]; simpl; [ring|rewrite IH; ring].
  - clear total Hs; intros X Y _ _ H; induction l as [|[o p] l IH]; simpl; [lra|].
    assert (lsum l X <= lsum l Y).
    { apply IH; [intros o' p' ?; apply (nonneg o' p'); simpl; auto|].
      intros o' [p' ?]; apply H; exists p'; simpl; auto. }
    assert (0 <= p) by (apply (nonneg o); simpl; auto).
    assert (X o <= Y o) by (apply H; exists p; simpl; auto). nra.
  - intros c. transitivity (lsum l (fun i => c * (fun _ => 1) i)); [|rewrite Hs, total; ring].
    clear; induction l as [|[o p] l IH]; simpl; [reflexivity|rewrite IH; ring].
Defined.
