(** * A program that checks a rational certificate

    Signs and (i) are compared in rational numbers. For (ii) and (iii) the forms are written in the basis
    x_1, …, x_E, g_+, b_e, z_e, where g_e = ((1−γμ)x_e − x_{e+1})/γ − b_e − z_e, so that all numbers stay
    short. The matrix is made integer, squares d(w·v)² with rounded w are taken off, and what is left must
    have diagonal entries that outweigh the rest of their rows. How d and w are found does not matter: that
    a nonnegative form is left does. A wrong answer of the search can only make the check fail. *)
From Coq Require Import Reals QArith Qreals Qround List Arith ZArith Bool.
From FPS.tools Require Import Result.
From FPS.rates Require Import Round Forms Certificate.
Import ListNotations.

(** ** Rows and tables of numbers: linear and quadratic forms; a missing entry is 0 *)
Section Tables.
Variables (num : Type) (add mul : num -> num -> num) (is_zero : num -> bool).
(** row + a·w *)
Fixpoint axpy (a : num) (w row : list num) : list num :=
  match w, row with
  | [], _ => row
  | x :: w', [] => mul a x :: axpy a w' []
  | x :: w', y :: row' => (if is_zero x then y else add y (mul a x)) :: axpy a w' row'
  end.
(** table + d · (ws)ᵀ(w) *)
Fixpoint outer (d : num) (ws w : list num) (table : list (list num)) : list (list num) :=
  match ws, table with
  | [], _ => table
  | x :: ws', [] => axpy (mul d x) w [] :: outer d ws' w []
  | x :: ws', row :: table' => (if is_zero x then row else axpy (mul d x) w row) :: outer d ws' w table'
  end.
(** g (n−1) (… (g 0 table)) *)
Fixpoint accumulate (n : nat) (g : nat -> list (list num) -> list (list num)) (table : list (list num)) :=
  match n with O => table | S j => g j (accumulate j g table) end.
End Tables.
Arguments accumulate {num}.

Definition qadd (p q : Q) : Q := Qred (p + q).
Definition qmul (p q : Q) : Q := Qred (p * q).
Definition qnull (q : Q) : bool := (Qnum q =? 0)%Z.
Definition qaxpy := axpy Q qadd qmul qnull.
(** table + q · (aᵀb + bᵀa): the form of the table grows by 2q(a·v)(b·v) *)
Definition put (q : Q) (a b : list Q) (table : list (list Q)) : list (list Q) :=
  if qnull q then table else outer Q qadd qmul qnull q a b (outer Q qadd qmul qnull q b a table).
Definition unit (p : nat) : list Q := repeat 0%Q p ++ [1%Q].

Section Forms.
Variable x : rational_certificate.
Local Notation n := (q_Es x).
Local Notation k := (numbers_of x).
Local Open Scope Q_scope.

(** ** Letters and points in the basis: x_{e+1} is number e, all others keep the number of their letter *)
Definition point_row (i : nat) : list Q := match i with O => [] | S j => unit j end.
Definition letter_row (p : nat) : list Q :=
  if (p <? n)%nat then
    let back := Qred (/ q_gamma x) in
    let moved := qaxpy (Qred ((1 - q_gamma x * q_mu x) * back)) (point_row p) (qaxpy (- back) (unit p) []) in
    let moved := if q_biased x then qaxpy (-(1)) (unit (n + 1 + p)) moved else moved in
    if q_noisy x then qaxpy (-(1)) (unit (2 * n + 1 + p)) moved else moved
  else if present k p then unit p else [].
Definition point_D_row (i : nat) : list Q := if (i <? n)%nat then point_row i else [].

(** ** Twice the forms, as symmetric tables *)
Definition put_gap (q : Q) (xi xj gi gj : list Q) (table : list (list Q)) : list (list Q) :=
  let dx := qaxpy (-(1)) xj xi in let dg := qaxpy (-(1)) gj gi in
  let th := q_theta x in let h := Qred (q / (2 * (1 + th))) in
  put q gj dx (put h dg dg (put (qmul (- th) h) dx dx (put (qmul (2 * th) h) dg dx table))).
Definition put_gaps (point : nat -> list Q) : list (list Q) -> list (list Q) :=
  accumulate (S n) (fun i => accumulate (S n) (fun j =>
    put_gap (entry (q_lam x) i j) (point i) (point j) (letter_row i) (letter_row j))).
Definition put_square (q : Q) (w : list Q) : list (list Q) -> list (list Q) := put q w w.
Definition put_excess : list (list Q) -> list (list Q) :=
  accumulate n (fun e table =>
    let t := nth e (q_tau x) 0 in let v := nth e (q_vt x) 0 in
    put_square t (letter_row (n + 1 + e)) (put_square v (letter_row (2 * n + 1 + e))
      (put_square (Qred (- (t * q_P_b x + v * q_P_n x))) (letter_row e) table))).
Definition put_products (weight : nat -> nat -> Q) : list (list Q) -> list (list Q) :=
  accumulate n (fun e => accumulate (letters k) (fun p =>
    put (weight e p) (letter_row (2 * n + 1 + e)) (letter_row p))).
Definition own_weight (e p : nat) : Q := if in_past k e p then entry (q_own x) e p else 0.
Definition cross_weight (e p : nat) : Q := if elsewhere k e p then entry (q_cross x) e p else 0.
Definition share_q (e p : nat) : Q := if in_past k e p then 0 else q_nu x.
Definition table_S : list (list Q) :=
  let h := Qred (1 - q_B x * q_B x) in
  put_square (Qred (h * q_eta_0 x - q_c x)) (letter_row 0) (put_square (qmul h (q_eta_plus x)) (letter_row n)
    (put_gaps point_row (put_excess (put_products (fun e p => - own_weight e p)
      (put_products (fun e p => - (cross_weight e p * (1 - share_q e p))) []))))).
Definition table_D : list (list Q) :=
  put_square (q_eta_0 x) (letter_row 0) (put_square (q_eta_plus x) (letter_row n)
    (put_gaps point_D_row (put_excess (put_products (fun e p => - own_weight e p)
      (put_products (fun e p => cross_weight e p * share_q e p) []))))).
End Forms.

(** ** Is an integer form never negative? *)
Local Open Scope Z_scope.
Definition zaxpy := axpy Z Z.add Z.mul (Z.eqb 0).
Definition zouter := outer Z Z.add Z.mul (Z.eqb 0).
Definition precision : Z := 2 ^ 80.
(** w with w_k = 2^80 and w_l = t_kl / (d·2^80), the rounded root of a completed square *)
Fixpoint rounded_root (i k : nat) (d : Z) (row : list Z) : list Z :=
  match row with
  | [] => []
  | y :: row' => (if (i =? k)%nat then precision else Z.quot y (d * precision)) :: rounded_root (S i) k d row'
  end.
(** Take a square off that all but cancels row and column k, and leaves 2^(−40) of the diagonal entry *)
Definition eliminate (k : nat) (table : list (list Z)) : list (list Z) :=
  let row := nth k table [] in
  let pivot := nth k row 0 in
  let d := (pivot - pivot / 2 ^ 40) / (precision * precision) in
  if d <=? 0 then table else let w := rounded_root 0 k d row in zouter (- d) w w table.
(** What row k of a form gives at least, 2·v_k·Σ_l t_kl v_l ≥ weight·v_k² + Σ_l spread_l v_l² *)
Fixpoint weight_of (i k : nat) (row : list Z) : Z :=
  match row with
  | [] => 0
  | y :: row' => (if (i =? k)%nat then 2 * y else - Z.abs y) + weight_of (S i) k row'
  end.
Fixpoint spread_of (i k : nat) (row : list Z) : list Z :=
  match row with
  | [] => []
  | y :: row' => (if (i =? k)%nat then 0 else - Z.abs y) :: spread_of (S i) k row'
  end.
Fixpoint lower_bound (k : nat) (table : list (list Z)) (slots : list Z) : list Z :=
  match table with
  | [] => slots
  | row :: table' => lower_bound (S k) table'
      (zaxpy 1 (repeat 0 k ++ [weight_of 0 k row]) (zaxpy 1 (spread_of 0 k row) slots))
  end.
Definition dominant (table : list (list Z)) : bool := forallb (Z.leb 0) (lower_bound 0 table []).
Fixpoint eliminate_all (n : nat) (table : list (list Z)) : list (list Z) :=
  match n with O => table | S j => eliminate j (eliminate_all j table) end.

(** A common denominator, times 2^256, and the table in integers *)
Definition common (table : list (list Q)) : Z :=
  fold_left (fun d row => fold_left (fun d q => Z.lcm d (Z.pos (Qden q))) row d) table 1 * 2 ^ 256.
Definition to_integer (d : Z) (q : Q) : Z := Qnum q * (d / Z.pos (Qden q)).
Definition divides (d : Z) (q : Q) : bool := Z.pos (Qden q) * (d / Z.pos (Qden q)) =? d.
Definition psd (table : list (list Q)) : bool :=
  let d := common table in
  (0 <? d) && forallb (forallb (divides d)) table
  && dominant (eliminate_all (length table) (map (map (to_integer d)) table)).

Section Check.
Variable x : rational_certificate.
Local Notation n := (q_Es x).
Local Open Scope Q_scope.
Fixpoint qsum (m : nat) (g : nat -> Q) : Q := match m with O => 0 | S j => qadd (qsum j g) (g j) end.
Definition nonneg (q : Q) : bool := Qle_bool 0 q.
Definition positive (q : Q) : bool := (0 <? Qnum q)%Z.
Definition signs : bool :=
  (0 <? n)%nat && positive (q_gamma x) && positive (1 + q_theta x) && positive (q_c x)
  && nonneg (q_P_b x) && nonneg (q_P_n x) && nonneg (q_eta_0 x) && nonneg (q_eta_plus x)
  && forallb (fun t => nonneg (snd t)) (q_lam x) && forallb nonneg (q_tau x) && forallb nonneg (q_vt x).
Definition cancels : bool := forallb (fun i =>
  Qeq_bool (qsum (S n) (fun j => entry (q_lam x) i j) - qsum (S n) (fun j => entry (q_lam x) j i))
    ((if (i =? 0)%nat then 1 else 0) - (if (i =? n)%nat then 1 else 0))) (seq 0 (S n)).
Definition check : bool :=
  signs && cancels && psd (table_S x) && (q_one_device x || psd (table_D x)).
End Check.

(** If the program accepts a certificate, it is one: the multipliers satisfy (i)-(iii). *)
Definition Check_Gives_Certificate : result := forall x, check x = true ->
  certificate (numbers_of x) (multipliers_of x).

(** If the program accepts a certificate, what it certifies is true: every round that fits its numbers
    descends. *)
Definition Check_Sound : result := forall x, check x = true -> certified x.
