// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "unknot/engines/catalogue.hpp"
#include "unknot/network/connectivity.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/routing/dealing/legal_reach.hpp"
#include "unknot/routing/up_down/up_down_order.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kNoWay = 1'000'000;

std::vector<Network> some_networks() {
  std::vector<Network> all;
  for (const char* spec : {"dragonfly:a=4,h=2,p=2", "torus:5x4,p=2", "hyperx:4x3x3,p=2", "slimfly:q=5,p=1",
                           "xgft:m=3x3,w=2x2", "kary-ntree:k=3,n=3", "jellyfish:routers=90,degree=5,p=1",
                           "deimos", "random:switches=150,links=260,terminals=150,seed=4", "mesh:1x9,p=1"}) {
    all.push_back(make_network(spec));
    for (const char* faults : {"cable-rate=0.1,seed=3", "cable-rate=0.3,router-count=1,seed=8"})
      all.push_back(with_faults(all.back(), parse_faults(all.back(), faults)));
  }
  return all;
}

/// What the rule says of one destination, router by router, in plain words.
struct Rule {
  std::vector<std::uint32_t> down, hops;
  std::vector<std::uint8_t> goes_down, may_come_down;
};
Rule rule_for(const Network& network, const UpDownOrder& order, RouterId goal) {
  const std::uint32_t routers = network.router_count();
  Rule rule{std::vector<std::uint32_t>(routers, kNoWay), std::vector<std::uint32_t>(routers, kNoWay),
            std::vector<std::uint8_t>(routers, 0), std::vector<std::uint8_t>(routers, 0)};
  rule.down[goal.value] = 0;
  // From the bottom up: whoever stands below has been told.
  for (auto it = order.top_down.rbegin(); it != order.top_down.rend(); ++it) {
    for (const ChannelId c : network.out(RouterId(*it))) {
      const std::uint32_t to = network.target(c).value;
      if (!order.up(RouterId(*it), RouterId(to)))
        rule.down[*it] = std::min(rule.down[*it], rule.down[to] + 1);
    }
  }
  for (const std::uint32_t r : order.top_down) {
    std::uint32_t up = kNoWay;
    for (const ChannelId c : network.out(RouterId(r))) {
      const RouterId to = network.target(c);
      if (order.up(RouterId(r), to)) up = std::min(up, rule.hops[to.value] + 1);
    }
    if (rule.down[r] < kNoWay && (rule.may_come_down[r] != 0 || rule.down[r] <= up)) {
      rule.goes_down[r] = 1;
      rule.hops[r] = rule.down[r];
      for (const ChannelId c : network.out(RouterId(r))) {
        const RouterId to = network.target(c);
        if (!order.up(RouterId(r), to) && rule.down[to.value] + 1 == rule.down[r])
          rule.may_come_down[to.value] = 1;
      }
    } else if (up < kNoWay) {
      rule.hops[r] = up;
    }
  }
  return rule;
}

TEST(ShorterWay, CandidatesAreThoseOfTheRule) {
  std::uint64_t candidates = 0;
  std::uint64_t bound = 0;
  for (const Network& network : some_networks()) {
    const UpDownOrder order = order_below(network, {central_router(network)});
    const LegalReach reach(network, order, LegalReach::Rule::shorter, 2);
    std::vector<LegalReach::Word> set(reach.words());
    std::vector<std::vector<LegalReach::Word>> sets;
    for (const ChannelId c : network.channels()) {
      reach.candidates(network, c, set.data());
      sets.push_back(set);
    }
    std::uint64_t missing = 0;
    for (std::uint32_t d = 0; d < reach.destinations().size(); ++d) {
      const RouterId goal = reach.destinations()[d];
      const Rule rule = rule_for(network, order, goal);
      for (const RouterId r : network.routers()) {
        if (rule.hops[r.value] >= kNoWay)
          missing += std::uint64_t{network.terminals_at(r).size()} * network.terminals_at(goal).size();
        bound += rule.may_come_down[r.value];
      }
      for (const ChannelId c : network.channels()) {
        const RouterId from = network.source(c);
        const RouterId to = network.target(c);
        const bool up = order.up(from, to);
        const std::vector<std::uint32_t>& rest = up ? rule.hops : rule.down;
        const bool wanted = from != goal && rule.hops[from.value] < kNoWay &&
                            up == (rule.goes_down[from.value] == 0) &&
                            rest[to.value] + 1 == rule.hops[from.value];
        ASSERT_EQ((sets[c.value][d / 64] >> d % 64 & 1) != 0, wanted)
            << network.description() << ", " << network.channel_name(c) << " towards router " << goal.value;
        candidates += wanted ? 1 : 0;
      }
    }
    ASSERT_EQ(reach.missing_pairs(), missing) << network.description();
  }
  EXPECT_GT(candidates, 100'000U);
  EXPECT_GT(bound, 5000U);
}

Routing dealt_up_down(const Network& network, std::uint32_t threads) {
  Progress quiet;
  EngineRequest request;
  request.threads = threads;
  return route(network, "updn:paths=dealt", request, quiet);
}

TEST(ShorterWay, DealtUpDownDeliversOnOneLaneWithoutDeadlock) {
  for (const Network& network : some_networks()) {
    Progress quiet;
    if (!refusal(find_engine("updn"), network).empty()) continue;
    const Routing routing = dealt_up_down(network, 1);
    const Verdict verdict = verify(network, routing, {}, quiet);
    EXPECT_EQ(verdict.unroutable_pairs, disconnected_pairs(network).count) << network.description();
    EXPECT_TRUE(verdict.deadlock_free && verdict.loop_free()) << network.description();
    EXPECT_LE(verdict.lanes_used, 1U);
    const Verdict counted = verify(network, route(network, "updn", {}, quiet), {}, quiet);
    // All candidates count for what may come down, so that some go down earlier than one tree has to.
    EXPECT_LE(verdict.mean_hops(), 1.02 * counted.mean_hops()) << network.description();
    EXPECT_EQ(routing.table(), dealt_up_down(network, 3).table()) << network.description();
  }
}

TEST(ShorterWay, RootsAreHeededAndOrdersRefused) {
  Progress quiet;
  const Network network = make_network("torus:4x4,p=2");
  EngineRequest request;
  const Verdict verdict =
      verify(network, route(network, "updn:paths=dealt,roots=5", request, quiet), {}, quiet);
  EXPECT_TRUE(verdict.usable());
  request.guidance.order = {network.terminal_port_guid(TerminalId(3))};
  EXPECT_THROW((void)route(network, "updn:paths=dealt", request, quiet), InputError);
}

}  // namespace
}  // namespace unknot
