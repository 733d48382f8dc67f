(* SPDX-License-Identifier: Apache-2.0 *)
(* Tables or source routes in Unknot's formats json and binary (docs/table-formats.md) as the checker takes
   them. Trusted. *)
open Checked

type t = { routing : routing; bubble : bool }

let missing = 255  (* a service level that is not known, a lane that none is *)

(* SL-to-VL tables: pairs of ports without a row keep the level. Levels end at 15. *)
let lane_map rows =
  {
    injected = (fun l _ -> if l < 16 then 0 else missing);
    turned =
      (fun l r i o ->
        if l >= 16 then missing
        else match Hashtbl.find_opt rows (r, i, o) with Some lanes -> Char.code (Bytes.get lanes l) | None -> l);
  }

let levels_of rows row_of =
  if Array.length rows = 0 then ((fun _ -> 0), fun _ _ -> 0)
  else ((fun t -> row_of.(t)), fun row d -> Char.code (Bytes.get rows.(row) d))

(* Lanes that carry data: what the file declares, at most 15. *)
let lanes_of declared = min 15 (max 1 declared)

let read_json (net : Fabric_file.t) doc =
  let f = net.fabric in
  let routers = net.routers and terminals = f.terminals in
  if Json.member_opt "version" doc <> Some (Json.Int 1) then Json.fail "tables of an unknown version";
  let router v = Fabric_file.find net.router_guid "router" (Json.string "a router" v) in
  let terminal v = Fabric_file.find net.terminal_guid "terminal" (Json.string "a terminal" v) in
  let columns = Array.map (fun t -> terminal (Json.member "guid" t)) (Json.list "'terminals'" (Json.member "terminals" doc)) in
  if Array.length columns <> terminals then Json.fail "the tables have another number of terminals";
  let seen = Array.make terminals false in
  Array.iter (fun t -> if seen.(t) then Json.fail "a terminal is given twice"; seen.(t) <- true) columns;
  let row_of_columns what v fill convert =
    let v = Json.list what v in
    if Array.length v <> terminals then Json.fail "%s has %d entries instead of %d" what (Array.length v) terminals;
    Array.iteri (fun i x -> fill columns.(i) (convert x)) v
  in
  let listed = Json.list "'routers'" (Json.member "routers" doc) in
  let ways =
    match Json.member_opt "routes" doc with
    | None ->
      let ports = Array.make_matrix routers terminals 0 in
      let given = Array.make routers false in
      Array.iter
        (fun v ->
          let r = router (Json.member "guid" v) in
          if given.(r) then Json.fail "a router is given twice";
          given.(r) <- true;
          row_of_columns "'ports'" (Json.member "ports" v) (fun d p -> ports.(r).(d) <- max 0 p) (Json.int "a port"))
        listed;
      Tables (fun r d -> ports.(r).(d))
    | Some v ->
      let numbers = Array.map (fun v -> router (Json.member "guid" v)) listed in
      let channel = function
        | Json.List [| Json.Int a; _; Json.Int p |] when a >= 0 && a < Array.length numbers ->
          (match Hashtbl.find_opt net.channel_at (numbers.(a), p) with
           | Some c -> c
           | None -> Json.fail "'channels' has one that the fabric has not")
        | _ -> Json.fail "'channels' has an entry that is no [from, to, port]"
      in
      let channels = Array.map channel (Json.list "'channels'" (Json.member "channels" doc)) in
      (* No route is as good as an empty one: it is accepted between terminals of one router alone. *)
      let routes = Array.make_matrix terminals terminals [] in
      let route = function
        | Json.Null -> []
        | v ->
          Array.to_list
            (Array.map (fun c -> channels.(Json.index "a channel" (Array.length channels) c)) (Json.list "a route" v))
      in
      Array.iter
        (fun v ->
          let s = terminal (Json.member "source" v) in
          row_of_columns "'channels' of a route" (Json.member "channels" v) (fun d x -> routes.(s).(d) <- x) route)
        (Json.list "'routes'" v);
      Routes (fun s d -> routes.(s).(d))
  in
  let rows = match Json.member_opt "service_levels" doc with Some v -> Json.list "'service_levels'" v | None -> [||] in
  let row_of = Array.make terminals (Array.length rows) in
  let level = function Json.Null -> missing | v -> Json.index "a service level" 256 v in
  let levels =
    Array.mapi
      (fun i v ->
        let row = Bytes.make terminals (Char.chr missing) in
        row_of_columns "'levels'" (Json.member "levels" v) (fun d x -> Bytes.set row d (Char.chr x)) level;
        (match Json.member_opt "terminal" v with
         | Some t -> row_of.(terminal t) <- i
         | None -> List.iter (fun t -> row_of.(t) <- i) net.at_router.(router (Json.member "router" v)));
        row)
      rows
  in
  let levels = if rows = [||] then [||] else Array.append levels [| Bytes.make terminals (Char.chr missing) |] in
  let row, levels = levels_of levels row_of in
  let map_of =
    match Json.member_opt "sl_to_vl" doc with
    | None -> None
    | Some v ->
      let table = Hashtbl.create 1024 in
      let port name v = Json.int "a port" (Json.member name v) in
      Array.iter
        (fun v ->
          let lanes = Json.list "'lanes'" (Json.member "lanes" v) in
          if Array.length lanes <> 16 then Json.fail "'lanes' does not have 16 entries";
          let lanes = Array.map (Json.index "a lane" 16) lanes in
          Hashtbl.replace table
            (router (Json.member "router" v), port "in" v, port "out" v)
            (Bytes.init 16 (fun i -> Char.chr lanes.(i))))
        (Json.list "'sl_to_vl'" v);
      Some (lane_map table)
  in
  let lanes = match Json.member_opt "virtual_lanes" doc with Some v -> Json.int "'virtual_lanes'" v | None -> 15 in
  let bubble =
    match Json.member_opt "flow_control" doc with
    | None | Some (Json.String "credits") -> false
    | Some (Json.String "bubble") -> true
    | _ -> Json.fail "'flow_control' is neither credits nor bubble"
  in
  { routing = { ways; row; levels; map_of; lanes = lanes_of lanes }; bubble }

(* The checksum at the end is not looked at: what is checked is what was read. *)
let read_binary (net : Fabric_file.t) data =
  let f = net.fabric in
  let at = ref 8 in
  let need n = if !at + n > String.length data then Json.fail "the file ends early" in
  let u32 () =
    need 4;
    let v = Int32.to_int (String.get_int32_le data !at) land 0xFFFFFFFF in
    at := !at + 4;
    v
  in
  let skip n = need n; at := !at + n in
  if u32 () <> 2 then Json.fail "tables of an unknown version";
  skip 8;
  let routers = u32 () in
  let terminals = u32 () in
  if routers <> net.routers || terminals <> f.terminals then Json.fail "the tables are for another network";
  let width = u32 () in
  if width <> 1 && width <> 2 then Json.fail "entries of %d bytes" width;
  let lanes = u32 () in
  ignore (u32 ());
  skip (u32 ());
  skip (4 * terminals);
  let kind = u32 () in
  let mapped = u32 () in
  let entries = !at in
  skip (routers * terminals * width);
  (* Entry k of a router is its k-th channel by port; the three highest values are none, here and stray. *)
  let out = Array.make routers [] in
  for c = Array.length net.channels - 1 downto 0 do
    let a, p, _, _ = net.channels.(c) in
    out.(a) <- p :: out.(a)
  done;
  let here = if width = 1 then 0xFE else 0xFFFE in
  let ports = Array.map (fun l -> let a = Array.make (here + 2) 0 in List.iteri (fun i p -> a.(i) <- p) l; a) out in
  let port =
    let decode r d e = if e = here then (if f.home d = r then f.terminal_port d else 0) else ports.(r).(e) in
    if width = 1 then fun r d -> decode r d (Char.code data.[entries + (r * terminals) + d])
    else fun r d -> decode r d (String.get_uint16_le data (entries + (2 * ((r * terminals) + d))))
  in
  let row () = let first = !at in skip terminals; Bytes.of_string (String.sub data first terminals) in
  let row_of = Array.make terminals 0 in
  let levels =
    match kind with
    | 0 -> [||]
    | 1 ->
      let next = ref 0 in
      Array.iter
        (fun here -> if here <> [] then (List.iter (fun t -> row_of.(t) <- !next) here; incr next))
        net.at_router;
      let rows = Array.make !next Bytes.empty in
      for i = 0 to !next - 1 do rows.(i) <- row () done;
      rows
    | 2 ->
      let rows = Array.make terminals Bytes.empty in
      for i = 0 to terminals - 1 do row_of.(i) <- i; rows.(i) <- row () done;
      rows
    | _ -> Json.fail "service levels of an unknown kind"
  in
  let row, levels = levels_of levels row_of in
  (* A row for each router, port in and port out, from 0; equal ones are told once, with how many there are. *)
  let map_of =
    if mapped = 0 then None
    else begin
      let table = Hashtbl.create 1024 in
      let left = ref 0 and lanes = ref Bytes.empty in
      Array.iteri
        (fun r ports ->
          for i = 0 to ports do
            for o = 0 to ports do
              if !left = 0 then begin
                left := u32 ();
                if !left = 0 then Json.fail "the SL-to-VL tables end early";
                let first = !at in
                skip 16;
                lanes := Bytes.of_string (String.sub data first 16)
              end;
              Hashtbl.replace table (r, i, o) !lanes;
              decr left
            done
          done)
        net.ports;
      if !left <> 0 || u32 () <> 0 then Json.fail "more SL-to-VL rows than the network has ports";
      Some (lane_map table)
    end
  in
  {
    routing = { ways = Tables port; row; levels; map_of; lanes = lanes_of lanes };
    bubble = false;
  }

let read net data =
  if String.length data >= 8 && String.sub data 0 8 = "UNKNOTRT" then read_binary net data
  else begin
    let doc = Json.parse data in
    if Json.member_opt "format" doc <> Some (Json.String "unknot-tables") then
      Json.fail "these are no tables in Unknot's formats json or binary (unknot route --format json)";
    read_json net doc
  end
