// SPDX-License-Identifier: Apache-2.0
#include "unknot/design/design.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/command/help.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/planning/design_page.hpp"
#include "unknot/cli/planning/design_report.hpp"
#include "unknot/cli/planning/design_rows.hpp"
#include "unknot/cli/studies/command_words.hpp"
#include "unknot/cli/studies/print_page.hpp"
#include "unknot/cli/studies/report_compare.hpp"
#include "unknot/report/page.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/parameters.hpp"
#include "unknot/topology/topology.hpp"

namespace unknot::cli {
namespace {

void check_options(const DesignOptions& options, const Common& common) {
  if (options.radix == 0 && options.endpoints == 0) {
    throw InputError(
        "give --radix (the largest networks), --endpoints (the cheapest networks), or both (those that fit)");
  }
  if (!options.switches.empty() && options.endpoints == 0)
    throw InputError("design: --switches needs --endpoints: it says which model fits them best");
  if ((options.sort == "cost" || options.sort == "power") && !options.priced() && options.switches.empty())
    throw InputError(fmt::format("design: --sort {} needs --cost, or --switches FILE", options.sort));
  if (options.format != "text" && common.json)
    throw InputError("design: --format " + options.format + " and --json exclude each other");
  std::vector<std::string> known;
  for (const DesignFamily& family : design_families()) known.push_back(family.name);
  for (const std::string& name : options.families) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    throw InputError(fmt::format("unknown family '{}'; {}", name, near_or_all_names(name, known)));
  }
  check_outputs({options.csv, options.markdown, options.page});
  if (options.page.empty() && !(options.page_provenance.title + options.page_provenance.date).empty())
    throw InputError("design: --title and --date are for --page");
  if (!options.page.empty()) report::require_page();
  if (common.json && options.page == "-")
    throw InputError("design: --json and a file '-' cannot both have standard output");
}

/// A search has one network, no rows of families.
void check_search(const DesignOptions& options) {
  if (options.radix != 0 || options.endpoints != 0)
    throw InputError("design: --search takes --routers and --ports, no --radix or --endpoints");
  const DesignOptions none;
  const bool rows = !options.families.empty() || !options.switches.empty() || options.measure ||
                    options.oversubscription != none.oversubscription || options.sort != none.sort ||
                    options.max_diameter != 0 || options.max_ports != 0 || options.format != none.format ||
                    !(options.csv + options.markdown + options.page).empty();
  if (rows) {
    throw InputError(
        "design: --search finds one network; options that choose, sort, measure or print rows of families "
        "are not for it");
  }
}

/// What a table leaves open.
void add_notes(const DesignRows& rows, const DesignOptions& options, const Common& common) {
  const auto networks = [](std::uint32_t count) {
    return count == 1 ? "one network" : fmt::format("{} networks", count);
  };
  if (rows.not_measured > 0) {
    note(common, fmt::format("not measured: {} of more than {} routers (--measure-limit)",
                             networks(rows.not_measured), options.measure_limit));
  }
  if (rows.diameter_unknown > 0) {
    note(
        common,
        fmt::format("left out: {} of more than {} routers, whose diameter no formula tells (--measure-limit)",
                    networks(rows.diameter_unknown), options.measure_limit));
  }
  if (rows.not_priced > 0) {
    note(common,
         fmt::format("not priced: {} of more than {} cables", networks(rows.not_priced), kMostPriced));
  }
}

Answer design(const DesignOptions& options, const Common& common) {
  if (options.show_cost_model) return {kYes, {}, std::string(built_in_price_model())};
  const PriceModel costs = options.cost_model.empty()
                               ? read_price_model("", "")
                               : read_price_model(read_file(options.cost_model), options.cost_model);
  if (options.wanted.search) {
    check_search(options);
    return design_search(options.wanted, {.model = costs, .priced = options.priced()}, common);
  }
  check_options(options, common);
  const std::string chromium = is_pdf(options.page) ? find_chromium() : "";
  const DesignRows rows = design_rows(options, costs, common);
  const int code = rows.rows.empty() ? kNo : kYes;
  add_notes(rows, options, common);
  if (!rows.rows.empty()) {
    if (!options.csv.empty()) write_file(options.csv, design_csv(rows, costs));
    if (!options.markdown.empty()) write_file(options.markdown, design_table(rows, options).markdown());
    if (!options.page.empty()) write_page(design_page(rows, options, costs), chromium, options.page, common);
  }
  if (common.json) {
    Json document;
    document["radix"] = options.radix != 0 ? Json(options.radix) : Json();
    document["endpoints"] = options.endpoints != 0 ? Json(options.endpoints) : Json();
    document["rows"] = design_json(rows, costs);
    return {code, std::move(document), {}};
  }
  if (options.page == "-") return {code};
  if (rows.rows.empty()) return {code, {}, "No family fits.\n"};
  if (options.format == "csv") return {code, {}, design_csv(rows, costs)};
  const TextTable table = design_table(rows, options);
  if (options.format == "markdown") return {code, {}, table.markdown()};
  return {code, {}, table.text() + (options.priced() ? fmt::format("\nCost in {}.\n", costs.currency) : "")};
}

void declare_costs(CLI::App& app, DesignOptions& options) {
  app.add_option(
         "--switches", options.switches,
         "Models that can be bought, [[switch]] with name, ports, price and power: each row takes the "
         "one that costs least (with --endpoints)")
      ->type_name("FILE.toml");
  app.add_flag("--cost", options.cost,
               "Racks, cables by length, money and power of each network, by the built-in cost model");
  app.add_option("--cost-model", options.cost_model, "The same by a cost model of your own")
      ->type_name("FILE.toml");
  app.add_flag("--show-cost-model", options.show_cost_model, "Print the built-in cost model and stop");
  app.add_flag("--measure", options.measure,
               "Make each network and measure diameter, distance, bisection and the bound on throughput over "
               "all traffic");
  app.add_option("--measure-limit", options.measure_limit, "No network of more routers is measured")
      ->type_name("ROUTERS")
      ->check(whole_number(1, kMaxRouters))
      ->capture_default_str();
}

void declare_output(CLI::App& app, DesignOptions& options) {
  app.add_option("--format", options.format, "How the rows are printed")
      ->type_name("FORMAT")
      ->check(CLI::IsMember({"text", "csv", "markdown"}))
      ->capture_default_str();
  app.add_option("--csv", options.csv, "Also write the rows as comma-separated values")->type_name("FILE");
  app.add_option("--markdown", options.markdown, "Also write the table as Markdown")->type_name("FILE");
  app.add_option(
         "--page", options.page,
         "Also write a page with the candidates side by side, to sort and compare in a browser; a name that "
         "ends in .pdf has it printed by Chromium")
      ->type_name("FILE.html");
  app.add_option("--title", options.page_provenance.title, "Heading of that page")->type_name("TEXT");
  app.add_option("--date", options.page_provenance.date,
                 "Date for its foot, as it is to be read; else there is none")
      ->type_name("TEXT");
}

Action declare_design(CLI::App& app, const Common& common) {
  const auto options = std::make_shared<DesignOptions>();
  app.add_option(
         "--radix", options->radix,
         "Ports of the routers: the largest network of each family, or with --endpoints the one of the "
         "fewest routers")
      ->type_name("PORTS")
      ->check(whole_number(2, kMostDesignRadix));
  app.add_option("--endpoints", options->endpoints,
                 "Terminals wanted: of each family the network with the fewest ports on routers of the "
                 "smallest radix, or of the radix given")
      ->type_name("N")
      ->check(whole_number(1, kMaxTerminals));
  app.add_option("--family", options->families, "These families alone, joined by commas")
      ->type_name("NAMES")
      ->delimiter(',');
  app.add_option(
         "--oversubscription", options->oversubscription,
         "Terminals of a router, at most this times what the family balances; a row for each of several")
      ->type_name("X,..")
      ->delimiter(',')
      ->check(number_between(0.01, 100));
  app.add_option("--sort", options->sort, "Column to sort by")
      ->type_name("COLUMN")
      ->check(CLI::IsMember(design_sort_keys()))
      ->capture_default_str();
  app.add_option("--max-diameter", options->max_diameter, "No diameter above")
      ->check(whole_number(1, 1'000'000))
      ->type_name("HOPS");
  app.add_option("--max-ports", options->max_ports, "No more ports for each terminal")
      ->check(number_between(0.0, 1e9))
      ->type_name("X");
  declare_costs(app, *options);
  declare_design_search(app, options->wanted);
  declare_output(app, *options);
  return [options, &common, &app] {
    options->page_provenance.command = command_words(app, common);
    return design(*options, common);
  };
}

}  // namespace

Command design_row() {
  return {
      .name = "design",
      .summary =
          "What each family of networks offers for routers of a radix, for a number of endpoints, or both",
      .details =
          R"(Ports and links count those of the terminals. 'bisection' is the best cut known over half the terminals: by a
formula, or with --measure found by search, beside a proven lower bound; empty where nothing is known. 'throughput <='
bounds the throughput of the network over all traffic by its numbers of routers, cables and ports, and by 'tub' where it
is measured, the bound by distances of 'unknot bound --tub'; above 1 they rule nothing out. With --endpoints and --radix networks have exactly
the endpoints wanted; 'room' is what the same routers could carry. With --endpoints alone they are filled, unless that
were more than 1.3 times as many. 'oversub.' is the terminals of the fullest router over what the family balances.
jellyfish and xpander have the cost of a Slim Fly. --search anneals lifts of small graphs (voltage lifts, Cayley
graphs), a fixed number of steps; --json is then {routers, ports, group, base, steps, diameter, mean_distance,
least_mean_distance, all_to_all {upper, lower}, tub, engine, lanes, deadlock_free, usable, max_load,
routes {engine, lanes, deadlock_free, usable, max_load}, cables {number, limit, longest, mean, free_ports} with a limit, bill
{cost, power, racks} with --cost}.
Exit code 1: no family fits, or --search found no tables on --lanes.)",
      .examples = {"unknot design --radix 64",
                   "unknot design --endpoints 40 --sort ports --max-diameter 2 --measure",
                   "unknot design --endpoints 1000 --radix 36 --cost --sort cost",
                   "unknot design --search --routers 64 --ports 4 -o found.json",
                   "unknot design --search --grid 6x6 --ports 4 --longest-cable 2"},
      .declare = declare_design};
}

}  // namespace unknot::cli
