// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "unknot/formats/multicast/multicast_file.hpp"
#include "unknot/formats/text/guid_index.hpp"
#include "unknot/formats/text/line_scanner.hpp"
#include "unknot/network/allocation.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/tables/lane_map.hpp"

namespace unknot {
namespace {

std::vector<TerminalId> all_terminals(const Network& network) {
  std::vector<TerminalId> all;
  for (const TerminalId t : network.terminals()) {
    if (network.terminal_port(t) != 0) all.push_back(t);
  }
  return all;
}

class GroupsReader {
 public:
  GroupsReader(const Network& network, std::string_view text, const std::string& name)
      : network_(network), guids_(network), name_(name), scanner_(text, name) {}

  std::vector<MulticastGroupSpec> read() {
    while (scanner_.advance()) {
      const char* p = scanner_.begin();
      const char* const end = scanner_.end();
      skip_blanks(p, end);
      if (p != end && *p != '#') line(p, end);
    }
    if (groups_.empty())
      throw InputError(fmt::format("{}: no group: expected lines '0xC001 [sl=N] MEMBERS'", name_));
    std::vector<MulticastGroupSpec> all;
    for (auto& [lid, group] : groups_) {
      (void)lid;
      all.push_back(std::move(group));
    }
    return all;
  }

 private:
  void line(const char* p, const char* end) {
    std::uint64_t lid = 0;
    if (!take_hex(p, end, lid) || p == end || !is_blank(*p))
      scanner_.fail("expected a group, '0xC001 [sl=N] MEMBERS'");
    if (lid < MulticastGroup::kFirstLid || lid > MulticastGroup::kLastLid) {
      scanner_.fail(fmt::format("0x{:04x} is no LID of a multicast group: these are 0x{:04x} to 0x{:04x}",
                                lid, MulticastGroup::kFirstLid, MulticastGroup::kLastLid));
    }
    const auto [at, fresh] = groups_.try_emplace(static_cast<std::uint16_t>(lid));
    MulticastGroupSpec& group = at->second;
    if (!fresh) scanner_.fail(fmt::format("group 0x{:04x} stands above already", lid));
    group.lid = static_cast<std::uint16_t>(lid);
    skip_blanks(p, end);
    if (take_text(p, end, "sl=")) {
      std::uint32_t level = 0;
      if (!take_decimal(p, end, level) || level >= LaneMap::kLevels || (p != end && !is_blank(*p)))
        scanner_.fail("expected a service level from 0 to 15 after 'sl='");
      group.level = static_cast<std::uint8_t>(level);
      group.level_told = true;
      skip_blanks(p, end);
    }
    while (end != p && is_blank(end[-1])) --end;
    group.members = members({p, static_cast<std::size_t>(end - p)});
  }

  std::vector<TerminalId> members(std::string_view list) {
    if (list.empty()) scanner_.fail("expected the members of the group: nodes, port GUIDs or 'all'");
    if (list == "all") return all_terminals(network_);
    if (list.starts_with("0x")) return by_guid(list);
    try {
      return parse_nodes(network_, list).terminals;
    } catch (const InputError& misfit) {
      scanner_.fail(misfit.what());
    }
  }

  std::vector<TerminalId> by_guid(std::string_view list) {
    std::vector<TerminalId> all;
    const char* p = list.data();
    const char* const end = p + list.size();
    for (;;) {
      std::uint64_t guid = 0;
      if (!take_hex(p, end, guid)) scanner_.fail("expected port GUIDs, '0x...,0x...'");
      const Device device = guids_.port(guid);
      if (!device.is_terminal()) scanner_.fail(fmt::format("no host has the port GUID 0x{:016x}", guid));
      all.emplace_back(device.index());
      skip_blanks(p, end);
      if (p == end) break;
      if (*p == ',') ++p;
      skip_blanks(p, end);
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

  const Network& network_;
  GuidIndex guids_;
  const std::string& name_;
  LineScanner scanner_;
  std::map<std::uint16_t, MulticastGroupSpec> groups_;
};

}  // namespace

std::vector<MulticastGroupSpec> read_multicast_groups(const Network& network, const std::string& path) {
  const std::string text = read_file(path);
  return GroupsReader(network, text, path).read();
}

}  // namespace unknot
