// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/support/parameters.hpp"
#include "unknot/tables/rules/forwarding_rule.hpp"

namespace unknot {

// Regular routings as rules. Each looks at every channel once, to see that the network is what the rule is
// for: InputError, one sentence, where a cable is missing or leads elsewhere. O(channels), and as much memory
// as said.

/// Dimension order on a torus, mesh, hypercube or HyperX, the tables of engine `dor` with a lane for each
/// service level (dor:sl2vl=0): coordinates are corrected one after the other, by the shorter way, datelines
/// of rings told by a bit of the level [Dally, Seitz 1987]. At most three dimensions of rings of more than
/// three routers; no parallel cables. Two bytes for each router and coordinate (on rings, for each channel),
/// and four for each router and dimension.
std::unique_ptr<ForwardingRule> dimension_order_rule(const Network& network);

/// Destination modulo k on a whole XGFT whose routers are numbered as xgft() does: the destination's number,
/// counted along the leaves as the tree is drawn, tells the way up, digit by digit, the lowest first; one
/// lane [Zahavi, Johnson, Kerbyson, Lang 2010]. A few bytes a level.
std::unique_ptr<ForwardingRule> d_mod_k_rule(const Network& network);

/// Shortest ways by one global cable on a dragonfly of groups of `group` routers, numbered group by group:
/// to the router of the cable, by the cable, to the destination. Groups are full meshes; each pair of them
/// has a cable, and where it has several, destination routers take them in turn. Two lanes, one to groups of
/// a higher number and one to those of a lower: on each, packets pass groups in order, which no cycle of
/// channels can. Two bytes for each router and router of its group, four for each global channel.
std::unique_ptr<ForwardingRule> dragonfly_rule(const Network& network, std::uint32_t group);

struct RuleRow {
  std::string name;
  std::string summary;
  std::vector<Parameter> parameters;
  std::function<std::unique_ptr<ForwardingRule>(const Network&, const Parameters&)> make;
};

const std::vector<RuleRow>& rules();
/// The rule of a spec such as "d-mod-k" or "dragonfly:group=8". InputError where it names none.
std::unique_ptr<ForwardingRule> make_rule(const Network& network, std::string_view spec);

}  // namespace unknot
