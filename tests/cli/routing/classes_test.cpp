// SPDX-License-Identifier: Apache-2.0
// Classes of service: what is written is the first class's levels and these a share higher, verify proves
// each file alone and all together, and says no where classes meet on a lane.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "../run_command.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::HasSubstr;

class ClassCommands : public InFolder {
 protected:
  /// Level of each path, of a file of lines "<guid> <lid> <level>".
  [[nodiscard]] std::map<std::pair<std::string, std::string>, int> levels(const std::string& file) const {
    std::map<std::pair<std::string, std::string>, int> all;
    std::istringstream text(read(file));
    for (std::string line; std::getline(text, line);) {
      std::istringstream words(line);
      std::string source;
      std::string lid;
      int level = 0;
      if (line[0] != '#' && words >> source >> lid >> level) all[{source, lid}] = level;
    }
    return all;
  }
};

TEST_F(ClassCommands, EachHasItsShareOfTheLanes) {
  for (const char* fabric : {"torus:4x4,p=2", "dragonfly:a=4,h=2,p=2", "kary-ntree:k=3,n=3"}) {
    for (const char* engine : {"dfsssp", "lash", "updn", "unknot:effort=0.05"}) {
      const std::string name = std::string(fabric) + " --engine " + engine;
      SCOPED_TRACE(name);
      const Result made =
          run("route " + name +
              " --vls 8 --qos mpi=8,storage,rest -o tables --lanes lanes --multicast trees --json");
      const nlohmann::json json = made.json();
      if (json.contains("failure")) continue;  // more than two lanes
      ASSERT_EQ(made.code, 0) << made.out << made.err;
      ASSERT_EQ(json["classes"].size(), 3U);
      EXPECT_EQ(json["classes"][1]["first_level"], 2);
      EXPECT_EQ(json["classes"][2]["last_level"], 5);
      EXPECT_TRUE(json["classes_together_deadlock_free"]);
      const auto first = levels("lanes");
      EXPECT_FALSE(first.empty());
      for (const auto& [path, level] : first) EXPECT_LT(level, 2);
      for (const auto& [file, by] : std::map<std::string, int>{{"lanes.storage", 2}, {"lanes.rest", 4}}) {
        const auto higher = levels(file);
        ASSERT_EQ(higher.size(), first.size());
        for (const auto& [path, level] : first) EXPECT_EQ(higher.at(path), level + by);
      }
      const Result back =
          run(std::string("verify ") + fabric +
              " tables --lanes lanes --lanes lanes.storage --lanes lanes.rest --multicast trees "
              "--vls 6 --json");
      EXPECT_EQ(back.code, 0) << back.out << back.err;
      EXPECT_EQ(back.json()["classes"].size(), 3U);
      // The last class's lanes are not there.
      EXPECT_EQ(run(std::string("verify ") + fabric +
                    " tables --lanes lanes --lanes lanes.storage --lanes lanes.rest --vls 4")
                    .code,
                1);
    }
  }
}

TEST_F(ClassCommands, FreeAloneCanBeACycleTogether) {
  ASSERT_EQ(run("route torus:4x4 --engine lash --vls 2 -o tables --lanes lanes").code, 0);
  std::string swapped;
  std::istringstream text(read("lanes"));
  for (std::string line; std::getline(text, line);) {
    if (line.ends_with(" 0")) {
      line.back() = '1';
    } else if (line.ends_with(" 1")) {
      line.back() = '0';
    }
    swapped += line + "\n";
  }
  write("swapped", swapped);
  for (const char* lanes : {"lanes", "swapped"})
    ASSERT_EQ(run(std::string("verify torus:4x4 tables --lanes ") + lanes).code, 0) << lanes;
  const Result both = run("verify torus:4x4 tables --lanes lanes --lanes swapped --json");
  EXPECT_EQ(both.code, 1);
  EXPECT_TRUE(both.json()["deadlock_free"]);
  EXPECT_TRUE(both.json()["classes"][0]["deadlock_free"]);
  EXPECT_TRUE(both.json()["classes"][1]["deadlock_free"]);
  EXPECT_FALSE(both.json()["classes_together_deadlock_free"]);
  EXPECT_THAT(run("verify torus:4x4 tables --lanes lanes --lanes swapped").out,
              HasSubstr("all classes together: CYCLE of "));
}

TEST_F(ClassCommands, DfssspLeavesTheLanesOfOthersAlone) {
  const std::string route = "route torus:4x4,p=2 --engine dfsssp --json";
  EXPECT_EQ(run(route).json()["lanes_used"], 8);
  EXPECT_EQ(run(route + " --qos a,b").json()["lanes_used"], 4);
}

TEST_F(ClassCommands, GroupsMayBeOfAnyClass) {
  write("groups", "0xC000 all\n0xC001 sl=4 H-[0-3]\n0xC002 sl=5 H-[4-12]\n");
  const std::string with = " --multicast trees --multicast-groups groups --json";
  const Result made =
      run("route torus:4x4 --engine lash --qos a,b -o tables --format json --lanes lanes" + with);
  ASSERT_EQ(made.code, 0) << made.out << made.err;
  EXPECT_EQ(made.json()["multicast"]["service_levels"]["0xc001"], 4);
  EXPECT_THAT(read("trees"), HasSubstr("# 0xC002 sl=5\n"));
  EXPECT_EQ(run("verify torus:4x4 tables --lanes lanes --lanes lanes.b" + with).code, 0);
  write("groups", "0xC001 sl=8 all\n");
  const Result none = run("route torus:4x4 --engine lash --qos a,b" + with);
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("has service level 8, and there are 8 lanes (--vls)"));
}

TEST_F(ClassCommands, RerouteKeepsTheirShares) {
  ASSERT_EQ(run("route torus:4x4 --engine lash --qos a,b --vls 6 -o tables --lanes lanes").code, 0);
  const Result made =
      run("reroute torus:4x4 --tables tables --lanes lanes --qos a,b --vls 6 --fail cables=S-0-S-1 -o new "
          "--new-lanes new-lanes --opensm-conf conf --json");
  ASSERT_EQ(made.code, 0) << made.out << made.err;
  EXPECT_EQ(made.json()["classes"][1]["first_level"], 3);
  EXPECT_EQ(
      run("verify torus:4x4 --fail cables=S-0-S-1 new --lanes new-lanes --lanes new-lanes.b --vls 6").code,
      0);
  EXPECT_THAT(read("conf"), HasSubstr(" classes=2 class_levels=3\n"));
}

TEST_F(ClassCommands, LinesForOpenSmSayWhatIsWritten) {
  ASSERT_EQ(run("route kary-ntree:k=3,n=2 --engine ftree -o tables --opensm-conf conf").code, 0);
  EXPECT_THAT(read("conf"), HasSubstr("qos_sl2vl 0,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15\n"));
  EXPECT_THAT(read("conf"), HasSubstr("max_op_vls 1\n"));
  EXPECT_THAT(read("conf"), HasSubstr("routing_engine file,no_fallback\nlfts_file /"));
  ASSERT_EQ(
      run("route torus:4x4 --engine dfsssp --vls 6 --qos a=3,b -o tables --lanes lanes --opensm-conf conf")
          .code,
      0);
  EXPECT_THAT(read("conf"), HasSubstr("qos_sl2vl 0,1,2,3,4,5,15,"));
  EXPECT_THAT(read("conf"), HasSubstr("max_op_vls 4\nqos_max_vls 6\n"));
  EXPECT_THAT(read("conf"), HasSubstr("qos_vlarb_low 0:255,1:255,2:255,3:85,4:85,5:85,6:0,"));
  EXPECT_THAT(read("conf"), HasSubstr("routing_engine unknot,no_fallback\n"));
  EXPECT_THAT(read("conf"), HasSubstr("/lanes classes=2 class_levels=3\n"));
  // Lanes by ports are no line of a file.
  ASSERT_EQ(run("route torus:5x5 --engine dor -o tables --lanes lanes --sl2vl sl2vl --opensm-conf conf").code,
            0);
  EXPECT_EQ(read("conf").find("qos_sl2vl"), std::string::npos);
  EXPECT_THAT(read("conf"), HasSubstr(" sl2vl_file=/"));
}

TEST_F(ClassCommands, WhatCannotBeIsRefused) {
  const std::string route = "route torus:4x4 ";
  for (const char* classes : {"a,,b", "a=0", "a=256", "a=x", "a,a", "a,", "a/b", "a=1=2"})
    EXPECT_EQ(run(route + "--qos " + classes).code, 2) << classes;
  EXPECT_THAT(run(route + "--qos a,b,c --vls 2").err,
              HasSubstr("--qos: 3 classes need a lane each, and there are 2 (--vls)"));
  EXPECT_EQ(run("route torus:5x5 --engine dor --qos a,b").code, 2);  // lanes by ports
  EXPECT_EQ(run(route + "--qos a,b --qos-policy policy").code, 2);
  EXPECT_EQ(run(route + "--qos a,b -o lanes.b --lanes lanes").code, 2);  // one file twice
  // Of one class: a table, a proof, steps, standard output.
  EXPECT_EQ(run(route + "--qos a,b -o tables --lanes lanes --sl2vl sl2vl").code, 2);
  EXPECT_EQ(run(route + "--qos a,b -o tables --lanes lanes --certificate proof").code, 2);
  EXPECT_EQ(run(route + "--qos a,b --lanes -").code, 2);
  EXPECT_EQ(run(route + "--qos a,b --lanes /dev/null").code, 2);
  EXPECT_EQ(run("verify torus:4x4 tables --lanes lanes --lanes b --certificate proof").code, 2);
  EXPECT_EQ(
      run("reroute torus:4x4 --tables tables --lanes lanes --qos a,b --fail cables=S-0-S-1 --transition "
          "steps")
          .code,
      2);
  EXPECT_EQ(run(route + "-o tables --format json --opensm-conf conf").code, 2);
  EXPECT_EQ(run(route + "-o - --opensm-conf conf").code, 2);
  EXPECT_EQ(run(route + "-o - --opensm-conf conf").out, "");
  EXPECT_EQ(run("verify torus:4x4 tables --lanes lanes --lanes none").code, 2);
  EXPECT_EQ(files(), std::vector<std::string>{});
}

}  // namespace
}  // namespace unknot::cli::test
