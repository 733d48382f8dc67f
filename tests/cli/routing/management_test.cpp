// SPDX-License-Identifier: Apache-2.0
// Management in route, verify and reroute: what is covered, what is written, and that it can be read back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "../run_command.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::HasSubstr;

const nlohmann::json kData = {"data"};
const nlohmann::json kAll = {"data", "management"};

class ManagementCommands : public InFolder {};

TEST_F(ManagementCommands, RefuseOptionsThatWouldDoNothing) {
  ASSERT_EQ(run("route ring:4 --engine updn -o tables").code, 0);
  for (const std::string command :
       {"route ring:4 --engine updn", "reroute ring:4 --tables tables --fail cables=0"}) {
    expect_refused(command + " --traffic data --management-hosts H-0",
                   "--management-hosts says nothing where --traffic data leaves management out");
    expect_refused(command + " --traffic data --management-lanes 2", "--management-lanes says nothing");
    expect_refused(command + " --format json", "--format requires --output");
    expect_refused(command + " --lanes-format compact", "--lanes-format requires");
  }
}

TEST_F(ManagementCommands, SayWhyRoutersWithoutHostsHaveNoEntries) {
  EXPECT_THAT(
      run("route random:switches=5,links=7,terminals=3,seed=6 --engine layers --lmc 1").out,
      ::testing::HasSubstr("14 pairs with routers have no entry: routers without hosts get none where "
                           "SL-to-VL tables choose the lanes"));
}

// A device is no file that has a folder of its own.
TEST_F(ManagementCommands, LidsAreNotWrittenBesideADevice) {
  std::filesystem::create_symlink("/dev/null", "nowhere");
  const Result made = run("route ring:4 --engine updn -o nowhere");
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(made.err, ::testing::Not(::testing::HasSubstr("LIDs")));
  EXPECT_FALSE(std::filesystem::exists("guid2lid"));
}

TEST_F(ManagementCommands, CertificatesOfOneSwitchHold) {
  for (const char* traffic : {"all", "data"}) {
    SCOPED_TRACE(traffic);
    ASSERT_EQ(
        run(std::string("route mesh:1,p=3 --engine updn -o tables --certificate proof --traffic ") + traffic)
            .code,
        0);
    const Result back = run("verify mesh:1,p=3 tables --certificate proof --json");
    EXPECT_EQ(back.code, 0) << back.err;
    EXPECT_TRUE(back.json()["certificate_holds"]);
  }
  ASSERT_EQ(run("route mesh:1,p=4 --engine updn -o tables").code, 0);
  expect_refused("verify mesh:1,p=4 tables --certificate proof",
                 "the certificate was made for another network");
  // What is wrong with one of this network is said, whichever traffic it is of.
  ASSERT_EQ(run("route ring:3 --engine lash --vls 3 -o tables --lanes lanes --certificate proof").code, 0);
  std::string text = read("proof");
  text.replace(text.find("\nend "), std::string::npos, "\nend 1\n");
  write("proof", text);
  expect_refused("verify ring:3 tables --lanes lanes --certificate proof", "expected 'end ");
}

// Tables in JSON have no rows to switches: the certificate of all traffic holds for their data, as it does
// where data alone is asked.
TEST_F(ManagementCommands, CertificatesOfAllTrafficHoldForData) {
  const std::string route = "route torus:4x4x2,p=2 --engine dfsssp --certificate proof ";
  ASSERT_EQ(run(route + "-o tables.json --format json").code, 0);
  ASSERT_EQ(run(route + "-o tables --lanes lanes").code, 0);
  for (const char* tables : {"tables.json", "tables --lanes lanes --traffic data"}) {
    SCOPED_TRACE(tables);
    const Result back = run(std::string("verify torus:4x4x2,p=2 --certificate proof --json ") + tables);
    ASSERT_EQ(back.code, 0) << back.err;
    EXPECT_EQ(back.json()["traffic"], kData);
    EXPECT_TRUE(back.json()["certificate_holds"]);
  }
  // Not for tables that another order of waiting was found for.
  ASSERT_EQ(run("route torus:4x4x2,p=2 --engine updn -o others.json --format json").code, 0);
  const Result others = run("verify torus:4x4x2,p=2 others.json --certificate proof --json");
  EXPECT_EQ(others.code, 1);
  EXPECT_FALSE(others.json()["certificate_holds"]);
  ASSERT_EQ(
      run("route torus:4x4x2,p=3 --engine dfsssp -o threes --lanes lanes-of-threes --certificate of-threes")
          .code,
      0);
  expect_refused("verify torus:4x4x2,p=2 tables.json --certificate of-threes",
                 "the certificate was made for another network");
}

TEST_F(ManagementCommands, RouteWritesWhatVerifyProves) {
  for (const char* fabric : {"torus:4x4,p=2", "kary-ntree:k=3,n=3", "deimos", "dragonfly:a=4,h=2,p=2"}) {
    for (const char* engine : {"dfsssp", "unknot:effort=0.05"}) {
      const std::string name = std::string(fabric) + " --engine " + engine;
      SCOPED_TRACE(name);
      const Result made = run("route " + name + " -o tables --lanes lanes --certificate proof --json");
      ASSERT_EQ(made.code, 0) << made.err;
      EXPECT_EQ(made.json()["traffic"], kAll);
      EXPECT_TRUE(made.json()["deadlock_free"]);
      EXPECT_EQ(made.json()["management"]["unroutable_pairs"], 0);
      const Result back =
          run(std::string("verify ") + fabric + " tables --lanes lanes --certificate proof --json");
      ASSERT_EQ(back.code, 0) << back.out;
      EXPECT_EQ(back.json()["traffic"], kAll);
      EXPECT_EQ(back.json()["management"]["pairs"], made.json()["management"]["pairs"]);
      EXPECT_EQ(back.json()["management"]["unroutable_pairs"], 0);
      EXPECT_EQ(back.json()["dependencies"], made.json()["dependencies"]);
      EXPECT_EQ(back.json()["lanes_used"], made.json()["lanes_used"]);
      EXPECT_TRUE(back.json()["certificate_holds"]);
      EXPECT_FALSE(back.json().contains("certificate_of_data_alone"));
    }
  }
}

TEST_F(ManagementCommands, LevelsInTheCompactFormSayTheSame) {
  const std::string route = "route torus:4x4x2,p=2 --engine dfsssp -o tables ";
  ASSERT_EQ(run(route + "--lanes lanes").code, 0);
  const Result plain = run("verify torus:4x4x2,p=2 tables --lanes lanes --json");
  ASSERT_EQ(plain.code, 0);
  const std::size_t size = read("lanes").size();
  ASSERT_EQ(run(route + "--lanes lanes --lanes-format compact").code, 0);
  EXPECT_LT(read("lanes").size(), size / 10);
  const Result compact = run("verify torus:4x4x2,p=2 tables --lanes lanes --json");
  ASSERT_EQ(compact.code, 0);
  for (const char* field :
       {"traffic", "pairs", "dependencies", "hops", "lanes_used", "deadlock_free", "management"})
    EXPECT_EQ(compact.json().value(field, nlohmann::json()), plain.json().value(field, nlohmann::json()))
        << field;
  ASSERT_EQ(run("reroute torus:4x4x2,p=2 --tables tables --lanes lanes --fail cables=S-0-S-1 -o new "
                "--new-lanes new-lanes "
                "--lanes-format compact")
                .code,
            0);
  EXPECT_THAT(read("new-lanes"), HasSubstr(" = 0x"));
  EXPECT_EQ(run("verify torus:4x4x2,p=2 new --lanes new-lanes --fail cables=S-0-S-1").code, 0);
  EXPECT_EQ(run(route + "--lanes lanes --lanes-format short").code, 2);
  // A switch that is cut off from everybody has no level to tell.
  const std::string cut = " --fail routers=S-1,terminals=H-2 --lanes lanes ";
  const Result left = run("route mesh:3 --engine updn -o tables --lanes-format compact" + cut);
  const Result back = run("verify mesh:3 tables" + cut);
  EXPECT_LE(back.code, 1) << read("lanes") << back.err;
  EXPECT_EQ(back.code, left.code);
}

// The answers of before: the same tables' data.
TEST_F(ManagementCommands, DataAloneIsAnAnswerOfItsOwn) {
  const std::string route = "route torus:4x4x2,p=2 --engine dfsssp ";
  ASSERT_EQ(run(route + "-o tables --lanes lanes").code, 0);
  const nlohmann::json data =
      run(route + "--traffic data -o data --lanes data-lanes --certificate proof --json").json();
  EXPECT_EQ(data["traffic"], kData);
  EXPECT_FALSE(data.contains("management"));
  const nlohmann::json of_all =
      run("verify torus:4x4x2,p=2 tables --lanes lanes --traffic data --json").json();
  EXPECT_EQ(of_all["traffic"], kData);
  for (const char* field : {"dependencies", "hops", "channel_load", "deadlock_free", "lanes_used"})
    EXPECT_EQ(of_all[field], data[field]) << field;
  // Levels of hosts are the same in both files; the one with management has those of switches, too.
  EXPECT_GT(read("lanes").size(), read("data-lanes").size());
  const Result alone = run("verify torus:4x4x2,p=2 tables --lanes lanes --certificate proof --json");
  EXPECT_EQ(alone.code, 0);
  EXPECT_TRUE(alone.json()["certificate_of_data_alone"]);
}

// Rows to switches on level 0 close a cycle that hosts' packets do not.
TEST_F(ManagementCommands, TablesWhoseDataIsFreeCanDeadlockWithManagement) {
  ASSERT_EQ(run("route torus:4x4x2,p=2 --engine dfsssp -o tables --lanes lanes").code, 0);
  ASSERT_EQ(run("route torus:4x4x2,p=2 --engine dfsssp --traffic data -o data --lanes data-lanes").code, 0);
  const Result found = run("verify torus:4x4x2,p=2 tables --lanes data-lanes --json");
  EXPECT_EQ(found.code, 1);
  EXPECT_EQ(found.json()["traffic"], kAll);
  EXPECT_FALSE(found.json()["deadlock_free"]);
  EXPECT_TRUE(found.json()["management"]["data_alone_deadlock_free"]);
  EXPECT_FALSE(found.json()["witness"].empty());
  EXPECT_EQ(run("verify torus:4x4x2,p=2 tables --lanes data-lanes --traffic data").code, 0);
  EXPECT_THAT(run("verify torus:4x4x2,p=2 tables --lanes data-lanes").out, HasSubstr("data alone is"));
}

TEST_F(ManagementCommands, ManagementKeepsToTheLanesThatItIsGiven) {
  const nlohmann::json more = run("route deimos --engine unknot --json").json();
  ASSERT_EQ(more["management"]["lanes_more"], 1);
  EXPECT_TRUE(more["management"]["left_out"].empty());
  const Result within = run("route deimos --engine unknot --management-lanes 0 -o tables --json");
  EXPECT_EQ(within.code, 0);
  EXPECT_EQ(within.json()["virtual_lanes"], 1);
  const std::size_t left = within.json()["management"]["left_out"].size();
  EXPECT_GT(left, 0U);
  EXPECT_EQ(within.json()["management"]["unroutable_pairs"], left);
  EXPECT_TRUE(within.json()["deadlock_free"]);
  const nlohmann::json back = run("verify deimos tables --json").json();
  EXPECT_TRUE(back["deadlock_free"]);
  EXPECT_EQ(back["management"]["unroutable_pairs"], left);
  // Without a file of levels there is one lane, and nothing else is said.
  EXPECT_EQ(run("route deimos --engine unknot -o again --json").json()["management"]["left_out"].size(),
            left);
  EXPECT_EQ(read("again"), read("tables"));
  EXPECT_THAT(run("route deimos --engine unknot --management-lanes 0").out,
              HasSubstr("no way without a cycle"));
}

TEST_F(ManagementCommands, ManagersAreAnsweredOnTheirLevel) {
  const std::string route = "route torus:4x4x2,p=2 --engine dfsssp:spread=0 -o tables --lanes lanes --json";
  const Result made = run(route + " --management-hosts H-0,H-9");
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_TRUE(made.json()["management"]["answered_on_another_level"].empty());
  const Result back = run("verify torus:4x4x2,p=2 tables --lanes lanes --json");
  EXPECT_EQ(back.code, 0) << back.out;
  expect_refused("route torus:4x4 --management-hosts nobody", "nobody");
}

TEST_F(ManagementCommands, RerouteMakesItAnew) {
  ASSERT_EQ(run("route xgft:m=4x4,w=2x2 --engine dfsssp -o old --lanes lanes").code, 0);
  const Result made =
      run("reroute xgft:m=4x4,w=2x2 --tables old --lanes lanes --fail cable-count=2,seed=3 -o new "
          "--new-lanes new-lanes "
          "--certificate proof --json");
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(made.json()["traffic"], kAll);
  const Result back = run(
      "verify xgft:m=4x4,w=2x2 new --lanes new-lanes --fail cable-count=2,seed=3 --certificate proof --json");
  EXPECT_EQ(back.code, 0) << back.out;
  EXPECT_EQ(back.json()["traffic"], kAll);
  EXPECT_EQ(back.json()["management"]["pairs"], made.json()["management"]["pairs"]);
}

TEST_F(ManagementCommands, FormatsWithoutSwitchesHoldData) {
  ASSERT_EQ(run("route torus:4x4 --engine dfsssp -o tables --format json").code, 0);
  EXPECT_EQ(run("verify torus:4x4 tables --json").json()["traffic"], kData);
  EXPECT_THAT(run("verify torus:4x4 tables").out, HasSubstr("no rows to switches"));
  const nlohmann::json routes = run("route torus:4x4 --engine angara-sssp --json").json();
  EXPECT_EQ(routes["traffic"], kData);
}

TEST_F(ManagementCommands, LevelsOfSwitchesAreReadWhereTheyAreWanted) {
  ASSERT_EQ(run("route torus:4x4 --engine dfsssp -o tables --lanes lanes").code, 0);
  // A level of a switch that cannot be is refused where management is proven.
  write("bad", read("lanes") + "0x0002000000000003 1 16\n");
  expect_refused("verify torus:4x4 tables --lanes bad", "service level 16");
}

}  // namespace
}  // namespace unknot::cli::test
