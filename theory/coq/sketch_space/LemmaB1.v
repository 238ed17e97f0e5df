(** * Lemma B1: with the mean read-out the sketch-space residual cannot grow unless the broadcast does

    x = S^T C s is what the table says of the model, n the noise of the read-out, and w̃ = Top_k(x + n) with
    any tie-breaking. So the distance of x from the broadcast is bounded by the broadcast itself and by the
    noise. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result Mean.
From FPS.residual Require Import TopSets.
From FPS.sketch_space Require Import Sketch.
Open Scope R_scope.

(** √(d/k − 1) *)
Definition left_by_top (d k : nat) : R := sqrt (INR d / INR k - 1).

(** Lemma B1: if w̃ = Top_k(x + n) then ‖x − w̃‖ ≤ √(d/k − 1) ‖w̃‖ + ‖n‖. *)
Definition Lemma_B1 : result := forall d k P (x n : Rd d), (1 <= k)%nat -> top d k P (x + n)%V ->
  ‖(x - restrict P (x + n)%V)‖ <= left_by_top d k * ‖(restrict P (x + n)%V)‖ + ‖n‖.

(** Lemma B1 in root mean square, over any probability space, and over rounds by [times]:
    R ≤ √(d/k − 1) W + (E‖n‖²)^{1/2} with R² = E‖x − w̃‖² and W² = E‖w̃‖². *)
Definition Lemma_B1_On_Average : result :=
  forall d k (I : Type) (mu : mean (Rd d) I) (P : I -> coordinates) x n w,
  (1 <= k)%nat -> sq mu x -> sq mu n -> sq mu w ->
  (forall i, top d k (P i) (x i + n i)%V /\ w i = restrict (P i) (x i + n i)%V) ->
  sqrt (mu (fun i => ‖(x i - w i)‖²)) <=
  left_by_top d k * sqrt (mu (fun i => ‖(w i)‖²)) + sqrt (mu (fun i => ‖(n i)‖²)).

(** A table in the range of S is bounded by what it says of the model: ‖s‖² ≤ ‖S^T C s‖²/λ, where λ is the
    least positive eigenvalue of M (λ ‖S g‖² ≤ ‖S^T C S g‖² for all g). *)
Definition Table_From_Estimate : result := forall (V : space) (k : sketch V) lam (s : tables k) (g : V),
  0 < lam -> (forall g, lam * ‖(Sk k g)‖² <= ‖(St k (Sk k g))‖²) -> same s (Sk k g) ->
    ‖s‖² <= ‖(St k s)‖² / lam.
