// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "unknot/traffic/patterns/fixed_pattern.hpp"
#include "unknot/traffic/patterns/patterns.hpp"

namespace unknot {
namespace {

std::uint32_t square_root(std::uint32_t n) {
  std::uint32_t root = 0;
  while ((root + std::uint64_t{1}) * (root + std::uint64_t{1}) <= n) ++root;
  return root;
}

}  // namespace

TrafficPattern shift(std::uint32_t terminals, std::uint64_t distance) {
  const std::uint64_t by = terminals == 0 ? 0 : distance % terminals;
  return fixed_pattern(terminals, [terminals, by](std::uint32_t t) {
    return static_cast<std::uint32_t>((t + by) % terminals);
  });
}

TrafficPattern tornado(std::uint32_t terminals) {
  return shift(terminals, terminals == 0 ? 0 : (terminals + std::uint64_t{1}) / 2 - 1);
}

TrafficPattern transpose(std::uint32_t terminals) {
  const std::uint32_t side = square_root(terminals);
  return fixed_pattern(side * side, [side](std::uint32_t t) { return t % side * side + t / side; });
}

TrafficPattern router_shift(const Network& network, std::uint64_t distance) {
  const std::vector<RouterId> routers = network.endpoint_routers();
  std::vector<std::uint32_t> target(network.terminal_count());
  for (std::size_t i = 0; i < routers.size(); ++i) {
    const IdRange<TerminalId> here = network.terminals_at(routers[i]);
    const IdRange<TerminalId> there =
        network.terminals_at(routers[(i + distance % routers.size()) % routers.size()]);
    for (std::uint32_t k = 0; k < here.size(); ++k)
      target[here[k].value] = k < there.size() ? there[k].value : here[k].value;
  }
  return pattern_of_targets(std::move(target));
}

TrafficPattern all_to_all() {
  TrafficPattern pattern;
  pattern.all_pairs = true;
  return pattern;
}

}  // namespace unknot
