// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "unknot/network/bfs.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/simulate/plan/lane_proof.hpp"
#include "unknot/simulate/run.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"

namespace unknot::simulate {
namespace {

AdaptiveChoice par(std::uint32_t progressive, const std::string& scheme = "hop") {
  return {RoutePlan::Kind::ugal, scheme, {.indirect = 1, .penalty = 2, .progressive = progressive}};
}

SteadyReport on(const Network& network, const AdaptiveChoice& choice, const std::string& traffic, double load,
                const RunOptions& options = {}, std::uint64_t measure = 4000) {
  const RoutePlan plan = plan_paths(network, choice);
  Settings settings;
  settings.vcs = 8;
  settings.vc_buffer = 32;
  settings.warmup = 1000;
  settings.measure = measure;
  Progress quiet;
  return run_steady(plan, settings, make_pattern(network, traffic), load, quiet, options);
}

/// A packet as it goes: router by router, each hop with the lane it has got.
struct Trip {
  std::vector<std::uint32_t> routers, lanes;
  bool arrived = false;
};

std::vector<Trip> trips_of(const Network& network, const RoutePlan& plan, const PacketWatch& watch) {
  std::map<std::pair<std::uint32_t, std::uint64_t>, Trip> trips;
  for (const WatchEvent& event : watch.events()) {
    Trip& trip = trips[{event.source, event.number}];
    if (event.kind == WatchEvent::Kind::buffered && event.flit == 0) trip.routers.push_back(event.place);
    trip.arrived = trip.arrived || event.kind == WatchEvent::Kind::arrived;
    if (event.kind != WatchEvent::Kind::lane) continue;
    if ((plan.ports.output_to[event.port] & Ports::kTerminal) == 0) trip.lanes.push_back(event.lanes);
  }
  std::vector<Trip> all;
  for (auto& [packet, trip] : trips) {
    if (trip.arrived) all.push_back(std::move(trip));
  }
  EXPECT_GT(all.size(), 1000U) << network.description();
  return all;
}

/// Distances by a search of their own.
std::vector<std::vector<std::uint32_t>> distances(const Network& network) {
  std::vector<std::vector<std::uint32_t>> all;
  BreadthFirstSearch search(network);
  for (const RouterId r : network.routers()) {
    const auto row = search.from(r);
    all.emplace_back(row.begin(), row.end());
  }
  return all;
}

/// What is left of a trip from its hop `from` on is a shortest path by way of some router, or without.
bool is_indirect(const Trip& trip, std::size_t from, const std::vector<std::vector<std::uint32_t>>& apart) {
  for (std::size_t via = from; via < trip.routers.size(); ++via) {
    if (apart[trip.routers[from]][trip.routers[via]] == via - from &&
        apart[trip.routers[via]][trip.routers.back()] == trip.routers.size() - 1 - via)
      return true;
  }
  return false;
}

/// Every packet goes minimally for at most so many hops, then as under Valiant's routing; some are diverted
/// behind their source. On lanes that only rise nothing waits in a circle, whatever the paths.
TEST(Progressive, PathsAreMinimalThenIndirectOnLanesThatRise) {
  for (const std::uint32_t progressive : {1U, 2U}) {
    const Network network = make_network("dragonfly:a=4,p=2,h=2");
    const RoutePlan plan = plan_paths(network, par(progressive));
    PacketWatch watch(std::vector<Watched>{Watched{}}, network.terminal_count());
    RunOptions options;
    options.watch = &watch;
    const SteadyReport report = on(network, par(progressive), "shift-router:distance=4", 0.2, options, 500);
    EXPECT_FALSE(report.locked());
    const auto apart = distances(network);
    const std::uint32_t group = 8 / plan.lanes_needed;
    std::size_t diverted = 0;
    for (const Trip& trip : trips_of(network, plan, watch)) {
      std::size_t first = 0;
      while (first <= progressive && first < trip.routers.size() && !is_indirect(trip, first, apart)) {
        ASSERT_EQ(apart[trip.routers[first]][trip.routers.back()],
                  1 + apart[trip.routers[first + 1]][trip.routers.back()]);
        ++first;
      }
      ASSERT_LE(first, progressive);
      diverted += first > 0 ? 1 : 0;
      for (std::size_t hop = 1; hop < trip.lanes.size(); ++hop)
        ASSERT_GE(trip.lanes[hop], trip.lanes[hop - 1] << group);
    }
    EXPECT_GT(diverted, 0U);
  }
}

/// The lanes of any scheme, met in a simulation, make no circle: channels and lanes that follow each other.
TEST(Progressive, LanesMetMakeNoCircle) {
  for (const char* const spec : {"dragonfly:a=3,p=1,h=1", "hyperx:3x3", "oft:3"}) {
    for (const char* const scheme : {"hop", "phase-hop", "phase"}) {
      const Network network = make_network(spec);
      Progress quiet;
      const LaneProof proof = prove_lanes(network, par(1, scheme), 1, quiet);
      const RoutePlan plan = plan_paths(network, par(1, scheme));
      PacketWatch watch(std::vector<Watched>{Watched{}}, network.terminal_count());
      RunOptions options;
      options.watch = &watch;
      (void)on(network, par(1, scheme), "uniform", 0.5, options, 500);
      std::map<std::uint64_t, std::set<std::uint64_t>> after;
      std::map<std::uint64_t, std::size_t> waits;
      for (const Trip& trip : trips_of(network, plan, watch)) {
        for (std::size_t hop = 1; hop < trip.lanes.size(); ++hop) {
          const auto vertex = [&](std::size_t h) {
            return (std::uint64_t{trip.routers[h]} << 40U) + (std::uint64_t{trip.routers[h + 1]} << 16U) +
                   trip.lanes[h];
          };
          waits.try_emplace(vertex(hop - 1), 0);
          if (after[vertex(hop - 1)].insert(vertex(hop)).second) ++waits[vertex(hop)];
        }
      }
      std::vector<std::uint64_t> free;
      for (const auto& [vertex, count] : waits) {
        if (count == 0) free.push_back(vertex);
      }
      std::size_t done = 0;
      while (!free.empty()) {
        const std::uint64_t vertex = free.back();
        free.pop_back();
        ++done;
        for (const std::uint64_t next : after[vertex]) {
          if (--waits[next] == 0) free.push_back(next);
        }
      }
      if (proof.deadlock_free) {
        EXPECT_EQ(done, waits.size()) << spec << " " << scheme;
      }
      EXPECT_TRUE(proof.deadlock_free || scheme != std::string("hop")) << spec;
    }
  }
}

/// Each group sends to the next one: the queues that matter are those of the router with the channel there.
/// Who is weighed there again waits less, and the slowest much less. [Jiang, Kim, Dally 2009, figure 8]
TEST(Progressive, WaitsLessThanBySourcesAloneFromGroupToGroup) {
  const Network network = make_network("dragonfly:a=8,p=4,h=4");
  const auto point = [&](std::uint32_t progressive, double load) {
    AdaptiveChoice choice = par(progressive);
    choice.ugal.threshold = 0.02;
    return on(network, choice, "shift-router:distance=8", load, {}, 1000);
  };
  for (const double load : {0.1, 0.2}) {
    const SteadyReport local = point(0, load), progressive = point(1, load);
    EXPECT_FALSE(progressive.undelivered);
    EXPECT_LT(progressive.latency_mean, local.latency_mean) << load;
    EXPECT_LT(2 * progressive.latency_p99, local.latency_p99) << load;
  }
}

TEST(Progressive, IsMinimalInAnEmptyNetwork) {
  const Network network = make_network("dragonfly:a=4,p=2,h=2");
  const RoutePlan plan = plan_paths(network, par(1)), plain = plan_paths(network, par(0));
  EXPECT_EQ(plan.lanes_needed, plain.lanes_needed + 1);
  const std::uint32_t terminals = network.terminal_count();
  std::vector<ListedPacket> packets;
  for (std::uint32_t t = 0; t < terminals; ++t) packets.push_back({100 * t, t, (t + 35) % terminals, 1});
  Settings settings;
  settings.vcs = 0;
  Progress quiet;
  std::vector<Recorder::Delivery> one, other;
  const RunReport report = run_packets(plan, for_lanes(settings, plan.lanes_needed), packets, &one, quiet);
  (void)run_packets(plain, for_lanes(settings, plain.lanes_needed), packets, &other, quiet);
  EXPECT_EQ(report.packets, terminals);
  EXPECT_EQ(report.indirect_share, 0);
  ASSERT_EQ(one.size(), other.size());
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_EQ(one[i].arrived, other[i].arrived);
}

TEST(Progressive, MoreLanesThanThereAreAreRefused) {
  EXPECT_THROW((void)plan_paths(make_network("hyperx:3x3"), par(64)), InputError);
}

}  // namespace
}  // namespace unknot::simulate
