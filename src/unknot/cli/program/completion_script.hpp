// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "unknot/cli/program/completion_words.hpp"

namespace unknot::cli {

/// Text that a shell reads to complete words of unknot.
struct CompletionShell {
  std::string name;
  std::string (*script)(const std::vector<CommandWords>& commands);
};

const std::vector<CompletionShell>& completion_shells();

}  // namespace unknot::cli
