(* SPDX-License-Identifier: Apache-2.0 *)
(* A fabric of Unknot's own format (docs/formats.md, json) as the checker takes it. Trusted. *)
open Checked

type t = {
  fabric : fabric;
  routers : int;
  channels : (int * int * int * int) array;  (* from, port, to, port: sorted by router, then by port *)
  channel_at : (int * int, int) Hashtbl.t;   (* router, port *)
  router_guid : (string, int) Hashtbl.t;
  terminal_guid : (string, int) Hashtbl.t;   (* of ports *)
  at_router : int list array;                (* terminals of each router, ascending *)
  ports : int array;                         (* of each router: the highest *)
  coordinates : (int array * bool * int array) option;  (* sizes, wraps, values router by router *)
}

let guids name count make doc =
  let table = Hashtbl.create (2 * count) in
  let add i guid =
    let guid = String.lowercase_ascii guid in
    if Hashtbl.mem table guid then Json.fail "'%s' has %s twice" name guid;
    Hashtbl.add table guid i
  in
  (match Json.member_opt name doc with
   | None -> for i = 0 to count - 1 do add i (make i) done
   | Some v ->
     let v = Json.list name v in
     if Array.length v <> count then Json.fail "'%s' has %d items instead of %d" name (Array.length v) count;
     Array.iteri (fun i g -> add i (Json.string name g)) v);
  table

let ints what v = Array.map (Json.int what) (Json.list what v)

let read text =
  let doc = Json.parse text in
  if Json.member_opt "format" doc <> Some (Json.String "unknot-network")
     || Json.member_opt "version" doc <> Some (Json.Int 1)
  then Json.fail "this is no fabric in Unknot's own format, version 1 (unknot topology FABRIC --format json)";
  let routers = Json.int "'routers'" (Json.member "routers" doc) in
  let router what v = if v < 0 || v >= routers then Json.fail "there is no router %d in %s" v what else v in
  let link what v =
    match Json.list what v with
    | [| a; p; b; q |] | [| a; p; b; q; _ |] ->
      let a = router what (Json.int what a) and b = router what (Json.int what b) in
      (a, Json.int what p, b, Json.int what q)
    | _ -> Json.fail "%s has an entry that is no [router, port, router, port]" what
  in
  let both (a, p, b, q) = [ (a, p, b, q); (b, q, a, p) ] in
  let cables = Array.to_list (Array.map (link "'cables'") (Json.list "'cables'" (Json.member "cables" doc))) in
  let one_way =
    match Json.member_opt "one_way" doc with
    | None -> []
    | Some v -> Array.to_list (Array.map (link "'one_way'") (Json.list "'one_way'" v))
  in
  let channels = Array.of_list (List.concat_map both cables @ one_way) in
  Array.sort (fun (a, p, _, _) (b, q, _, _) -> compare (a, p) (b, q)) channels;
  let terminal v =
    match Json.list "'terminals'" v with
    | [| r; p |] -> (router "'terminals'" (Json.int "'terminals'" r), Json.int "'terminals'" p)
    | _ -> Json.fail "'terminals' has an entry that is no [router, port]"
  in
  let terminals = Array.map terminal (Json.list "'terminals'" (Json.member "terminals" doc)) in
  let most_ports = 1 + Array.fold_left (fun m (_, p, _, q) -> max m (max p q)) 0 channels in
  let most_ports = Array.fold_left (fun m (_, p) -> max m (p + 1)) most_ports terminals in
  let plugs = Array.make_matrix routers most_ports Nowhere in
  let channel_at = Hashtbl.create (2 * Array.length channels) in
  let plug_in r p hop =
    if p < 1 then Json.fail "router %d has a port %d" r p;
    if plugs.(r).(p) <> Nowhere then Json.fail "port %d of router %d is used twice" p r;
    plugs.(r).(p) <- hop
  in
  Array.iteri (fun c (a, p, _, _) -> plug_in a p (Via c); Hashtbl.replace channel_at (a, p) c) channels;
  Array.iteri (fun t (r, p) -> plug_in r p (Here t)) terminals;
  let at_router = Array.make routers [] in
  for t = Array.length terminals - 1 downto 0 do
    let r = fst terminals.(t) in
    at_router.(r) <- t :: at_router.(r)
  done;
  let ports =
    match Json.member_opt "router_ports" doc with
    | Some v -> ints "'router_ports'" v
    | None -> Array.make routers 0
  in
  if Array.length ports <> routers then Json.fail "'router_ports' do not fit";
  Array.iteri (fun r row -> Array.iteri (fun p hop -> if hop <> Nowhere then ports.(r) <- max ports.(r) p) row) plugs;
  (* One that a one-way link leads to is a port, too. *)
  Array.iter (fun (_, _, b, q) -> ports.(b) <- max ports.(b) q) channels;
  let get a f = let a = Array.map f a in fun i -> a.(i) in
  let coordinates =
    match Json.member_opt "coordinates" doc with
    | None -> None
    | Some v ->
      let values = ints "'values'" (Json.member "values" v) and sizes = ints "'extent'" (Json.member "extent" v) in
      if Array.length values <> routers * Array.length sizes then Json.fail "'coordinates' do not fit";
      Some (sizes, Json.member_opt "wraps" v = Some (Json.Bool true), values)
  in
  {
    fabric =
      {
        terminals = Array.length terminals;
        home = get terminals fst;
        source = get channels (fun (a, _, _, _) -> a);
        target = get channels (fun (_, _, b, _) -> b);
        terminal_port = get terminals snd;
        source_port = get channels (fun (_, p, _, _) -> p);
        target_port = get channels (fun (_, _, _, q) -> q);
        plug = (fun r p -> if p >= 0 && p < most_ports then plugs.(r).(p) else Nowhere);
      };
    routers;
    channels;
    channel_at;
    router_guid = guids "router_guid" routers (fun i -> Printf.sprintf "0x%016x" (0x0002000000000000 + i)) doc;
    terminal_guid =
      guids "terminal_port_guid" (Array.length terminals)
        (fun i -> Printf.sprintf "0x%016x" (0x0001000000000001 + (2 * i)))
        doc;
    at_router;
    ports;
    coordinates;
  }

let find table what guid =
  match Hashtbl.find_opt table (String.lowercase_ascii guid) with
  | Some i -> i
  | None -> Json.fail "the fabric has no %s %s" what guid
