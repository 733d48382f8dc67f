// SPDX-License-Identifier: Apache-2.0
#include "unknot/topology/designs/block_designs.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>
#include <vector>

#include "unknot/support/error.hpp"
#include "unknot/support/solve/galois_field.hpp"
#include "unknot/topology/designs/space_builder.hpp"

namespace unknot {
namespace {

constexpr std::uint64_t kMostPoints = 60'000;

void refuse_beyond(std::uint64_t points) {
  if (points <= kMostPoints) return;
  throw InputError(fmt::format("topology sspt: a design of {} points is too large to be made; at most {}",
                               points, kMostPoints));
}

/// The lines through the points 0 .. points-1, where line(a, b) gives all points of the line through two.
template <class Line>
LinearSpace all_lines(std::uint32_t points, std::uint32_t block_size, const Line& line) {
  SpaceBuilder builder(points);
  std::vector<bool> joined(std::size_t{points} * points, false);
  for (std::uint32_t a = 0; a < points; ++a) {
    for (std::uint32_t b = a + 1; b < points; ++b) {
      if (joined[std::size_t{a} * points + b]) continue;
      const std::vector<std::uint32_t> block = line(a, b);
      builder.add(block);
      for (const std::uint32_t one : block) {
        for (const std::uint32_t other : block) joined[std::size_t{one} * points + other] = true;
      }
    }
  }
  return builder.build(block_size);
}

/// Vectors over GF(q) as numbers, a coordinate a digit to the base q, the first the lowest.
class Vectors {
 public:
  Vectors(const GaloisField& field, std::uint32_t length) : field_(field), length_(length) {}

  /// a + factor * b
  [[nodiscard]] std::uint32_t add_multiple(std::uint32_t a, std::uint32_t factor, std::uint32_t b) const {
    const std::uint32_t q = field_.order();
    std::uint32_t sum = 0;
    std::uint32_t place = 1;
    for (std::uint32_t i = 0; i < length_; ++i, place *= q)
      sum += field_.add(a / place % q, field_.multiply(factor, b / place % q)) * place;
    return sum;
  }
  /// The multiple whose last coordinate other than 0 is 1.
  [[nodiscard]] std::uint32_t normal(std::uint32_t vector) const {
    const std::uint32_t q = field_.order();
    std::uint32_t last = vector;
    while (last >= q) last /= q;
    return last == 0 ? 0 : add_multiple(0, field_.inverse(last), vector);
  }
  [[nodiscard]] std::uint32_t coordinate(std::uint32_t vector, std::uint32_t i) const {
    for (; i > 0; --i) vector /= field_.order();
    return vector % field_.order();
  }

 private:
  const GaloisField& field_;
  std::uint32_t length_;
};

std::uint64_t power(std::uint64_t base, std::uint32_t exponent) {
  std::uint64_t result = 1;
  for (; exponent > 0 && result <= kMostPoints * kMostPoints; --exponent) result *= base;
  return result;
}

/// Points of a projective space, those of `take` alone, and the lines between them.
template <class Take>
LinearSpace lines_of(const GaloisField& field, std::uint32_t length, std::uint32_t block_size,
                     const Take& take) {
  const Vectors vectors(field, length);
  const auto all = static_cast<std::uint32_t>(power(field.order(), length));
  constexpr std::uint32_t kOut = 0xFFFFFFFFU;
  std::vector<std::uint32_t> points;
  std::vector<std::uint32_t> index(all, kOut);
  for (std::uint32_t v = 1; v < all; ++v) {
    if (vectors.normal(v) != v || !take(vectors, v)) continue;
    index[v] = static_cast<std::uint32_t>(points.size());
    points.push_back(v);
  }
  return all_lines(
      static_cast<std::uint32_t>(points.size()), block_size, [&](std::uint32_t a, std::uint32_t b) {
        std::vector<std::uint32_t> line{a};
        for (std::uint32_t factor = 0; factor < field.order(); ++factor) {
          const std::uint32_t at = index[vectors.normal(vectors.add_multiple(points[b], factor, points[a]))];
          if (at != kOut) line.push_back(at);
        }
        return line;
      });
}

}  // namespace

LinearSpace projective_lines(std::uint32_t dimension, std::uint32_t q) {
  refuse_beyond((power(q, dimension + 1) - 1) / (q - 1));
  const GaloisField field(q);
  return lines_of(field, dimension + 1, q + 1, [](const Vectors&, std::uint32_t) { return true; });
}

LinearSpace affine_lines(std::uint32_t dimension, std::uint32_t q) {
  refuse_beyond(power(q, dimension));
  const GaloisField field(q);
  const Vectors vectors(field, dimension);
  const auto points = static_cast<std::uint32_t>(power(q, dimension));
  const std::uint32_t minus_one = field.subtract(0, 1);
  return all_lines(points, q, [&](std::uint32_t a, std::uint32_t b) {
    const std::uint32_t direction = vectors.add_multiple(b, minus_one, a);
    std::vector<std::uint32_t> line;
    for (std::uint32_t factor = 0; factor < q; ++factor)
      line.push_back(vectors.add_multiple(a, factor, direction));
    return line;
  });
}

LinearSpace steiner_triples(std::uint32_t v) {
  SpaceBuilder builder(v);
  using Triple = std::array<std::uint32_t, 3>;
  const bool skolem = v % 6 == 1;
  const std::uint32_t n = skolem ? (v - 1) / 3 : v / 3;  // of a commutative quasigroup, tripled
  const std::uint32_t infinity = v - 1;
  const auto point = [n](std::uint32_t x, std::uint32_t i) { return i % 3 * n + x; };
  const auto product = [&](std::uint32_t x, std::uint32_t y) {
    const std::uint32_t sum = (x + y) % n;
    if (skolem) return sum % 2 == 0 ? sum / 2 : (sum - 1) / 2 + n / 2;  // x x = x for the first half
    return static_cast<std::uint32_t>(std::uint64_t{sum} * ((n + 1) / 2) % n);
  };
  for (std::uint32_t x = 0; x < (skolem ? n / 2 : n); ++x) {
    builder.add(Triple{point(x, 0), point(x, 1), point(x, 2)});
    if (!skolem) continue;
    for (std::uint32_t i = 0; i < 3; ++i) builder.add(Triple{infinity, point(x + n / 2, i), point(x, i + 1)});
  }
  for (std::uint32_t i = 0; i < 3; ++i) {
    for (std::uint32_t x = 0; x < n; ++x) {
      for (std::uint32_t y = x + 1; y < n; ++y)
        builder.add(Triple{point(x, i), point(y, i), point(product(x, y), i + 1)});
    }
  }
  return builder.build(3);
}

LinearSpace hermitian_unital(std::uint32_t q) {
  refuse_beyond(power(q, 3) + 1);
  const GaloisField field(q * q);
  return lines_of(field, 3, q + 1, [&](const Vectors& vectors, std::uint32_t v) {
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < 3; ++i) sum = field.add(sum, field.power(vectors.coordinate(v, i), q + 1));
    return sum == 0;
  });
}

LinearSpace maximal_arc(std::uint32_t q, std::uint32_t n) {
  refuse_beyond(std::uint64_t{q + 1} * (n - 1) + 1);
  const GaloisField field(q);
  // x^2 + x y + b y^2 is 0 at the origin alone where t^2 + t never is b.
  std::vector<bool> reached(q, false);
  for (std::uint32_t t = 0; t < q; ++t) reached[field.add(field.multiply(t, t), t)] = true;
  const auto b =
      static_cast<std::uint32_t>(std::find(reached.begin(), reached.end(), false) - reached.begin());
  // The first n numbers are polynomials of low degree: a subgroup.
  std::vector<std::uint32_t> x_of, y_of, number(std::size_t{q} * q, q * q);
  for (std::uint32_t x = 0; x < q; ++x) {
    for (std::uint32_t y = 0; y < q; ++y) {
      const std::uint32_t form =
          field.add(field.multiply(x, field.add(x, y)), field.multiply(b, field.multiply(y, y)));
      if (form >= n) continue;
      number[std::size_t{x} * q + y] = static_cast<std::uint32_t>(x_of.size());
      x_of.push_back(x);
      y_of.push_back(y);
    }
  }
  return all_lines(static_cast<std::uint32_t>(x_of.size()), n, [&](std::uint32_t one, std::uint32_t other) {
    const std::uint32_t dx = field.subtract(x_of[other], x_of[one]),
                        dy = field.subtract(y_of[other], y_of[one]);
    std::vector<std::uint32_t> line;
    for (std::uint32_t t = 0; t < q; ++t) {
      const std::uint32_t x = field.add(x_of[one], field.multiply(t, dx)),
                          y = field.add(y_of[one], field.multiply(t, dy));
      if (const std::uint32_t point = number[std::size_t{x} * q + y]; point < x_of.size())
        line.push_back(point);
    }
    return line;
  });
}

}  // namespace unknot
