// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <utility>

#include "unknot/support/error.hpp"
#include "unknot/support/random.hpp"
#include "unknot/traffic/patterns/patterns.hpp"

namespace unknot {
namespace {

/// `draw(random, flows)` fills one sample.
template <class Draw>
TrafficPattern random_pattern(Draw draw) {
  TrafficPattern pattern;
  pattern.random = true;
  pattern.flows = [draw = std::move(draw)](std::uint64_t seed, std::uint32_t sample,
                                           std::vector<Flow>& flows) {
    flows.clear();
    Random random(seed, sample);
    draw(random, flows);
  };
  return pattern;
}

std::vector<std::uint32_t> shuffled(std::uint32_t terminals, Random& random) {
  std::vector<std::uint32_t> order(terminals);
  std::iota(order.begin(), order.end(), 0U);
  random.shuffle(order);
  return order;
}

/// Uniform among all terminals but `source`; there must be two.
TerminalId another(std::uint32_t terminals, std::uint32_t source, Random& random) {
  const std::uint32_t drawn = random.below(terminals - 1);
  return TerminalId(drawn < source ? drawn : drawn + 1);
}

}  // namespace

TrafficPattern bisection(std::uint32_t terminals) {
  return random_pattern([terminals](Random& random, std::vector<Flow>& flows) {
    const std::vector<std::uint32_t> order = shuffled(terminals, random);
    const std::uint32_t half = terminals / 2;
    for (std::uint32_t i = 0; i < half; ++i)
      flows.push_back({TerminalId(order[i]), TerminalId(order[half + i])});
  });
}

TrafficPattern permutation(std::uint32_t terminals) {
  return random_pattern([terminals](Random& random, std::vector<Flow>& flows) {
    const std::vector<std::uint32_t> to = shuffled(terminals, random);
    for (std::uint32_t t = 0; t < terminals; ++t) {
      if (to[t] != t) flows.push_back({TerminalId(t), TerminalId(to[t])});
    }
  });
}

TrafficPattern uniform(std::uint32_t terminals, bool self) {
  TrafficPattern pattern = random_pattern([terminals, self](Random& random, std::vector<Flow>& flows) {
    if (terminals < 2) return;
    for (std::uint32_t t = 0; t < terminals; ++t) {
      const TerminalId to = self ? TerminalId(random.below(terminals)) : another(terminals, t, random);
      if (to.value != t) flows.push_back({TerminalId(t), to});
    }
  });
  pattern.uniform_mean = true;
  pattern.packet_draw = PacketDraw{.self = self};
  return pattern;
}

TrafficPattern hotspot(std::uint32_t terminals, double fraction, std::uint32_t hotspots) {
  if (terminals > 0 && hotspots > terminals)
    throw InputError("pattern hotspot: more hotspots than the network has terminals");
  TrafficPattern pattern =
      random_pattern([terminals, fraction, hotspots](Random& random, std::vector<Flow>& flows) {
        if (terminals < 2) return;
        const std::vector<std::uint32_t> hot = shuffled(terminals, random);
        for (std::uint32_t t = 0; t < terminals; ++t) {
          // Both draws are taken each time, so that the uniform part does not change with the fraction.
          const bool to_hot = random.unit() < fraction;
          const TerminalId cold = another(terminals, t, random);
          const std::uint32_t chosen = hot[random.below(hotspots)];
          if (!to_hot) {
            flows.push_back({TerminalId(t), cold});
          } else if (chosen != t) {
            flows.push_back({TerminalId(t), TerminalId(chosen)});
          }
        }
      });
  pattern.packet_draw = PacketDraw{.hot_fraction = fraction, .hotspots = hotspots};
  return pattern;
}

}  // namespace unknot
