// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "unknot/network/builder.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/solve/galois_field.hpp"
#include "unknot/topology/families.hpp"
#include "unknot/topology/nearest_valid.hpp"
#include "unknot/topology/saturating.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {
namespace {

/// A matrix of two rows over the integers modulo q, row by row.
using Matrix = std::array<std::uint32_t, 4>;

/// By Euler: the power (q - 1) / 2 of a square is 1.
bool is_square(std::uint64_t value, std::uint32_t q) {
  std::uint64_t result = 1;
  value %= q;
  for (std::uint32_t exponent = (q - 1) / 2; exponent != 0; exponent /= 2, value = value * value % q) {
    if (exponent % 2 == 1) result = result * value % q;
  }
  return result == 1;
}

/// Invertible matrices up to a factor, as numbers: the first entry that is not 0 is made 1.
class ProjectiveGroup {
 public:
  explicit ProjectiveGroup(std::uint32_t q) : q_(q), inverse_(q, 0) {
    if (q > 1) inverse_[1] = 1;
    for (std::uint32_t a = 2; a < q; ++a)
      inverse_[a] = static_cast<std::uint32_t>(std::uint64_t{q - q / a} * inverse_[q % a] % q);
  }

  [[nodiscard]] std::size_t codes() const { return std::size_t{q_} * q_ * q_ + std::size_t{q_} * q_; }
  [[nodiscard]] std::size_t code(const Matrix& m) const {
    const std::uint64_t q = q_;
    if (m[0] != 0) {
      const std::uint64_t f = inverse_[m[0]];
      return static_cast<std::size_t>((m[1] * f % q * q + m[2] * f % q) * q + m[3] * f % q);
    }
    const std::uint64_t f = inverse_[m[1]];
    return static_cast<std::size_t>(q * q * q + m[2] * f % q * q + m[3] * f % q);
  }
  [[nodiscard]] Matrix matrix(std::size_t code) const {
    const std::size_t q = q_;
    const auto digit = [q](std::size_t number) { return static_cast<std::uint32_t>(number % q); };
    if (code < q * q * q) return {1, digit(code / q / q), digit(code / q), digit(code)};
    code -= q * q * q;
    return {0, 1, digit(code / q), digit(code)};
  }
  [[nodiscard]] Matrix product(const Matrix& a, const Matrix& b) const {
    const auto entry = [&](std::size_t row, std::size_t column) {
      return static_cast<std::uint32_t>(
          (std::uint64_t{a[2 * row]} * b[column] + std::uint64_t{a[2 * row + 1]} * b[2 + column]) % q_);
    };
    return {entry(0, 0), entry(0, 1), entry(1, 0), entry(1, 1)};
  }

 private:
  std::uint32_t q_;
  std::vector<std::uint32_t> inverse_;
};

/// Quaternions of norm p, one of each two opposite ones: a0 odd and positive, the others even, for p = 1 mod
/// 4; a0 even, the others odd, for p = 3 mod 4. There are p + 1 of them (Jacobi).
std::vector<std::array<std::int64_t, 4>> quaternions(std::int64_t p) {
  std::vector<std::array<std::int64_t, 4>> all;
  std::int64_t root = 0;
  while ((root + 1) * (root + 1) <= p) ++root;
  const bool one = p % 4 == 1;
  for (std::int64_t a = 0; a <= root; ++a) {
    if ((a % 2 == 1) != one) continue;
    for (std::int64_t b = -root; b <= root; ++b) {
      for (std::int64_t c = -root; c <= root; ++c) {
        const std::int64_t rest = p - a * a - b * b - c * c;
        if (rest < 0) continue;
        for (std::int64_t d = -root; d <= root; ++d) {
          if (d * d != rest) continue;
          const auto even = [](std::int64_t v) { return v % 2 == 0; };
          if (even(b) != one || even(c) != one || even(d) != one) continue;
          if (a == 0 && b < 0) continue;  // b is odd here: the opposite one is taken
          all.push_back({a, b, c, d});
        }
      }
    }
  }
  return all;
}

std::vector<Matrix> generators(std::uint32_t p, std::uint32_t q) {
  // x^2 + y^2 + 1 = 0 has a solution for every odd prime
  std::int64_t x = 0;
  std::int64_t y = 0;
  for (x = 0; x < q; ++x) {
    for (y = 0; y < q && (x * x + y * y + 1) % q != 0;) ++y;
    if (y < q) break;
  }
  const auto modulo = [q](std::int64_t value) {
    const std::int64_t rest = value % std::int64_t{q};
    return static_cast<std::uint32_t>(rest < 0 ? rest + q : rest);
  };
  std::vector<Matrix> all;
  for (const auto& [a, b, c, d] : quaternions(p)) {
    all.push_back({modulo(a + b * x + d * y), modulo(-b * y + c + d * x), modulo(-b * y - c + d * x),
                   modulo(a - b * x - d * y)});
  }
  return all;
}

struct Primes {
  std::uint32_t p, q;
};

/// q > 2 sqrt(p) keeps the graph free of parallel cables.
bool valid(const Primes& primes) {
  return primes.p > 2 && primes.q > 2 && primes.p != primes.q && is_prime(primes.p) && is_prime(primes.q) &&
         std::uint64_t{primes.q} * primes.q > 4 * std::uint64_t{primes.p};
}

void check(const Primes& primes) {
  if (valid(primes)) return;
  const auto odd_prime = [](std::uint32_t v) { return v > 2 && is_prime(v); };
  if (!odd_prime(primes.p)) {
    throw InputError(fmt::format("topology spectralfly: p must be an odd prime, not {}; nearest: {}",
                                 primes.p, nearest_valid("p", primes.p, odd_prime)));
  }
  throw InputError(fmt::format(
      "topology spectralfly: q must be an odd prime other than p and above 2 sqrt(p), not {}; nearest: {}",
      primes.q, nearest_valid("q", primes.q, [&](std::uint32_t q) {
        return valid({primes.p, q});
      })));
}

NetworkSize spectralfly_size(const Primes& primes, const TerminalPlacement& terminals) {
  const std::uint64_t q = primes.q;
  const std::uint64_t all = saturating_multiply(q, saturating_multiply(q, q) - (q > 1 ? 1 : 0));
  const std::uint64_t routers = is_square(primes.p, primes.q) ? all / 2 : all;
  return {routers, saturating_multiply(routers, std::uint64_t{primes.p} + 1) / 2, terminals.total(routers)};
}

Network spectralfly(const Primes& primes, const TerminalPlacement& terminals) {
  check(primes);
  const NetworkSize size = spectralfly_size(primes, terminals);
  const ProjectiveGroup group(primes.q);
  const std::vector<Matrix> steps = generators(primes.p, primes.q);
  NetworkBuilder builder;
  builder.reserve(size.routers, size.cables, size.terminals);
  builder.add_routers(static_cast<std::uint32_t>(size.routers));
  constexpr std::uint32_t kUnseen = 0xFFFFFFFFU;
  std::vector<std::uint32_t> number(group.codes(), kUnseen);
  std::vector<std::size_t> found{group.code({1, 0, 0, 1})};
  found.reserve(size.routers);
  number[found[0]] = 0;
  for (std::uint32_t r = 0; r < found.size(); ++r) {
    const Matrix here = group.matrix(found[r]);
    for (const Matrix& step : steps) {
      const std::size_t code = group.code(group.product(here, step));
      if (number[code] == kUnseen) {
        number[code] = static_cast<std::uint32_t>(found.size());
        found.push_back(code);
      }
      if (r < number[code]) builder.add_cable(RouterId(r), RouterId(number[code]));
    }
  }
  place_terminals(builder, RouterId(0), static_cast<std::uint32_t>(size.routers), terminals);
  return std::move(builder).build();
}

Primes primes_from(const Parameters& p) {
  return {p.number32("p"), p.number32("q")};
}

TerminalPlacement placement(const Parameters& p) {
  return placement_from(p, 1, "each");  // p is a prime here
}

}  // namespace

// SpectralFly: the Ramanujan graph of Lubotzky, Phillips and Sarnak for two odd primes p and q, q > 2
// sqrt(p). Routers are the matrices of PGL(2,q), or of PSL(2,q) where p is a square modulo q: q (q^2 - 1) or
// half as many; each has p + 1 cables, to its products with the p + 1 quaternions of norm p. Numbered
// breadth-first from the identity. "p" is the prime here: "each" puts terminals on each router. [Lubotzky,
// Phillips, Sarnak 1988; Davidoff, Sarnak, Valette 2003; Young et al. 2022]
Topology spectralfly_topology() {
  return {.name = "spectralfly",
          .summary = "SpectralFly, the Ramanujan graph LPS(p,q) of degree p + 1",
          .parameters = {{.name = "p", .help = "odd prime; p + 1 cables a router", .min = 2, .max = 60'000},
                         {.name = "q", .help = "another odd prime, above 2 sqrt(p)", .min = 2, .max = 60'000},
                         {.name = "each", .help = "terminals on each router", .fallback = ""}},
          .size = [](const Parameters& p) { return spectralfly_size(primes_from(p), placement(p)); },
          .make = [](const Parameters& p) { return spectralfly(primes_from(p), placement(p)); },
          .examples = {"spectralfly:p=3,q=5,terminals=24"}};
}

}  // namespace unknot
