// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/collective/model/catalogue.hpp"
#include "unknot/collective/model/schedule.hpp"

namespace unknot {

/// A schedule as files hold it, with what it was made for.
///
///     {"fabric": "ring:4", "collective": "OAB", "terminals": [0, 1, 2, 3], "root": 0, "steps": [
///      [{"origin": 0, "path": [0, 1]}, {"origin": 0, "path": [0, 3, 2]}],
///      [{"origin": 0, "path": [2, 3]}]
///     ]}
///
/// "fail" names parts of the fabric that have failed, as --fail takes them; nodes have the numbers of what is
/// left. "root", "transmitters" and "receivers" are there where they say more than "terminals", the nodes
/// that take part; "messages", pairs [owner, partner], where the messages are no matter of who takes part: of
/// permutations and lists. Readers ignore members they do not know.
struct ScheduleDocument {
  std::string fabric;      ///< spec or file name; empty: not said
  std::string faults;      ///< see parse_faults(); empty: the whole fabric
  std::string collective;  ///< name of a row of collectives()
  Participants participants;
  Schedule schedule;

  bool operator==(const ScheduleDocument&) const = default;
};

/// Reads JSON. "collective" and "steps" must be there. InputError with file and line for anything else than
/// the members above in their form, and for a member that comes twice. Whether the nodes exist is for
/// problem_of() and the checker to say. O(text).
ScheduleDocument parse_schedule(std::string_view text, const std::string& file);

/// The problem that a document is about, on the graph of its network; the root is implied by the schedule
/// where it is not said. InputError as make_collective().
Problem problem_of(const ScheduleDocument& document, std::shared_ptr<const NodeGraph> graph,
                   const ProblemRules& rules = {});

/// A document for a schedule of a problem that make_collective() made: participants as the problem has them.
ScheduleDocument document_of(const Problem& problem, std::string fabric, Schedule schedule);

/// JSON with one line for each step.
std::string schedule_json(const ScheduleDocument& document);

/// The form of the thesis's tables: a row for each origin, a column for each step, and in the cells
/// "0->3 (0,2,3)", distributor, receiver and path. For people; nothing reads it back.
std::string schedule_table(const ScheduleDocument& document);

}  // namespace unknot
