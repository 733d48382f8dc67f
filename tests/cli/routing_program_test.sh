#!/usr/bin/env bash
# routing_program_test.sh UNKNOT UNKNOT-ROUTING: what unknot-routing has of commands and catalogues is unknot's, byte by byte.
set -euo pipefail

whole=$1 routing=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

fail() { echo "$*" >&2; exit 1; }
# What both print but times, and their exit code, which is `code`.
same() {
  local code=$1 program
  shift
  for program in "$whole" "$routing"; do
    { "$program" "$@" && echo "exit 0" || echo "exit $?"; } 2>&1 |
      sed -E '/^time |[Ss]econds/d' >"$folder/${program##*/}.txt"
    tail -n 1 "$folder/${program##*/}.txt" | grep -qx "exit $code" || fail "${program##*/} $*: $(tail -n 3 "$folder/${program##*/}.txt")"
  done
  diff "$folder/${whole##*/}.txt" "$folder/${routing##*/}.txt" || fail "not the same: $*"
}

commands=$("$routing" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z-]*\) .*/\1/p')
[ "$(wc -w <<<"$commands")" -ge 8 ] || fail "unknot-routing has few commands: $commands"
for command in $commands; do
  [ "$command" = list ] || same 0 "$command" --help  # it names the catalogues
done
for catalogue in topologies engines patterns workloads lane-schemes; do same 0 list "$catalogue"; done
same 0 info torus:4x4 --json
same 0 topology kautz:b=2,n=3 -o kautz.json --format json
same 0 lanes torus:4x4
same 0 congestion torus:4x4 --engine updn --pattern shift
for engine in minhop updn dfsssp unknot; do
  for program in "$whole" "$routing"; do
    "$program" route torus:4x4,p=2 --engine "$engine" -o "${program##*/}" --lanes "${program##*/}.lanes" >/dev/null || [ $? -eq 1 ]
  done
  cmp "${whole##*/}" "${routing##*/}" && cmp "${whole##*/}.lanes" "${routing##*/}.lanes"
done
same 0 verify torus:4x4,p=2 unknot --lanes unknot.lanes --json
same 2 verfy
