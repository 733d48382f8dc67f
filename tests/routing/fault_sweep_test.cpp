// SPDX-License-Identifier: Apache-2.0
// Failures by the hundred, one after the other on each fabric: every new table and every step to it is
// proven, and each repair brings back a routing of the whole. A few by default; UNKNOT_FAULT_SWEEP=1000,200
// makes scripts/nightly-faults' number of single and of multiple failures.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "unknot/engines/catalogue.hpp"
#include "unknot/network/connectivity.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/routing/reroute/reroute.hpp"
#include "unknot/routing/reroute/transition.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/transition/plan_check.hpp"
#include "unknot/verify/transition/transition_check.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

/// Fabrics, with the engine whose tables fail, and the lanes the hardware has.
struct SweepFabric {
  const char* spec;
  const char* engine;
  std::uint32_t lanes;
};
std::ostream& operator<<(std::ostream& out, const SweepFabric& fabric) {
  return out << fabric.spec;
}
const std::vector<SweepFabric> kSweepFabrics{
    {"xgft:m=6x6,w=3x3,p=2", "sssp", 8},    {"torus:4x4x3,p=2", "dfsssp", 8},
    {"kautz:b=3,n=3,p=2", "dfsssp", 8},     {"random:switches=40,links=100,terminals=100", "updn", 2},
    {"dragonfly:a=4,h=2,p=2", "dfsssp", 8},
};

struct Size {
  std::uint32_t single = 60;
  std::uint32_t multiple = 15;
};

Size sweep_size() {
  Size size;
  if (const char* text = std::getenv("UNKNOT_FAULT_SWEEP"); text != nullptr)
    std::sscanf(text, "%u,%u", &size.single, &size.multiple);
  return size;
}

struct Totals {
  std::uint32_t runs = 0, disconnected = 0, refused = 0, detoured = 0, drained = 0;
  std::uint64_t changed = 0, minimum = 0, alive = 0;
};

class FaultSweep : public testing::TestWithParam<SweepFabric> {
 protected:
  void SetUp() override {
    whole_ = make_network(GetParam().spec);
    old_ = route(whole_, GetParam().engine, {.virtual_lanes = GetParam().lanes, .parameters = {}}, quiet_);
  }

  /// Proves tables and transition of one change.
  Routing change(const Network& before, const Routing& old, const Network& after, const std::string& name) {
    const Rerouted result =
        reroute(before, old, after, compare_networks(before, after), GetParam().lanes, quiet_);
    const std::uint64_t cut_off = disconnected_pairs(after).count;
    const Verdict verdict = verify(after, result.routing, {}, quiet_);
    EXPECT_EQ(verdict.unroutable_pairs, cut_off) << name;
    EXPECT_EQ(verdict.looping_pairs, 0U) << name;
    EXPECT_TRUE(verdict.deadlock_free) << name;
    const Transition transition =
        plan_transition(after, result, [&](const Routing& from, std::span<const TransitionStep> steps) {
          return verify_plan(after, from, steps, 1, quiet_).first_unsafe();
        });
    Routing at = transition.before;
    for (const TransitionStep& step : transition.steps) {
      Routing next = at;
      apply_step(step, next);
      EXPECT_TRUE(verify_transition(after, at, next, 1, quiet_).deadlock_free) << name << ": " << step.what;
      at = std::move(next);
    }
    EXPECT_EQ(at.table(), result.routing.table()) << name;
    if (!result.routing.service_levels.empty()) {
      EXPECT_EQ(at.service_levels, result.routing.service_levels) << name;
    }
    ++totals_.runs;
    totals_.disconnected += cut_off > 0 ? 1 : 0;
    totals_.detoured += result.detoured > 0 ? 1 : 0;
    totals_.drained += transition.drained > 0 ? 1 : 0;
    totals_.alive += transition.drained_alive;
    totals_.changed += result.entries.size();
    totals_.minimum += result.entries_minimum;
    return result.routing;
  }

  void fail_and_repair(const std::string& faults) {
    const Network after = with_faults(whole_, parse_faults(whole_, faults));
    if (after.terminal_count() == 0) return;
    try {
      const Routing routing = change(whole_, old_, after, faults);
      (void)change(after, routing, whole_, faults + " repaired");
    } catch (const RoutingFailure& failure) {
      // An answer, not a mistake; but it must stay a rare one.
      EXPECT_NE(std::string(failure.what()).find("lanes"), std::string::npos) << faults << failure.what();
      ++totals_.refused;
    }
  }

  void report(const char* kind) const {
    std::printf(
        "%s, %s: %u runs, %u in parts, %u refused, %u with detours, %u drained (%llu paths alive), "
        "%llu entries changed, at least %llu\n",
        GetParam().spec, kind, totals_.runs, totals_.disconnected, totals_.refused, totals_.detoured,
        totals_.drained, static_cast<unsigned long long>(totals_.alive),
        static_cast<unsigned long long>(totals_.changed), static_cast<unsigned long long>(totals_.minimum));
  }

  Progress quiet_;
  Network whole_;
  Routing old_;
  Totals totals_;
};

TEST_P(FaultSweep, SingleFailures) {
  const auto each = sweep_size().single / static_cast<std::uint32_t>(kSweepFabrics.size());
  for (std::uint32_t seed = 1; seed <= each; ++seed) {
    const char* kind = seed % 5 == 0 ? "router-count=1" : "cable-count=1";
    fail_and_repair(std::string(kind) + ",seed=" + std::to_string(seed));
  }
  report("single failures");
  EXPECT_GE(totals_.runs, each);
  EXPECT_LE(totals_.refused * 50, each);
}

TEST_P(FaultSweep, MultipleFailures) {
  const auto each = sweep_size().multiple / static_cast<std::uint32_t>(kSweepFabrics.size());
  for (std::uint32_t seed = 1; seed <= each; ++seed) {
    const std::uint32_t cables = 2 + seed % 7;
    fail_and_repair("cable-count=" + std::to_string(cables) + ",router-count=" + std::to_string(seed % 3) +
                    ",seed=" + std::to_string(seed));
  }
  report("multiple failures");
  EXPECT_GE(totals_.runs, each);
  EXPECT_LE(totals_.refused * 10, each);
}

INSTANTIATE_TEST_SUITE_P(Fabrics, FaultSweep, testing::ValuesIn(kSweepFabrics), [](const auto& row) {
  const std::string spec = row.param.spec;
  return spec.substr(0, spec.find(':'));
});

}  // namespace
}  // namespace unknot
