// SPDX-License-Identifier: Apache-2.0
#include "held/held_rows.hpp"

#include <algorithm>
#include <utility>

namespace unknot::opensm {
namespace {

std::uint8_t byte_of(unsigned port) {
  return port == 0 ? HeldRows::kNoRow : static_cast<std::uint8_t>(port);
}

std::uint8_t byte_of(const LiveFabric& fabric, const SwitchWays& ways, const LidOwner& owner, RouterId r) {
  if (!owner.home.valid()) return HeldRows::kNoRow;
  if (r == owner.home) return owner.port;
  if (owner.host.valid()) return byte_of(fabric.port(r, owner.host, fabric.entry(r, owner.host)));
  const ChannelId c = ways.way(r, owner.home);
  return byte_of(c.valid() ? fabric.network().source_port(c) : 0U);
}

}  // namespace

void HeldRows::update(const LiveFabric& fabric, const SwitchWays& ways, std::vector<LidOwner> owner,
                      std::span<const EntryChange> changes, std::span<const RouterId> moved) {
  if (owner.size() > width_) {
    width_ = owner.size();
    bytes_.assign(width_ * fabric.network().router_count(), kNoRow);
    owner_.assign(width_, LidOwner{});
  }
  owner.resize(width_);
  std::vector<std::size_t> others;
  for (std::size_t lid = 0; lid < width_; ++lid) {
    if (owner[lid] != owner_[lid]) others.push_back(lid);
  }
  owner_ = std::move(owner);
  if (!others.empty() || lids_of_switch_.empty()) list_lids(fabric.network());
  constexpr std::size_t kMany = 8;
  if (others.size() > width_ / kMany) {
    write_all(fabric, ways);
    return;
  }
  for (const std::size_t lid : others) write_column(fabric, ways, lid);
  for (const RouterId s : moved) {
    for (const std::uint16_t lid : lids_of_switch_[s.value]) write_column(fabric, ways, lid);
  }
  for (const EntryChange& change : changes) {
    const std::uint8_t byte = byte_of(fabric.port(change.router, change.destination, change.after));
    for (const std::uint16_t lid : lids_of_host_[change.destination.value]) {
      if (owner_[lid].home != change.router) bytes_[change.router.value * width_ + lid] = byte;
    }
  }
}

void HeldRows::list_lids(const Network& network) {
  lids_of_host_.assign(network.terminal_count(), {});
  lids_of_switch_.assign(network.router_count(), {});
  for (std::size_t lid = 0; lid < width_; ++lid) {
    const LidOwner& owner = owner_[lid];
    if (!owner.home.valid()) continue;
    auto& list = owner.host.valid() ? lids_of_host_[owner.host.value] : lids_of_switch_[owner.home.value];
    list.push_back(static_cast<std::uint16_t>(lid));
  }
}

void HeldRows::write_column(const LiveFabric& fabric, const SwitchWays& ways, std::size_t lid) {
  for (const RouterId r : fabric.network().routers())
    bytes_[r.value * width_ + lid] = byte_of(fabric, ways, owner_[lid], r);
}

/// A row after another: they lie so.
void HeldRows::write_all(const LiveFabric& fabric, const SwitchWays& ways) {
  for (const RouterId r : fabric.network().routers()) {
    for (std::size_t lid = 0; lid < width_; ++lid)
      bytes_[r.value * width_ + lid] = byte_of(fabric, ways, owner_[lid], r);
  }
}

}  // namespace unknot::opensm
