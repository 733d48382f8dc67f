// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/schedules/collective_input.hpp"
#include "unknot/cli/schedules/schedule_output.hpp"
#include "unknot/cli/schedules/schedule_report.hpp"
#include "unknot/collective/bounds/lower_bound.hpp"
#include "unknot/collective/repair/whole_first.hpp"

namespace CLI {
class App;
}

namespace unknot::cli {

/// What the command line says of making a schedule.
struct SolveInput {
  std::string solver = {};  ///< empty: auto, or sga where processes share the work
  std::uint32_t steps = 0;
  double seconds = 0;
  std::string resume = {};   ///< file that keeps how far the search is; empty: none
  bool routes_only = false;  ///< no comparison with free paths
};

void add_solve_options(CLI::App& app, SolveInput& input);

/// Makes a schedule, has it checked, writes it where that is asked for, and adds what it is to both forms of
/// the report. kYes for a valid one; kNo for one with conflicts left, which is not written. `whole`: the
/// network before what has failed, by way of which a schedule is sought too where the first is not proven to
/// be the best; null: none.
int solve_collective(const std::string& fabric, const CollectiveCase& given, const LowerBound& bound,
                     const SolveInput& input, const ScheduleTarget& target, const Common& common,
                     bool with_table, const WholeNetwork* whole, Json& document, ScheduleText& text);

}  // namespace unknot::cli
