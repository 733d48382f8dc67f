// SPDX-License-Identifier: Apache-2.0
#include "unknot/watch/follow/dump_folder.hpp"

#include <gmock/gmock.h>

#include "refusal.hpp"
#include "watch/in_folder.hpp"

namespace unknot::watch {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Dumps : public test::InFolder {
 protected:
  static std::vector<std::string> names(const std::vector<Dump>& dumps) {
    std::vector<std::string> names;
    names.reserve(dumps.size());
    for (const Dump& dump : dumps) names.push_back(dump.name);
    return names;
  }
};

TEST_F(Dumps, AreFilesAndFoldersByTheirNames) {
  write("in/b.fabric", "x");
  write("in/b.lfts", "x");
  write("in/b.lanes", "x");
  write("in/a/fabric", "x");
  write("in/a/lfts", "x");
  write("in/a/sl2vl", "x");
  write("in/a/groups", "x");
  write("in/b.trees", "x");
  write("in/.c.fabric", "not yet");
  write("in/.d/fabric", "not yet");
  write("in/.fabric", "no name");
  write("in/e/other", "no fabric");
  write("in/notes.txt", "x");
  DumpFolder folder(path("in"));
  (void)folder.look();
  const std::vector<Dump> dumps = folder.look();
  ASSERT_THAT(names(dumps), ElementsAre("a", "b.fabric"));
  EXPECT_EQ(dumps[0].fabric, path("in/a/fabric"));
  EXPECT_EQ(dumps[0].tables.tables, path("in/a/lfts"));
  EXPECT_EQ(dumps[0].tables.lanes, "");
  EXPECT_EQ(dumps[0].tables.lane_map, path("in/a/sl2vl"));
  EXPECT_EQ(dumps[1].tables.tables, path("in/b.lfts"));
  EXPECT_EQ(dumps[0].tables.groups, path("in/a/groups"));
  EXPECT_EQ(dumps[0].tables.trees, "");
  EXPECT_EQ(dumps[1].tables.lanes, path("in/b.lanes"));
  EXPECT_EQ(dumps[1].tables.trees, path("in/b.trees"));
}

TEST_F(Dumps, AreCompleteOnceTwoLooksSeeTheSame) {
  write("in/a.fabric", "half");
  DumpFolder folder(path("in"));
  EXPECT_THAT(names(folder.look()), IsEmpty());
  EXPECT_TRUE(folder.growing());
  write("in/a.fabric", "half and more");
  EXPECT_THAT(names(folder.look()), IsEmpty());
  EXPECT_THAT(names(folder.look()), ElementsAre("a.fabric"));
  EXPECT_FALSE(folder.growing());
  // What belongs to it is a part of it.
  const std::uint64_t stamp = folder.present().at("a.fabric");
  write("in/a.lfts", "rows");
  EXPECT_THAT(names(folder.look()), IsEmpty());
  EXPECT_THAT(names(folder.look()), ElementsAre("a.fabric"));
  EXPECT_NE(folder.present().at("a.fabric"), stamp);
}

TEST_F(Dumps, InFoldersAreCompleteAtOnce) {
  write("making/a/fabric", "x");
  write("in/other/fabric", "x");
  DumpFolder folder(path("in"));
  EXPECT_THAT(names(folder.look()), ElementsAre("other"));
  std::filesystem::rename(path("making/a"), path("in/a"));
  EXPECT_THAT(names(folder.look()), ElementsAre("a", "other"));
}

TEST_F(Dumps, ThatGoAreNoError) {
  write("in/a/fabric", "x");
  DumpFolder folder(path("in"));
  const std::vector<Dump> dumps = folder.look();
  ASSERT_EQ(dumps.size(), 1U);
  EXPECT_EQ(stamp_of(dumps[0]), dumps[0].stamp);
  std::filesystem::remove_all(path("in/a"));
  EXPECT_EQ(stamp_of(dumps[0]), 0U);
  EXPECT_THAT(folder.look(), IsEmpty());
  std::filesystem::remove_all(path("in"));
  EXPECT_THAT(refusal([&] { (void)folder.look(); }), HasSubstr("cannot read the folder"));
}

}  // namespace
}  // namespace unknot::watch
