// SPDX-License-Identifier: Apache-2.0
// A member that a file gives twice is refused, whichever value a parser would keep.
#include <gtest/gtest.h>

#include <string>

#include "cli/run_command.hpp"

namespace unknot::cli {
namespace {

class KeysGivenTwice : public test::InFolder {
 protected:
  /// Writes `name` again, with `member` before the first `place` in it.
  static void insert(const std::string& name, const std::string& place, const std::string& member) {
    std::string text = read(name);
    const std::size_t at = text.find(place);
    ASSERT_NE(at, std::string::npos) << text;
    write(name, text.insert(at, member));
  }
};

TEST_F(KeysGivenTwice, InTables) {
  ASSERT_EQ(test::run("route ring:4 -o t.json --format json").code, 0);
  ASSERT_EQ(test::run("verify ring:4 t.json").code, 0);
  insert("t.json", "\"flow_control\"", "\"virtual_lanes\":9,");
  expect_refused("verify ring:4 t.json", "t.json:2: the member \"virtual_lanes\" is given twice");
  ASSERT_EQ(test::run("route ring:4 -o t.json --format json").code, 0);
  insert("t.json", "\"ports\"", "\"ports\":[1,1,1,1],");
  expect_refused("verify ring:4 t.json", "the member \"ports\" is given twice");
}

TEST_F(KeysGivenTwice, InFabrics) {
  ASSERT_EQ(test::run("topology ring:4 -o f.json --format json").code, 0);
  insert("f.json", "\"cables\"", "\"cables\": [],");
  expect_refused("info f.json", "the member \"cables\" is given twice");
}

TEST_F(KeysGivenTwice, InGraphMl) {
  ASSERT_EQ(test::run("topology ring:4 -o f.graphml --format graphml").code, 0);
  insert("f.graphml", "<data key=\"lid\">6</data>", "<data key=\"lid\">60</data>");
  expect_refused("info f.graphml", "f.graphml:15: the key \"lid\" is given twice");
}

TEST_F(KeysGivenTwice, InTransitions) {
  ASSERT_EQ(test::run("route ring:4 -o t --lanes l").code, 0);
  write("steps.json", "{\"steps\": [],\n\"steps\": []}");
  expect_refused("reroute ring:4 --tables t --lanes l --fail cables=S-0-S-1 --check-transition steps.json",
                 "steps.json:2: the member \"steps\" is given twice");
}

TEST_F(KeysGivenTwice, InSchedulesAlsoWhereNobodyKnowsThem) {
  ASSERT_EQ(test::run("schedule ring:4 --collective OAB -o s.json --format json").code, 0);
  ASSERT_EQ(test::run("schedule check ring:4 s.json").code, 0);
  insert("s.json", "\"collective\"", "\"by\": {\"me\": 1,\n\"me\": 2},");
  expect_refused("schedule check ring:4 s.json", "the member \"me\" is given twice");
}

TEST_F(KeysGivenTwice, InRankFiles) {
  write("ranks.json", "{\"hosts\": [\"H-0\"],\n\"hosts\": [\"H-1\"]}");
  expect_refused("place ring:4 --engine updn --stencil 2 --from ranks.json",
                 "ranks.json:2: the member \"hosts\" is given twice");
}

}  // namespace
}  // namespace unknot::cli
