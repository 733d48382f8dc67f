// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "unknot/support/error.hpp"
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
    for (const std::uint32_t terminals : {1U, 2U, 3U, 7U, 8U, 16U, 31U}) {
      SCOPED_TRACE(terminals);
      const Network network = testing::single(terminals);
      const TrafficPattern pattern = make_pattern(network, row.name);
      EXPECT_EQ(pattern.name, row.name);
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
          EXPECT_TRUE(sources.insert(flow.source).second);
          destinations.insert(flow.destination);
          list.emplace_back(flow.source.value, flow.destination.value);
        }
        if (row.one_to_one) {
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
}

}  // namespace
}  // namespace unknot
