// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace unknot {

/// The text in single quotes, as a POSIX shell reads it as one word.
std::string shell_quoted(std::string_view text);

/// The same, without quotes where every shell takes the text for one word as it stands.
std::string shell_word(std::string_view text);

}  // namespace unknot
