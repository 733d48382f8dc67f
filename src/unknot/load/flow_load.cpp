// SPDX-License-Identifier: Apache-2.0
#include "unknot/load/flow_load.hpp"

#include "unknot/tables/further_addresses.hpp"
#include "unknot/tables/lane_function.hpp"

namespace unknot {

bool append_path(const Network& network, const Routing& routing, TerminalId source, TerminalId destination,
                 std::vector<ChannelId>& path) {
  if (routing.routes() != nullptr) {
    if (!delivers(network, *routing.routes(), source, destination)) return false;
    const auto route = routing.routes()->route(source, destination);
    path.insert(path.end(), route.begin(), route.end());
    return true;
  }
  const std::size_t before = path.size();
  const std::size_t longest = before + network.router_count();
  RouterId at = network.router_of(source);
  while (path.size() <= longest) {
    const std::uint32_t position = routing.table().get(at, destination);
    const IdRange<ChannelId> out = network.out(at);
    if (position >= out.size()) {
      if (at == network.router_of(destination) && position == ForwardingTable::kHere) return true;
      break;
    }
    path.push_back(out[position]);
    at = network.target(out[position]);
  }
  path.resize(before);
  return false;
}

bool append_delivered(const Network& network, const Routing& routing, bool may_drop, TerminalId source,
                      TerminalId destination, std::vector<ChannelId>& path) {
  const std::size_t before = path.size();
  if (!append_path(network, routing, source, destination, path)) return false;
  if (!may_drop || lanes_carry(network, routing, source, destination, std::span(path).subspan(before)))
    return true;
  path.resize(before);
  return false;
}

DeliveredPaths::DeliveredPaths(const Network& network, const Routing& routing) : network_(network) {
  for (const Routing* const tables : tables_to_addresses(routing)) {
    require_fit(network, *tables);
    ranks_.push_back({tables, lanes_may_drop(network, *tables)});
  }
}

bool DeliveredPaths::append(TerminalId source, TerminalId destination, std::vector<ChannelId>& path,
                            std::vector<std::size_t>* ends) const {
  const std::size_t before = path.size();
  const std::size_t ended = ends == nullptr ? 0 : ends->size();
  for (const Rank& rank : ranks_) {
    if (!append_delivered(network_, *rank.tables, rank.may_drop, source, destination, path)) {
      path.resize(before);
      if (ends != nullptr) ends->resize(ended);
      return false;
    }
    if (ends != nullptr) ends->push_back(path.size());
  }
  return true;
}

FlowLoad flow_load(const Network& network, const Routing& routing, std::span<const Flow> flows) {
  require_fit(network, routing);
  FlowLoad result;
  result.load.assign(network.channel_count(), 0);
  const DeliveredPaths paths(network, routing);
  std::vector<ChannelId> path;
  for (const Flow& flow : flows) {
    path.clear();
    if (!paths.append(flow.source, flow.destination, path)) {
      ++result.unroutable;
      continue;
    }
    const double part = flow.weight / paths.addresses();
    for (const ChannelId c : path) result.load[c.value] += part;
  }
  return result;
}

}  // namespace unknot
