// SPDX-License-Identifier: Apache-2.0
#include "unknot/oblivious/intermediates.hpp"

#include <span>

#include "unknot/network/bfs.hpp"
#include "unknot/network/connectivity.hpp"

namespace unknot {

Intermediates::Intermediates(const Network& network) : endpoints_(network) {
  constexpr std::uint32_t kUnnumbered = 0xFFFFFFFFU;
  const RouterParts strong = strongly_connected_parts(network);
  std::vector<std::uint32_t> number(strong.count, kUnnumbered);
  std::vector<RouterId> first;  // by part
  std::vector<double> members;  // by part: endpoint routers
  part_.reserve(endpoints_.count());
  for (const RouterId r : endpoints_.all()) {
    std::uint32_t& part = number[strong.part[r.value]];
    if (part == kUnnumbered) {
      part = parts_++;
      first.push_back(r);
      members.push_back(0);
    }
    part_.push_back(part);
    ++members[part];
  }
  reach_.assign(std::size_t{parts_} * parts_, 0);
  BreadthFirstSearch search(network);
  for (std::uint32_t p = 0; p < parts_; ++p) {
    const std::span<const std::uint32_t> distance = search.from(first[p]);
    for (std::uint32_t to = 0; to < parts_; ++to) {
      if (distance[first[to].value] != BreadthFirstSearch::kUnreached)
        reach_[p * std::size_t{parts_} + to] = 1;
    }
  }
  share_.assign(reach_.size(), 0);
  for (std::uint32_t from = 0; from < parts_; ++from) {
    double* between = share_.data() + from * std::size_t{parts_};  // endpoint routers, both ends counted
    for (std::uint32_t middle = 0; middle < parts_; ++middle) {
      if (!reaches(from, middle)) continue;
      for (std::uint32_t to = 0; to < parts_; ++to) {
        if (reaches(middle, to)) between[to] += members[middle];
      }
    }
    for (std::uint32_t to = 0; to < parts_; ++to) between[to] = between[to] > 2 ? 1 / (between[to] - 2) : 0;
  }
}

}  // namespace unknot
