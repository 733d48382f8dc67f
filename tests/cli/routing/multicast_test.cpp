// SPDX-License-Identifier: Apache-2.0
// Multicast in route, reroute and verify: what is covered, what is written, and that it can be read back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "../run_command.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::HasSubstr;

class MulticastCommands : public InFolder {};

TEST_F(MulticastCommands, RouteWritesWhatVerifyProves) {
  for (const char* fabric : {"torus:4x4,p=2", "kary-ntree:k=3,n=3", "dragonfly:a=4,h=2,p=2"}) {
    for (const char* engine : {"dfsssp", "updn", "unknot:effort=0.05"}) {
      for (const char* traffic : {"all", "data"}) {
        const std::string name = std::string(fabric) + " --engine " + engine + " --traffic " + traffic;
        SCOPED_TRACE(name);
        const Result made =
            run("route " + name + " -o tables --lanes lanes --multicast trees --certificate proof --json");
        ASSERT_EQ(made.code, 0) << made.err;
        const nlohmann::json json = made.json();
        EXPECT_EQ(json["traffic"], traffic == std::string("all")
                                       ? nlohmann::json({"data", "management", "multicast"})
                                       : nlohmann::json({"data", "multicast"}));
        EXPECT_TRUE(json["deadlock_free"]);
        EXPECT_EQ(json["multicast"]["groups"], 1);
        EXPECT_EQ(json["multicast"]["lost_pairs"], 0);
        EXPECT_EQ(json["multicast"]["left_out"], nlohmann::json::array());
        const Result back =
            run(std::string("verify ") + fabric + " tables --lanes lanes --multicast trees --traffic " +
                traffic + " --certificate proof --json");
        ASSERT_EQ(back.code, 0) << back.out;
        EXPECT_EQ(back.json()["traffic"], json["traffic"]);
        EXPECT_EQ(back.json()["dependencies"], json["dependencies"]);
        EXPECT_EQ(back.json()["multicast"]["pairs"], json["multicast"]["pairs"]);
        EXPECT_TRUE(back.json()["certificate_holds"]);
      }
    }
  }
}

TEST_F(MulticastCommands, TreesOfOthersCanCloseACycle) {
  // A snake through a mesh that is routed X first.
  ASSERT_EQ(run("route mesh:3x3 --engine dor -o tables").code, 0);
  ASSERT_EQ(run("route mesh:3x3 --engine dor -o tables --multicast good").code, 0);
  write("bad", R"(Switch 0x0002000000000000
0xC000 : 0x003 0x005
Switch 0x0002000000000001
0xC000 : 0x003 0x004 0x005
Switch 0x0002000000000002
0xC000 : 0x001 0x004 0x005
Switch 0x0002000000000003
0xC000 : 0x001 0x003 0x005
Switch 0x0002000000000004
0xC000 : 0x003 0x004 0x005
Switch 0x0002000000000005
0xC000 : 0x002 0x004 0x005
Switch 0x0002000000000006
0xC000 : 0x002 0x003 0x005
Switch 0x0002000000000007
0xC000 : 0x003 0x004 0x005
Switch 0x0002000000000008
0xC000 : 0x004 0x005
)");
  EXPECT_EQ(run("verify mesh:3x3 tables --multicast good").code, 0);
  const Result bad = run("verify mesh:3x3 tables --multicast bad --json");
  const nlohmann::json json = bad.json();
  EXPECT_EQ(json["unroutable_pairs"], 0);
  EXPECT_EQ(json["multicast"]["pairs"], 72);
  EXPECT_EQ(json["multicast"]["lost_pairs"], 0);
  EXPECT_EQ(bad.code, 1);
  EXPECT_FALSE(json["deadlock_free"]);
  EXPECT_THAT(json["witness"].dump(), HasSubstr("\"group\":\"0xc000\""));
}

TEST_F(MulticastCommands, GroupsAreThoseThatAreGiven) {
  write("groups", "0xC003 H-0,H-5,H-7\n0xC001 sl=1 all\n");
  const nlohmann::json made = run("route torus:4x4 --engine lash -o tables --lanes lanes --multicast trees "
                                  "--multicast-groups groups --json")
                                  .json();
  EXPECT_EQ(made["multicast"]["groups"], 2);
  EXPECT_EQ(made["multicast"]["pairs"], 16 * 15 + 3 * 2);
  EXPECT_EQ(made["multicast"]["service_levels"]["0xc001"], 1);
  EXPECT_THAT(read("trees"), HasSubstr("# 0xC001 sl=1\n"));
  const std::string verify = "verify torus:4x4 tables --lanes lanes --multicast trees ";
  EXPECT_EQ(run(verify).code, 0);
  EXPECT_EQ(run(verify + "--multicast-groups groups").code, 0);
  for (const char* option : {"--rule d-mod-k", "--paths minimal"}) {
    const std::string rules = std::string("verify fattree2:4 ") + option;
    expect_refused(rules + " --multicast-groups groups", "about --multicast, which is missing");
    expect_refused(rules + " --traffic all", "proven for what hosts send to hosts");
    EXPECT_EQ(run(rules + " --traffic data").code, 0) << option;
  }
  write("groups", "0xC003 H-0,H-5,H-9\n0xC009 H-1\n");
  const Result more = run(verify + "--multicast-groups groups");
  EXPECT_EQ(more.code, 1);
  EXPECT_THAT(more.out, HasSubstr("NO, the tables do not lead to 2 members"));
  EXPECT_THAT(more.out, HasSubstr("group 0xc003: the tables do not lead to H-9\n"));
}

TEST_F(MulticastCommands, RerouteMakesThemAnew) {
  ASSERT_EQ(run("route torus:4x4 --engine lash -o tables --lanes lanes --multicast trees").code, 0);
  const Result made =
      run("reroute torus:4x4 --tables tables --lanes lanes --fail cables=S-0-S-1 -o new --new-lanes "
          "new-lanes --multicast new-trees --vls 4 --json");
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(made.json()["multicast"]["lost_pairs"], 0);
  const std::string after = "verify torus:4x4 --fail cables=S-0-S-1 new --lanes new-lanes ";
  EXPECT_EQ(run(after + "--multicast new-trees").code, 0);
  // The old ones where nobody has changed them: whoever hung on the cable gets nothing.
  const Result old = run(after + "--multicast trees --json");
  EXPECT_LE(old.code, 1);
  EXPECT_EQ(old.json()["multicast"]["pairs"], 240);
}

TEST_F(MulticastCommands, GroupsAreNamedInTheWholeFabric) {
  write("groups", "0xC000 all\n0xC001 H-1,H-2,H-3\n0xC002 H-1\n");
  const std::string part = " --fail terminals=H-1 --multicast trees --multicast-groups groups --json";
  const Result made = run("route torus:4x4 --engine lash -o tables --lanes lanes" + part);
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(made.json()["multicast"]["groups"], 2);  // nobody is left of the third
  EXPECT_EQ(made.json()["multicast"]["pairs"], 15 * 14 + 2);
  const Result back = run("verify torus:4x4 tables --lanes lanes" + part);
  EXPECT_EQ(back.code, 0) << back.out << back.err;
  EXPECT_EQ(back.json()["multicast"]["missing_members"], 0);
  ASSERT_EQ(run("route torus:4x4 --engine lash -o all --lanes all-lanes").code, 0);
  EXPECT_EQ(run("reroute torus:4x4 --tables all --lanes all-lanes --vls 4" + part).code, 0);
}

TEST_F(MulticastCommands, WhoHasNoPlaceInATreeIsANo) {
  // One way only: no tree can lead back.
  const Result made = run("route uniring:5 --engine unknot --multicast trees --traffic data --json");
  EXPECT_TRUE(made.json()["deadlock_free"]);
  EXPECT_EQ(made.json()["unroutable_pairs"], 0);
  EXPECT_FALSE(made.json()["multicast"]["left_out"].empty());
  EXPECT_EQ(made.code, 1);
}

TEST_F(MulticastCommands, ALevelThatIsToldNeedsALane) {
  write("groups", "0xC000 sl=4 all\n");
  const std::string route =
      "route torus:4x4 --engine lash -o tables --lanes lanes --multicast trees --multicast-groups groups ";
  const Result none = run(route + "--vls 4");
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("groups: group 0xc000 has service level 4, and there are 4 lanes (--vls)"));
  EXPECT_EQ(files(), std::vector<std::string>{"groups"});
  EXPECT_EQ(run(route + "--vls 5").code, 0);
}

TEST_F(MulticastCommands, TablesThatDeclareLanesDeclareThoseOfTrees) {
  write("groups", "0xC000 sl=5 all\n");
  for (const char* format : {"json", "binary"}) {
    for (const char* traffic : {"all", "data"}) {
      const std::string rest =
          std::string(" --multicast trees --multicast-groups groups --traffic ") + traffic;
      ASSERT_EQ(run(std::string("route torus:4x4 --engine lash -o tables --format ") + format + rest).code,
                0);
      const Result back = run("verify torus:4x4 tables" + rest);
      EXPECT_EQ(back.code, 0) << format << ' ' << traffic << '\n' << back.out << back.err;
    }
  }
}

TEST_F(MulticastCommands, WithoutAMemberNothingIsWritten) {
  write("groups", "0xC005 H-3\n");
  const Result made =
      run("route torus:4x4 --engine lash -o tables --lanes lanes --fail terminals=H-3 --multicast "
          "trees --multicast-groups groups --opensm-conf conf");
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(made.err, HasSubstr("no group has a member here: trees is not written"));
  EXPECT_THAT(read("conf"), ::testing::Not(HasSubstr("multicast=")));
  EXPECT_THAT(files(), ::testing::Not(::testing::Contains("trees")));
}

TEST_F(MulticastCommands, GoThroughAnyRouter) {
  write("closed", "S-0\n");
  EXPECT_EQ(run("route torus:4x4 --engine updn --no-transit closed --multicast trees").code, 2);
  ASSERT_EQ(run("route torus:4x4 --engine updn -o tables --multicast trees").code, 0);
  EXPECT_EQ(run("verify torus:4x4 tables --no-transit closed --multicast trees").code, 2);
}

TEST_F(MulticastCommands, AreSimulatedWithTheRest) {
  ASSERT_EQ(run("route torus:4x4 --engine lash -o tables --lanes lanes --multicast good").code, 0);
  ASSERT_EQ(run("route torus:4x4 --engine updn -o others --multicast bad").code, 0);
  const std::string simulate =
      "simulate torus:4x4 --tables tables --lanes lanes --management --load 1 --set "
      "router=input-output-queued "
      "--set vcs=0 --set vc_buffer=1 --set output_buffer=1 --set warmup=500 --set measure=2000 --json ";
  const Result good = run(simulate + "--multicast good");
  EXPECT_EQ(good.code, 0) << good.err;
  EXPECT_TRUE(good.json()["proven_deadlock_free"]);
  EXPECT_EQ(good.json()["terminals"], 32);
  EXPECT_GT(good.json()["points"][0]["multicast_copies"], good.json()["points"][0]["multicast_packets"]);
  const Result bad = run(simulate + "--multicast bad --multicast-share 0.5");
  EXPECT_EQ(bad.code, 1);
  EXPECT_FALSE(bad.json()["proven_deadlock_free"]);
  EXPECT_THAT(bad.json()["points"][0]["deadlock_cycle"].dump(),
              HasSubstr("\"destination\":\"group 0xc000\""));
  EXPECT_EQ(run(simulate + "--multicast good --set packet_flits=2").code, 2);
  EXPECT_EQ(run(simulate + "--multicast good --set router=input-queued").code, 2);
  EXPECT_EQ(run(simulate + "--multicast-share 0.5").code, 2);
  EXPECT_EQ(run("simulate torus:4x4 --engine lash --management --load 1").code, 2);
  EXPECT_EQ(run("simulate torus:4x4 --tables tables --lanes lanes --multicast good --packets none").code, 2);
}

TEST_F(MulticastCommands, OptionsThatMeanNothingAreRefused) {
  EXPECT_EQ(run("route torus:4x4 --multicast-groups groups").code, 2);
  EXPECT_EQ(run("route torus:4x4 --multicast-trees 2").code, 2);
  EXPECT_EQ(run("route torus:4x4 --multicast same -o same").code, 2);
  EXPECT_EQ(run("route torus:5x5 --engine dor --multicast trees").code, 2);  // lanes by ports
  EXPECT_EQ(run("verify torus:4x4 --paths minimal --multicast trees").code, 2);
  EXPECT_EQ(files(), std::vector<std::string>{});
}

}  // namespace
}  // namespace unknot::cli::test
