(* SPDX-License-Identifier: Apache-2.0 *)
(* unknot-certified: reads files, calls the checker that Coq has proven, says what it answers. *)
open Checked

let usage =
  "Usage: unknot-certified FABRIC TABLES [CERTIFICATE]\n\
   Checks, by a program that is proven in Coq, that tables deliver every pair and cannot deadlock.\n\
   FABRIC is a file of 'unknot topology --format json', TABLES one of 'unknot route --format json' or binary,\n\
   CERTIFICATE one of 'unknot route --certificate'; without one numbers are looked for first.\n\
   Exit code 0: accepted. 1: refused. 2: bad usage or input.\n"

let read_file name =
  let channel = open_in_bin name in
  Fun.protect ~finally:(fun () -> close_in channel) (fun () -> really_input_string channel (in_channel_length channel))

(* Errors of a file say which. *)
let reading name read = try read (read_file name) with Json.Error text -> Json.fail "%s: %s" name text

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
  if tables.bubble then Json.fail "bubble flow control is not there yet";
  if check f r number hops like then begin
    Printf.printf "accepted: %d terminals, every pair is delivered and no deadlock is possible (credits)\n" f.terminals;
    0
  end
  else begin
    print_string "refused\n";
    1
  end

let () =
  let code =
    try
      match Array.to_list Sys.argv |> List.tl with
      | [ "--help" ] | [ "-h" ] -> print_string usage; 0
      | [ fabric; tables_name ] -> tables fabric tables_name None
      | [ fabric; tables_name; certificate ] -> tables fabric tables_name (Some certificate)
      | _ -> prerr_string usage; 2
    with
    | Json.Error text -> Printf.eprintf "unknot-certified: %s\n" text; 2
    | Sys_error text -> Printf.eprintf "unknot-certified: %s\n" text; 2
  in
  exit code
