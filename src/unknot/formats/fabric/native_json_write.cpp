// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "unknot/formats/fabric/native_json.hpp"
#include "unknot/support/files/append.hpp"

namespace unknot {
namespace {

/// Writes members one after another. A list has one item a line where items are rows, else it is one line.
class Writer {
 public:
  explicit Writer(const Network& network) : net_(network) {}

  std::string run() {
    text("{\n  \"format\": \"unknot-network\",\n  \"version\": 1");
    member("description", quoted(net_.description()));
    member("routers", fmt::format("{}", net_.router_count()));
    write_links();
    rows("terminals", net_.terminal_count(), [this](std::uint32_t i) {
      const TerminalId t(i);
      return fmt::format("[{}, {}]", net_.router_of(t).value, net_.terminal_port(t));
    });
    write_places();
    write_labels();
    text("\n}\n");
    return fmt::to_string(out_);
  }

 private:
  void text(std::string_view piece) { out_.append(piece.data(), piece.data() + piece.size()); }
  void member(std::string_view name, std::string_view value) { append(out_, ",\n  \"{}\": {}", name, value); }
  static std::string quoted(const std::string& name) {
    return nlohmann::json(name).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
  static std::string hex(std::uint64_t guid) { return fmt::format("\"0x{:016x}\"", guid); }
  static std::string rate(LinkRate rate) { return fmt::format("\"{}\"", link_rate_names()[rate]); }

  template <class Row>
  void rows(std::string_view name, std::size_t count, const Row& row) {
    append(out_, ",\n  \"{}\": [", name);
    for (std::uint32_t i = 0; i < count; ++i) {
      text(i == 0 ? "\n    " : ",\n    ");
      text(row(i));
    }
    text(count == 0 ? "]" : "\n  ]");
  }

  /// A label that every entity has, or none.
  template <class T, class Item>
  void label(std::string_view name, const std::vector<T>& values, const Item& item) {
    if (values.empty()) return;
    append(out_, ",\n  \"{}\": [", name);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i != 0) text(i % 8 == 0 ? ",\n    " : ", ");
      text(item(values[i]));
    }
    text("]");
  }

  std::string link_row(ChannelId c) const {
    const LinkRate r = net_.channel_rate(c);
    return fmt::format("[{}, {}, {}, {}{}]", net_.source(c).value, net_.source_port(c), net_.target(c).value,
                       net_.target_port(c), r == 0 ? std::string() : ", " + rate(r));
  }

  void write_links() {
    std::vector<ChannelId> cables;
    std::vector<ChannelId> arcs;
    for (const ChannelId c : net_.channels()) {
      if (!net_.reverse(c).valid()) {
        arcs.push_back(c);
      } else if (c < net_.reverse(c)) {
        cables.push_back(c);
      }
    }
    rows("cables", cables.size(), [&](std::uint32_t i) { return link_row(cables[i]); });
    if (!arcs.empty()) rows("one_way", arcs.size(), [&](std::uint32_t i) { return link_row(arcs[i]); });
    both_ways("latency", net_.labels().channel_latency, cables, arcs,
              [](std::uint32_t cycles) { return fmt::format("{}", cycles); });
    both_ways("capacity", net_.labels().channel_capacity, cables, arcs, gigabits_text);
  }

  /// Numbers by channel, a pair for each cable.
  template <class Item>
  void both_ways(const std::string& what, const std::vector<std::uint32_t>& numbers,
                 const std::vector<ChannelId>& cables, const std::vector<ChannelId>& arcs, const Item& item) {
    if (numbers.empty()) return;
    label("cable_" + what, cables, [&](ChannelId c) {
      return fmt::format("[{}, {}]", item(numbers[c.value]), item(numbers[net_.reverse(c).value]));
    });
    label("one_way_" + what, arcs, [&](ChannelId c) { return item(numbers[c.value]); });
  }

  void write_places() {
    const auto number = [](std::uint32_t value) { return fmt::format("{}", value); };
    const std::span<const std::uint32_t> levels = net_.levels();
    label("levels", std::vector<std::uint32_t>(levels.begin(), levels.end()), number);
    const Coordinates* coordinates = net_.coordinates();
    if (coordinates == nullptr) return;
    member("coordinates", fmt::format("{{\"extent\": [{}], \"wraps\": {}, \"values\": [",
                                      fmt::join(coordinates->extent, ", "), coordinates->wraps));
    for (std::size_t i = 0; i < coordinates->value.size(); ++i) {
      if (i != 0) text(i % 16 == 0 ? ",\n    " : ", ");
      text(number(coordinates->value[i]));
    }
    text("]}");
  }

  void write_labels() {
    const Labels& labels = net_.labels();
    const auto number = [](std::uint32_t value) { return fmt::format("{}", value); };
    const auto name = [](const std::string& value) { return quoted(value); };
    label("router_name", labels.router_name, name);
    label("router_guid", labels.router_guid, hex);
    label("router_lid", labels.router_lid, number);
    label("router_ports", labels.router_ports, number);
    label("terminal_name", labels.terminal_name, name);
    label("terminal_node_guid", labels.terminal_node_guid, hex);
    label("terminal_port_guid", labels.terminal_port_guid, hex);
    label("terminal_lid", labels.terminal_lid, number);
    if (labels.lmc > 0) member("lmc", std::to_string(labels.lmc));
    label("terminal_adapter_port", labels.terminal_adapter_port, number);
    label("terminal_adapter_ports", labels.terminal_adapter_ports, number);
    label("terminal_rate", labels.terminal_rate, rate);
    label("terminal_latency", labels.terminal_latency, number);
    label("terminal_capacity", labels.terminal_capacity, gigabits_text);
    if (labels.service_nodes.empty()) return;
    rows("service_nodes", labels.service_nodes.size(), [&](std::uint32_t i) {
      const ServiceNode& node = labels.service_nodes[i];
      return fmt::format(
          R"({{"router": {}, "router_port": {}, "node_guid": {}, "port_guid": {}, "lid": {}, "rate": {}, "name": {}}})",
          node.router.value, node.router_port, hex(node.node_guid), hex(node.port_guid), node.lid,
          rate(node.rate), quoted(node.name));
    });
  }

  const Network& net_;
  fmt::memory_buffer out_;
};

}  // namespace

std::string write_native_json(const Network& network) {
  return Writer(network).run();
}

}  // namespace unknot
