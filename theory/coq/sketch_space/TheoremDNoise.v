(** * Theorem D with noise, in expectation, on any probability space

    Mean read-out with noise n̂_t (w̃_t = Top_k(x_t + n̂_t)), gradient noise z_t, and noise n_t that enters
    the table: s_{t+1} = s_t − γ S(a_t + z_t) + n_t, a_t = H(w̃_t − wstar), x_t = S^T C s_t. Then Theorem D
    holds on average with K + σ_r for K and e_0 + (γ/2)σ_z² + σ_st²/(2γ) for e_0. Here σ_r², σ_z² and σ_st²
    bound E‖n̂_t‖_H², E‖z_t‖_M² and E‖n_t‖². For a hash sketch with C = 1/J, b buckets a row and cells with
    noise of variance σ_c² when read and σ² when stored these are σ_c² tr(H)/J, E‖z_t‖_A² and b σ². *)
From Coq Require Import Reals.
From FPS.tools Require Import Result Mean.
From FPS.residual Require Import TopSets.
From FPS.sketch_space Require Import Sketch TheoremD.
Open Scope R_scope.

Record noisy_run (d k : nat) := {
  sketch_N : sketch (Rd d);
  Omega_N : Type;
  for_models : mean (Rd d) Omega_N;              (* chance, for random models *)
  for_tables : mean (tables sketch_N) Omega_N;   (* the same chance, for random tables *)
  h_N : nat -> R; wstar_N : Rd d;                (* curvatures and minimiser *)
  mu_N : R; gamma_N : R; L_N : R; Kn_N : R;
    (* μ_f, γ, L_A, and a bound on the k-support norm of H wstar *)
  s_N : nat -> Omega_N -> tables sketch_N;
  P_N : nat -> Omega_N -> coordinates;
  read_noise : nat -> Omega_N -> Rd d;           (* n̂_t *)
  grad_noise : nat -> Omega_N -> Rd d;           (* z_t *)
  table_noise : nat -> Omega_N -> tables sketch_N;   (* n_t *)
  sigma_r : R; sigma_z : R; sigma_st : R }.
Arguments sketch_N {d k}. Arguments Omega_N {d k}. Arguments for_models {d k}. Arguments for_tables {d k}.
Arguments h_N {d k}. Arguments wstar_N {d k}. Arguments mu_N {d k}. Arguments gamma_N {d k}.
Arguments L_N {d k}.
Arguments Kn_N {d k}. Arguments s_N {d k}. Arguments P_N {d k}. Arguments read_noise {d k}.
Arguments grad_noise {d k}. Arguments table_noise {d k}. Arguments sigma_r {d k}. Arguments sigma_z {d k}.
Arguments sigma_st {d k}.

Section Letters.
Variables (d k : nat) (r : noisy_run d k).
Local Notation Ex := (for_models r).
Definition x_N t o : Rd d := St (sketch_N r) (s_N r t o).
Definition w_N t o : Rd d := restrict (P_N r t o) (x_N t o + read_noise r t o)%V.
Definition a_N t o : Rd d := times_H (h_N r) (w_N t o - wstar_N r)%V.
(** K + σ_r, η, g, and e_0 + (γ/2)σ_z² + σ_st²/(2γ) with e_0 = E‖s_0‖²/(2γT) *)
Definition K_N : R := Kn_N r / sqrt (mu_N r) + sigma_r r.
Definition eta_N : R := gamma_N r * L_N r / 2.
Definition g_N : R := norm_H (h_N r) (wstar_N r).
Definition e_N (T : nat) : R := Ex (fun o => ‖(s_N r 0 o)‖²) / (2 * gamma_N r * INR T)
  + gamma_N r / 2 * sigma_z r ^ 2 + sigma_st r ^ 2 / (2 * gamma_N r).
(** Q² = (1/T) Σ E‖w̃_t‖_H²,  A_M = (1/T) Σ E‖a_t‖_M² *)
Definition Q_N (T : nat) : R := sqrt (avg T (fun t => Ex (fun o => norm_H (h_N r) (w_N t o) ^ 2))).
Definition A_N (T : nat) : R := avg T (fun t => Ex (fun o => ‖(Sk (sketch_N r) (a_N t o))‖²)).

Record assumptions_N : Prop := {
  (* the problem and the constants, as in Theorem D *)
  mu_N_pos : 0 < mu_N r; gamma_N_pos : 0 < gamma_N r; eta_N_small : eta_N < 1;
  strong_N : forall i, (i < d)%nat -> mu_N r <= h_N r i;
  L_N_nonneg : 0 <= L_N r;
  L_N_bounds : forall y, ‖(Sk (sketch_N r) (times_H (h_N r) y))‖² <= L_N r * norm_H (h_N r) y ^ 2;
  Kn_N_nonneg : 0 <= Kn_N r;
  Kn_N_bounds : forall P x, top d k P x -> ⟨x, times_H (h_N r) (wstar_N r)⟩ <= Kn_N r * ‖(restrict P x)‖;
  (* the run *)
  reads_N : forall t o, top d k (P_N r t o) (x_N t o + read_noise r t o)%V;
  rounds_N : forall t o, same (s_N r (S t) o)
    (s_N r t o - gamma_N r *: Sk (sketch_N r) (a_N t o + grad_noise r t o) + table_noise r t o)%V;
  (* noise of mean zero: n̂_t; z_t, given x_t and w̃_t; n_t, given all before it *)
  read_zero : forall t, Ex (fun o => ⟨read_noise r t o, times_H (h_N r) (wstar_N r)⟩) = 0;
  grad_zero_x : forall t, Ex (fun o => ⟨grad_noise r t o, x_N t o⟩) = 0;
  grad_zero_a : forall t, Ex (fun o => ⟨Sk (sketch_N r) (grad_noise r t o), Sk (sketch_N r) (a_N t o)⟩) = 0;
  table_zero_s : forall t, Ex (fun o => ⟨table_noise r t o, s_N r t o⟩) = 0;
  table_zero_step : forall t,
    Ex (fun o => ⟨table_noise r t o, Sk (sketch_N r) (a_N t o + grad_noise r t o)%V⟩) = 0;
  (* sizes of the noise *)
  sigma_r_nonneg : 0 <= sigma_r r;
  read_size : forall t, Ex (fun o => norm_H (h_N r) (read_noise r t o) ^ 2) <= sigma_r r ^ 2;
  grad_size : forall t, Ex (fun o => ‖(Sk (sketch_N r) (grad_noise r t o))‖²) <= sigma_z r ^ 2;
  table_size : forall t, Ex (fun o => ‖(table_noise r t o)‖²) <= sigma_st r ^ 2;
  (* one chance for models and tables; what is square-integrable,
    and that linear maps and constants keep it so *)
  one_chance : forall Y, (int Ex Y <-> int (for_tables r) Y) /\ Ex Y = for_tables r Y;
  sq_Sk : forall Y, sq Ex Y -> sq (for_tables r) (fun o => Sk (sketch_N r) (Y o));
  sq_St : forall Y, sq (for_tables r) Y -> sq Ex (fun o => St (sketch_N r) (Y o));
  sq_H : forall Y, sq Ex Y -> sq Ex (fun o => times_H (h_N r) (Y o));
  sq_fixed : forall y, sq Ex (fun _ => y);
  sq_s : forall t, sq (for_tables r) (s_N r t); sq_w : forall t, sq Ex (w_N t);
  sq_read : forall t, sq Ex (read_noise r t); sq_gradient_noise : forall t, sq Ex (grad_noise r t);
  sq_table_noise : forall t, sq (for_tables r) (table_noise r t) }.
End Letters.
Arguments x_N {d k}. Arguments w_N {d k}. Arguments a_N {d k}. Arguments K_N {d k}. Arguments eta_N {d k}.
Arguments g_N {d k}. Arguments e_N {d k}. Arguments Q_N {d k}. Arguments A_N {d k}.
Arguments assumptions_N {d k}.

(** Theorem D with noise: for every T, Q ≤ Q̄ and A_M ≤ L_A (Q̄ + g)², with Q² = (1/T) Σ E‖w̃_t‖_H² and Q̄
    taken at K + σ_r and e_0 + (γ/2)σ_z² + σ_st²/(2γ). *)
Definition Theorem_D_With_Noise : result := forall d k (r : noisy_run d k), assumptions_N r ->
  forall T, (0 < T)%nat ->
  let Qbar := broadcast_bound (K_N r) (eta_N r) (g_N r) (e_N r T) in
  Q_N r T <= Qbar /\ A_N r T <= L_N r * (Qbar + g_N r) ^ 2.
