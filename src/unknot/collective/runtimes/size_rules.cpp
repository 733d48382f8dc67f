// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/runtimes/size_rules.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "unknot/support/error.hpp"

namespace unknot::runtimes {

const KnownAlgorithm& find_algorithm(std::span<const KnownAlgorithm> known, std::string_view runtime,
                                     std::string_view collective, std::string_view algorithm) {
  const auto found = std::find_if(known.begin(), known.end(), [&](const KnownAlgorithm& row) {
    return row.collective == collective && row.algorithm == algorithm;
  });
  if (found == known.end())
    throw InputError(fmt::format("{}: it has no algorithm '{}' of {}", runtime, algorithm, collective));
  return *found;
}

std::uint64_t messages_counted(std::string_view collective, std::uint32_t ranks) {
  const bool one = collective == "all-reduce" || collective == "OAB" || collective == "AOR";
  return one ? 1 : ranks;
}

}  // namespace unknot::runtimes
