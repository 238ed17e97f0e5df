(** * Two exact identities of the table (I1, I2), Proposition E and the averaged broadcast

    One local step, no noise, any f, any read-out: s_{t+1} = s_t − γ S a_t, where a_t = ∇f(w̃_t) is not looked
    at. All norms of tables are those of ⟨s, C s'⟩ with any symmetric positive semi-definite C. For C = 1/J
    the norm ‖s‖² is the page's ‖s‖²/J, ‖Sk g‖ is ‖g‖_A and St s is x = S^T s/J. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result Mean.
From FPS.sketch_space Require Import Sketch.
Open Scope R_scope.

(** (I1) The mean over T rounds of S a_t is (s_0 − s_T)/(γT). *)
Definition Identity_I1 : result :=
  forall (V : space) (k : sketch V) gamma s a T, exact_rounds k gamma s a -> 0 < gamma -> (0 < T)%nat ->
  same (vmean T (fun t => Sk k (a t))) ((/ (gamma * INR T)) *: (s 0%nat - s T))%V.

(** (I2) The mean over T rounds of ⟨x_t, a_t⟩ is (‖s_0‖² − ‖s_T‖²)/(2γT) + (γ/2) A_M, where x_t = S^T C s_t
    and A_M is the mean of ‖a_t‖_M². *)
Definition Identity_I2 : result :=
  forall (V : space) (k : sketch V) gamma s a T, exact_rounds k gamma s a -> 0 < gamma -> (0 < T)%nat ->
  avg T (fun t => ⟨St k (s t), a t⟩) =
  (‖(s 0%nat)‖² - ‖(s T)‖²) / (2 * gamma * INR T) + gamma / 2 * avg T (fun t => ‖(Sk k (a t))‖²).

(** Proposition E: for every fixed g, A_M is at most the chatter (1/T) Σ ‖a_t − g‖_M² of the broadcast
    gradient plus 2 ‖g‖_M ‖s_0 − s_T‖/(γT). *)
Definition Proposition_E : result :=
  forall (V : space) (k : sketch V) gamma s a T (g : V),
  exact_rounds k gamma s a -> 0 < gamma -> (0 < T)%nat ->
  avg T (fun t => ‖(Sk k (a t))‖²) <=
  avg T (fun t => ‖(Sk k (a t - g)%V)‖²) + 2 * ‖(Sk k g)‖ * ‖(s 0%nat - s T)‖ / (gamma * INR T).

(** For a quadratic, ∇f(w) = H(w − wstar), the averaged broadcast w̄_T obeys
    ‖∇f(w̄_T)‖_M = ‖s_0 − s_T‖/(γT). *)
Definition Averaged_Broadcast : result :=
  forall (V : space) (k : sketch V) gamma s (w : nat -> V) T (H : V -> V) (wstar : V),
  (forall x y, ⟨H x, y⟩ = ⟨x, H y⟩) ->
  exact_rounds k gamma s (fun t => H (w t - wstar)%V) -> 0 < gamma -> (0 < T)%nat ->
  ‖(Sk k (H (vmean T w - wstar)%V))‖ = ‖(s 0%nat - s T)‖ / (gamma * INR T).
