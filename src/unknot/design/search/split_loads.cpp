// SPDX-License-Identifier: Apache-2.0
#include "unknot/design/search/split_loads.hpp"

#include <algorithm>

namespace unknot {
namespace {

constexpr std::uint32_t kUnseen = 0xFFFFFFFFU;

}  // namespace

bool SplitLoads::count(std::uint32_t routers, std::uint32_t ports, std::uint32_t sources,
                       const std::vector<std::uint32_t>& neighbours) {
  load_.assign(std::size_t{sources} * ports, 0);
  for (std::uint32_t source = 0; source < sources; ++source) {
    distance_.assign(routers, kUnseen);
    paths_.assign(routers, 0);
    beyond_.resize(routers);
    reached_.clear();
    add_from(source, ports, sources, neighbours);
    if (reached_.size() < routers) return false;
  }
  return true;
}

void SplitLoads::add_from(std::uint32_t source, std::uint32_t ports, std::uint32_t sources,
                          const std::vector<std::uint32_t>& neighbours) {
  distance_[source] = 0;
  paths_[source] = 1;
  reached_.push_back(source);
  for (std::size_t head = 0; head < reached_.size(); ++head) {
    const std::uint32_t r = reached_[head];
    const std::uint32_t* const ends = neighbours.data() + std::size_t{r} * ports;
    const std::uint32_t next = distance_[r] + 1;
    for (std::uint32_t i = 0; i < ports; ++i) {
      std::uint32_t& distance = distance_[ends[i]];
      if (distance == kUnseen) {
        distance = next;
        reached_.push_back(ends[i]);
      }
      if (distance == next) paths_[ends[i]] += paths_[r];
    }
  }
  // from the farthest back: what goes on beyond each router
  for (std::size_t k = reached_.size(); k-- > 0;) {
    const std::uint32_t r = reached_[k];
    const std::uint32_t* const ends = neighbours.data() + std::size_t{r} * ports;
    double* const load = load_.data() + std::size_t{r % sources} * ports;
    const std::uint32_t next = distance_[r] + 1;
    double beyond = 0;
    for (std::uint32_t i = 0; i < ports; ++i) {
      if (distance_[ends[i]] != next) continue;
      const double share = paths_[r] / paths_[ends[i]] * (1 + beyond_[ends[i]]);
      beyond += share;
      load[i] += share;
    }
    beyond_[r] = beyond;
  }
}

double SplitLoads::fourth_powers(double unit) const {
  double sum = 0;
  for (const double load : load_) {
    const double square = load / unit * (load / unit);
    sum += square * square;
  }
  return sum;
}

}  // namespace unknot
