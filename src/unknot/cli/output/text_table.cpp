// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/output/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace unknot::cli {
namespace {

/// Code points, which is columns for the characters we print.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

void pad(std::string& line, const std::string& cell, std::size_t columns, Align align) {
  const std::size_t space = columns - std::min(columns, width(cell));
  if (align == Align::right) line.append(space, ' ');
  line += cell;
  if (align == Align::left) line.append(space, ' ');
}

}  // namespace

std::string TextTable::text() const {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    std::size_t widest = width(columns_[c].heading);
    for (const auto& row : rows_) widest = std::max(widest, width(row[c]));
    widths.push_back(widest);
  }
  std::string text;
  const auto add_line = [&](auto&& cell_of) {
    std::string line;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (c > 0) line += "  ";
      pad(line, cell_of(c), widths[c], columns_[c].align);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  };
  add_line([&](std::size_t c) -> const std::string& { return columns_[c].heading; });
  for (const auto& row : rows_) add_line([&](std::size_t c) -> const std::string& { return row[c]; });
  return text;
}

std::string TextTable::markdown() const {
  std::string text;
  const auto add_cell = [&](const std::string& cell) {
    text += ' ';
    for (const char c : cell) text += c == '|' ? std::string("\\|") : std::string(1, c);
    text += " |";
  };
  text += '|';
  for (const Column& column : columns_) add_cell(column.heading);
  text += "\n|";
  for (const Column& column : columns_) text += column.align == Align::left ? "---|" : "---:|";
  text += '\n';
  for (const auto& row : rows_) {
    text += '|';
    for (const std::string& cell : row) add_cell(cell);
    text += '\n';
  }
  return text;
}

std::string key_values(const std::vector<std::pair<std::string, std::string>>& rows) {
  std::size_t widest = 0;
  for (const auto& row : rows) widest = std::max(widest, width(row.first));
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    pad(line, row.first, widest + 2, Align::left);
    text += line + row.second + '\n';
  }
  return text;
}

std::string duration(double seconds) {
  constexpr double kMinute = 60;
  if (seconds < 1e-3) return fmt::format("{:.0f} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.1f} ms", seconds * 1e3);
  if (seconds < kMinute) return fmt::format("{:.2f} s", seconds);
  const auto whole = static_cast<std::uint64_t>(seconds);
  return fmt::format("{} min {} s", whole / 60, whole % 60);
}

}  // namespace unknot::cli
