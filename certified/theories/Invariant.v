(* SPDX-License-Identifier: Apache-2.0 *)
(* What holds in every state that a network comes to, where every flow has a finite path without repeats.

   Everything follows from one family of numbers: [E p i], how many flits of packet p have entered the i-th
   buffer of its path. The flits of p in that buffer are those from E p (i+1) to E p i - 1, in order. *)
Require Import List Arith Lia.
From Unknot Require Import Flits FlitLists.
Import ListNotations.

Section Invariant.
  Variables F R : Type.
  Variable R_eq : forall a b : R, {a = b} + {a <> b}.
  Variable first : F -> action R.
  Variable next : F -> R -> action R.
  Variable flow : nat -> F.
  Variable len : nat -> nat.
  Variable cap : R -> nat.
  Variable admits : option R -> R -> list flit -> nat -> Prop.
  Variable path : F -> list R.

  (* The path of a flow is the one that its packets take. *)
  Record path_ok (f : F) : Prop := {
    path_first : exists b, nth_error (path f) 0 = Some b /\ first f = Go b;
    path_next : forall i a b, nth_error (path f) i = Some a -> nth_error (path f) (S i) = Some b ->
                next f a = Go b;
    path_last : forall i a, nth_error (path f) i = Some a -> nth_error (path f) (S i) = None ->
                next f a = Deliver;
    path_nodup : NoDup (path f)
  }.
  Hypothesis paths : forall p, path_ok (flow p).

  Definition way (p : nat) : list R := path (flow p).
  Notation at_stage p i b := (nth_error (way p) i = Some b).
  Notation St := (state R).

  Record invariant (s : St) (E : nat -> nat -> nat) : Prop := {
    inv_sent : forall p, E p 0 = sent s p;
    inv_len : forall p, E p 0 <= len p;
    inv_falls : forall p i, i < length (way p) -> E p (S i) <= E p i;
    inv_arrived : forall p, arrived s p = E p (length (way p));
    inv_lost : forall p, lost s p = 0;
    inv_mine : forall p i b, at_stage p i b -> mine p (buf s b) = run p (E p (S i)) (E p i - E p (S i));
    inv_else : forall p b, ~ In b (way p) -> mine p (buf s b) = [];
    inv_writes : forall p i b, at_stage p i b -> 0 < E p i < len p -> writer s b = Some p;
    inv_writer : forall p b, writer s b = Some p -> exists i, at_stage p i b /\ 0 < E p i < len p;
    inv_contiguous : forall b, contiguous (buf s b);
    inv_last : forall p b, writer s b = Some p -> buf s b = [] \/ exists l i, buf s b = l ++ [(p, i)]
  }.

  Lemma invariant_start : invariant (start R) (fun _ _ => 0).
  Proof.
    constructor; cbn; intros; auto; try lia; try discriminate.
    intros l1 x p i l2 H. destruct l1; discriminate.
  Qed.

  Lemma stage_unique p i j b : at_stage p i b -> at_stage p j b -> i = j.
  Proof.
    intros H J. pose proof (path_nodup _ (paths p)) as N. rewrite NoDup_nth_error in N. apply N.
    - apply nth_error_Some. unfold way in *. congruence.
    - unfold way in *. congruence.
  Qed.
  Lemma stage_below p i b : at_stage p i b -> i < length (way p).
  Proof. intro H. apply nth_error_Some. congruence. Qed.
  Lemma stage_in p i b : at_stage p i b -> In b (way p).
  Proof. apply nth_error_In. Qed.
  Lemma in_stage p b : In b (way p) -> exists i, at_stage p i b.
  Proof. apply In_nth_error. Qed.

  (* A flit in a buffer, seen from the numbers. *)
  Lemma flit_stage s E b p i : invariant s E -> In (p, i) (buf s b) ->
    exists j, at_stage p j b /\ E p (S j) <= i < E p j.
  Proof.
    intros I H. apply mine_in in H. destruct (in_dec R_eq b (way p)) as [J | J].
    - destruct (in_stage _ _ J) as (j & K). exists j. split; [exact K |].
      rewrite (inv_mine _ _ I _ _ _ K) in H. apply run_in in H. lia.
    - rewrite (inv_else _ _ I _ _ J) in H. contradiction.
  Qed.

  Lemma front_stage s E b p i rest : invariant s E -> buf s b = (p, i) :: rest ->
    exists j, at_stage p j b /\ i = E p (S j) /\ E p (S j) < E p j.
  Proof.
    intros I H. destruct (flit_stage s E b p i I) as (j & J & K); [rewrite H; now left |].
    exists j. split; [exact J |]. pose proof (inv_mine _ _ I _ _ _ J) as M. rewrite H in M. cbn in M.
    rewrite Nat.eqb_refl in M. destruct (E p j - E p (S j)) eqn:D; [lia |].
    cbn in M. inversion M. lia.
  Qed.

  Lemma E_below s E p i : invariant s E -> i <= length (way p) -> E p i <= len p.
  Proof.
    intros I. induction i; intro H; [apply (inv_len _ _ I) |].
    pose proof (inv_falls _ _ I p i ltac:(lia)). specialize (IHi ltac:(lia)). lia.
  Qed.

  (* All moves that matter are one: flit E p j of packet p goes to stage j of its path, from stage j - 1. *)
  Definition raise (E : nat -> nat -> nat) (p j : nat) : nat -> nat -> nat :=
    fun q i => if Nat.eq_dec p q then if Nat.eq_dec j i then S (E q i) else E q i else E q i.

  Lemma raise_here E p j : raise E p j p j = S (E p j).
  Proof. unfold raise. destruct (Nat.eq_dec p p), (Nat.eq_dec j j); congruence. Qed.
  Lemma raise_packet E p j q i : q <> p -> raise E p j q i = E q i.
  Proof. unfold raise. destruct (Nat.eq_dec p q); congruence. Qed.
  Lemma raise_stage E p j i : i <> j -> raise E p j p i = E p i.
  Proof. unfold raise. destruct (Nat.eq_dec p p), (Nat.eq_dec j i); congruence. Qed.

  (* The buffer that comes before a stage. *)
  Definition before (p j : nat) : option R := match j with 0 => None | S i => nth_error (way p) i end.

  (* s' is s after that move, buffer by buffer. *)
  Record moved (s s' : St) (E : nat -> nat -> nat) (p j : nat) : Prop := {
    m_range : j <= length (way p);
    m_from : match j with 0 => E p 0 < len p | S i => E p j < E p i end;
    m_sent : forall q, sent s' q = if Nat.eq_dec j 0 then bump (sent s) p q else sent s q;
    m_arrived : forall q, arrived s' q = if Nat.eq_dec j (length (way p)) then bump (arrived s) p q
                                         else arrived s q;
    m_lost : forall q, lost s' q = lost s q;
    m_left : forall i b, j = S i -> at_stage p i b -> buf s b = (p, E p j) :: buf s' b;
    m_entered : forall b, at_stage p j b -> buf s' b = buf s b ++ [(p, E p j)];
    m_same : forall b, ~ at_stage p j b -> (forall i, j = S i -> ~ at_stage p i b) -> buf s' b = buf s b;
    m_writer : forall b, at_stage p j b -> writer s' b = writer_after len p (E p j);
    m_writers : forall b, ~ at_stage p j b -> writer s' b = writer s b;
    m_before : forall b, at_stage p j b -> writer s b = if Nat.eq_dec (E p j) 0 then None else Some p;
    m_admits : forall b, at_stage p j b -> E p j = 0 -> admits (before p j) b (buf s b) (len p)
  }.

  Lemma stage_dec p j b : {at_stage p j b} + {~ at_stage p j b}.
  Proof.
    destruct (nth_error (way p) j) as [b' |]; [| right; discriminate].
    destruct (R_eq b' b) as [-> | N]; [left | right]; congruence.
  Defined.

  Lemma moved_elsewhere s s' E p j b : moved s s' E p j -> ~ at_stage p j b ->
    buf s' b = buf s b \/ buf s b = (p, E p j) :: buf s' b.
  Proof.
    intros M X. destruct j as [| i].
    - left. apply (m_same _ _ _ _ _ M); [exact X | discriminate].
    - destruct (stage_dec p i b) as [D | X0].
      + right. now apply (m_left _ _ _ _ _ M i).
      + left. apply (m_same _ _ _ _ _ M); auto. intros k K. now inversion K; subst.
  Qed.

  Lemma moved_mine_other s s' E p j q b : moved s s' E p j -> q <> p -> mine q (buf s' b) = mine q (buf s b).
  Proof.
    intros M N. assert (G : ~ at_stage p j b -> mine q (buf s' b) = mine q (buf s b)).
    { intro X. destruct (moved_elsewhere _ _ _ _ _ _ M X) as [-> | ->]; [reflexivity |].
      cbn. destruct (Nat.eqb_spec p q); [congruence | reflexivity]. }
    destruct (stage_dec p j b) as [D | X0]; auto.
    rewrite (m_entered _ _ _ _ _ M b D), mine_app, mine_other by congruence. apply app_nil_r.
  Qed.

  Lemma invariant_moved s s' E p j : invariant s E -> moved s s' E p j -> invariant s' (raise E p j).
  Proof.
    intros I M.
    assert (J : E p j < len p).
    { destruct j as [| i]; [apply (m_from _ _ _ _ _ M) |].
      pose proof (m_from _ _ _ _ _ M). pose proof (m_range _ _ _ _ _ M).
      pose proof (E_below s E p i I ltac:(lia)). cbn in *. lia. }
    constructor.
    - intro q. rewrite (m_sent _ _ _ _ _ M). destruct (Nat.eq_dec p q) as [<- | N].
      + unfold bump. destruct (Nat.eq_dec j 0) as [-> | K].
        * rewrite raise_here. destruct (Nat.eq_dec p p); [| congruence]. f_equal. apply (inv_sent _ _ I).
        * rewrite raise_stage by auto. apply (inv_sent _ _ I).
      + rewrite raise_packet by auto. unfold bump. destruct (Nat.eq_dec p q); [congruence |].
        destruct (Nat.eq_dec j 0); apply (inv_sent _ _ I).
    - intro q. destruct (Nat.eq_dec p q) as [<- | N].
      + destruct (Nat.eq_dec j 0) as [-> | K].
        * rewrite raise_here. lia.
        * rewrite raise_stage by auto. apply (inv_len _ _ I).
      + rewrite raise_packet by auto. apply (inv_len _ _ I).
    - intros q i H. pose proof (inv_falls _ _ I q i H) as Fa. destruct (Nat.eq_dec p q) as [<- | N].
      + pose proof (m_from _ _ _ _ _ M) as Fr.
        destruct (Nat.eq_dec j (S i)) as [-> | K]; [rewrite raise_here, raise_stage by lia; lia |].
        destruct (Nat.eq_dec j i) as [-> | L]; [rewrite raise_here, raise_stage by lia; lia |].
        now rewrite !raise_stage by lia.
      + now rewrite !raise_packet by auto.
    - intro q. rewrite (m_arrived _ _ _ _ _ M). destruct (Nat.eq_dec p q) as [<- | N].
      + unfold bump. destruct (Nat.eq_dec j (length (way p))) as [-> | K].
        * rewrite raise_here. destruct (Nat.eq_dec p p); [| congruence]. f_equal. apply (inv_arrived _ _ I).
        * rewrite raise_stage by auto. apply (inv_arrived _ _ I).
      + rewrite raise_packet by auto. unfold bump. destruct (Nat.eq_dec p q); [congruence |].
        destruct (Nat.eq_dec j (length (way p))); apply (inv_arrived _ _ I).
    - intro q. rewrite (m_lost _ _ _ _ _ M). apply (inv_lost _ _ I).
    - intros q i b H. destruct (Nat.eq_dec p q) as [<- | N].
      2: { rewrite !raise_packet by auto. rewrite (moved_mine_other _ _ _ _ _ _ _ M) by auto.
           now apply (inv_mine _ _ I). }
      pose proof (inv_mine _ _ I p i b H) as Mi. pose proof (inv_falls _ _ I p i (stage_below _ _ _ H)) as Fa.
      destruct (Nat.eq_dec i j) as [-> | K].
      + rewrite (m_entered _ _ _ _ _ M b H), mine_app, mine_one, Mi, raise_here, raise_stage by lia.
        replace (S (E p j) - E p (S j)) with (S (E p j - E p (S j))) by lia.
        rewrite run_snoc. do 3 f_equal. lia.
      + destruct (Nat.eq_dec j (S i)) as [-> | L].
        * rewrite raise_here, raise_stage by lia.
          rewrite (m_left _ _ _ _ _ M i b eq_refl H) in Mi. cbn in Mi. rewrite Nat.eqb_refl in Mi.
          symmetry in Mi. apply run_first in Mi. destruct Mi as (_ & _ & Mi). unfold mine. rewrite Mi.
          f_equal. lia.
        * rewrite !raise_stage by lia. rewrite (m_same _ _ _ _ _ M b); [exact Mi | |].
          -- intro X. now pose proof (stage_unique _ _ _ _ H X).
          -- intros k -> X. pose proof (stage_unique _ _ _ _ H X). congruence.
    - intros q b H. destruct (Nat.eq_dec p q) as [<- | N].
      2: { rewrite (moved_mine_other _ _ _ _ _ _ _ M) by auto. now apply (inv_else _ _ I). }
      rewrite (m_same _ _ _ _ _ M b); [now apply (inv_else _ _ I) | |].
      + intro X. now apply stage_in in X.
      + intros k _ X. now apply stage_in in X.
    - intros q i b H K. destruct (stage_dec p j b) as [D | X0].
      + rewrite (m_writer _ _ _ _ _ M b D). unfold writer_after. destruct (Nat.eq_dec p q) as [<- | N].
        * pose proof (stage_unique _ _ _ _ H D) as ->. rewrite raise_here in K.
          destruct (Nat.eq_dec (S (E p j)) (len p)); [lia | reflexivity].
        * rewrite raise_packet in K by auto. pose proof (inv_writes _ _ I _ _ _ H K) as W.
          rewrite (m_before _ _ _ _ _ M b D) in W. destruct (Nat.eq_dec (E p j) 0); congruence.
      + rewrite (m_writers _ _ _ _ _ M b) by auto. apply (inv_writes _ _ I q i); auto.
        destruct (Nat.eq_dec p q) as [<- | N]; [| now rewrite raise_packet in K by auto].
        rewrite raise_stage in K; auto. intros ->. congruence.
    - intros q b W. assert (G : ~ at_stage p j b -> exists i, at_stage q i b /\ 0 < raise E p j q i < len q).
      { intro X. rewrite (m_writers _ _ _ _ _ M b X) in W. destruct (inv_writer _ _ I q b W) as (i & A & B).
        exists i. split; auto. destruct (Nat.eq_dec p q) as [<- | N]; [| now rewrite raise_packet by auto].
        rewrite raise_stage; auto. intros ->. congruence. }
      destruct (stage_dec p j b) as [D | X0]; auto. rewrite (m_writer _ _ _ _ _ M b D) in W. unfold writer_after in W.
      destruct (Nat.eq_dec (S (E p j)) (len p)); [discriminate |]. inversion W; subst q.
      exists j. split; auto. rewrite raise_here. lia.
    - intro b. pose proof (inv_contiguous _ _ I b) as C.
      assert (T : ~ at_stage p j b -> contiguous (buf s' b)).
      { intro X. destruct (moved_elsewhere _ _ _ _ _ _ M X) as [-> | Y]; [exact C |].
        rewrite Y in C. now apply contiguous_tail in C. }
      destruct (stage_dec p j b) as [D | X0]; auto. rewrite (m_entered _ _ _ _ _ M b D). apply contiguous_snoc; auto.
      pose proof (m_before _ _ _ _ _ M b D) as B. destruct (Nat.eq_dec (E p j) 0) as [Z | Z]; [now left |].
      right. destruct (inv_last _ _ I _ _ B) as [L | (l & i & L)]; [now left |]. right. exists l, i.
      split; auto. pose proof (inv_mine _ _ I p j b D) as Mi. rewrite L, mine_app, mine_one in Mi.
      destruct (E p j - E p (S j)) as [| n] eqn:Q; [destruct (mine p l); discriminate |].
      rewrite run_snoc in Mi. apply app_inj_tail in Mi. destruct Mi as [_ Mi]. inversion Mi. lia.
    - intros q b W. assert (G : ~ at_stage p j b -> buf s' b = [] \/ exists l i, buf s' b = l ++ [(q, i)]).
      { intro X. rewrite (m_writers _ _ _ _ _ M b X) in W. pose proof (inv_last _ _ I _ _ W) as L.
        destruct (moved_elsewhere _ _ _ _ _ _ M X) as [-> | Y]; [exact L |]. rewrite Y in L.
        destruct L as [L | (l & k & L)]; [discriminate |].
        destruct l as [| y l]; cbn in L; inversion L; [now left |]. right. eauto. }
      destruct (stage_dec p j b) as [D | X0]; auto. rewrite (m_writer _ _ _ _ _ M b D) in W. unfold writer_after in W.
      destruct (Nat.eq_dec (S (E p j)) (len p)); [discriminate |]. inversion W; subst q. right.
      rewrite (m_entered _ _ _ _ _ M b D). eauto.
  Qed.
End Invariant.
