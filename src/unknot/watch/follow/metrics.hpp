// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "unknot/watch/follow/follow_state.hpp"

namespace unknot::watch {

/// What a follower knows, in the text format of Prometheus (exposition format 0.0.4), as node_exporter's
/// textfile collector takes it. `set`: number of the installed set; `now`: seconds since 1970.
std::string metrics_text(const FollowState& state, std::uint64_t set, double now);

}  // namespace unknot::watch
