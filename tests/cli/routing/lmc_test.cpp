// SPDX-License-Identifier: Apache-2.0
// Several LIDs of a host: written for all, read back, and proven together.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "../run_command.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::HasSubstr;

class LmcCommands : public InFolder {};

TEST_F(LmcCommands, WhatRouteWritesVerifyProves) {
  for (const char* fabric : {"torus:4x4,p=2", "xgft:m=4x3,w=2x3", "mesh:1,p=3"}) {
    for (const char* engine : {"dfsssp", "updn", "unknot:effort=0.1"}) {
      for (const char* form : {"plain", "compact"}) {
        for (const char* format : {"opensm", "opensm-bare"}) {
          const std::string name = std::string(fabric) + " --engine " + engine;
          SCOPED_TRACE(name + " " + form + " " + format);
          const Result made = run("route " + name + " --lmc 2 -o tables --format " + format +
                                  " --lanes lanes --lanes-format " + form + " --certificate proof --json");
          ASSERT_EQ(made.code, 0) << made.err;
          EXPECT_EQ(made.json()["addresses"], 4);
          EXPECT_GE(made.json()["address_spread"]["different_paths"],
                    made.json()["address_spread"]["disjoint_paths"]);
          const Result back =
              run(std::string("verify ") + fabric + " tables --lanes lanes --certificate proof --json");
          ASSERT_EQ(back.code, 0) << back.err << back.out;
          EXPECT_EQ(back.json()["addresses"], 4);
          EXPECT_TRUE(back.json()["certificate_holds"]);
          EXPECT_EQ(back.json()["dependencies"], made.json()["dependencies"]);
          EXPECT_EQ(back.json()["lanes_used"], made.json()["lanes_used"]);
        }
      }
    }
  }
}

constexpr const char* kOwnForms[] = {"json", "binary"};

/// Rows of switches are OpenSM's alone: these forms hold data.
TEST_F(LmcCommands, OwnFormsHoldAllThatIsProvenOfData) {
  for (const auto& [fabric, engine] :
       {std::pair("torus:4x4,p=2", "dfsssp"), std::pair("xgft:m=4x3,w=2x3", "updn"),
        std::pair("torus:5x5", "dor"), std::pair("hyperx:4x4,p=2", "layers:effort=0.05")}) {
    const std::string route = fmt::format("route {} --engine {} --lmc 2 --vls 8 -o tables ", fabric, engine);
    for (const char* format : kOwnForms) {
      SCOPED_TRACE(std::string(engine) + " " + format);
      const Result made =
          run(route + "--traffic data --certificate proof --json --format " + std::string(format));
      ASSERT_EQ(made.code, 0) << made.err;
      const Result back = run(std::string("verify ") + fabric + " tables --certificate proof --json");
      ASSERT_EQ(back.code, 0) << back.err << back.out;
      EXPECT_EQ(back.json()["addresses"], 4);
      EXPECT_TRUE(back.json()["certificate_holds"]);
      EXPECT_EQ(back.json()["dependencies"], made.json()["dependencies"]);
      EXPECT_EQ(back.json()["lanes_used"], made.json()["lanes_used"]);
      EXPECT_EQ(files(), (std::vector<std::string>{"proof", "tables"}));
      std::filesystem::remove("proof");
      // Lines of a file of levels name switches by the LIDs that the tables tell.
      ASSERT_EQ(run(route + "--lanes lanes --format " + format).code, 0);
      const Result with = run(std::string("verify ") + fabric + " tables --lanes lanes --json");
      EXPECT_EQ(with.code, 0) << with.err;
      EXPECT_EQ(with.json()["addresses"], 4);
      EXPECT_EQ(with.json()["dependencies"], back.json()["dependencies"]);
      std::filesystem::remove("lanes");
    }
  }
}

/// What each command that reads tables says of the file "tables" in this format.
std::vector<nlohmann::json> told_of_tables(const std::string& format) {
  const std::string fabric = "torus:3x3,p=2";
  EXPECT_EQ(run("route " + fabric + " --engine dfsssp --vls 4 --lmc 2 --traffic data -o tables --format " +
                format + " --lanes lanes")
                .code,
            0);
  std::vector<nlohmann::json> told;
  for (const std::string command :
       {"congestion", "congestion --address lowest", "adversary", "bound", "simulate --load 0.1",
        "simulate --load 0.1 --address least", "place --effort 0.01 --stencil 6x3"}) {
    const bool no_lanes = command.starts_with("place");
    const Result result =
        run(fmt::format("{} {} --tables tables{} --json", command, fabric, no_lanes ? "" : " --lanes lanes"));
    EXPECT_EQ(result.code, 0) << command << result.err;
    told.push_back(result.json());
    told.back().erase("seconds");
  }
  const Result watched =
      run(fmt::format("watch {0} {0} --old-tables tables --old-lanes lanes --new-tables tables "
                      "--new-lanes lanes --json",
                      fabric));
  EXPECT_EQ(watched.err, "");
  told.push_back(watched.json());
  told.back().erase("seconds");
  const Result refused = run("reroute " + fabric + " --tables tables --lanes lanes --fail cables=1 -o new");
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.err, HasSubstr("hosts of these tables have several LIDs"));
  EXPECT_FALSE(std::filesystem::exists("new"));
  return told;
}

TEST_F(LmcCommands, OwnFormsServeAllThatReadsTables) {
  const std::vector<nlohmann::json> dump = told_of_tables("opensm");
  for (const char* format : kOwnForms) EXPECT_EQ(told_of_tables(format), dump) << format;
}

TEST_F(LmcCommands, FaultsOfOneRankAreFoundInOwnForms) {
  ASSERT_EQ(run("route torus:4x4,p=2 --engine dfsssp --lmc 2 -o tables --format json").code, 0);
  const auto good = nlohmann::json::parse(read("tables"));
  auto wrong = good;
  wrong["further"][2]["routers"][5]["ports"][0] = 0;
  write("tables", wrong.dump());
  const Result lost = run("verify torus:4x4,p=2 tables");
  EXPECT_EQ(lost.code, 1);
  EXPECT_THAT(lost.out, HasSubstr("every pair delivered  NO"));
  wrong = good;
  for (auto& row : wrong["further"][1]["service_levels"]) row["levels"][3] = good["virtual_lanes"];
  write("tables", wrong.dump());
  const Result laneless = run("verify torus:4x4,p=2 tables --json");
  EXPECT_EQ(laneless.code, 1);
  EXPECT_GT(laneless.json()["unroutable_pairs"], 0);
  wrong = good;
  wrong["further"].erase(0);
  write("tables", wrong.dump());
  expect_refused("verify torus:4x4,p=2 tables",
                 "tables: 'further' has 2 entries, expected 3, one for each of the 'further_lids'");
}

TEST_F(LmcCommands, LoadsOfAllAreThoseOfEvenUse) {
  const Result one = run("route xgft:m=4x4,w=4x4 --engine ftree --json");
  const Result four = run("route xgft:m=4x4,w=4x4 --engine ftree --lmc 2 --json");
  EXPECT_FALSE(one.json().contains("address_spread"));
  EXPECT_LE(four.json()["address_spread"]["max_load"], one.json()["channel_load"]["max"]);
  EXPECT_EQ(four.json()["address_spread"]["disjoint_paths"], 4);
  ASSERT_EQ(run("route torus:4x4 --engine dfsssp --lmc 3 -o tables --lanes lanes --opensm-conf conf").code,
            0);
  EXPECT_THAT(read("conf"), HasSubstr("\nlmc 3\n"));
  EXPECT_EQ(run("route torus:4x4 --engine dfsssp --lmc 0 --json").json()["channel_load"],
            run("route torus:4x4 --engine dfsssp --json").json()["channel_load"]);
}

TEST_F(LmcCommands, FabricsThatSayTheirLmcKeepTheirLids) {
  // As a subnet manager with LMC 2 has given them out: hosts in fours from 100 on, switches from 1 on.
  ASSERT_EQ(run("topology torus:3x3,p=2 -o again.json --format json").code, 0);
  auto json = nlohmann::json::parse(read("again.json"));
  json["lmc"] = 2;
  const std::size_t hosts = json["terminals"].size();
  for (std::size_t i = 0; i < hosts; ++i) json["terminal_lid"][i] = 100 + 4 * i;
  for (std::size_t i = 0; i < json["routers"].get<std::size_t>(); ++i) json["router_lid"][i] = 1 + i;
  write("again.json", json.dump());
  ASSERT_EQ(run("route again.json --engine updn --lmc 2 -o tables").code, 0);
  EXPECT_THAT(read("guid2lid"), HasSubstr(" 0x0064 0x0067\n"));
  // Without --lmc all LIDs of a host are led to alike.
  ASSERT_EQ(run("route again.json --engine updn -o tables --lanes lanes").code, 0);
  EXPECT_THAT(read("tables"), HasSubstr("\n0x0067 "));
  const Result back = run("verify again.json tables --lanes lanes --json");
  EXPECT_EQ(back.code, 0) << back.err;
  EXPECT_EQ(back.json()["addresses"], 4);
}

TEST_F(LmcCommands, RangesOfAFabricStayRanges) {
  ASSERT_EQ(run("topology ring:4 -o f.json --format json").code, 0);
  auto json = nlohmann::json::parse(read("f.json"));
  json["lmc"] = 3;
  json["terminal_lid"] = {8, 16, 24, 32};
  json["router_lid"] = {40, 41, 42, 43};
  write("f.json", json.dump());
  write("g", "0x0002000000000000 0x0010 0x0010\n");
  expect_refused("route f.json --engine updn --guid2lid g -o tables",
                 "have 8 LIDs each (LMC 3); with --guid2lid give --lmc 3");
  ASSERT_EQ(run("route f.json --engine updn --guid2lid g --lmc 3 -o tables").code, 0);
  EXPECT_EQ(run("verify f.json tables --traffic data --json").json()["addresses"], 8);
  // The fabric's own LMC is what OpenSM needs, asked for or not.
  ASSERT_EQ(run("route f.json --engine updn -o other --lanes lanes --opensm-conf conf").code, 0);
  EXPECT_THAT(read("conf"), HasSubstr("\nlmc 3\n"));
}

TEST_F(LmcCommands, LanesThatDependOnPortsAreWrittenAndProvenForAllAddresses) {
  for (const auto& [fabric, engine] :
       {std::pair("torus:5x5", "dor"), std::pair("hyperx:4x4,p=2", "layers:effort=0.05")}) {
    SCOPED_TRACE(engine);
    const std::string files = " --lanes lanes --sl2vl sl2vl --certificate proof";
    ASSERT_EQ(
        run(fmt::format("route {} --engine {} --lmc 2 --vls 4 -o tables{}", fabric, engine, files)).code, 0);
    const Result proven = run(fmt::format("verify {} tables{} --json", fabric, files));
    EXPECT_EQ(proven.code, 0) << proven.err;
    EXPECT_EQ(proven.json()["addresses"], 4);
    const std::string tables = fabric + std::string(" --tables tables --lanes lanes --sl2vl sl2vl --json");
    const Result even = run("congestion " + tables);
    const Result lowest = run("congestion --address lowest " + tables);
    EXPECT_EQ(even.code, 0) << even.err;
    EXPECT_GE(even.json()["throughput"], lowest.json()["throughput"]);
    const Result worst = run("adversary " + tables);
    EXPECT_TRUE(worst.json()["exact"]) << worst.err;
    EXPECT_NEAR(worst.json()["load"].get<double>(), worst.json()["recomputed_load"].get<double>(), 1e-9);
    const Result told = run("simulate " + tables + " --address least --load 0.1");
    EXPECT_TRUE(told.json()["proven_deadlock_free"]) << told.err;
    EXPECT_EQ(run(fmt::format("reroute {} --tables tables --lanes lanes --fail cables=1", fabric)).code, 1);
  }
}

TEST_F(LmcCommands, WhatGoesWithoutIsRefused) {
  write("closed", "S-5\n");
  const std::string route = "route torus:4x4 --engine dfsssp --lmc 1 -o tables ";
  expect_refused(route + "--multicast trees", "--lmc and --multicast do not go together");
  expect_refused(route + "--qos a,b", "--lmc and --qos do not go together");
  expect_refused(route + "--no-transit closed", "--lmc and --no-transit do not go together");
  for (const char* format : {"csv", "csv-folder", "garnet", "constellation", "angara"}) {
    expect_refused(route + "--format " + format, std::string("(--lmc) cannot be written as '") + format +
                                                     "', take one of opensm, opensm-bare, json, binary");
  }
  expect_refused(route + "--format json --opensm-conf conf", "OpenSM loads no tables of format json");
  expect_refused("route torus:4x4 --engine dfsssp --lmc 8", "--lmc");
  expect_refused("route torus:4x4 --engine dfsssp --lmc x", "--lmc");
  const Result none = run("route torus:4x4 --engine angara-sssp --lmc 1");
  EXPECT_EQ(none.code, 1);
  EXPECT_THAT(none.out + none.err, HasSubstr("a node is a router with one"));
  expect_refused("congestion torus:4x4 --tables tables --lmc 1", "--lmc is for --engine");
  expect_refused("place torus:4x4 --engine dfsssp --lmc 1 --address most --stencil 4x4", "--address");
  write("hostile",
        "# made by hand\nvendid=0x2c9\ndevid=0xc738\nsysimgguid=0x1\nswitchguid=0x1(1)\n"
        "Switch\t2 \"S-1\"\t\t# \"s\" base port 0 lid 1 lmc 9\n"
        "[1]\t\"H-2\"[1](3) \t\t# \"h\" lid 2 4xQDR\n");
  EXPECT_EQ(run("info hostile").code, 2);
}

}  // namespace
}  // namespace unknot::cli::test
