// SPDX-License-Identifier: Apache-2.0
#include "unknot/load/congestion.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "unknot/cli/command/catalogues.hpp"
#include "unknot/cli/command/command.hpp"
#include "unknot/cli/command/help.hpp"
#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/fabric/fault_option.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/output/progress_bar.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/cli/routing/engine_run.hpp"
#include "unknot/cli/routing/routing_source.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/routing/model/engine.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/traffic/catalogue.hpp"

namespace unknot::cli {
namespace {

constexpr std::uint32_t kMaxSamples = 1'000'000;

struct CongestionOptions {
  std::string fabric;
  std::string faults;
  RoutingSource source;
  std::string pattern = "bisection";
  std::uint32_t samples = 1000;
};

Answer congestion_command(const CongestionOptions& options, const Common& common) {
  if (options.source.by_engine() == options.source.from_tables()) {
    throw InputError("congestion: give --engine or --tables, one of them");
  }
  // refuses wrong names before any work
  check_engine(options.source);
  (void)find_pattern(split_spec(options.pattern).name);
  const Network network = load_fabric(options.fabric, options.faults, common);
  Congestion result;
  {
    ProgressBar bar(common);
    const TrafficPattern pattern = make_pattern(network, options.pattern, bar);
    const Routing routing = routing_from(network, options.source, common, bar);
    result = congestion(network, routing, pattern, options.samples, common.seed, common.threads, bar);
  }
  const int answer = result.unroutable_flows == 0 ? kYes : kNo;
  if (common.json) {
    Json document;
    add_fabric(document, options.fabric, network);
    if (!options.faults.empty()) document["fail"] = options.faults;
    if (!options.source.by_engine()) {
      document["tables"] = options.source.input.tables;
    } else {
      document["engine"] = options.source.engine;
    }
    document["pattern"] = options.pattern;
    document["samples"] = result.samples;
    document["effective_bisection_bandwidth"] = result.effective_bisection_bandwidth;
    document["standard_error"] = result.standard_error;
    document["throughput"] = result.throughput;
    document["max_congestion"] = result.max_congestion;
    document["unroutable_flows"] = result.unroutable_flows;
    return {answer, std::move(document), {}};
  }
  return {answer,
          {},
          fabric_line(options.fabric, network) + "\n" +
              key_values({{"pattern", options.pattern},
                          {"samples", grouped(result.samples)},
                          {"effective bisection bandwidth", bandwidth_text(result)},
                          {"throughput, all flows at one rate", fmt::format("{:.4f}", result.throughput)},
                          {"flows on the busiest channel", fmt::format("{:.2f}", result.max_congestion)},
                          {"flows without a route", grouped(result.unroutable_flows)}})};
}

Action declare_congestion(CLI::App& app, const Common& common) {
  const auto options = std::make_shared<CongestionOptions>();
  add_fabric_argument(app, options->fabric);
  add_fault_option(app, options->faults);
  add_routing_source(app, options->source);
  add_addresses(app, options->source);
  app.add_option("--pattern", options->pattern,
                 fmt::format("Traffic, as NAME or NAME:key=value,...; one of {}", row_names("patterns")))
      ->capture_default_str();
  app.add_option("--samples", options->samples, "Samples of a pattern with chance in it")
      ->check(whole_number(1, kMaxSamples))
      ->type_name("N")
      ->capture_default_str();
  return [options, &common] { return congestion_command(*options, common); };
}

}  // namespace

Command congestion_row() {
  return {
      .name = "congestion",
      .summary = "Bandwidth that a traffic pattern gets when no one reacts to congestion",
      .details = "",
      .examples = {"unknot congestion torus:4x4x2,p=2 --engine dfsssp --pattern bisection --samples 1000"},
      .declare = declare_congestion};
}

}  // namespace unknot::cli
