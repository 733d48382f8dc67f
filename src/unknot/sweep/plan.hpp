// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/sweep/sweep_file.hpp"

namespace unknot::sweep {

/// One combination of the values of a sweep.
struct Cell {
  std::uint64_t key = 0;            ///< hash of `command` and the program's version: names the cell forever
  std::string command;              ///< the command line, as a shell takes it
  std::vector<std::string> words;   ///< of it, without the program
  std::vector<std::string> values;  ///< one for each axis, as text; "" where it is left out
};

/// All combinations; the last axis runs fastest.
struct Plan {
  std::string command;
  std::vector<std::string> axes;  ///< names
  std::vector<Cell> cells;
};

/// 16 hexadecimal digits.
std::string key_text(std::uint64_t key);

/// Keys depend on `version`, since another program may give other results. Throws InputError for a sweep
/// without a fabric, a combination that comes twice, more than a million of them.
Plan expand(const SweepFile& file, std::string_view version);

}  // namespace unknot::sweep
