// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/watch/packet_watch.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "unknot/engines/catalogue.hpp"
#include "unknot/simulate/run.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/random.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"

namespace unknot::simulate {
namespace {

using Kind = WatchEvent::Kind;
using ::testing::HasSubstr;

const Progress kStill;

struct WatchCase {
  const char* name;
  const char* paths;  ///< an engine's tables, or "minimal", "ugal"
  Settings settings;
  bool whole = false;  ///< events are of packets
};

Settings of_router(RouterKind router, Switching switching, std::uint32_t flits, std::uint32_t speedup) {
  Settings s;
  s.router = router;
  s.switching = switching;
  s.packet_flits = flits;
  s.speedup = speedup;
  s.vcs = 4;
  s.vc_buffer = s.output_buffer = 2 * flits + 3;
  s.link_latency = 3;
  s.seed = 5;
  return s;
}

std::vector<WatchCase> watch_cases() {
  constexpr RouterKind kIn = RouterKind::input_queued, kBoth = RouterKind::input_output_queued;
  constexpr Switching kWorm = Switching::wormhole, kCut = Switching::virtual_cut_through;
  std::vector<WatchCase> cases = {
      {"single", "updn", of_router(kIn, kWorm, 1, 1)},
      {"plain", "updn", of_router(kIn, kWorm, 4, 2)},
      {"cut-through", "updn", of_router(kIn, kCut, 3, 1)},
      {"minimal", "minimal", of_router(kIn, kWorm, 3, 1)},
      {"ugal", "ugal", of_router(kIn, kWorm, 2, 1)},
      {"both queued", "updn", of_router(kBoth, kWorm, 3, 2)},
      {"packets", "ugal", of_router(kBoth, kCut, 1, 2), true},
      {"trains", "minimal", of_router(kBoth, kCut, 4, 2), true},
  };
  cases[1].settings.routing_delay = 0;
  cases[3].settings.vc_alloc_delay = 2;
  cases.back().settings.arbitration = Arbitration::packets;
  return cases;
}

RoutePlan plan_of(const WatchCase& row, const Network& network) {
  Progress sink;
  const std::string paths = row.paths;
  if (paths == "minimal") return plan_paths(network, {RoutePlan::Kind::minimal, "hop", {}});
  if (paths == "ugal") return plan_paths(network, {RoutePlan::Kind::ugal, "hop", {}});
  return plan_routing(network, route(network, paths, {}, sink), true);
}

std::vector<ListedPacket> random_packets(std::uint32_t terminals, std::uint32_t flits) {
  Random random(11, 0);
  std::vector<ListedPacket> packets;
  for (int i = 0; i < 1500; ++i) {
    const std::uint32_t source = random.below(terminals);
    const std::uint32_t to = (source + 1 + random.below(terminals - 1)) % terminals;
    packets.push_back({random.below(600), source, to, flits});
  }
  return packets;
}

using PacketName = std::pair<std::uint32_t, std::uint64_t>;  // source, number
using FlitName = std::tuple<std::uint32_t, std::uint64_t, std::uint32_t>;

PacketName packet_of(const WatchEvent& event) {
  return {event.source, event.number};
}

/// What one run has to say of each packet, and of who used what when.
class Story {
 public:
  Story(const RoutePlan& plan, const WatchCase& row, const std::vector<WatchEvent>& events)
      : plan_(plan), row_(row) {
    for (const WatchEvent& event : events) flits_[{event.source, event.number, event.flit}].push_back(event);
  }

  /// Every flit goes from its terminal through buffers, switches and channels that follow each other to the
  /// other terminal, and takes the latency of each channel exactly.
  void flits_go_on_paths() const {
    for (const auto& [name, events] : flits_) {
      const bool head = std::get<2>(name) == 0;
      std::vector<Kind> kinds;
      for (const WatchEvent& event : events) kinds.push_back(event.kind);
      std::vector<Kind> expected;
      if (head) expected.push_back(Kind::created);
      expected.push_back(Kind::injected);
      const auto hops = static_cast<std::size_t>(std::count(kinds.begin(), kinds.end(), Kind::crossing));
      ASSERT_GE(hops, 1U);
      for (std::size_t hop = 0; hop < hops; ++hop) {
        expected.push_back(Kind::buffered);
        if (head) expected.push_back(Kind::routed);
        if (head && !row_.whole) expected.push_back(Kind::lane);
        expected.push_back(Kind::crossing);
        expected.push_back(Kind::sent);
      }
      expected.push_back(Kind::arrived);
      ASSERT_EQ(kinds, expected) << row_.name;
      for (std::size_t i = 1; i < events.size(); ++i) follows(events[i - 1], events[i]);
    }
  }

  /// No output and no input of a switch passes two flits in a step, and no channel two in less than a cycle.
  void nobody_is_in_two_places() const {
    std::set<std::pair<std::uint64_t, std::uint32_t>> outputs, inputs;
    std::map<std::uint32_t, std::vector<std::uint64_t>> sent;
    for (const auto& [name, events] : flits_) {
      std::uint32_t input = 0;
      for (const WatchEvent& event : events) {
        if (event.kind == Kind::buffered) input = event.port;
        if (event.kind == Kind::sent) sent[event.port].push_back(event.step);
        if (event.kind != Kind::crossing) continue;
        EXPECT_TRUE(outputs.insert({event.step, event.port}).second) << row_.name;
        EXPECT_TRUE(inputs.insert({event.step, input}).second) << row_.name;
      }
    }
    const std::uint64_t apart =
        std::uint64_t{row_.settings.speedup} * (row_.whole ? row_.settings.packet_flits : 1);
    for (auto& [output, steps] : sent) {
      std::sort(steps.begin(), steps.end());
      for (std::size_t i = 1; i < steps.size(); ++i) EXPECT_GE(steps[i] - steps[i - 1], apart) << row_.name;
    }
  }

  /// A lane is given to a packet, and to nobody else until its tail has crossed.
  void lanes_have_one_owner() const {
    if (row_.whole) return;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::pair<std::uint64_t, std::uint64_t>>>
        held;
    for (const auto& [name, events] : flits_) {
      if (std::get<2>(name) != 0) continue;
      const auto& tail = flits_.at({std::get<0>(name), std::get<1>(name), row_.settings.packet_flits - 1});
      for (const WatchEvent& event : events) {
        if (event.kind != Kind::lane) continue;
        const auto end = std::find_if(tail.begin(), tail.end(), [&](const WatchEvent& other) {
          return other.kind == Kind::crossing && other.port == event.port;
        });
        ASSERT_NE(end, tail.end());
        EXPECT_EQ(end->lanes, event.lanes);
        held[{event.port, event.lanes}].emplace_back(event.step, end->step);
      }
    }
    for (auto& [lane, times] : held) {
      std::sort(times.begin(), times.end());
      for (std::size_t i = 1; i < times.size(); ++i)
        EXPECT_GT(times[i].first, times[i - 1].second) << row_.name;
    }
  }

  /// created and arrived of the tail, as the list of deliveries has them.
  [[nodiscard]] std::multiset<std::tuple<std::uint64_t, std::uint32_t, std::uint32_t, std::uint64_t>>
  deliveries() const {
    std::map<PacketName, std::tuple<std::uint64_t, std::uint32_t, std::uint32_t, std::uint64_t>> made;
    for (const auto& [name, events] : flits_) {
      auto& one = made[packet_of(events.front())];
      std::get<1>(one) = events.front().source;
      std::get<2>(one) = events.front().destination;
      for (const WatchEvent& event : events) {
        if (event.kind == Kind::created) std::get<0>(one) = event.step / row_.settings.speedup;
        if (event.kind == Kind::arrived) std::get<3>(one) = std::max(std::get<3>(one), event.step);
      }
    }
    std::multiset<std::tuple<std::uint64_t, std::uint32_t, std::uint32_t, std::uint64_t>> all;
    for (const auto& [name, one] : made) all.insert(one);
    return all;
  }

 private:
  void follows(const WatchEvent& a, const WatchEvent& b) const {
    const Ports& ports = plan_.ports;
    const std::uint64_t speedup = row_.settings.speedup;
    EXPECT_GE(b.step, a.step);
    if (b.kind == Kind::injected) {
      EXPECT_EQ(b.place, b.source);
    }
    if (a.kind == Kind::injected) {
      EXPECT_EQ(ports.input_from[b.port], Ports::kTerminal | a.source);
    }
    if (a.kind == Kind::sent && b.kind == Kind::buffered) {
      EXPECT_EQ(ports.output_to[a.port], ports.input_from[b.port]);
      EXPECT_EQ(a.lanes, b.lanes);
      const std::uint64_t behind = row_.whole ? (row_.settings.packet_flits - 1) * (speedup - 1) : 0;
      EXPECT_EQ(b.step - a.step, row_.settings.link_latency * speedup + behind) << row_.name;
    }
    if (a.kind == Kind::crossing) {
      EXPECT_EQ(b.port, a.port);
      EXPECT_EQ(b.lanes, a.lanes);
    }
    if (a.kind == Kind::routed) {
      EXPECT_EQ(b.lanes & a.lanes, b.lanes);
    }
    if (b.kind == Kind::arrived) {
      EXPECT_EQ(b.place, b.destination);
      EXPECT_EQ(ports.output_to[a.port], Ports::kTerminal | b.destination);
    }
    if (b.kind == Kind::crossing) {
      EXPECT_EQ(ports.output_router[b.port], b.place);
    }
  }

  const RoutePlan& plan_;
  const WatchCase& row_;
  std::map<FlitName, std::vector<WatchEvent>> flits_;
};

TEST(PacketWatch, TellsAStoryThatHoldsTogether) {
  const Network network = make_network("hyperx:3x3,p=2");
  for (const WatchCase& row : watch_cases()) {
    const RoutePlan plan = plan_of(row, network);
    const Settings settings = for_lanes(row.settings, plan.lanes_needed);
    const std::vector<ListedPacket> packets = random_packets(18, settings.packet_flits);
    std::vector<Recorder::Delivery> deliveries, unwatched;
    PacketWatch watch({Watched{}}, 18);
    RunOptions options;
    options.watch = &watch;
    const RunReport report = run_packets(plan, settings, packets, &deliveries, kStill, options);
    const RunReport before = run_packets(plan, settings, packets, &unwatched, kStill);
    ASSERT_EQ(report.packets, packets.size()) << row.name;
    EXPECT_EQ(report.cycles, before.cycles) << row.name;
    EXPECT_EQ(report.flit_hops, before.flit_hops) << row.name;
    const Story story(plan, row, watch.events());
    story.flits_go_on_paths();
    story.nobody_is_in_two_places();
    story.lanes_have_one_owner();
    for (const auto* list : {&deliveries, &unwatched}) {
      std::multiset<std::tuple<std::uint64_t, std::uint32_t, std::uint32_t, std::uint64_t>> listed;
      for (const Recorder::Delivery& one : *list)
        listed.insert({one.created, one.source, one.destination, one.arrived});
      EXPECT_EQ(story.deliveries(), listed) << row.name;
    }
  }
}

TEST(PacketWatch, SteadyTrafficIsTheSameWatched) {
  const Network network = make_network("hyperx:3x3,p=2");
  for (const WatchCase& row : watch_cases()) {
    const RoutePlan plan = plan_of(row, network);
    Settings settings = for_lanes(row.settings, plan.lanes_needed);
    settings.measure = 1000;
    const TrafficPattern uniform = make_pattern(network, "uniform");
    PacketWatch watch({Watched{3, Watched::kAny, 7}, Watched{4, 5, Watched::kEvery}}, 18);
    RunOptions options;
    options.watch = &watch;
    const SteadyReport seen = run_steady(plan, settings, uniform, 0.3, kStill, options);
    const SteadyReport plain = run_steady(plan, settings, uniform, 0.3, kStill);
    EXPECT_EQ(seen.latency_mean, plain.latency_mean) << row.name;
    EXPECT_EQ(seen.accepted, plain.accepted) << row.name;
    EXPECT_EQ(seen.flit_hops, plain.flit_hops) << row.name;
    std::set<std::uint64_t> of_three;
    std::size_t of_four = 0;
    for (const WatchEvent& event : watch.events()) {
      if (event.source == 3) of_three.insert(event.number);
      if (event.source != 3) {
        EXPECT_EQ(std::pair(event.source, event.destination), std::pair(4U, 5U));
      }
      of_four += event.source == 4 ? 1 : 0;
    }
    EXPECT_EQ(of_three, std::set<std::uint64_t>{7}) << row.name;
    EXPECT_GT(of_four, 0U) << row.name;
  }
}

TEST(PacketWatch, ReadsItsFile) {
  const Network network = make_network("ring:4");
  const std::vector<Watched> read = parse_watch(network, "# all\n* *\n\n0 H-2 # a pair\n H-1 * 12 \n", "w");
  ASSERT_EQ(read.size(), 3U);
  EXPECT_EQ(read[0].source, Watched::kAny);
  EXPECT_EQ(read[0].number, Watched::kEvery);
  EXPECT_EQ(read[1].destination, 2U);
  EXPECT_EQ(read[2].source, 1U);
  EXPECT_EQ(read[2].destination, Watched::kAny);
  EXPECT_EQ(read[2].number, 12U);
  for (const auto& [text, words] :
       {std::pair("0", "destination"), std::pair("0 9", "no terminal 9"),
        std::pair("0 1 x", "w:1: expected a packet's number"), std::pair("0 1 2 3", "number"),
        std::pair("# none\n", "no packets to follow")}) {
    const std::string given = text;  // clang 14 does not capture a part of a pair
    EXPECT_THAT([&] { (void)parse_watch(network, given, "w"); },
                testing::ThrowsMessage<InputError>(HasSubstr(words)));
  }
}

}  // namespace
}  // namespace unknot::simulate
