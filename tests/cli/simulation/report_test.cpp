// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "cli/run_command.hpp"
#include "unknot/report/page.hpp"

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

TEST_F(Report, RefusesWhatDoesNotGoTogether) {
  expect_refused("report ring:4", "-o FILE.html is missing");
  expect_refused("report ring:4 -o none/page.html", "none");
  expect_refused("report ring:4 -o - --json", "standard output");
  expect_refused("report ring:4 --load 0.1 -o page.html", "--engine or --tables");
  expect_refused("report ring:4 -E updn --traffic uniform -o page.html", "--load");
  expect_refused("report ring:4 -E updn --load 2 -o page.html", "2");
  expect_refused("report ring:4 -E nope -o page.html", "nope");
  expect_refused("report ring:4 --schedule missing.json -o page.html", "missing.json");
  expect_refused("report torus:230x230 -o page.html", "200000 channels");
  expect_refused("report ring:4 --fail cables=S-0-S-1+S-2-S-3 -o page.html", "");
}

}  // namespace
}  // namespace unknot::cli::test
