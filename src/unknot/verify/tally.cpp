// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/tally.hpp"

#include <algorithm>
#include <utility>

namespace unknot {

void Tally::merge(const Tally& other, std::uint32_t max_findings) {
  unroutable += other.unroutable;
  looping += other.looping;
  laneless += other.laneless;
  lanes_wanted = std::max(lanes_wanted, other.lanes_wanted);
  longer += other.longer;
  total_hops += other.total_hops;
  max_hops = std::max(max_hops, other.max_hops);
  findings.insert(findings.end(), other.findings.begin(), other.findings.end());
  std::sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return std::pair(a.destination, a.source) < std::pair(b.destination, b.source);
  });
  if (findings.size() > max_findings) findings.resize(max_findings);
}

}  // namespace unknot
