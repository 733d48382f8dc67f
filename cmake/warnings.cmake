# One interface target carries warnings and sanitizers to every target of the project, and to none outside it.
# What is loaded into a program that was built without sanitizers takes the warnings alone.
add_library(unknot_warnings INTERFACE)
target_compile_options(unknot_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wcast-qual
  $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor> $<$<COMPILE_LANGUAGE:CXX>:-Woverloaded-virtual>)
if(UNKNOT_WERROR)
  target_compile_options(unknot_warnings INTERFACE -Werror)
endif()
add_library(unknot_options INTERFACE)
target_link_libraries(unknot_options INTERFACE unknot_warnings)
# In builds for development preconditions are asserted, the standard library's too.
target_compile_definitions(unknot_options INTERFACE $<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)
if(UNKNOT_SANITIZE)
  target_compile_options(unknot_options INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # Checks at every access to memory, of which AddressSanitizer sees what is wrong too: a quarter of the time of compiling. Preset
  # dev has them.
  if(UNKNOT_QUICK_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL Clang)
    target_compile_options(unknot_options INTERFACE -fno-sanitize=null,alignment,object-size,vptr,function)
  endif()
  target_link_options(unknot_options INTERFACE -fsanitize=address,undefined)
endif()
# What fuzz targets are guided through: the library, and the commands, whose precompiled header a part of it uses. Not the tests:
# it costs a third more of compiling.
add_library(unknot_guided INTERFACE)
if(UNKNOT_FUZZ)
  target_compile_options(unknot_guided INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(UNKNOT_TIDY)
  find_program(UNKNOT_CLANG_TIDY NAMES clang-tidy-14 clang-tidy REQUIRED)
  set(CMAKE_CXX_CLANG_TIDY ${UNKNOT_CLANG_TIDY} --quiet)
endif()
