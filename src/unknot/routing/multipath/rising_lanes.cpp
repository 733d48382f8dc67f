// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/multipath/rising_lanes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "unknot/routing/model/engine.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::uint8_t kUnset = 0xFF;
constexpr std::uint32_t kNoLevel = LaneMap::kLevels;

/// By turn and level: the lane of the second channel, or none yet.
class Turns {
 public:
  Turns(const Network& network, std::uint32_t lanes)
      : network_(network), lanes_(lanes), degree_(network.max_out_degree()) {
    LaneMap::Row none;
    none.fill(kUnset);
    rows_.assign(std::size_t{network.channel_count()} * degree_, none);
  }

  /// The first level that has room for the path, taken; kNoLevel where none has.
  std::uint32_t take(std::span<const ChannelId> path) {
    for (std::uint32_t level = 0; level < LaneMap::kLevels; ++level) {
      if (!fits(path, level)) continue;
      std::uint8_t lane = 0;
      for (std::size_t i = 1; i < path.size(); ++i) {
        std::uint8_t& entry = row(path[i - 1], path[i])[level];
        lane = entry == kUnset ? static_cast<std::uint8_t>(lane + 1) : entry;
        entry = lane;
      }
      return level;
    }
    return kNoLevel;
  }

  [[nodiscard]] const LaneMap::Row& lanes(ChannelId in, ChannelId out) const { return rows_[at(in, out)]; }

 private:
  [[nodiscard]] bool fits(std::span<const ChannelId> path, std::uint32_t level) const {
    std::uint32_t lane = 0;
    for (std::size_t i = 1; i < path.size(); ++i) {
      const std::uint8_t entry = lanes(path[i - 1], path[i])[level];
      if (entry != kUnset && entry <= lane) return false;
      lane = entry == kUnset ? lane + 1 : entry;  // the lowest leaves the most room
    }
    return lane < lanes_;
  }
  [[nodiscard]] std::size_t at(ChannelId in, ChannelId out) const {
    return std::size_t{in.value} * degree_ + out.value - network_.out(network_.source(out)).first();
  }
  LaneMap::Row& row(ChannelId in, ChannelId out) { return rows_[at(in, out)]; }

  const Network& network_;
  std::uint32_t lanes_;
  std::uint32_t degree_;
  std::vector<LaneMap::Row> rows_;
};

class Assignment {
 public:
  Assignment(const Network& network, std::uint32_t lanes, LayerTrees& trees)
      : network_(network),
        lanes_(lanes),
        trees_(trees),
        ports_(sending_ports(network)),
        rank_(address_ranks(network)),
        turns_(network, lanes),
        levels_(network, ServiceLevels::Rows::by_router),
        given_up_(network.terminal_count(), false) {}

  /// False where a path to a first address finds no level. `first_before`: those choose before all others.
  bool run(bool first_before, Progress& progress) {
    progress.begin("levels", lanes_);
    if (first_before && !pass([&](TerminalId t, std::size_t) { return rank_[t.value] == 0; })) return false;
    for (std::uint32_t length = lanes_; length > 0; --length) {
      const auto turn = [&](TerminalId t, std::size_t hops) {
        return hops == length && !(first_before && rank_[t.value] == 0);
      };
      if (!pass(turn)) return false;
      if (progress.interrupted()) throw Interrupted();
      progress.update(lanes_ - length + 1);
    }
    replace();
    return true;
  }

  RisingLanes result() && {
    RisingLanes all;
    all.levels = std::move(levels_);
    all.level_count = all.levels.highest() + 1U;
    all.moved = moved_;
    for (const bool one : given_up_) all.replaced += one ? 1 : 0;
    auto map = std::make_shared<LaneMap>(network_, std::uint8_t{1});  // lane 0 where nothing else is said
    for (const ChannelId in : network_.channels()) {
      const RouterId r = network_.target(in);
      for (const ChannelId out : network_.out(r)) {
        LaneMap::Row row = turns_.lanes(in, out);
        for (std::uint8_t& lane : row) {
          if (lane == kUnset) {
            lane = static_cast<std::uint8_t>(lanes_ - 1);  // no path goes there
          } else {
            all.lanes = std::max(all.lanes, lane + 1U);
          }
        }
        map->set(r, network_.target_port(in), network_.source_port(out), row);
      }
    }
    all.map = std::move(map);
    return all;
  }

 private:
  /// Gives a level to each path of which `now(destination, hops)` says so.
  template <class Now>
  bool pass(const Now& now) {
    for (const TerminalId t : network_.terminals()) {
      if (given_up_[t.value]) continue;
      for (const RouterId s : network_.routers()) {
        if (ports_[s.value] == 0 || !follow(t, s) || !now(t, path_.size())) continue;
        std::uint32_t level = turns_.take(path_);
        if (level == kNoLevel && rank_[t.value] == 0) return false;
        if (level == kNoLevel) level = move(t, s);
        if (level == kNoLevel) {
          given_up_[t.value] = true;
          break;
        }
        set(s, t, level);
      }
    }
    return true;
  }

  /// Fills path_; false where there is none, or no channel is needed.
  bool follow(TerminalId t, RouterId from) {
    const std::span<const std::uint32_t> hops = trees_.towards(t);
    path_.clear();
    const RouterId root = network_.router_of(t);
    for (RouterId at = from; at != root;) {
      if (hops[at.value] == LayerTrees::kNone) return false;
      path_.emplace_back(hops[at.value]);
      at = network_.target(path_.back());
    }
    return !path_.empty();
  }

  /// Another next hop for a router that no path of the tree passes, with the level of its new path.
  std::uint32_t move(TerminalId t, RouterId s) {
    const std::span<std::uint32_t> hops = trees_.towards(t);
    for (const ChannelId c : network_.in(s)) {
      if (hops[network_.source(c).value] == c.value) return kNoLevel;
    }
    const std::uint32_t before = hops[s.value];
    for (const ChannelId c : network_.out(s)) {
      hops[s.value] = c.value;
      const RouterId to = network_.target(c);
      if (to == s || (to != network_.router_of(t) && hops[to.value] == LayerTrees::kNone)) continue;
      if (!follow(t, s) || path_.size() > lanes_) continue;
      if (const std::uint32_t level = turns_.take(path_); level != kNoLevel) {
        ++moved_;
        return level;
      }
    }
    hops[s.value] = before;
    return kNoLevel;
  }

  void set(RouterId s, TerminalId t, std::uint32_t level) {
    levels_.row(levels_.row_of(network_.terminals_at(s)[0]))[t.value] = static_cast<std::uint8_t>(level);
  }

  /// Trees that were given up become those to the first address of the port, with their levels.
  void replace() {
    for (const TerminalId t : network_.terminals()) {
      if (!given_up_[t.value]) continue;
      const TerminalId first(t.value - rank_[t.value]);
      std::copy(trees_.towards(first).begin(), trees_.towards(first).end(), trees_.towards(t).begin());
      for (std::uint32_t row = 0; row < levels_.row_count(); ++row)
        levels_.row(row)[t.value] = levels_.row(row)[first.value];
    }
  }

  const Network& network_;
  std::uint32_t lanes_;
  LayerTrees& trees_;
  std::vector<std::uint32_t> ports_, rank_;
  Turns turns_;
  ServiceLevels levels_;
  std::vector<bool> given_up_;  // by terminal
  std::vector<ChannelId> path_;
  std::uint32_t moved_ = 0;
};

}  // namespace

RisingLanes rising_lanes(const Network& network, std::uint32_t lanes, LayerTrees& trees, Progress& progress) {
  const LayerTrees as_given = trees;
  Assignment longest_first(network, lanes, trees);
  if (longest_first.run(false, progress)) return std::move(longest_first).result();
  trees = as_given;
  Assignment first_before(network, lanes, trees);
  if (first_before.run(true, progress)) return std::move(first_before).result();
  throw RoutingFailure(fmt::format(
      "{} service levels are too few to raise the lane at each hop of shortest paths", LaneMap::kLevels));
}

}  // namespace unknot
