(* SPDX-License-Identifier: Apache-2.0 *)
(* The definitions say what they should: three routers in a one-way ring, on one lane, do come to a deadlock,
   so that no certificate for them is accepted under credits. With bubble flow control one is. *)
Require Import List Arith Lia.
From Unknot Require Import Flits Network Check Credits Rings.
Import ListNotations.

(* Router i has terminal i at port 1 and sends to the next router by port 2, channel i. *)
Definition following (i : nat) : nat := match i with 0 => 1 | 1 => 2 | _ => 0 end.
Definition ring3 : fabric :=
  Fabric 3 (fun t => t) (fun c => c) following (fun _ => 1) (fun _ => 2) (fun _ => 3)
         (fun a p => match p with 1 => Here a | 2 => Via a | _ => Nowhere end).
Definition round3 : routing :=
  Routing (Tables (fun a d => if a =? d then 1 else 2)) (fun _ => 0) (fun _ _ => 0) None 1.

(* Terminal i sends one flit to the terminal before it, two routers on. *)
Definition traffic3 (p : nat) : flow := match p with 0 => (0, 2) | 1 => (1, 0) | _ => (2, 1) end.
Definition one (x : nat) : nat := 1.
Definition room_for_one (b : buffer) : nat := 1.

Lemma traffic3_legal p : legal ring3 (traffic3 p).
Proof. destruct p as [| [| p]]; unfold legal; cbn; lia. Qed.

Notation Reach := (reachable buffer_eq (first round3) (next ring3 round3) traffic3 one room_for_one wormhole).
Notation Hop := (move buffer_eq (first round3) (next ring3 round3) traffic3 one room_for_one wormhole).

(* Packet p is sent, then goes to channel p. *)
Definition on_channel (p : nat) (s : state buffer) : state buffer :=
  let s := send (enter buffer_eq one s (Inj p, 0) p 0) p in
  enter buffer_eq one (leave buffer_eq s (Inj p, 0) []) (Chan p, 0) p 0.

Lemma goes_there p s : p < 3 -> Reach s -> sent s p = 0 ->
  (forall b, b = (Inj p, 0) \/ b = (Chan p, 0) -> buf s b = [] /\ writer s b = None) -> Reach (on_channel p s).
Proof.
  intros L Re Se Em. destruct (Em (Inj p, 0) (or_introl eq_refl)) as [Bi Wi].
  destruct (Em (Chan p, 0) (or_intror eq_refl)) as [Bc Wc].
  assert (A : first round3 (traffic3 p) = Go (Inj p, 0)) by (destruct p as [| [| [| p]]]; [| | | lia]; reflexivity).
  assert (B : next ring3 round3 (traffic3 p) (Inj p, 0) = Go (Chan p, 0))
    by (destruct p as [| [| [| p]]]; [| | | lia]; reflexivity).
  set (s1 := send (enter buffer_eq one s (Inj p, 0) p 0) p).
  assert (R1 : Reach s1).
  { apply reach_move with p s; [exact Re |].
    assert (M : Hop p s (send (enter buffer_eq one s (Inj p, 0) p (sent s p)) p)).
    { apply Inject; [rewrite Se; unfold one; lia | exact A |]. rewrite Se.
      split; rewrite Bi; [unfold room_for_one; cbn; lia | split; [exact Wi | exact I]]. }
    rewrite Se in M. exact M. }
  apply reach_move with p s1; [exact R1 |]. apply Advance with (b := (Inj p, 0)) (i := 0) (rest := []) (b' := (Chan p, 0)).
  - unfold s1. cbn. unfold upd. destruct (buffer_eq (Inj p, 0) (Inj p, 0)) as [_ | N]; [| now destruct N].
    now rewrite Bi.
  - exact B.
  - split; cbn; unfold upd; destruct (buffer_eq (Inj p, 0) (Chan p, 0)) as [X | _]; try discriminate; rewrite ?Bc.
    + unfold room_for_one. cbn. lia.
    + split; [exact Wc | exact I].
Qed.

Definition jam : state buffer := on_channel 2 (on_channel 1 (on_channel 0 (start buffer))).

Ltac look := cbn; unfold upd; repeat (destruct (buffer_eq _ _) as [X | X]; try discriminate; try (inversion X; fail)).

Lemma jam_reachable : Reach jam.
Proof.
  unfold jam. repeat (apply goes_there; [lia | | reflexivity | intros b [-> | ->]; split; look; reflexivity]).
  apply reach_start.
Qed.

Lemma jam_buffers b : buf jam b = match b with
                                  | (Chan 0, 0) => [(0, 0)] | (Chan 1, 0) => [(1, 0)] | (Chan 2, 0) => [(2, 0)]
                                  | _ => []
                                  end.
Proof.
  unfold jam, on_channel. cbn. unfold upd.
  repeat (destruct (buffer_eq _ _) as [<- | ?]; try reflexivity); try discriminate.
  destruct b as [[t | [| [| [| c]]] | t] [| k]]; try reflexivity; congruence.
Qed.

Lemma jam_writers b : writer jam b = None.
Proof.
  unfold jam, on_channel. cbn. unfold upd. repeat (destruct (buffer_eq _ _); try reflexivity).
Qed.

Lemma jam_deadlocked :
  deadlocked buffer_eq (first round3) (next ring3 round3) traffic3 one room_for_one wormhole jam (fun p => p < 3).
Proof.
  split; [exists 0; lia |]. intros p L. split; [| split].
  - destruct p as [| [| [| p]]]; [| | | lia]; split; cbn; unfold one; lia.
  - intros [_ (s' & M)].
    assert (Full : forall b q i rest, buf jam b = (q, i) :: rest -> exists b',
              next ring3 round3 (traffic3 q) b = Go b' /\ length (buf jam b') = 1).
    { intros b q i rest H. rewrite jam_buffers in H.
      destruct b as [[t | [| [| [| c]]] | t] [| k]]; try discriminate; inversion H; subst;
        eexists; (split; [reflexivity |]); now rewrite jam_buffers. }
    assert (Sent : ~ sent jam p < one p) by (destruct p as [| [| [| p]]]; [| | | lia]; cbn; unfold one; lia).
    inversion M as [b A B C | A B | b i rest b' A B C | b i rest A B | b i rest A B]; try contradiction;
      destruct (Full b p i rest A) as (b2 & N & F); try congruence.
    replace b' with b2 in C by congruence. destruct C as [C _]. rewrite F in C. unfold room_for_one in C. lia.
  - intros q (b & _ & [(i & I) | W]); [| now rewrite jam_writers in W].
    rewrite jam_buffers in I. destruct b as [[t | [| [| [| c]]] | t] [| k]]; cbn in I; try contradiction;
      destruct I as [I | I]; try contradiction; inversion I; lia.
Qed.

Theorem ring_can_deadlock : exists s D, Reach s /\
  deadlocked buffer_eq (first round3) (next ring3 round3) traffic3 one room_for_one wormhole s D.
Proof. exists jam, (fun p => p < 3). exact (conj jam_reachable jam_deadlocked). Qed.

(* No numbers are accepted for this ring under credits: the theorem would exclude that state. *)
Theorem ring_refused number hops like : check ring3 round3 number no_rings hops like <> true.
Proof.
  intro C. exact (deadlock_free ring3 round3 number hops like C traffic3 one room_for_one wormhole traffic3_legal
    (fun _ => Nat.lt_0_succ 0) (fun _ _ _ => I) jam _ jam_reachable jam_deadlocked).
Qed.

(* Under bubble flow control one number does for the whole ring. *)
Definition whole_ring : rings :=
  Rings 3 (fun _ => 1) following (fun _ => 0) (fun c => c) (fun c => match c with 0 => 0 | 1 => 2 | _ => 1 end).
Theorem ring_accepted : check_bubble ring3 round3 (fun _ _ => 1) whole_ring 4 (fun t => t) = true.
Proof. reflexivity. Qed.
