// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/collective/model/problem.hpp"
#include "unknot/collective/symmetry/automorphisms.hpp"

namespace unknot {

/// Every transmitter has a message for every receiver but itself: then roles say it all.
bool is_complete(const Problem& problem);

/// A graph whose automorphisms are those of the problem: of the network that keep roles and capacities and
/// map messages to messages. Nodes come first. What is unlike the most common arc is a vertex in its middle;
/// so is each message where roles do not say it all. O(arcs + messages).
ColouredGraph coloured_graph(const Problem& problem);

}  // namespace unknot
