(* SPDX-License-Identifier: Apache-2.0 *)
(* Packets that move as a whole, and bubble flow control (Puente et al. 1999).

   A buffer has room for so many packets, whatever their lengths. Some buffers form directed rings. A packet
   that comes from outside enters a buffer of a ring only where room for one packet more is left after it;
   inside its ring, and everywhere else, it needs room for itself alone. Without rings this is virtual
   cut-through with whole packets. *)
Require Import List Arith.
From Unknot Require Import Flits.
Import ListNotations.

Set Implicit Arguments.

Section Slots.
  Variables F R X : Type.
  Variable R_eq : forall a b : R, {a = b} + {a <> b}.
  Variable X_eq : forall a b : X, {a = b} + {a <> b}.
  Variable first : F -> action R.
  Variable next : F -> R -> action R.
  Variable flow : nat -> F.          (* whose packet it is *)
  Variable slots : R -> nat.         (* packets a buffer has room for *)
  Variable ring : R -> option X.     (* the ring that a buffer belongs to *)

  Inductive place := Waiting | Inside | Arrived | Gone.  (* at its source; in the network; there; thrown away *)
  Record held := Held {
    queue : R -> list nat;           (* the front is the head of the list *)
    place_of : nat -> place
  }.
  Definition empty : held := Held (fun _ => []) (fun _ => Waiting).

  Definition put (f : R -> list nat) (b : R) (v : list nat) : R -> list nat :=
    fun x => if R_eq b x then v else f x.
  Definition now_at (f : nat -> place) (p : nat) (v : place) : nat -> place :=
    fun q => if Nat.eq_dec p q then v else f q.

  (* Room for a packet that comes from the ring [from], or from none. *)
  Definition room (s : held) (from : option X) (b : R) : Prop :=
    match ring b with
    | None => length (queue s b) < slots b
    | Some x => if match from with Some y => if X_eq x y then true else false | None => false end
                then length (queue s b) < slots b
                else S (length (queue s b)) < slots b
    end.

  (* Packet p moves. *)
  Inductive hops (p : nat) (s : held) : held -> Prop :=
  | HInject b : place_of s p = Waiting -> first (flow p) = Go b -> room s None b ->
      hops p s (Held (put (queue s) b (queue s b ++ [p])) (now_at (place_of s) p Inside))
  | HRefuse : place_of s p = Waiting -> first (flow p) = Lost ->
      hops p s (Held (queue s) (now_at (place_of s) p Gone))
  | HAdvance a rest b : queue s a = p :: rest -> next (flow p) a = Go b -> room s (ring a) b ->
      hops p s (Held (let q := put (queue s) a rest in put q b (q b ++ [p])) (place_of s))
  | HConsume a rest : queue s a = p :: rest -> next (flow p) a = Deliver ->
      hops p s (Held (put (queue s) a rest) (now_at (place_of s) p Arrived))
  | HDrop a rest : queue s a = p :: rest -> next (flow p) a = Lost ->
      hops p s (Held (put (queue s) a rest) (now_at (place_of s) p Gone)).

  Inductive comes : held -> Prop :=
  | comes_empty : comes empty
  | comes_hop p s s' : comes s -> hops p s s' -> comes s'.

  Definition can_hop (s : held) (p : nat) : Prop := place_of s p = Inside /\ exists s', hops p s s'.

  (* As in Flits.v: a packet needs the buffer that it is in, and from the front of that the next. *)
  Definition wants (s : held) (p : nat) (b : R) : Prop :=
    In p (queue s b) \/ exists a rest, queue s a = p :: rest /\ next (flow p) a = Go b.
  Definition waits (s : held) (p q : nat) : Prop := exists b, wants s p b /\ In q (queue s b).
  Definition stuck (s : held) (D : nat -> Prop) : Prop :=
    (exists p, D p) /\
    forall p, D p -> place_of s p = Inside /\ ~ can_hop s p /\ forall q, waits s p q -> D q.

  (* Without new packets, all that are in the network arrive, in whatever order they move. *)
  Inductive gets_there (s : held) : Prop :=
  | all_there : (forall p, place_of s p = Waiting \/ place_of s p = Arrived) -> gets_there s
  | there_later : (exists p, can_hop s p) ->
      (forall p s', place_of s p = Inside -> hops p s s' -> gets_there s') -> gets_there s.
End Slots.
