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

  (* A good path has no repeats: from one buffer there is one way on, so a repeat would go on for ever. *)
  Lemma good_unique f b l : good f b l -> forall m, good f b m -> l = m.
  Proof.
    induction 1 as [b D | b c l N O G IH]; intros m M; inversion M; subst; try congruence.
    f_equal. apply IH. congruence.
  Qed.
  Lemma good_suffix f b l x : good f b l -> In x l -> exists m, good f x m /\ length m <= length l.
  Proof.
    induction 1 as [b D | b c l N O G IH]; intros [<- | H].
    - exists [b]. split; [now apply good_last | auto].
    - contradiction.
    - exists (b :: l). split; [now apply good_hop with c | auto].
    - destruct (IH H) as (m & M & L). exists m. cbn. split; [exact M | lia].
  Qed.
  Lemma good_nodup f b l : good f b l -> NoDup l.
  Proof.
    induction 1 as [b D | b c l N O G IH]; constructor; auto; [constructor |].
    intro H. destruct (good_suffix _ _ _ _ G H) as (m & M & L).
    pose proof (good_unique f b (b :: l) (good_hop f b c l N O G) m M) as Q. rewrite <- Q in L. cbn in L. lia.
  Qed.
  Lemma good_path n f b : first f = Go b -> good f b (b :: trail n f b) ->
    path_ok F R first next (path_of n) f.
  Proof.
    intros X G. unfold path_of. constructor; rewrite X.
    - exists b. auto.
    - intros i x y A B. exact (proj1 (good_step _ _ _ _ _ _ G A B)).
    - intros i x A B. exact (good_end _ _ _ _ _ G A B).
    - now apply (good_nodup _ _ _ G).
  Qed.
End Trail.

