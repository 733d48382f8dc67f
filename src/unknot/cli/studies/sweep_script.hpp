// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace unknot::cli {

/// Text of a script for sbatch: an array of `tasks` jobs that share the cells of a sweep. Each begins at a
/// part of its own; one that is killed and requeued finds what is missing.
std::string sweep_script(const std::string& file, const std::string& folder, std::uint32_t tasks,
                         std::uint32_t threads, std::uint64_t seed);

}  // namespace unknot::cli
