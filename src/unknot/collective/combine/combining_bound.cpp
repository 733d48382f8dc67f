// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/combine/combining_bound.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace unknot {
namespace {

/// Steps until one node knows of `wanted` nodes, itself among them: at most (1 + most) times as many after
/// each step, and (1 + own) times after the last.
std::uint32_t steps_for(std::uint64_t wanted, std::uint64_t own, std::uint64_t most) {
  if (wanted <= 1) return 0;
  std::uint32_t steps = 1;
  for (std::uint64_t known = 1; known * (1 + own) < wanted; ++steps) known *= 1 + most;
  return steps;
}

}  // namespace

std::uint32_t combining_step_bound(const CombinedProblem& problem) {
  std::vector<std::uint64_t> hears(problem.nodes.size(), 1), is_heard(problem.nodes.size(), 1);
  std::set<std::pair<std::uint32_t, std::uint32_t>> counted;
  for (std::uint32_t b = 0; b < problem.blocks(); ++b) {
    if (b > 0 && problem.outcome != Outcome::as_given &&
        problem.block[b].origin == problem.block[b - 1].origin)
      continue;  // all pieces have the same ends
    for (const NodeId target : problem.targets(b)) {
      for (const NodeId source : problem.sources(b)) {
        if (source == target || (problem.outcome == Outcome::scan && source > target)) continue;
        const std::pair<std::uint32_t, std::uint32_t> ends{problem.rank_of(source), problem.rank_of(target)};
        if (!counted.insert(ends).second) continue;
        ++is_heard[ends.first];
        ++hears[ends.second];
      }
    }
  }
  std::uint64_t most_sent = 1, most_received = 1;
  for (const NodeId n : problem.nodes) {
    most_sent = std::max<std::uint64_t>(most_sent, problem.base.send_limit(n));
    most_received = std::max<std::uint64_t>(most_received, problem.base.receive_limit(n));
  }
  std::uint32_t steps = 1;
  for (std::size_t r = 0; r < problem.nodes.size(); ++r) {
    const NodeId n = problem.nodes[r];
    steps = std::max({steps, steps_for(hears[r], problem.base.receive_limit(n), most_received),
                      steps_for(is_heard[r], problem.base.send_limit(n), most_sent)});
  }
  return steps;
}

}  // namespace unknot
