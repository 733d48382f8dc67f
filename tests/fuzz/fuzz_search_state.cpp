// SPDX-License-Identifier: Apache-2.0
// What --resume keeps of a search: any input gives a state that comes back as written, or an InputError.
#include <cstddef>
#include <cstdlib>
#include <string>

#include "unknot/evolve/checkpoint.hpp"
#include "unknot/support/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace unknot;
  try {
    const std::string text = evolve::search_text(
        evolve::parse_search_state({reinterpret_cast<const char*>(data), size}, "search"));
    if (evolve::search_text(evolve::parse_search_state(text, "search")) != text) std::abort();
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to bad input
  }
  return 0;
}
