// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "unknot/verify/verify.hpp"

namespace unknot {

/// What one worker of the checker has counted. Merging is commutative.
struct Tally {
  std::uint64_t unroutable = 0;
  std::uint64_t looping = 0;
  std::uint64_t laneless = 0;
  std::uint32_t lanes_wanted = 0;
  std::uint64_t longer = 0;
  std::uint64_t total_hops = 0;
  std::uint32_t max_hops = 0;
  std::vector<Finding> findings;  ///< the first ones, by destination, then source

  /// To be called in the order of findings.
  void find(std::uint32_t max_findings, const Finding& finding) {
    if (findings.size() < max_findings) findings.push_back(finding);
  }
  /// A pair that a lane stops: counts it among the laneless where it has a level.
  void stop(const Finding& finding) {
    if (finding.kind != Finding::Kind::dropped_lane) return;
    ++laneless;
    lanes_wanted = std::max(lanes_wanted, finding.lane + 1U);
  }
  void merge(const Tally& other, std::uint32_t max_findings);
};

}  // namespace unknot
