// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/graph/dot_lexer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "unknot/support/error.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {
namespace {

constexpr std::array<std::string_view, 6> kWords{"strict", "graph", "digraph", "subgraph", "node", "edge"};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_name_char(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || byte >= 0x80;
}

bool same_letters(std::string_view text, std::string_view lower) {
  const auto lowered = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
                    [&](char a, char b) { return lowered(a) == b; });
}

/// Length of a number, as DOT writes it, at the beginning of the text; 0 where there is none.
std::size_t numeral_length(std::string_view text) {
  std::size_t at = text.starts_with('-') ? 1 : 0;
  const auto digits = [&] {
    const std::size_t begin = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return at - begin;
  };
  const bool whole = digits() != 0;
  if (at < text.size() && text[at] == '.') {
    ++at;
    if (digits() == 0 && !whole) return 0;
  } else if (!whole) {
    return 0;
  }
  return at;
}

}  // namespace

DotLexer::DotLexer(std::string_view text, const std::string& file, std::deque<std::string>& texts)
    : file_(file), texts_(texts), rest_(text) {
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
    const auto lines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(nul), '\n');
    throw InputError(file_, static_cast<std::size_t>(lines) + 1, "a NUL byte, expected text");
  }
  if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);
  next();
}

void DotLexer::fail(const std::string& message) const {
  throw InputError(file_, line_, message);
}

void DotLexer::fail_expecting(std::string_view what) const {
  if (kind_ == DotToken::end) fail(fmt::format("expected {}, not the end of the file", what));
  fail(fmt::format("expected {}, not '{}'", what, shown(text_)));
}

bool DotLexer::is_word(std::string_view word) const {
  return kind_ == DotToken::word && same_letters(text_, word);
}

std::string_view DotLexer::take() {
  const std::string_view text = text_;
  next();
  return text;
}

bool DotLexer::eat(char symbol) {
  if (!is(symbol)) return false;
  next();
  return true;
}

bool DotLexer::eat_word(std::string_view word) {
  if (!is_word(word)) return false;
  next();
  return true;
}

void DotLexer::expect(char symbol) {
  if (!eat(symbol)) fail_expecting(fmt::format("'{}'", symbol));
}

std::string_view DotLexer::take_id(std::string_view what) {
  if (kind_ != DotToken::id) fail_expecting(what);
  std::string_view text = take();
  if (!is('+')) return text;
  std::string joined(text);
  while (eat('+')) {
    if (kind_ != DotToken::id) fail_expecting("a text behind '+'");
    joined += take();
  }
  return keep(std::move(joined));
}

void DotLexer::skip_blanks() {
  const auto drop = [&](std::size_t length) {
    length = std::min(length, rest_.size());
    const std::string_view dropped = rest_.substr(0, length);
    const auto lines = std::count(dropped.begin(), dropped.end(), '\n');
    rest_line_ += static_cast<std::uint32_t>(lines);
    if (!dropped.empty()) line_begins_ = dropped.back() == '\n';
    rest_.remove_prefix(length);
  };
  while (!rest_.empty()) {
    if (rest_[0] == ' ' || rest_[0] == '\t' || rest_[0] == '\r' || rest_[0] == '\n') {
      drop(1);
    } else if (rest_.starts_with("//") || (rest_[0] == '#' && line_begins_)) {
      drop(rest_.find('\n') + 1 == 0 ? rest_.size() : rest_.find('\n') + 1);
    } else if (rest_.starts_with("/*")) {
      const std::size_t stop = rest_.find("*/", 2);
      if (stop == std::string_view::npos)
        throw InputError(file_, rest_line_, "a comment without its end, expected */");
      drop(stop + 2);
    } else {
      return;
    }
  }
}

void DotLexer::next() {
  skip_blanks();
  line_ = rest_line_;
  line_begins_ = false;
  const auto token = [&](DotToken kind, std::size_t length) {
    kind_ = kind;
    text_ = rest_.substr(0, length);
    rest_.remove_prefix(length);
  };
  if (rest_.empty()) return token(DotToken::end, 0);
  const char c = rest_[0];
  if (rest_.starts_with("--") || rest_.starts_with("->")) return token(DotToken::edge, 2);
  if (std::string_view("{}[];,=:+").find(c) != std::string_view::npos) return token(DotToken::symbol, 1);
  if (c == '"') return read_quoted();
  if (c == '<') return read_html();
  if (const std::size_t length = numeral_length(rest_); length != 0) return token(DotToken::id, length);
  std::size_t length = 0;
  while (length < rest_.size() && is_name_char(rest_[length])) ++length;
  if (length == 0)
    throw InputError(file_, line_, fmt::format("'{}' has no meaning here", shown(rest_.substr(0, 1))));
  token(DotToken::id, length);
  const bool reserved = std::any_of(kWords.begin(), kWords.end(),
                                    [&](std::string_view word) { return same_letters(text_, word); });
  if (reserved) kind_ = DotToken::word;
}

void DotLexer::read_quoted() {
  std::string changed;
  bool as_it_stands = true;
  std::size_t at = 1;
  std::size_t copied = 1;
  while (at < rest_.size() && rest_[at] != '"') {
    if (rest_[at] == '\n') ++rest_line_;
    if (rest_[at] != '\\' || at + 1 == rest_.size()) {
      ++at;
      continue;
    }
    const char escaped = rest_[at + 1];
    if (escaped == '"' || escaped == '\n') {  // the two that mean something in every text
      as_it_stands = false;
      changed += rest_.substr(copied, at - copied);
      copied = escaped == '"' ? at + 1 : at + 2;
      if (escaped == '\n') ++rest_line_;
    }
    at += 2;
  }
  if (at >= rest_.size()) throw InputError(file_, line_, "a text without its end, expected '\"'");
  changed += rest_.substr(copied, at - copied);
  kind_ = DotToken::id;
  text_ = as_it_stands ? rest_.substr(1, at - 1) : keep(std::move(changed));
  rest_.remove_prefix(at + 1);
}

void DotLexer::read_html() {
  std::size_t depth = 0;
  for (std::size_t at = 0; at < rest_.size(); ++at) {
    if (rest_[at] == '\n') ++rest_line_;
    if (rest_[at] == '<') ++depth;
    if (rest_[at] != '>' || --depth != 0) continue;
    kind_ = DotToken::id;
    text_ = rest_.substr(0, at + 1);
    rest_.remove_prefix(at + 1);
    return;
  }
  throw InputError(file_, line_, "a text in angle brackets without its end, expected '>'");
}

std::string_view DotLexer::label_text(std::string_view label) {
  if (label.find('\\') == std::string_view::npos) return label;
  std::string text;
  for (std::size_t i = 0; i < label.size(); ++i) {
    if (label[i] != '\\' || i + 1 == label.size()) {
      text += label[i];
      continue;
    }
    const char c = label[++i];
    text += c == 'n' || c == 'l' || c == 'r' ? ' ' : c;
  }
  return keep(std::move(text));
}

}  // namespace unknot
