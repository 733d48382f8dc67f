// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/covers/covered_routing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "unknot/routing/covers/dealt_trees.hpp"
#include "unknot/routing/covers/lane_growth.hpp"
#include "unknot/routing/covers/lane_turns.hpp"
#include "unknot/routing/covers/path_prices.hpp"
#include "unknot/routing/covers/path_sets.hpp"
#include "unknot/routing/covers/safe_trees.hpp"
#include "unknot/routing/covers/spare_lanes.hpp"
#include "unknot/routing/layers/lane_budget.hpp"
#include "unknot/routing/model/engine.hpp"
#include "unknot/routing/up_down/up_down_table.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

/// Pairs of routers left for each channel from which on paths are put on lanes one by one.
constexpr std::uint64_t kFewLeft = 1;
/// Of the growth of a lane; of that from which paths are put one by one.
constexpr std::uint32_t kRounds = 3;
constexpr std::uint32_t kSpareRounds = 1;

class Cover {
 public:
  Cover(const Network& network, std::uint64_t seed, std::uint32_t threads, Progress& progress)
      : network_(network),
        progress_(progress),
        sets_(network, threads),
        growth_(network, sets_, seed, threads),
        threads_(threads) {}

  Routing route(const std::string& engine, std::uint32_t most_lanes) {
    grow(most_lanes);
    LaneTurns turns(network_, orders_, threads_);
    SafeTrees safe(network_, sets_, turns, threads_);
    if (!safe.unserved().empty()) {
      stop_if_asked();
      take_spare_lanes(engine, safe);
      require_lanes(engine, static_cast<std::uint32_t>(orders_.size()), most_lanes);
      turns = LaneTurns(network_, orders_, threads_);
    }
    stop_if_asked();
    const PathPrices prices(network_, sets_, safe, threads_);
    return dealt_trees({network_, sets_, turns, safe, prices}, threads_, progress_);
  }

 private:
  void stop_if_asked() const {
    if (progress_.interrupted()) throw Interrupted();
  }

  void grow(std::uint32_t most_lanes) {
    progress_.begin("lanes", 0);
    const std::uint64_t few = kFewLeft * network_.channel_count();
    do {
      stop_if_asked();
      orders_.push_back(growth_.next(kRounds));
    } while (growth_.left() > few && orders_.size() + 1 < most_lanes);
  }

  /// Channels of every shortest first hop of the router, and of the safe tree's path behind it.
  void list_paths(const SafeTrees& safe, const Unserved& pair) {
    paths_.clear();
    const RouterId root = sets_.destinations()[pair.destination];
    for (const ChannelId c : network_.out(RouterId(pair.router))) {
      const PathSets::Word word = sets_.towards(c.value)[pair.destination / PathSets::kWordBits];
      if ((word >> pair.destination % PathSets::kWordBits & 1U) == 0) continue;
      std::vector<std::uint32_t>& path = paths_.emplace_back(1, c.value);
      for (RouterId r = network_.target(c); r != root; r = network_.target(ChannelId(path.back())))
        path.push_back(network_.out(r).first() + safe.entry(pair.destination, r.value));
    }
  }

  void take_spare_lanes(const std::string& engine, SafeTrees& safe) {
    std::vector<PathSets::Word> left(sets_.destinations().size() * sets_.words(), 0);
    for (const Unserved& pair : safe.unserved()) {
      left[std::size_t{sets_.index(RouterId(pair.router))} * sets_.words() +
           pair.destination / PathSets::kWordBits] |= PathSets::Word{1}
                                                      << pair.destination % PathSets::kWordBits;
    }
    growth_.leave(std::move(left));
    SpareLanes spare(network_, growth_.next(kSpareRounds),
                     LaneTurns::kMostLanes - static_cast<std::uint32_t>(orders_.size()));
    for (const Unserved& pair : safe.unserved()) {
      list_paths(safe, pair);
      const std::size_t taken = spare.add_one_of(paths_);
      if (taken == paths_.size()) {
        throw RoutingFailure(
            fmt::format("{} needs more than {} virtual lanes here", engine, LaneTurns::kMostLanes));
      }
      safe.set_entry(pair, paths_[taken][0] - network_.out(RouterId(pair.router)).first());
    }
    for (std::uint32_t lane = 0; lane < spare.lanes(); ++lane) orders_.push_back(spare.order(lane));
  }

  const Network& network_;
  Progress& progress_;
  PathSets sets_;
  LaneGrowth growth_;
  std::uint32_t threads_;
  std::vector<std::vector<std::uint32_t>> orders_;  // by lane: channels, first to last
  std::vector<std::vector<std::uint32_t>> paths_;   // scratch
};

}  // namespace

Routing covered_routing(const Network& network, const std::string& engine, std::uint32_t most_lanes,
                        std::uint64_t seed, std::uint32_t threads, Progress& progress) {
  Routing routing = Cover(network, seed, threads, progress).route(engine, most_lanes);
  routing.engine = engine;
  return routing;
}

std::string cover_trouble(const Network& network) {
  return one_way_trouble(network);
}

}  // namespace unknot
