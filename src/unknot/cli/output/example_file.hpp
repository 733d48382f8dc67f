// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "unknot/cli/command/command.hpp"

namespace unknot::cli {

/// --example of a command: writes `text`, which messages call `what`, to `path`. Returns the exit code.
/// Throws InputError where there is a file with other content.
Answer write_example(const std::string& path, std::string_view text, std::string_view what,
                     const Common& common);

}  // namespace unknot::cli
