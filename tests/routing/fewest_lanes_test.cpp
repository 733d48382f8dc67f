// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/orders/fewest_lanes.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

TEST(FewestLanes, WhatIsFoundHolds) {
  Progress quiet;
  const std::vector<std::pair<std::string, std::uint32_t>> known{
      {"ring:8", 2}, {"torus:4x4", 1}, {"kautz:b=3,n=3", 2}, {"twisted-torus:3x3x6", 2}, {"uniring:5", 3}};
  for (const auto& [spec, lanes] : known) {
    SCOPED_TRACE(spec);
    const Network network = make_network(spec);
    const auto found = shortest_paths_on(network, lanes, 1, 1, 0, quiet);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->virtual_lanes, lanes);
    const Verdict verdict = verify(network, *found, {}, quiet);
    EXPECT_TRUE(verdict.minimal());
    EXPECT_TRUE(verdict.deadlock_free);
    const auto again = shortest_paths_on(network, lanes, 1, 1, 2, quiet);
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(found->table(), again->table());
  }
}

TEST(FewestLanes, NothingWhereThereIsNothing) {
  Progress quiet;
  EXPECT_FALSE(shortest_paths_on(make_network("ring:5"), 1, 1, 1, 0, quiet).has_value());
}

}  // namespace
}  // namespace unknot
