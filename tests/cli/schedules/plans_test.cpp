// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <filesystem>
#include <string>

#include "cli/run_command.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::HasSubstr;
using PlansCommand = InFolder;

TEST_F(PlansCommand, EveryRangeHasFilesThatPassTheirReaders) {
  const nlohmann::json said =
      run("plans dgx1 --collective all-reduce --from 1K --to 16M -o plans --json").json();
  EXPECT_EQ(nlohmann::json::parse(read_file("plans/index.json"))["ranges"], said["ranges"]);
  ASSERT_GE(said["ranges"].size(), 2U);
  EXPECT_EQ(said["ranges"].front()["from"], 1024);
  EXPECT_EQ(said["ranges"].back()["to"], 16 << 20);
  std::uint64_t next = 1024;
  for (const nlohmann::json& range : said["ranges"]) {
    EXPECT_EQ(range["from"].get<std::uint64_t>(), next);
    EXPECT_LE(range["compared"], range["to"]);
    next = range["to"].get<std::uint64_t>() + 1;
    ASSERT_TRUE(range["files"].contains("json")) << range;
    EXPECT_EQ(run("schedule check dgx1 plans/" + range["files"]["json"].get<std::string>()).code, 0);
    if (range["files"].contains("mscclpp")) {
      EXPECT_EQ(run("schedule check plans/" + range["files"]["mscclpp"].get<std::string>()).code, 0);
    }
  }
  EXPECT_TRUE(std::filesystem::exists("plans/nccl-tuner.csv"));
  EXPECT_TRUE(std::filesystem::exists("plans/openmpi.rules"));
  EXPECT_FALSE(std::filesystem::exists("plans.part"));
}

TEST_F(PlansCommand, NothingIsLeftWhereItCannotBeDone) {
  const Result there = run("plans dgx1 --collective all-reduce -o .");
  EXPECT_EQ(there.code, 2);
  EXPECT_THAT(there.err, HasSubstr("it is there already"));
  const Result sizes = run("plans dgx1 --collective all-reduce --from 2K --to 1K -o plans");
  EXPECT_EQ(sizes.code, 2);
  EXPECT_THAT(sizes.err, HasSubstr("--from 2048 is more than --to 1024"));
  EXPECT_EQ(run("plans dgx1 --collective nothing -o plans").code, 2);
  EXPECT_FALSE(std::filesystem::exists("plans"));
  EXPECT_FALSE(std::filesystem::exists("plans.part"));
}

TEST_F(PlansCommand, TheSizesAskedForAreCoveredToTheLast) {
  const nlohmann::json said =
      run("plans ring:4 --collective all-gather --from 3 --to 1000 -o plans --json").json();
  EXPECT_EQ(said["ranges"].front()["from"], 3);
  EXPECT_EQ(said["ranges"].back()["to"], 1000);
}

TEST_F(PlansCommand, TimesAreThoseOfTheFilesOffered) {
  const nlohmann::json said = run("plans mesh:4 --collective broadcast --to 64M -o plans --json").json();
  std::uint32_t trees = 0;
  for (const nlohmann::json& range : said["ranges"]) {
    if (range["kind"] != "trees") continue;
    ++trees;
    // One number of chunks, that for the least size, at both ends.
    const std::string goal = "schedule mesh:4 --collective broadcast --goal bandwidth --json --bytes ";
    const nlohmann::json at_least = run(goal + std::to_string(range["from"].get<std::uint64_t>())).json();
    EXPECT_NEAR(range["seconds"][0].get<double>(), at_least["time"].get<double>(), 1e-12);
    const std::string chunks = " --chunks " + std::to_string(at_least["chunks"].get<std::uint64_t>());
    const std::string most = std::to_string(range["compared"].get<std::uint64_t>());
    const nlohmann::json at_most = run(goal + most + chunks).json();
    EXPECT_NEAR(range["seconds"][1].get<double>(), at_most["time"].get<double>(), 1e-12);
    const nlohmann::json best = run(goal + most).json();
    EXPECT_LE(range["seconds"][1].get<double>(), 1.1 * best["time"].get<double>());
  }
  EXPECT_GT(trees, 1U);
}

TEST_F(PlansCommand, WhatIsAsQuickButForRoundingIsOneRange) {
  const nlohmann::json said = run("plans uniring:4 --collective all-reduce -o plans --json").json();
  EXPECT_LE(said["ranges"].size(), 3U) << said["ranges"];
}

/// Trees near a bound that they do not meet, which come in another way than they go out.
TEST_F(PlansCommand, TreesOnOneWayLinksArePlansLikeOthers) {
  write("oneway.dot", "digraph { a -> b; b -> c; b -> c; b -> c; c -> d; d -> e; d -> e; e -> a; e -> b; }");
  const nlohmann::json said =
      run("plans oneway.dot --collective all-reduce --from 256M --to 256M -o plans --json").json();
  const nlohmann::json& last = said["ranges"].back();
  EXPECT_EQ(last["kind"], "trees");
  EXPECT_EQ(last["proof"], "at least 5");
  for (const char* format : {"json", "c"}) EXPECT_TRUE(last["files"].contains(format)) << said;
}

TEST_F(PlansCommand, NothingButPlansIsReplaced) {
  const std::string plans = "plans ring:4 --collective all-reduce --to 2K -o ";
  std::filesystem::create_directories("web/src");
  write_file("web/index.json", "{\"name\": \"a page\"}");
  write_file("web/src/main.js", "kept");
  std::filesystem::create_directory("web.part");
  const Result other = run(plans + "web");
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("is no folder of plans"));
  EXPECT_EQ(read_file("web/src/main.js"), "kept");
  EXPECT_TRUE(std::filesystem::exists("web.part"));

  EXPECT_EQ(run(plans + "mine/").code, 0);
  EXPECT_EQ(run(plans + "mine").code, 0);  // plans by plans
  write_file("mine/notes.txt", "kept");
  const Result more = run(plans + "mine");
  EXPECT_EQ(more.code, 2);
  EXPECT_THAT(more.err, HasSubstr("holds notes.txt, which is not of its plans"));
  EXPECT_EQ(read_file("mine/notes.txt"), "kept");

  EXPECT_EQ(run(plans + "first").code, 0);
  std::filesystem::create_directory_symlink("first", "link");
  EXPECT_EQ(run(plans + "link").code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink("link"));
  EXPECT_TRUE(std::filesystem::exists("first/index.json"));
  EXPECT_EQ(run(plans + "-").code, 2);
  for (const auto& entry : std::filesystem::directory_iterator("."))
    EXPECT_THAT(entry.path().filename().string(), ::testing::Not(HasSubstr("first.")));
}

}  // namespace
}  // namespace unknot::cli::test
