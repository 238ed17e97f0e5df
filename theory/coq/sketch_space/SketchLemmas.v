(** * First consequences of the adjoint *)
From Coq Require Import Reals Lra.
From FPS.tools Require Import Space.
From FPS.sketch_space Require Export Sketch.
Open Scope R_scope.

Section Facts.
Variables (V : space) (k : sketch V).
Lemma Sk_inner g s : ⟨Sk k g, s⟩ = ⟨g, St k s⟩.
Proof. now rewrite inner_sym, <- adjoint, inner_sym. Qed.
(** S is linear, as far as inner products tell. *)
Lemma Sk_add g h : same (Sk k (g + h)%V) (Sk k g + Sk k h)%V.
Proof. intro s. rewrite Sk_inner, !inner_add, !Sk_inner. reflexivity. Qed.
Lemma Sk_scale a g : same (Sk k (a *: g)%V) (a *: Sk k g)%V.
Proof. intro s. rewrite Sk_inner, !inner_scale, Sk_inner. reflexivity. Qed.
Lemma Sk_same g h : same g h -> same (Sk k g) (Sk k h).
Proof. intros H s. rewrite !Sk_inner. apply H. Qed.
Lemma St_same s s' : same s s' -> same (St k s) (St k s').
Proof. intros H g. rewrite !adjoint. apply H. Qed.
End Facts.
Arguments Sk_inner {V}. Arguments Sk_add {V}. Arguments Sk_scale {V}. Arguments Sk_same {V}.
Arguments St_same {V}.
