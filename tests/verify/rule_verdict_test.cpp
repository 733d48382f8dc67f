// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/rules/rule_verdict.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "routed.hpp"
#include "unknot/load/channel_load.hpp"
#include "unknot/routing/rules/rules.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/random.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

using MakeRule = std::function<std::unique_ptr<ForwardingRule>(const Network&)>;

MakeRule groups_of(std::uint32_t group) {
  return [=](const Network& network) { return dragonfly_rule(network, group); };
}

/// Small networks of each rule's family.
const struct RuleCase {
  const char* spec;
  MakeRule make;
} kRuleCases[] = {
    {"hyperx:4x3x3,p=2", dimension_order_rule},
    {"hyperx:5,p=3", dimension_order_rule},
    {"hypercube:4,p=2", dimension_order_rule},
    {"mesh:4x3x5", dimension_order_rule},
    {"torus:5x4x3,p=2", dimension_order_rule},
    {"torus:4x4x4,p=1", dimension_order_rule},
    {"torus:6x8,p=3", dimension_order_rule},
    {"torus:7x5x6", dimension_order_rule},
    {"ring:7,p=2", dimension_order_rule},
    {"xgft:m=6,w=3", d_mod_k_rule},
    {"xgft:m=4x3,w=2x2", d_mod_k_rule},
    {"xgft:m=2x3x2,w=1x2x3,terminals=25", d_mod_k_rule},
    {"xgft:m=4x4x3,w=2x3x4", d_mod_k_rule},
    {"fattree2:6", d_mod_k_rule},
    {"fattree3:4", d_mod_k_rule},
    {"fattree3:8", d_mod_k_rule},
    {"dragonfly:a=4,h=2,p=2", groups_of(4)},
    {"dragonfly:a=3,h=1,p=3", groups_of(3)},
    {"dragonfly:a=3,h=2,groups=4,arrangement=circulant", groups_of(3)},
    {"dragonfly:a=2,h=3,groups=5,arrangement=relative,p=2", groups_of(2)},
};

TEST(RuleVerdict, IsThatOfTheTablesWrittenDown) {
  for (const RuleCase& one : kRuleCases) {
    const Network network = make_network(one.spec);
    const std::unique_ptr<ForwardingRule> rule = one.make(network);
    const Routing routing = written_down(network, *rule);
    Progress quiet;
    const Verdict tables = verify(network, routing, {}, quiet);
    const RuleVerdict verdict = verify_rule(network, *rule, 1, quiet);
    EXPECT_TRUE(verdict.usable()) << one.spec;
    EXPECT_TRUE(tables.usable()) << one.spec;
    EXPECT_EQ(verdict.pairs, tables.pairs) << one.spec;
    EXPECT_EQ(verdict.total_hops, tables.total_hops) << one.spec;
    EXPECT_EQ(verdict.max_hops, tables.max_hops) << one.spec;
    EXPECT_EQ(verdict.dependencies, tables.dependencies) << one.spec;
    EXPECT_EQ(verdict.lanes_used, tables.lanes_used) << one.spec;
    EXPECT_EQ(verdict.load, channel_load(network, routing, 1)) << one.spec;
    const RuleVerdict on_three = verify_rule(network, *rule, 3, quiet);
    EXPECT_EQ(on_three.load, verdict.load) << one.spec;
    EXPECT_EQ(on_three.dependencies, verdict.dependencies) << one.spec;
  }
}

/// Tables as a rule, whatever they say.
class TableRule : public ForwardingRule {
 public:
  TableRule(const Network& network, const Routing& routing) : network_(network), routing_(routing) {}
  [[nodiscard]] std::string name() const override { return "tables"; }
  [[nodiscard]] std::uint32_t kinds() const override {
    std::uint32_t most = 1;
    for (const RouterId r : network_.routers()) most = std::max(most, network_.terminals_at(r).size());
    return most;
  }
  [[nodiscard]] std::uint32_t lanes() const override { return routing_.virtual_lanes; }
  [[nodiscard]] std::uint64_t bytes() const override { return routing_.table().bytes().size(); }
  void column(TerminalId destination, std::span<std::uint16_t> position) const override {
    for (const RouterId r : network_.routers())
      position[r.value] = static_cast<std::uint16_t>(routing_.table().get(r, destination));
  }
  void levels(TerminalId destination, std::span<std::uint8_t> level) const override {
    for (const RouterId r : network_.routers()) {
      const auto here = network_.terminals_at(r);
      level[r.value] = here.empty() ? 0 : routing_.service_levels.get(here[0], destination);
    }
  }

 private:
  const Network& network_;
  const Routing& routing_;
};

/// Tables of engines, and the same with entries at random: loops, holes, cycles of channels.
TEST(RuleVerdict, FindsWhatIsWrong) {
  std::uint32_t cyclic = 0;
  std::uint32_t incomplete = 0;
  for (const char* spec : {"torus:4x4,p=2", "torus:5x3", "fattree3:4", "dragonfly:a=3,h=1,p=2"}) {
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
      const Network network = make_network(spec);
      Routing routing = routed(network, seed % 2 == 0 ? "minhop" : "dfsssp", 8);
      Random random(seed);
      for (std::uint32_t i = 0; i < seed / 4; ++i) {
        const RouterId r(random.below(network.router_count()));
        const TerminalId t(random.below(network.terminal_count()));
        if (network.router_of(t) == r) continue;
        const std::uint32_t position = random.below(network.out(r).size() + 1);
        routing.table().set(r, t, position == network.out(r).size() ? ForwardingTable::kNone : position);
      }
      Progress quiet;
      const Verdict tables = verify(network, routing, {}, quiet);
      const RuleVerdict verdict = verify_rule(network, TableRule(network, routing), 2, quiet);
      EXPECT_EQ(verdict.unroutable_pairs, tables.unroutable_pairs) << spec << " " << seed;
      EXPECT_EQ(verdict.looping_pairs, tables.looping_pairs) << spec << " " << seed;
      EXPECT_EQ(verdict.total_hops, tables.total_hops) << spec << " " << seed;
      EXPECT_EQ(verdict.usable(), tables.usable()) << spec << " " << seed;
      if (!tables.complete()) {
        ++incomplete;
        continue;
      }
      EXPECT_EQ(verdict.dependencies, tables.dependencies) << spec << " " << seed;
      if (tables.deadlock_free) continue;
      ++cyclic;
      ASSERT_EQ(verdict.cycle.size(), tables.witness->steps.size()) << spec << " " << seed;
      for (std::size_t i = 0; i < verdict.cycle.size(); ++i) {
        EXPECT_EQ(network.target(verdict.cycle[i]),
                  network.source(verdict.cycle[(i + 1) % verdict.cycle.size()]));
      }
    }
  }
  EXPECT_GT(cyclic, 10U);
  EXPECT_GT(incomplete, 10U);
}

}  // namespace
}  // namespace unknot
