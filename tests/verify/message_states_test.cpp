// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "effort.hpp"
#include "unknot/verify/messages/message_verdict.hpp"
#include "verify/message_states.hpp"
#include "verify/random_routings.hpp"

namespace unknot {
namespace {

using testing::MessageStates;

struct SmallCase {
  Network network;
  Routing routing;
  std::vector<MessageClass> classes;
};

/// Any network, tables and protocol; or a ring or a tree with a host on every router and whole tables.
SmallCase small_case(std::uint64_t seed) {
  Random random(seed, 31);
  SmallCase made;
  if (random.below(2) == 0) {
    testing::RandomCase any = testing::random_case(seed, 4, 2);
    made.network = std::move(any.network);
    made.routing = std::move(any.routing);
  } else {
    const std::uint32_t routers = 2 + random.below(3);
    const bool ring = random.below(2) == 0;
    NetworkBuilder builder;
    builder.add_routers(routers);
    for (std::uint32_t r = 0; r < routers; ++r) {
      builder.add_terminal(RouterId(r));
      if (ring) {
        builder.add_channel(RouterId(r), RouterId((r + 1) % routers));
      } else if (r > 0) {
        builder.add_cable(RouterId(r), RouterId(random.below(r)));
      }
    }
    made.network = std::move(builder).build();
    made.routing = testing::shortest_paths(made.network, seed);
  }
  made.classes = testing::random_classes(made.network, random);
  return made;
}

/// What holds, each way, with room for one packet in each buffer:
/// - proven: no state holds packets of which none can move, neither one that an empty network comes to nor
/// any
///   other that the buffers can be filled with;
/// - not proven: the packets that are named fill their buffers and stay for ever, and where hosts send every
///   class whenever there is room, an empty network comes to a state with packets that stay for ever. (Where
///   packets of a circle would hinder each other on the way to their places, in a circle themselves, those
///   ways hold a circle nearer to the sources; so there is one that can be filled place by place.)
/// Where answers only follow questions, what is not proven need not come about: such protocols are counted.
TEST(MessageStates, EveryStateOfSmallNetworksAgreesWithTheProof) {
  Progress quiet;
  const std::uint32_t wanted = fewer_cases() ? 2'000 : 10'000;
  std::uint32_t judged = 0, free = 0, by_questions = 0;
  for (std::uint64_t seed = 0; judged < wanted; ++seed) {
    const SmallCase made = small_case(seed);
    MessageStates all(made.network, made.routing, made.classes);
    // Too large, or without packets, or with two answers for one queue that has room for one: drawn anew.
    if (!all.fits() || !all.anybody_sends() || all.most_states() > 10'000) continue;
    ++judged;
    const MessageVerdict verdict =
        MessageModel(made.network, made.routing, made.classes, {}, quiet).verdict();
    ASSERT_EQ(all.can_stand_still(), !verdict.deadlock_free) << seed;
    ASSERT_EQ(all.reaches_a_lock(MessageStates::Begun::every_class), !verdict.deadlock_free) << seed;
    if (verdict.deadlock_free) {
      ++free;
      continue;
    }
    const std::uint64_t filled = all.state_of(verdict.witness);
    ASSERT_EQ(std::popcount(all.locked(filled)), static_cast<int>(verdict.witness.size())) << seed;
    if (all.reaches_a_lock(MessageStates::Begun::questions)) ++by_questions;
  }
  const std::uint32_t not_free = judged - free;
  EXPECT_GT(8 * not_free, judged);
  EXPECT_GT(3 * by_questions, not_free);
  EXPECT_LT(by_questions, not_free);
  RecordProperty("not_free", static_cast<int>(not_free));
  RecordProperty("by_questions", static_cast<int>(by_questions));
}

}  // namespace
}  // namespace unknot
