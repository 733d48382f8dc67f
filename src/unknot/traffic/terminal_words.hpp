// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <unordered_map>

#include "unknot/network/network.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {

/// Terminals as files of traffic give them: by number, or by name where that has no blank.
class TerminalWords {
 public:
  explicit TerminalWords(const Network& network) : network_(network) {}

  /// Takes the next word of the line and the blanks behind it. InputError at the line where it is no
  /// terminal; `what` says which one was expected ("source").
  TerminalId read(const Lines& lines, Cursor& cursor, const char* what);

 private:
  const Network& network_;
  std::unordered_map<std::string, TerminalId> names_;  // filled when the first name is met
};

}  // namespace unknot
