// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/rules/rules.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "refusal.hpp"
#include "routed.hpp"
#include "unknot/load/channel_load.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

TEST(Rules, DimensionOrderIsTheTableOfDor) {
  for (const char* spec :
       {"hyperx:4x3x3,p=2", "hyperx:5,p=3", "hypercube:4,p=2", "mesh:4x3x5", "mesh:7,p=2", "torus:5x4x3,p=2",
        "torus:4x4x4,p=1", "torus:6x8,p=3", "torus:7x5x6", "torus:3x3,p=2", "ring:7,p=2", "ring:8,p=3"}) {
    const Network network = make_network(spec);
    const Routing by_rule = written_down(network, *dimension_order_rule(network));
    const Routing stored = routed(network, "dor:sl2vl=0", 8);
    EXPECT_TRUE(by_rule.table() == stored.table()) << spec;
    for (const TerminalId s : network.terminals()) {
      for (const TerminalId d : network.terminals()) {
        if (network.router_of(s) == network.router_of(d)) continue;
        ASSERT_EQ(by_rule.service_levels.get(s, d), stored.service_levels.get(s, d)) << spec;
      }
    }
  }
}

/// Of two levels entry for entry, where packets come to: elsewhere an engine may write anything. With more
/// the engine meets destinations in another order, and takes other routers of a level to the same loads.
TEST(Rules, DModKIsTheTableOfFtree) {
  for (const char* spec : {"xgft:m=6,w=3", "fattree2:6", "fattree2:10", "xgft:m=5,w=4,terminals=20"}) {
    const Network network = make_network(spec);
    const Routing by_rule = written_down(network, *d_mod_k_rule(network));
    const Routing stored = routed(network, "ftree", 1);
    for (const TerminalId s : network.terminals()) {
      for (const TerminalId d : network.terminals()) {
        for (RouterId at = network.router_of(s); at != network.router_of(d);) {
          const ChannelId next = by_rule.table().next(network, at, d);
          ASSERT_EQ(next, stored.table().next(network, at, d)) << spec;
          at = network.target(next);
        }
      }
    }
  }
}

/// Channels between two levels of a full tree carry as much as the busiest of them must: all alike.
TEST(Rules, DModKLoadsAFullTreeEvenly) {
  for (const char* spec : {"fattree3:4", "fattree3:8", "fattree3:12", "xgft:m=3x3x3,w=3x3x3",
                           "xgft:m=4x4,w=4x4", "xgft:m=2x2x2x2,w=2x2x2x2"}) {
    const Network network = make_network(spec);
    const Routing routing = written_down(network, *d_mod_k_rule(network));
    Progress quiet;
    EXPECT_TRUE(verify(network, routing, {}, quiet).minimal()) << spec;
    const std::vector<std::uint64_t> load = channel_load(network, routing, 1);
    std::vector<std::uint64_t> of_level(16, 0);
    for (const ChannelId c : network.channels()) {
      const std::uint32_t from = network.levels()[network.source(c).value];
      const std::uint32_t to = network.levels()[network.target(c).value];
      std::uint64_t& known = of_level[2 * std::min(from, to) + (from < to ? 1 : 0)];
      if (known == 0) known = load[c.value];
      EXPECT_EQ(load[c.value], known) << spec << " " << network.channel_name(c);
    }
    EXPECT_EQ(*std::max_element(load.begin(), load.end()),
              load_statistics(channel_load(network, routed(network, "ftree", 1), 1)).max)
        << spec;
  }
}

/// By definition: to the router that has the cable, by the cable, to the destination.
TEST(Rules, DragonflyTakesOneGlobalCable) {
  const struct {
    const char* spec;
    std::uint32_t group;
  } cases[] = {{"dragonfly:a=4,h=2,p=2", 4},
               {"dragonfly:a=3,h=1,p=3", 3},
               {"dragonfly:a=6,h=3,p=1", 6},
               {"dragonfly:a=3,h=2,groups=4,arrangement=circulant", 3},
               {"dragonfly:a=2,h=3,groups=5,arrangement=relative", 2}};
  for (const auto& known : cases) {
    const Network network = make_network(known.spec);
    const Routing routing = written_down(network, *dragonfly_rule(network, known.group));
    for (const TerminalId s : network.terminals()) {
      for (const TerminalId d : network.terminals()) {
        std::uint32_t globals = 0;
        std::uint32_t locals_before = 0;
        std::uint32_t locals_after = 0;
        for (RouterId at = network.router_of(s); at != network.router_of(d);) {
          const ChannelId next = routing.table().next(network, at, d);
          ASSERT_TRUE(next.valid()) << known.spec;
          const RouterId to = network.target(next);
          if (at.value / known.group != to.value / known.group) {
            ++globals;
          } else {
            ++(globals == 0 ? locals_before : locals_after);
          }
          ASSERT_LE(globals + locals_before + locals_after, 3U) << known.spec;
          at = to;
        }
        const bool within =
            network.router_of(s).value / known.group == network.router_of(d).value / known.group;
        EXPECT_EQ(globals, within ? 0U : 1U) << known.spec;
        EXPECT_LE(locals_before, 1U) << known.spec;
        EXPECT_LE(locals_after, 1U) << known.spec;
      }
    }
  }
}

TEST(Rules, AreRefusedWhereTheNetworkIsNotOfTheFamily) {
  const Network torus = make_network("torus:4x4,p=2");
  const Network tree = make_network("fattree3:4");
  const Network dragonfly = make_network("dragonfly:a=4,h=2,p=2");
  EXPECT_EQ(refusal([&] { (void)dimension_order_rule(tree); }),
            "rule dimension-order: its routers have no coordinates");
  EXPECT_EQ(
      refusal([&] { (void)dimension_order_rule(make_network("torus:4x4x4x4")); }),
      "rule dimension-order: 4 dimensions of torus:4x4x4x4 are rings of more than three routers, at most 3 "
      "are taken on");
  EXPECT_THAT(refusal([&] { (void)dimension_order_rule(make_network("hyperx:3x3,cables=2")); }),
              testing::HasSubstr("rule dimension-order: parallel cables, "));
  EXPECT_EQ(refusal([&] { (void)d_mod_k_rule(torus); }),
            "rule d-mod-k: not a whole XGFT, its routers have no levels");
  EXPECT_EQ(refusal([&] { (void)dragonfly_rule(dragonfly, 5); }),
            "rule dragonfly: groups of 5 do not divide 36 routers");
  EXPECT_THAT(refusal([&] { (void)dragonfly_rule(dragonfly, 6); }),
              testing::HasSubstr("which are of one group of 6"));
  EXPECT_THAT(refusal([&] { (void)dragonfly_rule(dragonfly, 2); }),
              testing::HasSubstr("rule dragonfly: no cable from group"));
}

/// Each cable of each family, cut: the rule says so, whichever it is.
TEST(Rules, AreRefusedWhereACableIsMissing) {
  const auto cut = [](const char* spec, const auto& make) {
    const Network whole = make_network(spec);
    for (const ChannelId c : whole.channels()) {
      Faults faults;
      faults.channels = {std::min(c, whole.reverse(c)), std::max(c, whole.reverse(c))};
      const Network broken = with_faults(whole, faults);
      EXPECT_NE(refusal([&] { (void)make(broken); }), "") << spec << " " << whole.channel_name(c);
    }
  };
  cut("hyperx:3x4", dimension_order_rule);
  cut("torus:4x5", dimension_order_rule);
  cut("fattree3:4", d_mod_k_rule);
  cut("dragonfly:a=3,h=1", [](const Network& network) { return dragonfly_rule(network, 3); });
}

}  // namespace
}  // namespace unknot
