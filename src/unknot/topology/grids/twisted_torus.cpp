// SPDX-License-Identifier: Apache-2.0
// Twisted torus: a torus in which the cables that wrap round in one dimension also move along others. For
// sizes that are not all equal that halves distances in the long dimensions. A cable that wraps round in a
// dimension of size k moves by k in every dimension of size 2 k, as in the rectangular twisted torus 2a x a,
// and in k x k x 2k and k x 2k x 2k. [Camara et al. 2010; Jouppi et al. 2023] `twist` gives another amount
// for two dimensions: by it the first moves where the second wraps round. [Sequin 1981]
#include <fmt/format.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "unknot/network/builder.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/families.hpp"
#include "unknot/topology/saturating.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {
namespace {

struct Twist {
  std::vector<std::uint32_t> extent;
  std::vector<std::vector<std::uint32_t>>
      shift;  // by the dimension that wraps round: what is added to each coordinate
};

bool moves(const Twist& twist, std::uint32_t dimension) {
  for (const std::uint32_t by : twist.shift[dimension]) {
    if (by != 0) return true;
  }
  return false;
}

Twist twist_from(const Parameters& p) {
  Twist twist{.extent = p.list("dims"), .shift = {}};
  const std::size_t n = twist.extent.size();
  twist.shift.assign(n, std::vector<std::uint32_t>(n, 0));
  if (p.has("twist")) {
    if (n != 2)
      throw InputError(fmt::format("topology twisted-torus: twist is for two dimensions, not for {}", n));
    twist.shift[1][0] = p.number32("twist") % twist.extent[0];
  } else {
    for (std::size_t wraps = 0; wraps < n; ++wraps) {
      for (std::size_t along = 0; along < n; ++along) {
        if (twist.extent[along] == 2 * std::uint64_t{twist.extent[wraps]})
          twist.shift[wraps][along] = twist.extent[wraps];
      }
    }
  }
  return twist;
}

NetworkSize twisted_size(const Twist& twist, const TerminalPlacement& terminals) {
  NetworkSize size{.routers = 1, .cables = 0, .terminals = 0};
  for (const std::uint32_t extent : twist.extent) size.routers = saturating_multiply(size.routers, extent);
  for (std::uint32_t d = 0; d < twist.extent.size(); ++d) {
    const std::uint32_t extent = twist.extent[d];
    const std::uint32_t cables =
        moves(twist, d) || extent > 2 ? extent : extent - 1;  // along one line, as in a torus
    size.cables = saturating_add(size.cables, saturating_multiply(size.routers / extent, cables));
  }
  size.terminals = terminals.total(size.routers);
  return size;
}

Network make(const Twist& twist, const TerminalPlacement& terminals) {
  const auto n = static_cast<std::uint32_t>(twist.extent.size());
  bool any = false;
  for (std::uint32_t d = 0; d < n; ++d) any = any || moves(twist, d);
  if (!any) {
    throw InputError(
        "topology twisted-torus: nothing is twisted: one size must be twice another, as in 8x4 or 4x4x8, or "
        "for two dimensions "
        "twist must not be a multiple of the first");
  }
  const NetworkSize size = twisted_size(twist, terminals);
  const auto routers = static_cast<std::uint32_t>(size.routers);
  std::vector<std::uint32_t> stride(n, 1);
  for (std::uint32_t d = n; d-- > 1;) stride[d - 1] = stride[d] * twist.extent[d];
  NetworkBuilder builder;
  builder.reserve(routers, size.cables, size.terminals);
  builder.add_routers(routers);
  const auto at = [&](std::uint32_t router, std::uint32_t d) { return router / stride[d] % twist.extent[d]; };
  for (std::uint32_t r = 0; r < routers; ++r) {
    for (std::uint32_t d = 0; d < n; ++d) {
      const bool inner = at(r, d) + 1 < twist.extent[d];
      if (!inner && !moves(twist, d) && twist.extent[d] <= 2) continue;
      std::uint32_t to = inner ? r + stride[d] : r - at(r, d) * stride[d];
      for (std::uint32_t e = 0; e < n && !inner; ++e) {
        const std::uint64_t moved = (std::uint64_t{at(to, e)} + twist.shift[d][e]) % twist.extent[e];
        to = to - at(to, e) * stride[e] + static_cast<std::uint32_t>(moved) * stride[e];
      }
      builder.add_cable(RouterId(r), static_cast<std::uint16_t>(2 * d + 1), RouterId(to),
                        static_cast<std::uint16_t>(2 * d + 2));
    }
  }
  place_terminals(builder, RouterId(0), routers, terminals, 2 * n + 1);
  return std::move(builder).build();
}

}  // namespace

// Ports as in a torus: 2d+1 and 2d+2. Routers are numbered with the last coordinate running fastest; they get
// no coordinates, which engines would take for those of a torus.
Topology twisted_torus_topology() {
  return {.name = "twisted-torus",
          .summary = "torus whose cables round a side of k also move by k along sides of 2k",
          .parameters = {{.name = "dims",
                          .kind = ParameterKind::list,
                          .help = "size of each dimension, as 8x4 or 4x4x8",
                          .min = 1},
                         {.name = "twist",
                          .help = "for two dimensions: the first moves by this where the second wraps",
                          .fallback = ""}},
          .size = [](const Parameters& p) { return twisted_size(twist_from(p), placement_from(p)); },
          .make = [](const Parameters& p) { return make(twist_from(p), placement_from(p)); },
          .examples = {"twisted-torus:8x4", "twisted-torus:2x2x4,p=2", "twisted-torus:5x3,twist=2"}};
}

}  // namespace unknot
