// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/run_command.hpp"

namespace unknot::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Info, OfOneRouterHasNoBisection) {
  const test::Result said = test::run("info mesh:1,p=2");
  EXPECT_EQ(said.code, 0);
  EXPECT_THAT(said.out, HasSubstr("bisection per terminal  none, there is one router"));
  EXPECT_THAT(said.out, HasSubstr("spectral gap            none, there is one router"));
  EXPECT_THAT(said.out, Not(HasSubstr("too large")));
  EXPECT_THAT(said.out, Not(HasSubstr("shortest paths a pair")));
  EXPECT_TRUE(test::run("info mesh:1,p=2 --json").json()["bisection_per_terminal"].is_null());
}

TEST(Info, OfTwoRoutersHasABisection) {
  EXPECT_THAT(test::run("info mesh:2,p=2").out, HasSubstr("at most 0.5000 (1 cables cut)"));
}

}  // namespace
}  // namespace unknot::cli
