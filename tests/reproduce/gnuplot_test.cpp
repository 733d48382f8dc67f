// SPDX-License-Identifier: Apache-2.0
#include "unknot/reproduce/gnuplot.hpp"

#include <gmock/gmock.h>

namespace unknot {
namespace {

using ::testing::HasSubstr;

Plot curves() {
  Plot plot{.name = "p", .title = "It's a title", .x_label = "links, all", .y_label = "lanes"};
  plot.series = {{"a \"b\"", {{1, 2, {}, {}}, {4, 8, 7, 9}}}, {"c", {{4, 0.5, {}, {}}}}};
  return plot;
}

TEST(PlotData, HasALineForEachPointAndLeavesMissingOnesEmpty) {
  EXPECT_EQ(plot_data(curves()),
            "\"links, all\",\"a \"\"b\"\"\",\"a \"\"b\"\" least\",\"a \"\"b\"\" greatest\",\"c\",\"c least\","
            "\"c greatest\"\n"
            "1,2,2,2,,,\n"
            "4,8,7,9,0.5,0.5,0.5\n");
}

TEST(PlotData, NamesTheGroupsOfBars) {
  Plot plot = curves();
  plot.groups = {"none", "one", "two", "three", "four"};
  EXPECT_THAT(plot_data(plot), HasSubstr("\n\"four\",8,7,9,"));
}

TEST(PlotScript, QuotesWhatItIsGiven) {
  const std::string script = plot_script(curves(), "p.csv", "p.svg");
  EXPECT_THAT(script, HasSubstr("'It''s a title'"));
  EXPECT_THAT(script, HasSubstr("'p.csv' every ::1 using 1:2 "));
  EXPECT_THAT(script, HasSubstr("using 1:5 "));
}

}  // namespace
}  // namespace unknot
