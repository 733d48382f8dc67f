// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/management/management.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "unknot/routing/layers/dependency_walk.hpp"
#include "unknot/routing/layers/lane_sequence.hpp"
#include "unknot/routing/management/copied_routes.hpp"
#include "unknot/routing/management/leftover_trees.hpp"
#include "unknot/routing/management/seeking_routers.hpp"
#include "unknot/routing/management/switch_trees.hpp"
#include "unknot/routing/model/engine.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/parallel.hpp"

namespace unknot {
namespace {

/// Sequences of lanes with the data on them, as they are made from one root or another.
class Sequences {
 public:
  Sequences(const Network& network, const Routing& data, std::uint32_t threads)
      : network_(network), slots_(network), lanes_(data.virtual_lanes) {
    try {
      uses_ = dependency_lanes(network, data, slots_, threads);
    } catch (const RoutingFailure&) {  // packets go in a loop
      forget_data();
    }
  }

  /// Lanes beyond those of the data have nothing on them.
  void use_lanes(std::uint32_t lanes) { lanes_ = of_data_ ? lanes : 1; }
  /// The lanes' sequences; where the data can deadlock, that of one lane on which nothing is.
  std::vector<LaneSequence> from(RouterId root) {
    const std::vector<std::uint32_t> rank = up_down_rank(network_, root);
    std::vector<LaneSequence> sequences;
    while (sequences.size() < lanes_) {
      std::optional<LaneSequence> next =
          lane_sequence(network_, slots_, uses_, static_cast<std::uint32_t>(sequences.size()), rank);
      if (next) {
        sequences.push_back(*std::move(next));
      } else {
        sequences.clear();
        forget_data();
      }
    }
    return sequences;
  }
  [[nodiscard]] const DependencySlots& slots() const { return slots_; }
  /// Lanes of the dependencies of data, by slot.
  [[nodiscard]] std::span<const std::uint16_t> uses() const { return uses_; }
  /// False where the data can deadlock, as far as from() has been asked for its lanes.
  [[nodiscard]] bool of_data() const { return of_data_; }

 private:
  void forget_data() {
    of_data_ = false;
    uses_.assign(slots_.count(), 0);
    lanes_ = 1;
  }

  const Network& network_;
  DependencySlots slots_;
  std::uint32_t lanes_;
  std::vector<std::uint16_t> uses_;
  bool of_data_ = true;
};

/// Channels that leave a router, then those that leave its neighbours.
std::pair<std::size_t, std::size_t> channels_about(const Network& network, RouterId r) {
  std::size_t further = 0;
  for (const ChannelId c : network.out(r)) further += network.out(network.target(c)).size();
  return {network.out(r).size(), further};
}

/// From where channels are up or down: the router with hosts that has lost fewest cables, since in trees all
/// ways of data are up and then down from such a one too; then others all over the network.
std::vector<RouterId> roots_of(const Network& network) {
  constexpr std::uint64_t kSmall = 4'000'000;  // entries: others take a second for each root
  const std::uint64_t entries =
      std::uint64_t{network.router_count()} * (network.terminal_count() + network.router_count());
  const std::uint32_t most = entries <= kSmall ? 6 : 2;
  std::optional<RouterId> best;
  std::pair<std::size_t, std::size_t> most_channels;
  for (const RouterId r : network.routers()) {
    if (network.terminals_at(r).empty()) continue;
    const auto channels = channels_about(network, r);
    if (best && channels <= most_channels) continue;
    best = r;
    most_channels = channels;
  }
  std::vector<RouterId> roots;
  if (best) roots.push_back(*best);
  for (std::uint32_t i = 0; i < most; ++i) {
    const RouterId r(static_cast<std::uint32_t>(std::uint64_t{network.router_count()} * i / most));
    if (std::find(roots.begin(), roots.end(), r) == roots.end()) roots.push_back(r);
  }
  return roots;
}

class Management {
 public:
  Management(const Network& network, const Routing& data, const ManagedNetwork& managed,
             const ManagementRequest& request, ManagedRouting& result)
      : network_(network), data_(data), managed_(managed), request_(request), result_(result) {}

  void run(Progress& progress) {
    Routing& routing = result_.routing;
    const auto routers = network_.routers();
    // As all levels are 0, those of routers without hosts may be too.
    const bool no_levels = routing.lane_map == nullptr && routing.flow_control == FlowControl::credits &&
                           data_.service_levels.all_zero();
    if (!no_levels) add_levels(ServiceLevels::kMissing);
    if (std::any_of(routers.begin(), routers.end(), [&](RouterId r) { return bare(r); })) join_bare(progress);
    if (progress.interrupted()) throw Interrupted();
    if (request_.hosts.empty() || routing.service_levels.empty()) return;
    result_.other_level = answer_alike(managed_, request_.hosts, lanes(), routing);
    // A tree that has grown anew for a manager's question joins all routers.
    std::erase_if(result_.left_out, [&](const ManagementPair& pair) {
      return routing.service_levels.get(pair.source, pair.destination) != ServiceLevels::kMissing;
    });
  }

 private:
  [[nodiscard]] std::uint32_t lanes() const {
    return std::max(result_.routing.virtual_lanes, std::min(request_.lanes, result_.routing.data_lanes));
  }

  [[nodiscard]] bool bare(RouterId r) const { return network_.terminals_at(r).empty(); }

  void add_levels(std::uint8_t of_bare) {
    result_.routing.service_levels = copied_levels(network_, data_, managed_, of_bare, request_.threads);
  }

  void join_bare(Progress& progress) {
    Routing& routing = result_.routing;
    std::vector<LeftoverTree> trees;
    if (routing.lane_map != nullptr || routing.flow_control != FlowControl::credits ||
        routing.virtual_lanes > LaneMap::kLevels) {
      for (const TerminalId t : managed_.network.terminals()) trees.push_back({t, without_way(t)});
      leave_out(trees);
      return;
    }
    Sequences sequences(network_, data_, request_.threads);
    if (routing.service_levels.empty() && follow_data(sequences)) return;
    // Those that data has, then one more at a time: on a lane of its own nearly every way agrees.
    for (std::uint32_t in_use = routing.virtual_lanes;; ++in_use) {
      sequences.use_lanes(in_use);
      trees = grow_from_some_root(sequences, in_use, progress);
      if (trees.empty() || !sequences.of_data() || in_use == lanes()) break;
    }
    if (sequences.of_data())
      routing.virtual_lanes = std::max(routing.virtual_lanes, routing.service_levels.highest() + 1U);
    leave_out(trees);
  }

  /// Where no levels are needed for data: those alone seek a way that cannot go as packets of data do. All on
  /// one lane if nothing is left over then; else false, and there are levels.
  bool follow_data(Sequences& sequences) {
    sequences.use_lanes(1);
    std::vector<LaneSequence> of_lane = sequences.from(roots_of(network_)[0]);
    if (!sequences.of_data()) {
      add_levels(ServiceLevels::kMissing);
      return false;
    }
    seeking_ = seeking_routers(managed_, result_.routing.table(), sequences.slots(), sequences.uses(),
                               request_.threads);
    bool hopeless = false;
    if (grow_trees(sequences, std::move(of_lane), 0, hopeless).empty()) return true;
    add_levels(0);
    return false;
  }

  /// From the first root that leaves nothing over, else from the one that leaves over fewest.
  std::vector<LeftoverTree> grow_from_some_root(Sequences& sequences, std::uint32_t lanes_in_use,
                                                Progress& progress) {
    // Mending costs a search of the channels for each router. Where that takes long, roots are compared
    // without.
    constexpr std::uint64_t kQuick = 5'000'000;
    // So much is left over that no root will do: a lane more does, where there is one.
    constexpr std::uint64_t kHopeless = 100 * kQuick;
    const auto mend = [&](std::vector<LeftoverTree>& trees) {
      if (progress.interrupted()) throw Interrupted();
      if (sequences.of_data()) grow_leftover_trees(managed_.network, result_.routing, lanes_in_use, trees);
    };
    std::optional<RouterId> best;
    std::uint64_t fewest = 0;
    for (const RouterId root : roots_of(network_)) {
      // Only where there is a lane more to take.
      const std::uint64_t too_many = lanes_in_use < lanes() && sequences.of_data()
                                         ? kHopeless / std::max(1U, network_.channel_count())
                                         : std::numeric_limits<std::uint64_t>::max();
      bool hopeless = false;
      std::vector<LeftoverTree> trees = grow_trees(sequences, sequences.from(root), too_many, hopeless);
      if (hopeless) return trees;
      if (!best || count(trees) * network_.channel_count() <= kQuick) mend(trees);
      if (trees.empty()) return trees;
      if (best && count(trees) >= fewest) continue;
      best = root;
      fewest = count(trees);
    }
    bool hopeless = false;
    std::vector<LeftoverTree> trees =
        grow_trees(sequences, sequences.from(*best), std::numeric_limits<std::uint64_t>::max(), hopeless);
    mend(trees);
    return trees;
  }

  static std::uint64_t count(const std::vector<LeftoverTree>& trees) {
    std::uint64_t routers = 0;
    for (const LeftoverTree& tree : trees) routers += tree.routers.size();
    return routers;
  }

  /// What is left over. `hopeless`: more than `too_many` routers, or so it seems where every kProbe-th block
  /// leaves out twice its part of them; the other blocks are not grown then.
  std::vector<LeftoverTree> grow_trees(const Sequences& sequences, std::vector<LaneSequence> of_lanes,
                                       std::uint64_t too_many, bool& hopeless) {
    constexpr std::uint32_t kProbe = 32;
    SwitchTrees trees(managed_, result_.routing, sequences.slots(), sequences.uses(), std::move(of_lanes),
                      seeking_);
    const std::uint32_t threads = request_.threads == 0 ? hardware_threads() : request_.threads;
    std::vector<SwitchTrees::Scratch> scratch(threads, trees.scratch());
    const std::uint32_t terminals = managed_.network.terminal_count();
    std::vector<std::vector<RouterId>> without(terminals);
    const auto left = [&] {
      std::vector<LeftoverTree> all;
      for (std::uint32_t t = 0; t < terminals; ++t) {
        if (!without[t].empty()) all.push_back({TerminalId(t), without[t]});
      }
      return all;
    };
    const std::uint32_t blocks = (terminals + SwitchTrees::kColumns - 1) / SwitchTrees::kColumns;
    std::vector<std::uint32_t> probed;
    std::vector<std::uint32_t> others;
    for (std::uint32_t b = 0; b < blocks; ++b) (b % kProbe == 0 ? probed : others).push_back(b);
    const auto grow_blocks = [&](const std::vector<std::uint32_t>& some) {
      parallel_blocks(static_cast<std::uint32_t>(some.size()), 1, threads,
                      [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
                        for (std::uint32_t i = begin; i < end; ++i) {
                          const std::uint32_t first = some[i] * SwitchTrees::kColumns;
                          trees.grow(first, std::min(terminals, first + SwitchTrees::kColumns),
                                     scratch[worker], without);
                        }
                      });
    };
    grow_blocks(probed);
    if (std::vector<LeftoverTree> of_probe = left(); count(of_probe) / 2 > too_many / kProbe) {
      hopeless = true;
      return of_probe;
    }
    grow_blocks(others);
    std::vector<LeftoverTree> of_all = left();
    hopeless = count(of_all) > too_many;
    return of_all;
  }

  /// Where routers without hosts are left out: those that do not reach `t`.
  [[nodiscard]] std::vector<RouterId> without_way(TerminalId t) const {
    std::vector<RouterId> routers;
    const RouterId home = managed_.network.router_of(t);
    for (const RouterId r : network_.routers()) {
      if (r != home && (bare(home) || bare(r))) routers.push_back(r);
    }
    return routers;
  }

  void leave_out(const std::vector<LeftoverTree>& trees) {
    for (const LeftoverTree& tree : trees) {
      for (const RouterId r : tree.routers) {
        for (const TerminalId source : managed_.network.terminals_at(r))
          result_.left_out.push_back({source, tree.destination});
      }
    }
  }

  const Network& network_;
  const Routing& data_;
  const ManagedNetwork& managed_;
  const ManagementRequest& request_;
  ManagedRouting& result_;
  std::vector<std::vector<RouterId>> seeking_;  // as SwitchTrees takes it
};

}  // namespace

ManagedRouting with_management(const Network& network, const Routing& data, const ManagedNetwork& managed,
                               const ManagementRequest& request, Progress& progress) {
  require_tables(data, "management");
  ManagedRouting result;
  result.routing = copied_routes(network, data, managed, request.threads);
  Management(network, data, managed, request, result).run(progress);
  result.lanes_more = result.routing.virtual_lanes - data.virtual_lanes;
  result.routing.lanes_needed += result.lanes_more;
  ServiceLevels& levels = result.routing.service_levels;
  if (levels.all_zero()) levels = {};
  return result;
}

}  // namespace unknot
