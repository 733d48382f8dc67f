// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "cli/run_command.hpp"
#include "unknot/network/network.hpp"
#include "unknot/report/page.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::HasSubstr;
using DesignCommand = InFolder;

constexpr const char* kModels = R"([[switch]]
name = "small"
ports = 24
price = 1000
power = 100
[[switch]]
name = "large"
ports = 48
price = 5000
power = 300
)";

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST_F(DesignCommand, EndpointsAndRadixGiveNetworksOfThatSize) {
  const auto document = run("design --endpoints 500 --radix 24 --json").json();
  EXPECT_GE(document["rows"].size(), 12U);
  for (const auto& row : document["rows"]) {
    EXPECT_EQ(row["terminals"], 500);
    EXPECT_LE(row["radix"], 24);
    EXPECT_GE(row["room"], 500);
    const Network net = make_network(row["spec"].get<std::string>());
    EXPECT_EQ(net.terminal_count(), 500U) << row["spec"];
    EXPECT_EQ(net.router_count(), row["routers"]) << row["spec"];
  }
}

TEST_F(DesignCommand, SwitchModelsAreTheCheapest) {
  write("models.toml", kModels);
  const auto best = run("design --endpoints 300 --switches models.toml --json").json();
  for (const auto& row : best["rows"]) {
    double cheapest = 1e300;
    for (const auto& [ports, price] : {std::pair("24", 1000.0), {"48", 5000.0}}) {
      const auto alone = run("design --endpoints 300 --radix " + std::string(ports) + " --json --family " +
                             row["family"].get<std::string>())
                             .json();
      for (const auto& one : alone["rows"])
        cheapest = std::min(cheapest, price * one["routers"].get<double>());
    }
    EXPECT_EQ(row["switches_price"], cheapest) << row["family"];
    EXPECT_EQ(row["power"].get<double>(),
              row["routers"].get<double>() * (row["switch"] == "small" ? 100 : 300));
  }
  // with a radix only the models that have no more ports
  const auto small = run("design --endpoints 300 --radix 30 --switches models.toml --json").json();
  EXPECT_FALSE(small["rows"].empty());
  for (const auto& row : small["rows"]) EXPECT_EQ(row["switch"], "small");
}

TEST_F(DesignCommand, CostIsThatOfRoutersAndCables) {
  write("free.toml", "[router]\nprice = 0\nprice_per_port = 2\n[[cable]]\nname = \"any\"\nprice = 3\n");
  const auto document =
      run("design --endpoints 100 --radix 16 --cost-model free.toml --sort cost --json").json();
  double last = 0;
  for (const auto& row : document["rows"]) {
    const double cost = row["cost"];
    EXPECT_EQ(cost, row["routers"].get<double>() * 2 * row["radix"].get<double>() +
                        3 * (row["cables"].get<double>() + 100));
    EXPECT_GE(cost, last);
    last = cost;
    EXPECT_GT(row["cable_metres"], 0);
  }
}

TEST_F(DesignCommand, OversubscriptionGivesARowForEach) {
  const auto rows =
      run("design --endpoints 400 --radix 36 --oversubscription 1,3 --family fattree2 --json").json()["rows"];
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_LE(rows[0]["oversubscription"], 1);
  EXPECT_GT(rows[1]["oversubscription"], 1);
  EXPECT_LE(rows[1]["oversubscription"], 3);
  EXPECT_LT(rows[1]["routers"], rows[0]["routers"]);
}

TEST_F(DesignCommand, MeasuresThroughputUpToTheLimit) {
  const std::string command = "design --radix 12 --family fattree2,slimfly --measure ";
  const auto all = run(command + "--json").json();
  EXPECT_EQ(all["rows"].size(), 2U);
  for (const auto& row : all["rows"]) {
    const auto bound = run("bound " + row["spec"].get<std::string>() + " --tub --json").json();
    EXPECT_EQ(row["tub"], bound["tub"]);
  }
  const Result limited = run(command + "--measure-limit 20 --json");
  EXPECT_NE(limited.err.find("one network of more than 20 routers"), std::string::npos) << limited.err;
  std::uint32_t measured = 0;
  const auto few = limited.json();
  for (const auto& row : few["rows"]) {
    EXPECT_EQ(row["tub"].is_null(), row["routers"] > 20);
    EXPECT_TRUE(row["throughput_at_most"].is_number()) << row;
    EXPECT_TRUE(row["tub"].is_null() || row["throughput_at_most"] <= row["tub"]) << row;
    measured += row["tub"].is_null() ? 0 : 1;
  }
  EXPECT_EQ(measured, 1U);
}

TEST_F(DesignCommand, NoDiameterIsAboveTheLimit) {
  for (const std::uint32_t limit : {1U, 2U, 3U}) {
    const Result rows = run("design --radix 8 --max-diameter " + std::to_string(limit) + " --json");
    if (rows.code == 1) continue;  // none fits
    ASSERT_EQ(rows.code, 0) << rows.err;
    const auto document = rows.json();
    EXPECT_FALSE(document["rows"].empty());
    for (const auto& row : document["rows"]) {
      const std::string spec = row["spec"];
      EXPECT_LE(run("info " + spec + " --json").json()["diameter"], limit) << spec;
      EXPECT_LE(row["diameter"], limit) << spec;
    }
  }
  EXPECT_EQ(run("design --radix 8 --max-diameter 1").code, 1);
  // A member of few groups is narrower than its family.
  EXPECT_THAT(run("design --endpoints 24 --radix 12 --family dragonfly --max-diameter 2").out,
              HasSubstr("dragonfly:a=4,h=2,groups=3,p=2"));
  // Too large to look at, and no formula: left out, and said.
  const Result large =
      run("design --radix 8 --max-diameter 9 --family jellyfish,fattree2 --measure-limit 10");
  EXPECT_THAT(large.out, ::testing::Not(HasSubstr("jellyfish")));
  EXPECT_THAT(large.err, HasSubstr("left out: one network of more than 10 routers"));
}

TEST_F(DesignCommand, EachRowHasABoundOnThroughput) {
  for (const char* options : {"--radix 24", "--radix 64", "--endpoints 500 --radix 24", "--endpoints 3000",
                              "--endpoints 300 --radix 36 --oversubscription 1,2 --sort tub"}) {
    const auto rows = run(std::string("design ") + options + " --json").json()["rows"];
    EXPECT_GT(rows.size(), 10U);
    for (const auto& row : rows) EXPECT_GT(row["throughput_at_most"], 0) << row;
  }
}

TEST_F(DesignCommand, WritesTheSameRowsAsCsvAndMarkdown) {
  const std::string command = "design --endpoints 100 --radix 16 --cost --oversubscription 1,2";
  const auto rows = run(command + " --json").json()["rows"];
  const Result csv = run(command + " --format csv --csv a.csv --markdown a.md");
  EXPECT_EQ(csv.out, read("a.csv"));
  const std::vector<std::string> lines = lines_of(csv.out);
  ASSERT_EQ(lines.size(), rows.size() + 1);
  EXPECT_TRUE(lines[0].starts_with("family,spec,terminals,")) << lines[0];
  // specs have commas, and are quoted
  EXPECT_TRUE(std::any_of(lines.begin(), lines.end(),
                          [](const std::string& line) { return line.find(",\"") != std::string::npos; }));
  for (std::size_t i = 0; i < rows.size(); ++i)
    EXPECT_TRUE(lines[i + 1].starts_with(rows[i]["family"].get<std::string>() + ",")) << lines[i + 1];
  EXPECT_EQ(run(command + " --format markdown").out, read("a.md"));
  const std::vector<std::string> table = lines_of(read("a.md"));
  ASSERT_EQ(table.size(), rows.size() + 2);
  for (const std::string& line : table) {
    EXPECT_EQ(std::count(line.begin(), line.end(), '|'), std::count(table[0].begin(), table[0].end(), '|'));
  }
}

TEST_F(DesignCommand, BuiltInCostModelIsAFileThatItTakes) {
  write("own.toml", run("design --show-cost-model").out);
  const std::string command = "design --endpoints 100 --radix 16 --json ";
  EXPECT_EQ(run(command + "--cost").out, run(command + "--cost-model own.toml").out);
}

TEST_F(DesignCommand, RefusesWhatDoesNotGoTogether) {
  write("models.toml", kModels);
  write("none.toml", "");
  write("bad.toml", "[[switch]]\nname = 3\nports = 4\n");
  write("costs.toml", "[floor]\nrack_unit = 3\n");
  expect_refused("design", "--radix");
  expect_refused("design --radix 8 --switches models.toml", "--endpoints");
  expect_refused("design --radix 8 --sort cost", "--sort cost needs --cost, or --switches FILE");
  expect_refused("design --radix 8 --sort power", "--sort power needs --cost");
  expect_refused("design --endpoints 8 --switches none.toml", "no [[switch]]");
  expect_refused("design --endpoints 8 --switches bad.toml", "bad.toml:2: name: expected a text");
  expect_refused("design --endpoints 8 --switches nowhere", "nowhere");
  expect_refused("design --radix 8 --cost-model costs.toml", "costs.toml:2: no key \"rack_unit\"");
  expect_refused("design --radix 8 --oversubscription 0", "--oversubscription");
  expect_refused("design --radix 8 --oversubscription nan", "--oversubscription");
  expect_refused("design --radix 8 --format html", "--format");
  expect_refused("design --radix 8 --format csv --json", "exclude");
  expect_refused("design --radix 8 --csv nowhere/a.csv", "nowhere");
  expect_refused("design --radix 8 --family slimfli", "slimfly");
  expect_refused("design --radix 8 --measure --measure-limit 0", "--measure-limit");
}

TEST_F(DesignCommand, APageHasTheRowsAndTheSameBytesAgain) {
  if (!report::page_available()) GTEST_SKIP() << "built without npm";
  const std::string command = "design --endpoints 300 --radix 24 --cost --page ";
  const Result first = run(command + "a.html --json --title <i>");
  ASSERT_EQ(first.code, 0) << first.err;
  const std::string page = read("a.html");
  EXPECT_NE(page.find("<h1>&lt;i&gt;</h1>"), std::string::npos);
  const std::string begin = "id=\"data\">";
  const std::size_t at = page.find(begin) + begin.size();
  const auto data = nlohmann::json::parse(page.substr(at, page.find("</script>", at) - at));
  EXPECT_EQ(data["design"]["rows"], nlohmann::json::parse(first.out)["rows"]);
  EXPECT_EQ(data["command"], "unknot design --radix 24 --endpoints 300 --cost --page a.html --title '<i>'");
  ASSERT_EQ(run(command + "a.html --threads 1 -q --title <i>").code, 0);
  EXPECT_EQ(read("a.html"), page);
  EXPECT_EQ(run("design --radix 24 --page -").out.rfind("<!doctype html>", 0), 0U);
  // it is no page of a fabric, and a comparison says so
  ASSERT_EQ(run("report ring:4 -o b.html").code, 0);
  const Result compared = run("report --compare a.html b.html -o c.html");
  EXPECT_EQ(compared.code, 2);
  EXPECT_NE(compared.err.find("a.html"), std::string::npos) << compared.err;
  expect_refused("design --radix 24 --title x --csv c.csv", "--title and --date are for --page");
  expect_refused("design --radix 24 --json --page -", "cannot both have standard output");
}

TEST_F(DesignCommand, SearchWritesTheNetworkThatItMeasures) {
  const auto said =
      run("design --search --routers 128 --optical cubes --effort 0.02 -o found.json --json").json();
  EXPECT_EQ(said["usable"], true);
  EXPECT_LE(said["lanes"].get<int>(), 4);
  EXPECT_EQ(said["routes"]["engine"], "source-routed");
  EXPECT_EQ(said["routes"]["usable"], true);
  EXPECT_LE(said["routes"]["lanes"].get<int>(), 4);
  // Nothing carries more than the sum of distances over the channels allows; trees carry far less here.
  EXPECT_GE(said["routes"]["max_load"].get<double>() * said["all_to_all"]["upper"].get<double>(), 1);
  EXPECT_LT(said["routes"]["max_load"].get<double>(), said["max_load"].get<double>());
  const auto bound = run("bound found.json --tub --paths minimal --json").json();
  EXPECT_NEAR(bound["tub"].get<double>(), said["tub"].get<double>(), 1e-12);
  EXPECT_NEAR(1 / bound["bounds"][0]["max_load"].get<double>(), said["all_to_all"]["lower"].get<double>(),
              1e-9);
}

TEST_F(DesignCommand, SearchKeepsToTheLengthOfCables) {
  const auto said =
      run("design --search --grid 6x5 --ports 4 --longest-cable 2 --effort 0.05 -o found.json --json").json();
  EXPECT_EQ(said["routers"], 30);
  EXPECT_EQ(said["cables"]["longest"], 2);
  EXPECT_EQ(said["cables"]["number"].get<int>() * 2 + said["cables"]["free_ports"].get<int>(), 120);
  EXPECT_GE(said["mean_distance"].get<double>(), said["least_mean_distance"].get<double>());
  const std::string text = run("design --search --grid 6x5 --ports 4 --longest-cable 2 --effort 0.05").out;
  EXPECT_NE(text.find("the longest of 2 steps (2 allowed)"), std::string::npos) << text;
  const auto metres = run("design --search --routers 30 --ports 4 --longest-cable 3 --cost --terminals 4 "
                          "--effort 0.05 --json")
                          .json();
  EXPECT_LE(metres["cables"]["longest"].get<double>(), 3);
  EXPECT_EQ(metres["bill"]["racks"], 4);  // 5 units a router with its terminals, 8 of them in a rack of 42
  EXPECT_GT(metres["bill"]["cost"].get<double>(), 0);
}

TEST_F(DesignCommand, SearchRefusesWhatHasNoAnswer) {
  for (const auto& [options, why] :
       {std::pair("--search", "needs --routers"),
        {"--search --routers 64", "needs --ports"},
        {"--search --routers 7 --ports 3", "leave one port alone"},
        {"--search --routers 100 --optical cubes", "no number of cubes"},
        {"--search --routers 64 --ports 4 --optical cubes", "6 ports"},
        {"--search --routers 64 --ports 4 --radix 8", "no --radix"},
        {"--search --routers 64 --ports 4 --family oft", "rows of families"},
        {"--search --routers 64 --ports 4 --csv x.csv", "rows of families"},
        {"--search --grid 8x8 --ports 4", "--longest-cable"},
        {"--search --grid 8by8 --ports 4 --longest-cable 2", "as in 8x8"},
        {"--search --grid 8x8x8 --ports 4 --longest-cable 2", "as in 8x8"},
        {"--search --grid 0x8 --ports 4 --longest-cable 2", "as in 8x8"},
        {"--search --grid 99999x99999 --ports 4 --longest-cable 2", "as in 8x8"},
        {"--search --grid 8x8 --routers 60 --ports 4 --longest-cable 2", "has 64"},
        {"--search --grid 8x8 --ports 4 --longest-cable 2 --cost", "no --cost"},
        {"--search --routers 64 --ports 4 --longest-cable 0.5", "leave routers apart"},
        {"--search --optical cubes --routers 128 --longest-cable 5", "cubes"},
        {"--routers 64 --ports 4", "--search"}}) {
    const auto result = run(std::string("design ") + options);
    EXPECT_EQ(result.code, 2) << options;
    EXPECT_NE(result.err.find(why), std::string::npos) << result.err;
  }
}

}  // namespace
}  // namespace unknot::cli::test
