// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/live/live_lane_check.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "effort.hpp"
#include "random_events.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/network/connectivity.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

Routing whole_tables(const Network& network, const char* engine) {
  Progress quiet;
  EngineRequest request;
  request.virtual_lanes = 4;
  request.threads = 1;
  return route(network, engine, request, quiet);
}

/// As verify() has it from scratch.
void expect_as_from_scratch(const LiveLaneCheck& check, std::uint32_t lanes, const char* fabric) {
  Progress quiet;
  const Network now = with_faults(check.network().network(), check.network().faults());
  const Verdict anew = verify(now, routing_of_living(check.network(), check.tables(), lanes), {}, quiet);
  const LiveLaneVerdict& verdict = check.verdict();
  ASSERT_EQ(verdict.delivers, anew.unroutable_pairs == disconnected_pairs(now).count)
      << fabric << ": " << verdict.why;
  ASSERT_EQ(verdict.missing_pairs, anew.unroutable_pairs - disconnected_pairs(now).count);
  ASSERT_EQ(verdict.pairs, anew.pairs);
  ASSERT_EQ(verdict.disconnected_pairs, disconnected_pairs(now).count);
  if (verdict.delivers) {
    ASSERT_EQ(verdict.dependencies, anew.dependencies) << fabric;
    ASSERT_EQ(verdict.deadlock_free, anew.deadlock_free) << fabric << ": " << verdict.why;
  }
}

/// Tables that nobody has made: entries and levels change at random, a few at a time. What does harm is said,
/// and taken back; what does none stays, so that tables become ever stranger.
TEST(LiveLaneCheck, SaysOfRandomChangesWhatVerifySays) {
  std::uint64_t fine = 0;
  std::uint64_t undelivered = 0;
  std::uint64_t deadlocks = 0;
  for (const char* fabric : {"torus:4x4,p=2", "jellyfish:routers=12,degree=4,terminals=30",
                             "dragonfly:a=4,h=2,p=1", "torus:6,p=3"}) {
    const Network whole = make_network(fabric);
    const Routing routing = whole_tables(whole, "dfsssp");
    constexpr std::uint32_t kLanes = 4;
    LiveLaneCheck check(whole, routing, kLanes);
    ASSERT_TRUE(check.verdict().usable()) << check.verdict().why;
    std::mt19937 random(3);
    for (int step = 0; step < (fewer_cases() ? 150 : 600); ++step) {
      std::vector<EntryChange> entries;
      std::vector<LevelChange> levels;
      for (std::uint32_t i = 0; i < 1 + random() % 2; ++i) {
        const TerminalId t(static_cast<std::uint32_t>(random() % whole.terminal_count()));
        const RouterId r(static_cast<std::uint32_t>(random() % whole.router_count()));
        if (r == whole.router_of(t)) continue;
        const std::size_t at = std::size_t{r.value} * check.tables().places(check.tables().block_of(t)) +
                               check.tables().place_of(t);
        if (random() % 3 == 0) {
          const std::uint32_t after = random() % 12 == 0
                                          ? ForwardingTable::kNone
                                          : static_cast<std::uint32_t>(random() % whole.out(r).size());
          entries.push_back(
              {r, t, ForwardingTable::position_of(check.tables().entries(check.tables().block_of(t))[at]),
               after});
        } else if (check.tables().row(r) != TreeTables::kNoRow) {
          levels.push_back({check.tables().row(r), t, check.tables().levels(check.tables().block_of(t))[at],
                            static_cast<std::uint8_t>(random() % kLanes)});
        }
      }
      if (entries.size() == 2 && entries[0].destination == entries[1].destination) continue;
      if (levels.size() == 2 && levels[0].destination == levels[1].destination) continue;
      LiveLaneCheck tried = check;
      tried.apply({}, entries, levels);
      ASSERT_TRUE(tried.verdict().fits) << tried.verdict().why;
      expect_as_from_scratch(tried, kLanes, fabric);
      if (tried.verdict().usable()) {
        check = tried;
        ++fine;
        continue;
      }
      (tried.verdict().delivers ? deadlocks : undelivered) += 1;
      // What is not usable is looked at from scratch the next time.
      for (EntryChange& one : entries) std::swap(one.before, one.after);
      for (LevelChange& one : levels) std::swap(one.before, one.after);
      tried.apply({}, entries, levels);
      ASSERT_TRUE(tried.verdict().usable()) << tried.verdict().why;
    }
  }
  EXPECT_GT(fine, 100U);
  EXPECT_GT(undelivered, 50U);
  EXPECT_GT(deadlocks, 10U);
}

TEST(LiveLaneCheck, SaysWhatNobodyHasReroutedIsLost) {
  const Network whole = make_network("torus:4x4,p=2");
  const Routing routing = whole_tables(whole, "dfsssp");
  const LiveLaneCheck check(whole, routing, 4);
  const LiveNetwork all(whole);
  RandomEvents events(all, 5);
  for (int step = 0; step < 60; ++step) {
    LiveLaneCheck tried = check;
    LiveChange change = events.next();
    change.back_channels.clear();
    change.back_routers.clear();
    tried.apply(change, {}, {});
    expect_as_from_scratch(tried, 4, "torus");
    LiveChange back;
    back.back_channels = change.dead_channels;
    back.back_routers = change.dead_routers;
    tried.apply(back, {}, {});
    ASSERT_TRUE(tried.verdict().usable()) << tried.verdict().why;
  }
}

TEST(LiveLaneCheck, SeesThatARouterKeepsWhatIsForItsTerminals) {
  const Network whole = make_network("torus:4x4,p=2");
  Routing routing = whole_tables(whole, "dfsssp");
  routing.table().set(whole.router_of(TerminalId(5)), TerminalId(5), ForwardingTable::kNone);
  LiveLaneCheck check(whole, routing, 4);
  EXPECT_FALSE(check.verdict().delivers);
  EXPECT_FALSE(check.apply({}, {}, {}).delivers);
}

TEST(LiveLaneCheck, ChangesMustFit) {
  const Network whole = make_network("torus:4x4,p=2");
  const Routing routing = whole_tables(whole, "dfsssp");
  const LiveLaneCheck check(whole, routing, 4);
  const RouterId r(3);
  const TerminalId t(0);
  const std::uint32_t now = routing.table().get(r, t);
  const auto fits = [&](const EntryChange& entry) {
    LiveLaneCheck tried = check;
    return tried.apply({}, std::vector{entry}, {}).fits;
  };
  EXPECT_TRUE(fits({r, t, now, now}));
  EXPECT_FALSE(fits({r, t, now + 1, now}));
  EXPECT_FALSE(fits({r, t, now, 77}));
  EXPECT_FALSE(fits({RouterId(99), t, now, now}));
  EXPECT_FALSE(fits({whole.router_of(t), t, ForwardingTable::kHere, 0}));
  LiveLaneCheck tried = check;
  EXPECT_THROW((void)tried.apply({}, std::vector{EntryChange{r, TerminalId(99), now, now}}, {}),
               std::out_of_range);
  const LevelChange nobody{99, t, 0, 0};
  EXPECT_FALSE(tried.apply({}, {}, std::vector{nobody}).fits);
  EXPECT_THROW(LiveLaneCheck(whole, routing, 0), InputError);
}

}  // namespace
}  // namespace unknot
