// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/adaptive/adaptive_routing.hpp"
#include "unknot/tables/forwarding_table.hpp"

namespace unknot {

/// How far routers are from the routers with terminals, in twice the hops that groups go by; odd where the
/// way begins upwards (up_down_groups()).
struct GroupDistances {
  static constexpr std::uint16_t kFar = 0x7FFF;  ///< and more: no way

  std::vector<RouterId> destinations;   ///< routers with terminals, ascending
  std::vector<std::uint16_t> distance;  ///< by router * destinations + index

  explicit GroupDistances(const Network& network);
  [[nodiscard]] std::span<std::uint16_t> row(RouterId r) {
    return {distance.data() + static_cast<std::size_t>(r.value) * destinations.size(), destinations.size()};
  }
  [[nodiscard]] std::span<const std::uint16_t> row(RouterId r) const {
    return {distance.data() + static_cast<std::size_t>(r.value) * destinations.size(), destinations.size()};
  }
};

/// The plane whose groups have the channels that the distances allow: upwards (`up`, by channel; empty: none)
/// one from an odd distance to one two or three smaller or so that the way is a hop shorter, downwards from
/// an even one to one smaller by two. The same at any number of threads.
AdaptivePlane group_plane(const Network& network, const GroupDistances& distances,
                          const std::vector<std::uint8_t>& up, const ForwardingTable* fixed,
                          std::uint32_t threads, Progress& progress);

}  // namespace unknot
