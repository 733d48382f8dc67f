// SPDX-License-Identifier: Apache-2.0
#include "unknot/support/text/toml.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot {
namespace {

constexpr std::size_t kMostParts = 16;
constexpr std::size_t kMostLevels = 16;
constexpr std::uint64_t kMostBytes = 16 * ReadLimits::kMebi;

/// Goes over a text once, without building anything. What is no TOML is passed over: the parser says so.
class DepthCheck {
 public:
  DepthCheck(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  void run() {
    while (at_ < text_.size()) {
      switch (text_[at_]) {
        case '\0':
          fail("a NUL byte, expected text");
        case '#':
          at_ = std::min(text_.find('\n', at_), text_.size());
          continue;
        case '"':
        case '\'':
          string(text_[at_]);
          continue;
        default:
          count(text_[at_]);
      }
      ++at_;
    }
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { throw InputError(name_, line_, message); }

  void count(char c) {
    switch (c) {
      case '\n':
        ++line_;
        dots_ = 0;
        break;
      case '.':
        // A number has one, a key one less than parts.
        if (++dots_ == kMostParts) fail(fmt::format("a key of more than {} parts", kMostParts));
        break;
      case '[':
      case '{':
        if (++levels_ > kMostLevels) fail(fmt::format("values nested more than {} deep", kMostLevels));
        dots_ = 0;
        break;
      case ']':
      case '}':
        if (levels_ > 0) --levels_;
        dots_ = 0;
        break;
      case ',':
      case '=':
        dots_ = 0;
        break;
      default:
        break;
    }
  }

  /// Past a string: of one line, or of several between three quotes. Within "" a backslash takes the next
  /// character with it.
  void string(char quote) {
    const std::string three(3, quote);
    const bool lines = text_.substr(at_, 3) == three;
    at_ += lines ? 3 : 1;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\0') fail("a NUL byte, expected text");
      if (c == '\n') {
        if (!lines) return;  // without its end
        ++line_;
      }
      if (c == '\\' && quote == '"' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n') {
        at_ += 2;
        continue;
      }
      if (c == quote && (!lines || text_.substr(at_, 3) == three)) {
        at_ += lines ? 3 : 1;
        // Two more quotes may belong to a string of several lines.
        while (lines && at_ < text_.size() && text_[at_] == quote) ++at_;
        return;
      }
      ++at_;
    }
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t dots_ = 0;    // since the last sign that ends a key
  std::size_t levels_ = 0;  // open brackets
};

}  // namespace

toml::table parse_toml(std::string_view text, const std::string& name) {
  DepthCheck(text, name).run();
  try {
    return toml::parse(text, name);
  } catch (const toml::parse_error& error) {
    // It quotes what it has read, whatever that is.
    std::string sentence(error.description());
    for (char& c : sentence) {
      if (c < ' ' || c > '~') c = '?';
    }
    throw InputError(name, error.source().begin.line, sentence);
  }
}

toml::table read_toml(const std::string& path) {
  ReadLimits limits;
  limits.most = kMostBytes;
  return parse_toml(read_file(path, limits), path);
}

}  // namespace unknot
