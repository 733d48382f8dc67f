// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "cli/run_command.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class BoundFiles : public InFolder {};

TEST(Bound, OverAllTrafficStandsAlone) {
  const Result result = run("bound torus:4x4,p=2 --tub --json");
  EXPECT_EQ(result.code, 0);
  const nlohmann::json document = result.json();
  EXPECT_EQ(document["tub"], 0.5);
  EXPECT_EQ(document["all_traffic"]["saturation"], 0.5);
  EXPECT_EQ(document["all_traffic"]["channels"], 64);
  EXPECT_EQ(document["all_traffic"]["length"], 128);
  EXPECT_EQ(document["all_traffic"]["longest"], 128);
  EXPECT_EQ(document["all_traffic"]["exact"], true);
  EXPECT_TRUE(document["pattern"].is_null());
  EXPECT_TRUE(document["bounds"].empty());
  EXPECT_THAT(run("bound torus:4x4,p=2 --tub").out, Not(HasSubstr("max load")));
}

TEST(Bound, OverAllTrafficStandsBesideAPattern) {
  const nlohmann::json document =
      run("bound hyperx:4x4,p=4 --tub --pattern longest-matching --optimal --json").json();
  EXPECT_EQ(document["bounds"].size(), 2U);
  EXPECT_EQ(document["tub"], 0.75);
  EXPECT_LE(document["optimal"]["saturation"]["upper"], 0.75 + 1e-9);
  const nlohmann::json without = run("bound hyperx:4x4,p=4 --json").json();
  EXPECT_TRUE(without["tub"].is_null());
  EXPECT_TRUE(without["all_traffic"].is_null());
  EXPECT_EQ(without["pattern"], "uniform");
}

TEST_F(BoundFiles, OverAllTrafficIsNoneWhereNoneLeavesARouter) {
  write("one.json",
        R"({"format":"unknot-network","version":1,"routers":1,"cables":[],"terminals":[[0,1],[0,2]]})");
  const Result inside = run("bound one.json --tub --json");
  EXPECT_EQ(inside.code, 0) << inside.err;
  EXPECT_TRUE(inside.json()["tub"].is_null());
  EXPECT_EQ(inside.json()["all_traffic"]["saturation"], 1);
  EXPECT_THAT(run("bound one.json --tub").out, HasSubstr("no traffic leaves a router"));
}

}  // namespace
}  // namespace unknot::cli::test
