// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "cli/run_command.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::HasSubstr;
using WatchCommand = InFolder;

TEST_F(WatchCommand, ComparesDumpsOfDifferentFormats) {
  // what ibsim holds and what Unknot's JSON holds of one fabric are the same fabric
  ASSERT_EQ(run("topology torus:4x4,p=2 -o old.json --format json").code, 0);
  ASSERT_EQ(run("topology torus:4x4,p=2 -o new.net --format ibsim").code, 0);
  const Result same = run("watch old.json new.net");
  EXPECT_EQ(same.code, 0) << same.out;
  EXPECT_EQ(run("watch old.json new.net --only-harm").out, "");
}

TEST_F(WatchCommand, AnswersWithTheExitCode) {
  ASSERT_EQ(run("topology torus:4x4 -o old.json --format json").code, 0);
  ASSERT_EQ(run("topology old.json --fail cables=S-1-S-2,terminals=H-9 -o new.json --format json").code, 0);
  ASSERT_EQ(run("route old.json --engine dfsssp -o old-lfts --lanes old-lanes").code, 0);
  ASSERT_EQ(run("route new.json --engine dfsssp -o new-lfts --lanes new-lanes").code, 0);
  const Result gone = run("watch old.json new.json --old-tables old-lfts --old-lanes old-lanes");
  EXPECT_EQ(gone.code, 1);
  EXPECT_THAT(gone.out, HasSubstr("LOOK AT THIS"));
  EXPECT_THAT(gone.out, HasSubstr("- cable S-1 port "));
  EXPECT_THAT(gone.out, HasSubstr("- terminal H-9 at S-9"));
  EXPECT_THAT(gone.out, HasSubstr("the old tables no longer deliver"));
  // The repair hurts nobody, even though the old tables know nothing of what has come.
  const Result back =
      run("watch new.json old.json --old-tables new-lfts --old-lanes new-lanes "
          "--new-tables old-lfts --new-lanes old-lanes --json");
  EXPECT_EQ(back.json()["cables_come"].size(), 1U);
  EXPECT_EQ(back.json()["terminals_come"].size(), 1U);
  EXPECT_EQ(back.json()["new_tables"]["complete"], true);
  EXPECT_EQ(back.json()["new_tables"]["deadlock_free"], true);
  // Lanes forgotten: the tables alone can deadlock.
  const Result locked = run("watch old.json old.json --new-tables old-lfts");
  EXPECT_EQ(locked.code, 1);
  EXPECT_THAT(locked.out, HasSubstr("the new tables can deadlock"));
  EXPECT_THAT(locked.out, HasSubstr("waiting for"));
}

TEST_F(WatchCommand, FollowsSlToVlTables) {
  ASSERT_EQ(run("topology ring:5 -o old.json --format json").code, 0);
  ASSERT_EQ(run("route old.json --engine dfsssp --vls 2 -o lfts --lanes lanes --sl2vl maps").code, 0);
  const std::string tables = "--old-tables lfts --old-lanes lanes --old-sl2vl ";
  EXPECT_EQ(run("watch old.json old.json " + tables + "maps").code, 0);
  // Every level on lane 0: the lanes that kept the ring deadlock-free are gone.
  std::string map = read_file("maps");
  for (std::size_t at = map.find("0x01"); at != std::string::npos; at = map.find("0x01"))
    map.replace(at, 4, "0x00");
  write("one-lane", map);
  const Result locked = run("watch old.json old.json " + tables + "one-lane --only-harm");
  EXPECT_EQ(locked.code, 1);
  EXPECT_THAT(locked.out, HasSubstr("the old tables can deadlock"));
  EXPECT_THAT(run("watch old.json old.json " + tables + "maps --new-tables lfts --new-lanes lanes").out,
              HasSubstr("is not checked: there are SL-to-VL tables"));
}

TEST_F(WatchCommand, ListsNoMoreThanAsked) {
  ASSERT_EQ(run("topology torus:4x4,p=2 -o old.json --format json").code, 0);
  ASSERT_EQ(run("topology old.json --fail terminal-count=9 -o new.json --format json").code, 0);
  const Result few = run("watch old.json new.json --lines 2");
  EXPECT_THAT(few.out, HasSubstr("- ... 7 more in \"terminals_gone\" of --json"));
  EXPECT_EQ(run("watch old.json new.json --json").json()["terminals_gone"].size(), 9U);
}

TEST_F(WatchCommand, RefusesBadInput) {
  expect_refused("watch ring:4 missing.net", "missing.net");
  expect_refused("watch ring:4 ring:4 --old-tables missing", "missing");
  expect_refused("watch ring:4 ring:4 --load-rise=-1", "--load-rise");
  expect_refused("watch - -", "only one of the two fabrics");
  expect_refused("watch ring:4 ring:4 --new-lanes lanes", "--new-tables");
}

}  // namespace
}  // namespace unknot::cli::test
