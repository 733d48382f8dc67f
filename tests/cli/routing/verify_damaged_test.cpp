// SPDX-License-Identifier: Apache-2.0
// `verify` where something is gone: tables of the whole fabric against what is left, hosts without rows.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "cli/run_command.hpp"

namespace unknot::cli {
namespace {

using ::testing::HasSubstr;

class VerifyDamaged : public test::InFolder {};

TEST_F(VerifyDamaged, TablesOfTheWholeAreReadAgainstWhatIsLeft) {
  ASSERT_EQ(test::run("route ring:5,p=2 --engine dfsssp -o t --lanes l").code, 0);
  ASSERT_EQ(test::run("route ring:5,p=2 --engine dfsssp -o t.json --format json").code, 0);
  for (const std::string tables : {"t --lanes l", "t.json"}) {
    // A host that is gone takes nothing with it.
    const test::Result host = test::run("verify ring:5,p=2 " + tables + " --fail terminals=H-1 --json");
    EXPECT_EQ(host.code, 0) << tables << host.err;
    EXPECT_EQ(host.json()["terminals"], 9);
    // A switch takes the paths through it.
    const test::Result router = test::run("verify ring:5,p=2 " + tables + " --fail routers=S-1 --json");
    EXPECT_EQ(router.code, 1) << tables << router.err;
    EXPECT_EQ(router.json()["routers"], 4);
    EXPECT_GT(router.json()["unroutable_pairs"], 0);
    EXPECT_LT(router.json()["unroutable_pairs"], 56);
  }
  // Tables of what is left are read as before, and what fits neither is refused.
  ASSERT_EQ(test::run("route ring:5,p=2 --fail routers=S-1 -o rest").code, 0);
  EXPECT_EQ(test::run("verify ring:5,p=2 rest --fail routers=S-1").code, 0);
  ASSERT_EQ(test::run("route ring:7 -o other --format json").code, 0);
  expect_refused("verify ring:5 other --fail terminals=H-1", "the tables were made for another network");
}

TEST_F(VerifyDamaged, BothCausesAreToldWhereTablesFitNeither) {
  ASSERT_EQ(test::run("route ring:5,p=2 --engine dfsssp -o t --lanes l").code, 0);
  const std::string levels = read("l");
  write("l", levels.substr(levels.find('\n') + 1));  // a pair of the whole fabric has no level
  expect_refused("verify ring:5,p=2 t --lanes l --fail terminals=H-2",
                 "before a change (unknot watch and reroute --to take both); and as tables of the whole "
                 "fabric: l: 1 of 90 pairs "
                 "have no");
}

TEST_F(VerifyDamaged, AHostThatHasLostAllItsRowsHasItsLid) {
  ASSERT_EQ(test::run("route ring:5 --engine dfsssp --vls 2 -o t --lanes l").code, 0);
  std::string rows;
  const std::string text = read("t");
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at) + 1;
    if (text.compare(at, 7, "0x0005 ") != 0) rows += text.substr(at, end - at);
    at = end;
  }
  ASSERT_LT(rows.size(), text.size());
  write("t", rows);
  const test::Result result = test::run("verify ring:5 t --lanes l");
  EXPECT_EQ(result.code, 1) << result.err;
  EXPECT_THAT(result.out, HasSubstr("4 of 20 are not"));
}

TEST_F(VerifyDamaged, AFurtherLidWithoutAnyRowIsLost) {
  write("t",
        "Unicast lids guid 0x0002000000000000\n"
        "0x0001 003 # portguid 0x0001000000000001\n0x0002 001 # portguid 0x0001000000000003\n"
        "Unicast lids guid 0x0002000000000001\n"
        "0x0001 002 # portguid 0x0001000000000001\n0x0002 003 # portguid 0x0001000000000003\n");
  EXPECT_EQ(test::run("verify mesh:2 t").code, 0);
  write("guid2lid", "0x0001000000000001 0x0001 0x0001\n\n0x0001000000000003 0x0002 0x0003\n");
  const test::Result result = test::run("verify mesh:2 t --json");
  EXPECT_EQ(result.code, 1) << result.err;
  EXPECT_EQ(result.json()["unroutable_pairs"], 1);
  EXPECT_EQ(result.json()["findings"][0]["destination"], "H-1");
  EXPECT_EQ(result.json()["findings"][0]["address"], 2);
}

TEST_F(VerifyDamaged, RowsOfAFurtherLidAloneAreFollowedAndTheLowestIsLost) {
  // Each of three hosts has two LIDs; only the second ones have rows, and these go round the triangle.
  std::string guids;
  std::string tables;
  for (int s = 0; s < 3; ++s) {
    guids += fmt::format("0x{:016x} 0x{:04x} 0x{:04x}\n\n", 0x0001000000000001 + 2 * s, 1 + 2 * s, 2 + 2 * s);
    tables += fmt::format("Unicast lids guid 0x{:016x}\n", 0x0002000000000000 + s);
    for (int d = 0; d < 3; ++d) {
      tables += fmt::format("0x{:04x} {:03}\n", 2 + 2 * d, s == d ? 3 : 1);
    }
  }
  write("guid2lid", guids);
  write("t", tables);
  const test::Result result = test::run("verify ring:3 t --json");
  EXPECT_EQ(result.code, 1) << result.err;
  EXPECT_EQ(result.json()["addresses"], 2);
  EXPECT_EQ(result.json()["unroutable_pairs"], 6);  // to the lowest LIDs
  EXPECT_EQ(result.json()["deadlock_free"], false);
}

}  // namespace
}  // namespace unknot::cli
