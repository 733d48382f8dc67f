// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/draft/fabric_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

#include "unknot/support/error.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {
namespace {

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

/// Length of the UTF-8 character at the start of `text`, or 0 when there is none (RFC 3629).
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
  }
  const unsigned second = byte(1);
  const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool outside = (first == 0xED && second > 0x9F) || (first == 0xF4 && second > 0x8F);
  return overlong || outside ? 0 : length;
}

void check_ports(const Adapter& adapter) {
  for (std::size_t i = 0; i < adapter.ports.size(); ++i) {
    const std::uint16_t number = adapter.ports[i].number;
    if (number == 0 || number > adapter.port_count || (i > 0 && number == adapter.ports[i - 1].number)) {
      throw InputError(
          fmt::format("the terminals with the node GUID 0x{:016x} (\"{}\") are no ports of one adapter: "
                      "port {} of {}",
                      adapter.guid, shown(adapter.name), number, adapter.port_count));
    }
  }
}

}  // namespace

std::vector<std::vector<std::uint32_t>> service_nodes_by_router(const Network& network) {
  std::vector<std::vector<std::uint32_t>> rows(network.router_count());
  const auto& nodes = network.labels().service_nodes;
  for (std::uint32_t i = 0; i < nodes.size(); ++i) rows[nodes[i].router.value].push_back(i);
  return rows;
}

std::vector<PortUse> ports_in_use(const Network& network, RouterId router,
                                  const std::vector<std::uint32_t>& service_nodes) {
  std::vector<PortUse> uses;
  for (const ChannelId c : network.out(router)) {
    uses.push_back({network.source_port(c), PortUse::Kind::cable, c.value});
  }
  for (const TerminalId t : network.terminals_at(router)) {
    uses.push_back({network.terminal_port(t), PortUse::Kind::terminal, t.value});
  }
  for (const std::uint32_t i : service_nodes) {
    uses.push_back({network.labels().service_nodes[i].router_port, PortUse::Kind::service, i});
  }
  std::sort(uses.begin(), uses.end(), [](const PortUse& x, const PortUse& y) { return x.port < y.port; });
  return uses;
}

Adapters adapters_of(const Network& network) {
  struct Item {
    std::uint64_t guid;
    std::uint32_t position;  // in the order of routers and their ports, terminals first
    std::uint32_t index;
    bool service;
  };
  const auto& service_nodes = network.labels().service_nodes;
  std::vector<Item> items;
  items.reserve(network.terminal_count() + service_nodes.size());
  for (const TerminalId t : network.terminals())
    items.push_back({network.terminal_node_guid(t), 0, t.value, false});
  for (std::uint32_t i = 0; i < service_nodes.size(); ++i) {
    if (service_nodes[i].node_guid == 0) {
      throw InputError(fmt::format("service node \"{}\" has no GUID", shown(service_nodes[i].name)));
    }
    items.push_back({service_nodes[i].node_guid, 0, i, true});
  }
  const auto place = [&](const Item& item) {
    if (item.service)
      return std::tuple(true, service_nodes[item.index].router, service_nodes[item.index].router_port);
    const TerminalId t(item.index);
    return std::tuple(false, network.router_of(t), network.terminal_port(t));
  };
  std::sort(items.begin(), items.end(), [&](const Item& x, const Item& y) { return place(x) < place(y); });
  for (std::uint32_t i = 0; i < items.size(); ++i) items[i].position = i;
  std::sort(items.begin(), items.end(), [](const Item& x, const Item& y) {
    return std::tie(x.guid, x.position) < std::tie(y.guid, y.position);
  });
  // The first port of each adapter gives the adapter its place.
  std::vector<std::uint32_t> leader(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    const bool same = i > 0 && items[i].guid == items[i - 1].guid;
    leader[items[i].position] = same ? leader[items[i - 1].position] : items[i].position;
  }
  std::sort(items.begin(), items.end(), [](const Item& x, const Item& y) { return x.position < y.position; });

  Adapters adapters;
  adapters.of_terminal.resize(network.terminal_count());
  adapters.port_of_service.resize(service_nodes.size());
  std::vector<std::uint32_t> index_of(items.size());
  std::vector<bool> service;
  for (const Item& item : items) {
    const std::uint32_t first = leader[item.position];
    if (first == item.position) {
      index_of[first] = static_cast<std::uint32_t>(adapters.all.size());
      service.push_back(item.service);
      Adapter adapter;
      adapter.guid = item.guid;
      const TerminalId t(item.index);
      adapter.name = item.service ? service_nodes[item.index].name : network.terminal_name(t);
      adapter.port_count = item.service ? std::uint16_t{1} : network.terminal_adapter_ports(t);
      adapters.all.push_back(std::move(adapter));
    }
    Adapter& adapter = adapters.all[index_of[first]];
    if (service[index_of[first]] != item.service) {
      throw InputError(fmt::format("a terminal and a service node have the same GUID 0x{:016x}", item.guid));
    }
    if (item.service) {
      const ServiceNode& node = service_nodes[item.index];
      const auto number = static_cast<std::uint16_t>(adapter.ports.size() + 1);
      adapter.port_count = number;
      adapters.port_of_service[item.index] = number;
      adapter.ports.push_back({number, node.port_guid, node.lid, node.rate, node.router, node.router_port});
    } else {
      const TerminalId t(item.index);
      adapters.of_terminal[item.index] = index_of[first];
      adapter.ports.push_back({network.terminal_adapter_port(t), network.terminal_port_guid(t),
                               network.terminal_lid(t), network.terminal_rate(t), network.router_of(t),
                               network.terminal_port(t)});
    }
  }
  for (Adapter& adapter : adapters.all) {
    std::sort(adapter.ports.begin(), adapter.ports.end(),
              [](const Adapter::Port& x, const Adapter::Port& y) { return x.number < y.number; });
    check_ports(adapter);
  }
  return adapters;
}

void require_cables(const Network& network, std::string_view format) {
  for (const ChannelId c : network.channels()) {
    if (network.reverse(c).valid()) continue;
    throw InputError(fmt::format("{} cannot hold one-way links such as {}", format, network.channel_name(c)));
  }
}

std::string one_line(std::string_view name) {
  std::string text(name);
  std::replace_if(text.begin(), text.end(), is_control, ' ');
  return text;
}

std::string as_utf8(std::string_view name) {
  std::string text;
  while (!name.empty()) {
    const std::size_t length = utf8_length(name);
    if (length == 0 || is_control(name[0])) {
      text += length == 0 ? '?' : ' ';
      name.remove_prefix(1);
    } else {
      text += name.substr(0, length);
      name.remove_prefix(length);
    }
  }
  return text;
}

}  // namespace unknot
