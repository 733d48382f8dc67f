(* SPDX-License-Identifier: Apache-2.0 *)
(* The directed rings of a torus, as 'unknot verify' takes them: all channels of one line of routers and one
   direction, where they close a circle of one channel a step. Not trusted: the checker looks at them. *)
open Checked

(* 2 * dimension, one more against the coordinate; none where the ends are no neighbours on a ring. *)
let step sizes values from target =
  let n = Array.length sizes in
  let rec go d found =
    if d = n then found
    else begin
      let a = values.((from * n) + d) and b = values.((target * n) + d) and size = sizes.(d) in
      if a = b then go (d + 1) found
      else if found <> None || size < 3 then None
      else if b = (a + 1) mod size then go (d + 1) (Some (2 * d))
      else if a = (b + 1) mod size then go (d + 1) (Some ((2 * d) + 1))
      else None
    end
  in
  go 0 None

(* Channels of each ring, in the order of their followers. *)
let circles (net : Fabric_file.t) =
  match net.coordinates with
  | None | Some (_, false, _) -> []
  | Some (sizes, true, values) ->
    let n = Array.length sizes in
    let lines = Hashtbl.create 1024 in
    Array.iteri
      (fun c (from, _, target, _) ->
        match step sizes values from target with
        | None -> ()
        | Some s ->
          let line = Array.sub values (from * n) n in
          line.(s / 2) <- 0;
          let key = (s, Array.to_list line) in
          Hashtbl.replace lines key (c :: Option.value ~default:[] (Hashtbl.find_opt lines key)))
      net.channels;
    Hashtbl.fold
      (fun (s, _) members found ->
        let size = sizes.(s / 2) in
        let by_start = Array.make size (-1) in
        List.iter (fun c -> let from, _, _, _ = net.channels.(c) in by_start.(values.((from * n) + (s / 2))) <- c) members;
        if List.length members <> size || Array.mem (-1) by_start then found
        else (if s land 1 = 0 then by_start else Array.init size (fun i -> by_start.(size - 1 - i))) :: found)
      lines []

let find (net : Fabric_file.t) =
  let channels = Array.length net.channels in
  let circles = Array.of_list (circles net) in
  let ring = Array.make channels 0 and next = Array.make channels 0 in
  let place = Array.make channels 0 and back = Array.make channels 0 in
  Array.iteri
    (fun i circle ->
      let size = Array.length circle in
      Array.iteri
        (fun j c ->
          ring.(c) <- i + 1;
          next.(c) <- circle.((j + 1) mod size);
          place.(c) <- j;
          back.(c) <- (size - j) mod size)
        circle)
    circles;
  let get a i = a.(i) in
  { channels; ring_of = get ring; follower = get next; first_of = (fun x -> circles.(x - 1).(0)); ahead = get place;
    back = get back }
