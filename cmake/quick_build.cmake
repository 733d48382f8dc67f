# Where UNKNOT_QUICK_BUILD is on, compiling takes less time: the headers that most sources include are compiled once for
# `unknot_quick_build(target)`, or once for all targets that name the same first target after REUSE. SELDOM_RUN is for
# what spends little time at run time: it is optimised a little in release builds (by g++ with -Og, which takes it less time than
# -O0) and not at all in others. LIGHT is for what reads and makes: -O1, a quarter less to compile than all the rest. UNOPTIMISED
# is for tests, which spend theirs in what they test: clang compiles them where it is installed. ALONE is for a program of a few
# sources, which share no headers with others. The presets dev and tidy compile each source as it stands, so that a missing
# include is still found.

# Without optimisation clang takes half the time of g++. What both make goes together: it is one ABI and one standard library.
if(UNKNOT_QUICK_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  find_program(UNKNOT_TEST_COMPILER NAMES clang++ DOC "Compiles tests in place of g++")
endif()

function(unknot_quick_build target)
  cmake_parse_arguments(PARSE_ARGV 1 quick "SELDOM_RUN;LIGHT;UNOPTIMISED;ALONE" "REUSE" "HEADERS")
  if(NOT UNKNOT_QUICK_BUILD)
    return()
  endif()
  # The same code generation for all: a precompiled header belongs to one set of options.
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  if(quick_UNOPTIMISED AND UNKNOT_TEST_COMPILER)
    set_target_properties(${target} PROPERTIES
      CXX_COMPILER_LAUNCHER "${PROJECT_SOURCE_DIR}/cmake/by_clang;${UNKNOT_TEST_COMPILER}")
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fpch-instantiate-templates>)
  elseif(CMAKE_CXX_COMPILER_ID STREQUAL GNU)  # below a gibibyte g++ does not look for memory to use again: a tenth of its time
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=1048576>)
  endif()
  if(quick_SELDOM_RUN)
    target_compile_options(${target} PRIVATE $<IF:$<CONFIG:Release>,$<IF:$<CXX_COMPILER_ID:GNU>,-Og,-O1>,-O0>)
    if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)  # g++ 12 takes std::string's own copies for overlaps at this level
      target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict> -Wno-array-bounds)
    endif()
  elseif(quick_UNOPTIMISED)
    target_compile_options(${target} PRIVATE -O0)
  elseif(quick_LIGHT)
    target_compile_options(${target} PRIVATE -O1)
  else()  # with sanitizers its tests take twice as long at -O0
    target_compile_options(${target} PRIVATE $<$<CONFIG:Debug>:-O1>)
  endif()
  if(quick_ALONE)
    return()
  endif()
  if(quick_REUSE AND NOT quick_REUSE STREQUAL target)
    target_precompile_headers(${target} REUSE_FROM ${quick_REUSE})
    return()
  endif()
  target_precompile_headers(${target} PRIVATE <algorithm> <array> <atomic> <cstdint> <filesystem> <fstream> <functional>
    <limits> <map> <memory> <numeric> <optional> <random> <set> <span> <sstream> <string> <string_view> <unordered_map>
    <utility> <vector> <fmt/format.h> <nlohmann/json.hpp> ${quick_HEADERS})
endfunction()

# Linkers that take a third of the time of the usual one, where they are installed; the first found is used.
if(UNKNOT_QUICK_BUILD)
  foreach(linker lld gold)
    find_program(UNKNOT_LINKER_${linker} ld.${linker})
    if(UNKNOT_LINKER_${linker})
      add_link_options(-fuse-ld=${linker})
      break()
    endif()
  endforeach()
endif()

# Where UNKNOT_UNITY_BUILD is on as well, neighbouring sources of `target` are compiled as one text, as far as they do not declare
# the same name: a whole build takes half the time, and one after a small change more. A new clone begins with it.
function(unknot_unity_build target)
  if(NOT UNKNOT_QUICK_BUILD OR NOT UNKNOT_UNITY_BUILD)
    return()
  endif()
  if(NOT UNKNOT_PYTHON_PROGRAM)  # which gives the same program later
    message(STATUS "${target}: each source by itself, as there is no python3 to say which go together")
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "[.]cpp$")
  list(FILTER sources EXCLUDE REGEX "^${PROJECT_BINARY_DIR}/")
  list(TRANSFORM sources REPLACE "^([^/])" "${CMAKE_CURRENT_SOURCE_DIR}/\\1")
  execute_process(COMMAND ${UNKNOT_PYTHON_PROGRAM} ${PROJECT_SOURCE_DIR}/scripts/joined_sources.py --most 32 ${sources}
                  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                  OUTPUT_VARIABLE groups OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed)
  if(failed)
    message(WARNING "${target}: each source by itself, as ${UNKNOT_PYTHON_PROGRAM} has failed: ${failed}")
    return()
  endif()
  foreach(member IN LISTS groups)
    string(REGEX MATCH "^([0-9]+):(.*)$" member "${member}")
    set_source_files_properties(${CMAKE_MATCH_2} PROPERTIES UNITY_GROUP ${CMAKE_MATCH_1})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
