// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "unknot/cli/output/output.hpp"
#include "unknot/cli/schedules/collective_input.hpp"
#include "unknot/collective/bounds/lower_bound.hpp"
#include "unknot/collective/check/checker.hpp"

namespace unknot::cli {

/// What there is to say of a problem, for people.
struct ScheduleText {
  std::vector<std::pair<std::string, std::string>> lines;
  std::string table;  ///< of the schedule, or of bounds, where that is asked for
};

/// "AAS, 240 messages".
std::string collective_text(const Problem& problem);
/// "flow, time reversed".
std::string bound_name(const LowerBound& bound);
/// "217 transfers over 388 channels".
std::string transfers_text(const ScheduleVerdict& verdict);
/// "17, 1 above the bound".
std::string steps_text(std::uint32_t steps, std::uint32_t fewest);

/// Adds the network, what of it has failed, and the problem.
void add_case(Json& document, const std::string& fabric, const CollectiveCase& given);
/// Adds the problem and the best bound to both forms of a report.
void add_bound(const Problem& problem, const LowerBound& bound, Json& document, ScheduleText& text);
/// A solver has proven that there is no schedule of fewer steps than that, which is more than the bound said.
void raise_bound(std::uint32_t fewest, const std::string& solver, Json& document, ScheduleText& text);

/// Prints one of both forms.
Answer report_answer(int code, const std::string& fabric, const CollectiveCase& given, Json document,
                     const ScheduleText& text, const Common& common);

}  // namespace unknot::cli
