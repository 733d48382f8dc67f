(* SPDX-License-Identifier: Apache-2.0 *)
(* A network, its routing, and what that does with a packet at each buffer.

   Everything is a number: terminals, routers, channels, ports, service levels, lanes. A cable leads from a
   terminal to its router, from a router to another (a channel, one direction), or from a router to a
   terminal; a buffer is one lane of a cable, at its far end. *)
Require Import List Arith.
From Unknot Require Import Flits.
Import ListNotations.

Inductive cable : Type :=
| Inj (t : nat)    (* from terminal t to its router *)
| Chan (c : nat)   (* channel c between two routers *)
| Ej (t : nat).    (* from the router of terminal t to it *)

Inductive hop : Type :=
| Via (c : nat)    (* a channel *)
| Here (t : nat)   (* the cable to a terminal *)
| Nowhere.         (* no entry, or a port where nothing is plugged in *)

Record fabric : Type := Fabric {
  terminals : nat;            (* 0 to terminals - 1 *)
  home : nat -> nat;          (* the router of a terminal *)
  source : nat -> nat;        (* the router a channel leaves *)
  target : nat -> nat;        (* the router a channel leads to *)
  terminal_port : nat -> nat; (* port of its router that a terminal is plugged into *)
  source_port : nat -> nat;   (* port that a channel leaves by *)
  target_port : nat -> nat;   (* port that a channel comes in by *)
  plug : nat -> nat -> hop    (* router, port: what is plugged in there *)
}.

(* Routers decide by tables, or sources choose the channels of the whole way. *)
Inductive paths : Type :=
| Tables (port : nat -> nat -> nat)          (* router, destination: the port to leave by *)
| Routes (route : nat -> nat -> list nat).   (* source, destination: channels *)

(* SL-to-VL tables. *)
Record lane_map : Type := LaneMap {
  injected : nat -> nat -> nat;                (* service level, terminal: lane of the first cable *)
  turned : nat -> nat -> nat -> nat -> nat     (* service level, router, port in, port out: lane of the next *)
}.

Record routing : Type := Routing {
  ways : paths;
  row : nat -> nat;             (* of a terminal: its row of service levels *)
  levels : nat -> nat -> nat;   (* row, destination: service level *)
  map_of : option lane_map;     (* none: level l travels on lane l *)
  lanes : nat                   (* lanes 0 to lanes - 1 carry data; a packet that would take another is lost *)
}.

Definition flow : Type := (nat * nat)%type.     (* source, destination *)
Definition buffer : Type := (cable * nat)%type. (* a cable and a lane *)

Section Network.
  Variable f : fabric.
  Variable r : routing.

  Definition router_at (c : cable) : nat :=
    match c with Inj t => home f t | Chan c => target f c | Ej t => home f t end.
  Definition port_in (c : cable) : nat :=
    match c with Inj t => terminal_port f t | Chan c => target_port f c | Ej t => terminal_port f t end.

  Definition level (s d : nat) : nat := levels r (row r s) d.
  Definition lane_in (l s : nat) : nat := match map_of r with None => l | Some m => injected m l s end.
  Definition lane_at (l : nat) (c : cable) (out : nat) : nat :=
    match map_of r with None => l | Some m => turned m l (router_at c) (port_in c) out end.

  (* What of a route follows the first time it takes channel c. *)
  Fixpoint after (c : nat) (l : list nat) : list nat :=
    match l with [] => [] | x :: l => if x =? c then l else after c l end.
  Definition rest_of_route (c : cable) (l : list nat) : list nat :=
    match c with Inj _ => l | Chan c => after c l | Ej _ => [] end.

  (* Where a packet from s to d that came by cable c leaves the router at its end. *)
  Definition forward (c : cable) (s d : nat) : hop :=
    match ways r with
    | Tables port => let a := router_at c in plug f a (port a d)
    | Routes route =>
        match rest_of_route c (route s d) with
        | [] => if home f d =? router_at c then Here d else Nowhere
        | x :: _ => if source f x =? router_at c then Via x else Nowhere
        end
    end.

  (* The buffer that packets of a flow go to first, and next. *)
  Definition first (p : flow) : action buffer :=
    let (s, d) := p in
    let l := lane_in (level s d) s in
    if l <? lanes r then Go (Inj s, l) else Lost.
  Definition next (p : flow) (b : buffer) : action buffer :=
    let (s, d) := p in
    match fst b with
    | Ej t => if t =? d then Deliver else Lost
    | c =>
        match forward c s d with
        | Via x => let l := lane_at (level s d) c (source_port f x) in
                   if l <? lanes r then Go (Chan x, l) else Lost
        | Here t => let l := lane_at (level s d) c (terminal_port f t) in
                    if l <? lanes r then Go (Ej t, l) else Lost
        | Nowhere => Lost
        end
    end.

  (* The flows that the routing answers for. *)
  Definition legal (p : flow) : Prop := fst p < terminals f /\ snd p < terminals f /\ fst p <> snd p.
End Network.

Lemma cable_eq (a b : cable) : {a = b} + {a <> b}.
Proof. decide equality; apply Nat.eq_dec. Defined.
Lemma buffer_eq (a b : buffer) : {a = b} + {a <> b}.
Proof. decide equality; [apply Nat.eq_dec | apply cable_eq]. Defined.
