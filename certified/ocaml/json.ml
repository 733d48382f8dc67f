(* SPDX-License-Identifier: Apache-2.0 *)
(* JSON, as far as Unknot writes it: numbers are whole, others are kept as text. Trusted. *)

type t =
  | Null
  | Bool of bool
  | Int of int
  | Other of string
  | String of string
  | List of t array
  | Object of (string * t) list

exception Error of string

let fail fmt = Printf.ksprintf (fun text -> raise (Error text)) fmt

let utf8 b code =
  if code < 0x80 then Buffer.add_char b (Char.chr code)
  else if code < 0x800 then begin
    Buffer.add_char b (Char.chr (0xC0 lor (code lsr 6)));
    Buffer.add_char b (Char.chr (0x80 lor (code land 0x3F)))
  end
  else begin
    Buffer.add_char b (Char.chr (0xE0 lor (code lsr 12)));
    Buffer.add_char b (Char.chr (0x80 lor ((code lsr 6) land 0x3F)));
    Buffer.add_char b (Char.chr (0x80 lor (code land 0x3F)))
  end

let parse text =
  let n = String.length text in
  let at = ref 0 in
  let line () =
    let l = ref 1 in
    for i = 0 to min !at n - 1 do if text.[i] = '\n' then incr l done;
    !l
  in
  let fail what = fail "line %d: expected %s" (line ()) what in
  let rec blank () =
    if !at < n then match text.[!at] with ' ' | '\n' | '\t' | '\r' -> incr at; blank () | _ -> ()
  in
  let peek () = blank (); if !at < n then text.[!at] else '\000' in
  let take c = if peek () = c then incr at else fail (Printf.sprintf "'%c'" c) in
  let word w v =
    let l = String.length w in
    if !at + l <= n && String.sub text !at l = w then (at := !at + l; v) else fail "a value"
  in
  let string () =
    take '"';
    let b = Buffer.create 16 in
    let rec go () =
      if !at >= n then fail "a quote";
      let c = text.[!at] in
      incr at;
      if c = '"' then Buffer.contents b
      else if c <> '\\' then (Buffer.add_char b c; go ())
      else begin
        if !at >= n then fail "a quote";
        let e = text.[!at] in
        incr at;
        (match e with
         | 'n' -> Buffer.add_char b '\n'
         | 't' -> Buffer.add_char b '\t'
         | 'r' -> Buffer.add_char b '\r'
         | 'b' -> Buffer.add_char b '\b'
         | 'f' -> Buffer.add_char b '\012'
         | 'u' ->
           if !at + 4 > n then fail "four digits";
           (match int_of_string_opt ("0x" ^ String.sub text !at 4) with
            | Some code -> utf8 b code; at := !at + 4
            | None -> fail "four digits")
         | c -> Buffer.add_char b c);
        go ()
      end
    in
    go ()
  in
  let number () =
    let start = !at in
    while !at < n && (match text.[!at] with '0' .. '9' | '-' | '+' | '.' | 'e' | 'E' -> true | _ -> false) do
      incr at
    done;
    if !at = start then fail "a value";
    let word = String.sub text start (!at - start) in
    match int_of_string_opt word with Some i -> Int i | None -> Other word
  in
  (* Items up to the closing character. *)
  let items close item =
    incr at;
    if peek () = close then (incr at; [])
    else begin
      let rec go got =
        let got = item () :: got in
        match peek () with
        | ',' -> incr at; go got
        | c when c = close -> incr at; List.rev got
        | _ -> fail (Printf.sprintf "',' or '%c'" close)
      in
      go []
    end
  in
  let rec value () =
    match peek () with
    | '{' ->
      let members = items '}' (fun () -> blank (); let name = string () in take ':'; (name, value ())) in
      let names = List.sort compare (List.map fst members) in
      let rec twice = function
        | a :: (b :: _ as rest) -> if a = b then fail (Printf.sprintf "'%s' once" a) else twice rest
        | _ -> ()
      in
      twice names;
      Object members
    | '[' -> List (Array.of_list (items ']' value))
    | '"' -> String (string ())
    | 't' -> word "true" (Bool true)
    | 'f' -> word "false" (Bool false)
    | 'n' -> word "null" Null
    | _ -> number ()
  in
  let v = value () in
  blank ();
  if !at < n then fail "the end of the file";
  v

(* What a document has to hold. *)
let member_opt name = function Object m -> List.assoc_opt name m | _ -> None
let member name v = match member_opt name v with Some x -> x | None -> fail "there is no '%s'" name
let int what = function Int i -> i | _ -> fail "%s is no whole number" what
let index what below = function
  | Int i when i >= 0 && i < below -> i
  | _ -> fail "%s is no number from 0 to %d" what (below - 1)
let list what = function List a -> a | _ -> fail "%s is no list" what
let string what = function String s -> s | _ -> fail "%s is no text" what
