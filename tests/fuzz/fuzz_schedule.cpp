// SPDX-License-Identifier: Apache-2.0
// Schedules: any input gives a document, which comes back from what is written of it and which the checker
// takes on some network, or an InputError.
#include <cstddef>
#include <cstdlib>
#include <memory>

#include "table_fuzz_fabric.hpp"
#include "unknot/collective/checker.hpp"
#include "unknot/collective/schedule_file.hpp"
#include "unknot/support/error.hpp"

namespace {

/// Anything thrown here is a fault, too.
void examine(const unknot::ScheduleDocument& document) noexcept {
  using namespace unknot;
  const ScheduleDocument again = parse_schedule(schedule_json(document), "again");
  if (again.schedule != document.schedule) std::abort();  // text that is not UTF-8 changes
  if (parse_schedule(schedule_json(again), "once more") != again) std::abort();
}

const std::shared_ptr<const unknot::NodeGraph>& graph() {
  static const auto nodes = std::make_shared<const unknot::NodeGraph>(unknot::fuzz::table_fabric());
  return nodes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace unknot;
  try {
    const ScheduleDocument document = parse_schedule(fuzz::text_of(data, size), "schedule");
    examine(document);
    (void)check_schedule(problem_of(document, graph()), document.schedule);
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to bad input
  }
  return 0;
}
