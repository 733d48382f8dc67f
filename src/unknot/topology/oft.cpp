// SPDX-License-Identifier: Apache-2.0
#include "unknot/topology/oft.hpp"

#include <fmt/format.h>

#include "unknot/support/error.hpp"
#include "unknot/support/galois_field.hpp"
#include "unknot/topology/linear_space.hpp"
#include "unknot/topology/nearest_valid.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kCopies = 2;

bool valid(std::uint32_t k) {
  return k == 2 || (k > 2 && as_prime_power(k - 1));
}

NetworkSize oft_size(std::uint64_t k, const TerminalPlacement& terminals) {
  return stacked_tree_size(k * (k - 1) + 1, k, k, kCopies, terminals);
}

}  // namespace

Topology oft_topology() {
  return {
      .name = "oft",
      .summary = "two-level orthogonal fat tree; k terminals on a leaf by default",
      .parameters =
          {{.name = "k", .help = "ports up and down of a leaf; k-1 a prime power", .min = 2, .max = 4000}},
      .size = [](const Parameters& p) { return oft_size(p.number("k"), placement_from(p, p.number32("k"))); },
      .make =
          [](const Parameters& p) {
            const std::uint32_t k = p.number32("k");
            if (!valid(k)) {
              throw InputError(fmt::format("topology oft: k-1 must be a prime power, not {}; nearest: {}",
                                           k - 1, nearest_valid("k", k, valid)));
            }
            return stacked_tree(ml3b_space(k), kCopies, placement_from(p, k));
          },
      .examples = {"oft:3", "oft:k=4,p=1", "oft:2"}};
}

}  // namespace unknot
