// SPDX-License-Identifier: Apache-2.0
#include "unknot/support/text/shell_word.hpp"

namespace unknot {

std::string shell_quoted(std::string_view text) {
  std::string word(1, '\'');
  for (const char c : text) {
    if (c == '\'') {
      word.append("'\\''");
    } else {
      word.push_back(c);
    }
  }
  word.push_back('\'');
  return word;
}

std::string shell_word(std::string_view text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_+=:,./@%";
  const bool plain = !text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos;
  return plain ? std::string(text) : shell_quoted(text);
}

}  // namespace unknot
