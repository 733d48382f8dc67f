// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "unknot/drawing/schedule_view.hpp"
#include "unknot/network/network.hpp"

namespace unknot::drawing {

/// The schedule on its network as SVG: a panel for each step, with the channels in use as coloured paths from
/// distributor to receiver. Each direction of a cable is drawn on its right. Where there is one message for
/// all, one source or one destination, nodes show what they do in the step and what is done before it. What
/// transfers share beyond the capacity of a channel, and hops without a channel, are marked. Up to 64 nodes
/// have their number; names, and the whole transfer, are tool tips. `network` is the problem's. InputError as
/// ScheduleView. Same bytes for the same schedule. O(nodes^2 * degree + arcs * nodes + size of the text).
std::string draw_steps(const Network& network, const Problem& problem, const Schedule& schedule,
                       const Caption& caption = {});

}  // namespace unknot::drawing
