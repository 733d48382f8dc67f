// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/schedules/schedule_output.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

#include "unknot/cli/command/processes.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/schedules/schedule_plans.hpp"
#include "unknot/collective/bounds/lower_bound.hpp"
#include "unknot/collective/combine/plain_schedule.hpp"
#include "unknot/collective/files/goal_write.hpp"
#include "unknot/collective/model/ranks.hpp"
#include "unknot/collective/msccl/msccl_make.hpp"
#include "unknot/drawing/schedule_view.hpp"
#include "unknot/drawing/step_picture.hpp"
#include "unknot/drawing/time_space.hpp"
#include "unknot/play/c_source.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/text/scanner.hpp"
#include "unknot/traffic/workloads/goal_file.hpp"

namespace unknot::cli {
namespace {

using Bound = std::optional<std::uint32_t>;

std::string fabric_name(const ScheduleDocument& document, const CollectiveCase& given) {
  const std::string& drawn = given.network.description();
  return drawn.empty() ? document.fabric : drawn;
}

}  // namespace

const std::vector<ScheduleFormat>& schedule_formats() {
  static const std::vector<ScheduleFormat> rows = {
      {"json", "transfers with origin and path, step by step; what schedule check reads",
       [](const ScheduleDocument& document, const CollectiveCase&, Bound) { return schedule_json(document); },
       false, true},
      {"table", "text: a row for each origin, a column for each step",
       [](const ScheduleDocument& document, const CollectiveCase&, Bound) {
         return schedule_table(document);
       }},
      {"svg", "drawing: the transfers of each step on the network",
       [](const ScheduleDocument& document, const CollectiveCase& given, Bound bound) {
         return drawing::draw_steps(given.network, given.problem, document.schedule,
                                    {fabric_name(document, given), bound});
       },
       true},
      {"time-space", "drawing (SVG): which channel is in use in which step",
       [](const ScheduleDocument& document, const CollectiveCase& given, Bound bound) {
         return drawing::draw_time_space(given.problem, document.schedule,
                                         {fabric_name(document, given), bound});
       },
       true},
      {"msccl", "MSCCL XML: an algorithm for the communication libraries of GPUs until 2026",
       [](const ScheduleDocument& document, const CollectiveCase& given, Bound) {
         const std::string name = document.collective + " " + fabric_name(document, given);
         return msccl::program_text(msccl::make_program(given.problem, document.schedule, shown(name)));
       }},
      {"goal", "GOAL, the schedules of LogGOPSim: sends and receives of 1 MiB with what they wait for",
       [](const ScheduleDocument& document, const CollectiveCase& given, Bound) {
         return goal_text(task_graph_of(given.problem, document.schedule), ranks_of(given.problem).count());
       }},
      {"c", "C99: one function that carries it out among the ranks of MPI, with a test of its own",
       [](const ScheduleDocument& document, const CollectiveCase& given, Bound) {
         return play::c_source(as_combined(given.problem), as_combined(given.problem, document.schedule),
                               fabric_name(document, given));
       }},
  };
  return rows;
}

const ScheduleFormat& schedule_format(std::string_view name) {
  std::vector<std::string> names;
  for (const ScheduleFormat& format : schedule_formats()) {
    if (format.name == name) return format;
    names.push_back(format.name);
  }
  for (const PlanFormat& format : plan_formats()) names.push_back(format.name);
  refuse_name("format of schedules", name, names, {});
}

std::string schedule_output(const ScheduleDocument& document, const CollectiveCase& given,
                            const std::string& format, std::optional<std::uint32_t> lower_bound) {
  return schedule_format(format).write(document, given, lower_bound);
}

bool writes_checked(const ScheduleTarget& target, bool valid, const Common& common) {
  if (valid || target.file.empty()) return true;
  const std::string& format = target.format;
  const bool program =
      find_plan_format(format) != nullptr || format == "msccl" || format == "goal" || format == "c";
  if (program) note(common, fmt::format("{} is not written: the schedule is not valid", target.file));
  return !program;
}

void add_schedule_target(CLI::App& app, ScheduleTarget& target) {
  std::vector<std::string> names;
  for (const ScheduleFormat& format : schedule_formats()) names.push_back(format.name);
  for (const PlanFormat& format : plan_formats()) names.push_back(format.name);
  app.add_option("--output,-o", target.file, "Write the schedule to FILE, - for standard output")
      ->type_name("FILE");
  app.add_option("--format", target.format, fmt::format("One of {}", fmt::join(names, ", ")))
      ->capture_default_str();
}

void require_writable(const ScheduleTarget& target, const Common& common) {
  if (find_plan_format(target.format) == nullptr)
    (void)schedule_format(target.format);  // refuses a wrong name before any work
  if (first_process(common)) check_outputs({target.file});
  if (common.json && target.file == "-")
    throw InputError("schedule: --json and a file '-' cannot both have standard output");
}

void require_writable(const ScheduleTarget& target, const Problem& problem) {
  if (!target.file.empty() && find_plan_format(target.format) == nullptr &&
      schedule_format(target.format).drawing)
    drawing::require_drawable(problem.graph->node_count());
}

void write_target(const ScheduleTarget& target, const std::string& text, const Common& common) {
  write_file(target.file, text);
  if (target.file != "-") note(common, fmt::format("wrote {} in format {}", target.file, target.format));
}

void write_schedule(const ScheduleTarget& target, const ScheduleDocument& document,
                    const CollectiveCase& given, const Common& common, std::optional<std::uint32_t> bound) {
  if (target.file.empty() || !first_process(common)) return;
  if (const PlanFormat* plan = find_plan_format(target.format); plan != nullptr) {
    require_moves(*plan);
    return write_moves(
        target, *plan,
        plan->write != nullptr
            ? mscclpp::moves_of(given.problem, document.schedule)
            : mscclpp::messages_of(as_combined(given.problem), as_combined(given.problem, document.schedule)),
        document.collective + " " + fabric_name(document, given), given.network, kGoalMessageBytes, common);
  }
  if (!bound && schedule_format(target.format).drawing) bound = lower_bound(given.problem).steps;
  write_target(target, schedule_output(document, given, target.format, bound), common);
}

}  // namespace unknot::cli
