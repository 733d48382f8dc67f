// SPDX-License-Identifier: Apache-2.0
#include "unknot/tables/adaptive/plane_map.hpp"

#include <algorithm>

namespace unknot {

PlaneMap::PlaneMap(const Network& network, Key key) : key_(key) {
  first_.reserve(network.router_count());
  std::size_t rows = 0;
  for (const RouterId r : network.routers()) {
    first_.push_back(rows);
    rows += network.port_count(r) + std::size_t{1};
  }
  rows_.assign(rows, Row{});
}

std::uint8_t PlaneMap::highest() const {
  std::uint8_t highest = 0;
  for (const Row& row : rows_) highest = std::max(highest, *std::max_element(row.begin(), row.end()));
  return highest;
}

}  // namespace unknot
