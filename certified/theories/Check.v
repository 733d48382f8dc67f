(* SPDX-License-Identifier: Apache-2.0 *)
(* The checker: a certificate is a number for each channel and lane that packets use, 0 for the others. Every
   pair of terminals is followed; at each hop the number has to rise, or to stay within one ring where flow
   control looks after rings ([bonded]; nowhere under credits).

   Terminals of one router with the same row of service levels send alike where tables lead and lanes do not
   depend on ports. Then it is enough to follow the packets of one of them, which a hint names ([like]); the
   hint is not trusted. *)
Require Import List Arith Lia Bool.
From Unknot Require Import Flits Invariant Trail Network.
Import ListNotations.

(* All numbers below n. *)
Fixpoint all_below (n : nat) (p : nat -> bool) : bool :=
  match n with 0 => true | S n => if p n then all_below n p else false end.

Lemma all_below_true n p : all_below n p = true -> forall i, i < n -> p i = true.
Proof.
  induction n as [| n IH]; cbn; intros H i L; [lia |]. destruct (p n) eqn:P; [| discriminate].
  destruct (Nat.eq_dec i n) as [-> | N]; [exact P | apply IH; [exact H | lia]].
Qed.

Section Check.
  Variable f : fabric.
  Variable r : routing.
  Variable number : nat -> nat -> nat.   (* channel, lane *)
  Variable bonded : cable -> nat -> nat -> nat -> bool.   (* cable, lane; channel after it, lane *)
  Variable hops : nat.                   (* followed so far at most *)

  (* From the end of cable c, whose lane j has the number v, on to d. *)
  Fixpoint walk (n s d l : nat) (c : cable) (j v : nat) : bool :=
    match n with
    | 0 => false
    | S n =>
        match forward f r c s d with
        | Via x =>
            let k := lane_at f r l c (source_port f x) in
            if k <? lanes r then
              let w := number x k in
              if (if v <? w then true else (v =? w) && bonded c j x k) then walk n s d l (Chan x) k w else false
            else false
        | Here t => if t =? d then lane_at f r l c (terminal_port f t) <? lanes r else false
        | Nowhere => false
        end
    end.
  Definition pair_ok (s d : nat) : bool :=
    let l := level r s d in
    let j := lane_in r l s in
    if j <? lanes r then walk hops s d l (Inj s) j 0 else false.

  Definition by_tables : bool := match ways r with Tables _ => true | Routes _ => false end.
  Definition no_map : bool := match map_of r with None => true | Some _ => false end.

  Definition source_ok (like : nat -> nat) (s : nat) : bool :=
    let a := like s in
    if a =? s then all_below (terminals f) (fun d => if s =? d then true else pair_ok s d)
    else by_tables && no_map && (a <? terminals f) && (like a =? a) && (home f s =? home f a) &&
         (row r s =? row r a) && pair_ok s a.
  Definition check (like : nat -> nat) : bool := all_below (terminals f) (source_ok like).

  (* Numbers of buffers: those of first cables below all others, those of last cables above them. *)
  Definition rank (top : nat) (b : buffer) : nat :=
    match b with (Inj _, _) => 0 | (Chan x, k) => number x k | (Ej _, _) => S top end.
  (* What holds of a buffer and the next. *)
  Definition rises (top : nat) (a b : buffer) : Prop :=
    rank top a < rank top b \/
    rank top a = rank top b /\ match b with (Chan x, k) => bonded (fst a) (snd a) x k = true | _ => False end.
  Notation Good top := (good flow buffer (next f r) (rises top)).
  Notation Trail := (trail flow buffer (next f r)).

  Definition number_of (b : buffer) : nat := match b with (Chan x, k) => number x k | _ => 0 end.

  Lemma walk_good top s d n : forall c k v, walk n s d (level r s d) c k v = true ->
    v = rank top (c, k) -> (forall t, c <> Ej t) ->
    (forall b, In b (Trail n (s, d) (c, k)) -> number_of b <= top) -> v <= top ->
    Good top (s, d) (c, k) ((c, k) :: Trail n (s, d) (c, k)).
  Proof.
    induction n as [| n IH]; intros c k v W V NE Le Lv; [discriminate |]. cbn [walk] in W.
    assert (N : next f r (s, d) (c, k) =
                match forward f r c s d with
                | Via x => let l := lane_at f r (level r s d) c (source_port f x) in
                           if l <? lanes r then Go (Chan x, l) else Lost
                | Here t => let l := lane_at f r (level r s d) c (terminal_port f t) in
                            if l <? lanes r then Go (Ej t, l) else Lost
                | Nowhere => Lost
                end).
    { destruct c; [reflexivity | reflexivity |]. now destruct (NE t). }
    cbn [trail] in *. destruct (forward f r c s d) as [x | t |]; cbv zeta in *; [| | discriminate].
    - set (l := lane_at f r (level r s d) c (source_port f x)) in *.
      destruct (l <? lanes r); [| discriminate].
      destruct (if v <? number x l then true else (v =? number x l) && bonded c k x l) eqn:L; [| discriminate].
      assert (Ri : rises top (c, k) (Chan x, l)).
      { unfold rises. rewrite <- V. cbn. destruct (v <? number x l) eqn:X; [left; now apply Nat.ltb_lt |].
        right. apply andb_true_iff in L. split; [now apply Nat.eqb_eq | apply L]. }
      rewrite N in *. apply good_hop with (Chan x, l); [exact N | exact Ri |].
      pose proof (Le (Chan x, l) (or_introl eq_refl)) as B. cbn in B.
      apply IH with (number x l); auto; [discriminate |]. intros b H. apply Le. now right.
    - destruct (t =? d) eqn:T; [| discriminate]. apply Nat.eqb_eq in T. subst t. rewrite W in N.
      rewrite N in *. apply good_hop with (Ej d, lane_at f r (level r s d) c (terminal_port f d)).
      + exact N.
      + left. rewrite <- V. cbn. lia.
      + assert (D : next f r (s, d) (Ej d, lane_at f r (level r s d) c (terminal_port f d)) = Deliver).
        { cbn. now rewrite Nat.eqb_refl. }
        destruct n; cbn [trail]; [| rewrite D]; now apply good_last.
  Qed.

  (* What a walk sees does not depend on the terminal, among those that send alike. *)
  Lemma walk_alike s a d l n : by_tables = true -> no_map = true -> home f s = home f a ->
    (forall j x k, bonded (Inj s) j x k = bonded (Inj a) j x k) -> forall j v,
    walk n s d l (Inj s) j v = walk n a d l (Inj a) j v.
  Proof.
    unfold by_tables, no_map. intros T M H B.
    assert (G : forall n c j v, walk n s d l (Chan c) j v = walk n a d l (Chan c) j v).
    { clear n. induction n as [| n IH]; intros c j v; [reflexivity |]. cbn [walk]. unfold forward.
      destruct (ways r); [| discriminate]. destruct (plug f _ _); auto. destruct (_ <? _); auto.
      rewrite IH. reflexivity. }
    destruct n; intros j v; [reflexivity |]. cbn [walk]. unfold forward, lane_at.
    destruct (ways r); [| discriminate]. destruct (map_of r); [discriminate |]. cbn [router_at].
    rewrite H. destruct (plug f _ _); auto. destruct (_ <? _); auto. rewrite B, G. reflexivity.
  Qed.

  Hypothesis bonded_inj : forall t j x k, bonded (Inj t) j x k = false.

  Theorem check_pairs like : check like = true -> forall s d, legal f (s, d) -> pair_ok s d = true.
  Proof.
    intros C s d (B & D & N). cbn in B, D, N.
    assert (Ch : forall t, t < terminals f -> source_ok like t = true) by now apply all_below_true.
    pose proof (Ch s B) as O. unfold source_ok in O. cbv zeta in O. destruct (like s =? s) eqn:L.
    - pose proof (all_below_true _ _ O d D) as P. cbn in P.
      destruct (s =? d) eqn:Q; [apply Nat.eqb_eq in Q; contradiction | exact P].
    - repeat rewrite andb_true_iff in O. destruct O as ((((((T & M) & A) & R) & H) & W) & P).
      apply Nat.ltb_lt in A. apply Nat.eqb_eq in H, W.
      destruct (Nat.eq_dec d (like s)) as [-> | E]; [exact P |].
      pose proof (Ch (like s) A) as O. unfold source_ok in O. cbv zeta in O. rewrite R in O.
      pose proof (all_below_true _ _ O d D) as Q. cbn in Q.
      destruct (like s =? d) eqn:X; [apply Nat.eqb_eq in X; congruence |].
      unfold pair_ok in *. cbv zeta in *. unfold level in *. rewrite W.
      rewrite (walk_alike s (like s)) by (auto; intros; now rewrite !bonded_inj).
      unfold lane_in in *. unfold no_map in M. destruct (map_of r); [discriminate | exact Q].
  Qed.

  (* A bound of all numbers on the paths of all flows. *)
  Definition path (p : flow) : list buffer := path_of flow buffer (first r) (next f r) hops p.
  Definition greatest (l : list nat) : nat := list_max l.
  Definition top : nat :=
    greatest (map (fun s => greatest (map (fun d => greatest (map number_of (path (s, d))))
                                          (seq 0 (terminals f)))) (seq 0 (terminals f))).

  Lemma greatest_in l x : In x l -> x <= greatest l.
  Proof.
    intro H. pose proof (proj1 (list_max_le l (list_max l)) (le_n _)) as Fo.
    rewrite Forall_forall in Fo. now apply Fo.
  Qed.

  Lemma top_above p b : legal f p -> In b (path p) -> number_of b <= top.
  Proof.
    destruct p as [s d]. intros (A & D & _) H. cbn in A, D. unfold top.
    set (g := fun s d => greatest (map number_of (path (s, d)))).
    assert (X : number_of b <= g s d) by (apply greatest_in, in_map, H).
    assert (Y : g s d <= greatest (map (g s) (seq 0 (terminals f)))).
    { apply greatest_in, in_map, in_seq. lia. }
    assert (Z : greatest (map (g s) (seq 0 (terminals f))) <=
                greatest (map (fun s => greatest (map (g s) (seq 0 (terminals f)))) (seq 0 (terminals f)))).
    { apply greatest_in. apply (in_map (fun s => greatest (map (g s) (seq 0 (terminals f))))), in_seq. lia. }
    subst g. cbn beta in *. lia.
  Qed.

  Theorem pair_good s d : legal f (s, d) -> pair_ok s d = true ->
    exists b, first r (s, d) = Go b /\ Good top (s, d) b (b :: Trail hops (s, d) b).
  Proof.
    intros Le P. unfold pair_ok in P. cbv zeta in P. destruct (lane_in r (level r s d) s <? lanes r) eqn:L;
      [| discriminate].
    assert (Fi : first r (s, d) = Go (Inj s, lane_in r (level r s d) s)) by (unfold first; cbv zeta; now rewrite L).
    exists (Inj s, lane_in r (level r s d) s). split; [exact Fi |].
    apply walk_good with 0; auto; [discriminate | | lia].
    intros b H. apply (top_above (s, d)); [exact Le |]. unfold path, path_of. rewrite Fi. now right.
  Qed.

  (* What an accepted certificate means for the paths. *)
  Theorem check_paths like : check like = true -> forall p, legal f p ->
    path_ok flow buffer (first r) (next f r) path p /\
    (forall i a b, nth_error (path p) i = Some a -> nth_error (path p) (S i) = Some b ->
                   rises top a b) /\
    (forall b, In b (path p) -> rank top b <= S top).
  Proof.
    intros C [s d] Le. destruct (pair_good s d Le (check_pairs like C s d Le)) as (b & Fi & G).
    split; [| split].
    - exact (good_path _ _ (first r) _ _ hops (s, d) b Fi G).
    - intros i x y X Y. unfold path, path_of in X, Y. rewrite Fi in X, Y.
      exact (proj2 (good_step _ _ _ _ _ _ _ _ _ _ G X Y)).
    - intros x X. pose proof (top_above (s, d) x Le X) as T. destruct x as [[t | x | t] k]; cbn in *; lia.
  Qed.
End Check.
