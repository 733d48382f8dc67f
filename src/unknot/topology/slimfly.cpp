// SPDX-License-Identifier: Apache-2.0
#include "unknot/topology/slimfly.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "unknot/network/builder.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/saturating.hpp"

namespace unknot {
namespace {

NetworkSize slimfly_size(std::uint64_t q, const TerminalPlacement& terminals) {
  const std::uint64_t routers = saturating_multiply(2, saturating_multiply(q, q));
  return {routers, saturating_multiply(routers, (3 * q - 1) / 2) / 2, terminals.total(routers)};
}

void check(std::uint32_t q) {
  bool prime = q > 1;
  for (std::uint32_t d = 2; d <= q / d && prime; ++d) prime = q % d != 0;
  if (!prime || q % 4 != 1) {
    throw InputError(
        fmt::format("topology slimfly: q must be a prime of the form 4w+1 (5, 13, 17, 29, ...), not {}", q));
  }
}

/// Exponent of each non-zero residue to the base of the smallest primitive root, modulo 2; [0] unused.
std::vector<bool> odd_powers(std::uint32_t q) {
  for (std::uint32_t root = 2;; ++root) {
    std::vector<bool> odd(q, false);
    std::uint64_t power = 1;
    std::uint32_t order = 0;
    do {
      odd[power] = order % 2 == 1;
      power = power * root % q;
      ++order;
    } while (power != 1);
    if (order == q - 1) return odd;
  }
}

}  // namespace

Network slimfly(std::uint32_t q, const TerminalPlacement& terminals) {
  check(q);
  const NetworkSize size = slimfly_size(q, terminals);
  const std::vector<bool> odd = odd_powers(q);
  const auto router = [q](std::uint32_t side, std::uint32_t column, std::uint32_t row) {
    return RouterId((side * q + column) * q + row);
  };
  NetworkBuilder builder;
  builder.reserve(size.routers, size.cables, size.terminals);
  builder.add_routers(static_cast<std::uint32_t>(size.routers));
  for (std::uint32_t side = 0; side < 2; ++side) {
    for (std::uint32_t column = 0; column < q; ++column) {
      for (std::uint32_t row = 0; row < q; ++row) {
        // -1 is an even power when q = 1 mod 4, so the order of the two rows does not matter.
        for (std::uint32_t other = row + 1; other < q; ++other) {
          if (odd[other - row] == (side == 1)) {
            builder.add_cable(router(side, column, row), router(side, column, other));
          }
        }
      }
    }
  }
  for (std::uint32_t x = 0; x < q; ++x) {
    for (std::uint32_t y = 0; y < q; ++y) {
      for (std::uint32_t m = 0; m < q; ++m) {
        const auto product = static_cast<std::uint32_t>(std::uint64_t{m} * x % q);
        builder.add_cable(router(0, x, y), router(1, m, (y + q - product) % q));
      }
    }
  }
  place_terminals(builder, RouterId(0), static_cast<std::uint32_t>(size.routers), terminals);
  return std::move(builder).build();
}

Topology slimfly_topology() {
  return {.name = "slimfly",
          .summary = "Slim Fly of a prime q = 1 mod 4, 2 q^2 routers of diameter 2",
          .parameters = {{.name = "q", .help = "prime of the form 4w+1", .min = 2}},
          .size = [](const Parameters& p) { return slimfly_size(p.number("q"), placement_from(p)); },
          .make = [](const Parameters& p) { return slimfly(p.number32("q"), placement_from(p)); },
          .examples = {"slimfly:q=5,p=4", "slimfly:q=5,terminals=120"}};
}

}  // namespace unknot
