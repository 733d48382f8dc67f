// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "unknot/formats/chips/garnet.hpp"
#include "unknot/formats/chips/garnet_config.hpp"
#include "unknot/formats/chips/weighted_ways.hpp"
#include "unknot/formats/draft/fabric_draft.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

using Internal = GarnetConfig::Internal;

Network garnet_network(const GarnetConfig& config, const std::string& file) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, const Internal*> links;
  std::vector<std::vector<std::uint32_t>> neighbours(config.routers.size());
  for (const Internal& link : config.internals) {
    links.emplace(std::pair(link.from, link.to), &link);
    neighbours[link.from].push_back(link.to);
    neighbours[link.to].push_back(link.from);
  }
  NetworkBuilder builder;
  builder.add_routers(static_cast<std::uint32_t>(config.routers.size()));
  builder.labels().router_name = config.routers;
  std::vector<std::uint32_t> terminals(config.routers.size(), 0);
  for (const GarnetConfig::External& link : config.externals) {
    builder.add_terminal(RouterId(link.router));
    builder.labels().terminal_name.push_back(link.controller);
    builder.labels().terminal_latency.push_back(link.latency);
    ++terminals[link.router];
  }
  for (std::uint32_t r = 0; r < neighbours.size(); ++r) {
    std::sort(neighbours[r].begin(), neighbours[r].end());
    neighbours[r].erase(std::unique(neighbours[r].begin(), neighbours[r].end()), neighbours[r].end());
    if (terminals[r] + neighbours[r].size() > 65535)
      throw InputError(fmt::format("{}: router {} has more than 65535 links", file, r));
  }
  const auto port = [&](std::uint32_t at, std::uint32_t to) {
    const auto found = std::lower_bound(neighbours[at].begin(), neighbours[at].end(), to);
    return static_cast<std::uint16_t>(1 + terminals[at] +
                                      static_cast<std::uint32_t>(found - neighbours[at].begin()));
  };
  for (const auto& [ends, link] : links) {
    const auto [from, to] = ends;
    const auto back = links.find(std::pair(to, from));
    if (back == links.end()) {
      builder.add_channel(RouterId(from), port(from, to), RouterId(to), port(to, from));
      builder.set_latency(link->latency, 0);
    } else if (from < to) {
      builder.add_cable(RouterId(from), port(from, to), RouterId(to), port(to, from));
      builder.set_latency(link->latency, back->second->latency);
    }
  }
  builder.set_description(file);
  Network network = std::move(builder).build();
  require_connected(network, file);
  return network;
}

}  // namespace

bool looks_like_garnet(std::string_view head) {
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && head.substr(first).starts_with("[root]") &&
         head.find("type=Root") != std::string_view::npos;
}

Network read_garnet(std::string_view text, const std::string& name) {
  return garnet_network(read_garnet_config(text, name), name);
}

void read_garnet_weights(const Network& network, std::string_view text, const std::string& name,
                         AdaptiveRouting& routing) {
  const GarnetConfig config = read_garnet_config(text, name);
  if (garnet_network(config, name).fingerprint() != network.fingerprint()) {
    throw InputError(
        fmt::format("{}: describes another network than the fabric, expected this file as the "
                    "fabric too",
                    name));
  }
  if (config.routing_algorithm != 0) {
    throw InputError(name, config.routing_line,
                     fmt::format("routing_algorithm={}: expected 0, by which Garnet routes by tables",
                                 config.routing_algorithm));
  }
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> weights;
  std::uint32_t most_external = 0;
  for (const Internal& link : config.internals) weights.emplace(std::pair(link.from, link.to), link.weight);
  for (const GarnetConfig::External& link : config.externals)
    most_external = std::max(most_external, link.weight);
  std::vector<std::uint32_t> weight;
  weight.reserve(network.channel_count());
  for (const ChannelId c : network.channels())
    weight.push_back(weights.at(std::pair(network.source(c).value, network.target(c).value)));

  AdaptivePlane plane(network);
  for (const RouterId to : network.routers()) {
    if (network.terminals_at(to).empty()) continue;
    const WeightedWays ways = weighted_ways(network, weight, to);
    if (ways.farthest + most_external >= GarnetConfig::kNoPath) {
      throw InputError(
          fmt::format("{}: weights add up to {} on the way to router {}, where gem5 takes {} for "
                      "no way",
                      name, ways.farthest + most_external, to.value, GarnetConfig::kNoPath));
    }
    for (const RouterId r : network.routers()) {
      const std::vector<std::uint16_t>& positions = ways.positions[r.value];
      if (positions.empty()) continue;
      Choice choice;
      // Garnet's ports are in the order of their routers, and ordered virtual networks take the first.
      choice.fixed = *std::min_element(positions.begin(), positions.end(), [&](auto a, auto b) {
        return network.target(network.out(r)[a]) < network.target(network.out(r)[b]);
      });
      if (positions.size() > 1) {
        choice.kind = ChoiceKind::hashed;
        choice.group = plane.add_group(r, positions);
      }
      const std::uint16_t entry = plane.add_choice(r, choice);
      for (const TerminalId t : network.terminals_at(to)) plane.set(r, t, entry);
    }
  }
  routing.planes.clear();
  routing.planes.push_back(std::move(plane));
}

}  // namespace unknot
