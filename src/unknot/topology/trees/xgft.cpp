// SPDX-License-Identifier: Apache-2.0
#include "unknot/topology/trees/xgft.hpp"

#include <fmt/format.h>

#include <utility>

#include "unknot/network/builder.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/families.hpp"
#include "unknot/topology/saturating.hpp"

namespace unknot {
namespace {

std::vector<std::uint64_t> level_sizes(const XgftParams& tree) {
  const std::size_t height = tree.m.size();
  std::vector<std::uint64_t> sizes;
  for (std::size_t level = 0; level <= height; ++level) {
    std::uint64_t count = 1;
    for (std::size_t i = 0; i < height; ++i) {
      count = saturating_multiply(count, i < level ? tree.w[i] : tree.m[i]);
    }
    sizes.push_back(count);
  }
  return sizes;
}

std::uint32_t parallel(const XgftParams& tree, std::size_t level) {
  return tree.cables.empty() ? 1 : tree.cables[level];
}

XgftParams params_from(const Parameters& p) {
  XgftParams tree{p.list("m"), p.list("w")};
  if (p.has("cables")) tree.cables = p.list("cables");
  if (tree.m.size() != tree.w.size()) {
    throw InputError(fmt::format("topology xgft: m has {} values and w has {}; each level needs one of both",
                                 tree.m.size(), tree.w.size()));
  }
  if (p.has("cables") && tree.cables.size() != tree.m.size()) {
    throw InputError(fmt::format("topology xgft: cables has {} values and m has {}; each level needs one",
                                 tree.cables.size(), tree.m.size()));
  }
  return tree;
}

/// As many terminals below a leaf as routers below a router of level 1: all lower routers have one shape.
TerminalPlacement xgft_placement(const Parameters& p) {
  return placement_from(p, p.list("m").front());
}

}  // namespace

NetworkSize xgft_size(const XgftParams& tree, const TerminalPlacement& terminals) {
  const std::vector<std::uint64_t> sizes = level_sizes(tree);
  NetworkSize size{0, 0, terminals.total(sizes.front())};
  for (const std::uint64_t level : sizes) size.routers = saturating_add(size.routers, level);
  for (std::size_t l = 0; l < tree.w.size(); ++l) {
    size.cables = saturating_add(
        size.cables, saturating_multiply(sizes[l], saturating_multiply(tree.w[l], parallel(tree, l))));
  }
  return size;
}

Network xgft(const XgftParams& tree, const TerminalPlacement& terminals) {
  const NetworkSize size = xgft_size(tree, terminals);
  const std::vector<std::uint64_t> sizes = level_sizes(tree);
  NetworkBuilder builder;
  builder.reserve(size.routers, size.cables, size.terminals);
  builder.add_routers(static_cast<std::uint32_t>(size.routers));
  std::vector<std::uint32_t> levels;
  levels.reserve(size.routers);
  std::uint32_t first = 0;
  for (std::size_t l = 0; l < sizes.size(); ++l) {
    const auto count = static_cast<std::uint32_t>(sizes[l]);
    levels.insert(levels.end(), count, static_cast<std::uint32_t>(l));
    if (l == tree.w.size()) break;
    // Going up from level l replaces digit l, of radix m, by one of radix w.
    std::uint32_t after = 1;
    for (std::size_t i = l + 1; i < tree.m.size(); ++i) after *= tree.m[i];
    const std::uint32_t first_above = first + count;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t before = i / after / tree.m[l];
      for (std::uint32_t up = 0; up < tree.w[l]; ++up) {
        const std::uint32_t parent = (before * tree.w[l] + up) * after + i % after;
        for (std::uint32_t k = 0; k < parallel(tree, l); ++k)
          builder.add_cable(RouterId(first + i), RouterId(first_above + parent));
      }
    }
    first = first_above;
  }
  place_terminals(builder, RouterId(0), static_cast<std::uint32_t>(sizes.front()), terminals);
  builder.set_levels(std::move(levels));
  return std::move(builder).build();
}

Topology xgft_topology() {
  return {
      .name = "xgft",
      .summary = "extended generalised fat tree, every level of routers; m_1 terminals on a leaf by default",
      .parameters = {{.name = "m", .kind = ParameterKind::list, .help = "children at each level", .min = 1},
                     {.name = "w", .kind = ParameterKind::list, .help = "parents at each level", .min = 1},
                     {.name = "cables",
                      .kind = ParameterKind::list,
                      .help = "parallel cables to each parent, level by level; one without it",
                      .fallback = "",
                      .min = 1}},
      .size = [](const Parameters& p) { return xgft_size(params_from(p), xgft_placement(p)); },
      .make = [](const Parameters& p) { return xgft(params_from(p), xgft_placement(p)); },
      .examples = {"xgft:m=6,w=3", "xgft:m=4x3,w=2x2", "xgft:m=2x3x2,w=1x2x3,terminals=25",
                   "xgft:m=4x3,w=2x2,cables=1x2"}};
}

}  // namespace unknot
