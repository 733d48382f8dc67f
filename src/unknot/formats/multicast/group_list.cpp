// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/multicast/group_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/tables/lane_map.hpp"

namespace unknot {

void GroupList::begin(std::uint64_t lid, std::optional<std::uint32_t> level, bool again,
                      const LineScanner& scanner) {
  if (lid < MulticastGroup::kFirstLid || lid > MulticastGroup::kLastLid) {
    scanner.fail(fmt::format("0x{:04x} is no LID of a multicast group: these are 0x{:04x} to 0x{:04x}", lid,
                             MulticastGroup::kFirstLid, MulticastGroup::kLastLid));
  }
  if (level && *level >= LaneMap::kLevels) scanner.fail(fmt::format("service level {} is above 15", *level));
  const auto [at, fresh] = groups_.try_emplace(static_cast<std::uint16_t>(lid));
  at_ = &at->second;
  if (!fresh && !again) scanner.fail(fmt::format("group 0x{:04x} stands above already", lid));
  if (!fresh && level && at_->level != *level) {
    scanner.fail(fmt::format("groups of LID 0x{:04x} have service levels {} and {}: one of them is needed",
                             lid, at_->level, *level));
  }
  at_->lid = static_cast<std::uint16_t>(lid);
  at_->level = static_cast<std::uint8_t>(level.value_or(0));
  at_->level_told = level.has_value();
}

void GroupList::add(const std::vector<TerminalId>& members) {
  at_->members.insert(at_->members.end(), members.begin(), members.end());
}

void GroupList::add_guid(std::uint64_t port_guid, const LineScanner& scanner) {
  const Device device = guids_.port(port_guid);
  if (device.kind() == Device::Kind::router) return;  // a switch's own port, in a network without management
  if (!device.is_terminal()) scanner.fail(fmt::format("no host has the port GUID 0x{:016x}", port_guid));
  at_->members.emplace_back(device.index());
}

std::vector<MulticastGroupSpec> GroupList::take() {
  std::vector<MulticastGroupSpec> all;
  for (auto& [lid, group] : groups_) {
    auto& members = group.members;
    std::sort(members.begin(), members.end());
    members.erase(std::unique(members.begin(), members.end()), members.end());
    all.push_back(std::move(group));
  }
  return all;
}

std::vector<MulticastGroupSpec> read_multicast_groups(const Network& network, const std::string& path) {
  const std::string text = read_file(path);
  GroupList groups(network);
  LineScanner scanner(text, path);
  if (recognises_sa_dump(text)) {
    read_sa_dump(scanner, groups);
  } else if (recognises_saquery_groups(text)) {
    read_saquery_groups(scanner, groups);
  } else {
    read_group_lines(scanner, groups);
  }
  if (!groups.begun())
    throw InputError(fmt::format("{}: no group: expected lines '0xC001 [sl=N] MEMBERS'", path));
  return groups.take();
}

void set_levels(MulticastTables& tables, const std::vector<MulticastGroupSpec>& groups) {
  for (MulticastGroup& group : tables.groups) {
    const auto spec =
        std::lower_bound(groups.begin(), groups.end(), group.lid(),
                         [](const MulticastGroupSpec& one, std::uint16_t lid) { return one.lid < lid; });
    if (spec != groups.end() && spec->lid == group.lid() && spec->level_told) group.set_level(spec->level);
  }
}

void require_data_level(const std::string& file, std::uint16_t group, std::uint8_t level) {
  if (level < LaneMap::kDrop) return;
  throw InputError(
      fmt::format("{}: group 0x{:04x} has service level {}, and without SL-to-VL tables lane {}, which "
                  "carries no data",
                  file, group, level, level));
}

void require_data_levels(const MulticastTables& tables, const std::string& file) {
  for (const MulticastGroup& group : tables.groups) require_data_level(file, group.lid(), group.level());
}

std::vector<MulticastGroupSpec> carried_over(const Network& before, std::vector<MulticastGroupSpec> groups,
                                             const Network& after) {
  std::unordered_map<std::uint64_t, TerminalId> by_guid;
  for (const TerminalId t : after.terminals()) by_guid.emplace(after.terminal_port_guid(t), t);
  for (MulticastGroupSpec& group : groups) {
    std::vector<TerminalId> there;
    for (const TerminalId t : group.members) {
      const auto found = by_guid.find(before.terminal_port_guid(t));
      if (found != by_guid.end()) there.push_back(found->second);
    }
    std::sort(there.begin(), there.end());
    group.members = std::move(there);
  }
  return groups;
}

}  // namespace unknot
