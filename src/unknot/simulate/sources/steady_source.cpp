// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/sources/steady_source.hpp"

#include <cmath>
#include <limits>

#include "unknot/simulate/sources/packet_draw.hpp"

namespace unknot::simulate {

SteadySource::SteadySource(const Destinations& destinations, std::uint32_t terminals, double load,
                           std::uint32_t packet_flits, std::uint64_t seed, const GroupTraffic* multicast)
    : destinations_(destinations),
      multicast_(multicast != nullptr && multicast->share > 0 ? multicast : nullptr),
      probability_(load / packet_flits),
      packet_flits_(packet_flits) {
  terminals_.resize(terminals);
  for (std::uint32_t t = 0; t < terminals; ++t) terminals_[t].random = TerminalRandom(seed, t);
  log_rest_ = std::log1p(-probability_);
  double rest = 1;
  for (std::uint64_t& bound : at_most_) {
    rest *= 1 - probability_;
    // Where hardly anything is left, the product is rounded to 2^64, which no 64-bit number holds.
    const double share = (1 - rest) * 0x1.0p64;
    bound = share >= 0x1.0p64 ? std::numeric_limits<std::uint64_t>::max() : static_cast<std::uint64_t>(share);
  }
  for (std::uint64_t i = 0; i < guide_.size(); ++i) {
    while (guide_[i] + 1U < kSteps && i << 56U >= at_most_[guide_[i]]) ++guide_[i];
    if (i + 1 < guide_.size()) guide_[i + 1] = guide_[i];
  }
}

std::uint64_t SteadySource::gap(std::uint32_t terminal, TerminalRandom& random) const {
  const double share = destinations_.share(terminal);
  if (share == 1.0) {
    if (probability_ >= 1) return 0;
    const std::uint64_t drawn = random.next();
    if (drawn < at_most_[kSteps - 1]) {
      std::uint32_t gap = guide_[drawn >> 56U];
      while (drawn >= at_most_[gap]) ++gap;
      return gap;
    }
    // Longer: what is left has the same distribution again.
    return kSteps + whole_gap(std::log(1 - random.unit()) / log_rest_);
  }
  return whole_gap(std::log(1 - random.unit()) / std::log1p(-probability_ * share));
}

bool SteadySource::next(std::uint32_t terminal, std::uint64_t /*cycle*/, NewPacket& packet) {
  if (probability_ <= 0 || destinations_.share(terminal) <= 0) return false;
  Terminal& self = terminals_[terminal];
  if (self.free >= kPastAllRuns) return false;
  packet.created = self.free + gap(terminal, self.random);
  self.free = packet.created + 1;
  if (packet.created >= kPastAllRuns) return false;
  packet.destination = draw_target(destinations_, multicast_, terminal, self.random);
  packet.flits = packet_flits_;
  return true;
}

}  // namespace unknot::simulate
