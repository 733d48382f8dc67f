// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <toml++/toml.h>
#include <string>
#include <string_view>

namespace unknot {

/// The one way into TOML. Throws InputError with file and line for what is no TOML, for a NUL byte, and for
/// keys of more than 16 parts or values nested deeper than 16, which no file of ours has: the library follows
/// either by recursion, and so does whoever takes its tables down. Linear.
toml::table parse_toml(std::string_view text, const std::string& name);

/// Its file, read and parsed; at most 16 MiB.
toml::table read_toml(const std::string& path);

/// Where a value begins.
inline std::size_t line_of(const toml::node& node) {
  return node.source().begin.line;
}

}  // namespace unknot
