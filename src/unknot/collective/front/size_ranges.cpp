// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/front/size_ranges.hpp"

#include <algorithm>
#include <cmath>

namespace unknot {
namespace {

constexpr double kMostSize = 1125899906842624.0;  // 2^50

constexpr int kTries = 64;
constexpr std::uint64_t kFine = std::uint64_t{1} << 20U;

double cost_at(const LineCost& line, std::uint64_t bytes) {
  return line.fixed + line.byte * static_cast<double>(bytes);
}

}  // namespace

std::size_t cheapest(const std::vector<LineCost>& lines, std::uint64_t bytes) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (cost_at(lines[i], bytes) < cost_at(lines[best], bytes)) best = i;
  }
  return best;
}

std::vector<std::optional<std::uint64_t>> first_sizes(const std::vector<LineCost>& lines) {
  std::vector<std::optional<std::uint64_t>> from(lines.size());
  if (lines.empty()) return from;
  std::uint64_t size = 1;
  std::size_t now = cheapest(lines, size);
  for (;;) {
    from[now] = size;
    // The next that overtakes is one that takes less for each byte.
    double next = kMostSize;
    for (const LineCost& line : lines) {
      if (line.byte >= lines[now].byte) continue;
      next = std::min(next, (line.fixed - lines[now].fixed) / (lines[now].byte - line.byte));
    }
    if (next >= kMostSize) return from;
    size = std::max(size + 1, static_cast<std::uint64_t>(std::floor(next)) + 1);
    std::size_t then = cheapest(lines, size);
    for (int more = 0; then == now && more < kTries; ++more) {  // equal but for rounding
      size += 1 + size / kFine;
      then = cheapest(lines, size);
    }
    if (then == now) return from;
    now = then;
  }
}

}  // namespace unknot
