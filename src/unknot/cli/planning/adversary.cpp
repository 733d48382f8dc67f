// SPDX-License-Identifier: Apache-2.0
#include "unknot/bounds/adversary.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "unknot/bounds/delivered.hpp"
#include "unknot/bounds/exchange.hpp"
#include "unknot/cli/command/catalogues.hpp"
#include "unknot/cli/command/command.hpp"
#include "unknot/cli/command/help.hpp"
#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/output/progress_bar.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/cli/routing/routing_source.hpp"
#include "unknot/load/flow_load.hpp"
#include "unknot/routing/model/engine.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/traffic/flow_file.hpp"
#include "unknot/traffic/patterns/fixed_pattern.hpp"

namespace unknot::cli {
namespace {

struct AdversaryCommandOptions {
  std::string fabric;
  std::string paths;
  RoutingSource source;
  std::uint64_t work = AdversaryOptions().most_work;
  std::string output;
};

double largest(const std::vector<double>& load) {
  return load.empty() ? 0 : *std::max_element(load.begin(), load.end());
}

Answer adversary(const AdversaryCommandOptions& options, const Common& common) {
  const int asked = (options.paths.empty() ? 0 : 1) + (options.source.by_engine() ? 1 : 0) +
                    (options.source.from_tables() ? 1 : 0);
  if (asked != 1) throw InputError("adversary: give --paths, --engine or --tables, one of them");
  check_engine(options.source);
  if (!options.paths.empty()) (void)oblivious_paths_from(options.paths);
  if (options.output == "-" && common.json)
    throw InputError("adversary: -o - and --json both go to standard output");
  check_outputs({options.output});
  const Network network = load_fabric(options.fabric);
  const std::string routing_name = !options.paths.empty()       ? options.paths
                                   : options.source.by_engine() ? options.source.engine
                                                                : options.source.input.tables;
  Adversary found;
  double recomputed = 0;   // by the code that measures any pattern
  std::uint64_t lost = 0;  // pairs of terminals without a path
  {
    ProgressBar bar(common);
    AdversaryOptions how;
    how.most_work = options.work;
    how.seed = common.seed;
    how.threads = common.threads;
    if (!options.paths.empty()) {
      const ObliviousPaths paths = oblivious_paths_from(options.paths);
      found = find_adversary(network, *oblivious_shares(network, paths, common.threads), how, bar);
      const Exchange exchange = exchange_of(network, pattern_of_flows(found.flows), common.seed, 0);
      recomputed = largest(oblivious_load(network, paths, exchange.between, common.threads, bar).load);
      lost = lost_pairs(network, arrivals(network, paths));
    } else {
      const Routing routing = routing_from(network, options.source, common, bar);
      found = find_adversary(network, *routing_shares(network, routing), how, bar);
      recomputed = largest(flow_load(network, routing, found.flows).load);
      lost = lost_pairs(network, arrivals(network, routing));
    }
  }
  if (!options.output.empty()) {
    write_file(
        options.output,
        flows_text(found.flows, fmt::format("{}, {}: load {:g} on {}; the first {} flows make it",
                                            options.fabric, routing_name, found.load,
                                            found.channel.valid() ? network.channel_name(found.channel) : "-",
                                            found.worst)));
  }
  // A permutation with a pair that has no path is worse than any load: some of it never arrives.
  const bool worst = found.exact() && lost == 0;
  const double saturation = lost == 0 ? 1 / std::max(1.0, found.load) : 0;
  const int answer = worst ? kYes : kNo;
  if (common.json) {
    Json document;
    add_fabric(document, options.fabric, network);
    document["routing"] = routing_name;
    document["load"] = found.load;
    document["upper"] = found.upper;
    document["exact"] = worst;
    document["saturation"] = saturation;
    document["lost_pairs"] = lost;
    document["channel"] = found.channel.valid() ? Json(network.channel_name(found.channel)) : Json();
    document["channels_matched"] = found.matched;
    document["flows"] = found.flows.size();
    document["worst_flows"] = found.worst;
    document["recomputed_load"] = recomputed;
    return {answer, std::move(document), {}};
  }
  if (options.output == "-") return {answer};
  std::vector<std::pair<std::string, std::string>> rows = {
      {"routing", routing_name},
      {"load of the worst permutation found", fmt::format("{:.6f}", found.load)},
      {"no permutation loads any channel more than",
       fmt::format("{:.6f}{}", found.upper, worst ? ", so it is the worst" : "")},
      {"saturation", fmt::format("{:.6f}", saturation)},
      {"channel", found.channel.valid() ? network.channel_name(found.channel) : std::string("none")},
      {"flows that make the load",
       fmt::format("{} of {}", grouped(found.worst), grouped(found.flows.size()))},
      {"channels matched", fmt::format("{} of {}", grouped(found.matched), grouped(network.channel_count()))},
      {"largest load of the permutation, measured", fmt::format("{:.6f}", recomputed)}};
  if (lost > 0) {
    rows.emplace_back("pairs without a path",
                      fmt::format("{}: permutations with one of them are never delivered", grouped(lost)));
  }
  return {answer, {}, fabric_line(options.fabric, network) + "\n" + key_values(rows)};
}

Action declare_adversary(CLI::App& app, const Common& common) {
  const auto options = std::make_shared<AdversaryCommandOptions>();
  add_fabric_argument(app, options->fabric);
  app.add_option("--paths", options->paths,
                 "minimal: evenly over all shortest paths; valiant: by random routers")
      ->type_name("WORD");
  add_routing_source(app, options->source);
  add_addresses(app, options->source);
  app.add_option("--work", options->work, "Steps of matching after which no other channel is begun")
      ->check(whole_number(1, 1'000'000'000'000'000))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("-o", options->output,
                 "Writes the permutation, for --pattern file:FILE; - is standard output")
      ->type_name("FILE");
  return [options, &common] { return adversary(*options, common); };
}

}  // namespace

Command adversary_row() {
  return {
      .name = "adversary",
      .summary = "Search the worst permutation of terminals for a routing, and prove it worst",
      .details =
          R"(For a routing that does not look at the load, the worst permutation for one channel is a matching of largest weight;
channels are taken in order of their bounds until none can be worse. The permutation is completed at random and its
load is measured again by the code that measures any pattern.

--json: routing, load, upper, exact, saturation, channel, channels_matched, flows, worst_flows,
recomputed_load, lost_pairs. Exit code 0: proven to be the worst; 1: only bounds are known, or pairs have no path:
then the saturation is 0.)",
      .examples = {"unknot adversary slimfly:q=5,p=4 --paths minimal -o worst",
                   "unknot adversary torus:4x4,p=2 --engine dfsssp"},
      .declare = declare_adversary};
}

}  // namespace unknot::cli
