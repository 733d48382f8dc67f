// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/schedules/collective_input.hpp"
#include "unknot/collective/files/schedule_file.hpp"

namespace CLI {
class App;
}

namespace unknot::cli {

/// A form that schedules are written in.
struct ScheduleFormat {
  std::string name;
  std::string summary;
  /// `lower_bound`, where known, is what drawings show beside the number of steps.
  std::string (*write)(const ScheduleDocument& document, const CollectiveCase& given,
                       std::optional<std::uint32_t> lower_bound);
  bool drawing = false;
  bool reads = false;  ///< schedule check reads it
};

const std::vector<ScheduleFormat>& schedule_formats();
/// InputError with the near names where there is none of that name. Called before the work.
const ScheduleFormat& schedule_format(std::string_view name);

/// The schedule of a document as text of a format. InputError for no format, and for what it cannot hold.
std::string schedule_output(const ScheduleDocument& document, const CollectiveCase& given,
                            const std::string& format, std::optional<std::uint32_t> lower_bound = {});

/// -o and --format as they were written.
struct ScheduleTarget {
  std::string file;  ///< "": not to be written
  std::string format = "json";
};

/// What checked schedules are written as, whatever the verdict: programs, which somebody runs, of valid ones
/// alone. Says so where there is one that is not written.
bool writes_checked(const ScheduleTarget& target, bool valid, const Common& common);

void add_schedule_target(CLI::App& app, ScheduleTarget& target);
/// Refuses what could not be written, before the work. InputError.
void require_writable(const ScheduleTarget& target, const Common& common);
/// The same of what the format cannot hold of this problem, whatever its schedule.
void require_writable(const ScheduleTarget& target, const Problem& problem);
/// Writes a text to the file, and says so unless that is standard output.
void write_target(const ScheduleTarget& target, const std::string& text, const Common& common);
/// Writes the schedule where that is asked for; drawings say the lower bound, which is looked for where it is
/// not given.
void write_schedule(const ScheduleTarget& target, const ScheduleDocument& document,
                    const CollectiveCase& given, const Common& common,
                    std::optional<std::uint32_t> bound = {});

}  // namespace unknot::cli
