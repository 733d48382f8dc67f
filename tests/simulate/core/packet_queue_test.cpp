// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/core/packet_queue.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <deque>

#include "unknot/support/random.hpp"

namespace unknot::simulate {
namespace {

// Many queues of one pool, beside queues of the standard library.
template <class Packet>
void try_queues() {
  constexpr std::uint32_t kQueues = 7;
  Pool<Packet> packets;
  std::array<PacketQueue, kQueues> queues;
  std::array<std::deque<std::uint32_t>, kQueues> model;
  Random random(3);
  packets.give_back(packets.take());  // an empty queue's tail is a packet that there is
  for (int turn = 0; turn < 20'000; ++turn) {
    const std::uint32_t q = random.below(kQueues);
    // Long rows for some thousand turns, then mostly empty ones.
    if (model[q].empty() || random.below(5) < (turn / 2000 % 2 == 0 ? 3U : 2U)) {
      const std::uint32_t p = packets.take();
      packets[p].next = random.below(1000);  // means nothing
      queues[q].push(packets, p);
      model[q].push_back(p);
    } else if (random.below(3) != 0) {
      const std::uint32_t p = queues[q].pop(packets);
      ASSERT_EQ(p, model[q].front());
      model[q].pop_front();
      packets.give_back(p);
    } else {  // from the front of one to the end of another, as routers do
      const std::uint32_t to = random.below(kQueues);
      const std::uint32_t p = queues[q].pop(packets);
      ASSERT_EQ(p, model[q].front());
      model[q].pop_front();
      queues[to].push(packets, p);
      model[to].push_back(p);
    }
    ASSERT_EQ(queues[q].count(packets), model[q].size());
    ASSERT_EQ(queues[q].head == kNobody, model[q].empty());
  }
}

TEST(PacketQueue, FirstInFirstOut) {
  try_queues<Packet>();
}
TEST(PacketQueue, FirstInFirstOutWithPacketsOfOneFlit) {
  try_queues<SinglePacket>();
}

}  // namespace
}  // namespace unknot::simulate
