// SPDX-License-Identifier: Apache-2.0
#include "unknot/design/design.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/command/help.hpp"
#include "unknot/cli/output/interrupt.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/network/cuts/properties.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/parameters.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot::cli {
namespace {

struct DesignOptions {
  std::uint32_t radix = 0;
  std::uint64_t endpoints = 0;
  std::vector<std::string> families;
  std::string sort = "terminals";
  std::uint32_t max_diameter = 0;
  double max_ports = 0;
  bool measure = false;
};

/// A design, and what was measured on the network itself.
struct Row {
  Design design;
  std::optional<Properties> measured;

  [[nodiscard]] std::optional<std::uint32_t> diameter() const {
    if (measured) return measured->distances.diameter;
    return design.diameter;
  }
  [[nodiscard]] std::optional<double> bisection() const {
    if (measured && measured->bisection) return measured->bisection->per_terminal;
    return design.bisection;
  }
};

/// Values to sort by: smallest first, all but terminals and bisection.
const std::vector<std::string>& sort_keys() {
  static const std::vector<std::string> keys{"terminals", "routers",   "radix", "ports",
                                             "diameter",  "bisection", "family"};
  return keys;
}

double sort_value(const Row& row, const std::string& key) {
  constexpr double kUnknown = 1e30;  // last
  if (key == "terminals") return -static_cast<double>(row.design.terminals);
  if (key == "routers") return static_cast<double>(row.design.routers);
  if (key == "radix") return row.design.radix;
  if (key == "ports") return row.design.ports_per_terminal();
  if (key == "diameter") return row.diameter().value_or(kUnknown);
  if (key == "bisection") return row.bisection() ? -*row.bisection() : kUnknown;
  return 0;  // as in the catalogue
}

bool named(const DesignOptions& options, const std::string& family) {
  return options.families.empty() ||
         std::find(options.families.begin(), options.families.end(), family) != options.families.end();
}

void check_names(const DesignOptions& options) {
  std::vector<std::string> known;
  for (const DesignFamily& family : design_families()) known.push_back(family.name);
  for (const std::string& name : options.families) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    throw InputError(fmt::format("unknown family '{}'; {}", name, near_or_all_names(name, known)));
  }
}

std::vector<Row> rows_for(const DesignOptions& options, const Common& common) {
  std::vector<Row> rows;
  for (const DesignFamily& family : design_families()) {
    if (!named(options, family.name)) continue;
    std::optional<Design> design = options.radix != 0 ? largest_design(family, options.radix)
                                                      : smallest_design(family, options.endpoints);
    if (!design) continue;
    Row row{std::move(*design), std::nullopt};
    if (options.measure) {
      stop_if_interrupted();
      PropertiesOptions how;
      how.distances.threads = how.bisection.threads = common.threads;
      how.distances.seed = how.bisection.seed = how.spectrum.seed = common.seed;
      row.measured = properties(make_network(row.design.spec), how);
    }
    if (options.max_diameter != 0 && row.diameter().value_or(0) > options.max_diameter) continue;
    if (options.max_ports != 0 && row.design.ports_per_terminal() > options.max_ports) continue;
    rows.push_back(std::move(row));
  }
  std::stable_sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) {
    return sort_value(a, options.sort) < sort_value(b, options.sort);
  });
  return rows;
}

Json json_row(const Row& row) {
  const Design& d = row.design;
  Json json = {{"family", d.family},
               {"spec", d.spec},
               {"terminals", d.terminals},
               {"routers", d.routers},
               {"cables", d.cables},
               {"radix", d.radix},
               {"diameter", row.diameter() ? Json(*row.diameter()) : Json()},
               {"ports_per_terminal", d.ports_per_terminal()},
               {"links_per_terminal", d.links_per_terminal()},
               {"bisection_per_terminal", row.bisection() ? Json(*row.bisection()) : Json()}};
  if (row.measured) {
    json["mean_distance"] = row.measured->distances.mean_distance;
    json["bisection_bound_per_terminal"] =
        row.measured->bisection_bound ? Json(row.measured->bisection_bound->per_terminal) : Json();
  }
  return json;
}

std::string text(const std::vector<Row>& rows, bool measured) {
  std::vector<TextTable::Column> columns{
      {"family", Align::left}, {"terminals"},   {"routers"},  {"radix"}, {"diameter"},
      {"ports/term."},         {"links/term."}, {"bisection"}};
  if (measured) {
    columns.push_back({"at least"});
    columns.push_back({"distance"});
  }
  columns.push_back({"spec", Align::left});
  TextTable table(columns);
  for (const Row& row : rows) {
    const Design& d = row.design;
    std::vector<std::string> cells{d.family,
                                   grouped(d.terminals),
                                   grouped(d.routers),
                                   std::to_string(d.radix),
                                   row.diameter() ? std::to_string(*row.diameter()) : "",
                                   fmt::format("{:.3f}", d.ports_per_terminal()),
                                   fmt::format("{:.3f}", d.links_per_terminal()),
                                   row.bisection() ? fmt::format("{:.4f}", *row.bisection()) : ""};
    if (measured) {
      cells.push_back(row.measured->bisection_bound
                          ? fmt::format("{:.4f}", row.measured->bisection_bound->per_terminal)
                          : "");
      cells.push_back(fmt::format("{:.4f}", row.measured->distances.mean_distance));
    }
    cells.push_back(d.spec);
    table.add(std::move(cells));
  }
  return table.text();
}

Answer design(const DesignOptions& options, const Common& common) {
  if ((options.radix == 0) == (options.endpoints == 0))
    throw InputError("give --radix (largest networks) or --endpoints (cheapest networks), one of them");
  check_names(options);
  const std::vector<Row> rows = rows_for(options, common);
  if (common.json) {
    Json document;
    document["radix"] = options.radix != 0 ? Json(options.radix) : Json();
    document["endpoints"] = options.endpoints != 0 ? Json(options.endpoints) : Json();
    document["rows"] = Json::array();
    for (const Row& row : rows) document["rows"].push_back(json_row(row));
    return {rows.empty() ? kNo : kYes, std::move(document), {}};
  }
  if (rows.empty()) {
    return {rows.empty() ? kNo : kYes, {}, "No family fits.\n"};
  }
  return {rows.empty() ? kNo : kYes, {}, text(rows, options.measure)};
}

Action declare_design(CLI::App& app, const Common& common) {
  const auto options = std::make_shared<DesignOptions>();
  app.add_option("--radix", options->radix, "Ports of the routers: the largest network of each family")
      ->type_name("PORTS")
      ->check(whole_number(2, kMostDesignRadix));
  app.add_option("--endpoints", options->endpoints,
                 "Terminals wanted: of each family the network with the fewest ports on routers of the "
                 "smallest radix")
      ->type_name("N")
      ->check(whole_number(1, kMaxTerminals));
  app.add_option("--family", options->families, "These families alone, joined by commas")
      ->type_name("NAMES")
      ->delimiter(',');
  app.add_option("--sort", options->sort, "Column to sort by")
      ->type_name("COLUMN")
      ->check(CLI::IsMember(sort_keys()))
      ->capture_default_str();
  app.add_option("--max-diameter", options->max_diameter, "No diameter above")
      ->check(whole_number(1, 1'000'000))
      ->type_name("HOPS");
  app.add_option("--max-ports", options->max_ports, "No more ports for each terminal")
      ->check(number_between(0.0, 1e9))
      ->type_name("X");
  app.add_flag("--measure", options->measure,
               "Make each network and measure diameter, distance and bisection");
  return [options, &common] { return design(*options, common); };
}

}  // namespace

Command design_row() {
  return {
      .name = "design",
      .summary = "What each family of networks offers for routers of a radix, or for a number of endpoints",
      .details =
          R"(Ports and links count those of the terminals. 'bisection' is the best cut known over half the terminals: by a
formula, or with --measure found by search, beside a proven lower bound. Empty where nothing is known. jellyfish
and xpander have the cost of a Slim Fly. Exit code 1: no family fits.)",
      .examples = {"unknot design --radix 64",
                   "unknot design --endpoints 40 --sort ports --max-diameter 2 --measure"},
      .declare = declare_design};
}

}  // namespace unknot::cli
