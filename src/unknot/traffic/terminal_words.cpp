// SPDX-License-Identifier: Apache-2.0
#include "unknot/traffic/terminal_words.hpp"

#include <fmt/format.h>

namespace unknot {

TerminalId TerminalWords::read(const Lines& lines, Cursor& cursor, const char* what) {
  const std::string_view word = cursor.word();
  cursor.skip_blanks();
  if (word.empty()) lines.fail(fmt::format("expected a {} terminal at the end of the line", what));
  Cursor digits(word);
  if (const auto number = digits.decimal(TerminalId::kNone); number && digits.at_end()) {
    if (*number >= network_.terminal_count()) {
      lines.fail(fmt::format("there is no terminal {}: the network has {}, counted from 0", *number,
                             network_.terminal_count()));
    }
    return TerminalId(static_cast<std::uint32_t>(*number));
  }
  if (names_.empty()) {
    for (const TerminalId t : network_.terminals()) names_.emplace(network_.terminal_name(t), t);
  }
  const auto found = names_.find(std::string(word));
  if (found == names_.end()) {
    lines.fail(fmt::format("expected the number or the name of a {} terminal, not '{}'", what, shown(word)));
  }
  return found->second;
}

}  // namespace unknot
