// SPDX-License-Identifier: Apache-2.0
#include "unknot/topology/polarfly.hpp"

#include <fmt/format.h>

#include <utility>

#include "unknot/network/builder.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/galois_field.hpp"
#include "unknot/topology/nearest_valid.hpp"
#include "unknot/topology/saturating.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {
namespace {

NetworkSize polarfly_size(std::uint64_t q, const TerminalPlacement& terminals) {
  const std::uint64_t routers = q * q + q + 1;
  return {routers, saturating_multiply(q * (q + 1), q + 1) / 2, terminals.total(routers)};
}

Network polarfly(std::uint32_t q, const TerminalPlacement& terminals) {
  const GaloisField field(q);
  const NetworkSize size = polarfly_size(q, terminals);
  NetworkBuilder builder;
  builder.reserve(size.routers, size.cables, size.terminals);
  const auto routers = static_cast<std::uint32_t>(size.routers);
  builder.add_routers(routers);
  const std::uint32_t infinity = q * q;  // first of the points (0,1,z)
  for (std::uint32_t r = 0; r < routers; ++r) {
    // the points on the line a x + b y + c z = 0; each cable is laid from its lower end
    const std::uint32_t a = r < infinity ? 1 : 0;
    const std::uint32_t b = r < infinity ? r / q : r < infinity + q ? 1 : 0;
    const std::uint32_t c = r < infinity ? r % q : r < infinity + q ? r - infinity : 1;
    const auto lay = [&](std::uint32_t far) {
      if (r < far) builder.add_cable(RouterId(r), RouterId(far));
    };
    const auto minus_over = [&](std::uint32_t value, std::uint32_t by) {
      return field.multiply(field.subtract(0, value), field.inverse(by));
    };
    if (c != 0) {
      for (std::uint32_t y = 0; y < q; ++y) lay(y * q + minus_over(field.add(a, field.multiply(b, y)), c));
      lay(infinity + minus_over(b, c));
      continue;
    }
    if (b != 0) {
      const std::uint32_t y = minus_over(a, b);
      for (std::uint32_t z = 0; z < q; ++z) lay(y * q + z);
    } else {
      for (std::uint32_t z = 0; z < q; ++z) lay(infinity + z);
    }
    lay(infinity + q);
  }
  place_terminals(builder, RouterId(0), routers, terminals);
  return std::move(builder).build();
}

}  // namespace

Topology polarfly_topology() {
  return {
      .name = "polarfly",
      .summary = "PolarFly of a prime power q, q^2 + q + 1 routers of diameter 2",
      .parameters = {{.name = "q", .help = "prime power", .min = 2, .max = 60'000}},
      .size = [](const Parameters& p) { return polarfly_size(p.number("q"), placement_from(p)); },
      .make =
          [](const Parameters& p) {
            const std::uint32_t q = p.number32("q");
            const auto valid = [](std::uint32_t v) { return static_cast<bool>(as_prime_power(v)); };
            if (!valid(q)) {
              throw InputError(fmt::format("topology polarfly: q must be a prime power, not {}; nearest: {}",
                                           q, nearest_valid("q", q, valid)));
            }
            return polarfly(q, placement_from(p));
          },
      .examples = {"polarfly:q=3,p=2", "polarfly:q=4,p=1"}};
}

}  // namespace unknot
