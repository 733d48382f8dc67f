// SPDX-License-Identifier: Apache-2.0
#include "unknot/traffic/patterns/longest_matching.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "unknot/network/distances_to.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/parallel.hpp"
#include "unknot/support/shared_progress.hpp"
#include "unknot/traffic/patterns/fixed_pattern.hpp"
#include "unknot/traffic/patterns/small_transport.hpp"

namespace unknot {
namespace {

/// Distances between routers with terminals, a row for each destination, since searches end there; none where
/// a distance does not fit.
template <class Weight>
std::optional<WeightMatrix<Weight>> distances_between(const Network& network,
                                                      const std::vector<RouterId>& routers,
                                                      std::uint32_t threads, Progress& progress) {
  const auto count = static_cast<std::uint32_t>(routers.size());
  const std::uint64_t bytes = std::uint64_t{count} * count * sizeof(Weight);
  if (bytes > kMostMatchingBytes) {
    throw InputError(
        fmt::format("the longest matching of {} routers with terminals needs {} MiB of distances, at most {} "
                    "are taken on",
                    count, bytes >> 20U, kMostMatchingBytes >> 20U));
  }
  WeightMatrix<Weight> matrix{count, std::vector<Weight>(std::size_t{count} * count)};
  const InNeighbours neighbours(network);
  std::vector<std::unique_ptr<DistancesTo>> searches(threads == 0 ? hardware_threads() : threads);
  std::atomic<bool> fits{true};
  SharedProgress shared(progress, "distances", count);
  parallel_blocks(count, 16, threads, [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
    if (!searches[worker]) searches[worker] = std::make_unique<DistancesTo>(neighbours);
    for (std::uint32_t d = begin; d < end && fits; ++d) {
      searches[worker]->run(routers[d]);
      const std::span<const std::uint32_t> distance = searches[worker]->distance();
      Weight* row = matrix.weight.data() + std::size_t{d} * count;
      std::uint32_t most = 0;
      for (std::uint32_t s = 0; s < count; ++s) {
        const std::uint32_t hops = distance[routers[s].value];
        const std::uint32_t weight = hops == DistancesTo::kUnreached ? 0 : hops;
        row[s] = static_cast<Weight>(weight);
        most = std::max(most, weight);
      }
      if (most > kMostWeight<Weight>) fits = false;
      shared.step();
    }
  });
  if (!fits) return std::nullopt;
  return matrix;
}

/// By the rows of distances_between(): what a matching sends, it receives.
template <class Weight>
LongestMatching matched(const Network& network, const std::vector<RouterId>& routers,
                        const WeightMatrix<Weight>& distances, Progress& progress) {
  std::vector<std::uint32_t> terminals;
  terminals.reserve(routers.size());
  for (const RouterId r : routers) terminals.push_back(network.terminals_at(r).size());
  const SmallTransportPlan plan = small_transport(distances, terminals, terminals, progress);
  LongestMatching matching;
  for (const SentUnits& sent : plan.sent)
    matching.parts.push_back({routers[sent.destination], routers[sent.source], sent.units});
  std::sort(matching.parts.begin(), matching.parts.end(),
            [](const LongestMatching::Part& a, const LongestMatching::Part& b) {
              return std::tie(a.source, a.destination) < std::tie(b.source, b.destination);
            });
  matching.sender.assign(network.router_count(), 0);
  matching.receiver.assign(network.router_count(), 0);
  for (std::size_t i = 0; i < routers.size(); ++i) {
    matching.sender[routers[i].value] = plan.price[i];
    matching.receiver[routers[i].value] = plan.profit[i];
  }
  return matching;
}

}  // namespace

LongestMatching longest_matching(const Network& network, std::uint32_t threads, Progress& progress) {
  const std::vector<RouterId> routers = network.endpoint_routers();
  if (const auto near = distances_between<std::uint8_t>(network, routers, threads, progress))
    return matched(network, routers, *near, progress);
  if (const auto far = distances_between<std::uint16_t>(network, routers, threads, progress))
    return matched(network, routers, *far, progress);
  throw InputError(fmt::format("the longest matching takes distances of at most {} channels between routers",
                               kMostWeight<std::uint16_t>));
}

TrafficPattern longest_matching_pattern(const Network& network, Progress& progress) {
  const LongestMatching matching = longest_matching(network, 0, progress);
  std::vector<std::uint32_t> next_source(network.router_count(), 0);
  std::vector<std::uint32_t> next_destination(network.router_count(), 0);
  std::vector<Flow> flows;
  for (const LongestMatching::Part& part : matching.parts) {
    for (std::uint32_t i = 0; i < part.terminals; ++i) {
      flows.push_back({network.terminals_at(part.source)[next_source[part.source.value]++],
                       network.terminals_at(part.destination)[next_destination[part.destination.value]++]});
    }
  }
  return pattern_of_flows(std::move(flows));
}

}  // namespace unknot
