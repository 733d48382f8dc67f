// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "unknot/cli/command/command.hpp"

namespace unknot::cli {

/// Results, to stdout. InputError when they cannot be written (a full disk).
void print(std::string_view text);
/// The document and a newline, or the text, or nothing where both are empty. Text that is not UTF-8 (names
/// from a fabric) is made so.
void print(const Answer& answer);

/// One line to stderr, "unknot: ...", as message_text() makes it.
void message(std::string_view text);
/// A message that --quiet suppresses.
void note(const Common& common, std::string_view text);

/// Refuses, before any work, outputs that could not be written later: a missing folder, a directory, the same
/// file twice, or one of `inputs`, which are read. Empty paths are options not given; inputs that are no
/// files, as specs, are nobody's. Throws InputError.
void check_outputs(const std::vector<std::string>& paths, const std::vector<std::string>& inputs = {});

}  // namespace unknot::cli
