// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "unknot/design/choices.hpp"
#include "unknot/support/solve/galois_field.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/topology/graphs/slimfly.hpp"

// Networks with terminals on every router.

namespace unknot {
namespace {

/// Every router has `degree` cables and terminals.
DesignChoice regular(std::string (*spec)(const ChoiceParameters&), const ChoiceParameters& parameters,
                     std::uint64_t routers, std::uint32_t degree, double balanced) {
  return {.spec = spec,
          .parameters = parameters,
          .carriers = routers,
          .routers = routers,
          .cables = routers * degree / 2,
          .degree = degree,
          .balanced = balanced};
}

std::string hyperx2_spec(const ChoiceParameters& at) {
  return fmt::format("hyperx:{}x{}", at[0], at[1]);
}

std::string hyperx3_spec(const ChoiceParameters& at) {
  return fmt::format("hyperx:{}x{}x{}", at[0], at[1], at[2]);
}

/// Longest side first, as the spec has them.
void offer_hyperx(const DesignRule& rule, std::uint32_t longest, std::uint32_t middle, std::uint32_t shortest,
                  const VisitChoice& visit) {
  const bool flat = middle == 0;
  const std::uint32_t degree = longest + shortest - 2 + (flat ? 0 : middle - 1);
  if (degree >= rule.radix) return;
  const std::uint64_t routers = std::uint64_t{longest} * shortest * (flat ? 1 : middle);
  if (flat)
    return offer(rule, regular(hyperx2_spec, {longest, shortest}, routers, degree, shortest - 1), visit);
  DesignChoice cube = regular(hyperx3_spec, {longest, middle, shortest}, routers, degree, shortest - 1);
  cube.near = routers - std::uint64_t{longest - 1} * (middle - 1) * (shortest - 1);
  cube.far = 3;
  offer(rule, cube, visit);
}

std::string slimfly_spec(const ChoiceParameters& at) {
  return fmt::format("slimfly:q={}", at[0]);
}

std::string jellyfish_spec(const ChoiceParameters& at) {
  return fmt::format("jellyfish:routers={},degree={}", at[0], at[1]);
}

std::string xpander_spec(const ChoiceParameters& at) {
  return fmt::format("xpander:degree={},lift={}", at[0], at[1]);
}

struct SlimFly {
  std::uint32_t q, degree;
  [[nodiscard]] std::uint32_t routers() const { return 2 * q * q; }
  [[nodiscard]] std::uint32_t half_up() const { return (degree + 1) / 2; }
};

std::vector<SlimFly> slim_flies(std::uint32_t radix) {
  std::vector<SlimFly> all;
  for (std::uint32_t q = 3; slimfly_degree(q) < radix; ++q) {
    if (as_prime_power(q)) all.push_back({q, slimfly_degree(q)});
  }
  return all;
}

/// Half the degree, rounded down or up, and nothing where the radix has no ports for all of them.
void whole_slim_flies(const DesignRule& rule, bool up, const VisitChoice& visit) {
  for (const SlimFly& fly : slim_flies(rule.radix)) {
    const std::uint32_t half = up ? fly.half_up() : fly.degree / 2;
    if (std::floor(half * rule.oversubscription + 1e-9) + fly.degree > rule.radix) continue;
    offer(rule, regular(slimfly_spec, {fly.q}, fly.routers(), fly.degree, half), visit);
  }
}

}  // namespace

std::uint32_t most_terminals(const DesignRule& rule, double balanced, std::uint32_t degree) {
  if (degree >= rule.radix) return 0;
  const double allowed = std::floor(balanced * rule.oversubscription + 1e-9);
  return static_cast<std::uint32_t>(std::min<double>(allowed, rule.radix - degree));
}

std::uint32_t least_balanced(const DesignRule& rule, std::uint32_t terminals) {
  return std::max(1U, static_cast<std::uint32_t>(std::ceil(terminals / rule.oversubscription - 1e-9)));
}

void offer(const DesignRule& rule, DesignChoice choice, const VisitChoice& visit) {
  choice.most = most_terminals(rule, choice.balanced, choice.degree);
  const std::uint64_t each = rule.terminals == 0 ? choice.most : quotient_up(rule.terminals, choice.carriers);
  if (each == 0 || each > choice.most || choice.widest > rule.radix) return;
  choice.each = static_cast<std::uint32_t>(each);
  visit(choice);
}

/// At most as many terminals as balance a full mesh along the shortest side.
void hyperx2_choices(const DesignRule& rule, const VisitChoice& visit) {
  for (std::uint32_t shortest = 2; 2 * (shortest - 1) < rule.radix; ++shortest) {
    for (std::uint32_t longest = shortest; longest + shortest - 2 < rule.radix; ++longest)
      offer_hyperx(rule, longest, 0, shortest, visit);
  }
}

/// No side more than twice as long as the shortest.
void hyperx3_choices(const DesignRule& rule, const VisitChoice& visit) {
  for (std::uint32_t shortest = 2; 3 * (shortest - 1) < rule.radix; ++shortest) {
    for (std::uint32_t middle = shortest; middle <= 2 * shortest; ++middle) {
      for (std::uint32_t longest = middle;
           longest <= 2 * shortest && shortest + middle + longest - 3 < rule.radix; ++longest)
        offer_hyperx(rule, longest, middle, shortest, visit);
    }
  }
}

void slimfly_choices(const DesignRule& rule, const VisitChoice& visit) {
  for (const SlimFly& fly : slim_flies(rule.radix))
    offer(rule, regular(slimfly_spec, {fly.q}, fly.routers(), fly.degree, fly.half_up()), visit);
}

void slimfly_floor_choices(const DesignRule& rule, const VisitChoice& visit) {
  whole_slim_flies(rule, false, visit);
}

void slimfly_ceil_choices(const DesignRule& rule, const VisitChoice& visit) {
  whole_slim_flies(rule, true, visit);
}

void polarfly_choices(const DesignRule& rule, const VisitChoice& visit) {
  for (std::uint32_t q = 2; q + 1 < rule.radix; ++q) {
    if (!as_prime_power(q)) continue;
    const std::uint64_t routers = std::uint64_t{q} * q + q + 1;
    const std::uint32_t half = (q + 1) / 2;
    DesignChoice choice =
        regular([](const ChoiceParameters& at) { return fmt::format("polarfly:q={}", at[0]); }, {q}, routers,
                q + 1, half);
    choice.cables = std::uint64_t{q} * (q + 1) * (q + 1) / 2;  // q + 1 routers have one less
    offer(rule, choice, visit);
  }
}

/// Inductive quads, and Paley graphs of more than one vertex; a third of the degree in terminals, as the
/// diameter is 3.
void polarstar_choices(const DesignRule& rule, const VisitChoice& visit) {
  const auto spec = [](const ChoiceParameters& at) {
    return fmt::format("polarstar:q={},d={}{}", at[0], at[1], at[2] == 1 ? ",supernode=paley" : "");
  };
  for (std::uint32_t q = 2; q + 1 < rule.radix; ++q) {
    if (!as_prime_power(q)) continue;
    const std::uint64_t points = std::uint64_t{q} * q + q + 1;
    for (std::uint32_t d = 0; d + q + 1 < rule.radix; ++d) {
      const std::uint32_t degree = q + 1 + d;
      const std::uint32_t third = degree / 3;
      if (d % 4 == 0 || d % 4 == 3)
        offer(rule, regular(spec, {q, d}, points * (2 * d + 2), degree, third), visit);
      if (d == 0 || d % 2 == 1 || !as_prime_power(2 * d + 1)) continue;
      DesignChoice paley = regular(spec, {q, d, 1}, points * (2 * d + 1), degree, third);
      paley.cables = (points * d + std::uint64_t{q} * (q + 1) * (q + 1)) * (2 * d + 1) / 2;
      offer(rule, paley, visit);
    }
  }
}

/// Slim Flies of Paley graphs of more than one vertex; a third of the degree in terminals, as the diameter
/// is 3.
void bundlefly_choices(const DesignRule& rule, const VisitChoice& visit) {
  const auto spec = [](const ChoiceParameters& at) {
    return fmt::format("bundlefly:q={},d={}", at[0], at[1]);
  };
  for (const SlimFly& fly : slim_flies(rule.radix)) {
    for (std::uint32_t d = 2; d + fly.degree < rule.radix; d += 2) {
      if (!as_prime_power(2 * d + 1)) continue;
      const std::uint32_t degree = fly.degree + d;
      const std::uint32_t third = degree / 3;
      offer(rule, regular(spec, {fly.q, d}, std::uint64_t{fly.routers()} * (2 * d + 1), degree, third),
            visit);
    }
  }
}

/// The smallest q for each p, which keeps the diameter near 3.
void spectralfly_choices(const DesignRule& rule, const VisitChoice& visit) {
  for (std::uint32_t p = 3; p + 1 < rule.radix; p += 2) {
    if (!is_prime(p)) continue;
    auto q = static_cast<std::uint32_t>(2 * std::sqrt(static_cast<double>(p)));
    while (q == p || std::uint64_t{q} * q <= 4 * std::uint64_t{p} || q < 3 || !is_prime(q)) ++q;
    const auto spec = [](const ChoiceParameters& at) {
      return fmt::format("spectralfly:p={},q={}", at[0], at[1]);
    };
    const std::uint32_t half = (p + 1) / 2;
    offer(rule, regular(spec, {p, q}, network_size(spec({p, q})).routers, p + 1, half), visit);
  }
}

/// Random graphs of the degree and at most the routers of each Slim Fly: equal cost.
void jellyfish_choices(const DesignRule& rule, const VisitChoice& visit) {
  for (const SlimFly& fly : slim_flies(rule.radix)) {
    std::uint32_t routers = fly.routers();
    if (rule.terminals != 0) {
      const std::uint32_t most = most_terminals(rule, fly.half_up(), fly.degree);
      if (most == 0) continue;
      const std::uint64_t needed = std::max<std::uint64_t>(quotient_up(rule.terminals, most), fly.degree + 1);
      if (needed > routers) continue;
      routers = static_cast<std::uint32_t>(needed + needed * fly.degree % 2);
    }
    offer(rule, regular(jellyfish_spec, {routers, fly.degree}, routers, fly.degree, fly.half_up()), visit);
  }
}

/// Lifts of a complete graph of the degree and at most about the routers of each Slim Fly: nearly equal cost.
void xpander_choices(const DesignRule& rule, const VisitChoice& visit) {
  for (const SlimFly& fly : slim_flies(rule.radix)) {
    std::uint32_t lift = (fly.routers() + fly.degree / 2) / (fly.degree + 1);
    if (rule.terminals != 0) {
      const std::uint64_t most = most_terminals(rule, fly.half_up(), fly.degree);
      if (most == 0) continue;
      const std::uint64_t needed = quotient_up(rule.terminals, most * (fly.degree + 1));
      if (needed > lift) continue;
      lift = static_cast<std::uint32_t>(needed);
    }
    const std::uint64_t routers = std::uint64_t{lift} * (fly.degree + 1);
    offer(rule, regular(xpander_spec, {fly.degree, lift}, routers, fly.degree, fly.half_up()), visit);
  }
}

}  // namespace unknot
