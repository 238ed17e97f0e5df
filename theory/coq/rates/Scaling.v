(** * Units of a certificate, and smaller learning rates

    To run learning rate sγ on the losses l is to run γ on the losses s·l. So a certificate at (γ, μ, L) is
    one at (sγ, μ/s, L/s), with c and all prices multiplied by s: L = 1 is no restriction. If θ ≥ 0, losses
    with curvatures in [−θL, L] also lie in [−θL/s, L/s] for s ≤ 1. So, if μ plays no part (μ = 0, or one
    local step), one certificate covers every smaller learning rate. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result.
From FPS.rates Require Import Round Forms.
Open Scope R_scope.

Definition scaled (s : R) (k : numbers) : numbers := {|
  Es := Es k; gamma := s * gamma k; mu := mu k / s; L := L k / s; theta := theta k; B := B k;
  P_b := P_b k; P_n := P_n k; nu := nu k; biased := biased k; noisy := noisy k; one_device := one_device k;
  uncorrelated := uncorrelated k; independent := independent k |}.
Definition priced (s : R) (a : multipliers) : multipliers := {|
  c := s * c a; lam := lam a; eta_0 := s * eta_0 a; eta_plus := s * eta_plus a; tau := fun e => s * tau a e;
  vt := fun e => s * vt a e; own := fun e p => s * own a e p; cross := fun e p => s * cross a e p |}.

(** A certificate for (γ, μ, L) gives one for (sγ, μ/s, L/s), with c and the prices multiplied by s. *)
Definition Certificate_Scales : result := forall (k : numbers) (a : multipliers) (s : R), 0 < s ->
  certificate k a -> certificate (scaled s k) (priced s a).

(** The same numbers with learning rate g *)
Definition at_rate (g : R) (k : numbers) : numbers := {|
  Es := Es k; gamma := g; mu := mu k; L := L k; theta := theta k; B := B k;
  P_b := P_b k; P_n := P_n k; nu := nu k; biased := biased k; noisy := noisy k; one_device := one_device k;
  uncorrelated := uncorrelated k; independent := independent k |}.

(** If μ = 0 or E = 1, a certificate at γ covers every learning rate sγ with 0 < s ≤ 1: every round descends,
    with c and all prices multiplied by s. *)
Definition Smaller_Rates_Descend : result := forall (k : numbers) (a : multipliers) (s : R),
  certificate k a -> mu k = 0 \/ Es k = 1%nat -> 0 <= theta k -> 0 < s <= 1 ->
  descends (at_rate (s * gamma k) k)
    (s * c a) (s * (eta_0 a + eta_plus a)) (s * sum (Es k) (tau a)) (s * sum (Es k) (vt a)).
