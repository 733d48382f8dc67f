// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/schedules/bandwidth_request.hpp"
#include "unknot/cli/schedules/collective_input.hpp"
#include "unknot/cli/schedules/schedule_output.hpp"
#include "unknot/collective/check/checker.hpp"
#include "unknot/collective/combine/combined_problem.hpp"
#include "unknot/collective/files/combined_file.hpp"

namespace CLI {
class App;
}

namespace unknot::cli {

/// What the command line says of combined messages.
struct CombiningInput {
  std::uint64_t bytes = 0;  ///< of a message; 0: nothing is combined
  std::string cost;         ///< spec of a model
  std::string algorithm;    ///< "": all that take the collective are compared
  std::uint32_t tries = 64;
  double seconds = 0;  ///< for all algorithms together; 0: as long as they take
};

void add_combining_options(CLI::App& app, CombiningInput& input);

/// Name of the row of collectives() for a name that may be an alias. InputError for what needs combining.
std::string plain_collective(const std::string& name);

/// Compares all ways to carry out a collective by their time, has each checked, and writes the quickest where
/// that is asked for. What is made in time counts, what the user does not wait for is left out.
Answer combining_command(const std::string& fabric, const CollectiveInput& collective,
                         const CombiningInput& input, const std::string& solver, const ScheduleTarget& target,
                         bool with_table, const Common& common);

/// The collective of a document, and what the checker says of its schedule.
struct CheckedDocument {
  CollectiveCase given;
  ScheduleVerdict verdict;
  CombinedProblem problem = {};  ///< of combined messages
};
/// Of a document with combined messages; it is written to the target, too, where there is one. Where its
/// steps last rounds capacities count as they do for bytes, by `capacity`.
CheckedDocument check_combined_document(const std::string& fabric, const CollectiveInput& input,
                                        const CombinedDocument& document, const std::string& file,
                                        const ScheduleTarget& target, const Common& common,
                                        const BandwidthInput& capacity = {});

}  // namespace unknot::cli
