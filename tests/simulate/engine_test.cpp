// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/core/engine.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "simulate/planned_tables.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/simulate/run.hpp"
#include "unknot/simulate/sources/destinations.hpp"
#include "unknot/simulate/sources/packet_list.hpp"
#include "unknot/simulate/sources/steady_source.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"

namespace unknot::simulate {
namespace {

Settings flits(std::uint32_t packet, std::uint32_t vcs, std::uint32_t buffer, std::uint32_t speedup) {
  Settings s;
  s.packet_flits = packet;
  s.vcs = vcs;
  s.vc_buffer = buffer;
  s.output_buffer = buffer;
  s.speedup = speedup;
  return s;
}

std::vector<Recorder::Delivery> deliveries(const RoutePlan& plan, const Settings& settings, double load,
                                           bool full, std::vector<LaneState>* states = nullptr) {
  const Destinations to(plan.network, make_pattern(plan.network, "uniform"), 1);
  SteadySource source(to, plan.network.terminal_count(), load, settings.packet_flits, 7);
  const LinkTimes links = link_times(plan.network, settings);
  const auto engine =
      full ? make_full_engine(plan, settings, links, source) : make_engine(plan, settings, links, source);
  engine->recorder.speedup = settings.speedup;
  engine->recorder.keep_deliveries = true;
  engine->recorder.check_order = plan.keeps_order(settings.vcs);
  for (std::uint64_t cycle = 60; cycle <= 240; cycle += 60) {
    engine->run_until(cycle);
    EXPECT_EQ(engine->broken_law(), "") << "cycle " << cycle;
    if (states == nullptr) continue;
    const std::vector<LaneState> now = engine->lane_states();
    states->insert(states->end(), now.begin(), now.end());
  }
  auto list = engine->recorder.deliveries();
  EXPECT_GT(list.size(), 50U);
  std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) {
    return std::tie(a.created, a.source, a.destination) < std::tie(b.created, b.source, b.destination);
  });
  return list;
}

struct Fabric {
  const char* spec;
  const char* engine;
};
class AllFabrics : public ::testing::TestWithParam<Fabric> {};

void expect_special_as_full(const RoutePlan& plan, const Settings& s, double load) {
  std::vector<LaneState> special_states, full_states;
  const auto special = deliveries(plan, s, load, false, &special_states);
  const auto full = deliveries(plan, s, load, true, &full_states);
  ASSERT_EQ(special.size(), full.size());
  for (std::size_t i = 0; i < full.size(); ++i) ASSERT_EQ(special[i].arrived, full[i].arrived);
  // What is said of runs that have stopped: who holds what, and who waits for it.
  ASSERT_EQ(special_states, full_states);
}

TEST_P(AllFabrics, SpecialFormsDoWhatTheFullOneDoes) {
  for (const bool any_lane : {true, false}) {
    const RoutePlan plan = tables(GetParam().spec, GetParam().engine, any_lane);
    if (plan.bubble || plan.kind == RoutePlan::Kind::source) GTEST_SKIP() << "there is only the full form";
    for (Settings s : {flits(1, 4, 8, 1), flits(4, 4, 8, 1), flits(1, 3, 32, 2), flits(3, 1, 6, 2)}) {
      s.vcs = std::max(s.vcs, plan.lanes_needed);
      for (const double load : {0.1, 0.9}) {
        if (any_lane && s.vcs == 1 && load > 0.5) continue;  // one lane of any: it may be dead by then
        expect_special_as_full(plan, s, load);
      }
    }
  }
}

/// Most engines' levels are lanes. Here tables say which, another one for each pair of ports.
TEST_P(AllFabrics, SpecialFormsTakeTheLanesOfTables) {
  const Network network = make_network(GetParam().spec);
  Progress silent;
  Routing routing = route(network, GetParam().engine, {}, silent);
  if (routing.routes() != nullptr) GTEST_SKIP() << "there is only the full form";
  constexpr std::uint32_t kLanes = 3;
  LaneMap lanes(network, kLanes);
  for (const RouterId r : network.routers()) {
    for (std::uint16_t in = 0; in <= network.port_count(r); ++in) {
      for (std::uint16_t out = 1; out <= network.port_count(r); ++out) {
        LaneMap::Row row{};
        for (std::uint32_t level = 0; level < LaneMap::kLevels; ++level)
          row[level] = static_cast<std::uint8_t>((level + in + 2 * out) % kLanes);
        lanes.set(r, in, out, row);
      }
    }
  }
  routing.lane_map = std::make_shared<const LaneMap>(std::move(lanes));
  routing.virtual_lanes = routing.lanes_needed = kLanes;
  const RoutePlan plan = plan_routing(network, routing, false);
  for (const std::uint32_t packet : {1U, 4U}) {
    for (const std::uint32_t vcs : {3U, 4U, 6U}) expect_special_as_full(plan, flits(packet, vcs, 8, 1), 0.4);
  }
}

TEST_P(AllFabrics, LawsHoldInEveryModel) {
  const RoutePlan plan = tables(GetParam().spec, GetParam().engine, false);
  for (const RouterKind router : {RouterKind::input_queued, RouterKind::input_output_queued}) {
    for (const Switching switching : {Switching::wormhole, Switching::virtual_cut_through}) {
      for (const std::uint32_t link_steps : {0U, 5U}) {
        Settings s = flits(4, std::max(2U, plan.lanes_needed), 16, 2);
        s.router = router;
        s.switching = switching;
        s.link_steps = s.terminal_steps = link_steps;
        if (plan.bubble &&
            (router != RouterKind::input_queued || switching != Switching::virtual_cut_through)) {
          const LinkTimes links = link_times(plan.network, s);
          const Destinations to(plan.network, make_pattern(plan.network, "uniform"), 1);
          SteadySource source(to, plan.network.terminal_count(), 0.1, 1, 1);
          EXPECT_THROW((void)make_engine(plan, s, links, source), InputError);
          continue;
        }
        for (const double load : {0.2, 1.0}) (void)deliveries(plan, s, load, false);
      }
    }
  }
}

/// Input-output-queued routers and packets of one flit: the form that has no lanes to give out.
Settings packets(const RoutePlan& plan, std::uint32_t buffer, std::uint32_t speedup,
                 std::uint32_t link_steps) {
  Settings s = flits(1, std::max(2U, plan.lanes_needed), buffer, speedup);
  s.router = RouterKind::input_output_queued;
  s.switching = Switching::virtual_cut_through;
  s.link_steps = s.terminal_steps = link_steps;
  s.vc_alloc_delay = 2;
  s.st_delay = 3;
  return s;
}

TEST_P(AllFabrics, LawsHoldForWholePackets) {
  const RoutePlan plan = tables(GetParam().spec, GetParam().engine, false);
  if (plan.bubble) GTEST_SKIP() << "bubbles are of input-queued routers";
  for (const std::uint32_t buffer : {1U, 3U, 8U, 200U}) {
    for (const auto& [speedup, link_steps] : {std::pair{1U, 0U}, std::pair{2U, 5U}, std::pair{3U, 0U}}) {
      for (const double load : {0.2, 1.0}) {
        (void)deliveries(plan, packets(plan, buffer, speedup, link_steps), load, false);
      }
    }
  }
}

/// The same for packets of several flits that the switch and channels are given to.
Settings trains(const RoutePlan& plan, std::uint32_t packet, std::uint32_t places, std::uint32_t speedup,
                std::uint32_t link_steps) {
  Settings s = packets(plan, packet * places + packet - 1, speedup, link_steps);
  s.packet_flits = packet;
  s.arbitration = Arbitration::packets;
  return s;
}

TEST_P(AllFabrics, LawsHoldForPacketsOfManyFlits) {
  const RoutePlan plan = tables(GetParam().spec, GetParam().engine, false);
  if (plan.bubble) GTEST_SKIP() << "bubbles are of input-queued routers";
  for (const std::uint32_t places : {1U, 3U, 50U}) {
    for (const auto& [speedup, link_steps] : {std::pair{1U, 0U}, std::pair{2U, 5U}, std::pair{3U, 0U}}) {
      for (const double load : {0.2, 1.0}) {
        (void)deliveries(plan, trains(plan, 4, places, speedup, link_steps), load, false);
      }
    }
  }
}

TEST_P(AllFabrics, WholePacketsTakeTheTimeOfFlitsWhereNothingIsInTheWay) {
  const RoutePlan plan = tables(GetParam().spec, GetParam().engine, false);
  if (plan.bubble) GTEST_SKIP() << "bubbles are of input-queued routers";
  const std::uint32_t terminals = plan.network.terminal_count();
  for (const auto& times : {std::pair{1U, 0U}, std::pair{2U, 5U}, std::pair{3U, 0U}}) {
    for (const std::uint32_t buffer : {1U, 8U}) {
      const Settings s = packets(plan, buffer, times.first, times.second);
      const LinkTimes links = link_times(plan.network, s);
      // One at a time: the last has arrived long before the next sets out.
      std::vector<ListedPacket> list;
      for (std::uint32_t i = 0; i < 40; ++i) {
        list.push_back({std::uint64_t{200} * i, i % terminals, (7 * i + 3) % terminals, 1});
      }
      const auto run = [&](bool full) {
        PacketListSource source(list, terminals, 1);
        const auto engine =
            full ? make_full_engine(plan, s, links, source) : make_engine(plan, s, links, source);
        engine->recorder.speedup = s.speedup;
        engine->recorder.keep_deliveries = true;
        engine->run_until(200 * 41);
        return engine->recorder.deliveries();
      };
      const auto whole = run(false), flit_by_flit = run(true);
      ASSERT_EQ(whole.size(), list.size());
      ASSERT_EQ(flit_by_flit.size(), list.size());
      for (std::size_t i = 0; i < list.size(); ++i) EXPECT_EQ(whole[i].arrived, flit_by_flit[i].arrived);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, AllFabrics,
                         ::testing::Values(Fabric{"mesh:4x4", "dor"}, Fabric{"slimfly:q=5,p=3", "dfsssp"},
                                           Fabric{"mlfm:4", "minhop"}, Fabric{"oft:3", "unknot"},
                                           Fabric{"xgft:m=4x4,w=2x2", "ftree"},
                                           Fabric{"random:switches=12,links=20,terminals=60", "nue"},
                                           Fabric{"torus:4x4", "angara-sssp"}, Fabric{"torus:4x4", "dor"},
                                           Fabric{"fattree2:36", "minhop"}, Fabric{"fattree2:20", "updn"}),
                         [](const auto& test) { return "fabric" + std::to_string(test.index); });

TEST_P(AllFabrics, NothingOvertakesOnOneLane) {
  const RoutePlan plan = tables(GetParam().spec, GetParam().engine, false);
  if (plan.lanes_needed > 1) GTEST_SKIP() << "needs several lanes";
  for (const std::uint32_t link_steps : {0U, 5U}) {
    for (const RouterKind router : {RouterKind::input_queued, RouterKind::input_output_queued}) {
      for (const Arbitration arbitration : {Arbitration::flits, Arbitration::packets}) {
        const bool queued = router == RouterKind::input_output_queued;
        if (plan.bubble ? queued || arbitration == Arbitration::packets
                        : !queued && arbitration == Arbitration::packets)
          continue;
        for (const std::uint32_t packet : {1U, 3U}) {
          Settings s = flits(packet, 1, 12, 2);
          s.router = router;
          s.arbitration = arbitration;
          s.switching = Switching::virtual_cut_through;
          s.link_steps = s.terminal_steps = link_steps;
          for (const double load : {0.3, 1.0}) (void)deliveries(plan, s, load, false);
        }
      }
    }
  }
}

TEST(OrderCheck, SeesOneThatOvertakes) {
  OrderCheck order;
  order.arrived(0, 1, 5);
  order.arrived(1, 0, 4);
  order.arrived(0, 2, 3);
  order.arrived(0, 1, 6);
  EXPECT_THROW(order.arrived(0, 1, 5), std::logic_error);
  EXPECT_THROW(order.arrived(0, 1, 6), std::logic_error);
  order.arrived(2, 0, 0xFFFFFFFFU);
  order.arrived(2, 0, 3);  // cycles have gone round
}

TEST(Engine, RefusesTooFewLanes) {
  const RoutePlan plan = tables("slimfly:q=5,p=3", "dfsssp", false);
  ASSERT_GE(plan.lanes_needed, 2U);
  const Settings s = flits(1, 1, 8, 1);
  const LinkTimes links = link_times(plan.network, s);
  const Destinations to(plan.network, make_pattern(plan.network, "uniform"), 1);
  SteadySource source(to, plan.network.terminal_count(), 0.1, 1, 1);
  EXPECT_THROW((void)make_engine(plan, s, links, source), InputError);
}

TEST(Engine, SourceRoutesAreFollowed) {
  const RoutePlan plan = tables("torus:4x4x2", "angara-sssp", false);
  ASSERT_EQ(plan.kind, RoutePlan::Kind::source);
  Settings s = flits(2, 1, 16, 1);
  s.switching = Switching::virtual_cut_through;
  const Progress silent;
  for (std::uint32_t a = 0; a < plan.network.terminal_count(); a += 3) {
    for (std::uint32_t b = 0; b < plan.network.terminal_count(); b += 5) {
      const RunReport report = run_packets(plan, s, {{0, a, b, 0}}, nullptr, silent);
      const std::size_t channels = plan.routing.routes()->route(TerminalId(a), TerminalId(b)).size();
      EXPECT_EQ(report.hops_mean, static_cast<double>(channels + 1));
    }
  }
}

}  // namespace
}  // namespace unknot::simulate
