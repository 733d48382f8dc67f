(* SPDX-License-Identifier: Apache-2.0 *)
(* Paths that are followed hop by hop, and what it takes for them to be good. *)
Require Import List Arith Lia.
From Unknot Require Import Flits Invariant.
Import ListNotations.

Section Trail.
  Variables F R : Type.
  Variable first : F -> action R.
  Variable next : F -> R -> action R.
  Variable ok : R -> R -> Prop.     (* what has to hold of a buffer and the next *)

  (* At most n hops on from b. *)
  Fixpoint trail (n : nat) (f : F) (b : R) : list R :=
    match n with
    | 0 => []
    | S n => match next f b with Go c => c :: trail n f c | _ => [] end
    end.
  Definition path_of (n : nat) (f : F) : list R :=
    match first f with Go b => b :: trail n f b | _ => [] end.

  (* A path from b to where packets are delivered. *)
  Inductive good (f : F) : R -> list R -> Prop :=
  | good_last b : next f b = Deliver -> good f b [b]
  | good_hop b c l : next f b = Go c -> ok b c -> good f c l -> good f b (b :: l).

  Lemma good_head f b l : good f b l -> exists m, l = b :: m.
  Proof. destruct 1; eauto. Qed.

  Lemma good_step f b l i x y : good f b l -> nth_error l i = Some x -> nth_error l (S i) = Some y ->
    next f x = Go y /\ ok x y.
  Proof.
    intro G. revert i. induction G as [b D | b c l N O G IH]; intros i X Y.
    - destruct i; cbn in *; discriminate.
    - destruct i as [| i]; [| now apply (IH i)]. destruct (good_head _ _ _ G) as (m & ->).
      cbn in *. inversion X; inversion Y; subst. auto.
  Qed.
  Lemma good_end f b l i x : good f b l -> nth_error l i = Some x -> nth_error l (S i) = None ->
    next f x = Deliver.
  Proof.
    intro G. revert i. induction G as [b D | b c l N O G IH]; intros i X Y.
    - destruct i as [| i]; cbn in *; [congruence | destruct i; discriminate].
    - destruct i as [| i]; [| now apply (IH i)]. destruct (good_head _ _ _ G) as (m & ->). discriminate.
  Qed.
End Trail.

(* Where numbers rise along a path it has no repeats, and each number on it is larger than those before. *)
Section Rising.
  Variables F R : Type.
  Variable next : F -> R -> action R.
  Variable rank : R -> nat.
  Notation Good := (good F R next (fun a b => rank a < rank b)).

  Lemma good_above f b l : Good f b l -> forall x, In x l -> rank b <= rank x.
  Proof.
    induction 1 as [b D | b c l N O G IH]; intros x [<- | H]; auto; [contradiction |].
    specialize (IH x H). lia.
  Qed.
  Lemma good_nodup f b l : Good f b l -> NoDup l.
  Proof.
    induction 1 as [b D | b c l N O G IH]; constructor; auto; [constructor |].
    intro H. pose proof (good_above _ _ _ G _ H). lia.
  Qed.
  Lemma good_path first n f b : first f = Go b -> Good f b (b :: trail F R next n f b) ->
    path_ok F R first next (path_of F R first next n) f.
  Proof.
    intros X G. unfold path_of. constructor; rewrite X.
    - exists b. auto.
    - intros i x y A B. exact (proj1 (good_step _ _ _ _ _ _ _ _ _ _ G A B)).
    - intros i x A B. exact (good_end _ _ _ _ _ _ _ _ _ G A B).
    - now apply (good_nodup _ _ _ G).
  Qed.
End Rising.
