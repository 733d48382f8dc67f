// SPDX-License-Identifier: Apache-2.0
#include "unknot/watch/follow/new_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "unknot/engines/catalogue.hpp"
#include "unknot/formats/fabric/fabric_catalogue.hpp"
#include "unknot/formats/multicast/multicast_file.hpp"
#include "unknot/formats/tables/lid_map.hpp"
#include "unknot/formats/tables/lids_in_force.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/load/channel_load.hpp"
#include "unknot/network/allocation.hpp"
#include "unknot/network/network_change.hpp"
#include "unknot/routing/live/differing_entries.hpp"
#include "unknot/routing/management/management.hpp"
#include "unknot/routing/model/engine.hpp"
#include "unknot/routing/multicast/multicast.hpp"
#include "unknot/routing/reroute/reroute.hpp"
#include "unknot/support/error.hpp"
#include "unknot/verify/transit_check.hpp"

namespace unknot::watch {
namespace {

std::string in_folder(const std::string& folder, const char* name) {
  return (std::filesystem::path(folder) / name).string();
}

/// A tree of all hosts, on the level of the one before where that has room for it: groups are made with a
/// level, which their users would have to change.
void add_trees(const Network& network, const MulticastTables* before, const NewTablesRequest& request,
               Routing& routing, NewTables& made, Progress& progress) {
  const auto level = before == nullptr || before->groups.empty()
                         ? std::nullopt
                         : std::optional(before->groups.front().level());
  MulticastWish wish = all_hosts(network);
  const std::size_t hosts = wish.members.size();
  MulticastRequest wanted;
  wanted.lanes = request.virtual_lanes;
  MulticastResult result;
  if (level && *level < wanted.lanes) {
    wish.level = level;
    wanted.groups = {wish};
    result = multicast_trees(network, routing, wanted, progress);
  }
  if (result.tables.groups.empty() || !result.left_out.empty()) {
    wish.level.reset();
    wanted.groups = {std::move(wish)};
    result = multicast_trees(network, routing, wanted, progress);
  }
  std::size_t out = 0;
  for (const MulticastGap& gap : result.left_out) out += gap.members.size();
  if (out > 0) {
    made.trees_differ = fmt::format("the multicast tree leaves out {} of {} hosts", out, hosts);
  } else if (level && !result.tables.groups.empty() && result.tables.groups.front().level() != *level) {
    made.trees_differ = fmt::format("the multicast tree is on service level {}, no longer on {}",
                                    result.tables.groups.front().level(), *level);
  }
  routing.virtual_lanes += result.lanes_more;
  if (!result.tables.groups.empty())
    routing.multicast = std::make_shared<const MulticastTables>(std::move(result.tables));
}

std::shared_ptr<ManagedTables> management_of(const TablesInForce& tables, const NewTablesRequest& request,
                                             Progress& progress) {
  auto all = std::make_shared<ManagedTables>();
  all->managed = managed_network(tables.network);
  ManagementRequest wanted;
  wanted.lanes = request.management_lanes
                     ? std::min(request.virtual_lanes, tables.data.virtual_lanes + *request.management_lanes)
                     : request.virtual_lanes;
  wanted.threads = request.threads;
  if (!request.management_hosts.empty())
    wanted.hosts = parse_nodes(tables.network, request.management_hosts).terminals;
  all->routing = with_management(tables.network, tables.data, all->managed, wanted, progress).routing;
  return all;
}

Routing route_anew(const Network& network, const NewTablesRequest& request, Progress& progress) {
  EngineRequest wanted;
  wanted.virtual_lanes = request.virtual_lanes;
  wanted.seed = request.seed;
  wanted.threads = request.threads;
  if (request.guidance) wanted.guidance = request.guidance(network);
  return route(network, request.engine, wanted, progress);
}

/// What is wrong with mended tables; "" where nothing is.
std::string fault_of_mended(const NewTables& made, const NewTablesRequest& request, bool drifts,
                            Progress& progress) {
  if (const std::string through = transit_in(made.tables, request); !through.empty())
    return "mended ones pass through " + through;
  if (!drifts) return "";
  const Network& network = made.tables.network;
  const auto most = [&](const Routing& routing) {
    return static_cast<double>(load_statistics(channel_load(network, routing, request.threads)).max);
  };
  const double more = most(made.tables.data) / most(route_anew(network, request, progress)) - 1;
  if (more <= NewTablesRequest::kMostDrift) return "";
  return fmt::format("mended ones load the busiest channel {:.0f} % more", more * 100);
}

/// False, with the reason, where the old tables cannot be mended.
bool mend(const TablesInForce& old, const NewTablesRequest& request, ClosReroute* clos, NewTables& made,
          Progress& progress) {
  const Network& now = made.tables.network;
  const Guidance guidance = request.guidance ? request.guidance(now) : Guidance{};
  if (!guidance.no_transit.empty()) clos = nullptr;  // its rule knows no closed routers
  try {
    Rerouted rerouted = clos != nullptr
                            ? clos->reroute(old.network, old.data, now, guidance.roots, progress)
                            : reroute(old.network, old.data, now, compare_networks(old.network, now),
                                      request.virtual_lanes, progress);
    made.entries_changed = rerouted.entries.size();
    made.tables.data = std::move(rerouted.routing);
    made.tables.data.multicast = nullptr;  // of the fabric before
    made.why_anew =
        fault_of_mended(made, request, clos != nullptr && request.upkeep == Upkeep::sticky, progress);
    if (made.why_anew.empty()) return true;
    made.entries_changed = 0;
  } catch (const RoutingFailure& failure) {
    made.why_anew = failure.what();
  } catch (const InputError& moved) {  // a host at another switch: no failure, and no repair
    made.why_anew = moved.what();
  }
  return false;
}

/// Entries to hosts that are not what they were, of tables with rows to routers. Those that only routers
/// need, clos leaves out and the management makes again, mostly as they were.
std::uint64_t changed_to_hosts(const TablesInForce& old, const Network& own_now, const ManagedTables& now) {
  const TablesInForce carried = carried_over(old, own_now);
  const Network& network = now.managed.network;
  const std::vector<EntryChange> entries =
      differing_entries(carried.management->routing.table(), now.routing.table());
  return static_cast<std::uint64_t>(
      std::count_if(entries.begin(), entries.end(), [&](const EntryChange& change) {
        return network.own_port(network.router_of(change.destination)) != change.destination;
      }));
}

}  // namespace

NewTables new_tables(const TablesInForce* old, const Network& own_now, const NewTablesRequest& request,
                     ClosReroute* clos, Progress& progress) {
  NewTables made;
  made.tables.own = own_now;
  made.tables.network = old != nullptr ? with_lids_kept(own_now, old->own, old->network)
                                       : with_lids(own_now, LidMap::of(own_now));
  made.mended = old != nullptr && mend(*old, request, clos, made, progress);
  if (!made.mended) {
    if (clos != nullptr) clos->forget();
    made.tables.data = route_anew(made.tables.network, request, progress);
    if (made.tables.data.routes() != nullptr || made.tables.data.lane_map != nullptr) {
      throw RoutingFailure(
          fmt::format("engine {} makes what a subnet manager does not load: {}", request.engine,
                      made.tables.data.routes() != nullptr ? "source routes" : "SL-to-VL tables"));
    }
  }
  limit_lanes(made.tables.data, request.virtual_lanes);
  std::shared_ptr<ManagedTables> all;
  if (request.management) all = management_of(made.tables, request, progress);
  if (made.mended && clos != nullptr && all != nullptr && old->management != nullptr)
    made.entries_changed = changed_to_hosts(*old, own_now, *all);
  if (request.trees) {
    add_trees(all ? all->managed.network : made.tables.network,
              old == nullptr ? nullptr : old->all().multicast.get(), request,
              all ? all->routing : made.tables.data, made, progress);
  }
  made.tables.management = std::move(all);
  return made;
}

std::string transit_in(const TablesInForce& tables, const NewTablesRequest& request) {
  if (!request.guidance) return "";
  const Network& network = tables.network;
  const std::vector<RouterId> closed = routers_with(network, request.guidance(network).no_transit);
  if (closed.empty()) return "";
  const TransitCheck check = check_transit(network, tables.data, closed);
  for (std::size_t i = 0; i < closed.size(); ++i) {
    if (check.pairs_through[i] > 0)
      return fmt::format("{} ({} pairs)", network.router_name(closed[i]), check.pairs_through[i]);
  }
  return "";
}

void write_set(const TablesInForce& tables, const std::string& folder) {
  const Network& network = tables.all_network();
  const Routing& routing = tables.all();
  require_data_lanes(network, routing);
  write_fabric(tables.network, "json", in_folder(folder, "fabric"));
  write_tables(network, routing, "opensm", in_folder(folder, "lfts"));
  write_service_levels(network, routing, in_folder(folder, "lanes"));
  if (routing.multicast != nullptr)
    write_multicast_tables(network, *routing.multicast, in_folder(folder, "trees"));
}

TablesInForce read_set(const std::string& folder, bool management) {
  TableFiles files{in_folder(folder, "lfts"), in_folder(folder, "lanes")};
  if (std::filesystem::exists(in_folder(folder, "trees"))) files.trees = in_folder(folder, "trees");
  return read_tables_in_force(read_fabric(in_folder(folder, "fabric")), files, management);
}

void write_proof(const TablesInForce& tables, const Proof& proof, const std::string& folder) {
  write_certificate(tables.all_network(), proof.numbers.value(), in_folder(folder, "proof"));
}

}  // namespace unknot::watch
