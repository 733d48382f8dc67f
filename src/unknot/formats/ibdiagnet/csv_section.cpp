// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/ibdiagnet/csv_section.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace unknot {
namespace {

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && Cursor::is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && Cursor::is_blank(text.back())) text.remove_suffix(1);
  return text;
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

/// Takes a value and the comma behind it; at the last one `rest` becomes a view of nothing.
std::string_view CsvSection::next_value(std::string_view& rest, const Lines& lines) const {
  std::string_view value;
  std::size_t end = 0;
  const std::size_t begin = rest.find_first_not_of(" \t");
  if (begin != std::string_view::npos && rest[begin] == '"') {
    // Descriptions may hold quotes and commas: a value ends at the quote that a comma or the end follows.
    end = rest.find('"', begin + 1);
    while (end != std::string_view::npos && end + 1 < rest.size() && rest[end + 1] != ',')
      end = rest.find('"', end + 1);
    if (end == std::string_view::npos)
      lines.fail(fmt::format("expected a quote that ends {}", place_shown(rest.substr(begin))));
    value = rest.substr(begin + 1, end - begin - 1);
    ++end;
  } else {
    end = std::min(rest.find(','), rest.size());
    value = without_blanks(rest.substr(0, end));
  }
  rest = end < rest.size() ? rest.substr(end + 1) : std::string_view();
  return value;
}

void CsvSection::read_header(const Lines& lines) {
  std::string_view rest = lines.line();
  while (rest.data() != nullptr) {
    const std::string_view name = next_value(rest, lines);
    const auto place = static_cast<std::uint32_t>(wanted_.size());
    wanted_.push_back(kAbsent);
    for (std::uint32_t i = 0; i < columns_.size(); ++i) {
      if (!same_name(columns_[i].name, name)) continue;
      if (at_[i] != kAbsent)
        lines.fail(fmt::format("the section {} has the column {} twice", name_, columns_[i].name));
      at_[i] = place;
      wanted_[place] = i;
    }
  }
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].needed && at_[i] == kAbsent) {
      lines.fail(fmt::format("the section {} has no column {}, expected a header row with it", name_,
                             columns_[i].name));
    }
  }
}

void CsvSection::read_row(const Lines& lines) {
  std::string_view rest = lines.line();
  std::size_t count = 0;
  for (; rest.data() != nullptr; ++count) {
    const std::string_view value = next_value(rest, lines);
    if (count < wanted_.size() && wanted_[count] != kAbsent) values_[wanted_[count]] = value;
  }
  if (count != wanted_.size()) {
    lines.fail(fmt::format("a row of {} has {} values, expected {} as in the header row", name_, count,
                           wanted_.size()));
  }
}

std::uint64_t CsvSection::number(const Lines& lines, std::size_t column, std::uint64_t max) const {
  const std::string_view text = values_[column];
  if (at_[column] == kAbsent || text == "N/A") return 0;
  Cursor cursor(text);
  const auto value = cursor.eat("0x") ? cursor.hex() : cursor.decimal(max);
  if (!value || *value > max || !cursor.at_end()) {
    const std::string expected =
        max == ~std::uint64_t{0} ? "0x and hexadecimal digits" : fmt::format("a number from 0 to {}", max);
    lines.fail(fmt::format("expected {} as {} in the section {}, not '{}'", columns_[column].name, expected,
                           name_, shown(text)));
  }
  return *value;
}

}  // namespace unknot
