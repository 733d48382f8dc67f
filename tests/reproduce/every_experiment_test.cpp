// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "effort.hpp"
#include "temporary_folder.hpp"
#include "unknot/reproduce/catalogue.hpp"
#include "unknot/reproduce/gnuplot.hpp"
#include "unknot/reproduce/markdown.hpp"

namespace unknot {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

Reproduction quick_run(const Experiment& experiment, std::uint32_t threads, const std::string& points = "") {
  Progress quiet;
  return experiment.run({1, threads, choose_experiment(experiment.name, true).parameters, points}, quiet);
}

/// All of a result that may not change from run to run, as one text.
std::string fixed_part(const Reproduction& result) {
  std::string text = result.title;
  for (const std::string& paragraph : result.text) text += "\n" + paragraph;
  for (const ReproducedRow& row : result.rows) {
    text += "\n" + row.label + "\n" + row.published.text;
    if (row.timed) continue;
    text += "\n" + row.ours.text + "\n" + agreement_name(row.verdict) + "\n" + row.note;
  }
  for (const ReproducedTable& table : result.tables) {
    if (table.timed) continue;
    for (const auto& line : table.lines) {
      for (const std::string& cell : line) text += "\n" + cell;
    }
  }
  for (const Plot& plot : result.plots) {
    if (!plot.timed) text += "\n" + plot_data(plot);
  }
  return text;
}

class EveryExperiment : public test::TemporaryFolder, public ::testing::WithParamInterface<Experiment> {
 protected:
  void expect_resumes(const std::string& whole) const;
};

/// A campaign that is stopped half way and goes on gives the same as `whole`.
void EveryExperiment::expect_resumes(const std::string& whole) const {
  const Experiment& experiment = GetParam();
  const std::string points = path("points.jsonl");
  EXPECT_EQ(fixed_part(quick_run(experiment, 3, points)), whole);
  const std::string all = read("points.jsonl");
  std::size_t half = all.size() / 2;  // in the middle of a line, as a crash leaves it
  if (all[half] == '\n') --half;
  std::filesystem::resize_file(points, half);
  EXPECT_EQ(fixed_part(quick_run(experiment, 3, points)), whole);
  const auto lines = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
  EXPECT_GT(lines(all), 1);
  EXPECT_EQ(lines(read("points.jsonl")), lines(all));
  const std::string before = read("points.jsonl");
  EXPECT_EQ(fixed_part(quick_run(experiment, 1, points)), whole);
  EXPECT_EQ(read("points.jsonl"), before) << "everything was there: nothing runs";
}

TEST_P(EveryExperiment, ComparesRowsExplainsDifferencesAndIgnoresThreads) {
  const Experiment& experiment = GetParam();
  const Reproduction result = quick_run(experiment, 1);
  ASSERT_FALSE(result.rows.empty());
  EXPECT_FALSE(result.title.empty());
  EXPECT_FALSE(result.text.empty());
  std::set<std::string> labels;
  for (const ReproducedRow& row : result.rows) {
    EXPECT_TRUE(labels.insert(row.label).second) << "twice: " << row.label;
    EXPECT_FALSE(row.published.text.empty()) << row.label;
    EXPECT_FALSE(row.ours.text.empty()) << row.label;
    EXPECT_FALSE(row.verdict == Agreement::within && row.allowed.empty()) << row.label;
    EXPECT_FALSE(row.verdict == Agreement::better && row.wanted == Wanted::same) << row.label;
    EXPECT_FALSE(row.verdict == Agreement::within && row.published.text == "not printed") << row.label;
    EXPECT_FALSE(row.unexplained()) << row.label << ": " << row.ours.text << " beside " << row.published.text;
  }
  for (const ReproducedTable& table : result.tables) {
    for (const auto& line : table.lines) EXPECT_EQ(line.size(), table.headings.size()) << table.title;
  }
  std::set<std::string> names;
  for (const Plot& plot : result.plots) {
    EXPECT_THAT(plot.name, MatchesRegex("[a-z0-9-]+"));
    EXPECT_TRUE(names.insert(plot.name).second) << plot.name;
    EXPECT_FALSE(plot.series.empty()) << plot.name;
    for (const Series& series : plot.series) {
      EXPECT_FALSE(series.points.empty()) << series.name;
      for (const Series::Point& point : series.points) {
        if (!plot.groups.empty()) {
          EXPECT_LT(point.x, static_cast<double>(plot.groups.size()));
        }
        EXPECT_LE(point.low.value_or(point.y), point.high.value_or(point.y)) << series.name;
      }
    }
  }
  const std::string page = markdown_page(experiment, result, "unknot reproduce", {"plots/a.svg"});
  EXPECT_THAT(page, HasSubstr(experiment.paper));
  EXPECT_THAT(page, HasSubstr("plots/a.svg"));
  if (!fewer_cases()) {
    if (experiment.resumable) {
      expect_resumes(fixed_part(result));
    } else {
      EXPECT_EQ(fixed_part(result), fixed_part(quick_run(experiment, 3)));
    }
  }
}

std::string test_name(const ::testing::TestParamInfo<Experiment>& row) {
  std::string name = row.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryExperiment, ::testing::ValuesIn(experiments()), test_name);

TEST(Experiments, NameTheirSource) {
  std::set<std::string> names;
  for (const Experiment& experiment : experiments()) {
    EXPECT_TRUE(names.insert(experiment.name).second) << experiment.name;
    EXPECT_THAT(experiment.name, MatchesRegex("[a-z0-9-]+"));
    EXPECT_FALSE(experiment.summary.empty()) << experiment.name;
    EXPECT_FALSE(experiment.paper.empty()) << experiment.name;
    EXPECT_FALSE(experiment.place.empty()) << experiment.name;
    EXPECT_GT(experiment.typical_seconds, 0) << experiment.name;
    EXPECT_NO_THROW((void)choose_experiment(experiment.name, false)) << "full runs need no parameters";
    for (const Parameter& parameter : experiment.parameters) {
      EXPECT_TRUE(parameter.fallback.has_value()) << experiment.name << " " << parameter.name;
    }
  }
}

}  // namespace
}  // namespace unknot
