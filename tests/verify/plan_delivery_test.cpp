// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/transition/plan_delivery.hpp"

#include <gtest/gtest.h>

#include <set>

#include "unknot/verify/verify.hpp"
#include "verify/random_routings.hpp"
#include "verify/reference_checker.hpp"

namespace unknot {
namespace {

using testing::Outcome;

std::vector<std::uint64_t> undelivered(const Network& network, const Routing& before,
                                       const std::vector<TransitionStep>& steps, std::uint32_t threads = 1) {
  Routing after = before;
  for (const TransitionStep& step : steps) apply_step(step, after);
  Progress quiet;
  const std::uint64_t end = verify(network, after, {}, quiet).unroutable_pairs;
  return undelivered_in_steps(network, before, steps, end, threads);
}

/// Every mixture of a step, one after the other, each pair walked hop by hop.
std::uint64_t undelivered_in_some_mixture(const Network& network, const Routing& before,
                                          const TransitionStep& step) {
  std::set<std::pair<TerminalId, TerminalId>> pairs;
  const std::size_t changes = step.entries.size() + step.levels.size();
  for (std::uint32_t made = 0; made < 1U << changes; ++made) {
    TransitionStep part;
    for (std::size_t i = 0; i < step.entries.size(); ++i) {
      if ((made >> i & 1U) != 0) part.entries.push_back(step.entries[i]);
    }
    for (std::size_t i = 0; i < step.levels.size(); ++i) {
      if ((made >> (step.entries.size() + i) & 1U) != 0) part.levels.push_back(step.levels[i]);
    }
    Routing mixture = before;
    apply_step(part, mixture);
    for (const TerminalId d : network.terminals()) {
      for (const TerminalId s : network.terminals()) {
        if (s != d && testing::reference_path(network, mixture, s, d).outcome != Outcome::delivered)
          pairs.emplace(s, d);
      }
    }
  }
  return pairs.size();
}

TransitionStep random_step(const Network& network, const Routing& routing, Random& random) {
  TransitionStep step;
  std::set<std::pair<std::uint32_t, std::uint32_t>> changed;  // each thing once, as a file has it
  for (std::uint32_t i = random.below(5); i > 0; --i) {
    const RouterId r(random.below(network.router_count()));
    const TerminalId d(random.below(network.terminal_count()));
    if (!changed.emplace(r.value, d.value).second) continue;
    const std::uint32_t marks[] = {ForwardingTable::kNone, ForwardingTable::kHere, ForwardingTable::kStray};
    const std::uint32_t degree = network.out(r).size();
    const std::uint32_t after =
        degree == 0 || random.below(4) == 0 ? marks[random.below(3)] : random.below(degree);
    step.entries.push_back({r, d, 0, after});
  }
  changed.clear();
  for (std::uint32_t i = routing.service_levels.empty() ? 0 : random.below(3); i > 0; --i) {
    const std::uint32_t row = random.below(routing.service_levels.row_count());
    const TerminalId d(random.below(network.terminal_count()));
    if (!changed.emplace(row, d.value).second) continue;
    const std::uint8_t levels[] = {0, 1, 2, ServiceLevels::kMissing};
    step.levels.push_back({row, d, 0, levels[random.below(4)]});
  }
  return step;
}

TEST(PlanDelivery, IsWhatEveryMixtureOfAStepDelivers) {
  std::uint32_t compared = 0, lossy = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const testing::RandomCase made = testing::random_case(seed, 5, 2);
    if (made.routing.lane_map != nullptr || made.network.terminal_count() == 0) continue;
    SCOPED_TRACE(seed);
    Random random(seed, 5);
    std::vector<TransitionStep> steps;
    for (std::uint32_t i = 1 + random.below(3); i > 0; --i)
      steps.push_back(random_step(made.network, made.routing, random));
    const std::vector<std::uint64_t> counts = undelivered(made.network, made.routing, steps);
    EXPECT_EQ(undelivered(made.network, made.routing, steps, 3), counts);
    Routing at = made.routing;
    for (std::size_t k = 0; k < steps.size(); ++k) {
      EXPECT_EQ(counts[k], undelivered_in_some_mixture(made.network, at, steps[k])) << k;
      apply_step(steps[k], at);
      ++compared;
      lossy += counts[k] > 0 ? 1 : 0;
    }
  }
  EXPECT_GT(compared, 200U);
  EXPECT_GT(lossy, 100U);
  EXPECT_GT(compared - lossy, 10U);
}

TEST(PlanDelivery, APathThatIsWithdrawnForAWhileIsNotDeliveredMeanwhile) {
  const Network network = testing::ring(3);
  Routing before = testing::shortest_paths(network, 1);
  before.service_levels = ServiceLevels(network, ServiceLevels::Rows::by_router);
  const TransitionStep withdraw{"", {}, {{0, TerminalId(1), 0, ServiceLevels::kMissing}}};
  const TransitionStep again{"", {}, {{0, TerminalId(1), 0, 0}}};
  EXPECT_EQ(undelivered(network, before, {withdraw, {}, again, {}}),
            (std::vector<std::uint64_t>{1, 1, 1, 0}));
  // A level that has no lane, and a hole in the table of a router that is on the way.
  limit_lanes(before, 2);
  const TransitionStep too_high{"", {}, {{0, TerminalId(1), 0, 2}}};
  const std::uint32_t entry = before.table().get(RouterId(2), TerminalId(1));
  const TransitionStep hole{"", {{RouterId(2), TerminalId(1), entry, ForwardingTable::kNone}}, {}};
  const TransitionStep filled{"", {{RouterId(2), TerminalId(1), ForwardingTable::kNone, entry}}, {}};
  EXPECT_EQ(undelivered(network, before, {too_high, hole, again, filled}),
            (std::vector<std::uint64_t>{1, 2, 2, 1}));
  EXPECT_TRUE(undelivered(network, before, {}).empty());
}

}  // namespace
}  // namespace unknot
