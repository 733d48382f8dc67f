// SPDX-License-Identifier: Apache-2.0
#include "unknot/traffic/workloads/goal_tokens.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "unknot/support/text/scanner.hpp"

namespace unknot::goal {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_of_word(char c) {
  return is_letter(c) || Cursor::is_digit(c) || c == '_';
}

}  // namespace

Tokens::Tokens(std::string_view text, const std::string& file) : text_(text), file_(file) {
  next();
}

void Tokens::skip_blanks_and_comments() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == ' ' || c == '\t' || c == '\r') {
      ++at_;
    } else if (c == '/' && at(1) == '/') {
      at_ = std::min(text_.size(), text_.find('\n', at_));
    } else if (c == '/' && at(1) == '*') {
      const std::size_t end = text_.find("*/", at_ + 2);
      if (end == std::string_view::npos) throw InputError(file_, line_, "a comment that does not end");
      for (const char inside : text_.substr(at_, end - at_)) line_ += inside == '\n' ? 1 : 0;
      at_ = end + 2;
    } else {
      return;
    }
  }
}

void Tokens::take_while(bool (*belongs)(char)) {
  const std::size_t begin = at_;
  while (at_ < text_.size() && belongs(text_[at_])) ++at_;
  token_ = text_.substr(begin, at_ - begin);
}

void Tokens::next() {
  skip_blanks_and_comments();
  token_line_ = line_;
  token_ = text_.substr(std::min(at_, text_.size()), 1);
  if (at_ >= text_.size()) {
    kind_ = Kind::end_of_text;
    return;
  }
  const char c = text_[at_];
  if (is_letter(c)) {
    kind_ = Kind::word;
    take_while(is_of_word);
    return;
  }
  if (Cursor::is_digit(c)) {
    kind_ = Kind::number;
    take_while(Cursor::is_digit);
    return;
  }
  switch (c) {
    case '{':
      kind_ = Kind::open;
      break;
    case '}':
      kind_ = Kind::close;
      break;
    case ':':
      kind_ = Kind::colon;
      break;
    case ';':
      kind_ = Kind::end_of_statement;
      break;
    case '\n':
      kind_ = Kind::end_of_statement;
      ++line_;
      break;
    case '-':
      if (at(1) == '1' && !is_of_word(at(2))) {
        kind_ = Kind::any;
        token_ = text_.substr(at_++, 2);
        break;
      }
      [[fallthrough]];
    default:
      fail(fmt::format("'{}' is no part of GOAL", shown(token_)));
  }
  ++at_;
}

std::uint64_t Tokens::number(const std::string& what, std::uint64_t max) {
  if (kind_ != Kind::number) expected(what);
  Cursor digits(token_);
  const auto value = digits.decimal(max);
  if (!value) fail(fmt::format("expected {} of at most {}, not {}", what, max, shown(token_)));
  next();
  return *value;
}

std::string_view Tokens::take(Kind kind, const std::string& what) {
  if (kind_ != kind) expected(what);
  const std::string_view taken = token_;
  next();
  return taken;
}

void Tokens::expected(const std::string& what) const {
  std::string found;
  if (kind_ == Kind::end_of_text) {
    found = "the end of the file";
  } else if (kind_ == Kind::end_of_statement) {
    found = "the end of the statement";
  } else {
    found = fmt::format("'{}'", shown(token_));
  }
  fail(fmt::format("expected {}, not {}", what, found));
}

}  // namespace unknot::goal
