// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace unknot {

/// What a text of DOT, Graphviz's language, is made of.
enum class DotToken : std::uint8_t {
  end,
  word,    ///< strict, graph, digraph, subgraph, node or edge, in letters of any case
  id,      ///< a name, a number, a text in quotes (read without them) or in angle brackets
  edge,    ///< -- or ->
  symbol,  ///< one of { } [ ] ; , = : +
};

/// Reads the tokens of DOT, one ahead, without comments and lines that begin with '#'. Throws InputError,
/// with the line, for what is none. Texts are views into the one that is read, or, where they differ from it,
/// into `texts`.
class DotLexer {
 public:
  /// Reads the first token. Throws InputError for a NUL byte.
  DotLexer(std::string_view text, const std::string& file, std::deque<std::string>& texts);

  /// The line of the token ahead.
  [[nodiscard]] std::uint32_t line() const { return line_; }
  [[nodiscard]] bool is(DotToken kind) const { return kind_ == kind; }
  [[nodiscard]] bool is(char symbol) const { return kind_ == DotToken::symbol && text_[0] == symbol; }
  [[nodiscard]] bool is_word(std::string_view word) const;

  /// The token ahead, and goes on to the next.
  std::string_view take();
  bool eat(char symbol);
  bool eat_word(std::string_view word);
  void expect(char symbol);
  /// An id, parts joined by '+' among them; `what` is said where there is none.
  std::string_view take_id(std::string_view what);

  /// A label as it is drawn: without the backslashes, breaks between lines as blanks.
  std::string_view label_text(std::string_view label);

  /// Throw InputError at the token ahead.
  [[noreturn]] void fail(const std::string& message) const;
  [[noreturn]] void fail_expecting(std::string_view what) const;

 private:
  void next();
  void skip_blanks();
  void read_quoted();
  void read_html();
  std::string_view keep(std::string text) { return texts_.emplace_back(std::move(text)); }

  const std::string& file_;
  std::deque<std::string>& texts_;
  std::string_view rest_;
  bool line_begins_ = true;      // nothing but the beginning of the line is before rest_
  std::uint32_t rest_line_ = 1;  // where rest_ begins
  DotToken kind_ = DotToken::end;
  std::string_view text_;
  std::uint32_t line_ = 1;
};

}  // namespace unknot
