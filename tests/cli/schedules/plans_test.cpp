// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <filesystem>
#include <string>

#include "cli/run_command.hpp"
#include "unknot/cli/command/command.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::HasSubstr;
using PlansCommand = InFolder;

TEST_F(PlansCommand, EveryRangeHasFilesThatPassTheirReaders) {
  const Json said = run("plans dgx1 --collective all-reduce --from 1K --to 16M -o plans --json").json();
  EXPECT_EQ(Json::parse(read_file("plans/index.json"))["ranges"], said["ranges"]);
  ASSERT_GE(said["ranges"].size(), 2U);
  EXPECT_EQ(said["ranges"].front()["from"], 1024);
  EXPECT_EQ(said["ranges"].back()["to"], 16 << 20);
  std::uint64_t next = 1024;
  for (const Json& range : said["ranges"]) {
    EXPECT_EQ(range["from"].get<std::uint64_t>(), next);
    next = range["to"].get<std::uint64_t>() * 2;
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

}  // namespace
}  // namespace unknot::cli::test
