// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/constellation/scala_tokens.hpp"

#include <fmt/format.h>

#include "unknot/support/text/scanner.hpp"

namespace unknot {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}
bool is_operator(char c) {
  return std::string_view("+-*/%<>=!&|^:~?#@\\").find(c) != std::string_view::npos;
}

class ScalaScanner {
 public:
  ScalaScanner(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  std::vector<ScalaToken> run() {
    while (skip()) {
      if (tokens_.size() == ScalaTokens::kMost)
        fail(fmt::format("expected at most {} words", tokens_.size()));
      const char c = text_[at_];
      const std::uint32_t line = line_;
      const std::size_t first = at_;
      const ScalaToken::Kind kind = take(c);
      tokens_.push_back({kind, text_.substr(first, at_ - first), line, fresh_, 0});
      fresh_ = false;
    }
    tokens_.push_back({ScalaToken::Kind::end, {}, line_, true, 0});
    return std::move(tokens_);
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { throw InputError(file_, line_, message); }
  [[nodiscard]] bool here(std::string_view what) const { return text_.substr(at_).starts_with(what); }

  /// Blanks and comments, which nest; false at the end of the text.
  bool skip() {
    std::uint32_t depth = 0;
    std::uint32_t opened = line_;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\0') fail("expected text, not a NUL byte");
      if (c == '\n') {
        ++line_;
        fresh_ = true;
      }
      if (here("/*")) {
        if (depth++ == 0) opened = line_;
        at_ += 2;
      } else if (depth > 0 && here("*/")) {
        --depth;
        at_ += 2;
      } else if (depth == 0 && here("//")) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (depth > 0 || c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f') {
        ++at_;
      } else {
        return true;
      }
    }
    if (depth > 0) throw InputError(file_, opened, "expected */ after this /*");
    return false;
  }

  ScalaToken::Kind take(char c) {
    if (Cursor::is_digit(c)) return take_number();
    if (is_letter(c)) {
      while (at_ < text_.size() && (is_letter(text_[at_]) || Cursor::is_digit(text_[at_]))) ++at_;
      return ScalaToken::Kind::word;
    }
    if (c == '"') {
      take_quoted();
      return ScalaToken::Kind::quoted;
    }
    if (is_operator(c)) {
      while (at_ < text_.size() && is_operator(text_[at_]) && !here("//") && !here("/*")) ++at_;
      return ScalaToken::Kind::sign;
    }
    if (std::string_view("()[]{},.;'`").find(c) == std::string_view::npos)
      fail(fmt::format("expected Scala, not {}", place_shown(text_.substr(at_, 1))));
    ++at_;
    return ScalaToken::Kind::sign;
  }

  ScalaToken::Kind take_number() {
    const auto digits = [&] {
      while (at_ < text_.size() && Cursor::is_digit(text_[at_])) ++at_;
    };
    digits();
    const auto digit_at = [&](std::size_t i) { return i < text_.size() && Cursor::is_digit(text_[i]); };
    bool whole = true;
    if (here(".") && digit_at(at_ + 1)) {
      whole = false;
      ++at_;
      digits();
    }
    if (here("e") || here("E")) {
      const std::size_t sign =
          at_ + 1 < text_.size() && (text_[at_ + 1] == '-' || text_[at_ + 1] == '+') ? 1 : 0;
      if (digit_at(at_ + 1 + sign)) {
        whole = false;
        at_ += 1 + sign;
        digits();
      }
    }
    if (at_ < text_.size() && is_letter(text_[at_])) fail("expected a number without letters");
    return whole ? ScalaToken::Kind::whole : ScalaToken::Kind::decimal;
  }

  void take_quoted() {
    const std::uint32_t opened = line_;
    const bool block = here("\"\"\"");
    const std::string_view close = block ? "\"\"\"" : "\"";
    at_ += close.size();
    while (at_ < text_.size() && !here(close)) {
      if (text_[at_] == '\0') fail("expected text, not a NUL byte");
      if (text_[at_] == '\n') {
        if (!block) break;
        ++line_;
      }
      at_ += !block && text_[at_] == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n' ? 2 : 1;
    }
    if (!here(close))
      throw InputError(file_, opened, fmt::format("expected {} at the end of the text", close));
    at_ += close.size();
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  bool fresh_ = true;
  std::vector<ScalaToken> tokens_;
};

}  // namespace

ScalaTokens::ScalaTokens(std::string_view text, const std::string& file)
    : file_(file), tokens_(ScalaScanner(text, file).run()) {
  pair_brackets();
}

void ScalaTokens::pair_brackets() {
  std::vector<std::uint32_t> open;
  for (std::uint32_t i = 0; i < size(); ++i) {
    if (opens(i)) {
      open.push_back(i);
      continue;
    }
    const char close = tokens_[i].kind == ScalaToken::Kind::sign ? tokens_[i].text.front() : '\0';
    if (close != ')' && close != ']' && close != '}') continue;
    const char* const wanted = close == ')' ? "(" : close == ']' ? "[" : "{";
    if (open.empty() || !tokens_[open.back()].is(wanted)) expected(i, fmt::format("{} before it", wanted));
    tokens_[i].match = open.back();
    tokens_[open.back()].match = i;
    open.pop_back();
  }
  if (open.empty()) return;
  const ScalaToken& last = tokens_[open.back()];
  throw InputError(file_, last.line, fmt::format("{} is not closed", last.text));
}

void ScalaTokens::expected(std::uint32_t i, const std::string& what) const {
  throw InputError(file_, tokens_[i].line,
                   fmt::format("expected {}, not {}", what,
                               tokens_[i].kind == ScalaToken::Kind::end ? "the end of the file"
                                                                        : place_shown(tokens_[i].text)));
}

}  // namespace unknot
