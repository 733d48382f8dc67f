(* SPDX-License-Identifier: Apache-2.0 *)
(* The main theorems: what an accepted certificate means for a network with buffers of flits.

   [rule] is any rule by which a first flit enters a buffer that lets any of the packets into an empty one.
   Packets have any lengths and any flows between two terminals; buffers have any sizes, but some room. *)
Require Import List Arith Lia.
From Unknot Require Import Flits Invariant Progress Delivery Room Network Check.
Import ListNotations.

(* Under credits numbers rise everywhere. *)
Definition no_rings (c : cable) (j x k : nat) : bool := false.

Section Credits.
  Variable f : fabric.
  Variable r : routing.
  Variable number : nat -> nat -> nat.
  Variable hops : nat.
  Variable like : nat -> nat.
  Hypothesis accepted : check f r number no_rings hops like = true.

  Variable traffic : nat -> flow.
  Variable len : nat -> nat.
  Variable cap : buffer -> nat.
  Variable rule : option buffer -> buffer -> list flit -> nat -> Prop.
  Hypothesis flows : forall p, legal f (traffic p).
  Hypothesis some_room : forall b, 0 < cap b.
  Hypothesis rule_empty : forall from b p, rule from b [] (len p).

  Notation Reachable := (reachable buffer_eq (first r) (next f r) traffic len cap rule).
  Notation Arrives := (arrives flow buffer buffer_eq (first r) (next f r) traffic len cap rule).
  Notation Deadlocked := (deadlocked buffer_eq (first r) (next f r) traffic len cap rule).
  Notation Moves := (moves flow buffer buffer_eq (first r) (next f r) traffic len cap rule).

  Let good_paths p :=
    check_paths f r number no_rings hops (fun _ _ _ _ => eq_refl) like accepted (traffic p) (flows p).
  Let strict p i a b (A : nth_error (path f r hops (traffic p)) i = Some a)
      (B : nth_error (path f r hops (traffic p)) (S i) = Some b) :
      rank number (top f r number hops) a < rank number (top f r number hops) b.
  Proof.
    destruct (proj1 (proj2 (good_paths p)) i a b A B) as [L | [_ W]]; [exact L |].
    destruct b as [[t | x | t] k]; contradiction || discriminate.
  Qed.

  Theorem deadlock_free s D : Reachable s -> ~ Deadlocked s D.
  Proof.
    exact (no_deadlock flow buffer buffer_eq (first r) (next f r) traffic len cap rule (path f r hops)
             (rank number (top f r number hops)) _ (fun p => proj1 (good_paths p)) some_room rule_empty
             strict (fun p => proj2 (proj2 (good_paths p))) s D).
  Qed.

  Theorem no_packet_lost s p : Reachable s -> lost s p = 0.
  Proof.
    exact (nothing_lost flow buffer buffer_eq (first r) (next f r) traffic len cap rule (path f r hops)
             (fun p => proj1 (good_paths p)) s p).
  Qed.

  Theorem all_delivered s : Reachable s -> Arrives s.
  Proof.
    apply (every_packet_arrives flow buffer buffer_eq (first r) (next f r) traffic len cap rule (path f r hops)
             (fun p => proj1 (good_paths p))).
    intros s' p Re U.
    destruct (waits_end flow buffer buffer_eq (first r) (next f r) traffic len cap rule (path f r hops)
             (rank number (top f r number hops)) _ (fun p => proj1 (good_paths p)) some_room rule_empty
             strict (fun p => proj2 (proj2 (good_paths p))) s' p Re U) as (q & _ & M). now exists q.
  Qed.

  (* Packets of a list move so many times at most: each flit of one takes each cable of its path once. *)
  Theorem bounded_moves s L n s' : Reachable s -> Moves L s n s' ->
    n <= list_sum (map (fun p => len p * S (length (path f r hops (traffic p)))) L).
  Proof.
    exact (few_moves flow buffer buffer_eq (first r) (next f r) traffic len cap rule (path f r hops)
             (fun p => proj1 (good_paths p)) s L n s').
  Qed.
End Credits.

(* Wormhole switching: a first flit enters wherever one flit has room. *)
Definition wormhole (from : option buffer) (b : buffer) (l : list flit) (n : nat) : Prop := True.
(* The same with buffers that hold flits of one packet at a time. *)
Definition one_packet (from : option buffer) (b : buffer) (l : list flit) (n : nat) : Prop := l = [].
(* Virtual cut-through: a first flit enters only where its whole packet has room. *)
Definition cut_through (cap : buffer -> nat) (from : option buffer) (b : buffer) (l : list flit) (n : nat) : Prop :=
  length l + n <= cap b.

Section Switching.
  Variable f : fabric.
  Variable r : routing.
  Variable number : nat -> nat -> nat.
  Variable hops : nat.
  Variable like : nat -> nat.
  Hypothesis accepted : check f r number no_rings hops like = true.
  Variable traffic : nat -> flow.
  Variable len : nat -> nat.
  Variable cap : buffer -> nat.
  Hypothesis flows : forall p, legal f (traffic p).
  Hypothesis some_room : forall b, 0 < cap b.

  (* No set of packets waits for itself, nothing is lost, and every packet arrives. *)
  Definition safe (rule : option buffer -> buffer -> list flit -> nat -> Prop) : Prop :=
    forall s, reachable buffer_eq (first r) (next f r) traffic len cap rule s ->
      (forall D, ~ deadlocked buffer_eq (first r) (next f r) traffic len cap rule s D) /\
      (forall p, lost s p = 0) /\
      arrives flow buffer buffer_eq (first r) (next f r) traffic len cap rule s.

  Lemma any_rule_safe (rule : option buffer -> buffer -> list flit -> nat -> Prop) :
    (forall from b p, rule from b [] (len p)) -> safe rule.
  Proof.
    intros E s Re. split; [| split].
    - intro D. now apply (deadlock_free f r number hops like accepted).
    - intro p. now apply (no_packet_lost f r number hops like accepted traffic len cap rule).
    - now apply (all_delivered f r number hops like accepted).
  Qed.

  Theorem wormhole_safe : safe wormhole.
  Proof. apply any_rule_safe. exact (fun _ _ _ => I). Qed.
  Theorem one_packet_safe : safe one_packet.
  Proof. apply any_rule_safe. reflexivity. Qed.
  Theorem cut_through_safe : (forall b p, len p <= cap b) -> safe (cut_through cap).
  Proof. intro H. apply any_rule_safe. intros from b p. apply H. Qed.
  (* And there a packet that has begun to enter a buffer is never stopped on its way into it. *)
  Theorem cut_through_room s b p :
    reachable buffer_eq (first r) (next f r) traffic len cap (cut_through cap) s ->
    writer s b = Some p -> length (buf s b) < cap b.
  Proof.
    exact (room_once_inside flow buffer buffer_eq (first r) (next f r) traffic len cap (path f r hops)
             (fun q => proj1 (check_paths f r number no_rings hops (fun _ _ _ _ => eq_refl) like accepted
                                (traffic q) (flows q))) s b p).
  Qed.
End Switching.
