(* SPDX-License-Identifier: Apache-2.0 *)
(* A schedule as 'unknot schedule' writes it, and what its collective asks for. Trusted, but for the hints. *)
open Checked

type kind = Scatter | Broadcast | Reduction
type t = { name : string; kind : kind; links : links; plan : plan; problem : problem; hints : hints }

type ends = One_to_all | All_to_one | All_to_all | Listed | After

let collective = function
  | "OAS" -> (Scatter, One_to_all)
  | "AAS" | "AAG" -> (Scatter, All_to_all)
  | "AOG" -> (Scatter, All_to_one)
  | "MNS" -> (Scatter, All_to_all)
  | "permutation" -> (Scatter, Listed)
  | "OAB" -> (Broadcast, One_to_all)
  | "AAB" | "MNB" -> (Broadcast, All_to_all)
  | "scan" -> (Broadcast, After)
  | "AOR" -> (Reduction, All_to_one)
  | "AAR" -> (Reduction, All_to_all)
  | name -> Json.fail "schedules of '%s' are not read" name

(* Nodes are routers where each has exactly one terminal; else routers, which switch only, and after them
   terminals, each with a cable to its router. Channels: tail, head. *)
let graph (net : Fabric_file.t) =
  let routers = net.routers in
  let between = Array.map (fun (a, _, b, _) -> (a, b)) net.channels in
  if Array.for_all (fun here -> List.length here = 1) net.at_router then
    (routers, between, List.init routers Fun.id)
  else begin
    let f = net.fabric in
    let cables =
      Array.init (2 * f.terminals) (fun i ->
          let t = i / 2 in
          if i land 1 = 0 then (routers + t, f.home t) else (f.home t, routers + t))
    in
    (routers + f.terminals, Array.append between cables, List.init f.terminals (fun t -> routers + t))
  end

let known = [ "fabric"; "collective"; "terminals"; "transmitters"; "receivers"; "root"; "messages"; "steps" ]

let read net text =
  let doc = Json.parse text in
  (match doc with
   | Json.Object members ->
     List.iter (fun (name, _) -> if not (List.mem name known) then Json.fail "'%s' in a schedule is not read" name) members
   | _ -> Json.fail "this is no schedule");
  let nodes, channels, endpoints = graph net in
  let name = Json.string "'collective'" (Json.member "collective" doc) in
  let kind, ends = collective name in
  let node v = Json.index "a node" nodes v in
  let list key = Option.map (fun v -> Array.to_list (Array.map node (Json.list key v))) (Json.member_opt key doc) in
  let all = Option.value ~default:endpoints (list "terminals") in
  let senders = Option.value ~default:all (list "transmitters") in
  let receivers = Option.value ~default:all (list "receivers") in
  let root = function
    | [] -> Json.fail "nobody takes part"
    | first :: _ as some ->
      (match Json.member_opt "root" doc with
       | None -> [ first ]
       | Some v -> if List.mem (node v) some then [ node v ] else Json.fail "the root does not take part")
  in
  let senders = if ends = One_to_all then root senders else senders in
  let receivers = if ends = All_to_one then root receivers else receivers in
  (* Owner and partner: of a reduction who gets the result, and who gives a part. *)
  let pairs =
    match Json.member_opt "messages" doc with
    | Some v ->
      let pair v = match Json.list "a message" v with [| a; b |] -> (node a, node b) | _ -> Json.fail "a message is no pair" in
      Array.to_list (Array.map pair (Json.list "'messages'" v))
    | None ->
      if ends = Listed then Json.fail "a permutation needs 'messages'";
      List.concat_map
        (fun s ->
          List.filter_map
            (fun r ->
              if s = r || (ends = After && r < s) then None else Some (if kind = Reduction then (r, s) else (s, r)))
            receivers)
        senders
  in
  let pairs = Array.of_list (List.sort_uniq compare (List.filter (fun (a, b) -> a <> b) pairs)) in
  let message owner partner = if kind = Scatter then (owner * nodes) + partner else owner in
  let want_of = Hashtbl.create 4096 in
  Array.iteri (fun w (o, n) -> Hashtbl.replace want_of (message o n, n) w) pairs;
  (* Channels between two nodes are dealt out in each step as they come; none is left, or none is there: the
     checker will say so. *)
  let lanes = Hashtbl.create 4096 in
  Array.iteri
    (fun c ends -> Hashtbl.replace lanes ends (c :: Option.value ~default:[] (Hashtbl.find_opt lanes ends)))
    channels;
  let nowhere = Array.length channels in
  let moved_by = Hashtbl.create 4096 and user = Hashtbl.create 4096 in
  let step k v =
    let free = Hashtbl.create 256 in
    let channel a b =
      match Option.value ~default:[] (Hashtbl.find_opt (if Hashtbl.mem free (a, b) then free else lanes) (a, b)) with
      | [] -> (match Hashtbl.find_opt lanes (a, b) with Some (c :: _) -> c | _ -> nowhere)
      | c :: rest -> Hashtbl.replace free (a, b) rest; c
    in
    let transfer i v =
      let origin = Json.int "an origin" (Json.member "origin" v) in
      let path = Array.map (Json.int "a node") (Json.list "'path'" (Json.member "path" v)) in
      if Array.length path = 0 || origin < 0 then Json.fail "a transfer goes nowhere";
      let last = Array.length path - 1 in
      let way = List.init last (fun j -> channel path.(j) path.(j + 1)) in
      let sender = path.(0) and receiver = path.(last) in
      let m = message origin receiver in
      let moves = if kind = Reduction then sender else receiver in
      if not (Hashtbl.mem moved_by (m, moves)) then Hashtbl.replace moved_by (m, moves) (k, i);
      List.iteri (fun j c -> if not (Hashtbl.mem user (k, c)) then Hashtbl.replace user (k, c) (i, j)) way;
      { message = m; sender; receiver; way }
    in
    Array.mapi transfer (Json.list "a step" v)
  in
  let steps = Array.mapi step (Json.list "'steps'" (Json.member "steps" doc)) in
  let lookup table none key = Option.value ~default:none (Hashtbl.find_opt table key) in
  {
    name;
    kind;
    links =
      {
        tail = (fun c -> if c < nowhere then fst channels.(c) else max_int);
        head = (fun c -> if c < nowhere then snd channels.(c) else max_int);
        line = (fun c -> c);
      };
    plan =
      {
        steps = Array.length steps;
        count = (fun k -> Array.length steps.(k));
        transfer_of = (fun k i -> steps.(k).(i));
      };
    problem =
      {
        owner = (fun m -> if kind = Scatter then m / nodes else m);
        wants = Array.length pairs;
        want = (fun w -> let o, n = pairs.(w) in (message o n, n));
        straight = kind = Scatter;
      };
    hints =
      {
        moved_by = (fun m n -> lookup moved_by (Array.length steps, 0) (m, n));
        user = (fun k c -> lookup user (nowhere, nowhere) (k, c));
        want_of = (fun m n -> lookup want_of (Array.length pairs) (m, n));
      };
  }
