// SPDX-License-Identifier: Apache-2.0
#include "unknot/bounds/adversary/adversary.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "unknot/bounds/delivered.hpp"
#include "unknot/bounds/exchange.hpp"
#include "unknot/bounds/group_spread.hpp"
#include "unknot/bounds/path_sets.hpp"
#include "unknot/cli/command/catalogues.hpp"
#include "unknot/cli/command/command.hpp"
#include "unknot/cli/command/help.hpp"
#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/output/progress_bar.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/cli/planning/split_report.hpp"
#include "unknot/cli/routing/routing_source.hpp"
#include "unknot/formats/adaptive/adaptive_catalogue.hpp"
#include "unknot/load/flow_load.hpp"
#include "unknot/routing/model/engine.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/traffic/flow_file.hpp"
#include "unknot/traffic/patterns/fixed_pattern.hpp"

namespace unknot::cli {
namespace {

struct AdversaryCommandOptions {
  std::string fabric;
  std::string paths;  ///< spec of a path set
  std::vector<std::string> adaptive;
  RoutingSource source;
  std::uint64_t work = AdversaryOptions().most_work;
  std::string output;
};

/// Where the linear program would take too long, what is said of a split at will is this close.
constexpr SplitOptions kSplit = {.exact = false, .gap = 0.05, .rounds = 500};

/// The worst permutation, and what else is known of it.
struct Found {
  Adversary worst;
  double measured = 0;     ///< the largest load of the permutation, by code that measures any traffic
  std::uint64_t lost = 0;  ///< pairs of terminals without a path
  bool by_queues = false;  ///< UGAL: `worst` is what it can do at most
  std::optional<SplitRow> at_will;  ///< the same paths and permutation, where the traffic is known
};

double largest(const std::vector<double>& load) {
  return load.empty() ? 0 : *std::max_element(load.begin(), load.end());
}

Exchange exchange_of(const Network& network, const Adversary& found, const Common& common) {
  return unknot::exchange_of(network, pattern_of_flows(found.flows), common.seed, 0);
}

/// Evenly over the paths of a set, or as UGAL chooses from them.
Found over_paths(const Network& network, const std::string& spec, const AdversaryOptions& how,
                 const Common& common, Progress& progress) {
  Found found;
  const Chosen<PathSetRow> set = choose_row(path_sets(), "path set", spec);
  const std::string& name = set.row->name;
  if (name == "minimal" || name == "valiant") {
    const ObliviousPaths paths = oblivious_paths_from(name);
    found.worst = find_adversary(network, *oblivious_shares(network, paths, common.threads), how, progress);
    const RouterDemand between = exchange_of(network, found.worst, common).between;
    found.measured = largest(oblivious_load(network, paths, between, common.threads, progress).load);
    found.lost = lost_pairs(network, arrivals(network, paths));
    return found;
  }
  found.by_queues = name == "ugal";
  const std::unique_ptr<ChannelShares> shares =
      found.by_queues
          ? ugal_shares(network, set.parameters.number32("indirect"), common.threads)
          : even_shares(network, make_path_lists(network, RouterDemand::uniform(network), spec, progress));
  found.worst = find_adversary(network, *shares, how, progress);
  const Exchange exchange = exchange_of(network, found.worst, common);
  if (found.by_queues) {
    found.measured = largest(shared_load(network, *shares, exchange.between, common.threads));
    try {
      const PathLists lists = make_path_lists(network, exchange.between, spec, progress);
      found.at_will = split_over(network, exchange, spec, lists, kSplit, progress);
    } catch (const TooManyPaths&) {  // what no paths do better is no better for these
      found.at_will =
          split_by_next_hops(network, exchange, FlowWays::any, "any", {}, kSplit, common.threads, progress);
    }
    return found;
  }
  const PathLists lists = make_path_lists(network, exchange.between, spec, progress);
  found.measured = largest(even_load(network, lists));
  found.at_will = split_over(network, exchange, spec, lists, kSplit, progress);
  return found;
}

Found over_groups(const Network& network, const std::vector<std::string>& files, const AdversaryOptions& how,
                  const Common& common, Progress& progress) {
  AdaptiveRouting routing = read_adaptive(network, files);
  routing.source = files.front();  // for messages
  Found found;
  found.worst = find_adversary(network, *group_shares(network, routing, progress), how, progress);
  found.measured = largest(group_load(network, routing, found.worst.flows, progress).load);
  try {
    const PathLists lists = group_path_lists(network, routing, found.worst.flows, progress);
    found.at_will = split_over(network, exchange_of(network, found.worst, common), files.front(), lists,
                               kSplit, progress);
  } catch (const TooManyPaths&) {  // nothing is said of a split, then
  }
  return found;
}

Found over_tables(const Network& network, const RoutingSource& source, const AdversaryOptions& how,
                  const Common& common, Progress& progress) {
  const Routing routing = routing_from(network, source, common, progress);
  Found found;
  found.worst = find_adversary(network, *routing_shares(network, routing), how, progress);
  found.measured = largest(flow_load(network, routing, found.worst.flows).load);
  found.lost = lost_pairs(network, arrivals(network, routing));
  return found;
}

Json answer_json(const Network& network, const Found& found, bool exact, double load) {
  const Adversary& worst = found.worst;
  Json document;
  document["load"] = load;
  document["upper"] = worst.upper;
  document["exact"] = exact;
  document["saturation"] = found.lost == 0 ? 1 / std::max(1.0, load) : 0;
  document["lost_pairs"] = found.lost;
  document["channel"] = worst.channel.valid() ? Json(network.channel_name(worst.channel)) : Json();
  document["channels_matched"] = worst.matched;
  document["flows"] = worst.flows.size();
  document["worst_flows"] = worst.worst;
  document["recomputed_load"] = found.measured;
  document["split"] = found.at_will ? split_json(network, *found.at_will) : Json();
  return document;
}

std::string answer_text(const Network& network, const std::string& routing, const Found& found, bool exact,
                        double load) {
  const Adversary& worst = found.worst;
  std::vector<std::pair<std::string, std::string>> rows = {{"routing", routing}};
  if (found.by_queues) {
    rows.emplace_back("the permutation found loads a channel with",
                      fmt::format("{:.6f} at least, {:.6f} at most", load, found.measured));
  } else {
    rows.emplace_back("load of the worst permutation found", fmt::format("{:.6f}", load));
  }
  rows.emplace_back("no permutation loads any channel more than",
                    fmt::format("{:.6f}{}", worst.upper, exact ? ", so it is the worst" : ""));
  rows.emplace_back("saturation", fmt::format("{:.6f}{}", found.lost == 0 ? 1 / std::max(1.0, load) : 0,
                                              found.by_queues ? " at most" : ""));
  rows.emplace_back(found.by_queues ? "channel that carries the most it may" : "channel",
                    worst.channel.valid() ? network.channel_name(worst.channel) : "none");
  rows.emplace_back(found.by_queues ? "flows that may take it" : "flows that make the load",
                    fmt::format("{} of {}", grouped(worst.worst), grouped(worst.flows.size())));
  rows.emplace_back("channels matched",
                    fmt::format("{} of {}", grouped(worst.matched), grouped(network.channel_count())));
  if (!found.by_queues) {
    rows.emplace_back("largest load of the permutation, measured", fmt::format("{:.6f}", found.measured));
    if (found.at_will) {
      const FlowCheck& check = found.at_will->limits.check;
      rows.emplace_back("the same, split at will over these paths",
                        check.upper > check.lower * (1 + 1e-5)
                            ? fmt::format("between {:.6f} and {:.6f}", 1 / check.upper, 1 / check.lower)
                            : fmt::format("{:.6f}", 1 / check.lower));
    }
  }
  if (found.lost > 0) {
    rows.emplace_back(
        "pairs without a path",
        fmt::format("{}: permutations with one of them are never delivered", grouped(found.lost)));
  }
  return key_values(rows);
}

Answer adversary(const AdversaryCommandOptions& options, const Common& common) {
  const int asked = (options.paths.empty() ? 0 : 1) + (options.source.by_engine() ? 1 : 0) +
                    (options.source.from_tables() ? 1 : 0) + (options.adaptive.empty() ? 0 : 1);
  if (asked != 1) throw InputError("adversary: give --paths, --engine, --tables or --adaptive, one of them");
  check_engine(options.source);
  if (!options.paths.empty() && !find_path_set(options.paths).make) {
    throw InputError("adversary: --paths " + options.paths +
                     " are those of tables: give --engine or --tables");
  }
  if (options.output == "-" && common.json)
    throw InputError("adversary: -o - and --json both go to standard output");
  check_outputs({options.output});
  const Network network = load_fabric(options.fabric);
  const std::string routing_name = !options.paths.empty()       ? options.paths
                                   : !options.adaptive.empty()  ? options.adaptive.front()
                                   : options.source.by_engine() ? options.source.engine
                                                                : options.source.input.tables;
  Found found;
  {
    ProgressBar bar(common);
    AdversaryOptions how;
    how.most_work = options.work;
    how.seed = common.seed;
    how.threads = common.threads;
    if (!options.paths.empty()) {
      found = over_paths(network, options.paths, how, common, bar);
    } else if (!options.adaptive.empty()) {
      found = over_groups(network, options.adaptive, how, common, bar);
    } else {
      found = over_tables(network, options.source, how, common, bar);
    }
  }
  // What queues decide is at least what the best split of the permutation is.
  const double load = found.by_queues ? 1 / found.at_will->limits.check.upper : found.worst.load;
  if (!options.output.empty()) {
    const Adversary& worst = found.worst;
    write_file(
        options.output,
        flows_text(worst.flows, fmt::format("{}, {}: load {:g} on {}; the first {} flows make it",
                                            options.fabric, routing_name, worst.load,
                                            worst.channel.valid() ? network.channel_name(worst.channel) : "-",
                                            worst.worst)));
  }
  // A permutation with a pair that has no path is worse than any load: some of it never arrives.
  const bool exact = found.worst.upper <= load * (1 + 1e-9) && found.lost == 0;
  const int answer = exact ? kYes : kNo;
  if (common.json) {
    Json document;
    add_fabric(document, options.fabric, network);
    document["routing"] = routing_name;
    document.update(answer_json(network, found, exact, load));
    return {answer, std::move(document), {}};
  }
  if (options.output == "-") return {answer};
  return {
      answer,
      {},
      fabric_line(options.fabric, network) + "\n" + answer_text(network, routing_name, found, exact, load)};
}

Action declare_adversary(CLI::App& app, const Common& common) {
  const auto options = std::make_shared<AdversaryCommandOptions>();
  add_fabric_argument(app, options->fabric);
  app.add_option("--paths", options->paths,
                 "minimal: evenly over all shortest paths; shortest:N: over the N shortest ones; valiant: by "
                 "random routers; ugal:indirect=N: one or the other by queues")
      ->type_name("SET");
  app.add_option(
         "--adaptive", options->adaptive,
         "An adaptive routing whose packets take any port of a group with the same chance: its files, "
         "as verify takes them")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("FILE,...");
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
load is measured again by the code that measures any pattern. Beside it, for paths of a set and groups: what the
permutation needs that is split over the same paths at will.

ugal looks at queues, so that its load is known from both sides: no permutation makes it load a channel more than what
its paths allow where every packet takes those by the channel, as far as one of its candidates does; and the one found
loads some channel at least as the best split over all its paths would, or over any paths where those are too many.

--json: routing, load, upper, exact, saturation, channel, channels_matched, flows, worst_flows,
recomputed_load, lost_pairs, split (as bound has it, or null). Of ugal, load is what some channel carries at least;
channel, worst_flows and recomputed_load belong to upper. Exit code 0: proven to be the worst; 1: only bounds are known, or pairs have no path:
then the saturation is 0.)",
      .examples = {"unknot adversary slimfly:q=5,p=4 --paths minimal -o worst",
                   "unknot adversary torus:4x4,p=2 --engine dfsssp",
                   "unknot adversary slimfly:q=5,p=3 --paths shortest:8"},
      .declare = declare_adversary};
}

}  // namespace unknot::cli
