// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "unknot/network/network.hpp"

namespace unknot {

/// A dependency that no routing on shortest paths can avoid: the only shortest path from a terminal of
/// `source` to one of `destination` goes from `channel` into the next one of the cycle.
struct ForcedDependency {
  ChannelId channel;
  RouterId source, destination;
};

/// A shortest cycle of such dependencies; empty where they have none. Where there is one, one lane is not
/// enough for shortest paths, whether tables, sources or packets choose among them: those that close the
/// cycle have no choice. The converse does not hold. O(routers * channels).
std::vector<ForcedDependency> forced_cycle(const Network& network);

}  // namespace unknot
