// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/routing/paths/verify_floogen.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

#include "unknot/cli/output/text_table.hpp"
#include "unknot/formats/chips/floogen.hpp"
#include "unknot/oblivious/oblivious_verdict.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot::cli {
namespace {

/// Whether no choice among shortest paths can deadlock.
bool any_shortest_free(const Network& network, std::uint32_t threads, Progress& progress) {
  const PathLengths lengths = path_lengths(network, ObliviousPaths::minimal, threads, progress);
  ObliviousVerifyOptions options;
  options.threads = threads;
  options.most_listed_paths = 0;
  return verify_oblivious(network, lengths, make_lane_scheme(lengths, "single"), options, progress)
      .deadlock_free;
}

/// Its channels as far as they lead; of a loop all, and where it closes.
std::vector<ChannelId> way_of(const Network& network, const Routing& routing, TerminalId s, TerminalId d) {
  std::vector<ChannelId> way;
  if (const SourceRoutes* routes = routing.routes()) {
    way.assign(routes->route(s, d).begin(), routes->route(s, d).end());
    return way;
  }
  RouterId at = network.router_of(s);
  while (way.size() <= network.router_count() && at != network.router_of(d)) {
    const ChannelId c = routing.table().next(network, at, d);
    if (!c.valid()) break;
    way.push_back(c);
    at = network.target(c);
  }
  return way;
}

bool is_delivered(const Network& network, const Routing& routing, TerminalId s, TerminalId d) {
  const std::vector<ChannelId> way = way_of(network, routing, s, d);
  return (way.empty() ? network.router_of(s) : network.target(way.back())) == network.router_of(d);
}

/// The same ways for some pairs alone. What is lost on its way holds channels, too.
template <class Among>
Routing only_among(const Network& network, const Routing& routing, const Among& among) {
  const std::size_t terminals = network.terminal_count();
  std::vector<std::uint16_t> lengths(terminals * terminals, 0);
  const auto taken = [&](TerminalId s, TerminalId d) { return s != d && among(s, d); };
  for (const TerminalId s : network.terminals()) {
    for (const TerminalId d : network.terminals()) {
      if (taken(s, d)) {
        lengths[s.value * terminals + d.value] =
            static_cast<std::uint16_t>(way_of(network, routing, s, d).size());
      }
    }
  }
  auto routes = std::make_shared<SourceRoutes>(network.terminal_count(), lengths);
  for (const TerminalId s : network.terminals()) {
    for (const TerminalId d : network.terminals()) {
      if (!taken(s, d)) continue;
      const std::vector<ChannelId> way = way_of(network, routing, s, d);
      std::copy(way.begin(), way.end(), routes->route(s, d).begin());
    }
  }
  Routing one;
  one.engine = routing.engine;
  one.paths = std::shared_ptr<const SourceRoutes>(std::move(routes));
  return one;
}

/// Takes what nobody sends out of a verdict that is against the routing, and of the rest what never waits
/// for one another. True where nothing is left of it.
bool acquit(const Network& network, const FloogenRouting& made, Verdict& verdict, std::uint32_t threads,
            Progress& progress) {
  using Among = std::function<bool(TerminalId, TerminalId)>;
  std::vector<Among> classes;
  if (made.own_links) {
    classes.emplace_back([&](TerminalId s, TerminalId d) { return made.requests(s, d); });
    classes.emplace_back([&](TerminalId s, TerminalId d) { return made.responses(s, d); });
  } else {
    classes.emplace_back([&](TerminalId s, TerminalId d) { return made.speak(s, d); });
  }
  VerifyOptions options;
  options.threads = threads;
  for (const Among& one : classes) {
    Verdict alone = verify(network, only_among(network, made.routing, one), options, progress);
    if (alone.deadlock_free) continue;
    verdict.witness = std::move(alone.witness);
    return false;
  }
  verdict.deadlock_free = true;
  verdict.witness.reset();
  return true;
}

}  // namespace

bool is_floogen_file(const std::string& path) {
  return looks_like_floogen(head_of_file(path));
}

std::optional<FloogenRun> floogen_run(const Network& network, const std::string& tables, Verdict& verdict,
                                      std::uint32_t threads, Progress& progress) {
  if (!is_floogen_file(tables)) return std::nullopt;
  const FloogenRouting made = read_floogen_routing(network, read_file(tables), tables);
  FloogenRun run;
  run.algorithm = made.algorithm;
  for (const TerminalId s : network.terminals()) {
    for (const TerminalId d : network.terminals())
      if (s != d && !made.speak(s, d) && !is_delivered(network, made.routing, s, d)) ++run.silent_pairs;
  }
  verdict.pairs -= run.silent_pairs;
  verdict.unroutable_pairs -= run.silent_pairs;
  std::erase_if(verdict.findings,
                [&](const Finding& one) { return !made.speak(one.source, one.destination); });
  if (!verdict.deadlock_free) run.by_class = acquit(network, made, verdict, threads, progress);
  if (run.algorithm == FloogenRouting::Algorithm::id || run.algorithm == FloogenRouting::Algorithm::source)
    run.any_shortest_paths = any_shortest_free(network, threads, progress);
  return run;
}

std::vector<std::pair<std::string, std::string>> floogen_rows(const FloogenRun& run) {
  std::vector<std::pair<std::string, std::string>> rows;
  rows.emplace_back("routing",
                    fmt::format("route_algo {}, {}", name_of(run.algorithm),
                                run.any_shortest_paths ? "the shortest paths that networkx gives FlooGen"
                                                       : "by coordinates"));
  if (run.any_shortest_paths) {
    rows.emplace_back("other shortest paths", *run.any_shortest_paths
                                                  ? "deadlock-free, whichever are taken"
                                                  : "not proven: all of them together have cycles");
  }
  if (run.by_class) {
    rows.emplace_back(
        "requests and responses",
        "deadlock-free as they are sent, each on its links; all pairs on the same would not be");
  }
  if (run.silent_pairs > 0) {
    rows.emplace_back("pairs that never speak",
                      grouped(run.silent_pairs) + ", left out: nothing leads from one to the other");
  }
  return rows;
}

void add_floogen(Json& document, const FloogenRun& run) {
  document["route_algo"] = name_of(run.algorithm);
  document["silent_pairs"] = run.silent_pairs;
  document["deadlock_free_by_class_alone"] = run.by_class;
  document["deadlock_free_on_any_shortest_paths"] =
      run.any_shortest_paths ? Json(*run.any_shortest_paths) : Json();
}

}  // namespace unknot::cli
