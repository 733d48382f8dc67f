// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/output/message_text.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>

namespace unknot::cli {
namespace {

constexpr std::size_t kMostPiece = 200;
constexpr std::size_t kMostText = 2000;
constexpr std::string_view kCut = "...";

bool continues(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

/// Bytes of the character that begins the text, 0 where it is none that a terminal should get.
std::size_t character(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return first < 0x20 || first == 0x7F ? 0 : 1;
  const std::size_t length = first >= 0xF5   ? 0
                             : first >= 0xF0 ? 4
                             : first >= 0xE0 ? 3
                             : first >= 0xC2 ? 2
                                             : 0;
  if (length == 0 || text.size() < length) return 0;
  std::uint32_t code = first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if (!continues(text[i])) return 0;
    code = code << 6U | (static_cast<unsigned char>(text[i]) & 0x3FU);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && (code < 0x10000 || code > 0x10FFFF));
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  const bool control = code < 0xA0 || code == 0x2028 || code == 0x2029;
  const bool direction = (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
  return overlong || surrogate || control || direction ? 0 : length;
}

std::string one_line(std::string_view text) {
  std::string safe;
  while (!text.empty()) {
    const std::size_t length = character(text);
    if (length == 0) {
      safe += '?';
    } else {
      safe += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return safe;
}

/// The beginning and the end of a text that is too long: files and lines stand first, what is wrong last.
std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  std::size_t head = (most - kCut.size()) * 2 / 3;
  std::size_t tail = text.size() - (most - kCut.size() - head);
  while (head > 0 && continues(text[head])) --head;
  while (tail < text.size() && continues(text[tail])) ++tail;
  return std::string(text.substr(0, head)).append(kCut).append(text.substr(tail));
}

/// End of the piece in quotes that begins at `at`: a quote that no letter follows; npos where there is none.
std::size_t quoted_end(std::string_view text, std::size_t at) {
  for (std::size_t end = text.find('\'', at + 1); end != std::string_view::npos;
       end = text.find('\'', end + 1)) {
    const bool last = end + 1 == text.size();
    if (last || std::isalnum(static_cast<unsigned char>(text[end + 1])) == 0) return end;
  }
  return std::string_view::npos;
}

}  // namespace

std::string message_text(std::string_view text) {
  const std::string whole = one_line(text);
  const std::string_view line = whole;
  std::string result;
  for (std::size_t at = 0; at < line.size();) {
    const bool begins = at == 0 || line[at - 1] == ' ' || line[at - 1] == '(';
    std::size_t end = std::min(line.find(' ', at), line.size());
    if (begins && line[at] == '\'') {
      const std::size_t close = quoted_end(line, at);
      if (close != std::string_view::npos && close - at > kMostPiece) {
        result += '\'';
        result += shortened(line.substr(at + 1, close - at - 1), kMostPiece);
        at = close;
        continue;
      }
    }
    if (end == at) ++end;  // a blank
    result += shortened(line.substr(at, end - at), kMostPiece);
    at = end;
  }
  return shortened(result, kMostText);
}

}  // namespace unknot::cli
