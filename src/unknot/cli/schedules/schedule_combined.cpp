// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/schedules/schedule_combined.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "unknot/cli/command/help.hpp"
#include "unknot/cli/command/processes.hpp"
#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/output/progress_bar.hpp"
#include "unknot/cli/output/stopwatch.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/cli/output/timed_progress.hpp"
#include "unknot/cli/schedules/bandwidth_request.hpp"
#include "unknot/cli/schedules/schedule_plans.hpp"
#include "unknot/collective/combine/combined_checker.hpp"
#include "unknot/collective/combine/combined_problem.hpp"
#include "unknot/collective/combine/combining_bound.hpp"
#include "unknot/collective/combine/combining_catalogue.hpp"
#include "unknot/collective/combine/cost_model.hpp"
#include "unknot/collective/files/goal_write.hpp"
#include "unknot/collective/files/schedule_head.hpp"
#include "unknot/collective/front/rounds_check.hpp"
#include "unknot/collective/solvers/solver.hpp"
#include "unknot/play/c_source.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/in_file.hpp"

namespace unknot::cli {

struct CombinedTable {
  /// One line of the table.
  struct Entry {
    std::string name;
    CombinedSolution made;
    ScheduleVerdict verdict;
  };
  std::vector<Entry> entries;
  std::vector<Cost> costs;                                   // by entry
  std::vector<std::pair<std::string, std::string>> refused;  // name, and why
  bool stopped = false;                                      // by the user, before all were made
};

namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 40U;
constexpr double kLeastSeconds = 0.001;
constexpr std::uint64_t kMostRange = std::uint64_t{1}
                                     << 30U;  // up to which changes of the best are looked for

void require_combined_format(const ScheduleTarget& target, bool with_sizes) {
  if (target.file.empty() || target.format == "json" || target.format == "table" || target.format == "c")
    return;
  if (const PlanFormat* plan = find_moves_format(target.format); plan != nullptr) {
    if (!with_sizes || plan->of_sizes == nullptr) require_moves(*plan);
    return;
  }
  throw InputError(
      fmt::format("--format {}: combined messages are written as json, table, c, mscclpp, chakra or goal",
                  target.format));
}

void write_combined(const ScheduleTarget& target, const CombinedDocument& document,
                    const CombinedProblem& problem, const Network& network, std::uint64_t bytes,
                    const Common& common) {
  if (target.file.empty()) return;
  if (const PlanFormat* plan = find_moves_format(target.format); plan != nullptr) {
    const std::uint64_t piece = (bytes + problem.pieces - 1) / problem.pieces;
    const auto sharing = document.rounds.empty() ? mscclpp::Sharing::exclusive : mscclpp::Sharing::shared;
    return write_moves(target, *plan, moves_for(*plan, problem, document.schedule, sharing),
                       document.collective + " " + document.fabric, network, piece, common);
  }
  const auto channels = document.rounds.empty() ? play::Channels::exclusive : play::Channels::shared;
  write_target(target,
               target.format == "c" ? play::c_source(problem, document.schedule, document.fabric, channels)
               : target.format == "table" ? combined_table(document.schedule)
                                          : combined_json(document),
               common);
}

CombinedTable compare(const CombinedProblem& problem, const CombiningInput& input, const std::string& solver,
                      const Common& common) {
  CombiningOptions options;
  options.seed = common.seed;
  options.threads = common.threads;
  options.tries = input.tries;
  if (!solver.empty()) options.solver = solver;
  (void)find_solver(split_spec(options.solver).name);
  CombinedTable result;
  ProgressBar bar(common);
  const Stopwatch time;
  const std::vector<CombiningChoice> choices = combining_choices(problem);
  std::vector<std::string> names;
  names.reserve(choices.size());
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const CombiningChoice& choice = choices[i];
    names.push_back(choice.name);
    if (!input.algorithm.empty() && choice.name != input.algorithm) continue;
    if (result.stopped) {
      result.refused.emplace_back(choice.name, "interrupted before it was made");
      continue;
    }
    // Those that are left share the time that is left; where there is none, one that has begun ends at once.
    const std::size_t left = input.algorithm.empty() ? choices.size() - i : 1;
    const double share =
        std::max(kLeastSeconds, (input.seconds - time.seconds()) / static_cast<double>(left));
    TimedProgress progress(bar, input.seconds > 0 ? share : 0);
    try {
      CombinedSolution made = choice.make(options, progress);
      ScheduleVerdict verdict = check_combined(made.problem, made.schedule);
      if (!verdict.valid())
        throw std::runtime_error(fmt::format("{}: the schedule does not pass the checker", choice.name));
      result.costs.emplace_back(made.schedule, made.problem.pieces);
      result.entries.push_back({choice.name, std::move(made), std::move(verdict)});
    } catch (const InputError& error) {
      result.refused.emplace_back(choice.name, error.what());
    } catch (const Interrupted&) {
      result.stopped = bar.interrupted();
      if (result.stopped && result.entries.empty()) throw;
      result.refused.emplace_back(
          choice.name,
          result.stopped
              ? "interrupted before it was made"
              : fmt::format("not made in its part of the time, {:.3g} s; --limit gives more", share));
    }
  }
  if (!result.entries.empty()) return result;
  if (!result.refused.empty()) {
    throw InputError(fmt::format("{}: no algorithm takes it here; {}: {}", problem.collective,
                                 result.refused[0].first, result.refused[0].second));
  }
  throw InputError(fmt::format("--algorithm: there is no '{}' for {}; {}", input.algorithm,
                               problem.collective, near_or_all_names(input.algorithm, names)));
}

/// From which size on which algorithm is the quickest, of those that a runtime has.
void write_sizes(const ScheduleTarget& target, const PlanFormat& format, const std::string& collective,
                 std::uint32_t ranks, const CombinedTable& all, const CostModel& model,
                 const Common& common) {
  std::vector<std::string> names;
  std::vector<Cost> costs;
  for (std::size_t i = 0; i < all.entries.size(); ++i) {
    const auto known = format.algorithms();
    const bool has = std::any_of(known.begin(), known.end(), [&](const runtimes::KnownAlgorithm& one) {
      return one.collective == collective && one.algorithm == all.entries[i].name;
    });
    if (!has) continue;
    names.push_back(all.entries[i].name);
    costs.push_back(all.costs[i]);
  }
  if (costs.empty()) {
    throw InputError(fmt::format("--format {}: that runtime has none of the algorithms of {} in the table",
                                 format.name, collective));
  }
  std::vector<runtimes::SizeRule> rules;
  for (const CostRange& range : best_ranges(costs, model, kMostRange))
    rules.push_back({range.from, names[range.best]});
  write_target(target, format.of_sizes(collective, ranks, rules), common);
}

Json json_of(const CombinedTable& all, const CostModel& model, double bytes, std::size_t best) {
  Json list = Json::array();
  for (std::size_t i = 0; i < all.entries.size(); ++i) {
    list.push_back({{"name", all.entries[i].name},
                    {"steps", all.costs[i].steps()},
                    {"transfers", all.entries[i].verdict.transfers},
                    {"hops", all.entries[i].verdict.hops},
                    {"pieces", all.entries[i].made.problem.pieces},
                    {"critical_bytes", all.costs[i].bytes(bytes)},
                    {"time", all.costs[i].time(model, bytes)},
                    {"best", i == best}});
  }
  return list;
}

std::string table_of(const CombinedTable& all, const CostModel& model, double bytes, std::size_t best,
                     const std::vector<CostRange>& ranges) {
  TextTable table({{"algorithm", Align::left}, {"steps"}, {"transfers"}, {"bytes"}, {"time in us"}, {""}});
  for (std::size_t i = 0; i < all.entries.size(); ++i) {
    table.add({all.entries[i].name, std::to_string(all.costs[i].steps()),
               grouped(all.entries[i].verdict.transfers),
               grouped(static_cast<std::uint64_t>(std::ceil(all.costs[i].bytes(bytes)))),
               fmt::format("{:.6g}", all.costs[i].time(model, bytes) * 1e6), i == best ? "best" : ""});
  }
  TextTable changes({{"from bytes"}, {"best", Align::left}});
  for (const CostRange& range : ranges) changes.add({grouped(range.from), all.entries[range.best].name});
  return table.text() + "\n" + changes.text();
}

}  // namespace

void add_combining_options(CLI::App& app, CombiningInput& input) {
  app.add_option("--bytes", input.bytes,
                 "Compare algorithms that combine messages, for messages of this many bytes (64K: 65536), by "
                 "their time")
      ->transform(byte_count(kMostBytes))
      ->type_name("N");
  app.add_option("--cost", input.cost,
                 "With --bytes: alpha=SECONDS to start a step, beta=SECONDS a byte, hop=SECONDS a channel "
                 "(default alpha=1e-6,beta=5e-10,hop=0)")
      ->type_name("SPEC");
  app.add_option("--algorithm", input.algorithm, "With --bytes: this one of the table only")
      ->type_name("NAME");
  app.add_option("--tries", input.tries, "With --bytes: beginnings of the search for few steps")
      ->check(whole_number(1, 1'000'000))
      ->type_name("N")
      ->capture_default_str();
}

std::string plain_collective(const std::string& name) {
  for (const CombinedRow& row : combined_collectives()) {
    const bool named =
        row.name == name || std::find(row.aliases.begin(), row.aliases.end(), name) != row.aliases.end();
    if (!named || row.base == name) continue;
    if (row.outcome == Outcome::as_given) return row.base;
    throw InputError(fmt::format("{} is made of combined messages: say how large they are, --bytes N", name));
  }
  return name;
}

MadeCombined::MadeCombined(std::string fabric, const CollectiveInput& collective, const CombiningInput& input,
                           const std::string& solver, const ScheduleTarget& target, const Common& common)
    : fabric_(std::move(fabric)), model_(parse_cost(input.cost)) {
  require_combined_format(target, true);
  if (collective.collective.empty()) throw InputError("--collective is missing: unknot list collectives");
  const CombinedRow& row = find_combined_collective(collective.collective);
  CollectiveInput base = collective;
  base.collective = row.base;
  given_ = load_collective(fabric_, base, common);
  problem_ = make_combined(row.name, given_.problem, row.outcome, 1);
  time_ = Stopwatch();
  table_ = std::make_unique<const CombinedTable>(compare(problem_, input, solver, common));
}

MadeCombined::~MadeCombined() = default;

std::size_t MadeCombined::best_at(std::uint64_t bytes) const {
  return unknot::best_at(table_->costs, model_, static_cast<double>(bytes));
}

const std::string& MadeCombined::algorithm_name(std::size_t algorithm) const {
  return table_->entries[algorithm].name;
}

double MadeCombined::seconds(std::size_t algorithm, std::uint64_t bytes) const {
  return table_->costs[algorithm].time(model_, static_cast<double>(bytes));
}

int MadeCombined::code() const {
  return table_->stopped ? kInterrupted : kYes;
}

void MadeCombined::write(std::size_t algorithm, std::uint64_t bytes, const ScheduleTarget& target,
                         const Common& common) const {
  require_combined_format(target, true);
  const PlanFormat* plan = find_moves_format(target.format);
  if (plan != nullptr && plan->of_sizes != nullptr) {
    return write_sizes(target, *plan, problem_.collective, static_cast<std::uint32_t>(problem_.nodes.size()),
                       *table_, model_, common);
  }
  const CombinedSolution& made = table_->entries[algorithm].made;
  write_combined(target,
                 {fabric_, problem_.collective, participants_of(given_.problem), made.problem.pieces,
                  made.schedule, given_.faults},
                 made.problem, given_.network, bytes, common);
}

Answer MadeCombined::answer(std::uint64_t size, bool with_table, const Common& common) const {
  const auto bytes = static_cast<double>(size);
  const std::size_t best = best_at(size);
  const std::vector<CostRange> ranges = best_ranges(table_->costs, model_, kMostRange);
  const CombinedTable::Entry& chosen = table_->entries[best];
  const std::uint32_t bound = combining_step_bound(problem_);
  if (common.json) {
    Json document;
    add_fabric(document, fabric_, given_.network);
    if (!given_.faults.empty()) document["fail"] = given_.faults;
    if (!given_.routing.empty()) document["routes"] = given_.routing;
    document["collective"] = problem_.collective;
    document["nodes"] = problem_.nodes.size();
    document["bytes"] = size;
    document["cost"] = cost_json(model_);
    document["lower_bound"] = bound;
    document["algorithms"] = json_of(*table_, model_, bytes, best);
    document["best"] = chosen.name;
    document["steps"] = table_->costs[best].steps();
    document["time"] = seconds(best, size);
    document["valid"] = chosen.verdict.valid();
    Json changes = Json::array();
    for (const CostRange& range : ranges)
      changes.push_back({{"from", range.from}, {"algorithm", algorithm_name(range.best)}});
    document["ranges"] = std::move(changes);
    Json refused = Json::array();
    for (const auto& [name, why] : table_->refused) refused.push_back({{"name", name}, {"why", why}});
    document["refused"] = std::move(refused);
    document["interrupted"] = table_->stopped;
    document["seconds"] = time_.seconds();
    return {code(), std::move(document), {}};
  }
  std::vector<std::pair<std::string, std::string>> lines{
      {"collective", fmt::format("{} of {} bytes among {} nodes", problem_.collective, grouped(size),
                                 problem_.nodes.size())}};
  if (!given_.faults.empty()) lines.emplace_back("failed", given_.faults);
  if (!given_.routing.empty()) lines.emplace_back("routes", given_.routing);
  lines.emplace_back("cost", cost_text(model_));
  lines.emplace_back("lower bound",
                     fmt::format("{} step{}, however much a transfer carries", bound, bound == 1 ? "" : "s"));
  lines.emplace_back("best", chosen.name);
  lines.emplace_back("valid", "yes, as checked: every algorithm below");
  if (table_->stopped) lines.emplace_back("interrupted", "not all algorithms were made");
  std::string text = fabric_line(fabric_, given_.network) + "\n" + key_values(lines) + "\n" +
                     table_of(*table_, model_, bytes, best, ranges);
  for (const auto& [name, why] : table_->refused) text += fmt::format("\nleft out: {}: {}\n", name, why);
  if (with_table) text += "\n" + combined_table(chosen.made.schedule);
  return {code(), {}, text};
}

Answer combining_command(const std::string& fabric, const CollectiveInput& collective,
                         const CombiningInput& input, const std::string& solver, const ScheduleTarget& target,
                         bool with_table, const Common& common) {
  require_one_process(common, "schedule --bytes");
  require_writable(target, common);
  const MadeCombined made(fabric, collective, input, solver, target, common);
  if (!target.file.empty()) {
    made.write(made.best_at(input.bytes), input.bytes, target, common);
    if (target.file == "-") return {made.code()};
  }
  return made.answer(input.bytes, with_table, common);
}

CheckedDocument check_combined_document(const std::string& fabric, const CollectiveInput& input,
                                        const CombinedDocument& document, const std::string& file,
                                        const ScheduleTarget& target, const Common& common,
                                        const BandwidthInput& capacity) {
  require_combined_format(target, false);
  const CombinedRow& row = in_file(file, [&]() -> const CombinedRow& {
    return find_combined_collective(input.collective.empty() ? document.collective : input.collective);
  });
  CollectiveInput base = document.rounds.empty() ? input : with_capacities(input, capacity);
  base.collective = row.base;
  const ScheduleDocument who{document.fabric, document.faults, row.base, document.participants, {}};
  CheckedDocument result{load_collective(fabric, base, common, &who, file), {}};
  result.problem = in_file(
      file, [&] { return make_combined(row.name, result.given.problem, row.outcome, document.pieces); });
  result.verdict = document.rounds.empty()
                       ? check_combined(result.problem, document.schedule)
                       : check_in_rounds(result.problem, document.schedule, document.rounds);
  result.given.problem.collective = row.name;
  if (writes_checked(target, result.verdict.valid(), common))
    write_combined(target, document, result.problem, result.given.network, kGoalMessageBytes, common);
  return result;
}

}  // namespace unknot::cli
