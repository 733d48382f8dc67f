// SPDX-License-Identifier: Apache-2.0
// Reader of the steps of a transition: any input gives steps that can be made, or an InputError.
#include <cstddef>

#include "table_fuzz_fabric.hpp"
#include "unknot/formats/tables/transition_file.hpp"
#include "unknot/support/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace unknot;
  Routing routing;
  routing.paths = ForwardingTable(fuzz::table_fabric());
  try {
    for (const TransitionStep& step :
         parse_transition(fuzz::table_fabric(), routing, fuzz::text_of(data, size), "-"))
      apply_step(step, routing);
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to bad input
  }
  return 0;
}
