// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "unknot/cli/command/help.hpp"
#include "unknot/cli/output/progress_bar.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/cli/routing/engine_list.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/support/error.hpp"

namespace unknot::cli {
namespace {

using Specs = std::vector<std::string>;

TEST(EngineList, CommasSeparateEnginesAndParametersAlike) {
  EXPECT_EQ(split_engines("minhop"), Specs{"minhop"});
  EXPECT_EQ(split_engines("minhop,dfsssp"), (Specs{"minhop", "dfsssp"}));
  EXPECT_EQ(split_engines("dfsssp:a=1,b=2,minhop"), (Specs{"dfsssp:a=1,b=2", "minhop"}));
  EXPECT_EQ(split_engines("dfsssp:a=1,flag,updn:x=2,y"), (Specs{"dfsssp:a=1,flag", "updn:x=2,y"}));
}

TEST(EngineList, AllIsTheCatalogue) {
  Specs names;
  for (const Engine& engine : engines()) names.push_back(engine.name);
  EXPECT_EQ(split_engines("all"), names);
}

TEST(EngineList, RefusesWhatIsNoEngine) {
  for (const char* wrong : {"", ",", "dfsspp", "minhop,nope", "minhop,a=1", ":a=1"}) {
    EXPECT_THROW(split_engines(wrong), InputError) << wrong;
  }
}

TEST(TextTable, AlignsByCharacterNotByByte) {
  TextTable table({{"name", Align::left}, {"value"}, {"note", Align::left}});
  table.add({"a", "1 ± 2", "x"});
  table.add({"longer", "10", ""});
  EXPECT_EQ(table.text(),
            "name    value  note\n"
            "a       1 ± 2  x\n"
            "longer     10\n");
}

TEST(TextTable, GroupsDigitsByThree) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(123456), "123,456");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(grouped(18446744073709551615U), "18,446,744,073,709,551,615");
}

TEST(TextTable, PicksAUnitForTimes) {
  EXPECT_EQ(duration(0.0000421), "42 us");
  EXPECT_EQ(duration(0.0421), "42.1 ms");
  EXPECT_EQ(duration(4.211), "4.21 s");
  EXPECT_EQ(duration(125.9), "2 min 5 s");
}

TEST(Help, BreaksLinesAtBlanks) {
  EXPECT_EQ(wrapped("", 10), "");
  EXPECT_EQ(wrapped("short", 10), "short");
  EXPECT_EQ(wrapped("one two three four", 9), "one two\nthree\nfour");
  EXPECT_EQ(wrapped("averylongword and more", 5), "averylongword\nand\nmore");
  EXPECT_EQ(wrapped("own\nbreaks stay here", 11), "own\nbreaks stay\nhere");
}

TEST(ProgressLine, FillsWithTheWork) {
  EXPECT_EQ(progress_line("routing", 0, 10), "routing [..............................]   0%");
  EXPECT_EQ(progress_line("routing", 5, 10), "routing [###############...............]  50%");
  EXPECT_EQ(progress_line("routing", 10, 10), "routing [##############################] 100%");
  EXPECT_EQ(progress_line("routing", 11, 10), "routing [##############################] 100%");
  EXPECT_EQ(progress_line("reading", 7, 0), "reading 7");
}

}  // namespace
}  // namespace unknot::cli
