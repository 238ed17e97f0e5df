(** * B = 1: the price of G² is finite if the reduced block of part D is positive definite

    At B = 1 and G = 0 the gradients of all devices agree at x and at x₊, so a solver leaves the deviations
    of g_0 and g_+ out. For G > 0 they are back, and their multipliers η must be large enough. That such η
    exist follows from the reduced block, without these two letters, being positive definite; semidefinite
    would not do. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result Smooth.
From FPS.rates Require Import Round Forms.
Open Scope R_scope.

(** The numbers k as if there were one device: a certificate for them is one without part D. *)
Definition alone (k : numbers) : numbers := {|
  Es := Es k; gamma := gamma k; mu := mu k; L := L k; theta := theta k; B := B k;
  P_b := P_b k; P_n := P_n k; nu := nu k; biased := biased k; noisy := noisy k; one_device := true;
  uncorrelated := uncorrelated k; independent := independent k |}.
Definition with_eta (eta : R) (a : multipliers) : multipliers := {|
  c := c a; lam := lam a; eta_0 := eta; eta_plus := eta; tau := tau a; vt := vt a;
  own := own a; cross := cross a |}.

(** If B = 1, all of a certificate but part D holds, and the form of part D without the letters g_0 and g_+
    is positive definite (at least δ times the sum of squares), then some η completes the certificate. *)
Definition Finite_Price_At_B_One : result := forall (k : numbers) (a : multipliers) (delta : R),
  B k = 1 -> certificate (alone k) a -> 0 < delta ->
  (forall u : nat -> line, u O = 0 -> u (Es k) = 0 ->
     delta * sum (letters k) (fun p => ‖(masked k u p)‖²) <= form_D k (with_eta 0 a) (masked k u)) ->
  exists eta, 0 <= eta /\ certificate k (with_eta eta a).
