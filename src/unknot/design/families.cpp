// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "unknot/design/design.hpp"
#include "unknot/support/solve/galois_field.hpp"
#include "unknot/topology/designs/linear_space.hpp"
#include "unknot/topology/graphs/slimfly.hpp"

namespace unknot {
namespace {

using Choices = std::vector<DesignChoice>;

Choices fattree2(std::uint32_t radix) {
  radix -= radix % 2;
  if (radix < 2) return {};
  return {{fmt::format("fattree2:{}", radix), radix, 2}};
}

Choices fattree3(std::uint32_t radix) {
  radix -= radix % 2;
  if (radix < 2) return {};
  return {{fmt::format("fattree3:{}", radix), radix, 4}};
}

/// Sides that differ by one at most, and at most as many terminals as balance a full mesh: side - 1.
Choices hyperx(std::uint32_t radix, std::uint32_t dimensions) {
  Choices all;
  for (std::uint32_t side = 2; dimensions * (side - 1) < radix; ++side) {
    for (std::uint32_t longer = 0; longer < dimensions; ++longer) {
      const std::uint32_t degree = dimensions * (side - 1) + longer;
      if (degree >= radix) continue;
      const std::uint32_t p = std::min(side - 1, radix - degree);
      std::string dims;
      for (std::uint32_t d = 0; d < dimensions; ++d)
        dims += fmt::format("{}{}", d == 0 ? "" : "x", d < longer ? side + 1 : side);
      all.push_back({fmt::format("hyperx:{},p={}", dims, p), degree + p, dimensions});
    }
  }
  return all;
}

struct SlimFly {
  std::uint32_t q, degree, p;
};

/// Slim Flies of at most `radix` ports. Terminals on a router: half the degree, rounded down or up; where
/// that does not fit, what the radix leaves, or nothing unless `fill`.
std::vector<SlimFly> slim_flies(std::uint32_t radix, bool fill, bool up) {
  std::vector<SlimFly> all;
  for (std::uint32_t q = 3; slimfly_degree(q) < radix; ++q) {
    if (!as_prime_power(q)) continue;
    const std::uint32_t degree = slimfly_degree(q);
    const std::uint32_t p = up ? (degree + 1) / 2 : degree / 2;
    if (degree + p <= radix || fill) all.push_back({q, degree, std::min(p, radix - degree)});
  }
  return all;
}

Choices slimfly(std::uint32_t radix, bool fill, bool up) {
  Choices all;
  for (const SlimFly& fly : slim_flies(radix, fill, up))
    all.push_back({fmt::format("slimfly:q={},p={}", fly.q, fly.p), fly.degree + fly.p, 2});
  return all;
}

Choices oft(std::uint32_t radix) {
  Choices all;
  for (std::uint32_t k = 2; 2 * k <= radix; ++k) {
    if (k == 2 || as_prime_power(k - 1)) all.push_back({fmt::format("oft:{}", k), 2 * k, 2});
  }
  return all;
}

Choices mlfm(std::uint32_t radix) {
  Choices all;
  for (std::uint32_t h = 2; 2 * h <= radix; ++h) {
    all.push_back({fmt::format("mlfm:{}", h), 2 * h, 2});
  }
  return all;
}

/// Designs between the two: blocks of more than two points that are no projective plane.
Choices sspt(std::uint32_t radix) {
  Choices all;
  for (std::uint32_t r1 = 3; 2 * r1 <= radix; ++r1) {
    for (std::uint32_t r2 = 3; r2 < r1; ++r2) {
      if (known_design(r1, r2).empty() || std::uint64_t{r1} * r2 > 60'000) continue;
      all.push_back({fmt::format("sspt:r1={},r2={}", r1, r2), 2 * r1, 2});
    }
  }
  return all;
}

/// a = 2h = 2p, which balances local and global cables. [Kim et al. 2008]
Choices dragonfly(std::uint32_t radix) {
  Choices all;
  for (std::uint32_t h = 1; 4 * h - 1 <= radix; ++h)
    all.push_back({fmt::format("dragonfly:a={},h={},p={}", 2 * h, h, h), 4 * h - 1, 3});
  return all;
}

/// Half the ports of a router up, half down, on leaves and spines. [Shpiner et al. 2017]
Choices dragonflyplus(std::uint32_t radix) {
  Choices all;
  for (std::uint32_t h = 1; 2 * h <= radix; ++h)
    all.push_back({fmt::format("dragonflyplus:leaves={},spines={},h={},p={}", h, h, h, h), 2 * h, 3});
  return all;
}

/// Half as many terminals as cables. [Lakhotia et al. 2022]
Choices polarfly(std::uint32_t radix) {
  Choices all;
  for (std::uint32_t q = 2; q + 1 + (q + 1) / 2 <= radix; ++q) {
    const std::uint32_t p = (q + 1) / 2;
    if (as_prime_power(q)) all.push_back({fmt::format("polarfly:q={},p={}", q, p), q + 1 + p, 2});
  }
  return all;
}

/// The smallest q for each p, which keeps the diameter near 3, and half as many terminals as cables.
Choices spectralfly(std::uint32_t radix) {
  Choices all;
  for (std::uint32_t p = 3; p + 1 + (p + 1) / 2 <= radix; p += 2) {
    if (!is_prime(p)) continue;
    auto q = static_cast<std::uint32_t>(2 * std::sqrt(static_cast<double>(p)));
    while (q == p || std::uint64_t{q} * q <= 4 * std::uint64_t{p} || q < 3 || !is_prime(q)) ++q;
    all.push_back(
        {fmt::format("spectralfly:p={},q={},each={}", p, q, (p + 1) / 2), p + 1 + (p + 1) / 2, std::nullopt});
  }
  return all;
}

/// Random graphs of the routers, cables and terminals of each Slim Fly: equal cost.
Choices jellyfish(std::uint32_t radix) {
  Choices all;
  for (const SlimFly& fly : slim_flies(radix, true, true)) {
    all.push_back({fmt::format("jellyfish:routers={},degree={},p={}", 2 * fly.q * fly.q, fly.degree, fly.p),
                   fly.degree + fly.p, std::nullopt});
  }
  return all;
}

/// Lifts of a complete graph with the degree of each Slim Fly and about as many routers: nearly equal cost.
Choices xpander(std::uint32_t radix) {
  Choices all;
  for (const SlimFly& fly : slim_flies(radix, true, true)) {
    const std::uint32_t lift = (2 * fly.q * fly.q + fly.degree / 2) / (fly.degree + 1);
    all.push_back({fmt::format("xpander:degree={},lift={},p={}", fly.degree, lift, fly.p), fly.degree + fly.p,
                   std::nullopt});
  }
  return all;
}

}  // namespace

const std::vector<DesignFamily>& design_families() {
  static const std::vector<DesignFamily> rows{
      {"fattree2", "fat tree of two levels", fattree2},
      {"fattree3", "fat tree of three levels", fattree3},
      {"hyperx2", "HyperX of two dimensions, at most side - 1 terminals a router",
       [](std::uint32_t radix) { return hyperx(radix, 2); }},
      {"hyperx3", "HyperX of three dimensions, at most side - 1 terminals a router",
       [](std::uint32_t radix) { return hyperx(radix, 3); }},
      {"slimfly", "Slim Fly, at most half the degree, rounded up, in terminals a router",
       [](std::uint32_t radix) { return slimfly(radix, true, true); }},
      {"slimfly-floor", "Slim Fly, half the degree, rounded down, in terminals a router",
       [](std::uint32_t radix) { return slimfly(radix, false, false); }},
      {"slimfly-ceil", "Slim Fly, half the degree, rounded up, in terminals a router",
       [](std::uint32_t radix) { return slimfly(radix, false, true); }},
      {"oft", "orthogonal fat tree of two levels", oft},
      {"mlfm", "multi-layer full mesh, l = p = h", mlfm},
      {"sspt", "stacked single-path tree on another block design", sspt},
      {"dragonfly", "dragonfly with a = 2h = 2p", dragonfly},
      {"dragonflyplus", "dragonfly+ with half the ports of each router up and half down", dragonflyplus},
      {"polarfly", "PolarFly, half the degree in terminals a router", polarfly},
      {"spectralfly", "SpectralFly, half the degree in terminals a router, the smallest q", spectralfly},
      {"jellyfish", "random graph of the cost of a Slim Fly", jellyfish},
      {"xpander", "Xpander of nearly the cost of a Slim Fly", xpander},
  };
  return rows;
}

}  // namespace unknot
