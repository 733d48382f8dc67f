// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/collective/problem.hpp"

namespace unknot {

/// True when it is proven that a broadcast with one group takes more steps than these. A part of the network
/// behind one node, all of whose paths from the owner lead through it (a dominator; in trees a subtree), is
/// entered by so many messages a step as the channels into that node carry, and those inside grow by what
/// they send: that gives the steps a part takes once a message may enter, and so the step until which one
/// must have entered. Disjoint parts each need a node of their own that has the message by then, and the
/// whole broadcast has not grown so far. Holds for paths of any length. Says nothing where no node is behind
/// another. O(nodes * depth of the tree of dominators), and gives up beyond some million.
bool parts_come_too_late(const Problem& problem, std::uint32_t steps);

}  // namespace unknot
