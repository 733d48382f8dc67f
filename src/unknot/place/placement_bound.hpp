// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/network/network.hpp"
#include "unknot/place/host_distances.hpp"
#include "unknot/place/places.hpp"
#include "unknot/traffic/workloads/matrix_file.hpp"

namespace unknot::place {

/// Bytes that the busiest channel or cable has under every placement: the larger of
///   cables    what one rank sends or receives, without its heaviest partners, as many as can share its host;
///   and
///             the same of all ranks together, spread evenly over all hosts;
///   channels  every rank's heaviest partners as near as the routes ever are, spread evenly over all
///   channels.
/// A lower bound: seldom reached, but where it is, nothing is left to gain.
struct PlacementBound {
  std::uint64_t cables = 0;
  std::uint64_t channels = 0;
};
/// O(entries log entries).
PlacementBound placement_bound(const Network& network, const Places& places, const HostDistances& distances,
                               const CommunicationMatrix& sent, const CommunicationMatrix& received);

}  // namespace unknot::place
