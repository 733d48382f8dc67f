// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "unknot/bounds/path_lists.hpp"
#include "unknot/load/flow_load.hpp"
#include "unknot/support/error.hpp"
#include "unknot/tables/lane_function.hpp"

namespace unknot {
namespace {

/// Flows between two looks at whether the user wants to stop.
constexpr std::size_t kLook = 1024;

/// The tables of one rank of addresses.
struct Rank {
  const Routing* routing;
  bool may_drop;
};

}  // namespace

PathLists address_path_lists(const Network& network, const Routing& routing, std::span<const Flow> flows,
                             Progress& progress) {
  require_fit(network, routing);
  std::vector<Rank> ranks = {{&routing, lanes_may_drop(network, routing)}};
  for (const Routing& further : routing.further) {
    require_fit(network, further);
    ranks.push_back({&further, lanes_may_drop(network, further)});
  }
  PathLists lists;
  std::vector<std::vector<ChannelId>> paths;
  std::vector<ChannelId> path;
  progress.begin("listing paths", flows.size());
  for (std::size_t i = 0; i < flows.size(); ++i) {
    if (i % kLook == 0) {
      progress.update(i);
      if (progress.interrupted()) throw Interrupted();
    }
    const Flow& flow = flows[i];
    const RouterId source = network.router_of(flow.source);
    const RouterId destination = network.router_of(flow.destination);
    if (source == destination) continue;
    paths.clear();
    for (const Rank& rank : ranks) {
      path.clear();
      if (!append_delivered(network, *rank.routing, rank.may_drop, flow.source, flow.destination, path))
        continue;
      if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(path);
    }
    if (paths.empty()) {
      throw InputError(fmt::format("{}: no address leads from {} to {}, which have traffic", routing.engine,
                                   network.terminal_name(flow.source),
                                   network.terminal_name(flow.destination)));
    }
    lists.add_pair({source, destination, flow.weight});
    for (const std::vector<ChannelId>& one : paths) {
      if (lists.channel_count() + one.size() > kMaxListedChannels) {
        throw TooManyPaths(fmt::format("{}: the paths of all flows have more than {} channels together",
                                       routing.engine, kMaxListedChannels));
      }
      lists.add_path(one);
    }
  }
  return lists;
}

}  // namespace unknot
