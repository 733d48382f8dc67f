// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/trees/least_served.hpp"

#include <algorithm>
#include <cstddef>

#include "unknot/support/random.hpp"

namespace unknot {

LeastServed::LeastServed(const Network& network, const Guidance& guidance)
    : served_(network.channel_count(), 0),
      siblings_(network),
      shifting_(guidance.port_shifting),
      scatter_(guidance.scatter_seed),
      plain_(!shifting_ && scatter_ == 0 && !siblings_.any()) {}

std::uint32_t LeastServed::chosen(std::span<const std::uint32_t> channels, RouterId router,
                                  TerminalId destination) {
  if (siblings_.any()) {
    std::uint32_t fewest = siblings_.of(channels.front());
    for (const std::uint32_t c : channels) fewest = std::min(fewest, siblings_.of(c));
    apart_.clear();
    for (const std::uint32_t c : channels) {
      if (siblings_.of(c) == fewest) apart_.push_back(c);
    }
    channels = apart_;
  }
  const std::uint32_t best = scatter_ != 0 ? scattered(channels, router, destination)
                             : shifting_   ? shifted(channels)
                                           : first_of_the_least(channels);
  siblings_.take(best);
  return best;
}

// The mean of what they serve says where to begin, as in OpenSM.
std::uint32_t LeastServed::shifted(std::span<const std::uint32_t> channels) const {
  std::uint64_t all = 0;
  for (const std::uint32_t c : channels) all += served_[c];
  const std::size_t begin = all / channels.size() % channels.size();
  std::uint32_t best = channels[begin];
  for (std::size_t i = 1; i < channels.size(); ++i) {
    const std::uint32_t c = channels[(begin + i) % channels.size()];
    if (served_[c] < served_[best]) best = c;
  }
  return best;
}

std::uint32_t LeastServed::scattered(std::span<const std::uint32_t> channels, RouterId router,
                                     TerminalId destination) {
  the_least_.clear();
  for (const std::uint32_t c : channels) {
    if (!the_least_.empty() && served_[c] < served_[the_least_.front()]) the_least_.clear();
    if (the_least_.empty() || served_[c] == served_[the_least_.front()]) the_least_.push_back(c);
  }
  Random random(scatter_, static_cast<std::uint64_t>(router.value) << 32 | destination.value);
  return the_least_[random.below(static_cast<std::uint32_t>(the_least_.size()))];
}

}  // namespace unknot
