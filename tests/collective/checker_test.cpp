// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/checker.hpp"

#include <gtest/gtest.h>

#include "collective/schedules.hpp"

namespace unknot {
namespace {

using testing::nodes;
using testing::problem_on;

TEST(Checker, AcceptsKnownConstructions) {
  for (std::uint32_t d = 1; d <= 6; ++d) {
    const std::string spec = "hypercube:" + std::to_string(d);
    EXPECT_TRUE(check_schedule(problem_on(spec, "AAS"), testing::hypercube_exchange(d)).valid()) << spec;
    EXPECT_TRUE(check_schedule(problem_on(spec, "OAB"), testing::recursive_doubling(d)).valid()) << spec;
  }
  for (std::uint32_t n = 3; n <= 9; ++n) {
    const ScheduleVerdict verdict =
        check_schedule(problem_on("ring:" + std::to_string(n), "AAB"), testing::ring_gossip(n));
    EXPECT_TRUE(verdict.valid()) << n << (verdict.valid() ? "" : verdict.findings[0].first);
  }
}

}  // namespace
}  // namespace unknot
