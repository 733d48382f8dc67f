// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace unknot {

/// Whole content of a file; "-" is standard input. InputError when it cannot be read. Sequential, one
/// allocation.
std::string read_file(const std::string& path);

/// Takes pieces of a file in order.
using FileSink = std::function<void(std::string_view piece)>;

/// Writes what `produce` gives to its sink into a temporary file beside `path`, then renames: readers see the
/// old file or the whole new one. "-" is standard output. InputError when it cannot be written; nothing is
/// left behind then, nor when `produce` throws.
void write_file(const std::string& path, const std::function<void(const FileSink&)>& produce);
void write_file(const std::string& path, std::string_view content);

}  // namespace unknot
