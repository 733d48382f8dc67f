// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/tables/lids_in_force.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "unknot/formats/text/guid_index.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot {
namespace {

/// LIDs by device; 0: not known.
struct DeviceLids {
  std::vector<std::uint32_t> router, terminal, service_node;
};

template <class Lid>
DeviceLids lids_by_device(const Network& network, const Lid& lid) {
  DeviceLids lids;
  for (std::uint32_t r = 0; r < network.router_count(); ++r)
    lids.router.push_back(lid(Device(Device::Kind::router, r)));
  for (std::uint32_t t = 0; t < network.terminal_count(); ++t)
    lids.terminal.push_back(lid(Device(Device::Kind::terminal, t)));
  for (std::uint32_t s = 0; s < network.labels().service_nodes.size(); ++s)
    lids.service_node.push_back(lid(Device(Device::Kind::service_node, s)));
  return lids;
}

Network relabelled(Network network, DeviceLids lids) {
  return NetworkBuilder::with_lids(std::move(network), std::move(lids.router), std::move(lids.terminal),
                                   lids.service_node);
}

/// The port GUID of a device; 0 where a service node has none.
std::uint64_t port_guid(const Network& network, Device device) {
  switch (device.kind()) {
    case Device::Kind::router:
      return network.router_guid(RouterId(device.index()));
    case Device::Kind::terminal:
      return network.terminal_port_guid(TerminalId(device.index()));
    case Device::Kind::service_node:
      return network.labels().service_nodes[device.index()].port_guid;
    case Device::Kind::none:
      break;
  }
  return 0;
}

/// The LID that the fabric's own file states; 0 where it states none.
std::uint32_t stated_lid(const Network& network, Device device) {
  const Labels& labels = network.labels();
  switch (device.kind()) {
    case Device::Kind::router:
      return labels.router_lid.empty() ? 0 : labels.router_lid[device.index()];
    case Device::Kind::terminal:
      return labels.terminal_lid.empty() ? 0 : labels.terminal_lid[device.index()];
    case Device::Kind::service_node:
      return labels.service_nodes[device.index()].lid;
    case Device::Kind::none:
      break;
  }
  return 0;
}

/// Keeps those of `gone` of which no device has any now.
Network with_gone(Network network, std::vector<KeptLids> gone) {
  std::vector<bool> taken(kLastUnicastLid + std::size_t{1}, false);
  const auto take = [&](Device device) {
    if (const std::uint32_t lid = stated_lid(network, device); lid < taken.size()) taken[lid] = true;
  };
  for (const TerminalId t : network.terminals()) take(Device(Device::Kind::terminal, t.value));
  for (const RouterId r : network.routers()) take(Device(Device::Kind::router, r.value));
  for (std::uint32_t s = 0; s < network.labels().service_nodes.size(); ++s)
    take(Device(Device::Kind::service_node, s));
  std::erase_if(gone, [&](const KeptLids& one) {
    for (std::uint32_t lid = one.first; lid <= one.last; ++lid) {
      if (taken[lid]) return true;
    }
    return false;
  });
  return NetworkBuilder::with_kept_lids(std::move(network), std::move(gone));
}

/// The lowest LID that is kept for the port; 0 where none is.
std::uint32_t lid_of_port(const std::vector<KeptLids>& gone, std::uint64_t guid) {
  const auto found =
      std::find_if(gone.begin(), gone.end(), [guid](const KeptLids& one) { return one.port_guid == guid; });
  return guid == 0 || found == gone.end() ? 0 : found->first;
}

}  // namespace

Network with_lids(Network network, const LidMap& told) {
  const LidMap own = LidMap::of(network);
  const Labels& labels = network.labels();
  const bool systematic = labels.terminal_lid.empty() && labels.router_lid.empty();
  DeviceLids lids = lids_by_device(network, [&](Device device) {
    if (told.of(device) != 0) return told.of(device);
    // A number that only fills a gap is in nobody's way.
    const bool numbered = systematic && device.kind() != Device::Kind::service_node;
    const std::uint32_t lid = numbered ? own.of(device) : stated_lid(network, device);
    return told.at(lid).known() ? 0 : lid;
  });
  return relabelled(std::move(network), std::move(lids));
}

Network with_lids_kept(Network network, const Network& own, const Network& in_force) {
  const GuidIndex guids(own);
  std::vector<KeptLids> gone = in_force.labels().kept_lids;
  LidMap kept(network);
  std::vector<Device> others;
  (void)lids_by_device(network, [&](Device device) {
    const std::uint64_t guid = port_guid(network, device);
    Device same = guid == 0 ? Device() : guids.port(guid);
    if (same.kind() != device.kind()) same = Device();
    const std::uint32_t now = stated_lid(network, device);
    const std::uint32_t was = same.known() ? stated_lid(own, same) : 0;
    const bool changed = now != 0 && was != 0 && now != was;
    const std::uint32_t lid = same.known() ? stated_lid(in_force, same) : 0;
    if (lid != 0 && !changed) {
      kept.assign(device, lid);
    } else {
      others.push_back(device);
    }
    return lid;
  });
  for (const Device device : others) {
    std::uint32_t lid = stated_lid(network, device);
    if (lid == 0) lid = lid_of_port(gone, port_guid(network, device));
    if (lid != 0 && !kept.at(lid).known()) kept.assign(device, lid);
  }
  DeviceLids of_kept = lids_by_device(network, [&](Device device) { return kept.of(device); });
  network = relabelled(std::move(network), std::move(of_kept));
  // What has come gets a LID that no entry is about, and which is the same in every view of the network.
  (void)lids_by_device(in_force, [&](Device device) {
    const std::uint32_t lid = stated_lid(in_force, device);
    const std::uint32_t more = device.is_terminal() ? (1U << in_force.labels().lmc) - 1 : 0;
    if (lid != 0) gone.push_back({port_guid(in_force, device), lid, lid + more});
    return lid;
  });
  network = with_gone(std::move(network), std::move(gone));
  const LidMap all = LidMap::of(network);
  DeviceLids lids = lids_by_device(network, [&](Device device) {
    return device.kind() == Device::Kind::service_node ? kept.of(device) : all.of(device);
  });
  return relabelled(std::move(network), std::move(lids));
}

Network with_guid2lid(Network network, const std::string& path, std::size_t& kept) {
  std::vector<KeptLids> gone;
  const LidMap told = parse_guid2lid(network, read_file(path), path, gone);
  const bool numbered = network.labels().terminal_lid.empty() && network.labels().router_lid.empty();
  network = with_lids(std::move(network), told);
  if (numbered) {
    // A number that only fills a gap gives way to the port that is off: LidMap::of() finds another.
    network = relabelled(network, lids_by_device(network, [&](Device device) {
                           const std::uint32_t lid = stated_lid(network, device);
                           const bool of_another = std::any_of(
                               gone.begin(), gone.end(),
                               [lid](const KeptLids& one) { return one.first <= lid && lid <= one.last; });
                           return of_another && told.of(device) == 0 ? 0 : lid;
                         }));
  }
  network = with_gone(std::move(network), std::move(gone));
  kept = network.labels().kept_lids.size();
  return network;
}

}  // namespace unknot
