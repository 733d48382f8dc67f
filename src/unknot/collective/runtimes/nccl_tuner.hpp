// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/collective/runtimes/size_rules.hpp"

// Rules by which NCCL's reference tuner chooses algorithms: the CSV that its example plug-in reads from
// NCCL_TUNER_CONFIG_FILE (plugins/tuner/example of NCCL, June 2026).
namespace unknot::runtimes {

struct TunerRow {
  std::string collective = "allreduce";
  std::uint64_t min_bytes = 0, max_bytes = UINT64_MAX;
  std::string algorithm = "ring", protocol = "simple";
  std::int32_t channels = -1;           ///< -1: NCCL decides
  std::int32_t nodes = -1, ranks = -1;  ///< -1: any
  std::int32_t pipe_ops = -1, registered = -1;
};

/// Algorithms that NCCL has of those that are compared here.
std::span<const KnownAlgorithm> tuner_algorithms();
/// Rows of a collective for communicators of `ranks`. InputError for one that NCCL has not two algorithms of.
std::vector<TunerRow> tuner_rows(std::string_view collective, std::uint32_t ranks,
                                 const std::vector<SizeRule>& rules);

/// Reads the CSV. InputError with file and line for lines of fewer fields than eight or more than ten, or
/// longer than 254 characters, names that are not known, and numbers that are none: the tuner itself takes
/// such a name for allreduce, ring or simple. O(text).
std::vector<TunerRow> parse_tuner(std::string_view text, const std::string& file);
std::string tuner_text(const std::vector<TunerRow>& rows);

/// The row that the tuner takes, which is the first that fits; null where NCCL decides.
const TunerRow* tuner_choice(const std::vector<TunerRow>& rows, std::string_view collective,
                             std::uint64_t bytes, std::int32_t nodes, std::int32_t ranks);

}  // namespace unknot::runtimes
