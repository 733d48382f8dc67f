// SPDX-License-Identifier: Apache-2.0
// Adaptive groups from the engine to the file, and from the file to the verdict and its proof.
#include <gmock/gmock.h>

#include "cli/run_command.hpp"

namespace unknot::cli::test {
namespace {

class Adaptive : public InFolder {};

TEST_F(Adaptive, GroupsOfATreeAreMadeProvenAndProvenAgain) {
  const Result made = run("route xgft:m=4x4,w=2x2 --engine ftree --adaptive-groups groups --json");
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(made.json()["adaptive"]["method"], "acyclic");
  const Result proven = run("verify xgft:m=4x4,w=2x2 --adaptive groups --write-certificate proof --json");
  EXPECT_EQ(proven.code, 0) << proven.err;
  EXPECT_EQ(proven.json()["deadlock_free"], true);
  EXPECT_EQ(proven.json()["method"], "acyclic");
  EXPECT_EQ(proven.json()["delivers"], true);
  EXPECT_TRUE(proven.json()["witness"].is_null());
  const Result again = run("verify xgft:m=4x4,w=2x2 --adaptive groups --certificate proof --json");
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(again.json()["certificate_holds"], true);
}

TEST_F(Adaptive, AnEscapeIsNoneWherePacketsAreCommitted) {
  const Result made = run("route dragonfly:a=4,p=2,h=2 --engine lash --adaptive-groups groups --json");
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(made.json()["adaptive"]["method"], "escape");
  EXPECT_EQ(run("verify dragonfly:a=4,p=2,h=2 --adaptive groups --write-certificate proof").code, 0);
  EXPECT_EQ(run("verify dragonfly:a=4,p=2,h=2 --adaptive groups --certificate proof").code, 0);
  const Result committed =
      run("verify dragonfly:a=4,p=2,h=2 --adaptive groups --certificate proof --committed --json");
  EXPECT_EQ(committed.code, 1);
  EXPECT_EQ(committed.json()["deadlock_free"], false);
  EXPECT_EQ(committed.json()["certificate_holds"], false);
  EXPECT_TRUE(committed.json()["method"].is_null());
  EXPECT_GT(committed.json()["witness"].size(), 1U);
}

TEST_F(Adaptive, AllShortestPathsOfATorusCanDeadlockAndSaySo) {
  const Result made = run("route torus:4x4,p=1 --engine minhop --adaptive-groups groups");
  EXPECT_EQ(made.code, 1);
  EXPECT_THAT(made.err, testing::HasSubstr("warning: the adaptive groups can deadlock"));
  const Result verdict = run("verify torus:4x4,p=1 --adaptive groups --json");
  EXPECT_EQ(verdict.code, 1);
  EXPECT_EQ(verdict.json()["delivers"], true);
  EXPECT_TRUE(verdict.json()["method"].is_null());
  EXPECT_FALSE(verdict.json()["witness"].empty());
}

TEST_F(Adaptive, WhatDoesNotGoTogetherIsRefused) {
  expect_refused("route ring:4 --engine updn,minhop --adaptive-groups groups", "one engine only");
  expect_refused("route ring:4 --engine updn --lmc 1 --adaptive-groups groups",
                 "--adaptive-groups and --lmc do not go together");
  expect_refused("verify ring:4", "or --adaptive FILE");
  expect_refused("verify ring:4 --adaptive groups --paths minimal", "excludes");
  expect_refused("verify ring:4 --adaptive nothing", "nothing");
}

}  // namespace
}  // namespace unknot::cli::test
