// SPDX-License-Identifier: Apache-2.0
// Settings of the simulator: any input gives settings or an InputError; settings come back from what is
// written of them, and suit a network or are refused.
#include <cstddef>
#include <cstdlib>

#include "table_fuzz_fabric.hpp"
#include "unknot/simulate/link_times.hpp"
#include "unknot/simulate/settings_draft.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace unknot;
  using namespace unknot::simulate;
  static const Network network = make_network("torus:3x3");
  try {
    SettingsDraft draft;
    draft.add(parse_settings(fuzz::text_of(data, size), "settings"));
    const Settings settings = draft.resolve().settings;
    SettingsDraft again;
    again.add(parse_settings(settings_text(settings), "again"));
    if (again.resolve().settings != settings) std::abort();
    (void)link_times(network, for_lanes(settings, 2));
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to bad input
  }
  return 0;
}
