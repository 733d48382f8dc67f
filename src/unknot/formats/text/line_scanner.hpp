// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "unknot/support/error.hpp"

namespace unknot {

/// Walks over the lines of a text in place, for the readers of routing tables. Knows the number of a line
/// only when a message needs it: counting as one goes would cost more than parsing does.
class LineScanner {
 public:
  /// Both must outlive the scanner; `name` is the file's, for messages.
  LineScanner(std::string_view text, std::string_view name)
      : text_(text), name_(name), line_(text.data()), line_end_(text.data()), next_(text.data()) {}

  /// Goes to the next line; false at the end of the text. A carriage return before the newline is dropped.
  bool advance() {
    const char* const end = text_.data() + text_.size();
    if (next_ == end) return false;
    line_ = next_;
    const auto* newline =
        static_cast<const char*>(std::memchr(line_, '\n', static_cast<std::size_t>(end - line_)));
    line_end_ = newline == nullptr ? end : newline;
    next_ = newline == nullptr ? end : newline + 1;
    if (line_end_ != line_ && line_end_[-1] == '\r') --line_end_;
    return true;
  }
  [[nodiscard]] const char* begin() const { return line_; }
  [[nodiscard]] const char* end() const { return line_end_; }
  [[nodiscard]] std::string_view line() const { return {line_, static_cast<std::size_t>(line_end_ - line_)}; }
  /// Throws InputError with the file and the current line.
  [[noreturn]] void fail(const std::string& message) const { fail_at(line_, message); }
  /// The same for the line that `where`, a place in the text, is on.
  [[noreturn]] void fail_at(const char* where, const std::string& message) const;

 private:
  std::string_view text_;
  std::string_view name_;
  const char* line_;
  const char* line_end_;
  const char* next_;
};

// Pieces of a line. Each moves `p` past what it took; where it returns false, `p` is where it was.

inline bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

inline void skip_blanks(const char*& p, const char* end) {
  while (p != end && is_blank(*p)) ++p;
}

inline bool take_text(const char*& p, const char* end, std::string_view word) {
  if (static_cast<std::size_t>(end - p) < word.size() || std::memcmp(p, word.data(), word.size()) != 0) {
    return false;
  }
  p += word.size();
  return true;
}

/// 1 to 16 hexadecimal digits, without 0x.
inline bool take_hex_digits(const char*& p, const char* end, std::uint64_t& value) {
  std::uint64_t sum = 0;
  const char* q = p;
  for (; q != end; ++q) {
    const auto c = static_cast<unsigned char>(*q);
    unsigned digit = c - unsigned{'0'};
    if (digit > 9) {
      digit = (c | 0x20U) - unsigned{'a'};
      if (digit > 5) break;
      digit += 10;
    }
    if (sum >> 60 != 0) return false;
    sum = sum << 4 | digit;
  }
  if (q == p) return false;
  p = q;
  value = sum;
  return true;
}

/// 0x and 1 to 16 hexadecimal digits.
inline bool take_hex(const char*& p, const char* end, std::uint64_t& value) {
  const char* q = p;
  if (!take_text(q, end, "0x") || !take_hex_digits(q, end, value)) return false;
  p = q;
  return true;
}

/// Decimal number of at most 9 digits.
inline bool take_decimal(const char*& p, const char* end, std::uint32_t& value) {
  std::uint32_t sum = 0;
  const char* q = p;
  for (; q != end; ++q) {
    const unsigned digit = static_cast<unsigned char>(*q) - unsigned{'0'};
    if (digit > 9) break;
    if (q - p == 9) return false;
    sum = sum * 10 + digit;
  }
  if (q == p) return false;
  p = q;
  value = sum;
  return true;
}

}  // namespace unknot
