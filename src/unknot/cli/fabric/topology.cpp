// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/fabric/fault_option.hpp"
#include "unknot/cli/fabric/format_choice.hpp"
#include "unknot/cli/output/interrupt.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/formats/fabric/fabric_catalogue.hpp"
#include "unknot/network/stated_links.hpp"
#include "unknot/support/error.hpp"

namespace unknot::cli {
namespace {

struct TopologyOptions {
  std::string fabric;
  std::string faults;
  std::string output;
  std::string format = "json";
};

Answer topology(const TopologyOptions& options, const Common& common) {
  const FabricFormat& format = fabric_format(options.format);  // refuses a wrong name before any work
  check_outputs({options.output});
  if (common.json && options.output == "-") {
    throw InputError("topology: --json and a file '-' cannot both have standard output");
  }
  Network network = load_routers(options.fabric);
  // Every command can read what this one writes: so it writes no fabric in several parts.
  if (!options.faults.empty()) network = without_failed(network, options.faults, common);
  stop_if_interrupted();
  if (!options.output.empty()) write_fabric(network, options.format, options.output);
  const auto leaves_out = [&](const char* what) {
    note(common, fmt::format("topology: format {} has no place for the {}", options.format, what));
  };
  if (!options.output.empty()) {
    if (!format.holds_latencies && stated_latencies(network).any())
      leaves_out("latencies of links, which are left out");
    if (!format.holds_capacities && stated_capacities(network).any())
      leaves_out("capacities of links, which are left out");
    if (!format.holds_lmc && network.labels().lmc > 0) leaves_out("LMC of hosts, which is left out");
  }
  if (common.json) {
    Json document;
    add_fabric(document, options.fabric, network);
    if (!options.faults.empty()) document["fail"] = options.faults;
    if (!options.output.empty()) {
      document["output"] = options.output;
      document["format"] = options.format;
    }
    return {kYes, std::move(document), {}};
  }
  if (options.output == "-") return {kYes};
  if (!options.output.empty())
    note(common, fmt::format("wrote {} in format {}", options.output, options.format));
  return {kYes, {}, fabric_line(options.fabric, network)};
}

Action declare_topology(CLI::App& app, const Common& common) {
  const auto options = std::make_shared<TopologyOptions>();
  add_fabric_argument(app, options->fabric);
  add_fault_option(app, options->faults);
  app.add_option("--output,-o", options->output, "Write the network to FILE, - for standard output")
      ->type_name("FILE");
  app.add_option("--format", options->format, fmt::format("One of {}", writable_fabric_formats()))
      ->capture_default_str();
  return [options, &common] { return topology(*options, common); };
}

}  // namespace

Command topology_row() {
  return {.name = "topology",
          .summary = "Make, convert or break a network",
          .details = R"(Without -o it prints what the network would be.)",
          .examples = {"unknot topology torus:4x4x2,p=2 -o torus.net --format ibsim",
                       "unknot topology torus.net --fail cable-count=2,seed=7 -o broken.json --format json"},
          .declare = declare_topology};
}

}  // namespace unknot::cli
