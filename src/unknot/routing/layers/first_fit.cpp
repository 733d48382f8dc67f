// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/layers/first_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "unknot/lanes/acyclic_arcs.hpp"
#include "unknot/routing/layers/dependency_bits.hpp"
#include "unknot/routing/model/engine.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

/// A lane's channel dependencies, which never close a cycle. Those that would have are remembered, since a
/// lane that only grows will never take them.
class Lane {
 public:
  explicit Lane(const ArcSpace& space) : arcs_(space), refused_(space.arc_count(), false) {}

  /// Adds all of them, or none where that would close a cycle.
  bool add(std::span<const std::uint32_t> dependencies) {
    if (std::any_of(dependencies.begin(), dependencies.end(),
                    [this](std::uint32_t d) { return refused_[d]; }))
      return false;
    added_.clear();
    for (const std::uint32_t dependency : dependencies) {
      if (arcs_.contains(dependency)) continue;
      if (arcs_.add(dependency)) {
        added_.push_back(dependency);
        continue;
      }
      // Only a refusal that nothing temporary had a part in holds forever.
      if (added_.empty()) refused_[dependency] = true;
      for (const std::uint32_t undo : added_) arcs_.remove(undo);
      return false;
    }
    return true;
  }

  [[nodiscard]] bool contains(std::uint32_t dependency) const { return arcs_.contains(dependency); }

 private:
  AcyclicArcs arcs_;
  std::vector<bool> refused_;
  std::vector<std::uint32_t> added_;
};

class FirstFit {
 public:
  FirstFit(const Network& network, const ForwardingTable& table, std::uint32_t most_lanes)
      : network_(network),
        table_(table),
        space_(ArcSpace::of_dependencies(network)),
        most_lanes_(most_lanes) {
    open_lane();
    leaves_ = network.endpoint_routers();
  }

  LaneAssignment run(FirstFitUnit unit, Progress& progress) {
    result_.levels = ServiceLevels(network_, ServiceLevels::Rows::by_router);
    progress.begin("lanes", leaves_.size());
    for (std::size_t i = 0; i < leaves_.size(); ++i) {
      switch (unit) {
        case FirstFitUnit::destination:
          for (const TerminalId t : network_.terminals_at(leaves_[i])) {
            for (const RouterId source : leaves_) place(source, {t.value, t.value + 1});
          }
          break;
        case FirstFitUnit::router_pair:
          for (const RouterId source : leaves_) place(source, network_.terminals_at(leaves_[i]));
          break;
        case FirstFitUnit::both_ways:
          for (std::size_t j = i + 1; j < leaves_.size(); ++j) place_both_ways(leaves_[i], leaves_[j]);
          break;
      }
      if (progress.interrupted()) throw Interrupted();
      progress.update(i + 1);
    }
    result_.lanes = static_cast<std::uint32_t>(lanes_.size());
    list_dependencies();
    if (result_.lanes == 1) result_.levels = ServiceLevels();
    return std::move(result_);
  }

 private:
  void open_lane() {
    lanes_.emplace_back(space_);
    result_.lane_paths.push_back(0);
  }

  void place(RouterId source, IdRange<TerminalId> destinations) {
    if (source == network_.router_of(destinations[0])) return;
    path_.clear();
    list_path(source, destinations[0]);
    settle(source, destinations, first_lane());
  }

  void place_both_ways(RouterId a, RouterId b) {
    path_.clear();
    list_path(a, network_.terminals_at(b)[0]);
    list_path(b, network_.terminals_at(a)[0]);
    const std::uint8_t lane = first_lane();
    settle(a, network_.terminals_at(b), lane);
    settle(b, network_.terminals_at(a), lane);
  }

  void list_path(RouterId source, TerminalId destination) {
    ChannelId held = table_.next(network_, source, destination);
    while (held.valid()) {
      const std::uint32_t entry = table_.get(network_.target(held), destination);
      if (entry >= ForwardingTable::kStray) break;
      path_.push_back(space_.out_first(held.value) + entry);
      held = network_.out(network_.target(held))[entry];
    }
  }

  std::uint8_t first_lane() {
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
      if (lanes_[lane].add(path_)) return static_cast<std::uint8_t>(lane);
    }
    if (lanes_.size() == most_lanes_) {
      throw RoutingFailure(fmt::format("more than {} virtual lanes are needed", most_lanes_));
    }
    open_lane();
    // Neither a path without loops nor shortest paths there and back close a cycle on their own.
    if (!lanes_.back().add(path_)) throw std::logic_error("first_fit: a path that no lane takes");
    return static_cast<std::uint8_t>(lanes_.size() - 1);
  }

  void settle(RouterId source, IdRange<TerminalId> destinations, std::uint8_t lane) {
    const IdRange<TerminalId> from = network_.terminals_at(source);
    result_.lane_paths[lane] += std::uint64_t{from.size()} * destinations.size();
    if (lane == 0) return;
    const auto row = result_.levels.row(result_.levels.row_of(from[0]));
    std::fill_n(row.data() + destinations.first(), destinations.size(), lane);
  }

  void list_dependencies() {
    const DependencyBits bits(network_);
    for (const Lane& lane : lanes_) {
      std::vector<std::uint64_t>& words =
          result_.lane_dependencies.emplace_back(bits.dependency_set_words(), 0);
      for (const ChannelId c : network_.channels()) {
        const std::uint32_t first = space_.out_first(c.value);
        for (std::uint32_t entry = 0; first + entry < space_.out_first(c.value + 1); ++entry) {
          if (lane.contains(first + entry)) words[bits.word(c.value, entry)] |= DependencyBits::bit(entry);
        }
      }
    }
  }

  const Network& network_;
  const ForwardingTable& table_;
  ArcSpace space_;
  std::uint32_t most_lanes_;
  std::vector<RouterId> leaves_;  // routers with terminals
  std::vector<Lane> lanes_;
  std::vector<std::uint32_t> path_;  // to be placed: its dependencies
  LaneAssignment result_;
};

}  // namespace

LaneAssignment first_fit(const Network& network, const ForwardingTable& table, FirstFitUnit unit,
                         std::uint32_t most_lanes, Progress& progress) {
  return FirstFit(network, table, most_lanes).run(unit, progress);
}

}  // namespace unknot
