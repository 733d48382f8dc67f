// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace unknot::cli {

/// What may follow an option of a command.
struct OptionWords {
  std::vector<std::string> names;  ///< "--engine", "-E"
  std::string description;         ///< its first line
  bool takes_value = false;
  std::vector<std::string> values;  ///< of its catalogue, or its choices; empty: files
};

struct CommandWords {
  std::string name, summary;
  std::vector<OptionWords> options;
  std::vector<std::string> operands;  ///< what may stand for the first operand, files apart
};

/// The words of every command, from the options that it declares and from the catalogues; in front, as a
/// command without a name, those of `unknot` itself.
std::vector<CommandWords> completion_words();

}  // namespace unknot::cli
