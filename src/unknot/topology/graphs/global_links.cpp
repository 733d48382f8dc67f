// SPDX-License-Identifier: Apache-2.0
#include "unknot/topology/graphs/global_links.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "unknot/support/error.hpp"

namespace unknot {
namespace {

/// Groups round a ring from `group`: +1, -1, +2, -2, ..., and the opposite one last where there is one.
std::uint32_t by_distance(std::uint32_t group, std::uint32_t k, std::uint32_t groups) {
  const std::uint32_t apart = k / 2 + 1;
  return k % 2 == 0 ? (group + apart) % groups : (group + groups - apart) % groups;
}

std::uint32_t peer_in_round(const GlobalLinks& links, std::uint32_t group, std::uint32_t k) {
  switch (links.arrangement) {
    case Arrangement::relative:
      return (group + k + 1) % links.groups;
    case Arrangement::circulant:
      return by_distance(group, k, links.groups);
    case Arrangement::absolute:
      break;
  }
  return k < group ? k : k + 1;
}

/// Ports of a group beyond whole rounds over all other groups that can be joined.
std::uint32_t ports_left(const GlobalLinks& links) {
  if (links.groups < 2) return 0;
  const std::uint32_t left = links.ports % (links.groups - 1);
  return left % 2 == 1 && links.groups % 2 == 1 ? left - 1 : left;
}

std::uint32_t ports_in_use(const GlobalLinks& links) {
  if (links.groups < 2) return 0;
  return links.ports - links.ports % (links.groups - 1) + ports_left(links);
}

std::uint32_t peer(const GlobalLinks& links, std::uint32_t group, std::uint32_t port) {
  const std::uint32_t others = links.groups - 1;
  if (port < links.ports - links.ports % others) return peer_in_round(links, group, port % others);
  const std::uint32_t left = ports_left(links);
  const std::uint32_t k = port - (links.ports - links.ports % others);
  // an odd number of ports: the last one leads to the opposite group, its own opposite
  return left % 2 == 1 && k + 1 == left ? (group + links.groups / 2) % links.groups
                                        : by_distance(group, k, links.groups);
}

}  // namespace

std::uint64_t global_cable_count(const GlobalLinks& links) {
  return std::uint64_t{links.groups} * ports_in_use(links) / 2;
}

std::vector<GlobalCable> global_cables(const GlobalLinks& links) {
  const std::uint32_t ports = ports_in_use(links);
  // by group: its ports in order of the group they lead to, so that the m-th ports of two groups to each
  // other meet
  using Port = std::pair<std::uint32_t, std::uint32_t>;
  std::vector<Port> sorted(std::size_t{links.groups} * ports);
  for (std::uint32_t group = 0; group < links.groups; ++group) {
    const auto first = sorted.begin() + static_cast<std::ptrdiff_t>(std::size_t{group} * ports);
    for (std::uint32_t port = 0; port < ports; ++port) first[port] = {peer(links, group, port), port};
    std::sort(first, first + ports);
  }
  // first of the sorted ports of `group` that is not before `port`.
  const auto find = [&](std::uint32_t group, Port port) {
    const auto first = sorted.begin() + static_cast<std::ptrdiff_t>(std::size_t{group} * ports);
    return std::lower_bound(first, first + ports, port);
  };
  std::vector<GlobalCable> cables;
  cables.reserve(global_cable_count(links));
  for (std::uint32_t group = 0; group < links.groups; ++group) {
    for (std::uint32_t port = 0; port < ports; ++port) {
      const std::uint32_t far = peer(links, group, port);
      if (far < group) continue;
      const auto before = find(group, {far, port}) - find(group, {far, 0});
      cables.push_back({group, port, far, (find(far, {group, 0}) + before)->second});
    }
  }
  return cables;
}

std::vector<Parameter> global_link_parameters() {
  return {{.name = "groups",
           .help = "groups; the most that are joined pairwise without it",
           .fallback = "",
           .min = 1},
          {.name = "arrangement",
           .kind = ParameterKind::text,
           .help = "which groups the global ports of a group lead to, in order",
           .fallback = "absolute",
           .choices = {"absolute", "relative", "circulant"}}};
}

GlobalLinks global_links_from(const char* family, const Parameters& parameters, std::uint32_t ports) {
  const std::string& name = parameters.text("arrangement");
  const std::uint32_t groups = parameters.has("groups") ? parameters.number32("groups") : ports + 1;
  if (groups > std::uint64_t{ports} + 1) {
    throw InputError(fmt::format(
        "topology {}: {} groups with {} global ports each cannot be joined pairwise; at most {} can", family,
        groups, ports, ports + 1));
  }
  return {groups, ports,
          name == "relative"    ? Arrangement::relative
          : name == "circulant" ? Arrangement::circulant
                                : Arrangement::absolute};
}

}  // namespace unknot
