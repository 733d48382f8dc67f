(* SPDX-License-Identifier: Apache-2.0 *)
(* How many packets a list of flits is of. *)
Require Import List Arith Lia.
From Unknot Require Import Flits FlitLists.
Import ListNotations.

Definition packets (l : list flit) : list nat := nodup Nat.eq_dec (map fst l).
Definition distinct (l : list flit) : nat := length (packets l).
(* ... beside packet p. *)
Definition but (p : nat) (l : list flit) : list flit := filter (fun x => negb (Nat.eqb (fst x) p)) l.
Definition others (p : nat) (l : list flit) : nat := distinct (but p l).

Lemma packets_in q l : In q (packets l) <-> exists i, In (q, i) l.
Proof.
  unfold packets. rewrite nodup_In, in_map_iff. split.
  - intros ((q' & i) & H & I). cbn in H. subst. eauto.
  - intros (i & I). exists (q, i). auto.
Qed.
Lemma packets_nodup l : NoDup (packets l).
Proof. apply NoDup_nodup. Qed.

Lemma distinct_le l m : (forall q i, In (q, i) l -> exists j, In (q, j) m) -> distinct l <= distinct m.
Proof.
  intro H. apply NoDup_incl_length; [apply packets_nodup |]. intros q I. apply packets_in in I.
  destruct I as (i & I). apply packets_in. eauto.
Qed.

Lemma but_in p q i l : In (q, i) (but p l) <-> In (q, i) l /\ q <> p.
Proof.
  unfold but. rewrite filter_In. cbn. destruct (Nat.eqb_spec q p); cbn; intuition congruence.
Qed.

Lemma others_le p l m : (forall q i, In (q, i) l -> q <> p -> exists j, In (q, j) m) -> others p l <= others p m.
Proof.
  intro H. apply distinct_le. intros q i I. apply but_in in I. destruct I as [I N].
  destruct (H q i I N) as (j & J). exists j. now apply but_in.
Qed.
Lemma others_distinct p l : others p l <= distinct l.
Proof. apply distinct_le. intros q i I. apply but_in in I. exists i. apply I. Qed.

Lemma distinct_others p l : distinct l <= S (others p l).
Proof.
  change (length (packets l) <= length (p :: packets (but p l))). apply NoDup_incl_length; [apply packets_nodup |].
  intros q I. destruct (Nat.eq_dec p q) as [-> | N]; [now left |]. right. apply packets_in in I.
  destruct I as (i & I). apply packets_in. exists i. apply but_in. auto.
Qed.

(* A packet that is gone makes one less. *)
Lemma distinct_less p l m : (exists i, In (p, i) m) -> (forall q i, In (q, i) l -> q <> p /\ In (q, i) m) ->
  S (distinct l) <= distinct m.
Proof.
  intros Pm H. change (length (p :: packets l) <= length (packets m)). apply NoDup_incl_length.
  - constructor; [| apply packets_nodup]. intro I. apply packets_in in I. destruct I as (i & I).
    now apply (H p i).
  - intros q [<- | I]; [now apply packets_in |]. apply packets_in in I. destruct I as (i & I).
    apply packets_in. exists i. now apply (H q i).
Qed.

(* Flits fit where packets do. *)
Lemma flits_of l n : (forall p, length (mine p l) <= n) -> length l <= distinct l * n.
Proof.
  assert (G : forall ns l, (forall p, length (mine p l) <= n) -> (forall q i, In (q, i) l -> In q ns) ->
                           length l <= length ns * n).
  { clear. induction ns as [| p ns IH]; intros l H I.
    - destruct l as [| (q, i) l]; [cbn; lia |]. now destruct (I q i (or_introl eq_refl)).
    - assert (S1 : length l = length (mine p l) + length (but p l)).
      { clear. unfold mine, but. induction l as [| x l IH]; [reflexivity |]. cbn.
        destruct (Nat.eqb (fst x) p); cbn; lia. }
      specialize (IH (but p l)). cbn [length]. pose proof (H p).
      assert (length (but p l) <= length ns * n); [| lia]. apply IH.
      + intro q. assert (length (mine q (but p l)) <= length (mine q l)); [| pose proof (H q); lia].
        clear. unfold mine, but. induction l as [| x l IH]; [auto |]. cbn.
        destruct (Nat.eqb (fst x) p); cbn; destruct (Nat.eqb (fst x) q); cbn; lia.
      + intros q i J. apply but_in in J. destruct J as [J N]. destruct (I q i J) as [-> | K]; [congruence | exact K]. }
  intro H. apply G; [exact H |]. intros q i I. apply packets_in. eauto.
Qed.
