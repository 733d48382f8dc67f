// SPDX-License-Identifier: Apache-2.0
#include "unknot/topology/graphs/slimfly.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "unknot/network/builder.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/number.hpp"
#include "unknot/support/solve/galois_field.hpp"
#include "unknot/topology/families.hpp"
#include "unknot/topology/nearest_valid.hpp"
#include "unknot/topology/saturating.hpp"

namespace unknot {
namespace {

bool valid(std::uint32_t q) {
  return q != 2 && as_prime_power(q);
}

void check(std::uint32_t q) {
  if (valid(q)) return;
  throw InputError(fmt::format("topology slimfly: q must be a prime power other than 2, not {}; nearest: {}",
                               q, nearest_valid("q", q, valid)));
}

NetworkSize slimfly_size(std::uint32_t q, const TerminalPlacement& terminals) {
  const std::uint64_t routers = 2 * std::uint64_t{q} * q;
  return {routers, saturating_multiply(routers / 2, slimfly_degree(q)), terminals.total(routers)};
}

std::uint32_t primitive_element(const GaloisField& field, std::uint32_t xi) {
  if (xi == 0) return field.smallest_primitive();
  if (field.is_primitive(xi)) return xi;
  throw InputError(
      fmt::format("topology slimfly: xi={} is no primitive element of GF({}); nearest: {}", xi, field.order(),
                  nearest_valid("xi", xi, [&](std::uint32_t e) { return field.is_primitive(e); })));
}

SlimFlySets sets_of(const GaloisField& field, std::uint32_t xi) {
  const std::uint32_t q = field.order();
  SlimFlySets sets;
  const auto add = [&](std::vector<std::uint32_t>& set, std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t exponent = first; exponent <= last; exponent += 2)
      set.push_back(field.power(xi, exponent));
  };
  if (q % 4 == 3) {
    const std::uint32_t w = (q + 1) / 4;  // -1 is xi to the power of 2w - 1
    add(sets.x, 0, 2 * w - 2);
    add(sets.x, 2 * w - 1, 4 * w - 3);
    add(sets.x_prime, 1, 2 * w - 1);
    add(sets.x_prime, 2 * w, 4 * w - 2);
  } else {
    // of a power of two, xi to the power of q-1 is 1: that difference is in both sets
    add(sets.x, 0, q % 4 == 1 ? q - 3 : q - 2);
    add(sets.x_prime, 1, q % 4 == 1 ? q - 2 : q - 1);
  }
  return sets;
}

/// "floor" and "ceil" of half the degree, which the paper compares, or a number.
TerminalPlacement placement_of(const Parameters& p) {
  const std::string& each = p.text("p");
  if (each.empty() || p.has("terminals")) return placement_from(p);  // refuses both
  const std::uint32_t degree = slimfly_degree(p.number32("q"));
  if (each == "floor") return TerminalPlacement::each(degree / 2);
  if (each == "ceil") return TerminalPlacement::each((degree + 1) / 2);
  const auto number = number_in<std::uint32_t>(each);
  if (!number) {
    throw InputError(fmt::format("topology slimfly: p must be a number, floor or ceil, not '{}'", each));
  }
  return TerminalPlacement::each(*number);
}

SlimFlyParams params_from(const Parameters& p) {
  return {p.number32("q"), p.has("xi") ? p.number32("xi") : 0};
}

}  // namespace

std::uint32_t slimfly_degree(std::uint32_t q) {
  const std::uint64_t thrice = 3 * std::uint64_t{q};
  return static_cast<std::uint32_t>((q % 4 == 1 ? thrice - 1 : q % 4 == 3 ? thrice + 1 : thrice) / 2);
}

SlimFlySets slimfly_sets(const SlimFlyParams& params) {
  check(params.q);
  const GaloisField field(params.q);
  return sets_of(field, primitive_element(field, params.xi));
}

Network slimfly(const SlimFlyParams& params, const TerminalPlacement& terminals) {
  const std::uint32_t q = params.q;
  check(q);
  const GaloisField field(q);
  const SlimFlySets sets = sets_of(field, primitive_element(field, params.xi));
  const NetworkSize size = slimfly_size(q, terminals);
  const auto router = [q](std::uint32_t side, std::uint32_t column, std::uint32_t row) {
    return RouterId((side * q + column) * q + row);
  };
  NetworkBuilder builder;
  builder.reserve(size.routers, size.cables, size.terminals);
  builder.add_routers(static_cast<std::uint32_t>(size.routers));
  for (std::uint32_t side = 0; side < 2; ++side) {
    std::vector<bool> joined(q, false);
    for (const std::uint32_t difference : side == 0 ? sets.x : sets.x_prime) joined[difference] = true;
    for (std::uint32_t column = 0; column < q; ++column) {
      for (std::uint32_t row = 0; row < q; ++row) {
        // both sets hold the negative of each element, so the order of the two rows does not matter
        for (std::uint32_t other = row + 1; other < q; ++other) {
          if (joined[field.subtract(other, row)])
            builder.add_cable(router(side, column, row), router(side, column, other));
        }
      }
    }
  }
  for (std::uint32_t x = 0; x < q; ++x) {
    for (std::uint32_t y = 0; y < q; ++y) {
      for (std::uint32_t m = 0; m < q; ++m) {
        builder.add_cable(router(0, x, y), router(1, m, field.subtract(y, field.multiply(m, x))));
      }
    }
  }
  place_terminals(builder, RouterId(0), static_cast<std::uint32_t>(size.routers), terminals);
  return std::move(builder).build();
}

Topology slimfly_topology() {
  return {.name = "slimfly",
          .summary = "Slim Fly of a prime power q, 2 q^2 routers of diameter 2",
          .parameters = {{.name = "q", .help = "prime power other than 2", .min = 2},
                         {.name = "xi",
                          .help = "primitive element of GF(q); the smallest one without it",
                          .fallback = "",
                          .min = 1},
                         {.name = "p",
                          .kind = ParameterKind::text,
                          .help = "terminals on each router: a number, or floor or ceil of half the degree",
                          .fallback = ""}},
          .size = [](const Parameters& p) { return slimfly_size(p.number32("q"), placement_of(p)); },
          .make = [](const Parameters& p) { return slimfly(params_from(p), placement_of(p)); },
          .examples = {"slimfly:q=5,p=4", "slimfly:q=5,terminals=120", "slimfly:q=3", "slimfly:q=4,p=floor"},
          .known_cut =
              [](const Parameters& p) {
                // half the columns of each subgraph; of an odd number one more of the one than of the other
                const double q = p.number32("q");
                return std::optional(p.number("q") % 2 == 1 ? q * (q * q + 1) / 2 : q * q * q / 2);
              }};
}

}  // namespace unknot
