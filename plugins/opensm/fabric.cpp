// SPDX-License-Identifier: Apache-2.0
#include "fabric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <new>

unsigned unknot_fabric::highest_lid() const {
  unsigned highest = 0;
  for (const Switch& s : switches) highest = std::max(highest, s.lid + s.lids - 1U);
  for (const Adapter& a : adapters) highest = std::max(highest, a.lid + a.lids - 1U);
  return highest;
}

namespace unknot::opensm {

std::string name_of(const unknot_fabric::Switch& s) {
  return fmt::format("switch '{}' (0x{:016x})", s.name, s.guid);
}

std::string name_of(const unknot_fabric::Adapter& a) {
  return fmt::format("adapter '{}' (port 0x{:016x})", a.name, a.port_guid);
}

bool is_aggregation_node(const unknot_fabric::Adapter& a) {
  return a.name.find("Aggregation Node") != std::string::npos;
}

void copy_text(std::string_view from, char* to, std::size_t size) {
  const std::size_t length = std::min(from.size(), size - 1);
  std::memcpy(to, from.data(), length);
  to[length] = '\0';
}

}  // namespace unknot::opensm

extern "C" {

unknot_fabric* unknot_fabric_new(void) {
  return new (std::nothrow) unknot_fabric;
}

void unknot_fabric_free(unknot_fabric* fabric) {
  delete fabric;
}

int unknot_fabric_add_switch(unknot_fabric* fabric, std::uint64_t guid, const char* name, std::uint16_t lid,
                             std::uint16_t lids, std::uint8_t ports) try {
  unknot_fabric::Switch s;
  s.guid = guid;
  s.name = name;
  s.lid = lid;
  s.lids = lids;
  s.ports.resize(ports + 1U);
  fabric->switches.push_back(std::move(s));
  return static_cast<int>(fabric->switches.size() - 1);
} catch (const std::exception&) {
  return -1;
}

int unknot_fabric_add_adapter(unknot_fabric* fabric, std::uint64_t node_guid, std::uint64_t port_guid,
                              const char* name, std::uint16_t lid, std::uint16_t lids) try {
  unknot_fabric::Adapter a;
  a.node_guid = node_guid;
  a.port_guid = port_guid;
  a.name = name;
  a.lid = lid;
  a.lids = lids;
  a.at_switch = unknot_fabric::kNowhere;
  fabric->adapters.push_back(std::move(a));
  return static_cast<int>(fabric->adapters.size() - 1);
} catch (const std::exception&) {
  return -1;
}

int unknot_fabric_link_switch(unknot_fabric* fabric, int from, std::uint8_t port, int to,
                              std::uint8_t to_port, std::uint8_t lanes) {
  auto& ports = fabric->switches[static_cast<std::size_t>(from)].ports;
  if (port >= ports.size() || to_port >= fabric->switches[static_cast<std::size_t>(to)].ports.size())
    return -1;
  ports[port] = {static_cast<std::uint32_t>(to), unknot_fabric::Peer::node, to_port, lanes};
  return 0;
}

int unknot_fabric_link_adapter(unknot_fabric* fabric, int from, std::uint8_t port, int adapter) {
  auto& ports = fabric->switches[static_cast<std::size_t>(from)].ports;
  if (port >= ports.size()) return -1;
  ports[port] = {static_cast<std::uint32_t>(adapter), unknot_fabric::Peer::adapter, 0, 0};
  auto& a = fabric->adapters[static_cast<std::size_t>(adapter)];
  a.at_switch = static_cast<std::uint32_t>(from);
  a.at_port = port;
  return 0;
}

}  // extern "C"
