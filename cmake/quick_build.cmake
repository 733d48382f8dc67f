# Where UNKNOT_QUICK_BUILD is on, compiling takes less time: the headers that most sources include are compiled once for
# `unknot_quick_build(target)`, or once for all targets that name the same first target after REUSE. SELDOM_RUN is for
# what spends little time at run time: it is optimised a little in release builds and not at all in others. UNOPTIMISED is
# for tests, which spend theirs in what they test. The presets dev and tidy compile each source as it stands, so that a
# missing include is still found.
function(unknot_quick_build target)
  cmake_parse_arguments(PARSE_ARGV 1 quick "SELDOM_RUN;UNOPTIMISED" "REUSE" "HEADERS")
  if(NOT UNKNOT_QUICK_BUILD)
    return()
  endif()
  # The same code generation for all: a precompiled header belongs to one set of options.
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  if(quick_SELDOM_RUN)
    target_compile_options(${target} PRIVATE $<IF:$<CONFIG:Release>,-O1,-O0>)
  elseif(quick_UNOPTIMISED)
    target_compile_options(${target} PRIVATE -O0)
  endif()
  if(quick_REUSE AND NOT quick_REUSE STREQUAL target)
    target_precompile_headers(${target} REUSE_FROM ${quick_REUSE})
    return()
  endif()
  target_precompile_headers(${target} PRIVATE <algorithm> <array> <atomic> <cstdint> <filesystem> <fstream> <functional>
    <limits> <map> <memory> <numeric> <optional> <random> <set> <span> <sstream> <string> <string_view> <unordered_map>
    <utility> <vector> <fmt/format.h> <nlohmann/json.hpp> ${quick_HEADERS})
endfunction()
