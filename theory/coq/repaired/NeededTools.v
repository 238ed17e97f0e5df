(** * Tools for the runs that show that an assumption is needed: one or several outcomes, vectors on the line
    *)
From Coq Require Import Reals Lra Lia List.
From FPS.repaired Require Import Setting Drift DriftRecursion TheoremA Needed SureRuns TheoremADescent
  Corollary1Proof.
Open Scope R_scope.

(** (★) for a run, with F, N, K, u and ρ replaced by known numbers *)
Lemma star_one_is r F' N' K' u' rho' : star_holds r -> Es r = 1%nat -> F r (D_of_A r) = F' ->
  N r (D_of_A r) = N' ->
  K r = K' -> u r = u' -> rho r = rho' -> star (inner_one rho' u' N') K' F' (A r).
Proof. intros [_ H] HE <- <- <- <- <-. auto. Qed.
(** With one step, F, N, u and K are short. *)
Lemma F_run_one r D : Es r = 1%nat -> F r D = bias_bound (P_b r) (b r) D.
Proof. intros H. unfold F. rewrite H. apply F_one. Qed.
Lemma N_run_one r D : Es r = 1%nat -> N r D = nu r * noise_bound (P_n r) (sigma r) D.
Proof. intros H. unfold N. rewrite H. apply N_one. Qed.
Lemma u_run_one r : Es r = 1%nat -> u r = L r * gamma r.
Proof. intros H. unfold u. rewrite Ebar_one by auto. ring. Qed.
Lemma bias_without_share b h : 0 <= b -> bias_bound 0 b h = b.
Proof. intros H. unfold bias_bound. replace (0 * h ^ 2 + b ^ 2) with (b ^ 2) by ring. now apply sqrt_pow2.
Qed.
(** A residual that is zero *)
Lemma rho_zero r : (forall t o, (t < T r)%nat -> same (residual r t o - xi r o)%V zero) -> rho r = 0.
Proof.
  intros H. unfold rho. replace (R2 r) with 0; [rewrite sqrt_0; ring|]. symmetry. unfold R2, rounds.
  rewrite times_is.
  rewrite <- (avg_const (T r) (T_pos r) 0). apply avg_ext; intros t Ht. rewrite <- (E_const (chance r) 0).
  apply E_same; intros o. cbn [fst snd]. rewrite (same_square _ _ _ (H t o Ht)). apply inner_zero.
Qed.
Lemma same_line (x y : Rd 1) : x O = y O -> same x y.
Proof. intros H z. now rewrite !inner_line, H. Qed.
Lemma A_is r : A r = avg (T r) (fun t => chance r (fun o => ‖(grad_f r (broadcast r t o))‖²)).
Proof. reflexivity. Qed.

(** ** A run on the line from numbers *)
Section LineRun.
Variables (O' : Type) (ch : mean (Rd 1) O') (T' M' E' : nat).
Hypotheses (every_sq : forall X, sq ch X) (every_int : forall X, int ch X).
Variables (l dl : nat -> R -> R) (gam m_u : R) (start : R) (w : nat -> O' -> R) (be ze : nat -> nat -> nat ->
  O' -> R).
Variable pa : nat -> nat -> nat -> O' -> O' -> Prop.
Variables LL Pb Pn bb ss GG BB nn fs : R.

(** T = T' + 1 rounds, M = M' + 1 devices, E = E' + 1 local steps; w is the broadcast point *)
Definition line_run : run :=
  {| V := Rd 1; Omega := O'; chance := ch; T := S T'; M := S M'; Es := S E';
     T_pos := Nat.lt_0_succ T'; M_pos := Nat.lt_0_succ M'; Es_pos := Nat.lt_0_succ E';
     loss := fun m x => l m (x O); grad := fun m x => point (dl m (x O)); gamma := gam; mu := m_u;
     v0 := fun _ => point start; broadcast := fun t o => point (w t o);
     beta := fun t m e o => point (be t m e o); zeta := fun t m e o => point (ze t m e o);
     past := pa; xi := fun _ => zero;
     L := LL; P_b := Pb; P_n := Pn; b := bb; sigma := ss; G := GG; B := BB; nu := nn; f_star := fs |}.

Lemma line_bookkeeping : 0 < LL -> 0 < gam -> 0 <= Pb -> 0 <= Pn -> (nn = 1 \/ nn = / INR (S M')) ->
  (forall t m e o o', (t < S T')%nat -> pa t m (S e) o o' -> ze t m e o = ze t m e o') ->
  (forall t m o o', pa t m 0 o o' -> w t o = w t o') ->
  (forall t m e o o', pa t m (S e) o o' -> pa t m e o o') ->
  (forall t m m' o o', pa (S t) m 0 o o' -> pa t m' (S E') o o') ->
  (forall t m m' o o', pa t m 0 o o' -> pa t m' 0 o o') -> bookkeeping line_run.
Proof.
  intros. constructor; auto; try (intros; apply every_sq).
  - intros t m e [Ht _] o o' p. cbn. f_equal. eauto.
  - intros t m o o' p. cbn. f_equal. eauto.
  - intros m. split; intros o o' p; reflexivity.
Qed.
Lemma line_step t m e o : local line_run t m (S e) o O = local line_run t m e o O
  - gam * (dl m (local line_run t m e o O) + be t m e o + ze t m e o + m_u *
      (local line_run t m e o O - w t o)).
Proof.
  cbn [local V line_run]. rewrite !add_line, !scale_line, !add_line, !scale_line, !add_line, !scale_line.
  cbn [grad beta zeta broadcast gamma mu line_run]. unfold point. ring.
Qed.
Lemma line_mean (X : nat -> Rd 1) : vmean (S M') X O = avg (S M') (fun m => X m O).
Proof.
  unfold vmean, avg. rewrite scale_line. f_equal. induction (S M') as [|k IH]; [reflexivity|]. simpl.
  now rewrite <- IH.
Qed.
Lemma line_exact : (forall o, w 0 o = start) ->
  (forall t o, (t < T')%nat -> w (S t) o = w t o + avg (S M')
    (fun m => local line_run t m (S E') o O - w t o)) ->
  forall t o, (t <= T')%nat -> exact line_run t o O = w t o.
Proof.
  intros H0 HS t o Ht. induction t as [|t IH]; [symmetry; apply H0|].
  cbn [exact V line_run]. rewrite add_line, IH, HS by lia. f_equal. cbn [M Es line_run]. rewrite line_mean.
  apply avg_ext; intros m _. unfold moved. rewrite sub_line. reflexivity.
Qed.
Lemma line_rho : (forall o, w 0 o = start) ->
  (forall t o, (t < T')%nat -> w (S t) o = w t o + avg (S M')
    (fun m => local line_run t m (S E') o O - w t o)) ->
  rho line_run = 0.
Proof.
  intros H0 HS. apply rho_zero. intros t o Ht. apply same_line. cbn [V line_run]. rewrite sub_line.
  unfold residual.
  rewrite sub_line, line_exact by (auto; cbn in Ht; lia). cbn. unfold point. ring.
Qed.
Lemma line_A : A line_run = avg (S T') (fun t => ch (fun o => avg (S M') (fun m => dl m (w t o)) ^ 2)).
Proof.
  rewrite A_is. apply avg_ext; intros t _. apply E_same; intros o. unfold grad_f. cbn [V M line_run].
  rewrite inner_line, line_mean. cbn [grad broadcast line_run]. unfold point. ring.
Qed.
Lemma line_Delta : Delta line_run = avg (S M') (fun m => l m start) - fs.
Proof.
  unfold Delta. f_equal. rewrite <- (E_const ch (avg (S M') (fun m => l m start))). apply E_same; intros o.
  unfold f. cbn [M loss line_run]. apply avg_ext; intros m _. f_equal. unfold shifted. cbn [V line_run exact].
  rewrite sub_line. cbn. unfold point. ring.
Qed.
Lemma line_K : E' = O -> K line_run = 2 * (avg (S M') (fun m => l m start) - fs) / (gam * 1 * INR (S T')).
Proof.
  intros H. unfold K, optimisation. rewrite line_Delta, Ebar_one by (cbn; now rewrite H). reflexivity.
Qed.
End LineRun.

(** Runs without chance: every outcome is the same, so all is known. *)
Definition sure_run T' M' E' l dl gam m_u start w be ze LL Pb Pn bb ss GG BB nn fs : run :=
  line_run unit sure T' M' E' l dl gam m_u start (fun t _ => w t) (fun t m e _ => be t m e)
    (fun t m e _ => ze t m e)
    (fun _ _ _ _ _ => True) LL Pb Pn bb ss GG BB nn fs.
Lemma sure_bookkeeping T' M' E' l dl gam m_u start w be ze LL Pb Pn bb ss GG BB nn fs :
  0 < LL -> 0 < gam -> 0 <= Pb -> 0 <= Pn -> (nn = 1 \/ nn = / INR (S M')) ->
  bookkeeping (sure_run T' M' E' l dl gam m_u start w be ze LL Pb Pn bb ss GG BB nn fs).
Proof. intros. apply line_bookkeeping; auto; intros; exact I. Qed.
