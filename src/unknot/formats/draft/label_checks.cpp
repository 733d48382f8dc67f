// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/draft/label_checks.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <unordered_set>

#include "unknot/support/error.hpp"

namespace unknot {

void check_labelled_ports(const Network& network, const std::string& file) {
  const auto& nodes = network.labels().service_nodes;
  const bool counted = !network.labels().router_ports.empty();
  if (nodes.empty() && !counted) return;
  std::unordered_set<std::uint64_t> taken;
  const auto take = [&](RouterId r, std::uint16_t used) {
    if (counted && used > network.port_count(r)) {
      throw InputError(fmt::format("{}: router {} uses port {}, but is said to have {}", file, r.value, used,
                                   network.port_count(r)));
    }
    return nodes.empty() || taken.insert(std::uint64_t{r.value} << 16 | used).second;
  };
  for (const ChannelId c : network.channels()) {
    take(network.source(c), network.source_port(c));
    take(network.target(c), network.target_port(c));
  }
  for (const TerminalId t : network.terminals()) take(network.router_of(t), network.terminal_port(t));
  for (const ServiceNode& node : nodes) {
    if (take(node.router, node.router_port)) continue;
    throw InputError(
        fmt::format("{}: router {} uses port {} twice", file, node.router.value, node.router_port));
  }
}

}  // namespace unknot
