// SPDX-License-Identifier: Apache-2.0
#include "unknot/sweep/sweep_file.hpp"

#include <gmock/gmock.h>

#include "refusal.hpp"
#include "unknot/support/error.hpp"
#include "unknot/sweep/plan.hpp"

namespace unknot::sweep {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string sweep_file_refusal(const std::string& text) {
  return refusal([&] { (void)expand(parse_sweep(text, "s.toml"), "1"); });
}

TEST(SweepFile, HasAxesInTheOrderOfTheFile) {
  const SweepFile file = parse_sweep(
      "command = \"route\"\nseed = 7\nfabric = [\"ring:5\", \"ring:6\"]\nfail = [\"\", \"cables=0\"]\n"
      "load = [0.1, 1]\nflag = [true, false]\nset = [[\"a=1\", \"b=2\"], \"c=3\"]\n",
      "s.toml");
  EXPECT_EQ(file.command, "route");
  ASSERT_EQ(file.axes.size(), 6U);
  EXPECT_EQ(file.axes[0].name, "seed");
  EXPECT_EQ(file.axes[0].line, 2U);
  EXPECT_THAT(file.axes[0].values, ElementsAre(ElementsAre("7")));
  EXPECT_THAT(file.axes[2].values, ElementsAre(IsEmpty(), ElementsAre("cables=0")));
  EXPECT_THAT(file.axes[3].values, ElementsAre(ElementsAre("0.1"), ElementsAre("1")));
  EXPECT_THAT(file.axes[4].values, ElementsAre(ElementsAre("true"), IsEmpty()));
  EXPECT_THAT(file.axes[5].values, ElementsAre(ElementsAre("a=1", "b=2"), ElementsAre("c=3")));
}

TEST(SweepFile, GivesEveryCombinationOnceTheLastAxisFastest) {
  const Plan plan = expand(parse_sweep("command = \"route\"\nengine = [\"a\", \"b\"]\nfabric = [\"ring:5\", "
                                       "\"ring:6\"]\nseed = [1, 2, 3]\n",
                                       "s.toml"),
                           "1");
  ASSERT_EQ(plan.cells.size(), 12U);
  EXPECT_THAT(plan.axes, ElementsAre("engine", "fabric", "seed"));
  EXPECT_EQ(plan.cells[0].command, "unknot route ring:5 --engine=a --seed=1");
  EXPECT_EQ(plan.cells[1].command, "unknot route ring:5 --engine=a --seed=2");
  EXPECT_EQ(plan.cells[3].command, "unknot route ring:6 --engine=a --seed=1");
  EXPECT_EQ(plan.cells[11].command, "unknot route ring:6 --engine=b --seed=3");
  EXPECT_THAT(plan.cells[11].words, ElementsAre("route", "ring:6", "--engine=b", "--seed=3"));
  EXPECT_THAT(plan.cells[11].values, ElementsAre("b", "ring:6", "3"));
}

TEST(SweepFile, KeysNameACellWhateverElseIsInThePlan) {
  const std::string head = "command = \"route\"\nfabric = \"ring:5\"\n";
  const Plan few = expand(parse_sweep(head + "seed = 2\n", "s.toml"), "1");
  const Plan many = expand(parse_sweep(head + "seed = [1, 2, 3]\n", "t.toml"), "1");
  EXPECT_EQ(few.cells[0].key, many.cells[1].key);
  EXPECT_NE(few.cells[0].key, many.cells[0].key);
  // Another version of the program may give other results.
  EXPECT_NE(few.cells[0].key, expand(parse_sweep(head + "seed = 2\n", "s.toml"), "2").cells[0].key);
  EXPECT_EQ(key_text(0xABCU), "0000000000000abc");
}

TEST(SweepFile, RefusesWhatItDoesNotUnderstand) {
  const std::string head = "command = \"route\"\n";
  const std::string fabric = "fabric = \"ring:5\"\n";
  EXPECT_EQ(sweep_file_refusal(fabric), "s.toml: expected a key 'command', such as command = \"route\"");
  EXPECT_EQ(sweep_file_refusal(head), "s.toml: expected a key 'fabric', such as fabric = \"torus:4x4\"");
  EXPECT_EQ(sweep_file_refusal("command = 1\n"), "s.toml:1: 'command' is not text");
  EXPECT_EQ(sweep_file_refusal(head + fabric + "seed = []\n"), "s.toml:3: 'seed' has no values");
  EXPECT_THAT(sweep_file_refusal(head + fabric + "seed = 1979-05-27\n"),
              HasSubstr("s.toml:3: a value of 'seed' is no text"));
  EXPECT_THAT(sweep_file_refusal(head + fabric + "load = [0.1,\nnan]\n"),
              HasSubstr("s.toml:4: a value of 'load' is no text"));
  EXPECT_THAT(sweep_file_refusal(head + fabric + "[seed]\na = 1\n"),
              HasSubstr("s.toml:3: 'seed' is a table"));
  EXPECT_THAT(sweep_file_refusal(head + fabric + "x = [[[1]]]\n"),
              HasSubstr("s.toml:3: a value of 'x' is no text"));
  EXPECT_THAT(sweep_file_refusal(head + fabric + "x = \"a\\nb\"\n"),
              HasSubstr("s.toml:3: a value of 'x' has a control character"));
  EXPECT_THAT(sweep_file_refusal(head + fabric + "seed = [1, 2, 1]\n"),
              HasSubstr("s.toml: 'unknot route ring:5 --seed=1' is in it twice"));
  for (const char* wrong : {"\"-\"", "\"--help\"", "\"\"", "[[\"a\", \"b\"]]", "[\"ring:5\", \"\"]"})
    EXPECT_THAT(sweep_file_refusal(head + "fabric = " + wrong + "\n"),
                HasSubstr("s.toml:2: 'fabric' is not the spec"))
        << wrong;
  EXPECT_THAT(sweep_file_refusal(head + fabric + "seed = 1\nseed = 2\n"), HasSubstr("s.toml:4: "));
  EXPECT_THAT(sweep_file_refusal("command = \n"), HasSubstr("s.toml:1: "));
}

TEST(SweepFile, RefusesMoreCellsThanAnyoneWillRun) {
  std::string text = "command = \"route\"\nfabric = \"ring:5\"\n";
  for (const char* name : {"a", "b", "c"}) {
    text += std::string(name) + " = [";
    for (int i = 0; i < 101; ++i) text += std::to_string(i) + ",";
    text += "]\n";
  }
  EXPECT_EQ(sweep_file_refusal(text), "s.toml:5: more than 1000000 cells, with 'c'");
}

}  // namespace
}  // namespace unknot::sweep
