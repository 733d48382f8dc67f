// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/studies/sweep_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/output/text_table.hpp"

namespace unknot::cli {
namespace {

/// A number where the text is one.
Json typed(const std::string& text) {
  if (text.empty()) return {};
  const Json value = Json::parse(text, nullptr, false);
  return value.is_number() ? value : Json(text);
}

std::string bare(const Json& value) {
  if (value.is_null()) return "";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string csv_cell(const Json& value) {
  std::string text = bare(value);
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted(1, '"');
  for (const char c : text) {
    if (c == '"') quoted.push_back(c);
    quoted.push_back(c);
  }
  quoted.push_back('"');
  return quoted;
}

std::string text_cell(const Json& value) {
  if (value.is_null()) return "-";
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_number_float()) return fmt::format("{:.4g}", value.get<double>());
  return bare(value);
}

bool varies(const sweep::Plan& plan, std::size_t axis) {
  const std::string& first = plan.cells.front().values[axis];
  return std::any_of(plan.cells.begin(), plan.cells.end(),
                     [&](const sweep::Cell& cell) { return cell.values[axis] != first; });
}

}  // namespace

SweepTable make_sweep_table(const sweep::Plan& plan, const SweepCommand& command,
                            const sweep::Journal& journal) {
  SweepTable table;
  table.cells = plan.cells.size();
  table.columns.push_back({"cell", false});
  for (std::size_t i = 0; i < plan.axes.size(); ++i) table.columns.push_back({plan.axes[i], varies(plan, i)});
  table.columns.push_back({"exit", false});
  table.columns.push_back({"error", false});
  for (const Measure& measure : command.measures) table.columns.push_back({measure.name, measure.headline});
  for (const sweep::Cell& cell : plan.cells) {
    const sweep::Record* record = journal.find(cell.key);
    if (record == nullptr) continue;
    const Json content = Json::parse(record->text);
    std::vector<Json> row = {sweep::key_text(cell.key)};
    for (const std::string& value : cell.values) row.push_back(typed(value));
    row.push_back(content.at("exit"));
    row.push_back(content.at("error"));
    const Json& measures = content.at("measures");
    for (const Measure& measure : command.measures)
      row.push_back(measures.contains(measure.name) ? measures.at(measure.name) : Json());
    if (record->refused) ++table.refused;
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string sweep_csv(const SweepTable& table) {
  std::string text;
  for (const SweepTable::Column& column : table.columns)
    text += (text.empty() ? "" : ",") + csv_cell(column.name);
  text += "\n";
  for (const std::vector<Json>& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) text += (i == 0 ? "" : ",") + csv_cell(row[i]);
    text += "\n";
  }
  return text;
}

Json sweep_rows(const SweepTable& table) {
  Json rows = Json::array();
  for (const std::vector<Json>& row : table.rows) {
    Json object = Json::object();
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (!row[i].is_null()) object[table.columns[i].name] = row[i];
    }
    rows.push_back(std::move(object));
  }
  return rows;
}

std::string sweep_text(const SweepTable& table) {
  std::vector<std::size_t> order(table.columns.size());
  std::iota(order.begin(), order.end(), 0);
  // Sentences go last: they are long.
  std::stable_partition(order.begin(), order.end(),
                        [&](std::size_t i) { return table.columns[i].name != "error"; });
  std::vector<std::size_t> chosen;
  std::vector<TextTable::Column> columns;
  for (const std::size_t i : order) {
    const SweepTable::Column& column = table.columns[i];
    const bool any = std::any_of(table.rows.begin(), table.rows.end(),
                                 [&](const std::vector<Json>& row) { return !row[i].is_null(); });
    if (!any || !(column.shown || column.name == "error")) continue;
    const bool words = std::any_of(table.rows.begin(), table.rows.end(),
                                   [&](const std::vector<Json>& row) { return row[i].is_string(); });
    chosen.push_back(i);
    columns.push_back({column.name, words ? Align::left : Align::right});
  }
  TextTable text(std::move(columns));
  for (const std::vector<Json>& row : table.rows) {
    std::vector<std::string> cells;
    cells.reserve(chosen.size());
    for (const std::size_t i : chosen) cells.push_back(text_cell(row[i]));
    text.add(std::move(cells));
  }
  return text.text();
}

}  // namespace unknot::cli
