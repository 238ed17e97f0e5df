(** * Proposition E with any number of local steps, bias, noise and stored noise

    The means of z_t and of the stored noise vanish, so (I1) survives in the mean: ‖mean E a_t‖_M ≤ E‖s_0 −
    s_T‖/(γĒT) + F, with a_t = ∇f(w̃_t). The norm of a mean vector is written by its inner products with every
    fixed g, so that no integral of vectors is needed. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result.
From FPS.sketch_space Require Import TableSetting.
Open Scope R_scope.

(** E‖s_0 − s_T‖/(γĒT) *)
Definition way_of_table (r : run) (k : table r) : R :=
  chance r (fun o => ‖(tab r k 0 o - tab r k (T r) o)‖) / (gamma r * Ebar r * INR (T r)).
(** Tables have means against every S g, the distance from the start has a mean, and constants are
    square-integrable. *)
Definition table_has_means (r : run) (k : table r) : Prop :=
  (forall t g, (t <= T r)%nat -> int (chance r) (fun o => ⟨tab r k t o, Sk k g⟩)) /\
  int (chance r) (fun o => ‖(tab r k 0 o - tab r k (T r) o)‖) /\
  (forall g, sq (chance r) (fun _ => g)).

(** For every fixed g, (1/T) Σ E⟨∇f(w̃_t), g⟩_M ≤ ‖g‖_M (E‖s_0 − s_T‖/(γĒT) + F). *)
Definition Mean_Gradient_Is_Small : result := forall (r : run) (k : table r) (g : V r),
  assumptions_B r k -> table_has_means r k ->
  rounds r (fun i => ⟨Sk k (grad_f r (broadcast r (fst i) (snd i))), Sk k g⟩) <=
  ‖(Sk k g)‖ * (way_of_table r k + F_B r k).

(** Proposition E: for every fixed g, A_M is at most the chatter (1/T) Σ E‖∇f(w̃_t) − g‖_M² plus
    2‖g‖_M (E‖s_0 − s_T‖/(γĒT) + F). *)
Definition Proposition_E_With_Noise : result := forall (r : run) (k : table r) (g : V r),
  assumptions_B r k -> table_has_means r k ->
  A_M r k <= rounds r (fun i => ‖(Sk k (grad_f r (broadcast r (fst i) (snd i)) - g)%V)‖²)
             + 2 * ‖(Sk k g)‖ * (way_of_table r k + F_B r k).
