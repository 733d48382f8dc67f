// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <vector>

#include "unknot/collective/bounds/lower_bound.hpp"

namespace unknot {
namespace {

std::vector<std::uint64_t> growth(const Problem& problem, std::uint32_t group) {
  const auto partners = problem.partners(group);
  std::vector<std::uint64_t> capacity;
  for (const NodeId n : partners) capacity.push_back(problem.send_limit(n));
  std::sort(capacity.begin(), capacity.end(), std::greater<>());
  std::vector<std::uint64_t> informed{1};
  std::uint64_t sent = problem.send_limit(problem.owner[group]);
  while (informed.back() <= partners.size()) {
    const std::uint64_t before = informed.back();
    const std::uint64_t after = std::min<std::uint64_t>(before + sent, partners.size() + 1);
    for (std::uint64_t i = before; i < after; ++i) sent += capacity[i - 1];
    informed.push_back(after);
  }
  return informed;
}

}  // namespace

std::optional<BoundProof> growth_bound(const Problem& problem, const BoundOptions& /*options*/) {
  if (problem.delivery != Delivery::broadcast) return std::nullopt;
  GrowthProof best;
  for (std::uint32_t g = 0; g < problem.groups(); ++g) {
    std::vector<std::uint64_t> informed = growth(problem, g);
    if (informed.size() > best.informed.size()) best = {g, std::move(informed)};
  }
  return best;
}

}  // namespace unknot
