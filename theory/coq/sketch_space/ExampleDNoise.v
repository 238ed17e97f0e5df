(** * The assumptions of Theorem D with noise can be met, with noise of all three kinds

    One coordinate, k = 1, S = 1, f(w) = w²/2, γ = 1/2, empty table. Two fair coins c, c' = ±1 act in round 0:
    the read-out noise is c, the gradient noise is c c', the noise that enters the table is c'. *)
From Coq Require Import Reals Lra Lia List.
From FPS.tools Require Import Result Mean.
From FPS.residual Require Import TopSets.
From FPS.sketch_space Require Import Sketch TheoremD TheoremDNoise.
Open Scope R_scope.

Definition coin (heads : bool) : R := if heads then 1 else -1.
Definition coins_line : mean (Rd 1) (bool * bool).
  refine (finite (Rd 1) (((true, true), 1 / 4) :: ((true, false), 1 / 4) :: ((false, true), 1 / 4)
                         :: ((false, false), 1 / 4) :: nil) _ _).
  - intros o p [H|[H|[H|[H|[]]]]]; inversion H; lra.
  - simpl; lra.
Defined.
Definition identity_sketch : sketch (Rd 1).
  refine (Build_sketch (Rd 1) (Rd 1) (fun g => g) (fun s => s) _). reflexivity.
Defined.
(** A number in round 0, and 0 later *)
Definition at_first (y : R) (t : nat) : Rd 1 := fun _ => match t with O => y | _ => 0 end.
Definition example_noisy : noisy_run 1 1 := {|
  sketch_N := identity_sketch; Omega_N := bool * bool; for_models := coins_line; for_tables := coins_line;
  h_N := fun _ => 1; wstar_N := zero; mu_N := 1; gamma_N := 1 / 2; L_N := 1; Kn_N := 0;
  s_N := fun t o => (fun _ => match t with
    | O => 0
    | S j => (1 / 2) ^ j * (coin (snd o) - (coin (fst o) + coin (fst o) * coin (snd o)) / 2) end) : Rd 1;
  P_N := fun _ _ _ => true;
  read_noise := fun t o => at_first (coin (fst o)) t;
  grad_noise := fun t o => at_first (coin (fst o) * coin (snd o)) t;
  table_noise := fun t o => at_first (coin (snd o)) t;
  sigma_r := 1; sigma_z := 1; sigma_st := 1 |}.

(** Theorem D with noise is not empty: this run meets all its assumptions, and its three noises have variance
    1 in round 0. *)
Definition Assumptions_N_Can_Be_Met : result := assumptions_N example_noisy /\
  coins_line (fun o => ‖(read_noise example_noisy 0 o)‖²) = 1 /\
  coins_line (fun o => ‖(grad_noise example_noisy 0 o)‖²) = 1 /\
  coins_line (fun o => ‖(table_noise example_noisy 0 o)‖²) = 1.
