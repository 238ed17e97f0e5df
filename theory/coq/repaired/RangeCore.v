(** * Lemmas for the range of Theorem A: (★) as an inequality between numbers *)
From Coq Require Import Reals Lra Lia.
From FPS.repaired Require Import Setting Drift TheoremA Range TheoremACore.
Open Scope R_scope.

(** Both inner terms of (★) at once: k = 0 for one step, k = 1 for many *)
Definition inner_k (k rho u N x : R) : R := 2 * rho * x - x ^ 2 + u * (x ^ 2 + 2 * k * x * sqrt N + N).
Lemma inner_of_is steps : exists k, 0 <= k <= 1 /\
  forall rho u N x, 0 <= N -> inner_of steps rho u N x = inner_k k rho u N x.
Proof.
  unfold inner_of. destruct (Nat.eqb steps 1); [exists 0|exists 1]; (split; [lra|]); intros rho u N x HN;
    unfold inner_k.
  - unfold inner_one. ring.
  - unfold inner_many. pose proof (sqrt_sqrt N HN) as H. revert H. generalize (sqrt N). intros s <-. ring.
Qed.
Lemma star_ext (i i' : R -> R) K F A : (forall x, i x = i' x) -> star i K F A -> star i' K F A.
Proof. intros H (x & H1 & H2 & H3). exists x. now rewrite <- H. Qed.

(** If (★) allows A', it allows every smaller A = s²A': scale x by s. *)
Lemma star_shrinks k rho u K N N' F F' s A' : 0 <= k -> 0 <= rho -> 0 <= u -> 0 <= K -> 0 <= s <= 1 ->
  0 <= A' ->
  0 <= F' -> 0 <= N -> 0 <= N' -> s * F' <= F -> s * sqrt N' <= sqrt N ->
  star (inner_k k rho u N') K F' A' -> star (inner_k k rho u N) K F (s ^ 2 * A').
Proof.
  intros Hk Hrho Hu HK [Hs Hs1] HA HF HN HN' HFF HNN (x & Hx & Hnear & H). exists (s * x).
  assert (Hsx : 0 <= s * x) by (apply Rmult_le_pos; auto). split; [exact Hsx|]. split.
  - rewrite sqrt_mult, sqrt_pow2, <- Rmult_minus_distr_l, Rabs_mult, (Rabs_pos_eq s) by auto using pow2_ge_0.
    apply Rmult_le_compat_l with (r := s) in Hnear; lra.
  - unfold inner_k in *. set (q' := sqrt N') in *. set (q := sqrt N) in *.
    assert (Hq' : q' * q' = N') by now apply sqrt_sqrt. assert (Hq : q * q = N) by now apply sqrt_sqrt.
    assert (Hq0 : 0 <= q') by apply sqrt_pos. assert (Hss : s ^ 2 <= 1) by nra.
    assert (Hss0 : 0 <= s ^ 2) by apply pow2_ge_0.
    apply Rmult_le_compat_l with (r := s ^ 2) in H; [|auto]. eapply Rle_trans; [exact H|].
    assert (E1 : s ^ 2 * K <= K) by nra.
    assert (E2 : s ^ 2 * F' ^ 2 <= F ^ 2).
    { rewrite <- Rpow_mult_distr. apply pow_incr. split; [apply Rmult_le_pos|]; auto. }
    assert (E3 : s ^ 2 * (2 * rho * x) <= 2 * rho * (s * x)).
    { assert (0 <= rho * x) by (apply Rmult_le_pos; auto). assert (s ^ 2 <= s) by nra. nra. }
    assert (E4 : s ^ 2 * N' <= N).
    { rewrite <- Hq, <- Hq'. assert (0 <= s * q') by (apply Rmult_le_pos; auto). nra. }
    assert (E5 : s ^ 2 * (2 * k * x * q') <= 2 * k * (s * x) * q).
    { replace (s ^ 2 * (2 * k * x * q')) with (2 * k * (s * x) * (s * q')) by ring.
      apply Rmult_le_compat_l; [|auto].
      apply Rmult_le_pos; [lra|auto]. }
    assert (E6 : u * (s ^ 2 * (x ^ 2 + 2 * k * x * q' + N')) <= u * ((s * x) ^ 2 + 2 * k * (s * x) * q + N)).
    { apply Rmult_le_compat_l; [auto|]. replace ((s * x) ^ 2) with (s ^ 2 * x ^ 2) by ring. lra. }
    replace ((s * x) ^ 2) with (s ^ 2 * x ^ 2) in * by ring. lra.
Qed.

(** The condition of the range fails at some x: (★) allows every A. *)
Lemma star_everywhere k rho u K N n F phi A x : 0 <= k -> 0 <= rho -> 0 <= u -> 0 <= K -> 0 <= A ->
  0 <= phi ->
  0 <= N -> 0 <= n -> phi * sqrt A <= F -> sqrt n * sqrt A <= sqrt N ->
  0 <= x -> Rabs (x - 1) <= phi -> 1 - phi ^ 2 <= inner_k k 0 u n x -> star (inner_k k rho u N) K F A.
Proof.
  intros Hk Hrho Hu HK HA Hphi HN Hn HF HNN Hx Hnear H. pose proof (sqrt_pos A) as Ht.
  pose proof (pow2_sqrt A HA) as Ht2.
  set (t := sqrt A) in *. exists (t * x). assert (Htx : 0 <= t * x) by (apply Rmult_le_pos; auto).
  split; [exact Htx|]. split.
  - replace (t * x - sqrt A) with (t * (x - 1)) by (unfold t; ring).
    rewrite Rabs_mult, (Rabs_pos_eq t) by auto.
    apply Rmult_le_compat_l with (r := t) in Hnear; lra.
  - unfold inner_k in *. set (q := sqrt N) in *. set (p := sqrt n) in *.
    assert (Hp0 : 0 <= p) by apply sqrt_pos. assert (Hp : p * p = n) by now apply sqrt_sqrt.
    assert (Hq : q * q = N) by now apply sqrt_sqrt. assert (Hpt : 0 <= p * t) by (apply Rmult_le_pos; auto).
    apply Rmult_le_compat_l with (r := A) in H; [|auto]. rewrite <- Ht2 in H at 2. rewrite <- Ht2 in H at 1.
    assert (E1 : (phi * t) ^ 2 <= F ^ 2) by (apply pow_incr; split; [apply Rmult_le_pos; auto|auto]).
    assert (E2 : t ^ 2 * n <= N) by (rewrite <- Hq, <- Hp; nra).
    assert (E3 : 2 * k * (t * x) * (p * t) <= 2 * k * (t * x) * q)
      by (apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|auto]).
    assert (E4 : u * (t ^ 2 * (x ^ 2 + 2 * k * x * p + n)) <= u * ((t * x) ^ 2 + 2 * k * (t * x) * q + N)).
    { apply Rmult_le_compat_l; [auto|]. lra. }
    assert (E5 : 0 <= 2 * rho * (t * x)) by (apply Rmult_le_pos; lra).
    rewrite <- Ht2. lra.
Qed.

(** The largest value of the condition is attained, at [best_x]. *)
Lemma gap k u n phi : 0 <= k -> 0 <= u -> 0 <= n -> 0 <= phi -> phi ^ 2 < 1 ->
  (forall x, 0 <= x -> Rabs (x - 1) <= phi -> inner_k k 0 u n x < 1 - phi ^ 2) ->
  exists g, 0 < g /\ forall x, 1 - phi <= x <= 1 + phi -> inner_k k 0 u n x <= 1 - phi ^ 2 - g.
Proof.
  intros Hk Hu Hn Hphi Hphi1 H. set (l := u * k * sqrt n).
  assert (Hl : 0 <= l) by (unfold l; pose proof (sqrt_pos n); repeat apply Rmult_le_pos; auto).
  assert (Hp : phi < 1) by nra. set (y := best_x u l (1 - phi) (1 + phi)).
  destruct (best_x_in u l (1 - phi) (1 + phi) ltac:(lra)) as [Y1 Y2]. fold y in Y1, Y2.
  assert (Hf : forall x, inner_k k 0 u n x = (2 * l - (1 - u) * x) * x + u * n)
    by (intros; unfold inner_k, l; ring).
  exists (1 - phi ^ 2 - inner_k k 0 u n y). split.
  - assert (inner_k k 0 u n y < 1 - phi ^ 2) by (apply H; [lra|apply Rabs_le; lra]). lra.
  - intros x Hx. rewrite !Hf.
    pose proof (best_x_is_best u l (1 - phi) (1 + phi) x Hl ltac:(lra) Hx) as Hb. cbv zeta in Hb.
    fold y in Hb. lra.
Qed.

(** The condition of the range holds with a gap g: (★) bounds √A. *)
Definition far (k rho u K C p : R) : R :=
  K + 2 * C + C ^ 2 + 2 * rho * (2 + C) + 4 * C + u * (4 * C + C ^ 2 + 2 * (C * (2 + p + C)) + 2 * p * C + C ^
    2).
Lemma star_bounded k rho u K N n F phi C g A : 0 <= k <= 1 -> 0 <= rho -> 0 <= u -> 0 <= K -> 1 <= A ->
  0 <= phi < 1 ->
  0 <= N -> 0 <= n -> 0 <= C -> 0 < g -> 0 <= F -> F <= phi * sqrt A + C -> sqrt N <= sqrt n * sqrt A + C ->
  (forall x, 1 - phi <= x <= 1 + phi -> inner_k k 0 u n x <= 1 - phi ^ 2 - g) ->
  star (inner_k k rho u N) K F A -> g * sqrt A <= far k rho u K C (sqrt n).
Proof.
  intros [Hk Hk1] Hrho Hu HK HA1 [Hphi Hphi1] HN Hn HC Hg HF0 HF HNN Hgap (x & Hx & Hnear & H).
  assert (HA : 0 <= A) by lra. pose proof (pow2_sqrt A HA) as Ht2.
  assert (Ht : 1 <= sqrt A) by (rewrite <- sqrt_1; now apply sqrt_le_1_alt).
  set (t := sqrt A) in *. pose proof (Rle_abs (x - t)). pose proof (Rle_abs (- (x - t))) as Hn'.
  rewrite Rabs_Ropp in Hn'.
  (* z is x/√A moved into the interval *)
  set (z := Rmax (1 - phi) (Rmin (1 + phi) (x / t))).
  assert (Hxt : x / t * t = x) by (field; lra).
  assert (Hz : 1 - phi <= z <= 1 + phi).
  { unfold z. split; [apply Rmax_l|]. apply Rmax_lub; [lra|apply Rmin_l]. }
  assert (Hzx : z * t - C <= x <= z * t + C).
  { unfold z, Rmax, Rmin. destruct (Rle_dec (1 + phi) (x / t)) as [D1|D1];
      [apply Rmult_le_compat_r with (r := t) in D1; [|lra]|
      apply Rnot_le_lt in D1];
    match goal with |- context [Rle_dec ?a ?b] => destruct (Rle_dec a b) as [D2|D2] end; try lra;
    apply Rnot_le_lt in D2; apply Rmult_lt_compat_r with (r := t) in D2; lra. }
  specialize (Hgap z Hz). unfold inner_k in *. set (p := sqrt n) in *. set (q := sqrt N) in *.
  assert (Hp0 : 0 <= p) by apply sqrt_pos. assert (Hq0 : 0 <= q) by apply sqrt_pos.
  assert (Hq : q * q = N) by now apply sqrt_sqrt. assert (Hp : p * p = n) by now apply sqrt_sqrt.
  assert (grow : forall y, 0 <= y -> y <= y * t) by (intros y Hy; apply Rmult_le_compat_l with (r := y) in Ht;
    lra).
  assert (Hzt : 0 <= z * t <= 2 * t) by (split; [apply Rmult_le_pos|apply Rmult_le_compat_r]; lra).
  pose proof (grow C HC) as HCt. pose proof (grow (C ^ 2) (pow2_ge_0 C)) as HC2.
  assert (E0 : F ^ 2 <= phi ^ 2 * t ^ 2 + (2 * C + C ^ 2) * t).
  { apply Rle_trans with ((phi * t + C) ^ 2); [apply pow_incr; lra|].
    assert (phi * (t * C) <= 1 * (t * C)) by (apply Rmult_le_compat_r; [apply Rmult_le_pos|]; lra). lra. }
  pose proof (grow K HK) as E1.
  assert (E2 : 2 * rho * x <= 2 * rho * (2 + C) * t) by (rewrite (Rmult_assoc (2 * rho));
    apply Rmult_le_compat_l; lra).
  assert (E9 : z * t * C <= 2 * t * C) by (apply Rmult_le_compat_r; lra).
  assert (E3 : - x ^ 2 <= - (z * t) ^ 2 + 4 * C * t).
  { replace (x ^ 2) with ((z * t) ^ 2 + 2 * (z * t) * (x - z * t) + (x - z * t) ^ 2) by ring.
    pose proof (pow2_ge_0 (x - z * t)). assert (z * t * (- C) <= z * t * (x - z * t))
      by (apply Rmult_le_compat_l; lra). lra. }
  assert (E4 : x ^ 2 <= (z * t) ^ 2 + (4 * C + C ^ 2) * t).
  { apply Rle_trans with ((z * t + C) ^ 2); [apply pow_incr; lra|]. lra. }
  assert (E5 : x * q <= z * t * (p * t) + C * (2 + p + C) * t).
  { apply Rle_trans with ((z * t + C) * (p * t + C)); [apply Rmult_le_compat; lra|].
    assert (0 <= p * t) by (apply Rmult_le_pos; lra). assert (z * t * C <= 2 * t * C) by lra. lra. }
  assert (E6 : N <= n * t ^ 2 + (2 * p * C + C ^ 2) * t).
  { rewrite <- Hq, <- Hp. apply Rle_trans with ((p * t + C) * (p * t + C)); [apply Rmult_le_compat; lra|].
    nra. }
  assert (E7 : 2 * k * x * q <= 2 * k * (z * t) * (p * t) + 2 * (C * (2 + p + C)) * t).
  { apply Rmult_le_compat_l with (r := 2 * k) in E5; [|lra].
    assert (k * (C * (2 + p + C) * t) <= 1 * (C * (2 + p + C) * t))
      by (apply Rmult_le_compat_r; [apply Rmult_le_pos; [apply Rmult_le_pos; lra|lra]|lra]). lra. }
  assert (E8 : u * (x ^ 2 + 2 * k * x * q + N) <= u * (((z * t) ^ 2 + 2 * k * (z * t) * (p * t) + n * t ^ 2)
    + (4 * C + C ^ 2 + 2 * (C * (2 + p + C)) + 2 * p * C + C ^ 2) * t)) by (apply Rmult_le_compat_l; lra).
  apply Rmult_le_compat_l with (r := t ^ 2) in Hgap; [|apply pow2_ge_0]. apply Rmult_le_reg_r with t; [lra|].
  unfold far.
  rewrite <- Ht2 in H. clear E4 E5 E6 E7 Hzx HNN HF HF0. lra.
Qed.
