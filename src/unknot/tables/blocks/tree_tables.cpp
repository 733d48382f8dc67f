// SPDX-License-Identifier: Apache-2.0
#include "unknot/tables/blocks/tree_tables.hpp"

#include <algorithm>

#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kMostChannels = 252;

}  // namespace

std::string tree_tables_trouble(const Network& network, const Routing& routing) {
  if (routing.routes() != nullptr) return "it needs forwarding tables, and these are source routes";
  if (ForwardingTable::width_for(network) > 1 || network.max_out_degree() > kMostChannels)
    return "a router has more than 252 channels";
  if (routing.lane_map != nullptr) return "its lanes must not depend on ports";
  if (!routing.further.empty()) return "it takes one address of each terminal";
  if (!routing.service_levels.shared_by_router())
    return "terminals of one router must send on the same levels";
  if (routing.flow_control != FlowControl::credits) return "it takes credit flow control alone";
  return "";
}

TreeTables::TreeTables(const Network& network, const Routing& routing)
    : network_(&network),
      lanes_(routing.virtual_lanes),
      block_of_(network.terminal_count()),
      row_(network.router_count(), kNoRow) {
  const std::string trouble = tree_tables_trouble(network, routing);
  if (!trouble.empty()) throw InputError("these tables cannot be followed: " + trouble);
  require_fit(network, routing);
  std::size_t size = 0;
  for (const RouterId r : network.routers()) {
    const IdRange<TerminalId> here = network.terminals_at(r);
    if (here.empty()) continue;
    row_[r.value] = rows();
    router_of_row_.push_back(r);
    for (std::uint32_t first = here.first(); first < here.last(); first += kMostPlaces) {
      const std::uint32_t places = std::min(kMostPlaces, here.last() - first);
      std::fill_n(block_of_.begin() + first, places, blocks());
      block_.push_back({r, first, places, size});
      size += std::size_t{places} * network.router_count();
    }
  }
  entries_.resize(size);
  levels_.resize(size);
  copy_entries<std::uint8_t>(routing);
}

template <class Entry>
void TreeTables::copy_entries(const Routing& routing) {
  const std::span<const Entry> all = routing.table().entries<Entry>();
  const std::size_t terminals = network_->terminal_count();
  for (std::uint32_t b = 0; b < blocks(); ++b) {
    const Block& block = block_[b];
    for (const RouterId r : network_->routers()) {
      const std::size_t to = block.at + std::size_t{r.value} * block.places;
      std::copy_n(all.data() + r.value * terminals + block.first, block.places, entries_.data() + to);
      if (routing.service_levels.empty() || row(r) == kNoRow) {
        std::fill_n(levels_.data() + to, block.places, std::uint8_t{0});
      } else {
        std::copy_n(routing.service_levels.row(row(r)).data() + block.first, block.places,
                    levels_.data() + to);
      }
    }
  }
}

Routing routing_of_living(const LiveNetwork& network, const TreeTables& tables, std::uint32_t lanes) {
  const Network now = with_faults(network.network(), network.faults());
  Routing routing;
  routing.paths = ForwardingTable(now);
  routing.virtual_lanes = routing.lanes_needed = lanes;
  routing.service_levels = ServiceLevels(now, ServiceLevels::Rows::by_router);
  std::vector<RouterId> routers;
  for (const RouterId r : network.routers()) {
    if (network.alive(r)) routers.push_back(r);
  }
  std::uint32_t terminal = 0;
  for (std::uint32_t b = 0; b < tables.blocks(); ++b) {
    if (!network.alive(tables.home(b))) continue;
    for (std::uint32_t place = 0; place < tables.places(b); ++place, ++terminal) {
      for (const RouterId there : now.routers()) {
        const RouterId r = routers[there.value];
        const std::size_t at = std::size_t{r.value} * tables.places(b) + place;
        const std::uint8_t entry = tables.entries(b)[at];
        if (entry == TreeTables::kHere) continue;
        std::uint32_t position = ForwardingTable::kNone;
        if (entry != TreeTables::kNone) {
          const auto out = network.out(r);
          const ChannelId c = network.network().out(r)[entry];
          const auto found = std::find(out.begin(), out.end(), c);
          position =
              found == out.end() ? ForwardingTable::kStray : static_cast<std::uint32_t>(found - out.begin());
        }
        routing.table().set(there, TerminalId(terminal), position);
        const IdRange<TerminalId> senders = now.terminals_at(there);
        if (senders.empty()) continue;
        const std::uint32_t row = routing.service_levels.row_of(senders[0]);
        routing.service_levels.row(row)[terminal] = tables.levels(b)[at];
      }
    }
  }
  return routing;
}

}  // namespace unknot
