// SPDX-License-Identifier: Apache-2.0
#include "unknot/support/text/json_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_set>
#include <vector>

#include "unknot/support/error.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {
namespace {

/// Looks at strings, braces and colons alone: the text is known to be valid.
class KeyScanner {
 public:
  KeyScanner(std::string_view text, const std::string& file, std::size_t first_line)
      : text_(text), file_(file), first_line_(first_line) {}

  void run() {
    std::string_view last;  // the latest string, with its quotes
    for (std::size_t at = 0; at < text_.size(); ++at) {
      switch (text_[at]) {
        case '"': {
          const std::size_t end = end_of_string(at);
          last = text_.substr(at, end - at);
          at = end - 1;
          break;
        }
        case '{':
          objects_.push_back(keys_.size());
          break;
        case ':':
          keys_.push_back(last);
          break;
        case '}':
          close();
          break;
        default:
          break;
      }
    }
    if (!twice_.empty()) fail();
  }

 private:
  [[nodiscard]] std::size_t end_of_string(std::size_t at) const {
    for (++at; at < text_.size() && text_[at] != '"'; ++at) {
      if (text_[at] == '\\') ++at;
    }
    return std::min(at + 1, text_.size());
  }

  /// The innermost object ends: its keys are the last ones.
  void close() {
    if (objects_.empty()) return;
    const auto first = keys_.begin() + static_cast<std::ptrdiff_t>(objects_.back());
    if (std::any_of(first, keys_.end(),
                    [](std::string_view key) { return key.find('\\') != std::string_view::npos; })) {
      compare_decoded({first, keys_.end()});
    } else {
      std::sort(first, keys_.end(),
                [](std::string_view a, std::string_view b) { return a != b ? a < b : a.data() < b.data(); });
      for (auto key = first; key != keys_.end() && key + 1 != keys_.end(); ++key) {
        if (key[0] == key[1]) note(key[1]);
      }
    }
    keys_.erase(first, keys_.end());
    objects_.pop_back();
  }

  /// Where some key is written with escapes: "\u0061" is "a".
  void compare_decoded(const std::vector<std::string_view>& keys) {
    std::unordered_set<std::string> names;
    for (const std::string_view key : keys) {
      if (!names.insert(nlohmann::json::parse(key).get<std::string>()).second) note(key);
    }
  }

  void note(std::string_view key) {
    if (twice_.empty() || key.data() < twice_.data()) twice_ = key;
  }

  [[noreturn]] void fail() const {
    const char* const begin = text_.data();
    const auto line = static_cast<std::size_t>(std::count(begin, twice_.data(), '\n'));
    const auto name = nlohmann::json::parse(twice_).get<std::string>();
    throw InputError(file_, first_line_ + line, fmt::format("the member \"{}\" is given twice", shown(name)));
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t first_line_;
  std::vector<std::string_view> keys_;  // of all open objects
  std::vector<std::size_t> objects_;    // open ones: where their keys begin
  std::string_view twice_;              // first key in the text that comes again
};

}  // namespace

void refuse_keys_given_twice(std::string_view text, const std::string& file, std::size_t first_line) {
  // The parser takes a NUL for the end, and what comes behind for nothing.
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
    const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(nul), '\n');
    throw InputError(file, first_line + static_cast<std::size_t>(line), "a NUL byte, expected text");
  }
  KeyScanner(text, file, first_line).run();
}

}  // namespace unknot
