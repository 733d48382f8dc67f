// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <utility>

#include "unknot/traffic/patterns.hpp"

namespace unknot::traffic {
namespace {

/// Terminals below `active` send to `target(t)`, unless that is the terminal itself.
template <class Target>
TrafficPattern fixed_pattern(std::uint32_t active, Target target) {
  TrafficPattern pattern;
  pattern.flows = [active, target = std::move(target)](std::uint64_t, std::uint32_t,
                                                       std::vector<Flow>& flows) {
    flows.clear();
    for (std::uint32_t t = 0; t < active; ++t) {
      const std::uint32_t to = target(t);
      if (to != t) flows.push_back({TerminalId(t), TerminalId(to)});
    }
  };
  return pattern;
}

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

TrafficPattern bit_complement(std::uint32_t terminals) {
  const std::uint32_t active = std::bit_floor(terminals);
  return fixed_pattern(active, [active](std::uint32_t t) { return active - 1 - t; });
}

TrafficPattern bit_reverse(std::uint32_t terminals) {
  const std::uint32_t active = std::bit_floor(terminals);
  return fixed_pattern(active, [active](std::uint32_t t) {
    std::uint32_t reversed = 0;
    for (std::uint32_t bit = 1; bit < active; bit *= 2) reversed = reversed * 2 + ((t & bit) != 0 ? 1 : 0);
    return reversed;
  });
}

TrafficPattern all_to_all() {
  TrafficPattern pattern;
  pattern.all_pairs = true;
  return pattern;
}

}  // namespace unknot::traffic
