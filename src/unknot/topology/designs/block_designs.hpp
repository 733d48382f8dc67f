// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/topology/designs/linear_space.hpp"

namespace unknot {

/// Points and lines of the projective space of this dimension over GF(q). InputError beyond 60,000 points.
/// Time O(points^2).
LinearSpace projective_lines(std::uint32_t dimension, std::uint32_t q);
/// Points and lines of the affine space of this dimension over GF(q). InputError beyond 60,000 points. Time
/// O(points^2).
LinearSpace affine_lines(std::uint32_t dimension, std::uint32_t q);
/// Triples of v = 6t + 1 or 6t + 3 points, any two points in exactly one. [Skolem 1958; Bose 1939]
LinearSpace steiner_triples(std::uint32_t v);
/// The q^3 + 1 points of PG(2, q^2) with x^(q+1) + y^(q+1) + z^(q+1) = 0, and the lines that meet q + 1 of
/// them. InputError beyond 60,000 points. Time O(points^2).
LinearSpace hermitian_unital(std::uint32_t q);
/// A maximal arc of PG(2, q), both powers of two: the (n - 1) (q + 1) + 1 points of the affine plane where an
/// irreducible quadratic form has a value of an additive subgroup of n elements, and the lines that meet n of
/// them; every other line meets none. [Denniston 1969, Some maximal arcs in finite projective planes]
/// InputError beyond 60,000 points. Time O(points^2).
LinearSpace maximal_arc(std::uint32_t q, std::uint32_t n);

}  // namespace unknot
