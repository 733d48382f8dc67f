// SPDX-License-Identifier: Apache-2.0
// Rules of Open MPI and of NCCL's tuner: any input gives rules, which come back from what is written of them,
// or an InputError.
#include <cstddef>
#include <cstdlib>

#include "table_fuzz_fabric.hpp"
#include "unknot/collective/runtimes/nccl_tuner.hpp"
#include "unknot/collective/runtimes/openmpi_rules.hpp"
#include "unknot/support/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace unknot;
  const auto text = fuzz::text_of(data, size);
  try {
    const std::string written = runtimes::openmpi_rules_text(runtimes::parse_openmpi_rules(text, "rules"));
    if (runtimes::openmpi_rules_text(runtimes::parse_openmpi_rules(written, "again")) != written)
      std::abort();
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to bad input
  }
  try {
    const std::string written = runtimes::tuner_text(runtimes::parse_tuner(text, "rows"));
    if (runtimes::tuner_text(runtimes::parse_tuner(written, "again")) != written) std::abort();
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to bad input
  }
  return 0;
}
