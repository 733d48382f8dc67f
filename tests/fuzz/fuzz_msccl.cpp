// SPDX-License-Identifier: Apache-2.0
// MSCCL algorithms: any input gives a program, which comes back from what is written of it and which the
// checker takes, or an InputError.
#include <cstddef>
#include <cstdlib>

#include "table_fuzz_fabric.hpp"
#include "unknot/collective/msccl/msccl_program.hpp"
#include "unknot/support/error.hpp"

namespace {

/// Anything thrown here is a fault, too.
void examine(const unknot::msccl::Program& program) noexcept {
  using namespace unknot::msccl;
  const std::string text = program_text(program);
  if (program_text(parse_program(text, "again")) != text) std::abort();
  const auto fault = find_fault(program);
  if (fault && (fault->line == 0 || fault->sentence.empty())) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace unknot;
  try {
    examine(msccl::parse_program(fuzz::text_of(data, size), "algorithm"));
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to bad input
  }
  return 0;
}
