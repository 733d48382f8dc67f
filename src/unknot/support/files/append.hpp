// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>

namespace unknot {

/// What append() does, for arguments whose types are forgotten. {fmt}'s own functions for this are templates,
/// which bring all of its formatting into each source that appends: seconds of compiling.
void append_arguments(std::string& text, fmt::string_view format, fmt::format_args arguments);
void append_arguments(fmt::memory_buffer& text, fmt::string_view format, fmt::format_args arguments);

/// Appends formatted text: append(text, "{} of {}", 1, 2).
template <typename Text, typename... Args>
void append(Text& text, fmt::format_string<Args...> format, Args&&... args) {
  append_arguments(text, format, fmt::make_format_args(args...));
}

}  // namespace unknot
