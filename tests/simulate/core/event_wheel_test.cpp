// SPDX-License-Identifier: Apache-2.0
// The wheel of events and the queue of sleeping terminals, alone, against plain maps.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "unknot/simulate/core/event_wheel.hpp"
#include "unknot/simulate/core/packets.hpp"
#include "unknot/simulate/core/terminal_queue.hpp"
#include "unknot/support/random.hpp"

namespace unknot::simulate {
namespace {

struct Event {
  std::uint32_t number, born;
  auto operator<=>(const Event&) const = default;  // NOLINT(modernize-use-nullptr): a false positive
};

std::vector<Event> sorted(std::vector<Event> events) {
  std::sort(events.begin(), events.end());
  return events;
}

TEST(EventWheel, HandsOutEachEventInItsStepAndOnce) {
  for (const std::uint32_t longest : {1U, 2U, 3U, 63U, 64U, 65U, 1000U}) {
    EventWheel<Event> wheel(longest);
    std::map<std::uint64_t, std::vector<Event>> model;
    Random random(longest);
    std::uint32_t made = 0;
    const auto add = [&](std::uint64_t now) {
      const std::uint64_t step = now + 1 + random.below(longest);
      const Event event{made++, static_cast<std::uint32_t>(now)};
      wheel.add(step, event);
      model[step].push_back(event);
    };
    // Late enough that numbers of steps no longer fit 32 bits.
    const std::uint64_t begin = (std::uint64_t{1} << 32) - 300;
    for (std::uint64_t now = begin; now < begin + 700; ++now) {
      std::vector<Event> all;
      wheel.for_all([&](const Event& event) { all.push_back(event); });
      std::vector<Event> expected;
      for (const auto& [step, events] : model) expected.insert(expected.end(), events.begin(), events.end());
      ASSERT_EQ(sorted(all), sorted(expected));
      std::vector<Event> in_order;
      wheel.for_each_from(now, [&](const Event& event) { in_order.push_back(event); });
      auto next = in_order.begin();
      for (const auto& [step, events] : model) {
        ASSERT_GE(in_order.end() - next, static_cast<std::ptrdiff_t>(events.size()));
        const auto last = next + static_cast<std::ptrdiff_t>(events.size());
        ASSERT_EQ(sorted({next, last}), sorted(events));
        next = last;
      }
      ASSERT_TRUE(next == in_order.end());
      ASSERT_EQ(wheel.next(now), model.empty() ? EventWheel<Event>::kNever : model.begin()->first);
      std::vector<Event> now_out, early;
      std::uint32_t more = 0;
      wheel.drain(
          now, [&](const Event& event) { early.push_back(event); },
          [&](const Event& event) {
            now_out.push_back(event);
            if (more < 3 && random.below(4) == 0) {  // what happens makes more happen
              ++more;
              add(now);
            }
          });
      const auto due = model.find(now);
      ASSERT_EQ(sorted(now_out), sorted(due == model.end() ? std::vector<Event>() : due->second));
      for (const Event& event : early)
        ASSERT_TRUE(std::find(now_out.begin(), now_out.end(), event) != now_out.end());
      model.erase(now);
      // Bursts of more than a chunk, and pauses.
      const std::uint32_t burst = random.below(40) == 0 ? 200 : random.below(3);
      for (std::uint32_t i = 0; i < burst; ++i) add(now);
    }
  }
}

TEST(TerminalQueue, WakesEachTerminalInItsCycle) {
  constexpr std::uint32_t kTerminals = 50;
  TerminalQueue queue(kTerminals);
  std::map<std::uint32_t, std::uint64_t> model;  // terminal: cycle
  Random random(7);
  const auto sleep = [&](std::uint32_t terminal, std::uint64_t now) {
    // Within a turn of the wheel, and many turns later.
    const std::uint64_t cycle = now + 1 + (random.below(10) == 0 ? random.below(20'000) : random.below(30));
    queue.add(terminal, cycle);
    model[terminal] = cycle;
  };
  EXPECT_TRUE(queue.empty());
  for (std::uint32_t t = 0; t < kTerminals; ++t) sleep(t, 0);
  std::uint64_t now = 1;
  for (int woken = 0; woken < 5000;) {
    ASSERT_FALSE(queue.empty());
    const std::uint64_t next = queue.next(now);
    ASSERT_GE(next, now);
    for (const auto& [terminal, cycle] : model) ASSERT_LE(next, cycle);
    now = next;
    std::vector<std::uint32_t> up;
    queue.drain(now, [&](std::uint32_t terminal) { up.push_back(terminal); });
    std::vector<std::uint32_t> expected;
    for (const auto& [terminal, cycle] : model) {
      if (cycle == now) expected.push_back(terminal);
    }
    std::sort(up.begin(), up.end());
    ASSERT_EQ(up, expected);
    woken += static_cast<int>(up.size());
    for (const std::uint32_t terminal : up) {
      model.erase(terminal);
      sleep(terminal, now);
    }
    ++now;
  }
}

TEST(Pool, HandsOutWhatIsFreeLatestFirst) {
  Pool<Packet> pool;
  const std::uint32_t a = pool.take();
  const std::uint32_t b = pool.take();
  EXPECT_NE(a, b);
  pool[a].hops = 3;
  pool.journey(b).source = 9;
  EXPECT_EQ(pool.live(), 2U);
  pool.give_back(a);
  pool.give_back(b);
  EXPECT_EQ(pool.live(), 0U);
  EXPECT_EQ(pool.take(), b);
  EXPECT_EQ(pool.take(), a);
  EXPECT_EQ(pool[a].hops, 3U) << "a packet's number brings back its place in memory";
  EXPECT_EQ(pool.take(), 2U);
}

TEST(SinglePacket, FitsNetworksUpToItsBits) {
  EXPECT_TRUE(SinglePacket::fits(4095, 1'048'575));
  EXPECT_FALSE(SinglePacket::fits(4096, 1));
  EXPECT_FALSE(SinglePacket::fits(1, 1'048'576));
}

}  // namespace
}  // namespace unknot::simulate
