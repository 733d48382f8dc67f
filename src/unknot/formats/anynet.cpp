// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "unknot/formats/fabric_text.hpp"
#include "unknot/formats/graph_text.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/scanner.hpp"

namespace unknot {

std::string write_anynet(const Network& network) {
  require_cables(network, "an anynet file");
  fmt::memory_buffer out;
  std::vector<RouterId> peers;
  for (const RouterId r : network.routers()) {
    peers.clear();
    for (const ChannelId c : network.out(r)) peers.push_back(network.target(c));
    std::sort(peers.begin(), peers.end());
    const auto twice = std::adjacent_find(peers.begin(), peers.end());
    if (twice != peers.end()) {
      throw InputError(fmt::format("an anynet file cannot hold the parallel cables between \"{}\" and \"{}\"",
                                   shown(network.router_name(r)), shown(network.router_name(*twice))));
    }
    fmt::format_to(std::back_inserter(out), "router {}", r.value);
    for (const TerminalId t : network.terminals_at(r))
      fmt::format_to(std::back_inserter(out), " node {}", t.value);
    for (const RouterId peer : peers) fmt::format_to(std::back_inserter(out), " router {}", peer.value);
    out.push_back('\n');
  }
  return fmt::to_string(out);
}

}  // namespace unknot
