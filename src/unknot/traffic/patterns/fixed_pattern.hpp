// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "unknot/traffic/patterns/pattern.hpp"

namespace unknot {

/// A pattern without chance: terminals below `active` send to terminal `target(t)`, unless that is the
/// terminal itself.
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

/// The same from a list of all targets.
inline TrafficPattern pattern_of_targets(std::vector<std::uint32_t> target) {
  const auto active = static_cast<std::uint32_t>(target.size());
  return fixed_pattern(active, [target = std::move(target)](std::uint32_t t) { return target[t]; });
}

/// A pattern without chance: these flows.
inline TrafficPattern pattern_of_flows(std::vector<Flow> list) {
  TrafficPattern pattern;
  pattern.flows = [list = std::move(list)](std::uint64_t, std::uint32_t, std::vector<Flow>& flows) {
    flows = list;
  };
  return pattern;
}

}  // namespace unknot
