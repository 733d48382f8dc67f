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

# Where UNKNOT_UNITY_BUILD is on as well, neighbouring sources of `target` are compiled as one text, as far as they do not declare
# the same name: a whole build takes half the time, and one after a small change more. A new clone begins with it.
function(unknot_unity_build target)
  if(NOT UNKNOT_QUICK_BUILD OR NOT UNKNOT_UNITY_BUILD)
    return()
  endif()
  find_program(UNKNOT_PYTHON python3 REQUIRED)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "[.]cpp$")
  list(TRANSFORM sources REPLACE "^([^/])" "${CMAKE_CURRENT_SOURCE_DIR}/\\1")
  execute_process(COMMAND ${UNKNOT_PYTHON} ${PROJECT_SOURCE_DIR}/scripts/joined_sources.py --most 8 ${sources}
                  OUTPUT_VARIABLE groups OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  foreach(member IN LISTS groups)
    string(REGEX MATCH "^([0-9]+):(.*)$" member "${member}")
    set_source_files_properties(${CMAKE_MATCH_2} PROPERTIES UNITY_GROUP ${CMAKE_MATCH_1})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
