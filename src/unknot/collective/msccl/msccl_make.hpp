// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "unknot/collective/model/problem.hpp"
#include "unknot/collective/model/schedule.hpp"
#include "unknot/collective/msccl/msccl_program.hpp"

namespace unknot::msccl {

/// The algorithm that sends what a schedule sends, in its order. Rank r is the r-th of the nodes that take
/// part. AAS, AAG: alltoall; AAB: allgather; OAB: broadcast; OAS: scatter; AOG: gather; AOR: reduce; AAR:
/// reducescatter; MNS and MNB where they are one of these.
///
/// A thread block serves one peer in one direction; where these are too many, one to send to and one to
/// receive from. Steps of a thread block are in the order of the schedule, and what sends on waits for what
/// it has received; there is no barrier between the steps of a schedule. Paths are the network's affair.
///
/// It cannot deadlock: every wait is for something earlier in the schedule. InputError for a schedule that is
/// not valid, sets of messages that no collective of MSCCL stands for, and what find_fault() says does not
/// fit. O(find_fault()).
Program make_program(const Problem& problem, const Schedule& schedule, std::string name);

}  // namespace unknot::msccl
