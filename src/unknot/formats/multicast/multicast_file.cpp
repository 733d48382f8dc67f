// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/multicast/multicast_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "unknot/support/error.hpp"
#include "unknot/support/files/append.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot {

MulticastTables read_multicast_tables(const Network& network, const std::string& path) {
  const std::string text = read_file(path);
  // Comments of any length may come first.
  if (recognises_mft_dump(text)) return read_mft_dump(network, text, path);
  if (recognises_mcfdbs(text)) return read_mcfdbs(network, text, path);
  throw InputError(
      fmt::format("{}: no multicast tables: expected a line 'Switch 0x<guid>' (opensm.mcfdbs) or "
                  "'Multicast mlids ...' (dump_mfts, ibroute -M)",
                  path));
}

void write_multicast_tables(const Network& network, const MulticastTables& tables, const std::string& path) {
  constexpr std::uint16_t kLastPort = 254;
  std::string text;
  for (const MulticastGroup& group : tables.groups) {
    if (group.level() != 0) append(text, "# 0x{:04X} sl={}\n", group.lid(), group.level());
  }
  for (const RouterId r : network.routers()) {
    std::string rows;
    for (const MulticastGroup& group : tables.groups) {
      const auto ports = group.ports(r);
      if (ports.empty()) continue;
      if (ports.back() > kLastPort) {
        throw InputError(fmt::format("{}: InfiniBand has ports up to {}, {} sends by port {}", path,
                                     kLastPort, network.router_name(r), ports.back()));
      }
      append(rows, "0x{:04X} :", group.lid());
      for (const std::uint16_t port : ports) append(rows, " 0x{:03x} ", port);
      rows += '\n';
    }
    if (!rows.empty())
      append(text, "\nSwitch 0x{:016x}\nLID    : Out Port(s)\n{}", network.router_guid(r), rows);
  }
  write_file(path, text);
}

}  // namespace unknot
