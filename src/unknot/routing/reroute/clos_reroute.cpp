// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/reroute/clos_reroute.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "unknot/network/live/joined_network.hpp"
#include "unknot/routing/engines.hpp"
#include "unknot/routing/live/differing_entries.hpp"
#include "unknot/routing/model/guidance.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/tables/carry_over.hpp"

namespace unknot {
namespace {

void require_one_lane(const Routing& old) {
  if (!old.further.empty() || old.lane_map != nullptr || old.virtual_lanes > 1) {
    throw RoutingFailure(
        "clos: the tables in force are on several lanes, or hosts have several LIDs, and those of clos are "
        "not; route anew");
  }
}

template <class Id>
void add_missing(const std::vector<Id>& from, const std::vector<Id>& to, std::vector<Id>& missing) {
  std::set_difference(from.begin(), from.end(), to.begin(), to.end(), std::back_inserter(missing));
}

/// From these parts dead to those.
LiveChange change_of(const Faults& was, const Faults& is) {
  LiveChange change;
  add_missing(is.routers, was.routers, change.dead_routers);
  add_missing(was.routers, is.routers, change.back_routers);
  add_missing(is.channels, was.channels, change.dead_channels);
  add_missing(was.channels, is.channels, change.back_channels);
  return change;
}

Rerouted rerouted(Routing in_force, ForwardingTable table) {
  Rerouted result;
  result.entries = differing_entries(in_force.table(), table);
  std::stable_sort(result.entries.begin(), result.entries.end(),
                   [](const EntryChange& a, const EntryChange& b) { return a.destination < b.destination; });
  TerminalId last;
  for (const EntryChange& change : result.entries) {
    result.destinations += change.destination != last ? 1 : 0;
    last = change.destination;
    result.entries_minimum += change.before >= ForwardingTable::kStray ? 1 : 0;
    result.unreachable += change.after == ForwardingTable::kNone ? 1 : 0;
  }
  result.routing = std::move(in_force);
  result.routing.engine = "clos";
  result.routing.paths = std::move(table);
  result.routing.service_levels = {};
  return result;
}

}  // namespace

void ClosReroute::forget() {
  live_.reset();
}

Rerouted ClosReroute::reroute(const Network& before, const Routing& old, const Network& after,
                              const std::vector<std::uint64_t>& roots, Progress& progress) {
  require_one_lane(old);
  if (const std::string reason = refusal(clos_engine(), after); !reason.empty())
    throw RoutingFailure("engine clos does not fit this network: " + reason);
  Routing in_force = carry_over(before, old, after, compare_networks(before, after, MovedTerminals::as_new));
  find_roots(before, after, roots);
  try {
    if (!follow(after, progress)) start(before, old, after, in_force.table(), progress);
  } catch (...) {
    forget();  // its table is good for nothing
    throw;
  }
  return rerouted(std::move(in_force), live_->table_now());
}

/// Those of the network as it is, and those that it had and may have again.
void ClosReroute::find_roots(const Network& before, const Network& after,
                             const std::vector<std::uint64_t>& roots) {
  if (roots.empty() && options_.roots.empty()) return;
  const auto guids = [](const Network& network, std::span<const std::uint64_t> wanted) {
    const std::vector<RouterId> routers = routers_with(network, wanted);
    std::vector<std::uint64_t> found;
    found.reserve(routers.size());
    for (const RouterId r : routers) found.push_back(network.router_guid(r));
    std::sort(found.begin(), found.end());
    return found;
  };
  std::vector<std::uint64_t> had;
  const std::vector<std::uint64_t> before_it = guids(before, roots);
  std::set_union(options_.roots.begin(), options_.roots.end(), before_it.begin(), before_it.end(),
                 std::back_inserter(had));
  std::vector<std::uint64_t> gone;
  add_missing(had, guids(after, had), gone);
  std::vector<std::uint64_t> all;
  const std::vector<std::uint64_t> now = guids(after, roots);
  std::set_union(now.begin(), now.end(), gone.begin(), gone.end(), std::back_inserter(all));
  if (all != options_.roots) forget();
  options_.roots = std::move(all);
}

bool ClosReroute::follow(const Network& after, Progress& progress) {
  if (live_ == nullptr) return false;
  const std::optional<Faults> lost = lost_parts(*whole_, after);
  if (!lost) return false;
  live_->apply(change_of(live_->network().faults(), *lost), progress);
  return true;
}

void ClosReroute::start(const Network& before, const Routing& old, const Network& after,
                        const ForwardingTable& carried, Progress& progress) {
  // With all that was ever there, as long as nothing contradicts it: it may come back.
  std::optional<Network> all = whole_ != nullptr ? joined_network(*whole_, after) : std::nullopt;
  if (!all) all = joined_network(before, after);
  forget();
  const bool all_known = all.has_value() && lost_parts(*all, before).has_value();
  if (!all) all = after;
  whole_ = std::make_unique<const Network>(std::move(*all));
  if (all_known && options_.upkeep == Upkeep::sticky) {
    live_ = std::make_unique<LiveClos>(*whole_, lost_parts(*whole_, before).value(), options_, progress,
                                       &old.table());
    follow(after, progress);
  } else {
    live_ =
        std::make_unique<LiveClos>(*whole_, lost_parts(*whole_, after).value(), options_, progress, &carried);
  }
}

}  // namespace unknot
