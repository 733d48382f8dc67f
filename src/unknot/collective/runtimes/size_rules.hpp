// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace unknot::runtimes {

/// From which size of a message on which algorithm is the quickest; the first begins at 0 or 1.
struct SizeRule {
  std::uint64_t from_bytes = 0;
  std::string algorithm;  ///< as combining_choices() names it
};

/// An algorithm of a collective as a runtime knows it.
struct KnownAlgorithm {
  std::string_view collective;  ///< name of a row of combined_collectives()
  std::string_view algorithm;   ///< as combining_choices() names it
  std::uint32_t number = 0;     ///< the runtime's
  std::string_view name;        ///< the runtime's
};

/// The row of an algorithm among those that a runtime has; InputError, which names the runtime, for none.
const KnownAlgorithm& find_algorithm(std::span<const KnownAlgorithm> known, std::string_view runtime,
                                     std::string_view collective, std::string_view algorithm);

/// How many messages a runtime counts together when it says how large a collective is: all that a rank sends
/// or gets, where these are several.
std::uint64_t messages_counted(std::string_view collective, std::uint32_t ranks);

}  // namespace unknot::runtimes
