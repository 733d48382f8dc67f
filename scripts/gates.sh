# What a change must pass, gate by gate: .ci/run takes from each the part that finds most in minutes (depth=part), scripts/nightly
# all there is (depth=all). To be read with "source"; the working directory is the project's.

jobs=$(nproc)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

heading() { printf '\n== %s (%d min)\n' "$1" $((SECONDS / 60)); }
fail() { printf '%s: %s\n' "${0##*/}" "$*" >&2; exit 1; }

# checked STAGE FIELD: what .ci/checked says of it: "files", a checksum of those it looked at when all of it passed last, or "commit",
# after which what has not changed need not be looked at again.
checked() { awk -F'\t' -v stage="$1" -v field="$2" '$1 == stage { print field == "files" ? $2 : $3 }' .ci/checked; }

# A program that lists no test has been disconnected from its sources: green would mean nothing.
every_program_has_tests() {
  local program count
  [ $# -gt 0 ] || fail "no test program has been built"
  for program; do
    count=$("$program" --gtest_list_tests | grep -c '^  ' || true)
    [ "$count" -gt 0 ] || fail "$program has no tests"
    printf '%6d tests in %s\n' "$count" "${program##*/}"
  done
}

gate_format() {
  heading "clang-format"
  git ls-files -z '*.cpp' '*.hpp' '*.h' '*.c' | xargs -0 clang-format --dry-run --Werror
}

gate_test() {
  heading "optimised build and tests"
  if [ "$depth" = all ]; then scripts/test --all; else scripts/test; fi
  local programs
  mapfile -t programs < <(find build/release/tests -maxdepth 1 -type f -executable -name 'test_*' | sort)
  every_program_has_tests "${programs[@]}"
}

# rooms_to_run: the rooms of tests that the sanitizers have not seen as they are: nothing that the others are made of has changed
# since they passed.
rooms_to_run() {
  local rooms
  mapfile -t rooms < <(sed -n 's/^foreach(room \(.*\))$/\1/p' tests/CMakeLists.txt | tr ' ' '\n' | sed 's,^,tests/,')
  [ "$depth" = all ] || mapfile -t rooms < <(scripts/changed_sources.py --since "$(checked sanitizers commit)" rooms "${rooms[@]}")
  local room
  for room in "${rooms[@]}"; do
    [ -z "$(find "$room" -name '*_test.cpp' 2>/dev/null)" ] || printf '%s\n' "${room##*/}"
  done
}

# One build for tests and fuzz targets, of the library and of the rooms to run; depth=all compiles everything, so that clang's
# warnings have seen every source. The optimised build has shown them to g++, the gate of clang-tidy those that change to clang.
# Developers have g++'s sanitizers too: preset dev.
gate_sanitizers() {
  local rooms programs program count shards shard targets=()
  mapfile -t rooms < <(rooms_to_run)
  heading "clang with AddressSanitizer and UBSan: ${rooms[*]:-no room of tests has changed}"
  [ ${#rooms[@]} -gt 0 ] || return 0
  [ "$depth" = all ] || targets=(--target "${rooms[@]/#/test_}")
  scripts/build clang "${targets[@]}"
  programs=("${rooms[@]/#/build/clang/tests/test_}")
  every_program_has_tests "${programs[@]}"
  heading "tests with the sanitizers"
  # One process for forty tests, as ctest would start one for each, and a process with sanitizers is slow to start.
  for program in "${programs[@]}"; do
    count=$("$program" --gtest_list_tests | grep -c '^  ')
    shards=$(((count + 39) / 40))
    for ((shard = 0; shard < shards; ++shard)); do printf '%s %d %d\n' "$program" "$shards" "$shard"; done
  done >"$scratch/shards"
  export scratch depth
  export -f run_shard fail
  xargs -P "$jobs" -L 1 bash -c 'set -euo pipefail; run_shard "$@"' _ <"$scratch/shards" || fail "tests have failed"
  # OpenSM itself is not instrumented; its tests have run with the optimised build.
  [ "$depth" = part ] || ctest --preset clang --no-tests=error -j "$jobs" -R '^(mpi|slurm|browser)[.]'
}

# run_shard PROGRAM SHARDS SHARD: one line, or what the tests that failed printed. The sessions in the documentation have
# run with the optimised build: here every command's examples are run once, which takes the same ways. What reproductions
# are made of has tests of its own in every module.
run_shard() {
  local log=$scratch/${1##*/}-$3.log left='Readme.*:*GiveTheSameBytesAgain*:*/EveryExperiment.*'
  [ "$depth" = all ] || left+=:$(<build/clang/tests/long_tests.filter):$(<build/clang/tests/slow_tests.filter)
  if ! GTEST_TOTAL_SHARDS=$2 GTEST_SHARD_INDEX=$3 timeout 2400 "$1" --gtest_brief=1 --gtest_filter="-$left" >"$log" 2>&1; then
    tail -n 200 "$log" >&2
    fail "${1##*/}, shard $3 of $2 has failed"
  fi
  printf '%s %d of %d: %s\n' "${1##*/}" $(($3 + 1)) "$2" "$(grep -E '^\[==========\] .* ran' "$log")"
}

# fuzz TARGET SECONDS: one target, from its seeds; prints one line, or the crash. Before a change is taken, the same inputs for
# the same sources, so that a fault elsewhere does not strike by chance; other ones each night.
fuzz() {
  local target=$1 name=${1##*/} runs seeds=() often=()
  mkdir -p "$scratch/$name"
  [ ! -d "tests/fuzz/corpus/$name" ] || seeds=("tests/fuzz/corpus/$name")
  [ "$depth" = all ] || often=(-seed=1 -runs=25000)
  if ! "$target" -max_total_time="$2" "${often[@]}" -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 \
      -artifact_prefix="$scratch/$name-" "$scratch/$name" "${seeds[@]}" >"$scratch/$name.log" 2>&1; then
    tail -n 60 "$scratch/$name.log" >&2
    fail "$name found a crash"
  fi
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$scratch/$name.log")
  [ "${runs:-0}" -gt 0 ] || fail "$name has run nothing"
  printf '%10d inputs survived by %s\n' "$runs" "$name"
}

gate_fuzz() {
  local sources=(tests/fuzz/fuzz_*.cpp) seconds=${FUZZ_SECONDS:-30} targets
  if [ "$depth" = part ]; then
    mapfile -t sources < <(scripts/changed_sources.py --since "$(checked fuzz commit)" fuzz "${sources[@]}" | sed '/^$/d')
  elif [ -z "${FUZZ_SECONDS:-}" ]; then
    seconds=$((3600 * jobs / ${#sources[@]}))  # an hour in all
  fi
  heading "at most $seconds s of fuzzing for each of ${#sources[@]} readers, with the same sanitizers"
  [ ${#sources[@]} -gt 0 ] || return 0
  mapfile -t targets < <(printf '%s\n' "${sources[@]##*/}" | sed 's/[.]cpp$//')
  scripts/build clang --target "${targets[@]}"
  export scratch depth
  export -f fuzz fail
  printf '%s\n' "${targets[@]}" |
    xargs -P "$jobs" -I{} bash -c 'set -euo pipefail; fuzz "build/clang/tests/fuzz/$1" "$2"' _ {} "$seconds" || fail "fuzzing has findings"
}

gate_tidy() {
  heading "clang-tidy"
  cmake --preset tidy >/dev/null
  local since=()
  [ "$depth" = all ] || since=(--since "$(checked tidy commit)")
  scripts/tidy --jobs "$jobs" "${since[@]}" || fail "clang-tidy has findings"
}

gate_install() {
  heading "install, and a program that uses the installed package"
  scripts/build release >/dev/null
  cmake --build build/release -j "$jobs" --target all_verify_interface_header_sets >/dev/null  # each public header is enough by itself
  scripts/docs "$scratch/docs"
  cmake --install build/release --prefix "$scratch/prefix" >/dev/null
  cmake -S tests/install -B "$scratch/consumer" -G Ninja -DCMAKE_PREFIX_PATH="$scratch/prefix" \
    -DCMAKE_BUILD_TYPE=Release >/dev/null
  cmake --build "$scratch/consumer"
  "$scratch/consumer/consumer"
  "$scratch/consumer/holder"
  "$scratch/prefix/bin/unknot" --version
  PYTHONPATH=$scratch/prefix/lib/python3/dist-packages /usr/bin/python3 -c \
    'import unknot; assert unknot.verify(unknot.route(unknot.network("torus:4x4"))); print("import unknot", unknot.__version__)'
  scripts/package "$scratch/packages" >/dev/null
  scripts/package --check "$scratch/packages"
  scripts/package --try "$scratch/packages" >/dev/null
}

gate_demo() {
  heading "the demonstration"
  scripts/demo
  rm build/release/unknot  # then with the part that it builds where nothing is built yet
  scripts/demo
  scripts/build release >/dev/null
}
