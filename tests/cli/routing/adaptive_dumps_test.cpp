// SPDX-License-Identifier: Apache-2.0
// What ibdiagnet dumps, through the commands.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "cli/run_command.hpp"

namespace unknot::cli::test {
namespace {

using testing::HasSubstr;
using AdaptiveDumpsCommand = InFolder;

/// Two switches with a host each, which has two LIDs.
constexpr const char* kTwoSwitches =
    "START_NODES\nNodeDesc,NumPorts,NodeType,NodeGUID\n\"a\",2,2,0x20\n\"b\",2,2,0x21\n\"h\",1,1,0x10\n\"i\","
    "1,1,0x11\n"
    "END_NODES\nSTART_PORTS\nNodeGuid,PortNum,LID,LMC\n0x10,1,2,1\n0x11,1,4,1\n0x20,0,6,0\n0x21,0,7,0\nEND_"
    "PORTS\n"
    "START_LINKS\nNodeGuid1,PortNum1,NodeGuid2,PortNum2\n0x10,1,0x20,1\n0x11,1,0x21,1\n0x20,2,0x21,2\nEND_"
    "LINKS\n";

std::string two_tables(const std::string& last_row) {
  return "File version: 1\nSwitch 0x20\nGroups Definition:\nGroup  Sub Group  WHBF  Ports\n----\n0 0 0 2,\n"
         "LFT Definition:\nPLFT_NUM: 0, top: 0x7\n----\n0x2 1 Static 0\n0x3 1 Static 0\n0x4 2 Free 0\n" +
         last_row +
         "Switch 0x21\nGroups Definition:\n----\n1 0 0 2,\nLFT Definition:\nPLFT_NUM: 0, top: 0x7\n----\n"
         "0x2 2 HBF 1\n0x3 2 Static 0\n0x4 1 Static 0\n0x5 1 Static 0\n0x6 2 Static 0\n";
}

TEST_F(AdaptiveDumpsCommand, EveryLidOfAHostIsProven) {
  write("db", kTwoSwitches);
  write("far", two_tables("0x5 2 Free 0\n"));
  const Result good = run("verify db --adaptive far");
  EXPECT_EQ(good.code, 0) << good.out << good.err;
  EXPECT_THAT(good.out, HasSubstr("2 terminals"));
  write("far", two_tables("0x5 255 Static 0\n"));
  EXPECT_EQ(run("verify db --adaptive far").code, 1);
}

TEST_F(AdaptiveDumpsCommand, FilesThatAreWrittenAreVerified) {
  EXPECT_EQ(
      run("route kary-ntree:k=2,n=3 --engine updn --adaptive-groups groups.far --adaptive-format far").code,
      0);
  EXPECT_EQ(run("verify kary-ntree:k=2,n=3 --adaptive groups.far").code, 0);
  const Result unknown =
      run("route kary-ntree:k=2,n=3 --engine updn --adaptive-groups g --adaptive-format fra");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("no form of adaptive routings 'fra' to write"));
  EXPECT_EQ(run("route kary-ntree:k=2,n=3 --engine updn --adaptive-format far").code, 2);
}

/// Dumps do not say which level a pair uses. Groups that need levels are written with a file of them, or not
/// at all, and are proven with it.
TEST_F(AdaptiveDumpsCommand, LevelsOfPairsAreNotLost) {
  const std::string torus = "torus:4x4,p=2";
  for (const std::string engine : {"lash", "dfsssp", "nue"}) {
    const std::string route = "route " + torus + " --engine " + engine + " --vls 4 --adaptive-groups ";
    for (const std::string form : {"far", "garnet"}) {
      const Result refused = run(route + "lost." + form + " --adaptive-format " + form);
      EXPECT_EQ(refused.code, 2) << engine;
      EXPECT_THAT(refused.err, HasSubstr("no service levels of pairs"));
      EXPECT_FALSE(std::filesystem::exists("lost." + form));
    }
    EXPECT_EQ(run(route + engine + ".far --adaptive-format far --lanes " + engine + ".levels").code, 0);
    const std::string verify = "verify " + torus + " --adaptive " + engine + ".far";
    const Result proven = run(verify + " --lanes " + engine + ".levels");
    EXPECT_EQ(proven.code, 0) << engine << proven.out << proven.err;
    EXPECT_EQ(run(route + engine + ".json").code, 0);
    const Result twice =
        run("verify " + torus + " --adaptive " + engine + ".json --lanes " + engine + ".levels");
    EXPECT_EQ(twice.code, 2) << engine;
    EXPECT_THAT(twice.err, HasSubstr("has the service level of each pair already"));
  }
  // Any level of any pair: what the file alone says can lock.
  EXPECT_EQ(run("verify " + torus + " --adaptive lash.far").code, 1);
  const Result several =
      run("verify " + torus + " --adaptive lash.far --lanes lash.levels --lanes lash.levels");
  EXPECT_EQ(several.code, 2);
  EXPECT_THAT(several.err, HasSubstr("one file of levels"));
  EXPECT_EQ(run("verify " + torus + " --adaptive lash.far --lanes missing").code, 2);
}

}  // namespace
}  // namespace unknot::cli::test
