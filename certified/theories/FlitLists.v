(* SPDX-License-Identifier: Apache-2.0 *)
(* Lists of flits: those of one packet among them, runs of flits one after the other. *)
Require Import List Arith Lia.
From Unknot Require Import Flits.
Import ListNotations.

Definition mine (p : nat) (l : list flit) : list flit := filter (fun x => Nat.eqb (fst x) p) l.
Definition run (p a n : nat) : list flit := map (pair p) (seq a n).

(* A flit that is not a packet's first comes right after the one before it. *)
Definition contiguous (l : list flit) : Prop :=
  forall l1 x p i l2, l = l1 ++ x :: (p, S i) :: l2 -> x = (p, i).

Lemma mine_app p l1 l2 : mine p (l1 ++ l2) = mine p l1 ++ mine p l2.
Proof. apply filter_app. Qed.
Lemma mine_one p i : mine p [(p, i)] = [(p, i)].
Proof. cbn. now rewrite Nat.eqb_refl. Qed.
Lemma mine_other p q i : q <> p -> mine p [(q, i)] = [].
Proof. intro. cbn. destruct (Nat.eqb_spec q p); [contradiction | reflexivity]. Qed.
Lemma mine_in p i l : In (p, i) l <-> In (p, i) (mine p l).
Proof.
  unfold mine. rewrite filter_In. cbn. rewrite Nat.eqb_refl. tauto.
Qed.
Lemma run_snoc p a n : run p a (S n) = run p a n ++ [(p, a + n)].
Proof. unfold run. now rewrite seq_S, map_app. Qed.
Lemma run_in p q a n i : In (q, i) (run p a n) -> q = p /\ a <= i < a + n.
Proof.
  unfold run. rewrite in_map_iff. intros (j & H & J). apply in_seq in J. inversion H; subst. lia.
Qed.

Lemma run_first p a n x l : run p a n = x :: l -> n = S (n - 1) /\ x = (p, a) /\ l = run p (S a) (n - 1).
Proof. destruct n; cbn; intro H; inversion H. rewrite Nat.sub_0_r. auto. Qed.

Lemma contiguous_tail x l : contiguous (x :: l) -> contiguous l.
Proof. intros H l1 y p i l2 ->. apply (H (x :: l1) y p i l2). reflexivity. Qed.

Lemma contiguous_snoc l p i :
  contiguous l -> (i = 0 \/ l = [] \/ exists l' j, l = l' ++ [(p, j)] /\ S j = i) ->
  contiguous (l ++ [(p, i)]).
Proof.
  intros H J l1 x q k l2 Q.
  destruct (exists_last (l := x :: (q, S k) :: l2) ltac:(discriminate)) as (m & y & Y).
  rewrite Y, app_assoc in Q. apply app_inj_tail in Q. destruct Q as [Q <-].
  destruct l2 as [| z l2].
  - change (x :: [(q, S k)]) with ([x] ++ [(q, S k)]) in Y. apply app_inj_tail in Y. destruct Y as [<- Y].
    inversion Y; subst q i. destruct J as [J | [J | (l' & j & J & K)]].
    + discriminate.
    + rewrite J in Q. destruct l1; discriminate.
    + rewrite J in Q. apply app_inj_tail in Q. destruct Q as [_ Q]. injection K as ->. now symmetry.
  - destruct (exists_last (l := z :: l2) ltac:(discriminate)) as (m' & y & Z). rewrite Z in Y.
    change (x :: (q, S k) :: m' ++ [y]) with ((x :: (q, S k) :: m') ++ [y]) in Y.
    apply app_inj_tail in Y. destruct Y as [<- _]. exact (H l1 x q k m' Q).
Qed.
