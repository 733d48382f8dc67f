// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/collective/model/pair_routes.hpp"
#include "unknot/collective/model/problem.hpp"

namespace unknot {

/// What transfers on routes share in a step: lines, or under half duplex cables; the ports of nodes that have
/// fewer of them than channels. Numbered in one row, each with how many transfers of one step it is enough
/// for.
class RouteResources {
 public:
  /// Of a problem on routes, which must outlive this.
  explicit RouteResources(const Problem& problem);

  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(capacity_.size()); }
  [[nodiscard]] std::uint32_t capacity(std::uint32_t resource) const { return capacity_[resource]; }
  /// Appends what the transfer from one node to another takes; nothing, and false, where there is no route.
  bool add_taken(NodeId from, NodeId to, std::vector<std::uint32_t>& taken) const;

 private:
  const Problem* problem_;
  bool half_duplex_;
  std::vector<std::uint32_t> capacity_;
  std::vector<std::uint32_t> sender_, receiver_;  // by node; kNone where its channels are all there is to it
};

}  // namespace unknot
