(** * L-smooth functions: Assumption 1 of the paper, and what follows from it *)
From Coq Require Import Reals Lra.
From FPS.tools Require Export Mean.
Open Scope R_scope.

Section Smooth.
Variable V : space.

(** Assumption 1: |f(y) − f(x) − ⟨∇f(x), y − x⟩| ≤ (L/2) ‖y − x‖². *)
Definition smooth (L : R) (f : V -> R) (grad : V -> V) :=
  forall x y, Rabs (f y - f x - ⟨grad x, y - x⟩) <= L / 2 * ‖(y - x)‖².

Lemma smooth_above L f grad x y : smooth L f grad -> f y <= f x + ⟨grad x, y - x⟩ + L / 2 * ‖(y - x)‖².
Proof. intros H; generalize (H x y) (Rle_abs (f y - f x - ⟨grad x, y - x⟩)); lra. Qed.
Lemma smooth_below L f grad x y : smooth L f grad -> f x + ⟨grad x, y - x⟩ - L / 2 * ‖(y - x)‖² <= f y.
Proof.
  intros H; generalize (H x y) (Rle_abs (- (f y - f x - ⟨grad x, y - x⟩))); rewrite Rabs_Ropp; lra.
Qed.

(** The gradient is L-Lipschitz: four bounds at (x+y)/2 ± (∇f(y)−∇f(x))/(2L). *)
Lemma smooth_lipschitz L f grad x y : 0 < L -> smooth L f grad -> ‖(grad y - grad x)‖ <= L * ‖(y - x)‖.
Proof.
  intros HL H.
  set (h := ((/ (2 * L)) *: (grad y - grad x))%V).
  set (p := ((/ 2) *: (x + y) + h)%V); set (q := ((/ 2) *: (x + y) - h)%V).
  pose proof (smooth_above L f grad x p H) as H1. pose proof (smooth_below L f grad y p H) as H2.
  pose proof (smooth_below L f grad x q H) as H3. pose proof (smooth_above L f grad y q H) as H4.
  apply square_le; [apply Rmult_le_pos; [lra|apply norm_nonneg]|].
  replace (L * ‖(y - x)‖ * (L * ‖(y - x)‖)) with (L * L * (‖(y - x)‖ * ‖(y - x)‖)) by ring.
  rewrite !norm_square.
  assert (K : 2 * ⟨grad y - grad x, h⟩ <= 2 * L * (‖(y - x)‖² / 4 + ‖h‖²)).
  { unfold p, q in *. clearbody h. clear p q.
    repeat (rewrite inner_add in H1 || rewrite inner_add_r in H1 || rewrite inner_scale in H1 || rewrite inner_scale_r in H1).
    repeat (rewrite inner_add in H2 || rewrite inner_add_r in H2 || rewrite inner_scale in H2 || rewrite inner_scale_r in H2).
    repeat (rewrite inner_add in H3 || rewrite inner_add_r in H3 || rewrite inner_scale in H3 || rewrite inner_scale_r in H3).
    repeat (rewrite inner_add in H4 || rewrite inner_add_r in H4 || rewrite inner_scale in H4 || rewrite inner_scale_r in H4).
    expand. rewrite ?(inner_sym _ y x), ?(inner_sym _ h x), ?(inner_sym _ h y) in *. lra. }
  unfold h in K. rewrite square_scale, inner_scale_r in K.
  set (g := ‖(grad y - grad x)‖²) in *. set (d := ‖(y - x)‖²) in *.
  replace (2 * (/ (2 * L) * g)) with (g / L) in K by (field; lra).
  replace (2 * L * (d / 4 + / (2 * L) * / (2 * L) * g)) with (L * d / 2 + g / L / 2) in K by (field; lra).
  assert (g / L <= L * d) by lra.
  apply Rmult_le_compat_r with (r := L) in H0; [|lra].
  replace (g / L * L) with g in H0 by (field; lra). lra.
Qed.

(** The mean of L-smooth functions is L-smooth. *)
Lemma smooth_mean L n (some : (0 < n)%nat) (l : nat -> V -> R) (grad : nat -> V -> V) :
  (forall m, (m < n)%nat -> smooth L (l m) (grad m)) ->
  smooth L (fun x => avg n (fun m => l m x)) (fun x => vmean n (fun m => grad m x)).
Proof.
  intros H x y. rewrite (inner_vmean _ _).
  apply Rabs_le; split.
  - assert (K : avg n (fun m => l m x) + avg n (fun m => ⟨grad m x, y - x⟩)
              + - (L / 2 * ‖(y - x)‖²) <= avg n (fun m => l m y)); [|lra].
    rewrite <- (avg_const n some (- (L / 2 * ‖(y - x)‖²))), <- !avg_add. apply avg_mono; auto. intros m Hm.
    generalize (smooth_below _ _ _ x y (H m Hm)); lra.
  - assert (K : avg n (fun m => l m y) <= avg n (fun m => l m x)
              + avg n (fun m => ⟨grad m x, y - x⟩) + L / 2 * ‖(y - x)‖²); [|lra].
    rewrite <- (avg_const n some (L / 2 * ‖(y - x)‖²)), <- !avg_add. apply avg_mono; auto. intros m Hm.
    generalize (smooth_above _ _ _ x y (H m Hm)); lra.
Qed.
End Smooth.
Arguments smooth {V}. Arguments smooth_above {V L f grad}. Arguments smooth_below {V L f grad}.
Arguments smooth_lipschitz {V L f grad}. Arguments smooth_mean {V L n}.
