(** * Proof of the separable reduction *)
From Coq Require Import Reals Lra.
From FPS.tools Require Import Mean.
From FPS.sketch_space.tables Require Import Separable.
Open Scope R_scope.

(** E steps of one device, in closed form *)
Lemma local_closed gamma mu h c w e i : h i + mu <> 0 ->
  separable_local gamma mu h c w e i - w i =
  - ((1 - (1 - gamma * (h i + mu)) ^ e) * h i / (h i + mu)) * (w i - c i).
Proof.
  intros Hc. induction e as [|e IH]; [simpl; field; auto|].
  cbn [separable_local]. simpl (_ ^ S e). set (x := (1 - gamma * (h i + mu)) ^ e) in *.
  assert (Hl : separable_local gamma mu h c w e i = w i + - ((1 - x) * h i / (h i + mu)) * (w i - c i))
    by lra.
  cbv zeta. rewrite Hl. field. auto.
Qed.
Theorem separable_round : Separable_Round.
Proof.
  intros gamma mu Ebar E n d h c w Hs Hc HG i Hi. specialize (HG i Hi).
  assert (Hg : gamma <> 0) by (intro Hz; apply Hs; rewrite Hz; ring).
  assert (HE : Ebar <> 0) by (intro Hz; apply Hs; rewrite Hz; ring).
  set (g := fun m => G_device gamma mu Ebar E (h m i)).
  transitivity (avg n (fun m => - (gamma * Ebar) * (w i * g m + (-1) * (g m * c m i)))).
  - apply avg_ext; intros m Hm. pose proof (Hc m i Hm Hi). rewrite local_closed by auto. unfold g, G_device.
    field. auto.
  - rewrite avg_scale, avg_add, !avg_scale. unfold w_sharp, g. fold (G_mean gamma mu Ebar E n h i). field.
    auto.
Qed.
