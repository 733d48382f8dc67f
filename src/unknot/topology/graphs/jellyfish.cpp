// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "unknot/network/builder.hpp"
#include "unknot/network/network.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/random.hpp"
#include "unknot/topology/families.hpp"
#include "unknot/topology/graphs/random_links.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {
namespace {

struct JellyfishParams {
  std::uint32_t routers = 64;
  std::uint32_t degree = 6;  // cables on each router
  std::uint64_t seed = 1;
};

constexpr std::uint32_t kAttempts = 100;
constexpr std::uint32_t kNoLink = 0xFFFFFFFFU;

NetworkSize jellyfish_size(const JellyfishParams& params, const TerminalPlacement& terminals) {
  return {params.routers, std::uint64_t{params.routers} * params.degree / 2, terminals.total(params.routers)};
}

void check(const JellyfishParams& params) {
  if (params.degree >= params.routers) {
    throw InputError(fmt::format("topology jellyfish: degree {} needs more than {} routers", params.degree,
                                 params.routers));
  }
  // Routers of degree 1 join in pairs; an odd router out of a graph of degree 2 would be the end of a path.
  if (std::uint64_t{params.routers} * params.degree / 2 < params.routers - 1U) {
    throw InputError(fmt::format("topology jellyfish: {} routers of degree {} cannot be connected",
                                 params.routers, params.degree));
  }
}

/// Joins the parts of a graph in which every part has a cycle: a link on a cycle of one part and one of the
/// next swap ends, which keeps every degree and leaves both new links on a cycle. False where a part has no
/// cycle.
bool join_parts(std::vector<RandomLinks::Link>& links, std::uint32_t routers) {
  RouterSets sets(routers);
  std::vector<std::uint32_t> closing;  // links that closed a cycle when they came
  for (std::uint32_t i = 0; i < links.size(); ++i) {
    if (!sets.merge(links[i].first, links[i].second)) closing.push_back(i);
  }
  if (sets.count() == 1) return true;
  std::vector<std::uint32_t> cycle_link(routers, kNoLink);  // by root of a part: a link on a cycle of it
  for (const std::uint32_t i : closing) cycle_link[sets.find(links[i].first)] = i;
  std::uint32_t joined = kNoLink;
  for (std::uint32_t r = 0; r < routers; ++r) {
    if (sets.find(r) != r) continue;
    const std::uint32_t next = cycle_link[r];
    if (next == kNoLink) return false;
    if (joined != kNoLink) std::swap(links[joined].second, links[next].second);
    joined = next;
  }
  return true;
}

}  // namespace

// Jellyfish: a random regular graph without parallel cables, built link by link, with a link opened where
// free ports are left that cannot be joined. Connected: should it fall in parts (likely only at degree 2),
// links of two parts swap ends. Where routers * degree is odd, one router keeps a port free. InputError
// where no such connected graph exists. [Singla, Hong, Popa, Godfrey 2012, section 3]
static Network jellyfish(const JellyfishParams& params, const TerminalPlacement& terminals) {
  check(params);
  const std::uint64_t total = jellyfish_size(params, terminals).cables;
  for (std::uint32_t attempt = 0; attempt < kAttempts; ++attempt) {
    Random random(params.seed, attempt);
    RandomLinks links(std::vector<std::uint32_t>(params.routers, params.degree), false, total, random);
    if (!links.fill(total, 0) || !join_parts(links.links(), params.routers)) continue;
    for (auto& [a, b] : links.links()) {
      if (a > b) std::swap(a, b);
    }
    std::sort(links.links().begin(), links.links().end());
    NetworkBuilder builder;
    builder.reserve(params.routers, total, terminals.total(params.routers));
    builder.add_routers(params.routers);
    for (const auto& [a, b] : links.links()) builder.add_cable(RouterId(a), RouterId(b));
    place_terminals(builder, RouterId(0), params.routers, terminals);
    return std::move(builder).build();
  }
  throw InputError(fmt::format("topology jellyfish: found no connected graph of {} routers and degree {}",
                               params.routers, params.degree));
}

Topology jellyfish_topology() {
  const auto params_from = [](const Parameters& p) {
    return JellyfishParams{p.number32("routers"), p.number32("degree"), p.number("seed")};
  };
  return {.name = "jellyfish",
          .summary = "Jellyfish, a random regular network",
          .parameters = {{.name = "routers", .help = "number of routers", .min = 1},
                         {.name = "degree", .help = "cables on each router"},
                         {.name = "seed", .help = "of the random numbers", .fallback = "1"}},
          .size = [params_from](
                      const Parameters& p) { return jellyfish_size(params_from(p), placement_from(p)); },
          .make = [params_from](const Parameters& p) { return jellyfish(params_from(p), placement_from(p)); },
          .examples = {"jellyfish:routers=24,degree=5,p=2", "jellyfish:routers=9,degree=3",
                       "jellyfish:routers=6,degree=5", "jellyfish:routers=40,degree=2,seed=3"}};
}

}  // namespace unknot
