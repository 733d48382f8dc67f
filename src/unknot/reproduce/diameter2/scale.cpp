// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "unknot/design/design.hpp"
#include "unknot/reproduce/compare.hpp"
#include "unknot/reproduce/diameter2/paper.hpp"
#include "unknot/reproduce/experiments.hpp"

namespace unknot {
namespace {

constexpr std::array<const char*, 8> kFamilies = {"fattree2",      "hyperx2", "mlfm",     "slimfly-ceil",
                                                  "slimfly-floor", "oft",     "fattree3", "sspt"};

const DesignFamily& family(const std::string& name) {
  return *std::find_if(design_families().begin(), design_families().end(),
                       [&](const DesignFamily& row) { return row.name == name; });
}

double terminals(const char* name, std::uint32_t radix) {
  const auto design = largest_design(family(name), radix);
  return design ? static_cast<double>(design->terminals) : 0;
}

/// Ports and links of an endpoint, of the largest design at radix 64.
void add_cost(const char* label, const char* name, double ports, double links,
              std::vector<ReproducedRow>& rows) {
  const auto design = largest_design(family(name), 64);
  const bool slim = std::string(name).starts_with("slimfly");
  const Explained why{
      .why =
          "Half of an odd degree is rounded, and more or fewer endpoints share the same cables: for "
          "q = 13 the paper's own section 4 has 3.11 and 2.9 ports.",
      .low = 1.9,
      .high = 3.2};
  rows.push_back(compare(fmt::format("{}, ports an endpoint", label), Quantity::number(ports),
                         Quantity::number(design->ports_per_terminal(), 2), Wanted::same, slim ? 0.06 : 0.05,
                         slim ? why : Explained{}));
  rows.push_back(compare(fmt::format("{}, links an endpoint", label), Quantity::number(links),
                         Quantity::number(design->links_per_terminal(), 2), Wanted::same, 0.03,
                         slim ? why : Explained{}));
}

Reproduction run_diameter2_scale(const ExperimentRequest&, Progress&) {
  Reproduction result;
  result.title = "Scale and cost of low-diameter topologies";
  result.text = {
      "The largest network of each family for routers of a radix, from sizes that can be built: prime powers "
      "for Slim "
      "Fly and OFT, whole numbers elsewhere (`unknot design --radix R`)."};
  auto& rows = result.rows;
  rows.push_back(compare("OFT, radix 64", Quantity::number(63'500), Quantity::number(terminals("oft", 64)),
                         Wanted::same, 100));
  const char* swapped =
      "The print has the two swapped: it names 36K for the MLFM and 33.7K for the Slim Fly. 33,792 is the "
      "MLFM's number.";
  rows.push_back(compare("MLFM, radix 64", Quantity::number(36'000), Quantity::number(terminals("mlfm", 64)),
                         Wanted::same, 500, {.why = swapped, .low = 33'792, .high = 33'792}));
  rows.push_back(compare("Slim Fly, radix 64", Quantity::number(33'700),
                         Quantity::number(terminals("slimfly-floor", 64)), Wanted::same, 500,
                         {.why = swapped, .low = 35'322, .high = 35'322}));
  const double over_hyperx = (32.0 / 243) / (1.0 / 27);
  rows.push_back(compare(
      "Slim Fly over HyperX, endpoints, of the formulas", Quantity::number(27.0 / 8, 3),
      Quantity::number(over_hyperx, 3), Wanted::same, 0,
      {.why = "The paper's own formulas, 32 r^3 / 243 and r^3 / 27, have the ratio 32/9; 27/8 would be "
              "that of r^3 / 8.",
       .low = 3.5,
       .high = 3.6}));
  add_cost("two-level fat tree", "fattree2", 3, 2, rows);
  add_cost("three-level fat tree", "fattree3", 5, 3, rows);
  add_cost("MLFM", "mlfm", 3, 2, rows);
  add_cost("OFT", "oft", 3, 2, rows);
  add_cost("Slim Fly, half the degree rounded down", "slimfly-floor", 3, 2, rows);
  add_cost("Slim Fly, rounded up", "slimfly-ceil", 3, 2, rows);
  add_cost("HyperX of two dimensions", "hyperx2", 3, 2, rows);

  ReproducedTable table{.title = "Endpoints of the largest network", .headings = {"radix"}, .lines = {}};
  Plot plot{.name = "scale",
            .title = "Endpoints of the largest network",
            .x_label = "router radix",
            .y_label = "endpoints",
            .log_y = true};
  for (const char* name : kFamilies) {
    table.headings.emplace_back(name);
    plot.series.push_back({name, {}});
  }
  for (const std::uint32_t radix : {8U, 12U, 16U, 18U, 24U, 28U, 30U, 32U, 36U, 48U, 64U, 72U, 96U, 128U}) {
    table.lines.push_back({std::to_string(radix)});
    for (std::size_t i = 0; i < kFamilies.size(); ++i) {
      const double count = terminals(kFamilies.at(i), radix);
      table.lines.back().push_back(fmt::format("{:.0f}", count));
      if (count > 0) plot.series[i].points.push_back({static_cast<double>(radix), count, {}, {}});
    }
  }
  result.tables.push_back(std::move(table));
  result.plots.push_back(std::move(plot));
  return result;
}

}  // namespace

Experiment diameter2_scale_experiment() {
  return {.name = "diameter2-scale",
          .summary = "endpoints, ports and links of each family by router radix",
          .paper = diameter2_paper::kPaper,
          .place = "Figure 3 and section 2.3.1",
          .typical_seconds = 1,
          .quick = "",
          .parameters = {},
          .run = run_diameter2_scale};
}

}  // namespace unknot
