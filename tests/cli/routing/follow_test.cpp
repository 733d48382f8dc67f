// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <filesystem>
#include <sstream>

#include "cli/run_command.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::HasSubstr;

class FollowCommand : public InFolder {
 protected:
  static constexpr const char* kFollow = "watch --follow in --once --every 0.01 --state state ";

  FollowCommand() {
    std::filesystem::create_directories("in/1");
    EXPECT_EQ(run("topology torus:4x4,p=2 -o in/1/fabric --format ibnetdiscover").code, 0);
  }
  static std::vector<nlohmann::json> events(const Result& result) {
    std::vector<nlohmann::json> events;
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);) events.push_back(nlohmann::json::parse(line));
    return events;
  }
};

/// What an administrator names may be off: the fabric is repaired all the same.
TEST_F(FollowCommand, FilesThatNameWhatIsOffStopNoRepair) {
  write("closed", "0x0002000000000005\n");
  ASSERT_EQ(run("topology torus:4x4 -o 1.fabric --format json").code, 0);
  const std::string watch =
      "watch --follow . --once --every 0.05 --state s --reroute sets --engine updn --no-transit closed";
  ASSERT_EQ(run(watch).code, 0);
  ASSERT_EQ(run("topology 1.fabric --fail routers=S-5 -o 2.fabric --format json").code, 0);
  const Result dead = run(watch);
  EXPECT_EQ(dead.code, 0) << dead.out << dead.err;
  EXPECT_THAT(dead.out, HasSubstr(R"("action":"rerouted")"));
  EXPECT_THAT(dead.err, HasSubstr("closed: 1 GUID is not of the fabric, passed over"));
}

TEST_F(FollowCommand, TellsAnEventADumpOnce) {
  const Result first = run(std::string(kFollow) + "--reroute sets --metrics unknot.prom");
  EXPECT_EQ(first.code, 0) << first.err;
  ASSERT_EQ(events(first).size(), 1U);
  const nlohmann::json event = events(first)[0];
  EXPECT_EQ(event["dump"], "1");
  EXPECT_EQ(event["verdict"], "proven");
  EXPECT_EQ(event["action"], "routed");
  EXPECT_EQ(event["set"], "set-000001");
  EXPECT_EQ(event["lost_pairs"], 0);
  EXPECT_EQ(event["changed_cables"], 0);
  EXPECT_TRUE(event["seconds"].is_number());
  EXPECT_EQ(event["traffic"], (nlohmann::json{"data", "management"}));
  EXPECT_THAT(read_file("unknot.prom"), HasSubstr("unknot_watch_installed_set 1\n"));
  const Result again = run(std::string(kFollow) + "--reroute sets");
  EXPECT_EQ(again.out, "");
  EXPECT_EQ(again.code, 0);

  ASSERT_EQ(run("topology in/1/fabric --fail cables=S-1-S-2 -o in/2.fabric --format json").code, 0);
  const std::vector<nlohmann::json> second = events(run(std::string(kFollow) + "--reroute sets"));
  ASSERT_EQ(second.size(), 1U);
  EXPECT_EQ(second[0]["changed_cables"], 1);
  EXPECT_EQ(second[0]["action"], "rerouted");
  EXPECT_FALSE(event.contains("together_deadlock_free"));
  const nlohmann::json both =
      run("watch in/1/fabric in/2.fabric --old-tables sets/set-000001/lfts --old-lanes sets/set-000001/lanes "
          "--new-tables sets/set-000002/lfts --new-lanes sets/set-000002/lanes --json")
          .json();
  EXPECT_EQ(second[0]["together_deadlock_free"], both["together_deadlock_free"]);
  EXPECT_EQ(second[0]["broken_pairs"], both["broken_pairs"]);
  // By the command that anybody else would take.
  EXPECT_EQ(run("verify sets/current/fabric sets/current/lfts --lanes sets/current/lanes --certificate "
                "sets/current/proof")
                .code,
            0);
}

/// The files of the service, of reroute and of route are the same for exact tables of clos.
TEST_F(FollowCommand, TablesOfClosFollowTheFabricExactly) {
  const std::string clos = " --engine clos --upkeep exact --traffic data ";
  std::filesystem::create_directories("trees");
  const std::string watch = "watch --follow trees --once --every 0.05 --state s --reroute sets" + clos;
  ASSERT_EQ(run("topology xgft:m=4x4,w=3x3,terminals=40 -o trees/1.fabric --format json").code, 0);
  ASSERT_EQ(run(watch).code, 0);
  ASSERT_EQ(run("topology trees/1.fabric --fail cables=3+20 -o trees/2.fabric --format json").code, 0);
  EXPECT_EQ(events(run(watch)).at(0)["action"], "rerouted");
  ASSERT_EQ(run("route trees/2.fabric --engine clos --traffic data -o anew").code, 0);
  ASSERT_EQ(
      run("reroute trees/1.fabric --tables sets/set-000001/lfts --to trees/2.fabric -o followed" + clos).code,
      0);
  EXPECT_EQ(read_file("sets/current/lfts"), read_file("anew"));
  EXPECT_EQ(read_file("followed"), read_file("anew"));
  EXPECT_THAT(run("reroute trees/1.fabric --tables anew --fail cables=3 --upkeep exact").err,
              HasSubstr("--upkeep is for tables of engine clos"));
  EXPECT_THAT(run("watch --follow trees --reroute x --upkeep exact").err,
              HasSubstr("--upkeep is for tables of engine clos"));
}

TEST_F(FollowCommand, RefusesADumpThatIsCutOffAndGoesOn) {
  const std::string whole = read_file("in/1/fabric");
  std::filesystem::create_directories("in/2");
  std::filesystem::create_directories("in/3");
  write("in/2/fabric", std::string_view(whole).substr(0, whole.size() / 2));
  write("in/3/fabric", whole);
  const Result result = run(kFollow);
  EXPECT_EQ(result.code, 1);
  const std::vector<nlohmann::json> told = events(result);
  ASSERT_EQ(told.size(), 3U);
  for (const nlohmann::json& event : told) {
    EXPECT_EQ(event["action"], event["dump"] == "2" ? "refused" : "none") << event;
    if (event["dump"] == "2") {
      EXPECT_THAT(event["sentence"].get<std::string>(), HasSubstr("in/2/fabric"));
    }
  }
  // Once it has changed, it is tried again, and only then.
  EXPECT_EQ(run(kFollow).out, "");
  write("in/2/fabric", whole);
  EXPECT_EQ(events(run(kFollow)).at(0)["action"], "none");
}

TEST_F(FollowCommand, EndsWithOneWhereWhatIsInForceIsNotProven) {
  ASSERT_EQ(run("route in/1/fabric --engine minhop -o in/1/lfts").code, 1);
  const Result locked = run(kFollow);
  EXPECT_EQ(locked.code, 1);
  EXPECT_EQ(events(locked).at(0)["verdict"], "deadlock");
  // With others installed, it is those that count, and what the dump has is told beside them.
  const std::vector<nlohmann::json> told =
      events(run("watch --follow in --once --every 0.01 --reroute sets"));
  EXPECT_EQ(told.at(0)["verdict"], "proven");
  EXPECT_EQ(told.at(0)["in_force"], "deadlock");
}

TEST_F(FollowCommand, TakesWhatACommandWrites) {
  const Result first = run({"watch", "--follow-command", "cat in/1/fabric", "--once", "--state", "state"});
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_EQ(events(first).at(0)["dump"], "command");
  EXPECT_EQ(events(first).at(0)["verdict"], "unknown");
  // The same fabric is no news, whatever the text around it.
  const Result again =
      run({"watch", "--follow-command", "echo '# later'; cat in/1/fabric", "--once", "--state", "state"});
  EXPECT_EQ(again.out, "");
  const Result failed = run({"watch", "--follow-command", "exit 4", "--once", "--state", "state"});
  EXPECT_EQ(failed.code, 1);
  EXPECT_THAT(events(failed).at(0)["sentence"].get<std::string>(), HasSubstr("ended with exit code 4"));
  const Result slow =
      run({"watch", "--follow-command", "sleep 1000 & wait", "--once", "--time-limit", "0.05"});
  EXPECT_THAT(events(slow).at(0)["sentence"].get<std::string>(), HasSubstr("had not ended after 0.05 s"));
}

TEST_F(FollowCommand, RunsAnotherCommandUntilThatHasWorked) {
  const std::vector<std::string> words = {"watch",
                                          "--follow",
                                          "in",
                                          "--once",
                                          "--every",
                                          "0.01",
                                          "--state",
                                          "state",
                                          "--reroute",
                                          "sets",
                                          "--run-on-install",
                                          "test -e ready && echo $UNKNOT_SET >> told"};
  const Result failed = run(words);
  EXPECT_EQ(failed.code, 1);
  EXPECT_THAT(failed.err, HasSubstr("the command after installation ended with exit code 1"));
  write("ready", "");
  EXPECT_EQ(run(words).code, 0);
  EXPECT_EQ(run(words).code, 0);
  EXPECT_EQ(read_file("told"), "sets/set-000001\n");
}

TEST_F(FollowCommand, StartsFromOldTables) {
  ASSERT_EQ(run("route in/1/fabric --engine dfsssp -o lfts --lanes lanes").code, 0);
  ASSERT_EQ(run("topology in/1/fabric --fail cables=S-1-S-2 -o less --format json").code, 0);
  std::filesystem::rename("less", "in/1/fabric");
  const std::vector<nlohmann::json> told =
      events(run("watch torus:4x4,p=2 --follow in --once --every 0.01 --old-tables lfts --old-lanes lanes "
                 "--reroute sets"));
  EXPECT_EQ(told.at(0)["action"], "rerouted");
  EXPECT_EQ(told.at(0)["changed_cables"], 1);
  EXPECT_GT(told.at(0)["broken_pairs"], 0);
}

TEST_F(FollowCommand, RefusesOptionsThatMeanNothing) {
  EXPECT_THAT(run("watch").err, HasSubstr("give OLD and NEW, or --follow DIR"));
  for (const auto& [line, expected] : std::vector<std::pair<std::string, std::string>>{
           {"watch torus:4x4 torus:4x4 --every 3", "--every is for --follow or --follow-command"},
           {"watch torus:4x4 torus:4x4 --traffic data", "--traffic is for --follow"},
           {"watch a b --follow in", "NEW is for two dumps"},
           {"watch a --follow in --only-harm", "--only-harm is for two dumps"},
           {"watch --follow in --follow-command true", "not from both"},
           {"watch --follow in --old-tables a", "OLD, which is missing"},
           {"watch --follow in --run-on-install true", "needs --reroute"},
           {"watch --follow in --state a --reroute a", "need a folder each"},
           {"watch --follow in --engine dfssp", "dfsssp"},
           {"watch --follow in --every 0", "--every"},
           {"watch --follow in --metrics missing/folder", "missing"},
           {"watch --follow nowhere", "cannot read the folder"}}) {
    const Result result = run(line);
    EXPECT_EQ(result.code, 2) << line;
    EXPECT_THAT(result.err, HasSubstr(expected)) << line;
    EXPECT_EQ(result.out, "") << line;
  }
}

}  // namespace
}  // namespace unknot::cli::test
