// SPDX-License-Identifier: Apache-2.0
#include "unknot/reproduce/angara/paper.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>

#include "unknot/engines/catalogue.hpp"

namespace unknot::angara_paper {

TableMeasures measure(const Network& network, const std::string& engine, std::uint64_t seed,
                      Progress& progress) {
  EngineRequest request;
  request.seed = seed;
  request.threads = 1;
  const Routing routing = route(network, engine, request, progress);
  TableMeasures measures;
  measures.load = load_statistics(channel_load(network, routing, 1));
  for (const TerminalId s : network.terminals()) {
    for (const TerminalId d : network.terminals()) {
      const auto hops = static_cast<std::uint32_t>(routing.routes()->route(s, d).size());
      measures.max_hops = std::max(measures.max_hops, hops);
    }
  }
  return measures;
}

std::string torus_spec(const Dimensions& dimensions) {
  return fmt::format("torus:{}", fmt::join(dimensions, "x"));
}

std::uint32_t nodes_of(const Dimensions& dimensions) {
  std::uint32_t nodes = 1;
  for (const std::uint32_t size : dimensions) nodes *= size;
  return nodes;
}

Parameter systems_parameter() {
  return {
      .name = "systems", .help = "tori of each number of dimensions; 0: all", .fallback = "0", .max = 10'000};
}

Parameter nodes_parameter() {
  return {.name = "nodes", .help = "of the largest torus", .fallback = "447", .min = 16, .max = 4096};
}

std::vector<Dimensions> paper_tori(std::uint32_t dimensions, std::uint32_t most, std::uint32_t nodes,
                                   Orders orders) {
  constexpr std::uint32_t kLeast = 2;
  constexpr std::uint32_t kGreatest = 8;
  std::vector<Dimensions> tori;
  Dimensions at(dimensions, kLeast);
  for (bool more = true; more;) {
    if (nodes_of(at) <= nodes && (orders == Orders::all || std::is_sorted(at.begin(), at.end())))
      tori.push_back(at);
    more = false;
    for (std::size_t d = dimensions; d-- > 0;) {
      if (++at[d] <= kGreatest) {
        more = true;
        break;
      }
      at[d] = kLeast;
    }
  }
  std::stable_sort(tori.begin(), tori.end(),
                   [](const Dimensions& a, const Dimensions& b) { return nodes_of(a) < nodes_of(b); });
  if (most == 0 || tori.size() <= most) return tori;
  std::vector<Dimensions> some;
  for (std::size_t i = 0; i < most; ++i)
    some.push_back(tori[(2 * i + 1) * tori.size() / (2 * std::size_t{most})]);
  return some;
}

}  // namespace unknot::angara_paper
