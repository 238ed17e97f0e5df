(** * Proposition F: a floor that no learning rate removes

    Every loss is l_m(w) = (L/2)‖w − c_m‖² + const_m, so f = mean_m l_m has its minimum at w⋆ = mean_m c_m
    and Hessian L·1. There is neither bias nor noise, every broadcast w̃_t has at most k non-zero
    coordinates, and v_T grows slower than T. Then A = (1/T)Σ E‖∇f(w̃_t)‖² stays above L²‖w⋆‖²(sp(w⋆)/k − 1),
    where sp(x) = ‖x‖_1²/‖x‖² is the paper's soft sparsity. The growth condition holds for exact top-k. It
    fails for sketches that compress, so this is no floor for those. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result.
From FPS.repaired Require Export Setting.
From FPS.residual Require Import TopSets.
Open Scope R_scope.

(** ** Coordinates: ⟨x, e_i⟩ for an orthonormal family e_0, …, e_{d-1} that spans the space *)
Definition orthonormal {V : space} (d : nat) (e : nat -> V) : Prop :=
  forall x y, ⟨x, y⟩ = sum d (fun i => ⟨x, e i⟩ * ⟨y, e i⟩).
Definition norm1 {V : space} (d : nat) (e : nat -> V) (x : V) : R := sum d (fun i => Rabs ⟨x, e i⟩).
Definition soft_sparsity {V : space} (d : nat) (e : nat -> V) (x : V) : R := norm1 d e x ^ 2 / ‖x‖².
(** x has at most k coordinates that are not 0. *)
Definition sparse {V : space} (d k : nat) (e : nat -> V) (x : V) : Prop :=
  exists S : coordinates, size d S <= INR k /\ forall i, (i < d)%nat -> S i = false -> ⟨x, e i⟩ = 0.
(** The usual coordinates of R^d *)
Definition unit_vector (d i : nat) : Rd d := fun j => if Nat.eqb i j then 1 else 0.

(** ** What is assumed of the first n rounds of a run r *)
Record floor_assumptions (r : run) (n d k : nat) (e centre : nat -> V r) (const : nat -> R) : Prop := {
  basis : orthonormal d e;
  some_kept : (0 < k)%nat;
  curved : 0 < L r;
  gradients : forall m, (m < M r)%nat -> smooth (L r) (loss r m) (grad r m);
  quadratic : forall m x, (m < M r)%nat -> loss r m x = L r / 2 * ‖(x - centre m)‖² + const m;
  no_bias : forall t m s o, (t < n)%nat -> (m < M r)%nat -> (s < Es r)%nat -> ‖(beta r t m s o)‖² = 0;
  no_noise : forall t m s o, (t < n)%nat -> (m < M r)%nat -> (s < Es r)%nat -> ‖(zeta r t m s o)‖² = 0;
  moves : (1 - gamma r * (L r + mu r)) ^ Es r <> 1;
  sparse_broadcasts : forall t o, (t < n)%nat -> may (chance r) o -> sparse d k e (broadcast r t o);
  square_integrable : forall t, (t < n)%nat -> sq (chance r) (fun o => grad_f r (broadcast r t o)) }.

(** w⋆ = mean_m c_m *)
Definition w_star (r : run) (centre : nat -> V r) : V r := vmean (M r) centre.
(** One round moves v by s(w⋆ − w̃_t), with s = L/(L+μ) (1 − (1−γ(L+μ))^E). *)
Definition pull (r : run) : R := L r / (L r + mu r) * (1 - (1 - gamma r * (L r + mu r)) ^ Es r).
(** √(E‖x‖²) *)
Definition rms (r : run) (X : Omega r -> V r) : R := sqrt (chance r (fun o => ‖(X o)‖²)).

(** L²‖w⋆‖²(sp/k − 1) *)
Definition floor_level (L k square sp : R) : R := L ^ 2 * square * (sp / k - 1).
(** L² · 2(√d ‖w⋆‖_1/k + ‖w⋆‖) · growth *)
Definition floor_remainder (L d k one two growth : R) : R := L ^ 2 * (2 * (sqrt d * one / k + two)) * growth.
Definition floor_of (r : run) (d k : nat) (e : nat -> V r) (centre : nat -> V r) : R :=
  floor_level (L r) (INR k) ‖(w_star r centre)‖² (soft_sparsity d e (w_star r centre)).

(** The same run, taken for n rounds *)
Definition with_rounds (r : run) (n : nat) (some : (0 < n)%nat) : run := {|
  V := V r; Omega := Omega r; chance := chance r; T := n; M := M r; Es := Es r;
  T_pos := some; M_pos := M_pos r; Es_pos := Es_pos r; loss := loss r; grad := grad r; gamma := gamma r;
  mu := mu r;
  v0 := v0 r; broadcast := broadcast r; beta := beta r; zeta := zeta r; past := past r; xi := xi r;
  L := L r; P_b := P_b r; P_n := P_n r; b := b r; sigma := sigma r; G := G r; B := B r; nu := nu r;
  f_star := f_star r |}.

(** ** Results *)

(** In R^d the unit vectors are such a family, and the coordinates ⟨x, e_i⟩ are the x_i. *)
Definition Usual_Coordinates : result := forall d,
  orthonormal d (unit_vector d) /\ forall (x : Rd d) i, (i < d)%nat -> ⟨x, unit_vector d i⟩ = x i.

(** f(w) = f(w⋆) + (L/2)‖w − w⋆‖²: w⋆ is the minimum of f. *)
Definition Minimum_Is_The_Mean_Centre : result := forall r n d k e centre const,
  floor_assumptions r n d k e centre const -> forall w,
  f r w = f r (w_star r centre) + L r / 2 * ‖(w - w_star r centre)‖².

(** For every T: A ≥ L²‖w⋆‖²(sp(w⋆)/k − 1) − L²·2(√d ‖w⋆‖_1/k + ‖w⋆‖)·√(E‖v_T − v_0‖²)/(|s| T). *)
Definition Floor_For_Every_T : result := forall r d k e centre const,
  floor_assumptions r (T r) d k e centre const ->
  let w := w_star r centre in
  floor_of r d k e centre -
    floor_remainder (L r) (INR d) (INR k) (norm1 d e w) ‖w‖
      (rms r (fun o => exact r (T r) o - v0 r o)%V / (Rabs (pull r) * INR (T r)))
  <= A r.

(** If √(E‖v_T‖²)/T → 0, then liminf A ≥ L²‖w⋆‖²(sp(w⋆)/k − 1) as the same run is taken for more and more
    rounds. *)
Definition Floor_In_The_Limit : result := forall r d k e centre const,
  (forall n, floor_assumptions r n d k e centre const) -> sq (chance r) (v0 r) ->
  Un_cv (fun n => rms r (exact r n) / INR n) 0 ->
  forall eps, 0 < eps -> exists N, forall n (some : (0 < n)%nat), (N <= n)%nat ->
  floor_of r d k e centre - eps <= A (with_rounds r n some).
