// SPDX-License-Identifier: Apache-2.0
#include "formats/table_samples.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <deque>
#include <map>
#include <set>

#include "unknot/formats/text/line_scanner.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/random.hpp"

namespace unknot::test {

ScratchFolder::ScratchFolder() {
  static std::atomic<int> count{0};
  path_ = std::filesystem::temp_directory_path() / fmt::format("unknot-{}-{}", ::getpid(), count++);
  std::filesystem::create_directories(path_);
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string ScratchFolder::put(const std::string& name, std::string_view content) const {
  write_file(file(name), content);
  return file(name);
}

bool comes_back(const TableFormat& format, const Network& network) {
  if (format.name == "garnet" || format.name == "constellation" || format.name == "csv-folder") return false;
  if (format.name != "csv") return true;
  std::set<std::string> routers;
  std::set<std::string> terminals;
  for (const RouterId r : network.routers()) routers.insert(network.router_name(r));
  for (const TerminalId t : network.terminals()) terminals.insert(network.terminal_name(t));
  return routers.size() == network.router_count() && terminals.size() == network.terminal_count();
}

Network small_fabric() {
  NetworkBuilder builder;
  builder.add_routers(3);
  const RouterId leaf1(0);
  const RouterId leaf2(1);
  const RouterId spine(2);
  builder.add_cable(leaf1, 5, spine, 1);
  builder.add_cable(leaf1, 6, spine, 2);
  builder.add_cable(leaf2, 5, spine, 3);
  builder.add_cable(leaf2, 6, spine, 4);
  builder.add_terminal(leaf1, 1);
  builder.add_terminal(leaf1, 2);
  builder.add_terminal(leaf2, 1);
  builder.add_terminal(leaf2, 2);
  Labels& labels = builder.labels();
  labels.router_name = {"leaf1", "leaf2", "spine"};
  labels.router_guid = {0xa1, 0xa2, 0xa3};
  labels.router_lid = {1, 2, 3};
  labels.router_ports = {8, 8, 8};
  labels.terminal_name = {"n1", "n2 'odd' portguid 0xbad", "n3", "n3"};
  labels.terminal_node_guid = {0xb10, 0xb20, 0xb30, 0xb30};
  labels.terminal_port_guid = {0xb11, 0xb21, 0xb31, 0xb32};
  labels.terminal_lid = {11, 12, 13, 14};
  labels.terminal_adapter_port = {1, 1, 1, 2};
  labels.terminal_adapter_ports = {1, 1, 2, 2};
  ServiceNode aggregation;
  aggregation.router = spine;
  aggregation.router_port = 8;
  aggregation.node_guid = 0xc0;
  aggregation.port_guid = 0xc1;
  aggregation.lid = 20;
  aggregation.name = "Aggregation Node";
  labels.service_nodes.push_back(aggregation);
  return std::move(builder).build();
}

std::vector<RoutedSample> samples() {
  std::vector<RoutedSample> all;
  all.push_back({"small fabric", small_fabric()});
  {
    NetworkBuilder b;  // one router, nothing to route
    b.add_router();
    b.add_terminal(RouterId(0));
    b.add_terminal(RouterId(0));
    all.push_back({"lone router", std::move(b).build()});
  }
  {
    NetworkBuilder b;
    b.add_routers(7);
    for (std::uint32_t i = 0; i < 7; ++i) b.add_channel(RouterId(i), RouterId((i + 1) % 7));
    for (std::uint32_t i = 0; i < 7; ++i) b.add_terminal(RouterId(i));
    all.push_back({"one-way ring", std::move(b).build()});
  }
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Random random(seed);
    NetworkBuilder b;
    const std::uint32_t routers = 5 + random.below(12);
    b.add_routers(routers);
    for (std::uint32_t i = 1; i < routers; ++i) b.add_cable(RouterId(random.below(i)), RouterId(i));
    for (std::uint32_t i = 0; i < 2 * routers; ++i) {
      const RouterId x(random.below(routers));
      const RouterId y(random.below(routers));
      if (x != y) b.add_cable(x, y);
    }
    for (std::uint32_t i = 0; i < 2 * routers; ++i) b.add_terminal(RouterId(random.below(routers)));
    all.push_back({fmt::format("random multigraph {}", seed), std::move(b).build()});
  }
  {
    NetworkBuilder b;  // two bytes an entry
    b.add_routers(2);
    for (std::uint32_t i = 0; i < 300; ++i) b.add_cable(RouterId(0), RouterId(1));
    b.add_terminal(RouterId(0));
    b.add_terminal(RouterId(1));
    all.push_back({"300 parallel cables", std::move(b).build()});
  }
  return all;
}

Network read_plain_net(const std::string& path) {
  const std::string text = read_file(path);
  struct Node {
    bool is_switch;
    std::string id;
    std::uint32_t ports;
    std::vector<std::tuple<std::uint16_t, std::string, std::uint16_t>> links;
  };
  std::vector<Node> nodes;
  LineScanner scanner(text, path);
  while (scanner.advance()) {
    const std::string line(scanner.line());
    char kind[16] = "";
    char id[128] = "";
    unsigned port = 0;
    unsigned peer = 0;
    if (std::sscanf(line.c_str(), "[%u] \"%127[^\"]\"[%u]", &port, id, &peer) == 3) {
      nodes.back().links.emplace_back(port, id, peer);
    } else if (std::sscanf(line.c_str(), "%15s %u \"%127[^\"]\"", kind, &port, id) == 3) {
      nodes.push_back({std::string(kind) == "Switch", id, port, {}});
    }
  }
  NetworkBuilder builder;
  std::map<std::string, RouterId> routers;
  std::uint64_t switch_guid = 0x200000;
  std::uint64_t adapter_guid = 0x100000;
  Labels& labels = builder.labels();
  for (const Node& node : nodes) {
    if (!node.is_switch) continue;
    routers[node.id] = builder.add_router();
    labels.router_name.push_back(node.id);
    labels.router_guid.push_back(switch_guid++);
    labels.router_ports.push_back(static_cast<std::uint16_t>(node.ports));
  }
  for (const Node& node : nodes) {
    if (!node.is_switch) {
      const auto& [port, peer, peer_port] = node.links.at(0);
      builder.add_terminal(routers.at(peer), peer_port);
      labels.terminal_name.push_back(node.id);
      labels.terminal_node_guid.push_back(adapter_guid);
      labels.terminal_port_guid.push_back(adapter_guid + port);
      adapter_guid += node.ports + 1;
      continue;
    }
    for (const auto& [port, peer, peer_port] : node.links) {
      if (!routers.contains(peer) || std::pair(peer, peer_port) < std::pair(node.id, port)) continue;
      builder.add_cable(routers.at(node.id), port, routers.at(peer), peer_port);
    }
  }
  return std::move(builder).build();
}

Routing some_routing(const Network& network, ServiceLevels::Rows rows, std::uint32_t lanes,
                     std::uint64_t seed) {
  Routing routing;
  routing.engine = "some \"paths\"";
  routing.virtual_lanes = lanes;
  routing.lanes_needed = lanes;
  routing.paths = ForwardingTable(network);
  Random random(seed);
  for (const TerminalId t : network.terminals()) {
    std::deque<RouterId> queue{network.router_of(t)};
    while (!queue.empty()) {
      const RouterId at = queue.front();
      queue.pop_front();
      std::vector<ChannelId> in(network.in(at).begin(), network.in(at).end());
      random.shuffle(in);
      for (const ChannelId c : in) {
        const RouterId from = network.source(c);
        if (routing.table().get(from, t) != ForwardingTable::kNone) continue;
        routing.table().set(from, t, c.value - network.out(from).first());
        queue.push_back(from);
      }
    }
  }
  routing.service_levels = ServiceLevels(network, rows);
  for (std::uint32_t i = 0; i < routing.service_levels.row_count(); ++i) {
    for (std::uint8_t& level : routing.service_levels.row(i)) {
      level = static_cast<std::uint8_t>(random.below(lanes));
    }
  }
  return routing;
}

LaneMap some_lane_map(const Network& network, std::uint64_t seed) {
  LaneMap map(network, 8);
  Random random(seed);
  for (const RouterId r : network.routers()) {
    for (std::uint16_t in = 0; in <= network.port_count(r); ++in) {
      for (std::uint16_t out = 1; out <= network.port_count(r); ++out) {
        if (random.below(3) == 0) continue;
        LaneMap::Row row{};
        for (std::uint8_t& lane : row) lane = static_cast<std::uint8_t>(random.below(16));
        map.set(r, in, out, row);
      }
    }
  }
  return map;
}

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace unknot::test
