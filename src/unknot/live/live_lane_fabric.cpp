// SPDX-License-Identifier: Apache-2.0
#include "unknot/live/live_lane_fabric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "unknot/engines/catalogue.hpp"
#include "unknot/routing/live_lanes/live_lanes.hpp"
#include "unknot/support/error.hpp"
#include "unknot/verify/live/live_lane_check.hpp"

namespace unknot {
namespace {

LiveVerdict numbers(const LiveLaneVerdict& verdict) {
  LiveVerdict numbers;
  numbers.pairs = verdict.pairs;
  numbers.unroutable_pairs = verdict.missing_pairs + verdict.disconnected_pairs;
  numbers.disconnected_pairs = verdict.disconnected_pairs;
  numbers.dependencies = verdict.dependencies;
  // Changes of what is not in force would be a bug of ours: nothing is proven then.
  numbers.deadlock_free = verdict.deadlock_free && verdict.fits;
  return numbers;
}

void require_lanes(std::uint32_t lanes) {
  if (lanes < 2 || lanes > kMaxLanes)
    throw InputError(fmt::format("tables are followed on 2 to {} lanes, not on {}", kMaxLanes, lanes));
}

LiveChange all_dead(const Faults& faults) {
  LiveChange change;
  change.dead_routers = faults.routers;
  change.dead_channels = faults.channels;
  return change;
}

/// What `wanted` has and `held` has not.
void list_differences(const TreeTables& held, const TreeTables& wanted, std::vector<EntryChange>& entries,
                      std::vector<LevelChange>& levels) {
  entries.clear();
  levels.clear();
  const auto position = [](std::uint8_t entry) { return ForwardingTable::position_of(entry); };
  for (std::uint32_t block = 0; block < held.blocks(); ++block) {
    const std::uint32_t places = held.places(block);
    for (const RouterId r : held.network().routers()) {
      if (r == held.home(block)) continue;
      for (std::uint32_t place = 0; place < places; ++place) {
        const std::size_t at = std::size_t{r.value} * places + place;
        const TerminalId t = held.terminal(block, place);
        const std::uint8_t entry = held.entries(block)[at];
        const std::uint8_t level = held.levels(block)[at];
        const std::uint8_t new_entry = wanted.entries(block)[at];
        const std::uint8_t new_level = wanted.levels(block)[at];
        if (entry != new_entry) entries.push_back({r, t, position(entry), position(new_entry)});
        if (level != new_level && held.row(r) != TreeTables::kNoRow)
          levels.push_back({held.row(r), t, level, new_level});
      }
    }
  }
}

}  // namespace

struct LiveLaneFabric::Parts {
  std::function<Routing(Progress&)> make;  // tables of the whole network
  std::uint32_t most_lanes;
  std::unique_ptr<LiveLanes> tables = {};   // null: they could not be made, what is in force is older
  std::optional<LiveLaneCheck> check = {};  // holds what is in force
  std::vector<EntryChange> entries = {};    // where all was made anew
  std::vector<LevelChange> levels = {};
};

LiveLaneFabric::LiveLaneFabric(Network network, const Faults& dead, const LiveLaneOptions& options,
                               Progress& progress)
    : LiveFabricBase(std::move(network)) {
  require_lanes(options.lanes);
  const auto make = [this, options](Progress& sink) {
    EngineRequest request;
    request.virtual_lanes = options.lanes - 1;
    request.seed = options.seed;
    request.threads = options.threads;
    try {
      return route(this->network(), options.engine, request, sink);
    } catch (const RoutingFailure& failure) {
      if (failure.lanes_needed() == 0) throw;
      throw RoutingFailure(
          fmt::format("{} (of {} lanes one is kept for what is cut off)", failure.what(), options.lanes),
          failure.lanes_needed() + 1);
    }
  };
  parts_ = std::make_unique<Parts>(Parts{make, options.lanes});
  start(dead, progress);
}

LiveLaneFabric::LiveLaneFabric(Network network, Routing routing, const Faults& dead, std::uint32_t lanes)
    : LiveFabricBase(std::move(network)) {
  require_lanes(lanes);
  // On lanes above these nothing is carried.
  const std::uint32_t most = std::min(lanes, routing.data_lanes);
  const auto kept = std::make_shared<const Routing>(std::move(routing));
  parts_ = std::make_unique<Parts>(Parts{[kept](Progress& /*sink*/) { return *kept; }, most});
  Progress quiet;
  start(dead, quiet);
}

LiveLaneFabric::~LiveLaneFabric() = default;

void LiveLaneFabric::start(const Faults& dead, Progress& progress) {
  Parts& parts = *parts_;
  const LiveChange change = all_dead(dead);
  require_whole_cables(network(), change);
  {
    const Routing routing = parts.make(progress);
    parts.tables = std::make_unique<LiveLanes>(network(), routing, parts.most_lanes);
    parts.check.emplace(network(), routing, parts.tables->lanes(), parts.tables->orders());
  }
  if (!parts.check->verdict().usable()) throw RoutingFailure(parts.check->verdict().why);
  const LaneUpdate& update = parts.tables->apply(change);
  step_.verdict = numbers(parts.check->apply(change, update.entries, update.levels));
}

template <class Route>
const LiveStep& LiveLaneFabric::follow(const LiveChange& change, const Route& route) {
  return take(route, [&](const LiveStep& step, bool routed) {
    if (!routed) parts_->tables.reset();
    return numbers(parts_->check->apply(change, step.entries, step.levels));
  });
}

/// Tables from those of the whole network, of what lives after the change, and how they differ from what is
/// in force.
LiveStep LiveLaneFabric::anew(const Routing& routing, const LiveChange& change) {
  Parts& parts = *parts_;
  LiveNetwork next = live();
  next.apply(change);
  parts.tables.reset();
  parts.tables = std::make_unique<LiveLanes>(network(), routing, parts.most_lanes);
  parts.tables->apply(all_dead(next.faults()));
  list_differences(parts.check->tables(), parts.tables->tables(), parts.entries, parts.levels);
  LiveStep step;
  step.entries = parts.entries;
  step.levels = parts.levels;
  step.anew = true;
  return step;
}

const LiveStep& LiveLaneFabric::apply(const LiveChange& change, Progress& progress) {
  require_whole_cables(network(), change);
  if (parts_->tables == nullptr) {
    const Routing routing = parts_->make(progress);
    return follow(change, [&] { return anew(routing, change); });
  }
  return follow(change, [&] {
    const LaneUpdate& update = parts_->tables->apply(change);
    LiveStep step;
    step.entries = update.entries;
    step.levels = update.levels;
    return step;
  });
}

const LiveStep& LiveLaneFabric::make_anew(Progress& progress) {
  const Routing routing = parts_->make(progress);
  return follow({}, [&] { return anew(routing, {}); });
}

const LiveNetwork& LiveLaneFabric::live() const {
  return parts_->check->network();
}

std::uint32_t LiveLaneFabric::entry(RouterId router, TerminalId destination) const {
  const TreeTables& tables = parts_->check->tables();
  const std::uint32_t block = tables.block_of(destination);
  return ForwardingTable::position_of(
      tables.entries(block)[std::size_t{router.value} * tables.places(block) + tables.place_of(destination)]);
}

std::uint8_t LiveLaneFabric::level(RouterId source, TerminalId destination) const {
  const TreeTables& tables = parts_->check->tables();
  const std::uint32_t block = tables.block_of(destination);
  return tables.levels(
      block)[std::size_t{source.value} * tables.places(block) + tables.place_of(destination)];
}

std::uint32_t LiveLaneFabric::lanes() const {
  return parts_->check->lanes();
}

const std::string& LiveLaneFabric::why() const {
  return parts_->check->verdict().why;
}

Routing LiveLaneFabric::routing_now() const {
  return routing_of_living(live(), parts_->check->tables(), lanes());
}

}  // namespace unknot
