// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/bounds/lower_bound.hpp"

#include <algorithm>

namespace unknot {

const std::vector<BoundRow>& step_bounds() {
  static const std::vector<BoundRow> rows = {
      {"ports", "messages that one node sends or receives, over its channels or ports",
       "Jaros 2010, eqs 3.4, 3.5", port_bound},
      {"growth", "nodes that can have a message after each step, those that send most first",
       "Jaros 2010, eq. 3.3, with the ports of each node", growth_bound},
      {"distance", "channels that all messages take at least, over all channels", "Jaros 2010, eq. 3.6",
       distance_bound},
      {"cut",
       "messages that cross the border of a set of nodes, over the channels across, and how the last spreads",
       "Jaros 2010, eq. 3.6, for any set", cut_bound},
      {"pairing", "under half duplex, a cable of who sends and one of who receives for each delivery",
       "Edmonds 1965 (odd sets)", pairing_bound},
      {"flow", "what one node can send to all its receivers: maximum flow, exact for one source",
       "Ford and Fulkerson 1956", flow_bound},
      {"routes", "messages whose routes take one channel, over what it carries",
       "Leiserson 1985 (load factor)", route_bound},
      {"program", "multicommodity flow of all messages at once, by linear programming",
       "Shahrokhi and Matula 1990", program_bound},
  };
  return rows;
}

namespace {

void add_bound(const BoundRow& row, const Problem& problem, bool reversed, BoundOptions& options,
               std::vector<LowerBound>& bounds) {
  std::optional<BoundProof> proof = row.find(problem, options);
  if (!proof) return;
  ProvenSteps proven = evaluate(problem, *proof);
  options.known = std::max(options.known, proven.steps);
  bounds.push_back({row.name, proven.steps, std::move(proven.reason), reversed, std::move(*proof)});
}

}  // namespace

std::vector<LowerBound> lower_bounds(const Problem& problem, const BoundOptions& given) {
  BoundOptions options = given;
  std::vector<LowerBound> bounds;
  const bool forwards = problem.delivery != Delivery::reduction;
  std::optional<Problem> reversed;
  if (problem.delivery != Delivery::broadcast) reversed = time_reversed(problem);
  for (const BoundRow& row : step_bounds()) {
    if (forwards) add_bound(row, problem, false, options, bounds);
    // scatters have most bounds alike both ways; the flow to one destination is one of its own
    if (reversed && (!forwards || row.find == flow_bound)) add_bound(row, *reversed, true, options, bounds);
  }
  return bounds;
}

const LowerBound& largest(const std::vector<LowerBound>& bounds) {
  return *std::max_element(bounds.begin(), bounds.end(),
                           [](const LowerBound& a, const LowerBound& b) { return a.steps < b.steps; });
}

LowerBound lower_bound(const Problem& problem, const BoundOptions& options) {
  return largest(lower_bounds(problem, options));
}

}  // namespace unknot
