(** * A sketch and its table, seen through an inner product of tables

    S turns a model into a table. Tables carry the inner product ⟨s, C s'⟩ with C symmetric and positive
    semi-definite, which is all that a [space] asks for. [St] is the adjoint of S for these inner products,
    that is S^T C. So ‖Sk g‖² = ⟨S g, C S g⟩ = ‖g‖_M² with M = S^T C S, and x = St s is what the table s says
    of the model. C = 1/J gives M = A = S^T S/J, C = 1 with S = 1 gives M = 1, a diagonal C with zeros masks
    buckets. Folder tables/ shows that every hash sketch and every pair of matrices (S, C) is a [sketch]. *)
From Coq Require Import Reals.
From FPS.tools Require Export Space.
Open Scope R_scope.

Record sketch (V : space) := {
  tables : space;
  Sk : V -> tables;
  St : tables -> V;
  adjoint : forall s g, ⟨St s, g⟩ = ⟨s, Sk g⟩ }.
Arguments tables {V}. Arguments Sk {V}. Arguments St {V}. Arguments adjoint {V}.

(** Rounds of one local step without noise: s_{t+1} = s_t − γ S a_t. Nothing is said of how a_t came about. *)
Definition exact_rounds {V} (k : sketch V) (gamma : R) (s : nat -> tables k) (a : nat -> V) : Prop :=
  forall t, same (s (S t)) (s t - gamma *: Sk k (a t))%V.
