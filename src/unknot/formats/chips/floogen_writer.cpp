// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "unknot/formats/chips/chip_names.hpp"
#include "unknot/formats/chips/floogen.hpp"
#include "unknot/formats/draft/fabric_text.hpp"
#include "unknot/support/files/append.hpp"

namespace unknot {
namespace {

constexpr std::string_view kProtocols = R"(
routing:
  route_algo: "ID"
  use_id_table: true

protocols:
  - name: "axi_in"
    protocol: "AXI4"
    data_width: 64
    addr_width: 48
    id_width: 4
    user_width: 1
    type_prefix:
  - name: "axi_out"
    protocol: "AXI4"
    data_width: 64
    addr_width: 48
    id_width: 2
    user_width: 1
    type_prefix:

)";

constexpr std::uint64_t kAddresses = 0x10000;  // of one endpoint

}  // namespace

std::string write_floogen(const Network& network) {
  require_cables(network, "FlooGen's YAML");
  require_single_cables(network, "FlooGen's YAML");
  const ChipNames names = chip_names(network);
  fmt::memory_buffer out;
  append(out, "# {} for FlooGen: {} routers, {} endpoints. Protocols and addresses are stand-ins.\n",
         as_utf8(network.description()), network.router_count(), network.terminal_count());
  out.append(std::string_view("name: unknot\ndescription: \"a network of Unknot\"\nnetwork_type: \"axi\"\n"));
  out.append(kProtocols);
  out.append(std::string_view("endpoints:"));
  if (network.terminal_count() == 0) out.append(std::string_view(" []"));
  for (const TerminalId t : network.terminals()) {
    append(
        out,
        "\n  - name: \"{}\"\n    addr_range:\n      start: 0x{:x}\n      end: 0x{:x}\n    mgr_port_protocol: "
        "[\"axi_in\"]\n    sbr_port_protocol: [\"axi_out\"]",
        names.terminals[t.value], kAddresses * t.value, kAddresses * (std::uint64_t{t.value} + 1));
  }
  out.append(std::string_view("\n\nrouters:\n"));
  for (const RouterId r : network.routers()) {
    append(out, "  - name: \"{}\"\n    degree: {}\n", names.routers[r.value],
           std::max<std::uint16_t>(network.port_count(r), 1));
  }
  out.append(std::string_view("\nconnections:\n"));
  for (const RouterId r : network.routers()) {
    for (const TerminalId t : network.terminals_at(r)) {
      append(out, "  - {{src: \"{}\", dst: \"{}\", dst_dir: {}}}\n", names.terminals[t.value],
             names.routers[r.value], network.terminal_port(t) - 1);
    }
    for (const ChannelId c : network.out(r)) {
      const RouterId to = network.target(c);
      if (to < r) continue;
      append(out, "  - {{src: \"{}\", dst: \"{}\", src_dir: {}, dst_dir: {}}}\n", names.routers[r.value],
             names.routers[to.value], network.source_port(c) - 1, network.target_port(c) - 1);
    }
  }
  return fmt::to_string(out);
}

}  // namespace unknot
