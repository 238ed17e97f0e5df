(** * The calculators evaluate the formulas that the theorems prove

    Generated.v holds the formulas as the calculators evaluate them. Each result here says that such a formula is the
    one in the statement of its theorem. The calculators carry squares where the theorems carry roots: b2, s2 and G2
    are b², σ² and G². A condition is kept there as slope·γ ≤ upper. *)
From Coq Require Import Reals.
From FPS.tools Require Import Result Sums.
From FPS.formulas Require Generated.
From FPS.paper Require Formulas.
From FPS.repaired Require Setting Drift TheoremA Range Corollary1 Corollary2.
From FPS.residual Require TopSets SketchResidual PowerLaw RandomHash MedianFailure AdaptiveHash.
From FPS.sketch_space Require FormulasB.
From FPS.rates Require TheoremC.
Module G := FPS.formulas.Generated.
Module Run := FPS.repaired.Setting.
Open Scope R_scope.

(** ρ and the right sides of Lemma 1, Lemma 2 and Theorem 1 are the printed ones. *)
Definition Printed_Formulas_Agree : result :=
  forall B E L P_b P_n gamma mu b2 s2 c d k p W gap T sq,
  0 <= P_b -> 0 <= P_n -> 0 < c -> 1 / 2 < p ->
  G.rho_paper B E L P_b P_n gamma mu = Formulas.rho gamma L mu P_b P_n B E /\
  G.tail_paper d k p = Formulas.tail p k d /\
  G.lemma1_paper W c d k p = Formulas.lemma_1_bound c (Formulas.tail p k d) W /\
  G.lemma2_paper B E sq P_b P_n b2 gamma s2 = Formulas.lemma_2_bound gamma P_b P_n b2 s2 B E sq /\
  (0 < gamma -> 0 <= T ->
   G.theorem1_terms B E gap L P_b P_n T W b2 c d gamma k mu p s2 =
   Formulas.theorem_1_bound gap gamma L mu P_b P_n b2 s2 B E T c (Formulas.tail p k d) W).

(** eq:gamma_range and the two step sizes of the proofs are the printed conditions on γ. *)
Definition Printed_Conditions_Agree : result :=
  forall B E L P_b P_n gamma mu, 0 <= P_b -> 0 <= P_n -> 0 < L + mu -> 1 <= E ->
  (G.gamma_range_slope B E L P_b P_n mu * gamma <= G.gamma_range_upper B E P_b <->
   gamma <= Formulas.gamma_max L mu P_b P_n B E) /\
  (G.drift_step_slope B E L P_b P_n mu * gamma <= G.drift_step_upper <->
   gamma <= Formulas.gamma_max_drift L mu P_b P_n B E) /\
  (G.descent_step_slope L mu * gamma <= G.descent_step_upper <-> gamma <= Formulas.gamma_max_descent L mu).

(** One step of the drift recursion of Lemma 2', with its bias and its noise. *)
Definition Drift_Agrees : result :=
  forall gamma mu L P_b P_n b sigma D s h,
  G.bias P_b (b ^ 2) h = Drift.bias_bound P_b b h /\
  G.noise P_n (sigma ^ 2) h = Drift.noise_bound P_n sigma h /\
  G.drift_next D L P_b P_n s (b ^ 2) gamma mu (sigma ^ 2) = Drift.drift_step gamma mu L P_b P_n b sigma D s.

(** F and N of Theorem A are the sums of the calculators' summands. *)
Definition Errors_Of_Theorem_A_Agree : result :=
  forall nu gamma mu L P_b P_n b sigma steps D,
  let S e := Drift.drift gamma mu L P_b P_n b sigma D e in
  let share e := TheoremA.share gamma mu steps e in
  TheoremA.F_at gamma mu L P_b P_n b sigma steps D =
    sum steps (fun e => G.step_error L P_b (S e) (b ^ 2) (share e) (D + L * S e)) /\
  TheoremA.N_at nu gamma mu L P_b P_n b sigma steps D =
    nu * sum steps (fun e => G.step_noise P_n (sigma ^ 2) (share e) (D + L * S e)).

(** (★) and its parts: u, ρ, D², the optimisation term, the maximum over x, and where it is. *)
Definition Star_Agrees : result :=
  forall Am B g Delta gamma Ebar T rho u N x l low high K F,
  (forall r, G.u_a (Run.Ebar r) (Run.L r) (Run.gamma r) = Run.u r /\
             G.rho (Run.L r) (Run.R2 r) = TheoremA.rho r) /\
  sqrt (G.d_square Am B (g ^ 2)) = TheoremA.D_at g B Am /\
  (gamma <> 0 -> Ebar <> 0 -> T <> 0 ->
   G.optimisation Ebar Delta T gamma = TheoremA.optimisation Delta gamma Ebar T) /\
  G.inner_many N rho u x = TheoremA.inner_many rho u N x /\
  G.inner_one N rho u x = TheoremA.inner_one rho u N x /\
  G.inner N l u x = (2 * l - (1 - u) * x) * x + u * N /\
  G.best_x high l low u = TheoremA.best_x u l low high /\
  (let ends := (G.lowest_x Am F, G.highest_x Am F) in
   let x := G.best_x (snd ends) l (fst ends) u in
   G.star F (G.inner N l u x) K = TheoremA.star_right_side u l N K F Am) /\
  G.linear rho (sqrt N) u = rho + u * sqrt N.

(** Theorem A's range at one local step: the calculators ask one condition, that of small noise if νP_nB² < 1 − P_bB²
    and that of large noise else; where P_bB² < 1 it is what the range asks. A4 is γμ ≤ 1. *)
Definition Range_Of_One_Step_Agrees : result :=
  forall gamma mu L P_b P_n B nu, 0 <= L -> 0 < gamma -> 0 <= P_b -> 0 <= P_n -> 0 <= B -> 0 <= nu ->
  let s := sqrt P_b * B in let n := nu * P_n * B ^ 2 in s < 1 ->
  (L * (n + (1 - s) ^ 2) * gamma < 2 * (1 - s) /\ L * (n + (1 + s) ^ 2) * gamma < 2 * (1 + s) <->
   if Rlt_dec n (1 - P_b * B ^ 2)
   then G.sharp_e1_small_noise_slope B L P_b P_n nu * gamma < G.sharp_e1_small_noise_upper B P_b
   else G.sharp_e1_large_noise_slope B L P_b P_n nu * gamma < G.sharp_e1_large_noise_upper B P_b) /\
  (G.a4_slope mu * gamma <= G.a4_upper <-> gamma * mu <= 1).

(** Corollary 1: its conditions and its right side. *)
Definition Corollary_1_Agrees : result :=
  forall gamma L P_b P_n b sigma g B nu Delta R2 T,
  G.rho_1 B L P_b P_n gamma nu = Corollary1.rho_1 gamma L P_b P_n B nu /\
  (G.corollary1_conditions_1_slope L * gamma < G.corollary1_conditions_1_upper /\
   G.corollary1_conditions_2_slope B L P_n nu * gamma < G.corollary1_conditions_2_upper B P_b <->
   Corollary1.corollary1_conditions gamma L P_b P_n B nu) /\
  (0 < gamma -> 0 < T -> Corollary1.corollary1_conditions gamma L P_b P_n B nu ->
   G.corollary1_terms B Delta (g ^ 2) L P_b P_n R2 T (b ^ 2) gamma nu (sigma ^ 2) =
   Corollary1.corollary1_bound gamma L P_b P_n b sigma g B nu Delta R2 T).

(** Corollary 2: its conditions and its right side. *)
Definition Corollary_2_Agrees : result :=
  forall gamma mu L P_b P_n b sigma g B nu Delta R2 steps Ebar T, P_b * B ^ 2 < 1 ->
  (G.corollary2_conditions_1_slope B steps L P_b P_n * gamma <= G.corollary2_conditions_1_upper B P_b /\
   G.corollary2_conditions_2_slope B L P_n nu * gamma <= G.corollary2_conditions_2_upper B P_b /\
   G.corollary2_conditions_3_slope steps mu * gamma <= G.corollary2_conditions_3_upper <->
   Corollary2.corollary2_conditions gamma mu L P_b P_n B nu steps) /\
  (0 < gamma -> 0 < Ebar -> 0 < T ->
   G.corollary2_terms B steps Ebar Delta (g ^ 2) L P_b P_n R2 T (b ^ 2) gamma nu (sigma ^ 2) =
   Corollary2.corollary2_bound gamma L P_b P_n b sigma g B nu Delta R2 steps Ebar T).

(** Lemma 1', the median of J rows: the sum of the calculators' terms is P(Bin(J, q) ≥ h). *)
Definition Binomial_Tail_Agrees : result := forall J h q, 0 < q < 1 ->
  sum (J + 1) (fun n => TopSets.ind (Nat.leb h n) * G.median_failure_term (INR J) (C J n) (INR n) q) =
  MedianFailure.binomial_tail J h q.

(** Theorem C: κ, a_e, C, both right sides, and the range, which is κ > 0. *)
Definition Theorem_C_Agrees : result := forall r x_star, 0 < Run.L r -> 0 < Run.gamma r ->
  let kappa := TheoremC.kappa r in let gamma := Run.gamma r in let steps := INR (Run.Es r) in
  G.kappa (Run.L r) (Run.P_n r) gamma = kappa /\
  (forall e, G.convex_share steps (Run.P_n r) (INR e) = TheoremC.a_ r e) /\
  (G.convex_step_slope (Run.L r) (Run.P_n r) * gamma < G.convex_step_upper <-> 0 < kappa) /\
  (kappa <> 0 -> (0 < Run.T r)%nat ->
   sum (Run.Es r) (fun e => G.convex_summand (Run.P_n r) gamma kappa (TheoremC.a_ r e)) = TheoremC.C_ r /\
   G.convex_bound (TheoremC.C_ r) steps (INR (Run.T r)) (TheoremC.D_02 r x_star) gamma kappa
     (Run.sigma r ^ 2) (TheoremC.G_star2 r x_star) = TheoremC.bound_C r x_star /\
   G.convex_bound_residual (TheoremC.C_ r) steps (Run.R2 r) (INR (Run.T r)) (TheoremC.D_02 r x_star) gamma
     kappa (Run.sigma r ^ 2) (TheoremC.G_star2 r x_star) = TheoremC.bound_C_with_residual r x_star).

(** Lemma 1': the residual by the largest error, by the l2 error and under a power law; the tails; the second moments
    of a row, of the mean and of the median; the failure of a row; the error for a vector that knows the hash. *)
Definition Lemma_1_Agrees : result :=
  forall k eta tau_k delta c d p W J K h s others noise2 tau2 y theta tail1,
  0 < c -> 1 / 2 < p -> 0 <= delta -> 0 < K -> 0 < y -> 0 < J -> 0 < h -> h - theta * s <> 0 ->
  G.residual_by_largest eta k tau_k = SketchResidual.residual_by_largest k eta tau_k /\
  G.residual_by_l2 (delta ^ 2) tau_k = SketchResidual.residual_by_l2 delta tau_k /\
  G.tail_integral d k p = PowerLaw.tail_integral k d p /\
  G.tail_midpoint d k p = PowerLaw.tail_midpoint k d p /\
  G.lemma1_repaired W c d k p = PowerLaw.lemma1_repaired c k d p W /\
  G.row_second_moment K noise2 others = RandomHash.row_second_moment K others noise2 /\
  G.mean_second_moment J K noise2 others = RandomHash.mean_second_moment J K others noise2 /\
  G.median_second_moment J K h noise2 others = RandomHash.median_second_moment J h K others noise2 /\
  Rmin 1 (G.row_failure K y noise2 s tau2) = MedianFailure.row_failure K s tau2 noise2 y /\
  G.adaptive_error h s tail1 theta = AdaptiveHash.adaptive_bound theta h s tail1.

(** Theorem B: the summands of F and N, u, Θ, and the closed forms of Corollaries B1 and B2. *)
Definition Theorem_B_Agrees : result :=
  forall gamma mu L P_b P_n b sigma D nu ell_M Lam_b Lam_n steps tau Ebar L_M rho u start N Delta T,
  let S e := Drift.drift gamma mu L P_b P_n b sigma D e in
  let share e := TheoremA.share gamma mu steps e in
  0 < gamma -> 0 < Ebar -> 0 < T ->
  FormulasB.F_of gamma mu L P_b P_n b sigma D ell_M Lam_b steps =
    sum steps (fun e => G.step_error_m Lam_b P_b (S e) (b ^ 2) ell_M (share e) (D + L * S e)) /\
  FormulasB.N_of gamma mu L P_b P_n b sigma D nu Lam_n steps =
    nu * sum steps (fun e => G.step_noise_m Lam_n P_n (sigma ^ 2) (share e) (D + L * S e)) /\
  G.u_m Ebar L_M gamma = FormulasB.u_of gamma Ebar L_M /\
  G.theta Ebar gamma tau = FormulasB.Theta_of tau gamma Ebar /\
  (u < 2 -> G.root_b1 N rho start u = FormulasB.root_B1 rho u start N) /\
  (u < 1 -> G.bound_b1 N rho start u = FormulasB.bound_B1 rho u start N) /\
  (gamma * L_M < 2 -> G.bound_b2 Delta L_M T gamma = FormulasB.bound_B2 Delta gamma L_M T).
