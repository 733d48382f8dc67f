// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <utility>

#include "unknot/formats/draft/fabric_text.hpp"
#include "unknot/formats/graph/graph_text.hpp"
#include "unknot/network/stated_links.hpp"
#include "unknot/support/files/append.hpp"

namespace unknot {
namespace {

std::string escaped(const std::string& name) {
  std::string text;
  for (const char c : as_utf8(name)) {
    switch (c) {
      case '&':
        text += "&amp;";
        break;
      case '<':
        text += "&lt;";
        break;
      case '>':
        text += "&gt;";
        break;
      case '"':
        text += "&quot;";
        break;
      default:
        text += c;
    }
  }
  return text;
}

class Writer {
 public:
  explicit Writer(const Network& network) : net_(network) {}

  std::string run() {
    line(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml "
        "xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n");
    for (const auto& [name, type] :
         {std::pair("kind", "string"), std::pair("name", "string"), std::pair("guid", "string"),
          std::pair("node_guid", "string"), std::pair("lid", "long"), std::pair("level", "long"),
          std::pair("ports", "int")}) {
      line("  <key id=\"{0}\" for=\"node\" attr.name=\"{0}\" attr.type=\"{1}\"/>\n", name, type);
    }
    for (const auto& [name, type] :
         {std::pair("source_port", "int"), std::pair("target_port", "int"), std::pair("rate", "string")}) {
      line("  <key id=\"{0}\" for=\"edge\" attr.name=\"{0}\" attr.type=\"{1}\"/>\n", name, type);
    }
    if (stated_latencies(net_).any()) {
      for (const char* name : {"latency", "latency_back"})
        line("  <key id=\"{0}\" for=\"edge\" attr.name=\"{0}\" attr.type=\"long\"/>\n", name);
    }
    if (stated_capacities(net_).any()) {
      for (const char* name : {"capacity", "capacity_back"})
        line("  <key id=\"{0}\" for=\"edge\" attr.name=\"{0}\" attr.type=\"double\"/>\n", name);
    }
    line("  <graph id=\"{}\" edgedefault=\"undirected\">\n", escaped(net_.description()));
    write_nodes();
    write_edges();
    line("  </graph>\n</graphml>\n");
    return fmt::to_string(out_);
  }

 private:
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    append(out_, format, std::forward<Args>(args)...);
  }

  /// `more`: attributes that only some networks have.
  void node(char letter, std::uint32_t id, const char* kind, const std::string& name, std::uint64_t guid,
            std::uint32_t lid, const std::string& more) {
    line(
        "    <node id=\"{}{}\"><data key=\"kind\">{}</data><data key=\"name\">{}</data>"
        "<data key=\"guid\">0x{:016x}</data><data key=\"lid\">{}</data>{}</node>\n",
        letter, id, kind, escaped(name), guid, lid, more);
  }
  static std::string ports(std::uint16_t count) {
    return fmt::format("<data key=\"ports\">{}</data>", count);
  }
  static std::string node_guid(std::uint64_t guid) {
    return fmt::format("<data key=\"node_guid\">0x{:016x}</data>", guid);
  }

  void edge(std::uint32_t router, char letter, std::uint32_t other, std::uint32_t port,
            std::uint32_t other_port, LinkRate rate, bool one_way, std::uint32_t latency = 0,
            std::uint32_t latency_back = 0, std::uint32_t capacity = 0, std::uint32_t capacity_back = 0) {
    line(
        "    <edge source=\"r{}\" target=\"{}{}\"{}><data key=\"source_port\">{}</data>"
        "<data key=\"target_port\">{}</data>",
        router, letter, other, one_way ? " directed=\"true\"" : "", port, other_port);
    if (rate != 0) line("<data key=\"rate\">{}</data>", link_rate_names()[rate]);
    if (latency != 0 || latency_back != 0) line("<data key=\"latency\">{}</data>", latency);
    if (latency != latency_back && !one_way) line("<data key=\"latency_back\">{}</data>", latency_back);
    if (capacity != 0) line("<data key=\"capacity\">{}</data>", gigabits_text(capacity));
    if (capacity != capacity_back && !one_way)
      line("<data key=\"capacity_back\">{}</data>", gigabits_text(capacity_back));
    line("</edge>\n");
  }

  void write_nodes() {
    const Labels& labels = net_.labels();
    for (const RouterId r : net_.routers()) {
      std::string more;
      if (!net_.levels().empty())
        more += fmt::format("<data key=\"level\">{}</data>", net_.levels()[r.value]);
      if (!labels.router_ports.empty()) more += ports(net_.port_count(r));
      node('r', r.value, "router", net_.router_name(r), net_.router_guid(r), net_.router_lid(r), more);
    }
    for (const TerminalId t : net_.terminals()) {
      std::string more;
      if (!labels.terminal_node_guid.empty()) more += node_guid(net_.terminal_node_guid(t));
      if (!labels.terminal_adapter_ports.empty()) more += ports(net_.terminal_adapter_ports(t));
      node('t', t.value, "terminal", net_.terminal_name(t), net_.terminal_port_guid(t), net_.terminal_lid(t),
           more);
    }
    for (std::uint32_t i = 0; i < labels.service_nodes.size(); ++i) {
      const ServiceNode& service = labels.service_nodes[i];
      node('s', i, "service", service.name, service.port_guid, service.lid, node_guid(service.node_guid));
    }
  }

  void write_edges() {
    for (const ChannelId c : net_.channels()) {
      const bool one_way = !net_.reverse(c).valid();
      if (!one_way && net_.reverse(c) < c) continue;
      edge(net_.source(c).value, 'r', net_.target(c).value, net_.source_port(c), net_.target_port(c),
           net_.channel_rate(c), one_way, net_.channel_latency(c),
           one_way ? 0 : net_.channel_latency(net_.reverse(c)), net_.channel_capacity(c),
           one_way ? 0 : net_.channel_capacity(net_.reverse(c)));
    }
    for (const TerminalId t : net_.terminals()) {
      edge(net_.router_of(t).value, 't', t.value, net_.terminal_port(t), net_.terminal_adapter_port(t),
           net_.terminal_rate(t), false, net_.terminal_latency(t), net_.terminal_latency(t),
           net_.terminal_capacity(t), net_.terminal_capacity(t));
    }
    const auto& services = net_.labels().service_nodes;
    for (std::uint32_t i = 0; i < services.size(); ++i) {
      edge(services[i].router.value, 's', i, services[i].router_port, 1, services[i].rate, false);
    }
  }

  const Network& net_;
  fmt::memory_buffer out_;
};

}  // namespace

std::string write_graphml(const Network& network) {
  return Writer(network).run();
}

}  // namespace unknot
