// SPDX-License-Identifier: Apache-2.0
// Chakra traces: any input gives a trace, which comes back from what is written of it and which the checker
// takes, or an InputError.
#include <cstddef>
#include <cstdlib>

#include "table_fuzz_fabric.hpp"
#include "unknot/collective/chakra/chakra_trace.hpp"
#include "unknot/support/error.hpp"

namespace {

/// Anything thrown here is a fault, too.
void examine(const unknot::chakra::Trace& trace) noexcept {
  using namespace unknot::chakra;
  if (parse_trace(trace_text(trace), "again") != trace) std::abort();
  (void)find_fault({trace, trace});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace unknot;
  try {
    examine(chakra::parse_trace(fuzz::text_of(data, size), "trace"));
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to bad input
  }
  return 0;
}
