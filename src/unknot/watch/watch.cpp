// SPDX-License-Identifier: Apache-2.0
#include "unknot/watch/watch.hpp"

#include <fmt/format.h>

#include "unknot/tables/carry_over.hpp"

namespace unknot::watch {
namespace {

TablesState judge(const Network& network, const Routing& routing, std::uint32_t threads, Progress& progress) {
  VerifyOptions options;
  options.threads = threads;
  return {verify(network, routing, options, progress),
          load_statistics(channel_load(network, routing, threads))};
}

std::string counted(std::size_t count, const char* one, const char* several) {
  return fmt::format("{} {}", count, count == 1 ? one : several);
}

void say(std::vector<std::string>& hurts, std::size_t count, const char* one, const char* several) {
  if (count > 0) hurts.push_back(counted(count, one, several));
}

void hurts_of_parts(const FabricDifference& d, std::vector<std::string>& hurts) {
  say(hurts, d.routers_gone.size(), "router is gone", "routers are gone");
  say(hurts, d.terminals_gone.size(), "terminal is gone", "terminals are gone");
  say(hurts, d.terminals_moved.size(), "terminal has another place or address",
      "terminals have another place or address");
  say(hurts, d.cables_gone.size(), "cable is gone", "cables are gone");
  say(hurts, d.cables_one_way.size(), "cable has lost one direction", "cables have lost one direction");
  say(hurts, d.cables_moved.size(), "cable is plugged in elsewhere", "cables are plugged in elsewhere");
  say(hurts, d.cables_slower.size() + d.terminals_slower.size(), "cable is slower", "cables are slower");
}

void hurts_of_tables(const WatchReport& report, double load_rise, std::vector<std::string>& hurts) {
  const std::optional<TablesState>& in_force = report.now ? report.now : report.carried;
  if (!report.now && report.damage && report.damage->broken > 0) {
    hurts.push_back(fmt::format("the old tables no longer deliver {} of {} pairs", report.damage->broken,
                                report.damage->pairs));
  }
  if (report.now && !report.now->verdict.complete()) {
    hurts.push_back(fmt::format("the new tables do not deliver {} of {} pairs",
                                report.now->verdict.unroutable_pairs, report.now->verdict.pairs));
  }
  if (in_force && !in_force->verdict.deadlock_free)
    hurts.push_back(fmt::format("the {} tables can deadlock", report.now ? "new" : "old"));
  if (report.together && !report.together->deadlock_free && report.now->verdict.deadlock_free)
    hurts.emplace_back("old and new tables together can deadlock, while both are in force");
  if (report.before && in_force &&
      static_cast<double>(in_force->load.max) >
          static_cast<double>(report.before->load.max) * (1 + load_rise)) {
    hurts.push_back(fmt::format("the busiest channel carries {} pairs instead of {}", in_force->load.max,
                                report.before->load.max));
  }
}

/// What verify_transition() can look at as a whole.
bool plain(const Routing& routing) {
  return routing.lane_map == nullptr && routing.further.empty();
}

}  // namespace

WatchReport watch(const Network& before, const Routing* old_routing, const Network& after,
                  const Routing* new_routing, const WatchOptions& options, Progress& progress) {
  WatchReport report;
  report.difference = fabric_difference(before, after);
  report.disconnected = disconnected_pairs(after);
  if (old_routing != nullptr) {
    require_tables(*old_routing, "watching a fabric");
    report.before = judge(before, *old_routing, options.threads, progress);
    const Routing carried = carry_over(before, *old_routing, after, report.difference.change);
    report.damage = route_damage(before, *old_routing, after, carried, report.difference.change,
                                 options.threads, progress);
    report.carried = judge(after, carried, options.threads, progress);
    if (new_routing != nullptr && new_routing->routes() == nullptr) {
      if (plain(*old_routing) && plain(*new_routing)) {
        report.together = verify_transition(after, carried, *new_routing, options.threads, progress);
      } else {
        report.not_together = "there are SL-to-VL tables, or terminals with several addresses";
      }
    }
  }
  if (new_routing != nullptr) {
    require_tables(*new_routing, "watching a fabric");
    report.now = judge(after, *new_routing, options.threads, progress);
  }
  hurts_of_parts(report.difference, report.hurts);
  if (report.disconnected.count > 0) {
    report.hurts.push_back(fmt::format("no path joins {} pairs of terminals, for example {} to {}",
                                       report.disconnected.count,
                                       after.terminal_name(report.disconnected.source),
                                       after.terminal_name(report.disconnected.destination)));
  }
  hurts_of_tables(report, options.load_rise, report.hurts);
  return report;
}

}  // namespace unknot::watch
