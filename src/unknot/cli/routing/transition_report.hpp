// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "unknot/cli/output/output.hpp"
#include "unknot/network/network.hpp"
#include "unknot/routing/reroute/transition.hpp"

namespace unknot::cli {

/// {"steps": [{"what", "entries": [{"router": guid, "lid", "port": number or null}], "levels": [{"router" or
/// "terminal": guid, "lid", "level": number or null}]}], "drained_paths"}: the whole transition. A port of
/// null is no route, a level of null a path that is withdrawn.
Json transition_json(const Network& network, const Transition& transition);

/// Name, entries and levels of each step, without the entries themselves.
Json transition_summary(const Transition& transition);

/// One line for each step.
std::string transition_text(const Transition& transition);

/// What a step does, and whether it waits first.
std::string step_text(const TransitionStep& step);

}  // namespace unknot::cli
