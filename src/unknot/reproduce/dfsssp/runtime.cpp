// SPDX-License-Identifier: Apache-2.0
// Figures 7 and 8, and the offline against the online algorithm of section IV: time.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "unknot/engines/catalogue.hpp"
#include "unknot/reproduce/compare.hpp"
#include "unknot/reproduce/dfsssp/bandwidth.hpp"
#include "unknot/reproduce/dfsssp/jobs.hpp"
#include "unknot/reproduce/dfsssp/paper.hpp"
#include "unknot/reproduce/experiments.hpp"
#include "unknot/reproduce/network_set.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/thread_clock.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

using namespace dfsssp_paper;

constexpr const char* kTiming =
    "Times are processor seconds of one thread, the least of several runs, engine alone. The machine had "
    "other work: compare times as ratios.";

constexpr const char* kNoise =
    "Slower than published: the machine was busy, or the program was built for checks.";

struct Timing {
  double seconds = 0;  // least of the runs
  std::uint32_t lanes = 0;
};

/// None where the engine gives no tables.
std::optional<Timing> time_engine(const Network& network, const std::string& engine, std::uint32_t runs,
                                  std::uint64_t seed, Progress& progress) {
  Timing best;
  for (std::uint32_t run = 0; run <= runs; ++run) {  // the first warms up and does not count
    EngineRequest request;
    request.virtual_lanes = kMaxLanes;
    request.seed = seed;
    request.threads = 1;
    const double start = thread_seconds();
    try {
      best.lanes = route(network, engine, request, progress).lanes_needed;
    } catch (const RoutingFailure&) {
      return {};
    }
    const double seconds = thread_seconds() - start;
    if (run > 0) best.seconds = run == 1 ? seconds : std::min(best.seconds, seconds);
  }
  return best;
}

std::string milliseconds(const std::optional<Timing>& timing) {
  return timing ? fmt::format("{:.3g} ms", 1e3 * timing->seconds) : "-";
}

Parameter runs_parameter(const char* fallback = "5") {
  return {.name = "runs",
          .help = "runs of each engine, of which the fastest counts",
          .fallback = fallback,
          .min = 1,
          .max = 1000};
}

/// Times of all algorithms on all networks, DFSSSP over MinHop as rows.
Reproduction compare_runtimes(const std::vector<NamedNetwork>& networks, const ExperimentRequest& request,
                              Progress& progress) {
  Reproduction result;
  const std::uint32_t runs = request.parameters.number32("runs");
  ReproducedTable table{"Time", {"network"}, {}, true};
  for (const Algorithm& algorithm : algorithms()) table.headings.push_back(algorithm.name);
  Plot plot{.name = "runtime",
            .title = "Time of each algorithm",
            .x_label = "",
            .y_label = "milliseconds",
            .log_y = true,
            .timed = true};
  for (const Algorithm& algorithm : algorithms()) plot.series.push_back({algorithm.name, {}});
  progress.begin("engines", networks.size() * algorithms().size());
  for (std::size_t n = 0; n < networks.size(); ++n) {
    std::vector<std::string> line = {networks[n].name};
    std::vector<std::optional<Timing>> times;
    plot.groups.push_back(networks[n].name);
    for (std::size_t a = 0; a < algorithms().size(); ++a) {
      StopOnly silent(progress);
      times.push_back(time_engine(networks[n].network, algorithms()[a].engine, runs, request.seed, silent));
      line.push_back(milliseconds(times.back()));
      if (times.back()) {
        plot.series[a].points.push_back({static_cast<double>(n), 1e3 * times.back()->seconds, {}, {}});
      }
      progress.update(n * algorithms().size() + a + 1);
      if (progress.interrupted()) throw Interrupted();
    }
    ReproducedRow row =
        compare(fmt::format("DFSSSP over MinHop, {}", networks[n].name), Quantity::number(10, 0, " times"),
                Quantity::number(times[index_of("DFSSSP")]->seconds / times[index_of("MinHop")]->seconds, 1,
                                 " times"),
                Wanted::lower, 2, {.why = kNoise});
    row.timed = true;
    result.rows.push_back(std::move(row));
    table.lines.push_back(std::move(line));
  }
  std::erase_if(plot.series, [](const Series& series) { return series.points.empty(); });
  result.tables.push_back(std::move(table));
  result.plots.push_back(std::move(plot));
  return result;
}

Reproduction run_trees(const ExperimentRequest& request, Progress& progress) {
  std::vector<NamedNetwork> networks;
  for (const TableOneRow& row : table_one(request.parameters.number("most"))) {
    networks.push_back({fmt::format("{} endpoints", row.endpoints),
                        make_network(spec_of("kary-ntree", row.tree, row.endpoints))});
  }
  Reproduction result = compare_runtimes(networks, request, progress);
  result.title = "Routing time on k-ary n-trees";
  result.text = {kTiming,
                 "The figure's times are not printed as numbers; the text says that DFSSSP takes about ten "
                 "times as long as MinHop. Networks: the k-ary n-tree column of Table I. Shortest paths of a "
                 "tree all go up, then down: `unknot` sees that and searches no cycles, which leaves the "
                 "balance of SSSP as the difference. Times of OpenSM 3.3.23's engines on the same networks: "
                 "[dfsssp-opensm.md](dfsssp-opensm.md)."};
  return result;
}

Reproduction run_systems(const ExperimentRequest& request, Progress& progress) {
  std::vector<NamedNetwork> networks;
  networks.push_back({"Odin", make_network("odin")});
  for (const DeimosReading& reading : deimos_readings()) {
    networks.push_back({reading.name, make_network(reading.spec)});
  }
  Reproduction result = compare_runtimes(networks, request, progress);
  result.title = "Routing time on real systems";
  result.text = {
      kTiming,
      "The text says that the factor of about ten between DFSSSP and MinHop holds for real systems, too. "
      "Only Odin and Deimos can be built from the text (see [dfsssp-figure4.md](dfsssp-figure4.md)). Times "
      "of OpenSM 3.3.23's engines: [dfsssp-opensm.md](dfsssp-opensm.md)."};
  return result;
}

ReproducedRow timed(ReproducedRow row) {
  row.timed = true;
  return row;
}

Reproduction run_offline(const ExperimentRequest& request, Progress& progress) {
  const std::uint64_t endpoints = request.parameters.number("endpoints");
  const std::uint32_t runs = request.parameters.number32("runs");
  std::vector<std::pair<std::string, std::string>> specs = {
      {"Dragonfly, a = 8, h = 4", fmt::format("dragonfly:a=8,h=4,terminals={}", endpoints)},
      {"Slim Fly, q = 13", fmt::format("slimfly:q=13,terminals={}", endpoints)},
      {"Kautz(6, 3)", fmt::format("kautz:b=6,n=3,terminals={}", endpoints)},
      {"random, 256 switches, 1024 cables",
       fmt::format("random:switches=256,links=1024,terminals={}", endpoints)}};
  specs.resize(std::min<std::size_t>(specs.size(), request.parameters.number32("networks")));
  Reproduction result;
  result.title = "The offline and the online algorithm";
  result.text = {
      kTiming,
      fmt::format("The paper names \"a synthetic network with 4096 nodes\" and no more of it; networks with "
                  "{} endpoints are computed. Offline: `{}`; online: `dfsssp-online:passes=0,spread=0`, the "
                  "same paths, each put on the first lane where it closes no cycle.",
                  endpoints, as_published("weakest")),
      "The paper's online algorithm searches the whole dependency graph for each path. `unknot` keeps a "
      "topological order of each lane, so that most paths cost no search, and both algorithms work on the "
      "paths of a switch at once where it has several endpoints. The additional memory of the offline "
      "algorithm, in the paper lists of paths by dependency, is one counter for each router and endpoint: "
      "paths of a dependency are found again from the tables. [scaling.md](scaling.md) has the memory of "
      "whole runs."};
  ReproducedTable lanes{"Lanes", {"network", "offline", "online"}, {}};
  progress.begin("engines", 2 * specs.size());
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const auto& [name, spec] = specs[i];
    const Network network = make_network(spec);
    StopOnly silent(progress);
    const auto offline = time_engine(network, as_published("weakest"), runs, request.seed, silent);
    progress.update(2 * i + 1);
    if (progress.interrupted()) throw Interrupted();
    const auto online = time_engine(network, "dfsssp-online:passes=0,spread=0", runs, request.seed, silent);
    progress.update(2 * i + 2);
    if (progress.interrupted()) throw Interrupted();
    if (!offline || !online)
      throw RoutingFailure(fmt::format("{} needs more than {} lanes", spec, kMaxLanes));
    result.rows.push_back(
        timed(compare(fmt::format("offline, {}", name), Quantity::number(170, 0, " s"),
                      Quantity::number(offline->seconds, 3, " s"), Wanted::lower, 0, {.why = kNoise})));
    ReproducedRow hours =
        timed(compare(fmt::format("online, {}", name), Quantity{"nearly two hours", 6480, 7200},
                      Quantity::number(online->seconds, 3, " s"), Wanted::lower, 0, {.why = kNoise}));
    hours.allowed = "1.8 to 2 hours";  // as said, not in seconds
    result.rows.push_back(std::move(hours));
    result.rows.push_back(timed(compare(fmt::format("online over offline, {}", name),
                                        Quantity{"about 42 times (derived)", 38, 46},
                                        Quantity::number(online->seconds / offline->seconds, 1, " times"),
                                        Wanted::lower, 0, {.why = kNoise})));
    constexpr double kCounterBytes = 6;  // at most, for each router and endpoint: see break_cycles()
    constexpr double kMega = 1e6;
    ReproducedRow memory = compare(
        fmt::format("additional memory, {}", name), Quantity::number(340, 0, " MB"),
        Quantity::number(kCounterBytes * network.router_count() * network.terminal_count() / kMega, 1, " MB"),
        Wanted::lower);
    memory.note = "Ours is what the counters take at most, by their number; it was not measured.";
    result.rows.push_back(std::move(memory));
    lanes.lines.push_back({name, std::to_string(offline->lanes), std::to_string(online->lanes)});
  }
  result.tables.push_back(std::move(lanes));
  return result;
}

}  // namespace

Experiment dfsssp_figure7_experiment() {
  return {.name = "dfsssp-figure7",
          .summary = "routing time on k-ary n-trees of 64 to 4096 endpoints",
          .paper = dfsssp_paper::kPaper,
          .place = "figure 7",
          .typical_seconds = 40,
          .quick = "most=512,runs=1",
          .parameters = {most_parameter(), runs_parameter()},
          .run = run_trees};
}

Experiment dfsssp_figure8_experiment() {
  return {.name = "dfsssp-figure8",
          .summary = "routing time on real systems: Odin and Deimos",
          .paper = dfsssp_paper::kPaper,
          .place = "figure 8",
          .typical_seconds = 1,
          .quick = "runs=1",
          .parameters = {runs_parameter()},
          .run = run_systems};
}

Experiment dfsssp_offline_online_experiment() {
  return {.name = "dfsssp-offline-online",
          .summary = "time of the offline and the online algorithm, 4096 endpoints",
          .paper = dfsssp_paper::kPaper,
          .place = "section IV",
          .typical_seconds = 30,
          .quick = "endpoints=512,runs=1,networks=1",
          .parameters = {{.name = "endpoints",
                          .help = "endpoints of each network",
                          .fallback = "4096",
                          .min = 256,
                          .max = 65536},
                         {.name = "networks",
                          .help = "this many of the four networks",
                          .fallback = "4",
                          .min = 1,
                          .max = 4},
                         runs_parameter("3")},
          .run = run_offline};
}

}  // namespace unknot
