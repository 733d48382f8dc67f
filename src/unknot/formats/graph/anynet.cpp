// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "unknot/formats/draft/fabric_text.hpp"
#include "unknot/formats/graph/graph_text.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/append.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {

std::string write_anynet(const Network& network) {
  require_cables(network, "an anynet file");
  fmt::memory_buffer out;
  const auto add = [&](const char* kind, std::uint32_t number, std::uint32_t latency) {
    append(out, " {} {}", kind, number);
    if (latency != 0) append(out, " {}", latency);
  };
  std::vector<ChannelId> sorted;
  for (const RouterId r : network.routers()) {
    sorted.assign(network.out(r).begin(), network.out(r).end());
    const auto peer = [&](ChannelId c) { return network.target(c); };
    std::sort(sorted.begin(), sorted.end(), [&](ChannelId a, ChannelId b) { return peer(a) < peer(b); });
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end(),
                                          [&](ChannelId a, ChannelId b) { return peer(a) == peer(b); });
    if (twice != sorted.end()) {
      throw InputError(fmt::format("an anynet file cannot hold the parallel cables between \"{}\" and \"{}\"",
                                   shown(network.router_name(r)), shown(network.router_name(peer(*twice)))));
    }
    append(out, "router {}", r.value);
    for (const TerminalId t : network.terminals_at(r)) add("node", t.value, network.terminal_latency(t));
    for (const ChannelId c : sorted) add("router", peer(c).value, network.channel_latency(c));
    out.push_back('\n');
  }
  return fmt::to_string(out);
}

}  // namespace unknot
