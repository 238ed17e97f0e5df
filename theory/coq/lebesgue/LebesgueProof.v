(** * Proof that Lebesgue integration is a [mean] *)
From mathcomp Require Import all_ssreflect ssralg ssrnum.
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp.analysis Require Import Rstruct reals ereal signed topology normedtype sequences measure.
From mathcomp.analysis Require Import lebesgue_measure numfun lebesgue_integral.
From Coq Require Import Reals Lra Lia.
From FPS.tools Require Import Mean.
From FPS.lebesgue Require Import Lebesgue.
Import Order.TTheory GRing.Theory Num.Theory.

(** ** Vectors of R^n that no inner product tells apart have the same coordinates. *)
Section Coordinates.
Local Open Scope R_scope.
Lemma sum_pick n i (x : nat -> R) : (i < n)%coq_nat ->
  sum n (fun j => x j * (if Nat.eqb j i then 1 else 0)) = x i.
Proof.
  induction n as [|n IH]; intros Hi; [lia|]. cbn [sum]. destruct (PeanoNat.Nat.eqb_spec n i) as [->|Hne].
  - rewrite (sum_ext i _ (fun _ => 0)); [rewrite sum_const; ring|]. intros j Hj.
    destruct (PeanoNat.Nat.eqb_spec j i); [lia|ring].
  - rewrite IH; [ring|lia].
Qed.
Lemma same_coordinates n (x y : Rd n) i : same x y -> (i < n)%coq_nat -> x i = y i.
Proof.
  intros H Hi. specialize (H (fun j => if Nat.eqb j i then 1 else 0)). simpl in H. now rewrite !sum_pick in H.
Qed.
End Coordinates.

Local Open Scope ring_scope.
Local Open Scope classical_set_scope.
Section Integral.
Context d (T : measurableType d).
Let Rr := [realType of R].
Variable P : {measure set T -> \bar Rr}.
Hypothesis total : P setT = 1%E.
Local Notation Int := (has_mean d T P).
Local Notation Ex := (expectation d T P).
Local Notation mes := (measurable_number d T).

(** ** Means of numbers *)
Lemma int_of_const c : Int (fun=> c).
Proof.
split; first by apply/EFin_measurable_fun; exact: measurable_fun_cst.
rewrite -[X in (X < _)%E]/(\int[P]_(x in setT) (cst (`|(c : Rr)%:E|)%E x))%E.
by rewrite integral_cst// total mule1 ltry.
Qed.
Lemma int_of_sum X Y : Int X -> Int Y -> Int (fun i => Rplus (X i) (Y i)).
Proof. move=> iX iY. exact: (integrableD measurableT iX iY). Qed.
Lemma int_of_multiple a X : Int X -> Int (fun i => Rmult a (X i)).
Proof. move=> iX. exact: (integrablerM measurableT (a : Rr) iX). Qed.
Lemma finite_mean X : Int X -> (\int[P]_x ((X x : Rr)%:E))%E \is a fin_num.
Proof. move=> iX. exact: (integral_fune_fin_num measurableT iX). Qed.
Lemma mean_of_sum X Y : Int X -> Int Y -> Ex (fun i => Rplus (X i) (Y i)) = Rplus (Ex X) (Ex Y).
Proof. move=> iX iY. rewrite /expectation (integralD_EFin measurableT iX iY) fineD//; exact: finite_mean. Qed.
Lemma mean_of_multiple a X : Int X -> Ex (fun i => Rmult a (X i)) = Rmult a (Ex X).
Proof. move=> iX. rewrite /expectation (integralM measurableT iX (a : Rr)) fineM//; exact: finite_mean. Qed.
Lemma mean_of_const c : Ex (fun=> c) = c.
Proof.
rewrite /expectation -[X in fine X]/(\int[P]_(x in setT) (cst ((c : Rr)%:E) x))%E.
by rewrite integral_cst// total mule1.
Qed.
Lemma mean_monotone X Y : Int X -> Int Y -> (forall i, Rle (X i) (Y i)) -> Rle (Ex X) (Ex Y).
Proof.
move=> iX iY XY.
have iN : Int (fun i => Rmult (IZR (-1)) (X i)) by exact: int_of_multiple.
have : Rle (IZR 0) (Ex (fun i => Rplus (Y i) (Rmult (IZR (-1)) (X i)))).
  apply/RleP. rewrite /expectation fine_ge0//. apply: integral_ge0 => x _. rewrite lee_fin. apply/RleP.
  rewrite -[X in Rle X _]/(IZR 0). move: (XY x). lra.
rewrite (mean_of_sum _ _ iY iN) (mean_of_multiple _ _ iX). lra.
Qed.

(** ** Square-integrable vectors, coordinate by coordinate *)
Lemma int_dominated (X Y : T -> R) : mes X -> (forall i, Rle (Rabs (X i)) (Y i)) -> Int Y -> Int X.
Proof.
move=> mX XY iY. apply: (le_integrable measurableT _ _ iY); first exact/EFin_measurable_fun.
move=> x _. rewrite /= lee_fin. apply: (@le_trans _ _ (Y x : Rr)); last exact: ler_norm.
by apply/RleP; exact: XY.
Qed.
Lemma int_of_product (X Y : T -> R) : mes X -> mes Y -> Int (fun w => Rmult (X w) (X w)) ->
  Int (fun w => Rmult (Y w) (Y w)) -> Int (fun w => Rmult (X w) (Y w)).
Proof.
move=> mX mY iX iY. apply: (int_dominated _ _ _ _ (int_of_sum _ _ iX iY)); first exact: measurable_funM.
move=> w. have h1 := Rle_0_sqr (Rminus (X w) (Y w)). have h2 := Rle_0_sqr (Rplus (X w) (Y w)).
rewrite /Rsqr in h1 h2. apply: Rabs_le; split; nra.
Qed.
Variable n : nat.
Local Notation Sq := (square_integrable d T P n).
Lemma int_of_inner X Y : Sq X -> Sq Y -> Int (fun w => inner (X w) (Y w)).
Proof.
move=> sX sY.
suff H : forall k, le k n -> Int (fun w => sum k (fun i => Rmult (X w i) (Y w i))) by exact: (H n (le_n n)).
elim=> [_|k IH hk]; first exact: (int_of_const (IZR 0)).
have hk' : lt k n by []. have [mX iX] := sX _ hk'. have [mY iY] := sY _ hk'.
apply: (int_of_sum (fun w => sum k (fun i => Rmult (X w i) (Y w i)))); last exact: int_of_product.
apply: IH. exact: (PeanoNat.Nat.lt_le_incl _ _ hk').
Qed.
Lemma square_of_zero : Sq (fun=> zero).
Proof. move=> i _; split; [exact: measurable_fun_cst|exact: (int_of_const (Rmult (IZR 0) (IZR 0)))]. Qed.
Lemma square_of_sum X Y : Sq X -> Sq Y -> Sq (fun w => add (X w) (Y w)).
Proof.
move=> sX sY i hi. have [mX iX] := sX i hi. have [mY iY] := sY i hi.
have mXY : mes (fun w => Rplus (X w i) (Y w i)) by exact: measurable_funD.
split=> //.
apply: (int_dominated _ (fun w => Rmult (IZR 2) (Rplus (Rmult (X w i) (X w i)) (Rmult (Y w i) (Y w i))))).
- exact: measurable_funM.
- move=> w. change (Rle (Rabs (Rsqr (Rplus (X w i) (Y w i))))
    (Rmult (IZR 2) (Rplus (Rmult (X w i) (X w i)) (Rmult (Y w i) (Y w i))))).
  rewrite Rabs_pos_eq; last exact: Rle_0_sqr. have := Rle_0_sqr (Rminus (X w i) (Y w i)). rewrite /Rsqr. lra.
- exact/int_of_multiple/int_of_sum.
Qed.
Lemma square_of_multiple a X : Sq X -> Sq (fun w => scale a (X w)).
Proof.
move=> sX i hi. have [mX iX] := sX i hi.
have mS : mes (fun w => Rmult a (X w i)) by apply: measurable_funM => //; exact: measurable_fun_cst.
split=> //. have := int_of_multiple (Rmult a a) _ iX. congr has_mean. apply/funext => w /=. ring.
Qed.
Lemma square_of_same X Y : (forall w, same (X w) (Y w)) -> Sq X -> Sq Y.
Proof.
move=> XY sX i hi. have [mX iX] := sX i hi.
have e : (fun w => X w i) = (fun w => Y w i) by apply/funext => w;
  exact: (same_coordinates n _ _ i (XY w) hi).
split; first by rewrite -e.
have -> // : (fun w => Rmult (Y w i) (Y w i)) = (fun w => Rmult (X w i) (X w i)).
by apply/funext => w; rewrite (same_coordinates n _ _ i (XY w) hi).
Qed.
Definition lebesgue : mean (Rd n) T.
refine (@Build_mean (Rd n) T (fun=> True) Int Ex int_of_const int_of_sum int_of_multiple mean_of_sum
  mean_of_multiple _
  mean_of_const Sq square_of_zero square_of_sum square_of_multiple square_of_same int_of_inner).
by move=> X Y iX iY XY; apply: mean_monotone => // i; exact: XY.
Defined.
End Integral.

Theorem lebesgue_integration_is_a_mean : Lebesgue_Integration_Is_A_Mean.
Proof. by move=> d T P n total; exists (lebesgue d T P total n). Qed.
