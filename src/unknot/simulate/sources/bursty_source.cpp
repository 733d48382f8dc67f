// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/sources/bursty_source.hpp"

#include <algorithm>
#include <cmath>

#include "unknot/simulate/sources/packet_draw.hpp"

namespace unknot::simulate {
namespace {

/// Cycles before the first in which something of this probability happens.
std::uint64_t wait_for(double probability, TerminalRandom& random) {
  if (probability >= 1) return 0;
  if (probability <= 0) return kPastAllRuns;
  return whole_gap(std::log(1 - random.unit()) / std::log1p(-probability));
}

/// The smallest value of Pareto's distribution that has this mean.
double least_of(double mean, double shape) {
  return mean * (shape - 1) / shape;
}

}  // namespace

BurstySource::BurstySource(const Injection& injection, const Destinations& destinations,
                           std::uint32_t terminals, double load, std::uint32_t packet_flits,
                           std::uint64_t seed, const GroupTraffic* multicast)
    : injection_(injection),
      destinations_(destinations),
      multicast_(multicast != nullptr && multicast->share > 0 ? multicast : nullptr),
      packet_flits_(packet_flits),
      high_(injection.peak / packet_flits),
      terminals_(terminals) {
  for (std::uint32_t t = 0; t < terminals; ++t) {
    Terminal& self = terminals_[t];
    self.random = TerminalRandom(seed, t);
    const double own = load * destinations.share(t);
    if (own <= 0) {
      self.free = kPastAllRuns;
      continue;
    }
    self.gap = mean_gap(injection, own);
    self.low = injection.low * own / packet_flits;
    self.bursts = self.random.unit() < injection.burst / (injection.burst + self.gap);
    self.ends = rest(self);
  }
}

/// Cycles of a burst or gap that begins. Lengths that are no whole numbers become one of the two next to
/// them, by chance such that the mean stays.
std::uint64_t BurstySource::length(Terminal& self) const {
  if (injection_.process == Injection::Process::chain) {
    return self.bursts ? 1 + wait_for(1 / injection_.burst, self.random)
                       : wait_for(1 / (1 + self.gap), self.random);
  }
  const double least = least_of(self.bursts ? injection_.burst : self.gap, injection_.shape);
  const double drawn = least * std::pow(1 - self.random.unit(), -1 / injection_.shape);
  return whole_gap(drawn + self.random.unit());
}

/// Cycles that are left, this one included, of a burst or gap that is met in the stationary state: r with a
/// probability that is that of a length of at least r, over the mean length.
std::uint64_t BurstySource::rest(Terminal& self) const {
  if (injection_.process == Injection::Process::chain)
    return 1 + wait_for(self.bursts ? 1 / injection_.burst : 1 / (1 + self.gap), self.random);
  const double shape = injection_.shape;
  const double least = least_of(self.bursts ? injection_.burst : self.gap, shape);
  const double drawn = self.random.unit();
  if (drawn < 1 - 1 / shape) return 1 + whole_gap(least * self.random.unit());
  return std::min(kPastAllRuns, 1 + whole_gap(least * std::pow(1 - self.random.unit(), -1 / (shape - 1))));
}

bool BurstySource::next(std::uint32_t terminal, std::uint64_t /*cycle*/, NewPacket& packet) {
  Terminal& self = terminals_[terminal];
  // Bursts and gaps have no memory of what was begun in them: where a packet would begin beyond the end,
  // the draw is made again from there on.
  while (true) {
    if (self.free >= kPastAllRuns) return false;
    const std::uint64_t wait = wait_for(self.bursts ? high_ : self.low, self.random);
    if (wait < self.ends - self.free) {
      packet.created = self.free + wait;
      break;
    }
    self.free = self.ends;
    self.bursts = !self.bursts;
    self.ends += length(self);
  }
  self.free = packet.created + 1;
  if (packet.created >= kPastAllRuns) return false;
  packet.destination = draw_target(destinations_, multicast_, terminal, self.random);
  packet.flits = packet_flits_;
  return true;
}

}  // namespace unknot::simulate
