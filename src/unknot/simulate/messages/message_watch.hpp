// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "unknot/simulate/core/engine.hpp"
#include "unknot/simulate/messages/message_hosts.hpp"
#include "unknot/simulate/plan/route_plan.hpp"
#include "unknot/simulate/settings/settings.hpp"
#include "unknot/verify/messages/message_verdict.hpp"

namespace unknot::simulate {

/// Messages that can never move again, whatever else happens: buffers, send and receive queues that can still
/// let a packet go are found by working backwards from those that can now, and what remains is dead. A
/// shortest circle of them, each with the packet that waits for room in the next, the last for the first;
/// empty: none. A message that has left its host and not its first router is one of the send queue. Each
/// waits as MessageModel says that packets can. O(lanes * longest chain of waiting), mostly O(lanes).
std::vector<MessageWait> find_message_deadlock(const Engine& engine, const RoutePlan& plan,
                                               const Settings& settings, const MessageHosts& hosts);

}  // namespace unknot::simulate
