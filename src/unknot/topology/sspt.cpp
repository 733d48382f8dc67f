// SPDX-License-Identifier: Apache-2.0
#include "unknot/topology/sspt.hpp"

#include <algorithm>

#include "unknot/topology/linear_space.hpp"
#include "unknot/topology/saturating.hpp"

namespace unknot {
namespace {

std::uint32_t copies(const Parameters& p) {
  if (p.has("copies")) return p.number32("copies");
  return std::max(1U, 2 * p.number32("r1") / p.number32("r2"));
}

TerminalPlacement placement(const Parameters& p) {
  return placement_from(p, p.number32("r1"));
}

}  // namespace

Topology sspt_topology() {
  return {.name = "sspt",
          .summary = "stacked single-path tree on a known block design; r1 terminals on a leaf by default",
          .parameters =
              {{.name = "r1", .help = "cables of a leaf", .min = 1, .max = 30'000},
               {.name = "r2", .help = "leaves of one copy below an upper router", .min = 2, .max = 30'000},
               {.name = "copies",
                .help = "copies that share their upper routers; 2 r1 / r2 without it",
                .fallback = "",
                .min = 1,
                .max = 65'535}},
          .size =
              [](const Parameters& p) {
                const std::uint64_t points =
                    saturating_add(1, saturating_multiply(p.number("r1"), p.number("r2") - 1));
                return stacked_tree_size(points, p.number("r1"), p.number("r2"), copies(p), placement(p));
              },
          .make =
              [](const Parameters& p) {
                return stacked_tree(known_space(p.number32("r1"), p.number32("r2")), copies(p), placement(p));
              },
          .examples = {"sspt:r1=3,r2=2", "sspt:r1=4,r2=3,p=1", "sspt:r1=3,r2=3,p=1,copies=1"}};
}

}  // namespace unknot
