// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/simulate/plan/route_plan.hpp"
#include "unknot/verify/messages/message_classes.hpp"

namespace unknot::simulate {

/// A protocol of messages that cause others, on virtual networks with lanes and queues of their own.
struct MessagePlan {
  std::vector<MessageClass> classes;
  std::uint32_t networks = 1;  ///< 1 + the highest of a class
  std::uint32_t lanes = 1;     ///< of each network; network n has those from n * lanes on
  /// By class: somebody may begin it unasked, since no class causes it.
  std::vector<bool> begins;
};

/// Makes a plan of tables or source routes one for messages: packets are those of the classes, on the lanes
/// of their networks. `lanes`: that the tables take, MessageVerdict::lanes. InputError where the plan is no
/// such one, where no class begins, and where nobody sends one that does.
void plan_messages(RoutePlan& plan, std::vector<MessageClass> classes, std::uint32_t lanes);

}  // namespace unknot::simulate
