// SPDX-License-Identifier: Apache-2.0
// Latency and rate of chains of two and three routers, by the law that BookSim2's iq router follows.
#include <gtest/gtest.h>

#include "simulate/chain.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/simulate/run.hpp"

namespace unknot::simulate {
namespace {

double latency(std::uint32_t routers, const Settings& settings) {
  const Progress silent;
  const RunReport report = run_packets(chain(routers), settings, {{100, 0, 1, 0}}, nullptr, silent);
  EXPECT_EQ(report.packets, 1U);
  return report.latency_mean;
}

/// H (RD + VA + SA + ST) / S + links + 1 + L - 1
double law(std::uint32_t h, const Settings& s) {
  return h * (s.routing_delay + s.vc_alloc_delay + s.sw_alloc_delay + s.st_delay) /
             static_cast<double>(s.speedup) +
         (h - 1) * s.link_latency + 2 * s.terminal_latency + s.packet_flits;
}

TEST(TimingLaw, HoldsForEveryDelay) {
  for (std::uint32_t routing : {0U, 1U, 3U}) {
    for (std::uint32_t vc_alloc : {1U, 2U}) {
      for (std::uint32_t sw_alloc : {1U, 3U}) {
        for (std::uint32_t st : {1U, 2U, 4U}) {
          for (std::uint32_t link : {1U, 5U}) {
            for (std::uint32_t flits : {1U, 4U}) {
              Settings s;
              s.routing_delay = routing;
              s.vc_alloc_delay = vc_alloc;
              s.sw_alloc_delay = sw_alloc;
              s.st_delay = st;
              s.link_latency = link;
              s.packet_flits = flits;
              for (const std::uint32_t h : {2U, 3U}) EXPECT_DOUBLE_EQ(latency(h, s), law(h, s));
            }
          }
        }
      }
    }
  }
}

TEST(TimingLaw, MeasuredOnBookSim2) {
  Settings s;
  EXPECT_EQ(latency(2, s), 12);
  EXPECT_EQ(latency(3, s), 17);
  s.routing_delay = 3;
  EXPECT_EQ(latency(2, s), 16);
  EXPECT_EQ(latency(3, s), 23);
  s.routing_delay = 0;
  EXPECT_EQ(latency(2, s), 10);
  EXPECT_EQ(latency(3, s), 14);
  s = Settings();
  s.speedup = 2;
  EXPECT_EQ(latency(2, s), 8);
  EXPECT_EQ(latency(3, s), 11);
  s = Settings();
  s.packet_flits = 4;
  EXPECT_EQ(latency(2, s), 15);
  EXPECT_EQ(latency(3, s), 20);
  s = Settings();
  s.link_latency = 5;
  EXPECT_EQ(latency(2, s), 16);
  EXPECT_EQ(latency(3, s), 25);
  s = Settings();
  s.credit_delay = 4;
  EXPECT_EQ(latency(2, s), 12);
}

/// Flits a cycle that come through a chain of three routers when its first terminal sends all it can.
double rate(const Settings& settings) {
  const Progress silent;
  std::vector<ListedPacket> packets;
  constexpr std::uint32_t kPackets = 3000;
  for (std::uint32_t i = 0; i < kPackets; ++i) packets.push_back({0, 0, 1, 0});
  const RunReport report = run_packets(chain(3), settings, packets, nullptr, silent);
  EXPECT_EQ(report.packets, kPackets);
  return kPackets * settings.packet_flits / report.latency_max;
}

TEST(TimingLaw, OneLaneSendsOnePacketAtATime) {
  // L / (L + RD + VA + SA - 1) on one lane; measured 1/3, 4/6, 16/18, and full rate on three lanes.
  for (const std::uint32_t flits : {1U, 4U, 16U}) {
    Settings s;
    s.vcs = 1;
    s.packet_flits = flits;
    s.vc_buffer = 16;
    EXPECT_NEAR(rate(s), flits / (flits + 2.0), 0.01);
  }
  Settings s;
  s.vcs = 2;
  s.vc_buffer = 16;
  EXPECT_NEAR(rate(s), 2.0 / 3, 0.01);
  s.vcs = 3;
  EXPECT_NEAR(rate(s), 1.0, 0.01);
  s.vcs = 1;
  s.routing_delay = 0;
  EXPECT_NEAR(rate(s), 0.5, 0.01);
  s.routing_delay = 1;
  s.speedup = 2;
  EXPECT_NEAR(rate(s), 2.0 / 3, 0.01);
}

TEST(TimingLaw, CreditsOfOneLaneGoRound) {
  // One slot: a flit each 8 cycles; with links of 5 cycles each 16, so four slots give a quarter.
  Settings s;
  s.vcs = 1;
  s.vc_buffer = 1;
  EXPECT_NEAR(rate(s), 1.0 / 8, 0.002);
  s.vc_buffer = 4;
  EXPECT_NEAR(rate(s), 1.0 / 3, 0.005);
  s.credit_delay = 4;
  EXPECT_NEAR(rate(s), 1.0 / 3, 0.005);
  s.credit_delay = 1;
  s.link_latency = 5;
  EXPECT_NEAR(rate(s), 0.25, 0.004);
}

TEST(TimingLaw, TerminalsSendAndTakeWhatTheirLinksBear) {
  // One terminal sends to three others, then the three to that one: its link is the only one in the way.
  NetworkBuilder builder;
  builder.add_routers(2);
  for (const std::uint32_t router : {0U, 0U, 1U, 1U}) builder.add_terminal(RouterId(router));
  builder.add_cable(RouterId(0), RouterId(1));
  const Network network = std::move(builder).build();
  Progress silent;
  const RoutePlan plan = plan_routing(network, route(network, "minhop", {}, silent), true);
  struct Model {
    RouterKind router;
    Switching switching;
    Arbitration arbitration;
    std::uint32_t flits;
  };
  constexpr auto kQueued = RouterKind::input_output_queued;
  constexpr auto kWhole = Switching::virtual_cut_through;
  for (const Model& model : {Model{RouterKind::input_queued, Switching::wormhole, Arbitration::flits, 1},
                             {RouterKind::input_queued, Switching::wormhole, Arbitration::flits, 3},
                             {RouterKind::input_queued, kWhole, Arbitration::flits, 3},
                             {kQueued, kWhole, Arbitration::flits, 1},
                             {kQueued, kWhole, Arbitration::flits, 3},
                             {kQueued, kWhole, Arbitration::packets, 3}}) {
    for (const auto& [link_steps, period] :
         {std::pair{0U, 4U}, std::pair{0U, 6U}, std::pair{5U, 3U}, std::pair{5U, 7U}}) {
      for (const bool sends : {true, false}) {
        Settings s;
        s.router = model.router;
        s.switching = model.switching;
        s.arbitration = model.arbitration;
        s.packet_flits = model.flits;
        s.speedup = 2;
        s.vc_buffer = s.output_buffer = 24;
        s.link_steps = s.terminal_steps = link_steps;
        s.link_classes = {{"terminals", 0, period}};
        std::vector<ListedPacket> packets;
        for (std::uint32_t i = 0; i < 900; ++i)
          packets.push_back({0, sends ? 0 : 1 + i % 3, sends ? 1 + i % 3 : 0, 0});
        const RunReport report = run_packets(plan, s, packets, nullptr, silent);
        EXPECT_NEAR(900 * model.flits * period / (report.latency_max * 2), 1, 0.03)
            << model.flits << " flits, period " << period << (sends ? ", sent" : ", taken");
      }
    }
  }
}

}  // namespace
}  // namespace unknot::simulate
