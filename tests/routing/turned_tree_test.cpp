// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/dealing/turned_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "unknot/engines/catalogue.hpp"
#include "unknot/load/channel_load.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/routing/dealing/legal_reach.hpp"
#include "unknot/routing/up_down/level_order.hpp"
#include "unknot/routing/up_down/up_down_table.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

Network broken(const std::string& spec, const std::string& faults) {
  const Network whole = make_network(spec);
  return with_faults(whole, parse_faults(whole, faults));
}

bool has_gaps(const Network& network) {
  const UpDownOrder order = order_by_height(heights_above_terminals(network));
  return LegalReach(network, order, LegalReach::Rule::down_first, 1).missing_pairs() >
         unconnected_pairs(network);
}

/// Trees with so many dead cables that leaves share no router above: every connected pair has a path, by all
/// engines for trees, on one lane, and no channel carries a multiple of what the best tables load.
TEST(TurnedTree, JoinsLeavesThatShareNothingAbove) {
  Progress quiet;
  int with_gaps = 0;
  for (const char* spec : {"xgft:m=6x6x6,w=3x3x3", "xgft:m=4x4x4,w=2x2x2", "xgft:m=8x8,w=4x4"}) {
    for (std::uint32_t seed = 1; seed <= 8; ++seed) {
      const Network network = broken(spec, "cable-rate=0.08,seed=" + std::to_string(seed));
      if (!has_gaps(network)) continue;
      const std::optional<UpDownOrder> order = turned_tree(network, 1);
      if (!order) continue;
      ++with_gaps;
      EXPECT_TRUE(std::is_permutation(order->top_down.begin(), order->top_down.end(),
                                      order_by_height(heights_above_terminals(network)).top_down.begin()));
      for (std::uint32_t i = 0; i < order->top_down.size(); ++i)
        ASSERT_EQ(order->place[order->top_down[i]], i);
      EXPECT_EQ(LegalReach(network, *order, LegalReach::Rule::down_first, 1).missing_pairs(),
                unconnected_pairs(network));
      const auto busiest = [&](const char* engine) {
        const Routing routing = route(network, engine, {}, quiet);
        const Verdict verdict = verify(network, routing, {}, quiet);
        EXPECT_TRUE(verdict.deadlock_free) << spec << " " << seed << " " << engine;
        EXPECT_EQ(verdict.unroutable_pairs, unconnected_pairs(network))
            << spec << " " << seed << " " << engine;
        return static_cast<double>(load_statistics(channel_load(network, routing)).max);
      };
      const double best = busiest("dfsssp:best");
      EXPECT_LT(busiest("clos"), 1.6 * best) << spec << " " << seed;
      for (const char* engine : {"updn:paths=dealt", "ftree"})
        EXPECT_LT(busiest(engine), 5 * best) << spec << " " << seed << " " << engine;
      for (const char* engine : {"updn", "dnup"})
        EXPECT_LT(busiest(engine), 12 * best) << spec << " " << seed << " " << engine;
    }
  }
  EXPECT_GE(with_gaps, 8);
}

/// Nothing where cables join routers of one height, and where no leaf gives every pair a path.
TEST(TurnedTree, IsForTreesAlone) {
  EXPECT_FALSE(turned_tree(make_network("jellyfish:routers=20,degree=4,terminals=30"), 1).has_value());
  EXPECT_TRUE(turned_tree(make_network("xgft:m=4x4,w=2x2"), 1).has_value());
  EXPECT_TRUE(turned_tree(make_network("xgft:m=4,w=1"), 1).has_value());
}

}  // namespace
}  // namespace unknot
