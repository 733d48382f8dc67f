// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/oblivious/router_demand.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/adaptive/adaptive_routing.hpp"
#include "unknot/tables/routing.hpp"
#include "unknot/traffic/patterns/pattern.hpp"

namespace unknot {

/// What pairs of routers send, and for each pair the paths that its traffic may take, one by one: a set of
/// paths that a routing offers. A value: any code may fill it. Paths are channels one after the other from
/// the source to the destination; they may pass a router, or take a channel, more than once.
class PathLists {
 public:
  struct Pair {
    RouterId source, destination;
    double rate = 0;  ///< positive
  };

  /// Paths added from now on are those of this pair.
  void add_pair(const Pair& pair) {
    pairs_.push_back(pair);
    first_path_.push_back(first_path_.back());
  }
  void add_path(std::span<const ChannelId> path) {
    channels_.insert(channels_.end(), path.begin(), path.end());
    first_channel_.push_back(channels_.size());
    ++first_path_.back();
  }

  [[nodiscard]] const std::vector<Pair>& pairs() const { return pairs_; }
  [[nodiscard]] std::size_t path_count() const { return first_channel_.size() - 1; }
  /// Channels of all paths together.
  [[nodiscard]] std::size_t channel_count() const { return channels_.size(); }
  /// Paths of a pair are numbered from first_path(pair) to first_path(pair + 1).
  [[nodiscard]] std::size_t first_path(std::size_t pair) const { return first_path_[pair]; }
  [[nodiscard]] std::span<const ChannelId> path(std::size_t path) const {
    return {channels_.data() + first_channel_[path], channels_.data() + first_channel_[path + 1]};
  }

 private:
  std::vector<Pair> pairs_;
  std::vector<std::size_t> first_path_{0};     // by pair, and one more
  std::vector<std::size_t> first_channel_{0};  // by path, and one more
  std::vector<ChannelId> channels_;
};

/// Load by channel where each pair splits its rate evenly over its paths.
std::vector<double> even_load(const Network& network, const PathLists& lists);

/// Most channels of paths that are listed: 4 bytes each, and some more for each path.
inline constexpr std::size_t kMaxListedChannels = 50'000'000;

/// Beyond that.
class TooManyPaths : public InputError {
 public:
  using InputError::InputError;
};

// Lists for the pairs of a demand, in order of destination, then source; each path once. Parallel cables make
// separate paths. TooManyPaths beyond kMaxListedChannels, InputError where a pair has no path.

/// Of all shortest paths of a demand's pairs, without listing them; in floating point, as there may be many.
struct PathCount {
  std::size_t pairs = 0;
  double paths = 0;
  double channels = 0;  ///< of all paths together
};
/// O(endpoint routers * channels). Pairs without a path count for nothing.
PathCount count_shortest_paths(const Network& network, const RouterDemand& demand);

/// All shortest paths, in order of their channels.
PathLists shortest_path_lists(const Network& network, const RouterDemand& demand, Progress& progress);

/// The `count` shortest paths that pass no router twice, or all there are, in order of their lengths, then of
/// their channels (Yen 1971, with Lawler's branching of 1972). O(count * length) searches of O(channels) for
/// each pair.
PathLists k_shortest_path_lists(const Network& network, const RouterDemand& demand, std::uint32_t count,
                                Progress& progress);

/// The paths of Valiant's routing, as ObliviousPaths::valiant has them: by every other router with terminals,
/// each shortest path of both halves. Those of different intermediates may be the same: each is there once.
/// With `shortest`, all shortest paths as well: what UGAL chooses from (Singh 2005), and all that a pair has
/// where there is no third router.
PathLists valiant_path_lists(const Network& network, const RouterDemand& demand, bool shortest,
                             Progress& progress);

/// The paths of tables or routes to all addresses of the destination (Routing::further), a pair for each flow
/// between routers. Those that do not arrive, or that the lanes of their tables do not carry, are left out.
/// TooManyPaths beyond kMaxListedChannels, InputError where a flow has none. O(flows * addresses * hops).
PathLists address_path_lists(const Network& network, const Routing& routing, std::span<const Flow> flows,
                             Progress& progress);

/// All ways that an adaptive routing allows the packets of each flow, on each level that they may have: those
/// of groups, hashed ones too, where the level is adaptive, else those of the fixed channels; each once.
/// What the best switches could reach that knew the traffic, and none exceeds. InputError for routings with
/// several private tables, where a way comes to a router twice, and where a flow has no way; TooManyPaths
/// beyond kMaxListedChannels. O(channels of all ways).
PathLists group_path_lists(const Network& network, const AdaptiveRouting& routing,
                           std::span<const Flow> flows, Progress& progress);

}  // namespace unknot
