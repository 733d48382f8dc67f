// SPDX-License-Identifier: Apache-2.0
// What administrators set, by file: route heeds it, verify checks it, and wrong files are refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "../run_command.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class GuidanceCommands : public InFolder {};

TEST_F(GuidanceCommands, TablesWithoutTransitPassVerifyAndOthersDoNot) {
  write("edge", "# storage\n0x0002000000000005\nS-9,S-10\n");
  for (const char* engine : {"minhop", "updn", "dfsssp", "unknot:effort=0.05", "nue"}) {
    SCOPED_TRACE(engine);
    const std::string route =
        std::string("route torus:4x4,p=2 --engine ") + engine + " -o tables --lanes lanes --json";
    const Result closed = run(route + " --no-transit edge");
    EXPECT_EQ(closed.code, engine == std::string("minhop") ? 1 : 0) << closed.err << closed.out;
    EXPECT_EQ(closed.json()["no_transit"]["closed_routers"], 3);
    EXPECT_EQ(closed.json()["no_transit"]["pairs"], 0);
    EXPECT_EQ(closed.json()["unroutable_pairs"], 0);
    const std::string verify = "verify torus:4x4,p=2 tables --lanes lanes --json --no-transit edge";
    const Result good = run(verify);
    EXPECT_EQ(good.code, closed.code) << good.out;
    EXPECT_EQ(good.json()["no_transit"]["pairs"], 0);

    ASSERT_EQ(run(route).code, closed.code);
    const Result passed = run(verify);
    EXPECT_EQ(passed.code, 1);
    const auto transit = passed.json()["no_transit"];
    EXPECT_GT(transit["pairs"], 0);
    std::uint64_t sum = 0;
    for (const auto& [name, count] : transit["pairs_through"].items()) sum += count.get<std::uint64_t>();
    EXPECT_EQ(transit["pairs"], sum);
    EXPECT_EQ(transit["findings"].size(), 8U);
  }
  const Result text = run("verify torus:4x4,p=2 tables --lanes lanes --no-transit edge");
  EXPECT_THAT(text.out, HasSubstr("closed to transit"));
  EXPECT_THAT(text.out, HasSubstr("pairs of hosts pass through the 3 closed routers"));
  EXPECT_THAT(text.out, HasSubstr(" passes through S-"));
}

TEST_F(GuidanceCommands, RerouteTellsWhichPairsPassThroughClosedRouters) {
  write("edge", "S-5\n");
  ASSERT_EQ(run("route torus:4x4,p=2 --engine updn -o tables --no-transit edge").code, 0);
  const std::string reroute =
      "reroute torus:4x4,p=2 --tables tables --fail cables=S-1-S-2 -o new --new-lanes lanes";
  ASSERT_EQ(run(reroute).code, 0);
  const Result checked = run(reroute + " --no-transit edge --json");
  const std::uint64_t pairs = checked.json()["no_transit"]["pairs"];
  EXPECT_EQ(checked.code, pairs == 0 ? 0 : 1);
  const Result judged =
      run("verify torus:4x4,p=2 new --lanes lanes --fail cables=S-1-S-2 --no-transit edge --json");
  EXPECT_EQ(judged.json()["no_transit"]["pairs"], pairs);
  // With tables that pass through it from the start.
  write("edge", "S-0\n");
  const Result text = run(reroute + " --no-transit edge");
  EXPECT_EQ(text.code, 1);
  EXPECT_THAT(text.out, HasSubstr("pairs of hosts pass through S-0"));
  EXPECT_THAT(text.out, HasSubstr("unknot route --no-transit makes tables anew"));
  expect_refused(
      "reroute torus:4x4,p=2 --tables tables --fail cables=S-1-S-2 --check-transition steps "
      "--no-transit edge",
      "--no-transit is for tables that are made");
}

TEST_F(GuidanceCommands, PortsThatServeAsFewAreShiftedOrScattered) {
  const std::string minhop = "route xgft:m=4x4,w=4x4 --engine minhop -q --traffic data";
  ASSERT_EQ(run(minhop + " -o plain").code, 0);
  ASSERT_EQ(run(minhop + " -o shifted --port-shifting").code, 0);
  ASSERT_EQ(run(minhop + " -o scattered --scatter-ports 3").code, 0);
  ASSERT_EQ(run(minhop + " -o again --scatter-ports 0").code, 0);
  EXPECT_NE(read("plain"), read("shifted"));
  EXPECT_NE(read("plain"), read("scattered"));
  EXPECT_NE(read("shifted"), read("scattered"));
  EXPECT_EQ(read("plain"), read("again"));
  expect_refused("route torus:4x4 --engine minhop --port-shifting --scatter-ports 3", "--scatter-ports");
  expect_refused("route torus:4x4 --engine minhop --scatter-ports -3", "--scatter-ports");
  expect_refused("route torus:4x4 --engine sssp --scatter-ports 3",
                 "engine sssp makes no use of scattered ports; engines that do: minhop");
  expect_refused("watch --follow . --engine minhop --port-shifting", "tables that --reroute makes");
  expect_refused("watch --follow . --reroute sets --port-shifting",
                 "engine unknot makes no use of port shifting; engines that do: minhop");
  expect_refused("watch old new --port-shifting", "--port-shifting is for --follow");
}

TEST_F(GuidanceCommands, PairsThatOnlyClosedRoutersJoinAreLost) {
  write("edge", "S-2\nS-5\n");
  const Result cut = run("route ring:6,p=2 --engine updn --no-transit edge --json");
  EXPECT_EQ(cut.code, 1);
  EXPECT_EQ(cut.json()["unroutable_pairs"], 2 * 4 * 4);
  EXPECT_EQ(cut.json()["no_transit"]["pairs"], 0);
  EXPECT_TRUE(cut.json()["deadlock_free"]);
}

TEST_F(GuidanceCommands, GuidsThatAreGoneArePassedOverWithANote) {
  write("roots", "0x0002000000000003\n0x00020000000000ff\n0xdead\n");
  const Result routed = run("route torus:4x4 --engine updn --root-guids roots");
  EXPECT_EQ(routed.code, 0);
  EXPECT_THAT(routed.err,
              HasSubstr("roots: 2 GUIDs are not of the fabric, passed over: 0x00020000000000ff (line 2), "
                        "0x000000000000dead (line 3)"));
  const Result failed = run("route torus:4x4 --engine updn --root-guids roots --fail routers=3+4");
  EXPECT_EQ(failed.code, 2);
  EXPECT_THAT(failed.err, HasSubstr("roots: none of its 3 GUIDs is of the fabric"));
}

TEST_F(GuidanceCommands, WhatAnEngineDoesNotHeedIsRefusedAloneAndNotedInAComparison) {
  write("roots", "0x0002000000000003\n");
  write("order", "0x0001000000000005\n");
  expect_refused("route torus:4x4 --engine lash --root-guids roots -o tables",
                 "engine lash makes no use of roots; engines that do: updn, ftree");
  expect_refused("route torus:4x4 --root-guids roots", "engine unknot makes no use of roots");
  expect_refused("route torus:4x4 --engine ftree --root-guids roots --by-rate",
                 "engine ftree makes no use of rates of cables; no engine does of all that is given");
  const Result both = run("route torus:4x4 --engine updn,lash --root-guids roots --guid-routing-order order");
  EXPECT_EQ(both.code, 0);
  EXPECT_THAT(both.err, HasSubstr("lash makes no use of roots and an order of destinations"));
  EXPECT_THAT(both.err, Not(HasSubstr("updn makes no use")));
}

TEST_F(GuidanceCommands, WrongFilesAreRefused) {
  write("bad", "0x0002000000000003\n0xno\n");
  write("weights", "0x0002000000000003 1 2\n0x0002000000000003 99 2\n");
  for (const char* option : {"--root-guids", "--no-transit", "--guid-routing-order"}) {
    expect_refused(std::string("route torus:4x4 --engine updn -o tables ") + option + " bad",
                   "bad:2: '0xno' is no GUID");
    expect_refused(std::string("route torus:4x4 --engine updn -o tables ") + option + " missing", "missing");
  }
  expect_refused("route torus:4x4 --engine minhop -o tables --hop-weights weights",
                 "weights:2: S-3 has no port 99, its last is 5");
  ASSERT_EQ(run("route torus:4x4 --engine updn -o tables").code, 0);
}

TEST_F(GuidanceCommands, WeightsKeepTrafficOffACable) {
  // Where the cables out of S-0 cost more than all others together, the way round is taken: never through
  // S-0.
  write("weights", "0x0002000000000000 1 9\n0x0002000000000000 2 9\n");
  write("S-0", "S-0\n");
  const std::string dfsssp = "route ring:6,p=2 --engine dfsssp -o tables --lanes lanes --json";
  EXPECT_TRUE(run(dfsssp).json()["minimal"]);
  const Result passes = run("verify ring:6,p=2 tables --lanes lanes --no-transit S-0");
  EXPECT_EQ(passes.code, 1) << passes.out;
  const Result weighted = run(dfsssp + " --hop-weights weights");
  EXPECT_EQ(weighted.code, 0) << weighted.err;
  EXPECT_FALSE(weighted.json()["minimal"]);
  const Result round = run("verify ring:6,p=2 tables --lanes lanes --no-transit S-0");
  EXPECT_EQ(round.code, 0) << round.out;
}

TEST_F(GuidanceCommands, ComputeNodesAreTheLeavesOfATree) {
  std::string nodes;
  for (int i = 0; i < 8; ++i) nodes += "H-" + std::to_string(i) + "\n";
  write("nodes", nodes);
  const Result routed = run("route kary-ntree:k=2,n=3 --engine ftree --cn-guids nodes --json");
  EXPECT_EQ(routed.code, 0) << routed.err;
  EXPECT_TRUE(routed.json()["minimal"]);
  expect_refused(
      "route kary-ntree:k=2,n=3 --engine updn --cn-guids nodes",
      "engine updn makes no use of lists of compute and I/O nodes; engines that do: ftree, sssp, dfsssp");
}

TEST_F(GuidanceCommands, LidsOfHostsThatAreOffAreKept) {
  ASSERT_EQ(run("route ring:4,p=2 --engine updn -o tables").code, 0);
  const std::string before = read("guid2lid");
  write("kept", before);
  // The fabric while H-3 is off: the others keep their LIDs, and its LID stays in the file.
  const Result off = run("route ring:4,p=2 --fail terminals=H-3 --engine updn --guid2lid kept -o tables");
  ASSERT_EQ(off.code, 0) << off.err;
  EXPECT_THAT(off.err, HasSubstr("kept: the LIDs of 1 port that the fabric does not have are kept for it"));
  const std::string after = read("guid2lid");
  EXPECT_THAT(after, HasSubstr("0x0001000000000007 0x0004 0x0004\n"));
  EXPECT_THAT(read("tables"), Not(HasSubstr("0x0004 ")));
  // A fabric whose file states no LIDs: a new host gets none that is kept.
  write("kept", "0x0001000000000001 0x0007 0x0007\n0x00000000000000aa 0x0001 0x0003\n");
  ASSERT_EQ(run("route ring:4 --engine updn --guid2lid kept -o tables").code, 0);
  const std::string lids = read("guid2lid");
  EXPECT_THAT(lids, HasSubstr("0x0001000000000001 0x0007 0x0007\n"));
  write("bad", "0x0001000000000001 0x0007 0x0007\n0x00000000000000aa 0x0005 0x0007\n");
  expect_refused("route ring:4 --engine updn --guid2lid bad -o other", "bad:2: LID 7 is given twice");
}

/// Another subnet: a dump's GUIDs moved, and its switches called, ...
std::string moved(std::string dump) {
  const auto replace = [&](const std::string& from, const std::string& to) {
    for (std::size_t at = dump.find(from); at != std::string::npos; at = dump.find(from, at + to.size()))
      dump.replace(at, from.size(), to);
  };
  replace("0002000000", "0005000000");
  replace("0001000000", "0006000000");
  replace("=0x2000000", "=0x5000000");
  replace("=0x1000000", "=0x6000000");
  replace("(2000000", "(5000000");
  replace("(1000000", "(6000000");
  replace("# \"S-", "# \"R-");
  return dump;
}

TEST_F(GuidanceCommands, LidsOfPortsThatAreOffAreNotGivenAway) {
  // The fabric states no LIDs: numbers that fill in for them give way.
  ASSERT_EQ(run("topology ring:3 -o fabric.json --format json").code, 0);
  write("kept", "0x0000000000000077 0x0002 0x0002\n0x0001000000000005 0x0008 0x0008\n");
  const Result routed = run("route fabric.json --engine updn --guid2lid kept -o tables");
  ASSERT_EQ(routed.code, 0) << routed.err;
  EXPECT_THAT(routed.err, HasSubstr("the LIDs of 1 port that the fabric does not have are kept for it"));
  EXPECT_THAT(read("guid2lid"), HasSubstr("0x0000000000000077 0x0002 0x0002\n"));
  EXPECT_THAT(read("guid2lid"), HasSubstr("0x0001000000000005 0x0008 0x0008\n"));
  EXPECT_THAT(read("guid2lid"), Not(HasSubstr("0x0001000000000003 0x0002")));
}

TEST_F(GuidanceCommands, RailsAreSubnetsOfTheirOwn) {
  ASSERT_EQ(run("topology kary-ntree:k=2,n=2 --format ibnetdiscover -o storage").code, 0);
  ASSERT_EQ(run("topology ring:6,p=2 --format ibnetdiscover -o compute").code, 0);
  write("both", read("storage") + moved(read("compute")));
  expect_refused("route both", "");
  const Result routed = run("route both --rails --engine dfsssp -o tables --lanes lanes --json");
  ASSERT_EQ(routed.code, 0) << routed.err;
  const auto json = routed.json();
  ASSERT_EQ(json["rails"].size(), 2U);
  // The larger first. Both have hosts H-0 to H-3.
  EXPECT_EQ(json["rails"][0]["first_router"], "R-0");
  EXPECT_EQ(json["rails"][0]["terminals"], 12);
  EXPECT_EQ(json["rails"][1]["terminals"], 4);
  EXPECT_EQ(json["hosts_in_several_rails"], 4);
  for (const auto& rail : json["rails"]) EXPECT_TRUE(rail["deadlock_free"]);
  for (const char* rail : {"1", "2"}) {
    const std::string folder = std::string("rail-") + rail + "/";
    const Result checked =
        run("verify both " + folder + "tables --lanes " + folder + "lanes --json --rail " + rail);
    EXPECT_EQ(checked.code, 0) << checked.err;
    EXPECT_EQ(checked.json()["rail"], std::stoi(rail));
  }
  // The same as of the subnet's own dump, LIDs included.
  const std::string tables = read("rail-2/tables");
  ASSERT_EQ(run("route storage --engine dfsssp -o tables --lanes lanes").code, 0);
  EXPECT_EQ(read("tables"), tables);
  const Result text = run("route both --rails --engine updn,dfsssp");
  EXPECT_EQ(text.code, 0);
  EXPECT_THAT(text.out, HasSubstr("both: 2 rails, 4 hosts are in more than one"));
  EXPECT_THAT(text.out, HasSubstr("rail 2: 4 routers from S-0 on, 4 terminals"));
  expect_refused("route both --rail 3",
                 "both: there is no rail 3, the fabric has 2: rail 1: 6 routers from R-0 on");
  expect_refused("route both --rails --fail routers=0", "--rail N goes with --fail and --nodes");
  expect_refused("route both --rails --guid2lid g", "--guid2lid goes with --rail N");
}

TEST_F(GuidanceCommands, WhatIsSaidOfOneRailMeansNothingToTheOthers) {
  ASSERT_EQ(run("topology kary-ntree:k=2,n=2 --format ibnetdiscover -o storage").code, 0);
  ASSERT_EQ(run("topology ring:6,p=2 --format ibnetdiscover -o compute").code, 0);
  write("both", read("storage") + moved(read("compute")));
  write("edge", "R-2\n");
  const Result routed = run("route both --rails --engine updn --no-transit edge --json");
  ASSERT_EQ(routed.code, 0) << routed.err;
  EXPECT_EQ(routed.json()["rails"][0]["no_transit"]["closed_routers"], 1);
  EXPECT_EQ(routed.json()["rails"][0]["no_transit"]["pairs"], 0);
  EXPECT_FALSE(routed.json()["rails"][1].contains("transit"));
}

TEST_F(GuidanceCommands, ALidTwiceInOneRailIsAMistake) {
  ASSERT_EQ(run("topology kary-ntree:k=2,n=2 --format ibnetdiscover -o storage").code, 0);
  std::string dump = read("storage");
  // H-1 under the LID of H-0.
  for (std::size_t at = dump.find("lid 2 "); at != std::string::npos; at = dump.find("lid 2 ", at + 1))
    dump.replace(at, 6, "lid 1 ");
  write("wrong", dump);
  expect_refused("route wrong --rails", "has the LID 1, which");
}

}  // namespace
}  // namespace unknot::cli::test
