// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "unknot/cli/command/catalogues.hpp"
#include "unknot/cli/command/command.hpp"
#include "unknot/cli/command/help.hpp"
#include "unknot/cli/command/processes.hpp"
#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/output/stopwatch.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/cli/schedules/collective_input.hpp"
#include "unknot/cli/schedules/schedule_bandwidth.hpp"
#include "unknot/cli/schedules/schedule_combined.hpp"
#include "unknot/cli/schedules/schedule_exchange.hpp"
#include "unknot/cli/schedules/schedule_front.hpp"
#include "unknot/cli/schedules/schedule_graphs.hpp"
#include "unknot/cli/schedules/schedule_output.hpp"
#include "unknot/cli/schedules/schedule_program.hpp"
#include "unknot/cli/schedules/schedule_repair.hpp"
#include "unknot/cli/schedules/schedule_report.hpp"
#include "unknot/cli/schedules/schedule_solve.hpp"
#include "unknot/collective/bounds/lower_bound.hpp"
#include "unknot/collective/bounds/thesis_formulas.hpp"
#include "unknot/collective/check/checker.hpp"
#include "unknot/collective/files/combined_file.hpp"
#include "unknot/collective/files/exchange_file.hpp"
#include "unknot/collective/files/forest_file.hpp"
#include "unknot/collective/files/schedule_file.hpp"
#include "unknot/collective/model/fault_impact.hpp"
#include "unknot/collective/mscclpp/plan.hpp"
#include "unknot/collective/nccl/nccl_graph.hpp"
#include "unknot/evolve/exchange.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot::cli {
namespace {

constexpr const char* kCheck = "check";
constexpr std::size_t kShownSteps = 20;

struct ScheduleOptions {
  const CLI::App* app = nullptr;
  std::vector<std::string> words;  ///< FABRIC, or check FABRIC FILE, or check FILE
  CollectiveInput input;
  ScheduleTarget target;
  SolveInput solve;
  CombiningInput combining;
  RepairInput repair;
  BandwidthInput bandwidth;
  bool bounds = false;
  bool table = false;
  std::uint64_t most_columns = BoundOptions().most_columns;
};

Json bound_json(const LowerBound& bound) {
  return {
      {"name", bound.name}, {"steps", bound.steps}, {"proof", bound.reason}, {"reversed", bound.reversed}};
}

Json formula_json(const ThesisFormula& formula) {
  return {{"equation", formula.equation}, {"formula", formula.text}, {"numbers", formula.numbers},
          {"steps", formula.steps},       {"holds", formula.holds},  {"remark", formula.remark}};
}

/// Every bound, and the thesis's formulas.
void add_bounds(const Problem& problem, const std::vector<LowerBound>& bounds, Json& document,
                ScheduleText& text) {
  Json list = Json::array();
  TextTable table({{"bound", Align::left}, {"steps"}, {"because", Align::left}});
  for (const LowerBound& bound : bounds) {
    list.push_back(bound_json(bound));
    table.add({bound_name(bound), std::to_string(bound.steps), bound.reason});
  }
  document["bounds"] = std::move(list);
  text.table = table.text();
  const std::vector<ThesisFormula> formulas = thesis_formulas(problem);
  Json thesis = Json::array();
  TextTable others({{"formula of the thesis", Align::left}, {"steps"}, {"holds"}, {"with", Align::left}});
  for (const ThesisFormula& formula : formulas) {
    thesis.push_back(formula_json(formula));
    const std::string remark = formula.remark.empty() ? "" : "; " + formula.remark;
    others.add({fmt::format("{}: {}", formula.equation, formula.text), std::to_string(formula.steps),
                formula.holds ? "yes" : "NO", formula.numbers + remark});
  }
  document["thesis_formulas"] = std::move(thesis);
  if (!formulas.empty()) text.table += "\n" + others.text();
}

/// Refuses what several processes do not share.
void require_shareable(const ScheduleOptions& options, const Common& common) {
  if (common.exchange == nullptr) return;
  if (options.bounds) require_one_process(common, "schedule --bounds");
  for (const std::string& file : {options.words[0], options.input.messages}) {
    if (file == "-")
      throw InputError("standard input has one reader: name a file that all processes can read");
  }
}

/// The network and the collective before what has failed, where schedules may be sought by way of it: not for
/// a solver or a number of steps that is asked for, on routes, in several processes, or where FABRIC is read
/// from where it can be read once.
std::optional<WholeNetwork> whole_network(const std::string& fabric, const ScheduleOptions& options,
                                          CollectiveInput input, const CollectiveCase& left,
                                          const Common& common) {
  if (input.faults.empty() || !options.solve.solver.empty() || options.solve.steps > 0 ||
      !left.routing.empty() || common.exchange != nullptr || fabric == "-")
    return std::nullopt;
  input.faults.clear();
  CollectiveCase whole = load_collective(fabric, input, common);
  const NetworkChange change = compare_networks(whole.network, left.network);
  std::vector<NodeId> numbers = node_numbers(*whole.problem.graph, *left.problem.graph, change);
  return WholeNetwork{std::move(whole.problem), std::move(numbers)};
}

/// Bounds, and where they are not all that is asked for a schedule. Of several processes all seek it.
Answer design_command(const ScheduleOptions& options, const Common& common) {
  const std::string& fabric = options.words[0];
  if (options.bounds && !options.target.file.empty())
    throw InputError("--output: with --bounds there is no schedule to write");
  CollectiveInput input = options.input;
  if (options.bandwidth.is_goal())
    return bandwidth_command(fabric, input, options.bandwidth, options.target, common);
  if (options.bandwidth.is_front()) {
    return front_command(fabric, input, options.bandwidth, options.solve.steps, options.target, common);
  }
  if (options.combining.bytes > 0) {
    if (options.bounds || options.solve.steps > 0)
      throw InputError("--bytes compares algorithms: --bounds and --steps have no place there");
    CombiningInput combining = options.combining;
    combining.seconds = options.solve.seconds;
    return combining_command(fabric, input, combining, options.solve.solver, options.target, options.table,
                             common);
  }
  if (!options.combining.cost.empty() || !options.combining.algorithm.empty())
    throw InputError("--cost and --algorithm are for --bytes N, which is missing");
  input.collective = plain_collective(input.collective);
  require_shareable(options, common);
  require_writable(options.target, common);
  const CollectiveCase given = load_collective(fabric, input, common);
  require_writable(options.target, given.problem);
  const Stopwatch time;
  std::vector<LowerBound> bounds;
  LowerBound best;
  if (first_process(common)) {
    BoundOptions settings;
    settings.most_columns = options.most_columns;
    bounds = lower_bounds(given.problem, settings);
    best = largest(bounds);
    if (!check_bound(given.problem, best))
      throw std::runtime_error("the proof of the lower bound does not hold");
  }
  if (common.exchange != nullptr) {
    std::uint64_t steps = first_process(common) ? best.steps : UINT64_MAX;
    common.exchange->minimum({&steps, 1});
    best.steps = static_cast<std::uint32_t>(steps);
  }
  Json document;
  ScheduleText text;
  add_case(document, fabric, given);
  if (!given.faults.empty()) text.lines.emplace_back("failed", given.faults);
  if (!given.routing.empty()) text.lines.emplace_back("routes", given.routing);
  add_bound(given.problem, best, document, text);
  int code = kYes;
  if (options.bounds) {
    add_bounds(given.problem, bounds, document, text);
    document["seconds"] = time.seconds();
  } else {
    const std::optional<WholeNetwork> whole = whole_network(fabric, options, input, given, common);
    code = solve_collective(fabric, given, best, options.solve, options.target, common, options.table,
                            whole ? &*whole : nullptr, document, text);
  }
  if (options.target.file == "-") return {code};  // standard output is taken
  return report_answer(code, fabric, given, std::move(document), text, common);
}

Json findings_json(const ScheduleVerdict& verdict) {
  Json list = Json::array();
  for (const StepFinding& finding : verdict.findings) {
    list.push_back({{"step", finding.step < verdict.steps ? Json(finding.step + 1) : Json()},
                    {"count", finding.count},
                    {"kind", name_of(finding.kind)},
                    {"first", finding.first}});
  }
  return list;
}

CheckedDocument check_plain_document(const std::string& fabric, const CollectiveInput& input,
                                     const ScheduleDocument& document, const std::string& file,
                                     const ScheduleTarget& target, const Common& common) {
  CheckedDocument result{load_collective(fabric, input, common, &document, file), {}};
  result.verdict = check_schedule(result.given.problem, document.schedule);
  if (writes_checked(target, result.verdict.valid(), common))
    write_schedule(target, document, result.given, common);
  return result;
}

Answer check_command(const ScheduleOptions& options, const Common& common) {
  const std::string& fabric = options.words[1];
  const std::string& file = options.words[2];
  require_writable(options.target, common);
  CollectiveInput input = options.input;
  const std::string content = read_file(file);
  if (nccl::is_graphs(content)) return check_nccl_graphs(fabric, file, content, common);
  if (content.starts_with('<') || mscclpp::is_plan(content))
    throw InputError(fmt::format("{}: a program is checked without a fabric: schedule check {}", file, file));
  if (is_forest(content) || is_exchange(content)) {
    if (!options.target.file.empty() || options.table) {
      throw InputError(fmt::format(
          "{}: trees and paths are checked as they are, -o and --table have no place there", file));
    }
    return is_forest(content) ? check_forest_file(fabric, input, options.bandwidth, content, file, common)
                              : check_exchange_file(fabric, input, options.bandwidth, content, file, common);
  }
  if (!options.bandwidth.switches.empty())
    throw InputError(fmt::format("--switches: {} holds no trees", file));
  if (!options.bandwidth.sizes.empty())
    throw InputError(fmt::format("--group-sizes: {} holds no trees", file));
  const auto parsed = parse_any_schedule(content, file == "-" ? "standard input" : file);
  const auto* const plain = std::get_if<ScheduleDocument>(&parsed);
  if (!options.bandwidth.capacity.empty() &&
      (plain != nullptr || std::get<CombinedDocument>(parsed).rounds.empty()))
    throw InputError(fmt::format("--capacity: {} holds no trees, paths or rounds", file));
  const CheckedDocument checked =
      plain != nullptr ? check_plain_document(fabric, input, *plain, file, options.target, common)
                       : check_combined_document(fabric, input, std::get<CombinedDocument>(parsed), file,
                                                 options.target, common, options.bandwidth);
  const CollectiveCase& given = checked.given;
  const ScheduleVerdict& verdict = checked.verdict;
  if (options.target.file == "-") return {verdict.valid() ? kYes : kNo};  // standard output is taken
  const std::uint64_t conflicts = verdict.of(ViolationKind::channel_conflict);
  if (common.json) {
    Json report;
    add_case(report, fabric, given);
    report["schedule"] = file;
    report["valid"] = verdict.valid();
    report["steps"] = verdict.steps;
    report["conflicts"] = conflicts;
    report["transfers"] = verdict.transfers;
    report["hops"] = verdict.hops;
    report["violations"] = verdict.violations();
    Json kinds = Json::object();
    for (std::size_t kind = 0; kind < kViolationKinds; ++kind) {
      if (verdict.count[kind] > 0) kinds[name_of(static_cast<ViolationKind>(kind))] = verdict.count[kind];
    }
    report["kinds"] = std::move(kinds);
    report["findings"] = findings_json(verdict);
    return {verdict.valid() ? kYes : kNo, std::move(report), {}};
  }
  std::string text =
      fabric_line(fabric, given.network) + "\n" +
      key_values({{"collective", collective_text(given.problem) +
                                     (given.faults.empty() ? "" : fmt::format(", failed: {}", given.faults))},
                  {"steps", std::to_string(verdict.steps)},
                  {"transfers",
                   fmt::format("{} over {} channels", grouped(verdict.transfers), grouped(verdict.hops))},
                  {"valid", verdict.valid()
                                ? "yes"
                                : fmt::format("NO, {} violation{}, {} of them channel conflicts",
                                              grouped(verdict.violations()),
                                              verdict.violations() == 1 ? "" : "s", grouped(conflicts))}});
  if (!verdict.valid()) text += "\n";
  for (std::size_t i = 0; i < verdict.findings.size(); ++i) {
    if (i == kShownSteps) {
      text += fmt::format("and more in {} other steps\n", verdict.findings.size() - i);
      break;
    }
    const StepFinding& finding = verdict.findings[i];
    text += finding.first +
            (finding.count > 1 ? fmt::format(" (and {} more)", grouped(finding.count - 1)) : "") + "\n";
  }
  if (options.table) {
    text += "\n" + (plain != nullptr ? schedule_table(*plain)
                                     : combined_table(std::get<CombinedDocument>(parsed).schedule));
  }
  return {verdict.valid() ? kYes : kNo, {}, text};
}

/// What the command is asked to do, and the options that say nothing then.
struct Task {
  const char* name;
  std::vector<const char*> unused;
};

Task task_of(const ScheduleOptions& options) {
  if (options.words[0] == kCheck) {
    std::vector<const char*> unused{"--solver",      "--steps",  "--limit",       "--resume",
                                    "--routes-only", "--bytes",  "--cost",        "--algorithm",
                                    "--tries",       "--bounds", "--program-size"};
    if (options.words.size() != 2) return {"schedule check", std::move(unused)};
    for (const char* more :
         {"--collective", "--root", "--transmitters", "--receivers", "--messages", "--pattern", "--nodes",
          "--links", "--ports", "--receive-ports", "--terminal-capacity", "--paths", "--engine", "--tables",
          "--vls", "--fail", "--format", "--table"})
      unused.push_back(more);
    return {"schedule check of a program", std::move(unused)};
  }
  if (!options.repair.file.empty()) {
    return {"--repair",
            {"--resume", "--bytes", "--cost", "--algorithm", "--tries", "--routes-only", "--program-size"}};
  }
  if (options.bandwidth.is_goal()) {
    return {"--goal bandwidth",
            {"--ports", "--receive-ports", "--paths", "--links", "--engine", "--tables", "--vls", "--solver",
             "--steps", "--limit", "--resume", "--routes-only", "--algorithm", "--tries", "--program-size",
             "--table"}};
  }
  if (options.bandwidth.is_front()) {
    return {"--goal front",
            {"--ports", "--receive-ports", "--paths", "--links", "--engine", "--tables", "--vls", "--solver",
             "--limit", "--resume", "--routes-only", "--algorithm", "--tries", "--program-size", "--table",
             "--bounds"}};
  }
  if (options.combining.bytes > 0) return {"--bytes", {"--resume", "--routes-only", "--program-size"}};
  if (options.bounds) {
    return {
        "--bounds",
        {"--solver", "--steps", "--limit", "--resume", "--routes-only", "--tries", "--table", "--format"}};
  }
  return {"a schedule without --bytes", {"--tries"}};
}

/// An option that is taken and does nothing would leave its user in error.
void refuse_out_of_place(const ScheduleOptions& options) {
  const Task task = task_of(options);
  refuse_unused(*options.app, task.unused, task.name);
  const auto given = [&](const char* name) { return options.app->count(name) > 0; };
  const RoutingSource& routes = options.input.routing;
  const bool counts_bytes = options.bandwidth.is_goal() || options.bandwidth.is_front();
  const bool checks = options.words[0] == kCheck;
  if (given("--capacity") && !counts_bytes && !checks)
    throw InputError("--capacity: it is for --goal bandwidth and front");
  for (const char* name : {"--group-sizes", "--switches"}) {
    if (given(name) && !options.bandwidth.is_goal() && !checks)
      throw InputError(fmt::format("{}: it is for --goal bandwidth", name));
  }
  if (given("--translations") && !options.bandwidth.is_goal())
    throw InputError("--translations: it is for --goal bandwidth");
  if (given("--translations") && options.bounds)
    throw InputError("--translations: with --bounds there are no trees to translate");
  if (given("--chunks") && !counts_bytes) throw InputError("--chunks: it is for --goal bandwidth and front");
  if (options.bandwidth.is_goal() && (given("--chunks") || given("--cost")) && !given("--bytes"))
    throw InputError("--chunks and --cost are for --bytes N, which is missing");
  if (given("--routes-only") && !routes.by_engine() && !routes.from_tables())
    throw InputError("--routes-only: it is for --engine or --tables");
  if (given("--format") && options.target.file.empty())
    throw InputError("--format: nothing is written without -o FILE");
}

Answer schedule_command(ScheduleOptions& options, const Common& common) {
  refuse_out_of_place(options);
  options.bandwidth.bounds = options.bounds;
  options.bandwidth.bytes = options.combining.bytes;
  options.bandwidth.cost = options.combining.cost;
  options.bandwidth.terminal_capacity = options.app->count("--terminal-capacity") > 0;
  if (options.words[0] == kCheck) {
    if (options.words.size() == 1 || (options.words.size() == 2 && is_spec(options.words[1]))) {
      throw InputError(
          "schedule check: expected FABRIC and FILE, or the FILE of a program of MSCCL or MSCCL++");
    }
    if (!options.repair.file.empty()) throw InputError("schedule check: nothing is repaired here");
    require_one_process(common, "schedule check");
    if (options.words.size() == 2) {
      if (!options.target.file.empty())
        throw InputError("-o: a program is checked as it is, there is no schedule to write");
      return check_program(options.words[1], common);
    }
    return check_command(options, common);
  }
  if (options.words.size() > 1) {
    throw InputError(fmt::format("unexpected argument '{}'; schedule FABRIC, or schedule check FABRIC FILE",
                                 options.words[1]));
  }
  if (options.repair.file.empty()) return design_command(options, common);
  require_one_process(common, "schedule --repair");
  if (options.bounds) throw InputError("--bounds: with --repair there is a schedule to make");
  require_writable(options.target, common);
  return repair_command(options.words[0], options.repair, options.input, options.solve, options.target,
                        options.table, common);
}

Action declare_schedule(CLI::App& app, const Common& common) {
  const auto options = std::make_shared<ScheduleOptions>();
  options->app = &app;
  app.add_option(
         "FABRIC", options->words,
         "Spec (unknot list topologies) or file; or the word check, a fabric and the file of a schedule; or "
         "check and the file of a program of MSCCL or MSCCL++")
      ->required()
      ->expected(1, 3)
      ->type_name("| check [FABRIC] FILE");
  add_collective_options(app, options->input);
  add_bandwidth_options(app, options->bandwidth);
  add_solve_options(app, options->solve);
  add_combining_options(app, options->combining);
  add_repair_options(app, options->repair);
  app.add_flag("--bounds", options->bounds,
               "No schedule, but every lower bound, and the formulas of the thesis");
  app.add_option("--program-size", options->most_columns,
                 "Most variables, sources times channels, of the linear program among the bounds")
      ->check(whole_number(0, 1'000'000))
      ->type_name("N")
      ->capture_default_str();
  add_schedule_target(app, options->target);
  app.add_flag("--table", options->table, "Print the schedule too, as a table of transfers");
  return [options, &common] { return schedule_command(*options, common); };
}

}  // namespace

Command schedule_row() {
  return {
      .name = "schedule",
      .summary =
          "Collective communication in synchronous steps: schedules, lower bounds with proofs, and a check "
          "of any",
      .details =
          R"(In one step every channel carries one message. A schedule is sought from the lower bound on, below which there is none,
and what is found is checked by code that knows nothing of how. With --bounds nothing is sought.
schedule check: channel conflicts, ports, who knew what when, completeness. What the file does not say (root, ports,
lengths of paths) options do. FABRIC may also be an input file of Jaros's thesis. See docs/collectives.md.
schedule check FILE executes a program of MSCCL or MSCCL++: deadlocks, races, and whether its result is what it promises.
-o FILE writes the schedule; --format svg or time-space draws it, msccl, goal and c are for other systems; mscclpp and chakra, of
schedules, combined messages and trees, nccl-graph, nccl-tuner and openmpi-rules for runtimes: see docs/runtimes.md;
mpirun unknot-play FABRIC FILE plays it with real messages, see docs/playing.md.
--bytes N compares algorithms that combine messages, for messages of this many bytes, by --cost, and
-o writes the quickest; all-reduce and scan are made so. See docs/combining.md.
--goal bandwidth: for messages so large that bytes count and steps do not: the least time there is, as a fraction, with
the cut that proves it, and trees that take no more; for all-to-all paths near a bound; with --bounds neither;
for several groups at once trees near a bound by lengths of channels; with --switches trees that branch at switches;
with --bytes N the chunks that trees are best run in, and the time by --cost. See docs/bandwidth.md.
--goal front: steps against time, a proof for each number of steps, and from which size on which is the best; -o writes the
one for --bytes, or of at most --steps N. See docs/front.md.
--engine and --tables keep transfers to the routes in force; --fail leaves out what has failed; --repair mends a
schedule after that, on those routes or free paths, with few changes, and with --limit a solver also looks for fewer steps in the time left.
mpirun unknot-mpi schedule ... shares the islands of a solver among processes.

--json: steps, lower_bound, bound_proof, bound_reason, proven_optimal, valid, conflicts, solver, evaluations, seconds;
with --engine or --tables: routes, free_paths {steps, lower_bound, proven_optimal, steps_saved};
with --repair: repair {file, made_for, steps_before, steps, lost, kept, rerouted, moved, dropped}, anew {solver, steps,
seconds, taken}; with --bounds: bounds [{name, steps, proof, reversed}], thesis_formulas; with --bytes: algorithms
[{name, steps, transfers, hops, pieces, critical_bytes, time, best}], best, time, ranges [{from, algorithm}], refused; with --goal bandwidth: optimum, reached
(fractions), proven_optimal, cut {inside, shares, capacity}, unit_megabits, assumed_links, copies, trees, depth, channels, valid, seconds (all-reduce: cut {parts, shares, capacity};
all-to-all: bound, gap, paths, cut {lengths [[from, to, length]], distances, capacity};
several groups: groups, sizes, alone, bound, gap, cut {lengths, costs, capacity}; with --switches: switches, bound, gap;
with --translations: translated); with --goal front: least_steps, bound, points [{steps, time, chunks, step_times, bound,
bound_proof, proven_optimal, from_bytes}]; check: valid, steps, conflicts, transfers,
hops, violations, kinds, findings [{step, count, kind, first}]; check of a program: name, collective, protocol, gpus,
channels, thread_blocks, steps, sends, result_checked, valid, fault {line, sentence}. Exit code 0: done, or valid; 1: not valid, or none of
this many steps found.)",
      .examples =
          {"unknot schedule hypercube:3 --collective AAB --table",
           "unknot schedule mesh:5x5 --collective AAS --bounds",
           "unknot schedule torus:4x4 --collective all-reduce --bytes 65536",
           "unknot schedule torus:4x4 --collective all-gather --goal bandwidth",
           "unknot schedule boxes:1,8 --collective all-reduce --goal bandwidth --switches copy,combine",
           "unknot schedule dgx1 --collective all-gather --goal front",
           "unknot schedule torus:4x4 --collective AAS --engine dfsssp",
           "unknot schedule mesh:4x4 --collective AAB -o old.json",
           "unknot schedule mesh:4x4 --repair old.json --fail cables=S-5-S-6 -o new.json",
           "unknot schedule torus:4x4,p=2 --collective OAB --root 16 --paths minimal --bounds"},
      .declare = declare_schedule,
      .many_processes = true};
}

}  // namespace unknot::cli
