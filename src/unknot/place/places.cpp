// SPDX-License-Identifier: Apache-2.0
#include "unknot/place/places.hpp"

#include <fmt/format.h>

#include <numeric>
#include <unordered_map>

#include "unknot/network/allocation.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot::place {

Places find_places(const Network& network, std::string_view hosts, std::uint32_t per_host) {
  Places places;
  places.per_host = per_host;
  if (hosts.empty()) {
    for (const TerminalId t : network.terminals()) places.hosts.push_back(t);
  } else {
    places.hosts = parse_nodes(network, hosts).terminals;
  }
  if (places.hosts.empty()) throw InputError("there is no terminal to place a rank on");
  if (std::uint64_t{per_host} * places.hosts.size() > std::uint64_t{1} << 30U) {
    throw InputError(
        fmt::format("{} places on each of {} hosts are too many", per_host, places.hosts.size()));
  }
  return places;
}

Placement in_order(std::uint32_t ranks) {
  Placement placement(ranks);
  std::iota(placement.begin(), placement.end(), 0U);
  return placement;
}

std::string host_name(const Network& network, TerminalId t) {
  const std::string name = network.terminal_name(t);
  return name.substr(0, name.find_first_of(" \t"));
}

Placement placement_on(const Network& network, const Places& places,
                       std::span<const std::string> host_of_rank) {
  std::unordered_map<std::string, std::vector<std::uint32_t>> free;  // by name, the last one is taken first
  for (std::uint32_t place = places.count(); place-- > 0;)
    free[host_name(network, places.terminal_of(place))].push_back(place);
  Placement placement;
  for (std::size_t rank = 0; rank < host_of_rank.size(); ++rank) {
    const auto found = free.find(host_of_rank[rank]);
    if (found == free.end()) {
      throw InputError(
          fmt::format("rank {} is on '{}', which is none of the hosts", rank, shown(host_of_rank[rank])));
    }
    if (found->second.empty()) {
      throw InputError(fmt::format("rank {} is on {}, which has no place left (give --per-host)", rank,
                                   shown(host_of_rank[rank])));
    }
    placement.push_back(found->second.back());
    found->second.pop_back();
  }
  return placement;
}

}  // namespace unknot::place
