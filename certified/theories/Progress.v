(* SPDX-License-Identifier: Apache-2.0 *)
(* No deadlock, and no lost packet, where buffers have numbers that rise along every path.

   Who is in front of a buffer goes on into a buffer with a larger number. That one is empty, and takes the
   flit, or the packet that is writing it can move; or somebody is in front of it, and the same holds of him.
   Numbers are bounded, so this ends with somebody who can move. *)
Require Import List Arith Lia Relations.
From Unknot Require Import Flits FlitLists Invariant.
Import ListNotations.

Section Progress.
  Variables F R : Type.
  Variable R_eq : forall a b : R, {a = b} + {a <> b}.
  Variable first : F -> action R.
  Variable next : F -> R -> action R.
  Variable flow : nat -> F.
  Variable len : nat -> nat.
  Variable cap : R -> nat.
  Variable admits : option R -> R -> list flit -> nat -> Prop.
  Variable path : F -> list R.
  Variable rank : R -> nat.
  Variable top : nat.

  Hypothesis paths : forall p, path_ok F R first next path (flow p).
  Hypothesis some_room : forall b, 0 < cap b.
  Hypothesis admit_empty : forall from b p, admits from b [] (len p).
  Hypothesis rises : forall p i a b,
    nth_error (path (flow p)) i = Some a -> nth_error (path (flow p)) (S i) = Some b -> rank a < rank b.
  Hypothesis bounded : forall p b, In b (path (flow p)) -> rank b <= top.

  Notation St := (state R).
  Notation Move := (move R_eq first next flow len cap admits).
  Notation Reachable := (reachable R_eq first next flow len cap admits).
  Notation Can_move := (can_move R_eq first next flow len cap admits).
  Notation Waits := (waits_for next flow).
  Notation Inv := (invariant F R flow len path).
  Notation at_stage p i b := (nth_error (path (flow p)) i = Some b).
  Notation size p := (length (path (flow p))).

  Lemma upd_same (A : Type) (f : R -> A) b v : upd R_eq f b v b = v.
  Proof. unfold upd. destruct (R_eq b b); congruence. Qed.
  Lemma upd_other (A : Type) (f : R -> A) b v x : b <> x -> upd R_eq f b v x = f x.
  Proof. unfold upd. destruct (R_eq b x); congruence. Qed.

  Lemma size_positive p : 0 < size p.
  Proof.
    destruct (path_first _ _ _ _ _ _ (paths p)) as (b & H & _). apply nth_error_Some. congruence.
  Qed.

  Lemma first_is p b : first (flow p) = Go b -> at_stage p 0 b.
  Proof. intro H. destruct (path_first _ _ _ _ _ _ (paths p)) as (a & J & K). congruence. Qed.

  Lemma next_is p i a b : at_stage p i a -> next (flow p) a = Go b -> at_stage p (S i) b.
  Proof.
    intros H J. destruct (nth_error (path (flow p)) (S i)) as [c |] eqn:C.
    - pose proof (path_next _ _ _ _ _ _ (paths p) _ _ _ H C). congruence.
    - pose proof (path_last _ _ _ _ _ _ (paths p) _ _ H C). congruence.
  Qed.

  Lemma never_lost p i a : at_stage p i a -> next (flow p) a = Lost -> False.
  Proof.
    intros H J. destruct (nth_error (path (flow p)) (S i)) as [c |] eqn:C.
    - pose proof (path_next _ _ _ _ _ _ (paths p) _ _ _ H C). congruence.
    - pose proof (path_last _ _ _ _ _ _ (paths p) _ _ H C). congruence.
  Qed.

  Lemma deliver_is p i a : at_stage p i a -> next (flow p) a = Deliver -> S i = size p.
  Proof.
    intros H J. destruct (nth_error (path (flow p)) (S i)) as [c |] eqn:C.
    - pose proof (path_next _ _ _ _ _ _ (paths p) _ _ _ H C). congruence.
    - apply nth_error_None in C. assert (i < size p) by (apply nth_error_Some; congruence). lia.
  Qed.

  (* Every move raises one number by one. *)
  Lemma move_is s s' E p : Inv s E -> Move p s s' -> exists j, moved F R flow len admits path s s' E p j.
  Proof.
    intros I M. destruct M as [b L H N | L H | b i rest b' B H N | b i rest B H | b i rest B H].
    - exists 0. pose proof (first_is _ _ H) as A. pose proof (inv_sent _ _ _ _ _ _ _ I p) as Se.
      pose proof (size_positive p) as Z.
      constructor; unfold way; cbn [buf writer sent arrived lost send enter leave arrive lose]; try lia; auto.
      + intro q. destruct (Nat.eq_dec 0 (size p)); [lia | reflexivity].
      + intros c C. replace c with b by congruence. rewrite upd_same. now rewrite Se.
      + intros c C _. rewrite upd_other; congruence.
      + intros c C. replace c with b by congruence. rewrite upd_same. now rewrite Se.
      + intros c C. rewrite upd_other; congruence.
      + intros c C. replace c with b by congruence. destruct N as [_ N]. rewrite Se.
        destruct (sent s p); cbn; tauto.
      + intros c C Q. replace c with b by congruence. rewrite Se in Q. destruct N as [_ N]. now rewrite Q in N.
    - destruct (path_first _ _ _ _ _ _ (paths p)) as (b & _ & J). congruence.
    - destruct (front_stage _ _ R_eq _ _ _ _ _ _ _ _ _ I B) as (j & J & -> & K).
      exists (S j). pose proof (next_is _ _ _ _ J H) as A.
      assert (NE : b <> b').
      { intros ->. pose proof (stage_unique _ _ _ _ _ _ paths _ _ _ _ J A). lia. }
      constructor; unfold way; cbn [buf writer sent arrived lost send enter leave arrive lose]; auto.
      + assert (S j < size p) by (apply nth_error_Some; congruence). lia.
      + intro q. destruct (Nat.eq_dec (S j) (size p)); [| reflexivity].
        assert (S j < size p) by (apply nth_error_Some; congruence). lia.
      + intros i c Q C. inversion Q; subst i. unfold way in J. replace c with b by congruence.
        rewrite upd_other by congruence. now rewrite upd_same.
      + intros c C. replace c with b' by congruence. rewrite upd_same. now rewrite upd_other by auto.
      + intros c C D. rewrite upd_other by congruence. apply upd_other. intros ->.
        now apply (D j eq_refl).
      + intros c C. replace c with b' by congruence. now rewrite upd_same.
      + intros c C. apply upd_other. congruence.
      + intros c C. replace c with b' by congruence. destruct N as [_ N]. cbn in N.
        destruct (E p (S j)); cbn in *; tauto.
      + intros c C Q. replace c with b' by congruence. destruct N as [_ N]. rewrite Q in N. cbn in N.
        unfold upd in N. unfold before. rewrite J. destruct (R_eq b b'); [contradiction | apply N].
    - destruct (front_stage _ _ R_eq _ _ _ _ _ _ _ _ _ I B) as (j & J & -> & K).
      exists (S j). pose proof (deliver_is _ _ _ J H) as A.
      assert (Z : forall c, at_stage p (S j) c -> False).
      { intros c C. assert (S j < size p) by (apply nth_error_Some; congruence). lia. }
      constructor; unfold way; cbn [buf writer sent arrived lost send enter leave arrive lose]; auto; try (intros; exfalso; eauto; fail).
      + lia.
      + intro q. destruct (Nat.eq_dec (S j) (size p)); [reflexivity | lia].
      + intros i c Q C. inversion Q; subst i. unfold way in J. replace c with b by congruence.
        now rewrite upd_same.
      + intros c C D. apply upd_other. intros ->. now apply (D j eq_refl).
    - destruct (front_stage _ _ R_eq _ _ _ _ _ _ _ _ _ I B) as (j & J & -> & K).
      now pose proof (never_lost _ _ _ J H).
  Qed.

  Theorem reachable_invariant s : Reachable s -> exists E, Inv s E.
  Proof.
    induction 1 as [| p s s' _ (E & I) M].
    - exists (fun _ _ => 0). apply invariant_start.
    - destruct (move_is _ _ _ _ I M) as (j & J). exists (raise E p j).
      exact (invariant_moved _ _ R_eq _ _ _ _ _ _ paths s s' E p j I J).
  Qed.

  Lemma E_falls s E p i : Inv s E -> i <= size p -> E p (size p) <= E p i /\ E p i <= E p 0.
  Proof.
    intros I H. split.
    - assert (G : forall n, i + n <= size p -> E p (i + n) <= E p i).
      { induction n; intro K; [rewrite Nat.add_0_r; lia |]. rewrite Nat.add_succ_r in *.
        pose proof (inv_falls _ _ _ _ _ _ _ I p (i + n) ltac:(unfold way; lia)). lia. }
      replace (size p) with (i + (size p - i)) at 1 by lia. apply G. lia.
    - induction i; [lia |]. pose proof (inv_falls _ _ _ _ _ _ _ I p i ltac:(unfold way; lia)). lia.
  Qed.

  (* A flit that is not the first of its packet, and the next to leave its stage, is in front. *)
  Lemma in_front s E p i a : Inv s E -> at_stage p i a -> 0 < E p (S i) -> E p (S i) < E p i ->
    exists rest, buf s a = (p, E p (S i)) :: rest.
  Proof.
    intros I A P L. pose proof (inv_mine _ _ _ _ _ _ _ I _ _ _ A) as M.
    assert (H : In (p, E p (S i)) (buf s a)).
    { apply (proj2 (mine_in _ _ _)). rewrite M. unfold run. apply in_map. apply in_seq. lia. }
    apply in_split in H. destruct H as (l1 & l2 & H).
    destruct l1 as [| x l1]; [now exists l2 |]. exfalso.
    destruct (exists_last (l := x :: l1) ltac:(discriminate)) as (l & y & Y). rewrite Y, <- app_assoc in H.
    destruct (E p (S i)) as [| e] eqn:Q; [lia |].
    pose proof (inv_contiguous _ _ _ _ _ _ _ I a l y p e l2 H) as ->.
    assert (J : In (p, e) (buf s a)) by (rewrite H; apply in_or_app; right; now left).
    apply (proj1 (mine_in _ _ _)) in J. rewrite M in J. apply run_in in J. lia.
  Qed.

  (* A buffer that p is writing, with none of its flits inside, is empty. *)
  Lemma written_empty s E p i a : Inv s E -> at_stage p i a -> 0 < E p i < len p -> E p (S i) = E p i ->
    buf s a = [].
  Proof.
    intros I A L Q. pose proof (inv_writes _ _ _ _ _ _ _ I _ _ _ A L) as W.
    destruct (inv_last _ _ _ _ _ _ _ I _ _ W) as [B | (l & k & B)]; [exact B |]. exfalso.
    pose proof (inv_mine _ _ _ _ _ _ _ I _ _ _ A) as M. rewrite B, mine_app, mine_one, Q, Nat.sub_diag in M.
    cbn in M. destruct (mine p l); discriminate.
  Qed.

  (* Who is writing an empty buffer can move: its next flit is in front of a buffer behind, or at the source. *)
  Lemma writer_moves s E p i b : Inv s E -> at_stage p i b -> 0 < E p i < len p -> buf s b = [] ->
    Can_move s p.
  Proof.
    intros I. revert b. induction i as [| i IH]; intros b A L B.
    - pose proof (inv_sent _ _ _ _ _ _ _ I p) as Se.
      destruct (path_first _ _ _ _ _ _ (paths p)) as (b' & J & K).
      assert (b' = b) as -> by congruence.
      split; [lia |]. eexists. eapply Inject; [lia | exact K |]. split.
      + rewrite B. apply some_room.
      + destruct (sent s p) eqn:Z; [lia |]. apply (inv_writes _ _ _ _ _ _ _ I p 0 b A). lia.
    - assert (N : S i < size p) by (apply nth_error_Some; congruence).
      destruct (nth_error (path (flow p)) i) as [a |] eqn:C; [| apply nth_error_None in C; lia].
      pose proof (inv_falls _ _ _ _ _ _ _ I p i ltac:(unfold way; lia)) as Fa.
      pose proof (E_falls _ _ p i I ltac:(lia)) as [_ Z].
      assert (LE : E p i <= len p) by (pose proof (inv_len _ _ _ _ _ _ _ I p); lia).
      destruct (Nat.eq_dec (E p (S i)) (E p i)) as [Q | Q].
      + apply (IH a); auto; [lia |]. apply (written_empty _ _ _ _ _ I C); lia.
      + destruct (in_front _ _ _ _ _ I C ltac:(lia) ltac:(lia)) as (rest & D).
        split; [rewrite <- (inv_sent _ _ _ _ _ _ _ I p); lia |].
        eexists. eapply Advance; [exact D | idtac | idtac].
        * exact (path_next _ _ _ _ _ _ (paths p) i a b C A).
        * split; [rewrite B; apply some_room |]. destruct (E p (S i)) eqn:Y; [lia |].
          apply (inv_writes _ _ _ _ _ _ _ I p (S i) b A). lia.
  Qed.

  Definition leads (s : St) : nat -> nat -> Prop := clos_refl_trans nat (Waits s).

  Lemma front_leads n : forall s E b p i rest, Inv s E -> top - rank b < n -> buf s b = (p, i) :: rest ->
    exists q, leads s p q /\ Can_move s q.
  Proof.
    induction n as [| n IH]; intros s E b p i rest I N B; [lia |].
    destruct (front_stage _ _ R_eq _ _ _ _ _ _ _ _ _ I B) as (j & J & Q & K).
    assert (Z : 0 < sent s p).
    { rewrite <- (inv_sent _ _ _ _ _ _ _ I p).
      assert (j < size p) by (apply nth_error_Some; unfold way in J; congruence).
      pose proof (E_falls _ _ p j I ltac:(lia)). lia. }
    destruct (next (flow p) b) as [c | |] eqn:X.
    - pose proof (next_is _ _ _ _ J X) as C.
      assert (Need : needs next flow s p c) by (right; eauto).
      destruct (buf s c) as [| (q, k) rest'] eqn:D.
      + destruct i as [| i].
        * destruct (writer s c) as [q |] eqn:W.
          -- exists q. split; [apply rt_step; exists c; split; [exact Need | now right] |].
             destruct (inv_writer _ _ _ _ _ _ _ I q c W) as (l & A & L). now apply (writer_moves _ _ _ _ _ I A).
          -- exists p. split; [apply rt_refl |]. split; [exact Z |]. eexists.
             eapply Advance; [exact B | exact X |]. split; rewrite D; auto.
        * exists p. split; [apply rt_refl |]. split; [exact Z |]. eexists.
          eapply Advance; [exact B | exact X |]. split; [rewrite D; apply some_room |].
          apply (inv_writes _ _ _ _ _ _ _ I p (S j) c C).
          assert (j < size p) by (apply nth_error_Some; unfold way in J; congruence).
          pose proof (E_falls _ _ p j I ltac:(lia)). pose proof (inv_len _ _ _ _ _ _ _ I p). lia.
      + pose proof (rises _ _ _ _ J C) as Ri. pose proof (bounded p c (nth_error_In _ _ C)) as Bo.
        destruct (IH s E c q k rest' I ltac:(lia) D) as (r & L & M). exists r. split; [| exact M].
        apply rt_trans with q; [| exact L]. apply rt_step. exists c. split; [exact Need |].
        left. exists k. rewrite D. now left.
    - exists p. split; [apply rt_refl |]. split; [exact Z |]. eexists. eapply Consume; [exact B | exact X].
    - now pose proof (never_lost _ _ _ J X).
  Qed.

  (* Some stage of a packet holds a flit, or all its flits that have been sent are there. *)
  Lemma some_stage s E p : Inv s E -> (exists i, i < size p /\ E p (S i) < E p i) \/ E p (size p) = E p 0.
  Proof.
    intro I. assert (G : forall n, n <= size p -> (exists i, i < n /\ E p (S i) < E p i) \/ E p n = E p 0).
    { induction n; intro H; [now right |]. destruct (IHn ltac:(lia)) as [(i & L & K) | Q].
      - left. exists i. split; [lia | exact K].
      - pose proof (inv_falls _ _ _ _ _ _ _ I p n ltac:(unfold way; lia)).
        destruct (Nat.eq_dec (E p (S n)) (E p n)); [right; lia | left; exists n; lia]. }
    now apply G.
  Qed.

  (* Every packet under way waits, step by step, for one that can move. *)
  Theorem waits_end s p : Reachable s -> under_way len s p -> exists q, leads s p q /\ Can_move s q.
  Proof.
    intros Re [Se Ar]. destruct (reachable_invariant _ Re) as (E & I).
    destruct (some_stage _ _ p I) as [(i & L & K) | Q].
    - destruct (nth_error (path (flow p)) i) as [b |] eqn:A; [| apply nth_error_None in A; lia].
      assert (H : In (p, E p (S i)) (buf s b)).
      { apply (proj2 (mine_in _ _ _)). rewrite (inv_mine _ _ _ _ _ _ _ I _ _ _ A). apply in_map. apply in_seq. lia. }
      destruct (buf s b) as [| (q, k) rest] eqn:B; [contradiction |].
      destruct (front_leads _ s E b q k rest I (Nat.lt_succ_diag_r _) B) as (r & Le & M).
      exists r. split; [| exact M]. apply rt_trans with q; [| exact Le]. apply rt_step. exists b. split.
      + left. exists (E p (S i)). now rewrite B.
      + left. exists k. rewrite B. now left.
    - exists p. split; [apply rt_refl |]. destruct (path_first _ _ _ _ _ _ (paths p)) as (b & A & _).
      pose proof (inv_sent _ _ _ _ _ _ _ I p). pose proof (inv_arrived _ _ _ _ _ _ _ I p) as AA.
      unfold way in AA. pose proof (E_falls _ _ p 1 I ltac:(pose proof (size_positive p); lia)).
      apply (writer_moves _ _ _ _ _ I A); [lia |]. apply (written_empty _ _ _ _ _ I A); lia.
  Qed.

  (* No set of packets, however small, waits for nobody but itself. *)
  Theorem no_deadlock s D : Reachable s -> ~ deadlocked R_eq first next flow len cap admits s D.
  Proof.
    intros Re [(p & P) C]. destruct (waits_end s p Re (proj1 (C p P))) as (q & L & M).
    assert (G : D q).
    { clear M. apply clos_rt_rt1n in L. induction L as [| x y z W L IH]; [exact P |].
      apply IH. now apply (C x). }
    now apply (proj1 (proj2 (C q G))).
  Qed.

  Theorem nothing_lost s p : Reachable s -> lost s p = 0.
  Proof. intro Re. destruct (reachable_invariant _ Re) as (E & I). apply (inv_lost _ _ _ _ _ _ _ I). Qed.
End Progress.
