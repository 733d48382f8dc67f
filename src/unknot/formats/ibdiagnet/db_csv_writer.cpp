// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "unknot/formats/draft/fabric_text.hpp"
#include "unknot/formats/ibdiagnet/db_csv.hpp"
#include "unknot/formats/ibdiagnet/link_codes.hpp"
#include "unknot/support/files/append.hpp"

namespace unknot {
namespace {

enum class NodeType : std::uint8_t { adapter = 1, router = 2 };
constexpr int kActive = 4;  // PortState

/// A name between quotes: a quote and a comma within it would end it.
std::string quotable(const std::string& name) {
  std::string text = one_line(name);
  for (std::size_t at = text.find("\","); at != std::string::npos; at = text.find("\",", at))
    text.insert(at + 1, 1, ' ');
  return text;
}

class DatabaseWriter {
 public:
  explicit DatabaseWriter(const Network& network)
      : net_(network), adapters_(adapters_of(network)), service_nodes_(service_nodes_by_router(network)) {}

  std::string run() {
    text_ =
        "# Made by unknot: the sections of ibdiagnet's database that tell a fabric, with the columns that it "
        "reads.\n";
    write_nodes();
    write_ports();
    write_links();
    return std::move(text_);
  }

 private:
  void node(const std::string& name, std::uint32_t ports, NodeType type, std::uint64_t guid,
            std::uint64_t port_guid) {
    append(text_, "\"{}\",{},{},0x{:016x},0x{:016x},0x{:016x}\n", quotable(name), ports,
           static_cast<int>(type), guid, guid, port_guid);
  }
  void write_nodes() {
    text_ += "START_NODES\nNodeDesc,NumPorts,NodeType,SystemImageGUID,NodeGUID,PortGUID\n";
    for (const RouterId r : net_.routers()) {
      node(net_.router_name(r), net_.port_count(r), NodeType::router, net_.router_guid(r),
           net_.router_guid(r));
    }
    for (const Adapter& adapter : adapters_.all)
      node(adapter.name, adapter.port_count, NodeType::adapter, adapter.guid, adapter.ports.front().guid);
    text_ += "END_NODES\n\n";
  }

  void port(std::uint64_t guid, std::uint64_t port_guid, std::uint32_t number, std::uint32_t lid,
            std::uint32_t lmc, LinkRate rate) {
    const LinkCodes codes = codes_of_rate(rate);
    append(text_, "0x{:016x},0x{:016x},{},{},{},{},{},{}\n", guid, port_guid, number, lid, codes.width,
           codes.speed, lmc, kActive);
  }
  void write_ports() {
    text_ += "START_PORTS\nNodeGuid,PortGuid,PortNum,LID,LinkWidthActv,LinkSpeedActv,LMC,PortState\n";
    for (const RouterId r : net_.routers()) {
      const std::uint64_t guid = net_.router_guid(r);
      port(guid, guid, 0, net_.router_lid(r), 0, 0);
      for (const PortUse& use : ports_in_use(net_, r, service_nodes_[r.value]))
        port(guid, guid, use.port, 0, 0, rate(use));
    }
    for (const Adapter& adapter : adapters_.all) {
      for (const Adapter::Port& one : adapter.ports)
        port(adapter.guid, one.guid, one.number, one.lid, net_.labels().lmc, one.rate);
    }
    text_ += "END_PORTS\n\n";
  }
  [[nodiscard]] LinkRate rate(const PortUse& use) const {
    switch (use.kind) {
      case PortUse::Kind::cable:
        return net_.channel_rate(ChannelId(use.index));
      case PortUse::Kind::terminal:
        return net_.terminal_rate(TerminalId(use.index));
      case PortUse::Kind::service:
        break;
    }
    return net_.labels().service_nodes[use.index].rate;
  }

  void write_links() {
    text_ += "START_LINKS\nNodeGuid1,PortNum1,NodeGuid2,PortNum2\n";
    for (const Adapter& adapter : adapters_.all) {
      for (const Adapter::Port& one : adapter.ports) {
        append(text_, "0x{:016x},{},0x{:016x},{}\n", adapter.guid, one.number, net_.router_guid(one.router),
               one.router_port);
      }
    }
    for (const ChannelId c : net_.channels()) {
      if (net_.reverse(c) < c) continue;  // each cable once
      append(text_, "0x{:016x},{},0x{:016x},{}\n", net_.router_guid(net_.source(c)), net_.source_port(c),
             net_.router_guid(net_.target(c)), net_.target_port(c));
    }
    text_ += "END_LINKS\n";
  }

  const Network& net_;
  Adapters adapters_;
  std::vector<std::vector<std::uint32_t>> service_nodes_;
  std::string text_;
};

}  // namespace

std::string write_db_csv(const Network& network) {
  require_cables(network, "ibdiagnet's database");
  return DatabaseWriter(network).run();
}

}  // namespace unknot
