// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace unknot::chakra {

/// The files of all ranks, by rank: PREFIX.0.et, PREFIX.1.et, and so on. `path` is PREFIX, or PREFIX.0.et, or
/// a folder with the traces of one prefix. InputError where there are none or one of them is missing, and for
/// a folder with several prefixes. O(files of the folder * log).
std::vector<std::string> trace_files(const std::string& path);

}  // namespace unknot::chakra
