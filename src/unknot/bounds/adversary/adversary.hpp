// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/bounds/adversary/channel_shares.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/traffic/patterns/pattern.hpp"

namespace unknot {

struct AdversaryOptions {
  /// Work after which no further matching is begun: pairs of a channel times groups that send over it, added
  /// up. Counted, not timed, so that results do not depend on the machine.
  std::uint64_t most_work = 20'000'000'000;
  std::uint64_t seed = 1;     ///< of the flows beside the worst ones
  std::uint32_t threads = 0;  ///< 0: all of the machine
};

/// A permutation of the terminals that loads one channel as much as any permutation can, or nearly.
struct Adversary {
  ChannelId channel;  ///< the loaded one; invalid where no traffic takes any channel
  double load = 0;    ///< that `worst` puts on it, in units of what a terminal injects
  /// No permutation loads any channel more: the largest of the dual bounds of the channels matched and the
  /// bounds of the others.
  double upper = 0;
  std::uint32_t matched = 0;  ///< channels for which the worst permutation was computed
  /// Each terminal sends and receives once at most; the first `worst` flows make the load, the others, drawn
  /// at random, only complete the permutation.
  std::vector<Flow> flows;
  std::size_t worst = 0;

  /// Proven to be the worst, but for rounding.
  [[nodiscard]] bool exact() const { return upper <= load * (1 + 1e-9); }
};

/// The worst permutation for one channel of a routing that does not look at the load is a matching of largest
/// weight between sources and destinations, the weights being the shares of packets that take the channel
/// (Towles and Dally 2002). Channels are taken in order of their bounds until no bound exceeds the best load,
/// or the work is done. The same bytes at any number of threads.
Adversary find_adversary(const Network& network, const ChannelShares& shares, const AdversaryOptions& options,
                         Progress& progress);

}  // namespace unknot
