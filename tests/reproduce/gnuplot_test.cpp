// SPDX-License-Identifier: Apache-2.0
#include "unknot/reproduce/gnuplot.hpp"

#include <gmock/gmock.h>

#include <filesystem>

#include "unknot/support/files/file.hpp"

namespace unknot {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

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

TEST(PlotScript, StartsAtZeroUnlessValuesLieBelow) {
  Plot plot = curves();
  EXPECT_THAT(plot_script(plot, "p.csv", "p.svg"), HasSubstr("set yrange [0:*]"));
  plot.series.front().points.front().y = -1;
  EXPECT_THAT(plot_script(plot, "p.csv", "p.svg"), Not(HasSubstr("yrange")));
}

TEST(PlotScript, WritesNoZerosBehindTheNumbersOfALogarithmicAxis) {
  Plot plot = curves();
  EXPECT_THAT(plot_script(plot, "p.csv", "p.svg"), Not(HasSubstr("set format")));
  plot.log_y = true;
  EXPECT_THAT(plot_script(plot, "p.csv", "p.svg"), HasSubstr("set logscale y\nset format y '%h'\n"));
}

/// Figures of docs/results have the look that they would get today.
TEST(PlotScript, FiguresOfTheResultsHaveThisLook) {
  const std::string script = plot_script(curves(), "p.csv", "p.svg");
  const std::string last = "set linetype cycle 8\n";
  const std::size_t begin = script.find("set border");
  const std::string look = script.substr(begin, script.find(last) + last.size() - begin);
  std::size_t figures = 0;
  for (const auto& entry : std::filesystem::directory_iterator(UNKNOT_SOURCE_DIR "/docs/results/plots")) {
    if (entry.path().extension() != ".gp") continue;
    ++figures;
    const std::string figure = read_file(entry.path().string());
    EXPECT_THAT(figure, HasSubstr(look)) << entry.path();
    EXPECT_EQ(figure.find("set logscale y\n") == std::string::npos,
              figure.find("set format y '%h'\n") == std::string::npos)
        << entry.path();
    EXPECT_TRUE(
        std::filesystem::exists(entry.path().parent_path() / (entry.path().stem().string() + ".svg")));
  }
  EXPECT_GT(figures, 50U);
}

}  // namespace
}  // namespace unknot
