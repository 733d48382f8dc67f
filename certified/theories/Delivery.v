(* SPDX-License-Identifier: Apache-2.0 *)
(* Every packet arrives, whole, whatever order flits move in: once no new packets are sent, every move raises
   one of the numbers of Invariant.v, which are bounded, and as long as a packet is under way some flit can
   move. *)
Require Import List Arith Lia.
From Unknot Require Import Flits FlitLists Invariant Progress.
Import ListNotations.

Section Delivery.
  Variables F R : Type.
  Variable R_eq : forall a b : R, {a = b} + {a <> b}.
  Variable first : F -> action R.
  Variable next : F -> R -> action R.
  Variable flow : nat -> F.
  Variable len : nat -> nat.
  Variable cap : R -> nat.
  Variable admits : option R -> R -> list flit -> nat -> Prop.
  Variable path : F -> list R.

  Hypothesis paths : forall p, path_ok F R first next path (flow p).

  Notation St := (state R).
  Notation Move := (move R_eq first next flow len cap admits).
  Notation Reachable := (reachable R_eq first next flow len cap admits).
  Notation Can_move := (can_move R_eq first next flow len cap admits).
  Notation Inv := (invariant F R flow len path).
  Notation size p := (length (path (flow p))).

  (* Moves of packets of a list alone. *)
  Inductive moves (L : list nat) (s : St) : nat -> St -> Prop :=
  | moves_none : moves L s 0 s
  | moves_one n s1 p s2 : moves L s n s1 -> In p L -> Move p s1 s2 -> moves L s (S n) s2.

  (* All packets that have left their sources get to their destinations, in whatever order flits move: either
     they have, or some flit can move, and after any move of any of these packets the same holds. *)
  Inductive arrives (s : St) : Prop :=
  | arrived_all : (forall p, 0 < sent s p -> arrived s p = len p /\ lost s p = 0) -> arrives s
  | arrives_later : (exists p, Can_move s p) -> (forall p s', 0 < sent s p -> Move p s s' -> arrives s') ->
      arrives s.

  (* What is left to do for one packet: flits that have not entered a stage, over all stages. *)
  Definition left_of (E : nat -> nat -> nat) (p : nat) : nat :=
    list_sum (map (fun i => len p - E p i) (seq 0 (S (size p)))).
  Definition left (E : nat -> nat -> nat) (L : list nat) : nat := list_sum (map (left_of E) L).

  Lemma sum_le (A : Type) (f g : A -> nat) l : (forall x, In x l -> f x <= g x) ->
    list_sum (map f l) <= list_sum (map g l).
  Proof.
    unfold list_sum. induction l as [| x l IH]; cbn; intro H; [lia |].
    pose proof (H x (or_introl eq_refl)). specialize (IH (fun z I => H z (or_intror I))). lia.
  Qed.
  Lemma sum_lt (A : Type) (f g : A -> nat) l x : In x l -> f x < g x -> (forall y, In y l -> f y <= g y) ->
    list_sum (map f l) < list_sum (map g l).
  Proof.
    unfold list_sum. induction l as [| y l IH]; cbn; intros I Lt H; [contradiction |].
    pose proof (H y (or_introl eq_refl)). pose proof (sum_le _ f g l (fun z J => H z (or_intror J))) as SL. unfold list_sum in SL.
    destruct I as [-> | I]; [lia |]. specialize (IH I Lt (fun z J => H z (or_intror J))). lia.
  Qed.

  Lemma left_of_bound E p : left_of E p <= len p * S (size p).
  Proof.
    unfold left_of. assert (G : forall l, list_sum (map (fun i => len p - E p i) l) <= len p * length l).
    { unfold list_sum. induction l; cbn; lia. }
    specialize (G (seq 0 (S (size p)))). now rewrite seq_length in G.
  Qed.

  Lemma left_falls s s' E p j L : Inv s E -> moved F R flow len admits path s s' E p j -> In p L ->
    left (raise E p j) L < left E L.
  Proof.
    intros I M H.
    assert (J : E p j < len p).
    { destruct j as [| i]; [apply (m_from _ _ _ _ _ _ _ _ _ _ _ M) |].
      pose proof (m_from _ _ _ _ _ _ _ _ _ _ _ M) as X. pose proof (m_range _ _ _ _ _ _ _ _ _ _ _ M) as Y.
      pose proof (E_below _ _ _ _ _ s E p i I ltac:(lia)). cbn in *. lia. }
    assert (G : forall q i, raise E p j q i = E q i \/ q = p /\ i = j).
    { intros q i. unfold raise. destruct (Nat.eq_dec p q), (Nat.eq_dec j i); subst; auto. }
    unfold left. apply sum_lt with p; [exact H | |].
    - unfold left_of. apply sum_lt with j.
      + apply in_seq. pose proof (m_range _ _ _ _ _ _ _ _ _ _ _ M). unfold way in *. lia.
      + rewrite raise_here. lia.
      + intros i _. destruct (G p i) as [-> | [_ ->]]; [lia |]. rewrite raise_here. lia.
    - intros q _. apply sum_le. intros i _. destruct (G q i) as [-> | [-> ->]]; [lia |].
      rewrite raise_here. lia.
  Qed.

  (* Packets of a list make so many moves at most, the first flit's included. *)
  Theorem few_moves s L n s' : Reachable s -> moves L s n s' ->
    n <= list_sum (map (fun p => len p * S (size p)) L).
  Proof.
    intros Re Mo. destruct (reachable_invariant _ _ R_eq _ _ _ _ _ _ _ paths s Re) as (E & I).
    assert (G : exists E', Inv s' E' /\ n + left E' L <= left E L).
    { induction Mo as [| n s1 p s2 Mo (E1 & I1 & H) Pi M].
      - exists E. split; [exact I | lia].
      - destruct (move_is _ _ R_eq _ _ _ _ _ _ _ paths _ _ _ _ I1 M) as (j & J).
        exists (raise E1 p j). split; [exact (invariant_moved _ _ R_eq _ _ _ _ _ _ paths s1 s2 E1 p j I1 J) |].
        pose proof (left_falls _ _ _ _ _ L I1 J Pi). lia. }
    destruct G as (E' & _ & G).
    pose proof (sum_le _ (left_of E) (fun p => len p * S (size p)) L (fun p _ => left_of_bound E p)).
    unfold left in *. lia.
  Qed.

  Lemma all_there_or_not (s : St) L : (forall p, 0 < sent s p -> In p L) -> (forall p, arrived s p <= len p) ->
    (forall p, 0 < sent s p -> arrived s p = len p) \/ exists p, under_way len s p.
  Proof.
    intros C B. assert (G : forall K, (forall p, In p K -> 0 < sent s p -> arrived s p = len p) \/
                                      exists p, under_way len s p).
    { induction K as [| p K IH]; [now left |]. destruct IH as [IH | IH]; [| now right].
      destruct (Nat.eq_dec (sent s p) 0) as [Z | Z].
      - left. intros q [-> | H] P; [lia | auto].
      - destruct (Nat.eq_dec (arrived s p) (len p)) as [Q | Q].
        + left. intros q [-> | H] P; auto.
        + right. exists p. pose proof (B p). split; lia. }
    destruct (G L) as [H | H]; [left; intros p P; auto | now right].
  Qed.

  (* Of the packets that are in a state only finitely many have been sent. *)
  Lemma finitely_many s : Reachable s -> exists L, forall p, 0 < sent s p -> In p L.
  Proof.
    induction 1 as [| p s s' _ (L & H) M].
    - exists []. cbn. lia.
    - exists (p :: L). intros q Q. destruct (Nat.eq_dec p q) as [-> | N]; [now left |]. right. apply H.
      destruct M; cbn in Q; auto; unfold bump in Q; destruct (Nat.eq_dec p q); congruence.
  Qed.

  (* Where some packet can move as long as one is under way. *)
  Theorem every_packet_arrives : (forall s p, Reachable s -> under_way len s p -> exists q, Can_move s q) ->
    forall s, Reachable s -> arrives s.
  Proof.
    intros Progress s Re. destruct (finitely_many _ Re) as (L & C).
    destruct (reachable_invariant _ _ R_eq _ _ _ _ _ _ _ paths s Re) as (E & I).
    remember (left E L) as n eqn:Q. revert s E Re C I Q. induction n as [n IH] using lt_wf_ind.
    intros s E Re C I ->.
    assert (B : forall p, arrived s p <= len p).
    { intro p. rewrite (inv_arrived _ _ _ _ _ _ _ I p). apply (E_below _ _ _ _ _ s E p _ I). lia. }
    destruct (all_there_or_not s L C B) as [A | (p & U)].
    - apply arrived_all. intros p P. split; [auto |]. apply (inv_lost _ _ _ _ _ _ _ I).
    - apply arrives_later.
      + exact (Progress s p Re U).
      + intros q s' P M. destruct (move_is _ _ R_eq _ _ _ _ _ _ _ paths _ _ _ _ I M) as (j & J).
        apply (IH (left (raise E q j) L)) with (E := raise E q j); auto.
        * exact (left_falls s s' E q j L I J (C q P)).
        * exact (reach_move Re M).
        * intros r H. apply C. destruct (Nat.eq_dec q r) as [-> | N]; [exact P |].
          destruct M; cbn in H; auto; unfold bump in H; destruct (Nat.eq_dec q r); congruence.
        * exact (invariant_moved _ _ R_eq _ _ _ _ _ _ paths s s' E q j I J).
  Qed.
End Delivery.
