// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <sstream>

#include "cli/run_command.hpp"
#include "unknot/cli/command/command.hpp"
#include "unknot/cli/command/load_list.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Simulate = InFolder;

const std::string kTorus = "simulate torus:4x4,p=2 --engine updn --set measure=500 ";

TEST(LoadList, RangesAndLists) {
  EXPECT_THAT(parse_loads("0.3"), ElementsAre(0.3));
  EXPECT_THAT(parse_loads("0:1:0.25"), ElementsAre(0, 0.25, 0.5, 0.75, 1));
  EXPECT_THAT(parse_loads("0.1:0.35:0.1"), ElementsAre(0.1, 0.2, 0.3));
  EXPECT_THAT(parse_loads("0.9,0.1:0.2:0.1,0.15"), ElementsAre(0.9, 0.1, 0.2, 0.15));
  EXPECT_THAT(parse_loads("1e-30,0,1e-19,1e-18:2e-18:1e-18"), ElementsAre(1e-30, 0, 1e-19, 1e-18, 2e-18));
  EXPECT_THROW(parse_loads("0,0.1,0"), InputError);
  EXPECT_EQ(parse_loads("0.1:1:0.1").size(), 10U);
  for (const char* bad :
       {"", "x", "0.1x", "1.01", "-0.1", "nan", "inf", "0.1:0.2", "0.1:0.2:0", "0.1:0.2:-1", "0.2:0.1:0.1",
        "0.1:0.2:0.1:0.1", "0.1,", "0.1,0.1", "0:1:0.0001", "0.1:0.3:0.1,0.2"})
    EXPECT_THROW(parse_loads(bad), InputError) << bad;
}

TEST_F(Simulate, SaysInJsonThatNoRoutingWasFound) {
  const Result failed = run("simulate torus:4x4,p=2 --engine dfsssp --vls 2 --load 0.1 --json");
  EXPECT_EQ(failed.code, 1);
  EXPECT_EQ(failed.json()["failure"], "dfsssp needs 3 virtual lanes here, 2 are allowed");
  write("events", "300 fail channels=1\n");
  const Result during =
      run("simulate ring:5 --engine updn --load 0.1 --failures-during events --reroute-after 10 --set "
          "measure=1500");
  EXPECT_EQ(during.code, 1);
  EXPECT_THAT(during.err, HasSubstr("events, line 1: for what works then: engine updn does not fit"));
}

TEST_F(Simulate, RefusesWhatIsAboutSomethingElse) {
  write("events", "300 fail cables=1\n");
  const std::string simulate = "simulate torus:4x4 --engine updn --load 0.1 ";
  expect_refused(simulate + "--message-flits 3", "--message-flits requires --schedule");
  for (const char* const during : {"", "--failures-during events "}) {
    expect_refused(simulate + during + "--multicast-groups nowhere", "which is missing");
    expect_refused(simulate + during + "--multicast-share 0.5", "--multicast-share is about --multicast");
  }
}

TEST_F(Simulate, PlaysSchedules) {
  ASSERT_EQ(run("schedule mesh:3x3 --collective AAB -o s.json").code, kYes);
  const auto played =
      run("simulate mesh:3x3 --schedule s.json --message-flits 40 --set packet_flits=8 --json");
  EXPECT_EQ(played.code, kYes);
  EXPECT_EQ(played.json()["held_up"], 0);
  EXPECT_EQ(played.json()["transfers"], 72);
  EXPECT_EQ(played.json()["completion_time"], played.json()["alone_time"]);
  EXPECT_GT(played.json()["completion_time"], 40 * played.json()["steps"].size());
  write("crowded.json", R"({"collective": "OAS", "root": 0, "terminals": [0, 1, 2, 3], "steps": [
 [{"origin": 0, "path": [0, 1]}, {"origin": 0, "path": [0, 1, 2]}, {"origin": 0, "path": [0, 3]}]]})");
  const auto crowded = run("simulate ring:4 --schedule crowded.json");
  EXPECT_EQ(crowded.code, kNo);
  EXPECT_THAT(crowded.out, HasSubstr("MESSAGES"));
  write("lost.json", R"({"collective": "OAS", "root": 0, "terminals": [0, 1, 2, 3], "steps": [
 [{"origin": 0, "path": [0, 2]}]]})");
  EXPECT_THAT(run("simulate ring:4 --schedule lost.json").err, HasSubstr("no channel leads from 0 to 2"));
  EXPECT_EQ(run("simulate ring:4 --schedule s.json").code, kBadInput);
  EXPECT_THAT(run("simulate mesh:3x3 --schedule s.json --engine updn").err, HasSubstr("its own paths"));
  EXPECT_THAT(run("simulate mesh:3x3 --schedule s.json --load 0.1").err, HasSubstr("one of them"));
}

TEST_F(Simulate, PlaysCombinedMessages) {
  ASSERT_EQ(run("schedule hypercube:3 --collective AAS --bytes 1 --algorithm bruck -o b.json").code, kYes);
  const auto played = run("simulate hypercube:3 --schedule b.json --message-flits 10 --json");
  EXPECT_EQ(played.code, kYes) << played.err;
  EXPECT_EQ(played.json()["held_up"], 0);
  // three rounds, in each of which every node sends on four messages of the eight as one
  EXPECT_GT(played.json()["completion_time"], 3 * 40);
  EXPECT_THAT(run("simulate hypercube:3 --schedule b.json").out, HasSubstr("for each block"));
}

TEST_F(Simulate, PointsHaveTheFieldsThatScriptsRead) {
  const Result result = run(kTorus + "--load 0,0.1,0.3 --json");
  ASSERT_EQ(result.code, 0) << result.err;
  const auto document = result.json();
  EXPECT_EQ(document["engine"], "updn");
  EXPECT_EQ(document["traffic"], "uniform");
  EXPECT_EQ(document["proven_deadlock_free"], true);
  EXPECT_EQ(document["seed"], 1);
  EXPECT_EQ(document["settings"]["measure"], 500);
  EXPECT_EQ(document["settings"]["router"], "input-queued");
  EXPECT_THAT(document["saturation_definition"].get<std::string>(), HasSubstr("95 %"));
  const auto& points = document["points"];
  ASSERT_EQ(points.size(), 3U);
  for (const auto& point : points) {
    for (const char* field :
         {"load",         "offered",       "accepted",    "latency_mean",   "latency_half_width",
          "latency_p50",  "latency_p95",   "latency_p99", "latency_max",    "queueing_mean",
          "network_mean", "hops_mean",     "saturated",   "steady",         "verdict",
          "warm_up",      "warm_up_found", "deadlock",    "deadlock_cycle", "utilisation_max",
          "packets"})
      EXPECT_TRUE(point.contains(field)) << field;
    EXPECT_FALSE(point["saturated"]);
    EXPECT_FALSE(point["deadlock"]);
    EXPECT_TRUE(point["deadlock_cycle"].is_null());
  }
  EXPECT_EQ(points[0]["packets"], 0);
  EXPECT_TRUE(points[0]["latency_mean"].is_null());
  EXPECT_NEAR(points[2]["accepted"].get<double>(), 0.3, 0.03);
  EXPECT_LT(points[1]["latency_mean"].get<double>(), points[2]["latency_mean"].get<double>());
  EXPECT_LE(points[2]["latency_p50"].get<double>(), points[2]["latency_p99"].get<double>());
  EXPECT_NEAR(points[2]["queueing_mean"].get<double>() + points[2]["network_mean"].get<double>(),
              points[2]["latency_mean"].get<double>(), 1e-9);
  // uniform traffic passes 2.13 channels between other routers, so a little more than three routers
  EXPECT_NEAR(points[2]["hops_mean"].get<double>(), 3.06, 0.1);
}

// The file that a result states gives the same result.
TEST_F(Simulate, ResultsStateSettingsThatCanBeUsedAgain) {
  const Result first =
      run("simulate ring:5 --engine updn --load 0.2 --preset paper-sc15 --set measure=300 "
          "--set warmup=100 --seed 7 --json");
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_EQ(first.json()["seed"], 7);
  EXPECT_GE(first.json()["notes"].size(), 3U);
  write("settings.toml", first.json()["settings_file"].get<std::string>());
  const Result again = run("simulate ring:5 --engine updn --load 0.2 --config settings.toml --json");
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(first.json()["points"], again.json()["points"]);
  EXPECT_EQ(first.json()["settings"], again.json()["settings"]);
}

TEST_F(Simulate, SameBytesAtAnyNumberOfThreads) {
  for (const std::string& what :
       {std::string("--load 0.1:0.5:0.2 --seeds 3"), std::string("--saturation --tolerance 0.05"),
        std::string("--workload all-to-all:bytes=16 --seeds 2")}) {
    const std::string line = "simulate ring:6,p=2 --paths ugal --set measure=300 --set vcs=0 " + what;
    for (const char* output : {"", " --json"}) {
      const Result one = run(line + " --threads 1" + output);
      const Result four = run(line + " --threads 4" + output);
      EXPECT_EQ(one.code, 0) << one.err;
      EXPECT_EQ(one.out, four.out) << line;
    }
  }
}

TEST_F(Simulate, EveryKindOfRouting) {
  ASSERT_EQ(run("route torus:4x4,p=2 --engine dfsssp --vls 4 -o tables --lanes lanes").code, 0);
  const auto point = [](const std::string& routing, const std::string& more = "") {
    const Result result =
        run("simulate torus:4x4,p=2 --set measure=300 --load 0.2 --json " + routing + " " + more);
    EXPECT_EQ(result.code, 0) << routing << result.err;
    return result.json();
  };
  const auto tables = point("--tables tables --lanes lanes");
  const auto engine = point("--engine dfsssp");  // with the four lanes of the settings
  EXPECT_EQ(tables["points"], engine["points"]);
  EXPECT_EQ(engine["virtual_lanes"], 4);
  EXPECT_EQ(point("--engine dfsssp --vls 3")["virtual_lanes"], 3);
  const auto minimal = point("--paths minimal");
  EXPECT_EQ(minimal["lane_scheme"], "hop");
  EXPECT_EQ(minimal["proven_deadlock_free"], true);
  EXPECT_EQ(minimal["points"][0]["indirect_share"], 0);
  const auto valiant = point("--paths valiant", "--set vcs=0");
  EXPECT_EQ(valiant["vcs"], 7);  // one for each hop of the longest path
  EXPECT_GT(valiant["points"][0]["indirect_share"].get<double>(), 0.9);
  EXPECT_GT(valiant["points"][0]["hops_mean"].get<double>(),
            1 + minimal["points"][0]["hops_mean"].get<double>());
  const auto ugal = point("--paths ugal:indirect=2,penalty=1,by_length", "--set vcs=0 --traffic tornado");
  EXPECT_EQ(ugal["ugal"]["indirect"], 2);
  EXPECT_EQ(ugal["ugal"]["by_length"], true);
  const double share = ugal["points"][0]["indirect_share"].get<double>();
  EXPECT_GT(share, 0);
  EXPECT_LT(share, 1);
  // Below its threshold everything goes minimally.
  EXPECT_EQ(point("--paths ugal:threshold=1", "--set vcs=0")["points"][0]["indirect_share"], 0);
}

TEST_F(Simulate, SaysWhetherTheLanesAreProven) {
  const std::string line = "simulate torus:4x4 --load 0.05 --set measure=200 --json ";
  const Result cycle = run(line + "--engine minhop");
  EXPECT_EQ(cycle.code, 0);
  EXPECT_EQ(cycle.json()["proven_deadlock_free"], false);
  EXPECT_THAT(cycle.json()["proof_witness"].get<std::string>(), HasSubstr("waiting for"));
  EXPECT_THAT(cycle.err, HasSubstr("NOT proven deadlock-free"));
  const Result unasked = run(line + "--engine minhop --no-proof");
  EXPECT_TRUE(unasked.json()["proven_deadlock_free"].is_null());
  EXPECT_EQ(unasked.err, "");
  // Any lane: proven where the channels alone have no cycle.
  EXPECT_EQ(run(line + "--engine updn --lane-scheme any").json()["proven_deadlock_free"], true);
  EXPECT_EQ(run(line + "--engine dfsssp --lane-scheme any").json()["proven_deadlock_free"], false);
  const Result any =
      run("simulate torus:4x4 --load 0.05 --set measure=200 --paths minimal --lane-scheme any");
  EXPECT_THAT(any.out, HasSubstr("NOT proven deadlock-free: packets take any lane"));
}

TEST_F(Simulate, DeadlockIsNamedAndEndsTheRun) {
  const std::string line =
      "simulate slimfly:q=5,p=4 --paths minimal --lane-scheme any --set vcs=1 --set packet_flits=4 "
      "--set measure=1000 --load 0.95";
  const Result text = run(line);
  EXPECT_EQ(text.code, 1);
  EXPECT_THAT(text.out, HasSubstr("DEADLOCK"));
  EXPECT_THAT(text.out, HasSubstr("wait for each other in a circle"));
  const Result result = run(line + " --json");
  EXPECT_EQ(result.code, 1);
  const auto point = result.json()["points"][0];
  EXPECT_TRUE(point["deadlock"]);
  ASSERT_GE(point["deadlock_cycle"].size(), 2U);
  for (const auto& step : point["deadlock_cycle"]) {
    EXPECT_THAT(text.out, HasSubstr(step["buffer"].get<std::string>()));
    EXPECT_THAT(step["source"].get<std::string>(), HasSubstr("H-"));
    EXPECT_THAT((std::vector<std::string>{"lane", "room"}), ::testing::Contains(step["waits_for"]));
  }
  // The same packets on lanes that are proven.
  const Result proven =
      run("simulate slimfly:q=5,p=4 --paths minimal --set vcs=2 --set packet_flits=4 --set measure=1000 "
          "--load 0.95");
  EXPECT_EQ(proven.code, 0) << proven.out;
}

TEST_F(Simulate, WorkloadsTakeTimeOrEndInADeadlock) {
  const Result result = run("simulate ring:5 --engine updn --workload all-to-all:bytes=80 --json");
  ASSERT_EQ(result.code, 0) << result.err;
  const auto document = result.json();
  EXPECT_EQ(document["messages"], 20);
  EXPECT_EQ(document["bytes"], 1600);
  EXPECT_EQ(document["packets"], 200);
  const double time = document["completion_time"];
  EXPECT_GE(time, 40);  // flits of a terminal
  EXPECT_EQ(document["completion_time_ns"], time);
  EXPECT_NEAR(document["effective_throughput"].get<double>(), 1600 / (time * 8 * 5), 1e-12);
  const auto coarse =
      run("simulate ring:5 --engine updn --workload all-to-all:bytes=80 --set cycle_ns=20 --json").json();
  EXPECT_EQ(coarse["completion_time"], time);
  EXPECT_EQ(coarse["completion_time_ns"], 20 * time);

  write("messages", "a: 0 1 64\n1 2 8 after a\n");
  const auto listed = run("simulate ring:5 --engine updn --workload messages:messages --json").json();
  EXPECT_EQ(listed["messages"], 2);
  EXPECT_TRUE(listed["complete"]);

  const Result stuck =
      run("simulate slimfly:q=5,p=4 --paths minimal --lane-scheme any --set vcs=1 "
          "--set packet_flits=4 --workload all-to-all:bytes=64 --json");
  EXPECT_EQ(stuck.code, 1);
  EXPECT_TRUE(stuck.json()["deadlock"]);
  EXPECT_FALSE(stuck.json()["complete"]);
  EXPECT_TRUE(stuck.json()["completion_time"].is_null());
  EXPECT_TRUE(stuck.json()["effective_throughput"].is_null());
}

TEST_F(Simulate, PacketsOneByOne) {
  write("packets", "# cycle source destination flits\n4 H-3 H-0 2\n0 1 2\n\n0 0 4\n4 3 3\n0 0 1 3\n");
  const Result result = run("simulate ring:5 --engine updn --packets packets --deliveries arrived --json");
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.json()["packets"], 5);
  EXPECT_TRUE(result.json()["complete"]);
  std::istringstream lines(read("arrived"));
  std::vector<std::vector<std::uint64_t>> rows;
  for (std::uint64_t created = 0, source = 0, destination = 0, arrived = 0;
       lines >> created >> source >> destination >> arrived;) {
    rows.push_back({created, source, destination});
    EXPECT_GT(arrived, created);
  }
  EXPECT_THAT(rows, ElementsAre(ElementsAre(0, 0, 1), ElementsAre(0, 0, 4), ElementsAre(0, 1, 2),
                                ElementsAre(4, 3, 0), ElementsAre(4, 3, 3)));
  // The same on its own, to standard output.
  EXPECT_EQ(run("simulate ring:5 --engine updn --packets packets --deliveries -").out, read("arrived"));
  EXPECT_EQ(files(), (std::vector<std::string>{"arrived", "packets"}));
}

TEST_F(Simulate, SeedsAreIndependentRuns) {
  const auto two = run(kTorus + "--load 0.3 --seeds 2 --seed 5 --json").json()["points"][0];
  ASSERT_EQ(two["seeds"].size(), 2U);
  double sum = 0;
  for (const int seed : {5, 6}) {
    auto alone = run(kTorus + fmt::format("--load 0.3 --set seed={} --json", seed)).json()["points"][0];
    alone["seed"] = seed;
    EXPECT_EQ(alone, two["seeds"][seed - 5]);
    sum += alone["latency_mean"].get<double>();
  }
  EXPECT_NEAR(two["latency_mean"].get<double>(), sum / 2, 1e-9);
  EXPECT_LT(two["latency_low"].get<double>(), two["latency_high"].get<double>());
  EXPECT_THAT(run(kTorus + "--load 0.3 --seeds 2").out, HasSubstr("over seeds"));
}

TEST_F(Simulate, SaturationByThreeDefinitions) {
  const Result result = run(kTorus + "--saturation --tolerance 0.05 --json");
  ASSERT_EQ(result.code, 0) << result.err;
  const auto document = result.json();
  const auto& found = document["saturation"];
  for (const char* name : {"latency", "throughput", "plateau"}) {
    EXPECT_GT(found[name]["load"], 0.2) << name;
    EXPECT_LT(found[name]["load"], 1) << name;
    EXPECT_TRUE(found[name]["saturates"]);
    EXPECT_THAT(run(kTorus + "--saturation --tolerance 0.05").out,
                HasSubstr(found[name]["definition"].get<std::string>()));
  }
  EXPECT_EQ(document["points"][0]["load"], 0.05);
  EXPECT_EQ(document["points"][0]["latency_mean"], found["zero_load_latency"]);
  EXPECT_EQ(document["points"].back()["load"], 1);
  EXPECT_TRUE(document["points"].back()["saturated"]);
}

// One terminal gets all, and accepts no more than a flit a cycle: most of what is offered never arrives.
TEST_F(Simulate, OverloadEndsWithAVerdict) {
  const Result result = run(
      "simulate ring:5,p=4 --engine updn --traffic hotspot:fraction=1 --load 0.8 --set measure=300 --json");
  ASSERT_EQ(result.code, 0) << result.err;
  const auto point = result.json()["points"][0];
  EXPECT_TRUE(point["saturated"]);
  EXPECT_FALSE(point["all_arrived"]);
  EXPECT_FALSE(point["steady"]);
  EXPECT_FALSE(point["deadlock"]);
}

TEST_F(Simulate, UtilisationOfChannels) {
  const Result result =
      run("simulate ring:4 --engine updn --traffic shift:1 --load 0.5 --set measure=2000 "
          "--utilisation use.csv --busiest 3");
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("busiest channels"));
  const std::string use = read("use.csv");
  EXPECT_TRUE(use.starts_with("channel,from,to,utilisation\n"));
  std::istringstream lines(use.substr(use.find('\n') + 1));
  double sum = 0;
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count)
    sum += std::stod(line.substr(line.rfind(',') + 1));
  EXPECT_EQ(count, 8);
  EXPECT_NEAR(sum, 4 * 0.5, 0.1);  // each terminal's flits take one channel
  const auto busiest =
      run("simulate ring:4 --engine updn --traffic shift:1 --load 0.5 --busiest 2 --json").json();
  ASSERT_EQ(busiest["busiest_channels"].size(), 2U);
  EXPECT_GE(busiest["busiest_channels"][0]["utilisation"], busiest["busiest_channels"][1]["utilisation"]);
}

TEST_F(Simulate, CurvesAsPictures) {
  const std::string words = "simulate ring:5 --engine updn --set measure=400 --set warmup=100 ";
  ASSERT_EQ(run(words + "--load 0.1:0.3:0.1 --plot curve.svg").code, 0);
  const std::string curve = read("curve.svg");
  EXPECT_THAT(curve, HasSubstr("<title>ring:5</title>"));
  EXPECT_THAT(curve, HasSubstr("routing: engine updn"));
  EXPECT_THAT(curve, HasSubstr("<title>load 0.3: latency "));
  const Result shown = run(words + "--load 0.1:0.3:0.1 --plot -");
  EXPECT_EQ(shown.out, curve);
  const Result searched = run(words + "--saturation --tolerance 0.1 --seeds 2 --plot found.svg --json");
  ASSERT_EQ(searched.code, 0) << searched.err;
  const nlohmann::json latency = searched.json()["saturation"]["latency"];
  EXPECT_LE(latency["seeds"]["least"], latency["seeds"]["greatest"]);
  EXPECT_THAT(read("found.svg"),
              HasSubstr(fmt::format(">latency {:.4g}</text>", latency["load"].get<double>())));
  expect_refused(words + "--load 0.1 --plot curve.png",
                 "pictures are SVG, expected a name that ends in .svg");
  expect_refused(words + "--load 0.1 --json --plot -", "both go to standard output");
  expect_refused(words + "--workload all-to-all --plot curve.svg", "--plot is for --load and --saturation");
  expect_refused(words + "--load 0.1 --plot none/curve.svg", "there is no folder none");
}

// Where drawings have changed: draw it again, and look at it.
TEST_F(Simulate, TheCurveInTheDocumentationIsUpToDate) {
  const std::string page = read_file(UNKNOT_SOURCE_DIR "/docs/how-to/on-chip-designer.md");
  const std::size_t graph = page.find("    <graphml");
  const std::string end = "</graphml>";
  ASSERT_NE(graph, std::string::npos);
  write("chip.graphml", page.substr(graph, page.find(end, graph) + end.size() - graph));
  const std::size_t command = page.find("simulate chip.graphml");
  ASSERT_NE(command, std::string::npos);
  const Result result = run(page.substr(command, page.find('\n', command) - command));
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(read("curve.svg"), read_file(UNKNOT_SOURCE_DIR "/docs/drawings/curve.svg"));
}

TEST_F(Simulate, RefusesBadInput) {
  const std::string good = "simulate ring:5 --engine updn ";
  const std::string load = good + "--load 0.1 ";
  expect_refused(good, "give --load, --saturation, --workload, --packets, --schedule or --transition");
  expect_refused(load + "--saturation", "one of them");
  expect_refused(good + "--load 1.2", "load 1.2 is not between 0 and 1");
  expect_refused(good + "--load 0.1:0.5", "expected A or A:B:STEP");
  expect_refused("simulate ring:5 --load 0.1", "give --engine, --tables, --adaptive or --paths");
  expect_refused(load + "--paths minimal", "one of them");
  expect_refused(load + "--lane-scheme hop", "tables bring their own lanes");
  expect_refused(load + "--traffic unifrom", "did you mean 'uniform'?");
  expect_refused(load + "--traffic transpose:3", "transpose");
  expect_refused(good + "--workload all-to-al", "unknown workload");
  expect_refused(good + "--workload all-to-all --traffic uniform", "--traffic is for --load");
  expect_refused(load + "--preset boksim", "did you mean 'booksim'?");
  expect_refused(load + "--set vc_buffer=0", "vc_buffer");
  expect_refused(load + "--set vcx=3", "unknown key 'vcx'");
  expect_refused(load + "--set vcs", "vcs");
  expect_refused(load + "--config missing", "missing");
  expect_refused(load + "--deliveries out", "--deliveries is for --packets");
  expect_refused(load + "--utilisation none/out", "there is no folder none");
  expect_refused(load + "--seeds 0", "--seeds");
  expect_refused(load + "--tolerance 0.1", "--saturation");
  expect_refused(good + "--saturation --tolerance 3", "tolerance");
  expect_refused(good + "--saturation --set measure=99", "measure is 99");
  expect_refused(
      good + "--saturation --tolerance 0.1 --set measure=100 --set packet_flits=255 --set warmup=10 --seed 2",
      "no packet is created in 100 cycles of measuring at load 0.1");
  expect_refused("simulate ring:5 --paths minimax --load 0.1", "did you mean 'minimal'?");
  expect_refused("simulate ring:5 --paths minimal:x --load 0.1", "no parameters");
  expect_refused("simulate ring:5 --paths ugal:indirect=0 --load 0.1", "indirect");
  expect_refused("simulate ring:5 --paths minimal --lane-scheme hops --load 0.1", "unknown lane scheme");
  expect_refused("simulate ring:9 --paths valiant --load 0.1", "the routing needs 8 lanes and 'vcs' is 4");
  expect_refused("simulate ring:2 --paths valiant --load 0.1", "three routers with terminals");
  expect_refused("simulate ring:5 --paths minimal --vls 2 --load 0.1", "--vls requires --engine");
}

TEST_F(Simulate, RefusesFilesThatDoNotFit) {
  ASSERT_EQ(run("route torus:4x4 --engine updn -o tables").code, 0);
  const Result other = run("simulate ring:5 --tables tables --load 0.1");
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("tables"));
  const std::string good = "simulate ring:5 --engine updn ";
  const auto refused = [&](const std::string& line, const std::string& expected) {
    const Result result = run(good + line);
    EXPECT_EQ(result.code, 2) << line;
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr(expected)) << line;
  };
  write("messages", "0 1 8\n0 9 8\n");
  refused("--workload messages:messages", "messages:2");
  write("packets", "0 0 1\n1 0 H-7\n");
  refused("--packets packets", "packets:2");
  write("packets", "0 0 1 9\n");
  refused("--packets packets --set switching=virtual-cut-through", "a packet of 9 flits does not fit");
  refused("--packets packets --seeds 2", "without --seeds");
  refused("--packets packets --deliveries - --json", "standard output");
  write("settings", "vcs = 4\nseed = -1\n");
  refused("--load 0.1 --config settings", "settings:2");
}

}  // namespace
}  // namespace unknot::cli::test
