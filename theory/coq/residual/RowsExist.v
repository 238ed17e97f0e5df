(** * Random rows exist: the assumptions of Lemma 1'(c) can be met

    All buckets, signs and noises are independent: buckets uniform on K columns, signs fair, noise ±σ_c. The
    space is finite, so that every random number and every event has a mean. *)
From Coq Require Import Reals Bool.
From FPS.tools Require Import Result.
From FPS.residual Require Export MedianFailure.
Open Scope R_scope.

(** For all d, J, σ_c and K ≥ 1 there are J independent random rows with free signs, K columns and noise of
    variance σ_c². *)
Definition Random_Rows_Exist : result := forall (V : space) d K J sigma, (0 < K)%nat ->
  exists (I : Type) (P : mean V I) (w : nat -> I -> row),
  (forall j, (j < J)%nat -> random_row P d K (INR K) (sigma ^ 2) (w j)) /\
  independent_rows P J w /\
  (forall i j, (i < d)%nat -> (j < J)%nat -> free_sign P i (w j)) /\
  (forall j c, (j < J)%nat -> (c < K)%nat ->
     P (fun o => noise (w j o) c) = 0 /\ P (fun o => noise (w j o) c ^ 2) = sigma ^ 2) /\
  (forall X, int P X).
