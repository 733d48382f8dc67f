// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "unknot/topology/designs/linear_space.hpp"
#include "unknot/topology/families.hpp"
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

// Stacked single-path tree SSPT(r1, r2): copies of a tree in which any two leaves share exactly one upper
// router, with corresponding upper routers merged. 1 + r1 (r2 - 1) leaves a copy, each with r1 cables and r1
// terminals; 2 r1 / r2 copies, rounded down, make upper routers of at most 2 r1 ports too. Where a design is
// known: see known_space(). OFT is SSPT(k, k), MLFM is SSPT(h, 2). [Kathareios et al. 2015, section 2.2]
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
