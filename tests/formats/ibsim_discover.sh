#!/bin/sh
# ibsim_discover.sh NET OUTPUT FOLDER: starts the simulator on NET, runs ibnetdiscover in it, stops it.
# Exits 77 when the tools are not installed. FOLDER takes the log and the files the simulated driver leaves.
set -u
net=$(realpath "$1")
output=$(realpath "$2")
cd "$3" || exit 1
driver=$(ls /usr/lib/*/umad2sim/libumad2sim.so /usr/lib*/umad2sim/libumad2sim.so 2>/dev/null | head -n 1)
discover=$(PATH=$PATH:/usr/sbin:/sbin command -v ibnetdiscover)
if [ -z "$driver" ] || [ -z "$discover" ] || ! command -v ibsim >/dev/null; then exit 77; fi

switches=$(grep -c '^Switch' "$net")
hosts=$(grep -c '^Hca' "$net")
ports=$(awk '/^(Switch|Hca)/ { n += $2 + 1 } END { print n }' "$net")
export IBSIM_SOCKNAME="unknot-test-$$"
# The simulator attaches programs to its first device; a net file of ours begins with a host.
ibsim -s -n -N $((switches + hosts + 10)) -S $((switches + 10)) -P $((ports + 100)) "$net" >ibsim.log 2>&1 &
simulator=$!
trap 'kill "$simulator" 2>/dev/null; wait "$simulator" 2>/dev/null' EXIT
tries=0
until grep -q 'Network simulator ready' ibsim.log 2>/dev/null; do
  tries=$((tries + 1))
  if [ $tries -gt 200 ] || ! kill -0 "$simulator" 2>/dev/null; then
    cat ibsim.log >&2
    exit 1
  fi
  sleep 0.05
done
LD_PRELOAD=$driver timeout 60 "$discover" >"$output" 2>discover.log || { cat discover.log >&2; exit 1; }
