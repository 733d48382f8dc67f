// SPDX-License-Identifier: Apache-2.0
// Packets of several flits that the switch and channels are given to whole (Arbitration::packets).
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "effort.hpp"
#include "simulate/chain.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/simulate/core/core.hpp"
#include "unknot/simulate/run.hpp"
#include "unknot/simulate/sources/destinations.hpp"
#include "unknot/simulate/sources/steady_source.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"

namespace unknot::simulate {
namespace {

Settings whole(std::uint32_t flits, std::uint32_t speedup, std::uint32_t link_steps) {
  Settings s;
  s.router = RouterKind::input_output_queued;
  s.switching = Switching::virtual_cut_through;
  s.arbitration = Arbitration::packets;
  s.packet_flits = flits;
  s.vcs = 1;
  s.vc_buffer = s.output_buffer = 40 * flits;
  s.speedup = speedup;
  s.link_steps = s.terminal_steps = link_steps;
  return s;
}

/// Steps of the pipeline, and those that a packet waits for enough of its flits.
std::uint32_t router_steps(const Settings& s, std::uint32_t period) {
  return pipeline_steps(s) + (s.packet_flits - 1) * (period - 1);
}

TEST(Trains, LatencyIsThatOfTheHeadAndTheTail) {
  const Progress silent;
  for (const std::uint32_t flits : {1U, 2U, 4U, 7U}) {
    for (const std::uint32_t speedup : {1U, 2U, 3U}) {
      for (const std::uint32_t routing : {0U, 1U}) {
        for (const std::uint32_t traversal : {1U, 6U}) {
          for (const std::uint32_t routers : {2U, 3U}) {
            Settings s = whole(flits, speedup, 5);
            s.routing_delay = routing;
            s.st_delay = traversal;
            const RunReport report = run_packets(chain(routers), s, {{100, 0, 1, 0}}, nullptr, silent);
            // Into the first link, along all of them, through the routers; then the flits behind the head.
            const std::uint32_t steps =
                speedup + (routers + 1) * 5 + routers * router_steps(s, speedup) + (flits - 1) * speedup;
            EXPECT_DOUBLE_EQ(report.latency_mean * speedup, steps)
                << flits << " flits, speedup " << speedup << ", " << routers << " routers";
          }
        }
      }
    }
  }
}

TEST(Trains, ASlowChannelHoldsThemUpOnce) {
  const Progress silent;
  for (const std::uint32_t period : {2U, 6U}) {
    Settings s = whole(4, 2, 5);
    s.link_classes = {{"channels", 0, period}};
    const RunReport report = run_packets(chain(2), s, {{100, 0, 1, 0}}, nullptr, silent);
    const std::uint32_t steps = 2 + 3 * 5 + router_steps(s, 2) + router_steps(s, period) + 3 * 2;
    EXPECT_DOUBLE_EQ(report.latency_mean * 2, steps) << "period " << period;
  }
}

/// Flits a cycle that come through a chain of three routers when its first terminal sends all it can.
double rate(const Settings& settings) {
  const Progress silent;
  constexpr std::uint32_t kPackets = 3000;
  const std::vector<ListedPacket> packets(kPackets, {0, 0, 1, 0});
  const RunReport report = run_packets(chain(3), settings, packets, nullptr, silent);
  EXPECT_EQ(report.packets, kPackets);
  return kPackets * settings.packet_flits / report.latency_max;
}

TEST(Trains, OneLaneFillsItsChannel) {
  for (const std::uint32_t flits : {1U, 4U, 16U}) {
    for (const std::uint32_t speedup : {1U, 2U}) EXPECT_NEAR(rate(whole(flits, speedup, 5)), 1, 0.02);
  }
}

TEST(Trains, OnePlaceIsForOnePacketAtATime) {
  for (const std::uint32_t flits : {1U, 4U}) {
    for (const std::uint32_t speedup : {1U, 2U}) {
      Settings s = whole(flits, speedup, 5);
      s.vc_buffer = 2 * flits - 1;  // what is left over is no place
      // Along the link, through the input buffer, with its tail out of it, and the credit's way back.
      const std::uint32_t steps = 5 + router_steps(s, speedup) + flits + 5 + s.credit_delay * speedup;
      EXPECT_NEAR(rate(s), static_cast<double>(flits * speedup) / steps, 0.003);
    }
  }
}

struct Fabric {
  const char* spec;
  const char* engine;
};

TEST(Trains, OfOneFlitArePackets) {
  for (const Fabric& fabric : {Fabric{"mesh:4x4", "dor"}, Fabric{"slimfly:q=5,p=3", "dfsssp"},
                               Fabric{"xgft:m=4x4,w=2x2", "ftree"}, Fabric{"fattree2:36", "minhop"}}) {
    const Network network = make_network(fabric.spec);
    if (fewer_cases() && network.terminal_count() > 200) continue;
    Progress silent;
    const RoutePlan plan = plan_routing(network, route(network, fabric.engine, {}, silent), false);
    for (const std::uint32_t link_steps : {0U, 5U}) {
      for (const std::uint32_t buffer : {1U, 8U, 200U}) {
        Settings s = whole(1, 2, link_steps);
        s.vcs = plan.lanes_needed + 1;
        s.vc_buffer = s.output_buffer = buffer;
        const LinkTimes links = link_times(network, s);
        const auto run = [&](bool train) {
          const Destinations to(network, make_pattern(network, "uniform"), 1);
          SteadySource source(to, network.terminal_count(), 0.9, 1, 7);
          const std::unique_ptr<Engine> engine =
              train ? std::make_unique<Core<AnyShape, Mode::trains>>(plan, s, links, source)
                    : make_engine(plan, s, links, source);
          engine->recorder.speedup = s.speedup;
          engine->recorder.keep_deliveries = true;
          engine->run_until(200);
          EXPECT_EQ(engine->broken_law(), "");
          auto list = engine->recorder.deliveries();
          std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) {
            return std::tie(a.created, a.source) < std::tie(b.created, b.source);
          });
          return list;
        };
        const auto packets = run(false), one_flit = run(true);
        ASSERT_GT(packets.size(), 100U);
        ASSERT_EQ(packets.size(), one_flit.size());
        for (std::size_t i = 0; i < packets.size(); ++i) ASSERT_EQ(packets[i].arrived, one_flit[i].arrived);
      }
    }
  }
}

/// Whether a packet's flits keep together changes latency by a few flits, and throughput hardly.
TEST(Trains, ComeOutAsFlitsByThemselvesDo) {
  const Network network = make_network("slimfly:q=5,p=3");
  const TrafficPattern uniform = make_pattern(network, "uniform");
  const Progress silent;
  for (const RoutePlan::Kind kind : {RoutePlan::Kind::minimal, RoutePlan::Kind::ugal}) {
    const RoutePlan plan = plan_paths(network, {kind, "hop", {}});
    Settings s = whole(4, 2, 20);
    s.vcs = 0;
    s.port_buffer = s.port_output_buffer = 1600;
    s.st_delay = 37;
    s.warmup = 1000;
    s.measure = 4000;
    const SteadyReport packets = run_steady(plan, s, uniform, 0.6, silent);
    s.arbitration = Arbitration::flits;
    const SteadyReport flits = run_steady(plan, s, uniform, 0.6, silent);
    EXPECT_NEAR(packets.accepted, flits.accepted, 0.005);
    EXPECT_GT(packets.latency_mean, flits.latency_mean * 0.98);
    EXPECT_LT(packets.latency_mean, flits.latency_mean * 1.05);
  }
}

/// Long packets behind short settings: the list says how long they are.
TEST(Trains, ListedPacketsMayBeLongerThanTheSettingsSay) {
  const Progress silent;
  for (const Arbitration arbitration : {Arbitration::flits, Arbitration::packets}) {
    for (const RouterKind router : {RouterKind::input_queued, RouterKind::input_output_queued}) {
      if (arbitration == Arbitration::packets && router == RouterKind::input_queued) continue;
      Settings s = whole(1, 1, 0);
      s.vc_buffer = s.output_buffer = 12;
      s.router = router;
      s.arbitration = arbitration;
      const RunReport report =
          run_packets(chain(3), s, {{0, 0, 1, 5}, {0, 0, 1, 1}, {3, 1, 0, 12}}, nullptr, silent);
      EXPECT_EQ(report.packets, 3U);
      EXPECT_EQ(report.flit_hops, 3U * (5 + 1 + 12));
    }
  }
}

}  // namespace
}  // namespace unknot::simulate
