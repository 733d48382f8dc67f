// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/fabric/guidance_option.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "unknot/cli/command/help.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/formats/text/node_list.hpp"
#include "unknot/routing/model/engine.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"

namespace unknot::cli {
namespace {

constexpr std::size_t kShown = 3;  // GUIDs that a note names

void note_absent(const Common& common, const std::string& file, const std::vector<AbsentGuid>& absent) {
  if (absent.empty()) return;
  std::string named;
  for (std::size_t i = 0; i < std::min(absent.size(), kShown); ++i)
    named += fmt::format("{}0x{:016x} (line {})", i == 0 ? "" : ", ", absent[i].guid, absent[i].line);
  note(common,
       fmt::format("{}: {} GUID{} not of the fabric, passed over: {}{}", file, absent.size(),
                   absent.size() == 1 ? " is" : "s are", named, absent.size() > kShown ? ", ..." : ""));
}

NodeList nodes_in(const Network& network, const std::string& file, const Common& common, bool none_will_do) {
  NodeList list = read_node_list(network, file, none_will_do);
  note_absent(common, file, list.absent);
  return list;
}

std::vector<std::uint64_t> routers_in(const Network& network, const std::string& file, const Common& common,
                                      bool none_will_do) {
  std::vector<std::uint64_t> guids;
  if (file.empty()) return guids;
  for (const RouterId r : nodes_in(network, file, common, none_will_do).routers)
    guids.push_back(network.router_guid(r));
  return guids;
}

std::vector<std::uint64_t> terminals_in(const Network& network, const std::string& file, const Common& common,
                                        bool none_will_do) {
  std::vector<std::uint64_t> guids;
  if (file.empty()) return guids;
  for (const TerminalId t : nodes_in(network, file, common, none_will_do).terminals)
    guids.push_back(network.terminal_port_guid(t));
  return guids;
}

}  // namespace

CLI::Option* add_transit_option(CLI::App& app, std::string& file) {
  return app
      .add_option("--no-transit", file,
                  "Routers that must carry nothing between others, one in each line: a GUID, or names and "
                  "numbers as --nodes takes them")
      ->type_name("FILE");
}

std::vector<CLI::Option*> add_guidance_options(CLI::App& app, GuidanceFiles& files) {
  const std::size_t before = app.get_options().size();
  app.add_option("--root-guids", files.roots,
                 "Routers at the top, of updn and ftree: a GUID in each line, as OpenSM's root_guid_file")
      ->type_name("FILE");
  add_transit_option(app, files.no_transit);
  app.add_option("--guid-routing-order", files.order,
                 "Hosts that are routed first, in this order, for balance: a port GUID in each line, as "
                 "OpenSM's guid_routing_order_file")
      ->type_name("FILE");
  app.add_option(
         "--cn-guids", files.compute_nodes,
         "Compute nodes, of ftree, sssp and dfsssp: routed before all others, and the leaves of a tree "
         "are where they are; a port GUID in each line, as OpenSM's cn_guid_file")
      ->type_name("FILE");
  app.add_option("--io-guids", files.io_nodes,
                 "Nodes for I/O, which may be plugged in anywhere: routed after the compute nodes and before "
                 "all others; as OpenSM's io_guid_file")
      ->type_name("FILE");
  app.add_option(
         "--hop-weights", files.hop_weights,
         "What a hop out of a router's port costs, 1 where no line says: GUID, port and weight in each "
         "line, as OpenSM's hop_weights_file")
      ->type_name("FILE");
  app.add_flag("--by-rate", files.by_rate,
               "Balance what cables carry over their rate: a slow cable gets less, of sssp and dfsssp");
  CLI::Option* shifting =
      app.add_flag("--port-shifting", files.port_shifting,
                   "Of ports that serve as few destinations, begin at one that moves, so that tables do not "
                   "line up: of minhop, as OpenSM's port_shifting");
  app.add_option("--scatter-ports", files.scatter_seed,
                 "Of ports that serve as few destinations, take any, by this seed: of minhop, as OpenSM's "
                 "scatter_ports; 0: the first")
      ->check(whole_number(0, 0xFFFFFFFF))
      ->type_name("SEED")
      ->excludes(shifting);
  const std::vector<CLI::Option*> all = app.get_options();
  return {all.begin() + static_cast<std::ptrdiff_t>(before), all.end()};
}

bool GuidanceFiles::any() const {
  const auto files = {&roots, &no_transit, &order, &compute_nodes, &io_nodes, &hop_weights};
  return by_rate || port_shifting || scatter_seed != 0 ||
         std::any_of(files.begin(), files.end(), [](const std::string* file) { return !file->empty(); });
}

void require_heeded(const std::string& engine, const GuidanceFiles& files) {
  const auto given = [](const std::string& file) {
    return file.empty() ? std::vector<std::uint64_t>() : std::vector<std::uint64_t>{1};
  };
  Guidance guidance{.roots = given(files.roots),
                    .order = given(files.order),
                    .compute_nodes = given(files.compute_nodes),
                    .io_nodes = given(files.io_nodes),
                    .by_rate = files.by_rate,
                    .port_shifting = files.port_shifting,
                    .scatter_seed = files.scatter_seed};
  if (!files.hop_weights.empty()) guidance.hop_weights.emplace_back();
  const std::string lost = unheeded(guidance, find_engine(split_spec(engine).name).heeds);
  if (lost.empty()) return;
  std::string others;
  for (const Engine& one : engines()) {
    if (unheeded(guidance, one.heeds).empty()) others += (others.empty() ? "" : ", ") + one.name;
  }
  throw InputError(
      fmt::format("engine {} makes no use of {}{}", engine, lost,
                  others.empty() ? "; no engine does of all that is given" : "; engines that do: " + others));
}

void require_transit_of_pairs(const std::string& no_transit, bool multicast, const char* command) {
  if (no_transit.empty() || !multicast) return;
  throw InputError(fmt::format(
      "{}: --no-transit is about what hosts send to hosts; trees of --multicast may pass through any router",
      command));
}

Guidance read_guidance(const Network& network, const GuidanceFiles& files, const Common& common,
                       bool none_will_do) {
  Guidance guidance;
  guidance.roots = routers_in(network, files.roots, common, none_will_do);
  guidance.no_transit = routers_in(network, files.no_transit, common, none_will_do);
  guidance.order = terminals_in(network, files.order, common, none_will_do);
  guidance.compute_nodes = terminals_in(network, files.compute_nodes, common, none_will_do);
  guidance.io_nodes = terminals_in(network, files.io_nodes, common, none_will_do);
  guidance.by_rate = files.by_rate;
  guidance.port_shifting = files.port_shifting;
  guidance.scatter_seed = files.scatter_seed;
  if (files.hop_weights.empty()) return guidance;
  const PortValues read = read_port_weights(network, files.hop_weights, none_will_do);
  note_absent(common, files.hop_weights, read.absent);
  guidance.hop_weights.reserve(read.weights.size());
  for (const PortValue& one : read.weights) guidance.hop_weights.push_back({one.guid, one.port, one.weight});
  return guidance;
}

std::optional<TransitRun> transit_run(const Network& network, const Routing& routing,
                                      const Guidance& guidance) {
  TransitRun run{routers_with(network, guidance.no_transit), {}};
  if (run.closed.empty()) return std::nullopt;
  run.check = check_transit(network, routing, run.closed);
  return run;
}

void add_management_transit(const Network& managed, const Routing& routing, std::optional<TransitRun>& run) {
  if (run) run->management_pairs = check_transit(managed, routing, run->closed).pairs - run->check.pairs;
}

void add_transit(Json& document, const Network& network, const std::optional<TransitRun>& run) {
  if (!run) return;
  Json& transit = document["no_transit"];
  transit["closed_routers"] = run->closed.size();
  transit["pairs"] = run->check.pairs;
  transit["management_pairs"] = run->management_pairs;
  Json through = Json::object();
  for (std::size_t i = 0; i < run->closed.size(); ++i) {
    if (run->check.pairs_through[i] > 0)
      through[network.router_name(run->closed[i])] = run->check.pairs_through[i];
  }
  transit["pairs_through"] = std::move(through);
  Json findings = Json::array();
  for (const TransitFinding& one : run->check.findings) {
    findings.push_back({{"source", network.terminal_name(one.source)},
                        {"destination", network.terminal_name(one.destination)},
                        {"through", network.router_name(one.through)}});
  }
  transit["findings"] = std::move(findings);
}

std::string transit_answer(const Network& network, const TransitRun& run) {
  const std::string routers = run.closed.size() == 1
                                  ? network.router_name(run.closed[0])
                                  : fmt::format("the {} closed routers", grouped(run.closed.size()));
  if (run.check.pairs == 0) {
    return fmt::format("yes, no pair of hosts passes through {}{}", routers,
                       run.management_pairs == 0
                           ? ""
                           : fmt::format("; {} pairs with switches do", grouped(run.management_pairs)));
  }
  return fmt::format("NO, {} pairs of hosts pass through {}", grouped(run.check.pairs), routers);
}

std::string transit_text(const Network& network, const TransitRun& run) {
  std::string text;
  for (const TransitFinding& one : run.check.findings) {
    text += fmt::format("  {} to {} passes through {}\n", network.terminal_name(one.source),
                        network.terminal_name(one.destination), network.router_name(one.through));
  }
  if (run.check.pairs > run.check.findings.size()) text += "  ...\n";
  return text;
}

}  // namespace unknot::cli
