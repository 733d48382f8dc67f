// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "unknot/support/text/scanner.hpp"

namespace unknot {

/// A column that a reader looks at.
struct CsvColumn {
  std::string_view name;  ///< as a header row has it, upper or lower case alike: ibdiagnet writes both
  bool needed = true;
};

/// The rows of one section of ibdiagnet's database, by the names of its header row. Views into the text.
class CsvSection {
 public:
  /// `name` and `columns` must outlive it.
  CsvSection(std::string_view name, const std::vector<CsvColumn>& columns)
      : name_(name), columns_(columns), at_(columns.size(), kAbsent), values_(columns.size()) {}

  /// Takes the header row. Throws InputError for a column that is needed and not there, or there twice.
  void read_header(const Lines& lines);
  /// Takes a row. Throws InputError where it has another number of values than the header, or a quote that
  /// does not end.
  void read_row(const Lines& lines);

  /// Value of columns[i] in the row; empty where the header does not have the column.
  [[nodiscard]] std::string_view text(std::size_t column) const { return values_[column]; }
  /// The same as a number of at most `max`, decimal or 0x and hexadecimal; 0 for "N/A" and where the column
  /// is not there. Throws InputError for anything else.
  [[nodiscard]] std::uint64_t number(const Lines& lines, std::size_t column, std::uint64_t max) const;

 private:
  static constexpr std::uint32_t kAbsent = 0xFFFFFFFFU;
  std::string_view next_value(std::string_view& rest, const Lines& lines) const;

  std::string_view name_;
  const std::vector<CsvColumn>& columns_;
  std::vector<std::uint32_t> at_;         // by column: its place in a row
  std::vector<std::uint32_t> wanted_;     // by place in a row: the column, or kAbsent
  std::vector<std::string_view> values_;  // by column
};

}  // namespace unknot
