// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/operation/watch_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "unknot/cli/output/text_table.hpp"
#include "unknot/cli/routing/verdict_report.hpp"
#include "unknot/network/labels.hpp"

namespace unknot::cli {
namespace {

using watch::FabricDifference;
using watch::TablesState;
using watch::WatchReport;

/// One kind of change: its key in JSON, the mark before each line of text, and the lines.
struct Kind {
  const char* key;
  char mark;  // '-' gone, '+' come, '!' otherwise worse, '~' otherwise different
  std::vector<std::string> lines;
};

std::string place(const Network& network, TerminalId t) {
  return fmt::format("{} port {}", network.router_name(network.router_of(t)), network.terminal_port(t));
}

std::string rate(LinkRate rate) {
  return link_rate_names()[rate];
}

std::string move_text(const Network& before, const Network& after, const NetworkChange::Move& move) {
  const std::string from = place(before, move.before);
  const std::string to = place(after, move.after);
  std::string text = "terminal " + after.terminal_name(move.after) + ":";
  if (from != to) text += fmt::format(" from {} to {}", from, to);
  const std::uint32_t was = before.terminal_lid(move.before);
  const std::uint32_t is = after.terminal_lid(move.after);
  if (!before.labels().terminal_lid.empty() && !after.labels().terminal_lid.empty() && was != is)
    text += fmt::format("{} LID {} instead of {}", from != to ? "," : "", is, was);
  return text;
}

template <class Items, class Line>
std::vector<std::string> lines_of(const Items& items, const Line& line) {
  std::vector<std::string> lines;
  lines.reserve(items.size());
  for (const auto& item : items) lines.push_back(line(item));
  return lines;
}

std::vector<Kind> kinds(const Network& before, const Network& after, const FabricDifference& d) {
  const auto router = [](const Network& network) {
    return [&network](RouterId r) {
      return fmt::format("router {} (0x{:016x})", network.router_name(r), network.router_guid(r));
    };
  };
  const auto terminal = [](const Network& network) {
    return [&network](TerminalId t) {
      return fmt::format("terminal {} at {}", network.terminal_name(t), place(network, t));
    };
  };
  const auto cable = [](const Network& network) {
    return [&network](ChannelId c) { return "cable " + network.channel_name(c); };
  };
  const auto one_way = [&](const FabricDifference::Cable& c) {
    return fmt::format("cable {} is there in this direction only", after.channel_name(c.after));
  };
  const auto cable_rate = [&](const FabricDifference::Cable& c) {
    return fmt::format("cable {}: {} instead of {}", after.channel_name(c.after),
                       rate(after.channel_rate(c.after)), rate(before.channel_rate(c.before)));
  };
  const auto terminal_rate = [&](const NetworkChange::Move& t) {
    return fmt::format("cable of terminal {}: {} instead of {}", after.terminal_name(t.after),
                       rate(after.terminal_rate(t.after)), rate(before.terminal_rate(t.before)));
  };
  return {
      {"routers_gone", '-', lines_of(d.routers_gone, router(before))},
      {"cables_gone", '-', lines_of(d.cables_gone, cable(before))},
      {"terminals_gone", '-', lines_of(d.terminals_gone, terminal(before))},
      {"cables_one_way", '!', lines_of(d.cables_one_way, one_way)},
      {"cables_moved", '!',
       lines_of(d.cables_moved,
                [&](const FabricDifference::Cable& c) {
                  return fmt::format("cable {}, before {}", after.channel_name(c.after),
                                     before.channel_name(c.before));
                })},
      {"terminals_moved", '!',
       lines_of(d.terminals_moved,
                [&](const NetworkChange::Move& move) { return move_text(before, after, move); })},
      {"cables_slower", '!', lines_of(d.cables_slower, cable_rate)},
      {"terminals_slower", '!', lines_of(d.terminals_slower, terminal_rate)},
      {"routers_come", '+', lines_of(d.routers_come, router(after))},
      {"cables_come", '+', lines_of(d.cables_come, cable(after))},
      {"terminals_come", '+', lines_of(d.terminals_come, terminal(after))},
      {"cables_both_ways", '+',
       lines_of(d.cables_both_ways,
                [&](const FabricDifference::Cable& c) {
                  return fmt::format("the other direction of {}", after.channel_name(c.after));
                })},
      {"cables_faster", '~', lines_of(d.cables_faster, cable_rate)},
      {"terminals_faster", '~', lines_of(d.terminals_faster, terminal_rate)},
      {"routers_renamed", '~',
       lines_of(d.routers_renamed,
                [&](const FabricDifference::Router& r) {
                  return fmt::format("router {} is called {}", before.router_name(r.before),
                                     after.router_name(r.after));
                })},
      {"terminals_renamed", '~',
       lines_of(d.terminals_renamed,
                [&](const NetworkChange::Move& t) {
                  return fmt::format("terminal {} is called {}", before.terminal_name(t.before),
                                     after.terminal_name(t.after));
                })},
  };
}

Json state_json(const Network& network, const TablesState& state) {
  Json document;
  add_verdict(document, network, state.verdict);
  document["channel_load"] = load_json(state.load);
  return document;
}

std::string state_cell(const TablesState& state) {
  return state.verdict.complete() ? "yes"
                                  : fmt::format("NO, {} are lost", grouped(state.verdict.unroutable_pairs));
}

std::string tables_text(const Network& after, const WatchReport& report) {
  if (!report.before && !report.now) return "";
  TextTable table(
      {{"tables", Align::left}, {"every pair delivered"}, {"deadlock"}, {"max load"}, {"mean load"}});
  const auto add = [&](const char* name, const std::optional<TablesState>& state) {
    if (!state) return;
    table.add({name, state_cell(*state), deadlock_cell(state->verdict), grouped(state->load.max),
               fmt::format("{:.1f}", state->load.mean)});
  };
  add("old, on the old fabric", report.before);
  add("old, on the new fabric", report.carried);
  add("new, on the new fabric", report.now);
  std::string text = "\n" + table.text();
  if (report.damage && report.damage->broken > 0) {
    text += fmt::format("\nBroken by the change: {} of {} pairs, to {} terminals, for example {} to {}.\n",
                        grouped(report.damage->broken), grouped(report.damage->pairs),
                        grouped(report.damage->destinations), after.terminal_name(report.damage->source),
                        after.terminal_name(report.damage->destination));
  }
  if (!report.not_together.empty()) {
    text += fmt::format("\nWhether old and new tables can deadlock together is not checked: {}.\n",
                        report.not_together);
  }
  const std::optional<TablesState>& in_force = report.now ? report.now : report.carried;
  if (in_force && in_force->verdict.witness) text += "\n" + describe(after, *in_force->verdict.witness);
  return text;
}

}  // namespace

void add_watch(Json& document, const Network& before, const Network& after, const WatchReport& report) {
  document["hurts"] = report.hurts;
  document["changed"] = !report.difference.none();
  for (const Kind& kind : kinds(before, after, report.difference)) document[kind.key] = kind.lines;
  document["disconnected_pairs"] = report.disconnected.count;
  if (report.damage) {
    document["broken_pairs"] = report.damage->broken;
    document["pairs"] = report.damage->pairs;
    document["broken_destinations"] = report.damage->destinations;
  }
  if (report.before) document["old_tables_before"] = state_json(before, *report.before);
  if (report.carried) document["old_tables_now"] = state_json(after, *report.carried);
  if (report.now) document["new_tables"] = state_json(after, *report.now);
  if (report.together) document["together_deadlock_free"] = report.together->deadlock_free;
  if (!report.not_together.empty()) document["together_not_checked"] = report.not_together;
}

std::string watch_text(const std::string& old_name, const std::string& new_name, const Network& before,
                       const Network& after, const WatchReport& report, std::uint32_t lines) {
  std::string text = fmt::format("{} -> {}: ", old_name, new_name);
  if (report.hurts.empty()) {
    text += report.difference.none() ? "nothing has changed.\n" : "changed, and nothing hurts.\n";
  } else {
    text += "LOOK AT THIS:\n";
    for (const std::string& reason : report.hurts) text += fmt::format("  * {}\n", reason);
  }
  bool first = true;
  for (const Kind& kind : kinds(before, after, report.difference)) {
    if (kind.lines.empty()) continue;
    if (first) text += "\n";
    first = false;
    const std::size_t shown = std::min<std::size_t>(lines, kind.lines.size());
    for (std::size_t i = 0; i < shown; ++i) text += fmt::format("{} {}\n", kind.mark, kind.lines[i]);
    if (shown < kind.lines.size()) {
      text += fmt::format("{} ... {} in \"{}\" of --json\n", kind.mark,
                          shown == 0 ? fmt::format("all {}", kind.lines.size())
                                     : fmt::format("{} more", kind.lines.size() - shown),
                          kind.key);
    }
  }
  return text + tables_text(after, report);
}

}  // namespace unknot::cli
