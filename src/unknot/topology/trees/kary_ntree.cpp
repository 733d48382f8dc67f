// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "unknot/network/network.hpp"
#include "unknot/topology/families.hpp"
#include "unknot/topology/terminal_placement.hpp"
#include "unknot/topology/trees/xgft.hpp"

namespace unknot {
namespace {

// k-ary n-tree: n levels of k^(n-1) routers with k children and k parents each, (n-1) k^n cables between
// routers; terminals on the leaves. The XGFT with n-1 levels of cables and m = w = k, numbered as such.
// Fills levels. [Petrini, Vanneschi 1997]
struct KaryNtreeParams {
  std::uint32_t k = 2;
  std::uint32_t n = 2;
};

constexpr std::uint32_t kMaxLevels = 64;

XgftParams as_xgft(const KaryNtreeParams& tree) {
  const std::vector<std::uint32_t> radices(tree.n - 1, tree.k);
  return {radices, radices};
}

KaryNtreeParams params_from(const Parameters& p) {
  return {p.number32("k"), p.number32("n")};
}

TerminalPlacement leaf_placement(const Parameters& p) {
  return placement_from(p, p.number32("k"));
}

}  // namespace

static Network kary_ntree(const KaryNtreeParams& tree, const TerminalPlacement& terminals) {
  return xgft(as_xgft(tree), terminals);
}

Topology kary_ntree_topology() {
  return {.name = "kary-ntree",
          .summary = "k-ary n-tree, n levels of k^(n-1) routers; k terminals on a leaf by default",
          .parameters = {{.name = "k", .help = "children and parents of a router", .min = 1},
                         {.name = "n", .help = "levels of routers", .min = 1, .max = kMaxLevels}},
          .size = [](const Parameters& p) { return xgft_size(as_xgft(params_from(p)), leaf_placement(p)); },
          .make = [](const Parameters& p) { return kary_ntree(params_from(p), leaf_placement(p)); },
          .examples = {"kary-ntree:k=4,n=2", "kary-ntree:k=2,n=4", "kary-ntree:k=3,n=3,terminals=31",
                       "kary-ntree:k=5,n=1"}};
}

}  // namespace unknot
