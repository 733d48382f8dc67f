// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "unknot/support/error.hpp"

namespace unknot {

/// A piece of a file as messages quote it: at most 60 bytes, bytes that no terminal should get as '?'.
std::string shown(std::string_view piece);
/// The same in quotes, or "the end of the line" for an empty piece: where a reader stopped.
std::string place_shown(std::string_view rest);

/// The lines of a text, one by one, with their numbers. Views into the text, no copies. A carriage return
/// before the line feed is no part of the line. O(1) memory.
class Lines {
 public:
  /// Throws InputError for a text with a NUL byte: that is no text.
  Lines(std::string_view text, const std::string& file);

  /// Moves to the next line; false at the end of the text.
  bool next() {
    if (rest_ == end_) return false;
    const auto* stop =
        static_cast<const char*>(std::memchr(rest_, '\n', static_cast<std::size_t>(end_ - rest_)));
    const char* line_end = stop == nullptr ? end_ : stop;
    line_ = {rest_, static_cast<std::size_t>(line_end - rest_)};
    if (!line_.empty() && line_.back() == '\r') line_.remove_suffix(1);
    rest_ = stop == nullptr ? end_ : stop + 1;
    ++number_;
    return true;
  }
  [[nodiscard]] std::string_view line() const { return line_; }
  [[nodiscard]] std::uint32_t number() const { return number_; }
  [[nodiscard]] const std::string& file() const { return *file_; }
  /// Throws InputError at the current line.
  [[noreturn]] void fail(const std::string& message) const { throw InputError(*file_, number_, message); }

 private:
  const std::string* file_;
  const char* rest_;
  const char* end_;
  std::string_view line_;
  std::uint32_t number_ = 0;
};

/// Reads tokens from one line, left to right. The readers of tokens leave the cursor where it was when the
/// token is not there.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  [[nodiscard]] bool at_end() const { return at_ == end_; }
  /// The next character, or NUL at the end.
  [[nodiscard]] char peek() const { return at_ == end_ ? '\0' : *at_; }
  [[nodiscard]] std::string_view rest() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }

  static bool is_blank(char c) { return c == ' ' || c == '\t'; }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  void skip_blanks() {
    while (at_ != end_ && is_blank(*at_)) ++at_;
  }
  bool eat(char c) {
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }
  bool eat(std::string_view word) {
    if (!rest().starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  /// Everything up to the next blank.
  std::string_view word() {
    const char* begin = at_;
    while (at_ != end_ && !is_blank(*at_)) ++at_;
    return {begin, static_cast<std::size_t>(at_ - begin)};
  }
  /// Everything up to `stop`, which is taken too and is not part of the result.
  std::optional<std::string_view> until(char stop) {
    if (at_ == end_) return std::nullopt;
    const auto* found =
        static_cast<const char*>(std::memchr(at_, stop, static_cast<std::size_t>(end_ - at_)));
    if (found == nullptr) return std::nullopt;
    const std::string_view piece(at_, static_cast<std::size_t>(found - at_));
    at_ = found + 1;
    return piece;
  }
  /// A decimal number of at most `max`.
  std::optional<std::uint64_t> decimal(std::uint64_t max) {
    const char* p = at_;
    std::uint64_t value = 0;
    while (p != end_ && is_digit(*p)) {
      const auto digit = static_cast<std::uint64_t>(*p++ - '0');
      if (value > (max - digit) / 10 || digit > max) return std::nullopt;
      value = value * 10 + digit;
    }
    if (p == at_) return std::nullopt;
    at_ = p;
    return value;
  }
  /// Hexadecimal digits, at most 16, without a prefix.
  std::optional<std::uint64_t> hex() {
    const char* p = at_;
    std::uint64_t value = 0;
    while (p != end_) {
      const int digit = hex_digit(*p);
      if (digit < 0) break;
      if (p - at_ == 16) return std::nullopt;
      value = value << 4 | static_cast<std::uint64_t>(digit);
      ++p;
    }
    if (p == at_) return std::nullopt;
    at_ = p;
    return value;
  }

 private:
  static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
  }
  const char* at_;
  const char* end_;
};

}  // namespace unknot
