// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/reroute/reroute.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "unknot/routing/layers/lane_dependencies.hpp"
#include "unknot/routing/model/engine.hpp"
#include "unknot/routing/reroute/touched_trees.hpp"
#include "unknot/routing/reroute/tree_repair.hpp"
#include "unknot/support/error.hpp"
#include "unknot/tables/carry_over.hpp"
#include "unknot/tables/plugged_entries.hpp"

namespace unknot {
namespace {

using Rows = ServiceLevels::Rows;

constexpr std::uint32_t kAttempts = 4;

class Rerouter {
 public:
  Rerouter(const Network& network, Rerouted& result, std::uint32_t lanes)
      : network_(network), result_(result), lanes_(lanes), in_use_(result.routing.virtual_lanes) {}

  /// Takes the trees in this order. Throws RoutingFailure; failed() then names the trees that fit nowhere.
  void run(const std::vector<const CutTree*>& trees, Progress& progress) {
    result_.destinations = static_cast<std::uint32_t>(trees.size());
    {
      LaneDependencies dependencies(network_, result_.routing);
      TreeRepair repair(network_, result_.routing, dependencies);
      progress.begin("repairing trees", trees.size());
      for (const CutTree* tree : trees) {
        if (progress.interrupted()) throw Interrupted();
        if (!grow(repair, *tree)) left_over_.push_back(tree);
        progress.update(++done_);
      }
    }
    apply(0, 0);
    if (!left_over_.empty()) displace();
    result_.routing.virtual_lanes = in_use_;
    result_.routing.lanes_needed = in_use_;
  }
  [[nodiscard]] const std::vector<const CutTree*>& failed() const { return failed_; }

 private:
  /// Without a change of lanes first, then with spare ones, then by longer paths.
  bool grow(TreeRepair& repair, const CutTree& tree) {
    for (const bool detours : {false, true}) {
      for (const std::uint32_t lanes : {in_use_, lanes_}) {
        if (lanes == in_use_ && detours && in_use_ < lanes_) continue;
        const RepairedTree repaired = repair.repair(tree, {lanes, detours});
        if (!repaired.fits) {
          missing_routers_ = repaired.unfit_routers;
          missing_source_ = repaired.example_source;
          continue;
        }
        if (detours) ++result_.detoured;
        keep(repair, tree, repaired);
        return true;
      }
    }
    return false;
  }

  void keep(TreeRepair& repair, const CutTree& tree, const RepairedTree& repaired) {
    result_.entries_minimum += repaired.forced;
    for (const NewEntry& change : repaired.entries) {
      result_.entries.push_back({change.router, tree.destination,
                                 result_.routing.table().get(change.router, tree.destination), change.entry});
    }
    for (const NewLevel& change : repaired.levels) {
      const ServiceLevels& levels = result_.routing.service_levels;
      const std::uint8_t before =
          levels.empty() ? std::uint8_t{0} : levels.row(change.row)[tree.destination.value];
      result_.levels.push_back({change.row, tree.destination, before, change.level});
      in_use_ = std::max(in_use_, change.level + 1U);
    }
    result_.unreachable += repaired.unreachable.size();
    repair.commit(repaired, tree.destination);
  }

  /// Writes the changes from these on into the routing, which until then is the old one.
  void apply(std::size_t first_entry, std::size_t first_level) {
    Routing& routing = result_.routing;
    for (std::size_t i = first_entry; i < result_.entries.size(); ++i) {
      routing.table().set(result_.entries[i].router, result_.entries[i].destination,
                          result_.entries[i].after);
    }
    if (first_level == result_.levels.size()) return;
    if (routing.service_levels.empty()) routing.service_levels = ServiceLevels(network_, Rows::by_router);
    for (std::size_t i = first_level; i < result_.levels.size(); ++i) {
      const LevelChange& change = result_.levels[i];
      routing.service_levels.row(change.row)[change.destination.value] = change.after;
    }
  }

  /// Trees that fit no lane beside the old paths: those of the change are taken out, and they try again.
  void displace() {
    result_.displaced = static_cast<std::uint32_t>(left_over_.size());
    Routing without = result_.routing;
    for (const CutTree* tree : left_over_) {
      for (const CutTree::Router& at : tree->routers)
        without.table().set(RouterId(at.router), tree->destination, ForwardingTable::kNone);
    }
    LaneDependencies dependencies(network_, without);
    TreeRepair repair(network_, without, dependencies);
    const std::size_t entries = result_.entries.size();
    const std::size_t levels = result_.levels.size();
    std::uint64_t missing = 0;
    TerminalId source, destination;
    for (const CutTree* tree : left_over_) {
      if (grow(repair, *tree)) continue;
      failed_.push_back(tree);
      missing += missing_routers_;
      source = missing_source_;
      destination = tree->destination;
    }
    if (missing > 0) {
      throw RoutingFailure(
          fmt::format("reroute: the paths of {} routers, {} to {} for example, fit none of {} lanes without "
                      "a cycle; allow "
                      "more lanes, or route anew",
                      missing, source.valid() ? network_.terminal_name(source) : "some",
                      network_.terminal_name(destination), lanes_));
    }
    apply(entries, levels);
  }

  const Network& network_;
  Rerouted& result_;
  std::uint32_t lanes_;
  std::uint32_t in_use_;
  std::uint64_t done_ = 0;
  std::vector<const CutTree*> left_over_, failed_;
  std::uint32_t missing_routers_ = 0;  // of the last try that failed
  TerminalId missing_source_;
};

/// The hardest first: what comes late finds the lanes taken.
void put_first(const std::vector<const CutTree*>& first, std::vector<const CutTree*>& order) {
  std::erase_if(
      order, [&](const CutTree* tree) { return std::find(first.begin(), first.end(), tree) != first.end(); });
  order.insert(order.begin(), first.begin(), first.end());
}

void require_suitable(const Routing& routing, std::uint32_t lanes) {
  if (!routing.further.empty()) {
    throw RoutingFailure(
        "reroute: hosts of these tables have several LIDs (LMC above 0), and a repair would bring the paths "
        "to them together unseen; route anew with --lmc");
  }
  if (routing.lane_map != nullptr) {
    throw RoutingFailure("reroute: the lanes of these tables depend on ports (SL-to-VL tables); route anew");
  }
  if (routing.virtual_lanes > lanes) {
    throw RoutingFailure(
        fmt::format("reroute: the tables use {} lanes, {} are allowed (--vls)", routing.virtual_lanes, lanes),
        routing.virtual_lanes);
  }
}

/// What is in force and what the rerouting started from are not the same where cables were swapped or LIDs
/// changed: makes the lists say what differs from what is in force.
class InForce {
 public:
  InForce(const Network& network, Rerouted& result) : network_(network), result_(result) {}

  /// `plugged`: as of the routing that the rerouting started from.
  void settle(const PluggedDifferences& plugged) {
    if (!plugged.entries.empty()) settle_entries(plugged.entries);
    if (!plugged.levels.empty()) settle_levels(plugged.levels);
  }

 private:
  void settle_entries(const std::vector<PluggedEntry>& plugged) {
    std::vector<EntryChange>& changes = result_.entries;
    const auto less = [](const auto& a, const auto& b) {
      return std::pair(a.destination, a.router) < std::pair(b.destination, b.router);
    };
    std::vector<bool> listed(plugged.size(), false);
    for (EntryChange& change : changes) {
      const auto at = std::lower_bound(plugged.begin(), plugged.end(), change, less);
      if (at == plugged.end() || less(change, *at)) continue;
      listed[static_cast<std::size_t>(at - plugged.begin())] = true;
      change.before = at->entry;
      if (change.before == change.after && result_.entries_minimum > 0) --result_.entries_minimum;
    }
    std::erase_if(changes, [](const EntryChange& change) { return change.before == change.after; });
    for (std::size_t i = 0; i < plugged.size(); ++i) {
      if (listed[i]) continue;
      const std::uint32_t after = result_.routing.table().get(plugged[i].router, plugged[i].destination);
      if (after == plugged[i].entry) continue;
      changes.push_back({plugged[i].router, plugged[i].destination, plugged[i].entry, after});
      ++result_.entries_minimum;
    }
  }

  void settle_levels(const std::vector<PluggedLevel>& plugged) {
    if (result_.routing.service_levels.empty())
      result_.routing.service_levels = ServiceLevels(network_, Rows::by_router);
    for (const PluggedLevel& one : plugged) {
      const std::uint8_t after = result_.routing.service_levels.row(one.row)[one.destination.value];
      std::erase_if(result_.levels, [&](const LevelChange& change) {
        return change.row == one.row && change.destination == one.destination;
      });
      if (after != one.level) result_.levels.push_back({one.row, one.destination, one.level, after});
    }
  }

  const Network& network_;
  Rerouted& result_;
};

}  // namespace

Rerouted reroute(const Network& old_network, const Routing& old_routing, const Network& new_network,
                 const NetworkChange& change, std::uint32_t lanes, Progress& progress) {
  lanes = std::min(lanes, old_routing.data_lanes);
  require_suitable(old_routing, lanes);
  Rerouted result;
  result.routing = kept_entries(old_network, old_routing, new_network, change);
  const PluggedDifferences plugged =
      plugged_differences(old_network, old_routing, new_network, change, result.routing);
  const std::vector<CutTree> trees =
      touched_trees(old_network, old_routing, new_network, change, result.routing);
  std::vector<const CutTree*> order;
  order.reserve(trees.size());
  for (const CutTree& tree : trees) order.push_back(&tree);
  for (std::uint32_t attempt = 1;; ++attempt) {
    Rerouter rerouter(new_network, result, lanes);
    try {
      rerouter.run(order, progress);
      break;
    } catch (const RoutingFailure&) {
      if (attempt == kAttempts || rerouter.failed().empty()) throw;
      put_first(rerouter.failed(), order);
      result = {};
      result.routing = kept_entries(old_network, old_routing, new_network, change);
    }
  }
  InForce(new_network, result).settle(plugged);
  // Both lists by destination, whatever the order in which trees found their lanes.
  const auto by_destination = [](const auto& a, const auto& b) { return a.destination < b.destination; };
  std::stable_sort(result.entries.begin(), result.entries.end(), by_destination);
  std::stable_sort(result.levels.begin(), result.levels.end(), by_destination);
  return result;
}

Routing before_reroute(const Rerouted& rerouted) {
  Routing before = rerouted.routing;
  for (const EntryChange& change : rerouted.entries)
    before.table().set(change.router, change.destination, change.before);
  for (const LevelChange& change : rerouted.levels)
    before.service_levels.row(change.row)[change.destination.value] = change.before;
  return before;
}

}  // namespace unknot
