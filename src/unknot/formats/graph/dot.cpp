// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "unknot/formats/draft/fabric_text.hpp"
#include "unknot/formats/graph/graph_text.hpp"
#include "unknot/support/files/append.hpp"

namespace unknot {
namespace {

/// Inside a quoted string of DOT.
std::string escaped(const std::string& name) {
  std::string text;
  for (const char c : as_utf8(name)) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text;
}

}  // namespace

std::string write_dot(const Network& network) {
  fmt::memory_buffer out;
  const auto line = [&]<class... Args>(fmt::format_string<Args...> format, Args&&... args) {
    append(out, format, std::forward<Args>(args)...);
  };
  bool directed = false;
  for (const ChannelId c : network.channels()) directed = directed || !network.reverse(c).valid();
  const char* const arrow = directed ? "->" : "--";
  // Graphviz draws an arc to a terminal both ways.
  const char* const both = directed ? ", dir=none" : "";

  line("{} \"{}\" {{\n", directed ? "digraph" : "graph", escaped(network.description()));
  const Labels& labels = network.labels();
  for (const RouterId r : network.routers()) {
    line("  r{} [kind=router, shape=box, label=\"{}\"", r.value, escaped(network.router_name(r)));
    if (!labels.router_guid.empty()) line(", guid=\"0x{:016x}\"", network.router_guid(r));
    if (!labels.router_lid.empty()) line(", lid={}", network.router_lid(r));
    if (!labels.router_ports.empty()) line(", ports={}", network.port_count(r));
    if (!network.levels().empty()) line(", level={}", network.levels()[r.value]);
    line("];\n");
  }
  std::map<std::uint32_t, std::vector<std::uint32_t>> levels;
  for (std::uint32_t r = 0; r < network.levels().size(); ++r) levels[network.levels()[r]].push_back(r);
  for (const auto& [level, routers] : levels) {
    line("  {{ rank=same;");
    for (const std::uint32_t r : routers) line(" r{};", r);
    line(" }}\n");
  }
  for (const TerminalId t : network.terminals()) {
    line("  t{} [kind=terminal, shape=circle, label=\"{}\"", t.value, escaped(network.terminal_name(t)));
    if (!labels.terminal_port_guid.empty()) line(", guid=\"0x{:016x}\"", network.terminal_port_guid(t));
    if (!labels.terminal_node_guid.empty()) line(", node_guid=\"0x{:016x}\"", network.terminal_node_guid(t));
    if (!labels.terminal_lid.empty()) line(", lid={}", network.terminal_lid(t));
    if (!labels.terminal_adapter_ports.empty()) line(", ports={}", network.terminal_adapter_ports(t));
    line("];\n");
  }
  const auto& services = labels.service_nodes;
  for (std::size_t i = 0; i < services.size(); ++i) {
    line(
        "  s{} [kind=service, shape=diamond, label=\"{}\", guid=\"0x{:016x}\", node_guid=\"0x{:016x}\", "
        "lid={}];\n",
        i, escaped(services[i].name), services[i].port_guid, services[i].node_guid, services[i].lid);
  }
  const auto rated = [](LinkRate rate) {
    return rate == 0 ? std::string() : fmt::format(", label=\"{}\"", link_rate_names()[rate]);
  };
  const auto timed = [](std::uint32_t latency, std::uint32_t back) {
    std::string text;
    if (latency != 0 || back != 0) text += fmt::format(", latency={}", latency);
    if (latency != back) text += fmt::format(", latency_back={}", back);
    return text;
  };
  const auto wide = [](std::uint32_t capacity, std::uint32_t back) {
    std::string text;
    if (capacity != 0) text += fmt::format(", capacity={}", gigabits_text(capacity));
    if (capacity != back) text += fmt::format(", capacity_back={}", gigabits_text(back));
    return text;
  };
  for (const ChannelId c : network.channels()) {
    if (!directed && network.reverse(c) < c) continue;
    // An arc is one direction, an edge both.
    const ChannelId back = directed ? c : network.reverse(c);
    line("  r{} {} r{} [taillabel=\"{}\", headlabel=\"{}\"{}{}{}];\n", network.source(c).value, arrow,
         network.target(c).value, network.source_port(c), network.target_port(c),
         rated(network.channel_rate(c)), timed(network.channel_latency(c), network.channel_latency(back)),
         wide(network.channel_capacity(c), network.channel_capacity(back)));
  }
  for (const TerminalId t : network.terminals()) {
    line("  r{} {} t{} [taillabel=\"{}\"", network.router_of(t).value, arrow, t.value,
         network.terminal_port(t));
    if (!labels.terminal_adapter_port.empty()) line(", headlabel=\"{}\"", network.terminal_adapter_port(t));
    line("{}{}{}{}];\n", rated(network.terminal_rate(t)),
         timed(network.terminal_latency(t), network.terminal_latency(t)),
         wide(network.terminal_capacity(t), network.terminal_capacity(t)), both);
  }
  for (std::size_t i = 0; i < services.size(); ++i) {
    line("  r{} {} s{} [taillabel=\"{}\"{}{}];\n", services[i].router.value, arrow, i,
         services[i].router_port, rated(services[i].rate), both);
  }
  line("}}\n");
  return fmt::to_string(out);
}

}  // namespace unknot
