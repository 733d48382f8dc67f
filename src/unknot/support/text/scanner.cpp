// SPDX-License-Identifier: Apache-2.0
#include "unknot/support/text/scanner.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace unknot {

std::string shown(std::string_view piece) {
  constexpr std::size_t kLongest = 60;
  std::string text(piece.substr(0, kLongest));
  for (char& c : text) {
    if (c == '\t') c = ' ';
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
  }
  if (piece.size() > kLongest) {
    // Not in the middle of a UTF-8 character.
    while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0U) == 0x80U) text.pop_back();
    if (!text.empty() && (static_cast<unsigned char>(text.back()) & 0x80U) != 0) text.pop_back();
    text += "...";
  }
  return text;
}

std::string place_shown(std::string_view rest) {
  if (rest.find_first_not_of(" \t") == std::string_view::npos) return "the end of the line";
  return fmt::format("'{}'", shown(rest));
}

Lines::Lines(std::string_view text, const std::string& file)
    : file_(&file), rest_(text.data()), end_(text.data() + text.size()) {
  const std::size_t nul = text.find('\0');
  if (nul != std::string_view::npos) {
    const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(nul), '\n') + 1;
    throw InputError(file, static_cast<std::size_t>(line), "a NUL byte, expected text");
  }
}

}  // namespace unknot
