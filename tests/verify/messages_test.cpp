// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "unknot/support/error.hpp"
#include "unknot/verify/messages/message_verdict.hpp"
#include "verify/message_stations.hpp"
#include "verify/random_routings.hpp"

namespace unknot {
namespace {

using testing::Buffer;
using testing::buffer_of;
using testing::has_partner;
using testing::random_classes;
using testing::stations;

/// Whether buffers can all be full of packets that wait for each other: the largest set of buffers in which
/// each has a packet that waits for one of the set.
bool can_lock(const Network& network, const Routing& routing, const std::vector<MessageClass>& classes) {
  std::map<Buffer, std::set<Buffer>> waits;
  for (const MessageClass& c : classes) {
    for (const std::vector<Buffer>& held : stations(network, routing, c)) {
      for (std::size_t i = 0; i + 1 < held.size(); ++i) waits[held[i]].insert(held[i + 1]);
      if (std::get<0>(held.back()) != 1) continue;
      for (const std::uint32_t caused : c.causes) {
        if (has_partner(network, classes[caused], std::get<2>(held.back())))
          waits[held.back()].insert(Buffer{0, classes[caused].network, std::get<2>(held.back()), 0});
      }
    }
  }
  for (bool fewer = true; fewer;) {
    fewer = false;
    for (auto at = waits.begin(); at != waits.end();) {
      const bool stays = std::any_of(at->second.begin(), at->second.end(),
                                     [&](const Buffer& next) { return waits.count(next) != 0; });
      fewer = fewer || !stays;
      at = stays ? std::next(at) : waits.erase(at);
    }
  }
  return !waits.empty();
}

/// That the packet of each step can be there, and that it waits for the next step's buffer.
void expect_witness(const Network& network, const Routing& routing, const std::vector<MessageClass>& classes,
                    const std::vector<MessageWait>& witness) {
  ASSERT_FALSE(witness.empty());
  for (std::size_t i = 0; i < witness.size(); ++i) {
    const MessageWait& wait = witness[i];
    const Buffer here = buffer_of(wait.held);
    const Buffer next = buffer_of(witness[(i + 1) % witness.size()].held);
    MessageClass alone = classes[wait.message_class];
    alone.senders.assign(network.terminal_count(), false);
    alone.receivers.assign(network.terminal_count(), false);
    ASSERT_TRUE(classes[wait.message_class].sends(wait.source));
    ASSERT_TRUE(classes[wait.message_class].receives(wait.destination));
    alone.senders[wait.source.value] = true;
    alone.receivers[wait.destination.value] = true;
    const auto paths = stations(network, routing, alone);
    ASSERT_EQ(paths.size(), 1U);
    const auto at = std::find(paths[0].begin(), paths[0].end(), here);
    ASSERT_NE(at, paths[0].end());
    if (std::get<0>(here) == 1) {
      EXPECT_TRUE(std::any_of(alone.causes.begin(), alone.causes.end(), [&](std::uint32_t caused) {
        return next == Buffer{0, classes[caused].network, wait.destination.value, 0};
      }));
    } else {
      // A loop comes to the same channel with several channels behind it.
      bool follows = false;
      for (std::size_t k = 0; k + 1 < paths[0].size(); ++k)
        follows = follows || (paths[0][k] == here && paths[0][k + 1] == next);
      EXPECT_TRUE(follows);
    }
  }
}

TEST(Messages, AgreeWithTheLargestLockOnRandomTablesAndProtocols) {
  Progress quiet;
  std::uint32_t free = 0;
  for (std::uint64_t seed = 0; seed < 10'000; ++seed) {
    const testing::RandomCase made = testing::random_case(seed, 6, 2);
    Random random(seed, 5);
    const std::vector<MessageClass> classes = random_classes(made.network, random);
    const MessageVerdict verdict = MessageModel(made.network, made.routing, classes, {}, quiet).verdict();
    ASSERT_EQ(verdict.deadlock_free, !can_lock(made.network, made.routing, classes)) << seed;
    std::string why;
    if (verdict.deadlock_free) {
      ASSERT_TRUE(check_message_numbers(made.network, made.routing, classes, {}, verdict, &why))
          << seed << why;
      ++free;
    } else {
      expect_witness(made.network, made.routing, classes, verdict.witness);
      ASSERT_FALSE(::testing::Test::HasFailure()) << seed;
    }
  }
  EXPECT_GT(free, 1'000U);
  EXPECT_LT(free, 9'000U);
}

/// All ways to give networks to the classes, by the judge alone.
std::uint32_t fewest_by_hand(const Network& network, const Routing& routing,
                             std::vector<MessageClass> classes) {
  std::uint32_t fewest = 0;
  const auto count = static_cast<std::uint32_t>(classes.size());
  std::uint32_t ways = 1;
  for (std::uint32_t k = 0; k < count; ++k) ways *= count;
  for (std::uint32_t way = 0; way < ways; ++way) {
    std::set<std::uint32_t> used;
    for (std::uint32_t k = 0, left = way; k < count; ++k, left /= count) {
      classes[k].network = left % count;
      used.insert(left % count);
    }
    if (can_lock(network, routing, classes)) continue;
    const auto networks = static_cast<std::uint32_t>(used.size());
    if (fewest == 0 || networks < fewest) fewest = networks;
  }
  return fewest;
}

TEST(Messages, FewestNetworksAreFewest) {
  Progress quiet;
  std::map<std::uint32_t, std::uint32_t> seen;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const testing::RandomCase made = testing::random_case(seed, 5, 2);
    Random random(seed, 6);
    std::vector<MessageClass> classes = random_classes(made.network, random);
    const FewestNetworks fewest = MessageModel(made.network, made.routing, classes, {}, quiet).fewest(quiet);
    const std::uint32_t expected = fewest_by_hand(made.network, made.routing, classes);
    ASSERT_EQ(fewest.possible, expected != 0) << seed;
    ++seen[expected];
    if (!fewest.possible) continue;
    ASSERT_EQ(fewest.networks, expected) << seed;
    for (std::size_t k = 0; k < classes.size(); ++k) classes[k].network = fewest.network_of[k];
    EXPECT_FALSE(can_lock(made.network, made.routing, classes)) << seed;
  }
  EXPECT_GE(seen.size(), 4U);
}

/// Plays a protocol with room for one packet in each buffer, moves drawn at random.
class Play {
 public:
  Play(const Network& network, const Routing& routing, const std::vector<MessageClass>& classes,
       std::uint64_t seed)
      : network_(network), classes_(classes), random_(seed, 9) {
    for (const MessageClass& c : classes) ways_.push_back(stations(network, routing, c));
  }

  /// One packet moves on, is taken, or, where `sending`, enters a send queue; false where nothing can.
  bool move(bool sending) {
    std::vector<Move> moves;
    for (const auto& [buffer, packet] : full_) {
      if (can_move(packet)) moves.push_back({buffer, packet});
    }
    if (sending) {
      for (std::uint32_t k = 0; k < classes_.size(); ++k) {
        if (ways_[k].empty()) continue;
        const Packet fresh{k, random_.below(static_cast<std::uint32_t>(ways_[k].size())), 0};
        if (full_.count(ways_[k][fresh.way][0]) == 0) moves.push_back({{-1, 0, 0, 0}, fresh});
      }
    }
    if (moves.empty()) return false;
    const Move chosen = moves[random_.below(static_cast<std::uint32_t>(moves.size()))];
    carry_out(chosen);
    return true;
  }
  [[nodiscard]] bool empty() const { return full_.empty(); }

 private:
  struct Packet {
    std::uint32_t message_class, way, at;
  };
  struct Move {
    Buffer from;
    Packet packet;
  };

  const std::vector<Buffer>& way(const Packet& packet) const {
    return ways_[packet.message_class][packet.way];
  }
  Buffer queue_for(std::uint32_t caused, const Packet& packet) const {
    return {0, classes_[caused].network, std::get<2>(way(packet).back()), 0};
  }
  bool can_move(const Packet& packet) const {
    if (packet.at + 1 < way(packet).size()) return full_.count(way(packet)[packet.at + 1]) == 0;
    // What is lost on the way is taken at once, and so is what causes nothing.
    if (std::get<0>(way(packet).back()) != 1) return true;
    const std::vector<std::uint32_t>& causes = classes_[packet.message_class].causes;
    std::set<Buffer> wanted;
    return std::all_of(causes.begin(), causes.end(), [&](std::uint32_t caused) {
      const Buffer queue = queue_for(caused, packet);
      return !has_partner(network_, classes_[caused], std::get<2>(queue)) ||
             (full_.count(queue) == 0 && wanted.insert(queue).second);
    });
  }
  void carry_out(const Move& move) {
    if (std::get<0>(move.from) == -1) {
      full_[way(move.packet)[0]] = move.packet;
      return;
    }
    full_.erase(move.from);
    if (move.packet.at + 1 < way(move.packet).size()) {
      Packet moved = move.packet;
      ++moved.at;
      full_[way(moved)[moved.at]] = moved;
      return;
    }
    if (std::get<0>(way(move.packet).back()) != 1) return;
    for (const std::uint32_t caused : classes_[move.packet.message_class].causes) {
      const Buffer queue = queue_for(caused, move.packet);
      std::vector<std::uint32_t> from_there;
      for (std::uint32_t w = 0; w < ways_[caused].size(); ++w) {
        if (ways_[caused][w][0] == queue) from_there.push_back(w);
      }
      if (from_there.empty()) continue;  // nobody to answer
      const std::uint32_t w = from_there[random_.below(static_cast<std::uint32_t>(from_there.size()))];
      full_[queue] = {caused, w, 0};
    }
  }

  const Network& network_;
  std::vector<MessageClass> classes_;
  std::vector<std::vector<std::vector<Buffer>>> ways_;
  std::map<Buffer, Packet> full_;
  Random random_;
};

TEST(Messages, WhatIsProvenAlwaysDrainsAndMuchOfWhatIsNotLocks) {
  Progress quiet;
  std::uint32_t free = 0, locked = 0, not_free = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const testing::RandomCase made = testing::random_case(seed, 4, 2);
    Random random(seed, 7);
    const std::vector<MessageClass> classes = random_classes(made.network, random);
    const bool proven = MessageModel(made.network, made.routing, classes, {}, quiet).verdict().deadlock_free;
    // Two answers that want one queue of one packet never find room: queues of two would be needed.
    const bool twice = std::any_of(classes.begin(), classes.end(), [&](const MessageClass& c) {
      std::set<std::uint32_t> networks;
      return std::any_of(c.causes.begin(), c.causes.end(), [&](std::uint32_t caused) {
        return !networks.insert(classes[caused].network).second;
      });
    });
    if (twice) continue;
    Play play(made.network, made.routing, classes, seed);
    for (int i = 0; i < 400 && play.move(true); ++i) {
    }
    // Without a cycle of classes what is under way comes to an end.
    for (int i = 0; i < 4'000 && play.move(false); ++i) {
    }
    if (proven) {
      ASSERT_TRUE(play.empty()) << seed;
      ++free;
    } else {
      ++not_free;
      if (!play.empty()) ++locked;
    }
  }
  EXPECT_GT(free, 50U);
  EXPECT_GT(4 * locked, not_free);
  RecordProperty("locked", static_cast<int>(locked));
}

Routing shortest(const Network& network) {
  return testing::shortest_paths(network, 1);
}

TEST(Messages, RepliesOnTheNetworkOfTheRequestsLock) {
  Progress quiet;
  const Network network = testing::star(3);
  const Routing routing = shortest(network);
  std::vector<MessageClass> classes = parse_message_classes("request>reply", "--messages");
  const MessageModel model(network, routing, classes, {}, quiet);
  const MessageVerdict verdict = model.verdict();
  EXPECT_FALSE(verdict.deadlock_free);
  // Both ways between two terminals: send queue, two channels and a receive queue each.
  EXPECT_EQ(verdict.witness.size(), 8U);
  EXPECT_NE(describe(network, classes, verdict.witness).find("a request from"), std::string::npos);
  const FewestNetworks fewest = model.fewest(quiet);
  EXPECT_TRUE(fewest.possible);
  EXPECT_EQ(fewest.networks, 2U);
  assign_networks("reply=1", "--classes", classes);
  EXPECT_TRUE(MessageModel(network, routing, classes, {}, quiet).verdict().deadlock_free);
}

TEST(Messages, TwoTerminalsOfOneRouterLockToo) {
  Progress quiet;
  NetworkBuilder builder;
  builder.add_routers(1);
  builder.add_terminal(RouterId(0));
  builder.add_terminal(RouterId(0));
  const Network network = std::move(builder).build();
  const std::vector<MessageClass> classes = parse_message_classes("request>reply", "--messages");
  const MessageVerdict verdict = MessageModel(network, shortest(network), classes, {}, quiet).verdict();
  EXPECT_FALSE(verdict.deadlock_free);
  EXPECT_EQ(verdict.witness.size(), 4U);
}

TEST(Messages, ServersThatAskNobodyNeedNoSecondNetwork) {
  Progress quiet;
  const Network network = testing::star(3);
  std::vector<MessageClass> classes = parse_message_classes("request>reply", "--messages");
  // The first is asked by the others.
  classes[0].receivers = classes[1].senders = {true, false, false};
  classes[0].senders = classes[1].receivers = {false, true, true};
  const MessageModel model(network, shortest(network), classes, {}, quiet);
  EXPECT_TRUE(model.verdict().deadlock_free);
  EXPECT_EQ(model.fewest(quiet).networks, 1U);
}

TEST(Messages, WhoSendsNothingOfAClassKeepsNoRoomForIt) {
  Progress quiet;
  const Network network = testing::star(2);
  std::vector<MessageClass> classes = parse_message_classes("request>reply", "--messages");
  classes[1].senders = {false, true};
  classes[1].receivers = {true, false};
  EXPECT_TRUE(MessageModel(network, shortest(network), classes, {}, quiet).verdict().deadlock_free);
  classes[1].senders = {true, true};
  classes[1].receivers = {true, true};
  EXPECT_FALSE(MessageModel(network, shortest(network), classes, {}, quiet).verdict().deadlock_free);
}

TEST(Messages, BackgroundStaysOnNetworkZeroAndMayKeepClassesFromIt) {
  Progress quiet;
  std::map<std::uint32_t, std::uint32_t> seen;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const testing::RandomCase made = testing::random_case(seed, 5, 2);
    Random random(seed, 8);
    std::vector<MessageClass> classes = random_classes(made.network, random);
    classes.resize(std::min<std::size_t>(classes.size(), 3));
    for (MessageClass& c : classes) {
      c.causes.erase(std::remove_if(c.causes.begin(), c.causes.end(), [](std::uint32_t k) { return k >= 3; }),
                     c.causes.end());
    }
    std::vector<MessageClass> background(1);
    for (std::uint32_t t = 0; t < made.network.terminal_count(); ++t)
      background[0].senders.push_back(random.below(2) == 0);
    const MessageModel model(made.network, made.routing, classes, background, quiet);
    const auto can_lock_with = [&](const std::vector<MessageClass>& given) {
      std::vector<MessageClass> all = given;
      all.push_back(background[0]);
      return can_lock(made.network, made.routing, all);
    };
    const MessageVerdict verdict = model.verdict();
    ASSERT_EQ(verdict.deadlock_free, !can_lock_with(classes)) << seed;
    if (verdict.deadlock_free) {
      EXPECT_TRUE(check_message_numbers(made.network, made.routing, classes, background, verdict, nullptr));
    }
    // Network 0 is there whoever uses it.
    std::uint32_t fewest = 0;
    const auto count = static_cast<std::uint32_t>(classes.size());
    for (std::uint32_t way = 0; way < 64; ++way) {
      std::vector<MessageClass> given = classes;
      std::set<std::uint32_t> used{0};
      for (std::uint32_t k = 0; k < count; ++k) used.insert(given[k].network = way >> (2 * k) & 3);
      if (can_lock_with(given)) continue;
      const auto networks = static_cast<std::uint32_t>(used.size());
      if (fewest == 0 || networks < fewest) fewest = networks;
    }
    const FewestNetworks found = model.fewest(quiet);
    ASSERT_EQ(found.possible, fewest != 0) << seed;
    if (found.possible) {
      ASSERT_EQ(found.networks, fewest) << seed;
    }
    ++seen[fewest];
  }
  EXPECT_GE(seen.size(), 3U);
}

TEST(Messages, ACycleOfClassesCannotBeCured) {
  Progress quiet;
  const Network network = testing::star(2);
  const std::vector<MessageClass> classes = parse_message_classes("ping>pong,pong>ping", "--messages");
  EXPECT_FALSE(MessageModel(network, shortest(network), classes, {}, quiet).fewest(quiet).possible);
}

TEST(Messages, WithoutPairsNothingWaits) {
  Progress quiet;
  for (const std::uint32_t terminals : {0U, 1U}) {
    NetworkBuilder builder;
    builder.add_routers(1);
    for (std::uint32_t t = 0; t < terminals; ++t) builder.add_terminal(RouterId(0));
    const Network network = std::move(builder).build();
    const MessageModel model(network, shortest(network), parse_message_classes("a>b>a", "--messages"), {},
                             quiet);
    EXPECT_TRUE(model.verdict().deadlock_free);
    EXPECT_EQ(model.fewest(quiet).networks, 1U);
  }
}

std::string refusal(std::string_view messages, std::string_view networks) {
  try {
    std::vector<MessageClass> classes = parse_message_classes(messages, "--messages");
    if (!networks.empty()) assign_networks(networks, "--classes", classes);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(MessageClasses, AreReadAndRefused) {
  const std::vector<MessageClass> classes = parse_message_classes("a>b>c,a>c,d", "--messages");
  ASSERT_EQ(classes.size(), 4U);
  EXPECT_EQ(classes[0].causes, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(classes[1].causes, (std::vector<std::uint32_t>{2}));
  EXPECT_EQ(refusal("a>b", "a=0,b=15"), "");
  EXPECT_NE(refusal("", "").find("found ''"), std::string::npos);
  EXPECT_NE(refusal("a>", "").find("found ''"), std::string::npos);
  EXPECT_NE(refusal("a>b c", "").find("found 'b c'"), std::string::npos);
  EXPECT_NE(refusal("a>b,a>b", "").find("named twice"), std::string::npos);
  EXPECT_NE(refusal("a,a", "").find("named twice"), std::string::npos);
  EXPECT_NE(refusal("a,b,c,d,e,f,g,h,i,j,k,l,m", "").find("at most 12"), std::string::npos);
  EXPECT_NE(refusal("a>b", "c=1").find("found 'c=1'"), std::string::npos);
  EXPECT_NE(refusal("a>b", "a").find("found 'a'"), std::string::npos);
  EXPECT_NE(refusal("a>b", "a=16").find("found '16'"), std::string::npos);
  EXPECT_NE(refusal("a>b", "a=-1").find("found '-1'"), std::string::npos);
  EXPECT_NE(refusal("a>b", "a=1,a=1").find("named twice"), std::string::npos);
}

}  // namespace
}  // namespace unknot
