// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/reroute/clos_reroute.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "random_events.hpp"
#include "routed.hpp"
#include "unknot/network/connectivity.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/network/live/live_network.hpp"
#include "unknot/tables/carry_over.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

/// Dumps of a fabric, one event after the other, in one part each; hosts go and come, too.
class Dumps {
 public:
  Dumps(const Network& whole, std::uint32_t seed, bool hosts)
      : live_(whole, parse_faults(whole, "cable-count=3,seed=2")),
        events_(live_, seed),
        random_(seed),
        hosts_(hosts) {}

  Network next() {
    for (;;) {
      live_.apply(events_.next());
      Faults faults = live_.faults();
      if (hosts_ && random_() % 3 == 0) {
        off_ = random_() % 2 == 0 ? std::vector<TerminalId>{}
                                  : std::vector{TerminalId(static_cast<std::uint32_t>(
                                        random_() % live_.network().terminal_count()))};
      }
      faults.terminals = off_;
      Network now = with_faults(live_.network(), faults);
      if (weakly_connected_parts(now).count == 1 && now.terminal_count() > 1) return now;
    }
  }

 private:
  LiveNetwork live_;
  RandomEvents events_;
  std::mt19937 random_;
  bool hosts_;
  std::vector<TerminalId> off_;
};

const char* const kTrees[] = {"xgft:m=4x3,w=2x2", "xgft:m=6,w=4,terminals=20",
                              "xgft:m=4x4,w=2x3,terminals=61", "kary-ntree:k=3,n=3", "deimos"};
constexpr int kSteps = 25;

TEST(ClosReroute, ExactIsWhatTheEngineMakesAnew) {
  Progress quiet;
  for (const char* spec : kTrees) {
    for (const bool hosts : {false, true}) {
      const Network whole = make_network(spec);
      Dumps dumps(whole, 3, hosts);
      Network before = dumps.next();
      Routing old = routed(before, "clos");
      ClosReroute clos({Upkeep::exact, 1});
      for (int step = 0; step < kSteps; ++step) {
        Network now = dumps.next();
        const Rerouted rerouted = clos.reroute(before, old, now, {}, quiet);
        ASSERT_EQ(rerouted.routing.table(), routed(now, "clos").table()) << spec << " step " << step;
        before = std::move(now);
        old = rerouted.routing;
      }
    }
  }
}

/// Somebody starts from the tables in force now and then, as a service that was killed does.
TEST(ClosReroute, StickyDeliversAllOnOneLaneAndSaysWhatChanges) {
  Progress quiet;
  std::uint64_t changed = 0;
  std::uint64_t changed_anew = 0;
  for (const char* spec : kTrees) {
    for (const bool hosts : {false, true}) {
      const Network whole = make_network(spec);
      Dumps dumps(whole, 5, hosts);
      Network before = dumps.next();
      Routing old = routed(before, "clos");
      std::optional<ClosReroute> clos;
      const bool tree = whole.description() != "deimos";  // others are made anew whatever happens
      for (int step = 0; step < kSteps; ++step) {
        if (step % 7 == 0) clos.emplace(LiveOptions{Upkeep::sticky, 1});
        Network now = dumps.next();
        const NetworkChange change = compare_networks(before, now, MovedTerminals::as_new);
        Routing in_force = carry_over(before, old, now, change);
        const Rerouted rerouted = clos->reroute(before, old, now, {}, quiet);
        const Verdict verdict = verify(now, rerouted.routing, {}, quiet);
        ASSERT_TRUE(verdict.complete() && verdict.deadlock_free && verdict.loop_free())
            << spec << " step " << step;
        ASSERT_EQ(verdict.lanes_used, 1U);
        const ForwardingTable anew = routed(now, "clos").table();
        std::uint64_t nowhere = 0;
        for (const RouterId r : now.routers()) {
          for (const TerminalId t : now.terminals())
            changed_anew += tree && anew.get(r, t) != in_force.table().get(r, t) ? 1 : 0;
        }
        for (const EntryChange& entry : rerouted.entries) {
          ASSERT_EQ(in_force.table().get(entry.router, entry.destination), entry.before);
          nowhere += entry.before >= ForwardingTable::kStray ? 1 : 0;
          in_force.table().set(entry.router, entry.destination, entry.after);
        }
        ASSERT_EQ(in_force.table(), rerouted.routing.table());
        ASSERT_EQ(rerouted.entries_minimum, nowhere);
        if (tree) changed += rerouted.entries.size();
        before = std::move(now);
        old = rerouted.routing;
      }
    }
  }
  EXPECT_LT(changed, changed_anew);
}

TEST(ClosReroute, FollowsTablesOfOtherEnginesOnOneLane) {
  Progress quiet;
  const Network whole = make_network("xgft:m=4x4,w=2x3,terminals=61");
  const Network now = with_faults(whole, parse_faults(whole, "cables=0+30"));
  const Routing old = routed(whole, "ftree");
  const Rerouted rerouted = ClosReroute({}).reroute(whole, old, now, {}, quiet);
  EXPECT_TRUE(verify(now, rerouted.routing, {}, quiet).usable());
  EXPECT_LT(rerouted.entries.size(), std::size_t{now.router_count()} * now.terminal_count() / 10);
  // On lanes that levels choose there is nothing to follow.
  const Network torus = make_network("torus:4x4");
  EXPECT_THROW((void)ClosReroute({}).reroute(torus, routed(torus, "dfsssp"), torus, {}, quiet),
               RoutingFailure);
}

TEST(ClosReroute, HeedsRootsThatGoAndComeBack) {
  Progress quiet;
  const Network whole = make_network("xgft:m=4x3,w=2x2");
  std::vector<std::uint64_t> roots;
  for (const RouterId r : whole.routers()) {
    if (whole.levels()[r.value] == 2) roots.push_back(whole.router_guid(r));
  }
  EngineRequest request;
  request.guidance.roots = roots;
  const Network less = with_faults(whole, parse_faults(whole, fmt::format("routers=0x{:x}", roots[0])));
  Routing old = route(whole, "clos", request, quiet);
  const Network* before = &whole;
  ClosReroute clos({Upkeep::exact, 1});
  for (const Network* now : {&less, &whole, &less}) {
    const Rerouted rerouted = clos.reroute(*before, old, *now, roots, quiet);
    EXPECT_EQ(rerouted.routing.table(), route(*now, "clos", request, quiet).table());
    old = rerouted.routing;
    before = now;
  }
}

}  // namespace
}  // namespace unknot
