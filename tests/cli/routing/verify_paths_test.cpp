// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "cli/run_command.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::HasSubstr;

using VerifyPaths = InFolder;

TEST_F(VerifyPaths, ProvesAndRefutes) {
  const Result proven = run("verify oft:3 --paths valiant --lane-scheme phase --json");
  EXPECT_EQ(proven.code, 0) << proven.err;
  EXPECT_TRUE(proven.json()["deadlock_free"]);
  EXPECT_TRUE(proven.json()["complete"]);
  EXPECT_FALSE(proven.json()["minimal"]);
  EXPECT_EQ(proven.json()["virtual_lanes"], 2);
  EXPECT_TRUE(proven.json()["witness"].is_null());
  EXPECT_TRUE(proven.json()["paths_listed_agree"]);
  EXPECT_EQ(proven.json()["hops"]["max"], 4);

  const Result refuted = run("verify oft:3 --paths valiant --json");
  EXPECT_EQ(refuted.code, 1);
  EXPECT_EQ(refuted.json()["lane_scheme"], "single");
  EXPECT_FALSE(refuted.json()["deadlock_free"]);
  const auto steps = refuted.json()["witness"];
  ASSERT_GE(steps.size(), 2U);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto& path = steps[i]["path"];
    const std::size_t held = steps[i]["held"];
    ASSERT_LT(held + 1, path.size());
    EXPECT_EQ(path[held], steps[i]["channel"]);
    EXPECT_EQ(path[held + 1], steps[(i + 1) % steps.size()]["channel"]);
    EXPECT_TRUE(steps[i]["intermediate"].is_string());
  }
  const Result text = run("verify oft:3 --paths valiant");
  EXPECT_EQ(text.code, 1);
  EXPECT_THAT(text.out, HasSubstr("deadlock-free               NO, CYCLE of 4 channels"));
  EXPECT_THAT(text.out, HasSubstr("4 channels wait for each other in a circle:"));
  EXPECT_THAT(text.out, HasSubstr("with the same dependencies"));
}

TEST_F(VerifyPaths, ListsPathsWhereTheyAreFew) {
  const Result many = run("verify slimfly:q=9,p=1 --paths valiant --lane-scheme hop --json");
  EXPECT_TRUE(many.json()["paths_listed"].is_null());
  const Result few = run("verify slimfly:q=5,p=1 --paths valiant --lane-scheme hop --check --json");
  EXPECT_EQ(few.code, 0);
  EXPECT_EQ(few.json()["paths_listed"], 50 * 49 * 48);
  EXPECT_TRUE(few.json()["paths_listed_agree"]);
}

TEST_F(VerifyPaths, WritesACertificateThatHoldsForThesePathsAlone) {
  EXPECT_EQ(run("verify mlfm:3 --paths valiant --lane-scheme phase --write-certificate proof").code, 0);
  const Result holds = run("verify mlfm:3 --paths valiant --lane-scheme phase --certificate proof --json");
  EXPECT_EQ(holds.code, 0);
  EXPECT_TRUE(holds.json()["certificate_holds"]);
  const Result other = run("verify mlfm:3 --paths valiant --certificate proof --json");
  EXPECT_EQ(other.code, 1);
  EXPECT_FALSE(other.json()["certificate_holds"]);
  EXPECT_THAT(other.json()["certificate_failure"].get<std::string>(), HasSubstr("and wait for"));
  const Result lanes =
      run("verify mlfm:3 --paths valiant --lane-scheme phase-hop --certificate proof --json");
  EXPECT_EQ(lanes.code, 1);
  EXPECT_THAT(lanes.json()["certificate_failure"].get<std::string>(), HasSubstr("which has no number"));
  // Tables can be checked against it, too: minimal paths are halves of these.
  EXPECT_EQ(run("route mlfm:3 --engine minhop -o tables").code, 0);
  EXPECT_EQ(run("verify mlfm:3 tables --certificate proof").code, 0);
  expect_refused("verify mlfm:4 --paths valiant --lane-scheme phase --certificate proof", "proof");

  const Result none = run("verify mlfm:3 --paths valiant --write-certificate none");
  EXPECT_EQ(none.code, 1);
  EXPECT_THAT(none.err, HasSubstr("no certificate written"));
  EXPECT_EQ(files(), (std::vector<std::string>{"guid2lid", "proof", "tables"}));
}

// Single shortest paths of diameter-two topologies as a subnet manager gets them.
TEST_F(VerifyPaths, TablesOfTheSameNetworksDeployEvenly) {
  for (const char* fabric : {"oft:4", "mlfm:4", "slimfly:q=4,p=3"}) {
    SCOPED_TRACE(fabric);
    const std::string name(fabric);
    const auto even = run("verify " + name + " --paths minimal --json").json();
    ASSERT_EQ(
        run("route " + name + " --engine unknot:effort=0.1 --traffic data -o tables --lanes lanes").code, 0);
    const Result back = run("verify " + name + " tables --lanes lanes --traffic data --json");
    ASSERT_EQ(back.code, 0) << back.err;
    EXPECT_TRUE(back.json()["minimal"]);
    EXPECT_TRUE(back.json()["deadlock_free"]);
    EXPECT_LE(back.json()["lanes_used"], name.starts_with("slimfly") ? 2 : 1);
    EXPECT_NEAR(back.json()["hops"]["mean"].get<double>(), even["hops"]["mean"].get<double>(), 1e-9);
    EXPECT_LE(back.json()["channel_load"]["max"].get<double>(),
              1.01 * even["channel_load"]["max"].get<double>());
  }
}

TEST_F(VerifyPaths, NamesAPairThatIsLost) {
  const Result two = run("verify ring:2,p=2 --paths valiant --json");
  EXPECT_EQ(two.code, 1);
  EXPECT_EQ(two.json()["unroutable_pairs"], 8);
  EXPECT_EQ(two.json()["findings"][0]["kind"], "no_intermediate");
  EXPECT_EQ(two.json()["findings"][0]["source"], "H-2");
  const Result broken = run("verify mesh:4 --paths minimal --fail cables=S-1-S-2");
  EXPECT_EQ(broken.code, 1);
  EXPECT_THAT(broken.out, HasSubstr("NO, 8 of 12 have no path"));
  EXPECT_THAT(broken.out, HasSubstr("H-2 to H-0: no path"));
  EXPECT_EQ(run("verify mesh:4 --paths valiant --lane-scheme phase").code, 0);
}

TEST_F(VerifyPaths, RefusesWhatDoesNotGoTogether) {
  expect_refused("verify ring:5 --paths shortest", "minimal");
  expect_refused("verify ring:5 --paths minimal --lane-scheme hops", "unknown lane scheme 'hops'");
  expect_refused("verify ring:5 --paths minimal --lane-scheme hop:lanes=0", "lanes");
  expect_refused("verify ring:200 --paths valiant --lane-scheme hop", "at most 64 exist");
  expect_refused("verify ring:5 --lane-scheme hop", "--paths");
  expect_refused("verify ring:5 --check", "--paths");
  expect_refused("verify ring:5 tables --paths minimal", "--paths");
  expect_refused("verify ring:5 --paths minimal --flow-control bubble", "--paths");
  expect_refused("verify ring:5 --paths minimal --certificate missing", "missing");
  expect_refused("verify ring:5 --paths minimal --write-certificate none/proof", "none");
}

TEST_F(VerifyPaths, ProvesWhatARuleSays) {
  const Result proven = run("verify fattree3:8 --rule d-mod-k --json");
  EXPECT_EQ(proven.code, 0) << proven.err;
  EXPECT_TRUE(proven.json()["deadlock_free"]);
  EXPECT_TRUE(proven.json()["complete"]);
  EXPECT_EQ(proven.json()["columns"], 128);
  EXPECT_EQ(proven.json()["bytes"]["tables"], 80 * 128);
  EXPECT_TRUE(proven.json()["cycle"].is_null());
  EXPECT_THAT(run("verify torus:5x4,p=2 --rule dimension-order").out, HasSubstr("lanes in use          4"));
  expect_refused("verify ring:5 --rule fastest", "unknown rule 'fastest'");
  expect_refused("verify ring:5 --rule d-mod-k", "not a whole XGFT");
  expect_refused("verify dragonfly:a=3,h=1 --rule dragonfly", "group");
  expect_refused("verify ring:5 tables --rule dimension-order", "--rule");
  expect_refused("verify ring:5 --paths minimal --rule dimension-order", "--rule");
  expect_refused("verify torus:4x4 --rule dimension-order --fail cable-count=1", "rule dimension-order: ");
}

}  // namespace
}  // namespace unknot::cli::test
