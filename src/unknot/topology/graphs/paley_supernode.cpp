// SPDX-License-Identifier: Apache-2.0
#include "unknot/topology/graphs/paley_supernode.hpp"

#include "unknot/support/solve/galois_field.hpp"

namespace unknot {

bool has_paley_graph(std::uint32_t degree) {
  return degree > 0 && degree % 2 == 0 && static_cast<bool>(as_prime_power(2 * degree + 1));
}

Supernode paley_supernode(std::uint32_t degree) {
  const GaloisField field(2 * degree + 1);
  Supernode node{.vertices = field.order(), .edges = {}, .image = {}, .swaps = false};
  std::vector<bool> square(field.order(), false);
  for (std::uint32_t x = 1; x < field.order(); ++x) square[field.multiply(x, x)] = true;
  for (std::uint32_t v = 0; v < field.order(); ++v) {
    node.image.push_back(field.multiply(v, field.smallest_primitive()));
    for (std::uint32_t w = v + 1; w < field.order(); ++w) {
      if (square[field.subtract(w, v)]) node.edges.emplace_back(v, w);
    }
  }
  return node;
}

}  // namespace unknot
