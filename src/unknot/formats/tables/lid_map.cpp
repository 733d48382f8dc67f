// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/tables/lid_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "unknot/formats/tables/lane_formats.hpp"
#include "unknot/formats/text/line_scanner.hpp"
#include "unknot/formats/text/text_block.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot {
namespace {

std::string device_name(const Network& network, Device device) {
  switch (device.kind()) {
    case Device::Kind::router:
      return network.router_name(RouterId(device.index()));
    case Device::Kind::terminal:
      return network.terminal_name(TerminalId(device.index()));
    case Device::Kind::service_node:
      return network.labels().service_nodes[device.index()].name;
    case Device::Kind::none:
      break;
  }
  return "nothing";
}

}  // namespace

LidMap::LidMap(const Network& network)
    : router_(network.router_count(), 0),
      terminal_(network.terminal_count(), 0),
      service_node_(network.labels().service_nodes.size(), 0),
      own_port_(network.terminal_count(), false),
      terminals_missing_(network.terminal_count()) {
  for (const RouterId r : network.routers()) {
    const TerminalId own = network.own_port(r);
    if (!own.valid()) continue;
    own_port_[own.value] = true;
    --terminals_missing_;
    ++own_ports_missing_;
  }
}

std::uint32_t LidMap::of(Device device) const {
  switch (device.kind()) {
    case Device::Kind::router:
      return router_[device.index()];
    case Device::Kind::terminal:
      return terminal_[device.index()];
    case Device::Kind::service_node:
      return service_node_[device.index()];
    case Device::Kind::none:
      break;
  }
  return 0;
}

std::uint32_t LidMap::further() const {
  std::vector<std::uint32_t> count(terminal_.size(), 0);
  std::uint32_t most = 0;
  for (const Device device : device_) {
    if (device.is_terminal()) most = std::max(most, ++count[device.index()]);
  }
  return most == 0 ? 0 : most - 1;
}

LidMap LidMap::ranked(std::uint32_t rank) const {
  LidMap map(*this);
  std::vector<std::uint32_t> seen(terminal_.size(), 0);
  for (std::uint32_t lid = 0; lid < device_.size(); ++lid) {
    const Device device = device_[lid];
    if (device.is_terminal() && seen[device.index()]++ == rank) map.terminal_[device.index()] = lid;
  }
  return map;
}

Device LidMap::assign(Device device, std::uint32_t lid) {
  if (lid >= device_.size()) device_.resize(lid + std::size_t{1});
  if (device_[lid].known()) return device_[lid];
  device_[lid] = device;
  std::vector<std::uint32_t>& lids = device.is_router()     ? router_
                                     : device.is_terminal() ? terminal_
                                                            : service_node_;
  std::uint32_t& base = lids[device.index()];
  if (base == 0 && device.is_terminal())
    --(own_port_[device.index()] ? own_ports_missing_ : terminals_missing_);
  if (base == 0 || lid < base) base = lid;
  return {};
}

LidMap LidMap::of(const Network& network) {
  LidMap map(network);
  std::vector<Device> without;
  const auto add = [&](Device device, std::uint32_t lid) {
    if (lid == 0) {
      without.push_back(device);
      return;
    }
    if (lid > kHighest) {
      throw InputError(
          fmt::format("{} has LID {}, expected at most {}", device_name(network, device), lid, kHighest));
    }
    const Device other = map.assign(device, lid);
    if (other.known()) {
      throw InputError(fmt::format("{} and {} have the same LID {}", device_name(network, other),
                                   device_name(network, device), lid));
    }
  };
  // A fabric with LIDs for some kinds of devices has none for the others: systematic ones could clash.
  const Labels& labels = network.labels();
  const bool labelled = !labels.terminal_lid.empty() || !labels.router_lid.empty();
  for (const TerminalId t : network.terminals()) {
    const bool missing = labelled && labels.terminal_lid.empty();
    add(Device(Device::Kind::terminal, t.value), missing ? 0 : network.terminal_lid(t));
  }
  for (const RouterId r : network.routers()) {
    if (network.own_port(r).valid()) continue;  // has come with the terminals
    const bool missing = labelled && labels.router_lid.empty();
    add(Device(Device::Kind::router, r.value), missing ? 0 : network.router_lid(r));
  }
  for (std::uint32_t i = 0; i < labels.service_nodes.size(); ++i) {
    add(Device(Device::Kind::service_node, i), labels.service_nodes[i].lid);
  }
  for (std::uint32_t rank = 1; rank < 1U << labels.lmc && !labels.terminal_lid.empty(); ++rank) {
    for (const TerminalId t : network.terminals()) {
      if (network.own_port(network.router_of(t)) == t || network.terminal_lid(t) == 0) continue;
      (void)map.assign(Device(Device::Kind::terminal, t.value), network.terminal_lid(t) + rank);
    }
  }
  std::vector<bool> kept;
  for (const KeptLids& one : labels.kept_lids) {
    if (one.last >= kept.size()) kept.resize(one.last + std::size_t{1}, false);
    for (std::uint32_t lid = one.first; lid <= one.last; ++lid) kept[lid] = true;
  }
  std::uint32_t free = 1;
  for (const Device device : without) {
    while (map.at(free).known() || (free < kept.size() && kept[free])) ++free;
    map.assign(device, free);
  }
  return map;
}

LidMap read_guid2lid(const Network& network, const std::string& path) {
  return parse_guid2lid(network, read_file(path), path);
}

namespace {

LidMap parse(const Network& network, std::string_view text, const std::string& name,
             std::vector<KeptLids>* gone) {
  const GuidIndex guids(network);
  LidMap map(network);
  std::vector<bool> given(kLastUnicastLid + std::size_t{1}, false);
  LineScanner scanner(text, name);
  while (scanner.advance()) {
    const char* p = scanner.begin();
    const char* const end = scanner.end();
    skip_blanks(p, end);
    if (p == end || *p == '#') continue;
    std::uint64_t guid = 0;
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    const bool guid_read = take_hex(p, end, guid);
    skip_blanks(p, end);
    const bool low_read = take_hex(p, end, low);
    skip_blanks(p, end);
    const bool high_read = take_hex(p, end, high);
    skip_blanks(p, end);
    if (!guid_read || !low_read || !high_read || p != end) {
      scanner.fail("expected '0x<port guid> 0x<lowest lid> 0x<highest lid>'");
    }
    if (low == 0 || low > high || high > kLastUnicastLid) {
      scanner.fail(fmt::format("LIDs {} to {} are no range within 1 to {}", low, high, kLastUnicastLid));
    }
    const Device device = guids.port(guid);
    if (!device.known() && gone == nullptr) continue;
    for (std::uint64_t lid = low; lid <= high; ++lid) {
      if (given[lid]) scanner.fail(fmt::format("LID {} is given twice", lid));
      given[lid] = true;
    }
    if (!device.known()) {
      gone->push_back({guid, static_cast<std::uint32_t>(low), static_cast<std::uint32_t>(high)});
      continue;
    }
    for (std::uint64_t lid = low; lid <= high; ++lid) map.assign(device, static_cast<std::uint32_t>(lid));
  }
  return map;
}

}  // namespace

LidMap parse_guid2lid(const Network& network, std::string_view text, const std::string& name) {
  return parse(network, text, name, nullptr);
}

LidMap parse_guid2lid(const Network& network, std::string_view text, const std::string& name,
                      std::vector<KeptLids>& gone) {
  return parse(network, text, name, &gone);
}

namespace {

/// The last of the LIDs from `lid` on that are of the terminal's port.
std::uint32_t last_lid(const Network& network, const LidMap& lids, TerminalId t, std::uint32_t lid) {
  const auto same_port = [&](Device device) {
    if (!device.is_terminal()) return false;
    const TerminalId other(device.index());
    return other == t || (network.router_of(other) == network.router_of(t) &&
                          network.terminal_port(other) == network.terminal_port(t));
  };
  while (same_port(lids.at(lid + 1))) ++lid;
  return lid;
}

}  // namespace

void write_guid2lid(const Network& network, const LidMap& lids, const std::string& path) {
  TextBlock block;
  const auto add_range = [&](const KeptLids& lids_of_port) {
    char* p = put_guid(block.room(40), lids_of_port.port_guid);
    p = put_hex(put_text(p, " 0x"), lids_of_port.first, 4);
    p = put_hex(put_text(p, " 0x"), lids_of_port.last, 4);
    block.end_at(put_text(p, "\n\n"));
  };
  const auto add = [&](std::uint64_t guid, std::uint32_t lid) { add_range({guid, lid, lid}); };
  for (std::uint32_t lid = 1; lid <= lids.highest(); ++lid) {
    const Device device = lids.at(lid);
    switch (device.kind()) {
      case Device::Kind::router:
        add(network.router_guid(RouterId(device.index())), lid);
        break;
      case Device::Kind::terminal: {
        const TerminalId t(device.index());
        if (network.further_address(t) || lid != lids.of(t)) break;
        add_range({network.terminal_port_guid(t), lid, last_lid(network, lids, t, lid)});
        break;
      }
      case Device::Kind::service_node:
        if (network.labels().service_nodes[device.index()].port_guid != 0) {
          add(network.labels().service_nodes[device.index()].port_guid, lid);
        }
        break;
      case Device::Kind::none:
        break;
    }
  }
  for (const KeptLids& one : network.labels().kept_lids) add_range(one);
  write_file(path, block.text());
}

}  // namespace unknot
