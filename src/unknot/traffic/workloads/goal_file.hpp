// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/traffic/workloads/workload.hpp"

// Schedules in the text form of GOAL, the group operation assembly language of LogGOPSim and its schedule
// generator (Hoefler, Siebert, Lumsdaine: "Group operation assembly language", ICPP 2009; Hoefler, Schneider,
// Lumsdaine: "LogGOPSim", LSAP 2010):
//
//     num_ranks 2
//     rank 0 {
//     l1: calc 100            // nanoseconds
//     l2: send 10b to 1 tag 5
//     l2 requires l1
//     }
//     rank 1 {
//     recv 10b from 0 tag 5
//     }
//
// An operation is "calc T [cpu C]", "send Nb to R [tag T] [cpu C] [nic N]" or "recv Nb from R [tag T] [cpu C]
// [nic N]", with a label before it or none; "a requires b" lets a begin when b is done, "a irequires b" when
// b has begun. The tag is 0 where there is none; a receive takes any source as -1 and any tag as tag -1. `//`
// and `/* */` are comments. A statement ends with its line, with a semicolon or before a brace. Beyond
// LogGOPSim, a requirement may stand before its labels, and a rank may have no section. Computations of a
// rank and CPU take turns, in the order in which they may begin, and so do sends of a rank and NIC. A message
// of no bytes is one packet, as one of 1 byte.
//
// The same in binary, as LogGOPSim's txt2bin writes it, is told by its first eight bytes.
namespace unknot {

/// Task graph of such a text or binary file, its tasks in the order of the text, rank r standing on
/// terminal_of[r]; more ranks than terminal_of has are refused.
///
/// Sends and receives of the same source, destination and tag are matched in the order of the text. Where any
/// receive takes any source or tag, what matches depends on time: then it is as in an execution in rounds,
/// see matched_sends() in goal_schedule.hpp.
///
/// InputError with file and line, or rank and operation, for anything else: a rank or a label that is not
/// there or there twice, a message to oneself, never received, or too large for its receive, operations that
/// wait for each other in a circle, no operation at all. O(text log text) without any source or tag.
///
/// `trace` gets a node for each operation, with its label and its line, or its number among those of its
/// rank.
///
/// `overhead`: nanoseconds that each send takes of its CPU before it waits for its NIC, and each receive of
/// its own when its message has arrived: LogGOPSim's o. They are computations behind the tasks of the text.
TaskGraph parse_goal(std::string_view text, const std::string& file,
                     const std::vector<TerminalId>& terminal_of, TaskTrace* trace = nullptr,
                     std::uint64_t overhead = 0);

/// parse_goal() of a file, or of - for standard input. InputError also where it cannot be read.
TaskGraph read_goal_file(const std::string& path, const std::vector<TerminalId>& terminal_of,
                         TaskTrace* trace = nullptr, std::uint64_t overhead = 0);

/// The text of a task graph on that many terminals, rank r being terminal r, with a tag for each message.
/// Read again, the tasks are those of terminal 0, then those of 1, and so on, otherwise the same, but that
/// computations with a processor of their own take turns on the first.
std::string goal_text(const TaskGraph& graph, std::uint32_t terminals);

}  // namespace unknot
