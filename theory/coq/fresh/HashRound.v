(** * A whole round with a fresh sketch: some devices take part, J rows, a noisy table

    Here the parts meet: Pick.v, HashChannel.v and Noise.v give what Channel.v asks of a round. The rows may be those
    of a count sketch or of the fold; two prices ω for them are at the end of Moments.v. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result.
From FPS.fresh Require Export Pick Noise.
Open Scope R_scope.

(** What is given *)
Record sketched := {
  d : nat; I : Type; P : mean (Rd d) I;
  loss : Rd d -> R; gradient : Rd d -> Rd d; Hess : matrix;
  devices : nat; some_devices : (0 < devices)%nat;
  x : I -> Rd d; displacement : nat -> I -> Rd d;
  weights : I -> nat -> R;                                    (* 1/s for a device that takes part, else 0 *)
  J : nat; columns : nat; hash : nat -> I -> row; cells : I -> nat -> nat -> R;
  q_pick : I -> I -> Prop; q_hash : I -> I -> Prop; q_noise : I -> I -> Prop;
  share : matrix; ell_H : R; omega_H : R; sigma_c : R }.          (* share i l: probability of a common bucket *)

Section Round.
Variable s : sketched.
(** floor = σ_c² tr(H)/J *)
Definition floor_of : R := sigma_c s ^ 2 * trace (d s) (Hess s) / INR (J s).
Definition round_of : round := {|
  V := Rd (d s); Omega := I s; chance := P s; f := loss s; grad_f := gradient s; H := times_matrix (Hess s);
  M := devices s; M_pos := some_devices s; start := x s; y := displacement s;
  picked := fun o => vsum (devices s) (fun m => (weights s o m *: displacement s m o)%V);
  A := fun o => times_matrix (decoder (J s) (fun a => hash s a o));
  Channel.noise := fun o => noise_readout (J s) (fun a => hash s a o) (cells s o);
  before_pick := q_pick s; before_hash := q_hash s; before_noise := q_noise s;
  ell := ell_H s; omega := omega_H s; kappa := kappa_of (P s) (devices s) (weights s); floor := floor_of |}.

Record sketched_fits : Prop := {
  J_pos : (0 < J s)%nat; ell_pos : 0 <= ell_H s; omega_pos : 0 <= omega_H s;
  (* H2 *)
  Hess_symmetric : symmetric_matrix (d s) (Hess s);
  Hess_above : forall z : Rd (d s), ⟨z, times_matrix (Hess s) z⟩ <= ell_H s * ‖z‖²;
  loss_curved : curved_by (times_matrix (Hess s)) (loss s) (gradient s);
  (* H3, and ⟨y,Ωy⟩ ≤ ω‖y‖² *)
  hash_rows : forall a, (a < J s)%nat -> hash_row (P s) (d s) (share s) (hash s a);
  price : forall z : Rd (d s), spread_form (d s) (fun i l => share s i l / INR (J s)) (Hess s) z <= omega_H s * ‖z‖²;
  rows_apart : forall a b, (a < J s)%nat -> (b < J s)%nat -> a <> b -> independent (P s) (hash s a) (hash s b);
  hash_fresh : forall X : I s -> R, known (q_hash s) X -> independent (P s) (fun o a => hash s a o) X;
  (* H4 *)
  weights_fair : exchangeable (P s) (q_pick s) (devices s) (weights s);
  (* H5 *)
  table : table_noise (P s) (q_noise s) (J s) (columns s) (sigma_c s) (hash s) (cells s);
  (* the order of things *)
  pick_first : forall o o', q_hash s o o' -> q_pick s o o';
  noise_last : forall o o', q_noise s o o' -> q_hash s o o';
  x_known : known (q_pick s) (x s);
  displacement_known : forall m, (m < devices s)%nat -> known (q_pick s) (displacement s m);
  weights_known : known (q_hash s) (weights s);
  (* what is square-integrable, and what has a mean *)
  all_solid : solid (P s);
  coordinate_int : forall i (X : I s -> Rd (d s)), (i < d s)%nat -> sq (P s) X -> int (P s) (fun o => X o i);
  sq_displacement : forall m, (m < devices s)%nat -> sq (P s) (displacement s m);
  sq_cells : sq (P s) (fun o => noise_readout (J s) (fun a => hash s a o) (cells s o) : Rd (d s));
  sq_gradient : sq (P s) (fun o => gradient s (x s o));
  int_loss : int (P s) (fun o => loss s (x s o));
  int_loss_after : int (P s) (fun o => loss s (finish round_of o)) }.
End Round.

(** Lemma 2 holds for such a round, with ⟨y,Ωy⟩ ≤ ω‖y‖², κ = (M E Σ c_m² − 1)/(M − 1) and floor = σ_c² tr(H)/J. *)
Definition Sketched_Round_Fits : result := forall s, sketched_fits s -> fits (round_of s).
