// SPDX-License-Identifier: Apache-2.0
// Machines as hwloc writes them, and shapes in words: any input gives cores in order, or an InputError.
#include <cstddef>
#include <cstdlib>

#include "table_fuzz_fabric.hpp"
#include "unknot/place/host_shape.hpp"
#include "unknot/support/error.hpp"

namespace {

/// Anything thrown here is a fault, too.
void examine(const unknot::place::HostShape& shape) noexcept {
  if (shape.count() == 0 || shape.count() > unknot::place::kMostCores) std::abort();
  for (std::size_t i = 1; i < shape.cores.size(); ++i) {
    const auto& before = shape.cores[i - 1];
    const auto& core = shape.cores[i];
    const bool same = core.socket == before.socket;
    if (core.number != (same ? before.number + 1 : 0)) std::abort();
    if (!same && (core.socket != before.socket + 1 || core.cache != before.cache + 1)) std::abort();
    if (core.cache != before.cache && core.cache != before.cache + 1) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace unknot;
  const auto text = fuzz::text_of(data, size);
  try {
    examine(place::is_host_shape(text) ? place::parse_host_shape(text)
                                       : place::read_host_shape(text, "node"));
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to bad input
  }
  return 0;
}
