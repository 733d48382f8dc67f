// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/front/all_reduce_front.hpp"

#include <algorithm>
#include <optional>

namespace unknot {
namespace {

/// In so many steps together, whoever has how many of them.
Fraction joint_bound(const Front& inward, const Front& outward, std::uint32_t steps) {
  std::optional<Fraction> least;
  for (std::uint32_t in = inward.least_steps; in + outward.least_steps <= steps; ++in) {
    const Fraction both = sum_of({inward.bound(in), outward.bound(steps - in)});
    least = least ? std::min(*least, both) : both;
  }
  return *least;
}

}  // namespace

std::vector<AllReducePoint> join_fronts(const Front& inward, const Front& outward) {
  std::vector<AllReducePoint> result;
  if (inward.points.empty() || outward.points.empty()) return result;
  std::vector<AllReducePoint> all;
  for (std::size_t in = 0; in < inward.points.size(); ++in) {
    for (std::size_t out = 0; out < outward.points.size(); ++out) {
      const std::uint32_t steps = inward.points[in].steps() + outward.points[out].steps();
      const Fraction time = sum_of({inward.points[in].verdict.time, outward.points[out].verdict.time});
      all.push_back({in, out, steps, time, joint_bound(inward, outward, steps)});
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const AllReducePoint& a, const AllReducePoint& b) {
    return a.steps != b.steps ? a.steps < b.steps : a.time < b.time;
  });
  for (const AllReducePoint& point : all) {
    if (result.empty() || point.time < result.back().time) result.push_back(point);
  }
  return result;
}

}  // namespace unknot
