(* SPDX-License-Identifier: Apache-2.0 *)
(* No deadlock under bubble flow control where numbers rise along every path, or stay the same from a buffer
   of a ring to the next one of it.

   Every ring always has a buffer that is not full: who enters leaves room, and who moves inside makes room
   where he was. Where everybody in front wants to go on in the ring, somebody can. *)
Require Import List Arith Lia Relations.
From Unknot Require Import Flits Invariant Slots.
Import ListNotations.

Section Bubble.
  Variables F R X : Type.
  Variable R_eq : forall a b : R, {a = b} + {a <> b}.
  Variable X_eq : forall a b : X, {a = b} + {a <> b}.
  Variable first : F -> action R.
  Variable next : F -> R -> action R.
  Variable flow : nat -> F.
  Variable slots : R -> nat.
  Variable ring : R -> option X.
  Variable succ : R -> R.
  Variable path : F -> list R.
  Variable rank : R -> nat.
  Variable top : nat.

  Hypothesis paths : forall p, path_ok F R first next path (flow p).
  Hypothesis rises : forall p i a b,
    nth_error (path (flow p)) i = Some a -> nth_error (path (flow p)) (S i) = Some b ->
    rank a < rank b \/ rank a = rank b /\ b = succ a /\ exists x, ring a = Some x.
  Hypothesis bounded : forall p b, In b (path (flow p)) -> rank b <= top.
  Hypothesis some_room : forall b, 0 < slots b.
  Hypothesis bubble_room : forall b x, ring b = Some x -> 1 < slots b.
  Hypothesis ring_succ : forall a x, ring a = Some x -> ring (succ a) = Some x.
  Hypothesis cycle : forall a b x, ring a = Some x -> ring b = Some x -> exists n, b = Nat.iter n succ a.

  Notation Hops := (hops R_eq X_eq first next flow slots ring).
  Notation Comes := (comes R_eq X_eq first next flow slots ring).
  Notation Can_hop := (can_hop R_eq X_eq first next flow slots ring).
  Notation Waits := (waits next flow).
  Notation at_stage p i b := (nth_error (path (flow p)) i = Some b).
  Notation size p := (length (path (flow p))).

  (* Where every packet is on its path: 0 at its source, i + 1 in its i-th buffer, then arrived. *)
  Record tidy (s : held R) (pos : nat -> nat) : Prop := {
    tidy_waiting : forall p, place_of s p = Waiting <-> pos p = 0;
    tidy_arrived : forall p, place_of s p = Arrived <-> pos p = S (size p);
    tidy_range : forall p, pos p <= S (size p);
    tidy_kept : forall p, place_of s p <> Gone;
    tidy_in : forall p b, In p (queue s b) <-> exists i, pos p = S i /\ at_stage p i b;
    tidy_once : forall b, NoDup (queue s b);
    tidy_fits : forall b, length (queue s b) <= slots b;
    tidy_bubble : forall b x, ring b = Some x -> exists c, ring c = Some x /\ length (queue s c) < slots c
  }.

  Lemma tidy_empty : tidy (empty R) (fun _ => 0).
  Proof.
    constructor; cbn; intros; try lia; try discriminate.
    - split; auto.
    - split; [discriminate | lia].
    - split; [contradiction |]. intros (i & H & _). discriminate.
    - constructor.
    - exists b. auto.
  Qed.

  Lemma stage_below' p i b : at_stage p i b -> i < size p.
  Proof. intro H. apply nth_error_Some. congruence. Qed.
  Lemma stage_one p i j b : at_stage p i b -> at_stage p j b -> i = j.
  Proof. apply (stage_unique F R first next flow path paths). Qed.
  Lemma next_stage p i a b : at_stage p i a -> next (flow p) a = Go b -> at_stage p (S i) b.
  Proof.
    intros H J. destruct (nth_error (path (flow p)) (S i)) as [c |] eqn:C.
    - pose proof (path_next _ _ _ _ _ _ (paths p) _ _ _ H C). congruence.
    - pose proof (path_last _ _ _ _ _ _ (paths p) _ _ H C). congruence.
  Qed.
  Lemma not_lost p i a : at_stage p i a -> next (flow p) a = Lost -> False.
  Proof.
    intros H J. destruct (nth_error (path (flow p)) (S i)) as [c |] eqn:C.
    - pose proof (path_next _ _ _ _ _ _ (paths p) _ _ _ H C). congruence.
    - pose proof (path_last _ _ _ _ _ _ (paths p) _ _ H C). congruence.
  Qed.
  Lemma last_stage p i a : at_stage p i a -> next (flow p) a = Deliver -> S i = size p.
  Proof.
    intros H J. pose proof (stage_below' _ _ _ H).
    destruct (nth_error (path (flow p)) (S i)) as [c |] eqn:C.
    - pose proof (path_next _ _ _ _ _ _ (paths p) _ _ _ H C). congruence.
    - apply nth_error_None in C. lia.
  Qed.

  Definition moved_to (pos : nat -> nat) (p : nat) : nat -> nat :=
    fun q => if Nat.eq_dec p q then S (pos q) else pos q.
  Lemma moved_here pos p : moved_to pos p p = S (pos p).
  Proof. unfold moved_to. destruct (Nat.eq_dec p p); congruence. Qed.
  Lemma moved_not pos p q : p <> q -> moved_to pos p q = pos q.
  Proof. unfold moved_to. destruct (Nat.eq_dec p q); congruence. Qed.

  Lemma put_same f b v : put R_eq f b v b = v.
  Proof. unfold put. destruct (R_eq b b); congruence. Qed.
  Lemma put_other f b v x : b <> x -> put R_eq f b v x = f x.
  Proof. unfold put. destruct (R_eq b x); congruence. Qed.
  Lemma at_same f p v : now_at f p v p = v.
  Proof. unfold now_at. destruct (Nat.eq_dec p p); congruence. Qed.
  Lemma at_other f p v q : p <> q -> now_at f p v q = f q.
  Proof. unfold now_at. destruct (Nat.eq_dec p q); congruence. Qed.

  Lemma nodup_snoc (l : list nat) p : NoDup l -> ~ In p l -> NoDup (l ++ [p]).
  Proof.
    intros N H. apply NoDup_rev in N. rewrite <- (rev_involutive (l ++ [p])). apply NoDup_rev.
    rewrite rev_app_distr. cbn. constructor; [now rewrite <- in_rev | exact N].
  Qed.

  Lemma room_less s from b : room X_eq slots ring s from b -> length (queue s b) < slots b.
  Proof.
    unfold room. destruct (ring b) as [x |]; [| auto]. destruct from as [y |]; [destruct (X_eq x y) |]; lia.
  Qed.

  Lemma stage_dec' p j b : {at_stage p j b} + {~ at_stage p j b}.
  Proof.
    destruct (nth_error (path (flow p)) j) as [b' |]; [| right; discriminate].
    destruct (R_eq b' b) as [-> | N]; [left | right]; congruence.
  Qed.

  (* What a hop of p does, buffer by buffer: out of the one at stage pos p - 1, into the one at stage pos p. *)
  Record hopped (s s' : held R) (pos : nat -> nat) (p : nat) : Prop := {
    h_range : pos p <= size p;
    h_place : forall q, place_of s' q =
                if Nat.eq_dec p q then if Nat.eq_dec (pos p) (size p) then Arrived else Inside else place_of s q;
    h_left : forall i b, pos p = S i -> at_stage p i b -> queue s b = p :: queue s' b;
    h_entered : forall b, at_stage p (pos p) b -> queue s' b = queue s b ++ [p];
    h_same : forall b, ~ at_stage p (pos p) b -> (forall i, pos p = S i -> ~ at_stage p i b) ->
             queue s' b = queue s b;
    h_fits : forall b, at_stage p (pos p) b -> length (queue s b) < slots b;
    h_ring : forall b x, at_stage p (pos p) b -> ring b = Some x ->
             S (length (queue s b)) < slots b \/
             exists i a, pos p = S i /\ at_stage p i a /\ ring a = Some x
  }.

  Lemma hop_is s s' pos p : tidy s pos -> Hops p s s' -> hopped s s' pos p.
  Proof.
    intros T H. pose proof T as [TW TA TR TK TI TO TF TB].
    assert (Front : forall a rest, queue s a = p :: rest -> exists i, pos p = S i /\ at_stage p i a).
    { intros a rest Q. apply TI. rewrite Q. now left. }
    destruct H as [b W Fi Ro | W Fi | a rest b Q N Ro | a rest Q N | a rest Q N].
    - destruct (path_first _ _ _ _ _ _ (paths p)) as (b' & A & B). assert (b' = b) as -> by congruence.
      assert (Z : pos p = 0) by now apply TW. pose proof (stage_below' _ _ _ A) as Sz.
      constructor; cbn [queue place_of]; rewrite ?Z.
      + lia.
      + intro q. unfold now_at. destruct (Nat.eq_dec 0 (size p)); [lia | reflexivity].
      + discriminate.
      + intros c C. replace c with b by congruence. apply put_same.
      + intros c C _. apply put_other. congruence.
      + intros c C. replace c with b by congruence. now apply room_less with None.
      + intros c x C Rc. left. replace c with b in * by congruence. unfold room in Ro. now rewrite Rc in Ro.
    - destruct (path_first _ _ _ _ _ _ (paths p)) as (b' & A & B). congruence.
    - destruct (Front a rest Q) as (i & P & A). pose proof (next_stage _ _ _ _ A N) as B.
      pose proof (stage_below' _ _ _ B) as Sz.
      assert (NE : a <> b) by (intros ->; pose proof (stage_one _ _ _ _ A B); lia).
      pose proof (proj2 (TI p a) (ex_intro _ i (conj P A))) as Ia.
      constructor; cbn [queue place_of]; cbv zeta; rewrite ?P.
      + lia.
      + intro q. destruct (Nat.eq_dec p q) as [<- | D]; [| reflexivity].
        destruct (Nat.eq_dec (S i) (size p)); [lia |]. destruct (place_of s p) eqn:E; auto.
        * apply TW in E. lia.
        * apply TA in E. lia.
        * now apply TK in E.
      + intros j c J C. inversion J; subst j. replace c with a by congruence.
        rewrite put_other, put_same by auto. exact Q.
      + intros c C. replace c with b by congruence. rewrite put_same. now rewrite put_other.
      + intros c C D. rewrite put_other by congruence. apply put_other. intros ->. now apply (D i).
      + intros c C. replace c with b by congruence. now apply room_less with (ring a).
      + intros c x C Rc. replace c with b in * by congruence. unfold room in Ro. rewrite Rc in Ro.
        destruct (ring a) as [y |] eqn:Ra; [destruct (X_eq x y) as [<- | E] |]; [| now left | now left].
        right. exists i, a. auto.
    - destruct (Front a rest Q) as (i & P & A). pose proof (last_stage _ _ _ A N) as B.
      assert (No : forall c, ~ at_stage p (S i) c) by (intros c C; apply stage_below' in C; lia).
      constructor; cbn [queue place_of]; rewrite ?P.
      + lia.
      + intro q. unfold now_at. destruct (Nat.eq_dec (S i) (size p)); [reflexivity | lia].
      + intros j c J C. inversion J; subst j. replace c with a by congruence. now rewrite put_same.
      + intros c C. now apply No in C.
      + intros c _ D. apply put_other. intros ->. now apply (D i).
      + intros c C. now apply No in C.
      + intros c x C. now apply No in C.
    - destruct (Front a rest Q) as (i & P & A). now pose proof (not_lost _ _ _ A N).
  Qed.

  Lemma hopped_elsewhere s s' pos p b : hopped s s' pos p -> ~ at_stage p (pos p) b ->
    queue s' b = queue s b /\ (forall i, pos p = S i -> ~ at_stage p i b) \/
    queue s b = p :: queue s' b /\ exists i, pos p = S i /\ at_stage p i b.
  Proof.
    intros H N. destruct (pos p) as [| i] eqn:P.
    - left. split; [apply (h_same _ _ _ _ H); rewrite P; [exact N | discriminate] | discriminate].
    - destruct (stage_dec' p i b) as [A | A].
      + right. split; [now apply (h_left _ _ _ _ H i) | eauto].
      + left. assert (G : forall j, S i = S j -> ~ at_stage p j b) by (intros j J; now inversion J; subst).
        split; [apply (h_same _ _ _ _ H); rewrite P; auto | exact G].
  Qed.

  Lemma tidy_hopped s s' pos p : tidy s pos -> hopped s s' pos p -> tidy s' (moved_to pos p).
  Proof.
    intros T H. pose proof T as [TW TA TR TK TI TO TF TB]. pose proof (h_range _ _ _ _ H) as Ra.
    assert (Shorter : forall b, ~ at_stage p (pos p) b -> length (queue s' b) <= length (queue s b)).
    { intros b N. destruct (hopped_elsewhere _ _ _ _ _ H N) as [[-> _] | [-> _]]; cbn; lia. }
    constructor.
    - intro q. rewrite (h_place _ _ _ _ H). destruct (Nat.eq_dec p q) as [<- | D]; [| now rewrite moved_not].
      rewrite moved_here. destruct (Nat.eq_dec (pos p) (size p)); split; discriminate.
    - intro q. rewrite (h_place _ _ _ _ H). destruct (Nat.eq_dec p q) as [<- | D]; [| now rewrite moved_not].
      rewrite moved_here. destruct (Nat.eq_dec (pos p) (size p)); split; try discriminate; auto; lia.
    - intro q. destruct (Nat.eq_dec p q) as [<- | D]; [rewrite moved_here; lia | now rewrite moved_not].
    - intro q. rewrite (h_place _ _ _ _ H). destruct (Nat.eq_dec p q) as [<- | D]; [| apply TK].
      destruct (Nat.eq_dec (pos p) (size p)); discriminate.
    - intros q b. destruct (Nat.eq_dec p q) as [<- | D].
      + rewrite moved_here. destruct (stage_dec' p (pos p) b) as [A | A].
        * rewrite (h_entered _ _ _ _ H b A), in_app_iff. split; [eauto | intros _; right; now left].
        * split; [| intros (i & I & J); inversion I; subst i; contradiction]. intro I. exfalso.
          destruct (hopped_elsewhere _ _ _ _ _ H A) as [[Q No] | [Q _]].
          -- rewrite Q in I. apply TI in I. destruct I as (i & I & J). now apply (No i).
          -- pose proof (TO b) as N. rewrite Q in N. apply NoDup_cons_iff in N. now apply N.
      + rewrite moved_not by auto. rewrite <- TI. destruct (stage_dec' p (pos p) b) as [A | A].
        * rewrite (h_entered _ _ _ _ H b A), in_app_iff. cbn. intuition congruence.
        * destruct (hopped_elsewhere _ _ _ _ _ H A) as [[-> _] | [-> _]]; cbn; intuition congruence.
    - intro b. destruct (stage_dec' p (pos p) b) as [A | A].
      + rewrite (h_entered _ _ _ _ H b A). apply nodup_snoc; [apply TO |]. intro I. apply TI in I.
        destruct I as (i & I & J). pose proof (stage_one _ _ _ _ A J). lia.
      + destruct (hopped_elsewhere _ _ _ _ _ H A) as [[-> _] | [Q _]]; [apply TO |].
        pose proof (TO b) as N. rewrite Q in N. now apply NoDup_cons_iff in N.
    - intro b. destruct (stage_dec' p (pos p) b) as [A | A].
      + rewrite (h_entered _ _ _ _ H b A), app_length. pose proof (h_fits _ _ _ _ H b A). cbn. lia.
      + pose proof (Shorter b A). pose proof (TF b). lia.
    - intros b x B. destruct (TB b x B) as (c & C & L). destruct (stage_dec' p (pos p) c) as [A | A].
      + destruct (h_ring _ _ _ _ H c x A C) as [Ro | (i & a & P & Q & Rx)].
        * exists c. split; [exact C |]. rewrite (h_entered _ _ _ _ H c A), app_length. cbn. lia.
        * exists a. split; [exact Rx |]. pose proof (TF a) as Fa. rewrite (h_left _ _ _ _ H i a P Q) in Fa.
          cbn in Fa. lia.
      + exists c. split; [exact C |]. pose proof (Shorter c A). lia.
  Qed.

  Theorem comes_tidy s : Comes s -> exists pos, tidy s pos.
  Proof.
    induction 1 as [| p s s' _ (pos & T) H]; [exists (fun _ => 0); apply tidy_empty |].
    exists (moved_to pos p). apply (tidy_hopped s); [exact T | now apply hop_is].
  Qed.

  Definition waits_on (s : held R) : nat -> nat -> Prop := clos_refl_trans nat (Waits s).
  Definition freed (s : held R) (p : nat) : Prop := exists q, waits_on s p q /\ Can_hop s q.
  Definition full (s : held R) (b : R) : Prop := slots b <= length (queue s b).

  Lemma inside s pos p b : tidy s pos -> In p (queue s b) -> place_of s p = Inside.
  Proof.
    intros T I. apply (tidy_in _ _ T) in I. destruct I as (i & P & A). pose proof (stage_below' _ _ _ A).
    destruct (place_of s p) eqn:E; auto.
    - apply (tidy_waiting _ _ T) in E. lia.
    - apply (tidy_arrived _ _ T) in E. lia.
    - now apply (tidy_kept _ _ T) in E.
  Qed.

  Lemma freed_by s p q : Waits s p q -> freed s q -> freed s p.
  Proof.
    intros W (r & L & C). exists r. split; [| exact C]. apply rt_trans with q; [now apply rt_step | exact L].
  Qed.

  (* Where whoever is in front of a buffer with a larger number is freed, so is whoever is in front of this
     one, or he goes on to a buffer of his ring that is full. *)
  Lemma front_freed s pos b p rest : tidy s pos -> queue s b = p :: rest ->
    (forall c q l, rank b < rank c -> rank c <= top -> queue s c = q :: l -> freed s q) ->
    freed s p \/ (exists x, ring b = Some x) /\ full s (succ b) /\ rank (succ b) = rank b /\
                 next (flow p) b = Go (succ b).
  Proof.
    intros T Q IH. assert (I : In p (queue s b)) by (rewrite Q; now left).
    pose proof (inside _ _ _ _ T I) as In'. apply (tidy_in _ _ T) in I. destruct I as (i & P & A).
    destruct (next (flow p) b) as [c | |] eqn:N.
    - pose proof (next_stage _ _ _ _ A N) as C.
      assert (Need : wants next flow s p c) by (right; eauto).
      assert (Go' : room X_eq slots ring s (ring b) c -> freed s p).
      { intro Ro. exists p. split; [apply rt_refl |]. split; [exact In' |]. eexists.
        eapply HAdvance; [exact Q | exact N | exact Ro]. }
      destruct (rises p i b c A C) as [L | (L & -> & x & Rb)].
      + left. destruct (queue s c) as [| q l] eqn:D.
        * apply Go'. unfold room. rewrite D. pose proof (some_room c). destruct (ring c) as [x |] eqn:Rc; [| exact H].
          pose proof (bubble_room c x Rc). destruct (ring b) as [y |]; [destruct (X_eq x y) |]; cbn; lia.
        * apply freed_by with q; [exists c; split; [exact Need | rewrite D; now left] |].
          apply (IH c q l L); [apply (bounded p c), (nth_error_In _ _ C) | exact D].
      + destruct (le_lt_dec (slots (succ b)) (length (queue s (succ b)))) as [Fu | Ro].
        * right. split; [eauto | auto].
        * left. apply Go'. unfold room. rewrite (ring_succ b x Rb), Rb. destruct (X_eq x x); [exact Ro | congruence].
    - left. exists p. split; [apply rt_refl |]. split; [exact In' |]. eexists.
      eapply HConsume; [exact Q | exact N].
    - now pose proof (not_lost _ _ _ A N).
  Qed.

  Lemma all_fronts_freed n : forall s pos b p rest, tidy s pos -> top - rank b < n -> queue s b = p :: rest ->
    freed s p.
  Proof.
    induction n as [| n IH]; intros s pos b p rest T L Q; [lia |].
    assert (Up : forall e, rank e = rank b -> forall c q l, rank e < rank c -> rank c <= top ->
                 queue s c = q :: l -> freed s q).
    { intros e E c q l R1 R2 D. apply (IH s pos c q l T); [lia | exact D]. }
    destruct (front_freed s pos b p rest T Q (Up b eq_refl)) as [Y | ((x & Rb) & Fu & Rs & N)]; [exact Y |].
    (* Round the ring: either somebody is freed, for whom p waits, or all of it is full. *)
    assert (Round : forall k, freed s p \/
              (ring (Nat.iter k succ (succ b)) = Some x /\ full s (Nat.iter k succ (succ b)) /\
               rank (Nat.iter k succ (succ b)) = rank b /\
               forall q, In q (queue s (Nat.iter k succ (succ b))) -> waits_on s p q)).
    { induction k as [| k [Y | (Rk & Fk & Qk & Wk)]]; [| now left |].
      - right. cbn. split; [now apply ring_succ |]. split; [exact Fu |]. split; [lia |].
        intros q I. apply rt_step. exists (succ b). split; [right; eauto | exact I].
      - set (e := Nat.iter k succ (succ b)) in *. cbn [Nat.iter]. change (Nat.iter (S k) succ (succ b)) with (succ e).
        destruct (queue s e) as [| q l] eqn:D.
        + pose proof (some_room e). unfold full in Fk. rewrite D in Fk. cbn in Fk. lia.
        + pose proof (Wk q (or_introl eq_refl)) as Wq.
          destruct (front_freed s pos e q l T D (Up e Qk)) as [(r & W & C) | (_ & Fs & Rs' & N')].
          * left. exists r. split; [now apply rt_trans with q | exact C].
          * right. split; [now apply ring_succ |]. split; [exact Fs |]. split; [lia |].
            intros r I. apply rt_trans with q; [exact Wq |]. apply rt_step. exists (succ e).
            split; [right; eauto | exact I]. }
    destruct (tidy_bubble _ _ T b x Rb) as (c & Rc & Room).
    destruct (cycle (succ b) c x (ring_succ b x Rb) Rc) as (k & ->).
    destruct (Round k) as [Y | (_ & Bad & _)]; [exact Y |]. unfold full in Bad. lia.
  Qed.

  Theorem bubble_waits_end s p : Comes s -> place_of s p = Inside -> freed s p.
  Proof.
    intros Co In'. destruct (comes_tidy _ Co) as (pos & T).
    destruct (pos p) as [| i] eqn:P; [apply (tidy_waiting _ _ T) in P; congruence |].
    pose proof (tidy_range _ _ T p) as Ra.
    assert (i < size p).
    { destruct (Nat.eq_dec i (size p)) as [-> | N]; [apply (tidy_arrived _ _ T) in P; congruence | lia]. }
    destruct (nth_error (path (flow p)) i) as [b |] eqn:A; [| apply nth_error_None in A; lia].
    assert (I : In p (queue s b)) by (apply (tidy_in _ _ T); eauto).
    destruct (queue s b) as [| q rest] eqn:Q; [contradiction |].
    apply freed_by with q; [| now apply (all_fronts_freed _ s pos b q rest T (Nat.lt_succ_diag_r _))].
    exists b. split; [left; now rewrite Q | rewrite Q; now left].
  Qed.

  Theorem bubble_no_deadlock s D : Comes s -> ~ stuck R_eq X_eq first next flow slots ring s D.
  Proof.
    intros Co [(p & P) C]. destruct (bubble_waits_end s p Co (proj1 (C p P))) as (q & L & M).
    assert (G : D q).
    { clear M. apply clos_rt_rt1n in L. induction L as [| x y z W L IH]; [exact P |].
      apply IH. now apply (C x). }
    now apply (proj1 (proj2 (C q G))).
  Qed.

  Theorem bubble_nothing_lost s p : Comes s -> place_of s p <> Gone.
  Proof. intro Co. destruct (comes_tidy _ Co) as (pos & T). apply (tidy_kept _ _ T). Qed.

  (* What packets of a list have still to do: hops. *)
  Definition to_go (pos : nat -> nat) (L : list nat) : nat := list_sum (map (fun p => S (size p) - pos p) L).

  Lemma to_go_falls pos p L : In p L -> pos p <= size p -> to_go (moved_to pos p) L < to_go pos L.
  Proof.
    unfold to_go, list_sum. induction L as [| q L IH]; cbn [map fold_right In]; intros I Ra; [contradiction |].
    assert (Le : fold_right Nat.add 0 (map (fun q => S (size q) - moved_to pos p q) L) <=
                 fold_right Nat.add 0 (map (fun q => S (size q) - pos q) L)).
    { clear. induction L as [| q L IH]; cbn [map fold_right]; [lia |].
      destruct (Nat.eq_dec p q) as [<- | N]; [rewrite moved_here | rewrite moved_not by auto]; lia. }
    destruct (Nat.eq_dec p q) as [<- | N].
    - rewrite moved_here. lia.
    - rewrite moved_not by auto. destruct I as [-> | I]; [congruence |]. specialize (IH I Ra). lia.
  Qed.

  Lemma few_packets s : Comes s -> exists L, forall p, place_of s p <> Waiting -> In p L.
  Proof.
    induction 1 as [| p s s' _ (L & H) M].
    - exists []. cbn. congruence.
    - exists (p :: L). intros q Q. destruct (Nat.eq_dec p q) as [-> | N]; [now left |]. right. apply H.
      destruct M; cbn in Q; auto; now rewrite at_other in Q.
  Qed.

  Theorem bubble_all_delivered s : Comes s -> gets_there R_eq X_eq first next flow slots ring s.
  Proof.
    intro Co. destruct (few_packets _ Co) as (L & C). destruct (comes_tidy _ Co) as (pos & T).
    remember (to_go pos L) as n eqn:Q. revert s pos Co C T Q. induction n as [n IH] using lt_wf_ind.
    intros s pos Co C T ->.
    assert (G : forall K, (forall p, In p K -> place_of s p = Waiting \/ place_of s p = Arrived) \/
                          exists p, place_of s p = Inside).
    { induction K as [| p K [A | A]]; [now left | | now right]. destruct (place_of s p) eqn:E.
      - left. intros q [-> | I]; auto.
      - right. eauto.
      - left. intros q [-> | I]; auto.
      - now apply (tidy_kept _ _ T) in E. }
    destruct (G L) as [A | (p & In')].
    - apply all_there. intro p. destruct (place_of s p) eqn:E; auto; rewrite <- E; apply A, C; congruence.
    - apply there_later.
      + destruct (bubble_waits_end s p Co In') as (q & _ & M). eauto.
      + intros q s' Iq M. pose proof (hop_is _ _ _ _ T M) as H.
        apply (IH (to_go (moved_to pos q) L)) with (pos := moved_to pos q); auto.
        * apply to_go_falls; [apply C; congruence | apply (h_range _ _ _ _ H)].
        * exact (comes_hop Co M).
        * intros r W. apply C. rewrite (h_place _ _ _ _ H) in W. destruct (Nat.eq_dec q r) as [<- | N]; congruence.
        * now apply (tidy_hopped s).
  Qed.
End Bubble.
