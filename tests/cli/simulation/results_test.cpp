// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <set>

#include "cli/run_command.hpp"
#include "unknot/cli/command/catalogues.hpp"
#include "unknot/engines/catalogue.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Results = InFolder;

void expect_fields(const nlohmann::json& document, const std::vector<std::string>& fields) {
  for (const std::string& field : fields)
    EXPECT_TRUE(document.contains(field)) << field << " in " << document;
}

TEST_F(Results, ListPrintsEveryRowOfEveryCatalogue) {
  for (const std::string& name : catalogue_names()) {
    const Catalogue catalogue = find_catalogue(name);
    const Result text = run({"list", name});
    EXPECT_EQ(text.code, 0);
    EXPECT_THAT(text.err, IsEmpty());
    const nlohmann::json rows = run({"list", name, "--json"}).json()[name];
    ASSERT_EQ(rows.size(), catalogue.rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_THAT(text.out, HasSubstr(catalogue.rows[i].name));
      EXPECT_THAT(text.out, HasSubstr(catalogue.rows[i].summary));
      EXPECT_EQ(rows[i]["name"], catalogue.rows[i].name);
    }
  }
  for (const char* full : {"topologies", "engines", "patterns", "workloads", "formats", "reproductions"}) {
    EXPECT_FALSE(find_catalogue(full).rows.empty()) << full;
  }
}

TEST_F(Results, InfoHasTheFieldsOfTheContract) {
  const nlohmann::json info = run("info torus:4x4,p=2 --json").json();
  expect_fields(info, {"routers", "terminals", "channels", "radix", "diameter", "mean_distance",
                       "bisection_per_terminal", "moore_ratio", "ports_per_terminal", "links_per_terminal",
                       "path_diversity"});
  EXPECT_EQ(info["routers"], 16);
  EXPECT_EQ(info["terminals"], 32);
  EXPECT_EQ(info["channels"], 64);
  EXPECT_EQ(info["diameter"], 4);
}

TEST_F(Results, LanesHasBoundsAndTheCircleThatForcesThem) {
  const nlohmann::json ring = run("lanes ring:5 --json").json();
  expect_fields(ring, {"lower_bound", "lower_bound_by", "upper_bound", "upper_bound_by", "proven",
                       "forced_cycle", "cuts", "seconds"});
  EXPECT_EQ(ring["lower_bound"], 2);
  EXPECT_EQ(ring["upper_bound"], 2);
  EXPECT_EQ(ring["proven"], true);
  ASSERT_EQ(ring["forced_cycle"].size(), 5U);
  expect_fields(ring["forced_cycle"][0], {"channel", "source", "destination"});
  // No circle is forced, yet one lane is not enough: without the exact search that stays open.
  const std::string open = "lanes random:switches=16,links=18,terminals=14,seed=2 --json";
  const Result bounds = run(open);
  EXPECT_EQ(bounds.code, 1);
  EXPECT_EQ(bounds.json()["proven"], false);
  EXPECT_EQ(bounds.json()["lower_bound"], 1);
  EXPECT_GE(bounds.json()["upper_bound"], 2);
  const Result exact = run(open + " --exact");
  EXPECT_EQ(exact.code, 0);
  EXPECT_EQ(exact.json()["lower_bound"], 2);
  EXPECT_EQ(exact.json()["lower_bound_by"], "satisfiability");
  EXPECT_THAT(run("lanes ring:5").out, HasSubstr("No choice of shortest paths"));
}

TEST_F(Results, LanesCountsPathsThatKeepTheirLane) {
  // Dimension order with SL-to-VL tables has two lanes here, too, but packets change between them.
  const nlohmann::json torus = run("lanes torus:5x6x7 --json").json();
  EXPECT_GE(torus["upper_bound"], 3);
  EXPECT_NE(torus["upper_bound_by"], "dor");
  // An engine that does not find its own lanes again takes detours: no bound, and no error.
  const Result random = run("lanes random:switches=64,links=128,terminals=1024,seed=11 --json");
  EXPECT_NE(random.code, 2) << random.err;
}

TEST_F(Results, LanesSearchesLongerForFewer) {
  const std::string fabric = "lanes kautz:b=6,n=3,terminals=252 --json";
  EXPECT_EQ(run(fabric).json()["upper_bound"], 3);
  const Result search = run(fabric + " --search 1");
  EXPECT_EQ(search.code, 0);
  EXPECT_EQ(search.json()["upper_bound"], 2);
  EXPECT_EQ(search.json()["upper_bound_by"], "search");
}

TEST_F(Results, RouteSaysWhatFaultsCutOff) {
  const Result apart = run("route ring:6 --engine minhop --fail cables=S-0-S-1+S-3-S-4 --json");
  EXPECT_EQ(apart.code, 1);
  EXPECT_EQ(apart.json()["unroutable_pairs"], 18);
  EXPECT_EQ(apart.json()["disconnected_pairs"], 18);
  EXPECT_THAT(apart.json()["disconnection"].get<std::string>(),
              HasSubstr("18 pairs have no path, for example H-"));
  const Result text = run("route ring:6 --engine minhop --fail cables=S-0-S-1+S-3-S-4");
  EXPECT_THAT(text.out, HasSubstr("18 pairs have no path, for example H-"));
  const Result whole = run("route torus:4x4 --engine minhop,dfsssp --fail cable-count=2 --seed 3 --json");
  EXPECT_EQ(whole.code, 0) << whole.out;
  EXPECT_EQ(whole.json()["channels"], 60);
  EXPECT_EQ(whole.json()["disconnected_pairs"], 0);
  EXPECT_EQ(whole.json()["fail"], "cable-count=2");
}

TEST_F(Results, RouteHasTheFieldsOfTheContract) {
  const Result result = run("route torus:4x4 --engine dfsssp --json");
  EXPECT_EQ(result.code, 0) << result.err;
  const nlohmann::json route = result.json();
  expect_fields(route, {"engine", "seconds", "verify_seconds", "virtual_lanes", "deadlock_free",
                        "unroutable_pairs", "channel_load", "hops"});
  expect_fields(route["channel_load"], {"max", "min", "mean", "sigma4"});
  expect_fields(route["hops"], {"max", "mean"});
  EXPECT_EQ(route["engine"], "dfsssp");
  EXPECT_EQ(route["deadlock_free"], true);
  EXPECT_EQ(route["unroutable_pairs"], 0);
  EXPECT_EQ(route["hops"]["max"], 4);
  EXPECT_TRUE(route["witness"].is_null());
  // Every shortest path of a 4x4 torus: 2 hops from any router on average over the 15 others, times 15/16 ...
  // as total: 16 * 32 hops spread over 64 channels.
  EXPECT_DOUBLE_EQ(route["channel_load"]["mean"].get<double>(), 16.0 * 32 / 64);
}

TEST_F(Results, ACycleIsANegativeAnswerWithAWitness) {
  const Result text = run("route uniring:4 --engine minhop");
  EXPECT_EQ(text.code, 1);
  EXPECT_THAT(text.out, HasSubstr("CYCLE of 4 channels"));
  EXPECT_THAT(text.out, HasSubstr("S-0"));
  const Result json = run("route uniring:4 --engine minhop --json");
  EXPECT_EQ(json.code, 1);
  const nlohmann::json document = json.json();
  EXPECT_EQ(document["deadlock_free"], false);
  ASSERT_EQ(document["witness"].size(), 4U);
  std::set<std::string> channels;
  for (const auto& step : document["witness"]) {
    expect_fields(step, {"channel", "lane", "source", "destination"});
    channels.insert(step["channel"].get<std::string>());
  }
  EXPECT_EQ(channels.size(), 4U);
}

TEST_F(Results, TooFewLanesIsANegativeAnswerWithTheNumberNeeded) {
  const Result json = run("route ring:9 --engine dfsssp --vls 1 --json");
  EXPECT_EQ(json.code, 1) << json.err;
  const nlohmann::json document = json.json();
  EXPECT_EQ(document["engine"], "dfsssp");
  EXPECT_TRUE(document["failure"].is_string());
  EXPECT_GE(document["lanes_needed"].get<int>(), 2);
  EXPECT_EQ(document["unroutable_pairs"], 9 * 8);
  const Result text = run("route ring:9 --engine dfsssp --vls 1 -o tables --lanes lanes");
  EXPECT_EQ(text.code, 1);
  EXPECT_THAT(text.out, IsEmpty());
  EXPECT_EQ(std::count(text.err.begin(), text.err.end(), '\n'), 1) << text.err;
  EXPECT_THAT(files(), IsEmpty());
}

TEST_F(Results, AnEngineThatDoesNotFitSaysWhyAndHowManyPairsThatLeaves) {
  const Result damaged = run("route torus:4x3 --engine dor --fail cables=S-0-S-1");
  EXPECT_EQ(damaged.code, 1);
  EXPECT_THAT(damaged.err, AllOf(HasSubstr("engine dor does not fit this network"), HasSubstr("dimension"),
                                 HasSubstr("none of the 132 pairs of terminals is routed")));
  const Result apart = run("route mesh:6 --engine dor --fail cables=S-2-S-3");
  EXPECT_EQ(apart.code, 1);
  EXPECT_THAT(apart.err,
              AllOf(HasSubstr("the part of 3 routers with S-0"), HasSubstr("none of the 30 pairs")));
}

TEST_F(Results, AComparisonHasARowForEachEngineAndSucceedsIfOneDoes) {
  const Result all = run("route ring:6 --engine all --samples 20 --json");
  EXPECT_EQ(all.code, 0) << all.err;
  ASSERT_EQ(all.json()["engines"].size(), engines().size());
  const nlohmann::json document = all.json();
  for (const auto& row : document["engines"]) {
    if (!row.contains("failure")) expect_fields(row, {"effective_bisection_bandwidth", "standard_error"});
  }
  const Result text = run("route ring:6 --engine minhop,dfsssp");
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("minhop"));
  EXPECT_THAT(text.out, HasSubstr("dfsssp"));
  EXPECT_THAT(text.out, HasSubstr("±"));
}

TEST_F(Results, TablesThatCanDeadlockAreWrittenWithAWarning) {
  const Result result = run("route uniring:4 --engine minhop -o tables --certificate proof");
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("warning"));
  EXPECT_NE(read("tables"), "");
  EXPECT_EQ(read("proof"), "");
  EXPECT_THAT(run("route uniring:4 --engine minhop -o tables --quiet").err, IsEmpty());
}

TEST_F(Results, FilesThatRouteWritesPassVerify) {
  for (const char* fabric :
       {"torus:4x4,p=2", "uniring:5", "random:switches=12,links=24,terminals=24,seed=3"}) {
    const Result route =
        run(std::string("route ") + fabric +
            " --engine dfsssp -o tables --lanes lanes --sl2vl sl2vl --certificate proof --json");
    ASSERT_EQ(route.code, 0) << fabric << route.err;
    const Result verify = run(std::string("verify ") + fabric +
                              " tables --lanes lanes --sl2vl sl2vl --certificate proof --json");
    EXPECT_EQ(verify.code, 0) << fabric << verify.err;
    const nlohmann::json verdict = verify.json();
    expect_fields(verdict, {"complete", "loops", "deadlock_free", "minimal", "witness"});
    EXPECT_EQ(verdict["complete"], true);
    EXPECT_EQ(verdict["loops"], 0);
    EXPECT_EQ(verdict["deadlock_free"], true);
    EXPECT_EQ(verdict["certificate_holds"], true);
    EXPECT_EQ(verdict["hops"], route.json()["hops"]);
    EXPECT_EQ(verdict["dependencies"], route.json()["dependencies"]);
    EXPECT_EQ(verdict["lanes_used"], route.json()["lanes_used"]);
  }
}

TEST_F(Results, WithoutTheirLanesTheSameTablesAreNotFreeOfDeadlock) {
  ASSERT_EQ(run("route ring:7 --engine dfsssp -o tables --lanes lanes --certificate proof").code, 0);
  EXPECT_EQ(run("verify ring:7 tables --lanes lanes --certificate proof").code, 0);
  const Result verify = run("verify ring:7 tables --certificate proof");
  EXPECT_EQ(verify.code, 1);
  EXPECT_THAT(verify.out, HasSubstr("deadlock-free         NO"));
  EXPECT_THAT(verify.out, HasSubstr("certificate holds     NO"));
}

TEST_F(Results, TablesGoToStandardOutputAlone) {
  const Result result = run("route ring:5 --engine minhop -o -");
  EXPECT_THAT(result.out, HasSubstr("Unicast lids"));
  EXPECT_THAT(result.out, Not(HasSubstr("max load")));
}

TEST_F(Results, TopologyConvertsAndBreaks) {
  for (const ListedRow& row : find_catalogue("formats").rows) {
    if (row.facts.front().second.find("reads and writes fabrics") == std::string::npos) continue;
    const std::string name = "fabric." + row.name;
    const Result made = run({"topology", "torus:3x3", "-o", name, "--format", row.name, "--json"});
    ASSERT_EQ(made.code, 0) << row.name << made.err;
    const nlohmann::json back = run({"info", name, "--json"}).json();
    for (const char* field : {"routers", "channels"}) EXPECT_EQ(made.json()[field], back[field]) << row.name;
  }
}

TEST_F(Results, TopologyFailsParts) {
  const nlohmann::json whole = run("topology torus:4x4 --json").json();
  const nlohmann::json broken = run("topology torus:4x4 --fail cable-count=2,seed=5 --json").json();
  EXPECT_EQ(whole["channels"], 64);
  EXPECT_EQ(broken["channels"], 60);
  ASSERT_EQ(run("topology torus:4x4 --fail cable-count=2,seed=5 -o a").code, 0);
  ASSERT_EQ(run("topology torus:4x4 --fail cable-count=2 --seed 5 -o b").code, 0);
  ASSERT_EQ(run("topology torus:4x4 --fail cable-count=2 --seed 6 -o c").code, 0);
  EXPECT_EQ(read("a"), read("b"));
  EXPECT_NE(read("a"), read("c"));
  const Result apart = run("topology ring:6 --fail cables=S-0:1+S-3:1 -o apart");
  EXPECT_EQ(apart.code, 2) << apart.out;
  EXPECT_THAT(apart.err, HasSubstr("S-"));
  EXPECT_EQ(read("apart"), "");
}

TEST_F(Results, TablesAreNotWrittenWithoutTheLanesTheyNeed) {
  const Result dropped = run("route torus:4x4 --engine dfsssp -o tables");
  EXPECT_EQ(dropped.code, 2);
  EXPECT_THAT(dropped.err, HasSubstr("can deadlock without their"));
  EXPECT_THAT(files(), IsEmpty());
  EXPECT_EQ(run("route torus:4x4 --engine dfsssp -o t1 --lanes l1").code, 0);
  EXPECT_EQ(run("route torus:4x4 --engine dfsssp -o t2 --format json").code, 0);
  EXPECT_EQ(run("route torus:4x4 --engine dfsssp -o t3 --qos-policy q3").code, 0);
  EXPECT_EQ(run("route torus:4x4 --engine dfsssp -o t4 --force").code, 0);
  EXPECT_EQ(run("route torus:4x4 --engine updn -o t5").code, 0);
  EXPECT_EQ(run("reroute torus:4x4 --tables t1 --lanes l1 --fail cables=0-1 -o t6").code, 2);
  EXPECT_EQ(run("reroute torus:4x4 --tables t1 --lanes l1 --fail cables=0-1 -o t6 --new-lanes l6").code, 0);
}

TEST_F(Results, RerouteHasItsFieldsAndItsTablesBearChecking) {
  ASSERT_EQ(run("route torus:4x4,p=2 --engine dfsssp -o old --lanes lanes").code, 0);
  const Result result =
      run("reroute torus:4x4,p=2 --tables old --lanes lanes --fail cables=0-1 -o new --new-lanes new-lanes "
          "--transition steps --certificate proof --json");
  EXPECT_EQ(result.code, 0) << result.err;
  const nlohmann::json answer = result.json();
  expect_fields(answer, {"entries_changed", "entries_minimum", "levels_changed", "destinations_touched",
                         "virtual_lanes", "deadlock_free", "unroutable_pairs", "seconds", "transition"});
  EXPECT_EQ(answer["entries_changed"], answer["entries_minimum"]);
  EXPECT_GT(answer["entries_changed"], 0);
  EXPECT_TRUE(answer["transition"]["proven"]);
  const nlohmann::json steps = nlohmann::json::parse(read("steps"));
  std::size_t entries = 0;
  for (const auto& step : steps["steps"]) entries += step["entries"].size();
  EXPECT_EQ(entries, answer["entries_changed"]);
  ASSERT_EQ(run("topology torus:4x4,p=2 --fail cables=0-1 -o broken").code, 0);
  EXPECT_EQ(run("verify broken new --lanes new-lanes --certificate proof").code, 0);
  // The broken fabric repaired, from the files.
  const Result repaired = run(
      "reroute broken --tables new --lanes new-lanes --to torus:4x4,p=2 -o again --new-lanes again-lanes");
  EXPECT_EQ(repaired.code, 0) << repaired.err;
  EXPECT_EQ(run("verify torus:4x4,p=2 again --lanes again-lanes").code, 0);
}

TEST_F(Results, TransitionsOfAnyoneAreChecked) {
  ASSERT_EQ(run("route torus:4x4x2,p=2 --engine dfsssp -o old --lanes lanes").code, 0);
  const std::string change = "reroute torus:4x4x2,p=2 --tables old --lanes lanes --fail cables=S-0-S-1 ";
  const Result made = run(change + "-o new --new-lanes new-lanes --transition steps --json");
  ASSERT_EQ(made.code, 0) << made.err;
  const Result good = run(change + "--check-transition steps --json");
  EXPECT_EQ(good.code, 0) << good.err;
  EXPECT_EQ(good.json()["safe"], true);
  EXPECT_EQ(good.json()["deadlock_free"], true);
  EXPECT_EQ(good.json()["steps"].size(), made.json()["transition"]["steps"].size());
  EXPECT_EQ(good.json()["dependencies"], made.json()["dependencies"]);
  EXPECT_EQ(good.json()["hops"], made.json()["hops"]);
  // All changes in one step, which the planner has found to be unsafe here.
  nlohmann::json steps = nlohmann::json::parse(read("steps"));
  ASSERT_GT(steps["steps"].size(), 1U);
  nlohmann::json once = {
      {"what", "all"}, {"entries", nlohmann::json::array()}, {"levels", nlohmann::json::array()}};
  for (const auto& step : steps["steps"]) {
    for (const auto& entry : step["entries"]) once["entries"].push_back(entry);
    for (const auto& level : step["levels"]) {
      if (!level["level"].is_null()) once["levels"].push_back(level);
    }
  }
  write("once", nlohmann::json{{"steps", {once}}}.dump());
  const Result unsafe = run(change + "--check-transition once --json");
  EXPECT_EQ(unsafe.code, 1);
  EXPECT_EQ(unsafe.json()["safe"], false);
  EXPECT_EQ(unsafe.json()["deadlock_free"], true);  // in the end
  EXPECT_THAT(run(change + "--check-transition once").out, HasSubstr("NO, CYCLE of"));
  // Stopped before the paths are sent on again.
  steps["steps"].erase(steps["steps"].size() - 1);
  write("cut", steps.dump());
  const Result cut = run(change + "--check-transition cut --json");
  EXPECT_EQ(cut.code, 1);
  EXPECT_EQ(cut.json()["safe"], true);
  EXPECT_GT(cut.json()["unroutable_pairs"], 0);
}

TEST_F(Results, TransitionsThatMakeNoSenseAreRefused) {
  ASSERT_EQ(run("route ring:4 --engine updn -o old").code, 0);
  const std::string change = "reroute ring:4 --tables old --to ring:4 --check-transition bad";
  const auto refused = [&](const std::string& text, const std::string& why) {
    write("bad", text);
    const Result result = run(change);
    EXPECT_EQ(result.code, 2) << text;
    EXPECT_THAT(result.err, HasSubstr(why)) << text;
  };
  const auto entry = [](const std::string& members) {
    return "{\"steps\": [{\"what\": \"\", \"levels\": [], \"entries\": [{" + members + "}]}]}";
  };
  const auto level = [](const std::string& members) {
    return "{\"steps\": [{\"what\": \"\", \"entries\": [], \"levels\": [{" + members + "}]}]}";
  };
  const std::string router = "\"router\": \"0x0002000000000000\", ";
  refused("{\n\"steps\": [}", "bad:2: not valid JSON here");
  refused("[]", "bad: expected a JSON object with a list \"steps\"");
  refused("{\"steps\": [{}]}", "steps[0]: \"what\" is missing");
  refused("{\"steps\": [{\"what\": \"\"}]}", "steps[0]: \"entries\" is missing");
  refused(entry("\"router\": 7"), "steps[0].entries[0]: \"router\": expected a GUID such as");
  refused(entry("\"router\": \"0x9\", \"lid\": 1, \"port\": 1"),
          "steps[0].entries[0]: no router has that GUID");
  refused(entry(router + "\"lid\": 6, \"port\": 1"), "no terminal has LID 6");
  refused(entry(router + "\"lid\": -1, \"port\": 1"), "\"lid\": expected a whole number up to");
  refused(entry(router + "\"lid\": 2"), "\"port\" is missing");
  refused(entry(router + "\"lid\": 2, \"port\": 9"), "port 9 of S-0 leads to no other router");
  refused(level(router + "\"lid\": 2, \"level\": 16"), "\"level\": expected a whole number up to 14");
  refused(level("\"terminal\": \"0x9\", \"lid\": 2, \"level\": 1"), "no terminal has that GUID");
  write("bad", entry(router + "\"lid\": 2, \"port\": null"));
  EXPECT_EQ(run(change).code, 1);  // a route is taken away
  EXPECT_THAT(run(change + " -o new").err, HasSubstr("--check-transition: no tables are made"));
}

TEST_F(Results, RerouteTakesTablesWithoutLevels) {
  ASSERT_EQ(run("route xgft:m=4x3,w=2x2,p=2 --engine minhop -o old").code, 0);
  const Result result =
      run("reroute xgft:m=4x3,w=2x2,p=2 --tables old --fail cable-count=1 -o new --transition steps --json");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_GT(result.json()["entries_changed"], 0);
  EXPECT_EQ(result.json()["levels_changed"], 0);
  EXPECT_EQ(result.json()["transition"]["steps"].size(), 1U);
  EXPECT_EQ(nlohmann::json::parse(read("steps"))["steps"].size(), 1U);
}

TEST_F(Results, RerouteRefusesAndAnswersClearly) {
  ASSERT_EQ(run("route torus:4x4,p=2 --engine dfsssp -o old --lanes lanes").code, 0);
  EXPECT_EQ(run("reroute torus:4x4,p=2 --tables old --lanes lanes").code, 2);
  EXPECT_EQ(run("reroute torus:4x4,p=2 --tables old --lanes lanes --fail cables=0-1 --to torus:4x4").code, 2);
  const Result few = run("reroute torus:4x4,p=2 --tables old --lanes lanes --fail cables=0-1 --vls 1");
  EXPECT_EQ(few.code, 1);
  EXPECT_THAT(few.err, HasSubstr("1 are allowed"));
  const Result apart =
      run("reroute torus:4x4,p=2 --tables old --lanes lanes --fail cables=0-1+0-4+0-3+0-12 --json");
  EXPECT_EQ(apart.code, 1);
  EXPECT_EQ(apart.json()["unroutable_pairs"], 120);
  EXPECT_EQ(apart.json()["disconnected_pairs"], 120);
}

TEST_F(Results, CongestionHasTheFieldsOfTheContract) {
  const nlohmann::json engine =
      run("congestion torus:4x4 --engine dfsssp --pattern bisection --samples 50 --json").json();
  expect_fields(engine, {"effective_bisection_bandwidth", "throughput", "standard_error", "samples"});
  EXPECT_GT(engine["effective_bisection_bandwidth"].get<double>(), 0.3);
  EXPECT_LE(engine["effective_bisection_bandwidth"].get<double>(), 1);
  ASSERT_EQ(run("route torus:4x4 --engine dfsssp -o tables --force").code, 0);
  const nlohmann::json tables =
      run("congestion torus:4x4 --tables tables --pattern bisection --samples 50 --json").json();
  EXPECT_EQ(tables["effective_bisection_bandwidth"], engine["effective_bisection_bandwidth"]);
}

TEST_F(Results, BoundHasTheFieldsOfTheContract) {
  const nlohmann::json document =
      run("bound torus:4x4,p=2 --pattern tornado --paths minimal,valiant --engine dfsssp --optimal --json")
          .json();
  expect_fields(document,
                {"pattern", "samples", "flows", "peak_injection", "peak_ejection", "bounds", "optimal"});
  ASSERT_EQ(document["bounds"].size(), 3U);
  EXPECT_EQ(document["bounds"][0]["routing"], "minimal");
  EXPECT_EQ(document["bounds"][1]["routing"], "valiant");
  EXPECT_EQ(document["bounds"][2]["routing"], "dfsssp");
  for (const nlohmann::json& row : document["bounds"]) {
    expect_fields(row, {"max_load", "min_load", "mean_load", "saturation", "worst_saturation", "time",
                        "effective_throughput", "busiest_channel", "lost"});
    EXPECT_LE(row["saturation"].get<double>(),
              document["optimal"]["saturation"]["upper"].get<double>() + 1e-9);
  }
  EXPECT_EQ(document["optimal"]["method"], "linear program");
  EXPECT_NEAR(document["optimal"]["saturation"]["lower"].get<double>(), 8.0 / 15, 1e-7);
  const nlohmann::json near =
      run("bound slimfly:q=5,p=3 --pattern worst-case --optimal --gap 0.2 --json").json()["optimal"];
  EXPECT_EQ(near["method"], "potential");
  EXPECT_LE(near["gap"].get<double>(), 0.2001);
  // means over samples
  const nlohmann::json sampled = run("bound torus:4x4 --pattern permutation --samples 5 --json").json();
  EXPECT_EQ(sampled["samples"], 5);
  EXPECT_LE(sampled["bounds"][0]["worst_saturation"], sampled["bounds"][0]["saturation"]);
}

TEST_F(Results, AdversaryWritesAPatternThatBoundMeasures) {
  EXPECT_EQ(run("route torus:4x4,p=2 --engine minhop --adaptive-groups groups").code,
            1);  // they can deadlock
  for (const std::string& routing :
       std::vector<std::string>{"--paths minimal", "--paths valiant", "--paths shortest:3", "--engine minhop",
                                "--adaptive groups"}) {
    SCOPED_TRACE(routing);
    const Result found = run("adversary torus:4x4,p=2 " + routing + " -o worst --json");
    EXPECT_EQ(found.code, 0);
    const nlohmann::json document = found.json();
    expect_fields(document, {"routing", "load", "upper", "exact", "saturation", "channel", "channels_matched",
                             "flows", "worst_flows", "recomputed_load", "split"});
    EXPECT_EQ(document["exact"], true);
    EXPECT_NEAR(document["load"].get<double>(), document["recomputed_load"].get<double>(), 1e-9);
    const nlohmann::json measured =
        run("bound torus:4x4,p=2 --pattern file:worst " + routing + " --json").json();
    EXPECT_NEAR(measured["bounds"].back()["max_load"].get<double>(), document["load"].get<double>(), 1e-9);
    EXPECT_EQ(measured["flows"], document["flows"]);
    const bool several =
        routing.find("shortest") != std::string::npos || routing.find("groups") != std::string::npos;
    EXPECT_EQ(document["split"].is_object(), several);
    if (several) {
      EXPECT_LE(document["split"]["max_load"]["upper"].get<double>(), document["load"].get<double>() + 1e-9);
    }
  }
  EXPECT_EQ(run("adversary torus:6x6 --paths minimal --work 1").code, 1);
  EXPECT_EQ(run("route torus:4x4,p=2 --engine dfsssp -o tables --lanes lanes").code, 0);
  EXPECT_EQ(run("adversary torus:4x4,p=2 --tables tables --json").json()["load"],
            run("adversary torus:4x4,p=2 --engine dfsssp --json").json()["load"]);
}

TEST_F(Results, WhatUgalLoadsIsKnownFromBothSides) {
  const nlohmann::json split =
      run("bound slimfly:q=5,p=3 --pattern worst-case --split ugal:indirect=1 --json").json()["splits"][0];
  expect_fields(split["ugal"], {"indirect", "max_load", "saturation", "channel"});
  EXPECT_EQ(split["ugal"]["indirect"], 1);
  EXPECT_NEAR(split["ugal"]["max_load"]["lower"].get<double>(), 1.258499, 1e-6);
  EXPECT_NEAR(split["ugal"]["max_load"]["upper"].get<double>(), 6.625, 1e-6);
  EXPECT_NEAR(split["ugal"]["saturation"]["lower"].get<double>(), 1 / 6.625, 1e-6);
  EXPECT_NEAR(split["ugal"]["saturation"]["upper"].get<double>(), 0.794597, 1e-6);
  const Result found = run("adversary slimfly:q=5,p=3 --paths ugal:indirect=1 -o worst --json");
  EXPECT_EQ(found.code, 1) << found.err;
  const nlohmann::json document = found.json();
  EXPECT_EQ(document["exact"], false);
  EXPECT_NEAR(document["upper"].get<double>(), 6.625, 1e-6);
  EXPECT_LE(document["load"].get<double>(), document["recomputed_load"].get<double>());
  EXPECT_LE(document["recomputed_load"].get<double>(), document["upper"].get<double>() + 1e-9);
  const nlohmann::json measured =
      run("bound slimfly:q=5,p=3 --pattern file:worst --split ugal:indirect=1 --json")
          .json()["splits"][0]["ugal"];
  EXPECT_NEAR(measured["max_load"]["upper"].get<double>(), document["recomputed_load"].get<double>(), 1e-9);
  EXPECT_NEAR(measured["max_load"]["lower"].get<double>(), document["load"].get<double>(), 1e-9);
  EXPECT_TRUE(run("bound slimfly:q=5,p=3 --split minimal --json").json()["splits"][0]["ugal"].is_null());
  EXPECT_EQ(run("bound ring:2 --split ugal --paths minimal --pattern shift:1 --json")
                .json()["splits"][0]["ugal"]["max_load"]["upper"],
            1);
  EXPECT_EQ(run("adversary ring:2 --paths ugal").code, 0);
  // on two routers there is nothing to go by, in parts nothing that holds for all
  EXPECT_EQ(run("bound mesh:2 --paths minimal --split ugal --pattern shift").code, 0);
  write(
      "parts.json",
      R"({"format":"unknot-network","version":1,"routers":4,"cables":[[0,1],[2,3]],"terminals":[0,1,2,3]})");
  EXPECT_EQ(run("adversary parts.json --paths ugal").code, 2);
}

}  // namespace
}  // namespace unknot::cli::test
