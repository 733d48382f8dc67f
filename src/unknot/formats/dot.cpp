// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "unknot/formats/fabric_text.hpp"
#include "unknot/formats/graph_text.hpp"

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
    fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
  };
  bool directed = false;
  for (const ChannelId c : network.channels()) directed = directed || !network.reverse(c).valid();
  const char* const arrow = directed ? "->" : "--";
  // Graphviz draws an arc to a terminal both ways.
  const char* const both = directed ? ", dir=none" : "";

  line("{} \"{}\" {{\n", directed ? "digraph" : "graph", escaped(network.description()));
  for (const RouterId r : network.routers()) {
    line("  r{} [shape=box, label=\"{}\"];\n", r.value, escaped(network.router_name(r)));
  }
  std::map<std::uint32_t, std::vector<std::uint32_t>> levels;
  for (std::uint32_t r = 0; r < network.levels().size(); ++r) levels[network.levels()[r]].push_back(r);
  for (const auto& [level, routers] : levels) {
    line("  {{ rank=same;");
    for (const std::uint32_t r : routers) line(" r{};", r);
    line(" }}\n");
  }
  for (const TerminalId t : network.terminals()) {
    line("  t{} [shape=circle, label=\"{}\"];\n", t.value, escaped(network.terminal_name(t)));
  }
  const auto& services = network.labels().service_nodes;
  for (std::size_t i = 0; i < services.size(); ++i) {
    line("  s{} [shape=diamond, label=\"{}\"];\n", i, escaped(services[i].name));
  }
  for (const ChannelId c : network.channels()) {
    if (!directed && network.reverse(c) < c) continue;
    const LinkRate rate = network.channel_rate(c);
    line("  r{} {} r{} [taillabel=\"{}\", headlabel=\"{}\"{}];\n", network.source(c).value, arrow,
         network.target(c).value, network.source_port(c), network.target_port(c),
         rate == 0 ? std::string() : fmt::format(", label=\"{}\"", link_rate_names()[rate]));
  }
  for (const TerminalId t : network.terminals()) {
    line("  r{} {} t{} [taillabel=\"{}\"{}];\n", network.router_of(t).value, arrow, t.value,
         network.terminal_port(t), both);
  }
  for (std::size_t i = 0; i < services.size(); ++i) {
    line("  r{} {} s{} [taillabel=\"{}\"{}];\n", services[i].router.value, arrow, i, services[i].router_port,
         both);
  }
  line("}}\n");
  return fmt::to_string(out);
}

}  // namespace unknot
