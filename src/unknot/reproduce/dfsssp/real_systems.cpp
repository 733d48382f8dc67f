// SPDX-License-Identifier: Apache-2.0
// Figures 4 and 10: the real systems whose networks are given well enough, Odin and Deimos.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "unknot/reproduce/compare.hpp"
#include "unknot/reproduce/dfsssp/bandwidth.hpp"
#include "unknot/reproduce/dfsssp/jobs.hpp"
#include "unknot/reproduce/dfsssp/paper.hpp"
#include "unknot/reproduce/experiments.hpp"
#include "unknot/reproduce/network_set.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

using namespace dfsssp_paper;

constexpr const char* kNotGiven =
    "Of the six systems only two can be built from the text: Odin, one 144-port switch with 128 endpoints, "
    "and Deimos, three 288-port switches in a chain with 724. Both are built of 24-port crossbars, which is "
    "our reading (topologies odin and deimos); endpoints are spread evenly over the ports that are left. "
    "CHiC, JUROPA, Ranger and Tsubame are not computed: their cabling was not printed.";

/// Odin, then Deimos in each reading.
std::vector<NamedNetwork> systems() {
  std::vector<NamedNetwork> networks;
  networks.push_back({"Odin", make_network("odin")});
  for (const DeimosReading& reading : deimos_readings()) {
    networks.push_back({reading.name, make_network(reading.spec)});
  }
  return networks;
}

/// DFSSSP over the best of the others, in percent.
double gain(const Bandwidths& rates, std::size_t network, const std::vector<const char*>& others) {
  double best = 0;
  for (const char* other : others) best = std::max(best, rates.value(network, other));
  return 100 * (rates.value(network, "DFSSSP") / best - 1);
}

Reproduction run_bandwidth(const ExperimentRequest& request, Progress& progress) {
  const std::uint32_t samples = request.parameters.number32("samples");
  const std::vector<NamedNetwork> networks = systems();
  const Bandwidths rates = measure_bandwidths(networks, samples, request, progress);

  Reproduction result;
  result.title = "Effective bisection bandwidth of real systems";
  result.text = {kNotGiven, kReadingsText, algorithms_text(samples)};
  constexpr int kDigits = 2;
  const Quantity published = Quantity::range(1.4, 63.27, kDigits, "%");
  result.rows.push_back(compare(
      "Odin, DFSSSP beside the best other algorithm", Quantity::number(-4.75, kDigits, "%"),
      Quantity::number(gain(rates, 0, {"MinHop", "Up*/Down*", "FatTree", "LASH", "DOR"}), kDigits, "%"),
      Wanted::higher));
  for (std::size_t n = 1; n < networks.size(); ++n) {
    result.rows.push_back(compare(
        fmt::format("{}: DFSSSP beside the best of MinHop, Up*/Down*, LASH, DOR", networks[n].name),
        published, Quantity::number(gain(rates, n, {"MinHop", "Up*/Down*", "LASH", "DOR"}), kDigits, "%"),
        Wanted::higher, 0,
        {.why = "MinHop's counters happen to deal the destinations evenly to the cables between the switches "
                "in this reading of the cabling.",
         .low = -5,
         .high = 63.27}));
  }
  for (std::size_t n = 1; n < networks.size(); ++n) {
    result.rows.push_back(
        compare(fmt::format("{}: DFSSSP beside unknot's ftree", networks[n].name), published,
                Quantity::number(gain(rates, n, {"FatTree"}), kDigits, "%"), Wanted::higher, 0,
                {.why = "OpenSM's FatTree leaves pairs without a route on this network, which is no fat tree "
                        "(a missing bar in the figure); unknot's ftree routes all of them, and uses the "
                        "cables between the switches as evenly as DFSSSP.",
                 .low = -5,
                 .high = 63.27}));
  }
  constexpr double kMuch = 20;
  for (std::size_t n = 1; n < networks.size(); ++n) {
    result.rows.push_back(claim(
        fmt::format("{}: SSSP and DFSSSP beside LASH and DOR", networks[n].name), "significantly higher",
        fmt::format("{:.3f} beside {:.3f} and {:.3f}", rates.value(n, "DFSSSP"), rates.value(n, "LASH"),
                    rates.value(n, "DOR")),
        gain(rates, n, {"LASH", "DOR"}) > kMuch, fmt::format("more than {:.0f}% higher", kMuch)));
  }
  result.tables.push_back(bandwidth_table("Effective bisection bandwidth", networks, rates));
  result.plots.push_back(bandwidth_plot("bandwidth", "Real systems", networks, rates));
  return result;
}

struct Counted {
  const char* name;
  std::string engine;
};

Reproduction run_lanes(const ExperimentRequest& request, Progress& progress) {
  std::vector<Counted> methods = {{"LASH", kLash},
                                  {"DFSSSP", as_published("weakest")},
                                  {"DFSSSP, unknot's default", "dfsssp"},
                                  {"DFSSSP online", "dfsssp-online:passes=0,spread=0"},
                                  {"LASH, balanced paths", "lash"}};
  if (const double effort = request.parameters.real("effort"); effort > 0) {
    methods.push_back({"engine unknot", fmt::format("unknot:prefer=lanes,effort={}", effort)});
  }
  const std::vector<NamedNetwork> networks = systems();
  std::vector<std::vector<std::uint32_t>> lanes(networks.size(), std::vector<std::uint32_t>(methods.size()));
  for_each_case(static_cast<std::uint32_t>(networks.size() * methods.size()), request.threads, "lanes",
                progress, [&](std::uint32_t i, Progress& inner) {
                  const std::size_t n = i / methods.size();
                  const std::size_t m = i % methods.size();
                  lanes[n][m] = lanes_needed(networks[n].network, methods[m].engine, request.seed, inner);
                });
  Reproduction result;
  result.title = "Virtual lanes of real systems";
  result.text = {kNotGiven, kReadingsText,
                 "Lanes needed before any are used for balance. LASH is OpenSM's "
                 "(`lash:pairs=both,paths=first`), on the pairs of switches that have endpoints."};
  ReproducedTable table{"Virtual lanes", {"system"}, {}};
  Plot plot{
      .name = "lanes", .title = "Virtual lanes of real systems", .x_label = "", .y_label = "virtual lanes"};
  for (const Counted& method : methods) table.headings.emplace_back(method.name);
  for (std::size_t n = 0; n < networks.size(); ++n) {
    plot.groups.push_back(networks[n].name);
    std::vector<std::string> line = {networks[n].name};
    for (const std::uint32_t count : lanes[n]) line.push_back(std::to_string(count));
    table.lines.push_back(std::move(line));
    result.rows.push_back(
        claim(networks[n].name, "DFSSSP performs better",
              fmt::format("DFSSSP {}, LASH {}", lanes[n][1], lanes[n][0]), lanes[n][1] <= lanes[n][0],
              "no more lanes",
              "With cables between the switches at every line crossbar, a path between switches may change "
              "over before or after it passes a spine; DFSSSP spreads its paths over both ways, which closes "
              "cycles, while LASH always takes the first. OpenSM 3.3.23 itself needs 5 lanes for dfsssp and "
              "2 for lash on this network (its lash counts switches without endpoints, too). Where the "
              "cables sit on fewer line crossbars DFSSSP needs no more than LASH."));
  }
  for (std::size_t m = 0; m < methods.size(); ++m) {
    Series series{methods[m].name, {}};
    for (std::size_t n = 0; n < networks.size(); ++n) {
      series.points.push_back({static_cast<double>(n), static_cast<double>(lanes[n][m]), {}, {}});
    }
    plot.series.push_back(std::move(series));
  }
  result.tables.push_back(std::move(table));
  result.plots.push_back(std::move(plot));
  return result;
}

}  // namespace

Experiment dfsssp_figure4_experiment() {
  return {.name = "dfsssp-figure4",
          .summary = "bandwidth on real systems: Odin and Deimos",
          .paper = dfsssp_paper::kPaper,
          .place = "figure 4",
          .typical_seconds = 2,
          .quick = "samples=200",
          .parameters = {samples_parameter()},
          .run = run_bandwidth};
}

Experiment dfsssp_figure10_experiment() {
  return {.name = "dfsssp-figure10",
          .summary = "virtual lanes on real systems: Odin and Deimos",
          .paper = dfsssp_paper::kPaper,
          .place = "figure 10",
          .typical_seconds = 2,
          .quick = "effort=0",
          .parameters = {{.name = "effort",
                          .kind = ParameterKind::real,
                          .help = "how long engine unknot searches for few lanes; 0 leaves it out",
                          .fallback = "1",
                          .min = 0,
                          .max = 1000}},
          .run = run_lanes};
}

}  // namespace unknot
