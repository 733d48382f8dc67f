// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "cli/run_command.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::HasSubstr;

using ScheduleRepairCommand = InFolder;

TEST_F(ScheduleRepairCommand, MendsWhatAFaultHasBroken) {
  ASSERT_EQ(run("schedule mesh:4x4 --collective AAB -o old").code, 0);
  const Result made = run("schedule mesh:4x4 --repair old --fail cables=S-5-S-6 -o new --json");
  ASSERT_EQ(made.code, 0) << made.err;
  const auto document = made.json();
  EXPECT_EQ(document["valid"], true);
  EXPECT_EQ(document["fail"], "cables=S-5-S-6");
  EXPECT_EQ(document["proven_optimal"], document["steps"] == document["lower_bound"]);
  const auto repair = document["repair"];
  EXPECT_EQ(repair["steps_before"], 8);
  EXPECT_GT(repair["lost"], 0);
  EXPECT_EQ(repair["dropped"], 0);
  EXPECT_EQ(repair["kept"].get<int>() + repair["rerouted"].get<int>() + repair["moved"].get<int>(), 240);
  EXPECT_EQ(run("schedule check mesh:4x4 new --fail cables=S-5-S-6").code, 0);
  EXPECT_EQ(run("schedule check mesh:4x4 old --fail cables=S-5-S-6").code, 1);
  // What the file says has failed is left out of the fabric it names.
  const Result as_said = run("schedule check mesh:4x4 new --json");
  EXPECT_EQ(as_said.code, 0);
  EXPECT_EQ(as_said.json()["fail"], "cables=S-5-S-6");
  EXPECT_THAT(run("schedule check mesh:4x4 new").out, HasSubstr("failed: cables=S-5-S-6"));
  // A second fault: the file says what had failed when it was made.
  const auto again =
      run("schedule mesh:4x4 --repair new --fail cables=S-5-S-6,routers=15 -o newer --json").json();
  EXPECT_EQ(again["repair"]["dropped"], 30);
  EXPECT_EQ(again["messages"], 210);
  EXPECT_EQ(run("schedule check mesh:4x4 newer --fail cables=S-5-S-6,routers=15").code, 0);
  // The same on a file with the network that is left.
  ASSERT_EQ(run("topology mesh:4x4 --fail cables=S-5-S-6 -o left").code, 0);
  const auto on_left = run("schedule left --repair old --json").json();
  EXPECT_EQ(on_left["repair"]["kept"], repair["kept"]);
  EXPECT_EQ(on_left["steps"], document["steps"]);
  EXPECT_EQ(run("schedule left --repair old --made-for mesh:4x4 --json").json()["repair"]["made_for"],
            "mesh:4x4");
  // Nothing has failed.
  ASSERT_EQ(run("schedule mesh:4x4 --repair old -o same").code, 0);
  EXPECT_EQ(read("same"), read("old"));
}

TEST_F(ScheduleRepairCommand, KeepsAllOrTakesFewerSteps) {
  ASSERT_EQ(run("schedule mesh:4x4 --collective AAS -o old").code, 0);
  const std::string line = "schedule mesh:4x4 --repair old --fail cables=S-0-S-1 --json ";
  const auto kept = run(line + "--repair-keep --limit 20").json();
  EXPECT_GT(kept["steps"], 16);
  EXPECT_EQ(kept["repair"]["kept"].get<int>() + kept["repair"]["lost"].get<int>(), 240);
  EXPECT_EQ(kept["anew"]["solver"], "auto");
  EXPECT_EQ(kept["anew"]["taken"], false);
  EXPECT_LT(kept["anew"]["steps"], kept["steps"]);
  const auto fewest = run(line).json();
  EXPECT_EQ(fewest["steps"], 16);
  EXPECT_FALSE(fewest.contains("anew"));
  EXPECT_LT(fewest["repair"]["kept"], kept["repair"]["kept"]);
  EXPECT_THAT(run("schedule mesh:4x4 --repair old --fail cables=S-0-S-1 --table").out, HasSubstr("source"));
}

/// Tables are made anew after a fault, or come from a file.
TEST_F(ScheduleRepairCommand, MendsOnTheRoutesInForce) {
  for (const char* const collective : {"AAS", "AAB", "AOR"}) {
    ASSERT_EQ(run(std::string("schedule mesh:4x4 --engine dfsssp -o old --collective ") + collective).code,
              0);
    const Result made =
        run("schedule mesh:4x4 --repair old --engine dfsssp --fail cables=S-5-S-6 -o new --json");
    ASSERT_EQ(made.code, 0) << made.err;
    EXPECT_EQ(made.json()["routes"], "dfsssp");
    EXPECT_EQ(made.json()["repair"]["dropped"], 0);
    const std::string check = "schedule check mesh:4x4 new --fail cables=S-5-S-6";
    EXPECT_EQ(run(check + " --engine dfsssp").code, 0) << collective;
    ASSERT_EQ(run("route mesh:4x4 --engine updn --fail cables=S-5-S-6 -o tables").code, 0);
    const Result by_tables =
        run("schedule mesh:4x4 --repair old --tables tables --fail cables=S-5-S-6 -o new");
    ASSERT_EQ(by_tables.code, 0) << by_tables.err;
    EXPECT_EQ(run(check + " --tables tables").code, 0) << collective;
    EXPECT_THAT(by_tables.out, HasSubstr("routes"));
    // Without a fault, and by the tables that it was made on, nothing changes.
    ASSERT_EQ(run("schedule mesh:4x4 --repair old --engine dfsssp -o same").code, 0);
    EXPECT_EQ(read("same"), read("old"));
  }
}

TEST_F(ScheduleRepairCommand, DesignsOnWhatIsLeft) {
  const auto left = run("schedule ring:6 --collective AAB --fail terminals=2 --json").json();
  EXPECT_EQ(left["messages"], 20);
  EXPECT_EQ(left["nodes"], 6);
  EXPECT_EQ(run("schedule ring:6 --collective OAS --fail routers=0 --json").json()["nodes"], 5);
  // An input file of the thesis says who takes part by numbers of the whole network.
  write("input", "4 2\n0 T 1 3\n1 N 0 2\n2 R 1 3\n3 N 2 0\n");
  const auto thesis = run("schedule input --collective MNB --fail routers=1 --json").json();
  EXPECT_EQ(thesis["nodes"], 3);
  EXPECT_EQ(thesis["messages"], 1);
}

TEST_F(ScheduleRepairCommand, RefusesWhatItCannotMend) {
  ASSERT_EQ(run("schedule mesh:3x3 --collective OAB -o old").code, 0);
  const std::string repair = "schedule mesh:3x3 --repair old ";
  expect_refused(repair + "--fail routers=0", "OAB: no message has both its ends left");
  expect_refused(repair + "--fail routers=1+3", "--fail breaks the fabric apart: ");
  expect_refused(repair + "--engine updn --tables x", "--engine and --tables both say");
  expect_refused(repair + "--engine updn --paths minimal", "--paths: with --engine or --tables");
  expect_refused(repair + "--vls 2", "--vls requires --engine");
  expect_refused("schedule mesh:3x4 --repair old", "old was made for mesh:3x3, of which mesh:3x4 is no part");
  expect_refused("schedule mesh:3x3 --made-for ring:9 --repair old",
                 "old: the schedule is not valid for ring:9, and cannot be repaired: step 1: ");
  expect_refused(repair + "--steps 3", "--steps: with --repair");
  expect_refused(repair + "--bounds", "--bounds: with --repair");
  expect_refused("schedule mesh:3x3 --collective OAB --repair-keep", "--repair");
  expect_refused("schedule check mesh:3x3 old --repair old", "schedule check: nothing is repaired here");
  expect_refused("schedule mesh:3x3 --repair old --bytes 8", "--bytes: it means nothing for --repair");
  expect_refused("schedule mesh:3x3 --repair old --solver ant --limit 1", "unknown solver 'ant'");
  expect_refused("schedule mesh:3x3 --repair old --solver sga",
                 "--solver: with --repair it looks for fewer steps");
  expect_refused("schedule - --repair old --made-for -", "standard input is read once");
  write("lost", R"({"fabric": "nowhere", "collective": "OAS", "steps": []})");
  expect_refused("schedule mesh:3x3 --repair lost", "--made-for names another fabric");
}

}  // namespace
}  // namespace unknot::cli::test
