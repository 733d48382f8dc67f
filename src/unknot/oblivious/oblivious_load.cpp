// SPDX-License-Identifier: Apache-2.0
#include "unknot/oblivious/oblivious_load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>

#include "unknot/network/distances_to.hpp"
#include "unknot/oblivious/paths_to.hpp"
#include "unknot/oblivious/valiant_demand.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/parallel.hpp"
#include "unknot/support/shared_progress.hpp"

namespace unknot {
namespace {

// Destinations are dealt to a fixed number of stripes, each with loads of its own that are added up in order:
// sums of doubles depend on their order, and must not depend on the number of threads.
constexpr std::uint32_t kStripes = 16;

struct Stripe {
  std::vector<double> load;  // by channel
  std::uint64_t lost_pairs = 0;
  std::uint32_t lost_source = 0, lost_destination = 0;  // of the first
};

/// Lays the demand for one destination after another over the shortest paths. Space of one worker.
class Spreader {
 public:
  Spreader(const Network& network, const InNeighbours& neighbours, const EndpointRouters& endpoints)
      : network_(network),
        endpoints_(endpoints),
        paths_(network, neighbours),
        number_(network.router_count()),
        passing_(network.router_count()),
        rate_(endpoints.count()) {}

  /// Where column() is to leave the demand for the destination of lay().
  [[nodiscard]] std::span<double> rate() { return rate_; }

  /// Adds `rate()` to the load; calls lost(source) for rates that have no path.
  template <class Lost>
  void lay(std::uint32_t destination, std::vector<double>& load, const Lost& lost) {
    paths_.run(endpoints_[destination]);
    paths_.count(number_);
    const std::span<const std::uint32_t> distance = paths_.distance();
    for (std::uint32_t s = 0; s < rate_.size(); ++s) {
      const std::uint32_t router = endpoints_[s].value;
      if (rate_[s] == 0) continue;
      if (distance[router] == PathsTo::kUnreached) {
        lost(s);
      } else {
        passing_[router] = rate_[s];
      }
    }
    const std::span<const std::uint32_t> order = paths_.order();
    for (std::size_t i = order.size() - 1; i > 0; --i) {
      const std::uint32_t r = order[i];
      if (passing_[r] == 0) continue;
      if (!std::isfinite(number_[r])) {
        throw InputError(fmt::format("{} and {} have more shortest paths than can be counted (1e308)",
                                     network_.router_name(RouterId(r)),
                                     network_.router_name(endpoints_[destination])));
      }
      // Of the packets here each shortest path onward gets the same share, so a channel gets its paths' part.
      const double each = passing_[r] / number_[r];
      paths_.for_each_next(r, [&](std::uint32_t channel, std::uint32_t target) {
        const double share = each * number_[target];
        load[channel] += share;
        passing_[target] += share;
      });
      passing_[r] = 0;
    }
    passing_[order.front()] = 0;
  }

 private:
  const Network& network_;
  const EndpointRouters& endpoints_;
  PathsTo paths_;
  std::vector<double> number_;   // by router: shortest paths to the destination
  std::vector<double> passing_;  // by router: rate that leaves it for the destination; all 0 between calls
  std::vector<double> rate_;     // by endpoint router
};

void summarise(const RouterDemand& demand, ObliviousLoad& result) {
  if (!result.load.empty()) {
    const auto busiest = std::max_element(result.load.begin(), result.load.end());
    result.busiest = ChannelId(static_cast<std::uint32_t>(busiest - result.load.begin()));
    result.max = *busiest;
    result.min = *std::min_element(result.load.begin(), result.load.end());
    for (const double load : result.load) result.mean += load;
    result.mean /= static_cast<double>(result.load.size());
  }
  result.saturation = result.lost_pairs > 0 ? 0 : 1 / std::max({1.0, result.max, demand.peak_ejection()});
}

}  // namespace

ObliviousPaths oblivious_paths_from(std::string_view word) {
  if (word == "minimal") return ObliviousPaths::minimal;
  if (word == "valiant") return ObliviousPaths::valiant;
  throw InputError(fmt::format("there are no paths '{}', expected minimal or valiant", word));
}

std::string_view name_of(ObliviousPaths paths) {
  return paths == ObliviousPaths::minimal ? "minimal" : "valiant";
}

ObliviousLoad oblivious_load(const Network& network, ObliviousPaths paths, const RouterDemand& demand,
                             std::uint32_t threads, Progress& progress) {
  const EndpointRouters& endpoints = demand.endpoints();
  const std::uint32_t count = endpoints.count();
  std::optional<ValiantDemand> valiant;
  if (paths == ObliviousPaths::valiant) valiant.emplace(network, demand);
  if (threads == 0) threads = hardware_threads();
  const InNeighbours neighbours(network);
  std::vector<std::unique_ptr<Spreader>> spreaders(threads);
  std::array<Stripe, kStripes> stripes;
  SharedProgress shared(progress, "spreading", count);

  const auto run_stripe = [&](std::uint32_t index, Spreader& spreader) {
    Stripe& stripe = stripes[index];
    const auto note_lost = [&](std::uint32_t source, std::uint32_t destination) {
      if (stripe.lost_pairs++ > 0) return;
      stripe.lost_source = source;
      stripe.lost_destination = destination;
    };
    const auto begin = static_cast<std::uint32_t>(std::uint64_t{count} * index / kStripes);
    const auto end = static_cast<std::uint32_t>(std::uint64_t{count} * (index + 1) / kStripes);
    if (begin < end) stripe.load.assign(network.channel_count(), 0);
    for (std::uint32_t d = begin; d < end; ++d) {
      demand.column(d, spreader.rate());
      if (valiant) {
        for (std::uint32_t s = 0; s < count; ++s) {
          if (spreader.rate()[s] > 0 && valiant->intermediates().share(s, d) == 0) note_lost(s, d);
        }
        valiant->column(d, spreader.rate());
      }
      spreader.lay(d, stripe.load, [&](std::uint32_t s) { note_lost(s, d); });
      shared.step();
    }
  };
  parallel_blocks(kStripes, 1, threads, [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
    if (!spreaders[worker]) spreaders[worker] = std::make_unique<Spreader>(network, neighbours, endpoints);
    for (std::uint32_t s = begin; s < end; ++s) run_stripe(s, *spreaders[worker]);
  });

  ObliviousLoad result;
  result.load.assign(network.channel_count(), 0);
  for (const Stripe& stripe : stripes) {
    for (std::size_t c = 0; c < stripe.load.size(); ++c) result.load[c] += stripe.load[c];
    if (stripe.lost_pairs > 0 && result.lost_pairs == 0) {
      result.lost_source = endpoints[stripe.lost_source];
      result.lost_destination = endpoints[stripe.lost_destination];
    }
    result.lost_pairs += stripe.lost_pairs;
  }
  summarise(demand, result);
  return result;
}

}  // namespace unknot
