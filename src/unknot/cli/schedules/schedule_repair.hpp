// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "unknot/cli/schedules/collective_input.hpp"
#include "unknot/cli/schedules/schedule_output.hpp"
#include "unknot/cli/schedules/schedule_solve.hpp"

namespace unknot::cli {

/// What the command line says of a schedule that a fault has broken.
struct RepairInput {
  std::string file;      ///< with that schedule; "": none is to be repaired
  std::string made_for;  ///< its fabric; "": as the file says, or FABRIC without --fail
  bool keep = false;     ///< nothing that is still possible is changed
};

void add_repair_options(CLI::App& app, RepairInput& input);

/// Repairs the schedule for FABRIC, less what --fail names, has it checked, writes it where that is asked
/// for, and prints what has changed. With --limit a solver looks for fewer steps in the time that is left.
/// kYes; all that cannot be repaired is an InputError.
Answer repair_command(const std::string& fabric, const RepairInput& repair, const CollectiveInput& input,
                      const SolveInput& solve, const ScheduleTarget& target, bool with_table,
                      const Common& common);

}  // namespace unknot::cli
