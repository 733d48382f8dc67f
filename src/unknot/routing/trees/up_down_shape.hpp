// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/routing/trees/path_dag.hpp"

namespace unknot {

/// Recognises networks whose shortest paths are all "up, then down": away from the routers that carry
/// terminals, then back towards them. There every routing by shortest paths is deadlock-free on one lane,
/// so engines need not look for cycles. A shortcut, not a proof: the checker proves every table by other
/// means.
class UpDownShape {
 public:
  explicit UpDownShape(const Network& network);

  /// Looks at all shortest paths towards one root. O(candidates).
  void look_at(const PathDag& dag);
  /// True when every path looked at so far was up, then down.
  [[nodiscard]] bool up_down() const { return up_down_; }

 private:
  bool up_down_ = true;
  std::vector<std::uint32_t> height_;      // by router: hops from the nearest router with terminals
  std::vector<std::uint8_t> has_sources_;  // by router
  std::vector<std::uint8_t> carries_;      // by router: some terminal's path may come through
  std::vector<std::uint8_t> may_rise_;     // by router: some candidate does not go down
};

}  // namespace unknot
