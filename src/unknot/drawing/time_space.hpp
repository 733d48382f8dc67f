// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "unknot/drawing/schedule_view.hpp"

namespace unknot::drawing {

/// The time-space diagram of a schedule as SVG: a row for each channel, those that leave one node together; a
/// column for each step; a bar where a channel carries a message, with whose it is and the receiver of the
/// transfer. What stays empty is idle. Channels of the same two nodes are one row, divided among them. The
/// share of the channels in use stands below each step, the share of the steps in use beside each row. More
/// than a channel carries is framed. InputError as ScheduleView. Same bytes for the same schedule. O(arcs *
/// steps + size of the text).
std::string draw_time_space(const Problem& problem, const Schedule& schedule, const Caption& caption = {});

}  // namespace unknot::drawing
