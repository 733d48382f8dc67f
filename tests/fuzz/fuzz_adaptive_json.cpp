// SPDX-License-Identifier: Apache-2.0
// Reader of adaptive routings as JSON: any input gives a value, which can be proven or not, or an InputError.
#include <cstddef>

#include "table_fuzz_fabric.hpp"
#include "unknot/formats/adaptive/adaptive_catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/verify/adaptive/adaptive_verdict.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace unknot;
  try {
    AdaptiveRouting routing;
    read_adaptive_json(fuzz::table_fabric(), fuzz::text_of(data, size), "-", routing);
    Progress quiet;
    AdaptiveVerifyOptions options;
    options.threads = 1;
    (void)verify_adaptive(fuzz::table_fabric(), routing, options, quiet);
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to bad input
  }
  return 0;
}
