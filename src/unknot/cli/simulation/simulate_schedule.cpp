// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/simulation/simulate_schedule.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>
#include <variant>

#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/output/progress_bar.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/cli/schedules/collective_input.hpp"
#include "unknot/cli/schedules/schedule_combined.hpp"
#include "unknot/collective/check/checker.hpp"
#include "unknot/collective/files/combined_file.hpp"
#include "unknot/simulate/play_schedule.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot::cli {
namespace {

/// Over all steps; times in cycles.
struct Played {
  double cycles = 0, alone = 0;
  std::uint64_t held_up = 0, transfers = 0;
  std::uint32_t first = 0xFFFFFFFFU;  ///< transfer that was held up
};

Played sum_of(const std::vector<simulate::PlayedStep>& steps, std::uint32_t speedup) {
  Played sum;
  for (const simulate::PlayedStep& step : steps) {
    sum.cycles += static_cast<double>(step.steps) / speedup;
    sum.alone += static_cast<double>(step.alone_steps) / speedup;
    sum.transfers += step.transfers;
    if (sum.held_up == 0) sum.first = step.first_held_up;
    sum.held_up += step.held_up;
  }
  return sum;
}

Json steps_json(const std::vector<simulate::PlayedStep>& steps, std::uint32_t speedup) {
  Json list = Json::array();
  for (const simulate::PlayedStep& step : steps) {
    list.push_back({{"transfers", step.transfers},
                    {"cycles", static_cast<double>(step.steps) / speedup},
                    {"alone_cycles", static_cast<double>(step.alone_steps) / speedup},
                    {"held_up", step.held_up}});
  }
  return list;
}

}  // namespace

Answer simulate_schedule(const std::string& fabric, const std::string& file, std::uint32_t message_flits,
                         const simulate::Settings& settings, const Common& common) {
  const auto parsed = parse_any_schedule(read_file(file), file == "-" ? "standard input" : file);
  const auto* const combined = std::get_if<CombinedDocument>(&parsed);
  const auto* const plain = std::get_if<ScheduleDocument>(&parsed);
  CheckedDocument checked;
  if (combined != nullptr) {
    checked = check_combined_document(fabric, {}, *combined, file, {}, common);
  } else {
    checked.given = load_collective(fabric, {}, common, plain, file);
    checked.verdict = check_schedule(checked.given.problem, plain->schedule);
  }
  const CollectiveCase& given = checked.given;
  const ScheduleVerdict& verdict = checked.verdict;
  if (verdict.of(ViolationKind::unknown_node) + verdict.of(ViolationKind::no_channel) +
          verdict.of(ViolationKind::no_path) + verdict.of(ViolationKind::through_terminal) >
      0)
    throw InputError(fmt::format("{}: {}", file, verdict.findings.front().first));
  std::vector<simulate::PlayedStep> steps;
  {
    ProgressBar bar(common);
    const auto play = [&](const auto& schedule) {
      return simulate::play_schedule(given.network, *given.problem.graph, schedule, settings, message_flits,
                                     common.threads, bar);
    };
    steps = combined != nullptr ? play(combined->schedule) : play(plain->schedule);
  }
  const Played sum = sum_of(steps, settings.speedup);
  const bool good = verdict.valid() && sum.held_up == 0;
  const double nanoseconds = sum.cycles * settings.cycle_ns;
  if (common.json) {
    Json report;
    add_fabric(report, fabric, given.network);
    report["schedule"] = file;
    report["collective"] = given.problem.collective;
    report["valid"] = verdict.valid();
    report["message_flits"] = message_flits;
    report["transfers"] = sum.transfers;
    report["held_up"] = sum.held_up;
    report["completion_time"] = sum.cycles;
    report["completion_time_ns"] = nanoseconds;
    report["alone_time"] = sum.alone;
    report["steps"] = steps_json(steps, settings.speedup);
    return {good ? kYes : kNo, std::move(report), {}};
  }
  std::vector<std::pair<std::string, std::string>> rows = {
      {"schedule", fmt::format("{}, {} in {} steps", file, given.problem.collective, steps.size())},
      {"messages",
       fmt::format("{} of {} flits {}, packets of {} at most", grouped(sum.transfers), grouped(message_flits),
                   combined != nullptr ? "for each block that they carry" : "each", settings.packet_flits)},
      {"completion", fmt::format("{:.0f} cycles, {:.2f} us: all steps, one after the other", sum.cycles,
                                 nanoseconds / 1000)}};
  if (!verdict.valid()) rows.emplace_back("valid", "NO: " + verdict.findings.front().first);
  if (sum.held_up == 0) {
    rows.emplace_back("held up", "none: within a step every message takes as long as it does alone");
  } else {
    const auto path =
        combined != nullptr ? combined->schedule.path(sum.first) : plain->schedule.path(sum.first);
    rows.emplace_back("held up",
                      fmt::format("{} MESSAGES, the first from {} to {}; alone the steps take {:.0f} cycles",
                                  grouped(sum.held_up), path.front().value, path.back().value, sum.alone));
  }
  return {good ? kYes : kNo, {}, fabric_line(fabric, given.network) + "\n" + key_values(rows)};
}

}  // namespace unknot::cli
