// SPDX-License-Identifier: Apache-2.0
// What switches of lossless Ethernet say: verify says whether pauses lock them, and what cures it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "../run_command.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class EthernetCommands : public InFolder {
 protected:
  static std::string of(const std::string& sample, const std::string& rest) {
    return "verify --ethernet " UNKNOT_SOURCE_DIR "/data/ethernet/" + sample + " " + rest;
  }
};

TEST_F(EthernetCommands, TwoTopOfRackSwitchesLockAndQueuesOfTheirOwnForWhatIsBouncedCureIt) {
  const Result locked = run(of("dual-tor", "--json"));
  EXPECT_EQ(locked.code, 1);
  const nlohmann::json no = locked.json();
  EXPECT_EQ(no["deadlock_free"], nlohmann::json(false));
  EXPECT_EQ(no["lossless_queues_needed"], nlohmann::json(2));
  EXPECT_EQ(no["lossless_queues_proven_fewest"], nlohmann::json(true));
  EXPECT_EQ(no["lossless_queues_at_least"], nlohmann::json(2));
  EXPECT_EQ(no["lossless_queues_at_least_by_ports"], nlohmann::json(2));
  EXPECT_EQ(no["queues"],
            nlohmann::json::parse(
                R"([{"priority":3,"deadlock_free":false},{"priority":4,"deadlock_free":false}])"));
  // Down to one switch, through its tunnel back up, down to the other, and back up again.
  ASSERT_EQ(no["witness"].size(), 4U);
  EXPECT_EQ(std::count_if(
                no["witness"].begin(), no["witness"].end(),
                [](const nlohmann::json& wait) { return wait["tunnel_of"] != wait["goes_on_in_tunnel_of"]; }),
            2);
  EXPECT_EQ(no["single_failures"], nlohmann::json());

  const Result free = run(of("dual-tor-remapped", "--failures --json"));
  EXPECT_EQ(free.code, 0);
  const nlohmann::json yes = free.json();
  EXPECT_EQ(yes["deadlock_free"], nlohmann::json(true));
  EXPECT_EQ(yes["queues"].size(), 4U);
  EXPECT_EQ(yes["witness"], nlohmann::json());
  EXPECT_EQ(yes["single_failures"]["tried"], nlohmann::json(4));
  EXPECT_EQ(yes["single_failures"]["deadlock"], nlohmann::json(0));
}

TEST_F(EthernetCommands, ADetourLocksAndTagsKeepItFromLoss) {
  EXPECT_EQ(run(of("clos-bounce", "")).code, 0);
  const Result text = run(of("clos-bounce", "--failures --failure-pairs 40 --tags rules"));
  EXPECT_EQ(text.code, 1);
  EXPECT_THAT(text.out, HasSubstr("NO, 18 of 24 tried deadlock"));
  EXPECT_THAT(text.out, HasSubstr("fewest lossless queues     2, for each link down, too"));
  EXPECT_THAT(text.out, HasSubstr("Rules for 2 lossless queues, checked"));
  const nlohmann::json rules = nlohmann::json::parse(read("rules"));
  EXPECT_EQ(rules["queues"], nlohmann::json(2));
  EXPECT_EQ(rules["otherwise"], nlohmann::json("lossy"));
  EXPECT_EQ(rules["switches"].size(), 15U);
  EXPECT_FALSE(rules["switches"]["pod1-tor1"]["raise"].empty());
  EXPECT_TRUE(rules["switches"]["core1"]["raise"].empty());
  EXPECT_EQ(rules["switches"]["core1"]["keep"].size(), 2U);
}

TEST_F(EthernetCommands, TheAnswerIsSaidToCoverOnlyTheSwitchesThatAreThere) {
  const Result whole = run(of("clos-bounce", ""));
  EXPECT_THAT(whole.out, Not(HasSubstr("covers")));
  EXPECT_EQ(run(of("clos-bounce", "--json")).json()["all_neighbours_in_folder"], nlohmann::json(true));
  namespace fs = std::filesystem;
  fs::create_directory("part");
  for (const fs::directory_entry& entry :
       fs::directory_iterator(UNKNOT_SOURCE_DIR "/data/ethernet/clos-bounce")) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("core2.") && !name.starts_with("core3."))
      fs::copy_file(entry.path(), fs::path("part") / name);
  }
  const Result text = run("verify --ethernet part");
  EXPECT_EQ(text.code, 0);
  EXPECT_THAT(
      text.out,
      HasSubstr("the 13 switches in the folder, without core2, which 2 ports lead to, and 1 other\n"));
  EXPECT_THAT(text.out, HasSubstr("yes among these, priorities 3, 4"));
  EXPECT_THAT(text.out, HasSubstr("Named by LLDP or by routes, and not in the folder."));
  EXPECT_THAT(text.out, HasSubstr("  core3, behind pod1-agg3 swp4, pod2-agg3 swp4\n"));
  const nlohmann::json json = run("verify --ethernet part --json").json();
  EXPECT_EQ(json["all_neighbours_in_folder"], nlohmann::json(false));
  EXPECT_EQ(json["not_in_folder"][0], nlohmann::json::parse(R"({"device": "core2", "ports": [
      {"switch": "pod1-agg2", "port": "swp4"}, {"switch": "pod2-agg2", "port": "swp4"}]})"));
  EXPECT_EQ(json["not_in_folder"].size(), 2U);
}

TEST_F(EthernetCommands, WholeSwitchesAreTriedBesideLinks) {
  const Result text = run(of("clos-bounce", "--failures"));
  EXPECT_THAT(text.out, HasSubstr("free with one switch down  NO, 6 of 15 tried deadlock"));
  EXPECT_THAT(text.out, HasSubstr("With pod1-tor1 down buffers can wait"));
  const nlohmann::json json = run(of("clos-bounce", "--failures --json")).json()["switch_failures"];
  EXPECT_EQ(json["tried"], nlohmann::json(15));
  EXPECT_EQ(json["all"], nlohmann::json(true));
  EXPECT_EQ(json["deadlock"], nlohmann::json(6));
  // That nothing gets to hosts of a switch that is down counts for nothing.
  EXPECT_EQ(json["losing"], nlohmann::json(9));
  EXPECT_EQ(json["named"][0]["switch"], nlohmann::json("pod1-tor1"));
  EXPECT_EQ(json["named"][0]["losing_prefixes"], nlohmann::json(0));
  EXPECT_EQ(json["named"][0]["deadlock_free"], nlohmann::json(false));
  EXPECT_FALSE(json["named"][0]["witness"].empty());
  EXPECT_EQ(run(of("clos-bounce", "--json")).json()["switch_failures"], nlohmann::json());
  const Result free = run(of("dual-tor-remapped", "--failures"));
  EXPECT_EQ(free.code, 0);
  EXPECT_THAT(free.out, HasSubstr("free with one switch down  yes, all 4 tried\n"));
}

TEST_F(EthernetCommands, PairsOfLinksAreTriedOnceEach) {
  const auto pairs = [](const std::string& count) {
    return run(of("clos-bounce", "--json --failure-pairs " + count)).json()["failure_pairs"];
  };
  // 24 links have 276 pairs.
  const nlohmann::json all = pairs("1000000");
  EXPECT_EQ(all["tried"], nlohmann::json(276));
  EXPECT_EQ(all["all"], nlohmann::json(true));
  EXPECT_EQ(pairs("276"), all);
  for (const char* seed : {"1", "2", "3"}) {
    const nlohmann::json most = pairs(std::string("275 --seed ") + seed);
    EXPECT_EQ(most["all"], nlohmann::json(false));
    EXPECT_LE(all["deadlock"].get<int>() - most["deadlock"].get<int>(), 1);
    EXPECT_LE(all["losing"].get<int>() - most["losing"].get<int>(), 1);
  }
  EXPECT_THAT(run(of("clos-bounce", "--failure-pairs 276")).out, HasSubstr("(all pairs)"));
}

TEST_F(EthernetCommands, QueuesForAllLinksAreNotTakenForThoseOfFailures) {
  EXPECT_THAT(
      run(of("clos-bounce", "--failures")).out,
      HasSubstr("1 with all links up; --failures with --tags FILE finds those for each link down, too\n"));
  EXPECT_THAT(run(of("clos-bounce", "--failure-pairs 5 --tags t")).out, HasSubstr("1 with all links up\n"));
  EXPECT_THAT(run(of("clos-bounce", "")).out, HasSubstr("queues  1\n"));
}

TEST_F(EthernetCommands, TheSameAtAnyNumberOfThreads) {
  const auto document = [](const std::string& threads) {
    nlohmann::json json = run(of("clos-bounce", "--failures --failure-pairs 60 --seed 5 --json --tags t" +
                                                    threads + " --threads " + threads))
                              .json();
    json.erase("seconds");
    return json;
  };
  EXPECT_EQ(document("1"), document("2"));
  EXPECT_EQ(read("t1"), read("t2"));
}

TEST_F(EthernetCommands, QueuesAreThoseOfSwitchesWithoutAConfiguration) {
  const nlohmann::json json = run(of("clos-bounce", "--queues 0,5 --json")).json();
  ASSERT_EQ(json["queues"].size(), 2U);
  EXPECT_EQ(json["queues"][1]["priority"], nlohmann::json(5));
}

TEST_F(EthernetCommands, BadInputIsOneSentence) {
  expect_refused("verify --ethernet nowhere", "nowhere: cannot be read as a folder");
  expect_refused("verify torus:4x4 --ethernet nowhere", "FABRIC excludes --ethernet");
  expect_refused("verify", "FABRIC is required");
  expect_refused("verify torus:4x4 --failures", "--failures requires --ethernet");
  expect_refused("verify --ethernet . --nodes 0-3", "--ethernet is of all that was collected");
  expect_refused("verify --ethernet .", ".: no switch in this folder");
  write("a.lldp.txt", "LocalPort  RemoteDevice  RemotePortID\n---------  ------------  ------------\n");
  expect_refused("verify --ethernet .", "a has no routes.json beside it");
  write("a.routes.json", "[]");
  expect_refused("verify --ethernet .", ".: no route leads to a host");
  write("a.routes.json", "[{\"dst\": \"10.0.0.0/40\", \"dev\": \"x\"}]");
  expect_refused("verify --ethernet .",
                 "./a.routes.json: route 1.dst: expected a prefix such as 10.1.0.0/24");
}

}  // namespace
}  // namespace unknot::cli::test
