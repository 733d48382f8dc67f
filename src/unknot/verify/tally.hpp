// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/verify/verify.hpp"

namespace unknot {

/// What one worker of the checker has counted. Merging is commutative.
struct Tally {
  std::uint64_t unroutable = 0;
  std::uint64_t looping = 0;
  std::uint64_t longer = 0;
  std::uint64_t total_hops = 0;
  std::uint32_t max_hops = 0;
  std::vector<Finding> findings;  ///< the first ones, by destination, then source

  /// To be called in the order of findings.
  void find(std::uint32_t max_findings, const Finding& finding) {
    if (findings.size() < max_findings) findings.push_back(finding);
  }
  void merge(const Tally& other, std::uint32_t max_findings);
};

}  // namespace unknot
