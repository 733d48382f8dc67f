// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "unknot/cli/command/catalogues.hpp"
#include "unknot/cli/command/command.hpp"
#include "unknot/cli/command/help.hpp"
#include "unknot/cli/command/load_list.hpp"
#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/fabric/fault_option.hpp"
#include "unknot/cli/output/interrupt.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/output/progress_bar.hpp"
#include "unknot/cli/routing/engine_list.hpp"
#include "unknot/cli/routing/routing_source.hpp"
#include "unknot/cli/schedules/collective_input.hpp"
#include "unknot/cli/studies/command_words.hpp"
#include "unknot/cli/studies/print_page.hpp"
#include "unknot/cli/studies/report_compare.hpp"
#include "unknot/collective/bounds/lower_bound.hpp"
#include "unknot/collective/files/schedule_file.hpp"
#include "unknot/report/document.hpp"
#include "unknot/report/measure.hpp"
#include "unknot/report/measure_algorithms.hpp"
#include "unknot/report/page.hpp"
#include "unknot/routing/model/engine.hpp"
#include "unknot/simulate/plan/route_plan.hpp"
#include "unknot/simulate/settings/settings_draft.hpp"
#include "unknot/simulate/settings/settings_file.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/traffic/catalogue.hpp"

namespace unknot::cli {
namespace {

constexpr std::uint32_t kMostSamples = 1'000'000;
constexpr std::uint64_t kMostLooks = 500'000'000;  // of distances, which are one sentence of a page: seconds

struct ReportOptions {
  std::string fabric;
  std::vector<std::string> engines;
  TablesInput tables;
  std::uint32_t virtual_lanes = 8;
  std::uint32_t samples = 200;
  std::string traffic = "uniform";
  const CLI::Option* traffic_given = nullptr;
  std::string loads;
  std::vector<std::string> assignments;
  std::string schedule, faults, output;
  std::string collective;            ///< "": no algorithms are shown
  std::vector<std::string> compare;  ///< two pages, or none
  report::Provenance provenance;
};

/// What is simulated of every routing.
struct Traffic {
  std::vector<double> loads;  ///< empty: nothing
  simulate::Settings settings;
  bool lanes_given = false;  ///< else a routing gets those it needs, and no fewer than the settings have
  TrafficPattern pattern;
};

/// The network, and the schedule with the problem it is for.
report::Content read_content(const ReportOptions& options, const Common& common) {
  report::Content content;
  content.fabric = options.fabric;
  content.provenance = options.provenance;
  if (!options.schedule.empty()) {
    CollectiveInput input;
    input.faults = options.faults;
    ScheduleDocument document = parse_schedule(read_file(options.schedule),
                                               options.schedule == "-" ? "standard input" : options.schedule);
    CollectiveCase given = load_collective(options.fabric, input, common, &document, options.schedule);
    content.faults = given.faults;
    content.network = std::move(given.network);
    content.schedule.emplace();
    content.schedule->verdict = check_schedule(given.problem, document.schedule);
    content.schedule->lower_bound = lower_bound(given.problem).steps;
    content.schedule->problem = std::move(given.problem);
    content.schedule->schedule = std::move(document.schedule);
  } else {
    content.network = load_routers(options.fabric);
    if (!options.faults.empty()) {
      content.faults = with_seed(options.faults, common);
      content.network = without_failed(content.network, options.faults, common);
    }
  }
  report::require_drawable(content.network);
  return content;
}

Traffic read_traffic(const ReportOptions& options, const Common& common) {
  Traffic traffic;
  if (options.loads.empty()) {
    if (options.traffic_given->count() > 0 || !options.assignments.empty())
      throw InputError("report: --traffic and --set are for simulations: give --load, too");
    return traffic;
  }
  if (options.engines.empty() && options.tables.tables.empty())
    throw InputError("report: --load simulates routings: give --engine or --tables, too");
  (void)find_pattern(split_spec(options.traffic).name);
  traffic.loads = parse_loads(options.loads);
  simulate::SettingsLayer layer = simulate::parse_assignments(options.assignments);
  bool seeded = false;
  for (const auto& entry : layer.entries) {
    seeded = seeded || entry.key->parameter.name == "seed";
    traffic.lanes_given = traffic.lanes_given || entry.key->parameter.name == "vcs";
  }
  simulate::SettingsDraft draft;
  draft.add(std::move(layer));
  traffic.settings = draft.resolve().settings;
  if (!seeded) traffic.settings.seed = common.seed;
  return traffic;
}

void add_routing(report::Content& content, const Routing& routing, const std::string& name,
                 const ReportOptions& options, const Traffic& traffic, const Common& common,
                 Progress& progress) {
  content.routings.push_back(report::measure_routing(
      content.network, routing, name, {options.samples, common.seed, common.threads}, progress));
  stop_if_interrupted();
  if (!options.collective.empty() && content.routings.back().verdict.complete()) {
    report::AlgorithmsOptions wanted;
    wanted.collective = find_rank_collective(options.collective);
    wanted.seed = common.seed;
    wanted.threads = common.threads;
    content.algorithms.push_back(
        report::measure_algorithms(content.network, routing, name, wanted, progress));
    stop_if_interrupted();
  }
  if (traffic.loads.empty() || !content.routings.back().verdict.complete()) return;
  const simulate::RoutePlan plan = simulate::plan_routing(content.network, routing, false);
  simulate::Settings settings = traffic.settings;
  if (!traffic.lanes_given) settings.vcs = std::max(settings.vcs, plan.lanes_needed);
  settings = simulate::for_lanes(settings, plan.lanes_needed);
  const simulate::LoadJob job{plan, settings, traffic.pattern, 1, common.threads};
  const std::vector<simulate::LoadPoint> points = simulate::run_loads(job, traffic.loads, progress);
  report::SimulationPart part{name, options.traffic, settings.vcs, {}, mean_utilisation(points.back())};
  for (const simulate::LoadPoint& point : points) part.points.push_back(means(point));
  content.simulations.push_back(std::move(part));
}

void add_engine(report::Content& content, const std::string& engine, const ReportOptions& options,
                const Traffic& traffic, const Common& common, Progress& progress) {
  RoutingSource source;
  source.engine = engine;
  source.virtual_lanes = options.virtual_lanes;
  try {
    const Routing routing = route_by_engine(content.network, source, common, progress);
    stop_if_interrupted();
    add_routing(content, routing, engine, options, traffic, common, progress);
  } catch (const RoutingFailure& failure) {
    content.routings.emplace_back();
    content.routings.back().name = engine;
    content.routings.back().failure = failure.what();
  }
}

Answer report_command(const ReportOptions& options, const Common& common) {
  report::require_page();
  if (options.output.empty()) throw InputError("report: -o FILE.html is missing: where the page goes");
  if (common.json && options.output == "-")
    throw InputError("report: --json and a file '-' cannot both have standard output");
  check_outputs({options.output});
  if (!options.compare.empty())
    return compare_pages(options.compare, options.provenance, options.output, common);
  if (options.fabric.empty()) throw InputError("report: FABRIC is missing; see unknot report --help");
  const std::string chromium = is_pdf(options.output) ? find_chromium() : "";
  if (!options.collective.empty()) {
    (void)find_rank_collective(options.collective);
    if (options.engines.empty() && options.tables.tables.empty())
      throw InputError("report: --collective shows algorithms on routings: give --engine or --tables, too");
  }
  std::vector<std::string> engines;
  if (!options.engines.empty()) engines = split_engines(fmt::format("{}", fmt::join(options.engines, ",")));
  Traffic traffic = read_traffic(options, common);
  report::Content content = read_content(options, common);
  if (!traffic.loads.empty()) traffic.pattern = make_pattern(content.network, options.traffic);
  {
    ProgressBar bar(common);
    content.distances = distance_statistics(
        content.network, {.threads = common.threads, .max_looks = kMostLooks, .seed = common.seed});
    stop_if_interrupted();
    for (const std::string& engine : engines) add_engine(content, engine, options, traffic, common, bar);
    if (!options.tables.tables.empty()) {
      add_routing(content, read_routing(content.network, options.tables), options.tables.tables, options,
                  traffic, common, bar);
    }
    const bool loaded = std::any_of(content.routings.begin(), content.routings.end(),
                                    [](const report::RoutingPart& part) { return part.failure.empty(); });
    if (!loaded) content.even_load = report::even_load(content.network, common.threads, bar);
  }
  write_page(report::html_page(content), chromium, options.output, common);
  if (common.json) {
    Json document;
    add_fabric(document, options.fabric, content.network);
    document["summary"] = report::summary(content);
    document["file"] = options.output;
    return {kYes, std::move(document), {}};
  }
  return {kYes};
}

Action declare_report(CLI::App& app, const Common& common) {
  const auto options = std::make_shared<ReportOptions>();
  add_fabric_argument(app, options->fabric);
  app.get_option("FABRIC")->required(false);
  app.add_option("--engine,-E", options->engines,
                 fmt::format("Engines side by side, as NAME or NAME:key=value,..., joined by commas or given "
                             "many times; 'all', or of {}",
                             row_names("engines")))
      ->type_name("NAME")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
  CLI::Option* tables =
      app.add_option("--tables", options->tables.tables, "Third-party tables, beside the engines")
          ->type_name("FILE");
  app.add_option("--lanes", options->tables.lanes, "Service level of each path, with --tables")
      ->type_name("FILE")
      ->needs(tables);
  app.add_option("--sl2vl", options->tables.lane_map, "SL-to-VL tables, with --tables")
      ->type_name("FILE")
      ->needs(tables);
  app.add_option("--vls", options->virtual_lanes, "Virtual lanes the hardware has, for the engines")
      ->check(whole_number(1, kMaxLanes))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--samples", options->samples,
                 "Random bisections that measure the effective bisection bandwidth; 0: not measured")
      ->check(whole_number(0, kMostSamples))
      ->type_name("N")
      ->capture_default_str();
  app.add_option(
         "--load", options->loads,
         "Simulate each routing at these offered loads, parts of what a terminal can send: A, A:B:STEP, "
         "or these with commas")
      ->type_name("A[:B:STEP]");
  options->traffic_given =
      app.add_option("--traffic", options->traffic,
                     fmt::format("With --load: steady traffic, as NAME or NAME:key=value,...; one of {}",
                                 row_names("patterns")))
          ->type_name("NAME")
          ->capture_default_str();
  app.add_option("--set", options->assignments,
                 "With --load: one setting of the simulator; may be given many times")
      ->type_name("KEY=VALUE")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
  app.add_option("--schedule", options->schedule,
                 "A schedule to show step by step, as unknot schedule -o writes it")
      ->type_name("FILE");
  app.add_option("--collective", options->collective,
                 "The known algorithms of a collective on each routing, predicted and simulated: all-reduce, "
                 "all-gather, reduce-scatter, broadcast or all-to-all")
      ->type_name("NAME");
  add_fault_option(app, options->faults);
  CLI::Option* compare =
      app.add_option("--compare", options->compare,
                     "In place of FABRIC: two pages that this command wrote, and what differs between them")
          ->type_name("BEFORE.html AFTER.html")
          ->expected(2);
  for (CLI::Option* other : app.get_options()) {
    if (other != compare && other->get_name() != "--help") compare->excludes(other);
  }
  app.add_option("--title", options->provenance.title, "Heading of the page; else the fabric's name")
      ->type_name("TEXT");
  app.add_option("--date", options->provenance.date,
                 "Date for the foot of the page, as it is to be read; else there is none")
      ->type_name("TEXT");
  app.add_option("--output,-o", options->output,
                 "The page, - for standard output; a name that ends in .pdf has it printed by Chromium")
      ->type_name("FILE.html");
  return [options, &common, &app] {
    options->provenance.command = command_words(app, common);
    return report_command(*options, common);
  };
}

}  // namespace

Command report_row() {
  return {
      .name = "report",
      .summary = "One HTML page with pictures to explore: a network, its routings, simulations, a schedule",
      .details =
          R"(The page needs no other file and no network: it can be mailed, and opened anywhere. Tables are checked by the
independent checker before they are shown. See docs/report.md.

--json: summary [sentence], file, with --compare also before, after. Exit code 0: the page is written, whatever it says.)",
      .examples =
          {"unknot report torus:4x4,p=2 --engine minhop,dfsssp -o routings.html",
           "unknot report torus:4x4,p=2 --engine dfsssp --load 0.1:0.3:0.1 --set measure=1000 -o loads.html"},
      .declare = declare_report};
}

}  // namespace unknot::cli
