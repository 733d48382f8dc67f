(* SPDX-License-Identifier: Apache-2.0 *)
(* unknot-certified: reads files, calls the checker that Coq has proven, says what it answers. *)
open Checked

let usage =
  "Usage: unknot-certified FABRIC TABLES [CERTIFICATE]\n\
  \       unknot-certified schedule FABRIC SCHEDULE\n\
   Checks, by a program that is proven in Coq, that tables deliver every pair and cannot deadlock, or that a\n\
   schedule of a collective communication delivers everything and uses no channel twice in a step.\n\
   FABRIC is a file of 'unknot topology --format json', TABLES one of 'unknot route --format json' or binary,\n\
   CERTIFICATE one of 'unknot route --certificate'; without one numbers are looked for first.\n\
   SCHEDULE is a file of 'unknot schedule'.\n\
   Exit code 0: accepted. 1: refused. 2: bad usage or input.\n"

let read_file name =
  let channel = open_in_bin name in
  Fun.protect ~finally:(fun () -> close_in channel) (fun () -> really_input_string channel (in_channel_length channel))

(* Errors of a file say which. *)
let reading name read = try read (read_file name) with Json.Error text -> Json.fail "%s: %s" name text

(* The first pair that the checker refuses, by the same code, among those that it looks at. *)
let first_refused (f : fabric) like ok =
  let found = ref None in
  let look s d = if s <> d && not (ok s d) then (found := Some (s, d); raise Exit) in
  (try
     for s = 0 to f.terminals - 1 do
       if like s = s then for d = 0 to f.terminals - 1 do look s d done else look s (like s)
     done
   with Exit -> ());
  !found

let tables fabric_name tables_name certificate_name =
  let net = reading fabric_name Fabric_file.read in
  let tables = reading tables_name (Tables_file.read net) in
  let f = net.fabric and r = tables.routing in
  let hops = net.routers + 1 in
  let numbers =
    match certificate_name with
    | Some name -> reading name (Certificate_file.read net)
    | None -> Prover.numbers net r ~hops
  in
  let number = Certificate_file.lookup numbers in
  let like = Prover.like f r in
  let rings = Ring_finder.find net in
  let accepted =
    if tables.bubble then check_bubble f r number rings hops like else check f r number no_rings hops like
  in
  if accepted then begin
    Printf.printf "accepted: %d terminals, every pair is delivered, no deadlock is possible (%s)\n" f.terminals
      (if tables.bubble then "bubble flow control" else "credits");
    0
  end
  else begin
    let bonded = if tables.bubble then in_ring rings else no_rings in
    (match first_refused f like (pair_ok f r number bonded hops) with
     | None -> print_string "refused: what is claimed of rings does not hold\n"
     | Some (s, d) ->
       let reaches = ref false in
       let rec go n c =
         if n > 0 then
           match forward f r c s d with
           | Via x when lane_at f r (r.levels (r.row s) d) c (f.source_port x) < r.lanes -> go (n - 1) (Chan x)
           | Here t -> reaches := t = d && lane_at f r (r.levels (r.row s) d) c (f.terminal_port t) < r.lanes
           | _ -> ()
       in
       if lane_in r (r.levels (r.row s) d) s < r.lanes then go hops (Inj s);
       Printf.printf "refused: packets of terminal %d to terminal %d %s\n" s d
         (if !reaches then "take a channel whose number does not rise" else "do not arrive"));
    1
  end

let schedule fabric_name schedule_name =
  let net = reading fabric_name Fabric_file.read in
  let s = reading schedule_name (Schedule_file.read net) in
  let accepted =
    match s.kind with
    | Reduction -> check_reduction s.links s.plan s.problem s.hints
    | Scatter | Broadcast -> check_schedule s.links s.plan s.problem s.hints
  in
  if accepted then
    Printf.printf "accepted: %s in %d steps, all %d messages are delivered, no channel is used twice in a step\n" s.name
      s.plan.steps s.problem.wants
  else print_string "refused\n";
  if accepted then 0 else 1

let () =
  let code =
    try
      match Array.to_list Sys.argv |> List.tl with
      | [ "--help" ] | [ "-h" ] -> print_string usage; 0
      | [ "schedule"; fabric; file ] -> schedule fabric file
      | [ fabric; tables_name ] -> tables fabric tables_name None
      | [ fabric; tables_name; certificate ] -> tables fabric tables_name (Some certificate)
      | _ -> prerr_string usage; 2
    with
    | Json.Error text -> Printf.eprintf "unknot-certified: %s\n" text; 2
    | Sys_error text -> Printf.eprintf "unknot-certified: %s\n" text; 2
    | End_of_file | Invalid_argument _ | Not_found | Stack_overflow | Out_of_memory ->
      prerr_string "unknot-certified: a file makes no sense, or is too large\n"; 2
  in
  exit code
