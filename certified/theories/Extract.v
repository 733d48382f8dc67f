(* SPDX-License-Identifier: Apache-2.0 *)
(* The program's part that is proven, as OCaml. Numbers become machine integers: nothing here adds, multiplies
   or subtracts but counters that fall to 0, so none overflows. *)
Require Import PeanoNat Extraction ExtrOcamlBasic ExtrOcamlNatInt.
From Unknot Require Import Network Check Credits Rings Schedule.

Extraction Language OCaml.
Extract Inlined Constant Nat.ltb => "(<)".
Extraction "checked.ml" check no_rings check_bubble in_ring pair_ok forward lane_in lane_at check_schedule check_reduction.
