(* SPDX-License-Identifier: Apache-2.0 *)
(* What an accepted certificate means under bubble flow control, flit by flit. *)
Require Import List Arith Lia Bool.
From Unknot Require Import Flits Invariant Progress Delivery Network Check Credits Bubble Rings.
Import ListNotations.

Section RingFlits.
  Variable f : fabric.
  Variable r : routing.
  Variable number : nat -> nat -> nat.
  Variable g : rings.
  Variable hops : nat.
  Variable like : nat -> nat.
  Hypothesis accepted : check_bubble f r number g hops like = true.

  Variable traffic : nat -> flow.
  Variable len : nat -> nat.
  Variable longest : nat.             (* no packet has more flits *)
  Variable cap : buffer -> nat.       (* flits *)
  Variable slots : buffer -> nat.     (* packets, of a buffer of a ring *)
  Hypothesis flows : forall p, legal f (traffic p).
  Hypothesis lengths : forall p, len p <= longest.
  Hypothesis some_room : forall b, 0 < cap b.
  Hypothesis fits : forall b, longest <= cap b.
  Hypothesis slots_fit : forall b x, ring_buffer g b = Some x -> slots b * longest <= cap b.
  Hypothesis two_slots : forall b x, ring_buffer g b = Some x -> 1 < slots b.

  (* A packet enters where it has room as a whole; a ring, from outside, only where a slot more is left. *)
  Definition bubble_rule : option buffer -> buffer -> list flit -> nat -> Prop :=
    bubble buffer (nat * nat) cap slots (ring_buffer g).

  Let ok : rings_ok g = true /\ check f r number (in_ring g) hops like = true.
  Proof. unfold check_bubble in accepted. destruct (rings_ok g); [auto | discriminate]. Qed.

  Let good p := check_paths f r number (in_ring g) hops (fun _ _ _ _ => eq_refl) like (proj2 ok) (traffic p) (flows p).
  Let steps p i a b (A : nth_error (path f r hops (traffic p)) i = Some a)
      (B : nth_error (path f r hops (traffic p)) (S i) = Some b) :
      rank number (top f r number hops) a < rank number (top f r number hops) b \/
      rank number (top f r number hops) a = rank number (top f r number hops) b /\ b = follow g a /\
      exists x, ring_buffer g a = Some x.
  Proof.
    destruct (proj1 (proj2 (good p)) i a b A B) as [L | [E W]]; [now left |]. right. split; [exact E |].
    destruct b as [[t | x | t] k]; try contradiction. destruct a as [[t | c | t] j]; cbn in *; try discriminate.
    destruct (ring_at g c =? 0) eqn:Z; [discriminate |]. apply andb_true_iff in W. destruct W as [J X].
    apply Nat.eqb_eq in J, X. subst. eauto.
  Qed.

  Theorem bubble_flits_safe : safe f r traffic len cap bubble_rule.
  Proof.
    intros s Re. split; [| split].
    - intro D. exact (bubble_no_deadlock flow buffer (nat * nat) buffer_eq (first r) (next f r) traffic len cap
        (path f r hops) (rank number (top f r number hops)) _ slots longest (ring_buffer g) (follow g)
        (fun p => proj1 (good p)) steps (fun p => proj2 (proj2 (good p))) some_room lengths fits slots_fit two_slots
        (ring_follow g (proj1 ok)) (ring_cycle g (proj1 ok)) s D Re).
    - intro p. exact (nothing_lost flow buffer buffer_eq (first r) (next f r) traffic len cap bubble_rule
        (path f r hops) (fun q => proj1 (good q)) s p Re).
    - exact (bubble_all_arrive flow buffer (nat * nat) buffer_eq (first r) (next f r) traffic len cap
        (path f r hops) (rank number (top f r number hops)) _ slots longest (ring_buffer g) (follow g)
        (fun p => proj1 (good p)) steps (fun p => proj2 (proj2 (good p))) some_room lengths fits slots_fit two_slots
        (ring_follow g (proj1 ok)) (ring_cycle g (proj1 ok)) s Re).
  Qed.
End RingFlits.
