// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"

namespace unknot {

/// The routers that carry terminals, in order of id: sources, destinations and intermediates of oblivious
/// routing. Each has an index, 0 .. count()-1. O(routers) time and memory.
class EndpointRouters {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  explicit EndpointRouters(const Network& network);
  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(routers_.size()); }
  [[nodiscard]] RouterId operator[](std::uint32_t index) const { return routers_[index]; }
  /// kNone for a router without terminals.
  [[nodiscard]] std::uint32_t index_of(RouterId router) const { return index_[router.value]; }
  [[nodiscard]] std::span<const RouterId> all() const { return routers_; }

 private:
  std::vector<RouterId> routers_;
  std::vector<std::uint32_t> index_;  // by router
};

}  // namespace unknot
