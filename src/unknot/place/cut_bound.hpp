// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/network/network.hpp"
#include "unknot/place/places.hpp"
#include "unknot/traffic/workloads/matrix_file.hpp"

namespace unknot::place {

/// Load that the busiest channel has under every placement, for the cables between parts of the fabric.
struct CutBound {
  double load = 0;          ///< bytes over width; 0: no cut says anything
  std::uint32_t parts = 0;  ///< of the cut that says most
};

/// The fabric is cut in parts (each router with hosts one; 2, 4, ... 128 parts as METIS finds them). A part
/// takes so many ranks; what they send beyond their heaviest partners, as many as fit, or beyond those that
/// they reach (Spread), crosses the cut whatever ranks they are. Cuts are found by heuristics: each of them
/// gives a bound that holds, the best is returned. Routes may cross a cut more often than they must; that is
/// not counted. The same at any number of threads.
CutBound cut_bound(const Network& network, const Places& places, const LinkWidths& widths,
                   const CommunicationMatrix& sent, const CommunicationMatrix& received,
                   std::uint32_t threads);

}  // namespace unknot::place
