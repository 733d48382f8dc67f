// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
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

// How a random network is kept connected.
enum class RandomMode : std::uint8_t {
  recursive_tree = 0,  // each router, in random order, joins a random earlier one; then uniform links
  uniform = 1,         // uniform links alone, drawn anew until the network is connected
  random_forest = 2,   // uniform links that join two parts, until one is left; then uniform links
  ring = 3,            // a ring in order of numbers; then uniform links
};

struct RandomParams {
  std::uint32_t switches = 64;
  std::uint64_t links = 128;
  std::uint64_t seed = 1;
  RandomMode mode = RandomMode::recursive_tree;
  bool parallel = false;         // may two routers be joined twice
  std::uint32_t ports = 0xFFFF;  // of each router, terminals included
};

// Connected random network with exactly `links` cables. The paper that uses such networks (Domke, Hoefler,
// Nagel 2011, sections IV and V) does not say how it draws them; these are four plausible ways. Ends always;

constexpr std::uint64_t kMaxDraws = 50'000'000;  // links drawn over all attempts of one network
constexpr std::uint32_t kMinDraws = 1000;

/// Ports for links on each router, after the terminals have theirs.
std::vector<std::uint32_t> link_ports(const RandomParams& params, const TerminalPlacement& terminals) {
  std::vector<std::uint32_t> ports(params.switches);
  for (std::uint32_t r = 0; r < params.switches; ++r) {
    const std::uint32_t taken = terminals.at(r, params.switches);
    const std::uint32_t needed = params.switches == 1 ? 0 : params.switches == 2 ? 1 : 2;
    if (params.ports < taken || params.ports - taken < needed) {
      throw InputError(
          fmt::format("topology random: {} ports a switch are too few for {} terminals and {} links on one",
                      params.ports, taken, needed));
    }
    ports[r] = params.ports - taken;
  }
  return ports;
}

/// Most links that fit. Free ports differ by at most one between routers, so nothing but their sum matters.
std::uint64_t most_links(const RandomParams& params, const std::vector<std::uint32_t>& ports) {
  if (ports.size() < 2) return 0;
  std::uint64_t sum = 0;
  for (const std::uint32_t free : ports) {
    sum += params.parallel ? free : std::min(free, params.switches - 1);
  }
  if (ports.size() == 2) return std::min<std::uint64_t>(sum / 2, std::min(ports[0], ports[1]));
  return sum / 2;
}

void check(const RandomParams& params, const std::vector<std::uint32_t>& ports) {
  const std::uint64_t least =
      params.mode == RandomMode::ring && params.switches > 2 ? params.switches : params.switches - 1;
  if (params.links < least) {
    throw InputError(fmt::format(
        "topology random: {} links are too few, {} switches need at least {} to be {}", params.links,
        params.switches, least, params.mode == RandomMode::ring ? "a ring" : "connected"));
  }
  const std::uint64_t most = most_links(params, ports);
  if (params.links > most) {
    throw InputError(fmt::format("topology random: {} links are too many, at most {} fit {} switches{}",
                                 params.links, most, params.switches,
                                 params.parallel ? "" : " without parallel links (parallel=1 allows them)"));
  }
}

void lay_recursive_tree(RandomLinks& links, std::uint32_t switches, Random& random) {
  std::vector<std::uint32_t> order(switches);
  std::iota(order.begin(), order.end(), 0U);
  random.shuffle(order);
  // With two ports or more the newest member always has one free.
  std::vector<std::uint32_t> joinable{order[0]};
  for (std::uint32_t i = 1; i < switches; ++i) {
    const std::uint32_t at = random.below(static_cast<std::uint32_t>(joinable.size()));
    const std::uint32_t parent = joinable[at];
    links.add(order[i], parent);
    if (links.free_ports(parent) == 0) {
      joinable[at] = joinable.back();
      joinable.pop_back();
    }
    if (links.free_ports(order[i]) > 0) joinable.push_back(order[i]);
  }
}

void lay_forest(RandomLinks& links, std::uint32_t switches, Random& random) {
  RouterSets sets(switches);
  std::vector<std::uint32_t> others;
  while (sets.count() > 1) {
    // A tree of routers with two ports or more always has free ports, so every part stays open.
    const std::vector<std::uint32_t>& open = links.open_routers();
    const auto count = static_cast<std::uint32_t>(open.size());
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    // Up to one list's worth of draws before a list is made.
    const std::uint32_t most_draws = std::max(count, kMinDraws);
    for (std::uint32_t draw = 0; draw < most_draws && sets.find(a) == sets.find(b); ++draw) {
      a = open[random.below(count)];
      b = open[random.below(count)];
    }
    if (sets.find(a) == sets.find(b)) {
      others.clear();
      for (const std::uint32_t r : open) {
        if (sets.find(r) != sets.find(a)) others.push_back(r);
      }
      b = others[random.below(static_cast<std::uint32_t>(others.size()))];
    }
    links.add(a, b);
    sets.merge(a, b);
  }
}

void lay_ring(RandomLinks& links, std::uint32_t switches) {
  for (std::uint32_t r = 0; r + 1 < switches; ++r) links.add(r, r + 1);
  if (switches > 2) links.add(switches - 1, 0);
}

/// Uniform links, given up as soon as those left cannot join all parts; that changes no probability.
bool draw_connected(RandomLinks& links, const RandomParams& params) {
  RouterSets sets(params.switches);
  while (links.links().size() < params.links) {
    if (!links.add_uniform()) {
      // Swapped links would have to be taken out of the sets again; so close to full, look once at the end.
      if (!links.fill(params.links, 0)) return false;
      sets = RouterSets(params.switches);
      for (const auto& [a, b] : links.links()) sets.merge(a, b);
      break;
    }
    const auto [a, b] = links.links().back();
    sets.merge(a, b);
    if (sets.count() - 1 > params.links - links.links().size()) return false;
  }
  return sets.count() == 1;
}

/// One attempt; false where it did not come out connected and complete.
bool draw(RandomLinks& links, const RandomParams& params, Random& random) {
  switch (params.mode) {
    case RandomMode::recursive_tree:
      lay_recursive_tree(links, params.switches, random);
      break;
    case RandomMode::random_forest:
      lay_forest(links, params.switches, random);
      break;
    case RandomMode::ring:
      lay_ring(links, params.switches);
      break;
    case RandomMode::uniform:
      return draw_connected(links, params);
  }
  return links.fill(params.links, links.links().size());
}

RandomParams params_from(const Parameters& p) {
  return {p.number32("switches"), p.number("links"),
          p.number("seed"),       static_cast<RandomMode>(p.number("genmode")),
          p.flag("parallel"),     p.number32("ports")};
}

}  // namespace

// throws InputError for more links than fit or fewer than a connected network needs, and where mode
// `uniform` would need too many attempts.
static Network random_network(const RandomParams& params, const TerminalPlacement& terminals) {
  const std::vector<std::uint32_t> ports = link_ports(params, terminals);
  check(params, ports);
  std::uint64_t draws = 0;
  for (std::uint32_t attempt = 0; attempt == 0 || draws < kMaxDraws; ++attempt) {
    Random random(params.seed, attempt);
    RandomLinks links(ports, params.parallel, params.links, random);
    const bool done = draw(links, params, random);
    draws += links.links().size() + params.switches;  // setting up costs a step for each router
    if (!done) continue;
    for (auto& [a, b] : links.links()) {
      if (a > b) std::swap(a, b);
    }
    std::sort(links.links().begin(), links.links().end());
    NetworkBuilder builder;
    builder.reserve(params.switches, params.links, terminals.total(params.switches));
    builder.add_routers(params.switches);
    for (const auto& [a, b] : links.links()) builder.add_cable(RouterId(a), RouterId(b));
    place_terminals(builder, RouterId(0), params.switches, terminals);
    return std::move(builder).build();
  }
  throw InputError(fmt::format(
      "topology random: no connected network of {} switches and {} links found; take more links{}",
      params.switches, params.links,
      params.mode == RandomMode::uniform ? " or genmode=0, which is connected by construction" : ""));
}

Topology random_topology() {
  return {
      .name = "random",
      .summary = "connected random network with a given number of links",
      .parameters =
          {{.name = "switches", .help = "routers", .min = 1},
           {.name = "links", .help = "cables between them"},
           {.name = "seed", .help = "of the random numbers", .fallback = "1"},
           {.name = "genmode",
            .help = "connected by 0 a random recursive tree, 1 drawing again, 2 a random forest, 3 a ring",
            .fallback = "0",
            .max = 3},
           {.name = "parallel", .kind = ParameterKind::flag, .help = "allow parallel links", .fallback = "0"},
           {.name = "ports", .help = "of a router, terminals included", .fallback = "65535", .max = 65535}},
      .size =
          [](const Parameters& p) {
            const std::uint64_t switches = p.number("switches");
            return NetworkSize{switches, p.number("links"), placement_from(p).total(switches)};
          },
      .make = [](const Parameters& p) { return random_network(params_from(p), placement_from(p)); },
      .examples = {"random:switches=16,links=32,seed=1", "random:switches=16,links=40,terminals=50,genmode=1",
                   "random:switches=12,links=30,genmode=2,parallel=1",
                   "random:switches=10,links=25,genmode=3,ports=6", "random:switches=1,links=0"}};
}

}  // namespace unknot
