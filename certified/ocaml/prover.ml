(* SPDX-License-Identifier: Apache-2.0 *)
(* Numbers where no certificate is given, and what to say where one is refused. Not trusted. *)
open Checked

(* Calls visit (channel, lane) for each hop of a pair, in order, as far as it gets. *)
let follow f r ~hops s d visit =
  let l = level r s d in
  let rec go n c =
    if n > 0 then
      match forward f r c s d with
      | Via x ->
        let k = lane_at f r l c (f.source_port x) in
        if k < r.lanes then (visit x k; go (n - 1) (Chan x))
      | Here _ | Nowhere -> ()
  in
  if lane_in r l s < r.lanes then go hops (Inj s)

(* Which terminal speaks for which: the first of its router with the same row of levels. *)
let like (f : fabric) r =
  let seen = Hashtbl.create 1024 in
  let same = (match r.ways with Tables _ -> true | Routes _ -> false) && r.map_of = None in
  let speaks =
    Array.init f.terminals (fun t ->
        let key = (f.home t, r.row t) in
        match Hashtbl.find_opt seen key with
        | Some first when same -> first
        | _ -> Hashtbl.replace seen key t; t)
  in
  fun t -> speaks.(t)

(* Numbers of strongly connected components in topological order, from 1: Tarjan's algorithm, without
   recursion. Buffers are lane * channels + channel. *)
let numbers (net : Fabric_file.t) r ~hops =
  let f = net.fabric in
  let channels = Array.length net.channels in
  let size = max 1 (r.lanes * channels) in
  let arcs = Array.make size [] and used = Bytes.make size '\000' in
  let known = Hashtbl.create 65536 in
  let speaks = like f r in
  for s = 0 to f.terminals - 1 do
    if speaks s = s then
      for d = 0 to f.terminals - 1 do
        if s <> d then begin
          let before = ref (-1) in
          follow f r ~hops s d (fun x k ->
              let v = (k * channels) + x in
              Bytes.unsafe_set used v '\001';
              if !before >= 0 && not (Hashtbl.mem known ((!before * size) + v)) then begin
                Hashtbl.add known ((!before * size) + v) ();
                arcs.(!before) <- v :: arcs.(!before)
              end;
              before := v)
        end
      done
  done;
  let index = Array.make size (-1) and low = Array.make size 0 and component = Array.make size (-1) in
  let count = ref 0 and next = ref 0 in
  let stack = Stack.create () and work = Stack.create () in
  let opened v =
    index.(v) <- !next; low.(v) <- !next; incr next;
    Stack.push v stack; Stack.push (v, ref arcs.(v)) work
  in
  for root = 0 to size - 1 do
    if Bytes.get used root <> '\000' && index.(root) < 0 then begin
      opened root;
      while not (Stack.is_empty work) do
        let v, rest = Stack.top work in
        match !rest with
        | w :: more ->
          rest := more;
          if index.(w) < 0 then opened w
          else if component.(w) < 0 then low.(v) <- min low.(v) index.(w)
        | [] ->
          ignore (Stack.pop work);
          if low.(v) = index.(v) then begin
            let rec close () =
              let w = Stack.pop stack in
              component.(w) <- !count;
              if w <> v then close ()
            in
            close (); incr count
          end;
          (match Stack.top_opt work with Some (u, _) -> low.(u) <- min low.(u) low.(v) | None -> ())
      done
    end
  done;
  Array.init r.lanes (fun k ->
      Array.init channels (fun c ->
          let n = component.((k * channels) + c) in
          if n < 0 then 0 else !count - n))
