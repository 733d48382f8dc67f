// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/network/network.hpp"
#include "unknot/place/places.hpp"
#include "unknot/traffic/workloads/matrix_file.hpp"

namespace unknot::place {

/// Load that the busiest cable of a host, and the busiest channel, have under every placement.
struct CutBound {
  double cables = 0;        ///< of the cables of hosts, bytes over width; 0: nothing is said, as below
  double load = 0;          ///< of channels between parts of the fabric
  std::uint32_t parts = 0;  ///< of the cut that says most of these
};

/// The fabric is cut in parts (each host one; each router with hosts one; 2, 4, ... 128 parts as METIS finds
/// them). A part takes so many ranks; what they send beyond their heaviest partners, as many as fit, or
/// beyond those that they reach (Spread), crosses the cut whatever ranks they are. Cuts are found by
/// heuristics: each of them gives a bound that holds, the best is returned. Routes may cross a cut more often
/// than they must; that is not counted. The same at any number of threads.
CutBound cut_bound(const Network& network, const Places& places, const LinkWidths& widths,
                   const CommunicationMatrix& sent, const CommunicationMatrix& received,
                   std::uint32_t threads);

}  // namespace unknot::place
