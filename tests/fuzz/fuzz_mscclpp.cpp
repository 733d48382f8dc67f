// SPDX-License-Identifier: Apache-2.0
// Plans of MSCCL++: any input gives a plan, which comes back from what is written of it and which the checker
// takes, or an InputError.
#include <cstddef>
#include <cstdlib>

#include "table_fuzz_fabric.hpp"
#include "unknot/collective/mscclpp/plan.hpp"
#include "unknot/support/error.hpp"

namespace {

constexpr std::uint32_t kMostChunksTried = 256;  // more take their time

/// Anything thrown here is a fault, too.
void examine(const unknot::mscclpp::Plan& plan) noexcept {
  using namespace unknot::mscclpp;
  const std::string text = plan_text(plan);
  if (plan_text(parse_plan(text, "again")) != text) std::abort();
  for (const Gpu& gpu : plan.gpus) {
    for (const std::uint32_t chunks : gpu.chunks) {
      if (chunks > kMostChunksTried) return;
    }
  }
  const auto fault = find_fault(plan);
  if (fault && fault->empty()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace unknot;
  try {
    examine(mscclpp::parse_plan(fuzz::text_of(data, size), "plan"));
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to bad input
  }
  return 0;
}
