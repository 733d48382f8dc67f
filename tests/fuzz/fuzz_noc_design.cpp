// SPDX-License-Identifier: Apache-2.0
// Configurations of Constellation: any input gives designs that can be asked anything, or an InputError.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "unknot/formats/constellation/noc_design.hpp"
#include "unknot/support/error.hpp"
#include "unknot/verify/relation/channel_verdict.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace unknot;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    for (const std::string& name : noc_configurations(text, "-")) {
      const auto design = read_noc_configuration(text, "-", name);
      // Larger ones take longer than they tell more.
      if (design->channel_count() > 500) continue;
      Progress silent;
      (void)verify_relation(*design, silent);
    }
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to bad input
  }
  return 0;
}
