(* SPDX-License-Identifier: Apache-2.0 *)
(* The checker under bubble flow control, and what it means that it accepts.

   Which channels form rings is a hint with what makes it easy to check: from any channel of a ring one comes to
   the ring's first channel, and from there to any other. *)
Require Import List Arith Lia Bool.
From Unknot Require Import Flits Invariant Network Check Credits Slots SlotsProgress.
Import ListNotations.

Record rings : Type := Rings {
  channels : nat;            (* those below are looked at *)
  ring_of : nat -> nat;      (* of a channel; 0: none *)
  follower : nat -> nat;     (* the next channel of the ring *)
  first_of : nat -> nat;     (* a channel of a ring *)
  ahead : nat -> nat;        (* steps from the first channel of the ring to this one *)
  back : nat -> nat          (* steps from this one to the first *)
}.

Section Rings.
  Variable g : rings.

  Definition ring_at (c : nat) : nat := if c <? channels g then ring_of g c else 0.
  Definition ring_ok (c : nat) : bool :=
    let x := ring_of g c in
    if x =? 0 then true
    else (follower g c <? channels g) && (ring_of g (follower g c) =? x) &&
         (first_of g x =? Nat.iter (back g c) (follower g) c) &&
         (c =? Nat.iter (ahead g c) (follower g) (first_of g x)).
  Definition rings_ok : bool := all_below (channels g) ring_ok.

  (* One number may serve a channel of a ring and its follower, on one lane. *)
  Definition in_ring (c : cable) (j x k : nat) : bool :=
    match c with
    | Chan a => if ring_at a =? 0 then false else (j =? k) && (x =? follower g a)
    | _ => false
    end.

  Definition ring_buffer (b : buffer) : option (nat * nat) :=
    match b with
    | (Chan c, k) => if ring_at c =? 0 then None else Some (ring_at c, k)
    | _ => None
    end.
  Definition follow (b : buffer) : buffer :=
    match b with (Chan c, k) => (Chan (follower g c), k) | _ => b end.

  Hypothesis ok : rings_ok = true.

  Lemma ring_facts c x : ring_at c = x -> x <> 0 ->
    ring_at (follower g c) = x /\ first_of g x = Nat.iter (back g c) (follower g) c /\
    c = Nat.iter (ahead g c) (follower g) (first_of g x).
  Proof.
    unfold ring_at at 1. intros H N. destruct (c <? channels g) eqn:L; [| congruence].
    apply Nat.ltb_lt in L. pose proof (all_below_true _ _ ok c L) as O. unfold ring_ok in O. cbv zeta in O.
    rewrite H in O. destruct (x =? 0) eqn:Z; [apply Nat.eqb_eq in Z; contradiction |].
    repeat rewrite andb_true_iff in O. destruct O as (((A & B) & C) & D).
    apply Nat.eqb_eq in B, C, D. unfold ring_at. rewrite A. auto.
  Qed.

  Lemma ring_buffer_is b x k : ring_buffer b = Some (x, k) -> exists c, b = (Chan c, k) /\ ring_at c = x /\ x <> 0.
  Proof.
    destruct b as [[t | c | t] j]; cbn; try discriminate. destruct (ring_at c =? 0) eqn:Z; [discriminate |].
    apply Nat.eqb_neq in Z. intro H. inversion H; subst. eauto.
  Qed.

  Lemma ring_follow b x : ring_buffer b = Some x -> ring_buffer (follow b) = Some x.
  Proof.
    destruct x as [x k]. intro H. destruct (ring_buffer_is _ _ _ H) as (c & -> & R & N). cbn.
    destruct (ring_facts c x R N) as (-> & _). destruct (x =? 0) eqn:Z; [apply Nat.eqb_eq in Z; contradiction |].
    reflexivity.
  Qed.

  Lemma follow_iter n c k : Nat.iter n follow (Chan c, k) = (Chan (Nat.iter n (follower g) c), k).
  Proof. induction n as [| n IH]; [reflexivity |]. unfold Nat.iter in *. cbn. now rewrite IH. Qed.

  Lemma iter_add (A : Type) (h : A -> A) m n x : Nat.iter (m + n) h x = Nat.iter m h (Nat.iter n h x).
  Proof. induction m as [| m IH]; [reflexivity |]. unfold Nat.iter in *. cbn. now rewrite IH. Qed.

  Lemma ring_cycle a b x : ring_buffer a = Some x -> ring_buffer b = Some x -> exists n, b = Nat.iter n follow a.
  Proof.
    destruct x as [x k]. intros H J. destruct (ring_buffer_is _ _ _ H) as (c & -> & Rc & N).
    destruct (ring_buffer_is _ _ _ J) as (d & -> & Rd & _).
    destruct (ring_facts c x Rc N) as (_ & Fc & _). destruct (ring_facts d x Rd N) as (_ & _ & Fd).
    exists (ahead g d + back g c). rewrite follow_iter. f_equal. f_equal.
    rewrite Fd at 1. rewrite Fc. symmetry. apply iter_add.
  Qed.
End Rings.

(* The checker: the rings are some, and numbers rise or stay in them. *)
Definition check_bubble (f : fabric) (r : routing) (number : nat -> nat -> nat) (g : rings) (hops : nat)
  (like : nat -> nat) : bool :=
  if rings_ok g then check f r number (in_ring g) hops like else false.

Section Safe.
  Variable f : fabric.
  Variable r : routing.
  Variable number : nat -> nat -> nat.
  Variable hops : nat.
  Variable like : nat -> nat.
  Variable traffic : nat -> flow.
  Variable slots : buffer -> nat.
  Hypothesis flows : forall p, legal f (traffic p).
  Hypothesis some_room : forall b, 0 < slots b.

  Definition pair_eq (a b : nat * nat) : {a = b} + {a <> b}.
  Proof. decide equality; apply Nat.eq_dec. Defined.

  (* No set of packets waits for itself, nothing is lost, and every packet arrives. *)
  Definition safe_packets (ring : buffer -> option (nat * nat)) : Prop :=
    forall s, comes buffer_eq pair_eq (first r) (next f r) traffic slots ring s ->
      (forall D, ~ stuck buffer_eq pair_eq (first r) (next f r) traffic slots ring s D) /\
      (forall p, place_of s p <> Gone) /\
      gets_there buffer_eq pair_eq (first r) (next f r) traffic slots ring s.

  Section Bonds.
    Variable bonded : cable -> nat -> nat -> nat -> bool.
    Variable ring : buffer -> option (nat * nat).
    Variable succ : buffer -> buffer.
    Hypothesis bonded_inj : forall t j x k, bonded (Inj t) j x k = false.
    Hypothesis accepted : check f r number bonded hops like = true.
    Hypothesis bonded_means : forall a x k, bonded (fst a) (snd a) x k = true ->
      (Chan x, k) = succ a /\ exists y, ring a = Some y.
    Hypothesis two : forall b x, ring b = Some x -> 1 < slots b.
    Hypothesis stays : forall a x, ring a = Some x -> ring (succ a) = Some x.
    Hypothesis round : forall a b x, ring a = Some x -> ring b = Some x -> exists n, b = Nat.iter n succ a.

    Let good p := check_paths f r number bonded hops bonded_inj like accepted (traffic p) (flows p).
    Let steps p i a b (A : nth_error (path f r hops (traffic p)) i = Some a)
        (B : nth_error (path f r hops (traffic p)) (S i) = Some b) :
        rank number (top f r number hops) a < rank number (top f r number hops) b \/
        rank number (top f r number hops) a = rank number (top f r number hops) b /\ b = succ a /\
        exists x, ring a = Some x.
    Proof.
      destruct (proj1 (proj2 (good p)) i a b A B) as [L | [E W]]; [now left |]. right. split; [exact E |].
      destruct b as [[t | x | t] k]; try contradiction. now apply bonded_means.
    Qed.

    Lemma bonds_safe : safe_packets ring.
    Proof.
      intros s Co. split; [| split].
      - intro D. exact (bubble_no_deadlock flow buffer (nat * nat) buffer_eq pair_eq (first r) (next f r) traffic
          slots ring succ (path f r hops) (rank number (top f r number hops)) _ (fun p => proj1 (good p)) steps
          (fun p => proj2 (proj2 (good p))) some_room two stays round s D Co).
      - intro p. exact (bubble_nothing_lost flow buffer (nat * nat) buffer_eq pair_eq (first r) (next f r) traffic
          slots ring (path f r hops) (fun p => proj1 (good p)) some_room s p Co).
      - exact (bubble_all_delivered flow buffer (nat * nat) buffer_eq pair_eq (first r) (next f r) traffic
          slots ring succ (path f r hops) (rank number (top f r number hops)) _ (fun p => proj1 (good p)) steps
          (fun p => proj2 (proj2 (good p))) some_room two stays round s Co).
    Qed.
  End Bonds.

  (* Bubble flow control: every buffer of a ring has room for two packets. *)
  Theorem bubble_safe g : check_bubble f r number g hops like = true ->
    (forall b x, ring_buffer g b = Some x -> 1 < slots b) -> safe_packets (ring_buffer g).
  Proof.
    unfold check_bubble. intros C Two. destruct (rings_ok g) eqn:O; [| discriminate].
    apply bonds_safe with (bonded := in_ring g) (succ := follow g); auto.
    - intros [[t | a | t] j] x k; cbn; try discriminate. destruct (ring_at g a =? 0) eqn:Z; [discriminate |].
      intro H. apply andb_true_iff in H. destruct H as [J X]. apply Nat.eqb_eq in J, X. subst. eauto.
    - now apply ring_follow.
    - now apply ring_cycle.
  Qed.

  (* Virtual cut-through of whole packets, under credits. *)
  Theorem whole_packets_safe : check f r number no_rings hops like = true -> safe_packets (fun _ => None).
  Proof.
    intro C. apply bonds_safe with (bonded := no_rings) (succ := fun b => b); auto; discriminate.
  Qed.
End Safe.
