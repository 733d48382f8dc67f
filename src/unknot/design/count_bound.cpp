// SPDX-License-Identifier: Apache-2.0
#include "unknot/design/count_bound.hpp"

#include <algorithm>

#include "unknot/design/choices.hpp"

namespace unknot {
namespace {

/// Hops that all terminals can be made to send at once, each to one other; 0 where none can.
std::uint32_t hops_of_all(const DesignChoice& choice, std::uint64_t terminals, std::uint64_t fullest) {
  const auto leaves_half = [&](std::uint64_t near) { return 2 * near * fullest <= terminals; };
  const bool direct = choice.carriers == choice.routers;
  const std::uint64_t onward = std::max(choice.degree, choice.widest) - 1;
  std::uint64_t near = 1;
  std::uint64_t rim = choice.degree;  // routers at most that many hops away, and no nearer
  std::uint32_t hops = 0;
  while (leaves_half(near)) {
    ++hops;
    // where there are routers without terminals, no cable joins two that have some
    if (direct || hops > 1) near += rim;
    if (onward == 0) break;
    rim *= onward;
  }
  return choice.far != 0 && leaves_half(choice.near) ? std::max(hops, choice.far) : hops;
}

}  // namespace

std::optional<double> throughput_by_counts(const DesignChoice& choice, std::uint64_t terminals) {
  const std::uint64_t fullest = quotient_up(terminals, choice.carriers);
  const std::uint32_t hops = hops_of_all(choice, terminals, fullest);
  if (hops == 0) return std::nullopt;
  const double of_a_router = static_cast<double>(choice.degree) / static_cast<double>(fullest);
  const double of_all = 2 * static_cast<double>(choice.cables) / (hops * static_cast<double>(terminals));
  return std::min(of_a_router, of_all);
}

}  // namespace unknot
