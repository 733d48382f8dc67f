// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "unknot/network/network.hpp"
#include "unknot/place/cut_bound.hpp"
#include "unknot/place/host_distances.hpp"
#include "unknot/place/places.hpp"
#include "unknot/traffic/workloads/matrix_file.hpp"

namespace unknot::place {

/// Load that the busiest channel or cable has under every placement, in bytes over width: the largest of
///   cables    what one rank sends or receives, without its heaviest partners, as many as can share its host;
///             and what leaves or enters hosts, whoever shares them (cut_bound());
///   channels  every rank's heaviest partners as near as the routes ever are, spread evenly over all;
///   cuts      what crosses a cut of the fabric (cut_bound()).
/// A lower bound: seldom reached, but where it is, nothing is left to gain.
struct PlacementBound {
  double cables = 0;
  double channels = 0;
  CutBound cuts;
  [[nodiscard]] double load() const { return std::max({cables, channels, cuts.load}); }
};
/// O(entries log entries) beside cut_bound().
PlacementBound placement_bound(const Network& network, const Places& places, const HostDistances& distances,
                               const LinkWidths& widths, const CommunicationMatrix& sent,
                               const CommunicationMatrix& received, std::uint32_t threads);

}  // namespace unknot::place
