// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "unknot/cli/output/output.hpp"
#include "unknot/network/network.hpp"
#include "unknot/routing/reroute/transition.hpp"

namespace unknot::cli {

/// The file that parse_transition() reads, and how many paths are drained meanwhile: "steps",
/// "drained_paths", "drained_paths_alive".
Json transition_json(const Network& network, const Transition& transition);

/// Name, entries and levels of each step, without the entries themselves.
Json transition_summary(const Transition& transition);

/// One line for each step.
std::string transition_text(const Transition& transition);

/// What a step does, and whether it waits first.
std::string step_text(const TransitionStep& step);

}  // namespace unknot::cli
