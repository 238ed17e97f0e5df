(** * Tools for explicit runs on the line: no chance, or vectors with one coordinate *)
From Coq Require Import Reals Lra Lia List.
From FPS.repaired Require Import Setting.
Open Scope R_scope.

(** One outcome, which is certain *)
Definition sure : mean (Rd 1) unit.
  refine (finite (Rd 1) ((tt, 1) :: nil) _ _).
  - intros o p [H|[]]; inversion H; lra.
  - simpl; lra.
Defined.
Lemma sure_is X : sure X = X tt.
Proof. simpl. ring. Qed.

(** The vector of R^1 with coordinate a *)
Definition point (a : R) : Rd 1 := fun _ => a.
Lemma inner_line (x y : Rd 1) : ⟨x, y⟩ = x O * y O.
Proof. simpl. ring. Qed.
Lemma norm_line (x : Rd 1) : ‖x‖ = Rabs (x O).
Proof. unfold norm. rewrite inner_line. apply sqrt_Rsqr_abs. Qed.
Lemma add_line (x y : Rd 1) : (x + y)%V O = x O + y O.
Proof. reflexivity. Qed.
Lemma scale_line a (x : Rd 1) : (a *: x)%V O = a * x O.
Proof. reflexivity. Qed.
Lemma sub_line (x y : Rd 1) : (x - y)%V O = x O - y O.
Proof. simpl. ring. Qed.
Lemma mean_of_one (X : nat -> Rd 1) : vmean 1 X O = X O O.
Proof. unfold vmean. simpl. field. Qed.
Lemma mean_of_two (X : nat -> Rd 1) : vmean 2 X O = (X 0%nat O + X 1%nat O) / 2.
Proof. unfold vmean. simpl. field. Qed.
Lemma avg_one (X : nat -> R) : avg 1 X = X O.
Proof. unfold avg. simpl. field. Qed.
Lemma avg_two (X : nat -> R) : avg 2 X = (X 0%nat + X 1%nat) / 2.
Proof. unfold avg. simpl. field. Qed.

(** Smoothness on the line is an inequality between numbers. *)
Lemma smooth_line L (l l' : R -> R) :
  (forall x y, l x + l' x * (y - x) - L / 2 * (y - x) ^ 2 <= l y <= l x + l' x * (y - x) + L / 2 * (y - x) ^
    2) ->
  smooth (V := Rd 1) L (fun x => l (x O)) (fun x => point (l' (x O))).
Proof.
  intros H x y. rewrite !inner_line, sub_line. unfold point. destruct (H (x O) (y O)).
  replace ((y O - x O) * (y O - x O)) with ((y O - x O) ^ 2) by ring. apply Rabs_le. split; lra.
Qed.
