// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/cli/command/command.hpp"

namespace unknot::cli {

using Json = nlohmann::ordered_json;

/// While it lives, what its thread prints goes to it instead of to stdout. Commands print from the thread
/// that runs them.
class CapturedOutput {
 public:
  CapturedOutput();
  ~CapturedOutput();
  CapturedOutput(const CapturedOutput&) = delete;
  CapturedOutput& operator=(const CapturedOutput&) = delete;
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::string* before_;
};

/// Results, to stdout. InputError when they cannot be written (a full disk).
void print(std::string_view text);
/// One document and a newline. Text that is not UTF-8 (names from a fabric) is made so.
void print_json(const Json& document);

/// One line to stderr, "unknot: ...", as message_text() makes it.
void message(std::string_view text);
/// A message that --quiet suppresses.
void note(const Common& common, std::string_view text);

/// Refuses, before any work, outputs that could not be written later: a missing folder, a directory, the same
/// file twice. Empty paths are options not given. Throws InputError.
void check_outputs(const std::vector<std::string>& paths);

}  // namespace unknot::cli
