// SPDX-License-Identifier: Apache-2.0
// Steps of a transition, from the command line: what addresses they speak of, what they may not say, and what
// earlier steps have left behind.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "cli/run_command.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class TransitionFiles : public InFolder {
 protected:
  /// The rows of a dump with other LIDs for the terminals of ring:4: 1 and 3 are exchanged, so are 2 and 4.
  static std::string exchanged(const std::string& dump) {
    std::string text;
    std::size_t at = 0;
    while (at < dump.size()) {
      const std::size_t end = dump.find('\n', at) + 1;
      std::string line = dump.substr(at, end - at);
      if (line.starts_with("0x000") && line[5] >= '1' && line[5] <= '4')
        line[5] = static_cast<char>('1' + (line[5] - '1' + 2) % 4);
      text += line;
      at = end;
    }
    return text;
  }
};

TEST_F(TransitionFiles, SpeakOfTheLidsInForce) {
  ASSERT_EQ(run("topology ring:4 -o ring.json --format json").code, 0);
  ASSERT_EQ(run("route ring.json --engine updn -o old").code, 0);
  std::filesystem::create_directory("other");
  write("other/old", exchanged(read("old")));
  const std::string change = "reroute ring.json --tables other/old --fail cables=0 ";
  std::filesystem::create_directory("made");
  ASSERT_EQ(run(change + "-o made/new --transition steps").code, 0);
  EXPECT_EQ(run(change + "--check-transition steps").code, 0);
  EXPECT_THAT(run(change + "--check-transition steps").out, HasSubstr("traffic covered       data\n"));
  EXPECT_EQ(run(change + "--check-transition steps --json").json()["traffic"],
            nlohmann::json::array({"data"}));
  expect_refused(change + "--check-transition steps --traffic all", "steps are proven for data alone");
  for (const char* unused :
       {"--management-hosts H-0", "--qos a", "--engine clos", "--force", "--format json -o new"})
    expect_refused(change + "--check-transition steps " + unused, "it means nothing for --check-transition");
  // By hand: the old rows, with the ports of the steps at the steps' LIDs, must be the new rows.
  std::map<std::pair<std::string, int>, int> ports;
  const auto take = [&](const std::string& text) {
    std::string guid;
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
      const std::string line = text.substr(at, text.find('\n', at) - at);
      if (line.starts_with("Unicast")) guid = line.substr(line.find("guid ") + 5, 18);
      if (line.starts_with("0x")) {
        const int lid = std::stoi(line.substr(2, 4), nullptr, 16);
        if (lid <= 4) ports[{guid, lid}] = std::stoi(line.substr(7, 3));
      }
    }
  };
  take(read("other/old"));
  const auto steps = nlohmann::json::parse(read("steps"));
  std::size_t changed = 0;
  for (const auto& step : steps["steps"]) {
    for (const auto& entry : step["entries"]) {
      ports[{entry["router"].get<std::string>(), entry["lid"].get<int>()}] = entry["port"].get<int>();
      ++changed;
    }
  }
  EXPECT_GT(changed, 0U);
  const auto applied = std::exchange(ports, {});
  take(read("made/new"));
  EXPECT_EQ(applied, ports);
  // So do the forms that are this project's own, which state those LIDs.
  for (const std::string form : {"json", "binary"}) {
    ASSERT_EQ(run("reroute ring.json --tables other/old --to ring.json -o made/t --format " + form).code, 0);
    const std::string own = "reroute ring.json --tables made/t --fail cables=0 ";
    ASSERT_EQ(
        run(own + "--transition same -o made/" + form + " --format " + form + " --new-lanes made/lanes").code,
        0);
    EXPECT_EQ(read("same"), read("steps")) << form;
    EXPECT_EQ(run("topology ring.json --fail cables=0 -o cut.json --format json").code, 0);
    EXPECT_EQ(run("verify cut.json made/" + form + " --lanes made/lanes").code, 0) << form;
    EXPECT_EQ(run("watch ring.json ring.json --old-tables old --new-tables made/t").code, 1) << form;
    EXPECT_EQ(run("watch ring.json ring.json --old-tables other/old --new-tables made/t").code, 0) << form;
  }
  // The same steps under the LIDs of the fabric's file are wrong here.
  nlohmann::json wrong = steps;
  for (auto& step : wrong["steps"]) {
    for (auto& entry : step["entries"]) entry["lid"] = (entry["lid"].get<int>() + 1) % 4 + 1;
  }
  write("wrong", wrong.dump());
  EXPECT_EQ(run(change + "--check-transition wrong").code, 1);
}

TEST_F(TransitionFiles, LidsOfTablesAsJsonAreOfAllTerminalsAndOfOneEach) {
  ASSERT_EQ(run("route ring:4 --engine updn -o old --format json").code, 0);
  nlohmann::json tables = nlohmann::json::parse(read("old"));
  const auto refused_with = [&](const nlohmann::json& lid, const std::string& why) {
    nlohmann::json bad = tables;
    if (lid.is_null()) {
      bad["terminals"][1].erase("lid");
    } else {
      bad["terminals"][1]["lid"] = lid;
    }
    write("bad", bad.dump());
    expect_refused("verify ring:4 bad", why);
  };
  refused_with({}, "3 of 4 terminals have a 'lid', expected all or none");
  refused_with(1, "terminals H-0 and H-1 have the same 'lid' 1");
  refused_with(0, "'lid' is outside 1 to");
  refused_with(std::uint64_t{1} << 32, "'lid' is outside 1 to");
  refused_with("2", "'lid' is not a whole number");
}

TEST_F(TransitionFiles, WatchSeesThatTheTablesHaveOtherLids) {
  ASSERT_EQ(run("topology ring:4 -o ring.json --format json").code, 0);
  ASSERT_EQ(run("route ring.json --engine updn -o old").code, 0);
  std::filesystem::create_directory("other");
  write("other/old", exchanged(read("old")));
  const Result both = run("watch ring.json ring.json --old-tables old --new-tables other/old --json");
  EXPECT_EQ(both.code, 1);
  EXPECT_EQ(both.json()["terminals_moved"].size(), 4U);
  EXPECT_THAT(run("watch ring.json ring.json --old-tables old --new-tables other/old").out,
              HasSubstr("terminal H-0: LID 3 instead of 1"));
  EXPECT_EQ(both.json()["broken_pairs"], 12);
  // The same LIDs in both: the fabric's file, which says others, says so of both.
  EXPECT_EQ(run("watch ring.json ring.json --old-tables other/old --new-tables other/old").code, 0);
  EXPECT_EQ(run("watch ring.json ring.json --old-tables other/old").code, 0);
  EXPECT_EQ(run("watch ring.json ring.json --new-tables other/old").code, 0);
}

TEST_F(TransitionFiles, WatchSeesThatAFurtherLidIsGone) {
  ASSERT_EQ(run("topology ring:4 -o ring.json --format json").code, 0);
  ASSERT_EQ(run("route ring.json --engine updn -o one").code, 0);
  // Each row of H-0 once more, for LID 10: LMC 1 at one host.
  std::string several;
  const std::string dump = read("one");
  for (std::size_t at = 0; at < dump.size(); at = dump.find('\n', at) + 1) {
    const std::string line = dump.substr(at, dump.find('\n', at) + 1 - at);
    several += line;
    if (line.starts_with("0x0001 ")) several += "0x000a " + line.substr(7);
  }
  write("several", several);
  EXPECT_EQ(run("watch ring.json ring.json --old-tables several --new-tables several").code, 0);
  const Result lost = run("watch ring.json ring.json --old-tables several --new-tables one");
  EXPECT_EQ(lost.code, 1);
  EXPECT_THAT(lost.out, HasSubstr("1 terminal has lost one of its addresses"));
  EXPECT_EQ(run("watch ring.json ring.json --old-tables one --new-tables several").code, 0);
}

TEST_F(TransitionFiles, SayWhatWaitsAndTheCheckerHonoursIt) {
  write("ring.json",
        R"({"format": "unknot-network", "version": 1, "routers": 5, "cables": [[0, 1, 1, 1], [1, 2, 2, 1],
            [2, 2, 3, 1], [3, 2, 4, 1], [4, 2, 0, 2]], "terminals": [[1, 3], [2, 3], [3, 3], [4, 3]]})");
  write("old", R"({"format": "unknot-tables", "version": 1, "terminals": [{"guid": "0x0001000000000001"},
                   {"guid": "0x0001000000000003"}, {"guid": "0x0001000000000005"},
                   {"guid": "0x0001000000000007"}],
                   "routers": [{"guid": "0x0002000000000000", "ports": [1, 1, 2, 2]},
                   {"guid": "0x0002000000000001", "ports": [3, 2, 2, 1]},
                   {"guid": "0x0002000000000002", "ports": [1, 3, 2, 2]},
                   {"guid": "0x0002000000000003", "ports": [1, 1, 3, 2]},
                   {"guid": "0x0002000000000004", "ports": [2, 1, 1, 3]}]})");
  const std::string change = "reroute ring.json --tables old --fail cables=S-2:2 ";
  const Result made = run(change + "--transition steps --json");
  ASSERT_EQ(made.code, 0) << made.err;
  auto steps = nlohmann::json::parse(read("steps"));
  ASSERT_EQ(steps["steps"].size(), 2U);
  EXPECT_FALSE(steps["steps"][0].contains("wait"));
  EXPECT_EQ(steps["steps"][1]["wait"], true);
  EXPECT_EQ(made.json()["transition"]["steps"][1]["wait"], true);
  EXPECT_THAT(run(change + "--transition steps").out, HasSubstr("2. after a packet's lifetime: "));
  EXPECT_EQ(run(change + "--check-transition steps").code, 0);
  steps["steps"][1].erase("wait");
  write("hasty", steps.dump());
  const Result hasty = run(change + "--check-transition hasty --json");
  EXPECT_EQ(hasty.code, 1);
  EXPECT_EQ(hasty.json()["steps"][0]["deadlock_free"], true);
  EXPECT_EQ(hasty.json()["steps"][1]["deadlock_free"], false);
  steps["steps"][1]["wait"] = "a while";
  write("bad", steps.dump());
  expect_refused(change + "--check-transition bad", "steps[1]: \"wait\" is neither true nor false");
}

TEST_F(TransitionFiles, AreRefusedWhereAStepSaysAThingTwiceOrNeedsTheManagementLane) {
  ASSERT_EQ(run("route ring:4 --engine updn -o old").code, 0);
  const std::string change = "reroute ring:4 --tables old --to ring:4 --check-transition bad";
  const auto with = [&](const std::string& entries, const std::string& levels) {
    write("bad", R"({"steps": [{"what": "", "entries": [)" + entries + R"(], "levels": [)" + levels + "]}]}");
  };
  const std::string router = R"({"router": "0x0002000000000001", )";
  const std::string loop = router + R"("lid": 1, "port": 2})";
  const std::string back = router + R"("lid": 1, "port": 1})";
  with(loop + ", " + router + R"("lid": 3, "port": 1}, )" + back, "");
  expect_refused(change, "steps[0].entries[2] changes what steps[0].entries[0] changes already");
  with("", router + R"("lid": 1, "level": 1}, )" + router + R"("lid": 1, "level": 0})");
  expect_refused(change, "steps[0].levels[1] changes what steps[0].levels[0] changes already");
  with("", router + R"("lid": 1, "level": 15})");
  expect_refused(change, "\"level\": expected a whole number up to 14");
  // A port that leads to the destination delivers; one that leads to another terminal is refused.
  with(R"({"router": "0x0002000000000000", "lid": 1, "port": 3})", "");
  EXPECT_EQ(run(change).code, 0);
  with(R"({"router": "0x0002000000000000", "lid": 2, "port": 3})", "");
  expect_refused(change, "port 3 of S-0 leads to no other router, nor to LID 2");
}

// Whether the levels in force are alike for all hosts of a switch is nothing that an author has to know.
TEST_F(TransitionFiles, TellLevelsOfAHostAndOfASwitch) {
  ASSERT_EQ(run("route ring:4,p=2 --engine updn --vls 2 -o old").code, 0);
  const std::string change =
      "reroute ring:4,p=2 --tables old --to ring:4,p=2 --vls 2 --check-transition plan --json";
  const std::string host = R"({"terminal": "0x0001000000000005", "lid": 1, "level": null})";  // H-2, at S-1
  const std::string router = R"({"router": "0x0002000000000001", "lid": 3, "level": null})";
  const auto lost = [&](const std::string& levels) {
    write("plan", R"({"steps": [{"what": "", "entries": [], "levels": [)" + levels + "]}]}");
    const auto document = run(change).json();
    return document["steps"][0]["undelivered_pairs"].get<int>();
  };
  const int one = lost(host);
  EXPECT_EQ(one, 1);
  EXPECT_EQ(lost(R"({"router": "0x0002000000000001", "lid": 1, "level": null})"), 2);
  write("plan", R"({"steps": [{"what": "", "entries": [], "levels": [)" + host + ", " +
                    R"({"router": "0x0002000000000001", "lid": 1, "level": 1}]}]})");
  expect_refused(change, "steps[0].levels[1] changes what steps[0].levels[0] changes already");
  write("plan", R"({"steps": [{"what": "a\u001b[31mb", "entries": [], "levels": []}]})");
  EXPECT_THAT(run("reroute ring:4,p=2 --tables old --to ring:4,p=2 --check-transition plan").out,
              ::testing::Not(HasSubstr("\x1b")));
  write("plan", R"({"steps": [], "drained_paths": -1})");
  expect_refused(change, "\"drained_paths\": expected a whole number");
}

// An entry that no host's packet meets and that cannot stay is made by the management; the steps say so.
TEST_F(TransitionFiles, LeadToTheTablesThatAreWritten) {
  int compared = 0;
  for (const auto& [fabric, fault, engine] :
       {std::tuple("random:switches=5,links=7,terminals=3,seed=6", "cables=S-0:1", "dfsssp"),
        std::tuple("random:switches=8,links=10,terminals=3,seed=50", "cables=S-3:3", "unknot"),
        std::tuple("random:switches=6,links=8,terminals=4,seed=82", "cables=S-0:3", "minhop"),
        std::tuple("random:switches=6,links=8,terminals=4,seed=191", "cables=S-0:1", "lash")}) {
    SCOPED_TRACE(fabric);
    ASSERT_NE(run(fmt::format("route {} --engine {} -o old --lanes lanes --force", fabric, engine)).code, 2);
    const Result made =
        run(fmt::format("reroute {} --tables old --lanes lanes --fail {} -o new --new-lanes new-lanes "
                        "--transition steps --force --json",
                        fabric, fault));
    if (made.json()["deadlock_free"] != true) continue;
    const std::string rows = read("new");
    const auto written = [&](const std::string& guid, int lid) {
      const std::size_t section = rows.find(" guid " + guid);
      const std::size_t row = rows.find(fmt::format("\n0x{:04x} ", lid), section);
      return row > rows.find("Unicast", section + 1) ? -1 : std::stoi(rows.substr(row + 8, 3));
    };
    std::size_t entries = 0;
    const auto steps = nlohmann::json::parse(read("steps"));
    for (const auto& step : steps["steps"]) {
      for (const auto& entry : step["entries"]) {
        EXPECT_EQ(entry["port"].get<int>(), written(entry["router"], entry["lid"]));
        ++entries;
      }
    }
    EXPECT_LE(made.json()["entries_minimum"], made.json()["entries_changed"]);
    if (entries > 0) ++compared;
  }
  EXPECT_EQ(compared, 4);
}

TEST_F(TransitionFiles, AreRefusedWithMembersThatMeanNothing) {
  ASSERT_EQ(run("route ring:4 --engine updn -o old").code, 0);
  const auto refused = [&](const std::string& plan, const std::string& why) {
    write("bad", plan);
    expect_refused("reroute ring:4 --tables old --to ring:4 --check-transition bad", why);
  };
  refused(R"({"steps": [], "Steps": [{"what": "", "entries": [], "levels": []}]})",
          "the file: no member is called Steps, expected steps, drained_paths");
  refused(R"({"steps": [{"what": "", "waits": true, "entries": [], "levels": []}]})",
          "steps[0]: no member is called waits, expected what, wait");
  refused(R"({"steps": [{"what": "", "entries": [{"router": "0x0002000000000001", "lid": 1, "port": 2,
             "lids": 2}], "levels": []}]})",
          "steps[0].entries[0]: no member is called lids");
  refused(R"({"steps": [{"what": "", "entries": [], "levels": [{"router": "0x0002000000000001", "lid": 1,
             "terminal": "0x0001000000000001", "level": 2}]}]})",
          "steps[0].levels[0]: no member is called router, expected terminal, lid, level");
  refused(R"({"steps": ["wait"]})", "steps[0]: expected an object");
}

// What is lost only until the next step is lost all the same, and lanes that are not there lose it.
TEST_F(TransitionFiles, TellWhatIsNotDeliveredMeanwhile) {
  ASSERT_EQ(run("route ring:4 --engine updn -o old").code, 0);
  const std::string row = R"({"router": "0x0002000000000001", "lid": 1, )";
  write("plan", R"({"steps": [{"what": "a hole", "levels": [], "entries": [)" + row + R"("port": null}]},
                   {"what": "up", "levels": [)" +
                    row + R"("level": 14}], "entries": [)" + row +
                    R"("port": 1}]}, {"what": "down", "entries": [], "levels": [)" + row +
                    R"("level": 0}]}]})");
  const std::string change = "reroute ring:4 --tables old --to ring:4 --check-transition plan";
  const auto meanwhile = [](const Result& result) {
    std::vector<int> counts;
    const nlohmann::json steps = result.json()["steps"];
    for (const auto& step : steps) counts.push_back(step["undelivered_pairs"].get<int>());
    return counts;
  };
  const Result all = run(change + " --json");
  EXPECT_EQ(all.code, 0);
  EXPECT_THAT(meanwhile(all), ::testing::ElementsAre(1, 1, 0));
  const Result few = run(change + " --vls 14 --json");
  EXPECT_EQ(few.code, 0);
  EXPECT_THAT(meanwhile(few), ::testing::ElementsAre(1, 1, 1));
  EXPECT_THAT(run(change + " --vls 14").out, HasSubstr("not delivered meanwhile"));
  auto plan = nlohmann::json::parse(read("plan"));
  plan["steps"].erase(2);
  write("plan", plan.dump());
  EXPECT_EQ(run(change).code, 0);
  const Result end = run(change + " --vls 1 --json");
  EXPECT_EQ(end.code, 1);
  EXPECT_EQ(end.json()["unroutable_pairs"], 1);
}

// Fabrics that state no LIDs: a host that is gone shifts the numbers that those behind it get, not their
// LIDs.
TEST_F(TransitionFiles, KeepTheLidsThatNobodyHasChanged) {
  const std::string head = R"({"format": "unknot-network", "version": 1, "routers": 3,
                               "cables": [[0, 1, 1, 2], [1, 1, 2, 2], [2, 1, 0, 2]], "terminals": )";
  write("old.json", head + R"([[0, 3], [1, 3], [1, 4], [2, 3]],
        "terminal_port_guid": ["0x11", "0x12", "0x13", "0x14"]})");
  write("new.json", head + R"([[0, 3], [1, 4], [2, 3]], "terminal_port_guid": ["0x11", "0x13", "0x14"]})");
  write("plan", R"({"steps": [{"what": "", "levels": [], "entries": [
                    {"router": "0x0002000000000002", "lid": 4, "port": 3}]}]})");
  for (const char* format : {"opensm", "json"}) {
    ASSERT_EQ(run(std::string("route old.json --engine updn -o old --format ") + format).code, 0);
    EXPECT_EQ(run("reroute old.json --tables old --to new.json --check-transition plan").code, 0) << format;
    EXPECT_EQ(run("reroute old.json --tables old --to new.json -o new --json").json()["entries_changed"], 0);
  }
  EXPECT_THAT(read("guid2lid"), HasSubstr("0x0000000000000014 0x0004 0x0004"));
}

TEST_F(TransitionFiles, GiveANewHostTheEntryOfItsOwnSwitch) {
  ASSERT_EQ(run("topology ring:4 --fail terminals=H-2 -o fewer --format json").code, 0);
  ASSERT_EQ(run("route fewer --engine updn -o old").code, 0);
  const std::string change = "reroute fewer --tables old --to ring:4 ";
  ASSERT_EQ(run(change + "--transition steps").code, 0);
  EXPECT_THAT(read("steps"), HasSubstr("\"port\": 3"));
  EXPECT_EQ(run(change + "--check-transition steps").code, 0);
}

/// Three routers in a row with the hosts that are named.
std::string row_of_three(const std::string& terminals, const std::string& guids,
                         const std::string& more = "") {
  return R"({"format": "unknot-network", "version": 1, "routers": 3, "cables": [[0, 1, 1, 1], [1, 2, 2, 2]],
             "terminals": [)" +
         terminals + R"(], "terminal_port_guid": [)" + guids + "]" + more + "}";
}

// Switches still have entries for the LID of a host that is gone: whoever has it now is led by them.
TEST_F(TransitionFiles, GiveANewHostALidThatNoEntryIsAbout) {
  write("old.json", row_of_three("[0, 3], [1, 3], [2, 3]", R"("0x11", "0x12", "0x13")"));
  write("now.json", row_of_three("[0, 3], [0, 4], [1, 3]", R"("0x11", "0x14", "0x12")"));
  ASSERT_EQ(run("route old.json --engine updn -o old").code, 0);
  std::filesystem::create_directory("made");
  ASSERT_EQ(run("reroute old.json --tables old --to now.json -o made/new --transition steps").code, 0);
  EXPECT_THAT(read("steps"), HasSubstr("\"lid\": 7"));
  EXPECT_THAT(read("steps"), Not(HasSubstr("\"lid\": 3")));
  EXPECT_THAT(read("made/guid2lid"), HasSubstr("0x0000000000000014 0x0007 0x0007"));
  EXPECT_THAT(read("made/guid2lid"), HasSubstr("0x0000000000000013 0x0003 0x0003"));  // for its return
  // A switch that has come, too, first in the file: entries and file speak of the same LIDs.
  write("more.json", R"({"format": "unknot-network", "version": 1, "routers": 4,
        "cables": [[1, 1, 2, 1], [2, 2, 3, 2], [0, 1, 1, 5]], "terminals": [[1, 3], [1, 4], [2, 3], [3, 3]],
        "terminal_port_guid": ["0x11", "0x14", "0x12", "0x13"],
        "router_guid": ["0xaa", "0x0002000000000000", "0x0002000000000001", "0x0002000000000002"]})");
  ASSERT_EQ(run("reroute old.json --tables old --to more.json -o made/new --transition steps").code, 0);
  EXPECT_THAT(read("steps"), HasSubstr("\"lid\": 7"));
  EXPECT_THAT(read("steps"), Not(HasSubstr("\"lid\": 8")));
  EXPECT_THAT(read("made/guid2lid"), HasSubstr("0x0000000000000014 0x0007 0x0007"));
  EXPECT_THAT(read("made/guid2lid"), HasSubstr("0x00000000000000aa 0x0008 0x0008"));
}

TEST_F(TransitionFiles, RefuseAHostWithTheLidOfASwitch) {
  write("old.json", row_of_three("[0, 3], [1, 3]", R"("0x11", "0x12")",
                                 R"(, "router_lid": [11, 12, 13], "terminal_lid": [1, 2])"));
  write("now.json", row_of_three("[0, 3], [0, 4], [1, 3]", R"("0x11", "0x14", "0x12")",
                                 R"(, "router_lid": [11, 12, 14], "terminal_lid": [1, 13, 2])"));
  ASSERT_EQ(run("route old.json --engine updn -o old").code, 0);
  expect_refused("reroute old.json --tables old --to now.json --transition steps",
                 "has LID 13, which S-2 had");
  expect_refused("simulate old.json --tables old --to now.json --transition steps",
                 "has LID 13, which S-2 had");
}

// A LID that nobody had has no levels in force, whoever has it.
TEST_F(TransitionFiles, TellTheLevelsToALidThatIsNew) {
  const auto ring = [](const std::string& lids) {
    return R"({"format": "unknot-network", "version": 1, "routers": 5, "cables": [[0, 1, 1, 2], [1, 1, 2, 2], [2, 1, 3, 2],
               [3, 1, 4, 2], [4, 1, 0, 2]], "terminals": [[0, 3], [1, 3], [2, 3], [3, 3], [4, 3]],
               "router_lid": [11, 12, 13, 14, 15], "terminal_lid": )" +
           lids + "}";
  };
  write("old.json", ring("[1, 2, 3, 4, 5]"));
  write("now.json", ring("[20, 21, 22, 23, 24]"));
  ASSERT_EQ(run("route old.json --engine dfsssp -o old --lanes lanes").code, 0);
  const std::string change = "reroute old.json --tables old --lanes lanes --to now.json ";
  const Result made = run(change + "--transition steps --json");
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_GT(made.json()["levels_changed"], 0);
  EXPECT_EQ(run(change + "--check-transition steps").code, 0);
  // Entries alone would leave all on level 0.
  auto steps = nlohmann::json::parse(read("steps"));
  for (auto& step : steps["steps"]) step["levels"] = nlohmann::json::array();
  write("steps", steps.dump());
  EXPECT_EQ(run(change + "--check-transition steps").code, 1);
}

TEST_F(TransitionFiles, AreOfHostsWithOneLid) {
  write("old.json", row_of_three("[0, 3], [1, 3], [2, 3]", R"("0x11", "0x12", "0x13")"));
  write("now.json", row_of_three("[0, 3], [1, 3], [2, 3]", R"("0x11", "0x12", "0x13")", R"(, "lmc": 1)"));
  ASSERT_EQ(run("route old.json --engine updn -o old").code, 0);
  expect_refused("reroute old.json --tables old --to now.json -o new",
                 "hosts of now.json have 2 LIDs each (LMC 1)");
  expect_refused("reroute now.json --tables old --fail cables=0 -o new",
                 "hosts of now.json have 2 LIDs each (LMC 1)");
}

}  // namespace
}  // namespace unknot::cli::test
