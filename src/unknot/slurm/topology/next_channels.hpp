// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>

#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"
#include "unknot/tables/rules/forwarding_rule.hpp"

namespace unknot::slurm {

/// Says of all routers where packets for a destination go: a channel of the router's own, an invalid one
/// where it has no entry. Several threads call it at once.
using NextChannels = std::function<void(TerminalId destination, std::span<ChannelId> next)>;

/// By a rule of the network, or of the same one with coordinates. Both must outlive what is returned.
/// O(routers).
NextChannels next_by_rule(const Network& network, const ForwardingRule& rule);
/// By stored tables; both must outlive what is returned. O(routers).
NextChannels next_by_tables(const Network& network, const ForwardingTable& table);

}  // namespace unknot::slurm
