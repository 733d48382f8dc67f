// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/collective/model/problem.hpp"

namespace unknot {

/// Steps that a broadcast with one group takes at least, or `most` + 1 when it takes more than `most`. A part
/// of the network behind one node, all of whose paths from the owner lead through it (a dominator; in trees a
/// subtree), is entered by as many messages a step as the channels into that node carry, and those inside
/// grow by what they send: that gives the steps a part takes once a message may enter, and so the step until
/// which one must have entered. Disjoint parts each need a node of their own that has the message by then,
/// and what they are parts of must have grown so far; so parts of parts are counted first. Holds for paths of
/// any length. No more than the growth of the whole where no node is behind another. O(nodes * (depth of the
/// tree of dominators + most)), and 1 where that is beyond some million.
std::uint32_t steps_of_parts(const Problem& problem, std::uint32_t most);

}  // namespace unknot
