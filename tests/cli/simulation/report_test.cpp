// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>

#include "cli/run_command.hpp"
#include "unknot/report/page.hpp"
#include "unknot/support/version.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Report : public InFolder {
 protected:
  void SetUp() override {
    if (!report::page_available()) GTEST_SKIP() << "built without npm";
  }
  static nlohmann::json data(const std::string& file) {
    const std::string page = read(file);
    const std::string begin = "id=\"data\">";
    const std::size_t from = page.find(begin) + begin.size();
    return nlohmann::json::parse(page.substr(from, page.find("</script>", from) - from));
  }
};

TEST_F(Report, ShowsEnginesAndTablesSideBySide) {
  ASSERT_EQ(run("route torus:4x4 --engine updn -o tables --lanes levels").code, 0);
  const Result made =
      run("report torus:4x4 -E minhop,dor:sl2vl=0 -E dfsssp --tables tables --lanes levels -o page.html");
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(made.out, "");
  std::vector<std::string> names;
  const nlohmann::json page = data("page.html");
  for (const auto& routing : page["routings"]) names.push_back(routing["name"]);
  EXPECT_THAT(names, ElementsAre("minhop", "dor:sl2vl=0", "dfsssp", "tables"));
}

TEST_F(Report, IsTheSameBytesAtAnyNumberOfThreads) {
  const std::string line = "report torus:4x4,p=2 -E all --load 0.1,0.3 --set measure=500 ";
  ASSERT_EQ(run(line + "--threads 1 -o one.html").code, 0);
  ASSERT_EQ(run(line + "--threads 4 -o four.html").code, 0);
  EXPECT_EQ(read("one.html"), read("four.html"));
}

TEST_F(Report, SimulatesWhatDeliversEveryPair) {
  ASSERT_EQ(
      run("report ring:6 -E minhop,updn --load 0.1:0.3:0.1 --traffic tornado --set measure=500 -o page.html")
          .code,
      0);
  const nlohmann::json page = data("page.html");
  ASSERT_EQ(page["simulations"].size(), 2U);
  for (const auto& simulation : page["simulations"]) {
    EXPECT_EQ(simulation["traffic"], "tornado");
    EXPECT_EQ(simulation["points"].size(), 3U);
    EXPECT_EQ(page["layers"][simulation["layer"].get<std::size_t>()]["values"].size(), 12U);
  }
}

TEST_F(Report, AnEngineWithoutARoutingIsSaidToHaveNone) {
  ASSERT_EQ(run("report torus:6x6 -E dfsssp --vls 1 -o page.html").code, 0);
  const nlohmann::json page = data("page.html");
  EXPECT_THAT(page["routings"][0]["failure"].get<std::string>(), HasSubstr("lanes"));
  EXPECT_EQ(page["layers"].size(), 1U);  // the even load in its place
}

TEST_F(Report, TakesSchedulesAndFaults) {
  ASSERT_EQ(run("schedule mesh:4x4 --collective AAB -o s.json").code, 0);
  const Result made = run("report mesh:4x4 --schedule s.json -o page.html --json");
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(made.json()["summary"][0].get<std::string>(), HasSubstr("The schedule does AAB in"));
  EXPECT_TRUE(data("page.html")["schedule"]["valid"]);
  // with a cable less it breaks rules, and the page says so
  ASSERT_EQ(run("report mesh:4x4 --schedule s.json --fail cables=S-5-S-6 -o broken.html").code, 0);
  EXPECT_FALSE(data("broken.html")["schedule"]["valid"]);
  EXPECT_EQ(data("broken.html")["fabric"]["channels"], 46);
  ASSERT_EQ(run("report torus:4x4 --fail cable-count=2 --seed 7 -E updn -o faults.html").code, 0);
  EXPECT_EQ(data("faults.html")["fabric"]["channels"], 60);
  EXPECT_EQ(data("faults.html")["fabric"]["fail"], "cable-count=2,seed=7");
}

TEST_F(Report, SaysWhereItComesFrom) {
  ASSERT_EQ(
      run("report ring:6 -E updn,minhop --seed 5 --threads 2 --title A&B --date 2026-01-31 -q -o page.html")
          .code,
      0);
  const nlohmann::json said = data("page.html")["provenance"];
  EXPECT_EQ(said["title"], "A&B");
  EXPECT_EQ(said["date"], "2026-01-31");
  EXPECT_EQ(said["version"], version());
  // what it says writes the same page again
  const std::string command = said["command"];
  EXPECT_EQ(command, "unknot report ring:6 --engine updn,minhop --title 'A&B' --date 2026-01-31 --seed 5");
  ASSERT_EQ(
      run("report ring:6 --engine updn,minhop --title A&B --date 2026-01-31 --seed 5 -o again.html").code, 0);
  EXPECT_EQ(read("again.html"), read("page.html"));
  EXPECT_THAT(read("page.html"), HasSubstr("<h1>A&amp;B</h1>"));
  ASSERT_EQ(run("report ring:6 -o plain.html").code, 0);
  EXPECT_EQ(data("plain.html")["provenance"]["date"], "");
}

TEST_F(Report, ComparesTwoPages) {
  ASSERT_EQ(run("report torus:4x4,p=2 -E dfsssp -o before.html").code, 0);
  ASSERT_EQ(run("report torus:4x4,p=2 -E dfsssp --fail cables=S-5-S-6 -o after.html").code, 0);
  const Result made = run("report --compare before.html after.html -o both.html --json");
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(made.json()["summary"][1].get<std::string>(), HasSubstr("Gone: 0 routers and 2 channels"));
  const nlohmann::json both = data("both.html");
  EXPECT_EQ(both["compare"]["only_before"].size(), 2U);
  EXPECT_EQ(both["compare"]["after"]["fail"], "cables=S-5-S-6");
  EXPECT_EQ(both["provenance"]["command"], "unknot report --compare before.html after.html");
  EXPECT_EQ(both["routings"][1]["name"], "dfsssp (after)");
  ASSERT_EQ(run("report --compare before.html after.html -o again.html").code, 0);
  EXPECT_EQ(read("again.html"), read("both.html"));

  expect_refused("report --compare before.html -o x.html", "--compare");
  expect_refused("report --compare before.html none.html -o x.html", "none.html");
  expect_refused("report --compare before.html both.html -o x.html", "compares two pages itself");
  expect_refused("report ring:4 --compare before.html after.html -o x.html", "FABRIC");
  expect_refused("report --compare before.html after.html -E updn -o x.html", "--engine");
  write("words", "<html>no page</html>");
  expect_refused("report --compare before.html words -o x.html", "words: this is no page of unknot report");
  expect_refused("report -o x.html", "FABRIC is missing");
}

TEST_F(Report, ComparesSimulationsAlgorithmsAndSchedules) {
  ASSERT_EQ(run("schedule mesh:2x2 --collective AAB -o before.json").code, 0);
  ASSERT_EQ(run("schedule mesh:2x2 --fail cables=S-0-S-1 --collective AAB -o after.json").code, 0);
  const std::string both_have = "report mesh:2x2 --samples 0 --set measure=300 --collective broadcast ";
  ASSERT_EQ(run(both_have + "-E updn,minhop --load 0.2:0.8:0.2 --schedule before.json -o before.html").code,
            0);
  ASSERT_EQ(
      run(both_have + "-E updn --load 0.2:0.8:0.1 --fail cables=S-0-S-1 --schedule after.json -o after.html")
          .code,
      0);
  const Result made = run("report --compare before.html after.html -o both.html --json");
  ASSERT_EQ(made.code, 0) << made.err;
  const nlohmann::json before = data("before.html"), after = data("after.html");
  const nlohmann::json page = data("both.html"), both = page["compare"];
  EXPECT_TRUE(page["simulations"].empty());
  ASSERT_EQ(both["simulations"].size(), 2U);
  EXPECT_EQ(both["simulations"][0]["routing"], "updn");
  EXPECT_EQ(both["simulations"][0]["points"].size(), 7U);
  EXPECT_EQ(both["simulations"][0]["points"][1]["before"], nullptr);
  // the third of 0.2, 0.4, 0.6 is the fifth of 0.2, 0.3, 0.4, 0.5, 0.6
  EXPECT_EQ(both["simulations"][0]["points"][4]["before"]["accepted"],
            before["simulations"][0]["points"][2]["accepted"]);
  EXPECT_EQ(both["simulations"][0]["points"][4]["after"]["accepted"],
            after["simulations"][0]["points"][4]["accepted"]);
  EXPECT_EQ(both["simulations"][1]["after"], nullptr);
  ASSERT_EQ(both["algorithms"].size(), 2U);
  EXPECT_EQ(both["algorithms"][0]["algorithms"][0]["points"][0]["after"]["predicted"],
            after["algorithms"][0]["algorithms"][0]["points"][0]["predicted"]);
  EXPECT_EQ(both["algorithms"][1]["after"], false);
  EXPECT_EQ(both["schedules"]["before"], before["schedule"]);
  EXPECT_EQ(both["schedules"]["after"], after["schedule"]);
  const std::string summary = made.json()["summary"].dump();
  EXPECT_THAT(summary, HasSubstr("The schedule of AAB has"));
  EXPECT_THAT(summary, HasSubstr("not compared: before, the simulation of minhop under uniform traffic on 4 "
                                 "lanes, the algorithms for broadcast among 4 ranks on minhop."));
  ASSERT_EQ(run("report --compare before.html after.html -o again.html").code, 0);
  EXPECT_EQ(read("again.html"), read("both.html"));

  std::string damaged = read("before.html");
  const std::string points = "\"points\":[{\"load\":0.2";
  ASSERT_NE(damaged.find(points), std::string::npos);
  damaged.replace(damaged.find(points), points.size(), "\"points\":[{\"load\":\"\"");
  write("damaged.html", damaged);
  expect_refused("report --compare damaged.html after.html -o x.html",
                 "damaged.html: this is no page of unknot report that can be compared: 'load' is no number");
}

/// Programs that take Chromium's place: one that prints, one that fails.
TEST_F(Report, IsPrintedByChromiumOrRefused) {
  const std::string path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe)
  const std::filesystem::path bin = std::filesystem::current_path() / "bin";
  std::filesystem::create_directory(bin);
  const auto with_path = [&](const std::string& folders, const auto& act) {
    ::setenv("PATH", folders.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
    act();
    ::setenv("PATH", path.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
  };
  with_path(bin.string(),
            [&] { expect_refused("report ring:4 -o page.pdf", "Chromium, which is not installed"); });
  EXPECT_FALSE(std::filesystem::exists("page.pdf"));
  const auto install = [&](const std::string& script) {
    write("bin/chromium", script);
    std::filesystem::permissions(bin / "chromium", std::filesystem::perms::owner_all);
  };
  install("#!/bin/sh\ncp page.html page.pdf\n");
  with_path(bin.string() + ":" + path, [&] {
    const Result made = run("report ring:4 --title Printed -o page.pdf");
    EXPECT_EQ(made.code, 0) << made.err;
    EXPECT_THAT(read("page.pdf"), HasSubstr("<h1>Printed</h1>"));
  });
  install("#!/bin/sh\nexit 3\n");
  with_path(bin.string() + ":" + path,
            [&] { expect_refused("report ring:4 -o other.pdf", "does not print the page"); });
  EXPECT_FALSE(std::filesystem::exists("other.pdf"));
}

TEST_F(Report, RefusesWhatDoesNotGoTogether) {
  expect_refused("report ring:4", "-o FILE.html is missing");
  expect_refused("report ring:4 -o none/page.html", "none");
  expect_refused("report ring:4 -o - --json", "standard output");
  expect_refused("report ring:4 --load 0.1 -o page.html", "--engine or --tables");
  expect_refused("report ring:4 -E updn --traffic uniform -o page.html", "--load");
  expect_refused("report ring:4 -E updn --load 2 -o page.html", "2");
  expect_refused("report ring:4 -E nope -o page.html", "nope");
  expect_refused("report ring:4 --schedule missing.json -o page.html", "missing.json");
  expect_refused("report torus:510x510 -o page.html", "1000000 channels");
  expect_refused("report ring:4 --fail cables=S-0-S-1+S-2-S-3 -o page.html", "");
}

}  // namespace
}  // namespace unknot::cli::test
