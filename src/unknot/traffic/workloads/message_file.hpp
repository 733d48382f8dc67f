// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "unknot/network/network.hpp"
#include "unknot/traffic/workloads/workload.hpp"

// Messages in a file: a line "[label:] source destination bytes [after label...]" for each. A terminal is
// given by its number, or by its name where that has no blank; bytes are a whole number. Without `after`, a
// terminal sends its messages in the order of their lines. A message `after` others waits, too, until those
// of them that its source receives have arrived and those that its source sends have left it; labels may
// stand on any line. Empty lines and what follows a # are skipped.
namespace unknot {

/// Workload of such a text; a task graph where any line says `after`. InputError with file and line for
/// anything else: a terminal that sends to itself, a label given twice or nowhere, a message after one that
/// its source knows nothing of, messages that wait for each other in a circle, no message at all. `file`
/// names the text in messages. O(text).
Workload parse_messages(const Network& network, std::string_view text, const std::string& file,
                        std::uint32_t at_once = 1);

/// The text of a workload on that many terminals, by terminal numbers, behind `comment` where that is not
/// empty. at_once is no part of it. InputError for a task graph that is more than messages after messages:
/// one that computes, that waits for something to begin, or that holds a receive back (goal_text() writes
/// those).
std::string messages_text(const Workload& workload, std::uint32_t terminals, std::string_view comment);

}  // namespace unknot
