(* SPDX-License-Identifier: Apache-2.0 *)
(* Schedules of collective communication: what they do, step by step, and a checker.

   In each step transfers carry messages along channels, from a node that has its message before the step to a
   node that has it after the step. No line (a channel, or both directions of a half-duplex cable) carries two
   messages in a step. In a reduction partial results go instead: a node sends what it has combined for one
   result, its own part included, and has none of it afterwards.

   The checker is given hints: by which transfer a node gets a message (or sends its partial result), who uses
   a line in a step, and which of the wanted deliveries a transfer is. Hints are not trusted. *)
Require Import List Arith Lia Bool.
From Unknot Require Import Check.
Import ListNotations.

Record transfer : Type := Transfer {
  message : nat;
  sender : nat;
  receiver : nat;
  way : list nat    (* channels *)
}.

Record links : Type := Links {
  tail : nat -> nat;   (* the node a channel leaves *)
  head : nat -> nat;   (* the node it leads to *)
  line : nat -> nat    (* channels of one line exclude each other *)
}.

Record plan : Type := Plan {
  steps : nat;
  count : nat -> nat;                 (* transfers of a step *)
  transfer_of : nat -> nat -> transfer (* step, number in it *)
}.

(* What is to be done: want w = (m, n), n is to get message m of its owner, or to give its part to the owner of
   result m. Straight: only owners send, as in a scatter. *)
Record problem : Type := Problem {
  owner : nat -> nat;
  wants : nat;
  want : nat -> nat * nat;
  straight : bool
}.

Record hints : Type := Hints {
  moved_by : nat -> nat -> nat * nat;  (* message, node: step and number of the transfer *)
  user : nat -> nat -> nat * nat;      (* step, line: number of the transfer, place on its way *)
  want_of : nat -> nat -> nat          (* message, node: which want *)
}.

Section Schedule.
  Variable l : links.
  Variable s : plan.
  Variable p : problem.
  Variable h : hints.
  Notation tr := (transfer_of s).

  (* There is a transfer i in step k. *)
  Definition real (k i : nat) : Prop := k < steps s /\ i < count s k.

  (* Node n has message m after k steps. *)
  Inductive has : nat -> nat -> nat -> Prop :=
  | has_owner m : has 0 m (owner p m)
  | has_kept k m n : has k m n -> has (S k) m n
  | has_got k i : real k i -> has k (message (tr k i)) (sender (tr k i)) ->
      has (S k) (message (tr k i)) (receiver (tr k i)).

  (* The part of node c in result m is at node n after k steps. *)
  Inductive part (m c : nat) : nat -> nat -> Prop :=
  | part_start : part m c 0 c
  | part_goes k i : real k i -> message (tr k i) = m -> part m c k (sender (tr k i)) ->
      part m c (S k) (receiver (tr k i))
  | part_stays k n : part m c k n ->
      (forall i, real k i -> ~ (message (tr k i) = m /\ sender (tr k i) = n)) -> part m c (S k) n.

  (* A way leads from a to b. *)
  Fixpoint leads (a : nat) (w : list nat) (b : nat) : bool :=
    match w with [] => a =? b | c :: w => (tail l c =? a) && leads (head l c) w b end.
  (* ... and comes to no node twice. *)
  Fixpoint fresh (a : nat) (w : list nat) : bool :=
    match w with
    | [] => true
    | c :: w => negb (existsb (fun d => head l d =? a) (c :: w)) && fresh (head l c) w
    end.

  Definition pair_is (a b : nat * nat) : bool := (fst a =? fst b) && (snd a =? snd b).
  (* Channel after channel, from the j-th on: each line of the step is used here alone. *)
  Fixpoint alone (k i j : nat) (w : list nat) : bool :=
    match w with [] => true | c :: w => pair_is (user h k (line l c)) (i, j) && alone k i (S j) w end.

  Definition wanted (m n : nat) : bool :=
    let w := want_of h m n in (w <? wants p) && pair_is (want p w) (m, n).
  Definition way_ok (k i : nat) : bool :=
    let t := tr k i in
    leads (sender t) (way t) (receiver t) && negb (sender t =? receiver t) && fresh (sender t) (way t) &&
    alone k i 0 (way t).

  (* The transfer by which message m gets to node n, before step k. *)
  Definition got_before (k m n : nat) : bool :=
    let (j, i) := moved_by h m n in
    (j <? k) && (i <? count s j) && (message (tr j i) =? m) && (receiver (tr j i) =? n).
  Definition transfer_ok (k i : nat) : bool :=
    let t := tr k i in
    way_ok k i && pair_is (moved_by h (message t) (receiver t)) (k, i) && wanted (message t) (receiver t) &&
    ((sender t =? owner p (message t)) || negb (straight p) && got_before k (message t) (sender t)).
  Definition want_ok (w : nat) : bool :=
    let (m, n) := want p w in negb (n =? owner p m) && got_before (steps s) m n.
  Definition check_schedule : bool :=
    all_below (steps s) (fun k => all_below (count s k) (transfer_ok k)) && all_below (wants p) want_ok.

  (* The transfer by which node n sends its partial result m, in step k or later. *)
  Definition sends_from (k m n : nat) : bool :=
    let (j, i) := moved_by h m n in
    negb (j <? k) && (j <? steps s) && (i <? count s j) && (message (tr j i) =? m) && (sender (tr j i) =? n).
  Definition part_ok (k i : nat) : bool :=
    let t := tr k i in
    way_ok k i && pair_is (moved_by h (message t) (sender t)) (k, i) && wanted (message t) (sender t) &&
    ((receiver t =? owner p (message t)) || sends_from (S k) (message t) (receiver t)).
  Definition gift_ok (w : nat) : bool :=
    let (m, n) := want p w in negb (n =? owner p m) && sends_from 0 m n.
  Definition check_reduction : bool :=
    all_below (steps s) (fun k => all_below (count s k) (part_ok k)) && all_below (wants p) gift_ok.

  (* No line carries two messages in a step, nor one twice; ways lead where they should. *)
  Definition ways_fit : Prop :=
    (forall k i, real k i -> leads (sender (tr k i)) (way (tr k i)) (receiver (tr k i)) = true) /\
    (forall k i j x y c d, real k i -> real k j -> nth_error (way (tr k i)) x = Some c ->
       nth_error (way (tr k j)) y = Some d -> line l c = line l d -> i = j /\ x = y).

  Lemma pair_is_true a b : pair_is a b = true -> a = b.
  Proof.
    unfold pair_is. intro H. apply andb_true_iff in H. destruct H as [A B]. apply Nat.eqb_eq in A, B.
    destruct a, b. cbn in *. congruence.
  Qed.

  Lemma alone_true k i : forall w j, alone k i j w = true ->
    forall x c, nth_error w x = Some c -> user h k (line l c) = (i, j + x).
  Proof.
    induction w as [| c w IH]; intros j A x d X; [destruct x; discriminate |]. cbn in A.
    apply andb_true_iff in A. destruct A as [A B]. apply pair_is_true in A. destruct x as [| x]; cbn in X.
    - inversion X; subst. now rewrite Nat.add_0_r.
    - rewrite (IH (S j) B x d X). f_equal. lia.
  Qed.

  Lemma ways_ok : (forall k i, real k i -> way_ok k i = true) -> ways_fit.
  Proof.
    intro W. split.
    - intros k i R. specialize (W k i R). unfold way_ok in W. cbv zeta in W.
      repeat rewrite andb_true_iff in W. tauto.
    - intros k i j x y c d Ri Rj X Y L.
      pose proof (W k i Ri) as A. pose proof (W k j Rj) as B. unfold way_ok in A, B. cbv zeta in A, B.
      repeat rewrite andb_true_iff in A, B. destruct A as (_ & A), B as (_ & B).
      pose proof (alone_true k i _ _ A x c X) as U. pose proof (alone_true k j _ _ B y d Y) as V.
      rewrite L in U. rewrite U in V. inversion V. auto.
  Qed.

  Lemma each_transfer ok : all_below (steps s) (fun k => all_below (count s k) (ok k)) = true ->
    forall k i, real k i -> ok k i = true.
  Proof.
    intros A k i [K I]. pose proof (all_below_true _ _ A k K) as B. cbn in B. exact (all_below_true _ _ B i I).
  Qed.

  (* Broadcasts and scatters. *)
  Section Deliveries.
    Hypothesis ok : check_schedule = true.

    Lemma transfers_ok k i : real k i -> transfer_ok k i = true.
    Proof.
      apply each_transfer. exact (proj1 (proj1 (andb_true_iff _ _) ok)).
    Qed.

    Lemma has_later k j m n : has k m n -> k <= j -> has j m n.
    Proof. intros H L. induction L; [exact H | now apply has_kept]. Qed.

    Lemma got_has k m n : (forall j i, real j i -> j < k -> has j (message (tr j i)) (sender (tr j i))) ->
      k <= steps s -> got_before k m n = true -> has k m n.
    Proof.
      intros IH K G. unfold got_before in G. destruct (moved_by h m n) as [j i].
      repeat rewrite andb_true_iff in G. destruct G as (((J & I) & M) & N).
      apply Nat.ltb_lt in J, I. apply Nat.eqb_eq in M, N.
      assert (R : real j i) by (split; lia). apply has_later with (S j); [| lia].
      rewrite <- M, <- N. now apply has_got, IH.
    Qed.

    Lemma senders_have k : forall i, real k i -> has k (message (tr k i)) (sender (tr k i)).
    Proof.
      induction k as [k IH] using lt_wf_ind. intros i R. pose proof (transfers_ok k i R) as T.
      unfold transfer_ok in T. cbv zeta in T. repeat rewrite andb_true_iff in T. destruct T as (_ & T).
      apply orb_true_iff in T. destruct T as [O | G].
      - apply Nat.eqb_eq in O. rewrite O. apply has_later with 0; [apply has_owner | lia].
      - apply andb_true_iff in G. destruct G as [_ G].
        apply got_has; [intros j x Rx L; now apply IH | destruct R; lia | exact G].
    Qed.

    (* All that is wanted is delivered; no transfer carries what its sender does not have; no line is used
       twice in a step; nobody gets a message twice. *)
    Theorem schedule_delivers :
      (forall w, w < wants p -> has (steps s) (fst (want p w)) (snd (want p w))) /\
      (forall k i, real k i -> has k (message (tr k i)) (sender (tr k i))) /\
      ways_fit /\
      (forall k i j x, real k i -> real j x -> message (tr k i) = message (tr j x) ->
         receiver (tr k i) = receiver (tr j x) -> k = j /\ i = x).
    Proof.
      split; [| split; [exact (fun k i R => senders_have k i R) | split]].
      - intros w W. pose proof ok as O. unfold check_schedule in O. apply andb_true_iff in O. destruct O as [_ O].
        pose proof (all_below_true _ _ O w W) as G. unfold want_ok in G. destruct (want p w) as [m n].
        apply andb_true_iff in G. destruct G as [_ G].
        apply got_has; [intros j i R _; now apply senders_have | lia | exact G].
      - apply ways_ok. intros k i R. pose proof (transfers_ok k i R) as T. unfold transfer_ok in T.
        cbv zeta in T. repeat rewrite andb_true_iff in T. tauto.
      - intros k i j x R Q M N. pose proof (transfers_ok k i R) as A. pose proof (transfers_ok j x Q) as B.
        unfold transfer_ok in A, B. cbv zeta in A, B. repeat rewrite andb_true_iff in A, B.
        destruct A as (((_ & A) & _) & _), B as (((_ & B) & _) & _). apply pair_is_true in A, B.
        rewrite M, N, B in A. inversion A. auto.
    Qed.
  End Deliveries.

  (* Reductions. *)
  Section Parts.
    Hypothesis ok : check_reduction = true.

    Lemma parts_ok k i : real k i -> part_ok k i = true.
    Proof.
      apply each_transfer. exact (proj1 (proj1 (andb_true_iff _ _) ok)).
    Qed.

    (* The one transfer by which a node sends its partial result. *)
    Lemma one_sender k i j x : real k i -> real j x -> message (tr k i) = message (tr j x) ->
      sender (tr k i) = sender (tr j x) -> k = j /\ i = x.
    Proof.
      intros R Q M N. pose proof (parts_ok k i R) as A. pose proof (parts_ok j x Q) as B.
      unfold part_ok in A, B. cbv zeta in A, B. repeat rewrite andb_true_iff in A, B.
      destruct A as (((_ & A) & _) & _), B as (((_ & B) & _) & _). apply pair_is_true in A, B.
      rewrite M, N, B in A. inversion A. auto.
    Qed.

    Lemma owner_keeps k i : real k i -> sender (tr k i) <> owner p (message (tr k i)).
    Proof.
      intros R. pose proof (parts_ok k i R) as A. unfold part_ok in A. cbv zeta in A.
      repeat rewrite andb_true_iff in A. destruct A as (((_ & _) & W) & _). unfold wanted in W. cbv zeta in W.
      apply andb_true_iff in W. destruct W as [L P]. apply Nat.ltb_lt in L. apply pair_is_true in P.
      pose proof ok as O. unfold check_reduction in O. apply andb_true_iff in O. destruct O as [_ O].
      pose proof (all_below_true _ _ O _ L) as G. unfold gift_ok in G. rewrite P in G.
      apply andb_true_iff in G. destruct G as [G _]. apply negb_true_iff, Nat.eqb_neq in G. exact G.
    Qed.

    Lemma waits_for_its_step m c n j i : real j i -> message (tr j i) = m -> sender (tr j i) = n ->
      forall d k, k + d = j -> part m c k n -> part m c j n.
    Proof.
      intros R M N. induction d as [| d IH]; intros k K P; [now replace j with k by lia |].
      apply (IH (S k)); [lia |]. apply part_stays; [exact P |]. intros x Q [A B].
      destruct (one_sender k x j i Q R) as [X _]; [congruence | congruence | lia].
    Qed.

    Lemma stays_with_owner m c : forall d k, k + d = steps s -> part m c k (owner p m) ->
      part m c (steps s) (owner p m).
    Proof.
      induction d as [| d IH]; intros k K P; [now replace (steps s) with k by lia |].
      apply (IH (S k)); [lia |]. apply part_stays; [exact P |]. intros x Q [A B].
      apply (owner_keeps k x Q). now rewrite A.
    Qed.

    Lemma part_ends m c : forall d k n, steps s - k <= d -> part m c k n -> k <= steps s ->
      n = owner p m \/ sends_from k m n = true -> part m c (steps s) (owner p m).
    Proof.
      induction d as [| d IH]; intros k n D P K [-> | G];
        try (now apply (stays_with_owner m c (steps s - k) k); [lia | exact P]).
      - unfold sends_from in G. destruct (moved_by h m n) as [j i]. repeat rewrite andb_true_iff in G.
        destruct G as ((((A & B) & _) & _) & _). apply negb_true_iff, Nat.ltb_ge in A.
        apply Nat.ltb_lt in B. lia.
      - unfold sends_from in G. destruct (moved_by h m n) as [j i] eqn:Mo. repeat rewrite andb_true_iff in G.
        destruct G as ((((A & B) & I) & M) & N). apply negb_true_iff, Nat.ltb_ge in A.
        apply Nat.ltb_lt in B, I. apply Nat.eqb_eq in M, N. assert (R : real j i) by now split.
        pose proof (waits_for_its_step m c n j i R M N (j - k) k ltac:(lia) P) as Q. rewrite <- N in Q.
        pose proof (part_goes m c j i R M Q) as Z. apply (IH (S j) (receiver (tr j i))); [lia | exact Z | lia |].
        pose proof (parts_ok j i R) as O. unfold part_ok in O. cbv zeta in O.
        repeat rewrite andb_true_iff in O. destruct O as (_ & O). apply orb_true_iff in O. rewrite M in O.
        destruct O as [O | O]; [left; now apply Nat.eqb_eq | now right].
    Qed.

    Lemma one_place m c k : forall n, part m c k n -> forall q, part m c k q -> n = q.
    Proof.
      induction k as [| k IH]; intros n P q Q.
      - inversion P; inversion Q; congruence.
      - inversion P as [| k1 i R M S1 | k1 n1 S1 No]; inversion Q as [| k2 j R' M' S2 | k2 n2 S2 No']; subst.
        + pose proof (IH _ S1 _ S2) as E. destruct (one_sender k i k j R R') as [_ ->]; congruence.
        + pose proof (IH _ S1 _ S2) as E. exfalso. apply (No' i R). auto.
        + pose proof (IH _ S1 _ S2) as E. exfalso. apply (No j R'). auto.
        + now apply IH.
    Qed.

    (* Every part ends with the owner of its result, and is in one place at any time, so that it counts once;
       no line is used twice in a step. *)
    Theorem reduction_delivers :
      (forall w, w < wants p ->
         part (fst (want p w)) (snd (want p w)) (steps s) (owner p (fst (want p w)))) /\
      (forall m c k n q, part m c k n -> part m c k q -> n = q) /\
      ways_fit.
    Proof.
      split; [| split].
      - intros w W. pose proof ok as O. unfold check_reduction in O. apply andb_true_iff in O. destruct O as [_ O].
        pose proof (all_below_true _ _ O w W) as G. unfold gift_ok in G. destruct (want p w) as [m n].
        apply andb_true_iff in G. destruct G as [_ G]. cbn.
        apply (part_ends m n (steps s) 0 n); [lia | apply part_start | lia | now right].
      - intros m c k n q P Q. exact (one_place m c k n P q Q).
      - apply ways_ok. intros k i R. pose proof (parts_ok k i R) as T. unfold part_ok in T.
        cbv zeta in T. repeat rewrite andb_true_iff in T. tauto.
    Qed.
  End Parts.
End Schedule.
