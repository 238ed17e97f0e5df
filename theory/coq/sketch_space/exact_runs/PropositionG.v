(** * Proposition G: a strongly convex quadratic on which FPS diverges at every learning rate, mean and median

    Seven coordinates, three rows of five buckets, top-1, one local step, no noise. H has 1 in row 0, in
    column 0 and at their crossing, 7 on the rest of the diagonal, 0 elsewhere. In row j coordinate 0 shares
    bucket 0, with the opposite sign, with coordinates 2j+1 and 2j+2; every other coordinate is alone in its
    bucket. So separability cannot just be dropped from Theorem D. H was built for this hash. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result.
From FPS.sketch_space.tables Require Import HashSketch.
Open Scope R_scope.

(** The row in which coordinate i ≥ 1 meets coordinate 0 *)
Definition meets (i : nat) : nat := match i with 1 | 2 => 0 | 3 | 4 => 1 | _ => 2 end%nat.
Definition hash_G : hash := {| d := 7; J := 3; buckets := 5;
  bucket := fun j i => match i with
    | O => O
    | _ => if Nat.eqb (meets i) j then O else if Nat.ltb (meets i) j then i else (i - 2)%nat end;
  sign := fun j i => match i with O => 1 | _ => if Nat.eqb (meets i) j then -1 else 1 end |}.
Definition H_G (i j : nat) : R :=
  match i, j with O, _ => 1 | _, O => 1 | _, _ => if Nat.eqb i j then 7 else 0 end.
Definition e_0 (i : nat) : R := match i with O => 1 | _ => 0 end.
Definition origin (i : nat) : R := 0.
Definition minimiser (i : nat) : R := match i with O => 7 | _ => -1 end.

(** The two read-outs *)
Definition readout_G (median : bool) : cells -> nat -> R :=
  if median then median_readout hash_G else mean_readout hash_G.
(** FPS from the sketch of e_0, minimiser 0; and from the empty table, minimiser (7, −1, …, −1) *)
Definition run_G gamma median := fps_run hash_G 1 gamma H_G origin (sketch_of hash_G e_0) (readout_G median).
Definition run_G_empty gamma median := fps_run hash_G 1 gamma H_G minimiser empty (readout_G median).

(** The hash is a proper one, H is symmetric and positive definite (⟨x, Hx⟩ ≥ ‖x‖²/15), so f is strongly
    convex. *)
Definition Problem_G_Is_Strongly_Convex : result := well_formed hash_G /\
  (forall i j, H_G i j = H_G j i) /\
  forall x, sum 7 (fun i => x i ^ 2) / 15 <= sum 7 (fun i => sum 7 (fun j => x i * (H_G i j * x j))).

(** Proposition G: started from the sketch of e_0, FPS has a run, and in every run w̃_t = (1+γ)^t e_0, at
    every learning rate γ > 0, with the mean and with the median. *)
Definition Proposition_G : result := forall gamma median, 0 < gamma ->
  (exists s w, run_G gamma median s w) /\
  forall s w, run_G gamma median s w -> forall t i, (i < 7)%nat -> w t i = (1 + gamma) ^ t * e_0 i.

(** Proposition G from the empty table: H (7, −1, …, −1) = e_0, FPS has a run, and in every run
    w̃_t = ((1+γ)^t − 1) e_0, at every learning rate γ > 0, with the mean and with the median. *)
Definition Proposition_G_From_Empty : result := forall gamma median, 0 < gamma ->
  (exists s w, run_G_empty gamma median s w) /\
  forall s w, run_G_empty gamma median s w -> forall t i, (i < 7)%nat ->
    w t i = ((1 + gamma) ^ t - 1) * e_0 i.
