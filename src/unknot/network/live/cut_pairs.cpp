// SPDX-License-Identifier: Apache-2.0
#include "unknot/network/live/cut_pairs.hpp"

#include <vector>

#include "unknot/network/connectivity.hpp"
#include "unknot/network/faults.hpp"

namespace unknot {

std::uint64_t cut_pairs(const LiveNetwork& network) {
  const Network& whole = network.network();
  for (const ChannelId c : whole.channels()) {
    if (!network.alive(c)) continue;
    const ChannelId back = whole.reverse(c);
    if (!back.valid() || !network.alive(back))
      return disconnected_pairs(with_faults(whole, network.faults())).count;
  }
  std::vector<std::uint8_t> seen(network.router_count(), 0);
  std::vector<RouterId> stack;
  std::uint64_t before = 0;  // terminals of the parts so far
  std::uint64_t pairs = 0;
  for (const RouterId root : network.routers()) {
    if (seen[root.value] != 0 || !network.alive(root)) continue;
    std::uint64_t here = 0;
    seen[root.value] = 1;
    stack.push_back(root);
    while (!stack.empty()) {
      const RouterId r = stack.back();
      stack.pop_back();
      here += network.terminals_at(r).size();
      for (const ChannelId c : network.out(r)) {
        const RouterId next = network.target(c);
        if (seen[next.value] != 0) continue;
        seen[next.value] = 1;
        stack.push_back(next);
      }
    }
    pairs += 2 * before * here;
    before += here;
  }
  return pairs;
}

}  // namespace unknot
