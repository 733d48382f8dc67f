(* SPDX-License-Identifier: Apache-2.0 *)
(* Bubble flow control, flit by flit (Puente et al. 1999).

   Virtual cut-through; buffers of rings have room for so many packets, slots, of the largest size. A packet
   enters a ring only where a slot more is left after it, and moves on in its ring where there is one for it.
   A packet may lie in several buffers at once and takes a slot in each.

   Who has begun to enter a buffer can always go on. So where nobody in a ring can move, nobody is about to
   enter any of its buffers, all in front want to go on in the ring, and all of it is full. That never
   happens: who has entered from outside has left a slot free, and who came along the ring has freed one. *)
Require Import List Arith Lia Relations.
From Unknot Require Import Flits FlitLists Invariant Progress Room Delivery Distinct.
Import ListNotations.

Section Bubble.
  Variables F R X : Type.
  Variable R_eq : forall a b : R, {a = b} + {a <> b}.
  Variable X_eq : forall a b : X, {a = b} + {a <> b}.
  Variable first : F -> action R.
  Variable next : F -> R -> action R.
  Variable flow : nat -> F.
  Variable len : nat -> nat.
  Variable cap : R -> nat.
  Variable path : F -> list R.
  Variable rank : R -> nat.
  Variable top : nat.
  Variable slots : R -> nat.
  Variable longest : nat.
  Variable ring : R -> option X.
  Variable succ : R -> R.

  Hypothesis paths : forall p, path_ok F R first next path (flow p).
  Hypothesis rises : forall p i a b,
    nth_error (path (flow p)) i = Some a -> nth_error (path (flow p)) (S i) = Some b ->
    rank a < rank b \/ rank a = rank b /\ b = succ a /\ exists x, ring a = Some x.
  Hypothesis bounded : forall p b, In b (path (flow p)) -> rank b <= top.
  Hypothesis some_room : forall b, 0 < cap b.
  Hypothesis lengths : forall p, len p <= longest.
  Hypothesis fits : forall b, longest <= cap b.
  Hypothesis slots_fit : forall b x, ring b = Some x -> slots b * longest <= cap b.
  Hypothesis two_slots : forall b x, ring b = Some x -> 1 < slots b.
  Hypothesis ring_succ : forall a x, ring a = Some x -> ring (succ a) = Some x.
  Hypothesis cycle : forall a b x, ring a = Some x -> ring b = Some x -> exists n, b = Nat.iter n succ a.

  Definition same_ring (from : option R) (x : X) : Prop := exists a, from = Some a /\ ring a = Some x.
  (* The rule: room for the whole packet, and in a ring for one packet more of those that come from outside. *)
  Definition bubble (from : option R) (b : R) (l : list flit) (n : nat) : Prop :=
    length l + n <= cap b /\
    match ring b with
    | None => True
    | Some x => S (distinct l) < slots b \/ same_ring from x /\ distinct l < slots b
    end.

  Notation St := (state R).
  Notation Move := (move R_eq first next flow len cap bubble).
  Notation Reachable := (reachable R_eq first next flow len cap bubble).
  Notation Can_move := (can_move R_eq first next flow len cap bubble).
  Notation Waits := (waits_for next flow).
  Notation Inv := (invariant F R flow len path).
  Notation Moved := (moved F R flow len bubble path).
  Notation at_stage p i b := (nth_error (path (flow p)) i = Some b).
  Notation size p := (length (path (flow p))).

  (* What holds of slots in every state. *)
  Record slotted (s : St) (E : nat -> nat -> nat) : Prop := {
    s_free : kept_free F R flow len cap path s E;
    s_full : forall c x, ring c = Some x -> writer s c = None -> distinct (buf s c) <= slots c;
    s_taken : forall c x p, ring c = Some x -> writer s c = Some p -> others p (buf s c) < slots c;
    s_bubble : forall c x p i, ring c = Some x -> at_stage p i c -> writer s c = Some p ->
               same_ring (before F R flow path p i) x \/ S (others p (buf s c)) < slots c;
    s_ring : forall b x, ring b = Some x ->
             exists c, ring c = Some x /\ (writer s c <> None \/ distinct (buf s c) < slots c)
  }.

  Lemma slotted_start : slotted (start R) (fun _ _ => 0).
  Proof.
    constructor; cbn; try discriminate.
    - intros p i b _ L. lia.
    - intros c x H _. pose proof (two_slots c x H). unfold distinct. cbn. lia.
    - intros b x H. exists b. split; [exact H |]. right. pose proof (two_slots b x H). unfold distinct. cbn. lia.
  Qed.

  Lemma slotted_moved s s' E p j : Inv s E -> slotted s E -> Moved s s' E p j -> slotted s' (raise E p j).
  Proof.
    intros I [Fr Fu Ta Bu Ri] M. pose proof (invariant_moved _ _ R_eq _ _ _ _ _ _ paths s s' E p j I M) as I'.
    (* Elsewhere a buffer loses a flit at most. *)
    assert (El : forall c, ~ at_stage p j c -> forall q i, In (q, i) (buf s' c) -> In (q, i) (buf s c)).
    { intros c N q i H. destruct (moved_elsewhere _ _ R_eq _ _ _ _ _ _ _ _ _ _ M N) as [Q | Q]; rewrite Q in *;
        [exact H | now right]. }
    assert (Fewer : forall c, ~ at_stage p j c -> distinct (buf s' c) <= distinct (buf s c)).
    { intros c N. apply distinct_le. intros q i H. exists i. now apply El. }
    assert (FewerO : forall c q, ~ at_stage p j c -> others q (buf s' c) <= others q (buf s c)).
    { intros c q N. apply others_le. intros r i H _. exists i. now apply El. }
    (* Where p enters, the others stay. *)
    assert (Same : forall c, at_stage p j c -> others p (buf s' c) <= others p (buf s c)).
    { intros c A. apply others_le. intros q i H N. rewrite (m_entered _ _ _ _ _ _ _ _ _ _ _ M c A) in H.
      apply in_app_or in H. destruct H as [H | [H | []]]; [eauto | congruence]. }
    assert (Who : forall c, at_stage p j c -> writer s c = if Nat.eq_dec (E p j) 0 then None else Some p)
      by apply (m_before _ _ _ _ _ _ _ _ _ _ _ M).
    assert (Rule : forall c, at_stage p j c -> E p j = 0 -> bubble (before F R flow path p j) c (buf s c) (len p))
      by apply (m_admits _ _ _ _ _ _ _ _ _ _ _ M).
    assert (Before : forall c x, at_stage p j c -> ring c = Some x -> others p (buf s c) < slots c).
    { intros c x A Rc. pose proof (Who c A) as W. destruct (Nat.eq_dec (E p j) 0) as [Z | Z].
      - pose proof (Rule c A Z) as [_ Ru]. rewrite Rc in Ru. pose proof (others_distinct p (buf s c)). lia.
      - now apply (Ta c x). }
    assert (Writes : forall c q, at_stage p j c -> writer s' c = Some q -> q = p).
    { intros c q A W. rewrite (m_writer _ _ _ _ _ _ _ _ _ _ _ M c A) in W. unfold writer_after in W.
      destruct (Nat.eq_dec (S (E p j)) (len p)); congruence. }
    constructor.
    - exact (free_after_any F R R_eq first next flow len cap path paths bubble s s' E p j
             (fun _ _ _ _ H => proj1 H) I Fr M).
    - intros c x Rc W. destruct (stage_dec F R R_eq flow path p j c) as [A | A].
      + pose proof (distinct_others p (buf s' c)). pose proof (Same c A). pose proof (Before c x A Rc). lia.
      + rewrite (m_writers _ _ _ _ _ _ _ _ _ _ _ M c A) in W. pose proof (Fu c x Rc W). pose proof (Fewer c A). lia.
    - intros c x q Rc W. destruct (stage_dec F R R_eq flow path p j c) as [A | A].
      + pose proof (Writes c q A W) as ->. pose proof (Same c A). pose proof (Before c x A Rc). lia.
      + rewrite (m_writers _ _ _ _ _ _ _ _ _ _ _ M c A) in W. pose proof (Ta c x q Rc W). pose proof (FewerO c q A). lia.
    - intros c x q i Rc Ai W. destruct (stage_dec F R R_eq flow path p j c) as [A | A].
      + pose proof (Writes c q A W) as ->.
        assert (i = j) as -> by exact (stage_unique F R first next flow path paths p i j c Ai A).
        pose proof (Who c A) as W0. pose proof (Same c A). destruct (Nat.eq_dec (E p j) 0) as [Z | Z].
        * pose proof (Rule c A Z) as [_ Ru]. rewrite Rc in Ru. destruct Ru as [Ru | [Ru _]]; [right | now left].
          pose proof (others_distinct p (buf s c)). lia.
        * destruct (Bu c x p j Rc A W0) as [B | B]; [now left | right; lia].
      + rewrite (m_writers _ _ _ _ _ _ _ _ _ _ _ M c A) in W. pose proof (FewerO c q A).
        destruct (Bu c x q i Rc Ai W) as [B | B]; [now left | right; lia].
    - intros b x Rb. destruct (Ri b x Rb) as (c & Rc & Wc). destruct (stage_dec F R R_eq flow path p j c) as [A | A].
      2: { exists c. split; [exact Rc |]. rewrite (m_writers _ _ _ _ _ _ _ _ _ _ _ M c A). pose proof (Fewer c A).
           destruct Wc as [Wc | Wc]; [now left | right; lia]. }
      pose proof (m_writer _ _ _ _ _ _ _ _ _ _ _ M c A) as W'. unfold writer_after in W'.
      destruct (Nat.eq_dec (S (E p j)) (len p)) as [Last | NL].
      2: { exists c. split; [exact Rc |]. left. congruence. }
      (* The last flit of p has entered c. *)
      assert (Split : same_ring (before F R flow path p j) x \/ S (others p (buf s c)) < slots c).
      { pose proof (Who c A) as W0. destruct (Nat.eq_dec (E p j) 0) as [Z | Z]; [| now apply (Bu c x p j)].
        pose proof (Rule c A Z) as [_ Ru]. rewrite Rc in Ru. destruct Ru as [Ru | [Ru _]]; [right | now left].
        pose proof (others_distinct p (buf s c)). lia. }
      destruct Split as [(a & Fa & Ra) | Room].
      + destruct j as [| i]; [discriminate |]. cbn in Fa. unfold way in Fa.
        assert (NA : ~ at_stage p (S i) a).
        { intro A2. pose proof (stage_unique F R first next flow path paths p i (S i) a Fa A2). lia. }
        exists a. split; [exact Ra |]. rewrite (m_writers _ _ _ _ _ _ _ _ _ _ _ M a NA).
        destruct (writer s a) as [q |] eqn:Wa; [left; discriminate |]. right.
        pose proof (Fu a x Ra Wa) as Fua.
        pose proof (m_left _ _ _ _ _ _ _ _ _ _ _ M i a eq_refl Fa) as Le.
        enough (S (distinct (buf s' a)) <= distinct (buf s a)) by lia.
        apply distinct_less with p; [exists (E p (S i)); rewrite Le; now left |].
        intros q k H. split; [| rewrite Le; now right]. intros ->. apply mine_in in H.
        rewrite (inv_mine _ _ _ _ _ _ _ I' p i a Fa) in H. apply run_in in H.
        rewrite raise_here, raise_stage in H by lia.
        pose proof (E_below _ _ _ _ _ s E p i I) as Eb.
        assert (i < length (way F R flow path p)) by (apply nth_error_Some; unfold way; congruence).
        specialize (Eb ltac:(lia)). lia.
      + exists c. split; [exact Rc |]. right. pose proof (distinct_others p (buf s' c)). pose proof (Same c A). lia.
  Qed.

  Theorem reachable_slotted s : Reachable s -> exists E, Inv s E /\ slotted s E.
  Proof.
    induction 1 as [| p s s' _ (E & I & T) M].
    - exists (fun _ _ => 0). split; [apply invariant_start | apply slotted_start].
    - destruct (move_is _ _ R_eq _ _ _ _ _ _ _ paths _ _ _ _ I M) as (j & J). exists (raise E p j). split.
      + exact (invariant_moved _ _ R_eq _ _ _ _ _ _ paths s s' E p j I J).
      + exact (slotted_moved s s' E p j I T J).
  Qed.

  (* Who has begun to enter a buffer can move. *)
  Lemma entering_moves s E p i b : Inv s E -> slotted s E -> at_stage p i b -> 0 < E p i < len p -> Can_move s p.
  Proof.
    intros I T. pose proof (s_free _ _ T) as K. revert b. induction i as [| i IH]; intros b A L.
    - pose proof (inv_sent _ _ _ _ _ _ _ I p) as Se.
      destruct (path_first _ _ _ _ _ _ (paths p)) as (b' & B & Fi). assert (b' = b) as -> by congruence.
      split; [lia |]. eexists. eapply Inject; [lia | exact Fi |]. split; [pose proof (K p 0 b A L); lia |].
      destruct (sent s p) eqn:Z; [lia |]. apply (inv_writes _ _ _ _ _ _ _ I p 0 b A). lia.
    - assert (N : S i < size p) by (apply nth_error_Some; congruence).
      destruct (nth_error (path (flow p)) i) as [a |] eqn:C; [| apply nth_error_None in C; lia].
      pose proof (inv_falls _ _ _ _ _ _ _ I p i ltac:(unfold way; lia)) as Fa.
      destruct (E_falls F R flow len path s E p i I ltac:(lia)) as [_ Z].
      pose proof (inv_len _ _ _ _ _ _ _ I p) as Le.
      destruct (Nat.eq_dec (E p (S i)) (E p i)) as [Q | Q]; [apply (IH a eq_refl); lia |].
      destruct (in_front F R flow len path s E p i a I C ltac:(lia) ltac:(lia)) as (rest & D).
      split; [rewrite <- (inv_sent _ _ _ _ _ _ _ I p); lia |].
      eexists. eapply Advance; [exact D | exact (path_next _ _ _ _ _ _ (paths p) i a b C A) |].
      split; [pose proof (K p (S i) b A L); lia |]. destruct (E p (S i)) eqn:Y; [lia |].
      apply (inv_writes _ _ _ _ _ _ _ I p (S i) b A). lia.
  Qed.

  Definition freed (s : St) (p : nat) : Prop := exists q, clos_refl_trans nat (Waits s) p q /\ Can_move s q.
  Lemma freed_by s p q : Waits s p q -> freed s q -> freed s p.
  Proof.
    intros W (r & L & C). exists r. split; [| exact C]. apply rt_trans with q; [now apply rt_step | exact L].
  Qed.
  Lemma freed_now s p : Can_move s p -> freed s p.
  Proof. intro C. exists p. split; [apply rt_refl | exact C]. Qed.

  Definition full (s : St) (b : R) : Prop := writer s b = None /\ slots b <= distinct (buf s b).

  Lemma front_freed s E b p k rest : Inv s E -> slotted s E -> buf s b = (p, k) :: rest ->
    (forall c q i l, rank b < rank c -> rank c <= top -> buf s c = (q, i) :: l -> freed s q) ->
    freed s p \/ (exists x, ring b = Some x) /\ full s (succ b) /\ rank (succ b) = rank b /\
                 next (flow p) b = Go (succ b).
  Proof.
    intros I T Q IH.
    destruct (front_stage _ _ R_eq _ _ _ _ _ _ _ _ _ I Q) as (i & A & Ek & Lt). unfold way in A.
    assert (Z : 0 < sent s p).
    { rewrite <- (inv_sent _ _ _ _ _ _ _ I p). assert (i < size p) by (apply nth_error_Some; congruence).
      destruct (E_falls F R flow len path s E p i I ltac:(lia)). lia. }
    destruct (next (flow p) b) as [c | |] eqn:N.
    - pose proof (next_is F R first next flow path paths p i b c A N) as C.
      assert (Need : needs next flow s p c) by (right; eauto).
      destruct (writer s c) as [q |] eqn:W.
      { left. apply freed_by with q; [exists c; split; [exact Need | now right] |]. apply freed_now.
        destruct (inv_writer _ _ _ _ _ _ _ I q c W) as (m & Am & Lm). exact (entering_moves s E q m c I T Am Lm). }
      assert (k = 0) as K0.
      { destruct (Nat.eq_dec k 0) as [K0 | K0]; [exact K0 |]. exfalso.
        assert (i < size p) by (apply nth_error_Some; congruence).
        pose proof (E_below _ _ _ _ _ s E p i I) as Eb. unfold way in Eb. specialize (Eb ltac:(lia)).
        pose proof (inv_writes _ _ _ _ _ _ _ I p (S i) c C ltac:(lia)). congruence. }
      rewrite K0 in Q. clear K0.
      assert (Enter : bubble (Some b) c (buf s c) (len p) -> length (buf s c) < cap c -> freed s p).
      { intros Ru Ro. apply freed_now. split; [exact Z |]. eexists. eapply Advance; [exact Q | exact N |].
        split; [exact Ro |]. split; [exact W | exact Ru]. }
      destruct (rises p i b c A C) as [L | (L & -> & x & Rb)].
      + left. destruct (buf s c) as [| (q, m) l] eqn:D.
        * apply Enter; [| cbn; apply some_room]. split; [cbn; pose proof (lengths p); pose proof (fits c); lia |].
          destruct (ring c) as [x |] eqn:Rc; [| exact Logic.I]. left. pose proof (two_slots c x Rc).
          unfold distinct. cbn. lia.
        * apply freed_by with q; [exists c; split; [exact Need | left; exists m; rewrite D; now left] |].
          apply (IH c q m l L); [apply (bounded p c), (nth_error_In _ _ C) | exact D].
      + pose proof (ring_succ b x Rb) as Rc.
        destruct (le_lt_dec (slots (succ b)) (distinct (buf s (succ b)))) as [Fu | Ro].
        * right. split; [eauto |]. split; [split; assumption |]. split; [lia | reflexivity].
        * left. assert (Fl : length (buf s (succ b)) <= distinct (buf s (succ b)) * longest).
          { apply flits_of. intro q. destruct (in_dec R_eq (succ b) (way F R flow path q)) as [J | J].
            - apply In_nth_error in J. destruct J as (m & J). rewrite (inv_mine _ _ _ _ _ _ _ I q m _ J).
              unfold run. rewrite map_length, seq_length. pose proof (E_below _ _ _ _ _ s E q m I) as Eb.
              assert (m < length (way F R flow path q)) by (apply nth_error_Some; congruence).
              specialize (Eb ltac:(lia)). pose proof (lengths q). lia.
            - rewrite (inv_else _ _ _ _ _ _ _ I q _ J). cbn. lia. }
          pose proof (slots_fit _ x Rc) as SF. pose proof (lengths p) as Lp.
          assert (G : distinct (buf s (succ b)) * longest + longest <= slots (succ b) * longest).
          { replace (distinct (buf s (succ b)) * longest + longest) with (S (distinct (buf s (succ b))) * longest) by lia.
            apply Nat.mul_le_mono_r. lia. }
          assert (Lpos : 0 < len p).
          { assert (i < size p) by (apply nth_error_Some; congruence).
            pose proof (E_below _ _ _ _ _ s E p i I) as Eb. unfold way in Eb. specialize (Eb ltac:(lia)). lia. }
          apply Enter; [| lia]. split; [lia |]. rewrite Rc. right. split; [| exact Ro]. exists b. auto.
    - left. apply freed_now. split; [exact Z |]. eexists. eapply Consume; [exact Q | exact N].
    - now pose proof (never_lost F R first next flow path paths p i b A N).
  Qed.

  Lemma all_fronts_freed n : forall s E b p k rest, Inv s E -> slotted s E -> top - rank b < n ->
    buf s b = (p, k) :: rest -> freed s p.
  Proof.
    induction n as [| n IH]; intros s E b p k rest I T L Q; [lia |].
    assert (Up : forall e, rank e = rank b -> forall c q i l, rank e < rank c -> rank c <= top ->
                 buf s c = (q, i) :: l -> freed s q).
    { intros e Re c q i l R1 R2 D. apply (IH s E c q i l I T); [lia | exact D]. }
    destruct (front_freed s E b p k rest I T Q (Up b eq_refl)) as [Y | ((x & Rb) & Fu & Rs & N)]; [exact Y |].
    assert (Round : forall m, freed s p \/
              (ring (Nat.iter m succ (succ b)) = Some x /\ full s (Nat.iter m succ (succ b)) /\
               rank (Nat.iter m succ (succ b)) = rank b /\
               forall q i, In (q, i) (buf s (Nat.iter m succ (succ b))) -> clos_refl_trans nat (Waits s) p q)).
    { induction m as [| m [Y | (Rm & Fm & Qm & Wm)]]; [| now left |].
      - right. cbn. split; [now apply ring_succ |]. split; [exact Fu |]. split; [lia |].
        intros q i J. apply rt_step. exists (succ b). split; [right; eauto | left; now exists i].
      - set (e := Nat.iter m succ (succ b)) in *. change (Nat.iter (S m) succ (succ b)) with (succ e).
        destruct (buf s e) as [| (q, i) l] eqn:D.
        + destruct Fm as [_ Fm]. pose proof (two_slots e x Rm). rewrite D in Fm. unfold distinct in Fm. cbn in Fm. lia.
        + pose proof (Wm q i (or_introl eq_refl)) as Wq.
          destruct (front_freed s E e q i l I T D (Up e Qm)) as [(r & W & C) | (_ & Fs & Rs' & N')].
          * left. exists r. split; [now apply rt_trans with q | exact C].
          * right. split; [now apply ring_succ |]. split; [exact Fs |]. split; [lia |].
            intros r k' J. apply rt_trans with q; [exact Wq |]. apply rt_step. exists (succ e).
            split; [right; eauto | left; now exists k']. }
    destruct (s_ring _ _ T b x Rb) as (c & Rc & Some_room).
    destruct (cycle (succ b) c x (ring_succ b x Rb) Rc) as (m & ->).
    destruct (Round m) as [Y | (_ & [Bad1 Bad2] & _)]; [exact Y |].
    destruct Some_room as [Some_room | Some_room]; [congruence | lia].
  Qed.

  Theorem bubble_waits_end s p : Reachable s -> under_way len s p -> freed s p.
  Proof.
    intros Re [Se Ar]. destruct (reachable_slotted _ Re) as (E & I & T).
    destruct (some_stage F R flow len path s E p I) as [(i & L & K) | Q].
    - destruct (nth_error (path (flow p)) i) as [b |] eqn:A; [| apply nth_error_None in A; lia].
      assert (H : In (p, E p (S i)) (buf s b)).
      { apply mine_in. rewrite (inv_mine _ _ _ _ _ _ _ I _ _ _ A). apply in_map. apply in_seq. lia. }
      destruct (buf s b) as [| (q, k) rest] eqn:B; [contradiction |].
      apply freed_by with q; [| exact (all_fronts_freed _ s E b q k rest I T (Nat.lt_succ_diag_r _) B)].
      exists b. split; [left; exists (E p (S i)); now rewrite B | left; exists k; rewrite B; now left].
    - apply freed_now. destruct (path_first _ _ _ _ _ _ (paths p)) as (b & A & _).
      pose proof (inv_sent _ _ _ _ _ _ _ I p). pose proof (inv_arrived _ _ _ _ _ _ _ I p) as AA.
      unfold way in AA. apply (entering_moves s E p 0 b I T A). lia.
  Qed.

  Theorem bubble_no_deadlock s D : Reachable s -> ~ deadlocked R_eq first next flow len cap bubble s D.
  Proof.
    intros Re [(p & P) C]. destruct (bubble_waits_end s p Re (proj1 (C p P))) as (q & L & M).
    assert (G : D q).
    { clear M. apply clos_rt_rt1n in L. induction L as [| x y z W L IH]; [exact P |].
      apply IH. now apply (C x). }
    now apply (proj1 (proj2 (C q G))).
  Qed.

  Theorem bubble_all_arrive s : Reachable s -> arrives F R R_eq first next flow len cap bubble s.
  Proof.
    apply (every_packet_arrives F R R_eq first next flow len cap bubble path paths).
    intros s' p Re U. destruct (bubble_waits_end s' p Re U) as (q & _ & M). now exists q.
  Qed.
End Bubble.
