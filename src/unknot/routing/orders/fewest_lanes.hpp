// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "unknot/network/network.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// Candidates looked at in a unit of work: some three seconds.
inline constexpr std::uint64_t kLooksAUnit = 50'000'000;

/// Shortest paths on exactly `lanes` lanes, one for each path from end to end, balanced by nothing: whether
/// there are any is what is asked. Local search from every kind of start in turn (CoveringPortfolio), each
/// with `units` of work; nothing where it finds none, which proves nothing. The same for any number of
/// threads. Throws Interrupted.
std::optional<Routing> shortest_paths_on(const Network& network, std::uint32_t lanes, std::uint32_t units,
                                         std::uint64_t seed, std::uint32_t threads, const Progress& progress);

}  // namespace unknot
