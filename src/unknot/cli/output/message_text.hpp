// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace unknot::cli {

/// A sentence as a terminal and a log may get it, whatever a file or an argument has brought into it: one
/// line of UTF-8, '?' for control characters, for those that turn the direction of writing, and for bytes
/// that are no UTF-8. A word or a piece in single quotes is at most 200 bytes, its middle replaced by "..."
/// where it is longer, and the whole 2000. O(text).
std::string message_text(std::string_view text);

}  // namespace unknot::cli
