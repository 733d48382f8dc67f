// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/traffic/catalogue.hpp"
#include "verify/fabrics.hpp"

namespace unknot {
namespace {

using ::testing::HasSubstr;

std::vector<Flow> sample(const TrafficPattern& pattern, std::uint64_t seed, std::uint32_t index) {
  std::vector<Flow> flows{{TerminalId(99), TerminalId(99)}};  // to be replaced
  pattern.flows(seed, index, flows);
  return flows;
}

/// A spec for a row, with values for what must be given.
std::string spec_of(const Pattern& row) {
  if (!row.read) return row.name;
  const std::string path = ::testing::TempDir() + "/flows_of_patterns_test";
  write_file(path, "0 1 2.5\n1 0\n");
  return row.name + ":" + path;
}

/// Destination of each source, in a network of one router.
std::map<std::uint32_t, std::uint32_t> targets(std::uint32_t terminals, const std::string& spec) {
  std::map<std::uint32_t, std::uint32_t> to;
  for (const Flow& flow : sample(make_pattern(testing::single(terminals), spec), 1, 0))
    to[flow.source.value] = flow.destination.value;
  return to;
}

TEST(Patterns, EveryRowKeepsItsPromises) {
  std::set<std::string> names;
  for (const Pattern& row : patterns()) {
    SCOPED_TRACE(row.name);
    EXPECT_FALSE(row.summary.empty());
    EXPECT_TRUE(names.insert(row.name).second);
    for (const std::string& alias : row.aliases) {
      EXPECT_TRUE(names.insert(alias).second);
      EXPECT_EQ(&find_pattern(alias), &row);
    }
    if (!row.any_network) {
      EXPECT_THROW((void)make_pattern(testing::ring(7), row.name), InputError);
      continue;
    }
    for (const std::uint32_t terminals : {1U, 2U, 3U, 7U, 8U, 16U, 31U}) {
      if (row.read && terminals < 2) continue;
      SCOPED_TRACE(terminals);
      const Network network = testing::single(terminals);
      const std::string spec = spec_of(row);
      const TrafficPattern pattern = make_pattern(network, spec);
      EXPECT_EQ(pattern.name, spec);
      if (pattern.all_pairs) {
        EXPECT_FALSE(pattern.random);
        continue;
      }
      std::set<std::vector<std::pair<std::uint32_t, std::uint32_t>>> different;
      for (std::uint32_t index = 0; index < 20; ++index) {
        const std::vector<Flow> flows = sample(pattern, 5, index);
        EXPECT_EQ(flows, sample(pattern, 5, index));
        std::set<TerminalId> sources;
        std::set<TerminalId> destinations;
        std::vector<std::pair<std::uint32_t, std::uint32_t>> list;
        for (const Flow& flow : flows) {
          EXPECT_LT(flow.source.value, terminals);
          EXPECT_LT(flow.destination.value, terminals);
          EXPECT_NE(flow.source, flow.destination);
          const bool first = sources.insert(flow.source).second;
          EXPECT_TRUE(first || row.several);
          EXPECT_GT(flow.weight, 0);
          destinations.insert(flow.destination);
          list.emplace_back(flow.source.value, flow.destination.value);
        }
        if (row.one_to_one) {
          EXPECT_EQ(sources.size(), flows.size());
          EXPECT_EQ(destinations.size(), flows.size());
        }
        different.insert(list);
      }
      if (!pattern.random) {
        EXPECT_EQ(different.size(), 1U);
      }
      if (pattern.random && terminals >= 16) {
        EXPECT_GT(different.size(), 15U);
        EXPECT_NE(sample(pattern, 5, 0), sample(pattern, 6, 0));
      }
    }
  }
}

TEST(Patterns, BisectionMatchesAllInHalves) {
  const TrafficPattern pattern = make_pattern(testing::single(9), "bisect");
  std::vector<std::uint32_t> sat_out(9, 0);
  for (std::uint32_t index = 0; index < 900; ++index) {
    const std::vector<Flow> flows = sample(pattern, 1, index);
    ASSERT_EQ(flows.size(), 4U);
    std::set<std::uint32_t> busy;
    for (const Flow& flow : flows) {
      busy.insert(flow.source.value);
      busy.insert(flow.destination.value);
    }
    ASSERT_EQ(busy.size(), 8U);
    for (std::uint32_t t = 0; t < 9; ++t) sat_out[t] += busy.count(t) == 0 ? 1 : 0;
  }
  for (const std::uint32_t count : sat_out) EXPECT_NEAR(count, 100, 50);  // five standard deviations
}

TEST(Patterns, FixedOnesAreWhatTheirNamesSay) {
  using Map = std::map<std::uint32_t, std::uint32_t>;
  EXPECT_EQ(targets(5, "shift:2"), (Map{{0, 2}, {1, 3}, {2, 4}, {3, 0}, {4, 1}}));
  EXPECT_EQ(targets(5, "shift:distance=7"), targets(5, "shift:2"));
  EXPECT_EQ(targets(5, "shift:5"), Map{});
  EXPECT_EQ(targets(3, "neighbour"), (Map{{0, 1}, {1, 2}, {2, 0}}));
  EXPECT_EQ(targets(8, "tornado"), targets(8, "shift:3"));
  EXPECT_EQ(targets(5, "tornado"), targets(5, "shift:2"));
  EXPECT_EQ(targets(11, "transpose"), (Map{{1, 3}, {2, 6}, {3, 1}, {5, 7}, {6, 2}, {7, 5}}));
  EXPECT_EQ(targets(5, "bit-complement"), (Map{{0, 3}, {1, 2}, {2, 1}, {3, 0}}));
  EXPECT_EQ(targets(8, "bit-reverse"), (Map{{1, 4}, {3, 6}, {4, 1}, {6, 3}}));
  EXPECT_EQ(targets(9, "shuffle"), (Map{{1, 2}, {2, 4}, {3, 6}, {4, 1}, {5, 3}, {6, 5}}));
  EXPECT_EQ(targets(9, "bit-rotation"), (Map{{2, 1}, {4, 2}, {6, 3}, {1, 4}, {3, 5}, {5, 6}}));
  EXPECT_EQ(targets(8, "butterfly"), (Map{{1, 4}, {3, 6}, {4, 1}, {6, 3}}));
  EXPECT_EQ(targets(16, "bit-transpose"), targets(16, "transpose"));
  EXPECT_EQ(targets(8, "bit-transpose"), targets(8, "shuffle"));
}

TEST(Patterns, RouterShiftGoesFromTerminalToTerminalOfTheSamePlace) {
  using Map = std::map<std::uint32_t, std::uint32_t>;
  const auto shifted = [](const Network& network, const std::string& spec) {
    Map to;
    for (const Flow& flow : sample(make_pattern(network, spec), 1, 0))
      to[flow.source.value] = flow.destination.value;
    return to;
  };
  EXPECT_EQ(shifted(testing::ring(3, 2), "shift-router"),
            (Map{{0, 2}, {1, 3}, {2, 4}, {3, 5}, {4, 0}, {5, 1}}));
  EXPECT_EQ(shifted(testing::star(3), "shift-router:2"), (Map{{0, 2}, {1, 0}, {2, 1}}));
  EXPECT_EQ(shifted(testing::ring(4), "shift-router:4"), Map{});
  NetworkBuilder builder;
  for (std::uint32_t r = 0; r < 3; ++r) builder.add_router();
  for (std::uint32_t r = 0; r < 3; ++r) {
    for (std::uint32_t i = 0; i <= r; ++i) builder.add_terminal(RouterId(r));  // 1, 2 and 3 terminals
  }
  EXPECT_EQ(shifted(std::move(builder).build(), "shift-router"), (Map{{0, 1}, {1, 3}, {2, 4}, {3, 0}}));
}

TEST(Patterns, HotspotsDrawTheirFraction) {
  const TrafficPattern pattern = make_pattern(testing::single(50), "hotspot:0.5,hotspots=1");
  std::uint64_t flows = 0;
  std::uint64_t to_busiest = 0;
  for (std::uint32_t index = 0; index < 200; ++index) {
    std::map<std::uint32_t, std::uint32_t> received;
    for (const Flow& flow : sample(pattern, 1, index)) {
      ++flows;
      ++received[flow.destination.value];
    }
    std::uint32_t most = 0;
    for (const auto& [terminal, count] : received) most = std::max(most, count);
    to_busiest += most;
  }
  EXPECT_NEAR(static_cast<double>(to_busiest) / static_cast<double>(flows), 0.51, 0.03);
}

TEST(Patterns, WrongSpecsAreRefused) {
  const Network network = testing::single(4);
  const auto message = [&](const std::string& spec) -> std::string {
    try {
      (void)make_pattern(network, spec);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(message("tornade"), HasSubstr("did you mean 'tornado'"));
  EXPECT_THAT(message("shift:width=3"), HasSubstr("no parameter 'width'"));
  EXPECT_THAT(message("tornado:3"), HasSubstr("too many values"));
  EXPECT_THAT(message("hotspot:1.5"), HasSubstr("outside 0 to 1"));
  EXPECT_THAT(message("hotspot:hotspots=5"), HasSubstr("more hotspots than"));
  EXPECT_THAT(message("stencil3d:2x2"), HasSubstr("three extents"));
  EXPECT_THAT(message("stencil3d:2x2x2"), HasSubstr("more processes than the network's 4 terminals"));
  EXPECT_THAT(message("stencil3d:4000000x4000000x4000000"), HasSubstr("more processes"));
  EXPECT_THAT(message("stencil3d:0x2x2"), HasSubstr("outside"));
  EXPECT_THAT(message("stencil3d:mapping=best"), HasSubstr("contiguous, random, partition"));
  EXPECT_THAT(message("worst-case"), HasSubstr("unknot adversary"));
  EXPECT_THAT(message("file"), HasSubstr("expected file:PATH"));
  EXPECT_THAT(message("file:path="), HasSubstr("expected file:PATH"));
  // As the catalogue lists it; the path may hold anything.
  EXPECT_EQ(message("file:path=no/such/file,really=1"), message("file:no/such/file,really=1"));
  EXPECT_THAT(message("file:no/such/file,really=1"), HasSubstr("no/such/file,really=1"));
}

}  // namespace
}  // namespace unknot
