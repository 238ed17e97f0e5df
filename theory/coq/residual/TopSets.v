(** * Sets of coordinates, and the k largest coordinates of a vector

    A set of coordinates of R^d is a yes or no for each number below d. Coordinates are numbered from 0. *)
From Coq Require Import Reals Bool.
From FPS.tools Require Export Space.
Open Scope R_scope.

Definition ind (yes : bool) : R := if yes then 1 else 0.
Definition coordinates := nat -> bool.
Definition outside (S : coordinates) : coordinates := fun i => negb (S i).
Definition union (S S' : coordinates) : coordinates := fun i => S i || S' i.

(** How many coordinates S has *)
Definition size (d : nat) (S : coordinates) : R := sum d (fun i => ind (S i)).

(** x_S: x on S and 0 elsewhere *)
Definition restrict {d : nat} (S : coordinates) (x : Rd d) : Rd d := fun i => ind (S i) * x i.

(** S is a top-k set of |x|: it has k coordinates, and none outside it is larger than one inside. *)
Definition top (d k : nat) (S : coordinates) (x : Rd d) : Prop :=
  size d S = INR k /\
  forall i j, (i < d)%nat -> (j < d)%nat -> S i = true -> S j = false -> Rabs (x j) <= Rabs (x i).

(** ‖x‖_1 *)
Definition l1 {d : nat} (x : Rd d) : R := sum d (fun i => Rabs (x i)).
