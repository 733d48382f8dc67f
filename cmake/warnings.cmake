# One interface target carries warnings and sanitizers to every target of the project, and to none outside it.
add_library(unknot_options INTERFACE)
target_compile_options(unknot_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-qual)
if(UNKNOT_WERROR)
  target_compile_options(unknot_options INTERFACE -Werror)
endif()
if(UNKNOT_SANITIZE)
  target_compile_options(unknot_options INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(unknot_options INTERFACE -fsanitize=address,undefined)
endif()
if(UNKNOT_FUZZ)
  target_compile_options(unknot_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(UNKNOT_TIDY)
  find_program(UNKNOT_CLANG_TIDY NAMES clang-tidy-14 clang-tidy REQUIRED)
  set(CMAKE_CXX_CLANG_TIDY ${UNKNOT_CLANG_TIDY} --quiet)
endif()
