// SPDX-License-Identifier: Apache-2.0
#include "unknot/topology/designs/linear_space.hpp"
#include "unknot/topology/families.hpp"

namespace unknot {
namespace {

std::uint32_t layers(const Parameters& p) {
  return p.has("l") ? p.number32("l") : p.number32("h");
}

TerminalPlacement placement(const Parameters& p) {
  return placement_from(p, p.number32("h"));
}

}  // namespace

// Multi-layer full mesh (h,l,p)-MLFM: l layers of h + 1 local routers, layer by layer, then one global
// router for each pair of columns, in lexicographic order, cabled to both columns in every layer. l = p = h
// by default: h^3 + h^2 terminals on 3h(h+1)/2 routers of radix 2h. Local routers of one column have h
// shortest paths, others one. [Fujitsu 2014; Kathareios et al. 2015, section 2.2.1]
Topology mlfm_topology() {
  return {
      .name = "mlfm",
      .summary = "multi-layer full mesh (h,l,p); l = p = h by default",
      .parameters = {{.name = "h", .help = "cables of a local router; h+1 columns", .min = 1, .max = 4000},
                     {.name = "l", .help = "layers; h without it", .fallback = "", .min = 1, .max = 30'000}},
      .size =
          [](const Parameters& p) {
            return stacked_tree_size(p.number("h") + 1, p.number("h"), 2, layers(p), placement(p));
          },
      .make =
          [](const Parameters& p) {
            return stacked_tree(pair_space(p.number32("h") + 1), layers(p), placement(p));
          },
      .examples = {"mlfm:3", "mlfm:h=4,l=2,p=3", "mlfm:h=2,terminals=13"},
      .known_cut = [](const Parameters& p) -> std::optional<double> {
        // half the columns: the global router of two apart is cut in every layer
        const double columns = p.number32("h") + 1.0;
        if (p.number("h") % 2 == 0) return std::nullopt;
        return columns * columns / 4 * layers(p);
      }};
}

}  // namespace unknot
