// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "unknot/collective/combine/combined_schedule.hpp"
#include "unknot/collective/files/schedule_file.hpp"
#include "unknot/collective/model/catalogue.hpp"

namespace unknot {

/// A schedule with combined messages as files hold it: the form of ScheduleDocument, but a transfer has
/// "blocks", pairs of origin and part, in place of "origin", and "combine" where the receiver adds them up.
///
///     {"fabric": "ring:3", "collective": "all-reduce", "terminals": [0, 1, 2], "pieces": 1, "steps": [
///      [{"path": [1, 0], "blocks": [[0, 0]], "combine": true}],
///      [{"path": [2, 0], "blocks": [[0, 0]], "combine": true}],
///      [{"path": [0, 1], "blocks": [[0, 0]]}, {"path": [0, 2], "blocks": [[0, 0]]}]
///     ]}
struct CombinedDocument {
  std::string fabric;      ///< spec or file name; empty: not said
  std::string collective;  ///< name of a row of collectives(), or of combined_collectives()
  Participants participants;
  std::uint32_t pieces = 1;  ///< equal parts that each message is divided into; positive
  CombinedSchedule schedule;
  std::string faults = {};  ///< as ScheduleDocument::faults
  /// How long each step lasts, see check_in_rounds() (collective/front/rounds_check.hpp): "rounds": [1, 2].
  /// Empty: each transfer has a channel to itself.
  std::vector<std::uint32_t> rounds = {};

  bool operator==(const CombinedDocument&) const = default;
};

/// Reads either form; it is the transfers that say which. InputError as parse_schedule(), and where a
/// schedule has transfers of both forms. O(text).
std::variant<ScheduleDocument, CombinedDocument> parse_any_schedule(std::string_view text,
                                                                    const std::string& file);

/// JSON with one line for each step.
std::string combined_json(const CombinedDocument& document);

/// For people: a line for each transfer, with its step, path and blocks, "+" before those that are added up.
std::string combined_table(const CombinedSchedule& schedule);

}  // namespace unknot
