// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/command/help.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/output/progress_bar.hpp"
#include "unknot/cli/output/stopwatch.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/reproduce/catalogue.hpp"
#include "unknot/reproduce/gnuplot.hpp"
#include "unknot/reproduce/markdown.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kTextWidth = 110;
constexpr const char* kPlots = "plots";  // folder beside the page

struct ReproduceOptions {
  std::string name;
  bool quick = false;
  std::string folder;
  std::string points;  ///< file of finished points
};

/// A number where it is one, else the text.
Json value_json(const Quantity& quantity) {
  if (quantity.low && quantity.low == quantity.high) return *quantity.low;
  return quantity.text;
}

Json row_json(const ReproducedRow& row) {
  Json json = {{"case", row.label},
               {"published", value_json(row.published)},
               {"ours", value_json(row.ours)},
               {"verdict", agreement_name(row.verdict)},
               {"allowed", row.allowed},
               {"wanted", wanted_name(row.wanted)},
               {"note", row.note},
               {"modelled", row.modelled},
               {"timed", row.timed}};
  const auto add_range = [&](const char* field, const Quantity& quantity) {
    if (quantity.low && quantity.high && quantity.low != quantity.high) {
      json[field] = {*quantity.low, *quantity.high};
    }
  };
  add_range("published_range", row.published);
  add_range("ours_range", row.ours);
  return json;
}

Json plot_json(const Plot& plot) {
  Json series = Json::array();
  for (const Series& one : plot.series) {
    Json points = Json::array();
    for (const Series::Point& point : one.points) {
      Json json = {{"x", plot.groups.empty() ? Json(point.x)
                                             : Json(plot.groups.at(static_cast<std::size_t>(point.x)))},
                   {"y", point.y}};
      if (point.low) json["least"] = *point.low;
      if (point.high) json["greatest"] = *point.high;
      points.push_back(std::move(json));
    }
    series.push_back({{"name", one.name}, {"points", std::move(points)}});
  }
  return {{"name", plot.name}, {"title", plot.title}, {"timed", plot.timed}, {"series", std::move(series)}};
}

Json report_json(const ReproduceOptions& options, const Experiment& experiment, const Reproduction& result,
                 double seconds) {
  Json document = {{"reproduction", options.name},
                   {"quick", options.quick},
                   {"paper", experiment.paper},
                   {"place", experiment.place},
                   {"title", result.title}};
  document["rows"] = Json::array();
  for (const ReproducedRow& row : result.rows) document["rows"].push_back(row_json(row));
  document["tables"] = Json::array();
  for (const ReproducedTable& table : result.tables) {
    document["tables"].push_back({{"title", table.title},
                                  {"headings", table.headings},
                                  {"lines", table.lines},
                                  {"timed", table.timed}});
  }
  document["plots"] = Json::array();
  for (const Plot& plot : result.plots) document["plots"].push_back(plot_json(plot));
  document["seconds"] = seconds;
  return document;
}

std::string report_text(const Experiment& experiment, const Reproduction& result) {
  std::string text = fmt::format("{}\n{}: {}\n\n", result.title, experiment.paper, experiment.place);
  TextTable rows(
      {{"case", Align::left}, {"published", Align::left}, {"ours", Align::left}, {"verdict", Align::left}});
  const NumberedNotes notes = number_notes(result.rows);
  for (std::size_t i = 0; i < result.rows.size(); ++i) {
    const ReproducedRow& row = result.rows[i];
    std::string verdict = verdict_text(row);
    if (notes.of_row[i] > 0) verdict += fmt::format(" ({})", notes.of_row[i]);
    rows.add({row.label, row.published.text, row.ours.text, verdict});
  }
  text += rows.text();
  for (std::size_t i = 0; i < notes.notes.size(); ++i) {
    text += wrapped(fmt::format("\n({}) {}\n", i + 1, notes.notes[i]), kTextWidth);
  }
  for (const ReproducedTable& table : result.tables) {
    std::vector<TextTable::Column> columns;
    for (const std::string& heading : table.headings) columns.push_back({heading});
    columns.front().align = Align::left;
    TextTable lines(std::move(columns));
    for (const std::vector<std::string>& line : table.lines) lines.add(line);
    text += fmt::format("\n{}\n{}", table.title, lines.text());
  }
  return text;
}

/// What is written into the folder, found out before the work so that it is not done in vain.
void check_folder(const std::string& folder) {
  if (folder.empty()) return;
  if (!fs::is_directory(folder)) {
    throw InputError(fmt::format("{}: there is no such folder to write into", folder));
  }
  check_outputs({(fs::path(folder) / "page.md").string()});
}

void write_report(const ReproduceOptions& options, const Experiment& experiment, const Reproduction& result,
                  const Common& common) {
  const fs::path folder(options.folder);
  std::vector<std::string> pictures;
  bool drawn = true;
  if (!result.plots.empty()) {
    std::error_code error;
    fs::create_directory(folder / kPlots, error);
    if (error) throw InputError(fmt::format("{}: {}", (folder / kPlots).string(), error.message()));
  }
  for (const Plot& plot : result.plots) {
    const std::string stem = fmt::format("{}-{}", experiment.name, plot.name);
    const std::string script = (folder / kPlots / (stem + ".gp")).string();
    const std::string picture = (folder / kPlots / (stem + ".svg")).string();
    write_file((folder / kPlots / (stem + ".csv")).string(), plot_data(plot));
    write_file(script, plot_script(plot, stem + ".csv", stem + ".svg"));
    drawn = drawn && draw_plot(script, picture);
    pictures.push_back(fmt::format("{}/{}.svg", kPlots, stem));
  }
  if (!drawn) {
    note(common, fmt::format("gnuplot is not installed: {} has the data and the scripts, no pictures",
                             (folder / kPlots).string()));
  }
  const std::string command =
      fmt::format("unknot reproduce {}{}{}", options.name, options.quick ? " --quick" : "",
                  common.seed == 1 ? "" : fmt::format(" --seed {}", common.seed));
  write_file((folder / (experiment.name + ".md")).string(),
             markdown_page(experiment, result, command, pictures));
}

Answer list_experiments(const Common& common) {
  if (common.json) {
    Json rows = Json::array();
    for (const Experiment& row : experiments()) {
      rows.push_back({{"name", row.name},
                      {"summary", row.summary},
                      {"paper", row.paper},
                      {"place", row.place},
                      {"resumable", row.resumable}});
    }
    return {kYes, {{"reproductions", std::move(rows)}}, {}};
  }
  std::vector<std::pair<std::string, std::string>> rows;
  for (const Experiment& row : experiments()) rows.emplace_back(row.name, row.summary);
  return {kYes, {}, key_values(rows)};
}

std::vector<std::string> resumable_names() {
  std::vector<std::string> names;
  for (const Experiment& row : experiments()) {
    if (row.resumable) names.push_back(row.name);
  }
  return names;
}

Answer reproduce_command(const ReproduceOptions& options, const Common& common) {
  if (options.name.empty()) {
    if (!options.folder.empty() || !options.points.empty() || options.quick) {
      throw InputError("reproduce: which result? 'unknot list reproductions' names them all");
    }
    return list_experiments(common);
  }
  const ChosenExperiment chosen = choose_experiment(options.name, options.quick);
  check_folder(options.folder);
  if (!options.points.empty() && !chosen.experiment->resumable) {
    throw InputError(
        fmt::format("reproduce {}: has no points to keep; --resume is for results of many runs: {}",
                    chosen.experiment->name, fmt::join(resumable_names(), ", ")));
  }
  const Stopwatch time;
  Reproduction result;
  {
    ProgressBar bar(common);
    result = chosen.experiment->run({common.seed, common.threads, chosen.parameters, options.points}, bar);
  }
  if (!options.folder.empty()) write_report(options, *chosen.experiment, result, common);
  const bool unexplained = std::any_of(result.rows.begin(), result.rows.end(),
                                       [](const ReproducedRow& row) { return row.unexplained(); });
  const int code = unexplained ? kNo : kYes;
  if (common.json) return {code, report_json(options, *chosen.experiment, result, time.seconds()), {}};
  return {code, {}, report_text(*chosen.experiment, result)};
}

Action declare_reproduce(CLI::App& app, const Common& common) {
  const auto options = std::make_shared<ReproduceOptions>();
  app.add_option("NAME", options->name,
                 "Published result, as NAME or NAME:key=value,...; without it the catalogue is printed")
      ->type_name("");
  app.add_flag("--quick", options->quick, "Few samples and small networks, for a first look");
  app.add_option("-o,--output", options->folder,
                 "Folder for the page NAME.md, and for the figures' data, scripts and pictures below it")
      ->type_name("FOLDER");
  app.add_option(
         "--resume", options->points,
         "File of finished points (results of many runs): what it has is taken, what is missing is run "
         "and added")
      ->type_name("FILE");
  return [options, &common] { return reproduce_command(*options, common); };
}

}  // namespace

Command reproduce_row() {
  return {
      .name = "reproduce",
      .summary = "Run a published table or figure again and say where it differs",
      .details =
          R"(Verdicts: equal, the same in the digits printed; within, as the tolerance behind it allows; better, outside it on
the good side, which stands behind it; differs, with what was allowed, or that equal was wanted, and a note that says
why; unpublished, no value was printed.
'modelled' stands beside measurements on a machine that a model approximates, 'timed' beside times, which
change from run to run. Exit code 0: every row is computed, and none differs without a recorded explanation; 1:
one does.)",
      .examples = {"unknot reproduce", "unknot reproduce dfsssp-heuristics:networks=10"},
      .declare = declare_reproduce};
}

}  // namespace unknot::cli
