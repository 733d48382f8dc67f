// SPDX-License-Identifier: Apache-2.0
#include "unknot/angara/turns.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "angara/systems.hpp"
#include "unknot/deadlock/dependency_graph.hpp"
#include "unknot/verify/ring_rule.hpp"

namespace unknot::angara {
namespace {

std::uint32_t turns_of(const char* spec, Augmentation augmentation) {
  const Network network = make_network(spec);
  return Turns(Torus(network), augmentation).count();
}

/// Every dependency that any route may make, on the channels of the network.
DependencyGraph all_dependencies(const Torus& torus, const Turns& turns) {
  const std::uint32_t channels = torus.network().channel_count();
  return {channels, 1, std::vector<std::uint8_t>(channels, 1), [&](const auto& visit) {
            for (std::uint32_t slot = 0; slot < torus.slot_count(); ++slot) {
              if (torus.next(slot) == Torus::kNone) continue;
              for (std::uint32_t to = 0; to < torus.directions(); ++to) {
                const std::uint32_t next = torus.slot(torus.next(slot), static_cast<Direction>(to));
                if (torus.next(next) == Torus::kNone) continue;
                if (to >= torus.direction(slot) || turns.allowed(slot, static_cast<Direction>(to)))
                  visit(torus.channel(slot).value, torus.channel(next).value);
              }
            }
          }};
}

TEST(Turns, AreAsManyAsTheReferenceCounts) {
  EXPECT_EQ(turns_of("torus:4x2x2x2", Augmentation::direction_sets), 144U);
  EXPECT_EQ(turns_of("torus:2x4", Augmentation::direction_sets), 0U);
  EXPECT_EQ(turns_of("torus:4x2", Augmentation::direction_sets), 8U);
  EXPECT_EQ(turns_of("torus:2x4", Augmentation::exact), 8U);
  EXPECT_EQ(turns_of("torus:4x2", Augmentation::exact), 8U);
  EXPECT_EQ(turns_of("torus:4x2x2x2", Augmentation::none), 0U);
}

TEST(Turns, AddNothingToWholeToriOfLargerDimensions) {
  for (const char* spec : {"torus:5", "torus:3x3", "torus:4x4", "torus:3x4x5", "torus:3x3x3x3"})
    EXPECT_EQ(turns_of(spec, Augmentation::direction_sets), 0U) << spec;
}

// The graph of all turns contains that of any table: by the checker's own rule, not by the sets.
TEST(Turns, LeaveCyclesOnlyInsideDirectedRings) {
  for (const unknot::testing::AngaraCase& one : unknot::testing::angara_cases()) {
    const Network network = make(one);
    const Torus torus(network);
    const DirectedRings rings = directed_rings(network);
    std::uint32_t counts[3] = {};
    for (const Augmentation augmentation :
         {Augmentation::none, Augmentation::direction_sets, Augmentation::exact}) {
      const Turns turns(torus, augmentation);
      counts[static_cast<int>(augmentation)] = turns.count();
      EXPECT_TRUE(ring_rule(all_dependencies(torus, turns), rings).deadlock_free)
          << one.spec << " " << one.faults << " " << static_cast<int>(augmentation);
    }
    EXPECT_GE(counts[2], counts[1]) << one.spec << " " << one.faults;
  }
}

// Exactness: one turn more than the exact test takes closes a cycle outside the rings.
TEST(Turns, ExactLeavesNoTurnThatCouldBeAdded) {
  int refused = 0;
  for (const char* spec : {"torus:2x4", "torus:2x3x4", "torus:3x3", "torus:3x5x2"}) {
    const Network network = make_network(spec);
    const Torus torus(network);
    const Turns turns(torus, Augmentation::exact);
    const DirectedRings rings = directed_rings(network);
    const DependencyGraph base = all_dependencies(torus, turns);
    for (std::uint32_t slot = 0; slot < torus.slot_count(); ++slot) {
      if (torus.next(slot) == Torus::kNone) continue;
      const Direction from = torus.direction(slot);
      for (std::uint32_t to = torus.positive(from) ? 0 : torus.dimensions(); to < from; ++to) {
        const std::uint32_t next = torus.slot(torus.next(slot), static_cast<Direction>(to));
        if (torus.next(next) == Torus::kNone || turns.allowed(slot, static_cast<Direction>(to))) continue;
        ++refused;
        const DependencyGraph more(base.channel_count(), 1,
                                   std::vector<std::uint8_t>(base.channel_count(), 1),
                                   [&](const auto& visit) {
                                     for (std::uint32_t v = 0; v < base.vertex_count(); ++v) {
                                       for (const std::uint32_t w : base.next(v)) visit(v, w);
                                     }
                                     visit(torus.channel(slot).value, torus.channel(next).value);
                                   });
        const DeadlockProof verdict = ring_rule(more, rings);
        EXPECT_FALSE(verdict.deadlock_free) << spec;
        EXPECT_GE(verdict.cycle.size(), 2U) << spec;
      }
    }
  }
  EXPECT_GT(refused, 50);
}

}  // namespace
}  // namespace unknot::angara
