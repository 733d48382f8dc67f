// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "cli/run_command.hpp"
#include "unknot/cli/schedules/schedule_output.hpp"
#include "unknot/collective/msccl/msccl_program.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::HasSubstr;

using ScheduleCommand = InFolder;

constexpr const char* kGood =
    R"({"fabric": "ring:4", "collective": "OAB", "terminals": [0, 1, 2, 3], "steps": [
 [{"origin": 0, "path": [0, 1]}, {"origin": 0, "path": [0, 3, 2]}],
 [{"origin": 0, "path": [2, 3]}]
]})";

TEST_F(ScheduleCommand, BoundsCollectives) {
  const auto document = run("schedule hypercube:4 --collective AAS --bounds --json").json();
  EXPECT_EQ(document["lower_bound"], 8);
  EXPECT_EQ(document["bound_proof"], "distance");
  EXPECT_EQ(document["messages"], 240);
  EXPECT_EQ(document["bounds"].size(), 6U);
  EXPECT_EQ(document["thesis_formulas"][0]["steps"], 8);
  EXPECT_EQ(document["thesis_formulas"][1]["holds"], false);
  EXPECT_EQ(run("schedule mesh:4x4 --collective OAS --root 2 --json").json()["lower_bound"], 5);
  EXPECT_EQ(run("schedule mesh:4x4 --collective OAS --root 2 --paths minimal --json").json()["lower_bound"],
            6);
  EXPECT_EQ(run("schedule ring:4 --collective AAS --links half-duplex --json").json()["lower_bound"], 4);
  EXPECT_EQ(run("schedule ring:4 --collective OAS --ports 1 --json").json()["lower_bound"], 3);
  EXPECT_EQ(run("schedule ring:4 --nodes terminals --collective OAS --root 4 --json").json()["lower_bound"],
            3);
}

TEST_F(ScheduleCommand, RefusesADrawingThatIsTooLargeBeforeTheSearch) {
  for (const char* const format : {"svg", "time-space"}) {
    const Result refused = run(std::string("schedule ring:257 --collective AAB -o made --format ") + format);
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.err, HasSubstr("a drawing takes at most 256 nodes; there are 257"));
  }
}

TEST_F(ScheduleCommand, MakesSchedulesThatTheCheckerTakes) {
  for (const char* const solver : {"sga", "umda", "mboa:generations=300"}) {
    const auto text = std::string("schedule hypercube:3 --collective AAB --json -o made --solver ") + solver;
    const Result made = run(text);
    ASSERT_EQ(made.code, 0) << made.err;
    const auto document = made.json();
    EXPECT_EQ(document["steps"], 3);
    EXPECT_EQ(document["lower_bound"], 3);
    EXPECT_EQ(document["proven_optimal"], true);
    EXPECT_EQ(document["valid"], true);
    EXPECT_EQ(document["conflicts"], 0);
    const auto checked = run("schedule check hypercube:3 made --json").json();
    EXPECT_EQ(checked["valid"], true);
    EXPECT_EQ(checked["steps"], 3);
  }
  const std::string text = run("schedule ring:6 --collective OAS --root 2 --table").out;
  EXPECT_THAT(text, HasSubstr("3, the fewest: proven optimal"));
  EXPECT_THAT(text, HasSubstr("2->"));
  // On standard output there is the schedule alone.
  EXPECT_THAT(run("schedule ring:6 --collective AOR -o -").out, ::testing::StartsWith("{\"fabric\""));
}

TEST_F(ScheduleCommand, KeepsToRoutesInForce) {
  const auto by_engine = run("schedule torus:8x8 --collective AAS --engine dfsssp -o s.json --json").json();
  EXPECT_EQ(by_engine["steps"], 80);
  EXPECT_EQ(by_engine["bound_proof"], "routes");
  EXPECT_EQ(by_engine["proven_optimal"], true);
  EXPECT_EQ(by_engine["routes"], "dfsssp");
  EXPECT_EQ(by_engine["free_paths"]["steps"], 64);
  EXPECT_EQ(by_engine["free_paths"]["steps_saved"], 16);
  ASSERT_EQ(run("route torus:8x8 --engine dfsssp -o tables.lft --format opensm --lanes lanes").code, kYes);
  EXPECT_EQ(run("schedule check torus:8x8 s.json --tables tables.lft").code, kYes);
  EXPECT_EQ(run("schedule check torus:8x8 s.json").code, kYes);
  const auto other = run("schedule check torus:8x8 s.json --engine updn --json");
  EXPECT_EQ(other.code, kNo);
  EXPECT_GT(other.json()["kinds"]["off_route"], 0);
  const auto alone =
      run("schedule torus:8x8 --collective OAB --tables tables.lft --routes-only --json").json();
  EXPECT_EQ(alone["steps"], 3);
  EXPECT_FALSE(alone.contains("free_paths"));
  EXPECT_THAT(run("schedule torus:8x8 --collective OAB --tables tables.lft --engine updn").err,
              HasSubstr("give one of them"));
  EXPECT_THAT(run("schedule torus:8x8 --collective OAB --engine updn --paths minimal").err,
              HasSubstr("there is one path"));
  EXPECT_THAT(run("schedule torus:8x8 --collective OAB --engine updn --solver nested-flows").err,
              HasSubstr("chooses paths itself"));
  EXPECT_THAT(run("schedule torus:8x9 --collective OAB --tables tables.lft").err, HasSubstr("tables.lft"));
}

TEST_F(ScheduleCommand, GroupsAtTheSameTime) {
  const std::string file = "groups.json";
  const nlohmann::json made =
      run("schedule torus:4x4 --collective AAB --group 0-3 --group 4-7 --group 8-12 -o " + file + " --json")
          .json();
  EXPECT_EQ(made["groups"].size(), 3U);
  EXPECT_EQ(made["contention"]["alone"], 1);
  EXPECT_EQ(made["contention"]["together"], 2);
  EXPECT_EQ(made["steps"], 2);
  EXPECT_EQ(run("schedule check torus:4x4 " + file + " --json").json()["valid"], true);
  // Lines of a grid of ranks, along either dimension, and where ranks are.
  const nlohmann::json tensor = run("schedule torus:4x4 --collective AAS --layout t:t=4,d=4 --json").json();
  EXPECT_EQ(tensor["groups"][1]["nodes"], nlohmann::json({4, 5, 6, 7}));
  const nlohmann::json data = run("schedule torus:4x4 --collective AAS --layout d:t=4,d=4 --json").json();
  EXPECT_EQ(data["groups"][1]["nodes"], nlohmann::json({1, 5, 9, 13}));
  write("hosts", "H-0\nH-2\nH-1\nH-3\n");
  const nlohmann::json placed =
      run("schedule ring:4 --collective AAS --layout a:a=2,b=2 --ranks hosts --json").json();
  EXPECT_EQ(placed["groups"][0]["nodes"], nlohmann::json({0, 2}));
  EXPECT_EQ(placed["groups"][1]["nodes"], nlohmann::json({1, 3}));
  for (const auto& [options, sentence] : std::vector<std::pair<std::string, std::string>>{
           {"--group 0-3 --group 3-5", "AAB: node 3 is of groups 0 and 1"},
           {"--group 0-3 --layout a:a=16", "--group and --layout both say which groups there are"},
           {"--layout data", "--layout: expected DIMENSION:NAME=SIZE"},
           {"--layout a:a=0", "--layout: expected DIMENSION:NAME=SIZE"},
           {"--layout a:a=65536,b=65536", "--layout: expected DIMENSION:NAME=SIZE"},
           {"--layout a:a=4,a=4", "--layout: dimension a comes twice"},
           {"--layout b:a=16", "--layout: there is no dimension 'b'"},
           {"--layout a:a=4", "--layout: 4 ranks, and the fabric has 16"}}) {
    const Result refused = run("schedule torus:4x4 --collective AAB " + options);
    EXPECT_EQ(refused.code, 2) << options;
    EXPECT_THAT(refused.err, HasSubstr(sentence)) << options;
  }
}

TEST_F(ScheduleCommand, SaysWhenItFindsNone) {
  const Result none =
      run("schedule ring:6 --collective OAS --steps 2 -o made --solver umda:generations=50 --json");
  EXPECT_EQ(none.code, 1) << none.err;
  EXPECT_EQ(none.json()["valid"], false);
  EXPECT_EQ(none.json()["steps"], 2);
  EXPECT_EQ(none.json()["lower_bound"], 3);
  EXPECT_GT(none.json()["conflicts"], 0);
  EXPECT_TRUE(files().empty());
  EXPECT_THAT(run("schedule ring:6 --collective OAS --steps 2").out,
              HasSubstr("NO: no schedule has fewer than 3 steps"));
  // One step more than the bound.
  const Result more = run("schedule uniring:4 --collective AAS --steps 7 --json");
  EXPECT_EQ(more.code, 0);
  EXPECT_EQ(more.json()["proven_optimal"], false);
  EXPECT_EQ(more.json()["lower_bound"], 6);
  EXPECT_EQ(run("schedule hypercube:5 --collective AAS --solver umda --limit 0.05 --json").code, 1);
}

TEST_F(ScheduleCommand, GoesOnWithASearchThatWasStopped) {
  const std::string command =
      "schedule hypercube:3 --collective AAS --steps 4 --solver umda:stall=0,generations=1000000 --threads 1 "
      "--json";
  const Result whole = run(command + " -o whole.json");
  ASSERT_EQ(whole.code, 0) << whole.err;
  Result piece;
  std::uint32_t pieces = 0;
  do {
    piece = run(command + " -o pieces.json --limit 0.1 --resume search.json");
    ASSERT_LT(piece.code, 2) << piece.err;
    EXPECT_EQ(std::filesystem::exists("search.json"), piece.code == 1);
  } while (piece.code == 1 && ++pieces < 1000);
  EXPECT_EQ(read("pieces.json"), read("whole.json"));
  EXPECT_EQ(piece.json()["evaluations"], whole.json()["evaluations"]);
  // At its end without a schedule there is nothing left to go on with.
  EXPECT_EQ(
      run("schedule ring:6 --collective OAS --steps 2 --solver umda:generations=9 --resume search.json").code,
      1);
  EXPECT_EQ(files().size(), 2U);

  // Nor is what was found lost where it cannot be written.
  ASSERT_EQ(run(command + " --limit 0.02 --resume search.json").code, 1);
  EXPECT_EQ(run(command + " --resume search.json -o /dev/full").code, 2);
  EXPECT_TRUE(std::filesystem::exists("search.json"));
  // Through a symbolic link, as other files.
  std::filesystem::rename("search.json", "real.json");
  std::filesystem::create_symlink("real.json", "search.json");
  EXPECT_EQ(run(command + " --resume search.json -o pieces.json").code, 0);
  EXPECT_FALSE(std::filesystem::exists("real.json"));
  std::filesystem::remove("search.json");
  EXPECT_EQ(read("pieces.json"), read("whole.json"));
  EXPECT_EQ(files().size(), 2U);

  write("other.json", "{}");
  ASSERT_EQ(::mkfifo("pipe", 0600), 0);
  for (const auto& [options, sentence] : std::vector<std::pair<std::string, std::string>>{
           {"--solver umda --resume other.json", "other.json: \"version\" is missing"},
           {"--solver umda --resume no/such/file", "there is no folder no/such"},
           {"--solver umda --resume -", "--resume: expected the name of a file"},
           {"--solver packing --resume search.json",
            "evolve schedules (sga, umda, mboa), and the solver is packing"},
           {"--resume search.json", "and the solver is auto"},
           {"--fail cables=S-0-S-1 --resume search.json", "and the solver is auto"},
           {"--solver umda --resume pipe", "pipe: is no regular file"},
           {"--bounds --resume search.json", "--resume: it means nothing for --bounds"},
           {"--goal bandwidth --resume search.json", "--resume: it means nothing for --goal bandwidth"}}) {
    const Result refused = run("schedule hypercube:3 --collective AAS " + options);
    EXPECT_EQ(refused.code, 2) << options;
    EXPECT_THAT(refused.err, HasSubstr(sentence)) << options;
  }
}

TEST_F(ScheduleCommand, TimeIsUpBeforeTheFirstGeneration) {
  const Result none = run("schedule torus:9x9 --collective OAB --solver umda --steps 4 --limit 1e-9 --json");
  EXPECT_EQ(none.code, 1) << none.err;
  EXPECT_EQ(none.json()["evaluations"], 0);
  EXPECT_EQ(none.json()["conflicts"], 80);
  EXPECT_EQ(none.json()["steps"], 4);
}

TEST_F(ScheduleCommand, ChecksSchedules) {
  write("good", kGood);
  const Result good = run("schedule check ring:4 good --json");
  EXPECT_EQ(good.code, 0) << good.err;
  EXPECT_EQ(good.json()["valid"], true);
  EXPECT_EQ(good.json()["steps"], 2);
  EXPECT_EQ(good.json()["conflicts"], 0);
  EXPECT_THAT(run("schedule check ring:4 good --table").out, HasSubstr("0->2 (0,3,2)"));

  const Result other = run("schedule check mesh:4 good --json");
  EXPECT_EQ(other.code, 1);
  EXPECT_EQ(other.json()["valid"], false);
  EXPECT_EQ(other.json()["kinds"]["no_channel"], 1);
  EXPECT_THAT(run("schedule check mesh:4 good").out, HasSubstr("no channel leads from 0 to 3"));
  EXPECT_EQ(run("schedule check ring:4 good --ports 1").code, 1);
  EXPECT_EQ(run("schedule check ring:4 good --paths minimal").code, 0);
  EXPECT_EQ(run("schedule check ring:4 good --root 1").code, 1);
  EXPECT_EQ(run("schedule check ring:4 good --collective AAB").code, 1);
}

TEST_F(ScheduleCommand, KeepsWhatHasFailedWithCombinedMessages) {
  const Result made =
      run("schedule mesh:3x3 --collective all-reduce --bytes 64 --fail routers=S-4 -o sum.json --json");
  ASSERT_EQ(made.code, kYes) << made.err;
  EXPECT_EQ(made.json()["fail"], "routers=S-4");
  const Result checked = run("schedule check mesh:3x3 sum.json --json");
  EXPECT_EQ(checked.code, kYes);
  EXPECT_EQ(checked.json()["fail"], "routers=S-4");
}

TEST_F(ScheduleCommand, ExecutesProgramsOfOthers) {
  ASSERT_EQ(run("schedule hypercube:3 --collective AAB -o good.xml --format msccl").code, kYes);
  const Result good = run("schedule check good.xml --json");
  EXPECT_EQ(good.code, kYes);
  EXPECT_EQ(good.json()["collective"], "allgather");
  EXPECT_EQ(good.json()["gpus"], 8);
  EXPECT_EQ(good.json()["valid"], true);
  EXPECT_THAT(run("schedule check good.xml").out, HasSubstr("the result is what allgather promises"));
  expect_refused("schedule check hypercube:3 good.xml", "schedule check good.xml");
  expect_refused("schedule check good.xml -o other", "-o: a program is checked as it is");
  // The first message goes elsewhere: what it leaves is not what was promised.
  std::string text = read_file("good.xml");
  const std::size_t at = text.find("srcoff=\"0\"");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 10, "srcoff=\"1\"");
  write("bad.xml", text);
  const Result bad = run("schedule check bad.xml --json");
  EXPECT_EQ(bad.code, kNo);
  EXPECT_EQ(bad.json()["valid"], false);
  EXPECT_GT(bad.json()["fault"]["line"], 0);
  EXPECT_THAT(run("schedule check bad.xml").out, HasSubstr("bad.xml:"));
}

TEST_F(ScheduleCommand, WritesSchedulesInEveryFormat) {
  write("good", kGood);
  for (const ScheduleFormat& format : schedule_formats()) {
    const Result result = run("schedule check ring:4 good -o out --format " + format.name);
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(result.err, "unknot: wrote out in format " + format.name + "\n");
    EXPECT_THAT(result.out, HasSubstr("valid       yes"));
    const Result piped = run("schedule check ring:4 good -o - --format " + format.name);
    EXPECT_EQ(piped.out, read("out")) << format.name;
    EXPECT_EQ(piped.err, "");
    EXPECT_EQ(read("out").find("<svg ") != std::string::npos, format.drawing) << format.name;
    if (!format.drawing) continue;
    EXPECT_THAT(read("out"), HasSubstr("OAB on ring:4, 2 steps (lower bound 2)"));
    EXPECT_THAT(read("out"), HasSubstr("step 1: message of 0 to 2, along 0 3 2"));
  }
  EXPECT_EQ(run("schedule check mesh:4 good -o - --format svg").code, 1);  // drawn, not valid
  EXPECT_EQ(run("schedule check ring:4 good -o again").code, 0);           // JSON
  EXPECT_EQ(run("schedule check ring:4 again").code, 0);
}

TEST_F(ScheduleCommand, WritesForOtherSystems) {
  const Result made = run("schedule fat:2,ring:3 --collective AAB -o made.xml --format msccl");
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_FALSE(msccl::find_fault(msccl::parse_program(read("made.xml"), "made.xml")));
  EXPECT_THAT(read("made.xml"), HasSubstr("<algo name=\"AAB fat:2,ring:3\" "));
  EXPECT_EQ(run("schedule fat:2,ring:3 --collective AAB -o made.goal --format goal").code, 0);
  const Result played = run("simulate fat:2,ring:3 --engine unknot --workload goal:made.goal --json");
  EXPECT_EQ(played.code, 0) << played.err;
  EXPECT_EQ(played.json()["messages"], 30);
}

// Where drawings have changed: draw it again, and look at it.
// What is not valid is no program, and the answer is the same whatever is to be written.
TEST_F(ScheduleCommand, WritesNoProgramOfWhatIsNotValid) {
  ASSERT_EQ(run("schedule ring:3 --collective OAB -o good").code, 0);
  nlohmann::json part = nlohmann::json::parse(read("good"));
  part["steps"].front().erase(0);
  write("part", part.dump());
  for (const char* format : {"msccl", "mscclpp", "goal", "chakra", "c"}) {
    const Result checked = run(std::string("schedule check ring:3 part -o out --format ") + format);
    EXPECT_EQ(checked.code, kNo) << format;
    EXPECT_THAT(checked.out, HasSubstr("valid       NO"));
    EXPECT_THAT(checked.err, HasSubstr("out is not written: the schedule is not valid"));
    EXPECT_FALSE(std::filesystem::exists("out")) << format;
  }
  EXPECT_EQ(run("schedule check ring:3 part -o out --format table").code, kNo);
  EXPECT_TRUE(std::filesystem::exists("out"));
  // A scan of two nodes is no broadcast: what the second one has is a part of its result.
  for (const char* format : {"msccl", "mscclpp"})
    expect_refused(std::string("schedule mesh:2 --collective scan -o plan --format ") + format,
                   "not all exchange messages with all");
}

// Traces promise messages, not buffers: those of a scatter, a gather and a scan, too.
TEST_F(ScheduleCommand, TracesAreOfAnyCollective) {
  for (const char* collective : {"OAB", "OAS", "AAB", "AAS", "AOG", "AOR", "AAR", "scan"}) {
    SCOPED_TRACE(collective);
    const std::string ask = std::string("schedule ring:4 --collective ") + collective;
    ASSERT_EQ(run(ask + " -o made.json").code, 0);
    std::size_t transfers = 0;
    const nlohmann::json made = nlohmann::json::parse(read("made.json"));
    for (const auto& step : made["steps"]) transfers += step.size();
    ASSERT_EQ(run(ask + " -o made --format chakra").code, 0);
    const Result checked = run("schedule check made.0.et --json");
    EXPECT_EQ(checked.code, 0);
    EXPECT_EQ(checked.json()["sends"], transfers);
    EXPECT_EQ(checked.json()["valid"], true);
  }
}

TEST_F(ScheduleCommand, TheDrawingInTheDocumentationIsUpToDate) {
  const std::string drawn = std::string(UNKNOT_SOURCE_DIR) + "/docs/drawings/hypercube3-aas";
  const Result result =
      run({"schedule", "check", "hypercube:3", drawn + ".json", "-o", "-", "--format", "svg"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out, read_file(drawn + ".svg"));
}

TEST_F(ScheduleCommand, TakesInputFilesOfTheThesisAndListsOfMessages) {
  write("input", "4 2\n0 T 1 3\n1 N 0 2\n2 R 1 3\n3 N 2 0\n");
  const auto document = run("schedule input --collective MNB --json").json();
  EXPECT_EQ(document["messages"], 1);
  EXPECT_EQ(document["lower_bound"], 1);
  write("list", "0 1 2\n3 1\n");
  EXPECT_EQ(run("schedule ring:4 --collective MNS --messages list --json").json()["messages"], 3);
}

TEST_F(ScheduleCommand, RefusesWhatItCannotMean) {
  write("bad", "{\"collective\": \"OAB\",\n\"steps\": 3}");
  expect_refused("schedule ring:4", "--collective is missing");
  expect_refused("schedule ring:4 --collective OAX", "unknown collective 'OAX'");
  expect_refused("schedule ring:4 --collective OAS --root 9", "--root: there is no node 9");
  expect_refused("schedule ring:4 --collective AAS --paths short", "--paths: expected minimal, any or +N");
  expect_refused("schedule ring:4 file --collective AAS", "unexpected argument 'file'");
  expect_refused("schedule ring:4 --collective AAS --solver ant", "unknown solver 'ant'");
  expect_refused("schedule ring:4 --collective AAS --solver umda:ants=3", "ants");
  expect_refused("schedule ring:4 --collective AAS --steps 0", "--steps");
  expect_refused("schedule ring:4 --collective AAS --bounds -o x", "there is no schedule to write");
  expect_refused("schedule ring:4 --collective AAS -o none/out", "there is no folder none");
  expect_refused("schedule check ring:4", "expected FABRIC and FILE");
  expect_refused("schedule check ring:4 nothing", "nothing");
  expect_refused("schedule check nothing", "nothing");
  expect_refused("schedule check ring:4 bad --solver sga", "--solver: it means nothing for schedule check");
  expect_refused("schedule ring:4 --collective AAS --bounds --table",
                 "--table: it means nothing for --bounds");
  expect_refused("schedule ring:4 --collective AAS --tries 3",
                 "--tries: it means nothing for a schedule without");
  expect_refused("schedule ring:4 --collective AAS --routes-only",
                 "--routes-only: it is for --engine or --tables");
  expect_refused("schedule ring:4 --collective AAS --format svg",
                 "--format: nothing is written without -o FILE");
  expect_refused("schedule ring:4 --collective OAB --transmitters 1,2", "which is the root of OAB?");
  expect_refused("schedule check bad", "bad: a schedule is checked on its fabric: schedule check FABRIC bad");
  expect_refused("schedule check ring:4 bad -o out --format svgg", "unknown format of schedules 'svgg'");
  expect_refused("schedule check ring:4 bad -o - --json", "cannot both have standard output");
  expect_refused("schedule check ring:4 bad -o none/out", "there is no folder none");
  EXPECT_THAT(run("schedule check ring:4 bad").err, HasSubstr("bad:2: expected a list of steps"));
}

}  // namespace
}  // namespace unknot::cli::test
