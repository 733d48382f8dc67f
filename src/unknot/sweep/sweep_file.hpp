// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace unknot::sweep {

/// One option of a command and what it takes in turn. A value is the words that the option is given with: one
/// as a rule, several where it is repeated, none where it is left out.
struct Axis {
  std::string name;  ///< of the option without dashes; "fabric" is the argument
  std::size_t line = 0;
  std::vector<std::vector<std::string>> values;
};

/// What a sweep file says: TOML with the key `command` and one key for each option, with a value or a list of
/// values. Text "" leaves the option out, true is a flag that is given, false one that is not; in a list of
/// lists each inner list is one value of an option that is given many times.
struct SweepFile {
  std::string name;  ///< for messages
  std::string command;
  std::size_t command_line = 0;
  std::vector<Axis> axes;  ///< in the order of the file

  /// "name:line: ", for InputError.
  [[nodiscard]] std::string place(std::size_t line) const;
};

/// Throws InputError with file and line for what is no TOML, has no `command`, or a key without a value or
/// with one that is no text, number, truth value or list of these. Which options there are is not known here.
SweepFile parse_sweep(std::string_view text, const std::string& name);
/// The same from a file.
SweepFile read_sweep(const std::string& path);

}  // namespace unknot::sweep
