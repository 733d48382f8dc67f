// SPDX-License-Identifier: Apache-2.0
// Messages in a file: any input gives a workload that keeps its promises, or an InputError; what is written
// of it means the same.
#include <cstddef>
#include <cstdlib>

#include "table_fuzz_fabric.hpp"
#include "unknot/support/error.hpp"
#include "unknot/traffic/workloads/message_file.hpp"
#include "unknot/traffic/workloads/workload_check.hpp"

namespace {

/// Anything thrown here is a fault, too.
void examine(const unknot::Workload& workload) noexcept {
  using namespace unknot;
  if (!workload_fault(workload, 4).empty()) std::abort();
  const std::string text = messages_text(workload, 4, "");
  if (messages_text(parse_messages(fuzz::table_fabric(), text, "again"), 4, "") != text) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace unknot;
  try {
    examine(parse_messages(fuzz::table_fabric(), fuzz::text_of(data, size), "messages"));
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to bad input
  }
  return 0;
}
