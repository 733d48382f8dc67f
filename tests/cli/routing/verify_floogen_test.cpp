// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "cli/run_command.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string kFloogen = std::string(UNKNOT_TEST_DATA) + "/floogen/";

// The file alone is the fabric and its routing.
TEST(VerifyFloogen, ById) {
  const test::Result said = test::run("verify " + kFloogen + "mesh-id.yml");
  EXPECT_THAT(said.out, HasSubstr("route_algo ID, the shortest paths that networkx gives FlooGen"));
  EXPECT_THAT(said.out, HasSubstr("other shortest paths  not proven: all of them together have cycles"));
  const nlohmann::json document = test::run("verify " + kFloogen + "mesh-id.yml --json").json();
  EXPECT_EQ(document["route_algo"], "ID");
  EXPECT_EQ(document["tables"], kFloogen + "mesh-id.yml");
  EXPECT_EQ(document["deadlock_free_on_any_shortest_paths"], false);
  EXPECT_EQ(document["minimal"], true);
  EXPECT_EQ(document["complete"], true);
  const std::string twice = kFloogen + "mesh-id.yml " + kFloogen + "mesh-id.yml";
  EXPECT_EQ(test::run("verify " + twice).code, said.code);
}

// Subordinates never speak with one another, and have no routes.
TEST(VerifyFloogen, BySource) {
  const test::Result said = test::run("verify " + kFloogen + "mesh-src.yml");
  EXPECT_THAT(said.out, HasSubstr("pairs that never speak  6, left out"));
  EXPECT_THAT(said.out, HasSubstr("every pair delivered    yes"));
  const nlohmann::json document = test::run("verify " + kFloogen + "mesh-src.yml --json").json();
  EXPECT_EQ(document["silent_pairs"], 6);
  EXPECT_EQ(document["unroutable_pairs"], 0);
  EXPECT_TRUE(document["findings"].empty());
}

class VerifyFloogenFiles : public test::InFolder {};

// On AXI links requests and responses never wait for each other; where they share links they do. The
// witness is of what is sent.
TEST_F(VerifyFloogenFiles, ByWhoSpeaksToWhom) {
  std::string text = read_file(kFloogen + "ring-src.yml");
  write("axi.yml", text);
  const nlohmann::json axi = test::run("verify axi.yml --json").json();
  EXPECT_EQ(axi["deadlock_free"], true);
  EXPECT_EQ(axi["deadlock_free_by_class_alone"], true);
  const std::string type = "network_type: \"";
  write("wide.yml", text.replace(text.find(type) + type.size(), 3, "narrow-wide"));
  const nlohmann::json wide = test::run("verify wide.yml --json").json();
  EXPECT_EQ(wide["deadlock_free"], false);
  EXPECT_EQ(wide["deadlock_free_by_class_alone"], false);
  EXPECT_EQ(wide["silent_pairs"], 2);
  EXPECT_EQ(test::run("verify wide.yml").code, 1);
  EXPECT_THAT(test::run("verify wide.yml").out, Not(HasSubstr("mem_0 to mem_1")));
}

// FlooGen makes tables to subordinates alone, and dma gets responses.
TEST(VerifyFloogen, ByIdToAManagerAlone) {
  const nlohmann::json document = test::run("verify " + kFloogen + "ring-id.yml --json").json();
  EXPECT_EQ(document["unroutable_pairs"], 5);
}

TEST(VerifyFloogen, ByCoordinates) {
  const test::Result said = test::run("verify " + kFloogen + "mesh-xy.yml");
  EXPECT_EQ(said.code, 1);
  EXPECT_THAT(said.out, HasSubstr("route_algo XY, by coordinates"));
  // mem_y is reached from its own row: 6 cores do not reach each of the three. That mem do not, nobody minds.
  EXPECT_THAT(said.out, HasSubstr("NO, 18 of 126 are not"));
  EXPECT_THAT(said.out, HasSubstr("deadlock-free           yes"));
  EXPECT_EQ(test::run("simulate " + kFloogen + "mesh-id.yml --tables " + kFloogen +
                      "mesh-id.yml --load 0.01 --set measure=100")
                .code,
            0);
}

TEST(VerifyFloogen, AsksForARoutingOfOthers) {
  const test::Result said = test::run("verify mesh:2x2");
  EXPECT_EQ(said.code, 2);
  EXPECT_THAT(said.err, HasSubstr("verify: give TABLES"));
}

}  // namespace
}  // namespace unknot::cli
