// SPDX-License-Identifier: Apache-2.0
#include "unknot/slurm/topology/average_linkage.hpp"

#include <limits>

namespace unknot::slurm {

std::vector<Joint> average_linkage(DistanceMatrix distances) {
  const std::uint32_t count = distances.count();
  std::vector<std::uint32_t> size(count, 1);  // 0: part of another cluster
  std::vector<std::uint32_t> chain;
  std::vector<Joint> joints;
  std::uint32_t start = 0;
  while (joints.size() + 1 < count) {
    if (chain.empty()) {
      while (size[start] == 0) ++start;
      chain.push_back(start);
    }
    const std::uint32_t at = chain.back();
    // the one before in the chain wins ties, so that the chain ends
    std::uint32_t nearest = chain.size() > 1 ? chain[chain.size() - 2] : count;
    float least = nearest < count ? distances.at(at, nearest) : std::numeric_limits<float>::infinity();
    for (std::uint32_t other = 0; other < count; ++other) {
      if (other == at || size[other] == 0 || !(distances.at(at, other) < least)) continue;
      least = distances.at(at, other);
      nearest = other;
    }
    if (chain.size() < 2 || nearest != chain[chain.size() - 2]) {
      chain.push_back(nearest);
      continue;
    }
    chain.resize(chain.size() - 2);
    joints.push_back({at, nearest, least});
    const auto of_at = static_cast<float>(size[at]);
    const auto of_nearest = static_cast<float>(size[nearest]);
    for (std::uint32_t other = 0; other < count; ++other) {
      if (size[other] == 0 || other == at || other == nearest) continue;
      distances.set(nearest, other,
                    (of_at * distances.at(at, other) + of_nearest * distances.at(nearest, other)) /
                        (of_at + of_nearest));
    }
    size[nearest] += size[at];
    size[at] = 0;
  }
  return joints;
}

}  // namespace unknot::slurm
