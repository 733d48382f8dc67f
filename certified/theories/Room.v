(* SPDX-License-Identifier: Apache-2.0 *)
(* Virtual cut-through is what its name says: once a packet's first flit is in a buffer, the others find room,
   each at once, so that a packet is never stopped half-way into a buffer. *)
Require Import List Arith Lia.
From Unknot Require Import Flits FlitLists Invariant Progress.
Import ListNotations.

Section Room.
  Variables F R : Type.
  Variable R_eq : forall a b : R, {a = b} + {a <> b}.
  Variable first : F -> action R.
  Variable next : F -> R -> action R.
  Variable flow : nat -> F.
  Variable len : nat -> nat.
  Variable cap : R -> nat.
  Variable path : F -> list R.
  Hypothesis paths : forall p, path_ok F R first next path (flow p).

  Definition whole_room (from : option R) (b : R) (l : list flit) (n : nat) : Prop := length l + n <= cap b.
  Notation Reachable := (reachable R_eq first next flow len cap whole_room).
  Notation at_stage p i b := (nth_error (path (flow p)) i = Some b).

  (* What is still to come of a packet that a buffer is taking fits. *)
  Definition kept_free (s : state R) (E : nat -> nat -> nat) : Prop :=
    forall p i b, at_stage p i b -> 0 < E p i < len p -> length (buf s b) + (len p - E p i) <= cap b.

  Lemma free_after_any (rule : option R -> R -> list flit -> nat -> Prop) s s' E p j :
    (forall from b l n, rule from b l n -> length l + n <= cap b) ->
    invariant F R flow len path s E -> kept_free s E ->
    moved F R flow len rule path s s' E p j -> kept_free s' (raise E p j).
  Proof.
    intros Whole I K M q i b A L.
    destruct (stage_dec F R R_eq flow path p j b) as [D | D].
    - rewrite (m_entered _ _ _ _ _ _ _ _ _ _ _ M b D), app_length. cbn [length].
      assert (W : q = p).
      { destruct (Nat.eq_dec p q) as [<- | N]; [reflexivity |]. rewrite raise_packet in L by auto.
        pose proof (inv_writes _ _ _ _ _ _ _ I q i b A L) as W.
        rewrite (m_before _ _ _ _ _ _ _ _ _ _ _ M b D) in W. destruct (Nat.eq_dec (E p j) 0); congruence. }
      subst q. assert (i = j) as -> by exact (stage_unique F R first next flow path paths p i j b A D).
      rewrite raise_here in *. destruct (Nat.eq_dec (E p j) 0) as [Z | Z].
      + pose proof (Whole _ _ _ _ (m_admits _ _ _ _ _ _ _ _ _ _ _ M b D Z)) as Ad. lia.
      + pose proof (K p j b D ltac:(lia)). lia.
    - assert (G : length (buf s' b) <= length (buf s b)).
      { destruct (moved_elsewhere _ _ R_eq _ _ _ _ _ _ _ _ _ _ M D) as [-> | ->]; cbn; lia. }
      assert (Q : raise E p j q i = E q i).
      { unfold raise. destruct (Nat.eq_dec p q) as [<- | N]; [| reflexivity].
        destruct (Nat.eq_dec j i) as [<- | N]; [contradiction | reflexivity]. }
      rewrite Q in *. pose proof (K q i b A L). lia.
  Qed.

  (* A packet that is writing a buffer finds room there for its next flit. *)
  Theorem room_once_inside s b p : Reachable s -> writer s b = Some p -> length (buf s b) < cap b.
  Proof.
    intros Re W. assert (G : exists E, invariant F R flow len path s E /\ kept_free s E).
    { clear W. induction Re as [| q s s' _ (E & I & K) M].
      - exists (fun _ _ => 0). split; [apply invariant_start |]. intros q i c _ L. lia.
      - destruct (move_is _ _ R_eq _ _ _ _ _ _ _ paths _ _ _ _ I M) as (j & J). exists (raise E q j). split.
        + exact (invariant_moved _ _ R_eq _ _ _ _ _ _ paths s s' E q j I J).
        + exact (free_after_any whole_room s s' E q j (fun _ _ _ _ H => H) I K J). }
    destruct G as (E & I & K). destruct (inv_writer _ _ _ _ _ _ _ I p b W) as (i & A & L).
    pose proof (K p i b A L). lia.
  Qed.
End Room.
