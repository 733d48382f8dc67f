(* SPDX-License-Identifier: Apache-2.0 *)
(* Certificates (docs/table-formats.md). Not trusted: whatever numbers come of it are checked. *)

(* number.(lane).(channel): one more than in the file, 0 where there is none. *)
let read (net : Fabric_file.t) text =
  let lines = String.split_on_char '\n' text in
  let number = Array.init 256 (fun _ -> [||]) in
  let channels = Array.length net.channels in
  let rec entries count = function
    | line :: rest ->
      (match String.split_on_char ' ' line with
       | [ "end"; n ] ->
         if int_of_string_opt n <> Some count then Json.fail "the certificate has %d lines instead of %s" count n;
         if List.exists (fun l -> l <> "") rest then Json.fail "the certificate goes on after its end"
       | [ lane; guid; port; value ] ->
         (match (int_of_string_opt lane, int_of_string_opt port, int_of_string_opt value) with
          | Some lane, Some port, Some value when lane >= 0 && lane < 256 && value >= 0 ->
            let router = Fabric_file.find net.router_guid "router" guid in
            (match Hashtbl.find_opt net.channel_at (router, port) with
             | None -> Json.fail "the certificate has a channel that the fabric has not: %s" line
             | Some c ->
               if number.(lane) = [||] then number.(lane) <- Array.make channels 0;
               if number.(lane).(c) <> 0 then Json.fail "the certificate has a channel twice: %s" line;
               number.(lane).(c) <- value + 1)
          | _ -> Json.fail "the certificate has a line that is none: %s" line);
         entries (count + 1) rest
       | _ -> Json.fail "the certificate has a line that is none: %s" line)
    | [] -> Json.fail "the certificate ends early"
  in
  (match lines with
   | "unknot-certificate 1" :: network :: lanes :: rest
     when String.length network > 8 && String.sub network 0 8 = "network " && String.length lanes > 6
          && String.sub lanes 0 6 = "lanes " -> entries 0 rest
   | _ -> Json.fail "this is no certificate");
  number

let lookup number =
  fun c lane ->
    if lane >= Array.length number then 0
    else let row = Array.unsafe_get number lane in if c < Array.length row then row.(c) else 0
