// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "simulate/message_cases.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/simulate/load_points.hpp"
#include "unknot/support/error.hpp"
#include "unknot/verify/messages/message_flows.hpp"
#include "unknot/verify/messages/message_path.hpp"
#include "verify/random_routings.hpp"

namespace unknot::simulate {
namespace {

using talks::one_packet_each;
using talks::Talk;

Progress unheard;

/// A network, whole tables and a protocol, by number.
struct MessageCase {
  Network network;
  Routing routing;
  std::vector<MessageClass> classes;
  Settings settings;
  MessageVerdict verdict;
};

std::vector<MessageClass> random_protocol(const Network& network, Random& random) {
  std::vector<MessageClass> classes(1 + random.below(4));
  for (std::uint32_t k = 0; k < classes.size(); ++k) {
    classes[k].name = "c" + std::to_string(k);
    classes[k].network = random.below(static_cast<std::uint32_t>(classes.size()));
    for (std::uint32_t caused = 0; caused < classes.size(); ++caused) {
      if (random.below(caused > k ? 2 : 16) == 0) classes[k].causes.push_back(caused);
    }
    if (random.below(3) == 0) {
      for (std::uint32_t t = 0; t < network.terminal_count(); ++t) {
        classes[k].senders.push_back(random.below(3) != 0);
        classes[k].receivers.push_back(random.below(3) != 0);
      }
    }
  }
  return classes;
}

bool all_delivered(const Network& network, const Routing& routing) {
  const MessageBuffers buffers(network);
  for (const TerminalId a : network.terminals()) {
    for (const TerminalId b : network.terminals()) {
      if (a == b) continue;
      const std::vector<std::uint32_t> path = message_path(network, routing, a, b);
      if (path.empty() || path.back() != buffers.receive(b)) return false;
    }
  }
  return true;
}

/// False where the number makes no case: hosts that have no way to each other, or a protocol that nobody
/// begins.
bool make_message_case(std::uint64_t seed, MessageCase& made) {
  Random random(seed, 31);
  made.network = unknot::testing::random_fabric(random, true, 6, 2);
  if (made.network.terminal_count() < 2) return false;
  made.routing = random.below(3) == 0 ? unknot::testing::random_walks(made.network, seed)
                                      : unknot::testing::shortest_paths(made.network, seed);
  const std::uint32_t lanes = 1 + random.below(3);
  if (random.below(2) == 0) unknot::testing::add_levels(made.network, made.routing, random, lanes, false);
  if (random.below(4) == 0)
    made.routing.lane_map = unknot::testing::lane_map(made.network, random, 1, std::min(lanes, 3U));
  if (!all_delivered(made.network, made.routing)) return false;
  made.classes = random_protocol(made.network, random);
  made.verdict = MessageModel(made.network, made.routing, made.classes, {}, unheard).verdict();
  const std::uint32_t needed = made.verdict.lanes * made.verdict.networks;
  made.settings =
      one_packet_each(needed * (needed <= 16 && random.below(4) == 0 ? 2 : 1), 1 + random.below(2));
  made.settings.seed = seed;
  made.settings.service = random.below(4);
  made.settings.speedup = 1 + random.below(2);
  if (random.below(4) == 0) made.settings.vc_buffer += 1;
  // Two answers on one network never find room in a queue of one.
  for (const MessageClass& c : made.classes) {
    std::map<std::uint32_t, std::uint32_t> wanted;
    for (const std::uint32_t caused : c.causes)
      made.settings.send_queue = std::max(made.settings.send_queue, ++wanted[made.classes[caused].network]);
  }
  RoutePlan plan = plan_routing(made.network, made.routing, false);
  try {
    plan_messages(plan, made.classes, made.verdict.lanes);
  } catch (const InputError&) {
    return false;
  }
  return true;
}

/// Input lanes and queues with the packet that stands first in each: those of the circle.
std::map<std::uint32_t, std::uint32_t> standing(Talk& talk, const std::vector<MessageWait>& circle) {
  std::map<std::uint32_t, std::uint32_t> first;
  const std::vector<LaneState> lanes = talk.engine().lane_states();
  const MessagePlan& messages = *talk.plan().messages;
  const std::uint32_t shift = talk.engine().lane_shift();
  const std::uint32_t group = talk.settings().vcs / talk.plan().lanes_needed;
  for (const MessageWait& wait : circle) {
    const auto is_its = [&](std::uint32_t word) {
      const MessageHosts::Message& m = talk.hosts().message(word);
      return m.live && m.message_class == wait.message_class && m.source == wait.source.value &&
             m.destination == wait.destination.value;
    };
    if (wait.held.kind == MessageBuffer::Kind::receive) {
      const std::uint32_t receiver = wait.held.terminal.value * messages.networks + wait.held.network;
      const auto& queue = talk.hosts().receive_queue(receiver);
      EXPECT_EQ(queue.size(), talk.settings().receive_queue);
      if (queue.empty() || !is_its(queue.front())) continue;
      first[static_cast<std::uint32_t>(lanes.size()) + receiver] = queue.front();
      continue;
    }
    const bool sends = wait.held.kind == MessageBuffer::Kind::send;
    const std::uint32_t input = sends ? talk.plan().ports.input_of_terminal[wait.held.terminal.value]
                                      : talk.plan().ports.input_of_channel[wait.held.channel.channel.value];
    const std::uint32_t from = wait.held.network * messages.lanes + (sends ? 0 : wait.held.channel.lane);
    for (std::uint32_t vc = from * group; vc < (from + (sends ? messages.lanes : 1)) * group; ++vc) {
      const LaneState& lane = lanes[(input << shift) + vc];
      const std::uint32_t flits = lane.present + talk.settings().packet_flits;
      if (flits > talk.settings().vc_buffer && is_its(lane.message))
        first[(input << shift) + vc] = lane.message;
    }
  }
  EXPECT_GE(first.size(), circle.size());
  return first;
}

/// That the verifier's graph has each of the circle's dependencies.
void expect_in_graph(const MessageCase& made, const std::vector<MessageWait>& circle) {
  const MessageBuffers buffers(made.network);
  const auto number = [&](const MessageBuffer& held) {
    if (held.kind == MessageBuffer::Kind::send) return buffers.send(held.terminal);
    if (held.kind == MessageBuffer::Kind::receive) return buffers.receive(held.terminal);
    return buffers.channel(held.channel.channel, held.channel.lane);
  };
  for (std::size_t i = 0; i < circle.size(); ++i) {
    const MessageBuffer& here = circle[i].held;
    const MessageBuffer& next = circle[(i + 1) % circle.size()].held;
    if (here.kind == MessageBuffer::Kind::receive) continue;  // what hosts do is of no tables
    const MessageFlows flows =
        message_flows(made.network, made.routing, made.classes[circle[i].message_class], unheard);
    EXPECT_TRUE(std::binary_search(flows.waits.begin(), flows.waits.end(),
                                   std::make_pair(number(here), number(next))));
  }
}

TEST(MessageHosts, WhatIsProvenNeverLocksAndMuchOfWhatIsNotDoes) {
  std::uint32_t proven = 0, unproven = 0, locked = 0, circles_with_hosts = 0;
  for (std::uint64_t seed = 1; proven + unproven < 1'500; ++seed) {
    MessageCase made;
    if (!make_message_case(seed, made)) continue;
    Talk talk(made.network, made.routing, made.classes, made.verdict.lanes, made.settings);
    std::vector<MessageWait> circle;
    std::uint64_t hops = 0;
    for (std::uint64_t cycle = 250; cycle <= 2'000 && circle.empty(); cycle += 250) {
      talk.engine().run_until(cycle);
      ASSERT_EQ(talk.engine().broken_law(), "") << seed;
      circle = talk.deadlock();
      if (!circle.empty()) break;
      EXPECT_GT(talk.engine().flit_hops(), hops) << seed;
      hops = talk.engine().flit_hops();
    }
    if (made.verdict.deadlock_free) {
      ++proven;
      ASSERT_TRUE(circle.empty()) << seed << '\n' << describe(made.network, made.classes, circle);
      continue;
    }
    ++unproven;
    if (circle.empty()) continue;
    ++locked;
    circles_with_hosts += std::any_of(circle.begin(), circle.end(), [](const MessageWait& wait) {
      return wait.held.kind == MessageBuffer::Kind::receive;
    });
    ASSERT_EQ(talks::circle_trouble(made.network, made.routing, made.classes, circle), "")
        << seed << '\n'
        << describe(made.network, made.classes, circle);
    expect_in_graph(made, circle);
    // The packets stand there for ever.
    const auto before = standing(talk, circle);
    talk.engine().run_until(talk.engine().cycle() + 500);
    const auto after = standing(talk, circle);
    EXPECT_EQ(before, after);
    ASSERT_FALSE(::testing::Test::HasFailure()) << seed << '\n'
                                                << describe(made.network, made.classes, circle);
  }
  RecordProperty("proven", static_cast<int>(proven));
  RecordProperty("unproven", static_cast<int>(unproven));
  RecordProperty("locked", static_cast<int>(locked));
  EXPECT_GT(proven, 400U);
  EXPECT_GT(2 * locked, unproven);
  EXPECT_GT(circles_with_hosts, 100U);
  RecordProperty("with_hosts", static_cast<int>(circles_with_hosts));
}

/// Two hosts at the ends of a row of routers.
struct Row {
  Network network;
  Routing routing;
};
Row row_of(std::uint32_t routers) {
  NetworkBuilder builder;
  builder.add_routers(routers);
  for (std::uint32_t r = 0; r + 1 < routers; ++r) builder.add_cable(RouterId(r), RouterId(r + 1));
  builder.add_terminal(RouterId(0));
  builder.add_terminal(RouterId(routers - 1));
  Row row;
  row.network = std::move(builder).build();
  row.routing = unknot::testing::shortest_paths(row.network, 1);
  return row;
}

TEST(MessageHosts, ARoundTripIsTwoWaysAndTheService) {
  for (const std::uint32_t service : {0U, 1U, 7U, 200U}) {
    const Row row = row_of(3);
    const std::vector<MessageClass> classes = parse_message_classes("request>reply>ack", "--messages");
    Settings settings;
    settings.vcs = 0;
    settings.service = service;
    // So seldom that nothing meets.
    Talk talk(row.network, row.routing, classes, 1, settings, 0.00002);
    talk.engine().run_until(3'000'000);
    const std::vector<ClassReport> seen = talk.hosts().report();
    ASSERT_EQ(seen.size(), 3U);
    EXPECT_GT(seen[0].messages, 50U);
    const double way = seen[0].latency_mean;
    EXPECT_EQ(seen[0].latency_max, way);
    EXPECT_EQ(seen[1].latency_mean, way);
    EXPECT_EQ(seen[0].trips, 0U);
    EXPECT_EQ(seen[1].trip_mean, 2 * way + service);
    EXPECT_EQ(seen[2].trip_max, 3 * way + 2 * service);
    EXPECT_EQ(seen[1].messages, seen[0].messages);
    EXPECT_EQ(seen[2].messages, seen[0].messages);
  }
}

TEST(MessageHosts, QueuesHoldWhatTheyAreGivenAndEveryRequestIsAnsweredOnce) {
  const Row row = row_of(2);
  std::vector<MessageClass> classes = parse_message_classes("request>reply", "--messages");
  assign_networks("reply=1", "--classes", classes);
  Settings settings;
  settings.vcs = 0;
  settings.send_queue = 2;
  settings.receive_queue = 3;
  settings.service = 30;
  Talk talk(row.network, row.routing, classes, 1, settings, 1);
  std::size_t most_received = 0, most_sent = 0;
  for (std::uint64_t cycle = 1; cycle <= 3'000; ++cycle) {
    talk.engine().run_until(cycle);
    for (std::uint32_t sender = 0; sender < 4; ++sender) {
      most_received = std::max(most_received, talk.hosts().receive_queue(sender).size());
      most_sent = std::max(most_sent, talk.hosts().send_queue(sender).size());
      ASSERT_LE(talk.hosts().room(sender), 2U);
    }
  }
  EXPECT_EQ(most_received, 3U);
  EXPECT_LE(most_sent, 2U);
  const std::vector<ClassReport> seen = talk.hosts().report();
  // Two answers in service at each of two hosts at a time: no more than 4 in some 30 cycles.
  EXPECT_GT(seen[1].messages, 250U);
  EXPECT_LT(seen[1].messages, 3'000U * 4 / 30);
  EXPECT_GE(seen[0].messages, seen[1].messages);
  EXPECT_LE(seen[0].messages, seen[1].messages + 2 * (3 + 2 + 8));
}

TEST(MessageHosts, AnswersGoToWhoAskedOrToAReceiverOfTheirClass) {
  const Network network = unknot::testing::star(4);
  const Routing routing = unknot::testing::shortest_paths(network, 1);
  std::vector<MessageClass> classes = parse_message_classes("request>reply,request>log", "--messages");
  assign_networks("reply=1,log=1", "--classes", classes);
  classes[2].receivers = {false, false, false, true};
  classes[0].receivers = {true, true, false, true};
  Settings settings;
  settings.vcs = 0;
  Talk talk(network, routing, classes, 1, settings, 0.2);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> logs;
  for (std::uint64_t cycle = 1; cycle <= 2'000; ++cycle) {
    talk.engine().run_until(cycle);
    for (std::uint32_t sender = 0; sender < 8; ++sender) {
      for (const std::uint32_t word : talk.hosts().send_queue(sender)) {
        const MessageHosts::Message& m = talk.hosts().message(word);
        EXPECT_NE(m.source, m.destination);
        EXPECT_TRUE(classes[m.message_class].receives(TerminalId(m.destination)));
      }
    }
  }
  const std::vector<ClassReport> seen = talk.hosts().report();
  // Host 3 has nobody to log to.
  EXPECT_GT(seen[1].messages, seen[2].messages);
  EXPECT_GT(seen[2].messages, 100U);
}

std::string refusal_of(const std::string& messages, const std::string& networks, bool any_lane,
                       const Settings& settings, double load = 0.5) {
  const Row row = row_of(2);
  try {
    std::vector<MessageClass> classes = parse_message_classes(messages, "--messages");
    if (!networks.empty()) assign_networks(networks, "--classes", classes);
    RoutePlan plan = plan_routing(row.network, row.routing, any_lane);
    plan_messages(plan, classes, 1);
    (void)run_steady(plan, settings, make_pattern(row.network, "uniform"), load, unheard);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(MessageHosts, RefuseWhatCannotBeSimulated) {
  Settings good;
  good.vcs = 0;
  good.measure = 200;
  EXPECT_EQ(refusal_of("request>reply", "reply=1", false, good), "");
  EXPECT_THAT(refusal_of("request>reply", "", true, good), ::testing::HasSubstr("on their own lanes"));
  EXPECT_THAT(refusal_of("a>b>a", "", false, good), ::testing::HasSubstr("no class begins"));
  Settings few = good;
  few.send_queue = 1;
  EXPECT_EQ(refusal_of("a>b,a>c", "c=1", false, few), "");
  EXPECT_THAT(
      refusal_of("a>b,a>c", "", false, few),
      ::testing::HasSubstr("more messages on one virtual network than a send queue of 1 packet holds"));
  Settings long_ones = good;
  long_ones.packet_flits = 4;
  EXPECT_THAT(refusal_of("a>b", "", false, long_ones), ::testing::HasSubstr("lies in one buffer"));
  Settings other = good;
  other.router = RouterKind::input_output_queued;
  EXPECT_THAT(refusal_of("a>b", "", false, other), ::testing::HasSubstr("router=input-queued"));
  Settings lanes = good;
  lanes.vcs = 1;
  EXPECT_THAT(refusal_of("a>b", "b=1", false, lanes), ::testing::HasSubstr("needs 2 lanes"));
  Settings huge = good;
  huge.receive_queue = 10'000;
  huge.packet_flits = huge.vc_buffer = 4;
  huge.switching = Switching::virtual_cut_through;
  EXPECT_THAT(refusal_of("a>b", "b=1", false, huge), ::testing::HasSubstr("a receive queue of more than"));
  EXPECT_THAT(refusal_of("a>b", "", false, good, 2), ::testing::HasSubstr("is not between 0 and 1"));
}

/// Messages that cause nothing are taken as they come: on one lane, steady traffic as it always was.
TEST(MessageHosts, WithoutAnswersAllIsAsWithoutMessages) {
  std::uint32_t compared = 0;
  for (std::uint64_t seed = 1; compared < 60; ++seed) {
    Random random(seed, 32);
    const Network network = unknot::testing::random_fabric(random, true, 7, 3);
    if (network.terminal_count() < 2) continue;
    const Routing routing = unknot::testing::shortest_paths(network, seed);
    if (!all_delivered(network, routing)) continue;
    Settings settings;
    settings.vcs = 1;
    settings.seed = seed;
    settings.measure = 500;
    settings.vc_buffer = settings.receive_queue = 1 + random.below(6);
    settings.speedup = 1 + random.below(2);
    const double load = 0.02 + 0.1 * random.below(3);
    const TrafficPattern pattern = make_pattern(network, "uniform");
    RoutePlan plan = plan_routing(network, routing, false);
    const SteadyReport before = run_steady(plan, settings, pattern, load, unheard);
    plan_messages(plan, parse_message_classes("data", "--messages"), 1);
    const SteadyReport now = run_steady(plan, settings, pattern, load, unheard);
    if (before.locked() || before.saturated) continue;
    ++compared;
    EXPECT_EQ(now.packets, before.packets) << seed;
    EXPECT_EQ(now.latency_mean, before.latency_mean) << seed;
    EXPECT_EQ(now.latency_max, before.latency_max) << seed;
    EXPECT_EQ(now.hops_mean, before.hops_mean) << seed;
    EXPECT_EQ(now.created, before.created) << seed;
    EXPECT_EQ(now.warm_up, before.warm_up) << seed;
    EXPECT_DOUBLE_EQ(now.offered, before.offered) << seed;
  }
}

TEST(MessageHosts, RunsAreTheSameAtAnyNumberOfThreads) {
  const Network network = unknot::testing::ring(6, 2);
  const Routing routing = unknot::testing::shortest_paths(network, 1);
  std::vector<MessageClass> classes = parse_message_classes("request>reply", "--messages");
  assign_networks("reply=1", "--classes", classes);
  RoutePlan plan = plan_routing(network, routing, false);
  plan_messages(plan, classes, 1);
  Settings settings;
  settings.vcs = 0;
  settings.measure = 1'000;
  const TrafficPattern pattern = make_pattern(network, "uniform");
  const auto written = [&](std::uint32_t threads) {
    std::string text;
    const LoadJob job{plan, settings, pattern, 3, threads};
    for (const LoadPoint& point : run_loads(job, {0.05, 0.2, 1}, unheard)) {
      for (const SteadyReport& run : point.runs) {
        text += fmt::format("{} {} {} {} {}\n", run.accepted, run.latency_mean, run.cycles, run.flit_hops,
                            run.message_deadlock.size());
        for (const ClassReport& one : run.classes)
          text += fmt::format("{} {} {} {}\n", one.messages, one.accepted, one.latency_mean, one.trip_p99);
      }
    }
    return text;
  };
  const std::string alone = written(1);
  EXPECT_EQ(alone, written(4));
  EXPECT_EQ(alone, written(1));
  EXPECT_THAT(alone, ::testing::HasSubstr(" 0\n"));
}

}  // namespace
}  // namespace unknot::simulate
