// SPDX-License-Identifier: Apache-2.0
// Schedules, with combined messages or without: any input gives a document, which comes back from what is
// written of it and which the checker takes on some network, or an InputError.
#include <cstddef>
#include <cstdlib>
#include <variant>

#include "schedule_fuzz_fabric.hpp"
#include "unknot/collective/check/checker.hpp"
#include "unknot/collective/combine/combined_checker.hpp"
#include "unknot/collective/files/combined_file.hpp"
#include "unknot/collective/files/schedule_file.hpp"
#include "unknot/support/error.hpp"

namespace {

/// Anything thrown here is a fault, too.
void examine(const unknot::ScheduleDocument& document) noexcept {
  using namespace unknot;
  const ScheduleDocument again = parse_schedule(schedule_json(document), "again");
  if (again.schedule != document.schedule) std::abort();  // text that is not UTF-8 changes
  if (parse_schedule(schedule_json(again), "once more") != again) std::abort();
}

void examine(const unknot::CombinedDocument& document) noexcept {
  using namespace unknot;
  const auto again = std::get<CombinedDocument>(parse_any_schedule(combined_json(document), "again"));
  if (again.schedule != document.schedule) std::abort();  // text that is not UTF-8 changes
  if (parse_any_schedule(combined_json(again), "once more") !=
      std::variant<ScheduleDocument, CombinedDocument>(again))
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace unknot;
  try {
    const auto any = parse_any_schedule(fuzz::text_of(data, size), "schedule");
    if (const auto* const document = std::get_if<ScheduleDocument>(&any)) {
      examine(*document);
      (void)check_schedule(problem_of(*document, fuzz::node_graph()), document->schedule);
      return 0;
    }
    const CombinedDocument& document = std::get<CombinedDocument>(any);
    examine(document);
    const CombinedProblem problem =
        make_combined(fuzz::node_graph(), find_combined_collective(document.collective),
                      document.participants, document.pieces);
    (void)check_combined(problem, document.schedule);
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to bad input
  }
  return 0;
}
