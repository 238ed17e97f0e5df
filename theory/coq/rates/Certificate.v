(** * A certificate in rational numbers, and what it certifies

    A generated pair of files holds one certificate and nothing else. It reads:

      Certificate_x.v
        (** words: which E, B, ..., and which learning rate *)
        From Coq Require Import QArith List.
        From FPS.tools Require Import Result.
        From FPS.rates Require Import Certificate.
        Import ListNotations.
        Open Scope Q_scope.
        Definition numbers_x : rational_certificate := {|
          q_Es := 3;                           local steps E
          q_gamma := 79 # 100; q_mu := 0;      Lγ and μ/L: L is 1 in a certificate
          q_theta := 1; q_B := 3 # 2; q_P_b := 0; q_P_n := 0;
          q_nu := 0;                           1/M if one of the last two flags is true, else anything
          q_biased := false;                   are there letters b_e (P_b > 0 or b > 0)?
          q_noisy := false;                    are there letters z_e (P_n > 0 or σ > 0)?
          q_one_device := false;               is M = 1, so that there is no part D?
          q_uncorrelated := false;             are noises of different devices uncorrelated (ν = 1/M)?
          q_independent := false;              do devices sample independently within the round?
          q_c := 44822481 # 5000000000;
          q_lam := [on 0 1 (1039574449 # 2000000000); ...];      λ_ij on i j; node E is x₊
          q_eta_0 := 3568610199 # 10000000000; q_eta_plus := 811258501 # 2500000000;
          q_tau := []; q_vt := [];             τ_0, τ_1, ... and ϑ_0, ϑ_1, ...
          q_own := []; q_cross := [] |}.       multiplier on e p, for noise z_e and letter p
        (** words *)
        Definition Certificate_x : result := certified numbers_x.

      Certificate_xProof.v
        From FPS.rates Require Import Checker CheckerProof Certificate_x.
        Theorem certificate_x : Certificate_x.
        Proof. apply check_sound. vm_compute. reflexivity. Qed.

    Numbers: negative rationals want brackets, (-1) # 2. A pair that is not listed has multiplier 0; of a
    pair that is listed twice the first counts. Letters p: g_e is e, g_+ is E, b_e is E+1+e, z_e is 2E+1+e.
    A multiplier of [q_own] stands for (S+D)[z_e,p] = 0, p of the device's own past. One of [q_cross]
    stands for S[z_e,p] = 0 if p is of the device's own past, and for S[z_e,p] = ν(S+D)[z_e,p] if it is not
    (p = z_e, or a later letter if devices are independent). Multipliers that these rules do not allow
    count as 0.
    From the JSON form of a certificate, in the user's units: "pair i j" is λ_ij. All other multipliers and
    c are multiplied by L; gamma becomes Lγ, mu becomes μ/L. "spread 0" and "spread E" are η_0 and η_+,
    "bias e" and "noise e" are τ_e and ϑ_e, "own z_e p" goes to [q_own]. "start z_e p" goes to [q_cross] on
    e p, "across z_i z_j" on max(i,j) and 2E+1+min(i,j), "share e" on e and 2E+1+e with the opposite sign.
    [q_uncorrelated] is ν < 1.
    At B = 1 the numbers η do not enter M_S, yet they must be given (PriceAtOne.v says when they exist). *)
From Coq Require Import Reals QArith Qreals List Arith.
From FPS.tools Require Import Result.
From FPS.rates Require Import Round Forms Scaling.
Import ListNotations.

Record rational_certificate := {
  q_Es : nat; q_gamma : Q; q_mu : Q; q_theta : Q; q_B : Q; q_P_b : Q; q_P_n : Q; q_nu : Q;
  q_biased : bool; q_noisy : bool; q_one_device : bool; q_uncorrelated : bool; q_independent : bool;
  q_c : Q; q_lam : list (nat * nat * Q); q_eta_0 : Q; q_eta_plus : Q; q_tau : list Q; q_vt : list Q;
  q_own : list (nat * nat * Q); q_cross : list (nat * nat * Q) }.

(** A number on a pair *)
Definition on (i j : nat) (q : Q) : nat * nat * Q := (i, j, q).
(** The entry of a pair; 0 if it is not listed *)
Fixpoint entry (table : list (nat * nat * Q)) (i j : nat) : Q :=
  match table with
  | [] => 0%Q
  | (i', j', q) :: rest => if ((i =? i') && (j =? j'))%nat then q else entry rest i j
  end.

Section Meaning.
Variable x : rational_certificate.
Local Open Scope R_scope.
(** The real numbers that it speaks about, with L = 1 *)
Definition numbers_of : numbers := {|
  Es := q_Es x; gamma := Q2R (q_gamma x); mu := Q2R (q_mu x); L := 1; theta := Q2R (q_theta x);
  B := Q2R (q_B x); P_b := Q2R (q_P_b x); P_n := Q2R (q_P_n x); nu := Q2R (q_nu x);
  biased := q_biased x; noisy := q_noisy x; one_device := q_one_device x; uncorrelated := q_uncorrelated x;
  independent := q_independent x |}.
Definition multipliers_of : multipliers := {|
  c := Q2R (q_c x); lam := fun i j => Q2R (entry (q_lam x) i j); eta_0 := Q2R (q_eta_0 x);
  eta_plus := Q2R (q_eta_plus x);
  tau := fun e => Q2R (nth e (q_tau x) 0%Q); vt := fun e => Q2R (nth e (q_vt x) 0%Q);
  own := fun e p => Q2R (entry (q_own x) e p); cross := fun e p => Q2R (entry (q_cross x) e p) |}.

(** What it certifies: c > 0; for every L > 0, every round with curvatures in [−θL, L], learning rate γ/L and
    proximal parameter μL descends; and if θ ≥ 0 and μ = 0 or E = 1, so does every round with learning rate
    sγ/L, 0 < s ≤ 1: E f(x₊) − E f(x) ≤ (s/L)(−c E‖∇f(x)‖² + (η_0+η_+)G² + Σ τ_e b² + Σ ϑ_e σ²). *)
Definition certified : Prop :=
  let eta := eta_0 multipliers_of + eta_plus multipliers_of in
  let taus := sum (Es numbers_of) (tau multipliers_of) in
  let vts := sum (Es numbers_of) (vt multipliers_of) in
  0 < c multipliers_of /\
  forall Lip, 0 < Lip ->
    let k := scaled (/ Lip) numbers_of in let price := fun s p => s / Lip * p in
    descends k (price 1 (c multipliers_of)) (price 1 eta) (price 1 taus) (price 1 vts) /\
    (mu k = 0 \/ Es k = 1%nat -> 0 <= theta k -> forall s, 0 < s <= 1 -> descends (at_rate (s * gamma k) k)
       (price s (c multipliers_of)) (price s eta) (price s taus) (price s vts)).
End Meaning.
