// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/solvers/portfolio.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "collective/schedules.hpp"
#include "effort.hpp"
#include "evolve/thread_exchange.hpp"
#include "unknot/collective/bounds/lower_bound.hpp"
#include "unknot/collective/check/checker.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

struct Case {
  const char* spec;
  const char* collective;
  std::uint32_t steps;
};

SolveOptions from_bound(const Problem& problem) {
  SolveOptions options;
  options.lower_bound = lower_bound(problem).steps;
  return options;
}

/// Fewest steps of every pattern on networks of every kind, as exact methods found them. The thesis has 9 for
/// AAS on torus 4x4 and hypercube-16, 31 for Levi, 20 for AAB on b-tree-16.
TEST(Portfolio, ReachesTheReferenceValues) {
  Progress silent;
  for (const Case& c : std::vector<Case>{{"hypercube:4", "OAS", 4},
                                         {"hypercube:4", "AAS", 8},
                                         {"hypercube:4", "OAB", 2},
                                         {"hypercube:4", "AAB", 4},
                                         {"hypercube:6", "AAB", 11},
                                         {"hypercube:8", "OAB", 3},
                                         {"torus:4x4", "AAS", 8},
                                         {"torus:12x12", "AAS", 216},
                                         {"torus:8x8", "AAB", 16},
                                         {"mesh:4x4", "OAS", 8},
                                         {"mesh:4x4", "AAB", 8},
                                         {"levi", "AAS", 28},
                                         {"levi", "OAB", 3},
                                         {"levi", "AAB", 10},
                                         {"kautz:b=3,n=2,oriented=1", "AAS", 7},
                                         {"kautz:b=3,n=3,oriented=1", "AAB", 12},
                                         {"fat:2,spidergon:6", "OAB", 4},
                                         {"fat:2,spidergon:6", "AAB", 11},
                                         {"fattree:8", "AAS", 7},
                                         {"btree:8", "AAB", 7},
                                         {"clos:12", "AAB", 11},
                                         {"ring:8", "AOG", 4},
                                         {"ring:8", "AOR", 2},
                                         {"ring:8", "MNB", 4}}) {
    const Problem problem = testing::problem_on(c.spec, c.collective);
    if (fewer_cases() && problem.messages() > 1000) continue;
    const Solution found = solve(problem, "auto", from_bound(problem), silent);
    EXPECT_EQ(found.conflicts, 0U) << c.spec << ' ' << c.collective;
    EXPECT_EQ(found.steps, c.steps) << c.spec << ' ' << c.collective;
    EXPECT_EQ(found.fewest, c.steps) << c.spec << ' ' << c.collective;
    EXPECT_TRUE(check_schedule(problem, found.schedule).valid()) << c.spec << ' ' << c.collective;
  }
}

TEST(Portfolio, SameSeedSameScheduleAtAnyNumberOfThreads) {
  Progress silent;
  for (const char* const collective : {"AAS", "AAB", "OAB"}) {
    const Problem problem = testing::problem_on("mesh:3x4", collective);
    SolveOptions options = from_bound(problem);
    options.threads = 1;
    const Solution one = solve(problem, "auto", options, silent);
    options.threads = 3;
    EXPECT_EQ(one.schedule, solve(problem, "auto", options, silent).schedule) << collective;
  }
}

/// The user wants to stop once this many questions were asked.
class Impatient final : public Progress {
 public:
  explicit Impatient(std::uint64_t patience) : patience_(patience) {}
  [[nodiscard]] bool interrupted() const override { return ++asked_ > patience_; }
  [[nodiscard]] std::uint64_t asked() const { return asked_; }

 private:
  std::uint64_t patience_;
  mutable std::uint64_t asked_ = 0;
};

/// Above the bound the search would go on for long; what was found by then is not lost.
TEST(Portfolio, KeepsWhatItHasWhenInterrupted) {
  const Problem problem = testing::problem_on("kautz:b=3,n=3,oriented=1", "AAS");
  Impatient at_once(0);
  EXPECT_THROW((void)solve(problem, "auto", from_bound(problem), at_once), Interrupted);
  SolveOptions options = from_bound(problem);
  options.threads = 1;
  bool kept = false;
  for (std::uint64_t patience = 250; patience <= 1'024'000 && !kept; patience *= 4) {
    Impatient user(patience);
    try {
      const Solution found = solve(problem, "auto:levels=1", options, user);
      kept = true;
      EXPECT_EQ(found.conflicts, 0U);
      EXPECT_TRUE(check_schedule(problem, found.schedule).valid());
      EXPECT_EQ(found.out_of_time, user.asked() > patience);
    } catch (const Interrupted&) {
    }
  }
  EXPECT_TRUE(kept);
}

TEST(Portfolio, EndsWhenTheTimeIsUp) {
  Progress silent;
  const Problem problem = testing::problem_on("mesh:12x12", "AAS");
  SolveOptions options = from_bound(problem);
  options.seconds = 1e-9;
  const Solution none = solve(problem, "auto", options, silent);
  EXPECT_TRUE(none.out_of_time);
  EXPECT_EQ(none.conflicts, problem.messages());
  EXPECT_EQ(none.schedule.step_count(), none.steps);
}

TEST(Portfolio, DoesNotShareItsWork) {
  const Problem problem = testing::problem_on("ring:4", "OAS");
  for (const bool refused : evolve::on_processes(2, [&](evolve::Exchange& exchange) {
         Progress silent;
         SolveOptions options;
         options.exchange = &exchange;
         try {
           (void)solve(problem, "auto", options, silent);
         } catch (const InputError&) {
           return true;
         }
         return false;
       })) {
    EXPECT_TRUE(refused);
  }
}

/// Small formulas are solved before a long search by others: six steps, and a proof that there are no fewer.
TEST(Portfolio, ProvesWhatIsSmall) {
  NetworkBuilder builder;
  builder.add_routers(2);
  builder.add_cable(RouterId(0), RouterId(1));
  for (const std::uint32_t r : {0U, 0U, 1U}) builder.add_terminal(RouterId(r));
  const Network network = std::move(builder).build();
  const auto graph = std::make_shared<const NodeGraph>(
      network, NodeGraphOptions{NodeModel::terminals, LinkClass::half_duplex, 1});
  const Problem problem = make_collective(graph, "AAS");
  SolveOptions options;
  options.lower_bound = lower_bound(problem).steps;
  Progress silent;
  const Solution found = solve(problem, "auto", options, silent);
  EXPECT_EQ(found.conflicts, 0U);
  EXPECT_EQ(found.steps, 6U);
  EXPECT_EQ(found.fewest, 6U);
}

}  // namespace
}  // namespace unknot
