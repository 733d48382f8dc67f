// SPDX-License-Identifier: Apache-2.0
#include "unknot/topology/mlfm.hpp"

#include "unknot/topology/linear_space.hpp"

namespace unknot {
namespace {

std::uint32_t layers(const Parameters& p) {
  return p.has("l") ? p.number32("l") : p.number32("h");
}

TerminalPlacement placement(const Parameters& p) {
  return placement_from(p, p.number32("h"));
}

}  // namespace

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
