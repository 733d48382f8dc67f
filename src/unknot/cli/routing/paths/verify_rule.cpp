// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/routing/paths/verify_rule.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "unknot/cli/command/catalogues.hpp"
#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/output/interrupt.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/output/progress_bar.hpp"
#include "unknot/cli/output/stopwatch.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/load/channel_load.hpp"
#include "unknot/routing/rules/rules.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/verify/rules/rule_verdict.hpp"

namespace unknot::cli {
namespace {

/// Bytes that the same routing takes, by how it is kept.
struct RuleMemory {
  std::uint64_t network = 0;  ///< 20 a channel, 16 a router, 6 an endpoint
  std::uint64_t levels = 0;   ///< a service level for each router with endpoints and endpoint
  std::uint64_t tables = 0;   ///< a column for each endpoint, as forwarding tables are
  std::uint64_t columns = 0;  ///< a column for each that differs
  std::uint64_t rule = 0;
};

RuleMemory rule_memory(const Network& network, const ForwardingRule& rule, const RuleVerdict& verdict) {
  const std::uint64_t routers = network.router_count();
  const std::uint64_t terminals = network.terminal_count();
  const std::uint64_t row = routers * ForwardingTable::width_for(network);
  const auto senders =
      static_cast<std::uint64_t>(std::count_if(network.routers().begin(), network.routers().end(),
                                               [&](RouterId r) { return !network.terminals_at(r).empty(); }));
  return {.network = 20 * std::uint64_t{network.channel_count()} + 16 * routers + 6 * terminals,
          .levels = rule.lanes() > 1 ? senders * terminals : 0,
          .tables = row * terminals,
          .columns = row * verdict.columns,
          .rule = rule.bytes()};
}

double mean_hops_of(const RuleVerdict& verdict) {
  const std::uint64_t delivered = verdict.pairs - verdict.unroutable_pairs;
  return delivered == 0 ? 0 : static_cast<double>(verdict.total_hops) / static_cast<double>(delivered);
}

Json rule_json_report(const Network& network, const RuleVerdict& verdict, const RuleMemory& memory,
                      const LoadStatistics& load, Json document) {
  document["complete"] = verdict.unroutable_pairs == 0;
  document["unroutable_pairs"] = verdict.unroutable_pairs;
  document["looping_pairs"] = verdict.looping_pairs;
  document["deadlock_free"] = verdict.deadlock_free;
  document["lanes_used"] = verdict.lanes_used;
  document["dependencies"] = verdict.dependencies;
  document["hops"] = {{"max", verdict.max_hops}, {"mean", mean_hops_of(verdict)}};
  document["channel_load"] = {
      {"max", load.max}, {"min", load.min}, {"mean", load.mean}, {"sigma4", load.sigma4}};
  Json cycle = Json::array();
  for (const ChannelId c : verdict.cycle) cycle.push_back(network.channel_name(c));
  document["cycle"] = verdict.cycle.empty() ? Json() : std::move(cycle);
  document["columns"] = verdict.columns;
  document["bytes"] = {{"network", memory.network},
                       {"tables", memory.tables},
                       {"levels", memory.levels},
                       {"columns", memory.columns},
                       {"rule", memory.rule},
                       {"dependency_set", verdict.mark_bytes},
                       {"dependency_graph", verdict.graph_bytes}};
  return document;
}

std::string memory_text(std::uint64_t bytes) {
  double size = static_cast<double>(bytes);
  const char* unit = "bytes";
  for (const char* next : {"KiB", "MiB", "GiB"}) {
    if (size < 1024) break;
    size /= 1024;
    unit = next;
  }
  return unit[0] == 'b' ? fmt::format("{} bytes", bytes) : fmt::format("{:.1f} {}", size, unit);
}

std::string rule_text_report(const Network& network, const ForwardingRule& rule, const RuleVerdict& verdict,
                             const RuleMemory& memory, const LoadStatistics& load, double seconds) {
  const std::string deadlock = verdict.deadlock_free ? "yes, under credit flow control"
                               : verdict.cycle.empty()
                                   ? "nothing is said where pairs are not delivered"
                                   : fmt::format("CYCLE of {} channels", verdict.cycle.size());
  std::string text =
      "\n" +
      key_values({
          {"rule", rule.name()},
          {"every pair delivered",
           verdict.unroutable_pairs == 0
               ? std::string("yes")
               : fmt::format("NO, {} of {} are not, {} of them loop", grouped(verdict.unroutable_pairs),
                             grouped(verdict.pairs), grouped(verdict.looping_pairs))},
          {"deadlock-free", deadlock},
          {"lanes in use", std::to_string(verdict.lanes_used)},
          {"hops, max and mean", fmt::format("{}, {:.3f}", verdict.max_hops, mean_hops_of(verdict))},
          {"channel load", fmt::format("{} to {}, mean {:.1f}, sigma(4) {:.1f}", grouped(load.min),
                                       grouped(load.max), load.mean, load.sigma4)},
          {"dependencies", grouped(verdict.dependencies)},
          {"columns followed", grouped(verdict.columns)},
          {"kept as rule",
           fmt::format("{}; written down {}", memory_text(memory.rule), memory_text(memory.tables))},
          {"proven in", duration(seconds)},
      });
  for (const ChannelId c : verdict.cycle) text += "  " + network.channel_name(c) + "\n";
  return text;
}

}  // namespace

CLI::Option* add_rule_option(CLI::App& app, std::string& rule) {
  return app
      .add_option("--rule", rule,
                  fmt::format("Instead of tables: the rule of a regular network, as NAME or NAME:key=value; "
                              "one of {} (see 'unknot list rules')",
                              row_names("rules")))
      ->type_name("RULE");
}

Answer verify_by_rule(const std::string& fabric, const Scope& scope, const std::string& spec,
                      const Common& common) {
  (void)choose_row(rules(), "rule", spec);  // refuses wrong names before any work
  const Network network = within(scope, load_rail(scope, fabric), common);
  stop_if_interrupted();
  const Stopwatch time;
  const std::unique_ptr<ForwardingRule> rule = make_rule(network, spec);
  ProgressBar bar(common);
  const RuleVerdict verdict = verify_rule(network, *rule, common.threads, bar);
  const double seconds = time.seconds();
  const RuleMemory memory = rule_memory(network, *rule, verdict);
  const LoadStatistics load = load_statistics(verdict.load);
  const int code = verdict.usable() ? kYes : kNo;
  if (common.json) {
    Json document;
    add_fabric(document, fabric, network);
    add_scope(document, scope, network);
    document["rule"] = spec;
    document = rule_json_report(network, verdict, memory, load, std::move(document));
    document["seconds"] = seconds;
    return {code, std::move(document), {}};
  }
  return {code,
          {},
          fabric_line(fabric, network) + scope_line(scope, network) +
              rule_text_report(network, *rule, verdict, memory, load, seconds)};
}

}  // namespace unknot::cli
