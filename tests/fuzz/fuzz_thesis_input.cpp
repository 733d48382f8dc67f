// SPDX-License-Identifier: Apache-2.0
// Input files of the thesis: any input gives a network and what its nodes do, or an InputError.
#include <cstddef>
#include <cstdlib>

#include "table_fuzz_fabric.hpp"
#include "unknot/collective/files/thesis_file.hpp"
#include "unknot/support/error.hpp"

namespace {

/// Anything thrown here is a fault, too.
void examine(const unknot::ThesisInput& input) noexcept {
  using namespace unknot;
  if (input.roles.size() != input.network.router_count()) std::abort();
  if (input.with_role(Role::transmitter).empty() || input.with_role(Role::receiver).empty()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace unknot;
  try {
    examine(parse_thesis_input(fuzz::text_of(data, size), "input"));
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to bad input
  }
  return 0;
}
