// SPDX-License-Identifier: Apache-2.0
// The fast form of Arbitration::packets beside a model that moves every flit by itself.
#include "simulate/flit_by_flit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <tuple>

#include "unknot/engines/catalogue.hpp"
#include "unknot/simulate/core/engine.hpp"
#include "unknot/simulate/sources/destinations.hpp"
#include "unknot/simulate/sources/packet_list.hpp"
#include "unknot/simulate/sources/steady_source.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"

namespace unknot::simulate {
namespace {

struct Fabric {
  const char* spec;
  const char* engine;
};

RoutePlan plan_of(const Fabric& fabric, bool any_lane) {
  const Network network = make_network(fabric.spec);
  Progress silent;
  return plan_routing(network, route(network, fabric.engine, {}, silent), any_lane);
}

/// Buffers of this many places, and of some flits more that make no place.
Settings trains(const RoutePlan& plan, std::uint32_t flits, std::uint32_t places, std::uint32_t speedup,
                std::uint32_t link_steps) {
  Settings s;
  s.router = RouterKind::input_output_queued;
  s.switching = Switching::virtual_cut_through;
  s.arbitration = Arbitration::packets;
  s.packet_flits = flits;
  s.vcs = std::max(2U, plan.lanes_needed);
  s.vc_buffer = s.output_buffer = flits * places + flits / 2;
  s.speedup = speedup;
  s.link_steps = s.terminal_steps = link_steps;
  return s;
}

using Deliveries = std::vector<Recorder::Delivery>;

/// Those before this step, in order: the fast form knows of an arrival before it happens.
Deliveries until(Deliveries list, std::uint64_t step) {
  std::erase_if(list, [&](const auto& d) { return d.arrived >= step; });
  std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) {
    return std::tie(a.source, a.created, a.destination, a.arrived) <
           std::tie(b.source, b.created, b.destination, b.arrived);
  });
  return list;
}

/// Both forms, each with a source of its own.
template <class MakeSource>
void expect_equal(const RoutePlan& plan, const Settings& s, MakeSource make_source, std::uint64_t cycles) {
  const LinkTimes links = link_times(plan.network, s);
  const std::unique_ptr<Source> for_fast = make_source(), for_plain = make_source();
  const auto engine = make_engine(plan, s, links, *for_fast);
  engine->recorder.speedup = s.speedup;
  engine->recorder.keep_deliveries = true;
  engine->run_until(cycles);
  EXPECT_EQ(engine->broken_law(), "");
  const FlitByFlit plain = run_flit_by_flit(plan, s, links, *for_plain, cycles);
  EXPECT_EQ(plain.broken, "");
  const Deliveries fast = until(engine->recorder.deliveries(), cycles * s.speedup);
  const Deliveries slow = until(plain.deliveries, cycles * s.speedup);
  ASSERT_GT(slow.size(), 10U);
  for (std::size_t i = 0; i < std::min(fast.size(), slow.size()); ++i) {
    const auto all = [](const auto& d) { return std::tie(d.source, d.created, d.destination, d.arrived); };
    ASSERT_EQ(all(fast[i]), all(slow[i])) << "packet " << i;
  }
  ASSERT_EQ(fast.size(), slow.size());
}

void expect_equal(const RoutePlan& plan, const Settings& s, double load, std::uint64_t cycles) {
  const Destinations to(plan.network, make_pattern(plan.network, "uniform"), 1);
  const auto source = [&] {
    return std::make_unique<SteadySource>(to, plan.network.terminal_count(), load, s.packet_flits, 7);
  };
  expect_equal(plan, s, source, cycles);
}

class FlitByFlitOn : public ::testing::TestWithParam<Fabric> {};

/// Every two values of two settings meet; all of all would take too long.
TEST_P(FlitByFlitOn, EveryPacketArrivesInTheSameStep) {
  const RoutePlan by_level = plan_of(GetParam(), false), any = plan_of(GetParam(), true);
  const std::uint64_t cycles = by_level.network.terminal_count() < 50 ? 160 : 100;
  std::uint32_t run = 0;
  for (const std::uint32_t flits : {1U, 2U, 4U, 7U}) {
    for (const std::uint32_t speedup : {1U, 2U, 3U}) {
      for (const std::uint32_t link_steps : {0U, 5U}) {
        const std::uint32_t places = std::vector{1U, 3U, 50U}[(run + run / 3) % 3];
        const double load = std::vector{0.2, 0.6, 1.0}[(run + run / 8) % 3];
        const RoutePlan& plan = run % 5 == 2 ? any : by_level;
        Settings s = trains(plan, flits, places, speedup, link_steps);
        s.routing_delay = run / 2 % 2;
        s.vc_alloc_delay = 1 + run % 3;
        s.st_delay = 1 + run % 4;
        s.credit_delay = run % 3;
        ++run;
        SCOPED_TRACE(testing::Message()
                     << GetParam().spec << ": " << flits << " flits, speedup " << speedup << ", link_steps "
                     << link_steps << ", places " << places << ", load " << load << ", run " << run);
        ASSERT_NO_FATAL_FAILURE(expect_equal(plan, s, load, cycles));
        ASSERT_FALSE(HasFailure());
      }
    }
  }
}

TEST_P(FlitByFlitOn, PacketsOfManyLengths) {
  const RoutePlan plan = plan_of(GetParam(), false);
  const std::uint32_t terminals = plan.network.terminal_count();
  for (const auto& [speedup, link_steps] : {std::pair{1U, 0U}, std::pair{2U, 5U}, std::pair{3U, 0U}}) {
    for (const std::uint32_t places : {1U, 3U, 50U}) {
      TerminalRandom random(places, speedup);
      std::vector<ListedPacket> list;
      for (std::uint32_t t = 0; t < terminals; ++t) {
        for (std::uint64_t cycle = random.below(4); cycle < 150; cycle += 1 + random.below(12)) {
          list.push_back({cycle, t, random.below(terminals), 1 + random.below(7)});
        }
      }
      Settings s = trains(plan, 7, places, speedup, link_steps);
      s.packet_flits = 1;  // the list says how long they are
      const auto source = [&] { return std::make_unique<PacketListSource>(list, terminals, 1); };
      SCOPED_TRACE(testing::Message() << GetParam().spec << ": speedup " << speedup << ", places " << places);
      ASSERT_NO_FATAL_FAILURE(expect_equal(plan, s, source, 200));
      ASSERT_FALSE(HasFailure());
    }
  }
}

TEST_P(FlitByFlitOn, SlowChannels) {
  const RoutePlan plan = plan_of(GetParam(), false);
  for (const std::uint32_t period : {3U, 4U, 12U}) {
    for (const std::uint32_t places : {1U, 4U, 9U}) {
      Settings s = trains(plan, 4, places, 2, period == 3 ? 5 : 0);
      s.link_classes = {{"channels", 0, period}};
      SCOPED_TRACE(testing::Message() << GetParam().spec << ": period " << period << ", places " << places);
      ASSERT_NO_FATAL_FAILURE(expect_equal(plan, s, 0.5, 200));
      ASSERT_FALSE(HasFailure());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, FlitByFlitOn,
                         ::testing::Values(Fabric{"mesh:4x4", "dor"}, Fabric{"slimfly:q=5,p=3", "dfsssp"},
                                           Fabric{"xgft:m=4x4,w=2x2", "ftree"},
                                           Fabric{"random:switches=12,links=20,terminals=60", "nue"}),
                         [](const auto& test) { return "fabric" + std::to_string(test.index); });

}  // namespace
}  // namespace unknot::simulate
