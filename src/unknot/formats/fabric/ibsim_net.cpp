// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/fabric/ibsim_net.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "unknot/formats/draft/fabric_draft.hpp"
#include "unknot/formats/draft/fabric_text.hpp"
#include "unknot/formats/fabric/net_grammar.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/append.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kMaxPorts = 254;  // InfiniBand: port numbers are bytes, 255 means "all"
constexpr std::size_t kMaxName = 64;      // NodeDescription

class Writer {
 public:
  explicit Writer(const Network& network) : net_(network), adapters_(adapters_of(network)) {}

  std::string run() {
    line("# ibsim net: {} switches, {} adapters\n", net_.router_count(), adapters_.all.size());
    for (const Adapter& adapter : adapters_.all) write_adapter(adapter);
    const auto service_nodes = service_nodes_by_router(net_);
    for (const RouterId r : net_.routers()) write_router(r, service_nodes[r.value]);
    return fmt::to_string(out_);
  }

 private:
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    append(out_, format, std::forward<Args>(args)...);
  }

  static std::string checked_name(const std::string& name) {
    if (name.size() > kMaxName) {
      throw InputError(fmt::format("ibsim holds names of at most {} bytes: \"{}\"", kMaxName, shown(name)));
    }
    return one_line(name);
  }

  static void check_ports(std::uint32_t ports, const std::string& name) {
    if (ports <= kMaxPorts) return;
    throw InputError(
        fmt::format("ibsim holds devices of at most {} ports, \"{}\" has {}", kMaxPorts, shown(name), ports));
  }

  /// ibsim looks for options (letter, '=', value) and for quotes in the comment of a port line, too.
  static std::string port_comment_name(const std::string& name) {
    return name.find_first_of("=\"") == std::string::npos ? one_line(name) : std::string();
  }

  /// ibsim reads the rate back, where it knows it.
  static std::string rate_text(LinkRate rate) { return rate == 0 ? "" : " " + link_rate_names()[rate]; }

  void write_adapter(const Adapter& adapter) {
    check_ports(adapter.port_count, adapter.name);
    line("\ncaguid=0x{:x}\nHca\t{} \"H-{:016x}\"\t\t# \"{}\"\n", adapter.guid, adapter.port_count,
         adapter.guid, checked_name(adapter.name));
    for (const Adapter::Port& port : adapter.ports) {
      line("[{}]({:x})\t\"S-{:016x}\"[{}]\t\t# lid {} lmc {} \"{}\" lid {}{}\n", port.number, port.guid,
           net_.router_guid(port.router), port.router_port, port.lid, net_.labels().lmc,
           port_comment_name(net_.router_name(port.router)), net_.router_lid(port.router),
           rate_text(port.rate));
    }
  }

  void write_router(RouterId r, const std::vector<std::uint32_t>& service_nodes) {
    const std::uint64_t guid = net_.router_guid(r);
    const std::string name = net_.router_name(r);
    check_ports(net_.port_count(r), name);
    line("\nswitchguid=0x{:x}\nSwitch\t{} \"S-{:016x}\"\t\t# \"{}\" enhanced port 0 lid {} lmc 0\n", guid,
         std::max<std::uint16_t>(net_.port_count(r), 1), guid, checked_name(name), net_.router_lid(r));
    for (const PortUse& use : ports_in_use(net_, r, service_nodes)) {
      line("[{}]\t", use.port);
      if (use.kind == PortUse::Kind::cable) {
        const ChannelId c(use.index);
        const RouterId peer = net_.target(c);
        line("\"S-{:016x}\"[{}]\t\t# \"{}\" lid {}{}\n", net_.router_guid(peer), net_.target_port(c),
             port_comment_name(net_.router_name(peer)), net_.router_lid(peer),
             rate_text(net_.channel_rate(c)));
      } else if (use.kind == PortUse::Kind::terminal) {
        const TerminalId t(use.index);
        write_adapter_end(net_.terminal_node_guid(t), net_.terminal_adapter_port(t),
                          net_.terminal_port_guid(t), adapters_.all[adapters_.of_terminal[t.value]].name,
                          net_.terminal_lid(t), net_.terminal_rate(t));
      } else {
        const ServiceNode& node = net_.labels().service_nodes[use.index];
        write_adapter_end(node.node_guid, adapters_.port_of_service[use.index], node.port_guid, node.name,
                          node.lid, node.rate);
      }
    }
  }

  void write_adapter_end(std::uint64_t guid, std::uint16_t port, std::uint64_t port_guid,
                         const std::string& name, std::uint32_t lid, LinkRate rate) {
    line("\"H-{:016x}\"[{}]({:x})\t\t# \"{}\" lid {}{}\n", guid, port, port_guid, port_comment_name(name),
         lid, rate_text(rate));
  }

  const Network& net_;
  Adapters adapters_;
  fmt::memory_buffer out_;
};

}  // namespace

Network read_ibsim_net(std::string_view text, const std::string& name) {
  return assemble(read_net_records(text, name, NetDialect::ibsim), Parts::one);
}

Network read_ibsim_net_parts(std::string_view text, const std::string& name) {
  return assemble(read_net_records(text, name, NetDialect::ibsim), Parts::any);
}

std::string write_ibsim_net(const Network& network) {
  require_cables(network, "an ibsim net");
  return Writer(network).run();
}

}  // namespace unknot
