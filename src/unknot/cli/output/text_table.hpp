// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "unknot/support/text/grouped.hpp"

namespace unknot::cli {

enum class Align { left, right };

/// Columns padded to their widest cell, two spaces between them, below a line of headings. Cells are UTF-8.
class TextTable {
 public:
  struct Column {
    std::string heading;
    Align align = Align::right;
  };
  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}
  /// As many cells as columns.
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  [[nodiscard]] std::string text() const;
  /// The same as a table of Markdown (GitHub's, where | in a cell is escaped).
  [[nodiscard]] std::string markdown() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// "name   value" lines with the values aligned.
std::string key_values(const std::vector<std::pair<std::string, std::string>>& rows);

/// A time for people: "0.8 ms", "3.21 s", "2 min 5 s".
std::string duration(double seconds);

}  // namespace unknot::cli
