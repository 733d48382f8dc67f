// SPDX-License-Identifier: Apache-2.0
// State of unknot watch --follow: any input gives one that comes back as written, or an InputError.
#include <cstddef>
#include <cstdlib>
#include <string>

#include "unknot/support/error.hpp"
#include "unknot/watch/follow/follow_state.hpp"
#include "unknot/watch/follow/metrics.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace unknot;
  try {
    const watch::FollowState state =
        watch::parse_state({reinterpret_cast<const char*>(data), size}, "state.json");
    const std::string text = watch::state_text(state);
    if (watch::state_text(watch::parse_state(text, "state.json")) != text) std::abort();
    if (!watch::metrics_text(state, 1, 0).ends_with("\n")) std::abort();
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to bad input
  }
  return 0;
}
