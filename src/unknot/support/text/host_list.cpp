// SPDX-License-Identifier: Apache-2.0
#include "unknot/support/text/host_list.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "unknot/support/error.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {
namespace {

constexpr std::size_t kMostDigits = 18;  // of a number: fits 64 bits

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

class HostListParser {
 public:
  HostListParser(std::string_view text, std::size_t most) : text_(text), most_(most) {}

  std::vector<std::string> run() {
    for (;;) {
      skip_blanks();
      name();
      skip_blanks();
      if (at_ == text_.size()) return std::move(names_);
      if (text_[at_] != ',') fail(at_, "a blank inside a name");
      ++at_;
    }
  }

 private:
  [[noreturn]] void fail(std::size_t at, const std::string& message) const {
    throw InputError(fmt::format("host list '{}', character {}: {}", shown(text_), at + 1, message));
  }
  void skip_blanks() {
    while (at_ != text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  /// One item: pieces of text and brackets in turn.
  void name() {
    std::vector<std::string> items{""};
    const std::size_t start = at_;
    for (; at_ != text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == ',' || c == ' ' || c == '\t') break;
      if (c == ']') fail(at_, "']' without '['");
      if (c == '[') {
        bracket(items);
      } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
        fail(at_, "a control character");
      } else {
        for (std::string& item : items) item += c;
      }
    }
    if (at_ == start) fail(at_, text_.empty() ? "the list is empty" : "expected a name");
    if (items.size() > most_ - names_.size()) fail(start, fmt::format("more than {} names", most_));
    names_.insert(names_.end(), std::make_move_iterator(items.begin()), std::make_move_iterator(items.end()));
  }

  /// Multiplies the items by the numbers of a bracket; ends on its ']'.
  void bracket(std::vector<std::string>& items) {
    const std::size_t open = at_++;
    std::vector<std::string> numbers;
    for (;;) {
      range(open, numbers);
      if (numbers.size() * items.size() > most_) fail(open, fmt::format("more than {} names", most_));
      if (text_[at_] == ']') break;
      ++at_;
    }
    std::vector<std::string> product;
    product.reserve(items.size() * numbers.size());
    for (const std::string& item : items) {
      for (const std::string& number : numbers) product.push_back(item + number);
    }
    items = std::move(product);
  }

  /// "07" or "01-04"; ends on the comma or bracket behind it.
  void range(std::size_t open, std::vector<std::string>& numbers) {
    const std::size_t start = at_;
    std::size_t width = 0;
    const std::uint64_t low = number(open, width);
    std::uint64_t high = low;
    if (at_ != text_.size() && text_[at_] == '-') {
      ++at_;
      std::size_t ignored = 0;
      high = number(open, ignored);
    }
    if (at_ == text_.size()) fail(open, "'[' without ']'");
    if (text_[at_] == '[') fail(at_, "a bracket inside a bracket");
    if (text_[at_] != ',' && text_[at_] != ']')
      fail(at_, fmt::format("expected ',', '-' or ']', not {}", place_shown(text_.substr(at_, 1))));
    if (high < low) fail(start, fmt::format("the range {} goes backwards", text_.substr(start, at_ - start)));
    if (high - low >= most_) fail(start, fmt::format("more than {} names", most_));
    for (std::uint64_t value = low; value <= high; ++value)
      numbers.push_back(fmt::format("{:0{}}", value, width));
  }

  std::uint64_t number(std::size_t open, std::size_t& width) {
    const std::size_t start = at_;
    std::uint64_t value = 0;
    for (; at_ != text_.size() && is_digit(text_[at_]); ++at_) {
      if (at_ - start == kMostDigits)
        fail(start, fmt::format("a number of more than {} digits", kMostDigits));
      value = value * 10 + static_cast<std::uint64_t>(text_[at_] - '0');
    }
    width = at_ - start;
    if (width > 0) return value;
    if (at_ == text_.size()) fail(open, "'[' without ']'");
    if (text_[at_] == '[') fail(at_, "a bracket inside a bracket");
    fail(at_, fmt::format("expected a number, not {}", place_shown(text_.substr(at_, 1))));
  }

  std::string_view text_;
  std::size_t most_;
  std::size_t at_ = 0;
  std::vector<std::string> names_;
};

/// A name as prefix and final number; without digits at the end (or with too many) it has no number.
struct Numbered {
  std::string_view prefix;
  std::string_view digits;
  std::uint64_t value = 0;
};

Numbered split(const std::string& name) {
  std::size_t cut = name.size();
  while (cut > 0 && is_digit(name[cut - 1])) --cut;
  const std::string_view text(name);
  if (name.size() - cut > kMostDigits || cut == name.size()) return {text, {}, 0};
  Numbered result{text.substr(0, cut), text.substr(cut), 0};
  for (const char c : result.digits) result.value = result.value * 10 + static_cast<std::uint64_t>(c - '0');
  return result;
}

}  // namespace

std::vector<std::string> expand_host_list(std::string_view text, std::size_t most) {
  return HostListParser(text, most).run();
}

std::string compress_host_list(std::span<const std::string> names) {
  std::string list;
  for (std::size_t i = 0; i < names.size();) {
    const Numbered first = split(names[i]);
    if (!list.empty()) list += ',';
    // Ranges of one prefix, as text.
    std::string ranges;
    std::size_t count = 0;
    while (i < names.size()) {
      const Numbered low = split(names[i]);
      if (low.digits.empty() != first.digits.empty() || low.prefix != first.prefix) break;
      if (low.digits.empty() && count > 0) break;
      Numbered high = low;
      ++i;
      ++count;
      while (i < names.size() && !low.digits.empty()) {
        const Numbered next = split(names[i]);
        if (next.digits.empty() || next.prefix != low.prefix || next.value != high.value + 1 ||
            next.digits != fmt::format("{:0{}}", next.value, low.digits.size()))
          break;
        high = next;
        ++i;
        ++count;
      }
      if (!ranges.empty()) ranges += ',';
      ranges += low.digits;
      if (high.value != low.value) ranges += fmt::format("-{}", high.digits);
    }
    list += first.prefix;
    list += count > 1 ? fmt::format("[{}]", ranges) : ranges;
  }
  return list;
}

}  // namespace unknot
