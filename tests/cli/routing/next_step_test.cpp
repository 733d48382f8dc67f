// SPDX-License-Identifier: Apache-2.0
// A refusal names what helps, and that helps.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "../run_command.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class NextStep : public InFolder {};

TEST_F(NextStep, TooFewLanes) {
  const Result few = run("route torus:4x4x4 --engine dfsssp --vls 2 --traffic data");
  EXPECT_EQ(few.code, 1);
  EXPECT_THAT(few.err, AllOf(HasSubstr("needs 5 virtual lanes here, 2 are allowed"),
                             HasSubstr("; --vls 5 allows as many"),
                             HasSubstr("the engines unknot and nue make do with fewer")));
  EXPECT_EQ(run("route torus:4x4x4 --engine dfsssp --vls 5 --traffic data").code, 0);
  for (const char* engine : {"unknot:effort=0.05", "nue"}) {
    EXPECT_EQ(run(std::string("route torus:4x4x4 --vls 2 --traffic data --engine ") + engine).code, 0)
        << engine;
  }
  // No hardware has so many.
  const Result most = run("route torus:16x16 --engine dfsssp --traffic data");
  EXPECT_EQ(most.code, 1);
  EXPECT_THAT(most.err,
              AllOf(HasSubstr("needs 21 virtual lanes"), Not(HasSubstr("--vls")), HasSubstr("nue make do")));
}

TEST_F(NextStep, AnEngineThatDoesNotFit) {
  const std::string fabric = "random:switches=10,links=18,terminals=6,seed=4";
  const Result failed = run("route " + fabric + " --engine dor");
  EXPECT_EQ(failed.code, 1);
  EXPECT_THAT(failed.err, HasSubstr("does not fit this network: its routers have no coordinates"));
  EXPECT_THAT(failed.err, HasSubstr("unknot route FABRIC --engine all shows which engines do"));
  EXPECT_EQ(run("route " + fabric + " --engine all").code, 0);
}

TEST_F(NextStep, TablesWithoutTheirLevels) {
  ASSERT_EQ(run("route torus:4x4 --engine dfsssp -o tables --lanes lanes").code, 0);
  const Result without = run("verify torus:4x4 tables");
  EXPECT_EQ(without.code, 1);
  EXPECT_THAT(
      without.out,
      HasSubstr("All on lane 0: service levels that belong to the tables are named with --lanes FILE."));
  const Result with = run("verify torus:4x4 tables --lanes lanes");
  EXPECT_EQ(with.code, 0);
  EXPECT_THAT(with.out, Not(HasSubstr("--lanes FILE")));
}

TEST_F(NextStep, TablesOfAnotherFabric) {
  ASSERT_EQ(run("route torus:4x4 --engine dfsssp -o tables --lanes lanes").code, 0);
  const Result smaller = run("verify torus:4x3 tables --lanes lanes");
  EXPECT_EQ(smaller.code, 2);
  EXPECT_THAT(smaller.err, HasSubstr("the tables are of another fabric, or of this one before a change"));
  const Result larger = run("verify torus:4x5 tables --lanes lanes");
  EXPECT_EQ(larger.code, 2);
  EXPECT_THAT(larger.err, HasSubstr("to H-16, which has no LID: the tables are of another fabric"));
  EXPECT_EQ(run("topology torus:4x4 -o before --format json").code, 0);
  EXPECT_EQ(run("topology torus:4x4 --fail cables=S-0-S-1 -o after --format json").code, 0);
  EXPECT_EQ(run("reroute before --to after --tables tables --lanes lanes -o new --new-lanes new-lanes").code,
            0);
}

TEST_F(NextStep, FilesInEachOthersPlace) {
  ASSERT_EQ(run("route torus:4x4 --engine dfsssp -o tables --lanes lanes").code, 0);
  const Result tables = run("info tables");
  EXPECT_EQ(tables.code, 2);
  EXPECT_THAT(tables.err,
              HasSubstr("tables: routing tables (format opensm), where a fabric is expected: unknot verify "
                        "FABRIC tables proves them"));
  const Result levels = run("verify torus:4x4 lanes");
  EXPECT_EQ(levels.code, 2);
  EXPECT_THAT(levels.err, HasSubstr("; a file of service levels is named with --lanes"));
}

}  // namespace
}  // namespace unknot::cli::test
