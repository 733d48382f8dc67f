// SPDX-License-Identifier: Apache-2.0
#include "unknot/place/host_distances.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "unknot/load/flow_load.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/parallel.hpp"

namespace unknot::place {
namespace {

constexpr std::uint32_t kNotReached = 0xFFFFFFFFU;

}  // namespace

HostDistances::HostDistances(const Network& network, const Routing& routing, const Places& places,
                             std::uint32_t threads) {
  require_fit(network, routing);
  const auto hosts = static_cast<std::uint32_t>(places.hosts.size());
  each_ = std::min(kMostNear, hosts - 1);
  near_.resize(std::size_t{hosts} * each_);
  least_.assign(hosts - 1, kNotReached);
  const DeliveredPaths paths(network, routing);
  std::mutex lock;
  std::uint64_t first_missing = ~std::uint64_t{0};
  parallel_blocks(hosts, 16, threads, [&](std::uint32_t, std::uint32_t begin, std::uint32_t end) {
    std::vector<ChannelId> path;
    std::vector<std::uint64_t> order;  // hops, then number
    std::vector<std::uint32_t> least(hosts - 1, kNotReached);
    std::uint64_t missing = ~std::uint64_t{0};
    for (std::uint32_t from = begin; from < end; ++from) {
      order.clear();
      for (std::uint32_t to = 0; to < hosts; ++to) {
        if (to == from) continue;
        path.clear();
        if (!paths.append(places.hosts[from], places.hosts[to], path))
          missing = std::min(missing, std::uint64_t{from} << 32U | to);
        // the mean over the addresses, rounded down: no more than what is laid
        order.push_back(std::uint64_t{path.size() / paths.addresses()} << 32U | to);
      }
      std::sort(order.begin(), order.end());
      for (std::uint32_t k = 0; k < order.size(); ++k) {
        least[k] = std::min(least[k], static_cast<std::uint32_t>(order[k] >> 32U));
        if (k < each_) near_[std::size_t{from} * each_ + k] = static_cast<std::uint32_t>(order[k]);
      }
    }
    const std::scoped_lock one(lock);
    first_missing = std::min(first_missing, missing);
    for (std::uint32_t k = 0; k < least.size(); ++k) least_[k] = std::min(least_[k], least[k]);
  });
  if (first_missing == ~std::uint64_t{0}) return;
  throw InputError(
      fmt::format("the routing has no path from {} to {}; ranks cannot be placed on both",
                  network.terminal_name(places.hosts[first_missing >> 32U]),
                  network.terminal_name(places.hosts[static_cast<std::uint32_t>(first_missing)])));
}

}  // namespace unknot::place
