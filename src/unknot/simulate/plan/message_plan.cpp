// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/plan/message_plan.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "unknot/support/error.hpp"

namespace unknot::simulate {

void plan_messages(RoutePlan& plan, std::vector<MessageClass> classes, std::uint32_t lanes) {
  const bool routed = plan.kind == RoutePlan::Kind::tables || plan.kind == RoutePlan::Kind::source;
  if (!routed || plan.lanes != RoutePlan::Lanes::level || plan.bubble || plan.hosts || plan.ports.sinks ||
      !plan.multicast.groups.empty()) {
    throw InputError(
        "simulate: --messages is for tables or source routes with one address of a host, on their own lanes, "
        "whose buffers are handed out by credits, and without multicast");
  }
  auto messages = std::make_shared<MessagePlan>();
  messages->lanes = lanes;
  messages->begins.assign(classes.size(), true);
  for (const MessageClass& c : classes) {
    messages->networks = std::max(messages->networks, c.network + 1);
    for (const std::uint32_t caused : c.causes) messages->begins[caused] = false;
  }
  bool any_begins = false, any_sent = false;
  for (std::size_t k = 0; k < classes.size(); ++k) {
    if (!messages->begins[k]) continue;
    any_begins = true;
    const std::vector<bool> sends = senders_to_others(classes[k], plan.network.terminal_count());
    any_sent = any_sent || std::find(sends.begin(), sends.end(), true) != sends.end();
  }
  if (!any_begins)
    throw InputError("simulate: --messages: no class begins, each of them is caused by another");
  if (!any_sent) throw InputError("simulate: --messages: nobody sends a class that begins to anybody else");
  messages->classes = std::move(classes);
  plan.lanes_needed = messages->networks * lanes;
  plan.messages = std::move(messages);
}

}  // namespace unknot::simulate
