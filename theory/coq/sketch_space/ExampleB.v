(** * The assumptions of Theorem B can be met

    A compressive sketch: two coordinates, one row of one bucket, both signs +. Two rounds, two devices, two
    local steps, f = ‖x‖²/2, noise in the gradient of the first device's first step, and noise that enters the
    table in round 0. Two fair coins are all that is random. *)
From Coq Require Import Reals Lra Lia List.
From FPS.tools Require Import Result.
From FPS.sketch_space Require Import TableSetting.
Open Scope R_scope.

(** The first coin is the gradient noise, the second the stored noise. *)
Definition two_coins : mean (Rd 2) (bool * bool).
  refine (finite (Rd 2) (((true, true), 1 / 4) :: ((true, false), 1 / 4) :: ((false, true), 1 / 4)
                         :: ((false, false), 1 / 4) :: nil) _ _).
  - intros o p [H|[H|[H|[H|[]]]]]; inversion H; lra.
  - simpl; lra.
Defined.
Definition e_first : Rd 2 := fun i => match i with O => 1 | _ => 0 end.
Definition example_run : run.
  refine {| V := Rd 2; Omega := bool * bool; chance := two_coins; T := 2; M := 2; Es := 2;
    loss := fun _ x => ‖x‖² / 2; grad := fun _ x => x; gamma := 1 / 100; mu := 1;
    v0 := fun _ => e_first; broadcast := fun _ _ => e_first; beta := fun _ _ _ _ => zero;
    zeta := fun t m e o => match t, m, e with
      | O, O, O => if fst o then e_first else ((-1) *: e_first)%V
      | _, _, _ => zero end;
    past := fun t m e o o' => (t = 0 /\ e = 0)%nat \/ (t = 0)%nat /\ fst o = fst o' \/ o = o';
      xi := fun _ => zero;
    L := 1; P_b := 1 / 4; P_n := 0; b := 0; sigma := 1; G := 0; B := 1; nu := 1; f_star := 0 |}; lia.
Defined.
(** S g = g_0 + g_1 *)
Definition one_bucket : sketch (Rd 2).
  refine (Build_sketch (Rd 2) (Rd 1) (fun (g : Rd 2) (_ : nat) => g 0%nat + g 1%nat)
    (fun (s : Rd 1) (_ : nat) => s 0%nat) _).
  intros s g. simpl. ring.
Defined.
Definition example_table : table example_run := Build_table example_run one_bucket
  (fun _ (_ : nat) => 1)
  (fun (t : nat) (o : bool * bool) (_ : nat) => match t with O => if snd o then 1 else -1 | _ => 0 end)
  (fun x : Rd 2 => x) 2 2 2 2 (/ INR 2) 2.

(** Theorem B is not empty: this run meets all its assumptions, with gradient noise and stored noise that are
    not zero, and ‖e_0‖_M is not zero. *)
Definition Assumptions_B_Can_Be_Met : result := assumptions_B example_run example_table /\
  chance example_run (fun o => ‖(zeta example_run 0 0 0 o)‖²) = 1 /\
  chance example_run (fun o => ‖(stored example_table 0 o)‖²) = 1 /\ ‖(Sk example_table e_first)‖² = 1.
