// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/place/places.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot::place {

/// How far hosts are from each other along the routes in force, in channels between routers.
class HostDistances {
 public:
  /// Walks every route. InputError, naming a pair, where the routing has no path between two of the hosts.
  /// O(hosts^2 * hops), in parallel, the same at any number of threads.
  HostDistances(const Network& network, const Routing& routing, const Places& places, std::uint32_t threads);

  /// The nearest other hosts, nearest first: up to 16.
  [[nodiscard]] std::span<const std::uint32_t> near(std::uint32_t host) const {
    return {near_.data() + std::size_t{host} * each_, each_};
  }
  /// For k = 0, 1, ...: no host has its k-th nearest other host nearer than this.
  [[nodiscard]] const std::vector<std::uint32_t>& least() const { return least_; }

 private:
  static constexpr std::uint32_t kMostNear = 16;
  std::uint32_t each_ = 0;
  std::vector<std::uint32_t> near_;
  std::vector<std::uint32_t> least_;
};

}  // namespace unknot::place
