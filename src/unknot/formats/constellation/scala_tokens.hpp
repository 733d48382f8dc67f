// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/support/error.hpp"

namespace unknot {

/// A piece of Scala source: a view into the text.
struct ScalaToken {
  enum class Kind : std::uint8_t { word, whole, decimal, quoted, sign, end } kind = Kind::end;
  std::string_view text;
  std::uint32_t line = 0;
  bool starts_line = false;
  std::uint32_t match = 0;  ///< of a bracket: its partner among the tokens

  [[nodiscard]] bool is(std::string_view what) const {
    return text == what && (kind == Kind::word || kind == Kind::sign);
  }
};

/// From `first` on, up to `end` alone.
struct ScalaSpan {
  std::uint32_t first = 0, end = 0;
};

/// A Scala file as words, numbers, texts, operators and brackets, comments left out. Brackets are paired.
class ScalaTokens {
 public:
  static constexpr std::size_t kMost = 2'000'000;

  /// O(text). InputError with file and line for what does not end (texts, comments, brackets), a NUL byte,
  /// and more than kMost tokens. The text must outlive it.
  ScalaTokens(std::string_view text, const std::string& file);

  /// The last one is of kind end.
  [[nodiscard]] const ScalaToken& operator[](std::uint32_t i) const { return tokens_[i]; }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(tokens_.size() - 1); }
  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] bool opens(std::uint32_t i) const {
    return tokens_[i].is("(") || tokens_[i].is("[") || tokens_[i].is("{");
  }
  /// The next token of the same depth.
  [[nodiscard]] std::uint32_t after(std::uint32_t i) const { return opens(i) ? tokens_[i].match + 1 : i + 1; }
  /// InputError: at the line of the token, "expected WHAT, not TOKEN".
  [[noreturn]] void expected(std::uint32_t i, const std::string& what) const;

 private:
  void pair_brackets();

  std::string file_;
  std::vector<ScalaToken> tokens_;
};

}  // namespace unknot
