// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/acyclic_lane.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

#include "unknot/support/random.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

using Arcs = std::set<std::pair<std::uint32_t, std::uint32_t>>;

/// By peeling: channels that no arc enters are taken away until none is left.
bool acyclic(Arcs arcs) {
  for (bool changed = true; changed;) {
    changed = false;
    for (auto it = arcs.begin(); it != arcs.end();) {
      bool entered = false;
      for (const auto& other : arcs) entered |= other.second == it->first;
      if (entered) {
        ++it;
      } else {
        it = arcs.erase(it);
        changed = true;
      }
    }
  }
  return arcs.empty();
}

TEST(AcyclicLane, TakesWhatClosesNoCycleAndNothingElse) {
  int taken = 0;
  int refused = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Network network =
        make_network("random:switches=7,links=12,parallel=1,seed=" + std::to_string(seed));
    const DependencyBits bits(network);
    AcyclicLane lane(network, bits);
    AcyclicLane::Scratch scratch(network);
    Arcs held;
    Random random(seed);
    for (int round = 0; round < 60; ++round) {
      // Short random walks: several dependencies that must go in together.
      std::vector<AcyclicLane::Dependency> walk;
      Arcs with = held;
      std::uint32_t channel = random.below(network.channel_count());
      for (std::uint32_t steps = 1 + random.below(3); steps > 0; --steps) {
        const IdRange<ChannelId> out = network.out(network.target(ChannelId(channel)));
        const std::uint32_t entry = random.below(out.size());
        walk.push_back({channel, entry});
        with.emplace(channel, out[entry].value);
        channel = out[entry].value;
      }
      const bool expected = acyclic(with);
      ASSERT_EQ(lane.add(walk, scratch), expected) << "seed " << seed << " round " << round;
      if (expected) held = with;
      ++(expected ? taken : refused);
    }
    std::size_t bits_set = 0;
    for (const std::uint64_t word : std::move(lane).take_dependencies()) {
      bits_set += static_cast<std::size_t>(__builtin_popcountll(word));
    }
    EXPECT_EQ(bits_set, held.size());
  }
  EXPECT_GT(taken, 300);
  EXPECT_GT(refused, 300);
}

}  // namespace
}  // namespace unknot
