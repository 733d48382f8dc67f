// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/network/network.hpp"

namespace unknot::place {

/// Where ranks can go: `per_host` places on each host, those of the first host first. A host is a terminal.
struct Places {
  std::vector<TerminalId> hosts;
  std::uint32_t per_host = 1;

  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(hosts.size()) * per_host; }
  [[nodiscard]] std::uint32_t host_of(std::uint32_t place) const { return place / per_host; }
  [[nodiscard]] TerminalId terminal_of(std::uint32_t place) const { return hosts[host_of(place)]; }
};

/// What links carry, in units of any one of them; a load is bytes over that. Empty: links are alike.
struct LinkWidths {
  std::vector<double> channel;   ///< by channel
  std::vector<double> terminal;  ///< by terminal, of its cable in both directions

  [[nodiscard]] double of(ChannelId c) const { return channel.empty() ? 1 : channel[c.value]; }
  [[nodiscard]] double of(TerminalId t) const { return terminal.empty() ? 1 : terminal[t.value]; }
};

/// Place of each rank; no two the same.
using Placement = std::vector<std::uint32_t>;

/// All terminals in order, or those of a list as parse_nodes() takes it, in the order of their numbers.
/// InputError as parse_nodes(), where there is no host, or where there are more than 2^30 places.
Places find_places(const Network& network, std::string_view hosts, std::uint32_t per_host);

/// Rank r on place r: hosts filled one by one, which launchers do unless told otherwise.
Placement in_order(std::uint32_t ranks);

/// Name that a launcher knows a terminal by: its name up to the first blank ("node07" of "node07 mlx5_0").
std::string host_name(const Network& network, TerminalId t);

/// Placement of ranks whose hosts are given by name: each takes the first place of its host that is left.
/// InputError, naming the rank, for a name that no host has, or a host without a place left.
Placement placement_on(const Network& network, const Places& places,
                       std::span<const std::string> host_of_rank);

}  // namespace unknot::place
