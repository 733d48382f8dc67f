// SPDX-License-Identifier: Apache-2.0
// Settings of the simulator: any input gives settings or an InputError; settings come back from what is
// written of them, and suit a network or are refused.
#include <cstddef>
#include <cstdlib>

#include "table_fuzz_fabric.hpp"
#include "unknot/simulate/settings/link_times.hpp"
#include "unknot/simulate/settings/settings_draft.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"

namespace {

unknot::simulate::Settings resolved(std::string_view text) {
  unknot::simulate::SettingsDraft draft;
  draft.add(unknot::simulate::parse_settings(text, "settings"));
  return draft.resolve().settings;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace unknot;
  using namespace unknot::simulate;
  static const Network network = make_network("torus:3x3");
  Settings settings;
  try {
    settings = resolved(fuzz::text_of(data, size));
  } catch (const InputError&) {
    return 0;  // the expected answer to bad input
  }
  try {
    if (resolved(settings_text(settings)) != settings) std::abort();
  } catch (const InputError&) {
    std::abort();
  }
  try {
    (void)link_times(network, for_lanes(settings, 2));
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): settings need not suit this network
  }
  return 0;
}
