(** * The floor of Proposition F is attained by exact top-1 in two dimensions

    One device, one local step, f(w) = ½‖w − (1, 1)‖², γ = ½, μ = 0, d = 2, k = 1. The start is
    v_0 = (2, 3/2), and every broadcast is exactly top-1 of v_t. Then v_t alternates between (2, 3/2) and
    (3/2, 2), w̃_t between (2, 0) and (0, 2), and A = 2 = L²‖w⋆‖²(sp(w⋆)/k − 1) in every number of rounds. *)
From Coq Require Import Reals Lra List.
From FPS.tools Require Import Result.
From FPS.residual Require Import TopSets Floor.
Open Scope R_scope.

Definition point (x y : R) : Rd 2 := fun i => match i with O => x | _ => y end.
Definition certain : mean (Rd 2) unit.
  refine (finite (Rd 2) ((tt, 1) :: nil) _ _).
  - intros o p [H|[]]. injection H as <- <-. lra.
  - simpl. ring.
Defined.
Definition floor_run : run := {|
  V := Rd 2; Omega := unit; chance := certain; T := 1; M := 1; Es := 1;
  T_pos := le_n 1; M_pos := le_n 1; Es_pos := le_n 1;
  loss := fun _ w => 1 / 2 * ‖(w - point 1 1)‖²; grad := fun _ w => (w - point 1 1)%V;
  gamma := 1 / 2; mu := 0; v0 := fun _ => point 2 (3 / 2);
  broadcast := fun t _ => if Nat.even t then point 2 0 else point 0 2;
  beta := fun _ _ _ _ => zero; zeta := fun _ _ _ _ => zero; past := fun _ _ _ _ _ => True;
  xi := fun _ => zero;
  L := 1; P_b := 0; P_n := 0; b := 0; sigma := 0; G := 0; B := 1; nu := 1; f_star := 0 |}.
Definition floor_centre : nat -> V floor_run := fun _ => point 1 1.

(** This run meets all assumptions of Proposition F, and v stays bounded. *)
Definition Floor_Example_Meets_The_Assumptions : result :=
  (forall n, floor_assumptions floor_run n 2 1 (unit_vector 2) floor_centre (fun _ => 0)) /\
  sq (chance floor_run) (v0 floor_run) /\
  Un_cv (fun n => rms floor_run (exact floor_run n) / INR n) 0.

(** Every broadcast is v_t on a top-1 set of |v_t|, and 0 elsewhere. *)
Definition Floor_Example_Is_Exact_Top_One : result := forall t o,
  exists S, top 2 1 S (exact floor_run t o) /\
  forall i, (i < 2)%nat -> broadcast floor_run t o i = restrict (d := 2) S (exact floor_run t o) i.

(** A is the floor, which is 2, after every number of rounds. *)
Definition Floor_Is_Attained : result := forall n (some : (0 < n)%nat),
  A (with_rounds floor_run n some) = floor_of floor_run 2 1 (unit_vector 2) floor_centre /\
  floor_of floor_run 2 1 (unit_vector 2) floor_centre = 2.
