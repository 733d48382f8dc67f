(* SPDX-License-Identifier: Apache-2.0 *)
(* Flits in buffers: what a network does with packets, flit by flit.

   A resource is one lane of one cable: a buffer that holds flits in the order in which they came. A packet is
   a sequence of flits, the first of which finds the way; all that follow take the same one. Flits of two
   packets never mix in a buffer: from the first flit of a packet to its last, the buffer takes no other
   packet's. Whether a first flit may enter is up to a rule, [admits]: wormhole and virtual cut-through are
   rules (Switching.v). *)
Require Import List Arith.
Import ListNotations.

Set Implicit Arguments.

(* What becomes of a flit that is in front of a buffer, or of one that its source wants to send. *)
Inductive action (R : Type) : Type :=
| Go (b : R)   (* on into this buffer *)
| Deliver      (* out of the network, at its destination *)
| Lost.        (* thrown away *)
Arguments Go {R} b.
Arguments Deliver {R}.
Arguments Lost {R}.

Definition flit : Type := (nat * nat)%type.  (* a packet, and the place of the flit in it, from 0 *)

Section Flits.
  Variables F R : Type.
  Variable R_eq : forall a b : R, {a = b} + {a <> b}.
  Variable first : F -> action R.        (* the first buffer of a flow's packets *)
  Variable next : F -> R -> action R.    (* from the front of a buffer *)
  Variable flow : nat -> F.              (* whose packet it is *)
  Variable len : nat -> nat.             (* flits of a packet *)
  Variable cap : R -> nat.               (* flits a buffer has room for *)
  (* Whether a first flit enters: from which buffer (none: its source), into which, what is in that, and the
     length of the packet. *)
  Variable admits : option R -> R -> list flit -> nat -> Prop.

  Record state := State {
    buf : R -> list flit;          (* the front is the head of the list *)
    writer : R -> option nat;      (* the packet of which the first flit has entered and the last has not *)
    sent : nat -> nat;             (* flits of a packet that have left its source *)
    arrived : nat -> nat;          (* flits of a packet that have left the network at its destination *)
    lost : nat -> nat              (* flits of a packet that were thrown away *)
  }.

  Definition start : state :=
    State (fun _ => []) (fun _ => None) (fun _ => 0) (fun _ => 0) (fun _ => 0).

  Definition upd {A : Type} (f : R -> A) (b : R) (v : A) : R -> A :=
    fun x => if R_eq b x then v else f x.
  Definition bump (f : nat -> nat) (p : nat) : nat -> nat :=
    fun q => if Nat.eq_dec p q then S (f q) else f q.

  (* Flit i of packet p may enter b: there is room, and the first flit finds a buffer that nobody is
     writing and that the rule admits it to, the others find their own packet's. *)
  Definition may_enter (s : state) (from : option R) (b : R) (p i : nat) : Prop :=
    length (buf s b) < cap b /\
    match i with
    | 0 => writer s b = None /\ admits from b (buf s b) (len p)
    | S _ => writer s b = Some p
    end.

  Definition writer_after (p i : nat) : option nat := if Nat.eq_dec (S i) (len p) then None else Some p.

  Definition enter (s : state) (b : R) (p i : nat) : state :=
    State (upd (buf s) b (buf s b ++ [(p, i)])) (upd (writer s) b (writer_after p i))
          (sent s) (arrived s) (lost s).
  Definition leave (s : state) (b : R) (rest : list flit) : state :=
    State (upd (buf s) b rest) (writer s) (sent s) (arrived s) (lost s).
  Definition send (s : state) (p : nat) : state :=
    State (buf s) (writer s) (bump (sent s) p) (arrived s) (lost s).
  Definition arrive (s : state) (p : nat) : state :=
    State (buf s) (writer s) (sent s) (bump (arrived s) p) (lost s).
  Definition lose (s : state) (p : nat) : state :=
    State (buf s) (writer s) (sent s) (arrived s) (bump (lost s) p).

  (* One flit of packet p moves. *)
  Inductive move (p : nat) (s : state) : state -> Prop :=
  | Inject b : sent s p < len p -> first (flow p) = Go b -> may_enter s None b p (sent s p) ->
      move p s (send (enter s b p (sent s p)) p)
  | Refuse : sent s p < len p -> first (flow p) = Lost ->
      move p s (lose (send s p) p)
  | Advance b i rest b' : buf s b = (p, i) :: rest -> next (flow p) b = Go b' -> may_enter s (Some b) b' p i ->
      move p s (enter (leave s b rest) b' p i)
  | Consume b i rest : buf s b = (p, i) :: rest -> next (flow p) b = Deliver ->
      move p s (arrive (leave s b rest) p)
  | Drop b i rest : buf s b = (p, i) :: rest -> next (flow p) b = Lost ->
      move p s (lose (leave s b rest) p).

  Inductive reachable : state -> Prop :=
  | reach_start : reachable start
  | reach_move p s s' : reachable s -> move p s s' -> reachable s'.

  (* A packet is under way from its first flit's entry on, until all of it is there. *)
  Definition under_way (s : state) (p : nat) : Prop := 0 < sent s p /\ arrived s p < len p.
  Definition can_move (s : state) (p : nat) : Prop := 0 < sent s p /\ exists s', move p s s'.

  (* What packets wait for: a packet needs the buffers that it is in, and those that its flits in front
     would enter; a packet holds the buffers that it is in, and those that it is writing. *)
  Definition inside (s : state) (p : nat) (b : R) : Prop := exists i, In (p, i) (buf s b).
  Definition needs (s : state) (p : nat) (b : R) : Prop :=
    inside s p b \/ exists a i rest, buf s a = (p, i) :: rest /\ next (flow p) a = Go b.
  Definition holds (s : state) (p : nat) (b : R) : Prop := inside s p b \/ writer s b = Some p.
  Definition waits_for (s : state) (p q : nat) : Prop := exists b, needs s p b /\ holds s q b.

  (* A deadlock, also one of few packets among many that move: a set of packets under way, none of which
     can move a flit, that wait for none but each other. *)
  Definition deadlocked (s : state) (D : nat -> Prop) : Prop :=
    (exists p, D p) /\
    forall p, D p -> under_way s p /\ ~ can_move s p /\ forall q, waits_for s p q -> D q.
End Flits.
