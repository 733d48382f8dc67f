// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "unknot/bounds/concurrent_flow.hpp"
#include "unknot/bounds/path_lists.hpp"
#include "unknot/cli/planning/flow_limits.hpp"
#include "unknot/support/progress.hpp"

namespace unknot::cli {

/// When the search ends.
struct SplitOptions {
  bool exact = false;
  double gap = 0;
  std::uint32_t rounds = 0;
};

/// What UGAL loads at most, whatever its queues.
struct UgalLimit {
  std::uint32_t indirect = 0;  ///< paths of Valiant's that are looked at for a packet
  double max_load = 0;
  double saturation = 1;
  ChannelId channel;  ///< that may be loaded so; invalid where none is loaded
};

/// Traffic split at will over one set of paths.
struct SplitRow {
  std::string set;
  std::size_t pairs = 0;
  double paths = 0;
  FlowLimits limits;
  double any_load = 0;        ///< over any paths, the largest load is at least this, by the same lengths
  double any_saturation = 1;  ///< and the saturation at most this
  std::optional<UgalLimit> ugal = {};  ///< of UGAL's paths, where there are not too many pairs
};

/// `lists` are the paths of `set` for the flows of the exchange.
SplitRow split_over(const Network& network, const Exchange& exchange, const std::string& set,
                    const PathLists& lists, const SplitOptions& options, Progress& progress);

/// Over all shortest paths of the flows of the exchange, or any paths, however many they are: by next hops,
/// without lists. `count`: of the paths, where they are known.
SplitRow split_by_next_hops(const Network& network, const Exchange& exchange, FlowWays ways,
                            const std::string& set, const PathCount& count, const SplitOptions& options,
                            std::uint32_t threads, Progress& progress);

/// By ugal_shares(); none where that would take longer than a minute or so, or not all terminals reach each
/// other.
std::optional<UgalLimit> ugal_limit(const Network& network, const Exchange& exchange, std::uint32_t indirect,
                                    std::uint32_t threads);

nlohmann::ordered_json split_json(const Network& network, const SplitRow& row);
std::string split_text(const Network& network, const std::vector<SplitRow>& rows);

}  // namespace unknot::cli
