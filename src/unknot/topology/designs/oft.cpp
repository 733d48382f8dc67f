// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "unknot/support/error.hpp"
#include "unknot/support/solve/galois_field.hpp"
#include "unknot/topology/designs/linear_space.hpp"
#include "unknot/topology/families.hpp"
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

// Two-level orthogonal fat tree k-OFT of the k-ML3B table: leaves (0,i) are routers 0 .. k(k-1), leaves
// (2,i) follow, upper routers come last. k terminals a leaf by default; 3k^2-3k+3 routers of radix 2k.
// Counterparts (0,i) and (2,i) have k shortest paths, other leaves one. k - 1 must be a prime power.
// [Valerio et al. 1994; Kathareios et al. 2015, section 2.2.2]
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
