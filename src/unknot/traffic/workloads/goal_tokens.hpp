// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "unknot/support/error.hpp"

namespace unknot::goal {

/// Tokens of a GOAL text with one token of look-ahead. Comments are blanks; an end of line is a token.
class Tokens {
 public:
  enum class Kind : std::uint8_t { word, number, any, open, close, colon, end_of_statement, end_of_text };

  /// Throws InputError for a text that starts with what is no token.
  Tokens(std::string_view text, const std::string& file);

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] std::string_view text() const { return token_; }
  [[nodiscard]] std::uint32_t line() const { return token_line_; }
  [[nodiscard]] bool is_word(std::string_view word) const { return kind_ == Kind::word && token_ == word; }

  /// To the next token. InputError for what is no token, and for a comment that does not end.
  void next();
  void skip_ends_of_statements() {
    while (kind_ == Kind::end_of_statement) next();
  }
  /// Takes the token where it is that word.
  bool eat(std::string_view word) {
    if (!is_word(word)) return false;
    next();
    return true;
  }
  /// Takes a number of at most `max`; InputError "expected WHAT, not ..." otherwise.
  std::uint64_t number(const std::string& what, std::uint64_t max);
  /// Takes a token of that kind; InputError otherwise.
  std::string_view take(Kind kind, const std::string& what);

  /// InputError at the line of the token: "expected WHAT, not ...".
  [[noreturn]] void expected(const std::string& what) const;
  [[noreturn]] void fail(const std::string& message) const { throw InputError(file_, token_line_, message); }

 private:
  void skip_blanks_and_comments();
  [[nodiscard]] char at(std::size_t ahead) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  void take_while(bool (*belongs)(char));

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;  // of at_
  Kind kind_ = Kind::end_of_text;
  std::string_view token_;
  std::uint32_t token_line_ = 1;
};

}  // namespace unknot::goal
