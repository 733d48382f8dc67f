// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

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

/// Traffic split at will over one set of paths.
struct SplitRow {
  std::string set;
  std::size_t pairs = 0;
  double paths = 0;
  FlowLimits limits;
  double any_load = 0;        ///< over any paths, the largest load is at least this, by the same lengths
  double any_saturation = 1;  ///< and the saturation at most this
};

/// `lists` are the paths of `set` for the flows of the exchange.
SplitRow split_over(const Network& network, const Exchange& exchange, const std::string& set,
                    const PathLists& lists, const SplitOptions& options, Progress& progress);

/// Over all shortest paths of the flows of the exchange, however many they are: by next hops, without lists.
SplitRow split_by_next_hops(const Network& network, const Exchange& exchange, const std::string& set,
                            const PathCount& count, const SplitOptions& options, std::uint32_t threads,
                            Progress& progress);

nlohmann::ordered_json split_json(const std::vector<SplitRow>& rows);
std::string split_text(const std::vector<SplitRow>& rows);

}  // namespace unknot::cli
