// SPDX-License-Identifier: Apache-2.0
#include "unknot/watch/follow/tables_in_force.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>

#include "unknot/formats/multicast/multicast_file.hpp"
#include "unknot/formats/tables/lids_in_force.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/network/network_change.hpp"
#include "unknot/tables/carry_over.hpp"
#include "unknot/tables/rows_to_routers.hpp"

namespace unknot::watch {

namespace {

std::shared_ptr<const MulticastTables> read_trees(const Network& network, const TableFiles& files,
                                                  bool lanes_are_levels) {
  if (files.trees.empty()) return nullptr;
  MulticastTables trees = read_multicast_tables(network, files.trees);
  if (!files.groups.empty()) set_levels(trees, read_multicast_groups(network, files.groups));
  if (lanes_are_levels) require_data_levels(trees, files.groups.empty() ? files.trees : files.groups);
  return std::make_shared<const MulticastTables>(std::move(trees));
}

}  // namespace

TablesInForce read_tables_in_force(const Network& own, const TableFiles& files, bool management) {
  TablesInForce read;
  std::optional<LidMap> told;
  read.own = own;
  read.data = read_routing(own, files.tables, files.lanes, files.lane_map, &told);
  require_tables(read.data, "following a fabric");
  read.network = with_lids(own, told ? *told : LidMap::of(own));
  std::shared_ptr<const MulticastTables> trees =
      read_trees(read.network, files, read.data.lane_map == nullptr);
  if (!management || !tables_have_switches(files.tables)) {
    read.data.multicast = std::move(trees);
    return read;
  }
  auto all = std::make_shared<ManagedTables>();
  all->managed = managed_network(read.network);
  all->routing = read_routing(all->managed.network, files.tables, files.lanes, files.lane_map);
  if (!lead_to_routers(all->managed, all->routing.table())) {
    read.data.multicast = std::move(trees);
    return read;
  }
  all->routing.multicast = std::move(trees);
  read.management = std::move(all);
  return read;
}

TablesInForce carried_over(const TablesInForce& tables, const Network& own_now) {
  const auto carried = [](const Network& before, const Routing& routing, const Network& after) {
    Routing now = carry_over(before, routing, after, compare_networks(before, after, MovedTerminals::as_new));
    if (routing.multicast != nullptr) {
      now.multicast =
          std::make_shared<const MulticastTables>(unknot::carried_over(before, *routing.multicast, after));
    }
    return now;
  };
  TablesInForce now;
  now.own = own_now;
  now.network = with_lids_kept(own_now, tables.own, tables.network);
  now.data = carried(tables.network, tables.data, now.network);
  if (tables.management == nullptr) return now;
  auto all = std::make_shared<ManagedTables>();
  all->managed = managed_network(now.network);
  all->routing =
      carried(tables.management->managed.network, tables.management->routing, all->managed.network);
  now.management = std::move(all);
  return now;
}

Proof prove(const TablesInForce& tables, bool certificate, std::uint32_t threads, Progress& progress) {
  VerifyOptions options;
  options.threads = threads;
  options.certificate = certificate && tables.management == nullptr;
  Proof proof;
  proof.data = verify(tables.network, tables.data, options, progress);
  proof.disconnected = disconnected_pairs(tables.network);
  proof.load = load_statistics(channel_load(tables.network, tables.data, threads));
  const auto take = [&proof](Verdict& verdict) {
    proof.deadlock_free = verdict.deadlock_free;
    proof.loop_free = verdict.loop_free();
    proof.lanes = verdict.lanes_used;
    proof.multicast = verdict.multicast;
    proof.numbers = std::move(verdict.certificate);
  };
  if (tables.management == nullptr) {
    take(proof.data);
    return proof;
  }
  proof.management = true;
  options.certificate = certificate;
  Verdict all = verify(tables.management->managed.network, tables.management->routing, options, progress);
  take(all);
  return proof;
}

std::string proof_text(const Proof& proof) {
  std::string text = proof.deadlock_free
                         ? fmt::format("deadlock-free on {} lane{}", proof.lanes, proof.lanes == 1 ? "" : "s")
                         : "can deadlock";
  if (!proof.loop_free) text += ", with loops";
  const auto multicast = [&proof]() -> std::string {
    if (!proof.multicast || proof.multicast->complete()) return "";
    const std::uint64_t lost = proof.multicast->lost_pairs + proof.multicast->repeated_pairs;
    return fmt::format(", {} of {} multicast pairs lost or repeated", lost, proof.multicast->pairs);
  };
  text += multicast();
  if (proof.lost() == 0) return text + ", every pair delivered";
  text += fmt::format(", {} of {} pairs lost", proof.lost(), proof.data.pairs);
  const std::uint64_t cut = proof.disconnected.count * proof.data.addresses;
  if (cut == 0) return text;
  return text + (proof.whole() ? ", which no path joins" : fmt::format(", {} of which no path joins", cut));
}

}  // namespace unknot::watch
