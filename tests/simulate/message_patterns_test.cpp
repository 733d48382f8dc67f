// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "simulate/message_cases.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/network/builder.hpp"

/// Two machines that stood still, as their threads describe them: tenstorrent/tt-metal #29213 and #28207.
namespace unknot::simulate {
namespace {

using talks::Talk;

/// Chips in rows of `width`, joined to the next in the row and the column.
void add_grid(NetworkBuilder& builder, std::uint32_t first, std::uint32_t width, std::uint32_t height) {
  for (std::uint32_t i = 0; i < width * height; ++i) {
    if (i % width + 1 < width) builder.add_cable(RouterId(first + i), RouterId(first + i + 1));
    if (i / width + 1 < height) builder.add_cable(RouterId(first + i), RouterId(first + i + width));
  }
}

/// #29213: two Galaxies of 32 chips, the senders and the receivers, joined where a chip of the last row of
/// one is cabled to one of the first row of the other: the exits, by column.
constexpr std::uint32_t kWidth = 8, kHeight = 4, kChips = kWidth * kHeight;

struct Galaxies {
  Network network;
  Routing routing;
};

/// Packets go along their row and then their column; to the other Galaxy by the nearest exit.
Galaxies two_galaxies(const std::vector<std::uint32_t>& exits) {
  NetworkBuilder builder;
  builder.add_routers(2 * kChips);
  add_grid(builder, 0, kWidth, kHeight);
  add_grid(builder, kChips, kWidth, kHeight);
  for (const std::uint32_t x : exits)
    builder.add_cable(RouterId((kHeight - 1) * kWidth + x), RouterId(kChips + x));
  for (std::uint32_t chip = 0; chip < 2 * kChips; ++chip) builder.add_terminal(RouterId(chip));
  Galaxies made;
  made.network = std::move(builder).build();
  made.routing.paths = ForwardingTable(made.network);
  for (const TerminalId t : made.network.terminals()) {
    const std::uint32_t goal = made.network.router_of(t).value;
    for (const RouterId r : made.network.routers()) {
      if (r.value == goal) continue;
      const std::uint32_t x = r.value % kWidth, row = r.value / kWidth;
      std::uint32_t to_x = goal % kWidth, to_row = goal / kWidth;
      if (r.value / kChips != goal / kChips) {
        const auto far = [&](std::uint32_t exit) { return exit > x ? exit - x : x - exit; };
        to_x = exits.front();
        for (const std::uint32_t exit : exits) to_x = far(exit) < far(to_x) ? exit : to_x;
        to_row = r.value < kChips ? kHeight : kHeight - 1;  // across the cable
      }
      std::uint32_t next = r.value;
      if (x != to_x) {
        next += to_x > x ? 1 : ~0U;
      } else {
        next += to_row > row ? kWidth : ~kWidth + 1;
      }
      const auto out = made.network.out(r);
      for (std::uint32_t i = 0; i < out.size(); ++i) {
        if (made.network.target(out[i]).value == next) made.routing.table().set(r, t, i);
      }
    }
  }
  return made;
}

std::vector<MessageClass> from_first_to_second(const std::string& messages, const std::string& networks) {
  std::vector<MessageClass> classes = parse_message_classes(messages, "--messages");
  if (!networks.empty()) assign_networks(networks, "--classes", classes);
  for (std::size_t k = 0; k < classes.size(); ++k) {
    for (std::uint32_t chip = 0; chip < 2 * kChips; ++chip) {
      const bool first = chip < kChips;
      classes[k].senders.push_back(first == (k == 0));
      classes[k].receivers.push_back(first != (k == 0));
    }
  }
  return classes;
}

MessageVerdict verdict_of(const Network& network, const Routing& routing,
                          const std::vector<MessageClass>& classes) {
  Progress silent;
  return MessageModel(network, routing, classes, {}, silent).verdict();
}

std::vector<MessageWait> run_on(Talk& talk, std::uint64_t cycles) {
  std::vector<MessageWait> circle;
  while (circle.empty() && talk.engine().cycle() < cycles) {
    talk.engine().run_until(talk.engine().cycle() + 1'000);
    circle = talk.deadlock();
  }
  return circle;
}

struct Socket {
  bool proven = false;
  std::vector<MessageWait> circle;
  std::uint64_t arrived = 0;
};

Socket run_socket(const std::vector<std::uint32_t>& exits, const std::string& messages,
                  const std::string& networks, double load) {
  const Galaxies made = two_galaxies(exits);
  const std::vector<MessageClass> classes = from_first_to_second(messages, networks);
  const MessageVerdict verdict = verdict_of(made.network, made.routing, classes);
  Settings settings;
  settings.vcs = 0;
  Talk talk(made.network, made.routing, classes, verdict.lanes, settings, load);
  Socket run;
  run.proven = verdict.deadlock_free;
  run.circle = run_on(talk, 20'000);
  run.arrived = talk.arrived();
  if (!run.circle.empty()) {
    EXPECT_EQ(talks::circle_trouble(made.network, made.routing, classes, run.circle), "");
    EXPECT_EQ(talks::circle_trouble(made.network, made.routing, classes, verdict.witness), "");
    std::set<std::uint32_t> named;
    for (const MessageWait& wait : run.circle) named.insert(wait.message_class);
    EXPECT_EQ(named.size(), 2U) << "data and acknowledgements wait for each other";
    EXPECT_THAT(describe(made.network, classes, run.circle), ::testing::HasSubstr("an ack from"));
  }
  return run;
}

TEST(MessagePatterns, SocketsBetweenTwoMeshesHangAsTheirThreadSays) {
  const std::vector<std::uint32_t> both{0, kWidth - 1};
  // "The following traffic pattern leads to a deterministic hang."
  const Socket hangs = run_socket(both, "data>ack", "", 1);
  EXPECT_FALSE(hangs.proven);
  EXPECT_FALSE(hangs.circle.empty());
  // "Routers do not hang if backward traffic is not issued."
  const Socket one_way = run_socket(both, "data", "", 1);
  EXPECT_TRUE(one_way.proven);
  EXPECT_TRUE(one_way.circle.empty());
  EXPECT_GT(one_way.arrived, 5'000U);
  // "Test passes with a single exit node being used."
  const Socket one_exit = run_socket({0}, "data>ack", "", 1);
  EXPECT_TRUE(one_exit.proven);
  EXPECT_TRUE(one_exit.circle.empty());
  EXPECT_GT(one_exit.arrived, 5'000U);
  // "Test passes if senders are slowed down": nothing is proven, and nothing happens.
  const Socket slow = run_socket(both, "data>ack", "", 0.005);
  EXPECT_FALSE(slow.proven);
  EXPECT_TRUE(slow.circle.empty());
  EXPECT_GT(slow.arrived, 1'000U);
  // The cure: acknowledgements with buffers of their own.
  const Socket cured = run_socket(both, "data>ack", "ack=1", 1);
  EXPECT_TRUE(cured.proven);
  EXPECT_TRUE(cured.circle.empty());
  EXPECT_GT(cured.arrived, 10'000U);
}

/// #28207: sixteen boxes of eight chips in two rows of four. The four of a pod are joined pairwise, and so
/// are the four pods, by single cables between chips of their own.
Network sixteen_boxes() {
  NetworkBuilder builder;
  builder.add_routers(128);
  for (std::uint32_t box = 0; box < 16; ++box) add_grid(builder, 8 * box, 4, 2);
  for (std::uint32_t pod = 0; pod < 4; ++pod) {
    for (std::uint32_t a = 0; a < 4; ++a) {
      for (std::uint32_t b = a + 1; b < 4; ++b) {
        builder.add_cable(RouterId(8 * (4 * pod + a) + b), RouterId(8 * (4 * pod + b) + a));
        // Pods are joined by other boxes of theirs, at the other rows.
        if (pod == 0) builder.add_cable(RouterId(8 * (4 * a + b) + 4 + b), RouterId(8 * (4 * b + a) + 4 + a));
      }
    }
  }
  for (std::uint32_t chip = 0; chip < 128; ++chip) builder.add_terminal(RouterId(chip));
  return std::move(builder).build();
}

TEST(MessagePatterns, RandomPairsOnSparselyJoinedBoxesHang) {
  const Network network = sixteen_boxes();
  const std::vector<MessageClass> classes = parse_message_classes("packet", "--messages");
  Progress silent;
  const auto locked_of = [&](const Routing& routing) {
    const MessageVerdict verdict = verdict_of(network, routing, classes);
    std::uint32_t locked = 0;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      Settings settings;
      settings.vcs = 0;
      settings.seed = seed;
      Talk talk(network, routing, classes, verdict.lanes, settings, 1, "permutation");
      const std::vector<MessageWait> circle = run_on(talk, 5'000);
      if (circle.empty()) {
        EXPECT_GT(talk.arrived(), 1'000U);
        continue;
      }
      EXPECT_FALSE(verdict.deadlock_free);
      EXPECT_EQ(talks::circle_trouble(network, routing, classes, circle), "");
      ++locked;
    }
    return locked;
  };
  const Routing shortest = route(network, "minhop", {}, silent);
  EXPECT_FALSE(verdict_of(network, shortest, classes).deadlock_free);
  const std::uint32_t locked = locked_of(shortest);
  EXPECT_GE(locked, 2U);
  RecordProperty("locked", static_cast<int>(locked));
  // No pairing has to be left out where the tables are proven.
  const Routing proven = route(network, "unknot", {}, silent);
  EXPECT_TRUE(verdict_of(network, proven, classes).deadlock_free);
  EXPECT_EQ(locked_of(proven), 0U);
}

}  // namespace
}  // namespace unknot::simulate
